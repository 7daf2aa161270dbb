"""titlecase==2.4.1: titles in capitals, as the New York Times has them."""

from titlecase import titlecase


def main():
    for line in (
        "a thing",
        "the quick brown fox jumps over the lazy dog",
        "IT'S 9 O'CLOCK",
        "q&a with steve jobs",
    ):
        print(titlecase(line))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
