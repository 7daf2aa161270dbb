"""Classes of which each place that makes instances has a copy
(``rpython.stdlib._registry.per_site``), and classes that extend replaced ones.

    a = deque()      class deque1(deque), with the same methods:    a.append(1)
    b = deque()      class deque2(deque), with the same methods:    b.append("x")

So the items of ``a`` and of ``b`` need not be alike, and both are a ``deque``.
"""

from __future__ import annotations

import dis
import enum
from types import CellType, FunctionType
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.namedtuples import is_named_tuple
from rpython.annotator.program.hostclasses import HEAP_TYPE, OF_BUILTIN
from rpython.annotator.program.unsupported import is_unsupported
from rpython.stdlib._registry import (
    COPY_FOR_SITE,
    PER_SITE,
    Refused,
    base_in_place_of,
    home_of,
    may_be_extended,
    replacement_of,
)
from rpython.translator.ir.errors import AnnotatorError
from rpython.translator.ir.home import Home, home_of_class

if TYPE_CHECKING:
    from rpython.annotator.program.classdef import ClassDef


_NOT_COPIED = ("__dict__", "__weakref__", "__init_subclass__")
"""Of a class; what it does when others are made has been done."""
_ON_ATTRIBUTES = {
    code for name, code in dis.opmap.items() if name.endswith(("_ATTR", "_METHOD"))
}  # fmt: skip
_SHARED = "_rpython_shared_"
"""The mark of bases whose methods are the same for all copies."""


def is_per_site(classdef: ClassDef) -> bool:
    """May such instances be of a copy?"""
    return any(COPY_FOR_SITE in vars(subdef.cls) for subdef in classdef.subtree())


class SiteClasses:
    """The copies of one program."""

    def __init__(self) -> None:
        self._copies: dict[tuple[object, type], type] = {}
        self._extending: dict[type, type] = {}
        self._objects: dict[int, tuple[Any, Any]] = {}

    def made_at(self, place: object, cls: type) -> type:
        """The class of what a call of ``cls`` makes at that place: itself in most cases."""
        if PER_SITE not in vars(cls):
            return cls
        key = (place, cls)
        if key not in self._copies:
            self._copies[key] = _copy_of(cls)
        return self._copies[key]

    def overlay(self, x: Any) -> Any:
        """What the program has in place of a class of its own that extends such a class, and of
        an object that it starts with: itself in most cases."""
        if isinstance(x, type):
            if x not in self._extending:
                self._extending[x] = self._extended(x)
            return self._extending[x]
        known = self._objects.get(id(x))
        if known is not None:
            return known[1]
        cls = replacement_of(type(x))
        if cls is type(x):
            cls = self.overlay(cls)
        if not hasattr(cls, PER_SITE) or isinstance(x, cls):
            return x
        if not hasattr(cls, "of_host"):
            raise Refused(
                f"the program starts with a {type(x).__name__}, which is not supported: "
                "make it in a function"
            )
        made = cls.of_host(self.made_at(id(x), cls), x)
        for name, value in getattr(x, "__dict__", {}).items():
            setattr(made, name, value)
        self._objects[id(x)] = (x, made)
        return made

    def _extended(self, cls: type) -> type:
        if not cls.__flags__ & HEAP_TYPE or base_in_place_of(cls) is not cls:
            return cls
        if isinstance(cls, enum.EnumMeta) or is_named_tuple(cls) or OF_BUILTIN in vars(cls):
            return cls
        if home_of_class(cls) in (Home.TOOLCHAIN, Home.RLIB, Home.PRIVATE):
            return cls  # sized integers, and texts that stand for more
        if not any(may_be_extended(base) for base in cls.__mro__[1:-1]):
            return cls
        for base in cls.__mro__[1:]:
            final = getattr(replacement_of(base), "_rpython_final_", ())
            inherited = list(vars(base).values())  # an __init_subclass__ may have set one
            hooks = [name for name in final if vars(cls).get(name, inherited[0]) not in inherited]
            if hooks and not is_unsupported(home_of(cls)):  # else that will be said of the module
                raise Refused(
                    f"class {cls.__name__} overrides {hooks[0]} of its {base.__name__.lower()}, "
                    f"which is not supported: translated programs have {base.__name__.lower()}s of "
                    "their own"
                )
        if "__slots__" in vars(cls):
            raise AnnotatorError(
                f"class {cls.__name__} has __slots__ and extends {cls.__mro__[1].__name__}",
                hint="leave __slots__ out",
            )
        bases = tuple(
            self.made_at(cls, base_in_place_of(base)) if base_in_place_of(base) is not base
            else self.overlay(base)
            for base in cls.__bases__
        )  # fmt: skip
        for base in cls.__bases__:
            taken = _taken_names(cls) & _own_names(base_in_place_of(base))
            if taken:
                raise Refused(
                    f"class {cls.__name__} uses {min(taken)}, which is an attribute of what "
                    f"translated programs have in place of {base.__name__}: choose another name"
                )
        names = {k: v for k, v in vars(cls).items() if k not in _NOT_COPIED}
        made = type(cls)(cls.__name__, bases, names)
        made.__qualname__ = cls.__qualname__
        return made


def _copy_of(cls: type) -> type:
    """A subclass with copies of all methods that are not shared, which is ``__class__`` in them."""
    own = CellType()
    names: dict[str, Any] = {}
    for base in reversed(cls.__mro__[:-1]):
        if _SHARED in vars(base):
            continue
        for name, value in vars(base).items():
            if isinstance(value, FunctionType):
                names[name] = _copied(value, cls, own)
            elif isinstance(value, property):
                names[name] = property(_copied(value.fget, cls, own))
    names |= {name: getattr(cls, name) for name in ("__module__", "__qualname__", "__doc__")}
    names[COPY_FOR_SITE] = True
    found = type(cls.__name__, (cls,), names)
    own.cell_contents = found
    return found


def _own_names(replacement: Any) -> set[str]:
    """The names that a replaced class has for itself, beside those of the one it replaces."""
    names = set(vars(replacement)) if hasattr(replacement, PER_SITE) else set()
    if names:
        names.update(*map(_taken_names, replacement.__mro__[:-1]))
    return {name for name in names if name[:1] == "_" and name[-2:] != "__"}


def _taken_names(cls: type) -> set[str]:
    """The names of attributes that a class defines or its methods use."""
    functions = [value for value in vars(cls).values() if isinstance(value, FunctionType)]
    used = (
        step.argval for function in functions for step in dis.get_instructions(function.__code__)
        if step.opcode in _ON_ATTRIBUTES
    )  # fmt: skip
    return {*vars(cls), *used}


def _copied(function: Any, cls: type, own: CellType) -> FunctionType:
    code = function.__code__
    closure = tuple(
        own if name == "__class__" else cell
        for name, cell in zip(code.co_freevars, function.__closure__ or ())
    )
    copy = FunctionType(code, function.__globals__, function.__name__, None, closure)
    copy.__defaults__, copy.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    vars(copy).update(vars(function))
    copy.__qualname__ = f"{cls.__qualname__}.{function.__name__}"
    return copy
