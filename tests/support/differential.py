"""The same program under CPython and under ``rpython.interpret``."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from rpython.translator.api import Interpretation

Outcome = tuple[str, Any, str]


def outcome(run: Callable[..., Any], args: tuple[Any, ...]) -> Outcome:
    """What a call does: its result with the exact type, or its exception with the text."""
    try:
        result = run(*copy.deepcopy(args))
    except BaseException as error:  # whatever it is, it is compared
        return ("raise", type(error), str(error))
    return ("return", type(result), repr(result))


def agree(f: Callable[..., Any], *calls: Any) -> None:
    """Every call of ``f`` has the same outcome under CPython and translated.

    ``calls``: argument tuples; an argument that is no tuple stands for itself alone.  ``f``
    is translated once, for arguments like the first ones; it must not change prebuilt data.
    """
    argument_lists = [args if isinstance(args, tuple) else (args,) for args in calls]
    interpretation = Interpretation.of(f, argument_lists[0])
    interpretation.translation.annotator.check_fixpoint()
    for args in argument_lists:
        expected = outcome(f, args)
        actual = outcome(lambda *a: interpretation.run(a, checked=True), args)
        assert actual == expected, f"{f.__name__}{args}: {actual}, under CPython {expected}"
