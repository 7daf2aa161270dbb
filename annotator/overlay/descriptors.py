"""Descriptors: class attributes that say themselves what reading and assigning them does.

Those that do both are properties here, whose functions call the methods of the object, which is
there when the program starts::

    class User:
        age = Minimum(13)       a property: lambda self: __get__(age, self, type(self)), ...

One with ``__get__`` alone lets the instance have an attribute of the same name, which is read
instead; that is an attribute with another name here.

Where no method of its class assigns attributes of the object, but for ``__init__`` and
``__set_name__``, it never changes: it is frozen, and there is a copy of the methods for each.
"""

from __future__ import annotations

import dis
import functools
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from rpython.stdlib._registry import per_arguments
from rpython.translator.ir.home import home_of_class
from rpython.translator.ir.intrinsics import freeze

HIDES = "_rpython_hides_"
"""In front of the name of an attribute that hides a descriptor."""
_WHILE_IMPORTED = ("__init__", "__new__", "__set_name__")


def as_property(descriptor: Any, name: str) -> property | None:
    """The property that an object is as the class attribute ``name``; None where it is no
    descriptor whose class defines ``__get__`` in Python, with ``__set__``, or alone in a class of
    the program."""
    cls: Any = type(descriptor)
    reader, writer = _method(cls, "__get__"), _method(cls, "__set__")
    deleter = _method(cls, "__delete__")
    if reader is None or (writer is None and not _is_plain(cls)):
        return None
    if makes_frozen_descriptors(cls):
        freeze(descriptor)
        reader = _for_each(reader)
        writer = None if writer is None else _for_each(writer)
        deleter = None if deleter is None else _for_each(deleter)
    if writer is None:
        return _behind_attribute(descriptor, name, reader)

    @per_arguments
    def get(self: Any) -> Any:
        return reader(descriptor, self, type(self))

    @per_arguments
    def assign(self: Any, value: Any) -> None:
        writer(descriptor, self, value)

    @per_arguments
    def delete(self: Any) -> None:
        assert deleter is not None
        deleter(descriptor, self)

    return property(get, assign, None if deleter is None else delete)


def _behind_attribute(descriptor: Any, name: str, reader: FunctionType) -> property:
    """The property of a descriptor that an attribute of the instance hides, once it is set."""
    scope = {"descriptor": descriptor, "reader": reader}
    return hiding_property(name, "reader(descriptor, self, type(self))", scope)


def hiding_property(name: str, otherwise: str, scope: dict[str, Any]) -> property:
    """A property that is an attribute of the instance, of a name of its own, where that is set.
    ``otherwise``: the expression of what it is else, in which the names of ``scope`` are known."""
    text = _HIDING.replace("HIDDEN", HIDES + name).replace("OTHERWISE", otherwise)
    exec(compile(text, __file__, "exec"), scope)
    return property(*(per_arguments(scope[part]) for part in ("get", "assign", "delete")))


_HIDING = """
def get(self):
    try:
        return self.HIDDEN
    except AttributeError:
        pass
    return OTHERWISE

def assign(self, value):
    self.HIDDEN = value

def delete(self):
    del self.HIDDEN
"""


def _is_plain(cls: type) -> bool:
    """Is it a class of the program whose objects do not say what assigning or deleting does?"""
    return home_of_class(cls).is_program and not hasattr(cls, "__delete__")


def _method(cls: type, name: str) -> FunctionType | None:
    """A method that the class defines in Python."""
    found = next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)
    return found if isinstance(found, FunctionType) else None


@functools.cache
def makes_frozen_descriptors(cls: type) -> bool:
    """Are its objects descriptors that no method of the class changes?  The attributes of an object
    are those that it is given while the program is imported."""
    if _method(cls, "__get__") is None:
        return False
    if _method(cls, "__set__") is None and not _is_plain(cls):
        return False
    return not set(_assigned(cls, True)) & set(_assigned(cls, False))


@functools.cache
def _for_each(method: FunctionType) -> FunctionType:
    """A copy of the method that has a graph for each object."""
    defaults, closure = method.__defaults__, method.__closure__
    copy = FunctionType(method.__code__, method.__globals__, method.__name__, defaults, closure)
    copy.__kwdefaults__ = method.__kwdefaults__
    copy.__qualname__, copy.__module__ = method.__qualname__, method.__module__
    copy._annspecialcase_ = "specialize:arg(0)"  # type: ignore[attr-defined]
    return copy


def _assigned(cls: type, while_imported: bool) -> Iterator[str]:
    """The attributes that methods of the class assign, of whatever object: those that make objects,
    while the program is imported, or the others."""
    for base in cls.__mro__:
        for name, method in vars(base).items():
            if isinstance(method, FunctionType) and (name in _WHILE_IMPORTED) is while_imported:
                yield from assigned_in(method.__code__)


def assigned_in(code: CodeType) -> Iterator[str]:
    """The attributes that a function assigns, of whatever object."""
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("STORE_ATTR", "DELETE_ATTR"):
            yield str(instruction.argval)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from assigned_in(inner)
