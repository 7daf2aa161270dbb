"""Transfer rules for sets and frozensets."""

from __future__ import annotations

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import K_NONE, SomeObject, s_Bool, s_Bottom, s_Int, s_None
from rpython.annotator.lattice.parts import dict_def, without_none
from rpython.annotator.lattice.reaching import reaches
from rpython.annotator.lattice.sets import SomeAnySet, SomeFrozenSet, SomeSet
from rpython.annotator.rules.dicts import flow_keys, require_key, unify_dicts, write_key
from rpython.annotator.rules.iteration import item_of
from rpython.annotator.rules.registry import BINARY, FUNCTIONS, METHODS, UNARY, Looks


@UNARY.register("newset", SomeObject)
def newset(ctx: OpContext, *items_s: SomeObject) -> SomeObject:
    s_set = ctx.new_set(SomeSet)
    for i, s_item in enumerate(items_s):
        write_key(ctx, s_set, s_item, i)
    return s_set


@FUNCTIONS.register(set, looks=Looks.VALUES)
def builtin_set(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    return _make(ctx, SomeSet, args_s)


@FUNCTIONS.register(frozenset, looks=Looks.VALUES)
def builtin_frozenset(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    return _make(ctx, SomeFrozenSet, args_s)


def _make(ctx: OpContext, cls: type[SomeAnySet], args_s: tuple[SomeObject, ...]) -> SomeObject:
    if len(args_s) > 1:
        raise ctx.error(f"{ctx.op.args[0]} expected at most 1 argument, got {len(args_s)}")
    s_set = ctx.new_set(cls)
    return s_set if add_all(ctx, s_set, args_s) else s_Bottom


def add_all(ctx: OpContext, s_set: SomeObject, others_s: tuple[SomeObject, ...]) -> bool:
    """The items of others are put in the set, or looked up in it; False when one of them is
    always None."""
    for s_other in others_s:
        if s_other.kinds == K_NONE:
            return False
        s_source = without_none(s_other)
        if isinstance(s_source, SomeAnySet):
            unify_dicts(ctx, s_set, s_source)
        else:
            s_item = item_of(ctx, s_source)
            if s_item.kinds:
                write_key(ctx, s_set, s_item, None)
    flow_keys(ctx, s_set)
    return True


# -- items ------------------------------------------------------------------------------------


@UNARY.register("contains", SomeAnySet)
def set_contains(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    write_key(ctx, s, s_item, 1)
    return s_Bool


@METHODS.register("add discard", SomeSet)
def set_add(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    write_key(ctx, s, s_item, 1)
    return s_None


@METHODS.register("remove", SomeSet)
def set_remove(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    require_key(ctx, s, s_item)
    return s_None


@METHODS.register("pop", SomeSet)
def set_pop(ctx: OpContext, s: SomeObject) -> SomeObject:
    flow_keys(ctx, s)
    return ctx.read(dict_def(s).key)


@METHODS.register("clear", SomeSet)
def set_clear(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s_None


@METHODS.register("copy", SomeAnySet)
def set_copy(ctx: OpContext, s: SomeObject) -> SomeObject:
    flow_keys(ctx, s)
    return s.without_const()


# -- with others ------------------------------------------------------------------------------


@METHODS.register("update intersection_update difference_update", SomeSet)
def set_update(ctx: OpContext, s: SomeObject, *others_s: SomeObject) -> SomeObject:
    return s_None if add_all(ctx, s, others_s) else s_Bottom


@METHODS.register("symmetric_difference_update", SomeSet)
def set_update_difference(ctx: OpContext, s: SomeObject, s_other: SomeObject) -> SomeObject:
    return s_None if add_all(ctx, s, (s_other,)) else s_Bottom


@METHODS.register("union intersection difference", SomeAnySet)
def set_with_others(ctx: OpContext, s: SomeObject, *others_s: SomeObject) -> SomeObject:
    return s.without_const() if add_all(ctx, s, others_s) else s_Bottom


@METHODS.register("symmetric_difference", SomeAnySet)
def set_with_other(ctx: OpContext, s: SomeObject, s_other: SomeObject) -> SomeObject:
    return s.without_const() if add_all(ctx, s, (s_other,)) else s_Bottom


@METHODS.register("issubset issuperset isdisjoint", SomeAnySet)
def set_relation(ctx: OpContext, s: SomeObject, s_other: SomeObject) -> SomeObject:
    return s_Bool if add_all(ctx, s, (s_other,)) else s_Bottom


@BINARY.register("and_ or_ sub xor", SomeAnySet, SomeAnySet)
def combine_sets(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    unify_dicts(ctx, a, b)
    return a.without_const()


@BINARY.register("inplace_and inplace_or inplace_sub inplace_xor", SomeSet, SomeAnySet)
def combine_in_place(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    unify_dicts(ctx, a, b)
    return a


@BINARY.register("lt le gt ge eq ne", SomeAnySet, SomeAnySet)
def compare_sets(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    unify_dicts(ctx, a, b)
    return s_Bool


@UNARY.register("hash", SomeFrozenSet)
def hash_of_frozenset(ctx: OpContext, s: SomeObject) -> SomeObject:
    root = dict_def(s).find()
    if reaches(ctx.read(root.key), root):
        raise ctx.error("a frozenset that holds frozensets like itself is not supported")
    flow_keys(ctx, s)
    return s_Int
