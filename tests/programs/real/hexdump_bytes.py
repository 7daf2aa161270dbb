"""hexdump==3.3: bytes as people look at them."""

import hexdump


def main():
    print(hexdump.hexdump(b"Hello, world! \x00\x01\x02\xff and more", result="return"))
    print(hexdump.dehex("DE AD be ef"), hexdump.dump(b"abc"))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
