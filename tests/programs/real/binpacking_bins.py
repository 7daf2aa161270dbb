"""binpacking==2.0.1: weights into bins."""

import binpacking


def main():
    print(binpacking.to_constant_volume([3, 4, 5, 1, 2, 8, 7], 10))
    print(binpacking.to_constant_bin_number({"a": 10, "b": 10, "c": 11, "d": 1, "e": 2, "f": 7}, 4))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
