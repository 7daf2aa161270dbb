"""Operations on Bool and on the integers that arithmetic is done in.

Narrower integers are cast to Signed or Unsigned, operated on, and cast back.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from rpython.lltypesystem.operations.effects import NOTHING, PURE, Effects
from rpython.lltypesystem.operations.llop import LLOp, OperandType, UndefinedOperation, undefined
from rpython.lltypesystem.operations.ranges import (
    Bounds,
    absolute,
    bits_and,
    bits_or,
    both_ends,
    corners,
    remainder,
    shifted,
    where_divisible,
)
from rpython.lltypesystem.primitives import (
    Bool,
    Int128,
    LowLevelType,
    Primitive,
    Signed,
    UInt128,
    Unsigned,
)
from rpython.lltypesystem.rarithmetic import r_int128

MIN = Signed.min
MAX = Signed.max
MASK = Unsigned.max

WIDE: dict[Primitive, str] = {
    Signed: "int", Unsigned: "uint", Int128: "lllong", UInt128: "ulllong",
}  # fmt: skip
"""The integers that arithmetic is done in, and how the names of their operations begin."""

MAY_OVERFLOW = Effects(NOTHING, NOTHING, frozenset({OverflowError}), False)


def wrap_signed(n: int) -> int:
    """``n`` modulo 2**64 in the range of Signed."""
    n &= MASK
    return n - MASK - 1 if n > MAX else n


def fail_overflow() -> int:
    """Raise OverflowError (as an expression)."""
    raise OverflowError("integer overflow")


def fail_exact() -> int:
    """Raise UndefinedOperation (as an expression): somebody has proved what is not so."""
    raise UndefinedOperation("a result that was known to be a Signed is none")


PY_NAMES: dict[str, Callable[..., Any]] = {
    "wrap_int": wrap_signed,
    "wrap_lllong": Int128.wrap,
    "fail_overflow": fail_overflow,
    "fail_exact": fail_exact,
}
"""Functions that ``py`` templates may call."""


def simple_row(
    name: str,
    args: tuple[OperandType, ...],
    result: LowLevelType,
    eval: Callable[..., Any],
    c: str,
    py: str | None,
    *,
    effects: Effects = PURE,
    domain: Callable[..., bool] | None = None,
    typed: bool = False,
    **columns: Any,
) -> LLOp:
    """A row with fixed types whose effects do not depend on the operands; ``columns``: the others
    that LLOp names."""
    meaning = eval if domain is None else restricted(name, eval, domain)
    return LLOp(name, args, result, effects, meaning, c, py, None, None, domain, typed, **columns)


def restricted(
    name: str, eval: Callable[..., Any], domain: Callable[..., bool]
) -> Callable[..., Any]:
    """``eval`` that raises UndefinedOperation outside ``domain``."""

    def checked(*args: Any) -> Any:
        if not domain(*args):
            raise UndefinedOperation(undefined(name))
        return eval(*args)

    checked.__name__ = name
    return checked


def _wrapping(T: Primitive, operation: Callable[..., int]) -> Callable[..., int]:
    wrap = wrap_signed if T is Signed else T.wrap
    return lambda *args: wrap(operation(*args))


def _overflowing(operation: Callable[..., int]) -> Callable[..., int]:
    def checked(*args: int) -> int:
        result = operation(*args)
        return result if MIN <= result <= MAX else fail_overflow()

    return checked


def truncated_div(x: int, y: int) -> int:
    """C's ``x / y``: rounds toward zero."""
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def truncated_mod(x: int, y: int) -> int:
    """C's ``x % y``: has the sign of ``x``."""
    return x - y * truncated_div(x, y)


# Domains are restricted Python over low-level values: user code calls them before the operation.


def _divides(T: Primitive) -> Callable[[int, int], bool]:
    """The domain of division: no zero divisor, no quotient that does not fit."""
    if not T.signed:
        return is_divisor
    lowest: Any = T.min if T is Signed else r_int128(T.min)

    def divides(x: int, y: int) -> bool:
        return y != 0 and not (y == -1 and x == lowest)

    return divides


def is_divisor(x: int, y: int) -> bool:
    """Is ``y`` not zero?"""
    return y != 0


def _shifts(T: Primitive) -> Callable[[int, int], bool]:
    bits = T.bits

    def shifts(x: int, count: int) -> bool:
        return 0 <= count < bits

    return shifts


_BINARY = (Signed, Signed)
_ARITHMETIC = (
    ("add", "+", operator.add, "sum"),
    ("sub", "-", operator.sub, "difference"),
    ("mul", "*", operator.mul, "product"),
)
_BITWISE: tuple[tuple[str, str, Callable[[int, int], int], Bounds], ...] = (
    ("and", "&", operator.and_, bits_and), ("or", "|", operator.or_, bits_or),
    ("xor", "^", operator.xor, bits_or),
)  # fmt: skip


def _py_in_range(T: Primitive, expression: str, otherwise: str) -> str:
    """``expression`` if that is in the range of ``T``."""
    return f"{{r}} if {T.min:#x} <= ({{r}} := {expression}) <= {T.max:#x} else {otherwise}"


def _py_wrap(T: Primitive, expression: str) -> str:
    if T.signed:
        return _py_in_range(T, expression, f"wrap_{WIDE[T]}({{r}})")
    return f"({expression}) & {T.max:#x}"


def _py_overflow(expression: str) -> str:
    return _py_in_range(Signed, expression, "fail_overflow()")


def _proven(T: Primitive, operation: str) -> str:
    """The name of the row of an operation that does not leave ``T``."""
    return f"int_{operation}_exact" if T is Signed else ""


_DIVISIONS: tuple[tuple[str, str, Callable[[int, int], int], Bounds, str], ...] = (
    ("floordiv", "/", truncated_div, where_divisible(truncated_div), "part"),
    ("mod", "%", truncated_mod, remainder, ""),
)
_SHIFTED_LEFT = shifted(operator.lshift)

_COMPARISONS = (
    ("lt", "<", operator.lt, None),
    ("le", "<=", operator.le, None),
    ("eq", "==", operator.eq, True),
    ("ne", "!=", operator.ne, False),
    ("gt", ">", operator.gt, None),
    ("ge", ">=", operator.ge, None),
)


def comparison_rows(prefix: str, T: LowLevelType) -> Iterator[LLOp]:
    """The six comparisons of two values of ``T``, named ``prefix_lt`` and so on."""
    for name, symbol, function, if_equal in _COMPARISONS:
        text = f"{{0}} {symbol} {{1}}"
        yield simple_row(
            f"{prefix}_{name}",
            (T, T),
            Bool,
            function,
            text,
            text,
            if_equal=if_equal,
            relation=name,
        )


def _rows_of(T: Primitive, name: str) -> Iterator[LLOp]:
    """The rows of the integer type ``T``, which wrap: C's unsigned types do."""
    two = (T, T)
    U = f"({UInt128 if T.bits == 128 else Unsigned})" if T.signed else ""
    back = f"({T})({{}})" if T.signed else "{}"
    for op, symbol, function, slope in _ARITHMETIC:
        text = f"{{0}} {symbol} {{1}}"
        c = back.format(f"{U}{{0}} {symbol} {U}{{1}}")
        yield simple_row(
            f"{name}_{op}", two, T, _wrapping(T, function), c, _py_wrap(T, text),
            bounds=corners(function), low_bits=2, slope=slope, proven=_proven(T, op),
        )  # fmt: skip
    for op, symbol, function, bounds in _BITWISE:
        text = f"{{0}} {symbol} {{1}}"
        yield simple_row(
            f"{name}_{op}", two, T, function, text, text,
            bounds=bounds, low_bits=2, masks=op == "and",
        )  # fmt: skip
    for op, symbol, function, bounds, slope in _DIVISIONS:
        c = f"{{0}} {symbol} {{1}}"
        yield simple_row(
            f"{name}_{op}", two, T, function, c, None, domain=_divides(T), bounds=bounds,
            slope=slope,
        )  # fmt: skip
    yield simple_row(
        f"{name}_lshift", (T, Signed), T, _wrapping(T, operator.lshift),
        back.format(f"{U}{{0}} << {{1}}"), None, domain=_shifts(T),
        bounds=_SHIFTED_LEFT, low_bits=1,
    )  # fmt: skip
    yield simple_row(
        f"{name}_rshift", (T, Signed), T, operator.rshift, "{0} >> {1}", None, domain=_shifts(T),
        bounds=shifted(operator.rshift), slope="part",
    )  # fmt: skip
    yield simple_row(
        f"{name}_neg", (T,), T, _wrapping(T, operator.neg),
        back.format(f"0 - {U}{{0}}"), _py_wrap(T, "-{0}"), bounds=both_ends(operator.neg),
        low_bits=1, proven=_proven(T, "neg"),
    )  # fmt: skip
    yield simple_row(
        f"{name}_abs", (T,), T, _wrapping(T, abs),
        back.format(f"{{0}} < 0 ? 0 - {U}{{0}} : {U}{{0}}") if T.signed else "{0}",
        None if T.signed else "{0}", bounds=absolute,
    )  # fmt: skip
    inverted = "~{0}" if T.signed else f"{{0}} ^ {T.max:#x}"
    yield simple_row(
        f"{name}_invert", (T,), T, _wrapping(T, operator.invert), "~{0}", inverted,
        bounds=both_ends(operator.invert) if T.signed else None, low_bits=1,
    )  # fmt: skip
    yield simple_row(f"{name}_is_true", (T,), Bool, bool, "{0} != 0", "{0} != 0", if_zero=False)
    yield from comparison_rows(name, T)


def _overflow_rows() -> Iterator[LLOp]:
    """The operations on Signed that raise where the others wrap."""
    for name, symbol, function, slope in _ARITHMETIC:
        yield simple_row(
            f"int_{name}_ovf", _BINARY, Signed, _overflowing(function),
            f"RPY_{name.upper()}_OVF({{0}}, {{1}}, &{{r}})",
            _py_overflow(f"{{0}} {symbol} {{1}}"), effects=MAY_OVERFLOW,
            bounds=corners(function), unchecked=f"int_{name}", proven=_proven(Signed, name),
            low_bits=2, slope=slope,
        )  # fmt: skip
    yield simple_row(
        "int_lshift_ovf", _BINARY, Signed, _overflowing(operator.lshift),
        "RPY_LSHIFT_OVF({0}, {1}, &{r})", None, effects=MAY_OVERFLOW, domain=_shifts(Signed),
        bounds=_SHIFTED_LEFT, unchecked="int_lshift", proven="int_lshift", low_bits=1,
    )  # fmt: skip
    yield simple_row(
        "int_neg_ovf", (Signed,), Signed, _overflowing(operator.neg),
        "RPY_NEG_OVF({0}, &{r})", _py_overflow("-{0}"), effects=MAY_OVERFLOW,
        bounds=both_ends(operator.neg), unchecked="int_neg", proven=_proven(Signed, "neg"),
        low_bits=1,
    )  # fmt: skip
    yield simple_row(
        "int_abs_ovf", (Signed,), Signed, _overflowing(abs),
        "RPY_ABS_OVF({0}, &{r})", None, effects=MAY_OVERFLOW,
        bounds=absolute, unchecked="int_abs", proven="int_abs",
    )  # fmt: skip


def _exact_rows() -> Iterator[LLOp]:
    """Arithmetic on Signed that is known not to leave it, which C calls undefined where it does:
    so a C compiler knows of ``i + 1`` that it is more than ``i``, and of a product of two numbers
    without sign that it has none."""
    for name, symbol, function, slope in _ARITHMETIC:
        text = f"{{0}} {symbol} {{1}}"
        yield simple_row(
            f"int_{name}_exact", _BINARY, Signed, function, text,
            _py_in_range(Signed, text, "fail_exact()"), domain=_stays(function),
            bounds=corners(function), slope=slope, total=f"int_{name}",
        )  # fmt: skip
    yield simple_row(
        "int_neg_exact", (Signed,), Signed, operator.neg, "-{0}",
        _py_in_range(Signed, "-{0}", "fail_exact()"), domain=lambda x: x != MIN,
        bounds=both_ends(operator.neg), total="int_neg",
    )  # fmt: skip


def _positive_rows() -> Iterator[LLOp]:
    """Divisions of which both operands are known not to be negative; a C compiler is told so."""
    for name, symbol, function, bounds, slope in _DIVISIONS:
        told = "if ({0} < 0 || {1} < 1) __builtin_unreachable()"
        yield simple_row(
            f"int_{name}_nonneg", _BINARY, Signed, function,
            f"({{{{ {told}; {{0}} {symbol} {{1}}; }}}})", None, domain=_are_positive,
            bounds=bounds, slope=slope, total=f"int_{name}",
        )  # fmt: skip


def _are_positive(x: int, y: int) -> bool:
    return x >= 0 and y > 0


def _stays(function: Callable[..., int]) -> Callable[[int, int], bool]:
    return lambda x, y: MIN <= function(x, y) <= MAX


def rows() -> Iterator[LLOp]:
    """All rows of this family."""
    for T, name in WIDE.items():
        yield from _rows_of(T, name)
    yield from _overflow_rows()
    yield from _exact_rows()
    yield from _positive_rows()
    yield simple_row(  # uint_ge of an index and a length: programs seldom count from the end
        "index_outside", (Unsigned, Unsigned), Bool, operator.ge, "RPY_UNLIKELY({0} >= {1})",
        "{0} >= {1}", relation="ge",
    )  # fmt: skip
    yield simple_row("bool_not", (Bool,), Bool, operator.not_, "!{0}", "not {0}")
