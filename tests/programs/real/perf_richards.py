"""pyperformance==1.11.0/richards pyperf==2.8.1: an operating system."""

from run_benchmark import Richards


def main():
    print(Richards().run(1))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
