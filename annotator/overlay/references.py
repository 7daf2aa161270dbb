"""``weakref.ref`` in programs: a class per class of objects referred to, which the annotator
knows when it sees what they are of."""

from __future__ import annotations

import abc
from types import FunctionType
from typing import Any


class Ref(abc.ABC):
    """A weak reference; ``weak_target`` is a field that the collector does not follow."""

    _rpython_keeps_members_ = True
    _rpython_weak_fields_ = ("weak_target",)

    @abc.abstractmethod
    def __call__(self) -> Any:
        """The object, or None."""


def _init(self: Any, target: Any) -> None:
    self.weak_target = target
    self.known_hash = 0
    self.has_hash = False


def _checked_init(able: tuple[type, ...]) -> FunctionType:
    """``_init`` for instances of a class without ``__weakref__``; ``able``: the subclasses that
    have it."""

    def init(self: Any, target: Any) -> None:
        if not isinstance(target, able):
            name = type(target).__name__
            raise TypeError(f"cannot create weak reference to '{name}' object")
        _init(self, target)

    assert isinstance(init, FunctionType)
    return init


def _able(cls: type) -> list[type]:
    """The nearest subclasses whose instances weak references can refer to."""
    if cls.__weakrefoffset__:
        return [cls]
    subclasses: list[type] = cls.__subclasses__()
    return [each for below in subclasses for each in _able(below)]


def _call(self: Any) -> Any:
    return self.weak_target


def _eq(self: Any, other: Any) -> bool:
    if not isinstance(other, Ref):
        return False
    mine = self.weak_target
    its: Any = other()
    if mine is None or its is None:
        return id(self) == id(other)
    return bool(mine == its)


def _hash(self: Any) -> int:
    if self.has_hash:
        known: int = self.known_hash
        return known
    target = self.weak_target
    if target is None:
        raise TypeError("weak object has gone away")
    self.known_hash = hash(target)
    self.has_hash = True
    known = self.known_hash
    return known


class RefClasses:
    """The classes of one program."""

    def __init__(self) -> None:
        self._classes: dict[type, type] = {}

    def of(self, cls: type) -> type:
        """The class of the references to instances of ``cls``."""
        found = self._classes.get(cls)
        if found is None:
            functions = {"__init__": _init, "__call__": _call, "__eq__": _eq, "__hash__": _hash}
            methods = {
                name: FunctionType(func.__code__, func.__globals__, name)
                for name, func in functions.items()
            }
            if not cls.__weakrefoffset__:
                methods["__init__"] = _checked_init(tuple(_able(cls)))
            # a reference to what is dead already has no field for it
            fields = () if cls is type(None) else Ref._rpython_weak_fields_
            weak = {"weak_target": None, "_rpython_weak_fields_": fields}
            found = type("weakref", (Ref,), {**methods, **weak, "__module__": "weakref"})
            self._classes[cls] = found
        return found

    def _reference(self, target: Any) -> Any:
        """A prebuilt reference; ``target`` None: to an object that is dead already."""
        cls = self.of(type(target))
        if target is not None:
            return cls(target)
        made: Any = object.__new__(cls)
        _init(made, None)
        return made

    def overlay(self, x: Any) -> Any:
        """A prebuilt reference as an instance of such a class."""
        return self._reference(x())
