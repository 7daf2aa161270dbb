"""pyperformance==1.11.0/pidigits pyperf==2.8.1 --int=big: digits of pi."""

from run_benchmark import calc_ndigits


def main():
    print(calc_ndigits(30))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
