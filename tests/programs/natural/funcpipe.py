"""Functional style: compose, curry, maybe, lazy streams."""
from __future__ import annotations
import operator
from functools import partial, reduce, singledispatch, wraps, cmp_to_key
from itertools import chain, count, cycle, dropwhile, islice, repeat, starmap, tee, takewhile, combinations, permutations, compress
from typing import Any, Callable, Iterable, Iterator, Optional, TypeVar, Generic

A = TypeVar("A")
B = TypeVar("B")


def compose(*fns):
    return reduce(lambda f, g: lambda x: g(f(x)), fns)


def curry(f, n):
    def curried(*args):
        if len(args) >= n:
            return f(*args)
        return lambda *more: curried(*args, *more)
    return curried


class Maybe(Generic[A]):
    def __init__(self, value: Optional[A] = None):
        self._value = value

    def map(self, f: Callable[[A], B]) -> Maybe[B]:
        return Maybe(None if self._value is None else f(self._value))

    def flat_map(self, f):
        return self if self._value is None else f(self._value)

    def or_else(self, default):
        return default if self._value is None else self._value

    def __repr__(self):
        return "Nothing" if self._value is None else f"Just({self._value!r})"


def safe(f):
    @wraps(f)
    def wrapper(*args):
        try:
            return Maybe(f(*args))
        except (ValueError, ZeroDivisionError, KeyError):
            return Maybe()
    return wrapper


@safe
def to_int(text):
    """Parse an int."""
    return int(text)


@safe
def reciprocal(x):
    return 1 / x


def primes() -> Iterator[int]:
    seen: list[int] = []
    for n in count(2):
        if all(n % p for p in takewhile(lambda p: p * p <= n, seen)):
            seen.append(n)
            yield n


def pairwise(xs):
    a, b = tee(xs)
    next(b, None)
    return zip(a, b)


def chunked(xs: Iterable[A], size: int) -> Iterator[list[A]]:
    it = iter(xs)
    while chunk := list(islice(it, size)):
        yield chunk


def flatten(xs):
    for x in xs:
        if isinstance(x, (list, tuple)):
            yield from flatten(x)
        else:
            yield x


def memo(f):
    cache = {}

    def inner(n):
        if n not in cache:
            cache[n] = f(n)
        return cache[n]
    inner.cache = cache
    return inner


@memo
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@singledispatch
def describe(x):
    return f"something: {x}"


@describe.register
def _(x: int):
    return f"int {x:+d}"


@describe.register(str)
def _(x):
    return f"str of {len(x)}"


@describe.register(list)
def _(x):
    return "list[" + ", ".join(describe(i) for i in x) + "]"


def main():
    inc = partial(operator.add, 1)
    double = partial(operator.mul, 2)
    print(compose(inc, double, str, len)(49), compose(str.strip, str.upper, lambda s: s + "!")("  hey "))
    add3 = curry(lambda a, b, c: a + b + c, 3)
    print(add3(1)(2)(3), add3(1, 2)(3), add3(1)(2, 3))
    for text in ["12", "x", "0"]:
        print(text, to_int(text), to_int(text).flat_map(reciprocal), to_int(text).map(lambda n: n * 2).or_else("none"))
    print(to_int.__name__, to_int.__doc__)
    print(list(islice(primes(), 12)), next(dropwhile(lambda p: p < 100, primes())))
    print(list(pairwise([1, 4, 9, 16])), list(starmap(operator.sub, pairwise([1, 4, 9]))))
    print(list(chunked(range(7), 3)), list(flatten([1, [2, (3, [4])], 5])))
    print(fib(60), len(fib.cache))
    print(describe(5), describe("abc"), describe([1, "z", 2.5]))
    print(sorted(["pear", "fig", "apple"], key=cmp_to_key(lambda a, b: len(a) - len(b) or (a > b) - (a < b))))
    print(sum(map(operator.mul, [1, 2, 3], repeat(2))), list(compress("abcd", cycle([1, 0]))))
    print([("".join(p)) for p in permutations("abc", 2)], sum(1 for _ in combinations(range(6), 3)))
    evens, odds = [list(filter(f, range(8))) for f in (lambda n: n % 2 == 0, lambda n: n % 2)]
    print(evens, odds, dict(enumerate("ab", start=1)), list(chain.from_iterable(["ab", "c"])))
    total = reduce(lambda acc, kv: {**acc, kv[0]: acc.get(kv[0], 0) + kv[1]}, [("a", 1), ("b", 2), ("a", 3)], {})
    print(total, max(total, key=total.get), any(v > 3 for v in total.values()))


if __name__ == "__main__":
    main()
