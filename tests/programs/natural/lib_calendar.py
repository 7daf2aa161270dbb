import calendar
import sys
from datetime import date


def weekends(year, month):
    result = []
    for week in calendar.monthcalendar(year, month):
        for day in (week[calendar.SATURDAY], week[calendar.SUNDAY]):
            if day:
                result.append(day)
    return result


def main():
    print(calendar.month(2024, 2))
    for year in (1900, 2000, 2023, 2024):
        print(year, calendar.isleap(year), calendar.monthrange(year, 2))
    print(weekends(2024, 5))
    print(calendar.month_name[3], calendar.day_abbr[date(2024, 3, 15).weekday()])
    cal = calendar.TextCalendar(firstweekday=6)
    print(cal.formatmonth(2025, 11))
    print(calendar.leapdays(2000, 2025))
    print(calendar.timegm((2024, 1, 2, 3, 4, 5)))
    for day in calendar.Calendar().itermonthdates(2024, 9):
        if day.month != 9:
            print("outside:", day)
    return 0


def entry_point(argv):
    return main()


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
