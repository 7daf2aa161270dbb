"""What calls ``__del__``, in Python: functions to be translated like the program's own.

The run-time system calls one of them for each object that it finds dead
(``rtyper.finalizers``)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from rpython.translator.ir.intrinsics import print_traceback

WHAT_TEXT_RAISES = BaseException
"""``__str__`` of the program may raise anything."""
CANNOT_RAISE = "_rpython_cannot_raise_"
"""The mark of a ``__del__`` after which nothing need be said."""


def tell_ignored(name: str, error: BaseException) -> None:
    """An exception does not leave ``__del__``: say so, as CPython does.  (The graph of this
    function is made once per process, in which ``sys.stderr`` may be replaced.)"""
    try:
        text = str(error)
    except WHAT_TEXT_RAISES:
        text = "<exception str() failed>"
    kind = type(error).__name__
    print(f"Exception ignored in: <function {name}>", file=sys.__stderr__)
    print_traceback(error)
    print(f"{kind}: {text}" if text else kind, file=sys.__stderr__)


def method_caller(cls: Any, name: str) -> Callable[[Any], None]:
    """What calls the ``__del__`` of a class, which is called ``name``."""
    if hasattr(cls.__del__, CANNOT_RAISE):

        def finalize_quietly(obj: Any) -> None:
            cls.__del__(obj)

        return finalize_quietly

    def finalize(obj: Any) -> None:
        try:
            cls.__del__(obj)
        except WHAT_TEXT_RAISES as error:
            tell_ignored(name, error)

    return finalize


def queue_filler(dead: Any, queue: Any) -> Callable[[Any], None]:
    """What puts an object in a FinalizerQueue, whose list of objects is ``dead``."""

    def enqueue(obj: Any) -> None:
        dead.add(obj)
        try:
            queue.finalizer_trigger()
        except WHAT_TEXT_RAISES as error:
            tell_ignored("finalizer_trigger", error)

    return enqueue
