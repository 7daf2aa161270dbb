"""What fails, for ``failing.py`` and the programs that it uses."""


class Resource:
    def __init__(self, name: str, swallow: bool = False) -> None:
        self.name = name
        self.swallow = swallow

    def __enter__(self) -> "Resource":
        return self

    def __exit__(self, cls: object, error: object, traceback: object) -> bool:
        if self.name == "bad":
            raise ValueError("leaving " + self.name)
        return self.swallow


def fail(n: int) -> int:
    items = [1, 2, 3]
    return items[n]


def deeper(n: int, depth: int) -> int:
    if depth > 0:
        return deeper(n, depth - 1) + 1
    return fail(n)


def look(table: dict[str, int], key: str) -> int:
    return table[key]


def numbers(n: int):
    for i in range(n):
        yield 10 // (2 - i)
