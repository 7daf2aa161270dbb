"""hashids==1.3.1: short texts for numbers."""

from hashids import Hashids


def main():
    hashids = Hashids(salt="this is my salt", min_length=8)
    code = hashids.encode(45, 434, 1313)
    print(code, hashids.decode(code), hashids.decode("nothing"))
    print([Hashids("pepper").encode(n) for n in range(5)])


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
