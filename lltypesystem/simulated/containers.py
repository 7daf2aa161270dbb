"""Simulated memory: the containers that pointers point to.

One Python class is made per container type (``container_class``), and one Python object
stands for one piece of memory.  The rules that keep reads cheap:

* A struct and the parents it extends (first field of the same memory kind) are one
  object; level ``d`` of the chain stores field ``x`` as attribute ``x_d``
  (``Struct._slots``).  Casting between the levels changes the pointer, never the object,
  so two pointers are equal when their ``_obj`` is the same object.
* Any other inlined struct or array is a child object in its parent's attribute, with a
  link back (``parentlink``): weak when the parent is garbage-collected, so that a dead
  parent is noticed.
* An array keeps its items in the list ``items``.
* A null pointer has ``_obj`` None, freed memory changes its class to ``_dead``, and raw
  memory that was not initialised has no attribute: reading through any of them fails by
  itself, without a test on the fast path.

Values inside containers are low-level values (CONTRACT: plain ints, one-character
strings, ...).  Only attribute and item reads on a ``_ptr`` wrap sized ints.
"""

from __future__ import annotations

import weakref
from collections import deque
from typing import Any

from rpython.lltypesystem.layout import field_offset, layout, packed, unpacked
from rpython.lltypesystem.primitives import Address
from rpython.lltypesystem.types import (
    Array,
    ContainerType,
    FixedSizeArray,
    FuncType,
    OpaqueType,
    Ptr,
    Struct,
)


class MemoryFault(RuntimeError):
    """The program did to memory what no correct program does: null dereference, use
    after free, dead interior pointer, read of uninitialised memory."""


class ArrayBoundsError(MemoryFault, IndexError):
    """An array index out of bounds."""


class _Uninitialised:
    def __repr__(self) -> str:
        return "<uninitialised>"


UNINITIALISED = _Uninitialised()


class _container:
    """One piece of memory of type ``_TYPE``."""

    _TYPE: Any = None
    _parent: Any = None
    """None; or the container this one is inlined in (a weak reference when GC)."""
    _parentkey: Any = None
    """The slot or index in the parent."""
    _identityhash: int | None = None
    """What ``identityhash`` answered; prebuilt objects must keep it in native code."""
    _immortal = False

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise MemoryFault(f"{self._TYPE._short_name()}: {name} is not initialised")

    def _parentstructure(self) -> Any:
        """The container this one is inlined in, or None; MemoryFault when it is gone."""
        parent = self._parent
        if isinstance(parent, weakref.ref):
            parent = parent()
            if parent is None:
                raise MemoryFault(
                    f"access to {self._TYPE._short_name()} inside memory that was already"
                    " garbage-collected"
                )
        return parent

    def _check(self) -> None:
        """Raise MemoryFault unless this memory is alive."""
        if self._parent is not None:
            self._parentstructure()._check()

    def _set_parent(self, parent: _container, key: Any) -> None:
        self._parentkey = key
        self._parent = weakref.ref(parent) if parent._TYPE._gckind == "gc" else parent

    def _kill(self) -> None:
        """Mark this memory, and what is inlined in it, as freed."""
        for child in list(self.__dict__.values()):
            if (
                isinstance(child, _container)
                and child._parent is not None
                and (child._parent is self)
            ):
                child._kill()
        for view in self.__dict__.get("_views", {}).values():
            view._kill()
        if self._parent is None and "_shared" in self.__dict__:
            self._shared.data.clear()
        T = self._TYPE
        self.__dict__.clear()
        self.__class__ = _dead
        self.__dict__["_TYPE"] = T

    def __repr__(self) -> str:
        return f"<{self._TYPE._short_name()} at {hex(id(self))}>"


class _dead(_container):
    """What freed memory turns into."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        self._check()

    def __setattr__(self, name: str, value: Any) -> None:
        self._check()

    def _check(self) -> None:
        raise MemoryFault(f"use after free of {self._TYPE._short_name()}")


class _struct(_container):
    _zeroes: dict[str, Any] = {}
    """Slot -> zero value, for the simple fields of all levels."""
    _inlined: tuple[tuple[str, Any], ...] = ()
    """(slot, type) of the inlined children of all levels."""

    def _getfield(self, S: Struct, name: str) -> Any:
        """The low-level value of field ``name`` of level ``S``, or the inlined container."""
        return self if name == S._parent_field else getattr(self, S._slots[name])

    def _setfield(self, S: Struct, name: str, value: Any) -> None:
        setattr(self, S._slots[name], value)


class _array(_container):
    """Of Array, GcArray and FixedSizeArray types."""

    items: Any

    def getlength(self) -> int:
        return len(self.items)

    def _kill(self) -> None:
        if isinstance(self._TYPE.OF, ContainerType):
            for child in self.items:
                child._kill()
        super()._kill()


class _RawItems(list[Any]):
    """Items that may not have been written yet."""

    def __getitem__(self, index: Any) -> Any:
        value = super().__getitem__(index)
        if value is UNINITIALISED:
            raise MemoryFault(f"item {index} is not initialised")
        return value


class _func(_container):
    """A function; attributes: ``_name``, and usually ``graph`` or ``_callable``."""

    _name = ""
    _callable: Any = None
    graph: Any = None
    called: Any = None
    """Of one with a graph: what ``callees`` says of a direct call."""
    external: Any = None
    glue: Any = None
    interpreted = False
    blocking = False

    def __init__(self, TYPE: FuncType, name: str, attrs: dict[str, Any]) -> None:
        self._TYPE = TYPE
        self._name = name
        self._immortal = True
        self.__dict__.update(attrs)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)

    def __repr__(self) -> str:
        return f"<fn {self._name}>"


class _opaque(_container):
    """Opaque data; ``_name`` and any attributes given to ``opaqueptr``."""

    _name = ""
    about: Any = None
    """Of a RuntimeTypeInfo: the type."""
    query_funcptr: Any = None
    destructor_funcptr: Any = None

    def __init__(self, TYPE: OpaqueType, name: str, attrs: dict[str, Any]) -> None:
        self._TYPE = TYPE
        self._name = name
        self._immortal = True
        self.__dict__.update(attrs)


class FinalizerState:
    """What a program knows of objects with finalizers; see ``operations.finalizers``."""

    def __init__(self) -> None:
        self.observed = False
        """Does the program see when objects die, so that cycles must not wait?"""
        self.dead: deque[tuple[Any, int, bool]] = deque()
        """Those that nobody was told of, the numbers they were registered with, and whether the
        host found them in a cycle (then it has cleared the weak references among them)."""
        self.running = False
        self.told = False
        """Was one told since the last collection that the program asked for?"""
        self.number = 0
        """That of the last one told."""

    def __repr__(self) -> str:
        return "<finalizers>"


def died(obj: Any) -> None:
    """``__del__`` of the containers of types with the hint ``finalizer``: they live on until
    the program was told."""
    alive, registered = obj.__dict__.pop("_finalizers", (None, ()))
    for state, number in registered:
        state.dead.append((obj, number, alive() is None))


def _weak_slot(slot: str, T: Any) -> property:
    """A field with a pointer that does not keep what it points to alive."""

    def get(obj: Any) -> Any:
        value = obj.__dict__[slot]
        return T._make(T, value()) if isinstance(value, weakref.ref) else value

    def set(obj: Any, p: Any) -> None:
        keeps = p._obj is None or p._obj._immortal
        obj.__dict__[slot] = p if keeps else weakref.ref(p._obj)

    return property(get, set)


def container_class(T: Any) -> Any:
    """The Python class of the containers of a struct or array type (made once)."""
    known = T._container_class
    if known is not None:
        return known
    if isinstance(T, Struct):
        parent = T._parent_type()
        base = _struct if parent is None else container_class(parent)
        zeroes = dict(base._zeroes)
        inlined = list(base._inlined)
        for name, F in T._flds.items():
            if name == T._parent_field:
                continue
            if isinstance(F, ContainerType):
                inlined.append((T._slots[name], F))
            else:
                zeroes[T._slots[name]] = F._defl()
        attrs: dict[str, Any] = {"_TYPE": T, "_zeroes": zeroes, "_inlined": tuple(inlined)}
        for name in T._hints.get("weak_fields", ()):
            attrs[T._slots[name]] = _weak_slot(T._slots[name], T._flds[name])
        if T._hints.get("finalizer"):
            attrs["__del__"] = died
        T._container_class = type(T._name, (base,), attrs)
    elif isinstance(T, Array | FixedSizeArray):
        T._container_class = type("array", (_array,), {"_TYPE": T})
    else:
        raise TypeError(f"malloc: cannot allocate {T}")
    return T._container_class


def new_container(T: Any, n: int | None, zeroed: bool) -> Any:
    """A fresh container of struct or array type ``T``; ``n`` items in its variable part."""
    if isinstance(T, Struct) and T._is_union:
        return new_shared(T, SharedBytes(layout(T)[0], zeroed), 0)
    cls = T._container_class or container_class(T)
    obj = cls.__new__(cls)
    if isinstance(T, Struct):
        if zeroed:
            obj.__dict__.update(cls._zeroes)
        for slot, F in cls._inlined:
            if isinstance(F, OpaqueType):
                child: Any = _opaque(F, slot, {})
            else:
                child = new_container(F, n, zeroed)
            child._set_parent(obj, slot)
            obj.__dict__[slot] = child
        return obj
    length = T.length if isinstance(T, FixedSizeArray) else n
    assert length is not None
    OF = T.OF
    if isinstance(OF, ContainerType):
        items = []
        for i in range(length):
            item = new_container(OF, None, zeroed)
            item._set_parent(obj, i)
            items.append(item)
        obj.items = items
    else:
        obj.items = [OF._defl()] * length if zeroed else _RawItems([UNINITIALISED] * length)
    return obj


# -- memory without types --------------------------------------------------------------------------


class PointerCasts:
    """What pointers, addresses and numbers are as each other; set by the modules that know."""

    @staticmethod
    def cast(T: Any, p: Any) -> Any:
        """A pointer as one of another type.  (``cmirror``)"""
        raise MemoryFault(f"a {T} is read from memory that holds a pointer of another type")

    @staticmethod
    def pointer(T: Any, address: int) -> Any:
        """A number as a pointer or address.  (``cmirror``)"""
        raise MemoryFault(f"a {T} is read from memory that holds no pointer there")

    @staticmethod
    def place(top: Any) -> int | None:
        """The number of the start of raw memory, None: it has none.  (``cmirror``)"""
        return None

    @staticmethod
    def across(T: Any, value: Any) -> Any:
        """A pointer as an address, or an address as a pointer.  (``addresses``)"""
        raise NotImplementedError


class SharedBytes:
    """The memory of a union, or of a piece that was cast to another type (``rawbytes``): what one
    type writes another one reads.  Pointers have no bytes here: only pointers can be read where
    one was written."""

    def __init__(self, size: int, zeroed: bool) -> None:
        self.data = bytearray(size)
        self.written = bytearray([zeroed] * size)
        """Which bytes are initialised."""
        self.pointers: dict[int, Any] = {}
        """By offset, those that are not null."""

    def read(self, T: Any, at: int) -> Any:
        """The low-level value of type ``T`` at an offset; MemoryFault where there is none."""
        size = self._size(T, at)
        known = self.pointers.get(at)
        is_pointer = isinstance(T, Ptr) or T is Address
        if known is not None and is_pointer:
            if known._TYPE == T:
                return known
            convert = PointerCasts.across if Address in (T, known._TYPE) else PointerCasts.cast
            return convert(T, known)
        if any(at - 8 < other < at + size for other in self.pointers):
            raise MemoryFault(f"a {T} is read from memory that holds a pointer there")
        if not all(self.written[at : at + size]):
            raise MemoryFault(f"a {T} is read from memory where nothing was written")
        data = bytes(self.data[at : at + size])
        if not is_pointer:
            return unpacked(T, data)
        return PointerCasts.pointer(T, int.from_bytes(data, "little")) if any(data) else T._defl()

    def write(self, T: Any, at: int, value: Any) -> None:
        """Store a low-level value of type ``T``."""
        size = self._size(T, at)
        for other in [other for other in self.pointers if at - 8 < other < at + size]:
            del self.pointers[other]
            self.written[other : other + 8] = bytes(8)
        is_pointer = isinstance(T, Ptr) or T is Address
        if is_pointer and value:
            self.pointers[at] = value
        self.data[at : at + size] = packed(T, 0 if is_pointer else value)
        self.written[at : at + size] = bytes([True] * size)

    def fill(self) -> None:
        """Initialise what was not written: it is zero."""
        self.written[:] = bytes([True] * len(self.written))

    def _size(self, T: Any, at: int) -> int:
        size: int = layout(T)[0]
        if not 0 <= at <= len(self.data) - size:
            raise ArrayBoundsError(f"a {T} at byte {at} of {len(self.data)}")
        return size

    def take(self, other: SharedBytes, start: int, size: int, at: int) -> None:
        """Copy ``size`` bytes of other memory, and what pointers are in them."""
        pointers = [(p, where - start) for where, p in other.pointers.items()
                    if start <= where < start + size]  # fmt: skip
        for where in [where for where in self.pointers if at - 8 < where < at + size]:
            del self.pointers[where]
        self.data[at : at + size] = other.data[start : start + size]
        self.written[at : at + size] = other.written[start : start + size]
        for p, where in pointers:
            self.pointers[where + at] = p


class SharedItems:
    """The items of an array in such memory."""

    def __init__(self, shared: SharedBytes, at: int, OF: Any, length: int) -> None:
        self.shared, self.at, self.OF, self.length = shared, at, OF, length
        self.size = layout(OF)[0]

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> Any:
        return self.shared.read(self.OF, self._place(index))

    def __setitem__(self, index: int, value: Any) -> None:
        self.shared.write(self.OF, self._place(index), value)

    def _place(self, index: int) -> int:
        if not 0 <= index < self.length:
            raise ArrayBoundsError(f"index {index} out of bounds: {self.length} items")
        return self.at + index * self.size


def new_shared(T: Any, shared: SharedBytes, at: int, cls: Any = None) -> Any:
    """A container of type ``T`` whose values are in shared memory, at an offset; an array
    without a length has what fits."""
    cls = cls or (shared_class(T) if isinstance(T, Struct) else container_class(T))
    obj = cls.__new__(cls)
    obj.__dict__.update(_shared=shared, _at=at)
    if isinstance(T, Struct):
        for S in T._ancestors():
            for name, F in S._flds.items():
                if name != S._parent_field and isinstance(F, ContainerType):
                    child = new_shared(F, shared, at + field_offset(S, name))
                    child._set_parent(obj, S._slots[name])
                    obj.__dict__[S._slots[name]] = child
        return obj
    size = layout(T.OF)[0]
    length = T.length if isinstance(T, FixedSizeArray) else (len(shared.data) - at) // size
    if isinstance(T.OF, ContainerType):
        obj.items = [new_shared(T.OF, shared, at + i * size) for i in range(length)]
        for i, item in enumerate(obj.items):
            item._set_parent(obj, i)
    else:
        obj.items = SharedItems(shared, at, T.OF, length)
    return obj


def shared_class(T: Struct) -> Any:
    """The class of such structs."""
    if T._shared_class is None:
        attrs: dict[str, Any] = {}
        for S in T._ancestors():
            for name, F in S._flds.items():
                if not isinstance(F, ContainerType):
                    attrs[S._slots[name]] = _shared_slot(F, field_offset(S, name))
        T._shared_class = type(T._name, (container_class(T),), attrs)
    return T._shared_class


def _shared_slot(F: Any, offset: int) -> property:
    """A field whose value is in shared memory."""

    def get(obj: Any) -> Any:
        return obj._shared.read(F, obj._at + offset)

    def set(obj: Any, value: Any) -> None:
        obj._shared.write(F, obj._at + offset, value)

    return property(get, set)


def is_instance_container(obj: Any, S: Any) -> bool:
    """Is the container of type ``S`` or, for structs, of one that extends it?"""
    if isinstance(S, Struct):
        cls = S._container_class
        if cls is not None and isinstance(obj, cls):
            return True
        # an equal type made a second time has a class of its own
        return isinstance(obj, _struct) and any(S == A for A in obj._TYPE._ancestors())
    return bool(obj._TYPE == S)


def container_key(obj: Any) -> Any:
    """What identifies a container: functions of one graph are one function, equal types have
    one run-time type."""
    if isinstance(obj, _func) and obj.graph is not None:
        return id(obj.graph)
    if isinstance(obj, _opaque) and obj.about is not None:
        return obj.about
    return id(obj)


def same_container(a: Any, b: Any) -> bool:
    """Are both the same piece of memory (or both None)?"""
    return a is b or (isinstance(a, _func | _opaque) and container_key(a) == container_key(b))
