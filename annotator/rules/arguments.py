"""The arguments of calls: which there are, stars taken apart, and what each parameter gets."""


from __future__ import annotations

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.keywords import SomeKeywords
from rpython.annotator.lattice.model import (
    ALL_KINDS,
    K_KEYWORDS,
    K_NONE,
    SomeDict,
    SomeInstance,
    SomeObject,
    SomeTuple,
    s_Bottom,
)
from rpython.annotator.lattice.vartuples import SomeVarTuple
from rpython.annotator.program.argument import (
    ArgumentError,
    ArgumentMismatch,
    Arguments,
    FromArg,
    FromDefault,
    FromItem,
    FromKeywords,
    FromMapping,
    FromRest,
    FromStar,
    Source,
    split_arguments,
)
from rpython.annotator.rules.registry import UNARY
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.intrinsics import (
    ComputedDefault,
)
from rpython.translator.ir.records import dataclass


@dataclass(frozen=True, slots=True)
class CallArguments:
    """The arguments of a call: annotations and, for explanations, operand numbers."""

    shape: CallShape
    args_s: tuple[SomeObject, ...]
    operands: tuple[int | None, ...]

    def prepend(self, s_first: SomeObject) -> CallArguments:
        """The same call with one more positional argument in front."""
        shape = CallShape(self.shape.positional + 1, self.shape.keywords, self.shape.star)
        return CallArguments(shape, (s_first, *self.args_s), (None, *self.operands))

    def split(self, ctx: OpContext, name: str) -> Arguments:
        """The arguments, stars taken apart; raises AnnotatorError about a call of ``name``."""
        mappings: dict[int, tuple[str, ...] | None] = {}
        for index, key in enumerate(self.shape.keywords, self.shape.positional):
            if key == "**":
                s_mapping = self.args_s[index]
                if isinstance(s_mapping, SomeDict) and is_dict_parameter(ctx):
                    mappings[index] = None
                    continue
                if not isinstance(s_mapping, SomeKeywords):
                    message = (
                        "only what a ** parameter holds can be passed as **keywords, not "
                        f"{s_mapping.describe()}"
                    )
                    hint = "which keywords there are has to be known at translation time"
                    raise ctx.refusal(s_mapping, K_KEYWORDS, message, hint=hint)
                mappings[index] = s_mapping.names
        try:
            return split_arguments(name, self.shape, self.star_length(ctx), mappings)
        except ArgumentError as error:
            raise ArgumentMismatch(str(error), ctx.op.span, hint=error.hint) from None

    def plain(self, ctx: OpContext, name: str) -> CallArguments:
        """The same call without stars."""
        if not self.shape.star and "**" not in self.shape.keywords:
            return self
        split = self.split(ctx, name)
        if split.star is not None:
            raise ctx.error(
                f"how many arguments {name}() gets has to be known at translation time, but there "
                f"is *{self.args_s[-1].describe()}",
                hint="functions of the program can be called like this, built-in ones cannot",
            )
        sources = [*split.positional, *split.keywords.values()]
        shape = CallShape(len(split.positional), tuple(split.keywords))
        operands = tuple(
            self.operands[source.index] if isinstance(source, FromArg) else None
            for source in sources
        )
        return CallArguments(shape, tuple(take_argument(ctx, s, self) for s in sources), operands)

    def star_length(self, ctx: OpContext) -> int | None:
        """How many items the ``*`` argument has, None where that is not known."""
        if not self.shape.star:
            return 0
        s_star = self.args_s[-1]
        if isinstance(s_star, SomeTuple):
            return len(s_star.items)
        assert isinstance(s_star, SomeVarTuple)
        return None


def is_dict_parameter(ctx: OpContext) -> bool:
    """Does the function that calls pass a dict on, which is all that its ``**`` parameter gets?"""
    return getattr(ctx.graph.func, "_rpython_passes_dict_", False) is True


def star_tuple(ctx: OpContext, s: SomeObject) -> SomeObject:
    """What follows ``*`` in a call, as a tuple."""
    message = f"what follows * in a call must be an iterable, not {s.describe()}"
    if s.kinds & K_NONE:
        raise ctx.refusal(s, ALL_KINDS & ~K_NONE, message)
    if isinstance(s, SomeTuple):
        return s
    rule = UNARY.lookup("unpack", type(s))
    if rule is None:
        raise ctx.error(message)
    s_items = rule(ctx, s, ctx.constant(1))
    s_tuple = SomeVarTuple(s_items.items[0] if isinstance(s_items, SomeTuple) else s_Bottom)
    ctx.annotator.notes.star_tuples[ctx.op] = s_tuple
    return s_tuple


def take_argument(ctx: OpContext, source: Source, arguments: CallArguments) -> SomeObject:
    """The annotation of a parameter."""
    if isinstance(source, FromArg):
        return arguments.args_s[source.index]
    if isinstance(source, FromDefault):
        if isinstance(source.value, ComputedDefault):
            s_closure = arguments.args_s[0]
            assert isinstance(s_closure, SomeInstance)
            constants = ctx.annotator.constants
            return ctx.read(constants.attribute(s_closure.classdef, source.value.attribute))
        return ctx.constant(source.value)
    if isinstance(source, FromStar):
        s_star = arguments.args_s[source.index]
        assert isinstance(s_star, SomeTuple)
        return s_star.items[source.item]
    if isinstance(source, FromMapping):
        s_mapping = arguments.args_s[source.index]
        assert isinstance(s_mapping, SomeKeywords)
        return s_mapping.items[source.item]
    if isinstance(source, FromItem):
        s_item = _star_item(source, arguments)
        if source.default is None:
            return s_item
        return _one_kind(ctx, (s_item, take_argument(ctx, source.default, arguments)))
    items = tuple(take_argument(ctx, item, arguments) for item in source.items)
    if isinstance(source, FromKeywords):
        return items[0] if source.is_dict else SomeKeywords(source.names, items)
    assert isinstance(source, FromRest)
    if source.star is not None:
        return SomeVarTuple(_one_kind(ctx, (*items, _star_item(source.star, arguments))))
    return SomeTuple(items)


def _star_item(source: FromItem, arguments: CallArguments) -> SomeObject:
    s_star = arguments.args_s[source.index]
    assert isinstance(s_star, SomeVarTuple)
    return s_star.s_item


def _one_kind(ctx: OpContext, items_s: tuple[SomeObject, ...]) -> SomeObject:
    """The join of what one parameter may get."""
    s_joined: SomeObject = s_Bottom
    for s in items_s:
        s_joined = ctx.join(s_joined, s.without_const())
    if not ctx.annotator.representable(s_joined):
        raise ctx.conflict(
            f"{' and '.join(s.describe() for s in items_s)} have nothing in common, but how many "
            "arguments * gives is not known: any of them may be passed here"
        )
    return s_joined
