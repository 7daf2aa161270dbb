"""smartypants==2.0.2: typographic quotes and dashes."""

import smartypants


def main():
    print(smartypants.smartypants('"Hello," she said -- "it is ''fine''..."'))
    print(smartypants.smartypants('<p>"a" <code>"b"</code> 5\'10\\"</p>'))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
