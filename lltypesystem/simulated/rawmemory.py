"""Raw memory by address: allocating, freeing, copying and clearing it in the simulation.

Sizes are symbolic: memory of ``sizeof(T) * n`` is for ``n`` values of type ``T``.  An int is that
many bytes, for anything; so is what was copied or cleared in another way than by its types.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rpython.lltypesystem.primitives import Char, Void
from rpython.lltypesystem.simulated.addresses import bytes_to, fakeaddress, inside, type_at
from rpython.lltypesystem.simulated.casts import is_bare_array
from rpython.lltypesystem.simulated.containers import (
    UNINITIALISED,
    ArrayBoundsError,
    MemoryFault,
    SharedBytes,
    _func,
    _opaque,
)
from rpython.lltypesystem.simulated.memory import free, make_ptr, malloc
from rpython.lltypesystem.simulated.offsets import AddressOffset, in_bytes, step_bytes
from rpython.lltypesystem.simulated.rawbytes import share
from rpython.lltypesystem.types import Array, ContainerType, Ptr, Struct

Leaf = tuple[Any, Any, Any]
"""One simple value in memory: its container, slot or index, and type."""


def raw_malloc(size: AddressOffset | int, zero: bool = False) -> fakeaddress:
    """New raw memory for ``sizeof(T) * n``, or ``sizeof(T, n)`` of a type whose variable part
    has no length word; of other sizes or a number of bytes, for anything.  Raises MemoryError."""
    if isinstance(size, int):
        size = in_bytes(size)
    T, n = _what_fits(size)
    if T._gckind != "raw":
        raise TypeError(f"raw_malloc: {T._short_name()} is a GC type")
    obj = malloc(T, n, flavor="raw", zero=zero)._obj
    return fakeaddress(obj, (0,) if size.steps and _is_run(size, T) else ())


def _is_run(size: AddressOffset, T: Any) -> bool:
    return size.steps[0].kind == "item" and isinstance(T, Array)


def _what_fits(size: AddressOffset) -> tuple[Any, int | None]:
    """The type that memory of a size is for, and the length of its variable part."""
    steps = size.steps
    kinds = [step.kind for step in steps]
    if any(step.backwards for step in steps):
        raise MemoryFault(f"{size!r} is no size")
    if not steps:
        return Array(Char, hints={"nolength": True}), 0
    if kinds == ["item"]:
        T, n = steps[0].TYPE, steps[0].what
        if n == 1 and isinstance(T, ContainerType):
            return T, None
        return Array(T, hints={"nolength": True}), n
    if kinds[-1] != "item":
        kinds.append("item")
    n = steps[-1].what if steps[-1].kind == "item" else 0
    array: Any = steps[-1].TYPE if steps[-1].kind == "items" else None
    for step in steps:
        if step.kind == "items":
            array = step.TYPE
    if kinds in (["items", "item"], ["field", "items", "item"]) and array is not None:
        if array._has_length():
            raise MemoryFault("raw_malloc: who writes the length? use lltype.malloc()")
        return steps[0].TYPE, n
    return Array(Char, hints={"nolength": True}), sum(map(step_bytes, steps))


def raw_free(adr: fakeaddress) -> None:
    """Release raw memory, given its start."""
    top = adr._memory()
    if adr._path not in ((), (0,)):
        raise MemoryFault(f"raw_free: {adr!r} is not where memory starts")
    free(make_ptr(Ptr(top._TYPE), top))


def raw_memclear(adr: fakeaddress, size: AddressOffset | int) -> None:
    """Set ``size`` of memory to zero."""
    size = in_bytes(size) if isinstance(size, int) else size
    leaves = _leaves(adr, size)
    if leaves is None:
        top, at, n = _bytes_of(adr, size)
        top._shared.take(SharedBytes(n, True), 0, n, at)
    else:
        for holder, key, T in leaves:
            _write(holder, key, T._defl())


def raw_memcopy(source: fakeaddress, target: fakeaddress, size: AddressOffset | int) -> None:
    """Copy ``size`` of memory, as if through a temporary copy."""
    size = in_bytes(size) if isinstance(size, int) else size
    read, written = _leaves(source, size), _leaves(target, size)
    if read is None or written is None or any(a[2] != b[2] for a, b in zip(read, written)):
        top, start, n = _bytes_of(source, size)
        other, at, n = _bytes_of(target, size)
        other._shared.take(top._shared, start, n, at)
        return
    values = [_read(holder, key) for holder, key, _ in read]
    for (holder, key, _), value in zip(written, values, strict=True):
        _write(holder, key, value)


def _bytes_of(adr: fakeaddress, size: AddressOffset) -> tuple[Any, int, int]:
    """The piece of raw memory that an address is in, where, and a size in bytes."""
    top, n = adr._memory(), sum(map(step_bytes, size.steps))
    if isinstance(top, _func | _opaque) or top._TYPE._gckind != "raw":
        raise MemoryFault(f"the memory at {adr!r} is not {size!r}")
    share(top)
    at = bytes_to(top._TYPE, adr._path)
    if not 0 <= at <= at + n <= len(top._shared.data):
        raise ArrayBoundsError(f"{n} bytes at {adr!r}: {len(top._shared.data) - at} are there")
    return top, at, n


def _read(holder: Any, key: Any) -> Any:
    """A value, which may not be initialised."""
    if isinstance(key, str):
        return holder.__dict__.get(key, UNINITIALISED)
    items = holder.items
    return list.__getitem__(items, key) if isinstance(items, list) else items[key]


def _write(holder: Any, key: Any, value: Any) -> None:
    if isinstance(key, int):
        holder.items[key] = value
    elif value is UNINITIALISED:
        holder.__dict__.pop(key, None)
    else:
        setattr(holder, key, value)


def _leaves(adr: fakeaddress, size: AddressOffset) -> list[Leaf] | None:
    """The simple values in ``size`` of memory, in order; None when the size is not that of what
    is there."""
    if not size.steps:
        return []
    top, path = adr._memory(), adr._path
    step = size.steps[0]
    if len(size.steps) > 1 or step.kind != "item" or step.what < 0:
        return None
    if isinstance(top, _func | _opaque):
        raise MemoryFault(f"{adr!r} holds no data")
    found: Any = type_at(top._TYPE, path)
    if found != step.TYPE and is_bare_array(found) and found.OF == step.TYPE:
        path, found = (*path, 0), found.OF
    if found != step.TYPE or not (step.what == 1 or (path and isinstance(path[-1], int))):
        return None
    if not path:
        return list(_parts(top, found))
    holder, key = inside(top, path[:-1]), path[-1]
    keys = [key]
    if isinstance(key, int):
        if key + step.what > len(holder.items):
            raise ArrayBoundsError(f"{step} at {adr!r}: {len(holder.items)} items")
        keys = list(range(key, key + step.what))
    return [leaf for each in keys for leaf in _leaf(holder, each, found)]


def _leaf(holder: Any, key: Any, T: Any) -> Iterator[Leaf]:
    if isinstance(T, ContainerType):
        yield from _parts(holder.__dict__[key] if isinstance(key, str) else holder.items[key], T)
    elif T is not Void:
        yield holder, key, T


def _parts(container: Any, T: Any) -> Iterator[Leaf]:
    """The simple values in a container."""
    if isinstance(T, Struct):
        for S in reversed(list(T._ancestors())):
            for name, F in S._flds.items():
                if name != S._parent_field:
                    yield from _leaf(container, S._slots[name], F)
    else:
        for index in range(len(container.items)):
            yield from _leaf(container, index, T.OF)
