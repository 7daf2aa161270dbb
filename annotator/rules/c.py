"""Transfer rules for calling C: functions of ``rpython.cdef``, memory, callbacks.

A call of a C function converts each argument with a function in Python (``annotator.overlay``), and
what comes back likewise; between the two is a call of the function's wrapper.  Everything else
that a library offers is a call of a function in Python, which ``in_python`` chooses.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any

from cffi import CDefError

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_BYTES,
    K_FLOAT,
    K_INT,
    K_LIST,
    K_NONE,
    K_TUPLE,
    SomeInstance,
    SomeObject,
    s_Bytes,
    s_Float,
    s_Int,
    s_None,
)
from rpython.annotator.overlay import c_calls as calls
from rpython.annotator.overlay.c_data import (
    CData,
    CType,
    checked_bytes,
    checked_float,
    checked_int,
    checked_pointer,
    converter,
    decayed,
    giver,
    has_size,
    names_taken,
    refused,
)
from rpython.annotator.overlay.c_pointers import CPointerCall
from rpython.annotator.overlay.callbacks import CallbackAddress
from rpython.annotator.rules.applying import call_inside
from rpython.annotator.rules.calls import CallArguments, call
from rpython.annotator.rules.registry import FUNCTIONS, HOST_CALLS
from rpython.lltypesystem.foreign.cdef import CFunction, CLibrary
from rpython.lltypesystem.foreign.cglue import (
    UnsupportedCType,
    is_char,
    is_floating,
    is_integer,
    is_pointer,
    value_type,
)
from rpython.lltypesystem.foreign.cmemory import CPrimitive, bytes_at, put_bytes
from rpython.lltypesystem.foreign.cvalues import pointer_to
from rpython.lltypesystem.lltype import Float, LowLevelType, Signed, Void
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.records import dataclass

NUMBER = K_INT | K_BOOL
ANNOTATIONS: dict[LowLevelType, SomeObject] = {Signed: s_Int, Float: s_Float, Void: s_None}


class CError(Exception):
    """A call that is refused; the text says why."""


# -- what functions in Python rely on -----------------------------------------------------------


def data_type(s: SomeObject) -> CType | None:
    """The C type of a pointer, array or struct; None for other values, and for variables that
    hold pointers of several types."""
    if isinstance(s, SomeInstance) and issubclass(s.classdef.cls, (CData, calls.CNumber)):
        return s.classdef.cls._rpython_ctype_
    return None


def is_data(s: SomeObject) -> bool:
    """Is it a pointer, array or struct of C, of whatever type?"""
    return isinstance(s, SomeInstance) and issubclass(s.classdef.cls, CData)


def _of_kind(s: SomeObject, kinds: int, what: str) -> str:
    """Why a value is not of one of the kinds; empty when it is."""
    return f"C wants {what} here, not {_describe(s)}" if s.kinds & ~kinds else ""


def _require(ctx: OpContext, s: SomeObject, kinds: int, what: str) -> None:
    problem = _of_kind(s, kinds, what)
    if problem:
        raise ctx.error(problem)


@FUNCTIONS.register(checked_int)
def check_int(ctx: OpContext, s: SomeObject) -> SomeObject:
    _require(ctx, s, NUMBER, "an int")
    return s_Int


@FUNCTIONS.register(checked_float)
def check_float(ctx: OpContext, s: SomeObject) -> SomeObject:
    _require(ctx, s, NUMBER | K_FLOAT, "a float")
    return s_Float


@FUNCTIONS.register(checked_bytes)
def check_bytes(ctx: OpContext, s: SomeObject) -> SomeObject:
    _require(ctx, s, K_BYTES, "bytes")
    return s_Bytes


@FUNCTIONS.register(refused)
def refuse(ctx: OpContext, s_message: SomeObject) -> SomeObject:
    raise ctx.error(s_message.value)


@FUNCTIONS.register(checked_pointer)
def check_pointer(ctx: OpContext, s: SomeObject, s_wanted: SomeObject) -> SomeObject:
    wanted: CType = None if s_wanted == s_None else s_wanted.value
    problem = pointer_problem(s, wanted)
    if problem:
        raise ctx.error(problem)
    return s


def pointer_problem(s: SomeObject, wanted: CType | None) -> str:
    """Why C does not take the value as a pointer of that type; empty when it does."""
    what = f"a {wanted.cname!r}" if wanted is not None else "a C pointer"
    if not is_data(s):
        return f"C wants {what} here, not {_describe(s)}"
    T = data_type(s)
    if T is None or wanted is None:
        return ""
    if T.kind in ("struct", "union") or wanted.kind in ("struct", "union"):
        return "" if wanted == T else f"C wants {what} here, not a {T.cname!r}"
    given = decayed(T)
    if "void *" in (given.cname, wanted.cname) or given == wanted:
        return ""
    if given.cname in names_taken(wanted) and given.cname != wanted.cname:
        return ""
    return f"C wants {what} here, not a {T.cname!r}: use lib.cast({wanted.cname!r}, ...)"


def _describe(s: SomeObject) -> str:
    T = data_type(s)
    return f"a {T.cname!r}" if T is not None else s.describe()


FUNCTIONS.gives(s_Bytes, bytes_at)
FUNCTIONS.gives(s_None, put_bytes)


@HOST_CALLS.append
def call_primitive(
    ctx: OpContext, function: Any, arguments: CallArguments
) -> SomeObject | None:
    if not isinstance(function, CPrimitive):
        return None
    return ANNOTATIONS[function.RESULT]


@HOST_CALLS.append
def find_callback_address(
    ctx: OpContext, function: Any, arguments: CallArguments
) -> SomeObject | None:
    """C may call the function of the callback from now on."""
    if not isinstance(function, CallbackAddress):
        return None
    args_s = [ANNOTATIONS[T] for T in function.funcptr._TYPE.TO.ARGS[0].TO.ARGS]
    call_inside(ctx, ctx.constant(function.called), *args_s)
    return s_Int


# -- calls of C functions -----------------------------------------------------------------------


@dataclass(frozen=True)
class Conversion:
    """How one argument travels: ``function`` makes the low-level value.  ``temporary``: that is
    memory to be freed after the call."""

    function: Any
    temporary: bool = False


@dataclass(frozen=True)
class CallPlan:
    """How a C function is called with arguments of certain kinds."""

    raw: CPrimitive
    conversions: tuple[Conversion, ...]
    give: Callable[[Any], Any]


def call_plan(function: CFunction | CPointerCall, args_s: tuple[SomeObject, ...]) -> CallPlan:
    """The plan of one call.  Raises CError."""
    T = function.ctype
    try:
        function.host()
    except (AttributeError, OSError) as error:
        raise CError(str(error)) from None
    count = len(T.args)
    if len(args_s) < count or (len(args_s) > count and not T.ellipsis):
        least = "at least " if T.ellipsis else ""
        raise CError(f"{T.cname!r} expects {least}{count} arguments, got {len(args_s)}")
    first = 0 if isinstance(function, CPointerCall) else 1
    try:
        conversions = [
            _conversion(A, s, f"argument {i} of {function.__name__}()")
            for i, (A, s) in enumerate(zip(T.args, args_s), first)
        ]
        variadic = []
        for i, s in enumerate(args_s[count:], count + 1):
            A = data_type(s)
            if A is None or A.kind in ("struct", "union"):
                raise CError(
                    f"argument {i} of {function.__name__}() is passed in the variadic part and "
                    f"needs a C type, not {s.describe()}: use lib.cast()"
                )
            A = decayed(A)
            variadic.append(A)
            convert = converter(A) if is_pointer(A) else _number_value(A)
            conversions.append(Conversion(convert))
        return CallPlan(function.raw(variadic), tuple(conversions), giver(T.result))
    except UnsupportedCType as error:
        raise CError(f"{function.__name__}(): {error}") from None


def _number_value(T: CType) -> Any:
    return calls.float_of if is_floating(T) else calls.travelling_value


def _conversion(T: CType, s: SomeObject, what: str) -> Conversion:
    value_type(T)  # a type that can travel
    if is_pointer(T):
        one_byte = T.cname == "void *" or len(names_taken(T)) > 1
        if one_byte and s.kinds == K_BYTES:
            return Conversion(calls.copied_bytes, True)
        problem = pointer_problem(s, T)
    elif is_floating(T):
        problem = _of_kind(s, NUMBER | K_FLOAT, "a float")
    elif is_char(T):
        problem = _of_kind(s, K_BYTES, "bytes")
    else:
        problem = _of_kind(s, NUMBER, "an int")
    if problem:
        raise CError(f"{what}: {problem}")
    return Conversion(converter(T))


@HOST_CALLS.append
def call_c_function(
    ctx: OpContext, function: Any, arguments: CallArguments
) -> SomeObject | None:
    """``lib.f(x, y)``."""
    if not isinstance(function, (CFunction, CPointerCall)):
        return None
    arguments = arguments.plain(ctx, function.__name__)
    if arguments.shape.keywords:
        raise ctx.error(f"{function.__name__}() takes no keyword arguments: it is a C function")
    try:
        plan = call_plan(function, arguments.args_s)
    except CError as error:
        raise ctx.error(str(error)) from None
    for conversion, s in zip(plan.conversions, arguments.args_s):
        call_inside(ctx, ctx.constant(conversion.function), s)
    s_raw = ANNOTATIONS[plan.raw.RESULT]
    return call_inside(ctx, ctx.constant(plan.give), s_raw)


# -- what else a library offers -----------------------------------------------------------------


def in_python(
    function: MethodType, args_s: tuple[SomeObject, ...]
) -> tuple[Any, tuple[int, ...]]:
    """The function that a call of a library's ``new``, ``string``, ... becomes, and which of
    the arguments it takes.  Raises CError."""
    chooser = _CHOOSERS.get(function.__name__)
    if chooser is None:
        raise CError(f"{function.__name__}() is not supported")
    try:
        chosen: tuple[Any, tuple[int, ...]] = chooser(function.__self__, args_s)
        return chosen
    except (UnsupportedCType, CDefError) as error:
        raise CError(str(error).splitlines()[0]) from None


def constant_of(library: CLibrary, name: str, args_s: tuple[SomeObject, ...]) -> int | None:
    """The value of ``sizeof("T")`` or ``offsetof("T", "field")``, None for other calls."""
    if not args_s or not all(s.is_constant() and isinstance(s.value, str) for s in args_s):
        return None
    if name == "sizeof" and len(args_s) == 1:
        return library.sizeof(_named_type(library, args_s[0]))
    if name == "offsetof" and len(args_s) > 1:
        return library.offsetof(*(s.value for s in args_s))
    return None


def _named_type(library: CLibrary, s: SomeObject) -> CType:
    if not s.is_constant() or not isinstance(s.value, str):
        raise CError("the C type must be a constant str")
    return library.ffi.typeof(s.value)


def _count(args_s: tuple[SomeObject, ...], name: str, least: int, most: int) -> None:
    if not least <= len(args_s) <= most:
        raise CError(f"{name}() called with {len(args_s)} arguments")


def _choose_new(library: CLibrary, args_s: tuple[SomeObject, ...]) -> tuple[Any, tuple[int, ...]]:
    _count(args_s, "new", 1, 2)
    T = _named_type(library, args_s[0])
    if T.kind not in ("pointer", "array"):
        raise CError(f"expected a pointer or array ctype, got {T.cname!r}")
    if not has_size(T.item):
        raise CError(f"cannot instantiate ctype {T.item.cname!r} of unknown size")
    kinds = args_s[1].kinds if len(args_s) > 1 else K_NONE
    if T.kind == "pointer":
        if kinds == K_NONE:
            return calls.maker_of_pointers(T), ()
        if T.item.kind in ("struct", "union", "array"):
            raise CError(f"new({T.cname!r}) with an initializer is not supported: assign to it")
        return calls.maker_with_value(T), (1,)
    if kinds == K_NONE and T.length is not None:
        return calls.maker_of_fixed_arrays(T), ()
    if kinds == K_BYTES and names_taken(pointer_to(T.item))[1:]:
        return calls.maker_from_bytes(T), (1,)
    if kinds in (K_LIST, K_TUPLE):
        return calls.maker_from_list(T), (1,)
    if kinds & ~NUMBER or T.length is not None:
        what = args_s[1].describe() if len(args_s) > 1 else "no argument"
        raise CError(f"new({T.cname!r}) needs a length, bytes or a list, not {what}")
    return calls.maker_of_arrays(T), (1,)


def _choose_cast(library: CLibrary, args_s: tuple[SomeObject, ...]) -> tuple[Any, tuple[int, ...]]:
    _count(args_s, "cast", 2, 2)
    T, s = _named_type(library, args_s[0]), args_s[1]
    given = "pointer" if is_data(s) else "int" if not s.kinds & ~NUMBER else "float"
    if given == "float" and s.kinds & ~(NUMBER | K_FLOAT):
        raise CError(f"cast() of {_describe(s)} is not supported")
    if is_pointer(T):
        if given == "float":
            raise CError("cast() of a float to a pointer is not supported")
        return calls.pointer_caster(T, given), (1,)
    if T.cname == "double" or (not is_floating(T) and not is_char(T) and _is_number(T)):
        if given == "pointer" and not is_integer(T):
            raise CError(f"cast() of a pointer to {T.cname!r} is not supported")
        return calls.number_caster(T, given), (1,)
    raise CError(f"cast() to {T.cname!r} is not supported")


def _is_number(T: CType) -> bool:
    return is_integer(T) or T.cname == "_Bool"


def _pointed(s: SomeObject, name: str) -> CType:
    T = data_type(s)
    if T is None or T.kind not in ("pointer", "array"):
        raise CError(f"{name}() of {_describe(s)} is not supported")
    return T.item


def _choose_string(
    library: CLibrary, args_s: tuple[SomeObject, ...]
) -> tuple[Any, tuple[int, ...]]:
    _count(args_s, "string", 1, 2)
    if len(names_taken(pointer_to(_pointed(args_s[0], "string")))) < 2:
        raise CError(f"string() of {_describe(args_s[0])} is not supported: it is not text")
    return calls.string_of, tuple(range(len(args_s)))


def _choose_unpack(
    library: CLibrary, args_s: tuple[SomeObject, ...]
) -> tuple[Any, tuple[int, ...]]:
    _count(args_s, "unpack", 2, 2)
    T = _pointed(args_s[0], "unpack")
    if not has_size(T):
        raise CError(f"unpack() of {_describe(args_s[0])} is not supported")
    return (calls.unpack_bytes if is_char(T) else calls.unpacker(T)), (0, 1)


def _choose_memmove(
    library: CLibrary, args_s: tuple[SomeObject, ...]
) -> tuple[Any, tuple[int, ...]]:
    _count(args_s, "memmove", 3, 3)
    for s in args_s[:2]:
        T = data_type(s)
        if T is not None and T.kind not in ("pointer", "array"):
            raise CError(f"expected a pointer or array ctype, got {T.cname!r}")
    return (calls.move_bytes if args_s[1].kinds == K_BYTES else calls.move_memory), (0, 1, 2)


def _choose_addressof(
    library: CLibrary, args_s: tuple[SomeObject, ...]
) -> tuple[Any, tuple[int, ...]]:
    T, offset = data_type(args_s[0]) if args_s else None, 0
    if T is not None and T.kind == "pointer" and len(args_s) > 1:
        T = T.item
    if T is None or T.kind not in ("struct", "union"):
        raise CError("addressof() needs a struct, or a pointer to one and names of fields")
    for s in args_s[1:]:
        if not s.is_constant() or not isinstance(s.value, str) or T.kind not in ("struct", "union"):
            raise CError("the fields given to addressof() must be constant names")
        field = dict(T.fields).get(s.value)
        if field is None:
            raise CError(f"{T.cname!r} has no field {s.value!r}")
        T, offset = field.type, offset + field.offset
    return calls.address_taker(pointer_to(T), offset), (0,)


def _choose_sizeof(
    library: CLibrary, args_s: tuple[SomeObject, ...]
) -> tuple[Any, tuple[int, ...]]:
    T = data_type(args_s[0]) if len(args_s) == 1 else None
    if T is None or T.kind != "array":
        raise CError("sizeof() needs a constant str with a C type, or an array")
    return calls.size_of_items(T), (0,)


def _choose_release(
    library: CLibrary, args_s: tuple[SomeObject, ...]
) -> tuple[Any, tuple[int, ...]]:
    _count(args_s, "release", 1, 1)
    _pointed(args_s[0], "release")
    return calls.release_data, (0,)


def _always(function: Any, count: int) -> Any:
    def choose(
        library: CLibrary, args_s: tuple[SomeObject, ...]
    ) -> tuple[Any, tuple[int, ...]]:
        _count(args_s, function.__name__, count, count)
        return function, tuple(range(count))

    return choose


_CHOOSERS: dict[str, Callable[..., tuple[Any, tuple[int, ...]]]] = {
    "new": _choose_new, "cast": _choose_cast, "string": _choose_string,
    "unpack": _choose_unpack, "memmove": _choose_memmove, "addressof": _choose_addressof,
    "sizeof": _choose_sizeof, "release": _choose_release,
    "get_errno": _always(calls.get_errno, 0), "set_errno": _always(calls.set_errno, 1),
}  # fmt: skip


def is_operation(function: Any) -> bool:
    """Is it a method of a ``CLibrary``?"""
    return isinstance(function, MethodType) and isinstance(function.__self__, CLibrary)


@HOST_CALLS.append
def call_operation(
    ctx: OpContext, function: Any, arguments: CallArguments
) -> SomeObject | None:
    """``lib.new("int *")``, ``lib.string(p)``, ..."""
    if not is_operation(function):
        return None
    arguments = arguments.plain(ctx, function.__name__)
    if arguments.shape.keywords:
        raise ctx.error(f"{function.__name__}() takes no keyword arguments here")
    args_s = arguments.args_s
    try:
        constant = constant_of(function.__self__, function.__name__, args_s)
        if constant is not None:
            return ctx.constant(constant)
        chosen, indices = in_python(function, args_s)
    except (CError, CDefError, KeyError, TypeError, AttributeError) as error:
        raise ctx.error(str(error).splitlines()[0]) from None
    given = tuple(args_s[i] for i in indices)
    operands = tuple(arguments.operands[i] for i in indices)
    return call(ctx, ctx.constant(chosen), CallArguments(CallShape(len(given)), given, operands))
