"""Transfer rules for what a ``**kwargs`` parameter holds: which keys there are is known.  What
reads it by other keys, or all of it, is written in Python (``rpython.stdlib._keywords``)."""

from __future__ import annotations

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.keywords import SomeKeywords
from rpython.annotator.lattice.model import SomeBuiltinMethod, SomeObject, s_Bottom, s_None
from rpython.annotator.rules.applying import call_overlay
from rpython.annotator.rules.registry import BINARY, METHODS, UNARY
from rpython.stdlib._keywords import contains, item, item_or

_HINT = "dict(**kw) is a dict, which can be compared and changed"


def keyword_item(s: SomeKeywords, key: object) -> SomeObject | None:
    """The annotation of the value of a key, None when there is no such key."""
    return s.items[s.names.index(key)] if key in s.names else None


@UNARY.register("getitem", SomeKeywords)
def get_keyword(ctx: OpContext, s: SomeObject, s_key: SomeObject) -> SomeObject:
    assert isinstance(s, SomeKeywords)
    if not s_key.is_constant():
        return call_overlay(ctx, item, (s, s_key), {})
    return keyword_item(s, s_key.value) or s_Bottom


@UNARY.register("contains", SomeKeywords)
def contains_keyword(ctx: OpContext, s: SomeObject, s_key: SomeObject) -> SomeObject:
    assert isinstance(s, SomeKeywords)
    if not s_key.is_constant():
        return call_overlay(ctx, contains, (s, s_key), {})
    return ctx.constant(s_key.value in s.names)


@UNARY.register("bool", SomeKeywords)
def truth_of_keywords(ctx: OpContext, s: SomeObject) -> SomeObject:
    assert isinstance(s, SomeKeywords)
    return ctx.constant(bool(s.names))


@UNARY.register("not_", SomeKeywords)
def negate_keywords(ctx: OpContext, s: SomeObject) -> SomeObject:
    assert isinstance(s, SomeKeywords)
    return ctx.constant(not s.names)


@METHODS.register("get", SomeKeywords)
def get_keyword_or_default(
    ctx: OpContext, s: SomeObject, s_key: SomeObject, s_default: SomeObject = s_None
) -> SomeObject:
    assert isinstance(s, SomeKeywords)
    if not s_key.is_constant():
        return call_overlay(ctx, item_or, (s, s_key, s_default), {})
    return keyword_item(s, s_key.value) or s_default


@UNARY.register("getattr", SomeKeywords)
def keywords_method(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    if METHODS.lookup(s_name.value, SomeKeywords) is None:
        raise ctx.error(f"{s_name.value!r} of keyword arguments is not supported", hint=_HINT)
    return SomeBuiltinMethod(s_name.value, s)


@BINARY.register("eq ne", SomeKeywords, SomeObject)
@BINARY.register("eq ne", SomeObject, SomeKeywords)
def compare_keywords(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    raise ctx.error("comparing keyword arguments is not supported", hint=_HINT)


@UNARY.register("setitem delitem", SomeKeywords)
def refuse_keywords(ctx: OpContext, s: SomeObject, *args_s: SomeObject) -> SomeObject:
    raise ctx.error("changing keyword arguments is not supported", hint=_HINT)
