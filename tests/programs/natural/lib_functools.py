import functools
from functools import cache, lru_cache, total_ordering, wraps


@total_ordering
class Version:
    def __init__(self, text):
        self.parts = [int(p) for p in text.split(".")]

    def __eq__(self, other):
        return self.parts == other.parts

    def __lt__(self, other):
        return self.parts < other.parts


def traced(func):
    @wraps(func)
    def wrapper(*args, **kwargs):
        result = func(*args, **kwargs)
        print(f"{func.__name__}{args} -> {result}")
        return result
    return wrapper


@traced
def add(a, b=1):
    return a + b


@lru_cache(maxsize=None)
def edit_distance(a, b):
    if not a or not b:
        return len(a) + len(b)
    if a[0] == b[0]:
        return edit_distance(a[1:], b[1:])
    return 1 + min(edit_distance(a[1:], b), edit_distance(a, b[1:]), edit_distance(a[1:], b[1:]))


@cache
def ways(n, step=3):
    return 1 if n == 0 else sum(ways(n - k, step) for k in range(1, min(n, step) + 1))


@functools.singledispatch
def describe(x):
    return "something"


@describe.register
def _(x: int):
    return f"int {x}"


@describe.register(list)
def _(x):
    return "list of " + ", ".join(describe(i) for i in x)


def main():
    print(Version("1.10") > Version("1.9"), Version("2.0") <= Version("2.0"), Version("1.0") >= Version("3"))
    add(1), add(2, b=5)
    print(edit_distance("kitten", "sitting"), edit_distance.cache_info().misses)
    print(ways(10), ways(10, 2))
    print(describe(3), describe([1, 2]), describe("x"))
    print(functools.reduce(lambda a, b: a * b, range(1, 6)))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
