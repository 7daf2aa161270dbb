"""Call a function of the program in the host Python, while the program is translated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rpython.translator.ir.errors import AnnotatorError, TranslationError
from rpython.translator.ir.tracebacks import program_traceback


def call_now(what: str, function: Callable[..., Any], *args: Any) -> Any:
    """``function(*args)`` under CPython.  ``what`` names it in messages.  Raises AnnotatorError
    with the traceback, without a place in the program, for what the function raises."""
    try:
        return function(*args)
    except TranslationError:
        raise
    except (Exception, SystemExit) as error:  # whatever a function of the program may do
        raise AnnotatorError(
            f"{what}, called at translation time, fails\n{program_traceback(error)}"
        ) from None
