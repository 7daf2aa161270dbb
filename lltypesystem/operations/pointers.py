"""Operations on pointers themselves: comparisons, casts, pointers into containers."""

from __future__ import annotations

from collections.abc import Iterator

from rpython.lltypesystem.operations.effects import PURE
from rpython.lltypesystem.operations.integers import simple_row
from rpython.lltypesystem.operations.llop import ANY_PTR, GC_PTR, Derives, LLOp
from rpython.lltypesystem.operations.memory import Offsets, checking, expect, row, target_type
from rpython.lltypesystem.primitives import Bool, LowLevelType, Signed, Void
from rpython.lltypesystem.simulated.addresses import cast_ptr_to_int
from rpython.lltypesystem.simulated.casts import (
    cast_opaque_ptr,
    cast_pointer,
    direct_arrayitems,
    direct_fieldptr,
    direct_fieldptr_type,
    direct_ptradd,
    identityhash,
    is_bare_array,
    runtime_type_info,
)
from rpython.lltypesystem.simulated.containers import is_instance_container, same_container
from rpython.lltypesystem.simulated.memory import _ptr
from rpython.lltypesystem.types import (
    Array,
    FixedSizeArray,
    GcArray,
    GcStruct,
    OpaqueType,
    Ptr,
    RuntimeTypeInfo,
    castable,
)
from rpython.translator.ir.model import Constant


def _check_same_pointers(args: Offsets, RESULT: LowLevelType) -> None:
    expect("operand 1", args[0].concretetype, args[1].concretetype)


def _check_cast_pointer(args: Offsets, RESULT: LowLevelType) -> None:
    if not isinstance(RESULT, Ptr):
        raise TypeError(f"the result must be a pointer, is {RESULT}")
    castable(RESULT, args[0].concretetype)


def _check_cast_opaque(args: Offsets, RESULT: LowLevelType) -> None:
    A = args[0].concretetype
    if not isinstance(RESULT, Ptr) or RESULT._gckind != A._gckind:
        raise TypeError(f"cannot cast {A} to {RESULT}")
    if A != RESULT and not any(isinstance(T.TO, OpaqueType) for T in (A, RESULT)):
        raise TypeError(f"neither {A} nor {RESULT} is opaque")


def _check_fieldptr(args: Offsets, RESULT: LowLevelType) -> None:
    if not isinstance(args[1], Constant):
        raise TypeError("the field name must be a constant")
    expect("the result", direct_fieldptr_type(target_type(args), args[1].value), RESULT)


def _check_arrayitems(args: Offsets, RESULT: LowLevelType) -> None:
    T = target_type(args)
    if not isinstance(T, Array | FixedSizeArray):
        raise TypeError(f"{T._short_name()} is not an array")
    expect("the result", Ptr(FixedSizeArray(T.OF, 1)), RESULT)


def _check_ptradd(args: Offsets, RESULT: LowLevelType) -> None:
    if not is_bare_array(target_type(args)):
        raise TypeError(f"{target_type(args)._short_name()} is not a bare array")
    expect("the result", args[0].concretetype, RESULT)


def _check_runtime_type(args: Offsets, RESULT: LowLevelType) -> None:
    if not isinstance(target_type(args), GcStruct):
        raise TypeError(f"{target_type(args)._short_name()} is not a GcStruct")


def _check_is_instance(args: Offsets, RESULT: LowLevelType) -> None:
    if not isinstance(args[1], Constant) or not isinstance(args[1].value, GcStruct | GcArray):
        raise TypeError("operand 1 must be a constant GC type")


def _is_instance(p: _ptr, T: LowLevelType) -> bool:
    return is_instance_container(p._container(), T)


def _ptr_eq(a: _ptr, b: _ptr) -> bool:
    return same_container(a._obj, b._obj)


def _ptr_ne(a: _ptr, b: _ptr) -> bool:
    return not same_container(a._obj, b._obj)


def _ptr_nonzero(p: _ptr) -> bool:
    return p._obj is not None


def _ptr_iszero(p: _ptr) -> bool:
    return p._obj is None


def _comparisons() -> Iterator[LLOp]:
    two = (ANY_PTR, ANY_PTR)
    same = checking(_check_same_pointers)
    yield row(
        "ptr_eq", two, Bool, PURE, _ptr_eq, same, c="{0} == {1}", relation="eq", for_programs=True
    )
    yield row(
        "ptr_ne", two, Bool, PURE, _ptr_ne, same, c="{0} != {1}", relation="ne", for_programs=True
    )
    yield simple_row(
        "ptr_nonzero", (ANY_PTR,), Bool, _ptr_nonzero, "{0} != NULL", "{0}._obj is not None",
        private=True, for_programs=True, if_zero=False,
    )  # fmt: skip
    yield simple_row(
        "ptr_iszero", (ANY_PTR,), Bool, _ptr_iszero, "{0} == NULL", "{0}._obj is None",
        private=True, for_programs=True, if_zero=True,
    )  # fmt: skip


def _casts() -> Iterator[LLOp]:
    yield simple_row(
        "cast_ptr_to_int", (ANY_PTR,), Signed, cast_ptr_to_int, "(Signed){0}", None,
        varies=True, for_programs=True,
    )  # fmt: skip
    yield row(
        "cast_pointer", (ANY_PTR,), None, PURE, cast_pointer, checking(_check_cast_pointer),
        c="({R}){0}", typed=True, derives=Derives.SAME,
    )  # fmt: skip
    yield row(
        "cast_opaque_ptr", (ANY_PTR,), None, PURE, cast_opaque_ptr, checking(_check_cast_opaque),
        c="({R}){0}", typed=True, derives=Derives.SAME,
    )  # fmt: skip


def _interior_pointers() -> Iterator[LLOp]:
    yield row(
        "direct_fieldptr", (ANY_PTR, Void), None, PURE, direct_fieldptr,
        checking(_check_fieldptr), derives=Derives.INSIDE,
    )  # fmt: skip
    yield row(
        "direct_arrayitems", (ANY_PTR,), None, PURE, direct_arrayitems,
        checking(_check_arrayitems), derives=Derives.INSIDE,
    )  # fmt: skip
    yield row(
        "direct_ptradd", (ANY_PTR, Signed), None, PURE, direct_ptradd,
        checking(_check_ptradd), derives=Derives.INSIDE,
    )  # fmt: skip


def rows() -> Iterator[LLOp]:
    """All rows of this family."""
    yield from _comparisons()
    yield from _casts()
    yield from _interior_pointers()
    yield simple_row(
        "gc_identityhash", (GC_PTR,), Signed, identityhash, "RPY_GC_IDENTITYHASH({0})", None,
        varies=True, for_programs=True,
    )  # fmt: skip
    yield row(
        "runtime_type_info", (GC_PTR,), Ptr(RuntimeTypeInfo), PURE, runtime_type_info,
        checking(_check_runtime_type), c="RPY_GC_RUNTIME_TYPE_INFO({0})",
    )  # fmt: skip
    yield row(
        "gc_is_instance", (GC_PTR, Void), Bool, PURE, _is_instance, checking(_check_is_instance)
    )
