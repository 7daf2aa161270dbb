"""Simulated addresses: a piece of memory and the way to a place in it, never a number.

    adr = cast_ptr_to_adr(p)                 p, a Ptr(GcStruct("S", ("x", Signed)))
    (adr + offsetof(S, "x")).signed[0]       p.x

An address is what a C pointer is, so much freer than a ``_ptr``; still each use is checked: the
memory must be alive, offsets must fit the types they lead through, and what is read is of
the type that is there.  Addresses of GC memory do not keep it alive.
"""

from __future__ import annotations

import weakref
from typing import Any

from rpython.lltypesystem.primitives import (
    Address,
    Bool,
    Char,
    Float,
    LowLevelType,
    Signed,
    SingleFloat,
    SymbolicValue,
    UniChar,
    Unsigned,
    Void,
)
from rpython.lltypesystem.simulated.casts import direct_ptradd, is_bare_array, new_view
from rpython.lltypesystem.simulated.containers import (
    ArrayBoundsError,
    MemoryFault,
    PointerCasts,
    _array,
    _container,
    _dead,
    _func,
    _opaque,
    _struct,
)
from rpython.lltypesystem.simulated.memory import _ptr, exposed, low_level_value, make_ptr
from rpython.lltypesystem.simulated.offsets import (
    NO_OFFSET,
    AddressOffset,
    ArrayItemsOffset,
    ArrayLengthOffset,
    FieldOffset,
    ItemOffset,
    Step,
    field_place,
    in_bytes,
    items_place,
    size_and_alignment,
    step_bytes,
)
from rpython.lltypesystem.simulated.rawbytes import (
    is_inside_view,
    is_void,
    place_of,
    share,
    view_at,
)
from rpython.lltypesystem.types import ContainerType, FixedSizeArray, Ptr, Struct

LENGTH = "<length>"
"""The step of a path to the length of an array."""
BYTES = "<bytes>"
"""What is not where a step of a path leads to, but at an offset in bytes."""

ACCESS_TYPES: dict[str, LowLevelType] = {
    "signed": Signed, "unsigned": Unsigned, "char": Char, "unichar": UniChar, "bool": Bool,
    "float": Float, "singlefloat": SingleFloat, "address": Address,
}  # fmt: skip
"""``adr.signed[i]`` and so on: the attribute names the type that is there."""

Path = tuple[Any, ...]
"""Slots of structs, indices of arrays, or LENGTH, from the top of a piece of memory."""


class fakeaddress(SymbolicValue):
    """An address.  ``_top``: the container of a whole piece of memory (a weak reference when
    it is garbage-collected), None for NULL."""

    __slots__ = ("_path", "_top")

    _TYPE = Address

    def __init__(self, top: Any, path: Path) -> None:
        collected = isinstance(top, _container) and top._TYPE._gckind == "gc"
        self._top = weakref.ref(top) if collected else top
        self._path = path

    def _memory(self) -> Any:
        """The live container of the piece of memory; MemoryFault when there is none."""
        top = self._top
        if top is None:
            raise MemoryFault("null address dereferenced")
        if isinstance(top, weakref.ref):
            top = top()
            if top is None:
                raise MemoryFault("access to memory that was already garbage-collected")
        top._check()
        return top

    def _number(self) -> tuple[int, int]:
        """What decides equality and order; 0 for NULL."""
        top = self._top
        if top is None:
            return 0, 0
        if isinstance(top, weakref.ref):
            top = top()
            if top is None:
                return id(self._top), -1
        if isinstance(top, _func | _opaque):
            return id(top), 0
        return id(top), bytes_to(top._TYPE, self._path)

    # -- comparing --

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, fakeaddress):
            raise TypeError(f"comparing an address with {other!r}")
        return self._number() == other._number()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: fakeaddress) -> bool:
        return self._number() < other._number()

    def __le__(self, other: fakeaddress) -> bool:
        return self._number() <= other._number()

    def __gt__(self, other: fakeaddress) -> bool:
        return self._number() > other._number()

    def __ge__(self, other: fakeaddress) -> bool:
        return self._number() >= other._number()

    def __hash__(self) -> int:
        return hash(self._number())

    def __bool__(self) -> bool:
        return self._top is not None

    def __repr__(self) -> str:
        if self._top is None:
            return "<address NULL>"
        try:
            what = self._memory()._TYPE._short_name()
        except MemoryFault as error:
            return f"<address: {error}>"
        return f"<address in {what}: {'.'.join(map(str, self._path)) or 'start'}>"

    # -- going elsewhere --

    def __add__(self, offset: object) -> fakeaddress:
        if isinstance(offset, int):
            offset = in_bytes(offset)
        if not isinstance(offset, AddressOffset):
            return NotImplemented
        return moved(self, offset)

    def __sub__(self, other: object) -> Any:
        if isinstance(other, int):
            other = in_bytes(other)
        if isinstance(other, AddressOffset):
            return moved(self, -other)
        return distance(self, other) if isinstance(other, fakeaddress) else NotImplemented

    def __getattr__(self, name: str) -> Any:
        if name in ACCESS_TYPES:
            return TypedAccess(self, ACCESS_TYPES[name])
        raise AttributeError(f"an address has no attribute {name!r}")


NULL = fakeaddress(None, ())
Address._default = NULL


class TypedAccess:
    """``adr.signed``: the memory at an address as items of one type."""

    def __init__(self, adr: fakeaddress, T: LowLevelType) -> None:
        self.adr = adr
        self.T = T

    def __getitem__(self, index: int) -> Any:
        return exposed(self.T, load(self.T, self.adr, int(index)))

    def __setitem__(self, index: int, value: Any) -> None:
        store(self.adr, int(index), low_level_value(self.T, value), self.T)


# -- paths ---------------------------------------------------------------------------------------


def _slot_field(T: Struct, slot: str) -> tuple[Struct, str]:
    """The level of a struct that declares a slot, and the name of the field."""
    for S in T._ancestors():
        for name, own in S._slots.items():
            if own == slot and name != S._parent_field:
                return S, name
    raise AttributeError(f"{T._short_name()} has no slot {slot!r}")


def step_type(T: Any, key: Any) -> Any:
    """The type that one step of a path leads to."""
    if key == LENGTH:
        return Signed
    if isinstance(T, Struct):
        S, name = _slot_field(T, key)
        return S._flds[name]
    return T.OF


def type_at(T: Any, path: Path) -> Any:
    """The type at the end of a path."""
    for key in path:
        T = step_type(T, key)
    return T


def bytes_to(T: Any, path: Path) -> int:
    """The number of bytes from the start of a ``T``, as in C."""
    where = 0
    for key in path:
        if key == LENGTH:
            where += items_place(T) - size_and_alignment(Signed)[0]
        elif isinstance(T, Struct):
            S, name = _slot_field(T, key)
            where += field_place(S, name)
        else:
            where += items_place(T) + key * size_and_alignment(T.OF)[0]
        T = step_type(T, key)
    return where


def _path_to(obj: Any) -> tuple[Any, Path]:
    """The whole piece of memory that a container is part of, and the way there."""
    keys: list[Any] = []
    while obj._parent is not None:
        key, parent = obj._parentkey, obj._parentstructure()
        if isinstance(key, tuple):  # direct_ptradd: ("shifted", n)
            keys.append(key[1])
            if parent._parentkey == "items" and isinstance(parent, _array):
                parent = parent._parentstructure()
        else:
            keys.append(0 if key == "items" and isinstance(parent, _array) else key)
        obj = parent
    return obj, tuple(reversed(keys))


def inside(top: Any, path: Path) -> Any:
    """The container at the end of a path."""
    obj = top
    for key in path:
        obj = obj.__dict__[key] if isinstance(obj, _struct) else _item(obj, key)
    return obj


def _item(array: Any, index: int) -> Any:
    if not 0 <= index < len(array.items):
        raise ArrayBoundsError(f"address of item {index}: {len(array.items)} items")
    return array.items[index]


# -- arithmetic ----------------------------------------------------------------------------------


def moved(adr: fakeaddress, offset: AddressOffset) -> fakeaddress:
    """``adr + offset``.  Raises MemoryFault when the offset does not fit what is there."""
    top = adr._memory()
    path = adr._path
    for step in offset.steps:
        path = _moved(top, path, step)
    return fakeaddress(top, path)


def _moved(top: Any, path: Path, step: Step) -> Path:
    T: Any = type_at(top._TYPE, path)
    if step.backwards:
        back = _moved_back(top, path, step)
        if back is not None:
            return back
    elif step.kind == "field":
        if isinstance(T, Struct) and any(S == step.TYPE for S in T._ancestors()):
            S = next(S for S in T._ancestors() if S == step.TYPE)
            parent = step.what == S._parent_field
            return path if parent else (*path, S._slots[step.what])
    elif step.kind == "items":
        if step.TYPE == T:
            return (*path, 0)
    elif step.kind == "length":
        if step.TYPE == T:
            return (*path, LENGTH)
    else:
        along = _moved_along(top, path, T, step)
        if along is not None:
            return along
    there = None
    if top._TYPE._gckind == "raw":
        there = _path_to_byte(top, bytes_to(top._TYPE, path) + step_bytes(step))
    if there is None:
        shown = T._short_name()
        raise MemoryFault(f"the offset {step} does not fit the {shown} that is at the address")
    return there


def _path_to_byte(obj: Any, at: int) -> Path | None:
    """The way to what starts at an offset in bytes, None when nothing does."""
    T: Any = obj._TYPE
    if isinstance(T, Struct):
        for S in T._ancestors():
            for name, F in S._flds.items():
                rest = at - field_place(S, name)
                if name == S._parent_field or not 0 <= rest < max(size_and_alignment(F)[0], 1):
                    continue
                if not isinstance(F, ContainerType):
                    return (S._slots[name],) if rest == 0 else None
                way = _path_to_byte(obj.__dict__[S._slots[name]], rest)
                return None if way is None else (S._slots[name], *way)
        return None
    index, rest = divmod(at - items_place(T), size_and_alignment(T.OF)[0])
    if not 0 <= index <= len(obj.items) or (rest and index == len(obj.items)):
        raise ArrayBoundsError(f"byte {at} of {T._short_name()}: {len(obj.items)} items")
    if rest == 0:
        return (index,)
    way = _path_to_byte(obj.items[index], rest) if isinstance(T.OF, ContainerType) else None
    return None if way is None else (index, *way)


def _moved_back(top: Any, path: Path, step: Step) -> Path | None:
    """From a field or an item to its container."""
    outer: Any = type_at(top._TYPE, path[:-1]) if path else None
    if step.kind == "field":
        S = step.TYPE
        if step.what == S._parent_field:
            T = type_at(top._TYPE, path)
            return path if isinstance(T, Struct) and S in T._ancestors() else None
        fits = path and isinstance(outer, Struct) and S in outer._ancestors()
        return path[:-1] if fits and path[-1] == S._slots[step.what] else None
    key = 0 if step.kind == "items" else LENGTH
    return path[:-1] if path and outer == step.TYPE and path[-1] == key else None


def _moved_along(top: Any, path: Path, T: Any, step: Step) -> Path | None:
    """Over a number of items of the array that the address is in."""
    if path and isinstance(path[-1], int):
        if type_at(top._TYPE, path) == step.TYPE:
            return _bounded(top, (*path[:-1], path[-1] + step.what))
    if is_bare_array(T) and T.OF == step.TYPE:
        return _bounded(top, (*path, step.what))
    return None


def _bounded(top: Any, path: Path) -> Path:
    length = len(inside(top, path[:-1]).items)
    if not 0 <= path[-1] <= length:
        raise ArrayBoundsError(f"address of item {path[-1]}: {length} items")
    return path


def distance(adr: fakeaddress, start: fakeaddress) -> AddressOffset:
    """``adr - start``: of two places in one piece of memory; MemoryFault otherwise."""
    top = adr._memory()
    if start._memory() is not top:
        raise MemoryFault("there is no offset between two pieces of memory")
    shared = 0
    while shared < min(len(adr._path), len(start._path)):
        if adr._path[shared] != start._path[shared]:
            break
        shared += 1
    T = type_at(top._TYPE, adr._path[:shared])
    there, back = (_offset(T, way._path[shared:]) for way in (adr, start))
    return -back + there


def _offset(T: Any, path: Path) -> AddressOffset:
    """The offset from the start of a ``T`` to the end of a path."""
    result = NO_OFFSET
    for key in path:
        if key == LENGTH:
            result = result + ArrayLengthOffset(T)
        elif isinstance(T, Struct):
            result = result + FieldOffset(*_slot_field(T, key))
        else:
            result = result + ArrayItemsOffset(T) + ItemOffset(T.OF, key)
        T = step_type(T, key)
    return result


# -- pointers ------------------------------------------------------------------------------------


def cast_ptr_to_adr(p: _ptr) -> fakeaddress:
    """The address of what a pointer points to."""
    if p._obj is None:
        return NULL
    obj = p._container()
    if obj._TYPE._gckind == "raw" and not isinstance(obj, _func | _opaque):
        if is_inside_view(obj):
            top, at = place_of(obj)
            path = _path_to_byte(top, at)
            if path is None:
                raise MemoryFault(f"{p!r} points into a value of {top._TYPE._short_name()}")
            return fakeaddress(top, path)
    return fakeaddress(*_path_to(obj))


def whole_memory(adr: fakeaddress) -> _ptr:
    """A pointer to the whole piece of memory that an address is in."""
    top = adr._memory()
    return make_ptr(Ptr(top._TYPE), top)


def cast_adr_to_ptr(adr: fakeaddress, TARGET: Any) -> _ptr:
    """The pointer of type ``TARGET`` to what is at an address; MemoryFault when something
    else is there."""
    if not isinstance(TARGET, Ptr):
        raise TypeError(f"cast_adr_to_ptr: {TARGET!r} is not a pointer type")
    if adr._top is None:
        null: _ptr = TARGET._defl()
        return null
    top, T = adr._memory(), TARGET.TO
    if isinstance(top, _func | _opaque):
        if top._TYPE == T:
            return make_ptr(TARGET, top)
    else:
        there = _container_at(top, adr._path, T)
        if there is None and top._TYPE._gckind == "raw" and LENGTH not in adr._path:
            there = view_at(top, bytes_to(top._TYPE, adr._path), T)
        if there is not None:
            return make_ptr(TARGET, there)
    raise MemoryFault(f"there is no {T._short_name()} at {adr!r}")


def _container_at(top: Any, path: Path, T: Any) -> Any:
    """The container of type ``T`` at a path, or the view of it as one; None: there is none."""
    found: Any = type_at(top._TYPE, path)
    if isinstance(found, ContainerType) and LENGTH not in path:
        if isinstance(T, ContainerType) and T._gckind == "gc" and hasattr(T, "tag"):
            return inside(top, path)  # GCREF
        levels = found._ancestors() if isinstance(found, Struct) else [found]
        if any(S == T for S in levels) or (is_void(T) and top._TYPE._gckind == "gc"):
            return inside(top, path)
    if not is_bare_array(T):
        return None
    if is_void(T) and top._TYPE._gckind == "gc" and not isinstance(found, ContainerType):
        T = FixedSizeArray(found, 1)
    if is_bare_array(found) and found.OF == T.OF:
        return _items_view(inside(top, path), T, 0)
    if path and path[-1] != LENGTH and found == T.OF:
        holder = inside(top, path[:-1])
        if isinstance(path[-1], int):
            return _items_view(holder, T, path[-1])
        if isinstance(T, FixedSizeArray) and T.length == 1:
            return new_view(T, holder, path[-1], None)
    return None


def _items_view(array: Any, T: Any, index: int) -> Any:
    """The items of an array from an index on, as a bare array of type ``T``."""
    start = array if array._TYPE == T else new_view(T, array, "items", array.items)
    return direct_ptradd(make_ptr(Ptr(T), start), index)._obj


def cast_adr_to_int(adr: fakeaddress, mode: str = "emulated") -> int:
    """A number for an address: 0 for NULL, in the order of the places of one piece of
    memory.  (No address is made from a number.)"""
    base, where = adr._number()
    top = adr._top
    if isinstance(top, _container) and not isinstance(top, _func | _opaque | _dead):
        place = PointerCasts.place(top)
        base = base if place is None else place
    return base + where


def cast_ptr_to_int(p: _ptr) -> int:
    """A number for the object: 0 for null, that of its address.  (No pointer is made from a
    number.)"""
    return cast_adr_to_int(cast_ptr_to_adr(p))


def _across(T: Any, value: Any) -> Any:
    return cast_ptr_to_adr(value) if T is Address else cast_adr_to_ptr(value, T)


PointerCasts.across = staticmethod(_across)  # type: ignore[method-assign]


# -- access --------------------------------------------------------------------------------------


def _place(adr: fakeaddress, index: int, T: LowLevelType) -> tuple[Any, Any, Any]:
    """The container, slot or index, and type of item ``index`` of type ``T``; of values of other
    types in raw memory, BYTES and the offset of the item."""
    top = adr._memory()
    path = adr._path
    if isinstance(top, _func | _opaque):
        raise MemoryFault(f"{adr!r} holds no data")
    found: Any = type_at(top._TYPE, path)
    while isinstance(found, ContainerType):  # what is at its very start
        if is_bare_array(found):
            path = (*path, 0)
        elif isinstance(found, Struct) and found._gckind == "raw":
            slot = _first_slot(found)
            if slot is None:
                break
            path = (*path, slot)
        else:
            break
        found = type_at(top._TYPE, path)
    fits = found == T or (T is Address and isinstance(found, Ptr))
    if not fits:
        if top._TYPE._gckind == "raw" and LENGTH not in path:
            share(top)
            size = size_and_alignment(T)[0]
            return top, BYTES, bytes_to(top._TYPE, path) + index * size
        raise MemoryFault(f"the memory at {adr!r} is a {found._short_name()}, not a {T}")
    if path and isinstance(path[-1], int):
        holder = inside(top, path[:-1])
        at = path[-1] + index
        if not 0 <= at < len(holder.items):
            raise ArrayBoundsError(f"index {index} out of bounds at {adr!r}")
        return holder, at, found
    if index != 0:
        raise ArrayBoundsError(f"index {index} out of bounds: {adr!r} is one {found}")
    return inside(top, path[:-1]), path[-1], found


def _first_slot(S: Struct) -> str | None:
    """The slot of the field at the very start of a struct; None: there is none."""
    root = list(S._ancestors())[-1]
    slots = (root._slots[name] for name, F in root._flds.items() if F is not Void)
    return next(slots, None)


def load(T: LowLevelType, adr: fakeaddress, index: int) -> Any:
    """The low-level value of item ``index`` of type ``T``; a pointer gives its address."""
    holder, key, found = _place(adr, index, T)
    if key == LENGTH:
        return len(holder.items)
    if key == BYTES:
        return holder._shared.read(T, found)
    value = holder.items[key] if isinstance(holder, _array) else getattr(holder, key)
    return cast_ptr_to_adr(value) if isinstance(found, Ptr) else value


def store(adr: fakeaddress, index: int, value: Any, T: LowLevelType) -> None:
    """Store a low-level value of type ``T``; an address becomes a pointer where one is."""
    holder, key, found = _place(adr, index, T)
    if key == BYTES:
        holder._shared.write(T, found, value)
        return
    if isinstance(found, Ptr):
        value = cast_adr_to_ptr(value, found)
    if key == LENGTH:
        raise MemoryFault("the length of an array does not change")
    if isinstance(holder, _array):
        holder.items[key] = value
    else:
        setattr(holder, key, value)
