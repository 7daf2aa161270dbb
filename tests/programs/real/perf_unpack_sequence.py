"""pyperformance==1.11.0/unpack_sequence pyperf==2.8.1: tuples and lists taken apart."""

from run_benchmark import do_unpacking


def main():
    print(do_unpacking(1, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)) >= 0)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
