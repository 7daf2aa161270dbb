"""The kinds of values of generated programs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A static type.  ``name`` selects the table of expressions that give such values."""

    name: str
    items: tuple[Kind, ...] = ()
    number: int = 0
    """Of a class, for ``Instance``."""

    @property
    def depth(self) -> int:
        """How deeply kinds are nested in it."""
        return 1 + max((item.depth for item in self.items), default=0)

    def __str__(self) -> str:
        if self.items:
            return f"{self.name}[{', '.join(map(str, self.items))}]"
        return self.name if self.name != "Instance" else f"C{self.number}"


INT = Kind("Int")
FLOAT = Kind("Float")
BOOL = Kind("Bool")
STR = Kind("Str")
BYTES = Kind("Bytes")
BYTEARRAY = Kind("ByteArray")
SIZED_INTS = tuple(
    Kind(name)
    for name in ("r_uint", "r_int8", "r_uint8", "r_int16", "r_uint16", "r_int32", "r_uint32")
)


def List(item: Kind) -> Kind:
    """A list of one kind of items."""
    return Kind("List", (item,))


def Set(item: Kind) -> Kind:
    """A set of one kind of items."""
    return Kind("Set", (item,))


def Dict(key: Kind, value: Kind) -> Kind:
    """A dict."""
    return Kind("Dict", (key, value))


def Tuple(*items: Kind) -> Kind:
    """A tuple."""
    return Kind("Tuple", items)


def VarTuple(item: Kind) -> Kind:
    """A tuple of unknown length."""
    return Kind("VarTuple", (item,))


def Option(item: Kind) -> Kind:
    """A value or None."""
    return Kind("Option", (item,))


NUMBER = Kind("Number", (INT, FLOAT))
"""An int or a float: which, only the run shows."""


def Union(*items: Kind) -> Kind:
    """A value of one of several kinds that have few operations in common."""
    return Kind("Union", items)


MIXED = (
    NUMBER, Union(INT, STR), Union(STR, FLOAT, BOOL), Union(STR, BYTES), Union(INT, List(INT)),
    Union(STR, Tuple(INT, STR)), Union(BOOL, INT), Union(FLOAT, VarTuple(STR), INT),
)  # fmt: skip


def Instance(number: int) -> Kind:
    """An instance of the program's class ``number`` or of a subclass."""
    return Kind("Instance", (), number)


def Function(result: Kind, *params: Kind) -> Kind:
    """A function."""
    return Kind("Function", (result, *params))


_ORDERED = {"Int", "Float", "Number", "Bool", "Str", "Bytes", "ByteArray"}
_HASHABLE = {"Int", "Number", "Str", "Float", "Bytes", "Bool"}
_GROWING = {"Str", "Bytes", "ByteArray", "List", "VarTuple"}


def has_set_order(kind: Kind) -> bool:
    """Do sets of such items have the same order in every process?  (Nans, of floats, have not.)"""
    return kind.name in ("Int", "Bool") or (
        kind.name in ("Tuple", "VarTuple") and all(map(has_set_order, kind.items))
    )


def is_ordered(kind: Kind) -> bool:
    """Do ``<`` and ``sorted`` work?"""
    if kind.name in ("List", "Tuple", "VarTuple"):
        return all(map(is_ordered, kind.items))
    return kind.name in _ORDERED


def is_comparable(kind: Kind) -> bool:
    """Does ``==`` compare by value, or identity, in the same way everywhere?"""
    if kind.name in ("List", "Tuple", "VarTuple", "Dict", "Set", "Option", "Union"):
        return all(map(is_comparable, kind.items))
    return kind.name != "Function"


def is_hashable(kind: Kind) -> bool:
    """May it be a key?"""
    if kind.name in ("Tuple", "VarTuple", "Union"):
        return all(map(is_hashable, kind.items))
    return kind.name in _HASHABLE


def is_printable(kind: Kind) -> bool:
    """Are ``str()`` and ``repr()`` determined by the program?"""
    if kind.name in ("List", "Tuple", "VarTuple", "Dict", "Option", "Union"):
        return all(map(is_printable, kind.items))
    return kind.name not in ("Set", "Instance", "Function") and not kind.name.startswith("r_")


def grows(kind: Kind) -> bool:
    """May values get longer and longer?  Such values are clipped when they are stored."""
    return kind.name in _GROWING
