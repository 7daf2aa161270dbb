"""``rpython.rlib.rpath`` against ``posixpath``."""

import posixpath

from hypothesis import given, settings
from hypothesis import strategies as st

from rpython.rlib import rpath

PATHS = st.text("/.ab", max_size=10)


@settings(max_examples=400)
@given(PATHS, PATHS)
def test_like_posixpath(a: str, b: str) -> None:
    assert rpath.rjoin(a, b) == posixpath.join(a, b)
    assert rpath.rnormpath(a) == posixpath.normpath(a)
    assert rpath.rabspath(a) == posixpath.abspath(a)
    assert rpath.risabs(a) == posixpath.isabs(a)
    assert rpath.split(a) == posixpath.split(a)
    assert rpath.splitext(a) == posixpath.splitext(a)
    assert rpath.dirname(a) == posixpath.dirname(a)
    assert rpath.basename(a) == posixpath.basename(a)
    assert rpath.exists(a) == posixpath.exists(a)
