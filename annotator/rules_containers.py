"""Transfer rules for dicts."""

from __future__ import annotations

from annotator.context import OpContext
from annotator.model import (
    SomeDict,
    SomeDictView,
    SomeInteger,
    SomeNone,
    SomeObject,
    SomeString,
    SomeTuple,
    s_Bool,
    s_Bottom,
    s_None,
)
from annotator.parts import dict_def, representable
from annotator.registry import BINARY, METHODS, UNARY


@UNARY.register("newdict", SomeObject)
def newdict(ctx: OpContext, *items_s: SomeObject) -> SomeObject:
    s_dict = ctx.new_dict()
    for i in range(0, len(items_s), 2):
        write_key(ctx, s_dict, items_s[i], i)
        ctx.write(dict_def(s_dict).value, items_s[i + 1], "put in the dict here", i + 1)
    return s_dict


def write_key(ctx: OpContext, s_dict: SomeObject, s_key: SomeObject, arg: int | None) -> None:
    """A key is stored or looked up (both decide what keys the dict compares)."""
    if not isinstance(s_key, (SomeInteger, SomeString)):
        raise ctx.error(
            f"dict keys can be int or str, not {s_key.describe()}",
            hint="convert the key to an int or a str",
        )
    if isinstance(s_key, SomeInteger) and s_key.may_be_bool:
        raise ctx.error(
            "this int may be a bool, which is shown differently as a key",
            hint="convert it with int(...) first",
        )
    ctx.write(dict_def(s_dict).key, s_key, "used as a key here", arg)


# -- dict -------------------------------------------------------------------------------------


@UNARY.register("getitem", SomeDict)
def dict_getitem(ctx: OpContext, s: SomeObject, s_key: SomeObject) -> SomeObject:
    write_key(ctx, s, s_key, 1)
    return ctx.read(dict_def(s).value)


@UNARY.register("setitem", SomeDict)
def dict_setitem(
    ctx: OpContext, s: SomeObject, s_key: SomeObject, s_value: SomeObject
) -> SomeObject:
    write_key(ctx, s, s_key, 1)
    ctx.write(dict_def(s).value, s_value, "stored in the dict here", 2)
    return s_None


@UNARY.register("delitem", SomeDict)
def dict_delitem(ctx: OpContext, s: SomeObject, s_key: SomeObject) -> SomeObject:
    write_key(ctx, s, s_key, 1)
    return s_None


@UNARY.register("contains", SomeDict)
def dict_contains(ctx: OpContext, s: SomeObject, s_key: SomeObject) -> SomeObject:
    write_key(ctx, s, s_key, 1)
    return s_Bool


@METHODS.register("get", SomeDict)
def dict_get(ctx: OpContext, s: SomeObject, s_key: SomeObject, *default: SomeObject) -> SomeObject:
    write_key(ctx, s, s_key, 1)
    if default and not isinstance(default[0], SomeNone):
        ctx.write(dict_def(s).value, default[0], "given as the default here", 2)
        return ctx.read(dict_def(s).value)
    s_value = ctx.read(dict_def(s).value)
    s_result = ctx.join(s_value, s_None) if s_value.kinds else s_None
    if not representable(s_result):
        raise ctx.error(
            f"get() may give None, and {s_value.describe()} has no room for it",
            hint="give a default of the same kind: d.get(key, default)",
        )
    return s_result


@METHODS.register("setdefault", SomeDict)
def dict_setdefault(
    ctx: OpContext, s: SomeObject, s_key: SomeObject, s_default: SomeObject
) -> SomeObject:
    write_key(ctx, s, s_key, 1)
    ctx.write(dict_def(s).value, s_default, "given as the default here", 2)
    return ctx.read(dict_def(s).value)


@METHODS.register("pop", SomeDict)
def dict_pop(ctx: OpContext, s: SomeObject, s_key: SomeObject, *default: SomeObject) -> SomeObject:
    write_key(ctx, s, s_key, 1)
    if default:
        ctx.write(dict_def(s).value, default[0], "given as the default here", 2)
    return ctx.read(dict_def(s).value)


@METHODS.register("keys values items", SomeDict)
def dict_view(ctx: OpContext, s: SomeObject) -> SomeObject:
    return SomeDictView(dict_def(s), ctx.method_name)


@METHODS.register("clear", SomeDict)
def dict_clear(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s_None


@METHODS.register("copy", SomeDict)
def dict_copy(ctx: OpContext, s: SomeObject) -> SomeObject:
    ctx.annotator.unify(dict_def(s), ctx.new_dict().dictdef)
    return SomeDict(dict_def(s))


@METHODS.register("update", SomeDict)
def dict_update(ctx: OpContext, s: SomeObject, s_other: SomeObject) -> SomeObject:
    if not isinstance(s_other, SomeDict):
        raise ctx.error(f"cannot update a dict with {s_other.describe()}")
    ctx.annotator.unify(dict_def(s), dict_def(s_other))
    return s_None


@METHODS.register("popitem", SomeDict)
def dict_popitem(ctx: OpContext, s: SomeObject) -> SomeObject:
    s_key, s_value = (ctx.read(cell) for cell in (dict_def(s).key, dict_def(s).value))
    if s_key.kinds == 0 or s_value.kinds == 0:
        return s_Bottom
    return SomeTuple((s_key, s_value))


@BINARY.register("eq ne", SomeDict, SomeDict)
def compare_dicts(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    ctx.annotator.unify(dict_def(a), dict_def(b))
    return s_Bool


@BINARY.register("inplace_or", SomeDict, SomeDict)
def update_in_place(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    ctx.annotator.unify(dict_def(a), dict_def(b))
    return a


@UNARY.register("contains", SomeDictView)
def view_contains(ctx: OpContext, s: SomeObject, s_key: SomeObject) -> SomeObject:
    assert isinstance(s, SomeDictView)
    if s.which != "keys":
        raise ctx.error(f"'in' of a {s.describe()} is not supported")
    write_key(ctx, s, s_key, 1)
    return s_Bool
