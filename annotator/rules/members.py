"""Operations on values of several kinds: each kind is looked at by itself.

    v = add(x, 1)       x: int or str

    v = add(x1, 1)      x1: int         the members of the operation
    v = add(x2, 1)      x2: str         raises TypeError at run time

A member is an operation of its own, which has its own annotations; the rtyper lowers it in the
branch for its kinds.  What CPython refuses for these kinds is raised at run time, in CPython's
words, which are those that the host has for values like them; what only we refuse is refused.  An
operation that no member supports is refused, too.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Set
from typing import TYPE_CHECKING, Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_BYTEARRAY,
    K_BYTES,
    K_DICT,
    K_FLOAT,
    K_FROZENSET,
    K_FUNCTION,
    K_HOST,
    K_INT,
    K_LIST,
    K_NONE,
    K_RANGE,
    K_SET,
    K_STR,
    K_TUPLE,
    SomeBuiltinMethod,
    SomeInstance,
    SomeObject,
    SomePBC,
    SomeSlice,
    SomeTuple,
    s_Bottom,
)
from rpython.annotator.lattice.parts import is_big, parts_of, place_of, takes_box
from rpython.annotator.provenance import kinds_story
from rpython.annotator.rules.mapping_calls import callees_of
from rpython.annotator.rules.registry import FUNCTIONS, Looks
from rpython.translator.ir.errors import AnnotatorError, Conflict
from rpython.translator.ir.hlops import HLOPS, Group, HLOp, group_of
from rpython.translator.ir.model import Constant, SpaceOperation, Variable

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator

Raised = tuple[type[Exception], str]

_BY_FIRST = (
    Group.UNARY, Group.ITEM, Group.ATTRIBUTE, Group.ITERATION, Group.UNPACKING, Group.RAISING,
    Group.MEMBERSHIP, Group.TRUTH,
)  # fmt: skip
_BY_BOTH = (Group.ARITHMETIC, Group.IN_PLACE, Group.COMPARISON)


class Members:
    """The members of the operations of one program."""

    def __init__(self) -> None:
        self.apart: dict[SpaceOperation, tuple[int, ...]] = {}
        """The operands that decide about the member, by operation."""
        self.raised: dict[SpaceOperation, Raised] = {}
        """What members raise that CPython has no operation for."""
        self._known: dict[tuple[SpaceOperation, tuple[object, ...]], SpaceOperation] = {}

    def of(self, op: SpaceOperation, parts: tuple[SomeObject, ...]) -> SpaceOperation:
        """The member of an operation for such values of the operands that are ``apart``."""
        numbers = self.apart[op]
        key = (op, (numbers, *map(_key, parts)))
        member = self._known.get(key)
        if member is None:
            args = list(op.args)
            for number in numbers:
                args[number] = Variable("part")
            member = SpaceOperation(op.opdef, args, Variable("result"), op.span)
            self._known[key] = member
        for number, part in zip(numbers, parts, strict=True):
            member.args[number].annotation = part
        return member


def _key(part: SomeObject) -> object:
    return (part.kinds, part.mask) if isinstance(part, SomePBC) else place_of(part)


def operands_apart(ctx: OpContext, args_s: list[SomeObject]) -> tuple[int, ...]:
    """The numbers of the operands that are of several kinds each of which decides what the
    operation does."""
    row = ctx.op.opdef
    assert isinstance(row, HLOp)
    mixed = mixed_operands(args_s)
    if not mixed:
        return ()
    if row.group in _BY_BOTH:
        return mixed
    if row.group in _BY_FIRST or row is HLOPS["format_value"]:
        return mixed[:1] if mixed[0] == 0 else ()
    if row.group is Group.CALL:
        if mixed[0] == 0:
            return (0,)
        s_called = args_s[0]
        if s_called.kinds == K_HOST and s_called.is_constant():
            return mixed if FUNCTIONS.looks(s_called.value) is Looks.VALUES else ()
    return ()


def _calls_host(ctx: OpContext, op: SpaceOperation) -> bool:
    """Is it a call of a built-in function of which samples tell what CPython raises?"""
    s_called = ctx.annotator.binding(op.args[0])
    if s_called.kinds != K_HOST or not s_called.is_constant():
        return False
    return FUNCTIONS.looks(s_called.value) is not None


def mixed_operands(args_s: list[SomeObject]) -> tuple[int, ...]:
    return tuple(i for i, s in enumerate(args_s) if takes_box(s))


def consider_members(
    ctx: OpContext, args_s: list[SomeObject], numbers: tuple[int, ...],
    consider: Callable[[OpContext], SomeObject],
) -> SomeObject:  # fmt: skip
    """The annotation of what an operation gives whose operands ``numbers`` are of several kinds;
    ``consider`` annotates a member.  Raises the first error if all members have one."""
    members = ctx.annotator.members
    members.apart[ctx.op] = numbers
    s_result: SomeObject = s_Bottom
    refused: list[AnnotatorError] = []
    found = 0
    operands = [(number, args_s[number]) for number in numbers]
    choices = (callees_of(s) if number == 0 else parts_of(s) for number, s in operands)
    for parts in itertools.product(*choices):
        found += 1
        member = members.of(ctx.op, parts)
        of_items = group_of(member.opname) is Group.ITEM
        if any(part.kinds == K_NONE for part in parts) and (of_items or _calls_host(ctx, member)):
            # their rules are about what may be None, not about None alone
            raised = raised_by_host(ctx.annotator, member)
            if raised is not None:
                members.raised[member] = raised
                refused.append(ctx.error(raised[1]))
                continue
        part_ctx = OpContext(ctx.annotator, ctx.graph, ctx.block, member, ctx.index)
        part_ctx.shows_addresses, part_ctx.comparing = ctx.shows_addresses, ctx.comparing
        try:
            s_member = consider(part_ctx)
        except Conflict:
            raise
        except AnnotatorError as error:
            raised = raised_by_host(ctx.annotator, member)
            if raised is None:
                raise
            members.raised[member] = raised
            refused.append(error)
            continue
        members.raised.pop(member, None)
        old = member.result.annotation
        member.result.annotation = s_member if old is None else ctx.join(old, s_member)
        s_result = ctx.join(s_result, member.result.annotation.without_const())
    if len(refused) == found:
        raise _refused_by_all(ctx, args_s, numbers, refused)
    if not ctx.annotator.representable(s_result):
        raise ctx.conflict(f"this would give {s_result.describe()}")
    return s_result


class AllRefused(AnnotatorError):
    """Each kind raises something at run time (``Members.raised``)."""


def _refused_by_all(
    ctx: OpContext, args_s: list[SomeObject], numbers: tuple[int, ...],
    refused: list[AnnotatorError],
) -> AnnotatorError:  # fmt: skip
    """The error that says what is wrong with each kind, and where they came from."""
    message = "; ".join(dict.fromkeys(error.message for error in refused))
    error = AllRefused(message, ctx.op.span)
    for number in numbers:
        arg = ctx.op.args[number]
        if isinstance(arg, Variable):
            error.notes += kinds_story(ctx.annotator, arg, args_s[number])
    return error


# -- what CPython says --------------------------------------------------------------------------


def raised_by_host(annotator: RPythonAnnotator, op: SpaceOperation) -> Raised | None:
    """The TypeError or AttributeError that CPython raises for such operands; None where it
    does something else."""
    row = op.opdef
    assert isinstance(row, HLOp)
    evaluate = _EVALUATED.get(row.name, row.fold)
    if row.name == "call_args":
        return None
    if row.group is Group.CALL:
        evaluate = _call_of(annotator.binding(op.args[0]))
    if evaluate is None:
        return None
    choices = []
    for number, arg in enumerate(op.args):
        if isinstance(arg, Constant):
            choices.append([arg.value])
            continue
        found = _samples(annotator.binding(arg), _asked_of(row, number))
        if not found:
            return None
        choices.append(found)
    errors = (TypeError, AttributeError, *_MORE_ERRORS.get(row.name, ()))
    raised: set[Raised | None] = set()
    for values in itertools.product(*choices):
        try:
            evaluate(*values)
        except _ERRORS as error:
            raised.add((type(error), str(error)) if isinstance(error, errors) else None)
        else:
            raised.add(None)
        if len(raised) > 1:
            return None  # it depends on the values
    return raised.pop()


_ERRORS = (TypeError, AttributeError, ValueError, ArithmeticError, LookupError)
_SAMPLES: dict[int, Callable[[], list[Any]]] = {
    K_NONE: lambda: [None], K_BOOL: lambda: [True, False], K_INT: lambda: [1, 0],
    K_FLOAT: lambda: [1.5, 0.0], K_STR: lambda: ["a", "", "%d", "%s"],
    K_BYTES: lambda: [b"a", b"", b"%d"], K_BYTEARRAY: lambda: [bytearray(b"a"), bytearray()],
    K_LIST: lambda: [[1], [], ["a"]], K_DICT: lambda: [{1: 1}, {}, {"a": "a"}],
    K_SET: lambda: [{1}, set(), {"a"}], K_TUPLE: lambda: [(1,), (), ("a",)],
    K_FROZENSET: lambda: [frozenset((1,)), frozenset(), frozenset("a")],
    K_RANGE: lambda: [range(1), range(0)], K_FUNCTION: lambda: [_some_function],
}  # fmt: skip
"""Values of each kind that operations may treat differently: what is raised must not depend on
whether a container is empty, on what its items are, and on whether a text is a template."""


def _some_function() -> None:
    """A function of the program."""


def _samples(s: SomeObject, asked: Set[str]) -> list[Any]:
    """Values like those of the annotation; none where there are none that may be used, or that do
    what they do.  ``asked``: the methods that instances must not have."""
    parts = parts_of(s)
    found = [_samples_of_part(part, asked) for part in parts]
    return [sample for samples in found for sample in samples] if all(found) else []


def _samples_of_part(part: SomeObject, asked: Set[str]) -> list[Any]:
    if part.kinds == K_HOST and part.is_constant():
        return [part.value]
    if is_big(part):
        return [1 << 64, -1 << 64]
    if isinstance(part, SomeInstance):
        return _stand_in(part.classdef.cls, asked)
    if isinstance(part, SomeTuple):
        return [(1,) * len(part.items), ("a",) * len(part.items)]
    if isinstance(part, SomeSlice):
        return [slice(None)]
    if isinstance(part, SomeBuiltinMethod):
        found = _samples(part.s_self, asked)
        return [getattr(x, part.name) for x in found if hasattr(x, part.name)]
    make = _SAMPLES.get(part.kinds)
    return [] if make is None else make()


def _asked_of(row: HLOp, number: int) -> Set[str]:
    """The methods for which the operation may ask that operand, if it is an instance."""
    if row.group is Group.ITEM and number == 1:
        return {"__index__"}
    if row.group is Group.MEMBERSHIP and number == 1:
        return {"__eq__"}
    if row.group is Group.ATTRIBUTE:
        return {"__getattr__", "__setattr__"}
    reflected = f"__r{row.method.strip('_')}__"
    asked = {row.method, reflected, f"__i{row.method.strip('_')}__", "__getattr__", "__index__"}
    if row.reflected:
        asked.add(f"__{row.reflected}__")
    if row.group is not Group.COMPARISON:
        asked |= {"__iter__", "__getitem__", "__call__", "__len__", "__contains__"}
    return asked


def _stand_in(cls: type, asked: Set[str]) -> list[Any]:
    """An instance of a class of the same name that has none of these methods, if ``cls`` has none
    of them."""
    if any(name in vars(base) for base in cls.__mro__[:-1] for name in asked):
        return []
    return [type(cls.__name__, (), {"__slots__": ()})()]


def _call_of(s_called: SomeObject) -> Callable[..., Any] | None:
    if s_called.kinds == K_HOST and s_called.is_constant():
        return _call if FUNCTIONS.looks(s_called.value) is not None else None
    if s_called.kinds & K_HOST or isinstance(s_called, SomePBC):
        return None
    return _call


def _call(function: Any, *args: Any) -> Any:
    return function(*args)


def _unpack(value: Any, count: int) -> None:
    if not hasattr(value, "__iter__"):
        (_,) = value
    if isinstance(value, tuple) and len(value) > count:
        raise ValueError(f"too many values to unpack (expected {count})")
    if isinstance(value, tuple) and len(value) < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {len(value)})")


def _unpack_star(value: Any, before: int, after: int) -> None:
    if not hasattr(value, "__iter__"):
        (_,) = value
    if isinstance(value, tuple) and len(value) < before + after:
        raise ValueError(
            f"not enough values to unpack (expected at least {before + after}, got {len(value)})"
        )


def _set_item(container: Any, key: Any, value: Any) -> None:
    container[key] = value


def _format(value: Any, conversion: str, spec: str) -> str:
    return format(value, spec) if not conversion else ""


_MORE_ERRORS: dict[str, tuple[type[Exception], ...]] = {
    "format_value": (ValueError,), "unpack": (ValueError,), "unpack_star": (ValueError,),
}  # fmt: skip
_EVALUATED: dict[str, Callable[..., Any]] = {
    "getattr": getattr, "setattr": setattr, "delattr": delattr, "iter": iter, "next": next,
    "unpack": _unpack, "unpack_star": _unpack_star,
    "format_value": _format, "setitem": _set_item, "delitem": operator.delitem,
}  # fmt: skip
