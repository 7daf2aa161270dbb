"""C pointers and numbers in restricted code: the classes that stand for cffi's cdata.

Each C type has a class of its own, made when it is first met, whose methods are ordinary
restricted code over ``lltypesystem.foreign.cmemory``::

    int *         pointer_class(T): p[i], p[i] = x, p + n, p == q, ...
    int[]         the same with a length: bounds are checked, len(), iteration
    struct s *    its fields are properties; so are those of p[0], a reference to the struct

What is raised, and its text, is cffi's.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from types import FunctionType
from typing import Any

from rpython.annotator.overlay.c_pointers import call_method
from rpython.lltypesystem.foreign.cglue import (
    UnsupportedCType,
    is_bool,
    is_char,
    is_floating,
    is_integer,
    is_pointer,
    is_signed,
)
from rpython.lltypesystem.foreign.cmemory import LOAD, STORE, c_copy, c_free, put_bytes
from rpython.lltypesystem.foreign.cvalues import ffi, pointer_to
from rpython.stdlib._registry import per_arguments

CType = Any

ALL_BYTES = bytes(range(256))


# -- what the annotator checks -----------------------------------------------------------------


def checked_int(value: Any) -> int:
    """The argument, which has to be an int or a bool; refused at translation otherwise."""
    return int(value)


def checked_float(value: Any) -> float:
    """The argument, which has to be a number."""
    return float(value)


def checked_bytes(value: Any) -> bytes:
    """The argument, which has to be bytes."""
    assert isinstance(value, bytes)
    return value


def refused(message: str) -> Any:
    """What cannot be done; refused at translation."""
    raise TypeError(message)


def checked_pointer(value: Any, wanted: Any) -> Any:
    """The argument, which has to be a pointer that C takes where the C type ``wanted`` is
    expected (None: any pointer), or a struct of that type."""
    return value


# -- pointers ----------------------------------------------------------------------------------


class CData:
    """A C pointer, array or struct: an address.  Names start with ``_c_``: all others may be
    those of fields.

    ``length``: how many items ``new`` made, or the array has; -1 when that is not known.
    ``owned``: did ``new`` make the memory?
    """

    __slots__ = ("_c_address", "_c_length", "_c_owned")
    _c_name = "cdata"
    _c_size = 0
    """The size of an item."""
    _c_decayed = ""
    """The name of the type as a pointer: that of ``int *`` for ``int[]``."""
    _rpython_ctype_: CType = None

    def __init__(self, address: int, length: int, owned: bool) -> None:
        self._c_address = address
        self._c_length = length
        self._c_owned = owned

    def _c_get_address(self) -> int:
        """Where it points to."""
        return self._c_address

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CData) and self._c_get_address() == other._c_get_address()

    def __hash__(self) -> int:
        return self._c_get_address()

    def __bool__(self) -> bool:
        return self._c_get_address() != 0

    def __repr__(self) -> str:
        name, address = self._c_name, self._c_get_address()
        if self._c_owned:
            return f"<cdata '{name}' owning {self._c_length * self._c_size} bytes>"
        if address == 0:
            return f"<cdata '{name}' NULL>"
        return f"<cdata '{name}' 0x{address:x}>"

    def __lt__(self, other: CData) -> bool:
        return self._c_get_address() < other._c_get_address()

    def __le__(self, other: CData) -> bool:
        return self._c_get_address() <= other._c_get_address()

    def __gt__(self, other: CData) -> bool:
        return self._c_get_address() > other._c_get_address()

    def __ge__(self, other: CData) -> bool:
        return self._c_get_address() >= other._c_get_address()

    def _c_release(self) -> None:
        """Free what ``new`` made."""
        if not self._c_owned:
            raise ValueError(NOT_OWNED)
        c_free(self._c_address)
        self._c_address = 0
        self._c_length = 0

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        self._c_release()


NOT_OWNED = (
    "only 'cdata' object from ffi.new(), ffi.gc(), ffi.from_buffer() or ffi.new_allocator()() can"
    " be used with the 'with' keyword or ffi.release()"
)


def _place_of_reference(self: Any) -> int:
    """The address of a struct, whose fields are read."""
    address: int = self._c_address
    return address


def _item_places(T: CType) -> Callable[[Any, int], int]:
    """``place(p, index)``: the address of an item of a pointer or array."""
    cname, size = T.cname, ffi.sizeof(T.item)
    null = f"cannot dereference null pointer from cdata '{cname}'"

    def place_in_array(self: Any, index: int) -> int:
        if index < 0:
            raise IndexError("negative index")
        if index >= self._c_length:
            raise IndexError(
                f"index too large for cdata '{cname}' (expected {index} < {self._c_length})"
            )
        if self._c_address == 0:
            raise RuntimeError(null)
        address: int = self._c_address
        return address + index * size

    def place_at_pointer(self: Any, index: int) -> int:
        if self._c_owned and index != 0:
            raise IndexError(f"cdata '{cname}' can only be indexed by 0")
        if self._c_address == 0:
            raise RuntimeError(null)
        address: int = self._c_address
        return address + index * size

    return place_in_array if T.kind == "array" else place_at_pointer


def _identifier(cname: str) -> str:
    text = cname.replace("*", " ptr ").replace("[", " array ")
    return "C_" + "_".join(re.findall(r"\w+", text))


def decayed(T: CType) -> CType:
    """The pointer type that an array type is passed as; other types as they are."""
    return pointer_to(T.item) if T.kind == "array" else T


# -- reading and writing memory ----------------------------------------------------------------


def storage(T: CType) -> str:
    """The kind of a number in memory, a key of ``LOAD``; u64 is read as i64."""
    if is_floating(T):
        return "f64" if T.cname == "double" else "f32"
    size = 8 * ffi.sizeof(T)
    signed = size == 64 or (is_integer(T) and is_signed(T))
    return f"{'i' if signed else 'u'}{size}"


def integer_converter(T: CType) -> Callable[[Any], int]:
    """``convert(value)``: an int that is in the range of the integer type or of ``_Bool``."""
    cname, signed = T.cname, not is_bool(T) and is_signed(T)
    bits = 8 * ffi.sizeof(T)
    if signed:
        low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    else:
        low, high = 0, 1 if is_bool(T) else min((1 << bits) - 1, (1 << 63) - 1)

    def convert_any(value: Any) -> int:
        return checked_int(value)

    def convert_signed(value: Any) -> int:
        n = checked_int(value)
        if n < low or n > high:
            raise OverflowError(f"integer {n} does not fit '{cname}'")
        return n

    def convert_unsigned(value: Any) -> int:
        n = checked_int(value)
        if n < 0:
            raise OverflowError("can't convert negative number to unsigned")
        if n > high:
            raise OverflowError(f"integer {n} does not fit '{cname}'")
        return n

    if signed:
        return per_arguments(convert_signed if bits < 64 else convert_any)
    return per_arguments(convert_unsigned)


@per_arguments
def convert_float(value: Any) -> float:
    return checked_float(value)


@per_arguments
def convert_char(value: Any) -> int:
    data = checked_bytes(value)
    if len(data) != 1:
        raise TypeError("initializer for ctype 'char' must be a bytes of length 1, not bytes")
    return data[0]


_ONE_BYTE = ("signed char *", "unsigned char *", "int8_t *", "uint8_t *", "_Bool *")
"""C takes ``char *`` for each of them, and each for ``char *``."""


def names_taken(T: CType) -> tuple[str, ...]:
    """The names of the pointer types that C takes for ``T``, ``void *`` aside."""
    if T.cname == "char *":
        return (T.cname, *_ONE_BYTE)
    return (T.cname, "char *") if T.cname in _ONE_BYTE else (T.cname,)


def pointer_converter(T: CType) -> Callable[[Any], int]:
    """``convert(p)``: the address in a pointer that C takes for this type."""
    cname, names, anything = T.cname, names_taken(T), T.cname == "void *"

    def convert_pointer(value: Any) -> int:
        p = checked_pointer(value, T)
        if not anything and p._c_decayed != "void *" and p._c_decayed not in names:
            raise TypeError(
                f"initializer for ctype '{cname}' must be a pointer to same type, not cdata "
                f"'{p._c_name}'"
            )
        address: int = p._c_get_address()
        return address

    return per_arguments(convert_pointer)


@per_arguments
def give_plain(value: Any) -> Any:
    return value


def give_unsigned(value: int) -> int:
    """A 64-bit unsigned number that was read as a signed one."""
    if value < 0:
        raise OverflowError("an unsigned C value does not fit in 64 bits with a sign")
    return value


def give_bool(value: int) -> bool:
    if value > 1:
        raise ValueError(f"got a _Bool of value {value}, expected 0 or 1")
    return value != 0


def give_char(value: int) -> bytes:
    return ALL_BYTES[value : value + 1]


def _giver_of_pointers(T: CType) -> Callable[[int], Any]:
    cls = data_class(T)

    def give_pointer(address: int) -> Any:
        return cls(address, -1, False)

    return give_pointer


@functools.cache
def converter(T: CType) -> Callable[[Any], Any]:
    """``convert(value)``: a Python value as the low-level one that travels to C."""
    if is_floating(T):
        return convert_float
    if is_char(T):
        return convert_char
    if is_integer(T) or is_bool(T):
        return integer_converter(T)
    if is_pointer(T):
        return pointer_converter(T)
    raise UnsupportedCType(f"values of type {T.cname!r} are not supported")


@functools.cache
def giver(T: CType) -> Callable[[Any], Any]:
    """``give(value)``: what came from C as a Python value."""
    if T.kind == "void" or is_floating(T):
        return give_plain
    if is_char(T):
        return give_char
    if is_bool(T):
        return give_bool
    if is_integer(T):
        return give_plain if is_signed(T) or ffi.sizeof(T) < 8 else give_unsigned
    if is_pointer(T):
        return _giver_of_pointers(T)
    raise UnsupportedCType(f"values of type {T.cname!r} are not supported")


@functools.cache
def reader(T: CType) -> Callable[[int], Any]:
    """``read(address)``: the value of that type there."""
    if T.kind in ("struct", "union"):
        cls, count = data_class(T), -1
    elif T.kind == "array":
        cls, count = data_class(T), T.length
    else:
        give, load = giver(T), LOAD["i64" if is_pointer(T) else storage(T)]

        def read(address: int) -> Any:
            return give(load(address))

        return read

    def read_part(address: int) -> Any:
        return cls(address, count, False)

    return read_part


@functools.cache
def writer(T: CType) -> Callable[[int, Any], None] | None:
    """``write(address, value)``; None for what cannot be assigned."""
    if T.kind in ("struct", "union"):
        size = ffi.sizeof(T)

        def write_struct(address: int, value: Any) -> None:
            c_copy(address, checked_pointer(value, T)._c_address, size)

        return per_arguments(write_struct)
    if T.kind == "array":
        return _writer_of_bytes(T) if is_char(T.item) else None
    convert, store = converter(T), STORE["i64" if is_pointer(T) else storage(T)]

    def write(address: int, value: Any) -> None:
        store(address, convert(value))

    return per_arguments(write)


def _writer_of_bytes(T: CType) -> Callable[[int, Any], None]:
    cname, room = T.cname, T.length

    def write_bytes(address: int, value: Any) -> None:
        data = checked_bytes(value)
        size = len(data)
        if size > room:
            raise IndexError(
                f"initializer bytes is too long for '{cname}' (got {size} characters)"
            )
        put_bytes(address, data, size)
        if size < room:
            STORE_ZERO(address + size, 0)

    return per_arguments(write_bytes)


STORE_ZERO = STORE["u8"]


# -- the classes -------------------------------------------------------------------------------

_TAKEN = ("_c_", "_rpython_", "__")
"""How names start that C fields cannot have here."""

_CLASSES: dict[CType, type[CData]] = {}
"""The classes made so far: they mention each other."""


def data_class(T: CType) -> type[CData]:
    """The class of pointers, arrays, or references to structs, of this C type."""
    cls = _CLASSES.get(T)
    if cls is None:
        names = {
            "__module__": __name__, "_c_name": T.cname, "_c_decayed": decayed(T).cname,
            "_c_size": ffi.sizeof(T.item) if item_has_size(T) else 0,
            "_rpython_ctype_": T, "__slots__": (),
        }  # fmt: skip
        cls = _CLASSES[T] = type(_identifier(T.cname), (CData,), names)
        for name, method in _methods(T).items():
            if isinstance(method, FunctionType):
                method.__name__, method.__qualname__ = name, f"{cls.__qualname__}.{name}"
            setattr(cls, name, method)
    return cls


def _methods(T: CType) -> dict[str, Any]:
    """The methods and properties of the class for a C type."""
    methods: dict[str, Any] = {}
    if T.kind in ("struct", "union"):
        _add_fields(methods, T, _place_of_reference)
        methods["__bool__"] = _always_true()
    elif T.kind == "array":
        _add_items(methods, T)
        methods.update(_array_methods())
    elif T.kind == "pointer" and has_size(T.item):
        _add_items(methods, T)
        if T.item.kind in ("struct", "union"):
            place = _item_places(T)

            def first(self: Any) -> int:
                return place(self, 0)

            _add_fields(methods, T.item, first)
    if T.kind in ("array", "pointer"):
        methods["__enter__"] = _enter()
    call = call_method(T) if T.kind == "function" else None
    if call is not None:
        methods["__call__"] = per_arguments(call)
    return methods


def item_has_size(T: CType) -> bool:
    """Is it a pointer to, or an array of, what has a size?"""
    return T.kind in ("pointer", "array") and has_size(T.item)


def has_size(T: CType) -> bool:
    if T.kind in ("struct", "union"):
        return T.fields is not None
    return T.kind != "void" and not (T.kind == "array" and T.length is None)


def _supported(T: CType) -> bool:
    try:
        return reader(T) is not None
    except UnsupportedCType:
        return False


def _add_fields(methods: dict[str, Any], T: CType, place: Callable[[Any], int]) -> None:
    for name, field in T.fields or ():
        whole = field.bitsize < 0 and has_size(field.type)
        if whole and _supported(field.type) and not name.startswith(_TAKEN):
            methods[name] = _field(field.type, field.offset, place)


def _field(T: CType, offset: int, place: Callable[[Any], int]) -> Any:
    read, write = reader(T), writer(T)

    def get(self: Any) -> Any:
        return read(place(self) + offset)

    def put(self: Any, value: Any) -> None:
        assert write is not None
        write(place(self) + offset, value)

    return property(get) if write is None else property(get, put)


def _add_items(methods: dict[str, Any], T: CType) -> None:
    if not _supported(T.item):
        return
    place, read, write = _item_places(T), reader(T.item), writer(T.item)
    size, pointers = ffi.sizeof(T.item), data_class(decayed(T))

    def getitem(self: Any, index: Any) -> Any:
        return read(place(self, checked_int(index)))

    def setitem(self: Any, index: Any, value: Any) -> None:
        assert write is not None
        write(place(self, checked_int(index)), value)

    def add(self: Any, count: Any) -> Any:
        return pointers(self._c_address + checked_int(count) * size, -1, False)

    def sub(self: Any, other: Any) -> Any:
        if isinstance(other, CData):
            return (self._c_address - other._c_address) // size
        return pointers(self._c_address - checked_int(other) * size, -1, False)

    methods["__getitem__"] = getitem
    if write is not None:
        methods["__setitem__"] = per_arguments(setitem)
    methods["__add__"] = add
    methods["__sub__"] = per_arguments(sub)


def _array_methods() -> dict[str, Any]:
    def length(self: Any) -> int:
        count: int = self._c_length
        return count

    def iterate(self: Any) -> Any:
        for i in range(self._c_length):
            yield self[i]

    return {"__len__": length, "__iter__": iterate, "__bool__": _always_true()}


def _always_true() -> Any:
    def true(self: Any) -> bool:
        return True

    return true


def _enter() -> Any:
    def enter(self: Any) -> Any:
        if not self._c_owned:
            raise ValueError(NOT_OWNED)
        return self

    return enter
