import base64
import hashlib
import hmac
import secrets
import string


def sign(key: bytes, message: str) -> str:
    mac = hmac.new(key, message.encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(mac).decode().rstrip("=")


def verify(key: bytes, message: str, signature: str) -> bool:
    return hmac.compare_digest(sign(key, message), signature)


def password(length: int = 12) -> str:
    alphabet = string.ascii_letters + string.digits
    while True:
        word = "".join(secrets.choice(alphabet) for _ in range(length))
        if any(c.islower() for c in word) and any(c.isdigit() for c in word):
            return word


def main():
    key = b"top secret"
    signature = sign(key, "hello world")
    print(signature)
    print(verify(key, "hello world", signature), verify(key, "hello", signature))
    print(hmac.new(b"k", b"data", "sha1").hexdigest())
    print(len(password()), len(secrets.token_hex(8)), len(secrets.token_bytes(5)))
    print(len(secrets.token_urlsafe(16)) >= 16, secrets.randbelow(10) < 10)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
