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
from collections.abc import Callable

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.builtinmethods import method_among
from rpython.annotator.lattice.model import (
    K_HOST,
    K_NONE,
    SomeBuiltinMethod,
    SomeObject,
    SomePBC,
    s_Bottom,
)
from rpython.annotator.lattice.parts import parts_of, place_of, takes_box
from rpython.annotator.provenance import kinds_story
from rpython.annotator.rules.mapping_calls import callees_of
from rpython.annotator.rules.raised import Raised, calls_host, raised_by_host
from rpython.annotator.rules.registry import FUNCTIONS, Looks
from rpython.annotator.rules.samples import of_library
from rpython.translator.ir.errors import AnnotatorError, Conflict
from rpython.translator.ir.hlops import HLOPS, Group, HLOp, group_of
from rpython.translator.ir.model import SpaceOperation, Variable

_BY_FIRST = (
    Group.UNARY, Group.ITEM, Group.ATTRIBUTE, Group.ITERATION, Group.UNPACKING, Group.RAISING,
    Group.MEMBERSHIP, Group.TRUTH,
)  # fmt: skip
_BY_BOTH = (Group.ARITHMETIC, Group.IN_PLACE, Group.COMPARISON)
_OF_CLASSES = (Group.ARITHMETIC, Group.IN_PLACE, Group.ITEM)


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
    if isinstance(part, SomeBuiltinMethod):
        return method_among(part.name, part.s_self)
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
    raised_by_all: dict[Raised, None] = {}
    found = 0
    operands = [(number, args_s[number]) for number in numbers]
    choices = (callees_of(s) if number == 0 else parts_of(s) for number, s in operands)
    for parts in itertools.product(*choices):
        found += 1
        member = members.of(ctx.op, parts)
        of_items = group_of(member.opname) is Group.ITEM
        has_none = any(part.kinds == K_NONE for part in parts)
        by_library = group_of(member.opname) in _OF_CLASSES and any(map(of_library, parts))
        if by_library or (has_none and (of_items or calls_host(ctx.annotator, member))):
            # rules are about what may be None, not about None alone; operators of the library's
            # classes are functions, in which an error would be found later
            raised = raised_by_host(ctx.annotator, member)
            if raised is not None:
                members.raised[member] = raised
                raised_by_all[raised] = None
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
            raised_by_all[raised] = None
            refused.append(error)
            continue
        members.raised.pop(member, None)
        old = member.result.annotation
        member.result.annotation = s_member if old is None else ctx.join(old, s_member)
        s_result = ctx.join(s_result, member.result.annotation.without_const())
    if len(refused) == found:
        of_all = _refused_by_all(ctx, args_s, numbers, refused)
        of_all.raised = tuple(raised_by_all)
        raise of_all
    if not ctx.annotator.representable(s_result):
        raise ctx.conflict(f"this would give {s_result.describe()}")
    return s_result


class AllRefused(AnnotatorError):
    """Each kind raises something at run time (``Members.raised``): what is in ``raised``."""

    raised: tuple[Raised, ...] = ()


def _refused_by_all(
    ctx: OpContext, args_s: list[SomeObject], numbers: tuple[int, ...],
    refused: list[AnnotatorError],
) -> AllRefused:  # fmt: skip
    """The error that says what is wrong with each kind, and where they came from."""
    message = "; ".join(dict.fromkeys(error.message for error in refused))
    hints = {error.hint for error in refused}
    error = AllRefused(message, ctx.op.span, hint=hints.pop() if len(hints) == 1 else "")
    for number in numbers:
        arg = ctx.op.args[number]
        if isinstance(arg, Variable):
            error.notes += kinds_story(ctx.annotator, arg, args_s[number])
    return error
