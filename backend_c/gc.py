"""How the generated code allocates: the one place that knows which collector it has.

Every operation that allocates asks here for the C expression; the macros of the collector's
header, ``runtime/rpy_gc_NAME.h``, do the rest.
"""

from __future__ import annotations

from rpython.backend_c.types import TypeTable, field_name, is_plain_items
from rpython.lltypesystem.primitives import LowLevelType, Void
from rpython.lltypesystem.types import Array, FixedSizeArray, Struct
from rpython.translator.ir.records import dataclass


@dataclass(frozen=True, slots=True)
class Collector:
    """``name``: what users call it; ``header``: what every unit includes.  ``passes``: those of
    ``translator.lower`` that make a program fit for it, in order.  ``tables``: does it ask where
    pointers are?  ``ldflags``: to link with it."""

    name: str
    header: str
    passes: tuple[str, ...] = ("lower_exceptions", "find_class_numbers", "release_gil")
    tables: bool = False
    ldflags: tuple[str, ...] = ()


COLLECTORS = {
    collector.name: collector
    for collector in (
        Collector(
            "generational", "rpy_gc_gen.h",
            (
                "lower_exceptions", "find_class_numbers", "insert_write_barriers",
                "split_allocations", "keep_roots", "release_gil_of_movers",
            ),
            tables=True,
        ),
        Collector(
            "refcount", "rpy_gc_refcount.h",
            ("lower_exceptions", "find_class_numbers", "count_references", "release_gil"),
            tables=True,
        ),
        Collector("boehm", "rpy_gc_boehm.h", tables=True, ldflags=("-lgc",)),
        Collector("none", "rpy_gc_none.h"),
    )
}

DEFAULT_COLLECTOR = "generational"


def malloc_fixed(
    types: TypeTable, T: LowLevelType, flavor: str, zero: bool, suffix: str = ""
) -> str:
    """A C expression: a new container of fixed size, NULL when there is no memory.

    ``suffix``: "_SLOW" for the attempt that may collect, after one that did not."""
    if flavor == "gc":
        return f"RPY_MALLOC{suffix}({types.name(T)}, {types.tid(T)})"
    if isinstance(T, FixedSizeArray):
        size = types.sizeof(T)
        return f"(({types.pointer_to(T)})rpy_raw_alloc({size}, {int(zero)}))"
    return f"RPY_RAW_MALLOC({types.name(T)}, {int(zero)})"


def varsized_array(T: LowLevelType) -> Array:
    """The array type of the variable part of ``T``."""
    while isinstance(T, Struct):
        assert T._arrayfld is not None
        T = T._flds[T._arrayfld]
    assert isinstance(T, Array)
    return T


def malloc_varsize(
    types: TypeTable, T: Struct | Array, flavor: str, zero: bool, length: str, suffix: str = ""
) -> str:
    """A C expression: a new container with ``length`` items in its variable part, NULL
    when there is no memory for them (or ``length`` is negative).  Its length is not set.

    ``suffix``: as in ``malloc_fixed``."""
    array = varsized_array(T)
    itemsize = types.sizeof(array.OF)
    base = items_offset(types, T)
    if flavor == "gc":
        name = types.name(T)
        operands = f"{name}, {types.tid(T)}, {base}, {itemsize}, {length}"
        return f"RPY_MALLOC_VARSIZE{suffix}({operands})"
    target = types.pointer_to(T).removesuffix("*").rstrip()
    return f"RPY_RAW_MALLOC_VARSIZE({target}, {base}, {itemsize}, {length}, {int(zero)})"


def items_offset(types: TypeTable, T: Struct | Array) -> str:
    """A C expression: the number of bytes in front of the variable part's items."""
    if is_plain_items(T):
        return "0"
    if isinstance(T, Struct):
        assert T._arrayfld is not None
        array = varsized_array(T)
        path = field_name(T._arrayfld)
        if not is_plain_items(array):
            path += ".items"
    else:
        array, path = T, "items"
    if array.OF is Void:
        return types.sizeof(T)
    return f"__builtin_offsetof({types.name(T)}, {path})"


def length_place(T: Struct | Array, pointer: str) -> str:
    """The C lvalue of the length of the variable part; '' when it has none in memory."""
    if isinstance(T, Struct):
        assert T._arrayfld is not None
        array = varsized_array(T)
        place = f"{pointer}->{field_name(T._arrayfld)}.length"
    else:
        array, place = T, f"{pointer}->length"
    return place if array._has_length() else ""
