"""Raw memory that is used as other types than the one it was made for.

    p = malloc(CArray(Signed), 2, flavor="raw")      items: [7, 8]
    c = cast(CCHARP, p)                              items: 07 00 00 ..., one memory under p and c

A piece of simulated memory holds typed values until a pointer to it is cast to another type.
From then on it holds bytes, as C's memory does, and the pointers to it are views.
"""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.layout import field_offset, layout
from rpython.lltypesystem.primitives import Char, LowLevelType
from rpython.lltypesystem.simulated.casts import (
    ShiftedItems,
    bytes_view,
    direct_ptradd,
    is_bare_array,
    is_bytes_view,
)
from rpython.lltypesystem.simulated.containers import (
    UNINITIALISED,
    ArrayBoundsError,
    MemoryFault,
    SharedBytes,
    SharedItems,
    _container,
    shared_class,
)
from rpython.lltypesystem.simulated.memory import make_ptr
from rpython.lltypesystem.types import Array, ContainerType, Ptr, Struct

VOIDP = Ptr(Array(Char, hints={"nolength": True, "render_as_void": True}))
"""C's ``void *``."""


def memory_size(top: Any) -> int:
    """The bytes of a piece of raw memory."""
    T: Any = top._TYPE
    size: int = layout(T)[0]
    if isinstance(T, Array):
        return size * len(top.items)
    if T._is_varsize():
        array = top._getfield(T, T._arrayfld)
        return field_offset(T, T._arrayfld) + layout(array._TYPE)[0] * len(array.items)
    return size


def share(top: Any) -> None:
    """Make the values of a piece of raw memory bytes.  Raises MemoryFault when there is something
    in it that has none."""
    if "_shared" in top.__dict__:
        return
    if top._TYPE._gckind != "raw" or top._immortal:
        raise MemoryFault(f"cast: {top._TYPE._short_name()} has no bytes to be read as others")
    try:
        shared = SharedBytes(memory_size(top), False)
        _convert(top, top._TYPE, shared, 0)
    except TypeError as error:
        raise MemoryFault(f"cast: {error}") from None


def _convert(obj: Any, T: Any, shared: SharedBytes, at: int) -> None:
    if "_shared" in obj.__dict__:  # a union
        shared.take(obj._shared, obj._at, layout(T)[0], at)
        _move(obj, T, shared, at)
    elif isinstance(T, Struct):
        for S in T._ancestors():
            for name, F in S._flds.items():
                if name == S._parent_field:
                    continue
                value = obj.__dict__.get(S._slots[name], UNINITIALISED)
                if isinstance(F, ContainerType):
                    _convert(value, F, shared, at + field_offset(S, name))
                elif value is not UNINITIALISED:
                    shared.write(F, at + field_offset(S, name), value)
                    del obj.__dict__[S._slots[name]]
        obj.__dict__.update(_shared=shared, _at=at)
        obj.__class__ = shared_class(T)
    else:
        size = layout(T.OF)[0]
        for i, value in enumerate(list(obj.items)):
            if isinstance(T.OF, ContainerType):
                _convert(value, T.OF, shared, at + i * size)
            elif value is not UNINITIALISED:
                shared.write(T.OF, at + i * size, value)
        obj.__dict__.update(_shared=shared, _at=at)
        if not isinstance(T.OF, ContainerType):
            obj.items = SharedItems(shared, at, T.OF, len(obj.items))
            _renew_views(obj, obj.items)


def _renew_views(array: Any, items: SharedItems) -> None:
    """Let what was made of the items of an array before have the new ones."""
    for view in array.__dict__.get("_views", {}).values():
        if isinstance(view.items, ShiftedItems):
            view.items.items = items
        elif isinstance(view.items, list):
            view.items = items
            _renew_views(view, items)


def _move(obj: Any, T: Any, shared: SharedBytes, at: int) -> None:
    """The same memory of a union, in a larger one."""
    start = obj._at
    obj.__dict__.update(_shared=shared, _at=at)
    if isinstance(T, Struct):
        values = obj.__dict__.values()
        children = [v for v in values if isinstance(v, _container) and v._parent is obj]
    else:
        children = obj.items if isinstance(T.OF, ContainerType) else []
        if not children:
            obj.items = SharedItems(shared, at, T.OF, len(obj.items))
    for child in children:
        _move(child, child._TYPE, shared, at + child._at - start)


def view_at(top: Any, at: int, T: Any) -> Any:
    """The container of type ``T`` at an offset in a piece of raw memory: the one that is there, or
    a view of the bytes.  Raises MemoryFault."""
    found = inside(top, at, T)
    if found is not None:
        return found
    if not isinstance(T, ContainerType) or T._gckind != "raw" or T._is_varsize():
        if not is_bare_array(T):
            raise MemoryFault(
                f"cast: the memory is a {top._TYPE._short_name()}, not a {T._short_name()}"
            )
    share(top)
    if not 0 <= at <= len(top._shared.data):
        raise ArrayBoundsError(f"cast: byte {at} of {len(top._shared.data)}")
    return bytes_view(T, top, at)


def inside(container: Any, at: int, T: LowLevelType) -> Any:
    """The container of type ``T`` at an offset in another one, None when there is none."""
    S = container._TYPE
    if at == 0 and any(T == A for A in (S._ancestors() if isinstance(S, Struct) else [S])):
        return container
    if isinstance(S, Struct):
        for A in S._ancestors():
            for name, F in A._flds.items():
                start = field_offset(A, name)
                inlined = isinstance(F, ContainerType) and name != A._parent_field
                if inlined and start <= at < start + layout(F)[0]:
                    found = inside(container._getfield(A, name), at - start, T)
                    if found is not None:
                        return found
        return None
    size = layout(S.OF)[0]
    index, rest = divmod(at, size)
    if isinstance(S.OF, ContainerType):
        if index < len(container.items):
            found = inside(container.items[index], rest, T)
            if found is not None:
                return found
    same = T == S or (is_void(T) and S.OF is Char and is_bare_array(S))
    if rest == 0 and same and isinstance(S, Array) and index <= len(container.items):
        return direct_ptradd(make_ptr(Ptr(S), container), index)._obj
    return None


def is_inside_view(obj: Any) -> bool:
    """Is the container, or one that it is inlined in, a view of bytes?"""
    while obj._parent is not None:
        if is_bytes_view(obj):
            return True
        obj = obj._parentstructure()
    return False


def is_void(T: Any) -> bool:
    """Is a pointer to it C's ``void *``, which points to anything?"""
    return isinstance(T, Array) and bool(T._hints.get("render_as_void"))


def place_of(obj: Any) -> tuple[Any, int]:
    """The whole piece of memory that a container is part of, and where, in bytes."""
    at = 0
    while obj._parent is not None:
        parent = obj._parentstructure()
        at += obj._parentkey[1] if is_bytes_view(obj) else _offset_in(parent, obj._parentkey)
        obj = parent
    return obj, at


def _offset_in(parent: Any, key: Any) -> int:
    """The offset of what is inlined in a container under a slot or index."""
    T = parent._TYPE
    if isinstance(T, Struct):
        for S in T._ancestors():
            for name, slot in S._slots.items():
                if slot == key and name != S._parent_field:
                    return field_offset(S, name)
        raise AttributeError(key)
    if key == "items":
        return 0
    index = key[1] if isinstance(key, tuple) else key
    return int(index) * layout(T.OF)[0]
