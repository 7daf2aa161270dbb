"""mpmath==1.3.0 --int=big: numbers with as many digits as one likes."""

from mpmath import mp


def main():
    mp.dps = 30
    print(mp.sqrt(2), mp.pi, mp.e)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
