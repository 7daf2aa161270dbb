"""num2words==0.5.14: numbers in English."""

from num2words import num2words


def main():
    for number in (0, 7, 13, 42, 100, 999, 1001, 123456, 2000000):
        print(number, num2words(number), num2words(number, to="ordinal"))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
