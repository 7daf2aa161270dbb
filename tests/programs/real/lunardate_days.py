"""lunardate==0.2.2: dates of the lunar calendar."""

from lunardate import LunarDate


def main():
    date = LunarDate(1976, 8, 8, 1)
    print(date, date.toSolarDate(), LunarDate.fromSolarDate(2004, 12, 19))
    print(
        LunarDate(2024, 1, 1) < LunarDate(2024, 2, 1),
        (LunarDate(2024, 2, 1) - LunarDate(2024, 1, 1)).days,
    )


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
