"""humanize==4.17.0 --int=big: numbers, sizes and times for people."""

import datetime

import humanize


def main():
    for number in (7, 1234, 1234567, 98765432100):
        print(humanize.intcomma(number), humanize.intword(number), humanize.naturalsize(number))
    print(humanize.ordinal(3), humanize.apnumber(5), humanize.fractional(0.3))
    print(humanize.naturaldelta(datetime.timedelta(seconds=3661)))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
