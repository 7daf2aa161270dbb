"""textwrap, calendar, pprint."""

import calendar
import pprint
import textwrap

TEXT = "The quick brown fox jumps over the lazy dog and runs away from the bear"


def main():
    print(textwrap.fill(TEXT, 30, initial_indent="* ", subsequent_indent="  "))
    print(textwrap.shorten(TEXT, 30), textwrap.indent("a\nb", "> "))
    print(calendar.month(2024, 2), calendar.TextCalendar().formatweekheader(3))
    pprint.pprint({"names": ["a" * 30, "b" * 30, "c" * 30], "n": 1})


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
