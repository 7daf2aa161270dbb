"""Simulated memory: pointers, the values they read and write, allocation.

``_ptr`` is the checked face that helpers and users work with; the LLInterpreter reaches
through ``_ptr._obj`` into the containers (``lltypesystem.simulated.containers``).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, cast, overload

from rpython.lltypesystem.primitives import (
    PRIMITIVES,
    Bool,
    Char,
    Float,
    LowLevelType,
    Primitive,
    Signed,
    SingleFloat,
    SymbolicValue,
    UniChar,
    Void,
)
from rpython.lltypesystem.rarithmetic import base_int, r_singlefloat, round_to_single
from rpython.lltypesystem.simulated.containers import (
    UNINITIALISED,
    ArrayBoundsError,
    MemoryFault,
    _array,
    _container,
    _dead,
    _func,
    _opaque,
    _struct,
    container_key,
    new_container,
    same_container,
)
from rpython.lltypesystem.simulated.itemnames import named_item
from rpython.lltypesystem.simulated.leakfinder import forget, remember
from rpython.lltypesystem.types import (
    Array,
    ContainerType,
    FixedSizeArray,
    FuncType,
    OpaqueType,
    Ptr,
    Struct,
)

MAX_SIMULATED_ITEMS = 1 << 27
"""Longer arrays raise MemoryError: beyond what the host could hold anyway."""


class _ptr:
    """A typed pointer.  ``_TYPE`` is its Ptr type, ``_obj`` the container or None.

    Fields of structs are attributes, array items are subscripts, function pointers are
    called; every access is checked.  Names starting with an underscore are the
    pointer's own.
    """

    __slots__ = ("_TYPE", "_obj")

    _TYPE: Ptr
    _obj: Any

    @property
    def _T(self) -> Any:
        """The container type pointed to (statically)."""
        return self._TYPE.TO

    def _container(self) -> Any:
        """The live container, checked; MemoryFault for null and dead memory."""
        obj = self._obj
        if obj is None:
            raise MemoryFault(f"null pointer dereferenced: {self._TYPE._short_name()}")
        obj._check()
        return obj

    def __bool__(self) -> bool:
        return self._obj is not None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _ptr):
            raise TypeError(f"comparing a pointer with {other!r}")
        if self._TYPE != other._TYPE:
            raise TypeError(f"comparing pointers of two types: {self._TYPE} and {other._TYPE}")
        return same_container(self._obj, other._obj)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(container_key(self._obj))

    def __getattr__(self, name: str) -> Any:
        T = self._TYPE.TO
        if isinstance(T, Struct):
            if name in T._flds:
                value = self._container()._getfield(T, name)
                return exposed(T._flds[name], value)
            if name in T._adtmeths:
                return self._adtmethod(T._adtmeths[name])
            T._nofield(name)
        if isinstance(T, Array) and name in T._adtmeths:
            return self._adtmethod(T._adtmeths[name])
        number = named_item(T, name)
        if number is not None:
            return self[number]
        raise AttributeError(f"{T._short_name()} has no attribute {name!r}")

    def _adtmethod(self, method: Any) -> Any:
        if not callable(method) or getattr(method, "_static_method", False):
            return method
        first = self._TYPE.TO if getattr(method, "_type_method", False) else self
        return partial(method, first)

    def __setattr__(self, name: str, value: Any) -> None:
        T = self._TYPE.TO
        number = named_item(T, name)
        if number is not None:
            self[number] = value
            return
        if not isinstance(T, Struct) or name not in T._flds:
            raise AttributeError(f"{T._short_name()} has no field {name!r}")
        low = low_level_value(T._flds[name], value, f"field {name!r} of {T._short_name()}")
        self._container()._setfield(T, name, low)

    def _items_at(self, index: int) -> Any:
        T = self._TYPE.TO
        if not isinstance(T, Array | FixedSizeArray):
            raise TypeError(f"{T._short_name()} has no items")
        if not isinstance(index, int):
            raise TypeError(f"array index must be an int, not {index!r}")
        items = self._container().items
        if not 0 <= index < len(items):
            raise ArrayBoundsError(f"index {index} out of bounds: {len(items)} items")
        return items

    def __getitem__(self, index: int) -> Any:
        items = self._items_at(index)
        return exposed(self._TYPE.TO.OF, items[int(index)])

    def __setitem__(self, index: int, value: Any) -> None:
        items = self._items_at(index)
        OF = self._TYPE.TO.OF
        items[int(index)] = low_level_value(OF, value, f"item of {self._TYPE.TO._short_name()}")

    def __len__(self) -> int:
        T = self._TYPE.TO
        if isinstance(T, FixedSizeArray):
            return T.length
        if not isinstance(T, Array) or not T._has_length():
            raise TypeError(f"{T._short_name()} has no length")
        return len(self._container().items)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __call__(self, *args: Any) -> Any:
        T = self._TYPE.TO
        if not isinstance(T, FuncType):
            raise TypeError(f"{T._short_name()} is not a function")
        func = self._container()
        if len(args) != len(T.ARGS):
            raise TypeError(f"{func._name}: takes {len(T.ARGS)} arguments, {len(args)} given")
        for i, (A, arg) in enumerate(zip(T.ARGS, args, strict=True)):
            low_level_value(A, arg, f"argument {i} of {func._name}")
        if func._callable is None:
            raise TypeError(f"{func._name}: has no _callable")
        return func._callable(*args)

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        obj = self._obj
        name = self._TYPE.TO._short_name()
        if obj is None:
            return f"* None of {name}"
        if isinstance(obj, _dead):
            return f"* DEAD {name}"
        T = self._TYPE.TO
        if isinstance(T, Struct):
            parts = []
            for field, F in T._flds.items():
                value = obj.__dict__.get(T._slots[field], UNINITIALISED)
                if not isinstance(F, ContainerType):
                    shown = f"* {F.TO._short_name()}" if isinstance(F, Ptr) and value else value
                    parts.append(f"{field}={shown}")
                else:
                    parts.append(f"{field}=...")
            return f"* {name} {{ {', '.join(parts)} }}"
        if isinstance(T, FuncType):
            return f"* fn {obj._name}"
        if isinstance(T, Array):
            return f"* {name} of length {len(obj.items)}"
        return f"* {name}"


_allocate_ptr = _ptr.__new__
_set_type = cast(Any, _ptr.__dict__["_TYPE"]).__set__
_set_obj = cast(Any, _ptr.__dict__["_obj"]).__set__


def make_ptr(TYPE: Ptr, obj: Any) -> _ptr:
    """The pointer of type ``TYPE`` to the container ``obj`` (None: null), unchecked."""
    p = _allocate_ptr(_ptr)
    _set_type(p, TYPE)
    _set_obj(p, obj)
    return p


def _make_null(TYPE: Ptr) -> _ptr:
    return make_ptr(TYPE, None)


Ptr._make_null = staticmethod(_make_null)
Ptr._make = staticmethod(make_ptr)


def staticAdtMethod(func: Any) -> Any:
    """A function that takes neither the pointer nor the type, for the ADT methods of a type."""
    func._static_method = True
    return func


def unboxed(value: Any) -> Any:
    """A host value as a low-level one: sized ints and single floats lose their class."""
    if isinstance(value, base_int):
        return int(value)
    return float(value) if isinstance(value, r_singlefloat) else value


def exposed(T: LowLevelType, value: Any) -> Any:
    """A stored value as user code sees it: sized ints boxed, containers as pointers."""
    if isinstance(T, Primitive):
        return value if T.box is None else T.box(value)
    if isinstance(T, ContainerType):
        return make_ptr(Ptr(T), value)
    return value


# -------------------------------------------------------------------------- values

_BOXED: dict[type, Primitive] = {cast(type, T.box): T for T in PRIMITIVES if T.box is not None}


@overload
def typeOf(value: _ptr) -> Ptr: ...


@overload
def typeOf(value: Any) -> LowLevelType: ...


def typeOf(value: Any) -> LowLevelType:
    """The low-level type of a host value; TypeError when it has none, OverflowError for
    a plain int outside Signed."""
    if isinstance(value, _ptr):
        return value._TYPE
    if isinstance(value, bool):
        return Bool
    if isinstance(value, int):
        if isinstance(value, base_int):
            return _BOXED.get(type(value), Signed)
        if not Signed.min <= value <= Signed.max:
            raise OverflowError(f"{value} does not fit Signed")
        return Signed
    if isinstance(value, float):
        return Float
    if isinstance(value, str) and len(value) == 1:
        return Char if value <= "\xff" else UniChar
    if value is None:
        return Void
    if isinstance(value, r_singlefloat):
        return SingleFloat
    if isinstance(value, SymbolicValue):
        return value._TYPE
    if isinstance(value, _container):
        T: LowLevelType = value._TYPE
        return T
    raise TypeError(f"{value!r} has no low-level type")


def low_level_value(T: LowLevelType, value: Any, where: str = "value") -> Any:
    """``value`` as stored in memory of type ``T``; TypeError unless it is one.

    Sized ints lose their class (it must be the right one); plain ints are accepted for
    every integer type whose range they are in.
    """
    if isinstance(T, Ptr):
        if isinstance(value, _ptr) and value._TYPE == T:
            return value
    elif isinstance(T, Primitive):
        if T.is_integer:
            if isinstance(value, base_int):
                if _BOXED.get(type(value), Signed) == T:
                    return int(value)
            elif isinstance(value, int) and not isinstance(value, bool):
                if T.min <= value <= T.max:
                    return value
                raise TypeError(f"{where}: {value} is out of the range of {T}")
        elif T is Void:
            return value
        elif T is Bool:
            if isinstance(value, bool):
                return value
        elif T is Float:
            if isinstance(value, float):
                return value
        elif T is SingleFloat:
            if isinstance(value, float | r_singlefloat):
                return round_to_single(float(value))
        elif T is Char or T is UniChar:
            if isinstance(value, str) and len(value) == 1:
                if T is UniChar or value <= "\xff":
                    return value
                raise TypeError(f"{where}: a Char is a character up to U+00FF")
        elif isinstance(value, SymbolicValue) and value._TYPE is T:
            return value
    else:
        raise TypeError(f"{where}: {T._short_name()} is inlined: it cannot be assigned")
    raise TypeError(f"{where}: expected {T._short_name()}, got {_describe(value)}")


def _describe(value: Any) -> str:
    try:
        return f"{value!r} of type {typeOf(value)._short_name()}"
    except TypeError:
        return f"{value!r}, which has no low-level type"
    except OverflowError:
        return f"{value!r}, which fits no low-level type"


# ---------------------------------------------------------------------- allocation


def malloc(
    T: Any,
    n: int | None = None,
    flavor: str = "gc",
    immortal: bool = False,
    zero: bool = False,
    track_allocation: bool = True,
    add_memory_pressure: bool = False,
    nonmovable: bool = False,
) -> _ptr:
    """Allocate a container of type ``T`` and return a pointer to it.

    ``n``: the length of the variable part, required exactly for variable-sized types.
    ``flavor``: 'gc' for GC types, 'raw' for the others (which ``free`` releases), unless
    they are ``immortal``: prebuilt data.  GC and immortal memory is zeroed, raw memory
    only with ``zero``; reading what was not written is a MemoryFault.  ``track_allocation``:
    the leak finder expects raw memory to be freed.  The last two mean nothing: objects never
    move, and nothing is ever collected.

    Raises TypeError on misuse, MemoryError when ``n`` is negative or huge.
    """
    if not isinstance(T, Struct | Array | FixedSizeArray):
        raise TypeError(f"malloc: cannot allocate {T!r}")
    if flavor == "gc":
        if T._gckind != "gc" and not immortal:
            raise TypeError(f"malloc: {T._short_name()} is not a GC type: use flavor='raw'")
    elif flavor == "raw":
        if T._gckind == "gc":
            raise TypeError(f"malloc: {T._short_name()} is a GC type: use flavor='gc'")
    else:
        raise TypeError(f"malloc: unknown flavor {flavor!r}")
    if T._is_varsize():
        if n is None:
            raise TypeError(f"malloc: {T._short_name()} needs a length")
        if not isinstance(n, int) or isinstance(n, bool):
            raise TypeError(f"malloc: the length must be an int, not {n!r}")
        n = int(n)
        if not 0 <= n <= MAX_SIMULATED_ITEMS:
            raise MemoryError(f"malloc: {n} items")
    elif n is not None:
        raise TypeError(f"malloc: {T._short_name()} has a fixed size, no length is allowed")
    obj = new_container(T, n, zero or immortal or T._gckind == "gc")
    if immortal:
        obj._immortal = True
    elif flavor == "raw" and track_allocation:
        remember(obj)
    return make_ptr(Ptr(T), obj)


def free(p: _ptr, flavor: str = "raw", track_allocation: bool = True) -> None:
    """Release raw memory obtained from ``malloc``; any later use is a MemoryFault."""
    if flavor != "raw" or not isinstance(p, _ptr) or p._TYPE._gckind != "raw":
        raise TypeError(f"free: only raw memory can be freed, not {p!r}")
    obj = p._container()
    if not isinstance(obj, _struct | _array) or obj._parent is not None:
        raise MemoryFault(f"free: {p!r} was not allocated by malloc")
    if obj._immortal:
        raise MemoryFault(f"free: {p!r} is immortal")
    obj._kill()
    forget(obj)


def render_immortal(p: _ptr, track_allocation: bool = True) -> None:
    """Declare that raw memory is never freed; the leak finder does not expect it to be."""
    obj = p._container()
    if p._TYPE._gckind != "raw":
        raise TypeError(f"render_immortal: only raw memory is freed, not {p!r}")
    forget(obj)
    obj._immortal = True


def nullptr(T: Any) -> _ptr:
    """The null pointer to ``T``."""
    return cast(_ptr, Ptr(T)._defl())


def functionptr(TYPE: Any, name: str, **attrs: Any) -> _ptr:
    """A pointer to a new function.  Attributes used by the tools: ``graph`` (its flow
    graph), ``_callable`` (host function), ``external='C'`` with ``c_name``/``includes``."""
    if not isinstance(TYPE, FuncType):
        raise TypeError(f"functionptr: {TYPE!r} is not a FuncType")
    return make_ptr(Ptr(TYPE), _func(TYPE, name, attrs))


def opaqueptr(TYPE: Any, name: str, **attrs: Any) -> _ptr:
    """A pointer to new opaque data; equal only to itself."""
    if not isinstance(TYPE, OpaqueType):
        raise TypeError(f"opaqueptr: {TYPE!r} is not an OpaqueType")
    return make_ptr(Ptr(TYPE), _opaque(TYPE, name, attrs))
