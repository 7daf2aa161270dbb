"""What benchmarks/module.py measures: ordinary typed Python."""

from __future__ import annotations


def nothing() -> None:
    pass


def add(a: int, b: int) -> int:
    return a + b


def shout(text: str) -> str:
    return text + "!"


def total(xs: list[int]) -> int:
    result = 0
    for x in xs:
        result += x
    return result


def append(xs: list[int], x: int) -> None:
    xs.append(x)


class Vector:
    def __init__(self, x: float, y: float) -> None:
        self.x = x
        self.y = y

    def dot(self, other: Vector) -> float:
        return self.x * other.x + self.y * other.y


def collatz(limit: int) -> int:
    """The longest chain from a number below the limit."""
    longest = 0
    for start in range(1, limit):
        n = start
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        if steps > longest:
            longest = steps
    return longest


def mandelbrot(size: int) -> int:
    """How many points of a square are in the set."""
    inside = 0
    for row in range(size):
        for column in range(size):
            cr = 3.0 * column / size - 2.0
            ci = 2.0 * row / size - 1.0
            zr = 0.0
            zi = 0.0
            count = 0
            while count < 100 and zr * zr + zi * zi <= 4.0:
                zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
                count += 1
            if count == 100:
                inside += 1
    return inside


def sieve(limit: int) -> int:
    flags = [True] * limit
    count = 0
    for n in range(2, limit):
        if flags[n]:
            count += 1
            for multiple in range(n * n, limit, n):
                flags[multiple] = False
    return count


def words(n: int) -> int:
    counts: dict[str, int] = {}
    for i in range(n):
        word = "w" + str(i % 1000)
        counts[word] = counts.get(word, 0) + 1
    return len(counts)


class Node:
    def __init__(self, left: Node | None, right: Node | None) -> None:
        self.left = left
        self.right = right


def tree(depth: int) -> Node:
    if depth == 0:
        return Node(None, None)
    return Node(tree(depth - 1), tree(depth - 1))


def count(node: Node) -> int:
    result = 1
    if node.left is not None:
        result += count(node.left)
    if node.right is not None:
        result += count(node.right)
    return result


def trees(depth: int) -> int:
    return count(tree(depth))
