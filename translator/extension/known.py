"""A class of an extension module on its way to Python, and what is said of such classes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from types import FunctionType
from typing import TYPE_CHECKING, Any

from rpython.annotator.program.classdef import ClassDef
from rpython.translator.extension.exports import Parameters
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span

if TYPE_CHECKING:
    from rpython.translator.extension.program import Call

NO_PARAMETERS = Parameters((), 0, 0, (), {})


@dataclass(eq=False)
class Known:
    """A class on its way to Python; ``base``: the one that is its base class there; ``extended``:
    the class of objects of classes that Python derives, where these can override methods, namely
    the ``overridable`` ones; ``extended_init``: makes these objects."""

    classdef: ClassDef
    base: Known | None
    init: Call | None = None
    methods: dict[str, Call | str] = dataclasses.field(default_factory=dict)
    """By name: what is called, or why it cannot be."""
    static: dict[str, str] = dataclasses.field(default_factory=dict)
    """The static methods, as "s", and the classmethods, as "c"."""
    reading: dict[str, Call | str] = dataclasses.field(default_factory=dict)
    writing: dict[str, Call] = dataclasses.field(default_factory=dict)
    fields: set[str] = dataclasses.field(default_factory=set)
    """The names in ``reading`` that are no properties."""
    extended: ClassDef | None = None
    extended_init: Call | None = None
    overridable: frozenset[str] = frozenset()

    @property
    def cls(self) -> type:
        return self.classdef.cls

    def own_classes(self) -> list[type]:
        """The host classes whose members are this class's in Python, most general first."""
        above = () if self.base is None else self.base.cls.__mro__
        return [
            cls for cls in reversed(self.cls.__mro__)
            if cls not in above and cls.__module__ not in ("builtins", "abc", "typing")
        ]  # fmt: skip

    def own_classdefs(self) -> Iterator[ClassDef]:
        """The definitions whose attributes are this class's in Python."""
        for classdef in self.classdef.mro():
            if self.base is not None and classdef is self.base.classdef:
                return
            yield classdef

    def all_fields(self) -> set[str]:
        """With those of the base classes."""
        return self.fields | (set() if self.base is None else self.base.all_fields())

    def members(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for cls in self.own_classes():
            found.update(vars(cls))
        return found


def native_only(shown: str) -> str:
    return f"{shown}() can be called by native code only"


def unhinted(shown: str) -> str:
    return f"{shown}() has no type hints: only native code can call it"


def place_of_class(cls: type) -> Span:
    """About where the class is: at its first method."""
    for value in vars(cls).values():
        if isinstance(value, FunctionType) and value.__code__.co_filename != "<string>":
            code = value.__code__
            return Span(code.co_filename, code.co_firstlineno, function=cls.__name__)
    return Span(f"class {cls.__name__}", 0, function=cls.__name__)
