"""Transfer rules for iteration."""

from __future__ import annotations

from types import CoroutineType

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.cells import ListDef
from rpython.annotator.lattice.keywords import SomeKeywords
from rpython.annotator.lattice.model import (
    ALL_KINDS,
    K_BYTES,
    K_ITERATOR,
    K_NONE,
    K_STR,
    SomeByteArray,
    SomeBytes,
    SomeDict,
    SomeDictView,
    SomeInstance,
    SomeIterator,
    SomeList,
    SomeMemoryView,
    SomeObject,
    SomeRange,
    SomeString,
    SomeTuple,
    s_Bool,
    s_Bottom,
    s_Bytes,
    s_Char,
    s_Int,
    s_None,
    s_NonNeg,
    s_Str,
)
from rpython.annotator.lattice.outsideviews import SomeNumberView
from rpython.annotator.lattice.parts import (
    dict_def,
    list_item,
    may_be_str_or_other,
    parts_of,
    takes_box,
    without_none,
)
from rpython.annotator.lattice.pieces import PIECES, pieces_by
from rpython.annotator.lattice.sets import SomeAnySet
from rpython.annotator.lattice.vartuples import SomeVarTuple
from rpython.annotator.program.classdef import is_state_machine
from rpython.annotator.rules.applying import call_chosen, call_inside
from rpython.annotator.rules.calls import CallArguments, call
from rpython.annotator.rules.numbers import nonneg_of
from rpython.annotator.rules.registry import FUNCTIONS, METHODS, UNARY, Looks
from rpython.annotator.rules.special import (
    call_without_arguments,
    special_method,
    unary_operator,
)
from rpython.annotator.rules.strings import INTEGER, require_kind
from rpython.annotator.rules.tuples import plain_tuple, range_item, tuple_item
from rpython.stdlib._str import join_tested
from rpython.stdlib.builtins import contained, filtered, mapped, numbered, zipped
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.intrinsics import (
    close_iterator,
    generator_result,
    lines_of,
    send_through,
    throw_through,
    words_of,
)

for _iterable in (
    SomeList, SomeTuple, SomeRange, SomeDict, SomeDictView, SomeString, SomeBytes, SomeByteArray,
    SomeAnySet, SomeMemoryView, SomeNumberView, SomeVarTuple, SomeKeywords,
):  # fmt: skip

    @UNARY.register("iter", _iterable)
    def make_iterator(ctx: OpContext, s: SomeObject) -> SomeObject:
        return SomeIterator((s.without_const(),))


for _unpacked in (
    SomeList, SomeRange, SomeDict, SomeDictView, SomeString, SomeBytes, SomeByteArray,
    SomeIterator, SomeInstance, SomeAnySet, SomeVarTuple, SomeKeywords,
):  # fmt: skip

    @UNARY.register("unpack", _unpacked)
    def unpack(ctx: OpContext, s: SomeObject, s_count: SomeObject) -> SomeObject:
        s_item = item_of(ctx, s)
        if s_item.kinds == 0 and s_count.value:
            return s_Bottom
        return SomeTuple((s_item.without_const(),) * s_count.value)

    @UNARY.register("unpack_star", _unpacked)
    def unpack_star(
        ctx: OpContext, s: SomeObject, s_before: SomeObject, s_after: SomeObject
    ) -> SomeObject:
        s_item = item_of(ctx, s)
        if s_item.kinds == 0 and (s_before.value or s_after.value):
            return s_Bottom
        s_rest = ctx.new_list(s_item, "put in the list here")
        s_item = s_item.without_const()
        return SomeTuple(((s_item,) * s_before.value) + (s_rest,) + (s_item,) * s_after.value)


@UNARY.register("iter", SomeIterator)
def iterator_itself(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s


@UNARY.register("contains", SomeInstance)
def instance_contains(ctx: OpContext, s: SomeObject, s_wanted: SomeObject) -> SomeObject:
    if special_method(ctx, s, "__contains__") is None:
        if special_method(ctx, s, "__iter__", of_all=True) is not None:
            return iterator_contains(ctx, s, s_wanted)
    return unary_operator(ctx, s, s_wanted)


@UNARY.register("contains", SomeIterator)
def iterator_contains(ctx: OpContext, s: SomeObject, s_wanted: SomeObject) -> SomeObject:
    return call_inside(ctx, ctx.constant(contained), s, s_wanted)


@METHODS.register("__next__", SomeIterator)
@UNARY.register("next", SomeIterator)
def next_item(ctx: OpContext, s: SomeObject) -> SomeObject:
    assert isinstance(s, SomeIterator)
    if s.variant == "map":
        return ctx.read(list_item(s.sources[-1]).item)
    if s.variant == "filter":
        return item_of(ctx, s.sources[1])
    if s.variant in PIECES:
        return s_Str
    items_s = [item_of(ctx, s_source) for s_source in s.sources]
    if any(s_item.kinds == 0 for s_item in items_s):
        return s_Bottom
    if s.variant == "enumerate":
        return SomeTuple((s_NonNeg, items_s[0]))
    if s.variant == "enumerate signed":
        return SomeTuple((s_Int, items_s[0]))
    if s.variant.startswith("zip"):
        return SomeTuple(tuple(items_s))
    return items_s[0]


def item_of(ctx: OpContext, s: SomeObject) -> SomeObject:
    """What iterating over ``s``, which may be None as well, gives."""
    s = without_none(s)
    if s.kinds == 0:
        return s_Bottom
    if isinstance(s, SomeList):
        return ctx.read(list_item(s).item)
    if isinstance(s, (SomeTuple, SomeVarTuple)):
        return tuple_item(ctx, s)
    if isinstance(s, SomeRange):
        return range_item(s)
    if isinstance(s, (SomeDict, SomeAnySet)):
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
    if isinstance(s, SomeKeywords):
        return s_Str if s.names else s_Bottom
    if isinstance(s, (SomeBytes, SomeByteArray, SomeMemoryView)):
        return s_NonNeg
    if isinstance(s, SomeNumberView):
        return s.s_item
    if isinstance(s, SomeIterator):
        return next_item(ctx, s)
    if isinstance(s, SomeInstance):
        return _given_by(ctx, call_without_arguments(ctx, s, "__iter__"))
    raise ctx.error(f"cannot iterate over {s.describe()}")


def _given_by(ctx: OpContext, s: SomeObject) -> SomeObject:
    """What the ``__next__`` gives of what ``__iter__`` has given."""
    s_item: SomeObject = s_Bottom
    for part in parts_of(s):
        if isinstance(part, SomeInstance):
            s_next = call_without_arguments(ctx, part, "__next__", of_all=True)
        elif isinstance(part, SomeIterator):
            s_next = next_item(ctx, part)
        else:
            raise ctx.error(f"__iter__ should give an iterator, not {s.describe()}")
        s_item = ctx.join(s_item, s_next.without_const())
    if not ctx.annotator.representable(s_item):
        raise ctx.conflict(f"iteration would give {s_item.describe()}")
    return s_item


# -- built-in functions


@FUNCTIONS.register(tuple, looks=Looks.VALUES)
def builtin_tuple(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    if not args_s:
        return ctx.constant(())
    if len(args_s) > 1:
        raise ctx.error(f"tuple expected at most 1 argument, got {len(args_s)}")
    s = without_none(args_s[0])
    if isinstance(s, SomeTuple) or not s.kinds:
        return plain_tuple(ctx, s)
    return SomeVarTuple(item_of(ctx, s))


def consider_truth(ctx: OpContext, s: SomeObject) -> SomeObject:
    rule = UNARY.lookup("bool", type(s))
    assert rule is not None
    s_result: SomeObject = rule(ctx, s)
    return s_Bool if s_result.is_constant() else s_result


REVERSIBLE = (
    SomeList, SomeTuple, SomeVarTuple, SomeRange, SomeString, SomeBytes, SomeDict, SomeDictView,
)  # fmt: skip


def source(ctx: OpContext, s: SomeObject) -> SomeObject:
    """What an iterator over ``s`` refers to; refuses what cannot be iterated over."""
    s_source = without_none(s)
    if s_source.kinds == 0:
        raise ctx.refusal(s, ALL_KINDS & ~K_NONE, "'NoneType' object is not iterable")
    item_of(ctx, s_source)
    return s_source.without_const()


def among_others(ctx: OpContext, *args_s: SomeObject) -> bool:
    """Is one of them in a box that may hold an iterator, or an iterator over one over one over ...,
    where there are boxes?  Iterators over these, which may be iterators like them, are made by
    functions of the library."""
    return ctx.annotator.boxes and any(
        s.kinds & K_ITERATOR and (takes_box(s) or _depth(s) > _DEEPEST) for s in args_s
    )


_DEEPEST = 4


def _depth(s: SomeObject) -> int:
    """How many iterators are inside of each other."""
    return 1 + max(map(_depth, s.sources)) if isinstance(s, SomeIterator) else 0


@FUNCTIONS.register(enumerate, looks=Looks.ITEMS)
def builtin_enumerate(ctx: OpContext, s: SomeObject, s_start: SomeObject = s_Bottom) -> SomeObject:
    if among_others(ctx, s):
        return call_chosen(ctx, numbered, (s, s_start) if s_start.kinds else (s,), {})
    if s_start.kinds:
        require_kind(ctx, s_start, INTEGER, "an int")
    variant = "enumerate" if not s_start.kinds or nonneg_of(s_start) else "enumerate signed"
    return SomeIterator((source(ctx, s),), variant)


@FUNCTIONS.register(zip, looks=Looks.ITEMS)
def builtin_zip(ctx: OpContext, *args_s: SomeObject, s_strict: SomeObject = s_Bottom) -> SomeObject:
    if s_strict.kinds and not s_strict.is_constant():
        raise ctx.error("zip() needs a constant for strict")
    strict = bool(s_strict.kinds and s_strict.value)
    if not args_s or (among_others(ctx, *args_s) and not strict):
        return call_chosen(ctx, zipped, args_s, {"s_strict": s_strict} if s_strict.kinds else {})
    return SomeIterator(tuple(source(ctx, s) for s in args_s), "zip strict" if strict else "zip")


@FUNCTIONS.register(map, looks=Looks.ITEMS)
def builtin_map(ctx: OpContext, s_callee: SomeObject, *args_s: SomeObject) -> SomeObject:
    if not args_s:
        raise ctx.error("map() must have at least two arguments.")
    if among_others(ctx, *args_s):
        return call_chosen(ctx, mapped, (s_callee, *args_s), {})
    sources = tuple(source(ctx, s) for s in args_s)
    return _calling_iterator(ctx, "map", s_callee, sources)


@FUNCTIONS.register(filter, looks=Looks.ITEMS)
def builtin_filter(ctx: OpContext, s_callee: SomeObject, s: SomeObject) -> SomeObject:
    if among_others(ctx, s):
        return call_chosen(ctx, filtered, (s_callee, s), {})
    return _calling_iterator(ctx, "filter", s_callee, (source(ctx, s),))


def _calling_iterator(
    ctx: OpContext, variant: str, s_callee: SomeObject, sources: tuple[SomeObject, ...]
) -> SomeObject:
    """A ``map`` or ``filter``: two that meet have the same arguments and results."""
    arguments, results = (_made_items(ctx, name) for name in ("arguments", "results"))
    items_s = tuple(item_of(ctx, s_source) for s_source in sources)
    if all(s_item.kinds for s_item in items_s):
        ctx.write(arguments.find().item, SomeTuple(items_s), "passed on here")
    s_arguments = ctx.read(arguments.find().item)
    if isinstance(s_arguments, SomeTuple):
        if s_callee == s_None and variant == "filter":
            s_result = s_arguments.items[0]
        else:
            s_result = call_inside(ctx, s_callee, *s_arguments.items)
        if variant == "filter" and s_result.kinds:
            consider_truth(ctx.suboperation("bool", s_result), s_result)
        ctx.write(results.find().item, s_result, f"given by what {variant}() calls here")
    s_parts = (SomeList(arguments.find()), SomeList(results.find()))
    return SomeIterator((s_callee.without_const(), *sources, *s_parts), variant)


def _made_items(ctx: OpContext, name: str) -> ListDef:
    definition = ctx.annotator.notes.made_here.setdefault((name, ctx.op), ListDef())
    assert isinstance(definition, ListDef)
    return definition


@FUNCTIONS.register(reversed, looks=Looks.VALUES)
def builtin_reversed(ctx: OpContext, s: SomeObject) -> SomeObject:
    s_source = source(ctx, s)
    if not isinstance(s_source, REVERSIBLE):
        raise ctx.error(f"reversed() of {s.describe()} is not supported")
    return SomeIterator((s_source,), "reversed")


def builtin_iter(ctx: OpContext, s: SomeObject) -> SomeObject:
    """``iter(s)``."""
    s_source = source(ctx, s)
    if isinstance(s_source, SomeInstance):
        return call_without_arguments(ctx, s_source, "__iter__")
    return s_source if isinstance(s_source, SomeIterator) else SomeIterator((s_source,))


@FUNCTIONS.register(next, looks=Looks.VALUES)
def builtin_next(ctx: OpContext, s: SomeObject, s_default: SomeObject = s_Bottom) -> SomeObject:
    s_iterator = without_none(s)
    if isinstance(s_iterator, SomeInstance):
        if any(classdef.seen_as is CoroutineType for classdef in s_iterator.classdef.subtree()):
            raise ctx.error("a coroutine is not an iterator", hint="await it")
        s_item = call_without_arguments(ctx, s_iterator, "__next__")
    elif isinstance(s_iterator, SomeIterator):
        s_item = item_of(ctx, s_iterator)
    else:
        raise ctx.error(f"next() needs an iterator, not {s.describe()}")
    s_result = ctx.join(s_item.without_const(), s_default.without_const())
    if not ctx.annotator.representable(s_result):
        raise ctx.conflict(f"next() would give {s_result.describe()}")
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


@FUNCTIONS.register(send_through)
def send_to_inner(ctx: OpContext, s: SomeObject, s_value: SomeObject) -> SomeObject:
    """``yield from`` in a generator that values are sent into."""
    s_send = None
    if isinstance(s, SomeInstance) and is_state_machine(s.classdef):
        s_send = special_method(ctx, s, "_send_later", of_all=True)
    if s_send is None:
        raise ctx.error(
            f"send() into a generator that delegates with yield from to {s.describe()} is not "
            "supported",
            hint="delegate to a generator, or send nothing",
        )
    call(ctx, s_send, CallArguments(CallShape(1), (s_value.without_const(),), (None,)))
    return s_None


@FUNCTIONS.register(close_iterator)
def close_inner(ctx: OpContext, s: SomeObject) -> SomeObject:
    if isinstance(s, SomeInstance) and special_method(ctx, s, "close") is not None:
        call_without_arguments(ctx, s, "close")
    return s_None


@FUNCTIONS.register(throw_through)
def throw_to_inner(ctx: OpContext, s: SomeObject, s_error: SomeObject) -> SomeObject:
    if not isinstance(s, SomeInstance) or special_method(ctx, s, "throw") is None:
        return ctx.constant(False)
    s_throw = special_method(ctx, s, "_throw_later", of_all=True)
    if s_throw is None:
        raise ctx.error(
            f"throw() into a generator that delegates with yield from to {s.describe()} is not "
            "supported",
            hint="delegate to a generator, or throw nothing",
        )
    call(ctx, s_throw, CallArguments(CallShape(1), (s_error,), (None,)))
    return s_Bool


@FUNCTIONS.register(words_of)
def iterate_words(ctx: OpContext, s: SomeObject) -> SomeObject:
    return pieces_by("split", s)


@FUNCTIONS.register(lines_of)
def iterate_lines(ctx: OpContext, s: SomeObject) -> SomeObject:
    return pieces_by("splitlines", s)


@METHODS.register("join", SomeString)
def string_join(ctx: OpContext, s: SomeObject, s_items: SomeObject) -> SomeObject:
    if not isinstance(s_items, SomeTuple) and may_be_str_or_other(item_of(ctx, s_items)):
        return call_inside(ctx, ctx.constant(join_tested), s_Str, s_items)
    _require_items(ctx, s_items, K_STR, "str")
    return s_Str


@METHODS.register("join", SomeBytes)
def bytes_join(ctx: OpContext, s: SomeObject, s_items: SomeObject) -> SomeObject:
    _require_items(ctx, s_items, K_BYTES, "bytes")
    return s_Bytes


def _text_of_items(name: str, s_item: SomeObject) -> str:
    """What to do with items that are no ``name``."""
    if s_item.kinds & K_NONE:
        return "leave None out: join([x for x in ... if x is not None])"
    if s_item.kinds == K_BYTES:
        return "join with bytes: b''.join(...), or decode the items"
    if name == "bytes":
        return "make bytes of the items: x.encode()" if s_item.kinds == K_STR else ""
    return "make texts of the items: join([str(x) for x in ...])"


def _require_items(ctx: OpContext, s_items: SomeObject, kind: int, name: str) -> None:
    if isinstance(s_items, SomeTuple):
        items_s: tuple[SomeObject, ...] = s_items.items
    else:
        items_s = (item_of(ctx, s_items),)
    for s_item in items_s:
        if s_item.kinds == K_NONE:
            raise ctx.premature(f"join needs items that are {name}, not None")
        if s_item.kinds & ~(kind | K_NONE if not ctx.in_helper else kind):
            raise ctx.error(
                f"join needs items that are {name}, not {s_item.describe()}",
                hint=_text_of_items(name, s_item),
            )
