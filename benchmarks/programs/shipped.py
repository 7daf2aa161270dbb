"""The rows of the table of benchmarks/module.py: ordinary typed Python, as it is shipped."""

from __future__ import annotations


def add(a: int, b: int) -> int:
    return a + b


class Point:
    def __init__(self, x: int, y: int) -> None:
        self.x = x
        self.y = y

    def move(self, dx: int, dy: int) -> None:
        self.x += dx
        self.y += dy


def total(xs: list[int]) -> int:
    result = 0
    for x in xs:
        result += x
    return result


class Node:
    def __init__(self, value: int, rest: Node | None) -> None:
        self.value = value
        self.rest = rest


def chain(count: int) -> Node:
    """A chain of so many objects."""
    node = Node(0, None)
    for value in range(1, count):
        node = Node(value, node)
    return node


def walk(node: Node) -> int:
    """The sum of a chain."""
    result = 0
    here: Node | None = node
    while here is not None:
        result += here.value
        here = here.rest
    return result


def mandelbrot(size: int) -> int:
    """How many points of a square are in the set."""
    inside = 0
    for row in range(size):
        for column in range(size):
            cr = 3.0 * column / size - 2.0
            ci = 2.0 * row / size - 1.0
            zr = 0.0
            zi = 0.0
            for _ in range(50):
                zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
                if zr * zr + zi * zi > 4.0:
                    break
            else:
                inside += 1
    return inside


def word_count(text: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    return counts


def names(count: int) -> list[str]:
    return [f"name{i}" for i in range(count)]
