"""Casts, pointers into the middle of containers, and facts about whole containers."""

from __future__ import annotations

import math
from typing import Any, NoReturn

from rpython.lltypesystem.layout import layout
from rpython.lltypesystem.primitives import (
    Bool,
    Char,
    Float,
    LowLevelType,
    Primitive,
    SingleFloat,
    UniChar,
    Void,
)
from rpython.lltypesystem.rarithmetic import intmask, round_to_single
from rpython.lltypesystem.simulated.containers import (
    ArrayBoundsError,
    MemoryFault,
    _array,
    _container,
    _opaque,
    is_instance_container,
    new_shared,
)
from rpython.lltypesystem.simulated.memory import _ptr, make_ptr
from rpython.lltypesystem.types import (
    Array,
    ContainerType,
    FixedSizeArray,
    FuncType,
    GcStruct,
    OpaqueType,
    Ptr,
    RuntimeTypeInfo,
    Struct,
    castable,
)


def cast_primitive(TARGET: LowLevelType, value: Any) -> Any:
    """``value`` (int, float, bool, character) converted to primitive type ``TARGET``:
    integers wrap, floats truncate toward zero.  Returns what user code sees, that is
    sized ints boxed.  Raises OverflowError for a float, ValueError for the number of a
    character, that is out of range."""
    if isinstance(value, float) and not float_converts(TARGET, value):
        raise OverflowError(f"cast_primitive: the float is out of the range of {TARGET}")
    low = convert_primitive(TARGET, value)
    assert isinstance(TARGET, Primitive)
    return low if TARGET.box is None else TARGET.box(low)


def range_of(T: Primitive) -> tuple[int, int] | None:
    """The numbers that can be converted to an integer or character type; None for others."""
    if T.is_integer:
        return T.min, T.max
    return {Char: (0, 0xFF), UniChar: (0, 0x10FFFF)}.get(T)


def float_converts(TARGET: LowLevelType, value: float) -> bool:
    """Is the float, truncated, in the range of the type?  C leaves others undefined."""
    limits = range_of(TARGET) if isinstance(TARGET, Primitive) else None
    return limits is None or (math.isfinite(value) and limits[0] <= int(value) <= limits[1])


def convert_primitive(TARGET: LowLevelType, value: Any) -> Any:
    """The same on low-level values; the definition of the ``cast_primitive`` operation."""
    if not isinstance(TARGET, Primitive) or TARGET is Void:
        raise TypeError(f"cast_primitive: {TARGET} is not a primitive type with values")
    if isinstance(value, str):
        value = ord(value)
    if TARGET.is_integer:
        return TARGET.wrap(int(value))
    if TARGET is Float:
        return float(value)
    if TARGET is SingleFloat:
        return round_to_single(_shortened(value) if isinstance(value, int) else value)
    if TARGET is Bool:
        return bool(value)
    if TARGET is Char:
        return chr(int(value) & 0xFF)
    if TARGET is UniChar:
        return chr(int(value))
    raise TypeError(f"cast_primitive: cannot convert {value!r} to {TARGET}")


def _shortened(n: int) -> float:
    """``n`` as a float that rounds to 32 bits as ``n`` itself would: high bits, and the
    last one set when anything below was (rounding to odd), so that rounding twice is
    rounding once."""
    excess = max(abs(n).bit_length() - 50, 0)
    high = abs(n) >> excess
    if high << excess != abs(n):
        high |= 1
    return math.copysign(math.ldexp(high, excess), n)


def cast_pointer(TARGET: Any, p: _ptr) -> _ptr:
    """``p`` as a pointer to a struct that its type extends, or that extends its type.

    Raises TypeError when neither holds, MemoryFault when the object is not of the type
    asked for.
    """
    if not isinstance(TARGET, Ptr) or not isinstance(p, _ptr):
        raise TypeError(f"cast_pointer: {TARGET!r} and {p!r} must be a Ptr type and a pointer")
    steps = castable(TARGET, p._TYPE)
    if steps == 0:
        return p
    if steps < 0 and p._obj is not None and not is_instance_container(p._obj, TARGET.TO):
        type_confusion(p._obj, TARGET)
    return make_ptr(TARGET, p._obj)


def cast_opaque_ptr(TARGET: Any, p: _ptr) -> _ptr:
    """Forget or recover the type of a GC pointer, through a ``Ptr(GcOpaqueType)``.

    Recovering a type the object does not have raises MemoryFault.
    """
    SOURCE = p._TYPE
    if SOURCE == TARGET:
        return p
    to_opaque = isinstance(TARGET.TO, OpaqueType)
    if not (to_opaque or isinstance(SOURCE.TO, OpaqueType)) or SOURCE._gckind != TARGET._gckind:
        raise TypeError(f"cast_opaque_ptr: cannot cast {SOURCE} to {TARGET}")
    obj = p._obj
    if obj is not None and not to_opaque and not is_instance_container(obj, TARGET.TO):
        raise MemoryFault(
            f"cast_opaque_ptr: a {obj._TYPE._short_name()} is no {TARGET.TO._short_name()}"
        )
    return make_ptr(TARGET, obj)


def type_confusion(obj: Any, TARGET: Ptr) -> NoReturn:
    """Raise the MemoryFault for a downcast to a type the object does not have."""
    raise MemoryFault(
        f"cast_pointer: the object is a {obj._TYPE._short_name()}, not a {TARGET.TO._short_name()}"
    )


# ----------------------------------------------- pointers into the middle of containers


class _FieldItems:
    """One field of a struct, seen as the items of an array of length 1.  ``view``: that array,
    inlined in the struct."""

    def __init__(self, view: _container, slot: str) -> None:
        self.view = view
        self.slot = slot

    def __len__(self) -> int:
        return 1

    def __getitem__(self, index: int) -> Any:
        return getattr(self._struct_for(index), self.slot)

    def __setitem__(self, index: int, value: Any) -> None:
        setattr(self._struct_for(index), self.slot, value)

    def _struct_for(self, index: int) -> Any:
        if index != 0:
            raise ArrayBoundsError(f"index {index} out of bounds: a pointer to one field")
        return self.view._parentstructure()


def is_field_pointer(obj: _container) -> bool:
    """Did ``direct_fieldptr`` make a pointer to this container?"""
    return isinstance(obj, _array) and isinstance(obj.items, _FieldItems)


class ShiftedItems:
    """The items of an array from index ``base`` on."""

    def __init__(self, items: Any, base: int) -> None:
        self.items = items
        self.base = base

    def __len__(self) -> int:
        return len(self.items) - self.base

    def __getitem__(self, index: int) -> Any:
        return self.items[self._at(index)]

    def __setitem__(self, index: int, value: Any) -> None:
        self.items[self._at(index)] = value

    def _at(self, index: int) -> int:
        at = self.base + index
        if not 0 <= at < len(self.items):
            raise ArrayBoundsError(f"index {index} out of bounds: {len(self)} items")
        return at


BYTES_AT = "bytes"
"""The first part of the key of a view at an offset in bytes."""


class _view(_array):
    """A part of another container, its parent, under another type."""

    def _kill(self) -> None:
        _container._kill(self)  # the items are the parent's


def new_view(T: Any, parent: _container, key: Any, items: Any) -> Any:
    """``items``: those of the view; None for the field that ``key`` is the slot of."""
    views = parent.__dict__.setdefault("_views", {})
    view = views.get((T, key))
    if view is None:
        view = _view()
        view._TYPE = T
        view._set_parent(parent, key)
        view.items = _FieldItems(view, key) if items is None else items
        views[T, key] = view
    return view


def bytes_view(T: Any, top: _container, at: int) -> Any:
    """A container of type ``T`` for what is at byte ``at`` of a piece of memory that has shared
    bytes."""
    views = top.__dict__.setdefault("_views", {})
    key = (BYTES_AT, at)
    view = views.get((T, key))
    if view is None:
        view = new_shared(T, top._shared, at, None if isinstance(T, Struct) else _view)
        if not isinstance(T, Struct):
            view._TYPE = T
        view._set_parent(top, key)
        views[T, key] = view
    return view


def is_bytes_view(obj: _container) -> bool:
    key = obj._parentkey
    return isinstance(key, tuple) and key[0] == BYTES_AT


def direct_fieldptr_type(S: Any, field: str) -> Ptr:
    """The type of a pointer to field ``field`` of an ``S``.  Raises TypeError."""
    if not isinstance(S, Struct) or field not in S._flds:
        raise TypeError(f"direct_fieldptr: {S._short_name()} has no field {field!r}")
    F = S._flds[field]
    if isinstance(F, ContainerType):
        raise TypeError(f"direct_fieldptr: field {field!r} is inlined: use p.{field}")
    if F is Void:
        raise TypeError(f"direct_fieldptr: field {field!r} is Void: it has no memory")
    return Ptr(FixedSizeArray(F, 1))


def direct_fieldptr(p: _ptr, field: str) -> _ptr:
    """A pointer to one simple field of a struct: ``Ptr(FixedSizeArray(TYPE, 1))``."""
    S = p._TYPE.TO
    T = direct_fieldptr_type(S, field)
    return make_ptr(T, new_view(T.TO, p._container(), S._slots[field], None))


def direct_arrayitems(p: _ptr) -> _ptr:
    """A pointer to the first item of an array: ``Ptr(FixedSizeArray(TYPE, 1))``, to be
    indexed like C's (bounds are those of the whole array)."""
    A = p._TYPE.TO
    if not isinstance(A, Array | FixedSizeArray):
        raise TypeError(f"direct_arrayitems: {A._short_name()} is not an array")
    T = FixedSizeArray(A.OF, 1)
    obj = p._container()
    return make_ptr(Ptr(T), new_view(T, obj, "items", obj.__dict__["items"]))


def is_bare_array(T: LowLevelType) -> bool:
    """Is a pointer to a ``T`` what C calls a pointer to an item?"""
    return isinstance(T, FixedSizeArray) or (
        isinstance(T, Array) and not T._has_length() and T._gckind == "raw"
    )


def direct_ptradd(p: _ptr, n: int) -> _ptr:
    """C's ``p + n`` on a pointer made by ``direct_arrayitems``, or to a ``nolength``
    array."""
    T = p._TYPE.TO
    if not is_bare_array(T):
        raise TypeError(f"direct_ptradd: {T._short_name()} is not a bare array")
    if n == 0:
        return p
    obj = p._container()
    items = obj.__dict__["items"]
    if is_bytes_view(obj):
        at = obj._parentkey[1] + n * layout(T.OF)[0]
        if not 0 <= at <= len(obj._shared.data):
            raise ArrayBoundsError(f"direct_ptradd: {n} is beyond the memory")
        return make_ptr(p._TYPE, bytes_view(T, obj._parentstructure(), at))
    if isinstance(items, ShiftedItems):
        n, obj = items.base + n, obj._parentstructure()
        items = items.items
    if not 0 <= n <= len(items):
        raise ArrayBoundsError(f"direct_ptradd: {n} is beyond the {len(items)} items")
    if n == 0:
        return make_ptr(p._TYPE, obj)
    return make_ptr(p._TYPE, new_view(T, obj, ("shifted", n), ShiftedItems(items, n)))


# ------------------------------------------------------------ facts about containers


def parentlink(obj: _container) -> tuple[Any, Any]:
    """``(container, slot or index)`` this container is inlined in, or ``(None, None)``."""
    parent = obj._parentstructure()
    return (None, None) if parent is None else (parent, obj._parentkey)


def top_container(obj: Any) -> Any:
    """The whole piece of memory that ``obj`` is inlined in."""
    parent = obj._parentstructure()
    while parent is not None:
        obj = parent
        parent = obj._parentstructure()
    return obj


def normalizeptr(p: _ptr) -> _ptr:
    """The same pointer with the exact type of what it points to."""
    obj = p._obj
    if obj is None or obj._TYPE == p._TYPE.TO:
        return p
    return make_ptr(Ptr(obj._TYPE), obj)


def identityhash(p: _ptr) -> int:
    """The identity hash of a GC object: the same at every call for one object.  It is
    kept in the container, so that prebuilt objects have the same one in native code."""
    obj = top_container(p._container())
    if p._TYPE._gckind != "gc":
        raise TypeError(f"identityhash: {p!r} is not a GC pointer")
    if obj._identityhash is None:
        obj._identityhash = intmask(id(obj) >> 4)
    result: int = obj._identityhash
    return result


def init_identity_hash(p: _ptr, value: int) -> None:
    """Give a GC object its identity hash in advance; ValueError when it has one."""
    obj = top_container(p._container())
    if obj._identityhash is not None:
        raise ValueError(f"{p!r} already has an identity hash")
    obj._identityhash = intmask(value)


def getRuntimeTypeInfo(T: Any) -> _ptr:
    """The ``Ptr(RuntimeTypeInfo)`` that stands for GC type ``T``."""
    if not isinstance(T, GcStruct):
        raise TypeError(f"getRuntimeTypeInfo: {T!r} is not a GcStruct")
    if T._runtime_type_info is None:
        if not T._rtti:
            raise TypeError(f"{T._short_name()}: attachRuntimeTypeInfo() was not called")
        return _give_type_info(T)
    return make_ptr(Ptr(RuntimeTypeInfo), T._runtime_type_info)


def _give_type_info(T: GcStruct) -> _ptr:
    if T._runtime_type_info is None:
        T._runtime_type_info = _opaque(RuntimeTypeInfo, T._name, {"about": T})
    return make_ptr(Ptr(RuntimeTypeInfo), T._runtime_type_info)


def runtime_type_info(p: _ptr) -> _ptr:
    """The ``Ptr(RuntimeTypeInfo)`` of the exact type of a GC struct; RuntimeError when the
    query function of its static type says another one."""
    if not isinstance(p, _ptr) or not isinstance(p._TYPE.TO, GcStruct):
        raise TypeError(f"runtime_type_info: {p!r} is not a pointer to a GcStruct")
    static = getRuntimeTypeInfo(p._TYPE.TO)
    exact = getRuntimeTypeInfo(p._container()._TYPE)
    query = static._obj.query_funcptr
    if query is not None and query(cast_pointer(query._TYPE.TO.ARGS[0], p)) != exact:
        raise RuntimeError(f"runtime_type_info: {query!r} does not say {exact!r} of {p!r}")
    return exact


def attachRuntimeTypeInfo(
    T: Any, funcptr: _ptr | None = None, destrptr: _ptr | None = None
) -> _ptr:
    """Give the GC struct ``T`` a run-time type.

    ``funcptr``: low-level function ``Ptr(T) -> Ptr(RuntimeTypeInfo)`` that finds the
    exact type of an object; ``destrptr``: its destructor, ``Ptr(T) -> Void``.
    """
    if not isinstance(T, GcStruct):
        raise TypeError(f"attachRuntimeTypeInfo: {T!r} is not a GcStruct")
    for fp, RESULT in ((funcptr, Ptr(RuntimeTypeInfo)), (destrptr, Void)):
        if fp is not None:
            F = fp._TYPE.TO
            if not isinstance(F, FuncType) or (Ptr(T),) != F.ARGS or RESULT != F.RESULT:
                raise TypeError(
                    f"attachRuntimeTypeInfo: {fp!r} must take one {Ptr(T)} and give {RESULT}"
                )
    result = _give_type_info(T)
    if funcptr is not None:
        result._obj.query_funcptr = funcptr
    if destrptr is not None:
        result._obj.destructor_funcptr = destrptr
    return result
