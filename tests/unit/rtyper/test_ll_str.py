"""The helpers of str, untranslated, against CPython's str."""

from hypothesis import given
from hypothesis import strategies as st

from rpython.lltypesystem.rarithmetic import r_uint
from rpython.lltypesystem.rstr import make_str, read_bytes, read_str
from rpython.rlib._hashes import text_hash
from rpython.rtyper.ll import (
    ll_casing,
    ll_encode,
    ll_format,
    ll_number,
    ll_repr,
    ll_slice,
    ll_str,
    ll_strmethods,
    ll_strsplit,
)
from rpython.rtyper.unicode_tables import characters, lower_map, upper_map

CHARS = (
    "ab \n\r\t'\"\\\x1c\x85\xdf\xff\u0100\u0130\u0149\u01c5\u03a3\u03b1\u0345\u2028\u200b\u4e00"
    "\ud800\U0001f600\U00010400"
)
TEXT = st.text(alphabet=st.sampled_from(CHARS), max_size=12) | st.text(max_size=8)
SHORT = st.text(alphabet=st.sampled_from("ab\u0100\xff"), max_size=3)
LONG = st.text(alphabet=st.sampled_from("ab\u0100\xff"), max_size=30)
INDEX = st.integers(-15, 15)


def low(text):
    return make_str(text)


def read(p):
    text = read_str(p)
    assert p.length == len(text)
    assert p.wide == any(char > "\xff" for char in text), "storage is canonical"
    return text


def strings(p):
    return [read(p[i]) for i in range(len(p))]


def outcome(function, *args):
    try:
        return function(*args)
    except (ValueError, OverflowError) as error:
        # an error of ours has its text as its argument and may not be able to print it
        return type(error), error.args[0] if len(error.args) == 1 else str(error)


@given(TEXT, TEXT)
def test_pairs(a, b):
    assert read(ll_str.ll_strconcat(low(a), low(b))) == a + b
    assert ll_str.ll_streq(low(a), low(b)) == (a == b)
    assert (ll_str.ll_strcmp(low(a), low(b)) < 0) == (a < b)
    assert ll_str.ll_strlt(low(a), low(b)) == (a < b)
    assert ll_str.ll_contains(low(a), low(b)) == (b in a)
    assert ll_str.ll_contains(low(a + b + a), low(b)) is True


@given(TEXT)
def test_single(s):
    p = low(s)
    assert ll_str.ll_strhash(p) == text_hash(s) == p.hash
    p.hash = 0
    assert ll_str.ll_strhash(p) == p.hash == text_hash(s)
    assert read(ll_repr.ll_repr(p, characters())) == repr(s)
    assert read(ll_casing.ll_upper(p, upper_map())) == s.upper()
    assert read(ll_casing.ll_lower(p, lower_map())) == s.lower()
    assert ll_strmethods.ll_isupper(p, characters()) == s.isupper()
    assert ll_strmethods.ll_islower(p, characters()) == s.islower()
    assert ll_strmethods.ll_isascii(p) == s.isascii()
    for test, flag in [
        (str.isalpha, 2), (str.isdigit, 4), (str.isalnum, 8), (str.isspace, 16),
    ]:  # fmt: skip
        assert ll_strmethods.ll_all_have(p, flag, characters()) == test(s)
    for keep in (False, True):
        assert strings(ll_strsplit.ll_splitlines(p, keep)) == s.splitlines(keep)


def test_every_case_mapping():
    for code in range(0x110000):
        char = chr(code)
        if char.upper() != char or char.lower() != char or code in range(0x1E00, 0x2100):
            p = low(char)
            assert read(ll_casing.ll_upper(p, upper_map())) == char.upper()
            assert read(ll_casing.ll_lower(p, lower_map())) == char.lower()


@given(st.text(alphabet=st.sampled_from("\u03a3aA.'\u0345\u00ad 1\u4e00\u01c5\u02b0"), max_size=8))
def test_final_sigma(s):
    assert read(ll_casing.ll_lower(low(s), lower_map())) == s.lower()


@given(TEXT, INDEX | st.none(), INDEX | st.none(), INDEX)
def test_slices(s, start, stop, step):
    length = len(s)
    first = 0 if start is None else ll_slice.ll_clamp(start, length)
    last = length if stop is None else ll_slice.ll_clamp(stop, length)
    last = ll_slice.ll_at_least(last, first)
    assert read(ll_str.ll_slice(low(s), first, last)) == s[start:stop]
    if step == 0:
        return
    first = (
        ll_slice.ll_default_start(length, step) if start is None
        else ll_slice.ll_clamp_for_step(start, length, step)
    )  # fmt: skip
    last = (
        ll_slice.ll_default_stop(length, step) if stop is None
        else ll_slice.ll_clamp_for_step(stop, length, step)
    )  # fmt: skip
    count = ll_slice.ll_slice_count(first, last, step)
    assert read(ll_str.ll_slice_step(low(s), first, step, count)) == s[start:stop:step]


@given(TEXT, st.integers(-1, 5))
def test_repeat(s, n):
    assert read(ll_str.ll_strmul(low(s), n)) == s * n


@given(LONG, SHORT, INDEX, INDEX)
def test_search(s, part, start, stop):
    p, q = low(s), low(part)
    first = ll_slice.ll_search_start(start, len(s))
    last = ll_slice.ll_clamp(stop, len(s))
    assert ll_str.ll_find_in(p, q, first, last) == s.find(part, start, stop)
    assert ll_strmethods.ll_rfind(p, q, first, last) == s.rfind(part, start, stop)
    assert ll_strmethods.ll_count(p, q, first, last) == s.count(part, start, stop)
    assert ll_strmethods.ll_startswith(p, q, first, last) == s.startswith(part, start, stop)
    assert ll_strmethods.ll_endswith(p, q, first, last) == s.endswith(part, start, stop)
    assert outcome(ll_strmethods.ll_index, p, q, first, last) == outcome(s.index, part, start, stop)
    assert read(ll_strmethods.ll_removeprefix(p, q)) == s.removeprefix(part)
    assert read(ll_strmethods.ll_removesuffix(p, q)) == s.removesuffix(part)


@given(st.text(alphabet="ab", max_size=40), st.text(alphabet="ab", min_size=2, max_size=6))
def test_search_in_repetitive_text(s, part):
    assert ll_str.ll_find_in(low(s), low(part), 0, len(s)) == s.find(part)


@given(LONG, SHORT, SHORT, st.integers(-1, 4))
def test_replace(s, old, new, limit):
    assert read(ll_strmethods.ll_replace(low(s), low(old), low(new), limit)) == (
        s.replace(old, new, limit)
    )


@given(TEXT, SHORT)
def test_strip(s, chars):
    for left, right, method in [
        (True, True, str.strip), (True, False, str.lstrip), (False, True, str.rstrip),
    ]:  # fmt: skip
        assert read(ll_strmethods.ll_strip_space(low(s), left, right, characters())) == method(s)
        text = chars + s + chars
        assert read(ll_strmethods.ll_strip_chars(low(text), left, right, low(chars))) == (
            method(text, chars)
        )


@given(TEXT | LONG, SHORT, st.integers(-1, 4))
def test_split(s, separator, limit):
    assert strings(ll_strsplit.ll_split_spaces(low(s), limit, characters())) == s.split(None, limit)
    if separator:
        got = ll_strsplit.ll_split(low(s), low(separator), limit)
        assert strings(got) == s.split(separator, limit)
        got = ll_strsplit.ll_rsplit(low(s), low(separator), limit)
        assert strings(got) == s.rsplit(separator, limit)


@given(SHORT, st.lists(TEXT, max_size=5))
def test_join(separator, items):
    array = ll_strsplit.malloc(ll_strsplit.STRINGS, len(items) + 1)
    for i, item in enumerate(items):
        array[i] = low(item)
    assert read(ll_strsplit.ll_join(low(separator), array, len(items))) == separator.join(items)
    text = "".join(items)
    assert read(ll_strsplit.ll_join_string(low(separator), low(text))) == separator.join(text)


@given(TEXT)
def test_encode(s):
    for helper, codec in [
        (ll_encode.ll_encode_utf8, "utf-8"), (ll_encode.ll_encode_latin1, "latin-1"),
        (ll_encode.ll_encode_ascii, "ascii"),
    ]:  # fmt: skip
        assert outcome(lambda: read_bytes(helper(low(s)))) == outcome(s.encode, codec)  # noqa: B023


@given(st.integers(-(2**63), 2**63 - 1))
def test_int_to_str(n):
    assert read(ll_number.ll_int2str(n)) == str(n)


@given(st.integers(0, 2**64 - 1) | st.integers(0, 1000))
def test_unsigned_to_str(n):
    assert read(ll_number.ll_uint2str(r_uint(n))) == str(n)


@given(st.floats())
def test_float_to_str(x):
    assert read(ll_number.ll_float2str(x)) == repr(x)


@given(
    st.integers(-(2**63), 2**63 - 1), st.integers(0, 40), st.sampled_from(["", ",", "_"]),
    st.sampled_from(" 0*日"), st.sampled_from("<>^="), st.sampled_from(["-", "+", " "]),
)  # fmt: skip
def test_number_field(n, width, separator, fill, align, sign):
    plus = 0 if sign == "-" else ord(sign)
    lead = ll_format.ll_sign(n < 0, plus)
    digits = ll_number.ll_digits(r_uint(abs(n)), 10, 97, 1)
    result = ll_format.ll_number_field(
        lead, digits, digits.length, ord(fill), ord(align), width,
        ord(separator) if separator else 0, 3,
    )  # fmt: skip
    assert read(result) == f"{n:{fill}{align}{sign}{width}{separator}}"


@given(st.integers(0, 2**63 - 1), st.sampled_from([2, 8, 10, 16]), st.integers(0, 9))
def test_digits(n, base, least):
    expected = format(n, {2: "b", 8: "o", 10: "d", 16: "X"}[base]).rjust(max(least, 1), "0")
    assert read(ll_number.ll_digits(r_uint(n), base, 65, least)) == expected


@given(st.floats(min_value=0), st.sampled_from("eEfFgG%"), st.integers(0, 20), st.booleans())
def test_format_float(x, kind, precision, alternate):
    flags = ll_format.ALTERNATE if alternate else 0
    expected = format(x, f"{'#' if alternate else ''}.{precision}{kind}")
    assert read(ll_format.ll_format_float(x, ord(kind), precision, flags)) == expected


@given(TEXT, st.integers(0, 20), st.sampled_from(" 0*日"), st.sampled_from("<>^"))
def test_pad(s, width, fill, align):
    result = ll_format.ll_pad(low(s), ord(fill), ord(align), width)
    assert read(result) == f"{s:{fill}{align}{width}}"
