"""The columns of low-level rows, held against what simulated memory sees when the rows run.

Every row that takes a pointer or an address runs on operands given here; a column that promises
something of it is compared with what happened, in both directions where that is possible.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from oplaws import edges, primitive_instances

from rpython.lltypesystem import llmemory
from rpython.lltypesystem import lltype as L
from rpython.lltypesystem.lloperation import is_for_programs
from rpython.lltypesystem.operations.llop import Derives, Kind, LLOp
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.rclass import OBJECT, OBJECT_VTABLE, OBJECTPTR, make_instance, make_vtable
from rpython.lltypesystem.simulated.addresses import fakeaddress, whole_memory
from rpython.lltypesystem.simulated.casts import top_container
from rpython.lltypesystem.simulated.containers import _array, _struct
from rpython.lltypesystem.simulated.memory import _ptr

BINARY = [i for i in primitive_instances() if len(i.args) == 2 and i.result is L.Bool]

INNER = L.Struct("inner", ("n", L.Signed))
NODE = L.GcStruct("node", ("n", L.Signed), ("inner", INNER))
SUB = L.GcStruct("sub", ("node", NODE), ("more", L.Signed))
INNERS = L.GcArray(INNER)
NUMBERS = L.GcArray(L.Signed)
RAW = L.Array(L.Signed, hints={"nolength": True})
HIDDEN = L.Ptr(L.GcOpaqueType("hidden"))


def node() -> _ptr:
    return L.malloc(NODE, zero=True)


def numbers() -> _ptr:
    return L.malloc(NUMBERS, 3, zero=True)


KEPT = numbers()


def raw() -> _ptr:
    return L.malloc(RAW, 3, flavor="raw", zero=True)


def instance() -> _ptr:
    return make_instance(OBJECT, make_vtable(OBJECT_VTABLE, "thing", 3, 4))


def address() -> fakeaddress:
    return llmemory.cast_ptr_to_adr(raw())


def one() -> Any:
    return llmemory.sizeof(L.Signed)


OPERANDS: dict[str, Callable[[], tuple[Any, list[Any]]]] = {
    "same_as": lambda: (None, [node()]),
    "free": lambda: (None, [raw()]),
    "getfield": lambda: (None, [node(), "n"]),
    "setfield": lambda: (None, [node(), "n", 7]),
    "getsubstruct": lambda: (None, [node(), "inner"]),
    "getarrayitem": lambda: (None, [numbers(), 1]),
    "setarrayitem": lambda: (None, [numbers(), 1, 7]),
    "getarraysize": lambda: (None, [numbers()]),
    "getarraysubstruct": lambda: (None, [L.malloc(INNERS, 2, zero=True), 1]),
    "getinteriorfield": lambda: (None, [node(), "inner", "n"]),
    "setinteriorfield": lambda: (None, [node(), "inner", "n", 7]),
    "getinteriorarraysize": lambda: (None, [numbers()]),
    "copy_array_items": lambda: (None, [numbers(), numbers(), 0, 1, 2]),
    "copy_array_bytes": lambda: (None, [numbers(), numbers(), 0, 1, 16]),
    "keepalive": lambda: (None, [node()]),
    "ptr_eq": lambda: (None, [node(), node()]),
    "ptr_ne": lambda: (None, [node(), node()]),
    "ptr_nonzero": lambda: (None, [node()]),
    "ptr_iszero": lambda: (None, [node()]),
    "cast_ptr_to_int": lambda: (None, [node()]),
    "cast_pointer": lambda: (L.Ptr(NODE), [L.malloc(SUB, zero=True)]),
    "cast_opaque_ptr": lambda: (HIDDEN, [node()]),
    "direct_fieldptr": lambda: (None, [node(), "n"]),
    "direct_arrayitems": lambda: (None, [numbers()]),
    "direct_ptradd": lambda: (None, [L.direct_arrayitems(KEPT), 1]),
    "gc_identityhash": lambda: (None, [node()]),
    "gc_is_instance": lambda: (None, [node(), NODE]),
    "class_number": lambda: (None, [instance()]),
    "adr_add": lambda: (None, [address(), one()]),
    "adr_sub": lambda: (None, [address() + one(), one()]),
    "cast_ptr_to_adr": lambda: (None, [node()]),
    "cast_adr_to_ptr": lambda: (L.Ptr(RAW), [address()]),
    "raw_load": lambda: (L.Signed, [address(), 1]),
    "raw_store": lambda: (None, [L.Signed, address(), 1, 7]),
    "raw_free": lambda: (None, [address()]),
    "raw_memclear": lambda: (None, [address(), one()]),
    "raw_memcopy": lambda: (None, [address(), address(), one()]),
}
"""The result type, for rows that ask for it, and fresh operands."""

LATER = {"runtime_type_info", "gc_register_finalizer", "report_of"}
"""Rows that need objects of a whole program; their own tests run them."""

CHANGING = ("free", "copy_array_items", "copy_array_bytes")
"""Those that write to something else than what the first operand points to, or end it."""

LOWERED = {
    "gc_exchange": "setfield", "gc_store_weak": "setfield", "gc_copy_items": "copy_array_items",
}  # fmt: skip
"""Rows that lowering puts in the place of others, whose columns they have; with operands of their
own (``tests/cases/lower`` runs them)."""


def takes_pointer(row: LLOp) -> bool:
    if row.args is None:
        return True
    return any(T in (L.Address, OBJECTPTR) or (isinstance(T, Kind) and "pointer" in T.name)
               for T in row.args)  # fmt: skip


def is_about_addresses(row: LLOp) -> bool:
    """Numbers and truths made of addresses, and what does nothing in simulated memory."""
    return row.py == "" or (row.result is not None and row.args is not None
                            and L.Address in row.args and row.result is not L.Address)  # fmt: skip


ROWS = [row for row in LLOPS if row.name in OPERANDS]


def test_every_row_with_pointers_is_here() -> None:
    wanted = {row.name for row in LLOPS if row.eval is not None and takes_pointer(row)}
    known = {*OPERANDS, *LATER, *LOWERED}
    assert {name for name in wanted - known if not is_about_addresses(LLOPS[name])} == set()


def run(row: LLOp, RESULT: Any, operands: list[Any]) -> Any:
    assert row.eval is not None
    return row.eval(RESULT, *operands) if row.typed else row.eval(*operands)


def container(value: Any) -> Any:
    """The memory that a pointer or an address is about."""
    if isinstance(value, fakeaddress):
        return top_container(whole_memory(value)._obj)
    return top_container(value._obj) if isinstance(value, _ptr) else None


def places(value: Any) -> Iterator[Any]:
    """What stands in the memory that is reached from an operand."""
    obj = container(value)
    if isinstance(obj, _array):
        yield from obj.items
    elif isinstance(obj, _struct):
        yield from (v for name, v in vars(obj).items() if not name.startswith("_"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_derives(row: LLOp) -> None:
    RESULT, operands = OPERANDS[row.name]()
    before = container(operands[0])
    result = run(row, RESULT, operands)
    assert (row.derives is not None) == (container(result) is not None)
    if row.derives is not None:
        assert container(result) is before
    if row.derives is Derives.SAME:
        assert L.cast_ptr_to_int(result) == L.cast_ptr_to_int(operands[0])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_loads_and_stores(row: LLOp) -> None:
    RESULT, operands = OPERANDS[row.name]()
    if row.stores:
        reading = next(r for r in LLOPS if r.loads and r.name == row.name.replace("set", "get"))
        run(row, RESULT, operands)
        assert run(reading, None, operands[:-1]) == operands[-1]
        assert row.effects.writes and not row.effects.reads
    elif row.loads:
        storing = next(r for r in LLOPS if r.stores and r.name == row.name.replace("get", "set"))
        run(storing, None, [*operands, 11])
        assert run(row, RESULT, operands) == 11
        assert row.effects.reads and not row.effects.writes
    elif isinstance(operands[0], _ptr) and row.name not in CHANGING:
        before = list(places(operands[0]))
        run(row, RESULT, operands)
        assert list(places(operands[0])) == before
        assert not row.effects.writes or row.py == ""


@pytest.mark.parametrize("row", [r for r in ROWS if r.private], ids=lambda row: row.name)
def test_private_operations_keep_the_pointer(row: LLOp) -> None:
    RESULT, operands = OPERANDS[row.name]()
    result = run(row, RESULT, operands)
    assert container(result) is None
    obj = container(operands[0])
    assert all(container(v) is not obj for other in operands[1:] for v in places(other))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_what_varies(row: LLOp) -> None:
    """Two objects that are alike give numbers that differ only where the row says so."""
    if row.result is L.Signed:
        first, second = (OPERANDS[row.name]() for _ in range(2))
        assert (run(row, *first) != run(row, *second)) == row.varies


@pytest.mark.parametrize("row", [r for r in LLOPS if r.writes_bytes], ids=lambda row: row.name)
def test_bytes_are_written_anywhere(row: LLOp) -> None:
    RESULT, operands = OPERANDS[row.name]()
    target = operands[-2]
    memory = container(target)
    memory.items[0] = 5
    run(row, RESULT, operands)
    assert memory.items[0] == 0
    assert not row.stores


@pytest.mark.parametrize("instance", BINARY, ids=repr)
def test_comparisons_that_ask_for_equality(instance: Any) -> None:
    first, second = map(edges, instance.args)
    pairs = [(a, b) for a in first[::3] for b in [a, *second[::5]]]
    given = [(a == b, instance.eval((a, b))) for a, b in pairs]
    for answer in (True, False):
        asks = all(result == (equal == answer) for equal, result in given)
        assert asks == (instance.row.if_equal is answer)


def test_new_objects() -> None:
    for row in LLOPS:
        if row.makes_object:
            assert row.gives_reference
            in_nursery = row.name in ("nursery_malloc", "nursery_malloc_varsize")
            assert row.effects.collects != in_nursery  # where there is no room, it gives null
            flags = {"flavor": "gc"}
            operands = [NODE, flags] if len(row.args or ()) == 2 else [NUMBERS, flags, 2]
            assert run(row, None, operands) != run(row, None, operands)


def test_calls() -> None:
    for row in LLOPS:
        assert not row.is_call or (row.gives_reference and row.c is None)
        assert not (row.stores and row.loads)
        assert not row.for_programs or is_for_programs(row.name)


@pytest.mark.parametrize(("name", "like"), LOWERED.items())
def test_lowered_rows(name: str, like: str) -> None:
    row, other = LLOPS[name], LLOPS[like]
    assert (row.stores, row.loads) == (other.stores, other.loads)
    assert row.effects.writes and other.effects.writes and not row.makes_object


@pytest.mark.parametrize("row", [r for r in LLOPS if r.slope], ids=lambda row: row.name)
def test_slopes(row: LLOp) -> None:
    """Where numbers do not wrap; a part rises with the number that it is of, where it is one."""
    assert row.args is not None and row.eval is not None
    T, *others = row.args
    assert isinstance(T, L.Primitive)
    make = type(T._default)
    numbers = [make(n) for n in range(-20 if T.signed else 0, 21)]
    if row.slope == "same":
        assert not others
        assert all(row.eval(n) == n for n in numbers if n >= 0)
        return
    small = [type(others[0]._default)(n) for n in range(1, 9)]
    if row.slope == "part":
        for b in small:
            parts = [row.eval(a, b) for a in numbers if row.domain is None or row.domain(a, b)]
            assert parts == sorted(parts)
        return
    expected = {"sum": operator.add, "difference": operator.sub, "product": operator.mul}
    function = expected[row.slope]
    assert all(row.eval(a, b) == function(a, b) for a in numbers[-10:] for b in small)


_ENDS = (L.Signed.min, L.Signed.min + 1, -7, -1, 0, 1, 2, 64, L.Signed.max - 1, L.Signed.max)


@pytest.mark.parametrize("row", [r for r in LLOPS if r.total], ids=lambda row: row.name)
def test_total(row: LLOp) -> None:
    """It is only for some operands, and there the other row does the same."""
    other = LLOPS[row.total]
    assert row.domain is not None and row.eval is not None and other.eval is not None
    assert not other.total and row.slope == other.slope and row.args == other.args
    operands = list(itertools.product(_ENDS, repeat=len(row.args or ())))
    inside = [each for each in operands if row.domain(*each)]
    assert 0 < len(inside) < len(operands)
    assert all(row.eval(*each) == other.eval(*each) for each in inside)


@pytest.mark.parametrize("row", [r for r in LLOPS if r.unchecked], ids=lambda row: row.name)
def test_proven(row: LLOp) -> None:
    """It does the same where nothing overflows, and is for nothing else, if it says so."""
    proven = LLOPS[row.proven]
    assert row.eval is not None and proven.eval is not None
    assert LLOPS[row.unchecked].proven in ("", row.proven)
    for operands in itertools.product(_ENDS, repeat=len(row.args or ())):
        if row.domain is not None and not row.domain(*operands):
            continue
        try:
            result = row.eval(*operands)
        except OverflowError:
            assert not proven.exact or not proven.domain(*operands)
        else:
            assert proven.eval(*operands) == result


def test_what_has_a_slope() -> None:
    names = {row.name for row in LLOPS if row.slope}
    assert {"int_add", "int_sub_ovf", "int_mul", "int_floordiv", "cast_int_to_uint"} <= names
    assert not names & {"int_mod", "int_and", "uint_xor", "int_abs", "float_add"}
