"""Transfer rules for ``lltypesystem.rffi``: external functions, casts, sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_BYTES,
    K_FLOAT,
    K_FUNCTION,
    K_INT,
    K_LLCHAR,
    K_NONE,
    K_SINGLEFLOAT,
    K_STR,
    SomeChar,
    SomeObject,
    SomePtr,
    s_None,
)
from rpython.annotator.overlay.rffi import copier, getter, maker, scoped_class, setter
from rpython.annotator.rules.applying import call_inside, call_overlay
from rpython.annotator.rules.calls import CallArguments, call
from rpython.annotator.rules.lowlevel import value_annotation
from rpython.annotator.rules.registry import FUNCTIONS, HOST_CALLS
from rpython.lltypesystem import lltype, rffi
from rpython.lltypesystem.lltype import Char, ContainerType, LowLevelType, Ptr, Struct, Void
from rpython.translator.ir.hlops import CallShape

_NUMBERS = K_INT | K_BOOL | K_FLOAT | K_SINGLEFLOAT
COPIERS: dict[int, Any] = {K_STR: rffi.str2charp, K_BYTES: rffi.bytes2charp}
"""What makes a ``char *`` of a str or of bytes."""


def argument_problem(T: LowLevelType, s: SomeObject) -> str:
    """Why a value cannot be given to C as a ``T``; empty when it can."""
    if isinstance(T, Ptr):
        if s.kinds == K_NONE or (isinstance(s, SomePtr) and s.ll_ptrtype == T):
            return ""
        if rffi.CCHARP == T and s.kinds in COPIERS:
            return ""
        if rffi.is_callback_type(T) and s.kinds == K_FUNCTION and s.is_constant():
            return ""
    elif T is Char:
        if s.kinds == K_LLCHAR or isinstance(s, SomeChar):
            return ""
    elif rffi.is_number_type(T) and not s.kinds & ~_NUMBERS:
        return ""
    return f"C wants a {T} here, not {s.describe()}"


@HOST_CALLS.append
def call_external(ctx: OpContext, function: Any, arguments: CallArguments) -> SomeObject | None:
    """The call of what ``rffi.llexternal`` made."""
    if not isinstance(function, rffi.ExternalFunction):
        return None
    arguments = arguments.plain(ctx, function.__name__)
    args_s, count = arguments.args_s, len(function.ARGS)
    if len(args_s) != count or arguments.shape.keywords:
        raise ctx.error(f"{function.__name__}() takes {count} arguments, {len(args_s)} given")
    for i, (T, s) in enumerate(zip(function.ARGS, args_s)):
        problem = argument_problem(T, s)
        if problem:
            raise ctx.error(f"argument {i + 1} of {function.__name__}(): {problem}")
        if isinstance(T, Ptr) and s.kinds in COPIERS:
            call_inside(ctx, ctx.constant(COPIERS[s.kinds]), s)
        elif isinstance(T, Ptr) and s.kinds == K_FUNCTION:
            called = rffi.guarded_function(T.TO, s.value)
            args_of_callback = [value_annotation(ctx, A) for A in T.TO.ARGS]
            call_inside(ctx, ctx.constant(called), *args_of_callback)
    return s_None if function.RESULT is Void else value_annotation(ctx, function.RESULT)


@FUNCTIONS.register(rffi.cast)
def cast(ctx: OpContext, s_type: SomeObject, s: SomeObject) -> SomeObject:
    T = s_type.value if s_type.is_constant() else None
    if not isinstance(T, LowLevelType):
        raise ctx.error("the first argument of cast() must be a constant low-level type")
    SOURCE = s.ll_ptrtype if isinstance(s, SomePtr) else None
    from_pointer = SOURCE is not None
    pointers = [P for P in (T, SOURCE) if isinstance(P, Ptr)]
    if isinstance(T, Ptr) and any(P._gckind == "gc" for P in pointers):
        if SOURCE == T:
            return s
        raise ctx.error(
            f"cast() of {s.describe()} to {T}: the collector may move or free what it points to",
            hint="lltype.cast_opaque_ptr() makes other GC pointers of GC pointers",
        )
    to_number = rffi.is_number_type(T) or T is Char
    if isinstance(T, Ptr):
        fits = from_pointer or s.kinds == K_INT
    else:
        from_char = isinstance(s, SomeChar)
        fits = to_number and (from_pointer or from_char or not s.kinds & ~(_NUMBERS | K_LLCHAR))
    if not fits:
        raise ctx.error(f"cast() of {s.describe()} to {T} is not supported")
    return value_annotation(ctx, T)


@FUNCTIONS.register(rffi.sizeof)
def sizeof(ctx: OpContext, s_type: SomeObject) -> SomeObject:
    return _constant(ctx, rffi.sizeof, s_type)


@FUNCTIONS.register(rffi.offsetof)
def offsetof(ctx: OpContext, s_type: SomeObject, s_field: SomeObject) -> SomeObject:
    return _constant(ctx, rffi.offsetof, s_type, s_field)


def _constant(ctx: OpContext, function: Any, *args_s: SomeObject) -> SomeObject:
    if not all(s.is_constant() for s in args_s):
        raise ctx.error(f"{function.__name__}() needs constants")
    try:
        return ctx.constant(function(*(s.value for s in args_s)))
    except (TypeError, AttributeError) as error:
        raise ctx.error(str(error)) from None


def field_function(host: Any, args_s: Sequence[SomeObject]) -> Any:
    """The function for one of ``rffi`` on the fields of the struct given.  Raises TypeError."""
    T = args_s[0].ll_ptrtype if isinstance(args_s[0], SomePtr) else None
    if not isinstance(T, Ptr) or not isinstance(T.TO, Struct):
        raise TypeError(f"{host.__name__}() takes a pointer to a struct")
    if host is rffi.structcopy:
        if args_s[0] != args_s[1]:
            raise TypeError("structcopy() takes two pointers to one type of struct")
        return copier(T.TO)
    if not args_s[1].is_constant():
        raise TypeError(f"{host.__name__}() takes a constant name")
    return (setter if host is rffi.setintfield else getter)(T, args_s[1].value)


FIELD_FUNCTIONS = (rffi.setintfield, rffi.getintfield, rffi.structcopy)

for _host in FIELD_FUNCTIONS:

    @FUNCTIONS.register(_host)
    def on_fields(ctx: OpContext, *args_s: SomeObject, host: Any = _host) -> SomeObject:
        try:
            function = field_function(host, args_s)
        except TypeError as error:
            raise ctx.error(str(error)) from None
        return call_overlay(ctx, function, args_s, {})


@FUNCTIONS.register(rffi.make)
def make_struct(ctx: OpContext, s_T: SomeObject, **keywords: SomeObject) -> SomeObject:
    S = s_T.value if s_T.is_constant() else None
    if not isinstance(S, Struct):
        raise ctx.error("make() takes a constant type of structs")
    for key in keywords:
        if key[2:] not in S._flds:
            raise ctx.error(f"{S} has no field {key[2:]!r}")
    return call_overlay(ctx, maker(S), (s_T,), keywords)


def scoped_type(args_s: tuple[SomeObject, ...], keywords: tuple[str, ...]) -> type | None:
    """The class that ``scoped_alloc(T, n, zero=True)`` makes an instance of; None when it
    cannot be said."""
    constants = [args_s[0], *args_s[len(args_s) - len(keywords) :]]
    if keywords not in ((), ("zero",)) or not all(s.is_constant() for s in constants):
        return None
    T, zero = args_s[0].value, bool(keywords and args_s[-1].value)
    if not isinstance(T, ContainerType) or T._gckind != "raw":
        return None
    return scoped_class(T, zero)


@HOST_CALLS.append
def scoped_alloc(ctx: OpContext, function: Any, arguments: CallArguments) -> SomeObject | None:
    if function is not lltype.scoped_alloc:
        return None
    args_s, keywords = arguments.args_s, arguments.shape.keywords
    cls = scoped_type(args_s, keywords) if args_s else None
    if cls is None:
        raise ctx.error("scoped_alloc() takes a constant type of raw memory, and a length")
    given = slice(1, len(args_s) - len(keywords))
    sizes = CallArguments(CallShape(len(args_s[given])), args_s[given], arguments.operands[given])
    return call(ctx, ctx.constant(cls), sizes)


@FUNCTIONS.register(lltype.scoped_alloc)
def scoped_alloc_rule(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    """The rule above is asked first: this one says that there is one."""
    raise AssertionError("scoped_alloc")
