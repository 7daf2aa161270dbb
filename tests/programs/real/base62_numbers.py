"""pybase62==1.0.0: numbers and bytes in base 62."""

import base62


def main():
    print([base62.encode(n) for n in (0, 1, 61, 62, 34441886726)], base62.decode("base62"))
    print(base62.encodebytes(b"\x01\x02hello"), base62.decodebytes("1T8ZWpl"))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
