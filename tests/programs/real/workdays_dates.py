"""workdays==1.4: days between dates, without weekends."""

from datetime import date

import workdays


def main():
    start, end = date(2024, 2, 26), date(2024, 3, 15)
    holidays = [date(2024, 3, 1), date(2024, 3, 2)]
    print(workdays.networkdays(start, end), workdays.networkdays(start, end, holidays))
    for days in (-7, -1, 0, 1, 12):
        print(days, workdays.workday(start, days), workdays.workday(start, days, holidays))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
