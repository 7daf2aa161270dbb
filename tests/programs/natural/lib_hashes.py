import hashlib
import sys
import zlib


def digest_lines(lines, algorithm):
    h = hashlib.new(algorithm)
    for line in lines:
        h.update(line.encode("utf-8"))
        h.update(b"\n")
    return h.hexdigest()


def main():
    lines = ["alpha", "beta", "gäamma"]
    for algorithm in ("md5", "sha1", "sha256", "sha3_256", "blake2b"):
        print(algorithm, digest_lines(lines, algorithm)[:32])
    print(hashlib.sha3_512(b"abc").hexdigest())
    print(hashlib.blake2s(b"abc", digest_size=16).hexdigest())
    print(hashlib.blake2b(b"abc", key=b"k").digest()[:4].hex())
    print(hashlib.shake_128(b"abc").hexdigest(16))
    print(hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 1000).hex())
    data = b"hello hello hello hello" * 20
    packed = zlib.compress(data, 9)
    print(len(packed) < len(data), zlib.decompress(packed) == data)
    print(hex(zlib.crc32(data)), zlib.adler32(data))
    print("sha256" in hashlib.algorithms_guaranteed, hashlib.sha256().block_size)
    try:
        zlib.decompress(b"not zlib data")
    except zlib.error as e:
        print(e)
    return 0


def entry_point(argv):
    return main()


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
