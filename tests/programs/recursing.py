"""Ways to recurse without end, for ``failing.py``."""


class Node:
    def __init__(self, next: "Node | None") -> None:
        self.next = next

    def depth(self) -> int:
        return 1 if self.next is None else 1 + self.next.depth()

    def endless(self) -> int:
        return self.endless() + 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and [self.next] == [other.next]

    def __hash__(self) -> int:
        return 1

    def __repr__(self) -> str:
        return f"<{self.next!r}>"


def chain(length: int) -> Node:
    node = Node(None)
    for _ in range(length):
        node = Node(node)
    return node


def even(n: int) -> bool:
    return n == 0 or not odd(n + 1)


def odd(n: int) -> bool:
    return n == 0 or not even(n + 1)


def walk(node: Node):
    if node.next is not None:
        yield from walk(node.next)
    yield 1


def endless_key(n: int) -> int:
    return sorted([n, n + 1], key=endless_key)[0]


def endless_handler(n: int) -> int:
    try:
        return endless_handler(n + 1) + 1
    except RecursionError:
        return n
    finally:
        n += 1


def with_locals(a: int, b: float, c: str) -> str:
    items = [a, a + 1, a + 2]
    return with_locals(a + 1, b + 1.0, c) + str(items)


def deep_mutual() -> bool:
    return even(1)


def deep_method() -> bool:
    return Node(None).endless() == 0


def deep_structure() -> bool:
    return chain(2000000).depth() == 0


def deep_generator() -> bool:
    return sum(walk(chain(800000))) == 0


def deep_equality() -> bool:
    return chain(800000) == chain(800000)


def deep_repr() -> bool:
    return repr(chain(800000)) == ""


def deep_key() -> bool:
    return endless_key(1) == 0


def deep_closure() -> bool:
    def inner(n: int) -> int:
        return inner(n + 1) + 1

    return inner(0) == 0


def deep_lambda() -> bool:
    f = lambda g, n: with_locals(n, 1.0, "c")
    return f(1, 2) == ""


DEEP = {
    f.__name__: f for f in (
        deep_mutual, deep_method, deep_structure, deep_generator, deep_equality, deep_repr,
        deep_key, deep_closure, deep_lambda,
    )
}  # fmt: skip
