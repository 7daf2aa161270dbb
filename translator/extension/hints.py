"""Type hints as annotations of values that come from Python."""

from __future__ import annotations

import collections.abc
import enum
import types
import typing
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import (
    SomeBool,
    SomeByteArray,
    SomeBytes,
    SomeFloat,
    SomeInstance,
    SomeInteger,
    SomeNone,
    SomeObject,
    SomeRange,
    SomeString,
    SomeTuple,
    s_Bottom,
)
from rpython.annotator.lattice.namedtuples import SomeNamedTuple
from rpython.annotator.lattice.parts import parts_of, without_none
from rpython.annotator.lattice.vartuples import SomeVarTuple
from rpython.annotator.program.signature import annotation_of_type, dict_of, list_of
from rpython.translator.extension.buffertypes import taken_of
from rpython.translator.extension.callables import Callables, is_callable_hint
from rpython.translator.ir.errors import Conflict, TranslationError

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator

_SIMPLE: dict[Any, SomeObject] = {
    int: SomeInteger(), float: SomeFloat(), bool: SomeBool(), str: SomeString(),
    bytes: SomeBytes(), bytearray: SomeByteArray(), None: SomeNone(), type(None): SomeNone(),
    range: SomeRange(None, False),
}  # fmt: skip
_WRAPPERS = (typing.Final, typing.ClassVar, typing.Annotated)
_ANY_OF: dict[Any, tuple[Any, ...]] = {
    collections.abc.Mapping: (dict,), collections.abc.MutableMapping: (dict,),
    collections.abc.MutableSequence: (list,), collections.abc.MutableSet: (set,),
    collections.abc.Set: (set, frozenset),
    collections.abc.Sequence: (list, tuple),
    collections.abc.Collection: (list, tuple, set, frozenset),
    collections.abc.Iterable: (list, tuple, set, frozenset),
    collections.abc.Reversible: (list, tuple),
}  # fmt: skip
"""The built-in classes that what is passed for an abstract one may have."""
_HAVE_A_CLASS: dict[Any, Any] = {int: range, str: str}
"""Sequences of these, besides lists and tuples."""


class Hints:
    """The annotations of the hints of one function (or attribute).

    A hint that occurs twice gives lists (dicts, sets) of one definition: Python may pass the
    same object for both.
    """

    def __init__(
        self,
        annotator: RPythonAnnotator,
        classes: frozenset[type],
        hosted: Callable[[type], int | None],
        callables: Callables,
    ) -> None:
        """``classes``: those whose instances Python can have; ``hosted``: knows enums and classes
        of named tuples."""
        self.annotator = annotator
        self.classes = classes
        self.hosted = hosted
        self.callables = callables
        self._known: dict[Any, SomeObject] = {}

    def annotation(self, hint: Any) -> SomeObject:
        """The annotation of what the hint says.  Raises TranslationError for what does not
        cross."""
        if hint in _SIMPLE:
            return _SIMPLE[hint]
        taken = taken_of(hint)
        if taken is not None:
            s = taken.annotation()
            return self.annotator.join(s, SomeNone()) if taken.optional else s
        if isinstance(hint, type) and hint in self.classes:
            return SomeInstance(self.annotator.constants.classdef(hint))
        if isinstance(hint, type) and self.hosted(hint) is not None:
            return self._hosted(hint)
        if hint not in self._known:
            self._known[hint] = self._made(hint)
        return self._known[hint]

    def _made(self, hint: Any) -> SomeObject:
        origin = typing.get_origin(hint)
        args = typing.get_args(hint)
        if is_callable_hint(hint):
            return self.callables.annotation(hint, self)
        if origin in _WRAPPERS:
            return self.annotation(args[0])
        if origin is typing.Union or origin is types.UnionType:
            return self._union(hint, args)
        if origin is typing.Literal:
            return self._union(hint, tuple(dict.fromkeys(map(type, args))))
        if origin in _ANY_OF:
            return self._union(hint, _concrete(origin, args))
        if origin is list:
            return list_of(self.annotator, self.annotation(args[0]))
        if origin is dict:
            return dict_of(self.annotator, self.annotation(args[0]), self.annotation(args[1]))
        if origin is tuple and args[1:] == (Ellipsis,):
            return SomeVarTuple(self.annotation(args[0]))
        if origin is tuple:
            return SomeTuple(tuple(map(self.annotation, args)))
        if origin in (set, frozenset):
            return annotation_of_type(self.annotator, origin[self.annotation(args[0])])
        raise TranslationError(f"values of type {shown(hint)} cannot come from Python")

    def _hosted(self, cls: Any) -> SomeObject:
        """Members of an enum, all of which Python can pass; named tuples with hints of fields."""
        if issubclass(cls, enum.Enum):
            members = [self.annotator.constants.annotation_of(member) for member in cls]
            return members[0].without_const()
        hints = typing.get_type_hints(cls)
        if not all(name in hints for name in cls._fields):
            raise TranslationError(f"values of type {shown(cls)} cannot come from Python")
        items = tuple(self.annotation(hints[name]) for name in cls._fields)
        return SomeNamedTuple(items, cls)

    def _union(self, hint: Any, parts: tuple[Any, ...]) -> SomeObject:
        """What is of any of these types.  Raises Conflict where that needs boxes."""
        s: SomeObject = s_Bottom
        for part in parts:
            s = self.annotator.join(s, self.annotation(part))
        if len(parts_of(without_none(s))) > 1 and not self.annotator.boxes:
            if self.annotator.refinement.may_box:
                raise Conflict(f"{shown(hint)} cannot be the type of an argument")
            raise TranslationError(f"{shown(hint)} needs boxes, which are switched off")
        return s


def _concrete(origin: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The types that what is passed for a type of ``collections.abc`` may have: ``list[int]``,
    ``tuple[int, ...]`` and ``range`` for ``Sequence[int]``."""
    found = [cls[args[0], ...] if cls is tuple else cls[args] for cls in _ANY_OF[origin]]
    if tuple in _ANY_OF[origin] and args[0] in _HAVE_A_CLASS:
        found.append(_HAVE_A_CLASS[args[0]])
    return tuple(found)


def shown(hint: Any) -> str:
    """A type hint as text."""
    return hint.__name__ if isinstance(hint, type) else str(hint)
