"""Operations on addresses, offsets and the memory behind them.

    a = cast_ptr_to_adr(p)
    b = adr_add(a, <offsetof(S, x)>)
    v: Signed = raw_load(b, 0)              item 0 of the Signeds at b
    raw_store(type Signed, b, 0, v)
"""

from __future__ import annotations

import operator
from collections.abc import Iterator

from rpython.lltypesystem.operations.effects import HEAP, reading, writing
from rpython.lltypesystem.operations.integers import simple_row
from rpython.lltypesystem.operations.llop import ANY_PTR, ANY_VALUE, Derives, LLOp
from rpython.lltypesystem.operations.memory import (
    ALLOCATES,
    Offsets,
    checking,
    expect,
    row,
)
from rpython.lltypesystem.primitives import (
    Address,
    Bool,
    LowLevelType,
    Offset,
    Primitive,
    Signed,
    Void,
)
from rpython.lltypesystem.simulated.addresses import (
    cast_adr_to_int,
    cast_adr_to_ptr,
    cast_ptr_to_adr,
    distance,
    fakeaddress,
    load,
    moved,
    store,
)
from rpython.lltypesystem.simulated.offsets import AddressOffset, multiplied
from rpython.lltypesystem.simulated.rawmemory import raw_free, raw_malloc, raw_memclear, raw_memcopy
from rpython.lltypesystem.types import Ptr
from rpython.translator.ir.model import Constant

LIVING = reading(HEAP)
"""Of the address of GC memory, which does not keep it alive: no constant."""


def _subtract(adr: fakeaddress, offset: AddressOffset) -> fakeaddress:
    return moved(adr, -offset)


def _check_adr_to_ptr(args: Offsets, RESULT: LowLevelType) -> None:
    if not isinstance(RESULT, Ptr):
        raise TypeError(f"the result must be a pointer, is {RESULT}")


def _require_access(T: LowLevelType) -> None:
    if not isinstance(T, Primitive) or T in (Void, Offset):
        raise TypeError(f"{T} is not the type of values in memory")


def _check_load(args: Offsets, RESULT: LowLevelType) -> None:
    _require_access(RESULT)


def _check_store(args: Offsets, RESULT: LowLevelType) -> None:
    if not isinstance(args[0], Constant):
        raise TypeError("operand 0 must be a constant type")
    _require_access(args[0].value)
    expect("the value", args[0].value, args[3].concretetype)


def _store(T: LowLevelType, adr: fakeaddress, index: int, value: object) -> None:
    store(adr, index, value, T)


def _check_malloc(args: Offsets, RESULT: LowLevelType) -> None:
    if not isinstance(args[1], Constant) or set(args[1].value) - {"zero"}:
        raise TypeError("operand 1 must be the constant flags, a dict with 'zero' at most")


def _malloc(size: AddressOffset, flags: dict[str, bool]) -> fakeaddress:
    return raw_malloc(size, flags.get("zero", False))


def _arithmetic() -> Iterator[LLOp]:
    way, two = (Address, Offset), (Address, Address)
    yield simple_row(
        "adr_add", way, Address, moved, "(Address)((char *){0} + {1})", None, effects=LIVING,
        derives=Derives.INSIDE,
    )  # fmt: skip
    yield simple_row(
        "adr_sub", way, Address, _subtract, "(Address)((char *){0} - {1})", None, effects=LIVING,
        derives=Derives.INSIDE,
    )  # fmt: skip
    yield simple_row(
        "adr_delta", two, Offset, distance, "(Offset)((char *){0} - (char *){1})", None,
        effects=LIVING,
    )  # fmt: skip
    for name, symbol in (("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"),
                         ("ge", ">=")):  # fmt: skip
        yield simple_row(
            f"adr_{name}", two, Bool, getattr(operator, name),
            f"(Unsigned){{0}} {symbol} (Unsigned){{1}}", f"{{0}} {symbol} {{1}}",
        )  # fmt: skip
    offsets = (Offset, Offset)
    yield simple_row(
        "offset_add", offsets, Offset, operator.add, "rpy_offset_add({0}, {1})", "{0} + {1}"
    )
    yield simple_row("offset_neg", (Offset,), Offset, operator.neg, "(-{0})", "-{0}")
    yield simple_row(
        "offset_mul", (Offset, Signed), Offset, multiplied, "rpy_offset_mul({0}, {1})", None
    )


def _casts() -> Iterator[LLOp]:
    yield simple_row(
        "cast_ptr_to_adr", (ANY_PTR,), Address, cast_ptr_to_adr, "(Address){0}", None,
        effects=LIVING, derives=Derives.INSIDE,
    )  # fmt: skip
    yield row(
        "cast_adr_to_ptr", (Address,), None, LIVING, lambda T, adr: cast_adr_to_ptr(adr, T),
        checking(_check_adr_to_ptr), c="({R}){0}", typed=True, derives=Derives.INSIDE,
    )  # fmt: skip
    yield simple_row(
        "cast_adr_to_int", (Address,), Signed, cast_adr_to_int, "(Signed){0}", None, varies=True
    )


def _memory() -> Iterator[LLOp]:
    yield row(
        "raw_load", (Address, Signed), None, reading(HEAP), load, checking(_check_load),
        c="(({R} *){0})[{1}]", typed=True,
    )  # fmt: skip
    yield row(
        "raw_store", (Void, Address, Signed, ANY_VALUE), Void, writing(HEAP), _store,
        checking(_check_store),
    )  # fmt: skip
    yield row(
        "raw_malloc", (Offset, Void), Address, ALLOCATES, _malloc, checking(_check_malloc)
    )
    yield simple_row(
        "raw_free", (Address,), Void, raw_free, "RPY_RAW_FREE({0})", None, effects=writing(HEAP)
    )
    yield simple_row(
        "raw_memclear", (Address, Offset), Void, raw_memclear,
        "__builtin_memset({0}, 0, (Unsigned){1})", None, effects=writing(HEAP),
        writes_bytes=True,
    )  # fmt: skip
    yield simple_row(
        "raw_memcopy", (Address, Address, Offset), Void, raw_memcopy,
        "__builtin_memmove({1}, {0}, (Unsigned){2})", None,
        effects=reading(HEAP) | writing(HEAP), writes_bytes=True,
    )  # fmt: skip


def rows() -> Iterator[LLOp]:
    """All rows of this family."""
    yield from _arithmetic()
    yield from _casts()
    yield from _memory()
