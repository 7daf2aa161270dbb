"""pyperformance==1.11.0/meteor_contest pyperf==2.8.1: a puzzle of pieces."""

from run_benchmark import get_footprints, get_puzzle, get_senh, solve


def main():
    board, cti, pieces = get_puzzle(5, 10)
    fps, se_nh = get_footprints(board, cti, pieces), get_senh(board, cti)
    solutions = []
    solve(
        2,
        0,
        frozenset(range(len(board))),
        [-1] * len(board),
        list(range(len(pieces))),
        solutions,
        fps,
        se_nh,
    )
    print(len(solutions), solutions[0])


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
