"""Ways to end with an uncaught exception; ``failing.py NAME`` does one of them."""

import queue
import sys
import traceback

from failures import Resource, deeper, fail, look, numbers
from handling import (
    end_of_another_in_a_generator,
    handler_of_a_generator_raises_again,
    handlers_of_a_generator,
    handlers_of_a_generator_in_a_handler,
    two_handlers_of_a_generator,
)
from interrupting import INTERRUPTED
from leaving import LEAVING
from piping import PIPED, Refused
from recursing import DEEP, endless_handler
from texts import TEXTS


class AppError(Exception):
    def __init__(self, code: int, what: str) -> None:
        super().__init__(code, what)
        self.code = code
        self.what = what

    def __str__(self) -> str:
        return f"{self.what} ({self.code})"




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


def operators() -> int:
    n = len(sys.argv) - 2
    return (n + 1) // (n) + len("äö")


def items_of_items() -> int:
    rows = [[1, 2], [3]]
    return rows[0][0] + rows[1][ len(sys.argv) ]


def not_ascii() -> int:
    text = "日本"; return len(text) + fail(len("éé")) + look({}, "ü")  # a comment


def tabs() -> int:
	n = 3
	return	fail(n)  # after tabs


def in_arguments() -> int:
    return max(
        fail(1),
        look({"a": 1}, "a") + fail(
            5),
    )


def keeping_an_item() -> int:
    table = {"a": 1}
    table["b"] += fail(1)
    return 0


def formatted() -> int:
    print(f"{fail(1)} and {look({}, 'b'):>4}")
    return 0


def raised_after_a_call() -> int:
    n = fail(0); raise AppError(n, str(fail(1)))


def raised_over_lines() -> int:
    raise AppError(
        fail(1), "over lines"
    ) from None


def assertion_over_lines() -> int:
    assert len(sys.argv) > 5 and (
        fail(0) == 0
    ), "lines"
    return 0


def made_before() -> int:
    e = ValueError("once")
    try:
        raise e
    except ValueError:
        print("caught")
    raise e


def kept() -> int:
    saved = None
    try:
        fail(7)
    except IndexError as e:
        saved = e
    if saved is not None:
        raise saved
    return 0


def kept_while_others_are_raised() -> int:
    last = None
    for i in range(3, 6):
        try:
            fail(i)
        except IndexError as e:
            last = e
            try:
                look({}, "others")
            except KeyError:
                print("other", i)
    if last is not None:
        raise last
    return 0


def kept_with_context() -> int:
    kept = None
    try:
        from_cause()
    except AppError as e:
        kept = e
    for i in range(50):
        try:
            look({}, "others")
        except KeyError:
            kept.code += i
    try:
        look({}, "k")
    except KeyError:
        raise kept
    return 0


PREBUILT = ValueError("made once")


def raised_three_times() -> int:
    for i in range(2):
        try:
            raise PREBUILT
        except ValueError as e:
            print(e, i)
    raise PREBUILT


def alike() -> int:
    try:
        fail(7)
    except IndexError:
        try:
            fail(8)
        except IndexError:
            print("inner")
        raise
    return 0


def alike_and_named() -> int:
    try:
        fail(7)
    except IndexError as e:
        try:
            fail(8)
        except IndexError:
            raise e
    return 0


def alike_and_kept() -> int:
    kept = None
    try:
        fail(7)
    except IndexError as e:
        kept = e
    try:
        fail(8)
    except IndexError:
        print("another")
    if kept is not None:
        raise kept
    return 0


def without_traceback() -> int:
    try:
        return fail(7)
    except IndexError as e:
        raise e.with_traceback(None)




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


def of_another_module() -> int:
    try:
        raise queue.Full
    except queue.Full as e:
        raise Refused("piping") from e


def handled() -> None:
    traceback.print_exc()


def printed() -> int:
    words = [str(i) for i in range(100)]
    handled()
    try:
        try:
            from_cause()
        except AppError:
            handled()
            look({}, "k")
    except KeyError:
        traceback.print_exc()
    return len(words[99])


def printed_in_nested_handlers() -> int:
    for n in range(2):
        try:
            fail(7)
        except IndexError:
            try:
                look({}, str(n))
            except KeyError:
                traceback.print_exc()
            traceback.print_exc()
    return fail(8)


WAYS = {
    f.__name__: f for f in (
        simple, recursive, bare_raise, raise_again, raise_again_through, in_finally, nested_finally,
        finally_raises, from_cause, from_none, from_new_cause, from_class, context,
        context_by_raise, context_in_callee, three, caught_before, caught_inside,
        caught_inside_then_new, inner_raises_outer, handler_left_by_exception,
        trivial_handler_after, raised_locally, raised_locally_twice, in_loop, in_generator,
        generator_in_handler, context_manager, context_manager_fails, context_manager_swallows,
        comprehension, in_lambda, in_key, division, several_lines, operators, items_of_items,
        not_ascii, tabs, in_arguments, keeping_an_item, formatted, raised_after_a_call,
        raised_over_lines, assertion_over_lines, made_before, kept, kept_while_others_are_raised,
        kept_with_context, raised_three_times, alike, alike_and_named, alike_and_kept,
        without_traceback, handlers_of_a_generator, handlers_of_a_generator_in_a_handler,
        two_handlers_of_a_generator, handler_of_a_generator_raises_again,
        end_of_another_in_a_generator, of_another_module, printed,
        printed_in_nested_handlers, no_message, empty,
        assertion, assertion_in_handler, system_exit_in_handler, interrupt,
    )
}  # fmt: skip




# -- that recurse too deeply, and catch that --


def recurse(name: str) -> int:
    """Twice: what is left of the stack after the first time is as good as new."""
    for _ in range(2):
        try:
            print(DEEP[name]())
        except RecursionError:
            print("too deep")
    print(endless_handler(0) > 100)
    return 0


def entry_point(argv: list[str]) -> int:
    name = argv[1]
    if name in WAYS:
        return WAYS[name]()
    if name in INTERRUPTED:
        return INTERRUPTED[name]()
    if name in LEAVING:
        return LEAVING[name]()
    if name in TEXTS:
        return TEXTS[name]()
    if name in DEEP:
        return recurse(name)
    return PIPED[name]()


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
