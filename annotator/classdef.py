"""Class definitions: the classes of the program and what their attributes hold.

An attribute lives on the most general class through which it is read or written: using
``b.x`` for a base class ``B`` moves an ``x`` known only on subclasses up to ``B``.  A
class-level value that is not a function is the attribute's initial value in instances.
"""

from __future__ import annotations

import abc
import types
import typing
from collections.abc import Iterator
from typing import Any

from annotator.cells import Cell, Position
from translator.ir.span import Span

_TRANSPARENT_BASES: tuple[Any, ...] = (object, abc.ABC, typing.Generic)
_REFUSED_METHODS = {
    "__new__": "create instances in a function instead",
    "__del__": "call a method such as close() where the object is no longer needed",
    "__getattr__": "define the attributes, or call a method that takes the name",
    "__getattribute__": "define the attributes, or call a method that takes the name",
    "__setattr__": "call a method that takes the name and the value",
    "__delattr__": "call a method that takes the name",
}
"""Methods that change what creating an instance or using its attributes means."""


class UnsupportedClass(Exception):
    """The class uses features outside the restricted language; the text says which."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


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

    def root(self) -> ClassDef:
        """The most general class above."""
        return self if self.base is None else self.base.root()

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

    def text_method(self, quoted: bool) -> str | None:
        """The method that ``str()`` or (``quoted``) ``repr()`` of an instance calls, if a
        class of the program defines one."""
        for name in ("__repr__",) if quoted else ("__str__", "__repr__"):
            for classdef in (*self.mro(), *self.subtree()):
                if name in classdef.cls.__dict__ and classdef.cls.__module__ != "builtins":
                    return name
            if issubclass(self.cls, BaseException):
                return None
        return None

    def abstract_methods(self) -> list[str]:
        """The names of the methods that keep the class from being instantiated."""
        return sorted(getattr(self.cls, "__abstractmethods__", ()))

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
    name = cls.__name__
    if type(cls) not in (type, abc.ABCMeta):
        raise UnsupportedClass(
            f"class {name} has the metaclass {type(cls).__name__}",
            "keep constants at module level, and instances of a plain class",
        )
    bases = [base for base in cls.__bases__ if base not in _TRANSPARENT_BASES]
    if len(bases) > 1:
        names = ", ".join(base.__name__ for base in bases)
        raise UnsupportedClass(
            f"class {name} has several base classes ({names})",
            "keep one base class, and an attribute that holds an object of the other",
        )
    if cls.__module__ != "builtins":
        for method, hint in _REFUSED_METHODS.items():
            if method in cls.__dict__:
                raise UnsupportedClass(f"class {name} defines {method}", hint)
    if not bases:
        return None
    (base,) = bases
    if base.__module__ == "builtins" and not issubclass(base, BaseException):
        raise UnsupportedClass(
            f"class {name} extends the built-in type {base.__name__}",
            "keep the built-in value in an attribute",
        )
    return base


def is_method(value: Any) -> bool:
    """Does a class-level value bind as a method?"""
    return isinstance(value, types.FunctionType)


def is_abstract(value: Any) -> bool:
    """Is it marked with ``abc.abstractmethod``?"""
    return getattr(value, "__isabstractmethod__", False) is True


def function_of(value: Any) -> types.FunctionType | None:
    """The function behind a method, or behind the getter of a property; else None.  Abstract
    ones count as none: no instance has them."""
    if is_abstract(value):
        return None
    if isinstance(value, property):
        value = value.fget
    return value if isinstance(value, types.FunctionType) else None


def is_descriptor(value: Any) -> bool:
    """Does a class-level value decide itself what reading the attribute gives?  (Methods,
    properties, ``__slots__``, ...)"""
    return hasattr(type(value), "__get__")


def prebuilt_attributes(x: Any) -> dict[str, Any]:
    """The attributes that a host instance has itself, those in ``__slots__`` too."""
    own: dict[str, Any] = getattr(x, "__dict__", {})
    slots = _slots(type(x))
    if not slots:
        return own
    values = {name: getattr(x, name) for name in slots if hasattr(x, name)}
    return {**own, **values}


def has_slots(cls: type) -> bool:
    """Is it a Python class without ``__dict__`` in its instances?"""
    return any("__slots__" in base.__dict__ for base in cls.__mro__)


def _slots(cls: type) -> list[str]:
    return [
        name for base in cls.__mro__ for name, value in base.__dict__.items()
        if isinstance(value, types.MemberDescriptorType) and base.__module__ != "builtins"
    ]  # fmt: skip
