import base64
import binascii
import sys


def show(label, value):
    print(f"{label:10} {value}")


def main():
    data = bytes(range(0, 250, 7))
    show("b64", base64.b64encode(data))
    show("urlsafe", base64.urlsafe_b64encode(data).decode("ascii"))
    show("b32", base64.b32encode(b"hello"))
    show("b16", base64.b16encode(data[:6]).decode())
    show("b85", base64.b85encode(b"hello world"))
    show("a85", base64.a85encode(b"hello world"))
    for text in ("aGVsbG8=", "aGVs!bG8=", "aGVsbG8", "a"):
        try:
            show(text, base64.b64decode(text, validate=True))
        except binascii.Error as e:
            show(text, e)
    print(base64.b64decode("aGVs!bG8="))
    print(base64.b32decode("NBSWY3DP"), base64.b85decode(base64.b85encode(b"xyz")))
    print(base64.encodebytes(b"a" * 60))
    print(base64.standard_b64decode(base64.standard_b64encode(data)) == data)
    print(binascii.hexlify(b"abc", "-"))
    return 0


def entry_point(argv):
    return main()


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
