"""Transfer rules for dicts and their views."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from rpython.annotator.builtins.functions import printable
from rpython.annotator.context import OpContext
from rpython.annotator.lattice.enumints import tells_class
from rpython.annotator.lattice.keywords import SomeKeywords
from rpython.annotator.lattice.model import (
    K_LIST,
    K_NONE,
    K_STR,
    SomeDict,
    SomeDictView,
    SomeInstance,
    SomeInteger,
    SomeNone,
    SomeObject,
    SomeTuple,
    s_Bool,
    s_Bottom,
    s_None,
    s_Str,
)
from rpython.annotator.lattice.parts import as_key, dict_def, parts_of, takes_box, without_none
from rpython.annotator.lattice.reaching import reaches
from rpython.annotator.lattice.sets import SomeAnySet, SomeSet
from rpython.annotator.program.classdef import ClassDef
from rpython.annotator.program.exctexts import has_text_when_read
from rpython.annotator.rules.applying import call_chosen, call_inside, call_overlay
from rpython.annotator.rules.comparing import UNHASHABLE, flow_comparison, flow_hash
from rpython.annotator.rules.exceptions import raises_key_error
from rpython.annotator.rules.instances import builtin_attribute
from rpython.annotator.rules.iteration import item_of
from rpython.annotator.rules.numbers import require_one_type
from rpython.annotator.rules.registry import BINARY, FUNCTIONS, METHODS, UNARY, Looks
from rpython.stdlib._registry import PER_SITE
from rpython.stdlib.builtins import (
    contained,
    dict_inside,
    dict_of_sequences,
    equal_in_any_order,
    pairs_by_keys,
    pairs_by_list_of_keys,
    pop_unhashable,
    update_of_sequences,
)
from rpython.translator.ir.hlops import Group, group_of
from rpython.translator.ir.home import home_of_function

# -- keys -------------------------------------------------------------------------------------


def write_key(ctx: OpContext, s_dict: SomeObject, s_key: SomeObject, arg: int | None) -> None:
    """A key is stored or looked up (both decide what keys the dict compares)."""
    s_key = as_key(s_key)
    for part in parts_of(s_key):
        if isinstance(part, SomeInteger) and not tells_class(part):
            raise ctx.error(
                "this int may be a bool, which is shown differently as a key",
                hint="convert it with int(...) first",
            )
        require_one_type(ctx, part, "it is shown as a key")
    flow_hash(ctx, s_key, arg is None)
    ctx.write(dict_def(s_dict).key, s_key, "used as a key here", arg)
    flow_keys(ctx, s_dict)


def flow_keys(ctx: OpContext, s_dict: SomeObject) -> None:
    """The operation hashes and compares the keys of a dict or the items of a set."""
    s_key = ctx.read(dict_def(s_dict).key)
    flow_hash(ctx, s_key, not reaches(s_key, dict_def(s_dict).find()))
    flow_comparison(ctx, "eq", s_key, s_key)


def require_key(ctx: OpContext, s_dict: SomeObject, s_key: SomeObject) -> None:
    """Operand 1 is looked up; KeyError, which shows it, when it is not there."""
    write_key(ctx, s_dict, s_key, 1)
    raises_key_error(ctx, s_key)
    for part in parts_of(s_key):
        if isinstance(part, SomeInstance):
            part.classdef.note_reader("__repr__", ctx.position)
    if has_text_when_read(s_key):
        ctx.annotator.texts.request(ctx, _quoted, s_key)


def _quoted(ctx: OpContext, s: SomeObject) -> None:
    printable(ctx, s, quoted=True)


def unify_dicts(ctx: OpContext, a: SomeObject, b: SomeObject) -> None:
    """Both hold the same kinds of keys (and values), which are compared."""
    ctx.annotator.unify(dict_def(a), dict_def(b))
    flow_keys(ctx, a)


# -- construction -----------------------------------------------------------------------------


@UNARY.register("newdict", SomeObject)
def newdict(ctx: OpContext, *items_s: SomeObject) -> SomeObject:
    s_dict = ctx.new_dict()
    for i in range(0, len(items_s), 2):
        write_key(ctx, s_dict, items_s[i], i)
        ctx.write(dict_def(s_dict).value, items_s[i + 1], "put in the dict here", i + 1)
    return s_dict


@FUNCTIONS.register(dict, looks=Looks.VALUES)
def builtin_dict(ctx: OpContext, *args_s: SomeObject, **keywords_s: SomeObject) -> SomeObject:
    if len(args_s) > 1:
        raise ctx.error(f"dict expected at most 1 argument, got {len(args_s)}")
    if args_s and not keywords_s and _may_be_no_pairs(ctx, args_s[0]):
        return call_chosen(ctx, dict_of_sequences, args_s, {})
    s_dict = ctx.new_dict()
    return s_dict if add_items(ctx, s_dict, args_s, keywords_s) else s_Bottom


def _may_be_no_pairs(ctx: OpContext, s: SomeObject) -> bool:
    """Where there are boxes: is it a text, or are lists among the items that should be pairs?"""
    if not ctx.annotator.boxes or s.kinds == K_NONE:
        return False
    s_source = _read_mapping(ctx, without_none(s), False)
    if isinstance(s_source, SomeDict | SomeKeywords):
        return False
    s_item = item_of(ctx, s_source)
    return takes_box(s_item) or s_item.kinds in (K_STR, K_LIST)


def add_items(
    ctx: OpContext, s_dict: SomeObject, args_s: tuple[SomeObject, ...],
    keywords_s: dict[str, SomeObject],
) -> bool:  # fmt: skip
    """What ``dict(...)`` and ``update(...)`` are given; False when that always raises."""
    for s in args_s:
        if s.kinds == K_NONE:
            return False
        s_source = _read_mapping(ctx, without_none(s), dict_def(s_dict).ordered)
        if isinstance(s_source, SomeDict):
            add_dict(ctx, s_dict, s_source)
            continue
        if isinstance(s_source, SomeKeywords):
            keywords_s = {**dict(zip(s_source.names, s_source.items)), **keywords_s}
            continue
        s_pair = item_of(ctx, s_source)
        if s_pair.kinds == 0:
            continue
        if not isinstance(s_pair, SomeTuple) or len(s_pair.items) != 2:
            raise ctx.error(
                f"a dict is made of another one or of pairs, not of {s_pair.describe()}",
                hint="give (key, value) tuples: x.items() of what is no dict",
            )
        write_key(ctx, s_dict, s_pair.items[0], None)
        ctx.write(dict_def(s_dict).value, s_pair.items[1], "put in the dict here")
    for s_value in keywords_s.values():
        write_key(ctx, s_dict, s_Str, None)
        ctx.write(dict_def(s_dict).value, s_value, "put in the dict here")
    return True


def mapping_reader(s: SomeObject, ordered: bool) -> Any:
    """What gives the items that a dict, or an OrderedDict, takes from an instance with ``keys``;
    None for pairs.
    Raises LookupError where that depends on its class."""
    if not isinstance(s, SomeInstance):
        return None
    readers = {_reader(classdef, ordered) for classdef in s.classdef.concrete(s.members)}
    if len(readers) > 1:
        raise LookupError
    return readers.pop() if readers else None


def _reader(classdef: ClassDef, ordered: bool) -> Any:
    if classdef.class_value("keys") is None and classdef.find_attribute("keys") is None:
        return None
    iteration = classdef.class_value("__iter__")
    if getattr(classdef.cls, PER_SITE, None) is dict and iteration is not None:
        if home_of_function(iteration[1]).is_ours:
            return dict_inside
    return pairs_by_keys if ordered else pairs_by_list_of_keys


def _read_mapping(ctx: OpContext, s: SomeObject, ordered: bool) -> SomeObject:
    """The dict or pairs that an instance in place of these gives."""
    if isinstance(s, SomeInstance):
        s.classdef.note_class_reader(ctx.position)
    try:
        function = mapping_reader(s, ordered)
    except LookupError:
        raise ctx.error(
            f"a dict reads some classes of {s.describe()} by keys, not all",
            hint="give (key, value) pairs: x.items()",
        ) from None
    return s if function is None else call_inside(ctx, ctx.constant(function), s)


def add_dict(ctx: OpContext, s_dict: SomeObject, s_source: SomeObject) -> None:
    """The items of another dict."""
    definition = dict_def(s_source)
    if definition.ordered is dict_def(s_dict).ordered:
        unify_dicts(ctx, s_dict, s_source)
        return
    s_key, s_value = ctx.read(definition.key), ctx.read(definition.value)
    if s_key.kinds:
        write_key(ctx, s_dict, s_key, None)
        ctx.write(dict_def(s_dict).value, s_value, "put in the dict here")


@FUNCTIONS.register(OrderedDict)
def ordered_dict(ctx: OpContext, *args_s: SomeObject, **keywords_s: SomeObject) -> SomeObject:
    if len(args_s) > 1:
        raise ctx.error(f"expected at most 1 arguments, got {len(args_s)}")
    s_dict = ctx.new_dict(ordered=True)
    return s_dict if add_items(ctx, s_dict, args_s, keywords_s) else s_Bottom


@METHODS.register("move_to_end", SomeDict)
def move_to_end(
    ctx: OpContext, s: SomeObject, s_key: SomeObject, s_last: SomeObject = s_Bool
) -> SomeObject:
    require_key(ctx, s, s_key)
    return s_None


@UNARY.register("getattr", SomeDict)
def dict_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    if s_name.is_constant() and s_name.value == "move_to_end":
        _require_ordered(ctx, s, "move_to_end")
    return builtin_attribute(ctx, s, s_name)


def _require_ordered(ctx: OpContext, s: SomeObject, method: str) -> None:
    if not dict_def(s).ordered:
        raise ctx.error(f"{method}() is for OrderedDicts, not a {s.describe()}")


# -- items ------------------------------------------------------------------------------------


@UNARY.register("getitem", SomeDict)
def dict_getitem(ctx: OpContext, s: SomeObject, s_key: SomeObject) -> SomeObject:
    require_key(ctx, s, s_key)
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
    require_key(ctx, s, s_key)
    return s_None


@UNARY.register("contains", SomeDict)
def dict_contains(ctx: OpContext, s: SomeObject, s_key: SomeObject) -> SomeObject:
    write_key(ctx, s, s_key, 1)
    return s_Bool


@METHODS.register("get", SomeDict)
def dict_get(ctx: OpContext, s: SomeObject, s_key: SomeObject, *default: SomeObject) -> SomeObject:
    write_key(ctx, s, s_key, 1)
    return _value_or_default(ctx, s, default or (s_None,), "get")


def _value_or_default(
    ctx: OpContext, s: SomeObject, default: tuple[SomeObject, ...], name: str
) -> SomeObject:
    if not isinstance(default[0], SomeNone):
        ctx.write(dict_def(s).value, default[0], "given as the default here", 2)
        return ctx.read(dict_def(s).value)
    s_value = ctx.read(dict_def(s).value)
    s_result = ctx.join(s_value, s_None) if s_value.kinds else s_None
    if not ctx.annotator.representable(s_result):
        raise ctx.conflict(
            f"{name}() may give None, and {s_value.describe()} has no room for it",
            hint=f"give a default of the same kind: d.{name}(key, default)",
        )
    return s_result


@METHODS.register("setdefault", SomeDict)
def dict_setdefault(
    ctx: OpContext, s: SomeObject, s_key: SomeObject, s_default: SomeObject = s_None
) -> SomeObject:
    write_key(ctx, s, s_key, 1)
    ctx.write(dict_def(s).value, s_default, "given as the default here", 2)
    return ctx.read(dict_def(s).value)


@METHODS.register("pop", SomeDict)
def dict_pop(ctx: OpContext, s: SomeObject, s_key: SomeObject, *default: SomeObject) -> SomeObject:
    if default:
        if s_key.kinds in UNHASHABLE and not dict_def(s).ordered:
            return call_chosen(ctx, pop_unhashable, (s, s_key, *default), {})
        write_key(ctx, s, s_key, 1)
        return _value_or_default(ctx, s, default, "pop")
    require_key(ctx, s, s_key)
    return ctx.read(dict_def(s).value)


@METHODS.register("popitem", SomeDict)
def dict_popitem(ctx: OpContext, s: SomeObject, s_last: SomeObject | None = None) -> SomeObject:
    if s_last is not None:
        _require_ordered(ctx, s, "popitem")
    flow_keys(ctx, s)
    s_key, s_value = (ctx.read(cell) for cell in (dict_def(s).key, dict_def(s).value))
    if s_key.kinds == 0 or s_value.kinds == 0:
        return s_Bottom
    return SomeTuple((s_key, s_value))


# -- whole dicts ------------------------------------------------------------------------------


@METHODS.register("clear", SomeDict)
def dict_clear(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s_None


@METHODS.register("copy", SomeDict)
def dict_copy(ctx: OpContext, s: SomeObject) -> SomeObject:
    unify_dicts(ctx, s, ctx.new_dict(dict_def(s).ordered))
    return SomeDict(dict_def(s))


@METHODS.register("update", SomeDict)
def dict_update(
    ctx: OpContext, s: SomeObject, *args_s: SomeObject, **keywords_s: SomeObject
) -> SomeObject:
    if len(args_s) > 1:
        raise ctx.error(f"update expected at most 1 argument, got {len(args_s)}")
    if args_s and args_s[0].kinds == K_NONE and ctx.is_member:
        raise ctx.error("cannot iterate over None")
    if args_s and not keywords_s and _may_be_no_pairs(ctx, args_s[0]):
        return call_chosen(ctx, update_of_sequences, (s, *args_s), {})
    return s_None if add_items(ctx, s, args_s, keywords_s) else s_Bottom


@BINARY.register("eq ne", SomeDict, SomeDict)
def compare_dicts(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    if dict_def(a).ordered is not dict_def(b).ordered:
        return call_overlay(ctx, equal_in_any_order, (a, b), {})
    unify_dicts(ctx, a, b)
    s_value = ctx.read(dict_def(a).value)
    flow_comparison(ctx, "eq", s_value, s_value)
    return s_Bool


@BINARY.register("or_", SomeDict, SomeDict)
def merge_dicts(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    s_result = ctx.new_dict(dict_def(a).ordered)
    unify_dicts(ctx, s_result, a)
    unify_dicts(ctx, s_result, b)
    return s_result


@BINARY.register("inplace_or", SomeDict, SomeObject)
def update_in_place(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    return a if add_items(ctx, a, (b,), {}) else s_Bottom


# -- views ------------------------------------------------------------------------------------


@METHODS.register("keys values items", SomeDict)
def dict_view(ctx: OpContext, s: SomeObject) -> SomeObject:
    return SomeDictView(dict_def(s), ctx.method_name)


@UNARY.register("contains", SomeDictView)
def view_contains(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    assert isinstance(s, SomeDictView)
    s_value = ctx.read(dict_def(s).value)
    if s.which == "keys":
        write_key(ctx, s, s_item, 1)
    elif s.which == "values":
        return call_inside(ctx, ctx.constant(contained), s, s_item)
    else:
        if not isinstance(s_item, SomeTuple) or len(s_item.items) != 2:
            raise ctx.error(f"only pairs are in a {s.describe()}, not {s_item.describe()}")
        write_key(ctx, s, s_item.items[0], None)
        flow_comparison(ctx, "eq", s_value, s_item.items[1])
    return s_Bool


@BINARY.register("eq ne", SomeDictView, SomeDictView)
def compare_views(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    assert isinstance(a, SomeDictView) and isinstance(b, SomeDictView)
    if a.which != b.which:
        raise ctx.error(f"comparing {a.describe()} with {b.describe()} is not supported")
    if a.which == "items":
        return compare_dicts(ctx, a, b)
    if a.which == "keys":
        unify_dicts(ctx, a, b)
    return s_Bool


def view_item(ctx: OpContext, s: SomeDictView) -> SomeObject:
    """What a view of keys or of items holds, as a set."""
    if s.which == "values":
        raise ctx.error(f"a {s.describe()} is not like a set", hint="use set(d.values())")
    return item_of(ctx, s)


@METHODS.register("isdisjoint", SomeDictView)
def view_is_disjoint(ctx: OpContext, s: SomeObject, s_other: SomeObject) -> SomeObject:
    return view_operation(ctx, s, s_other) and s_Bool


_SET_OPERATIONS = "and_ or_ sub xor lt le gt ge"


@BINARY.register(_SET_OPERATIONS, SomeDictView, SomeObject)
@BINARY.register(_SET_OPERATIONS, SomeAnySet, SomeDictView)
@BINARY.register("eq ne", SomeDictView, SomeAnySet)
@BINARY.register("eq ne", SomeAnySet, SomeDictView)
def view_operation(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    """Like sets: both become one."""
    s_set = ctx.new_set(SomeSet)
    for s in (a, b):
        if s.kinds == K_NONE:
            return s_Bottom
        s_part = without_none(s)
        if isinstance(s_part, SomeAnySet):
            unify_dicts(ctx, s_set, s_part)
            continue
        s_item = view_item(ctx, s_part) if isinstance(s_part, SomeDictView) else None
        s_item = s_item or item_of(ctx, s_part)
        if s_item.kinds:
            write_key(ctx, s_set, s_item, None)
    flow_keys(ctx, s_set)
    return s_Bool if group_of(ctx.op.opname) is Group.COMPARISON else s_set
