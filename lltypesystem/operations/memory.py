"""Operations on memory, calls, and the few about the machine itself."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from rpython.lltypesystem.operations.effects import (
    ANY_FIELD,
    ANY_ITEM,
    EVERYTHING,
    HEAP,
    KEPT,
    NOTHING,
    OUTSIDE,
    PURE,
    UNKNOWN_EFFECTS,
    Effects,
    field_location,
    items_location,
    reading,
    writing,
)
from rpython.lltypesystem.operations.integers import simple_row
from rpython.lltypesystem.operations.llop import (
    ANY_PTR,
    GC_PTR,
    Callees,
    Check,
    Derives,
    LLOp,
    OperandType,
)
from rpython.lltypesystem.primitives import Char, Float, LowLevelType, Signed, UniChar, Void
from rpython.lltypesystem.rclass import OBJECTPTR
from rpython.lltypesystem.simulated.containers import ArrayBoundsError
from rpython.lltypesystem.simulated.memory import _ptr, free, make_ptr, malloc, typeOf
from rpython.lltypesystem.types import Array, ContainerType, FixedSizeArray, FuncType, Ptr, Struct
from rpython.translator.ir.model import Constant, Value

ALLOCATES = Effects(NOTHING, NOTHING, frozenset({MemoryError}), True)


UNREACHABLE_REACHED = "unreachable code reached"
"""What the program says when it stops at an unreachable end of a block."""


class FatalError(Exception):
    """The program stopped itself through ``debug_fatalerror``."""


def row(
    name: str,
    args: tuple[OperandType, ...] | None,
    result: LowLevelType | None,
    effects: Effects,
    eval: Callable[..., Any] | None,
    check: Check | None,
    *,
    c: str | None = None,
    py: str | None = None,
    refine: Callable[[Sequence[Value]], Effects] | None = None,
    typed: bool = False,
    **columns: Any,
) -> LLOp:
    """A row whose types are left to ``check``; ``columns``: the others that LLOp names."""
    return LLOp(name, args, result, effects, eval, c, py, check, refine, None, typed, **columns)


# -------------------------------------------------------------- places inside containers

Offsets = Sequence[Value]


class Place(NamedTuple):
    """Where field names and indices lead: the type there, what reading does and what writing does.
    """

    type: LowLevelType
    reads: Effects
    writes: Effects


def place_of(T: Any, offsets: Offsets) -> Place:
    """Follow field names and indices from container type ``T``.  Raises TypeError when they do not
    fit."""
    if T._places is None:
        T._places = {}
    steps = tuple([_step_by(offset) for offset in offsets])
    place: Place | None = T._places.get(steps)
    if place is None:
        place = T._places[steps] = _find_place(T, steps)
    return place


def _step_by(offset: Value) -> Any:
    """The name of a field, or the type of an index."""
    if isinstance(offset, Constant) and isinstance(offset.value, str):
        return offset.value
    return offset.concretetype


@lru_cache(KEPT)
def _find_place(container: Any, steps: tuple[Any, ...]) -> Place:
    """The same one for equal types.

    A fixed-size array of one item may be any field or item (``direct_fieldptr``), and raw memory
    may be viewed as any type, also the inside of objects.
    """
    T, location = container, None
    for step in steps:
        if isinstance(T, Struct):
            if not isinstance(step, str):
                raise TypeError(f"a field name of {T._short_name()} must be a constant")
            if step not in T._flds:
                raise TypeError(f"{T._short_name()} has no field {step!r}")
            location = field_location(T, step)
            T = T._flds[step]
        elif isinstance(T, Array | FixedSizeArray):
            if step != Signed:
                raise TypeError(f"an index must be Signed, is {step}")
            anywhere = isinstance(T, FixedSizeArray) and T.length == 1
            location = HEAP if anywhere else items_location(T.OF)
            T = T.OF
        else:
            raise TypeError(f"{T._short_name()} has no fields or items")
    if location is None:
        return Place(T, PURE, UNKNOWN_EFFECTS)
    if container._gckind == "raw":
        location = HEAP
    return Place(T, reading(location), writing(location))


def target_type(args: Offsets) -> Any:
    """The container type that operand 0 points to."""
    T = args[0].concretetype
    if not isinstance(T, Ptr):
        raise TypeError(f"operand 0 must be a pointer, is {T}")
    return T.TO


def checking(rule: Callable[[Offsets, LowLevelType], None]) -> Check:
    """A rule that raises TypeError, as a check that returns the message."""

    def check(args: Offsets, RESULT: LowLevelType) -> str | None:
        try:
            rule(args, RESULT)
        except TypeError as e:
            return str(e)
        return None

    return check


def expect(what: str, expected: LowLevelType, actual: LowLevelType) -> None:
    """Raise TypeError unless the types are equal."""
    if expected is not actual and expected != actual:
        raise TypeError(f"{what} must be {expected}, is {actual}")


def _check_read(args: Offsets, RESULT: LowLevelType) -> None:
    T = place_of(target_type(args), args[1:]).type
    if isinstance(T, ContainerType):
        raise TypeError(f"{T._short_name()} is inlined: take a pointer to it instead")
    expect("the result", T, RESULT)


def _check_write(args: Offsets, RESULT: LowLevelType) -> None:
    T = place_of(target_type(args), args[1:-1]).type
    if isinstance(T, ContainerType):
        raise TypeError(f"{T._short_name()} is inlined: it cannot be assigned")
    expect("the value", T, args[-1].concretetype)


def _check_interior(args: Offsets, RESULT: LowLevelType) -> None:
    T = place_of(target_type(args), args[1:]).type
    if not isinstance(T, ContainerType):
        raise TypeError(f"{T} is not a container: it has no pointer")
    expect("the result", Ptr(T), RESULT)


def _check_size(args: Offsets, RESULT: LowLevelType) -> None:
    T = place_of(target_type(args), args[1:]).type
    if not isinstance(T, FixedSizeArray) and not (isinstance(T, Array) and T._has_length()):
        raise TypeError(f"{T._short_name()} has no length")


def _read_effects(args: Offsets) -> Effects:
    return place_of(target_type(args), args[1:]).reads


def _write_effects(args: Offsets) -> Effects:
    return place_of(target_type(args), args[1:-1]).writes


def _step(T: Any, obj: Any, offset: Any) -> Any:
    """The value (or inlined container) at one field name or index."""
    if isinstance(T, Struct):
        return obj._getfield(T, offset)
    return _items_for(obj, offset)[offset]


def _items_for(obj: Any, index: int) -> Any:
    """The items of an array container in which ``index`` is valid."""
    items = obj.items
    if not 0 <= index < len(items):
        raise ArrayBoundsError(f"index {index} out of bounds: {len(items)} items")
    return items


def _walk(p: _ptr, offsets: Sequence[Any]) -> tuple[Any, Any]:
    """The container that ``offsets`` lead to, and its type."""
    T, obj = p._TYPE.TO, p._container()
    for offset in offsets:
        obj = _step(T, obj, offset)
        T = T._flds[offset] if isinstance(T, Struct) else T.OF
    return obj, T


def read_place(p: _ptr, *offsets: Any) -> Any:
    """The low-level value at field names and indices; the meaning of ``getfield``,
    ``getarrayitem`` and ``getinteriorfield``."""
    obj, T = _walk(p, offsets[:-1])
    return _step(T, obj, offsets[-1])


def write_place(p: _ptr, *rest: Any) -> None:
    """Store ``rest[-1]`` at the offsets before it."""
    *offsets, last, value = rest
    obj, T = _walk(p, offsets)
    if isinstance(T, Struct):
        obj._setfield(T, last, value)
    else:
        _items_for(obj, last)[last] = value


def interior_pointer(p: _ptr, *offsets: Any) -> _ptr:
    """A pointer to the inlined container at the offsets."""
    obj, T = _walk(p, offsets)
    return make_ptr(Ptr(T), obj)


def array_size(p: _ptr, *offsets: Any) -> int:
    """The number of items of the array at the offsets."""
    obj, T = _walk(p, offsets)
    return T.length if isinstance(T, FixedSizeArray) else len(obj.items)


def copy_array_items(src: _ptr, dst: _ptr, srcstart: int, dststart: int, length: int) -> None:
    """Copy items, as if through a temporary array."""
    source, target = src._container().items, dst._container().items
    if (
        length < 0
        or min(srcstart, dststart) < 0
        or (srcstart + length > len(source) or dststart + length > len(target))
    ):
        raise ArrayBoundsError(
            f"copy of {length} items from {srcstart} of {len(source)}"
            f" to {dststart} of {len(target)}"
        )
    if isinstance(source, list) and isinstance(target, list):
        target[dststart : dststart + length] = source[srcstart : srcstart + length]
        return
    values = [source[srcstart + i] for i in range(length)]
    for i, value in enumerate(values):
        target[dststart + i] = value


_FORMATS = {Char: "c", UniChar: "I", Signed: "q", Float: "d"}


def copy_array_bytes(src: _ptr, dst: _ptr, srcstart: int, dststart: int, count: int) -> None:
    """Copy bytes between arrays of items of any size; the items are counted as they are, the lowest
    byte first."""
    data = b"".join(_bytes_of(src, srcstart + i) for i in range(_items_in(src, count)))[:count]
    size = struct.calcsize(_FORMATS[typeOf(dst).TO.OF])
    for i in range(_items_in(dst, count)):
        piece = data[i * size : (i + 1) * size]
        whole = piece + _bytes_of(dst, dststart + i)[len(piece) :]
        _set_bytes(dst, dststart + i, whole)


def _items_in(p: _ptr, count: int) -> int:
    """How many items so many bytes are, or begin."""
    return -(-count // struct.calcsize(_FORMATS[typeOf(p).TO.OF]))


def _bytes_of(p: _ptr, index: int) -> bytes:
    OF, value = typeOf(p).TO.OF, p._container().items[index]
    if OF is Char:
        value = value.encode("latin-1")
    return struct.pack("<" + _FORMATS[OF], ord(value) if OF is UniChar else value)


def _set_bytes(p: _ptr, index: int, data: bytes) -> None:
    OF = typeOf(p).TO.OF
    (value,) = struct.unpack("<" + _FORMATS[OF], data)
    if OF is Char:
        value = value.decode("latin-1")
    p._container().items[index] = chr(value) if OF is UniChar else value


def _check_copy_bytes(args: Offsets, RESULT: LowLevelType) -> None:
    for A in (target_type(args), target_type(args[1:])):
        if not isinstance(A, Array) or A.OF not in _FORMATS:
            raise TypeError(f"{A._short_name()} is not an array of characters or words")


def _check_copy(args: Offsets, RESULT: LowLevelType) -> None:
    T, U = target_type(args), target_type(args[1:])
    for A in (T, U):
        if not isinstance(A, Array | FixedSizeArray) or isinstance(A.OF, ContainerType):
            raise TypeError(f"{A._short_name()} is not an array of simple values")
    expect("the items of operand 1", T.OF, U.OF)


def _copy_effects(args: Offsets) -> Effects:
    source = place_of(target_type(args), args[2:3])
    target = place_of(target_type(args[1:]), args[3:4])
    return source.reads | target.writes


# ----------------------------------------------------------------- allocation and access


def _flags(args: Offsets) -> Any:
    if not isinstance(args[1], Constant) or not hasattr(args[1].value, "get"):
        raise TypeError("operand 1 must be the constant flags, a dict")
    unknown = set(args[1].value) - {"flavor", "zero"}
    if unknown:
        raise TypeError(f"unknown malloc flags {sorted(unknown)}")
    return args[1].value


def _check_malloc(args: Offsets, RESULT: LowLevelType) -> None:
    if not isinstance(args[0], Constant) or not isinstance(args[0].value, ContainerType):
        raise TypeError("operand 0 must be a constant container type")
    T = args[0].value
    flavor = _flags(args).get("flavor", "gc")
    if flavor not in ("gc", "raw") or (flavor == "gc") != (T._gckind == "gc"):
        raise TypeError(f"flavor {flavor!r} does not fit {T._short_name()}")
    if T._is_varsize() != (len(args) == 3):
        raise TypeError(f"a length is needed exactly for variable-sized types: {T._short_name()}")
    expect("the result", Ptr(T), RESULT)


def _malloc(T: Any, flags: Any, n: int | None = None) -> _ptr:
    return malloc(T, n, flavor=flags.get("flavor", "gc"), zero=flags.get("zero", False))


def _check_free(args: Offsets, RESULT: LowLevelType) -> None:
    if not 1 <= len(args) <= 2:
        raise TypeError(f"takes a pointer and flags, has {len(args)} operands")
    if target_type(args)._gckind != "raw":
        raise TypeError(f"only raw memory can be freed, not {args[0].concretetype}")


def _free(p: _ptr, flags: Any = None) -> None:
    free(p)


def _memory_rows() -> Iterator[LLOp]:
    allocated = checking(_check_malloc)
    yield row("malloc", (Void, Void), None, ALLOCATES, _malloc, allocated,
        makes_object=True, gives_reference=True,
    )  # fmt: skip
    yield row(
        "malloc_varsize", (Void, Void, Signed), None, ALLOCATES, _malloc, allocated,
        makes_object=True, gives_reference=True,
    )  # fmt: skip
    yield row("free", None, Void, writing(HEAP), _free, checking(_check_free))

    read, write = checking(_check_read), checking(_check_write)
    interior, sized = checking(_check_interior), checking(_check_size)
    a_field, an_item = reading(ANY_FIELD), reading(ANY_ITEM)
    loads: dict[str, Any] = {"refine": _read_effects, "loads": True, "form": "read_place"}
    storing: dict[str, Any] = {"refine": _write_effects, "stores": True, "form": "write_place"}
    inside: dict[str, Any] = {"derives": Derives.INSIDE, "form": "interior_pointer"}
    yield row(
        "getfield", (ANY_PTR, Void), None, a_field, read_place, read, private=True, **loads
    )
    yield row(
        "setfield", None, Void, writing(ANY_FIELD), write_place,
        _with_count(3, write), private=True, **storing,
    )  # fmt: skip
    yield row("getsubstruct", (ANY_PTR, Void), None, PURE, interior_pointer, interior, **inside)
    yield row("getarrayitem", (ANY_PTR, Signed), None, an_item, read_place, read, **loads)
    yield row(
        "setarrayitem", None, Void, writing(ANY_ITEM), write_place,
        _with_count(3, write), **storing,
    )  # fmt: skip
    yield row("getarraysize", (ANY_PTR,), Signed, PURE, array_size, sized, form="array_size")
    yield row(
        "getarraysubstruct", (ANY_PTR, Signed), None, PURE, interior_pointer, interior, **inside
    )
    yield row(
        "getinteriorfield", None, None, reading(HEAP), read_place,
        _with_count(2, read), **loads,
    )  # fmt: skip
    yield row(
        "setinteriorfield", None, Void, writing(HEAP), write_place,
        _with_count(3, write), **storing,
    )  # fmt: skip
    yield row(
        "getinteriorarraysize", None, Signed, PURE, array_size, _with_count(1, sized),
        form="array_size",
    )  # fmt: skip
    yield row(
        "copy_array_items", (ANY_PTR, ANY_PTR, Signed, Signed, Signed), Void,
        reading(ANY_ITEM) | writing(ANY_ITEM), copy_array_items, checking(_check_copy),
        refine=_copy_effects,
    )  # fmt: skip
    yield row(
        "copy_array_bytes", (ANY_PTR, ANY_PTR, Signed, Signed, Signed), Void,
        reading(ANY_ITEM) | writing(ANY_ITEM), copy_array_bytes, checking(_check_copy_bytes),
        refine=_copy_effects,
    )  # fmt: skip


def _with_count(least: int, check: Check) -> Check:
    def counted(args: Offsets, RESULT: LowLevelType) -> str | None:
        if len(args) < least:
            return f"takes at least {least} operands, has {len(args)}"
        return check(args, RESULT)

    return counted


# --------------------------------------------------------------------- calls and machine


def _check_call(args: Offsets, RESULT: LowLevelType, given: Offsets) -> None:
    F = target_type(args)
    if not isinstance(F, FuncType):
        raise TypeError(f"{F._short_name()} is not a function")
    if len(given) != len(F.ARGS):
        raise TypeError(f"the function takes {len(F.ARGS)} arguments, {len(given)} are given")
    for i, (A, arg) in enumerate(zip(F.ARGS, given, strict=True)):
        if A is not Void:
            expect(f"argument {i}", A, arg.concretetype)
    expect("the result", F.RESULT, RESULT)


def _check_direct_call(args: Offsets, RESULT: LowLevelType) -> None:
    if not args or not isinstance(args[0], Constant):
        raise TypeError("operand 0 must be a constant function pointer")
    _check_call(args, RESULT, args[1:])


def _check_indirect_call(args: Offsets, RESULT: LowLevelType) -> None:
    if len(args) < 2 or not isinstance(args[-1], Constant) or args[-1].concretetype != Void:
        raise TypeError("the last operand must be the constant list of possible graphs, or None")
    _check_call(args, RESULT, args[1:-1])


def _direct_callees(args: Offsets) -> Callees:
    callee: Any = args[0]
    function = callee.value._obj
    graph = function.graph
    if graph is not None:
        known: Callees | None = function.called  # asked for again and again
        if known is None or known.graphs[0] is not graph:
            known = function.called = Callees((graph,), direct=True)
        return known
    # a piece of C of the program's own may call back
    return Callees(external=function, direct=True, calls_back=function.glue is not None)


def _indirect_callees(args: Offsets) -> Callees:
    possible: Any = args[-1]
    return Callees(anybody=True) if possible.value is None else Callees(tuple(possible.value))


def _check_fatalerror(args: Offsets, RESULT: LowLevelType) -> None:
    if not isinstance(args[0], Constant) or not isinstance(args[0].value, str):
        raise TypeError("operand 0 must be a constant str")


def _fatalerror(message: str) -> None:
    raise FatalError(message)


def _nothing(*args: Any) -> None:
    """Stack checks are the host's own, and simulated memory is kept alive by references."""


def _machine_rows() -> Iterator[LLOp]:
    yield row(
        "direct_call", None, None, UNKNOWN_EFFECTS, None, checking(_check_direct_call),
        callees=_direct_callees, gives_reference=True,
    )  # fmt: skip
    yield row(
        "indirect_call", None, None, UNKNOWN_EFFECTS, None, checking(_check_indirect_call),
        callees=_indirect_callees, gives_reference=True,
    )  # fmt: skip
    yield row(
        "stack_check", (), Void,
        Effects(NOTHING, NOTHING, frozenset({RecursionError}), False), _nothing, None,
        py="", safepoint=True,
    )  # fmt: skip
    yield row(  # what other threads and signals ask for is done here
        "safepoint", (), Void,
        Effects(
            frozenset({EVERYTHING}), frozenset({EVERYTHING}), frozenset({KeyboardInterrupt}), False
        ),
        _nothing, None, py="safepoint()", safepoint=True,
    )  # fmt: skip
    yield simple_row(
        "keepalive", (ANY_PTR,), Void, _nothing, "RPY_KEEPALIVE({0})", "",
        effects=Effects(frozenset({EVERYTHING}), frozenset({OUTSIDE}), frozenset(), False),
        private=True, for_programs=True,
    )  # fmt: skip
    yield row(
        "debug_fatalerror", (Void,), Void,
        Effects(frozenset({EVERYTHING}), frozenset({OUTSIDE}), frozenset(), False),
        _fatalerror, checking(_check_fatalerror), for_programs=True,
    )  # fmt: skip


def _traceback_rows() -> Iterator[LLOp]:
    """What tracebacks have to know: see translator.ir.intrinsics."""
    told = Effects(NOTHING, frozenset({OUTSIDE}), frozenset(), False)
    yield row(
        "handler_enter", (GC_PTR, Signed), Void, told, None, None, py="handling.enter({0}, {1})"
    )
    yield row("handler_leave", (Signed,), Void, told, None, None, py="handling.leave({0})")
    yield row(
        "raised_here", (GC_PTR,), Void, told, None, None, py="handling.raised_here({0})",
        asks_handled=True,
    )  # fmt: skip
    asked = Effects(frozenset({OUTSIDE}), frozenset({OUTSIDE}), frozenset(), False)
    yield row(
        "exception_context", (GC_PTR,), OBJECTPTR, asked, None, None, py="handling.context({0})"
    )
    yield row(
        "set_context", (GC_PTR, GC_PTR), Void, told, None, None,
        py="handling.set_context({0}, {1})",
    )  # fmt: skip
    yield row("set_cause", (GC_PTR, GC_PTR), Void, told, _nothing, None, py="")
    for name in ("forget_traceback", "print_traceback"):
        yield row(name, (GC_PTR,), Void, told, _nothing, None, py="", form="about_traceback")
    yield row(  # asks the program for the texts of exceptions
        "report_handled", (), Signed,
        Effects(frozenset({EVERYTHING}), frozenset({EVERYTHING}), frozenset(), False),
        lambda: -1, None, c="rpy_report_handled()", py="-1",
        callees=lambda args: Callees(calls_back=True), asks_handled=True,
    )  # fmt: skip
    yield row(
        "report_of", (GC_PTR,), Signed,
        Effects(frozenset({EVERYTHING}), frozenset({EVERYTHING}), frozenset(), False),
        lambda exc: -1, None, c="rpy_report_of((void *){0})", py="-1",
        callees=lambda args: Callees(calls_back=True),
    )  # fmt: skip
    yield row(
        "report_byte", (Signed,), Signed, asked, lambda n: -1, None, c="rpy_report_byte({0})",
        py="-1",
    )  # fmt: skip


def rows() -> Iterator[LLOp]:
    """All rows of this family."""
    yield from _memory_rows()
    yield from _machine_rows()
    yield from _traceback_rows()
