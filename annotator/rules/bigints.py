"""Operations on ints whose results may leave 64 bits, in programs that ask for ints of any size
(``--int=big``).

    v = add(x, y)      is a call of rpython.stdlib._bigints.add

Which ints they are does not depend on values: an int of the program is in a box with a BigInt as
soon as arithmetic has given it.  Low-level helpers and the toolchain's library keep to 64 bits,
but for functions that are said to grow (``rpython.stdlib._registry.grows``).
"""

from __future__ import annotations

import operator
from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_INT,
    SomeBool,
    SomeFloat,
    SomeInstance,
    SomeInteger,
    SomeObject,
    SomeString,
    s_Int,
)
from rpython.annotator.lattice.parts import is_big
from rpython.annotator.rules.applying import call_overlay
from rpython.stdlib import _bigints
from rpython.translator.ir.hlops import plain_name
from rpython.translator.ir.home import Home, home_of_file

_CALLS: tuple[tuple[Any, dict[type[SomeObject], Any]], ...] = (
    (abs, {SomeInteger: _bigints.absolute}),
    (divmod, {SomeInteger: _bigints.divide, SomeBool: _bigints.divide}),
    (pow, {SomeInteger: _bigints.power, SomeBool: _bigints.power}),
    (int, {SomeFloat: _bigints.of_float, SomeString: _bigints.of_text,
           SomeInstance: _bigints.itself}),
    (operator.index, {SomeInstance: _bigints.itself}),
    (hex, {SomeInstance: _bigints.hexadecimal}),
    (oct, {SomeInstance: _bigints.octal}),
    (bin, {SomeInstance: _bigints.binary}),
)  # fmt: skip
"""What is called in place of built-in functions, by the kind of the first argument; of instances,
those of BigInt."""


def growing(ctx: OpContext, args_s: list[SomeObject]) -> SomeObject | None:
    """The annotation of what the operation gives; None where it cannot leave 64 bits, or raises
    OverflowError if it does."""
    function = _function(ctx, args_s)
    if function is None:
        ctx.annotator.notes.growing.pop(ctx.op, None)
        return None
    called = ctx.op.opname == "simple_call"
    ctx.annotator.notes.growing[ctx.op] = function
    given_s = [s_Int if _is_int(s) else s.without_const() for s in args_s[called:]]
    return call_overlay(ctx, function, tuple(given_s), {})


def _function(ctx: OpContext, args_s: list[SomeObject]) -> Any:
    if ctx.in_helper or not _grows(ctx):
        return None
    if ctx.op.opname == "simple_call":
        return _called(args_s)
    function = _bigints.OPERATIONS.get(plain_name(ctx.op.opname))
    ints = function is not None and all(map(_is_int, args_s))
    return function if ints and any(s.kinds & K_INT for s in args_s) else None


def _grows(ctx: OpContext) -> bool:
    function: Any = ctx.graph.func
    home = ctx.graph.home
    if home is Home.TOOLCHAIN:  # the function is made of a generator's
        home = home_of_file(ctx.graph.span.filename)
    if home in (Home.PROGRAM, Home.STANDARD) or hasattr(function, "_rpython_grows_"):
        return True
    return "_rpython_grows_" in getattr(function, "__globals__", ())


def _is_int(s: SomeObject) -> bool:
    if s.kinds & ~(K_INT | K_BOOL):
        return False
    return isinstance(s, SomeBool) or (isinstance(s, SomeInteger) and s.knowntype is int)


def _called(args_s: list[SomeObject]) -> Any:
    s_called, *given_s = args_s
    if not s_called.is_constant() or not given_s:
        return None
    host, s_first = s_called.value, given_s[0]
    if host is pow and len(given_s) == 3:
        return _bigints.power_modulo if all(map(_is_int_of_any_size, given_s)) else None
    functions = next((by_kind for known, by_kind in _CALLS if host is known), {})
    function = next((f for kind, f in functions.items() if isinstance(s_first, kind)), None)
    if isinstance(s_first, SomeInstance):
        return function if is_big(s_first) else None
    if host is int or function is None:
        return function
    return function if all(map(_is_int, given_s)) else None


def _is_int_of_any_size(s: SomeObject) -> bool:
    return is_big(s) or _is_int(s)
