"""Transfer rules for built-in functions and types, and the library's own functions."""

from __future__ import annotations

import operator

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.cells import DictDef, ListDef
from rpython.annotator.lattice.enumints import SomeEnumInt, tells_class
from rpython.annotator.lattice.keywords import SomeKeywords
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_BYTEARRAY,
    K_BYTES,
    K_CLASS,
    K_DICT,
    K_DICTVIEW,
    K_FLOAT,
    K_FROZENSET,
    K_INSTANCE,
    K_INT,
    K_KEYWORDS,
    K_LIST,
    K_LLCHAR,
    K_MEMORYVIEW,
    K_NONE,
    K_NUMBERVIEW,
    K_RANGE,
    K_SET,
    K_SINGLEFLOAT,
    K_STR,
    K_TUPLE,
    SomeBool,
    SomeByteArray,
    SomeBytes,
    SomeClass,
    SomeDict,
    SomeDictView,
    SomeFloat,
    SomeFunction,
    SomeInstance,
    SomeInteger,
    SomeList,
    SomeNone,
    SomeObject,
    SomePtr,
    SomeString,
    SomeTuple,
    s_Bool,
    s_Bottom,
    s_ByteArray,
    s_Bytes,
    s_Char,
    s_Float,
    s_Int,
    s_None,
    s_NonNeg,
    s_Str,
)
from rpython.annotator.lattice.namedtuples import SomeNamedTuple, text_function
from rpython.annotator.lattice.parts import (
    K_SHOWN,
    among_functions,
    class_of_kind,
    classes_of_functions,
    constant_classes,
    parts_of,
    takes_box,
    without_none,
)
from rpython.annotator.lattice.sets import SomeAnySet
from rpython.annotator.lattice.singlefloats import s_SingleFloat
from rpython.annotator.lattice.supers import SomeSuper
from rpython.annotator.lattice.vartuples import tuple_items
from rpython.annotator.program.exctexts import class_has_text
from rpython.annotator.rules.applying import call_chosen, call_overlay
from rpython.annotator.rules.bytes import require_ints
from rpython.annotator.rules.codecs import decode_with, encode_with
from rpython.annotator.rules.comparing import flow_hash
from rpython.annotator.rules.enumints import flow_text
from rpython.annotator.rules.instances import (
    class_of,
    classes_of,
    instance_test,
)
from rpython.annotator.rules.iteration import consider_truth, item_of
from rpython.annotator.rules.knownclasses import among_classes, known_class
from rpython.annotator.rules.lowlevel import length_of_array
from rpython.annotator.rules.numbers import integer_type, is_mixed, nonneg_of, require_one_type
from rpython.annotator.rules.registry import FUNCTIONS, Looks
from rpython.annotator.rules.special import length_of_instance, text_of_instance
from rpython.annotator.rules.strings import (
    INTEGER,
    require_kind,
)
from rpython.lltypesystem.lltype import LowLevelType
from rpython.lltypesystem.rarithmetic import (
    base_int,
    intmask,
    ovfcheck,
    r_int8,
    r_int16,
    r_int32,
    r_int64,
    r_int128,
    r_longlong,
    r_singlefloat,
    r_uint,
    r_uint8,
    r_uint16,
    r_uint32,
    r_uint64,
    r_uint128,
    r_ulonglong,
)
from rpython.stdlib._bytesource import bytearray_of_items, bytes_of_items, own_bytes
from rpython.stdlib._numbers import float_of_bytes, int_of_bytes, quotient_and_rest

NUMBER = K_INT | K_BOOL | K_FLOAT
TEXT = K_STR | K_BYTES | K_BYTEARRAY
TO_FLOAT = NUMBER | K_STR | K_SINGLEFLOAT
SIZED = (
    K_STR | K_BYTES | K_BYTEARRAY | K_LIST | K_DICT | K_TUPLE | K_RANGE | K_DICTVIEW | K_SET
    | K_FROZENSET | K_MEMORYVIEW | K_NUMBERVIEW
)  # fmt: skip


@FUNCTIONS.register(len, looks=Looks.VALUES)
def builtin_len(ctx: OpContext, s: SomeObject) -> SomeObject:
    if isinstance(s, SomePtr):
        return length_of_array(ctx, s)
    if isinstance(without_none(s), SomeInstance):
        return length_of_instance(ctx, without_none(s))
    if s.kinds & K_NONE:
        require_kind(ctx, without_none(s), SIZED, "something with a length")
        return s_NonNeg
    if s.kinds & ~SIZED & ~K_KEYWORDS:
        raise ctx.error(f"{s.describe()} has no len()")
    if isinstance(s, (SomeTuple, SomeKeywords)):
        return ctx.constant(len(s.items))
    if s.is_constant() and isinstance(s.value, (str, bytes, range)):
        return ctx.constant(len(s.value))
    return s_NonNeg


@FUNCTIONS.register(abs, looks=Looks.VALUES)
def builtin_abs(ctx: OpContext, s: SomeObject) -> SomeObject:
    require_kind(ctx, s, NUMBER, "a number")
    if isinstance(s, SomeFloat):
        return s_Float
    cls = integer_type(s)
    # of a sized type, the least one stays
    return SomeInteger(not ctx.in_helper and cls is int, cls, mixed=is_mixed(s))


@FUNCTIONS.register(divmod, looks=Looks.VALUES)
def builtin_divmod(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    if isinstance(a, SomeFloat) or isinstance(b, SomeFloat):
        for s in (a, b):
            require_kind(ctx, s, NUMBER, "a number")
        return SomeTuple((s_Float, s_Float))
    for s in (a, b):
        require_kind(ctx, s, INTEGER, "an int")
        require_one_type(ctx, s, "divmod() gives the like")
    if integer_type(a) is not int or integer_type(b) is not int:
        return call_overlay(ctx, quotient_and_rest, (a, b), {})
    return SomeTuple((SomeInteger(nonneg_of(a) and nonneg_of(b)), SomeInteger(nonneg_of(b))))


@FUNCTIONS.register(ord, looks=Looks.VALUES)
def builtin_ord(ctx: OpContext, s: SomeObject) -> SomeObject:
    require_kind(ctx, s, K_STR | K_BYTES | K_BYTEARRAY | K_LLCHAR, "a str of length 1")
    return s_NonNeg


@FUNCTIONS.register(operator.index)
def index_of_int(ctx: OpContext, s: SomeObject) -> SomeObject:
    require_kind(ctx, s, INTEGER, "an int")
    if integer_type(s) is not int:
        raise ctx.error(f"operator.index() of {s.describe()} is not supported")
    return SomeInteger(nonneg_of(s))


@FUNCTIONS.register(chr, looks=Looks.VALUES)
def builtin_chr(ctx: OpContext, s: SomeObject) -> SomeObject:
    require_kind(ctx, s, INTEGER, "an int")
    return s_Char


@FUNCTIONS.register(int, looks=Looks.VALUES)
def builtin_int(ctx: OpContext, *args_s: SomeObject, s_base: SomeObject = s_None) -> SomeObject:
    if not args_s:
        return ctx.constant(0)
    require_kind(ctx, args_s[0], NUMBER | TEXT | K_NONE, "a number, a str or bytes")
    s = without_none(args_s[0])
    if not s.kinds:
        return s_Bottom
    for s_given in (*args_s[1:], s_base):
        if isinstance(s_given, SomeNone):
            continue
        require_kind(ctx, s_given, INTEGER, "an int")
        if not isinstance(s, (SomeString, SomeBytes, SomeByteArray)):
            raise ctx.error("int() can't convert non-string with explicit base")
    if isinstance(s, (SomeBytes, SomeByteArray)):
        s_bases = (*args_s[1:], *(() if isinstance(s_base, SomeNone) else (s_base,)))
        return call_overlay(ctx, int_of_bytes, (s, *s_bases), {})
    if isinstance(s, SomeInteger):
        return SomeInteger(s.nonneg, int)
    return s_NonNeg if isinstance(s, SomeBool) else s_Int


@FUNCTIONS.register(float, looks=Looks.VALUES)
def builtin_float(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    if not args_s:
        return ctx.constant(0.0)
    require_kind(ctx, args_s[0], TO_FLOAT | TEXT | K_NONE, "a number, a str or bytes")
    s = without_none(args_s[0])
    if isinstance(s, (SomeBytes, SomeByteArray)):
        return call_overlay(ctx, float_of_bytes, (s,), {})
    return s_Float if s.kinds else s_Bottom


@FUNCTIONS.register(bool, looks=Looks.VALUES)
def builtin_bool(ctx: OpContext, s: SomeObject) -> SomeObject:
    return consider_truth(ctx, s)


@FUNCTIONS.register(str)
def builtin_str(
    ctx: OpContext, *args_s: SomeObject, **keywords: SomeObject
) -> SomeObject:
    if len(args_s) > 1 or keywords:
        if not args_s:
            raise ctx.error("str() with an encoding needs something to decode")
        require_kind(ctx, args_s[0], K_BYTES | K_BYTEARRAY, "bytes (str() with an encoding)")
        return decode_with(ctx, args_s[0], args_s[1:], keywords) or s_Str
    if args_s:
        printable(ctx, args_s[0])
    return s_Str


@FUNCTIONS.register(repr)
def builtin_repr(ctx: OpContext, s: SomeObject) -> SomeObject:
    printable(ctx, s, quoted=True)
    return s_Str


def printable(
    ctx: OpContext, s: SomeObject, quoted: bool = False, inside: tuple[ListDef | DictDef, ...] = ()
) -> None:
    """Refuse what has no ``str()`` or (``quoted``) no ``repr()`` here.

    ``inside``: the lists and dicts that the value is in."""
    name = "repr()" if quoted else "str()"
    for part in parts_of(s):
        if isinstance(part, SomeEnumInt):
            flow_text(ctx, part, quoted)
        elif isinstance(part, SomeInteger) and part.may_be_bool:
            raise ctx.error(
                "this int may be a bool (or an enum member), which prints differently",
                hint="convert it with int(...) or bool(...) first",
            )
        if quoted:
            require_one_type(ctx, part, "its repr() shows which")
        if isinstance(part, SomeInstance):
            text_of_instance(ctx, part, quoted)
        elif isinstance(part, SomeList):
            root = part.listdef.find()
            if root not in inside:
                printable(ctx, ctx.read(root.item), True, (*inside, root))
        elif isinstance(part, (SomeDict, SomeAnySet, SomeDictView)):
            definition = part.dictdef.find()
            if definition not in inside:
                for cell in (definition.key, definition.value):
                    printable(ctx, ctx.read(cell), True, (*inside, definition))
        elif isinstance(part, SomeNamedTuple) and (own := text_function(part.cls, quoted)):
            s_text = call_overlay(ctx, own, (part.without_const(),), {})
            if s_text.kinds & ~K_STR:
                raise ctx.error(f"{own.__name__} should return a str, not {s_text.describe()}")
        elif (items_s := tuple_items(part)) is not None:
            for s_item in items_s:
                printable(ctx, s_item, True, inside)
        elif part.kinds & ~K_SHOWN and not class_has_text(part):
            raise ctx.error(f"{name} of {part.describe()} is not supported")


@FUNCTIONS.register(isinstance)
def builtin_isinstance(ctx: OpContext, s: SomeObject, s_class: SomeObject) -> SomeObject:
    classes = classes_of(ctx, s_class)
    if constant_classes(s_class) is None:  # chosen at run time
        for cls in classes:
            for part in parts_of(s):
                _part_test(ctx, part, [cls])
        return s_Bool
    results = [_part_test(ctx, part, classes) for part in parts_of(s)]
    s_result: SomeObject = s_Bottom
    for s_part in results:
        s_result = ctx.join(s_result, s_part)
    return s_result


def _part_test(ctx: OpContext, part: SomeObject, classes: list[type]) -> SomeObject:
    if isinstance(part, SomeInstance):
        return instance_test(ctx, part, classes)
    if isinstance(part, SomeFunction):
        known = classes_of_functions(part)
        answers = {cls is not None and issubclass(cls, tuple(classes)) for cls in known}
        if len(answers) == 1 and None not in known:
            return ctx.constant(answers.pop())
    if part.is_constant() and isinstance(part.value, LowLevelType):
        return ctx.constant(isinstance(part.value, tuple(classes)))
    host = class_of_kind(part)
    if host is None:
        raise ctx.error(f"isinstance() of {part.describe()} is not supported")
    if isinstance(part, SomeInteger):
        special = [cls for cls in classes if cls is not int and issubclass(cls, int)]
        if special and not tells_class(part):
            raise ctx.error(
                f"this int may be a bool or a member of an enum: isinstance(x, "
                f"{special[0].__name__}) cannot be answered"
            )
        if special:
            require_one_type(ctx, part, f"isinstance(x, {special[0].__name__}) tells which")
    return ctx.constant(issubclass(host, tuple(classes)))


def _class_of_mixed(ctx: OpContext, s: SomeObject) -> SomeObject:
    constants = ctx.annotator.constants
    mask = 0
    for part in parts_of(s):
        if isinstance(part, SomeInstance):
            s_class = among_functions(class_of(ctx, part, False))
            mask |= s_class.mask if isinstance(s_class, SomeClass) else 0
            continue
        require_one_type(ctx, part, "type() tells which")
        cls = class_of_kind(part)
        if cls is None or (isinstance(part, SomeInteger) and not tells_class(part)):
            raise ctx.error(f"type() of {part.describe()} is not supported")
        mask |= constants.class_mask(constants.classdef(cls))
    return SomeClass(mask, constants.descs)


@FUNCTIONS.register(type)
def builtin_type(ctx: OpContext, s: SomeObject) -> SomeObject:
    some = without_none(s)
    if takes_box(some):
        return _class_of_mixed(ctx, s)
    if isinstance(some, SomeInstance):
        return class_of(ctx, some, bool(s.kinds & K_NONE))
    require_one_type(ctx, some, "type() tells which")
    cls = class_of_kind(some) if some.kinds else type(None)
    if cls is None or (isinstance(some, SomeInteger) and not tells_class(some)):
        raise ctx.error(f"type() of {s.describe()} is not supported")
    if some is s or not some.kinds:
        return known_class(ctx, cls)
    return among_classes(ctx, type(None), cls)


@FUNCTIONS.register(issubclass)
def builtin_issubclass(ctx: OpContext, s: SomeObject, s_class: SomeObject) -> SomeObject:
    if not isinstance(s, SomeClass):
        raise ctx.refusal(s, K_CLASS, f"issubclass() of {s.describe()} is not supported")
    for cls in classes_of(ctx, s_class):
        ctx.constant(cls)
    return s_Bool


@FUNCTIONS.register(super)
def builtin_super(ctx: OpContext, s_class: SomeObject, s_self: SomeObject) -> SomeObject:
    if not isinstance(s_class, SomeClass) or not s_class.is_constant():
        raise ctx.error("super() needs a class known at translation time")
    if isinstance(s_self, SomeClass) and s_self.is_constant():
        return SomeSuper(s_class.value, s_self)
    if not isinstance(s_self, SomeInstance):
        raise ctx.error("super() works in methods and classmethods only")
    return SomeSuper(s_class.value, SomeInstance(s_self.classdef))


@FUNCTIONS.register(hash, looks=Looks.VALUES)
def builtin_hash(ctx: OpContext, s: SomeObject) -> SomeObject:
    flow_hash(ctx, s)
    return s_Int


@FUNCTIONS.register(bytes, looks=Looks.VALUES)
def builtin_bytes(ctx: OpContext, *args_s: SomeObject, **keywords: SomeObject) -> SomeObject:
    return _bytes_source(ctx, args_s, keywords, "bytes") or s_Bytes


@FUNCTIONS.register(bytearray, looks=Looks.VALUES)
def builtin_bytearray(ctx: OpContext, *args_s: SomeObject, **keywords: SomeObject) -> SomeObject:
    return _bytes_source(ctx, args_s, keywords, "bytearray") or s_ByteArray


def _bytes_source(
    ctx: OpContext, args_s: tuple[SomeObject, ...], keywords: dict[str, SomeObject], name: str
) -> SomeObject | None:
    """What a function of the library gives for a str; None: the typer has helpers."""
    if not args_s:
        return None
    s = without_none(args_s[0])
    if s.kinds == 0:
        return None
    if isinstance(s, SomeString):
        if len(args_s) < 2 and "s_encoding" not in keywords:
            raise ctx.error("string argument without an encoding")
        return encode_with(ctx, s, args_s[1:], keywords, name == "bytearray")
    if len(args_s) > 1 or keywords:
        raise ctx.error("encoding without a string argument")
    if isinstance(s, (SomeBytes, SomeByteArray, SomeInteger, SomeBool)):
        return None
    if isinstance(s, SomeInstance) and s.classdef.class_value("__bytes__") is not None:
        if name == "bytearray" or s is not args_s[0]:
            raise ctx.error(f"{name}() does not call __bytes__ of {s.describe()}")
        return call_chosen(ctx, own_bytes, (s,), {})
    if isinstance(s, (SomeFloat, SomePtr, SomeClass)):
        raise ctx.error(f"cannot convert {s.describe()} to {name}")
    if s is args_s[0] and item_of(ctx, s).kinds & K_INSTANCE:
        made = bytes_of_items if name == "bytes" else bytearray_of_items
        return call_chosen(ctx, made, (s,), {})
    require_ints(ctx, s)
    return None


# -- rarithmetic ------------------------------------------------------------------------------


@FUNCTIONS.register(intmask)
def rlib_intmask(ctx: OpContext, s: SomeObject) -> SomeObject:
    require_kind(ctx, s, INTEGER, "an int")
    return s_Int


@FUNCTIONS.register(ovfcheck)
def rlib_ovfcheck(ctx: OpContext, s: SomeObject) -> SomeObject:
    require_kind(ctx, s, INTEGER, "an int")
    require_one_type(ctx, s, "ovfcheck() takes a plain int")
    if integer_type(s) is not int:
        raise ctx.error(f"ovfcheck() takes a plain int: {s.describe()} wraps by definition")
    return s


SIZED_TYPES: tuple[type[base_int], ...] = tuple(dict.fromkeys((
    r_uint, r_longlong, r_ulonglong, r_int8, r_int16, r_int32, r_int64, r_int128,
    r_uint8, r_uint16, r_uint32, r_uint64, r_uint128,
)))  # fmt: skip


@FUNCTIONS.register(r_singlefloat)
def make_single_float(ctx: OpContext, s: SomeObject) -> SomeObject:
    require_kind(ctx, s, TO_FLOAT, "a number or a str")
    return s_SingleFloat


for _sized in SIZED_TYPES:

    @FUNCTIONS.register(_sized)
    def make_sized(ctx: OpContext, s: SomeObject, *, sized: type[base_int] = _sized) -> SomeObject:
        require_kind(ctx, s, INTEGER | K_FLOAT, "a number")
        return SomeInteger(knowntype=sized)
