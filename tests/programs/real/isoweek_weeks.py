"""isoweek==1.3.3: weeks of ISO 8601."""

from isoweek import Week


def main():
    week = Week(2024, 9)
    print(week, week.monday(), week.sunday(), week + 1, week.contains(week.day(3)))
    print(Week.fromstring("2023W52"), Week.last_week_of_year(2020), Week(2021, 1) - 1)
    print(Week(2024, 53), Week(2024, 9) < Week(2024, 10), week.year_week())


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
