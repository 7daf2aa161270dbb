"""Calendars, working days, ages and schedules."""
import calendar
from datetime import date, datetime, timedelta
from itertools import islice, takewhile


HOLIDAYS = {date(2024, 1, 1), date(2024, 12, 25), date(2024, 5, 1)}


def daterange(start, end=None, step=timedelta(days=1)):
    current = start
    while end is None or current < end:
        yield current
        current += step


def is_working_day(d):
    return d.weekday() < 5 and d not in HOLIDAYS


def add_working_days(start, n):
    days = (d for d in daterange(start + timedelta(days=1)) if is_working_day(d))
    return next(islice(days, n - 1, None))


def age(born, today):
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))


def month_calendar(year, month):
    first = date(year, month, 1)
    lines = [first.strftime("%B %Y").center(20).rstrip(), "Mo Tu We Th Fr Sa Su"]
    week = ["  "] * first.weekday()
    for d in takewhile(lambda d: d.month == month, daterange(first)):
        week.append(f"{d.day:2}")
        if len(week) == 7:
            lines.append(" ".join(week))
            week = []
    if week:
        lines.append(" ".join(week))
    return "\n".join(lines)


def easter(year):
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    l = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * l) // 451
    month, day = divmod(h + l - 7 * m + 114, 31)
    return date(year, month, day + 1)


def friendly(delta):
    total = int(delta.total_seconds())
    parts = []
    for name, size in (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)):
        n, total = divmod(total, size)
        if n:
            parts.append(f"{n} {name}{'s' if n != 1 else ''}")
    return ", ".join(parts) or "now"


def main():
    print(month_calendar(2024, 2))
    start = date(2024, 4, 26)
    print("5 working days after", start, "is", add_working_days(start, 5))
    working = sum(map(is_working_day, daterange(date(2024, 5, 1), date(2024, 6, 1))))
    print("working days in May:", working)
    for y in (2023, 2024, 2025):
        print(y, "easter", easter(y), "leap" if calendar.isleap(y) else "")
    for born in (date(1990, 7, 14), date(2000, 2, 29)):
        print(born.strftime("%d/%m/%Y"), "is", age(born, date(2024, 2, 28)))
    t1 = datetime(2024, 3, 1, 8, 30)
    t2 = datetime.strptime("2024-03-03 10:45:07", "%Y-%m-%d %H:%M:%S")
    print(friendly(t2 - t1))
    print(t2 - t1, (t2 - t1).days, (t2 - t1).seconds)
    print(t1.isoformat(), t2.strftime("%A, %d %B %Y %I:%M %p"))
    print(t1 < t2, max(t1, t2).date(), t2.time())
    print(date.fromisoformat("2024-12-30").isocalendar()[1], date(2024, 12, 30).toordinal())
    print(timedelta(hours=30) / timedelta(hours=4), timedelta(days=1) * 2.5, timedelta(minutes=-5))
    fridays = [d for d in daterange(date(2024, 9, 1), date(2025, 1, 1)) if d.day == 13 and d.weekday() == 4]
    print("friday 13th:", ", ".join(map(str, fridays)))
    print(t1.replace(hour=23, minute=59), t1 + timedelta(weeks=1, hours=-9))
    try:
        date(2023, 2, 29)
    except ValueError as e:
        print("error:", e)
    try:
        datetime.strptime("tomorrow", "%Y-%m-%d")
    except ValueError as e:
        print("error:", e)


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
