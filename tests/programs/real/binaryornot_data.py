"""binaryornot==0.4.4 chardet==5.2.0: does a file have text?"""

from binaryornot.helpers import is_binary_string


def main():
    for data in (b"hello\n", b"\x00\x01\x02", b"", bytes(range(128, 256)), "héllo".encode()):
        print(is_binary_string(data))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
