"""pyperformance==1.11.0/deltablue pyperf==2.8.1: constraints."""

from run_benchmark import delta_blue


def main():
    delta_blue(20)
    print("done")


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
