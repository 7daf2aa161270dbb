"""``rpython.rlib.rutf8`` against CPython's codec."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rpython.rlib import rutf8

TEXT = st.text(
    st.sampled_from("a\x7f\x80\u07ff\u0800\ud7ff\ud800\udfff\ue000\uffff\U00010000\U0010ffff")
)
NEAR_UTF8 = st.binary(max_size=6) | st.lists(
    st.sampled_from(list(b"a\x80\x8f\x90\x9f\xa0\xbf\xc1\xc2\xdf\xe0\xe1\xed\xef\xf0\xf4\xf5\xff")),
    max_size=6,
).map(bytes)


@given(TEXT)
def test_positions(text: str) -> None:
    s = text.encode("utf-8", "surrogatepass").decode("latin-1")
    codes = [ord(c) for c in text]
    assert rutf8.utf8_of(text) == s
    assert rutf8.text_of(s) == text
    assert list(rutf8.Utf8StringIterator(s)) == codes
    assert "".join(rutf8.unichr_as_utf8(code, True) for code in codes) == s
    assert rutf8.check_utf8(s, True) == rutf8.codepoints_in_utf8(s) == len(text)
    assert rutf8.has_surrogates(s) == any(rutf8.is_surrogate(code) for code in codes)
    assert rutf8.reverse_utf8(s) == rutf8.utf8_of(text[::-1])
    storage = rutf8.create_utf8_index_storage(s, len(text))
    for i, code in enumerate(codes):
        pos = rutf8.codepoint_position_at_index(s, storage, i)
        assert rutf8.codepoint_at_pos(s, pos) == code
        assert rutf8.codepoint_index_at_byte_position(s, storage, pos) == i
        assert rutf8.prev_codepoint_pos(s, rutf8.next_codepoint_pos(s, pos)) == pos


@settings(max_examples=500)
@given(NEAR_UTF8, st.booleans())
def test_checks_like_decode(data: bytes, surrogates: bool) -> None:
    s = data.decode("latin-1")
    try:
        expected = len(data.decode("utf-8", "surrogatepass" if surrogates else "strict")), -1
    except UnicodeDecodeError as error:
        expected = -1, error.start
    try:
        got = rutf8.check_utf8(s, surrogates), -1
    except rutf8.CheckError as error:
        got = -1, error.pos
    assert got == expected
