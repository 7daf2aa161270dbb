"""pygeohash==1.2.0: places as short texts."""

import pygeohash


def main():
    print(pygeohash.encode(42.6, -5.6), pygeohash.encode(42.6, -5.6, precision=5))
    print(pygeohash.decode("ezs42"), pygeohash.geohash_approximate_distance("bcd3u", "bc83n"))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
