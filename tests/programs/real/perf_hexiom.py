"""pyperformance==1.11.0/hexiom pyperf==2.8.1: a puzzle."""

import io

from run_benchmark import LEVELS, solve_file


def main():
    board, solution = LEVELS[2]
    output = io.StringIO()
    solve_file(board.strip(), 0, 3, output)
    print(output.getvalue() == solution)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
