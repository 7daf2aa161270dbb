"""The C code between a program and a C function: a wrapper with low-level types.

    int abs(int);       long rpy_c_abs_1a2b(long a0)
                        {
                            int result;
                            errno = (int)rpy_c_get_errno();
                            result = abs((int)a0);
                            rpy_c_set_errno(errno);
                            return (long)result;
                        }

Pointers travel as ``long``.  With headers the library's own declaration is used; without,
the wrapper declares the function itself, every pointer as ``void *``, which is the same at
the level of machine code.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from rpython.lltypesystem.foreign.cvalues import ffi
from rpython.lltypesystem.foreign.external import Glue, Linking
from rpython.lltypesystem.primitives import Float, LowLevelType, Primitive, Signed, Void
from rpython.lltypesystem.types import FuncType

CType = Any
"""A cffi ctype."""



class UnsupportedCType(TypeError):
    """Restricted code cannot have values of this C type; the text says why."""


_NO_INTEGERS = frozenset(
    {
        "_Bool", "char", "wchar_t", "char16_t", "char32_t", "float", "double", "long double",
        "_cffi_float_complex_t", "_cffi_double_complex_t", "float _Complex", "double _Complex",
    }
)  # fmt: skip


def is_integer(T: CType) -> bool:
    """Is it an integer type that restricted code sees as an int?"""
    if T.kind == "enum":
        return True
    return T.kind == "primitive" and T.cname not in _NO_INTEGERS


def is_char(T: CType) -> bool:
    """Is it plain ``char``, whose values are bytes of length one?"""
    return bool(T.kind == "primitive" and T.cname == "char")


def is_bool(T: CType) -> bool:
    return bool(T.kind == "primitive" and T.cname == "_Bool")


def is_floating(T: CType) -> bool:
    return bool(T.kind == "primitive" and T.cname in ("float", "double"))


def is_pointer(T: CType) -> bool:
    return T.kind in ("pointer", "function")


def is_signed(T: CType) -> bool:
    """Is the integer type signed?"""
    return int(ffi.cast(T, -1)) < 0


def value_type(T: CType) -> LowLevelType:
    """The low-level type in which values of the C type travel.  Raises UnsupportedCType."""
    if T.kind == "void":
        return Void
    if is_floating(T):
        return Float
    if is_integer(T) or is_char(T) or is_bool(T) or is_pointer(T):
        return Signed
    if T.kind in ("struct", "union"):
        raise UnsupportedCType(f"{T.cname!r} is passed by value, which is not supported")
    raise UnsupportedCType(f"values of type {T.cname!r} are not supported")


def c_type(T: CType) -> str:
    """The C type with the same representation, from built-in types only."""
    if T.kind == "void":
        return "void"
    if is_pointer(T):
        return "void *"
    if is_floating(T) or is_bool(T) or is_char(T):
        return str(T.cname)
    size = {1: "char", 2: "short", 4: "int", 8: "long"}[ffi.sizeof(T)]
    return ("signed " if is_signed(T) else "unsigned ") + size


_TRAVELS = {Signed: "long", Float: "double", Void: "void"}


def _travel_type(T: CType) -> str:
    T_low = value_type(T)
    assert isinstance(T_low, Primitive)
    return _TRAVELS[T_low]


def _spaced(ctype: str) -> str:
    return ctype if ctype.endswith("*") else ctype + " "


def _arrived(T: CType, value: str) -> str:
    """A value that travelled, as one of the C type."""
    return f"({c_type(T)}){value}"


def _sent(T: CType, value: str) -> str:
    """A value of the C type, ready to travel."""
    if is_char(T):
        value = f"(unsigned char){value}"
    return f"({_travel_type(T)}){value}"


def include_lines(headers: Sequence[str]) -> list[str]:
    """What includes the headers; those with quotes or brackets of their own keep them."""
    return [f"#include {h}" if h.startswith(('"', "<")) else f"#include <{h}>" for h in headers]


def prelude(headers: Sequence[str], before: Sequence[str] = (), after: Sequence[str] = ()) -> str:
    """How a file of wrappers starts; ``before`` and ``after``: C code around the includes."""
    lines = ["#ifndef _GNU_SOURCE", "#define _GNU_SOURCE", "#endif", "#include <errno.h>"]
    lines += [*before, *include_lines(headers), *after]
    lines += ["extern long rpy_c_get_errno(void);", "extern void rpy_c_set_errno(long);"]
    lines += ["extern int rpy_c_raised(const char *);"]
    lines += ["extern int rpy_lock_enter(void);", "extern void rpy_lock_leave(int);"]
    return "\n".join(lines) + "\n"


def signature(args: Sequence[CType], result: CType) -> FuncType:
    """The low-level type of the wrapper.  Raises UnsupportedCType."""
    return FuncType([value_type(T) for T in args], value_type(result))


def wrapper_name(name: str, library: Any, args: Sequence[CType], result: CType) -> str:
    """A C name that no other wrapper has."""
    what = repr((name, library, [T.cname for T in args], result.cname))
    return f"rpy_c_{name}_{hashlib.sha256(what.encode()).hexdigest()[:8]}"


def declaration_check(name: str, call: str, result: str) -> list[str]:
    """The statement that fails to compile where the headers do not declare the function: C takes
    what it does not know for a function that gives an int."""
    if not result.endswith("*") and result not in ("float", "double"):
        return []
    problem = f"the headers do not declare {name}, or with an int as its result"
    asked = f"!__builtin_types_compatible_p(__typeof__({call}), int)"
    return [f'    _Static_assert({asked}, "{problem}");']


def declaration(name: str, types: Sequence[str], result: str) -> str:
    """The declaration of a C function, given the names of its types."""
    return f"extern {_spaced(result)}{name}({', '.join(types) or 'void'});"


def wrapper_text(
    symbol: str, name: str, parameters: Sequence[tuple[str, str]], result: str, travel: str,
    sent: str, declared_by: str = "", keeps_errno: bool = True,
) -> str:  # fmt: skip
    """The C function ``symbol`` that calls ``name``.

    Args:
        parameters: the type of each, and what ``name`` gets for it.
        result: the C type of what ``name`` gives.
        travel, sent: the type of what ``symbol`` gives, and that, made of ``result``.
        declared_by: the declaration of ``name``, when no header has it.
        keeps_errno: is errno that of the program before and after?
    """
    takes = ", ".join(f"{_spaced(T)}a{i}" for i, (T, _) in enumerate(parameters)) or "void"
    call = f"{name}({', '.join(value for _, value in parameters)})"
    void = result == "void"
    lines = [declared_by] if declared_by else []
    lines += [f"{_spaced(travel)}{symbol}({takes})", "{"]
    lines += [] if declared_by else declaration_check(name, call, result)
    if not void:
        lines.append(f"    {_spaced(result)}result;")
    if keeps_errno:
        lines.append("    errno = (int)rpy_c_get_errno();")
    lines.append(f"    {call};" if void else f"    result = ({result}){call};")
    if keeps_errno:
        lines.append("    rpy_c_set_errno(errno);")
    if not void:
        lines.append(f"    return {sent};")
    return "\n".join([*lines, "}"]) + "\n"


def function_wrapper(
    symbol: str, name: str, args: Sequence[CType], fixed: int, result: CType,
    declared: bool, linking: Linking, start: str,
) -> Glue:  # fmt: skip
    """The wrapper ``symbol`` of the C function ``name``.

    Args:
        fixed: how many of ``args`` are not in the variadic part; -1 when there is none.
        declared: does the prelude ``start`` declare the function?
    """
    types = [c_type(T) for T in (args if fixed < 0 else args[:fixed])]
    if fixed >= 0:
        types.append("...")
    parameters = [(_travel_type(T), _arrived(T, f"a{i}")) for i, T in enumerate(args)]
    text = wrapper_text(
        symbol, name, parameters, c_type(result), _travel_type(result),
        "" if result.kind == "void" else _sent(result, "result"),
        "" if declared else declaration(name, types, c_type(result)),
    )  # fmt: skip
    return Glue(start, text, linking)


def pointer_wrapper(symbol: str, args: Sequence[CType], result: CType) -> Glue:
    """The wrapper of calls through a pointer, the first argument."""
    types = ", ".join(c_type(T) for T in args[1:]) or "void"
    start = prelude(())
    cast = f"#define {symbol}_call(f, ...) (({c_type(result)} (*)({types}))f)(__VA_ARGS__)\n"
    inner = function_wrapper(symbol, f"{symbol}_call", args, -1, result, True, Linking(), start)
    return Glue(start, cast + inner.text, inner.linking)


def callback_wrapper(
    symbol: str, name: str, args: Sequence[CType], result: CType, failed: Any,
    linking: Linking, start: str,
) -> Glue:  # fmt: skip
    """``symbol(target)``: the address of a C function with the given types that calls
    ``target``, a function of the program with low-level types.

    Args:
        name: of the function, for people.
        failed: what C gets when the function raises.
    """
    T = signature(args, result)
    travels = ", ".join(_TRAVELS[A] for A in T.ARGS if isinstance(A, Primitive)) or "void"
    travel = _travel_type(result)
    parameters = ", ".join(f"{_spaced(c_type(A))}a{i}" for i, A in enumerate(args)) or "void"
    values = ", ".join(_sent(A, f"a{i}") for i, A in enumerate(args))
    call = f"{symbol}_target({values})"
    body = f"{call};" if result.kind == "void" else f"result = {_arrived(result, call)};"
    lines = [f"static {travel} (*{symbol}_target)({travels});",
             f"static {_spaced(c_type(result))}{symbol}_called({parameters})", "{"]  # fmt: skip
    if result.kind != "void":
        lines.append(f"    {_spaced(c_type(result))}result;")
    lines += [
        "    int entered = rpy_lock_enter();", "    rpy_c_set_errno(errno);", f"    {body}",
        f'    int raised = rpy_c_raised("{name}");', "    rpy_lock_leave(entered);",
        "    errno = (int)rpy_c_get_errno();",
    ]  # fmt: skip
    if result.kind != "void":
        lines.append(f"    if (raised) result = ({c_type(result)})({failed!r});")
        lines.append("    return result;")
    lines += [
        "}", f"long {symbol}(void *target)", "{",
        f"    {symbol}_target = ({travel} (*)({travels}))target;",
        f"    return (long){symbol}_called;", "}",
    ]  # fmt: skip
    return Glue(start, "\n".join(lines) + "\n", linking)


def host_wrapper(
    find: Callable[[], Any], args: Sequence[CType], result: CType
) -> Callable[..., Any]:
    """What a function wrapper does, on the host: ``find()`` gives the cffi function."""

    def call(*values: Any) -> Any:
        got = find()(*(arrived(T, value) for T, value in zip(args, values)))
        return None if result.kind == "void" else sent(result, got)

    return call


def arrived(T: CType, value: Any) -> Any:
    """A low-level value as cdata of the C type."""
    return ffi.cast(T, value)


def sent(T: CType, value: Any) -> Any:
    """A value of the C type that cffi gave, as a low-level value."""
    if is_floating(T):
        return float(value)
    if is_char(T):
        return value[0]
    if is_pointer(T):
        return int(ffi.cast("intptr_t", value))
    return Signed.wrap(int(value))
