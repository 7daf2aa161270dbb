"""Global variables that functions assign.

A global variable is a constant of the program unless some function of its module says ``global``.
Those that one names are read and written as attributes of the module's ``ModuleGlobals``; the
annotator takes what nobody assigns for the constant that it is::

    def bump():                     v = getattr(<ModuleGlobals 1>, 'N')
        global N              ->    w = inplace_add(v, 1)
        N += 1                      setattr(<ModuleGlobals 1>, 'N', w)
"""

from __future__ import annotations

import builtins
import linecache
import re
import types
from typing import Any

from rpython.translator.flow.fold import unrolled_items
from rpython.translator.ir.home import home_of_module
from rpython.translator.ir.intrinsics import is_frozen
from rpython.translator.ir.model import Constant, Value

GLOBAL_BY_BLOCK = "_rpython_global_by_block_"
"""What a module calls the set of those variables that its block for ``__main__`` assigns, which is
a function here, and the functions of the module look at."""


class ModuleGlobals:
    """The variables of one module, as an object whose attributes they are."""

    def __init__(self, space: dict[str, Any]) -> None:
        self.space = space

    def __repr__(self) -> str:
        return f"<globals of {self.space.get('__name__')}>"


class AssignedGlobals:
    """Which global variables the functions of a program's modules may assign."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[ModuleGlobals, frozenset[str]]] = {}

    def of(self, space: dict[str, Any], filename: str = "") -> tuple[ModuleGlobals, frozenset[str]]:
        """The variables of a module, and the names of those that some function of it assigns;
        ``filename``: where a module without ``__file__`` has its source.

        What has a value at import time that cannot be a variable's (a module, an unrolling
        iterable), or none and the name of a built-in one, is no such name.
        """
        known = self._known.get(id(space))
        if known is None:
            names = _declared(str(space.get("__file__") or filename), space)
            names |= space.get(GLOBAL_BY_BLOCK, frozenset())
            variables = frozenset(
                name for name in names
                if (_may_vary(space[name]) if name in space else not hasattr(builtins, name))
            )
            known = self._known[id(space)] = ModuleGlobals(space), variables
        return known

    def holder(self, value: Value, name: object, assigns: bool) -> Value:
        """A module whose attribute ``name`` is such a variable becomes the holder of it; any
        other value stays as it is.  ``assigns``: it is to be assigned, from outside perhaps, which
        the library's modules do not allow: what stands for them would not see it."""
        if isinstance(value, Constant) and isinstance(value.value, types.ModuleType):
            if assigns and not home_of_module(value.value.__name__).is_program:
                return value
            holder, names = self.of(vars(value.value))
            if name in names and name in holder.space:
                return Constant(holder, span=value.span)
        return value


def _may_vary(value: object) -> bool:
    constant = isinstance(value, types.ModuleType) or unrolled_items(value) is not None
    return not constant and not is_frozen(value)


_STATEMENT = re.compile(r"(?:^|[;:])[ \t]*global[ \t]+([\w, \t]+)")


def _declared(filename: str, space: dict[str, Any]) -> frozenset[str]:
    """The names in the ``global`` statements of a file; none where there is no source.  (What
    looks like one in a string does no harm.)"""
    text = "".join(linecache.getlines(filename, space)).replace("\\\n", " ")
    lines = (line for line in text.split("\n") if "global" in line)
    return frozenset(
        name.strip()
        for line in lines for names in _STATEMENT.findall(line) for name in names.split(",")
    )  # fmt: skip
