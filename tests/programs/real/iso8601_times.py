"""iso8601==2.1.0: times as ISO 8601 writes them."""

import iso8601


def main():
    for text in ("2007-01-25T12:00:00Z", "2007-01-25", "2007-01-25T12:00:00+05:30"):
        print(iso8601.parse_date(text))
    try:
        iso8601.parse_date("nonsense")
    except iso8601.ParseError as error:
        print(error)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
