"""Class definitions: the classes of the program and what their attributes hold.

An attribute lives on the most general class through which it is read or written: using
``b.x`` for a base class ``B`` moves an ``x`` known only on subclasses up to ``B``.  A
class-level value that is not a function is the attribute's initial value in instances.
"""

from __future__ import annotations

import abc
import types
from collections.abc import Iterator
from typing import Any

from annotator.cells import Cell, Position
from translator.ir.span import Span

_TRANSPARENT_BASES: tuple[Any, ...] = (object, abc.ABC)


class UnsupportedClass(Exception):
    """The class uses features outside the restricted language; the text says which."""


class Attribute(Cell):
    """The cell of one instance attribute; ``homedef`` is the class that has the field."""

    __slots__ = ("homedef", "name", "read_at")

    def __init__(self, homedef: ClassDef, name: str) -> None:
        super().__init__(f"attribute {name!r} of {homedef.name}")
        self.homedef = homedef
        self.name = name
        self.read_at: Span | None = None
        """Where it is read first, for the message about an attribute that nobody sets."""


class ClassDef:
    """One class: its place in the hierarchy, attributes, prebuilt instances."""

    def __init__(self, cls: type, base: ClassDef | None) -> None:
        self.cls = cls
        self.name = cls.__name__
        self.base = base
        self.subdefs: list[ClassDef] = []
        self.attrs: dict[str, Attribute] = {}
        self.prebuilt: list[Any] = []
        self.instantiated = False
        self.method_readers: dict[str, dict[Position, None]] = {}
        self.depth: int = 0 if base is None else base.depth + 1
        if base is not None:
            base.subdefs.append(self)

    def __repr__(self) -> str:
        return f"<ClassDef {self.name}>"

    def mro(self) -> Iterator[ClassDef]:
        """This class and its bases, most special first."""
        classdef: ClassDef | None = self
        while classdef is not None:
            yield classdef
            classdef = classdef.base

    def subtree(self) -> Iterator[ClassDef]:
        """This class and everything below it, in order of discovery."""
        stack = [self]
        while stack:
            classdef = stack.pop()
            yield classdef
            stack.extend(reversed(classdef.subdefs))

    def is_subclass_of(self, other: ClassDef) -> bool:
        classdef: ClassDef | None = self
        while classdef is not None and classdef.depth >= other.depth:
            if classdef is other:
                return True
            classdef = classdef.base
        return False

    def common_base(self, other: ClassDef) -> ClassDef | None:
        """The most special class above both, or None."""
        return next((cd for cd in self.mro() if other.is_subclass_of(cd)), None)

    def find_attribute(self, name: str) -> Attribute | None:
        return next((cd.attrs[name] for cd in self.mro() if name in cd.attrs), None)

    def class_value(self, name: str) -> tuple[type, Any] | None:
        """The class-level value of ``name`` and the host class that defines it, or None."""
        for cls in self.cls.__mro__:
            if cls in _TRANSPARENT_BASES:
                break
            if name in cls.__dict__:
                return cls, cls.__dict__[name]
        return None

    def own_class_value(self, name: str) -> tuple[type, Any] | None:
        """Like ``class_value``, but only what this class adds to its base."""
        found = self.class_value(name)
        if found is None or self.base is None:
            return found
        return None if self.base.class_value(name) == found else found


def host_base(cls: type) -> type | None:
    """The one base class that ``cls`` extends, None for ``object``.

    Raises UnsupportedClass for what has no place in the restricted language.
    """
    if type(cls) not in (type, abc.ABCMeta):
        raise UnsupportedClass(f"class {cls.__name__} has the metaclass {type(cls).__name__}")
    bases = [base for base in cls.__bases__ if base not in _TRANSPARENT_BASES]
    if len(bases) > 1:
        names = ", ".join(base.__name__ for base in bases)
        raise UnsupportedClass(f"class {cls.__name__} has several base classes ({names})")
    if not bases:
        return None
    (base,) = bases
    if base.__module__ == "builtins" and not issubclass(base, BaseException):
        raise UnsupportedClass(f"class {cls.__name__} extends the built-in type {base.__name__}")
    return base


def is_method(value: Any) -> bool:
    """Does a class-level value bind as a method?"""
    return isinstance(value, types.FunctionType)
