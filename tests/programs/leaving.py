"""Programs that leave by SystemExit, for ``failing.py``."""

import os
import signal
import sys

from failures import Resource, fail


def leave_none() -> int:
    sys.exit()


def leave_number() -> int:
    sys.exit(300)


def leave_negative() -> int:
    sys.exit(-1)


def leave_text() -> int:
    sys.exit("a text")


def leave_in_finally() -> int:
    try:
        return fail(7)
    finally:
        sys.exit(4)


def leave_through_finally() -> int:
    try:
        try:
            sys.exit(7)
        finally:
            print("inner")
    finally:
        print("outer")
    return 0


def leave_twice() -> int:
    try:
        sys.exit(7)
    finally:
        raise SystemExit("instead")


def leave_caught() -> int:
    try:
        sys.exit(7)
    except SystemExit as e:
        print(type(e).__name__)
        raise
    return 0


def leave_with_context() -> int:
    with Resource("good"):
        raise SystemExit(9)
    return 0


class Quit(SystemExit):
    def __init__(self, status: int) -> None:
        self.status = status


MADE_BEFORE = SystemExit(3)


def leave_by_own_class() -> int:
    raise Quit(5)  # its code is None


def leave_made_before() -> int:
    raise MADE_BEFORE


def leave_by_own_signal() -> int:
    try:
        os.kill(os.getpid(), signal.SIGINT)
        print("wrong")
    except KeyboardInterrupt:
        print("at once")
    os.kill(os.getpid(), signal.SIGINT)
    return 0


LEAVING = {
    f.__name__: f for f in (
        leave_none, leave_number, leave_negative, leave_text, leave_in_finally,
        leave_through_finally, leave_twice, leave_caught, leave_with_context,
        leave_by_own_class, leave_made_before, leave_by_own_signal,
    )
}  # fmt: skip
