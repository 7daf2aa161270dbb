"""The low-level helpers of bytes, bytearray and decoding, untranslated, against CPython."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpython.lltypesystem.rstr import (
    make_bytearray,
    make_bytes,
    read_bytearray,
    read_bytes,
    read_str,
)
from rpython.rlib._hashes import bytes_hash
from rpython.rtyper.ll import ll_bytearray, ll_bytes, ll_decode, ll_siphash, ll_slice

data = st.binary(max_size=12)
few = st.lists(st.sampled_from(b"ab\xff"), max_size=9).map(bytes)
position = st.integers(-3, 15)


def chars(b: bytes):
    """The array and the length that helpers take."""
    return make_bytearray(b).items, len(b)


@given(few, few)
def test_equal_and_compare(a, b):
    assert ll_bytes.ll_equal(*chars(a), *chars(b)) == (a == b)
    order = ll_bytes.ll_compare(*chars(a), *chars(b))
    assert (order < 0, order == 0, order > 0) == (a < b, a == b, a > b)


@given(few, few)
def test_hash(a, b):
    first, second = (ll_siphash.ll_narrow_hash(*chars(x)) for x in (a, b))
    assert (first, second) == (bytes_hash(a), bytes_hash(b))


def test_hash_is_computed_once():
    b = make_bytes(b"abc")
    assert b.hash == 0
    assert ll_bytes.ll_bytes_hash(b) == b.hash == ll_bytes.ll_bytes_hash(b) != 0


@given(few, few, position, position)
def test_search(a, sub, start, stop):
    n = len(a)
    low = ll_slice.ll_search_start(start, n)
    high = ll_slice.ll_clamp(stop, n)
    array, _ = chars(a)
    what = chars(sub)
    assert ll_bytes.ll_find(array, *what, low, high) == a.find(sub, start, stop)
    assert ll_bytes.ll_rfind(array, *what, low, high) == a.rfind(sub, start, stop)
    assert ll_bytes.ll_count(array, *what, low, high) == a.count(sub, start, stop)


@given(few, st.sampled_from("ab\xff"), position, position)
def test_search_for_a_byte(a, char, start, stop):
    low = ll_slice.ll_search_start(start, len(a))
    high = ll_slice.ll_clamp(stop, len(a))
    array, _ = chars(a)
    byte = ord(char)
    assert ll_bytes.ll_find_byte(array, char, low, high) == a.find(byte, start, stop)
    assert ll_bytes.ll_rfind_byte(array, char, low, high) == a.rfind(byte, start, stop)
    assert ll_bytes.ll_count_byte(array, char, low, high) == a.count(byte, start, stop)


@given(few, few)
def test_affixes(a, b):
    assert ll_bytes.ll_startswith(chars(a)[0], *chars(b), 0, len(a)) == a.startswith(b)
    assert ll_bytes.ll_endswith(chars(a)[0], *chars(b), 0, len(a)) == a.endswith(b)


@given(data, st.integers(-2, 9))
def test_repeat(a, n):
    total = ll_bytes.ll_repeated_length(len(a), n, True)
    result = make_bytes(bytes(total))
    ll_bytes.ll_fill_repeated(result.chars, total, *chars(a))
    assert read_bytes(result) == a * n


@given(data, data)
def test_concat(a, b):
    assert read_bytes(ll_bytes.ll_bytes_concat(make_bytes(a), make_bytes(b))) == a + b


# -- bytearray --------------------------------------------------------------------------------

change = st.one_of(
    st.tuples(st.just("append"), st.integers(0, 255)),
    st.tuples(st.just("extend"), data),
    st.tuples(st.just("extend_self")),
    st.tuples(st.just("pop"), position),
    st.tuples(st.just("insert"), position, st.integers(0, 255)),
    st.tuples(st.just("delete"), position, position),
    st.tuples(st.just("assign"), position, position, data),
    st.tuples(st.just("repeat"), st.integers(-1, 3)),
    st.tuples(st.just("reverse")),
    st.tuples(st.just("clear")),
)


def apply(p, model: bytearray, name: str, *args) -> None:
    """The change to a low-level bytearray and to its model."""
    if name == "append":
        ll_bytearray.ll_append(p, *args)
        model.append(*args)
    elif name == "extend":
        ll_bytearray.ll_extend_bytes(p, make_bytes(*args))
        model.extend(*args)
    elif name == "extend_self":
        ll_bytearray.ll_extend_bytearray(p, p)
        model.extend(model)
    elif name == "pop":
        try:
            expected = model.pop(*args)
        except IndexError as error:
            with pytest.raises(IndexError, match=str(error)):
                ll_bytearray.ll_pop(p, *args)
        else:
            assert ll_bytearray.ll_pop(p, *args) == expected
    elif name == "insert":
        ll_bytearray.ll_insert(p, *args)
        model.insert(*args)
    elif name == "delete":
        start, stop, _ = slice(*args).indices(len(model))
        ll_bytearray.ll_delete(p, start, max(start, stop))
        del model[args[0] : args[1]]
    elif name == "assign":
        start, stop, _ = slice(*args[:2]).indices(len(model))
        ll_bytearray.ll_assign_bytes(p, start, max(start, stop), make_bytes(args[2]))
        model[args[0] : args[1]] = args[2]
    elif name == "repeat":
        ll_bytearray.ll_repeat_in_place(p, *args)
        model *= args[0]
    elif name == "reverse":
        ll_bytearray.ll_reverse(p)
        model.reverse()
    else:
        ll_bytearray.ll_clear(p)
        model.clear()


@given(data, st.lists(change, max_size=12))
def test_bytearray_does_what_the_model_does(start, changes):
    p, model = make_bytearray(start), bytearray(start)
    for name, *args in changes:
        if len(model) < 500:
            apply(p, model, name, *args)
        assert read_bytearray(p) == model
        assert p.length <= len(p.items)


@given(data, position, position, st.integers(-4, 4).filter(bool))
def test_delete_strided(start, i, j, k):
    p, model = make_bytearray(start), bytearray(start)
    indices = range(*slice(i, j, k).indices(len(model)))
    ll_bytearray.ll_delete_strided(p, indices.start, k, len(indices))
    del model[i:j:k]
    assert read_bytearray(p) == model


def test_appending_copies_each_byte_a_few_times():
    p = make_bytearray(b"")
    allocations = set()
    for i in range(5000):
        ll_bytearray.ll_append(p, i & 255)
        allocations.add(len(p.items))
    assert len(allocations) < 25


# -- text -------------------------------------------------------------------------------------


@given(st.text(max_size=20))
def test_decode_utf8(text):
    data = text.encode("utf-8", "surrogatepass")
    try:
        expected = data.decode()
    except UnicodeDecodeError:
        with pytest.raises(UnicodeDecodeError):
            ll_decode.ll_decode_utf8(*chars(data), False)
    else:
        assert read_str(ll_decode.ll_decode_utf8(*chars(data), False)) == expected


LEADING_AND_OTHERS = b"a\x80\x90\xa0\xbf\xc0\xc2\xdf\xe0\xe1\xed\xef\xf0\xf1\xf4\xf5\xff"


def message_of(decode) -> str:
    """What is wrong, '' when nothing is."""
    try:
        decode()
    except UnicodeDecodeError as error:
        return error.args[0] if len(error.args) == 1 else str(error)
    return ""


@given(st.lists(st.sampled_from(LEADING_AND_OTHERS), max_size=9).map(bytes))
def test_decode_any_bytes(data):
    escaped = read_str(ll_decode.ll_decode_utf8(*chars(data), True))
    assert escaped == data.decode("utf-8", "surrogateescape")
    expected = message_of(data.decode)
    assert message_of(lambda: ll_decode.ll_decode_utf8(*chars(data), False)) == expected


@given(data)
def test_decode_one_byte_per_character(data):
    assert read_str(ll_decode.ll_decode_latin1(*chars(data))) == data.decode("latin-1")
    if data.isascii():
        assert read_str(ll_decode.ll_decode_ascii(*chars(data))) == data.decode("ascii")
    else:
        with pytest.raises(UnicodeDecodeError):
            ll_decode.ll_decode_ascii(*chars(data))
