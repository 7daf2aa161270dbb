"""Drives munkres (PyPI), the Hungarian algorithm: ``assignment.py``."""

from __future__ import annotations

import sys

from munkres import Munkres, UnsolvableMatrix


def solve(matrix: list[list[int]]) -> None:
    total = 0
    for row, column in Munkres().compute(matrix):
        total += matrix[row][column]
        print(f"({row}, {column}) -> {matrix[row][column]}")
    print("total", total)


def pseudo_random(size: int, seed: int) -> list[list[int]]:
    matrix: list[list[int]] = []
    for _ in range(size):
        row: list[int] = []
        for _ in range(size):
            seed = seed * 1103515245 % 2147483648 + 12345
            row.append(seed // 4096 % 100)
        matrix.append(row)
    return matrix


def entry_point(argv: list[str]) -> int:
    solve([[5, 9, 1], [10, 3, 2], [8, 7, 4]])
    solve([[5, 9, 1, 7], [10, 3, 2, 0]])
    for size in range(2, 24):
        solve(pseudo_random(size, size))
    try:
        solve([[]])
    except UnsolvableMatrix as error:
        print(error)
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
