"""``rpython.rlib.rstruct.runpack`` against ``struct``."""

import struct
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rpython.rlib.rarithmetic import r_uint
from rpython.rlib.rstruct.error import StructError
from rpython.rlib.rstruct.runpack import runpack

ITEMS = st.builds(
    lambda count, code: f"{count}{code}",
    st.sampled_from(["", "0", "1", "2", "3"]),
    st.sampled_from("xbBhHiIlLqQfdcsp?"),
).filter(lambda item: item != "0p")  # CPython fails with a SystemError
FORMATS = st.builds(
    lambda order, items: order + "".join(items),
    st.sampled_from(["", "@", "=", "<", ">", "!"]),
    st.lists(ITEMS, max_size=5),
)


def plain(value: Any) -> Any:
    if isinstance(value, r_uint):
        return int(value)
    return value.decode("latin-1") if isinstance(value, bytes) else value


@settings(max_examples=300)
@given(FORMATS, st.data())
def test_unpacks_like_struct(fmt: str, data: st.DataObject) -> None:
    size = struct.calcsize(fmt)
    raw = data.draw(st.binary(min_size=size, max_size=size))
    expected = tuple(plain(value) for value in struct.unpack(fmt, raw))
    got = runpack(fmt, raw.decode("latin-1"))
    values = got if isinstance(got, tuple) else (got,)
    assert repr([plain(value) for value in values]) == repr(list(expected))
    with pytest.raises(StructError):
        runpack(fmt, raw.decode("latin-1") + "x")
