"""Transfer rules for list, tuple, range, dict, slices and iteration."""

from __future__ import annotations

from typing import Any

from annotator.cells import DictDef, ListDef
from annotator.comparing import flow_comparison
from annotator.context import OpContext
from annotator.model import (
    K_BOOL,
    K_NONE,
    SomeBool,
    SomeByteArray,
    SomeBytes,
    SomeDict,
    SomeDictView,
    SomeHost,
    SomeInstance,
    SomeInteger,
    SomeIterator,
    SomeList,
    SomeNone,
    SomeObject,
    SomeRange,
    SomeSlice,
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
from annotator.parts import representable, without_none
from annotator.registry import BINARY, FUNCTIONS, METHODS, UNARY
from annotator.rules_special import instance_item
from annotator.rules_strings import INTEGER, require_index, require_kind
from annotator.streams import StandardStream, standard_stream


def require_order(ctx: OpContext, a: SomeObject, b: SomeObject) -> None:
    """Refuse values that ``<`` does not compare."""
    flow_comparison(ctx, "lt", a, b)


def list_item(s: SomeObject) -> ListDef:
    assert isinstance(s, SomeList)
    return s.listdef.find()


def look_for(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> None:
    """Operand 1 is looked for in a list."""
    ctx.write(list_item(s).item, s_item, "looked for in the list here", 1)
    s_known = ctx.read(list_item(s).item)
    flow_comparison(ctx, "eq", s_known, s_known)


def dict_def(s: SomeObject) -> DictDef:
    assert isinstance(s, (SomeDict, SomeDictView))
    return s.dictdef.find()


# -- construction -----------------------------------------------------------------------------


@UNARY.register("newlist", SomeObject)
def newlist(ctx: OpContext, *items_s: SomeObject) -> SomeObject:
    s_list = ctx.new_list(s_Bottom)
    for i, s_item in enumerate(items_s):
        ctx.write(s_list.listdef.find().item, s_item, "put in the list here", i)
    return s_list


@UNARY.register("newtuple", SomeObject)
def newtuple(ctx: OpContext, *items_s: SomeObject) -> SomeObject:
    return SomeTuple(tuple(items_s))


@UNARY.register("newslice", SomeObject)
def newslice(ctx: OpContext, *parts_s: SomeObject) -> SomeObject:
    for s_part in parts_s:
        if not isinstance(without_none(s_part), (SomeInteger, SomeBool)) and s_part != s_None:
            raise ctx.error(f"slice bounds must be ints, not {s_part.describe()}")
    return SomeSlice(parts_s)


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


# -- list -------------------------------------------------------------------------------------


@UNARY.register("getitem", SomeList)
def list_getitem(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    if isinstance(s_index, SomeSlice):
        s_result = ctx.new_list(s_Bottom)
        ctx.annotator.unify(list_item(s), s_result.listdef)
        return SomeList(list_item(s))
    require_index(ctx, s_index, "list indices")
    return ctx.read(list_item(s).item)


@UNARY.register("setitem", SomeList)
def list_setitem(
    ctx: OpContext, s: SomeObject, s_index: SomeObject, s_value: SomeObject
) -> SomeObject:
    if isinstance(s_index, SomeSlice):
        if not isinstance(s_value, SomeList):
            raise ctx.error(f"only a list can be assigned to a slice, not {s_value.describe()}")
        ctx.resize(list_item(s))
        ctx.annotator.unify(list_item(s), list_item(s_value))
        return s_None
    require_index(ctx, s_index, "list indices")
    ctx.write(list_item(s).item, s_value, "stored in the list here", 2)
    return s_None


@UNARY.register("delitem", SomeList)
def list_delitem(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    if not isinstance(s_index, SomeSlice):
        require_index(ctx, s_index, "list indices")
    ctx.resize(list_item(s))
    return s_None


@UNARY.register("contains", SomeList)
def list_contains(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    look_for(ctx, s, s_item)
    return s_Bool


@BINARY.register("add", SomeList, SomeList)
def add_lists(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    s_result = ctx.new_list(s_Bottom)
    for s_part in (a, b):
        s_item = ctx.read(list_item(s_part).item)
        ctx.write(list_item(s_result).item, s_item, "copied into the new list here")
    return s_result


@BINARY.register("inplace_add", SomeList, SomeObject)
def extend_list(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    ctx.resize(list_item(a))
    if b.kinds == K_NONE:
        return s_Bottom
    s_item = item_of(ctx, b)
    ctx.write(list_item(a).item, s_item, "added to the list here")
    return a


for _integer in (SomeInteger, SomeBool):

    @BINARY.register("mul", SomeList, _integer)
    def repeat_list(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        s_item = ctx.read(list_item(a).item)
        return ctx.new_list(s_item, "repeated here")

    @BINARY.register("mul", _integer, SomeList)
    def repeat_list_r(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return repeat_list(ctx, b, a)

    @BINARY.register("inplace_mul", SomeList, _integer)
    def repeat_in_place(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        ctx.resize(list_item(a))
        return a


@BINARY.register("eq ne", SomeList, SomeList)
def compare_lists(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    flow_comparison(ctx, "eq", *(ctx.read(list_item(s).item) for s in (a, b)))
    return s_Bool


@BINARY.register("lt le gt ge", SomeList, SomeList)
def order_lists(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    for opname in ("eq", ctx.op.opname):
        flow_comparison(ctx, opname, *(ctx.read(list_item(s).item) for s in (a, b)))
    return s_Bool


@METHODS.register("append", SomeList)
def list_append(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    ctx.resize(list_item(s))
    ctx.write(list_item(s).item, s_item, "appended to the list here", 1)
    return s_None


@METHODS.register("insert", SomeList)
def list_insert(
    ctx: OpContext, s: SomeObject, s_index: SomeObject, s_item: SomeObject
) -> SomeObject:
    require_index(ctx, s_index, "list indices")
    ctx.resize(list_item(s))
    ctx.write(list_item(s).item, s_item, "inserted in the list here", 2)
    return s_None


@METHODS.register("extend", SomeList)
def list_extend(ctx: OpContext, s: SomeObject, s_items: SomeObject) -> SomeObject:
    ctx.resize(list_item(s))
    if s_items.kinds == K_NONE:
        return s_Bottom
    s_item = item_of(ctx, s_items)
    ctx.write(list_item(s).item, s_item, "added to the list here")
    return s_None


@METHODS.register("pop", SomeList)
def list_pop(ctx: OpContext, s: SomeObject, *index: SomeObject) -> SomeObject:
    for s_index in index:
        require_index(ctx, s_index, "list indices")
    ctx.resize(list_item(s))
    return ctx.read(list_item(s).item)


@METHODS.register("clear", SomeList)
def list_clear(ctx: OpContext, s: SomeObject) -> SomeObject:
    ctx.resize(list_item(s))
    return s_None


@METHODS.register("reverse", SomeList)
def list_reverse(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s_None


@METHODS.register("copy", SomeList)
def list_copy(ctx: OpContext, s: SomeObject) -> SomeObject:
    return ctx.new_list(ctx.read(list_item(s).item), "copied here")


@METHODS.register("count", SomeList)
def list_count(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    look_for(ctx, s, s_item)
    return s_NonNeg


@METHODS.register("index", SomeList)
def list_index(
    ctx: OpContext, s: SomeObject, s_item: SomeObject, *bounds: SomeObject
) -> SomeObject:
    for s_bound in bounds:
        require_kind(ctx, s_bound, INTEGER, "an int")
    look_for(ctx, s, s_item)
    return s_NonNeg


@METHODS.register("remove", SomeList)
def list_remove(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    look_for(ctx, s, s_item)
    ctx.resize(list_item(s))
    return s_None


@METHODS.register("sort", SomeList)
def list_sort(ctx: OpContext, s: SomeObject, *, s_reverse: SomeObject = s_Bool) -> SomeObject:
    s_item = ctx.read(list_item(s).item)
    require_order(ctx, s_item, s_item)
    require_kind(ctx, s_reverse, K_BOOL, "a bool")
    return s_None


# -- tuple ------------------------------------------------------------------------------------


@UNARY.register("getitem", SomeTuple)
def tuple_getitem(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    assert isinstance(s, SomeTuple)
    if isinstance(s_index, SomeSlice):
        bounds: list[Any] = [part.value if part.is_constant() else s for part in s_index.parts]
        if s in bounds:
            raise ctx.error("the slice of a tuple must have constant bounds")
        return SomeTuple(s.items[slice(*bounds)])
    require_index(ctx, s_index, "tuple indices")
    if s_index.is_constant():
        if not -len(s.items) <= s_index.value < len(s.items):
            raise ctx.error(f"tuple index out of range: the tuple has {len(s.items)} items")
        s_item: SomeObject = s.items[s_index.value]
        return s_item
    return tuple_item(ctx, s)


def tuple_item(ctx: OpContext, s: SomeTuple) -> SomeObject:
    """The join of all items, for an index that is not known."""
    s_item: SomeObject = s_Bottom
    for s_other in s.items:
        s_item = ctx.join(s_item, s_other.without_const())
    if type(s_item) is SomeObject or s_item.kinds & (s_item.kinds - 1):
        raise ctx.error(
            f"a {s.describe()} can only be indexed by a constant",
            hint="its items are of different kinds; unpack it instead",
        )
    return s_item


@UNARY.register("contains", SomeTuple)
def tuple_contains(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    assert isinstance(s, SomeTuple)
    for s_known in s.items:
        flow_comparison(ctx, "eq", s_known, s_item)
    return s_Bool


@BINARY.register("add", SomeTuple, SomeTuple)
def add_tuples(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    assert isinstance(a, SomeTuple) and isinstance(b, SomeTuple)
    return SomeTuple(a.items + b.items)


@FUNCTIONS.register(tuple)
def builtin_tuple(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    if not args_s:
        return ctx.constant(())
    (s,) = args_s
    if not isinstance(s, SomeTuple):
        raise ctx.error(f"tuple() of {s.describe()} is not supported: its length is not known")
    return s


@BINARY.register("eq ne", SomeTuple, SomeTuple)
def compare_tuples(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    assert isinstance(a, SomeTuple) and isinstance(b, SomeTuple)
    if len(a.items) != len(b.items):
        return ctx.constant(ctx.op.opname == "ne")
    for s_left, s_right in zip(a.items, b.items):
        flow_comparison(ctx, "eq", s_left, s_right)
    return s_Bool


@BINARY.register("lt le gt ge", SomeTuple, SomeTuple)
def order_tuples(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    assert isinstance(a, SomeTuple) and isinstance(b, SomeTuple)
    for s_left, s_right in zip(a.items, b.items):
        for opname in ("eq", ctx.op.opname):
            flow_comparison(ctx, opname, s_left, s_right)
    return s_Bool


@UNARY.register("unpack_check", SomeTuple)
def unpack_tuple(ctx: OpContext, s: SomeObject, s_count: SomeObject) -> SomeObject:
    assert isinstance(s, SomeTuple)
    if len(s.items) != s_count.value:
        problem = "too many values" if len(s.items) > s_count.value else "not enough values"
        raise ctx.error(
            f"{problem} to unpack: the tuple has {len(s.items)} items, not {s_count.value}"
        )
    return s_None


for _sequence in (SomeList, SomeString, SomeBytes):

    @UNARY.register("unpack_check", _sequence)
    def unpack_sequence(ctx: OpContext, s: SomeObject, s_count: SomeObject) -> SomeObject:
        return s_None


# -- range ------------------------------------------------------------------------------------


@UNARY.register("getitem", SomeRange)
def range_getitem(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    require_index(ctx, s_index, "range indices")
    return range_item(s)


def range_item(s: SomeObject) -> SomeObject:
    assert isinstance(s, SomeRange)
    return s_NonNeg if s.nonneg else s_Int


@UNARY.register("contains", SomeRange)
def range_contains(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    require_kind(ctx, s_item, INTEGER, "an int")
    return s_Bool


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


# -- iteration --------------------------------------------------------------------------------

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

