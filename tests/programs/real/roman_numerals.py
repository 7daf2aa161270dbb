"""roman==5.2: Roman numerals and back."""

import roman


def main():
    for number in (1, 4, 9, 14, 40, 90, 400, 1994, 2024, 3999):
        text = roman.toRoman(number)
        print(number, text, roman.fromRoman(text))
    try:
        roman.fromRoman("IIII")
    except roman.InvalidRomanNumeralError as error:
        print(error)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
