"""What names of Python 2 and of other languages are here."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable

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


_ALIKE = (
    ("append", "add", "push_back", "addLast"), ("extend", "update", "addAll", "concat"),
    ("remove", "discard", "delete", "erase"), ("clear", "empty"), ("index", "find", "indexOf"),
)  # fmt: skip
"""Methods that kinds have under one of these names or another."""

_UNCHANGING = {
    "str": "texts do not change: add them up with +",
    "bytes": "bytes do not change: add them up with +, or use a bytearray",
    "tuple": "tuples do not change: use a list",
    "frozenset": "frozensets do not change: use a set",
}
_SIZED = {"str", "bytes", "bytearray", "list", "tuple", "dict", "set", "frozenset"}
_CHANGING = {"append", "add", "extend", "insert", "remove", "sort", "reverse", "update", "discard"}


def name_meant(name: str, names: Iterable[str]) -> str:
    """The hint about a name that is not defined: what ``names`` or a module has instead; empty if
    there is nothing like it."""
    if name in _FUNCTIONS:
        return f"Python 3 has {_FUNCTIONS[name]} for it"
    for module in _MODULES:
        if not name.startswith("_") and hasattr(sys.modules.get(module), name):
            return f"is it {module}.{name}? then import {module}"
    return did_you_mean(name, names)


def method_meant(name: str, kind: str, names: Collection[str]) -> str:
    """The hint about a method that a built-in kind, described as ``kind``, does not have."""
    if hint := _METHODS.get(name):
        return hint
    kind = kind.partition(" ")[0]
    if name == "size" and kind in _SIZED:
        return "write: len(...)"
    if name in _CHANGING and kind in _UNCHANGING:
        return _UNCHANGING[kind]
    if name in ("append", "add") and kind == "dict":
        return "write: the_dict[key] = value"
    alike = next((group for group in _ALIKE if name in group), ())
    meant = next((other for other in alike if other in names), "")
    return f"did you mean {meant!r}?" if meant else did_you_mean(name, names)
