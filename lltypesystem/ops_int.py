"""Operations on Signed, Unsigned and Bool."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from lltypesystem.effects import NOTHING, PURE, Effects
from lltypesystem.llop import LLOp, OperandType, UndefinedOperation
from lltypesystem.types import Bool, LowLevelType, Signed, Unsigned

MIN = Signed.min
MAX = Signed.max
MASK = Unsigned.max
BITS = 64

MAY_OVERFLOW = Effects(NOTHING, NOTHING, frozenset({OverflowError}), False)


def wrap_signed(n: int) -> int:
    """``n`` modulo 2**64 in the range of Signed."""
    n &= MASK
    return n - MASK - 1 if n > MAX else n


def fail_overflow() -> int:
    """Raise OverflowError (as an expression)."""
    raise OverflowError("integer overflow")


PY_NAMES: dict[str, Callable[..., Any]] = {
    "wrap_signed": wrap_signed,
    "fail_overflow": fail_overflow,
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
) -> LLOp:
    """A row with fixed types whose effects do not depend on the operands."""
    meaning = eval if domain is None else restricted(name, eval, domain)
    return LLOp(name, args, result, effects, meaning, c, py, None, None, domain, typed)


def restricted(
    name: str, eval: Callable[..., Any], domain: Callable[..., bool]
) -> Callable[..., Any]:
    """``eval`` that raises UndefinedOperation outside ``domain``."""

    def checked(*args: Any) -> Any:
        if not domain(*args):
            raise UndefinedOperation(f"{name}{args} is undefined")
        return eval(*args)

    checked.__name__ = name
    return checked


def _wrapping(operation: Callable[..., int]) -> Callable[..., int]:
    return lambda *args: wrap_signed(operation(*args))


def _masking(operation: Callable[..., int]) -> Callable[..., int]:
    return lambda *args: operation(*args) & MASK


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


def _can_divide(x: int, y: int) -> bool:
    return y != 0 and not (x == MIN and y == -1)


def _can_divide_unsigned(x: int, y: int) -> bool:
    return y != 0


def _can_shift(x: int, count: int) -> bool:
    return 0 <= count < BITS


_BINARY = (Signed, Signed)
_UBINARY = (Unsigned, Unsigned)
_WRAP = "{{r}} if -0x8000000000000000 <= ({{r}} := {0}) <= 0x7fffffffffffffff else {1}({2})"


def _py_wrap(expression: str) -> str:
    return _WRAP.format(expression, "wrap_signed", "{r}")


def _py_overflow(expression: str) -> str:
    return _WRAP.format(expression, "fail_overflow", "")


_COMPARISONS = (
    ("lt", "<", operator.lt),
    ("le", "<=", operator.le),
    ("eq", "==", operator.eq),
    ("ne", "!=", operator.ne),
    ("gt", ">", operator.gt),
    ("ge", ">=", operator.ge),
)


def comparison_rows(prefix: str, T: LowLevelType) -> Iterator[LLOp]:
    """The six comparisons of two values of ``T``, named ``prefix_lt`` and so on."""
    for name, symbol, function in _COMPARISONS:
        text = f"{{0}} {symbol} {{1}}"
        yield simple_row(f"{prefix}_{name}", (T, T), Bool, function, text, text)


def _signed_rows() -> Iterator[LLOp]:
    for name, symbol, function in [
        ("add", "+", operator.add), ("sub", "-", operator.sub), ("mul", "*", operator.mul),
    ]:  # fmt: skip
        text = f"{{0}} {symbol} {{1}}"
        yield simple_row(
            f"int_{name}", _BINARY, Signed, _wrapping(function),
            f"(Signed)((Unsigned){{0}} {symbol} (Unsigned){{1}})", _py_wrap(text),
        )  # fmt: skip
        yield simple_row(
            f"int_{name}_ovf", _BINARY, Signed, _overflowing(function),
            f"RPY_{name.upper()}_OVF({{0}}, {{1}}, &{{r}})", _py_overflow(text),
            effects=MAY_OVERFLOW,
        )  # fmt: skip
    for name, symbol, function in [
        ("and", "&", operator.and_), ("or", "|", operator.or_), ("xor", "^", operator.xor),
    ]:  # fmt: skip
        text = f"{{0}} {symbol} {{1}}"
        yield simple_row(f"int_{name}", _BINARY, Signed, function, text, text)
    yield simple_row(
        "int_floordiv", _BINARY, Signed, truncated_div, "{0} / {1}", None, domain=_can_divide
    )
    yield simple_row(
        "int_mod", _BINARY, Signed, truncated_mod, "{0} % {1}", None, domain=_can_divide
    )
    yield simple_row(
        "int_lshift", _BINARY, Signed, _wrapping(operator.lshift),
        "(Signed)((Unsigned){0} << {1})", None, domain=_can_shift,
    )  # fmt: skip
    yield simple_row(
        "int_rshift", _BINARY, Signed, operator.rshift, "{0} >> {1}", None, domain=_can_shift
    )
    yield simple_row(
        "int_lshift_ovf", _BINARY, Signed, _overflowing(operator.lshift),
        "RPY_LSHIFT_OVF({0}, {1}, &{r})", None, effects=MAY_OVERFLOW, domain=_can_shift,
    )  # fmt: skip
    yield simple_row(
        "int_neg", (Signed,), Signed, _wrapping(operator.neg),
        "(Signed)(0 - (Unsigned){0})", _py_wrap("-{0}"),
    )  # fmt: skip
    yield simple_row(
        "int_abs", (Signed,), Signed, _wrapping(abs),
        "(Signed)({0} < 0 ? 0 - (Unsigned){0} : (Unsigned){0})", None,
    )  # fmt: skip
    yield simple_row("int_invert", (Signed,), Signed, operator.invert, "~{0}", "~{0}")
    yield simple_row(
        "int_neg_ovf", (Signed,), Signed, _overflowing(operator.neg),
        "RPY_NEG_OVF({0}, &{r})", _py_overflow("-{0}"), effects=MAY_OVERFLOW,
    )  # fmt: skip
    yield simple_row(
        "int_abs_ovf", (Signed,), Signed, _overflowing(abs),
        "RPY_ABS_OVF({0}, &{r})", None, effects=MAY_OVERFLOW,
    )  # fmt: skip
    yield simple_row("int_is_true", (Signed,), Bool, bool, "{0} != 0", "{0} != 0")
    yield from comparison_rows("int", Signed)


def _unsigned_rows() -> Iterator[LLOp]:
    for name, symbol, function in [
        ("add", "+", operator.add), ("sub", "-", operator.sub), ("mul", "*", operator.mul),
    ]:  # fmt: skip
        text = f"{{0}} {symbol} {{1}}"
        yield simple_row(
            f"uint_{name}", _UBINARY, Unsigned, _masking(function),
            text, f"({text}) & 0xffffffffffffffff",
        )  # fmt: skip
    for name, symbol, function in [
        ("and", "&", operator.and_), ("or", "|", operator.or_), ("xor", "^", operator.xor),
    ]:  # fmt: skip
        text = f"{{0}} {symbol} {{1}}"
        yield simple_row(f"uint_{name}", _UBINARY, Unsigned, function, text, text)
    yield simple_row(
        "uint_floordiv", _UBINARY, Unsigned, operator.floordiv, "{0} / {1}", None,
        domain=_can_divide_unsigned,
    )  # fmt: skip
    yield simple_row(
        "uint_mod", _UBINARY, Unsigned, operator.mod, "{0} % {1}", None,
        domain=_can_divide_unsigned,
    )  # fmt: skip
    yield simple_row(
        "uint_lshift", (Unsigned, Signed), Unsigned, _masking(operator.lshift),
        "{0} << {1}", None, domain=_can_shift,
    )  # fmt: skip
    yield simple_row(
        "uint_rshift", (Unsigned, Signed), Unsigned, operator.rshift,
        "{0} >> {1}", None, domain=_can_shift,
    )  # fmt: skip
    yield simple_row("uint_neg", (Unsigned,), Unsigned, _masking(operator.neg), "0 - {0}", None)
    yield simple_row(
        "uint_invert", (Unsigned,), Unsigned, _masking(operator.invert),
        "~{0}", "{0} ^ 0xffffffffffffffff",
    )  # fmt: skip
    yield simple_row("uint_abs", (Unsigned,), Unsigned, operator.pos, "{0}", "{0}")
    yield simple_row("uint_is_true", (Unsigned,), Bool, bool, "{0} != 0", "{0} != 0")
    yield from comparison_rows("uint", Unsigned)


def rows() -> Iterator[LLOp]:
    """All rows of this family."""
    yield from _signed_rows()
    yield from _unsigned_rows()
    yield simple_row("bool_not", (Bool,), Bool, operator.not_, "!{0}", "not {0}")
