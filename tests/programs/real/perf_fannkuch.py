"""pyperformance==1.11.0/fannkuch pyperf==2.8.1: pancakes."""

from run_benchmark import fannkuch


def main():
    print(fannkuch(6))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
