"""bitmath==1.3.3.1: sizes of data."""

import bitmath


def main():
    size = bitmath.MiB(1.5)
    print(size, size.to_KiB(), bitmath.GiB(1) - bitmath.MiB(24), size > bitmath.kB(3))
    print(bitmath.Byte(123456789).best_prefix(), bitmath.parse_string("4.7 GB"))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
