"""``rpython.native``: a function that becomes native code at its first call.

    @rpython.native
    def total(xs):                  total([1, 2])       compiled for a list of int
        return sum(xs)              total([0.5])        and again, for a list of float

Containers are copied at a call, so a function that may change one of the caller's, or give it back,
is refused: Python would see another one.
"""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable, Iterable
from types import GenericAlias
from typing import Any

from rpython.annotator.lattice.model import SomeDict, SomeList, SomeObject
from rpython.annotator.lattice.parts import parts_of
from rpython.annotator.lattice.sets import SomeAnySet
from rpython.annotator.lattice.vartuples import tuple_items
from rpython.translator.api import require_function
from rpython.translator.extension.abi_types import changed_containers
from rpython.translator.ir.errors import TranslationError
from rpython.translator.nativecall import NativeFunction, compile
from rpython.translator.options import Options
from rpython.translator.showing import show

_PLAIN = (int, float, bool, str, bytes, bytearray, type(None))


class Native:
    """The function.  ``versions``: what was compiled, by the types of the arguments."""

    def __init__(self, f: Callable[..., Any], options: Options | None = None) -> None:
        self._function = require_function(f)
        self._options = options
        self._signature = inspect.signature(f)
        self.versions: dict[tuple[Any, ...], NativeFunction] = {}
        functools.update_wrapper(self, f)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Raises TypeError for arguments that Python would not take, TranslationError where the
        function cannot be compiled for such ones, and what the function raises."""
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given = tuple(bound.arguments.values())
        types = tuple(map(type_of, given))
        native = self.versions.get(types)
        if native is None:
            native = self.versions[types] = self._compiled(types)
        return native(*given)

    def inspect(self, stage: str = "lowlevel") -> dict[tuple[Any, ...], str]:
        """The text of the function at a stage (``rpython.show``), by the types of the arguments of
        the calls so far."""
        return {types: show(self._function, types, stage) for types in self.versions}

    def _compiled(self, types: tuple[Any, ...]) -> NativeFunction:
        native = compile(self._function, types, self._options)
        annotator = native.translation.annotator
        graph = native.graph
        changed = changed_containers(annotator)
        returned = _containers(annotator.binding(graph.getreturnvar()))
        for variable, name in zip(graph.getargs(), self._signature.parameters):
            for container in _containers(annotator.binding(variable)):
                if container in changed or container in returned:
                    what = "change" if container in changed else "return"
                    raise TranslationError(
                        f"{self._function.__name__}() may {what} what argument {name!r} is or"
                        " holds, of which native code has a copy",
                        graph.span, hint="copy it in the function: list(xs), dict(d), set(s)",
                    )  # fmt: skip
        return native


def native(f: Callable[..., Any]) -> Native:
    """Make native code of a function, at its first call with arguments of each combination of
    types; for notebooks and tests.  What crosses is what ``rpython.compile`` takes and gives.
    Where Python would see another object than without it, a call raises TranslationError."""
    return Native(f)


def type_of(value: Any, around: tuple[int, ...] = ()) -> Any:
    """The type of an argument, as a hint: ``list[int]``.  ``around``: what it is in, by ``id``.
    Raises TypeError where it says too little: of a container that is empty, or holds itself."""
    kind = type(value)
    if kind in _PLAIN:
        return None if value is None else kind
    if kind not in (tuple, list, set, frozenset, dict) or id(value) in around:
        what = "that holds itself" if id(value) in around else "among the arguments"
        raise TypeError(f"native code cannot be given a {kind.__name__} {what}")
    inside = (*around, id(value))
    if kind is tuple:
        return GenericAlias(tuple, tuple(type_of(item, inside) for item in value))
    if not value:
        raise TypeError(
            f"what an empty {kind.__name__} is to hold is not known: say it, by rpython.compile(f,"
            " types)"
        )
    parts = (value, value.values()) if kind is dict else (value,)
    return GenericAlias(kind, tuple(_common(part, inside) for part in parts))


def _common(items: Iterable[Any], inside: tuple[int, ...]) -> Any:
    """The type of all of the items."""
    types = list(dict.fromkeys(type_of(item, inside) for item in items))
    return functools.reduce(operator.or_, types)


def _containers(s: SomeObject) -> set[int]:
    """The definitions, by id, of the lists, dicts and sets that are or are in a value."""
    found: set[int] = set()
    todo = [s]
    while todo:
        for part in parts_of(todo.pop()):
            if isinstance(part, SomeList):
                items = part.listdef.find()
                definition, inside = id(items), [items.item.s_value]
            elif isinstance(part, (SomeDict, SomeAnySet)):
                table = part.dictdef.find()
                definition, inside = id(table), [table.key.s_value, table.value.s_value]
            else:
                todo += tuple_items(part) or ()
                continue
            if definition not in found:  # it may hold itself
                found.add(definition)
                todo += inside
    return found
