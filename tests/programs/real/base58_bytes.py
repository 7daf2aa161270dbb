"""base58==2.1.1 --int=big: bytes as text of 58 letters."""

import base58


def main():
    for data in (b"hello world", b"\0\0abc", b"", bytes(range(6))):
        text = base58.b58encode(data)
        print(data, text, base58.b58decode(text), base58.b58encode_check(data))
    try:
        base58.b58decode("0OIl")
    except ValueError as error:
        print(error)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
