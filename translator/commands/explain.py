"""``rpython explain R0201``: what an error or warning means, with a wrong and a right program.

``rpython explain`` lists all codes.
"""

from __future__ import annotations

import argparse

from rpython.translator.ir.codes import entries
from rpython.translator.ir.errors import TranslationError

EXAMPLES = (
    ("rpython explain", "lists all codes"),
    ("rpython explain R0201", "says what that error means, with a wrong and a right program"),
)
STATUSES = {"1": "there is no such code"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes: codes."""
    parser.add_argument(
        "codes", nargs="*", metavar="CODE", help="R0201, as an error shows it (default: list all)"
    )


def _code(word: str) -> str:
    """``r0201``, ``[R0201]`` and ``0201`` mean R0201."""
    code = word.upper().strip("[]")
    return f"R{code:0>4}" if code.isdecimal() else code


def run(options: argparse.Namespace) -> int:
    """Print the entries.  Raises TranslationError for a code that no error has."""
    known = entries()
    wanted = [_code(word) for word in options.codes]
    for code in wanted:
        if code not in known:
            raise TranslationError(
                f"there is no error {code!r}", hint="rpython explain lists the codes"
            )
    if wanted:
        print("\n".join(known[code].explain() for code in wanted), end="")
    else:
        print("\n".join(f"{code}  {entry.title}" for code, entry in known.items()))
    return 0
