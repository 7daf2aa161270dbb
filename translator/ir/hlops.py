"""The high-level operation table: what bytecode becomes.

High-level operations are Python's own, before any type is known.  What one of them
does depends on the kinds of its operands; the annotator's transfer rules and the
Reprs' ``rtype_<op>`` methods say that.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rpython.translator.ir.opdef import OpDef, OpTable


@dataclass(frozen=True, slots=True, eq=False)
class HLOp(OpDef):
    """One high-level operation.

    ``arity``: number of operands, None when it varies.  ``symbol``: how users write it.
    ``fold``: evaluates it on host constants at build time (None: never folded; it must
    be deterministic and free of side effects).  ``can_raise``: may raise for some kinds.
    ``has_effect``: an unused result does not make it removable.  ``in_place_of``: the operation
    that ``x op= y`` is where x has no method for that; None for all others.
    """

    arity: int | None
    symbol: str
    fold: Callable[..., Any] | None
    can_raise: bool
    has_effect: bool
    in_place_of: str | None = None


HLOPS: OpTable[HLOp] = OpTable("high-level operation")


def _row(
    name: str,
    arity: int | None,
    symbol: str,
    *,
    fold: Callable[..., Any] | None,
    can_raise: bool,
    has_effect: bool,
    in_place_of: str | None = None,
) -> HLOp:
    return HLOPS.add(HLOp(name, arity, symbol, fold, can_raise, has_effect, in_place_of))


def _contains(container: Any, item: Any) -> bool:
    return item in container


# unary
_row("neg", 1, "-", fold=operator.neg, can_raise=True, has_effect=True)
_row("pos", 1, "+", fold=operator.pos, can_raise=True, has_effect=True)
_row("invert", 1, "~", fold=operator.invert, can_raise=True, has_effect=True)
_row("not_", 1, "not", fold=operator.not_, can_raise=True, has_effect=True)
_row("bool", 1, "bool", fold=bool, can_raise=True, has_effect=True)

# binary arithmetic, and the in-place form of each
for _name, _symbol in [
    ("add", "+"), ("sub", "-"), ("mul", "*"), ("truediv", "/"), ("floordiv", "//"),
    ("mod", "%"), ("pow", "**"), ("matmul", "@"), ("lshift", "<<"), ("rshift", ">>"),
    ("and_", "&"), ("or_", "|"), ("xor", "^"),
]:  # fmt: skip
    _fold = getattr(operator, _name)
    _row(_name, 2, _symbol, fold=_fold, can_raise=True, has_effect=True)
    _row(
        "inplace_" + _name.rstrip("_"), 2, _symbol + "=",
        fold=_fold, can_raise=True, has_effect=True, in_place_of=_name,
    )  # fmt: skip

# comparison
for _name, _symbol in [
    ("lt", "<"), ("le", "<="), ("eq", "=="), ("ne", "!="), ("gt", ">"), ("ge", ">="),
]:  # fmt: skip
    _row(_name, 2, _symbol, fold=getattr(operator, _name), can_raise=True, has_effect=True)
_row("is_", 2, "is", fold=None, can_raise=False, has_effect=False)
_row("contains", 2, "in", fold=_contains, can_raise=True, has_effect=True)  # container, item

# items and attributes; the attribute name is a Constant str
_row("getitem", 2, "[]", fold=operator.getitem, can_raise=True, has_effect=True)
_row("setitem", 3, "[]=", fold=None, can_raise=True, has_effect=True)
_row("delitem", 2, "del []", fold=None, can_raise=True, has_effect=True)
_row("getattr", 2, ".", fold=None, can_raise=True, has_effect=True)
_row("setattr", 3, ".=", fold=None, can_raise=True, has_effect=True)
_row("delattr", 2, "del .", fold=None, can_raise=True, has_effect=True)

# iteration and unpacking
_row("iter", 1, "iter", fold=None, can_raise=True, has_effect=True)
_row("next", 1, "next", fold=None, can_raise=True, has_effect=True)  # raises StopIteration
# unpack(x, Constant n): tuple(x); raises ValueError unless there are n items
_row("unpack", 2, "unpack", fold=None, can_raise=True, has_effect=True)
# unpack_star(x, Constant before, Constant after): the same with a list of the others in
# between
_row("unpack_star", 3, "unpack", fold=None, can_raise=True, has_effect=True)

# construction
_row("newtuple", None, "()", fold=lambda *items: items, can_raise=False, has_effect=False)
_row("newlist", None, "[]", fold=None, can_raise=False, has_effect=False)
_row("newset", None, "{}", fold=None, can_raise=True, has_effect=True)
_row("newdict", None, "{:}", fold=None, can_raise=True, has_effect=True)  # k, v, k, v, ...
_row("newslice", 3, "[:]", fold=None, can_raise=False, has_effect=False)

# f-strings: format_value(value, Constant conversion in '', 's', 'r', 'a', spec)
_row("format_value", 3, "f-string field", fold=None, can_raise=True, has_effect=True)
_row(
    "build_string", None, "f-string", fold=lambda *parts: "".join(parts),
    can_raise=True, has_effect=False,
)  # fmt: skip

# calls: simple_call(f, *args); call_args(f, Constant CallShape, *args)
_row("simple_call", None, "()", fold=None, can_raise=True, has_effect=True)
_row("call_args", None, "()", fold=None, can_raise=True, has_effect=True)

# exceptions
# exc_instance(x): what `raise x` raises, x an exception class or instance; the result
# is an instance.
_row("exc_instance", 1, "raise", fold=None, can_raise=True, has_effect=True)
# exception_match(e, Constant class or tuple of classes): isinstance, for except clauses
_row("exception_match", 2, "except", fold=None, can_raise=False, has_effect=False)

HLOPS.freeze()

IN_PLACE: dict[str, str] = {row.name: row.in_place_of for row in HLOPS if row.in_place_of}
"""The operations in place, and what each is where an operand has no method for that."""


def plain_name(opname: str) -> str:
    """``add`` for ``inplace_add``; the name of any other operation as it is."""
    return IN_PLACE.get(opname, opname)


@dataclass(frozen=True, slots=True)
class CallShape:
    """How the arguments of ``call_args`` are to be read: ``positional`` plain ones, then
    one value per name in ``keywords``, then one sequence if ``star`` (``f(*seq)``).  The
    keyword "**" stands for a mapping (``f(**mapping)``)."""

    _rpython_builtin_ = True  # the annotator treats it as a host object
    positional: int
    keywords: tuple[str, ...] = ()
    star: bool = False
