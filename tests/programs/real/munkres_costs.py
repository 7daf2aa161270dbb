"""munkres==1.1.4: the assignment of least cost."""

from munkres import Munkres, make_cost_matrix, print_matrix


def main():
    matrix = [[5, 9, 1], [10, 3, 2], [8, 7, 4]]
    print_matrix(matrix, msg="costs")
    total = 0
    for row, column in Munkres().compute(matrix):
        total += matrix[row][column]
        print(row, column, matrix[row][column])
    print(total, make_cost_matrix(matrix, lambda cost: 10 - cost))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
