"""The high-level operation table: what bytecode becomes.

High-level operations are Python's own, before any type is known.  What one of them
does depends on the kinds of its operands; the annotator's transfer rules and the
Reprs' ``rtype_<op>`` methods say that.
"""

from __future__ import annotations

import enum
import operator
from collections.abc import Callable
from typing import Any

from rpython.translator.ir.opdef import OpDef, OpTable
from rpython.translator.ir.records import dataclass


class Group(enum.Enum):
    """What operations have in common that are alike."""

    UNARY = "gives a number of a number"
    TRUTH = "the truth of its operand, or the opposite"
    ARITHMETIC = "two operands, each of which may have a method for it"
    IN_PLACE = "the same, changing the first operand if that has a method for it"
    COMPARISON = "compares its two operands"
    IDENTITY = "compares, asking no method"
    MEMBERSHIP = "looks for its second operand in the first"
    ITEM = "about an item of its first operand"
    ATTRIBUTE = "about an attribute, whose name is a constant"
    ITERATION = "about the items of its operand, one by one"
    UNPACKING = "the items of its operand, counted"
    CONSTRUCTION = "makes a value of its operands; lowered by the Repr of the result"
    FILLING = "about a list under construction, its first operand"
    CALL = "calls its first operand"
    RAISING = "makes an exception"
    MATCHING = "tells what an exception is"
    BUILDING = "there only while a graph is built"


class Wrapping(enum.Enum):
    """For which operands wrapping them first gives the same as wrapping the result."""

    ALL = "all"
    LEFT = "the left one"


@dataclass(frozen=True, slots=True, eq=False)
class HLOp(OpDef):
    """One high-level operation.

    ``arity``: number of operands, None when it varies.  ``symbol``: how users write it.
    ``fold``: evaluates it on host constants at build time (None: never folded; it must
    be deterministic and free of side effects).  ``can_raise``: may raise for some kinds.
    ``has_effect``: an unused result does not make it removable.  ``in_place_of``: the operation
    that ``x op= y`` is where x has no method for that; None for all others.  ``method``: the name
    of the method that classes define for it, if there is one.  ``words``: what messages call it.
    ``reflected``: the comparison that is the same with the operands exchanged.  ``wrapping``: None:
    for no operand.  ``fresh``: of built-in operands it makes a value that is none of them.
    ``only_reads``: it does not store built-in operands anywhere.  ``none_error``: the text of its
    TypeError where the operand that decides is None.
    """

    arity: int | None
    symbol: str
    fold: Callable[..., Any] | None
    can_raise: bool
    has_effect: bool
    group: Group
    in_place_of: str | None = None
    method: str = ""
    words: str = ""
    reflected: str = ""
    wrapping: Wrapping | None = None
    fresh: bool = False
    only_reads: bool = False
    none_error: str = ""

    @property
    def is_binary(self) -> bool:
        """Do the kinds of both operands decide what it does?"""
        return self.group in (Group.ARITHMETIC, Group.COMPARISON, Group.IDENTITY)

    @property
    def orders(self) -> bool:
        """Is it one of ``<``, ``<=``, ``>``, ``>=``?"""
        return bool(self.reflected) and self.reflected != self.name

    @property
    def gives_bool(self) -> bool:
        """Is the result a bool whatever the operands are?"""
        bools = (Group.TRUTH, Group.IDENTITY, Group.MEMBERSHIP, Group.MATCHING)
        return self.group in bools


HLOPS: OpTable[HLOp] = OpTable("high-level operation")


def _row(
    name: str,
    arity: int | None,
    symbol: str,
    group: Group,
    *,
    fold: Callable[..., Any] | None = None,
    can_raise: bool = True,
    has_effect: bool = True,
    **columns: Any,
) -> HLOp:
    return HLOPS.add(HLOp(name, arity, symbol, fold, can_raise, has_effect, group, **columns))


def _contains(container: Any, item: Any) -> bool:
    return item in container


for _name, _symbol in [("neg", "-"), ("pos", "+"), ("invert", "~")]:
    _row(
        _name, 1, _symbol, Group.UNARY, fold=getattr(operator, _name),
        method=f"__{_name}__", wrapping=Wrapping.ALL,
    )  # fmt: skip
_row("not_", 1, "not", Group.TRUTH, fold=operator.not_, only_reads=True)
_row("bool", 1, "bool", Group.TRUTH, fold=bool, only_reads=True)

# binary arithmetic, and the in-place form of each
for _name, _symbol, _wrapping in [
    ("add", "+", Wrapping.ALL), ("sub", "-", Wrapping.ALL), ("mul", "*", Wrapping.ALL),
    ("truediv", "/", None), ("floordiv", "//", None), ("mod", "%", None),
    ("pow", "**", Wrapping.LEFT), ("matmul", "@", None),
    ("lshift", "<<", Wrapping.LEFT), ("rshift", ">>", None),
    ("and_", "&", Wrapping.ALL), ("or_", "|", Wrapping.ALL), ("xor", "^", Wrapping.ALL),
]:  # fmt: skip
    _fold, _bare = getattr(operator, _name), _name.rstrip("_")
    _merges = _wrapping is Wrapping.ALL  # what lists and sets know
    _row(
        _name, 2, _symbol, Group.ARITHMETIC, fold=_fold,
        method=f"__{_bare}__", wrapping=_wrapping, fresh=_merges, only_reads=_merges,
    )  # fmt: skip
    _row(
        f"inplace_{_bare}", 2, _symbol + "=", Group.IN_PLACE, fold=_fold, in_place_of=_name,
        method=f"__i{_bare}__", wrapping=_wrapping,
    )  # fmt: skip

for _name, _symbol, _reflected in [
    ("lt", "<", "gt"), ("le", "<=", "ge"), ("eq", "==", "eq"), ("ne", "!=", "ne"),
    ("gt", ">", "lt"), ("ge", ">=", "le"),
]:  # fmt: skip
    _row(
        _name, 2, _symbol, Group.COMPARISON, fold=getattr(operator, _name),
        method=f"__{_name}__", reflected=_reflected, fresh=True, only_reads=True,
    )  # fmt: skip
_row("is_", 2, "is", Group.IDENTITY, can_raise=False, has_effect=False, only_reads=True)
_row(  # container, item
    "contains", 2, "in", Group.MEMBERSHIP, fold=_contains, method="__contains__", words="'in'",
    only_reads=True, none_error="argument of type 'NoneType' is not iterable",
)  # fmt: skip

# items and attributes; the attribute name is a Constant str
_row(
    "getitem", 2, "[]", Group.ITEM, fold=operator.getitem, method="__getitem__", words="indexing",
    only_reads=True, none_error="'NoneType' object is not subscriptable",
)  # fmt: skip
_row(
    "setitem", 3, "[]=", Group.ITEM, method="__setitem__", words="item assignment",
    none_error="'NoneType' object does not support item assignment",
)  # fmt: skip
_row(
    "delitem", 2, "del []", Group.ITEM, method="__delitem__", words="item deletion",
    only_reads=True, none_error="'NoneType' object does not support item deletion",
)  # fmt: skip
_row("getattr", 2, ".", Group.ATTRIBUTE, only_reads=True)
_row("setattr", 3, ".=", Group.ATTRIBUTE)
_row("delattr", 2, "del .", Group.ATTRIBUTE)

_row(
    "iter", 1, "iter", Group.ITERATION, method="__iter__", words="iteration",
    only_reads=True, none_error="'NoneType' object is not iterable",
)  # fmt: skip
_row(  # raises StopIteration
    "next", 1, "next", Group.ITERATION, method="__next__", words="next()", only_reads=True
)
_no_items = "cannot unpack non-iterable NoneType object"
# unpack(x, Constant n): tuple(x); raises ValueError unless there are n items
_row(
    "unpack", 2, "unpack", Group.UNPACKING, words="unpacking",
    only_reads=True, none_error=_no_items,
)  # fmt: skip
# unpack_star(x, Constant before, Constant after): the same with a list of the others in
# between
_row(
    "unpack_star", 3, "unpack", Group.UNPACKING, words="unpacking",
    only_reads=True, none_error=_no_items,
)  # fmt: skip

_make = Group.CONSTRUCTION
_row("newtuple", None, "()", _make, fold=lambda *i: i, can_raise=False, has_effect=False)
_row("newlist", None, "[]", _make, can_raise=False, has_effect=False, fresh=True)
# list_builder(): a list under construction; list_builder(iterator): for as many items
_row("list_builder", None, "[...]", _make, has_effect=False, only_reads=True)
_row("builder_append", 2, "[...]", Group.FILLING)
_row("built_list", 1, "[...]", Group.FILLING, has_effect=False, fresh=True)
_row("newset", None, "{}", _make, fresh=True)
_row("newdict", None, "{:}", _make, fresh=True)  # k, v, k, v, ...
_row("newslice", 3, "[:]", _make, can_raise=False, has_effect=False)

# f-strings: format_value(value, Constant conversion in '', 's', 'r', 'a', spec)
_row("format_value", 3, "f-string field", _make, only_reads=True)
_row(
    "build_string", None, "f-string", _make, fold=lambda *p: "".join(p), has_effect=False,
    only_reads=True,
)  # fmt: skip

# calls: simple_call(f, *args); call_args(f, Constant CallShape, *args)
_uncallable = "'NoneType' object is not callable"
_row("simple_call", None, "()", Group.CALL, words="being called", none_error=_uncallable)
_row("call_args", None, "()", Group.CALL, words="being called", none_error=_uncallable)

# exc_instance(x): what `raise x` raises, x an exception class or instance; the result
# is an instance.
_row(
    "exc_instance", 1, "raise", Group.RAISING,
    none_error="exceptions must derive from BaseException",
)  # fmt: skip
# exception_match(e, Constant class or tuple of classes): isinstance, for except clauses
_row("exception_match", 2, "except", Group.MATCHING, can_raise=False, has_effect=False)

HLOPS.freeze()


def group_of(opname: str) -> Group | None:
    """The group of a high-level operation; None for low-level ones."""
    row = HLOPS.get(opname)
    return None if row is None else row.group


def names_of(group: Group) -> str:
    """The operations of a group, as rules are registered for them."""
    return " ".join(row.name for row in HLOPS if row.group is group)


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
