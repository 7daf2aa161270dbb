"""fractions and statistics."""

import statistics
from fractions import Fraction


def main():
    print(
        sum([Fraction(1, n) for n in range(1, 8)], Fraction(0)),
        Fraction("3.25"),
        Fraction(7, 3).limit_denominator(2),
    )
    print(
        statistics.mean([1, 2, 3, 4]),
        statistics.median([3, 1, 2]),
        round(statistics.stdev([1.5, 2.5, 4.0]), 6),
    )
    print(statistics.quantiles([1, 2, 3, 4, 5]), statistics.linear_regression([1, 2, 3], [2, 4, 6]))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
