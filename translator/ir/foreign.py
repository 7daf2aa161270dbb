"""What names of Python 2 and of other languages are here."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from rpython.translator.ir.errors import did_you_mean

_FUNCTIONS = {
    "basestring": "str", "buffer": "memoryview", "file": "open", "intern": "sys.intern",
    "long": "int", "raw_input": "input", "reduce": "functools.reduce", "unichr": "chr",
    "unicode": "str", "xrange": "range",
}  # fmt: skip
"""A function of Python 2 -> what it is in Python 3."""

_MODULES = (
    "math", "os", "sys", "time", "random", "re", "struct", "itertools", "functools", "collections",
)  # fmt: skip
"""Modules whose names people forget to write."""

_METHODS = {
    "contains": "write: x in items", "has_key": "write: key in the_dict",
    "length": "write: len(...)",
    "iterkeys": "Python 3 has keys()", "itervalues": "Python 3 has values()",
    "iteritems": "Python 3 has items()", "push": "lists have append()",
    "substring": "write a slice: text[start:end]", "toString": "write: str(...)",
    "trim": "texts have strip()",
}  # fmt: skip
"""A method of Python 2 or of another language -> what to write."""


def name_meant(name: str, names: Iterable[str]) -> str:
    """The hint about a name that is not defined: what ``names`` or a module has instead; empty if
    there is nothing like it."""
    if name in _FUNCTIONS:
        return f"Python 3 has {_FUNCTIONS[name]} for it"
    for module in _MODULES:
        if not name.startswith("_") and hasattr(sys.modules.get(module), name):
            return f"is it {module}.{name}? then import {module}"
    return did_you_mean(name, names)


def method_meant(name: str, names: Iterable[str]) -> str:
    """The hint about a method that a built-in kind does not have."""
    return _METHODS.get(name) or did_you_mean(name, names)
