"""more-itertools==10.6.0: more of what itertools has."""

from more_itertools import (
    chunked,
    collapse,
    divide,
    first,
    flatten,
    ilen,
    interleave_longest,
    spy,
    windowed,
)


def main():
    print(
        list(chunked([1, 2, 3, 4, 5], 2)), list(flatten([[1], [2, 3]])), first([7, 8]), ilen("abc")
    )
    print(list(windowed([1, 2, 3, 4], 3)), [list(part) for part in divide(2, [1, 2, 3])])
    print(
        list(interleave_longest([1, 2], [3, 4, 5])), list(collapse([1, [2, [3]]])), spy([1, 2])[0]
    )


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
