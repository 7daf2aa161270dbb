"""Constant offsets and addresses -> C expressions.

    offsetof(S, "x") + ...              (Offset)(__builtin_offsetof(s_S, f_x) + ...)
    the address of item 3 of p          ((Address)&d_array.items[3])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rpython.backend_c.gc import items_offset
from rpython.backend_c.types import TypeTable, field_name, is_plain_items
from rpython.lltypesystem.simulated.addresses import LENGTH, fakeaddress, step_type
from rpython.lltypesystem.simulated.containers import _func, _opaque
from rpython.lltypesystem.simulated.memory import _ptr, make_ptr
from rpython.lltypesystem.simulated.offsets import AddressOffset, Step
from rpython.lltypesystem.types import Ptr, Struct


def offset_expression(types: TypeTable, offset: AddressOffset) -> str:
    """The number of bytes that a constant offset is."""
    parts = [_step(types, step) for step in offset.steps]
    return f"((Offset)({' + '.join(parts) or '0'}))"


def _step(types: TypeTable, step: Step) -> str:
    T = step.TYPE
    if step.kind == "field":
        text = f"__builtin_offsetof({types.name(T)}, {field_name(step.what)})"
    elif step.kind == "items":
        text = items_offset(types, T)
    elif step.kind == "length":
        text = f"__builtin_offsetof({types.name(T)}, length)"
    else:
        return f"{step.what}L * (Offset){types.sizeof(T)}"
    return f"-(Offset){text}" if step.backwards else f"(Offset){text}"


def address_expression(
    adr: fakeaddress,
    pointer: Callable[[_ptr], str],
    place: Callable[[Any], str],
    slot_path: Callable[[Struct, str], str],
) -> str:
    """The address of a place in prebuilt memory; ``place`` gives the C lvalue of a container
    that is not inlined."""
    if not adr:
        return "((Address)0)"
    top = adr._memory()
    T = top._TYPE
    if isinstance(top, _func | _opaque):
        return f"((Address){pointer(make_ptr(Ptr(T), top))})"
    text = place(top)
    for key in adr._path:
        if key == LENGTH:
            text += ".length"
        elif isinstance(T, Struct):
            text += slot_path(T, key)
        else:
            text += f"[{key}]" if is_plain_items(T) else f".items[{key}]"
        T = step_type(T, key)
    return f"((Address)&{text})"
