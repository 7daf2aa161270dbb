"""The Python source of a case as a module, and references to its functions."""

import linecache
import os
import re
import types
from collections.abc import Callable
from typing import Any

from caseformat import Case, CaseError, Section

from rpython.stdlib._registry import available

_SIGNATURE = re.compile(r"(\w+)\s*(?:\((.*)\))?")

_LIBRARY = os.path.dirname(os.__file__)
_FOLDERS = "|".join(sorted({re.escape(_LIBRARY), re.escape(os.path.realpath(_LIBRARY))}))
_LIBRARY_PLACE = re.compile(rf"(?:{_FOLDERS})/([\w./-]+\.py)(?::\d+(?::\d+)?|(\"), line \d+)?")
"""A file of the host's library, and a line of it as errors (``f.py:7``) and tracebacks have it."""


class CaseFailure(Exception):
    """A case did not give what it expects; the message says how."""


def filename_of(case: Case) -> str:
    """The file that tools see the ``source`` section as."""
    return f"{case.path.with_suffix('')}/{case.line}/case.py"


def load_source(case: Case) -> types.ModuleType:
    """The ``source`` section as a module of its own.  Tools see it as a file ``case.py``
    whose lines count from the start of the section."""
    text = case.need("source").body + "\n"
    filename = filename_of(case)
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    module = types.ModuleType("case")
    module.__file__ = filename
    exec(compile(text, filename, "exec"), module.__dict__)
    return module


def normalise(text: str) -> str:
    """``text`` without what differs from machine to machine: the made-up folders of
    ``load_source``, the folder of the host's library (``$LIB``) and lines of its files; with
    ``MODULES`` for the names of all modules that programs can use, in order."""
    text = text.replace(", ".join(available()), "MODULES")
    text = _LIBRARY_PLACE.sub(lambda found: f"$LIB/{found[1]}{found[2] or ''}", text)
    return re.sub(r"[^\s\"'<>()]*/case\.py", "case.py", text)


def parse_signature(
    section: Section, text: str, module: types.ModuleType
) -> tuple[Callable[..., Any], list[Any] | None]:
    """``f(int, str)``: the function and the list of types; ``f``: types None."""
    match = _SIGNATURE.fullmatch(text)
    if match is None or match[1] not in vars(module):
        raise CaseError(f"line {section.line}: {text!r} is no function of the source")
    function = vars(module)[match[1]]
    if match[2] is None:
        return function, None
    return function, list(eval(f"({match[2]},)" if match[2].strip() else "()", vars(module)))
