"""pyperformance==1.11.0/nqueens pyperf==2.8.1: queens on a board."""

from run_benchmark import n_queens


def main():
    print(len(list(n_queens(6))), next(n_queens(6)))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
