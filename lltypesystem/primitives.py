"""Low-level types in general, and primitive ones: numbers, characters, booleans.

Types are immutable, hashable and compare by structure.  Comparison is identity first,
then a cached shallow hash (names, hints and kinds, never the types of fields, so that
recursive types pose no problem), then a structural walk that assumes the pairs it is
already comparing to be equal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from rpython.lltypesystem.rarithmetic import (
    r_int8,
    r_int16,
    r_int32,
    r_int128,
    r_singlefloat,
    r_uint,
    r_uint8,
    r_uint16,
    r_uint32,
    r_uint128,
)
from rpython.lltypesystem.typeequality import same_type

if TYPE_CHECKING:
    from rpython.lltypesystem.types import Ptr


class frozendict(dict[str, Any]):
    """An immutable, hashable dict with str keys: hints and malloc flags."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self))

    def _refuse(self, *args: Any, **kwds: Any) -> NoReturn:
        raise TypeError("frozendict cannot be changed")

    __setitem__ = __delitem__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


EMPTY_HINTS = frozendict()


class LowLevelType:
    """Superclass of all low-level types.

    Subclasses say what takes part in equality: ``_shallow`` is the part without other
    types in it, ``_children`` the types it is made of.  Attributes set to None here are
    memoised facts.
    """

    _rpython_by_value_ = True  # a constant type is the same one wherever it was made
    _hash: int | None = None
    _canonical: LowLevelType | None = None
    _is_forward = False
    _pointer_type: Ptr | None = None
    _places: dict[Any, Any] | None = None
    _container_class: Any = None
    _shared_class: Any = None

    def _shallow(self) -> tuple[Any, ...]:
        """What distinguishes two types of one class, other types left out."""
        raise NotImplementedError

    def _children(self) -> tuple[LowLevelType, ...]:
        """The types this one is made of, in order."""
        return ()

    def _hash_token(self) -> Any:
        """What a type that contains this one puts into its hash."""
        return self._shallow()

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((type(self).__name__, *self._shallow()))
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other) or not isinstance(other, LowLevelType):
            return False
        return same_type(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def _short_name(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<{self}>"

    def _is_varsize(self) -> bool:
        """Does the size of one container depend on a length given to malloc?"""
        return False

    def _defl(self) -> Any:
        """The zero value of the type (primitives and pointers only)."""
        raise TypeError(f"{self} is a container: it has no value")


class Primitive(LowLevelType):
    """A type whose values are simple: numbers, characters, booleans.

    ``default``: its zero.  For integers ``bits`` and ``signed`` give the range and
    ``box`` the host class user-facing reads wrap values in (None: plain).
    """

    def __init__(
        self,
        name: str,
        default: Any,
        bits: int = 0,
        signed: bool = True,
        box: Callable[[Any], Any] | None = None,
    ) -> None:
        self._name = name
        self._default = default
        self.bits = bits
        self.signed = signed
        self.box = box
        self.is_integer = bits > 0
        self.min = -(1 << (bits - 1)) if bits and signed else 0
        self.max = (1 << (bits - 1 if signed else bits)) - 1 if bits else 0

    def _shallow(self) -> tuple[Any, ...]:
        return (self._name,)

    def __str__(self) -> str:
        return self._name

    def _defl(self) -> Any:
        return self._default

    def wrap(self, n: int) -> int:
        """``n`` reduced into the range of this integer type."""
        n &= (1 << self.bits) - 1
        return n - (1 << self.bits) if n > self.max else n


Signed = Primitive("Signed", 0, 64)
Unsigned = Primitive("Unsigned", 0, 64, signed=False, box=r_uint)
Int8 = Primitive("Int8", 0, 8, box=r_int8)
Int16 = Primitive("Int16", 0, 16, box=r_int16)
Int32 = Primitive("Int32", 0, 32, box=r_int32)
UInt8 = Primitive("UInt8", 0, 8, signed=False, box=r_uint8)
UInt16 = Primitive("UInt16", 0, 16, signed=False, box=r_uint16)
UInt32 = Primitive("UInt32", 0, 32, signed=False, box=r_uint32)
Int128 = Primitive("Int128", 0, 128, box=r_int128)
UInt128 = Primitive("UInt128", 0, 128, signed=False, box=r_uint128)
Float = Primitive("Float", 0.0)
SingleFloat = Primitive("SingleFloat", 0.0, box=r_singlefloat)
Char = Primitive("Char", "\0")
UniChar = Primitive("UniChar", "\0")
Bool = Primitive("Bool", False)
Void = Primitive("Void", None)
Address = Primitive("Address", None)
"""A place in memory; its values are ``addresses.fakeaddress``, which sets the default."""
Offset = Primitive("Offset", None)
"""A number of bytes between two places; its values are ``offsets.AddressOffset``."""

SignedLongLong = Signed
UnsignedLongLong = Unsigned
SignedLongLongLong = Int128
UnsignedLongLongLong = UInt128

PRIMITIVES: tuple[Primitive, ...] = (
    Signed, Unsigned, Int8, Int16, Int32, UInt8, UInt16, UInt32, Int128, UInt128,
    Float, SingleFloat, Char, UniChar, Bool, Void, Address, Offset,
)  # fmt: skip


class SymbolicValue:
    """Base class of the values of Address and Offset, which are no numbers."""

    __slots__ = ()
    _TYPE: ClassVar[Primitive]
