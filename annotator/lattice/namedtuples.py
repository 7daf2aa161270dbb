"""Named tuples: tuples that know their class.

    Match = namedtuple("Match", "a b size")     a host class; calling it gives
    Match(1, 2, 3)                              SomeNamedTuple(items, Match)

They are tuples in every way; besides, items have names, and classes made with
``typing.NamedTuple`` have methods, those of arithmetic operators among them:

    p + q     p.__add__(q), or else q.__radd__(p); where neither is defined, what tuples do
"""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any, Generic

from rpython.annotator.lattice.hostconst import Const
from rpython.annotator.lattice.model import (
    K_BYTEARRAY,
    K_BYTES,
    K_INSTANCE,
    K_STR,
    SomeObject,
    SomeTuple,
)
from rpython.stdlib.dataclasses import namedtuple_asdict, namedtuple_mapped
from rpython.translator.flow.signature import Signature, signature
from rpython.translator.ir.errors import AnnotatorError
from rpython.translator.ir.hlops import HLOPS, Group


class SomeNamedTuple(SomeTuple):
    """A tuple of the class ``cls``, made by ``namedtuple`` or ``NamedTuple``."""

    __slots__ = ("cls",)

    def __init__(
        self, items: tuple[SomeObject, ...], cls: Any, const: Const | None = None
    ) -> None:
        super().__init__(items, const)
        self.cls = cls

    def key(self) -> tuple[Any, ...]:
        return (self.items, self.cls, self.const)

    def without_const(self) -> SomeObject:
        return SomeNamedTuple(tuple(s.without_const() for s in self.items), self.cls)

    def describe(self) -> str:
        fields = zip(self.cls._fields, self.items)
        return f"{self.cls.__name__} ({', '.join(f'{n}: {s.describe()}' for n, s in fields)})"


def is_named_tuple(cls: Any) -> bool:
    """Is it a class of named tuples?"""
    return isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields")


def check_supported(cls: Any) -> None:
    """Raises AnnotatorError when the class is outside the restricted language."""
    for base in _own_bases(cls):
        for name, value in base.__dict__.items():
            special = name.startswith("__") and name.endswith("__") and name not in _HARMLESS
            if name in _OPERATORS and isinstance(value, types.FunctionType):
                continue
            if special and not ("_fields" in base.__dict__ and _is_made(value)):
                message = f"class {base.__name__} defines {name}"
                error = AnnotatorError(message, hint="use a dataclass, or a plain class")
                error.about = base
                raise error


def _own_bases(cls: Any) -> list[type]:
    """The class and those that it extends, also those that are mixed in behind the tuple."""
    return [base for base in cls.__mro__ if base not in (tuple, object, Generic)]


_HARMLESS = frozenset(
    "__str__ __repr__ __doc__ __getnewargs__ __match_args__ __module__ __slots__ __annotations__ "
    "__orig_bases__ "
    "__dict__ __weakref__ __qualname__ __replace__ __static_attributes__ __firstlineno__ "
    "__annotate__ __annotate_func__ __annotations_cache__ __class_getitem__ "
    "__slotnames__".split()  # what copy and pickle remember in a class that they have met
)


_ARITHMETIC = {row.name: row for row in HLOPS if row.group is Group.ARITHMETIC}
_UNARY = {row.name: row for row in HLOPS if row.method in ("__neg__", "__pos__", "__invert__")}
_OPERATORS = frozenset(
    name
    for row in (*_ARITHMETIC.values(), *_UNARY.values())
    for name in (row.method, "__r" + row.method.removeprefix("__"))
)
"""Names of methods that operators call."""


def operator_function(
    opname: str, args_s: Sequence[SomeObject]
) -> tuple[types.FunctionType, int] | None:
    """The function of a class of named tuples that an operator calls, and which operand is its
    first argument; None where no such class says what the operator does."""
    if opname in _UNARY:
        function = _own_function(args_s[0], _UNARY[opname].method)
        return None if function is None else (function, 0)
    row = _ARITHMETIC.get(opname)
    if row is None:
        return None
    left, right = args_s
    own = _own_function(left, row.method)
    reflected = _own_function(right, "__r" + row.method.removeprefix("__"))
    if reflected is not None and (own is None or _is_below(right, left)):
        formats = opname == "mod" and left.kinds & (K_STR | K_BYTES | K_BYTEARRAY)
        return None if formats or left.kinds & K_INSTANCE else (reflected, 1)
    return None if own is None else (own, 0)


def _own_function(s: SomeObject, name: str) -> types.FunctionType | None:
    if not isinstance(s, SomeNamedTuple):
        return None
    found = (vars(base).get(name) for base in _own_bases(s.cls))
    return next((value for value in found if isinstance(value, types.FunctionType)), None)


def _is_below(s: SomeObject, above: SomeObject) -> bool:
    """Is the one's class a proper subclass of the other's?"""
    if not isinstance(s, SomeNamedTuple) or not isinstance(above, SomeNamedTuple):
        return False
    return s.cls is not above.cls and issubclass(s.cls, above.cls)


def _is_made(value: Any) -> bool:
    """Is it a function that ``namedtuple`` has made?"""
    function = value.__func__ if isinstance(value, staticmethod) else value
    if not isinstance(function, types.FunctionType):
        return False
    name = function.__code__.co_filename
    return name.startswith("<string") or name.endswith("__init__.py")


def new_signature(cls: Any) -> Signature:
    """How the class is called, ``cls`` itself in front."""
    return signature(cls.__new__)


def class_method(bound: Any) -> types.FunctionType | None:
    """The function of a class method that the class itself defines, bound to it."""
    function = getattr(bound, "__func__", None)
    own = isinstance(function, types.FunctionType) and not _is_made(function)
    return function if own else None


def text_function(cls: Any, quoted: bool) -> types.FunctionType | None:
    """The function of ``str(x)`` or (``quoted``) ``repr(x)`` that the class itself defines."""
    for name in ("__repr__",) if quoted else ("__str__", "__repr__"):
        for base in cls.__mro__[: cls.__mro__.index(tuple)]:
            value = base.__dict__.get(name)
            if isinstance(value, types.FunctionType):
                if not _is_made(value):
                    return value
                break
    return None


def field_number(cls: Any, name: str) -> int | None:
    """Which item has that name."""
    return cls._fields.index(name) if name in cls._fields else None


_MADE = {"_asdict": namedtuple_asdict, "_mapped_": namedtuple_mapped}


def class_value(cls: Any, name: str) -> Any:
    """What the class itself has under a name: methods, properties, constants; else None."""
    if name in _MADE:
        return _MADE[name](cls)
    for base in _own_bases(cls):
        made = name.startswith("_") and "_fields" in base.__dict__
        if name in base.__dict__ and not made and not name.startswith("__"):
            return base.__dict__[name]
    return None
