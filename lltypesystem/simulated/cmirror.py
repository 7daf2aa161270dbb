"""Simulated raw memory that C sees: each container has a block of real memory, its mirror.

    p = malloc(CArray(INT), 3, flavor="raw")      [7, 8, 9]
    c_function(p)                                 block <- 07 00 00 00 08 ...; call; items <- block

Before a call of a C function every mirrored container is copied to its block, after it back.
Pointers are translated both ways by address, those into the middle of a container too.  What
C returns a pointer to, and is no mirror, is its own memory: arrays are read and written there
directly, structs become containers whose block is at that address.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from rpython.lltypesystem.foreign.cvalues import ffi
from rpython.lltypesystem.layout import c_type, field_offset, layout, packed, unpacked
from rpython.lltypesystem.primitives import Address, Bool, Char, LowLevelType, UniChar, Void
from rpython.lltypesystem.simulated.addresses import cast_adr_to_ptr, cast_ptr_to_adr, fakeaddress
from rpython.lltypesystem.simulated.containers import (
    UNINITIALISED,
    MemoryFault,
    PointerCasts,
    _array,
    _dead,
    _func,
    _opaque,
    new_container,
)
from rpython.lltypesystem.simulated.memory import _ptr, make_ptr
from rpython.lltypesystem.simulated.rawbytes import (
    VOIDP,
    inside,
    is_void,
    memory_size,
    place_of,
    view_at,
)
from rpython.lltypesystem.types import (
    Array,
    ContainerType,
    FixedSizeArray,
    FuncType,
    OpaqueType,
    Ptr,
    Struct,
)

_ENDLESS = (1 << 62) - 1
"""The length of an array that C made."""


class _Block:
    """Real memory of one container; ``keep``: its owner, None when that is C."""

    def __init__(self, address: int, size: int, keep: Any) -> None:
        self.address = address
        self.size = size
        self.keep = keep


class _CItems:
    """The items of an array in C's memory."""

    def __init__(self, mirrors: Mirrors, address: int, OF: LowLevelType) -> None:
        self.mirrors = mirrors
        self.address = address
        self.OF = OF
        self.size = layout(OF)[0]

    def __len__(self) -> int:
        return _ENDLESS

    def __getitem__(self, index: int) -> Any:
        return self.mirrors.read_value(self.OF, self.address + index * self.size, None)

    def __setitem__(self, index: int, value: Any) -> None:
        self.mirrors.write_value(self.OF, self.address + index * self.size, value)


def _bytes_at(address: int, size: int) -> Any:
    return ffi.buffer(ffi.cast("char *", address), size)


def _is_readable(address: int, size: int) -> bool:
    """Is there memory?  C may have freed what pointers in its own structs point to."""
    memory = os.open("/proc/self/mem", os.O_RDONLY)
    try:
        return len(os.pread(memory, size, address)) == size
    except (OSError, OverflowError):
        return False
    finally:
        os.close(memory)


class Mirrors:
    """All containers that C has seen."""

    def __init__(self) -> None:
        self._live: dict[int, Any] = {}
        """Container by address; raw memory lives until it is freed, whoever knows it."""
        self._foreign: weakref.WeakValueDictionary[Any, Any] = weakref.WeakValueDictionary()
        self._todo: list[Any] = []
        self._callbacks: dict[Any, Any] = {}

    # -- calls ------------------------------------------------------------------------------

    def call(
        self, function: Callable[..., Any], ARGS: Sequence[LowLevelType], RESULT: LowLevelType,
        args: Sequence[Any],
    ) -> Any:  # fmt: skip
        """Call a C function, whose pointers are ``void *``, with low-level values; the
        result as one."""
        values = [self._argument(T, arg) for T, arg in zip(ARGS, args)]
        self.copy_in()
        result = function(*values)
        self.copy_out()
        return self._arrived(RESULT, result)

    def _arrived(self, T: LowLevelType, value: Any) -> Any:
        """What C gave, as a low-level value."""
        if isinstance(T, Ptr):
            return self.pointer(T, int(ffi.cast("intptr_t", value)))
        if T is Char or T is UniChar:
            return chr(value)
        return bool(value) if T is Bool else value

    def callback(self, F: FuncType, c_type: str, key: Any, called: Callable[..., Any]) -> int:
        """The address of a C function of type ``c_type`` that calls ``called`` with low-level
        values; the same one for the same ``key``."""
        if key not in self._callbacks:

            def run(*args: Any) -> Any:
                self.copy_out()
                result = called(*map(self._arrived, F.ARGS, args))
                self.copy_in()
                return None if F.RESULT is Void else self._argument(F.RESULT, result)

            self._callbacks[key] = ffi.callback(c_type, run)
        return int(ffi.cast("intptr_t", self._callbacks[key]))

    def _argument(self, T: LowLevelType, value: Any) -> Any:
        if isinstance(T, Ptr):
            address = value if isinstance(value, int) else self.address(value)
            return ffi.cast("void *", address)
        return ord(value) if isinstance(value, str) else value

    def copy_in(self) -> None:
        """Write what the program changed in mirrored containers to their blocks."""
        self._live = {start: each for start, each in self._live.items() if _is_alive(each)}
        self._todo = list(self._live.values())
        while self._todo:
            container = self._todo.pop()
            self._write(container, container._TYPE, container._c_block.address)

    def copy_out(self) -> None:
        """Read every mirrored container from its block; C may have freed its own structs."""
        for container in list(self._live.values()):
            if _is_alive(container):
                block: _Block = container._c_block
                if block.keep is not None or _is_readable(block.address, block.size):
                    self._read(container, container._TYPE, block.address)

    # -- addresses --------------------------------------------------------------------------

    def address(self, p: _ptr) -> int:
        """The address that C gets for a pointer.  Raises TypeError, MemoryFault."""
        obj = p._obj
        if obj is None:
            return 0
        found: int | None = obj.__dict__.get("c_address")
        if found is not None:
            return found
        if isinstance(obj, _opaque):
            raise TypeError(f"{p!r} did not come from C")
        if isinstance(obj, _func):
            raise TypeError(f"{p!r}: functions are given to C by rpython.cdef's callback()")
        obj._check()
        obj, offset = place_of(obj)
        if isinstance(obj, _array) and isinstance(obj.items, _CItems):
            return obj.items.address + offset
        return self._block(obj).address + offset

    def _block(self, container: Any) -> _Block:
        block: _Block | None = container.__dict__.get("_c_block")
        if block is None:
            if container._TYPE._gckind != "raw":
                raise TypeError(f"{container!r} is not raw memory: C cannot have it")
            size = max(memory_size(container), 1)
            memory = ffi.new("char[]", size)
            block = _Block(int(ffi.cast("intptr_t", memory)), size, memory)
            self._remember(container, block)
            self._todo.append(container)
        return block

    def _remember(self, container: Any, block: _Block) -> None:
        container.__dict__["_c_block"] = block
        self._live[block.address] = container

    def pointer(self, T: Ptr, address: int) -> _ptr:
        """The pointer for an address that C gave."""
        if address == 0:
            null: _ptr = T._defl()
            return null
        for start, container in list(self._live.items()):
            if _is_alive(container) and start <= address < start + container._c_block.size:
                at = address - start
                if container._c_block.keep is not None:
                    return make_ptr(T, self._view(container, at, T.TO))
                found = inside(container, at, T.TO)  # C may have freed it, and has others there
                if found is not None:
                    return make_ptr(T, found)
        return make_ptr(T, self._of_c(T.TO, address))

    def _of_c(self, T: Any, address: int) -> Any:
        """The container of what C itself has at an address."""
        known = self._foreign.get((T, address))
        if known is not None and _is_alive(known):
            return known
        made: Any
        if isinstance(T, OpaqueType):
            made = _opaque(T, "C data", {"c_address": address})
        elif isinstance(T, Struct):
            made = new_container(T, None, True)
            block = made.__dict__["_c_block"] = _Block(address, layout(T)[0], None)
            if _is_readable(address, block.size):
                self._live[address] = made
                self._read(made, T, address)
        elif isinstance(T, Array | FixedSizeArray) and not isinstance(T.OF, ContainerType):
            made = new_container(T, 0 if isinstance(T, Array) else None, True)
            made.items = _CItems(self, address, T.OF)
        elif isinstance(T, FuncType):
            function = ffi.cast(c_type(T), address)

            def call(*args: Any) -> Any:
                return self.call(function, T.ARGS, T.RESULT, args)

            made = _func(T, "C function", {"_callable": call, "c_address": address})
        else:
            raise TypeError(f"a pointer to {T} from C is not supported")
        self._foreign[T, address] = made
        return made

    def cast(self, TARGET: Ptr, p: _ptr) -> _ptr:
        """``p`` as another type of pointer, to the same memory.  Raises MemoryFault."""
        obj = p._obj
        if obj is None:
            null: _ptr = TARGET._defl()
            return null
        if isinstance(obj, _func) and "c_address" in obj.__dict__:
            return self.pointer(TARGET, self.address(p))
        if obj._TYPE == TARGET.TO:
            return make_ptr(TARGET, obj)
        if isinstance(obj, _func):
            if is_void(TARGET.TO):
                return make_ptr(TARGET, obj)
            raise MemoryFault(f"cast: a function is no {TARGET.TO._short_name()}")
        if isinstance(obj, _opaque) and isinstance(TARGET.TO, OpaqueType):
            return make_ptr(TARGET, self._of_c(TARGET.TO, self.address(p)))
        obj._check()
        top, at = place_of(obj)
        if isinstance(top, _opaque) or isinstance(top.__dict__.get("items"), _CItems):
            return self.pointer(TARGET, self.address(p))
        return make_ptr(TARGET, self._view(top, at, TARGET.TO))

    def _view(self, top: Any, at: int, T: Any) -> Any:
        """What a pointer to a ``T`` at an offset in a piece of memory points to."""
        if isinstance(T, OpaqueType):
            return self._of_c(T, self._block(top).address + at)
        return view_at(top, at, T)

    # -- values -----------------------------------------------------------------------------

    def _write(self, container: Any, T: Any, address: int) -> None:
        if "_shared" in container.__dict__:
            self._write_bytes(container, _size(container, T), address)
            return
        if isinstance(T, Struct):
            for name, F in T._flds.items():
                place = address + field_offset(T, name)
                if name == T._parent_field:
                    self._write(container, F, place)
                    continue
                value = container.__dict__.get(T._slots[name])
                if isinstance(F, ContainerType):
                    self._write(value, F, place)
                elif value is not None and not _same(value, _seen(container, T._slots[name])):
                    self.write_value(F, place, value)
            return
        size = layout(T.OF)[0]
        if isinstance(container.items, _CItems):
            return
        for i, item in enumerate(list(container.items)):
            if isinstance(T.OF, ContainerType):
                self._write(item, T.OF, address + i * size)
            elif item is not UNINITIALISED and not _same(item, _seen(container, i)):
                self.write_value(T.OF, address + i * size, item)

    def _write_bytes(self, container: Any, size: int, address: int) -> None:
        shared, at = container._shared, container._at
        block = _bytes_at(address, size)
        if all(shared.written[at : at + size]):
            block[:] = bytes(shared.data[at : at + size])
        else:
            for i in range(size):
                if shared.written[at + i]:
                    block[i] = bytes(shared.data[at + i : at + i + 1])
        for place, p in shared.pointers.items():
            if at <= place < at + size:
                self.write_value(p._TYPE, address + place - at, p)

    def _read_bytes(self, container: Any, size: int, address: int) -> None:
        shared, at = container._shared, container._at
        data = bytes(_bytes_at(address, size))
        kept = {
            place for place, p in shared.pointers.items()
            if at <= place < at + size
            and int.from_bytes(data[place - at : place - at + 8], "little")
            == self._known_address(p)
        }  # fmt: skip
        shared.data[at : at + size] = data
        shared.written[at : at + size] = bytes([True] * size)
        for place in [place for place in shared.pointers if at <= place < at + size]:
            if place not in kept:
                del shared.pointers[place]

    def _read(self, container: Any, T: Any, address: int) -> None:
        if "_shared" in container.__dict__:
            self._read_bytes(container, _size(container, T), address)
            return
        if isinstance(T, Struct):
            for name, F in T._flds.items():
                place = address + field_offset(T, name)
                if name == T._parent_field:
                    self._read(container, F, place)
                elif isinstance(F, ContainerType):
                    self._read(container.__dict__[T._slots[name]], F, place)
                else:
                    old = container.__dict__.get(T._slots[name])
                    value = self.read_value(F, place, old)
                    setattr(container, T._slots[name], value)
                    container.__dict__.setdefault("_c_seen", {})[T._slots[name]] = value
            return
        size = layout(T.OF)[0]
        if isinstance(container.items, _CItems):
            return
        for i, old in enumerate(list(container.items)):
            if isinstance(T.OF, ContainerType):
                self._read(old, T.OF, address + i * size)
            else:
                value = container.items[i] = self.read_value(T.OF, address + i * size, old)
                container.__dict__.setdefault("_c_seen", {})[i] = value

    def write_value(self, T: Any, address: int, value: Any) -> None:
        """Store a low-level value.  A pointer to what was freed stays what it is: C may have it
        as long as it does not use it."""
        if T is Address:
            value = cast_adr_to_ptr(value, VOIDP)
        if isinstance(T, Ptr) or T is Address:
            try:
                value = self.address(value)
            except MemoryFault:
                return
        _bytes_at(address, layout(T)[0])[:] = packed(T, value)

    def read_value(self, T: Any, address: int, old: Any) -> Any:
        """The low-level value there; ``old``: the pointer that was written."""
        data = bytes(_bytes_at(address, layout(T)[0]))
        if isinstance(T, Ptr) or T is Address:
            found = int.from_bytes(data, "little")
            if isinstance(old, _ptr | fakeaddress) and self._known_address(old) == found:
                return old
            return self.pointer_or_address(T, found)
        return unpacked(T, data)

    def pointer_or_address(self, T: Any, address: int) -> Any:
        """What a number in memory is as a ``T``."""
        if T is Address:
            return cast_ptr_to_adr(self.pointer(VOIDP, address))
        return self.pointer(T, address)

    def place(self, top: Any) -> int | None:
        """The address of the start of raw memory; None when C cannot have it.  Vtables and the
        like, which refer to objects, are not copied to C for their address's sake."""
        if "c_address" not in top.__dict__ and _refers_to_objects(top._TYPE):
            return None
        try:
            return self.address(make_ptr(Ptr(top._TYPE), top))
        except TypeError:
            return None

    def _known_address(self, p: Any) -> int | None:
        if isinstance(p, fakeaddress):
            p = cast_adr_to_ptr(p, VOIDP)
        if p._obj is None:
            return 0
        return None if isinstance(p._obj, _func | _dead) else self.address(p)


def _refers_to_objects(T: Any) -> bool:
    """May memory of this type hold pointers to garbage-collected objects?"""
    if isinstance(T, Ptr):
        return bool(T.TO._gckind == "gc")
    if isinstance(T, Struct):
        return any(map(_refers_to_objects, T._flds.values()))
    return isinstance(T, Array) and _refers_to_objects(T.OF)


def _size(container: Any, T: Any) -> int:
    return memory_size(container) if container._parent is None else layout(T)[0]


def _seen(container: Any, key: Any) -> Any:
    """What was in a field or item when it was last read from C."""
    return container.__dict__.get("_c_seen", {}).get(key)


def _same(value: Any, seen: Any) -> bool:
    if isinstance(value, _ptr):
        return isinstance(seen, _ptr) and value._obj is seen._obj
    return seen is not None and bool(value == seen)


def _is_alive(container: Any) -> bool:
    return not isinstance(container, _dead)


MIRRORS = Mirrors()
"""Of the process: there is one C memory."""
PointerCasts.cast = staticmethod(MIRRORS.cast)  # type: ignore[assignment]
PointerCasts.pointer = staticmethod(MIRRORS.pointer_or_address)  # type: ignore[method-assign]
PointerCasts.place = staticmethod(MIRRORS.place)  # type: ignore[method-assign]
