"""``lib.new``, ``lib.string`` and the like in restricted code: see ``lltypesystem.foreign.cdef``.

``in_python(function, args_s)`` chooses the function that a call of one of them becomes, by
the C type that is named and the kinds of the arguments.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from rpython.annotator.overlay.c_data import (
    CType,
    checked_bytes,
    checked_float,
    checked_int,
    checked_pointer,
    data_class,
    reader,
    refused,
)
from rpython.lltypesystem.foreign.cglue import is_bool, is_floating, is_integer, is_signed
from rpython.lltypesystem.foreign.cmemory import (
    bytes_at,
    c_alloc,
    c_copy,
    c_find_zero,
    c_get_errno,
    c_set_errno,
    put_bytes,
)
from rpython.lltypesystem.foreign.cvalues import ffi
from rpython.stdlib._registry import per_arguments


def allocate(size: int) -> int:
    """Zeroed memory."""
    address: int = c_alloc(size)
    if address == 0:
        raise MemoryError
    return address


# -- new ---------------------------------------------------------------------------------------


@functools.cache
def maker_of_pointers(T: CType) -> Callable[[], Any]:
    """``new("int *")``."""
    cls, size = data_class(T), ffi.sizeof(T.item)

    def new_plain() -> Any:
        return cls(allocate(size), 1, True)

    return new_plain


@functools.cache
def maker_with_value(T: CType) -> Callable[[Any], Any]:
    """``new("int *", 5)``."""
    make = maker_of_pointers(T)

    def new_with_value(value: Any) -> Any:
        p = make()
        p[0] = value
        return p

    return per_arguments(new_with_value)


@functools.cache
def maker_of_arrays(T: CType) -> Callable[[Any], Any]:
    """``new("int[]", n)``."""
    cls, size = data_class(T), ffi.sizeof(T.item)
    most = ((1 << 63) - 1) // max(size, 1)

    def new_array(length: Any) -> Any:
        count = checked_int(length)
        if count < 0:
            raise ValueError("negative array length")
        if count > most:
            raise OverflowError("array size would overflow a Py_ssize_t")
        return cls(allocate(count * size), count, True)

    return per_arguments(new_array)


@functools.cache
def maker_of_fixed_arrays(T: CType) -> Callable[[], Any]:
    """``new("int[3]")``."""
    make, length = maker_of_arrays(T), T.length

    def new_fixed_array() -> Any:
        return make(length)

    return new_fixed_array


@functools.cache
def maker_from_bytes(T: CType) -> Callable[[Any], Any]:
    """``new("char[]", b"text")``: with a zero at the end."""
    make, cname = maker_of_arrays(T), T.cname
    room = -1 if T.length is None else T.length

    def new_from_bytes(init: Any) -> Any:
        data = checked_bytes(init)
        if room >= 0 and len(data) > room:
            raise IndexError(
                f"initializer bytes is too long for '{cname}' (got {len(data)} characters)"
            )
        p = make(room if room >= 0 else len(data) + 1)
        put_bytes(p._c_address, data, len(data))
        return p

    return per_arguments(new_from_bytes)


@functools.cache
def maker_from_list(T: CType) -> Callable[[Any], Any]:
    """``new("int[]", [1, 2, 3])``."""
    make, cname = maker_of_arrays(T), T.cname
    room = -1 if T.length is None else T.length

    def new_from_list(items: Any) -> Any:
        count = len(items)
        if room >= 0 and count > room:
            raise IndexError(f"too many initializers for '{cname}' (got {count})")
        p = make(room if room >= 0 else count)
        for i, item in enumerate(items):
            p[i] = item
        return p

    return per_arguments(new_from_list)


# -- numbers -----------------------------------------------------------------------------------


class CNumber:
    """What ``cast("int", x)`` makes: a number with a C type."""

    _rpython_ctype_: CType = None


@functools.cache
def number_class(T: CType) -> type:
    """The class of numbers of this C type."""
    unsigned, cname = is_integer(T) and not is_signed(T) and ffi.sizeof(T) == 8, T.cname
    boolean, floating = is_bool(T), is_floating(T)

    def init(self: Any, value: Any) -> None:
        self._c_value = value

    def as_int(self: Any) -> int:
        if unsigned and self._c_value < 0:
            raise OverflowError("an unsigned C value does not fit in 64 bits with a sign")
        return int(self._c_value)

    def as_float(self: Any) -> float:
        return float(as_int(self))

    def plain(self: Any) -> float:
        value: float = self._c_value
        return value

    def truth(self: Any) -> bool:
        return bool(self._c_value != 0)

    def equal(self: Any, other: Any) -> Any:
        return refused("comparing what lib.cast() made is not supported: use int() or float()")

    def hashed(self: Any) -> Any:
        return refused("hash() of what lib.cast() made is not supported: use int() or float()")

    def show(self: Any) -> str:
        if boolean:
            return f"<cdata '_Bool' {self._c_value != 0}>"
        return f"<cdata '{cname}' {self._c_value if floating else as_int(self)}>"

    cls = type("C_" + "_".join(T.cname.split()), (CNumber,), {"_rpython_ctype_": T})
    methods = {
        "__init__": init, "__int__": as_int, "__bool__": truth, "__repr__": show,
        "__eq__": equal, "__hash__": hashed,
        "__float__": plain if is_floating(T) else as_float,
    }  # fmt: skip
    for name, method in methods.items():
        method.__name__, method.__qualname__ = name, f"{cls.__qualname__}.{name}"
        setattr(cls, name, method)
    return cls


@functools.cache
def number_caster(T: CType, given: str) -> Callable[[Any], Any]:
    """``cast("int", x)`` of what is ``given``: an int, a float or a pointer."""
    cls = number_class(T)
    bits = 8 * ffi.sizeof(T)
    mask = (1 << bits) - 1 if bits < 64 else 0
    highest = (1 << (bits - 1)) - 1 if not is_floating(T) and is_signed(T) else mask
    period = 1 << bits if bits < 64 else 0

    def wrapped(n: int) -> int:
        if mask == 0:
            return n
        n = n & mask
        return n - period if n > highest else n

    def cast_int(value: Any) -> Any:
        return cls(wrapped(checked_int(value)))

    def cast_from_float(value: Any) -> Any:
        return cls(wrapped(int(checked_float(value))))

    def cast_address(value: Any) -> Any:
        return cls(wrapped(checked_pointer(value, None)._c_get_address()))

    def cast_bool(value: Any) -> Any:
        return cls(1 if checked_float(value) != 0.0 else 0)

    def cast_to_float(value: Any) -> Any:
        return cls(checked_float(value))

    if is_floating(T):
        return per_arguments(cast_to_float)
    if is_bool(T):
        return per_arguments(cast_bool)
    return per_arguments({"int": cast_int, "float": cast_from_float}.get(given, cast_address))


@functools.cache
def pointer_caster(T: CType, given: str) -> Callable[[Any], Any]:
    """``cast("int *", p)``, of a pointer or an int."""
    cls = data_class(T)

    def cast_pointer(value: Any) -> Any:
        return cls(checked_pointer(value, None)._c_get_address(), -1, False)

    def cast_int(value: Any) -> Any:
        return cls(checked_int(value), -1, False)

    return per_arguments(cast_int if given == "int" else cast_pointer)


# -- text and blocks ---------------------------------------------------------------------------


@per_arguments
def string_of(p: Any, maxlen: Any = -1) -> bytes:
    limit = checked_int(maxlen)
    if p._c_address == 0:
        raise RuntimeError("cannot use string() on <cdata '" + p._c_name + "' NULL>")
    if p._c_length >= 0 and (limit < 0 or limit > p._c_length):
        limit = p._c_length
    return bytes_at(p._c_address, c_find_zero(p._c_address, limit))


def _check_unpack(p: Any, length: Any) -> int:
    count = checked_int(length)
    if count < 0:
        raise ValueError("'length' cannot be negative")
    if p._c_address == 0:
        raise RuntimeError("cannot use unpack() on <cdata '" + p._c_name + "' NULL>")
    return count


check_unpack = per_arguments(_check_unpack)


@per_arguments
def unpack_bytes(p: Any, length: Any) -> bytes:
    return bytes_at(p._c_address, check_unpack(p, length))


@functools.cache
def unpacker(T: CType) -> Callable[[Any, Any], Any]:
    """``unpack(p, n)``, a list, for pointers to ``T``."""
    read, size = reader(T), ffi.sizeof(T)

    def unpack_list(p: Any, length: Any) -> Any:
        count = check_unpack(p, length)
        result = []
        for i in range(count):
            result.append(read(p._c_address + i * size))
        return result

    return per_arguments(unpack_list)


@per_arguments
def move_memory(dest: Any, src: Any, n: Any) -> None:
    count = checked_int(n)
    if count < 0:
        raise ValueError("negative size")
    target = checked_pointer(dest, None)._c_get_address()
    c_copy(target, checked_pointer(src, None)._c_get_address(), count)


@per_arguments
def move_bytes(dest: Any, src: Any, n: Any) -> None:
    count = checked_int(n)
    data = checked_bytes(src)
    if count < 0:
        raise ValueError("negative size")
    if count > len(data):
        raise ValueError("memmove() of more than the bytes hold")
    put_bytes(checked_pointer(dest, None)._c_get_address(), data, count)


@per_arguments
def release_data(p: Any) -> None:
    p._c_release()


@functools.cache
def address_taker(T: CType, offset: int) -> Callable[[Any], Any]:
    """``addressof(s, "field")``, a pointer of type ``T``."""
    cls = data_class(T)

    def take_address(s: Any) -> Any:
        return cls(s._c_address + offset, -1, False)

    return per_arguments(take_address)


@functools.cache
def size_of_items(T: CType) -> Callable[[Any], int]:
    """``sizeof(array)``."""
    size = ffi.sizeof(T.item)

    def size_of_array(p: Any) -> int:
        length: int = p._c_length
        return length * size

    return per_arguments(size_of_array)


def get_errno() -> int:
    number: int = c_get_errno()
    return number


def set_errno(value: Any) -> None:
    c_set_errno(checked_int(value))


# -- calls of C functions -----------------------------------------------------------------------


@per_arguments
def copied_bytes(value: Any) -> int:
    """New memory with the bytes and a zero after them, for one call."""
    data = checked_bytes(value)
    address = allocate(len(data) + 1)
    put_bytes(address, data, len(data))
    return address


@per_arguments
def travelling_value(number: Any) -> int:
    """An int of ``cast``, as it travels."""
    value: int = number._c_value
    return value


@per_arguments
def float_of(number: Any) -> float:
    """A float of ``cast``."""
    value: float = number._c_value
    return value
