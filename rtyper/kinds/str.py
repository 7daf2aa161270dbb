"""Strings: a ``str`` is a Ptr(STR), a str known to have one character is a UniChar.

    c = s[i]            c = direct_call(ll_getitem, s, i)       UniChar
    if c == "x":   ->   unichar_eq(c, 'x')                      no allocation
    t = s + c           t = direct_call(ll_str_add_char, s, c)  Ptr(STR)
"""

from __future__ import annotations

from collections.abc import ItemsView
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeChar, SomeObject, SomeString, s_Char, s_Str
from rpython.lltypesystem.lltype import (
    Array,
    Bool,
    GcStruct,
    Ptr,
    Signed,
    UniChar,
    Unsigned,
    _ptr,
    malloc,
)
from rpython.lltypesystem.rstr import STRPTR
from rpython.rtyper.builtins.format import format_value, percent
from rpython.rtyper.kinds.instance import GC_FLAGS, void
from rpython.rtyper.kinds.int import BoolRepr, IntegerRepr
from rpython.rtyper.kinds.iter import IterableRepr, IteratorRepr
from rpython.rtyper.kinds.slice import index_arg
from rpython.rtyper.kinds.strmethods import StringMethods, flags_table
from rpython.rtyper.ll import ll_chars, ll_str, ll_unicode
from rpython.rtyper.rmodel import CONVERSIONS, PAIRS, REPR_METHODS, Repr, repr_for
from rpython.rtyper.text import concatenate
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper


class StringRepr(StringMethods):
    """Any str.  Equal constants are one object."""

    lowleveltype = STRPTR
    index_error = "string index out of range"

    def __init__(self, rtyper: RPythonTyper) -> None:
        self.rtyper = rtyper
        self._constants: dict[str, _ptr] = {"": ll_str.EMPTY}

    def convert_const(self, value: Any) -> _ptr:
        if not isinstance(value, str):
            raise TyperError(f"{value!r} is not a str")
        known = self._constants.get(value)
        if known is None:
            if len(value) == 1 and value <= "\xff":
                known = ll_str.LATIN1_CHARS[ord(value)]
            else:
                known = ll_str.prebuilt_str(value)
            self._constants[value] = known
        return known

    def constants(self) -> ItemsView[str, _ptr]:
        """The constants converted so far, and their low-level values."""
        return self._constants.items()

    def length(self, v: Value, llops: LowLevelOpList) -> Value:
        if isinstance(v, Constant):
            return Constant(v.value.length, Signed)
        return llops.genop("getfield", [v, void("length")], Signed)

    def item(self, v: Value, v_index: Value, llops: LowLevelOpList) -> Value:
        return llops.gendirectcall(ll_str.ll_char_at, v, v_index)

    def slice(self, v: Value, v_start: Value, v_stop: Value, llops: LowLevelOpList) -> Value:
        return llops.gendirectcall(ll_str.ll_slice, v, v_start, v_stop)

    def strided(
        self, v: Value, v_start: Value, v_step: Value, v_count: Value, llops: LowLevelOpList
    ) -> Value:
        return llops.gendirectcall(ll_str.ll_slice_step, v, v_start, v_step, v_count)

    def make_iterator_repr(self, variant: str) -> IteratorRepr:
        return StringIteratorRepr(self.rtyper, variant == "reversed")

    def rtype_contains(self, hop: HighLevelOp) -> Value:
        r_item = hop.args_r[1]
        s_item = hop.args_s[1]
        if isinstance(r_item, CharRepr) or isinstance(s_item, SomeChar):
            v_char = hop.inputarg(char_repr(hop.rtyper), 1)
            if hop.args_s[0].is_constant():
                return is_one_of(hop, v_char, hop.args_s[0].value)
            return hop.gendirectcall(ll_str.ll_contains_char, hop.inputarg(self, 0), v_char)
        return hop.gendirectcall(ll_str.ll_contains, *hop.inputargs(self, self))

    def rtype_ord(self, hop: HighLevelOp) -> Value:
        return hop.gendirectcall(ll_chars.ll_ord_of_str, hop.inputarg(self, 0))

    def rtype_format_value(self, hop: HighLevelOp) -> Value:
        """``{value}`` in an f-string; this is the Repr of the result."""
        return format_value(hop, hop.operand(0), hop.args_s[1].value, hop.operand(2))

    def rtype_build_string(self, hop: HighLevelOp) -> Value:
        """The parts of an f-string, which are strs."""
        return concatenate(hop, [hop.inputarg(self, i) for i in range(hop.nb_args)])


STRING_ITERATOR = GcStruct("striter", ("string", STRPTR), ("index", Signed))


class StringIteratorRepr(IteratorRepr):
    """A str and the index of the next character."""

    lowleveltype = Ptr(STRING_ITERATOR)
    s_item = s_Char

    def __init__(self, rtyper: RPythonTyper, backwards: bool) -> None:
        self.r_item = rtyper.getrepr(s_Char)
        self.backwards = backwards

    def newiter(self, llops: LowLevelOpList, v: Value) -> Value:
        v_iter = llops.genop("malloc", [void(STRING_ITERATOR), GC_FLAGS], self.lowleveltype)
        llops.genop("setfield", [v_iter, void("string"), v])
        if self.backwards:
            v_length = llops.genop("getfield", [v, void("length")], Signed)
            v_last = llops.genop("int_sub", [v_length, Constant(1, Signed)], Signed)
            llops.genop("setfield", [v_iter, void("index"), v_last])
        return v_iter

    def _state(self, llops: LowLevelOpList, v_iter: Value) -> tuple[Value, Value]:
        v_string = llops.genop("getfield", [v_iter, void("string")], STRPTR)
        return v_string, llops.genop("getfield", [v_iter, void("index")], Signed)

    def more(self, llops: LowLevelOpList, v_iter: Value) -> Value:
        v_string, v_index = self._state(llops, v_iter)
        if self.backwards:
            return llops.genop("int_ge", [v_index, Constant(0, Signed)], Bool)
        v_length = llops.genop("getfield", [v_string, void("length")], Signed)
        return llops.genop("int_lt", [v_index, v_length], Bool)

    def fetch(self, llops: LowLevelOpList, v_iter: Value) -> Value:
        v_string, v_index = self._state(llops, v_iter)
        step = Constant(-1 if self.backwards else 1, Signed)
        v_next = llops.genop("int_add", [v_index, step], Signed)
        llops.genop("setfield", [v_iter, void("index"), v_next])
        return llops.gendirectcall(ll_str.ll_char_at, v_string, v_index)


class CharIteratorRepr(StringIteratorRepr):
    """An iterator over a str that is given as its only character."""

    def newiter(self, llops: LowLevelOpList, v: Value) -> Value:
        return super().newiter(llops, llops.gendirectcall(ll_str.ll_chr2str, v))


class CharRepr(IterableRepr):
    """A str of length one; what it cannot do itself it does as a str."""

    lowleveltype = UniChar

    def __init__(self, rtyper: RPythonTyper) -> None:
        self.rtyper = rtyper

    def convert_const(self, value: Any) -> str:
        if not isinstance(value, str) or len(value) != 1:
            raise TyperError(f"{value!r} is not a str of length 1")
        return value

    def with_room_for_none(self) -> Repr:
        return string_repr(self.rtyper)

    def rtype(self, hop: HighLevelOp) -> Value:
        if hasattr(self, "rtype_" + hop.opname) or hop.opname == "getattr":
            return super().rtype(hop)
        self.as_string(hop)
        return hop.args_r[0].rtype(hop)

    def rtype_method(self, name: str, hop: HighLevelOp) -> Value:
        if hasattr(self, "rtype_method_" + name) or REPR_METHODS.lookup(name, CharRepr):
            return super().rtype_method(name, hop)
        self.as_string(hop)
        return hop.args_r[0].rtype_method(name, hop)

    def as_string(self, hop: HighLevelOp) -> None:
        """Go on with operand 0 as a str."""
        r_str = string_repr(self.rtyper)
        hop.replace_arg(0, hop.inputarg(r_str, 0), s_Str, r_str)

    def make_iterator_repr(self, variant: str) -> IteratorRepr:
        return CharIteratorRepr(self.rtyper, variant == "reversed")

    def length_hint(self, llops: LowLevelOpList, v: Value) -> Value:
        return Constant(1, Signed)

    def rtype_len(self, hop: HighLevelOp) -> Value:
        return Constant(1, Signed)

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        return Constant(True, Bool)

    def rtype_ord(self, hop: HighLevelOp) -> Value:
        return hop.genop("cast_unichar_to_int", [hop.inputarg(self, 0)], Signed)

    def _has(self, hop: HighLevelOp, flag: int) -> Value:
        v_code = self.rtype_ord(hop)
        v_flag = Constant(flag, Signed)
        return hop.gendirectcall(ll_unicode.ll_has_flag, v_code, v_flag, flags_table())

    def rtype_method_isdigit(self, hop: HighLevelOp) -> Value:
        return self._has(hop, ll_unicode.IS_DIGIT)

    def rtype_method_isspace(self, hop: HighLevelOp) -> Value:
        return self._has(hop, ll_unicode.IS_SPACE)

    def rtype_method_isalpha(self, hop: HighLevelOp) -> Value:
        return self._has(hop, ll_unicode.IS_ALPHA)

    def rtype_method_isalnum(self, hop: HighLevelOp) -> Value:
        return self._has(hop, ll_unicode.IS_ALNUM)

    def rtype_method_isprintable(self, hop: HighLevelOp) -> Value:
        return self._has(hop, ll_unicode.IS_PRINTABLE)

    def rtype_method_isupper(self, hop: HighLevelOp) -> Value:
        return self._has(hop, ll_unicode.IS_UPPER)

    def rtype_method_islower(self, hop: HighLevelOp) -> Value:
        return self._has(hop, ll_unicode.IS_LOWER)


@repr_for(SomeString)
def make_string_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr:
    return StringRepr(rtyper)


@repr_for(SomeChar)
def make_char_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr:
    return CharRepr(rtyper)


def string_repr(rtyper: RPythonTyper) -> StringRepr:
    r = rtyper.getrepr(SomeString())
    assert isinstance(r, StringRepr)
    return r


def char_repr(rtyper: RPythonTyper) -> CharRepr:
    r = rtyper.getrepr(SomeChar())
    assert isinstance(r, CharRepr)
    return r


# -- conversions ------------------------------------------------------------------------------


@CONVERSIONS.register("convert", CharRepr, StringRepr)
def char_to_string(r_from: CharRepr, r_to: StringRepr, v: Value, llops: LowLevelOpList) -> Value:
    if isinstance(v, Constant):
        return r_to.inputconst(v.value)
    return llops.gendirectcall(ll_str.ll_chr2str, v)


@CONVERSIONS.register("convert", StringRepr, CharRepr)
def string_to_char(r_from: StringRepr, r_to: CharRepr, v: Value, llops: LowLevelOpList) -> Value:
    """Only where the annotator has proved that the length is one."""
    return llops.gendirectcall(ll_str.ll_str2chr, v)


# -- two operands -----------------------------------------------------------------------------


@PAIRS.register("eq ne lt le gt ge", CharRepr, CharRepr)
def compare_chars(hop: HighLevelOp) -> Value:
    v_left, v_right = hop.inputargs(*hop.args_r)
    return hop.genop(f"unichar_{hop.opname}", [v_left, v_right], Bool)


@PAIRS.register("eq ne", StringRepr, CharRepr)
def compare_with_char(hop: HighLevelOp) -> Value:
    v_left, v_right = hop.inputargs(*hop.args_r)
    return equality(hop, hop.gendirectcall(ll_str.ll_str_equals_char, v_left, v_right))


@PAIRS.register("eq ne", CharRepr, StringRepr)
def compare_char_with_string(hop: HighLevelOp) -> Value:
    v_left, v_right = hop.inputargs(*hop.args_r)
    return equality(hop, hop.gendirectcall(ll_str.ll_str_equals_char, v_right, v_left))


@PAIRS.register("eq ne", StringRepr, StringRepr)
def compare_strings(hop: HighLevelOp) -> Value:
    v_left, v_right = hop.inputargs(*hop.args_r)
    for v, v_other in ((v_left, v_right), (v_right, v_left)):
        if isinstance(v, Constant) and v.value.length == 0:
            v_length = string_repr(hop.rtyper).length(v_other, hop.llops)
            return equality(hop, hop.genop("int_eq", [v_length, Constant(0, Signed)], Bool))
    return equality(hop, hop.gendirectcall(ll_str.ll_streq, v_left, v_right))


def equality(hop: HighLevelOp, v_equal: Value) -> Value:
    """The result of ``==`` or ``!=``, given whether the operands are equal."""
    return v_equal if hop.opname == "eq" else hop.genop("bool_not", [v_equal], Bool)


def _two_strings(hop: HighLevelOp) -> list[Value]:
    r = string_repr(hop.rtyper)
    return hop.inputargs(r, r)


for _left, _right in [(StringRepr, StringRepr), (StringRepr, CharRepr), (CharRepr, StringRepr)]:

    @PAIRS.register("lt le gt ge", _left, _right)
    def order_strings(hop: HighLevelOp) -> Value:
        v_order = hop.gendirectcall(ll_str.ll_strcmp, *_two_strings(hop))
        return hop.genop(f"int_{hop.opname}", [v_order, Constant(0, Signed)], Bool)


for _left, _right in [(StringRepr, StringRepr), (CharRepr, StringRepr)]:

    @PAIRS.register("add", _left, _right)
    def add_strings(hop: HighLevelOp) -> Value:
        return hop.gendirectcall(ll_str.ll_strconcat, *_two_strings(hop))


for _left in (StringRepr, CharRepr):

    @PAIRS.register("add", _left, CharRepr)
    def add_char(hop: HighLevelOp) -> Value:
        v_left, v_char = hop.inputargs(string_repr(hop.rtyper), hop.args_r[1])
        return hop.gendirectcall(ll_str.ll_str_add_char, v_left, v_char)

    for _count in (IntegerRepr, BoolRepr):

        @PAIRS.register("mul", _left, _count)
        def repeat_string(hop: HighLevelOp) -> Value:
            v = hop.inputarg(string_repr(hop.rtyper), 0)
            return hop.gendirectcall(ll_str.ll_strmul, v, index_arg(hop, 1))

        @PAIRS.register("mul", _count, _left)
        def repeat_string_r(hop: HighLevelOp) -> Value:
            hop.swap_fst_snd_args()
            return repeat_string(hop)


PAIRS.register("mod", StringRepr, Repr)(percent)
PAIRS.register("mod", CharRepr, Repr)(percent)


# -- membership in a constant str ---------------------------------------------------------------


def is_one_of(hop: HighLevelOp, v_char: Value, chars: str) -> Value:
    """Is the character one of ``chars``?  A few range tests, or a look into a table."""
    ranges = _ranges(sorted(set(map(ord, chars))))
    v_code = hop.genop("cast_unichar_to_int", [v_char], Signed)
    if len(ranges) > 3 and ranges[-1][1] < 256:
        return hop.gendirectcall(ll_str.ll_in_table, v_code, _table(hop.rtyper, chars))
    if len(ranges) > 6:
        v_chars = string_repr(hop.rtyper).inputconst(chars)
        return hop.gendirectcall(ll_str.ll_contains_char, v_chars, v_char)
    v_result: Value = Constant(False, Bool)
    for i, (low, high) in enumerate(ranges):
        v_offset = hop.genop("int_sub", [v_code, Constant(low, Signed)], Signed)
        v_unsigned = hop.genop("cast_int_to_uint", [v_offset], Unsigned)
        v_test = hop.genop("uint_le", [v_unsigned, Constant(high - low, Unsigned)], Bool)
        v_result = v_test if i == 0 else hop.llops.either(v_result, v_test)
    return v_result


def _ranges(codes: list[int]) -> list[tuple[int, int]]:
    """Sorted code points as inclusive ranges."""
    result: list[tuple[int, int]] = []
    for code in codes:
        if result and result[-1][1] == code - 1:
            result[-1] = (result[-1][0], code)
        else:
            result.append((code, code))
    return result


def _table(rtyper: RPythonTyper, chars: str) -> Constant:
    """The 256 answers for a constant set of Latin-1 characters."""
    T = Array(Bool)

    def make(text: Any) -> _ptr:
        table = malloc(T, 256, immortal=True)
        for char in text:
            table[ord(char)] = True
        return table

    r = string_repr(rtyper)
    return Constant(rtyper.prebuilt.get(r, chars, make, lambda memory, x: None), Ptr(T))
