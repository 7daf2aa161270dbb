"""Writing values as words: what many small ones cost."""

import pytest

from rpython.lltypesystem.lltype import Float, GcArray, Signed, free, malloc
from rpython.lltypesystem.rstr import make_bytes, make_str, read_bytes, read_str
from rpython.rtyper.ll.ll_marshal import (
    WORDS,
    ll_read_bytes,
    ll_read_ints,
    ll_read_str,
    ll_reader,
    ll_write_bytes,
    ll_write_ints,
    ll_write_str,
    ll_writer,
)

WRITES = 2000


@pytest.mark.parametrize(
    ("write", "value"),
    [(ll_write_str, make_str("ab")), (ll_write_str, make_str("\u1234")),
     (ll_write_bytes, make_bytes(b"ab"))],
)  # fmt: skip
def test_the_array_grows_a_logarithmic_number_of_times(write, value):
    writer = ll_writer()
    sizes = {len(writer.items)}
    for _ in range(WRITES):
        write(writer, value)
        sizes.add(len(writer.items))
    assert len(sizes) < 12
    assert len(writer.items) <= 2 * writer.length + 16


def test_what_is_written_can_be_read():
    """Packed eight or two to a word, on simulated memory."""
    texts = ["", "a", "12345678", "123456789", "\xff\x00", "\u1234", "\u1234a\U0001f600"]
    numbers = malloc(GcArray(Signed), 3)
    floats = malloc(GcArray(Float), 2)
    numbers[0], numbers[1], numbers[2] = -1, 2**62, -(2**63)
    floats[0], floats[1] = -0.5, 1e300
    writer = ll_writer()
    for text in texts:
        ll_write_str(writer, make_str(text))
    ll_write_ints(writer, numbers, 3)
    ll_write_ints(writer, floats, 2)
    ll_write_bytes(writer, make_bytes(b"\x00\xff3456789"))

    words = malloc(WORDS, writer.length, flavor="raw")
    for i in range(writer.length):
        words[i] = writer.items[i]
    reader = ll_reader(words)
    assert [read_str(ll_read_str(reader)) for _ in texts] == texts
    read_numbers, read_floats = malloc(GcArray(Signed), 3), malloc(GcArray(Float), 2)
    ll_read_ints(reader, read_numbers, 3)
    ll_read_ints(reader, read_floats, 2)
    assert [read_numbers[i] for i in range(3)] == [numbers[i] for i in range(3)]
    assert [read_floats[i] for i in range(2)] == [floats[i] for i in range(2)]
    assert read_bytes(ll_read_bytes(reader)) == b"\x00\xff3456789"
    assert reader.position == writer.length
    free(words, flavor="raw")
