"""bencode.py==4.1.0: values of BitTorrent as bytes."""

import bencodepy


def main():
    print(bencodepy.encode([1, -20, 300]), bencodepy.encode("spam"))
    print(bencodepy.encode({"b": 1, "a": 2}))
    print(bencodepy.decode(b"li1ei-20ee"))
    print(bencodepy.decode(b"d3:bar4:spam3:fooi42ee"))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
