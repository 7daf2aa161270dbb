"""Does what the annotator knows of a value fit a type hint?

    list of str               list[int]          no: the items
    int                       float              yes (PEP 484: int, float, complex; bool is an int)
    None or str               str                no: None
    instance of Shape         Circle | Square    yes: the object may be one of these

The answer is no only where some value that the program makes does not fit.  The annotator knows
instances by a common base class, so objects are doubted only if no class below it that has
instances fits.  What is inside of iterators, functions and user-defined generic classes is not
looked at.
"""

from __future__ import annotations

import collections.abc
import types
import typing
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from rpython.annotator.lattice.cells import Cell
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_BUILTIN_METHOD,
    K_CLASS,
    K_CLASSMETHOD,
    K_FUNCTION,
    K_HOST,
    K_METHOD,
    K_NONE,
    SomeClass,
    SomeDict,
    SomeInstance,
    SomeInteger,
    SomeList,
    SomeObject,
    SomeRange,
    s_Int,
)
from rpython.annotator.lattice.parts import class_of_kind, parts_of
from rpython.annotator.lattice.sets import SomeAnySet
from rpython.annotator.lattice.vartuples import tuple_items
from rpython.annotator.program.classdef import ClassDef, is_generator
from rpython.annotator.program.desc import ClassDesc
from rpython.stdlib._registry import replacement_of
from rpython.translator.ir.home import home_of_class
from rpython.translator.ir.records import dataclass

_CALLABLE = K_FUNCTION | K_CLASS | K_METHOD | K_CLASSMETHOD | K_BUILTIN_METHOD | K_HOST
_TOWER: dict[Any, tuple[type, ...]] = {
    float: (float, int), complex: (complex, float, int), bytes: (bytes, bytearray, memoryview),
}  # fmt: skip
"""What a hint also stands for (PEP 484)."""
_WRAPPERS = (typing.Final, typing.ClassVar)
_GENERATORS = (collections.abc.Generator, collections.abc.AsyncGenerator, types.CoroutineType)


@dataclass(frozen=True, slots=True)
class Misfit:
    """What does not fit a hint.

    Attributes:
        part: of the value that the hint is about, what is wrong, or has something wrong in it.
        item, cell: what is wrong in a container, and the cell that holds it; else None.
    """

    part: SomeObject
    item: SomeObject | None
    cell: Cell | None


def misfit(s: SomeObject, hint: Any, owner: type | None = None) -> Misfit | None:
    """What does not fit the hint of a value, None where all does; ``owner``: the class that
    ``Self`` stands for."""
    fitting = _Fitting(owner)
    for part in parts_of(s):
        if not fitting.fits(part, hint):
            return Misfit(part, *fitting.inner)
    return None


class _Fitting:
    """One question.  What is asked again while it is being answered fits: lists may hold
    themselves."""

    def __init__(self, owner: type | None) -> None:
        self._owner = owner
        self._asked: set[tuple[SomeObject, str]] = set()
        self.inner: tuple[SomeObject | None, Cell | None] = (None, None)
        """The first thing in a container that did not fit."""

    def _all_fit(self, s: SomeObject, hint: Any) -> bool:
        return all(self.fits(part, hint) for part in parts_of(s))

    def _cell_fits(self, cell: Cell, hint: Any) -> bool:
        for part in parts_of(cell.s_value):
            if not self.fits(part, hint):
                if self.inner[0] is None:
                    self.inner = part, cell
                return False
        return True

    def fits(self, part: SomeObject, hint: Any) -> bool:
        """Of a part of one kind."""
        asked = part, repr(hint)
        if part.is_unknown() or asked in self._asked:
            return True
        self._asked.add(asked)
        hint = self._plain(hint)
        if hint is Any or hint is object:
            return True
        if get_origin(hint) in (Union, types.UnionType):
            return any(self.fits(part, item) for item in get_args(hint))
        if get_origin(hint) is Literal:
            return any(_is_value(part, value) for value in get_args(hint))
        if hint is None or hint is types.NoneType:
            return part.kinds == K_NONE
        origin = get_origin(hint) or hint
        return not isinstance(origin, type) or self._fits_class(part, origin, get_args(hint))

    def _plain(self, hint: Any) -> Any:
        """The hint without what says nothing of a value's type; Any where nobody can say."""
        while True:
            if get_origin(hint) in _WRAPPERS:
                hint = get_args(hint)[0]
            elif isinstance(hint, TypeVar):
                constraints = hint.__constraints__
                hint = reduce(or_, constraints) if constraints else hint.__bound__ or Any
            elif isinstance(hint, typing.NewType):
                hint = hint.__supertype__
            elif hasattr(hint, "__value__"):  # type X = ...
                hint = hint.__value__
            elif hint is typing.Self:
                return Any if self._owner is None else self._owner
            elif hint is typing.LiteralString:
                return str
            elif get_origin(hint) is typing.TypeGuard:
                return bool
            else:
                return hint

    def _fits_class(self, part: SomeObject, cls: type, args: Sequence[Any]) -> bool:
        if part.kinds & _CALLABLE:
            return self._function_fits(part, cls, args)
        if isinstance(part, SomeInstance):
            return _instance_fits(part, cls)
        if typing.is_typeddict(cls):
            return isinstance(part, SomeDict)
        known = class_of_kind(part)
        if known is None:
            return True
        if isinstance(part, SomeInteger) and part.may_be_bool and cls is bool:
            return True
        if not any(_is_below(known, each) for each in _TOWER.get(cls, (cls,))):
            return False
        return self._items_fit(part, cls, args)

    def _items_fit(self, part: SomeObject, cls: type, args: Sequence[Any]) -> bool:
        if isinstance(part, SomeDict) and len(args) == 2:
            root = part.dictdef.find()
            return all(map(self._cell_fits, (root.key, root.value), args))
        items = tuple_items(part)
        if items is not None and cls is tuple and args and args[-1:] != (Ellipsis,):
            fixed = args if args != ((),) else ()
            if class_of_kind(part) is tuple and len(items) != len(fixed):
                return False
            return all(map(self._all_fit, items, fixed))
        wanted = [arg for arg in args if arg is not Ellipsis]
        if len(wanted) != 1:
            return True
        if isinstance(part, SomeList):
            return self._cell_fits(part.listdef.find().item, wanted[0])
        if isinstance(part, SomeAnySet | SomeDict):
            return self._cell_fits(part.dictdef.find().key, wanted[0])
        if isinstance(part, SomeRange):
            return self._all_fit(s_Int, wanted[0])
        return all(self._all_fit(s_item, wanted[0]) for s_item in items or ())

    def _function_fits(self, part: SomeObject, cls: type, args: Sequence[Any]) -> bool:
        """Of what can be called, a class among it."""
        if cls is type and isinstance(part, SomeClass) and len(args) == 1:
            wanted = self._plain(args[0])
            made = [desc.classdef.cls for desc in part.descs if isinstance(desc, ClassDesc)]
            return not isinstance(wanted, type) or any(_is_below(c, wanted) for c in made)
        if cls is type:
            return bool(part.kinds & (K_CLASS | K_HOST))
        if part.kinds == K_HOST and not isinstance(part.value, type):
            return _is_below(type(part.value), cls) or callable(part.value)
        return _is_below(types.FunctionType, cls) or _has_calls(cls)


def _has_calls(cls: type) -> bool:
    """Can instances of the class be called?"""
    return any("__call__" in vars(base) for base in cls.__mro__)


def _is_value(part: SomeObject, value: Any) -> bool:
    """May a value be this one of a ``Literal``?"""
    if part.is_constant():
        return type(part.value) is type(value) and bool(part.value == value)
    if value is None:
        return part.kinds == K_NONE
    if isinstance(part, SomeInstance):
        return _instance_fits(part, type(value))
    return part.kinds == K_BOOL if value is True or value is False else _is_like(part, value)


def _is_like(part: SomeObject, value: Any) -> bool:
    known = class_of_kind(part)
    return known is None or isinstance(value, known)


def _instance_fits(part: SomeInstance, cls: type) -> bool:
    if is_generator(part.classdef):
        return any(_is_below(made, cls) for made in _GENERATORS)
    if "_rpython_function_" in vars(part.classdef.cls):
        return _has_calls(cls)
    made = [c for c in part.classdef.concrete(part.members) if c.instantiated or c.prebuilt]
    return not made or any(_is_of(classdef, cls) for classdef in made)


def _is_of(classdef: ClassDef, cls: type) -> bool:
    if any(_is_below(classdef.cls, each) for each in (cls, replacement_of(cls))):
        return True
    # what stands for a class of the library does not say which abstract classes it is of
    return home_of_class(classdef.cls).is_ours


def _is_below(cls: Any, above: Any) -> bool:
    """Is it a subclass; of a protocol, has it all members?"""
    if not isinstance(above, type):
        return True
    if getattr(above, "_is_protocol", False):
        members = {name for base in above.__mro__ for name in _own_members(base)}
        return all(hasattr(cls, name) for name in members if callable(getattr(above, name, None)))
    return issubclass(cls, above) or any(_is_copy(base, above) for base in cls.__mro__)


def _is_copy(cls: type, of: type) -> bool:
    """Is it the class in place of one of the program, which extends a built-in class?"""
    return cls.__qualname__ == of.__qualname__ and cls.__module__ == of.__module__


def _own_members(base: type) -> list[str]:
    if base in (object, typing.Protocol, typing.Generic):
        return []
    return [name for name in vars(base) if not name.startswith("_") or name in _SPECIAL]


_SPECIAL = ("__len__", "__iter__", "__call__", "__getitem__", "__contains__", "__lt__", "__next__")
