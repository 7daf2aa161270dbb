"""Binary trees that are made, counted and forgotten: `binary_trees DEPTH`."""

import sys


class Node:
    def __init__(self, left, right):
        self.left = left
        self.right = right


def make(depth):
    if depth == 0:
        return Node(None, None)
    return Node(make(depth - 1), make(depth - 1))


def check(node):
    if node.left is None:
        return 1
    return 1 + check(node.left) + check(node.right)


def entry_point(argv):
    n = int(argv[1])
    long_lived = make(n)
    print("stretch", check(make(n + 1)))
    depth = 4
    while depth <= n:
        iterations = 1 << (n - depth + 4)
        total = 0
        for _ in range(iterations):
            total += check(make(depth))
        print(iterations, "trees of depth", depth, "check", total)
        depth += 2
    print("long lived", check(long_lived))
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
