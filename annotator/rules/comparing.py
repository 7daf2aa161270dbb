"""Comparing and hashing values as a part of another operation.

``x in items``, ``a == b`` of tuples, ``d[key]``, ``sorted(items)`` compare or hash values
that are no operands.  Their rules call ``flow_comparison`` and ``flow_hash``, which flow the
calls of the program's own ``__eq__``, ``__lt__``, ``__hash__``, ... that this makes, and
refuse values that cannot be compared or hashed.
"""

from __future__ import annotations

import itertools

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_BYTEARRAY,
    K_BYTES,
    K_CLASS,
    K_DICT,
    K_DICTVIEW,
    K_FLOAT,
    K_FUNCTION,
    K_INT,
    K_LIST,
    K_NONE,
    K_SET,
    K_SINGLEFLOAT,
    K_SLICE,
    K_STR,
    KIND_NAMES,
    SomeInstance,
    SomeObject,
    SomeUnion,
    s_Bool,
    s_Bottom,
)
from rpython.annotator.lattice.namedtuples import operator_function
from rpython.annotator.lattice.parts import (
    class_with_equality,
    may_be_equal,
    parts_of,
    takes_box,
    without_none,
)
from rpython.annotator.lattice.vartuples import tuple_items
from rpython.annotator.rules.binary_methods import attempts
from rpython.annotator.rules.registry import BINARY, UNARY
from rpython.translator.ir.dispatch import Rule
from rpython.translator.ir.errors import AnnotatorError
from rpython.translator.ir.hlops import HLOPS, HLOp

SCALARS = K_NONE | K_BOOL | K_INT | K_FLOAT | K_STR | K_BYTES | K_SINGLEFLOAT
"""Kinds whose equality and hash call nothing of the program's."""
BY_IDENTITY = K_FUNCTION | K_CLASS
"""Kinds that are hashed as the objects that they are."""


def find_binary(name: str, args_s: list[SomeObject]) -> tuple[Rule, list[SomeObject]] | None:
    """The rule of an operation and the operands to give it: as they are or, for an operation
    that None does not have, without their None part."""
    known = [without_none(s) for s in args_s]
    if operator_function(name, known) is not None:
        rule = BINARY.lookup("by_operators", *map(type, known))
        assert rule is not None
        return rule, args_s
    rule = BINARY.lookup(name, *map(type, args_s))
    if rule is not None:
        return rule, args_s
    stripped = [without_none(s) if isinstance(s, SomeUnion) else s for s in args_s]
    rule = BINARY.lookup(name, *map(type, stripped))
    return None if rule is None else (rule, stripped)


def flow_comparison(
    ctx: OpContext, opname: str, s_left: SomeObject, s_right: SomeObject
) -> SomeObject:
    """Flow ``left <op> right`` of two values that the operation at hand compares.

    Args:
        opname: one of ``eq ne lt le gt ge``.

    Returns: bool; bottom when there is no such value (so far) or comparing never succeeds.
    Raises AnnotatorError for values that cannot be compared.
    """
    if s_left.kinds == 0 or s_right.kinds == 0:
        return s_Bottom
    if opname in ("eq", "ne") and not (s_left.kinds | s_right.kinds) & ~SCALARS:
        return s_Bool
    left, right = s_left.without_const(), s_right.without_const()
    key = (opname, left, right)
    if key in ctx.comparing:
        return s_Bool  # inside itself: a list that holds such lists
    part = ctx.suboperation(opname, left, right)
    part.comparing = ctx.comparing | {key}
    if takes_box(left) or takes_box(right):
        return _flow_members(part, opname, left, right)
    found = find_binary(opname, [left, right])
    if found is None:
        if K_NONE in (left.kinds, right.kinds):
            return s_Bottom  # raises TypeError at run time
        kinds = " and ".join(dict.fromkeys((left.describe(), right.describe())))
        raise ctx.error(f"no order is defined for {kinds}", hint="ints, floats and strs have one")
    rule, operands = found
    s_result: SomeObject = rule(part, *operands)
    if s_result.kinds & ~K_BOOL:
        op = HLOPS[opname]
        symbol = op.symbol if isinstance(op, HLOp) else opname
        raise ctx.error(
            f"{symbol} of {left.describe()} and {right.describe()} gives "
            f"{s_result.describe()} here, not a bool",
            hint=f"let __{opname}__ return a bool",
        )
    return s_Bool if s_result.kinds else s_Bottom


def _flow_members(
    ctx: OpContext, opname: str, s_left: SomeObject, s_right: SomeObject
) -> SomeObject:
    """Comparing values of several kinds: those that can be compared.  Raises AnnotatorError if
    there are none."""
    refused: list[AnnotatorError] = []
    found = 0
    for first, second in itertools.product(parts_of(s_left), parts_of(s_right)):
        defined = class_with_equality(first) or class_with_equality(second)
        if opname in ("eq", "ne") and not defined and not may_be_equal(first, second):
            continue
        found += 1
        try:
            flow_comparison(ctx, opname, first, second)
        except AnnotatorError as error:
            refused.append(error)
    if refused and (len(refused) == found or opname in ("eq", "ne")):
        raise refused[0]
    return s_Bool


def flow_order(ctx: OpContext, s_left: SomeObject, s_right: SomeObject) -> None:
    """Flow the order of two items, which TypeError is raised for at run time where they have none:
    others may decide first."""
    if not s_left.kinds or has_order(ctx.op.opname, s_left, s_right):
        flow_comparison(ctx, ctx.op.opname, s_left, s_right)
        return
    for s in (*parts_of(s_left), *parts_of(s_right)):
        if isinstance(s, SomeInstance):
            s.classdef.note_reader("__class__", ctx.position)


def has_order(opname: str, s_left: SomeObject, s_right: SomeObject) -> bool:
    """Can such values be compared at all?  (What None raises is known elsewhere.)"""
    if K_NONE in (s_left.kinds, s_right.kinds):
        return True
    if takes_box(s_left) or takes_box(s_right):
        pairs = itertools.product(*(parts_of(without_none(s)) for s in (s_left, s_right)))
        return any(has_order(opname, *pair) for pair in pairs)
    if any(isinstance(without_none(s), SomeInstance) for s in (s_left, s_right)):
        return bool(attempts(opname, s_left, s_right))
    return find_binary(opname, [s_left, s_right]) is not None


UNHASHABLE = (K_LIST, K_DICT, K_SET, K_BYTEARRAY, K_DICTVIEW)
"""Kinds none of whose values has a hash."""
_RAISING = (K_LIST, K_DICT, K_SET, K_BYTEARRAY)
"""Those for which the typer knows what is raised."""


def flow_hash(ctx: OpContext, s: SomeObject, some: bool = False) -> None:
    """Flow the hashing of a value, which becomes a key or is looked up.

    Args:
        some: is it enough that some of its kinds have a hash?  The others raise TypeError when
            the program runs then.

    Raises AnnotatorError for values that have no hash.
    """
    for part in parts_of(s):
        if some and part is not s and part.kinds in _RAISING:
            continue
        if part.kinds & (SCALARS | BY_IDENTITY):
            continue
        if (items_s := tuple_items(part)) is not None:
            for s_item in items_s:
                flow_hash(ctx, s_item, True)
            continue
        rule = UNARY.lookup("hash", type(part))
        if rule is None:
            name = KIND_NAMES.get(part.kinds, "object")
            unhashable = part.kinds in UNHASHABLE
            message = f"{part.describe()} cannot be a key"
            if part.kinds == K_SLICE:
                message = "a dict has no slices"
            raise ctx.error(
                f"unhashable type: {name!r}" if unhashable else message,
                hint="keys can be numbers, strs, bytes, tuples, frozensets and instances",
            )
        rule(ctx, part)
