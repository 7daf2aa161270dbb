"""Transfer rules for iteration."""

from __future__ import annotations

from annotator.classdef import is_state_machine
from annotator.comparing import flow_comparison
from annotator.context import OpContext
from annotator.model import (
    SomeByteArray,
    SomeBytes,
    SomeDict,
    SomeDictView,
    SomeHost,
    SomeInstance,
    SomeIterator,
    SomeList,
    SomeObject,
    SomeRange,
    SomeString,
    SomeTuple,
    s_Bool,
    s_Bottom,
    s_Char,
    s_Int,
    s_None,
    s_NonNeg,
    s_Str,
)
from annotator.parts import dict_def, list_item, representable, without_none
from annotator.registry import FUNCTIONS, UNARY
from annotator.rules_numbers import integer_type, nonneg_of
from annotator.rules_special import call_without_arguments, instance_item
from annotator.rules_strings import INTEGER, require_kind
from annotator.rules_tuples import range_item, tuple_item
from annotator.streams import StandardStream, standard_stream
from translator.ir.machinery import generator_result

for _iterable in (
    SomeList, SomeTuple, SomeRange, SomeDict, SomeDictView, SomeString, SomeBytes, SomeByteArray,
):  # fmt: skip

    @UNARY.register("iter", _iterable)
    def make_iterator(ctx: OpContext, s: SomeObject) -> SomeObject:
        return SomeIterator((s.without_const(),))


@UNARY.register("iter", SomeIterator)
def iterator_itself(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s


@UNARY.register("next", SomeIterator)
def next_item(ctx: OpContext, s: SomeObject) -> SomeObject:
    assert isinstance(s, SomeIterator)
    items_s = [item_of(ctx, s_source) for s_source in s.sources]
    if any(s_item.kinds == 0 for s_item in items_s):
        return s_Bottom
    if s.variant == "enumerate":
        return SomeTuple((s_NonNeg, items_s[0]))
    if s.variant == "enumerate signed":
        return SomeTuple((s_Int, items_s[0]))
    if s.variant == "zip":
        return SomeTuple(tuple(items_s))
    return items_s[0]


def item_of(ctx: OpContext, s: SomeObject) -> SomeObject:
    """What iterating over ``s``, which may be None as well, gives."""
    s = without_none(s)
    if s.kinds == 0:
        return s_Bottom
    if isinstance(s, SomeList):
        return ctx.read(list_item(s).item)
    if isinstance(s, SomeTuple):
        return tuple_item(ctx, s)
    if isinstance(s, SomeRange):
        return range_item(s)
    if isinstance(s, SomeDict):
        return ctx.read(dict_def(s).key)
    if isinstance(s, SomeDictView):
        s_key, s_value = (ctx.read(cell) for cell in (dict_def(s).key, dict_def(s).value))
        if s_key.kinds == 0 or s_value.kinds == 0:
            return s_Bottom
        return {
            "keys": s_key, "values": s_value, "items": SomeTuple((s_key, s_value)),
        }[s.which]  # fmt: skip
    if isinstance(s, SomeString):
        return s_Char
    if isinstance(s, (SomeBytes, SomeByteArray)):
        return s_NonNeg
    if isinstance(s, SomeIterator):
        return next_item(ctx, s)
    if isinstance(s, SomeHost) and standard_stream(s.value) == StandardStream(0, False):
        return s_Str
    if isinstance(s, SomeInstance):
        s_iterator, s_item = instance_item(ctx, s)
        if s_iterator.kinds == 0 or isinstance(s_iterator, SomeInstance):
            return s_item
        return item_of(ctx, s_iterator)
    raise ctx.error(f"cannot iterate over {s.describe()}")


# -- built-in functions


def consider_truth(ctx: OpContext, s: SomeObject) -> SomeObject:
    rule = UNARY.lookup("bool", type(s))
    assert rule is not None
    s_result: SomeObject = rule(ctx, s)
    return s_Bool if s_result.is_constant() else s_result


REVERSIBLE = (SomeList, SomeTuple, SomeRange, SomeString, SomeBytes)


def source(ctx: OpContext, s: SomeObject) -> SomeObject:
    """What an iterator over ``s`` refers to; refuses what cannot be iterated over."""
    s_source = without_none(s)
    if s_source.kinds == 0:
        raise ctx.error("'NoneType' object is not iterable")
    item_of(ctx, s_source)
    return s_source.without_const()


@FUNCTIONS.register(enumerate)
def builtin_enumerate(
    ctx: OpContext, s: SomeObject, s_start: SomeObject = s_NonNeg
) -> SomeObject:
    require_kind(ctx, s_start, INTEGER, "an int")
    variant = "enumerate" if nonneg_of(s_start) else "enumerate signed"
    return SomeIterator((source(ctx, s),), variant)


@FUNCTIONS.register(zip)
def builtin_zip(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    if not args_s:
        raise ctx.error("zip() needs an argument")
    return SomeIterator(tuple(source(ctx, s) for s in args_s), "zip")


@FUNCTIONS.register(reversed)
def builtin_reversed(ctx: OpContext, s: SomeObject) -> SomeObject:
    s_source = source(ctx, s)
    if not isinstance(s_source, REVERSIBLE):
        raise ctx.error(f"reversed() of {s.describe()} is not supported")
    return SomeIterator((s_source,), "reversed")


@FUNCTIONS.register(iter)
def builtin_iter(ctx: OpContext, s: SomeObject) -> SomeObject:
    s_source = source(ctx, s)
    if isinstance(s_source, SomeInstance):
        return instance_item(ctx, s_source)[0]
    return s_source if isinstance(s_source, SomeIterator) else SomeIterator((s_source,))


@FUNCTIONS.register(next)
def builtin_next(
    ctx: OpContext, s: SomeObject, s_default: SomeObject = s_Bottom
) -> SomeObject:
    s_iterator = without_none(s)
    if isinstance(s_iterator, SomeInstance):
        s_item = call_without_arguments(ctx, s_iterator, "__next__")
    elif isinstance(s_iterator, SomeIterator):
        s_item = item_of(ctx, s_iterator)
    else:
        raise ctx.error(f"next() needs an iterator, not {s.describe()}")
    s_result = ctx.join(s_item.without_const(), s_default.without_const())
    if not representable(s_result):
        raise ctx.error(f"next() would give {s_result.describe()}")
    return s_result


@FUNCTIONS.register(generator_result)
def value_of_generator(ctx: OpContext, s: SomeObject) -> SomeObject:
    """The value of ``yield from``."""
    if not isinstance(s, SomeInstance):
        return s_None
    if not is_state_machine(s.classdef):
        raise ctx.error(
            "the value of yield from is known for generators only",
            hint="do not use the value, or keep it in an attribute of the iterator",
        )
    return call_without_arguments(ctx, s, "_result")


@FUNCTIONS.register(min, max)
def builtin_min_max(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    if not args_s:
        raise ctx.error("min() and max() need an argument")
    if len(args_s) < 2:
        s_result = item_of(ctx, args_s[0])
    else:
        s_result = s_Bottom
        for s in args_s:
            s_result = ctx.join(s_result, s.without_const())
    largest = ctx.annotator.binding(ctx.op.args[0]).value is max
    flow_comparison(ctx, "gt" if largest else "lt", s_result, s_result)
    if s_result.kinds & (s_result.kinds - 1):
        raise ctx.error(f"min() and max() cannot give {s_result.describe()}")
    return s_result


@FUNCTIONS.register(sum)
def builtin_sum(ctx: OpContext, s: SomeObject, s_start: SomeObject = s_Int) -> SomeObject:
    s_item = item_of(ctx, s)
    require_kind(ctx, s_start, INTEGER, "an int")
    require_kind(ctx, s_item, INTEGER, "a sequence of ints (the sum of no floats is an int)")
    for s_number in (s_item, s_start):
        if s_number.kinds and integer_type(s_number) is not int:
            raise ctx.error(f"sum() adds plain ints, not {s_number.describe()}")
    return s_Int


@FUNCTIONS.register(any, all)
def builtin_any_all(ctx: OpContext, s: SomeObject) -> SomeObject:
    s_item = item_of(ctx, s)
    if s_item.kinds:
        consider_truth(ctx, s_item)
    return s_Bool


