"""isodate==0.7.2: dates and times as ISO 8601 writes them."""

import isodate


def main():
    print(isodate.parse_date("2024-02-29"), isodate.parse_date("2024-W09-4"))
    print(isodate.parse_datetime("2024-02-29T12:30:15"))
    print(isodate.parse_duration("P1DT2H3M4S"))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
