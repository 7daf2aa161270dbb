"""The types of low-level code in the header of a shared library.

    Ptr(Struct("point", ("c_x", Signed), ("c_next", Ptr(...))))
    ->
    typedef struct words_point words_point;
    struct words_point {
        long x;
        words_point *next;
    };

and ``words_point *`` for the parameter.  A struct has the name of the library in front, because the
caller may know the struct from a header of its own.
"""

from __future__ import annotations

from dataclasses import field

from rpython.lltypesystem.lltype import (
    Bool,
    Char,
    Float,
    Signed,
    SingleFloat,
    UniChar,
    Unsigned,
    Void,
)
from rpython.lltypesystem.primitives import Int8, Int16, Int32, LowLevelType, UInt8, UInt16, UInt32
from rpython.lltypesystem.types import Array, FixedSizeArray, FuncType, Ptr, Struct
from rpython.translator.ir.records import dataclass

PLAIN: dict[LowLevelType, str] = {
    Signed: "long", Unsigned: "unsigned long", Float: "double", SingleFloat: "float",
    Bool: "bool", Char: "char", UniChar: "uint32_t", Void: "void", Int8: "int8_t",
    Int16: "int16_t", Int32: "int32_t", UInt8: "uint8_t", UInt16: "uint16_t", UInt32: "uint32_t",
}  # fmt: skip


@dataclass(eq=False)
class LibraryTypes:
    """Those of one library; ``keywords``: names that no field can have; ``own``: names of the
    library that no struct can have."""

    prefix: str
    keywords: frozenset[str]
    own: frozenset[str]
    structs: dict[Struct, str] = field(default_factory=dict)
    _complete: dict[Struct, list[str]] = field(default_factory=dict)

    def of(self, T: LowLevelType, readonly: bool = False) -> str:
        """The C type of a parameter (``readonly``: which is only read) or a result."""
        if T in PLAIN:
            return PLAIN[T]
        if not isinstance(T, Ptr):
            return "void *"
        if isinstance(T.TO, Array) and T.TO.OF in PLAIN and not T.TO._has_length():
            return f"{'const ' if readonly else ''}{PLAIN[T.TO.OF]} *"
        if isinstance(T.TO, Struct) and T.TO._gckind == "raw":
            return f"{self._struct(T.TO)} *"
        if isinstance(T.TO, FuncType):
            args = ", ".join(self.of(A) for A in T.TO.ARGS if A is not Void)
            return f"{spaced(self.of_result(T.TO.RESULT))}(*)({args or 'void'})"
        return "void *"

    def of_result(self, T: LowLevelType) -> str:
        """The same; functions that return functions have no such names in C."""
        ctype = self.of(T)
        return "void *" if "(*)" in ctype else ctype

    def value(self, T: LowLevelType) -> str | None:
        """The C type of a struct that is a parameter by value, where ``T`` is the pointer; None: C
        does not know what it has."""
        assert isinstance(T, Ptr) and isinstance(T.TO, Struct)
        name = self._struct(T.TO)
        return name if T.TO in self._complete else None

    def _struct(self, S: Struct) -> str:
        """The name of the type; its definition comes after those that it needs."""
        if S not in self.structs:
            name = f"{self.prefix}_{S._hints.get('c_name', S._name)}"
            while name in self.own or name in self.structs.values():
                name += "_"
            self.structs[S] = name
            members = [self._member(each.removeprefix("c_"), F) for each, F in S._flds.items()]
            if not S._is_union and None not in members:
                self._complete[S] = [f"    {member};" for member in members]
        return self.structs[S]

    def _member(self, name: str, T: LowLevelType) -> str | None:
        if name in self.keywords:
            name += "_"
        if isinstance(T, FixedSizeArray):
            return f"{spaced(PLAIN[T.OF])}{name}[{T.length}]" if T.OF in PLAIN else None
        if isinstance(T, Struct):
            struct = self._struct(T)
            return f"{struct} {name}" if T in self._complete else None
        return declared(self.of(T), name) if T in PLAIN or isinstance(T, Ptr) else None

    def definitions(self) -> list[str]:
        """Of all structs that were asked for; of some C gets the name only."""
        lines = [""] if self.structs else []
        lines += [f"typedef struct {name} {name};" for name in self.structs.values()]
        for S, members in self._complete.items():
            lines += ["", f"struct {self.structs[S]} {{", *members, "};"]
        return lines


def spaced(ctype: str) -> str:
    return ctype if ctype.endswith("*") else f"{ctype} "


def declared(ctype: str, name: str) -> str:
    """The declaration of a variable of the type."""
    if "(*)" in ctype:
        return ctype.replace("(*)", f"(*{name})", 1)
    return f"{spaced(ctype)}{name}"
