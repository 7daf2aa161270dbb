"""Writing values as words: what many small ones cost."""

import pytest

from rpython.lltypesystem.rstr import make_bytes, make_str
from rpython.rtyper.ll.ll_marshal import ll_write_bytes, ll_write_str, ll_writer

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
