"""Generators that yield in handlers of exceptions, for ``failing.py``."""

import sys

from failures import fail, look


def yielding_in_handlers():
    try:
        fail(7)
    except IndexError as e:
        yield 1
        try:
            look({}, "inner")
        except KeyError as k:
            yield 2
            if len(sys.argv) > 5:
                raise TypeError(str(k))
            try:
                fail(8)
            except IndexError:
                yield 3
        yield 4
        raise ValueError("last " + str(e))


def yielding_in_two_handlers():
    try:
        fail(7)
    except IndexError:
        yield 1
        try:
            look({}, "inner")
        except KeyError:
            yield 2
            raise TypeError("both")


def raising_again():
    try:
        fail(7)
    except IndexError:
        yield 1
        raise


def handlers_of_a_generator() -> int:
    return sum(yielding_in_handlers())


def handlers_of_a_generator_in_a_handler() -> int:
    numbers = yielding_in_handlers()
    print(next(numbers))
    try:
        look({}, "outside")
    except KeyError:
        return sum(numbers)
    return 0


def two_handlers_of_a_generator() -> int:
    return sum(yielding_in_two_handlers())


def handler_of_a_generator_raises_again() -> int:
    return sum(raising_again())


def first_of_each(lists: list[list[int]]):
    for items in lists:
        yield next(iter(items))


def end_of_another_in_a_generator() -> int:
    return sum(first_of_each([[1, 2], []]))
