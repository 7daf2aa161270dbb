"""Ways to end with an uncaught exception; ``failing.py NAME`` does one of them."""

import sys


class AppError(Exception):
    def __init__(self, code: int, what: str) -> None:
        super().__init__(code, what)
        self.code = code
        self.what = what

    def __str__(self) -> str:
        return f"{self.what} ({self.code})"


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


def simple() -> int:
    return fail(7)


def recursive() -> int:
    return deeper(7, 20)


def bare_raise() -> int:
    try:
        return fail(7)
    except IndexError:
        raise


def raise_again() -> int:
    try:
        return fail(7)
    except IndexError as e:
        raise e


def raise_again_through() -> int:
    try:
        return raise_again()
    except IndexError as e:
        print(e)
        raise


def in_finally() -> int:
    try:
        return fail(7)
    finally:
        print("finally")


def nested_finally() -> int:
    try:
        try:
            return fail(7)
        finally:
            print("inner", look({"a": 1}, "a"))
    finally:
        print("outer", look({"a": 1}, "a"))


def finally_raises() -> int:
    try:
        return fail(7)
    finally:
        look({}, "final")
    return 0


def from_cause() -> int:
    try:
        return fail(7)
    except IndexError as e:
        raise AppError(3, "no such item") from e


def from_none() -> int:
    try:
        return fail(7)
    except IndexError:
        raise AppError(4, "hidden") from None


def from_new_cause() -> int:
    raise AppError(5, "made") from ValueError("the reason")


def from_class() -> int:
    try:
        return fail(7)
    except IndexError:
        raise KeyError("k") from ZeroDivisionError("never raised")


def context() -> int:
    try:
        return fail(7)
    except IndexError:
        return look({}, "missing")


def context_by_raise() -> int:
    try:
        return fail(7)
    except IndexError:
        raise AppError(6, "while handling")


def context_in_callee() -> int:
    try:
        return fail(7)
    except IndexError:
        return context()


def three() -> int:
    try:
        return context_by_raise()
    except AppError as e:
        raise RuntimeError(str(e)) from e


def caught_before() -> int:
    try:
        fail(7)
    except IndexError:
        look({"a": 1}, "a")
    return look({}, "later")


def caught_inside() -> int:
    try:
        return fail(7)
    except IndexError:
        try:
            look({}, "inside")
        except KeyError:
            print("caught")
        raise


def caught_inside_then_new() -> int:
    try:
        return fail(7)
    except IndexError:
        try:
            look({}, "inside")
        except KeyError as e:
            print("caught", e)
        return look({}, "second")


def inner_raises_outer() -> int:
    try:
        return fail(7)
    except IndexError as outer:
        try:
            look({}, "inside")
        except KeyError:
            raise outer
    return 0


def handler_left_by_exception() -> int:
    try:
        try:
            fail(7)
        except IndexError:
            look({}, "from the handler")
    except KeyError:
        print("caught the second")
    return look({}, "unrelated")


def trivial_handler_after() -> int:
    n = 0
    try:
        context_by_raise()
    except AppError:
        n = 1
    return look({}, str(n))


def raised_locally() -> int:
    try:
        raise ValueError("local")
    except ValueError:
        return look({}, "k")


def raised_locally_twice() -> int:
    try:
        raise ValueError("local")
    except ValueError as e:
        raise e


def in_loop() -> int:
    total = 0
    for i in range(5):
        try:
            total += fail(i)
        except IndexError:
            if i == 4:
                raise
            print("skip", i)
    return total


def in_generator() -> int:
    return sum(numbers(4))


def generator_in_handler() -> int:
    try:
        return sum(numbers(4))
    except ZeroDivisionError:
        for n in numbers(2):
            print(n)
        raise AppError(9, "generator")


def context_manager() -> int:
    with Resource("good"):
        return fail(7)
    return 0


def context_manager_fails() -> int:
    with Resource("bad"):
        return fail(7)
    return 0


def context_manager_swallows() -> int:
    with Resource("good", True):
        fail(7)
    return fail(8)


def comprehension() -> int:
    return len([fail(i) for i in range(7)])


def in_lambda() -> int:
    f = lambda n: fail(n) + 1
    return f(3)


def in_key() -> int:
    return sorted([3, 5, 1], key=fail)[0]


def division() -> int:
    n = len(sys.argv) - 2
    return 1 // n


def several_lines() -> int:
    return (fail(0) +
            fail(1) +
            fail(9))


def kept() -> int:
    saved = None
    try:
        fail(7)
    except IndexError as e:
        saved = e
    if saved is not None:
        raise saved
    return 0


def no_message() -> int:
    raise AppError(1, "")


def empty() -> int:
    raise ValueError


def assertion() -> int:
    n = len(sys.argv)
    assert n > 5, f"only {n}"
    return n


def assertion_in_handler() -> int:
    try:
        fail(7)
    except IndexError as e:
        assert e is None
    return 0


def system_exit_in_handler() -> int:
    try:
        fail(7)
    except IndexError:
        sys.exit(5)
    return 0


def interrupt() -> int:
    try:
        fail(7)
    except IndexError:
        raise KeyboardInterrupt
    return 0


WAYS = {
    f.__name__: f for f in (
        simple, recursive, bare_raise, raise_again, raise_again_through, in_finally, nested_finally,
        finally_raises, from_cause, from_none, from_new_cause, from_class, context,
        context_by_raise, context_in_callee, three, caught_before, caught_inside,
        caught_inside_then_new, inner_raises_outer, handler_left_by_exception,
        trivial_handler_after, raised_locally, raised_locally_twice, in_loop, in_generator,
        generator_in_handler, context_manager, context_manager_fails, context_manager_swallows,
        comprehension, in_lambda, in_key, division, several_lines, kept, no_message, empty,
        assertion, assertion_in_handler, system_exit_in_handler, interrupt,
    )
}  # fmt: skip


def entry_point(argv: list[str]) -> int:
    return WAYS[argv[1]]()


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
