"""Transfer rules for what a ``**kwargs`` parameter holds: the keys are constants."""

from __future__ import annotations

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.keywords import SomeKeywords
from rpython.annotator.lattice.model import SomeBuiltinMethod, SomeObject, s_Bottom, s_None
from rpython.annotator.rules.registry import BINARY, METHODS, UNARY

_HINT = (
    "kw['name'], kw.get('name'), 'name' in kw, len(kw) and f(**kw) are supported; dict(**kw) is a "
    "dict"
)


def keyword_item(s: SomeKeywords, key: object) -> SomeObject | None:
    """The annotation of the value of a key, None when there is no such key."""
    return s.items[s.names.index(key)] if key in s.names else None


def _constant_key(ctx: OpContext, s_key: SomeObject) -> object:
    if not s_key.is_constant():
        raise ctx.error("the key of keyword arguments must be a constant", hint=_HINT)
    return s_key.value


@UNARY.register("getitem", SomeKeywords)
def get_keyword(ctx: OpContext, s: SomeObject, s_key: SomeObject) -> SomeObject:
    assert isinstance(s, SomeKeywords)
    return keyword_item(s, _constant_key(ctx, s_key)) or s_Bottom


@UNARY.register("contains", SomeKeywords)
def contains_keyword(ctx: OpContext, s: SomeObject, s_key: SomeObject) -> SomeObject:
    assert isinstance(s, SomeKeywords)
    return ctx.constant(_constant_key(ctx, s_key) in s.names)


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
    return keyword_item(s, _constant_key(ctx, s_key)) or s_default


@UNARY.register("getattr", SomeKeywords)
def keywords_method(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    if s_name.value != "get":
        raise ctx.error(f"{s_name.value!r} of keyword arguments is not supported", hint=_HINT)
    return SomeBuiltinMethod("get", s)


@BINARY.register("eq ne", SomeKeywords, SomeObject)
@BINARY.register("eq ne", SomeObject, SomeKeywords)
def compare_keywords(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    raise ctx.error("comparing keyword arguments is not supported", hint=_HINT)


@UNARY.register("iter setitem delitem", SomeKeywords)
def refuse_keywords(ctx: OpContext, s: SomeObject, *args_s: SomeObject) -> SomeObject:
    what = "iterating over" if ctx.op.opname == "iter" else "changing"
    raise ctx.error(f"{what} keyword arguments is not supported", hint=_HINT)
