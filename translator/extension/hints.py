"""Type hints as annotations of values that come from Python."""

from __future__ import annotations

import types
import typing
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
    SomeString,
    SomeTuple,
    s_Bottom,
)
from rpython.annotator.program.signature import annotation_of_type, dict_of, list_of
from rpython.translator.ir.errors import TranslationError

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator

_SIMPLE: dict[Any, SomeObject] = {
    int: SomeInteger(), float: SomeFloat(), bool: SomeBool(), str: SomeString(),
    bytes: SomeBytes(), bytearray: SomeByteArray(), None: SomeNone(), type(None): SomeNone(),
}  # fmt: skip
_WRAPPERS = (typing.Final, typing.ClassVar, typing.Annotated)


class Hints:
    """The annotations of the hints of one function (or attribute).

    A hint that occurs twice gives lists (dicts, sets) of one definition: Python may pass the
    same object for both.
    """

    def __init__(self, annotator: RPythonAnnotator, classes: frozenset[type]) -> None:
        """``classes``: those whose instances Python can have."""
        self.annotator = annotator
        self.classes = classes
        self._known: dict[Any, SomeObject] = {}

    def annotation(self, hint: Any) -> SomeObject:
        """The annotation of what the hint says.  Raises TranslationError for what does not
        cross."""
        if hint in _SIMPLE:
            return _SIMPLE[hint]
        if isinstance(hint, type) and hint in self.classes:
            return SomeInstance(self.annotator.constants.classdef(hint))
        if hint not in self._known:
            self._known[hint] = self._made(hint)
        return self._known[hint]

    def _made(self, hint: Any) -> SomeObject:
        origin = typing.get_origin(hint)
        args = typing.get_args(hint)
        if origin in _WRAPPERS:
            return self.annotation(args[0])
        if origin is typing.Union or origin is types.UnionType:
            s: SomeObject = s_Bottom
            for part in args:
                s = self.annotator.join(s, self.annotation(part))
            return s
        if origin is list:
            return list_of(self.annotator, self.annotation(args[0]))
        if origin is dict:
            return dict_of(self.annotator, self.annotation(args[0]), self.annotation(args[1]))
        if origin is tuple and Ellipsis not in args:
            return SomeTuple(tuple(map(self.annotation, args)))
        if origin in (set, frozenset):
            return annotation_of_type(self.annotator, origin[self.annotation(args[0])])
        raise TranslationError(f"values of type {shown(hint)} cannot come from Python")


def shown(hint: Any) -> str:
    """A type hint as text."""
    return hint.__name__ if isinstance(hint, type) else str(hint)
