"""Methods of str."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeChar, s_Char, s_Str
from rpython.annotator.lattice.vartuples import SomeVarTuple
from rpython.annotator.rules.codecs import codec_of
from rpython.lltypesystem.lltype import Bool, Ptr, Signed
from rpython.rtyper.builtins.format import format_template
from rpython.rtyper.kinds.slice import index_arg
from rpython.rtyper.ll import ll_casing, ll_encode, ll_format, ll_str, ll_strmethods, ll_strsplit
from rpython.rtyper.ll.ll_unicode import (
    CASE_MAP,
    CHARACTERS,
    CODES,
    IS_ALNUM,
    IS_ALPHA,
    IS_DIGIT,
    IS_PRINTABLE,
    IS_SPACE,
)
from rpython.rtyper.reading import Part, ReadableRepr, method_arg
from rpython.rtyper.rmodel import NullableRepr
from rpython.rtyper.unicode_tables import (
    characters,
    continues_identifier,
    folding_map,
    lower_map,
    ranges,
    title_map,
    upper_map,
)
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp

_CODEC_HELPERS = {
    "utf8": ll_encode.ll_encode_utf8, "latin1": ll_encode.ll_encode_latin1,
    "ascii": ll_encode.ll_encode_ascii,
}  # fmt: skip


_LIMITS = {"utf8": 0, "latin1": 256, "ascii": 128}
ERROR_MODES = {
    "strict": ll_encode.STRICT, "ignore": ll_encode.IGNORE, "replace": ll_encode.REPLACE,
    "backslashreplace": ll_encode.BACKSLASHREPLACE,
    "xmlcharrefreplace": ll_encode.XMLCHARREFREPLACE,
    "surrogateescape": ll_encode.SURROGATEESCAPE,
}  # fmt: skip
"""The ``errors`` argument of ``encode`` and ``decode``, as helpers want it."""


def flags_table() -> Constant:
    """The character flags as a low-level constant."""
    return Constant(characters(), Ptr(CHARACTERS))


def codec_args(hop: HighLevelOp) -> tuple[str, str]:
    """The codec (our name) and the error mode of ``encode`` and ``decode``, operands 1 and 2."""
    encoding, errors = method_arg(hop, 1, "encoding"), method_arg(hop, 2, "errors")
    codec = "utf8" if encoding is None else codec_of(hop.args_s[encoding].value)
    assert codec is not None
    return codec, "strict" if errors is None else hop.args_s[errors].value


class StringMethods(ReadableRepr):
    """Base class of StringRepr: operand 0 is the str."""

    # -- searching ----------------------------------------------------------------------------

    def _search(self, hop: HighLevelOp, helper: Any) -> Value:
        v = hop.inputarg(self, 0)
        v_part = hop.inputarg(self, 1)
        return hop.gendirectcall(helper, v, v_part, *self.search_bounds(hop, v))

    def rtype_method_find(self, hop: HighLevelOp) -> Value:
        return self._search(hop, ll_str.ll_find_in)

    def rtype_method_rfind(self, hop: HighLevelOp) -> Value:
        return self._search(hop, ll_strmethods.ll_rfind)

    def rtype_method_index(self, hop: HighLevelOp) -> Value:
        return self._search(hop, ll_strmethods.ll_index)

    def rtype_method_rindex(self, hop: HighLevelOp) -> Value:
        return self._search(hop, ll_strmethods.ll_rindex)

    def rtype_method_count(self, hop: HighLevelOp) -> Value:
        return self._search(hop, ll_strmethods.ll_count)

    def rtype_method_startswith(self, hop: HighLevelOp) -> Value:
        return self.affix(hop, ll_strmethods.ll_startswith)

    def rtype_method_endswith(self, hop: HighLevelOp) -> Value:
        return self.affix(hop, ll_strmethods.ll_endswith)

    def stands_at(
        self, hop: HighLevelOp, helper: Any, v: Value, part: Part, v_start: Value, v_stop: Value
    ) -> Value:
        v_part, _, r_part = part
        v_part = hop.llops.convertvar(v_part, r_part, self)
        return hop.gendirectcall(helper, v, v_part, v_start, v_stop)

    def rtype_method_removeprefix(self, hop: HighLevelOp) -> Value:
        return hop.gendirectcall(ll_strmethods.ll_removeprefix, *hop.inputargs(self, self))

    def rtype_method_removesuffix(self, hop: HighLevelOp) -> Value:
        return hop.gendirectcall(ll_strmethods.ll_removesuffix, *hop.inputargs(self, self))

    # -- changing -----------------------------------------------------------------------------

    def rtype_method_upper(self, hop: HighLevelOp) -> Value:
        v_map = Constant(upper_map(), Ptr(CASE_MAP))
        return hop.gendirectcall(ll_casing.ll_upper, hop.inputarg(self, 0), v_map)

    def rtype_method_lower(self, hop: HighLevelOp) -> Value:
        v_map = Constant(lower_map(), Ptr(CASE_MAP))
        return hop.gendirectcall(ll_casing.ll_lower, hop.inputarg(self, 0), v_map)

    def rtype_method_casefold(self, hop: HighLevelOp) -> Value:
        v_map = Constant(folding_map(), Ptr(CASE_MAP))
        return hop.gendirectcall(ll_casing.ll_lower, hop.inputarg(self, 0), v_map)

    def rtype_method_title(self, hop: HighLevelOp) -> Value:
        return self._casing(hop, ll_casing.TITLE, title_map())

    def rtype_method_capitalize(self, hop: HighLevelOp) -> Value:
        return self._casing(hop, ll_casing.CAPITALIZE, title_map())

    def rtype_method_swapcase(self, hop: HighLevelOp) -> Value:
        return self._casing(hop, ll_casing.SWAP, upper_map())

    def _casing(self, hop: HighLevelOp, how: int, other: Any) -> Value:
        maps = [Constant(table, Ptr(CASE_MAP)) for table in (lower_map(), other)]
        v = hop.inputarg(self, 0)
        return hop.gendirectcall(ll_casing.ll_casing, v, Constant(how, Signed), *maps)

    def rtype_method_strip(self, hop: HighLevelOp) -> Value:
        return self._strip(hop, left=True, right=True)

    def rtype_method_lstrip(self, hop: HighLevelOp) -> Value:
        return self._strip(hop, left=True, right=False)

    def rtype_method_rstrip(self, hop: HighLevelOp) -> Value:
        return self._strip(hop, left=False, right=True)

    def _strip(self, hop: HighLevelOp, left: bool, right: bool) -> Value:
        sides = (Constant(left, Bool), Constant(right, Bool))
        v = hop.inputarg(self, 0)

        def spaces() -> Value:
            return hop.gendirectcall(ll_strmethods.ll_strip_space, v, *sides, flags_table())

        def chars(v_chars: Value) -> Value:
            return hop.gendirectcall(ll_strmethods.ll_strip_chars, v, *sides, v_chars)

        return self._str_or_none(hop, method_arg(hop, 1), chars, spaces)

    def _str_or_none(
        self, hop: HighLevelOp, arg: int | None, some: Callable[[Value], Value],
        none: Callable[[], Value],
    ) -> Value:  # fmt: skip
        """``some(operand arg)``, or ``none()`` where that is not given or None."""
        if arg is None:
            return none()
        llops = hop.llops
        r = hop.args_r[arg]
        if not isinstance(r, NullableRepr):
            return some(hop.inputarg(self, arg))
        v = hop.inputarg(r, arg)
        null, other = llops.branch(r.is_null(v, llops))
        llops.at(null)
        v_result = none()
        done = llops.new_join(v_result.concretetype)
        llops.goto(done, v_result)
        llops.at(other)
        llops.goto(done, some(llops.convertvar(v, r.inner, self)))
        llops.at(done)
        return done.inputargs[0]

    def rtype_method_replace(self, hop: HighLevelOp) -> Value:
        v, v_old, v_new = (hop.inputarg(self, i) for i in range(3))
        limit = method_arg(hop, 3)
        v_limit = Constant(-1, Signed) if limit is None else index_arg(hop, limit)
        return hop.gendirectcall(ll_strmethods.ll_replace, v, v_old, v_new, v_limit)

    def rtype_method_ljust(self, hop: HighLevelOp) -> Value:
        return self._pad(hop, hop.inputarg(self, 0), ll_format.LEFT, index_arg(hop, 1))

    def rtype_method_rjust(self, hop: HighLevelOp) -> Value:
        return self._pad(hop, hop.inputarg(self, 0), ll_format.RIGHT, index_arg(hop, 1))

    def rtype_method_center(self, hop: HighLevelOp) -> Value:
        v, v_width = hop.inputarg(self, 0), index_arg(hop, 1)
        v_first = hop.gendirectcall(ll_strmethods.ll_center_width, v, v_width)
        v = self._pad(hop, v, ll_format.LEFT, v_first)
        return self._pad(hop, v, ll_format.RIGHT, v_width)

    def _pad(self, hop: HighLevelOp, v: Value, align: int, v_width: Value) -> Value:
        fill = method_arg(hop, 2)
        v_fill: Value = Constant(ord(" "), Signed)
        if fill is not None:
            if isinstance(hop.args_s[fill], SomeChar):
                v_char = hop.inputarg(hop.rtyper.getrepr(s_Char), fill)
            else:
                v_char = hop.gendirectcall(ll_format.ll_fill_char, hop.inputarg(self, fill))
            v_fill = hop.genop("cast_unichar_to_int", [v_char], Signed)
        return hop.gendirectcall(ll_format.ll_pad, v, v_fill, Constant(align, Signed), v_width)

    def rtype_method_zfill(self, hop: HighLevelOp) -> Value:
        return hop.gendirectcall(
            ll_strmethods.ll_zfill, hop.inputarg(self, 0), index_arg(hop, 1)
        )

    def rtype_method_encode(self, hop: HighLevelOp) -> Value:
        codec, errors = codec_args(hop)
        v = hop.inputarg(self, 0)
        if errors == "strict":
            return hop.gendirectcall(_CODEC_HELPERS[codec], v)
        how = Constant(ERROR_MODES[errors], Signed)
        return hop.gendirectcall(ll_encode.ll_encode_with, v, Constant(_LIMITS[codec], Signed), how)

    def rtype_method_format(self, hop: HighLevelOp) -> Value:
        return format_template(hop)

    # -- tests --------------------------------------------------------------------------------

    def _all_have(self, hop: HighLevelOp, flag: int) -> Value:
        v = hop.inputarg(self, 0)
        v_flag = Constant(flag, Signed)
        return hop.gendirectcall(ll_strmethods.ll_all_have, v, v_flag, flags_table())

    def rtype_method_isdigit(self, hop: HighLevelOp) -> Value:
        return self._all_have(hop, IS_DIGIT)

    def rtype_method_isspace(self, hop: HighLevelOp) -> Value:
        return self._all_have(hop, IS_SPACE)

    def rtype_method_isalpha(self, hop: HighLevelOp) -> Value:
        return self._all_have(hop, IS_ALPHA)

    def rtype_method_isalnum(self, hop: HighLevelOp) -> Value:
        return self._all_have(hop, IS_ALNUM)

    def rtype_method_isprintable(self, hop: HighLevelOp) -> Value:
        """True of the empty str, too."""
        v_printable = self._all_have(hop, IS_PRINTABLE)
        v_length = self.length(hop.inputarg(self, 0), hop.llops)
        v_empty = hop.genop("int_eq", [v_length, Constant(0, Signed)], Bool)
        return hop.llops.either(v_empty, v_printable)

    def rtype_method_isupper(self, hop: HighLevelOp) -> Value:
        return hop.gendirectcall(ll_strmethods.ll_isupper, hop.inputarg(self, 0), flags_table())

    def rtype_method_islower(self, hop: HighLevelOp) -> Value:
        return hop.gendirectcall(ll_strmethods.ll_islower, hop.inputarg(self, 0), flags_table())

    def rtype_method_isascii(self, hop: HighLevelOp) -> Value:
        return hop.gendirectcall(ll_strmethods.ll_isascii, hop.inputarg(self, 0))

    def rtype_method_istitle(self, hop: HighLevelOp) -> Value:
        return hop.gendirectcall(ll_casing.ll_istitle, hop.inputarg(self, 0), flags_table())

    def rtype_method_isdecimal(self, hop: HighLevelOp) -> Value:
        v_ranges = Constant(ranges(str.isdecimal), Ptr(CODES))
        return hop.gendirectcall(ll_casing.ll_all_in_ranges, hop.inputarg(self, 0), v_ranges)

    def rtype_method_isnumeric(self, hop: HighLevelOp) -> Value:
        v_ranges = Constant(ranges(str.isnumeric), Ptr(CODES))
        return hop.gendirectcall(ll_casing.ll_all_in_ranges, hop.inputarg(self, 0), v_ranges)

    def rtype_method_isidentifier(self, hop: HighLevelOp) -> Value:
        tests = (str.isidentifier, continues_identifier)
        tables = [Constant(ranges(test), Ptr(CODES)) for test in tests]
        return hop.gendirectcall(ll_casing.ll_isidentifier, hop.inputarg(self, 0), *tables)

    # -- splitting and joining ------------------------------------------------------------------

    def _as_list(self, hop: HighLevelOp, v_items: Value) -> Value:
        """The array of strs as the list that is the result, which may hold other kinds, too."""
        r_list: Any = hop.r_result
        r_strings: Any = hop.rtyper.getrepr(SomeVarTuple(s_Str))
        v_items = r_strings.convert_items(
            hop.llops, v_items, r_strings.length(hop.llops, v_items), r_list
        )
        v_list: Value = r_list.from_items(hop.llops, v_items)
        return v_list

    def rtype_method_split(self, hop: HighLevelOp) -> Value:
        return self._split(hop, ll_strsplit.ll_split, ll_strsplit.ll_split_spaces)

    def rtype_method_rsplit(self, hop: HighLevelOp) -> Value:
        return self._split(hop, ll_strsplit.ll_rsplit, ll_strsplit.ll_rsplit_spaces)

    def _split(self, hop: HighLevelOp, at_separators: Any, at_spaces: Any) -> Value:
        v = hop.inputarg(self, 0)
        limit = method_arg(hop, 2, "maxsplit")
        v_limit = Constant(-1, Signed) if limit is None else index_arg(hop, limit)

        def spaces() -> Value:
            return hop.gendirectcall(at_spaces, v, v_limit, flags_table())

        def separators(v_separator: Value) -> Value:
            return hop.gendirectcall(at_separators, v, v_separator, v_limit)

        v_items = self._str_or_none(hop, method_arg(hop, 1, "sep"), separators, spaces)
        return self._as_list(hop, v_items)

    def rtype_method_splitlines(self, hop: HighLevelOp) -> Value:
        keep = method_arg(hop, 1, "keepends")
        v_keep = Constant(False, Bool) if keep is None else hop.inputarg(Bool, keep)
        v_items = hop.gendirectcall(ll_strsplit.ll_splitlines, hop.inputarg(self, 0), v_keep)
        return self._as_list(hop, v_items)

    def rtype_method_partition(self, hop: HighLevelOp) -> Value:
        return self._partition(hop, ll_strmethods.ll_find_separator, whole_first=True)

    def rtype_method_rpartition(self, hop: HighLevelOp) -> Value:
        return self._partition(hop, ll_strmethods.ll_rfind_separator, whole_first=False)

    def _partition(self, hop: HighLevelOp, helper: Any, whole_first: bool) -> Value:
        """(before, separator, after), or the whole and two empty strs."""
        llops = hop.llops
        r_tuple: Any = hop.r_result
        v, v_separator = hop.inputargs(self, self)
        v_empty = self.inputconst("")
        v_at = hop.gendirectcall(helper, v, v_separator)
        v_end = hop.genop("int_add", [v_at, self.length(v_separator, llops)], Signed)
        done = llops.new_join(r_tuple.lowleveltype)
        missing, found = llops.branch(hop.genop("int_lt", [v_at, Constant(0, Signed)], Bool))
        llops.at(missing)
        items = [v, v_empty, v_empty] if whole_first else [v_empty, v_empty, v]
        llops.goto(done, r_tuple.build(llops, [(item, s_Str, self) for item in items]))
        llops.at(found)
        v_before = hop.gendirectcall(ll_str.ll_slice, v, Constant(0, Signed), v_at)
        v_after = hop.gendirectcall(ll_str.ll_slice, v, v_end, self.length(v, llops))
        items = [v_before, v_separator, v_after]
        llops.goto(done, r_tuple.build(llops, [(item, s_Str, self) for item in items]))
        llops.at(done)
        return done.inputargs[0]

