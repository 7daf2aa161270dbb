"""Files of text as translated programs have them, untranslated, against ``open``."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rpython.rlib._textfiles import open_any

LARGEST = 1 << 62
"""Numbers for positions from here on say more than which byte it is: each implementation has its
own."""
ATOMS = [
    b"a", b"bc", b"\n", b"\r", b"\r\n", "\xe9".encode(), "\u20ac".encode(), "\U0001f600".encode(),
    b"\xff", b"\xe2\x82", b"\xf0\x9f", b"\xed\xa0\x80", b"x" * 3000,
]  # fmt: skip
numbers = st.integers(0, 9)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("read"), st.sampled_from([0, 1, 1, 2, 3, 5, -1, 9000])),
        st.tuples(st.just("readline"), st.sampled_from([-1, -1, 1, 4])),
        st.tuples(st.just("tell"), numbers),
        st.tuples(st.just("back"), numbers),
        st.tuples(st.sampled_from(["start", "here", "end"]), numbers),
    ),
    max_size=12,
)
files = st.lists(st.sampled_from(ATOMS), max_size=30).map(b"".join)


def outcome(f: Callable[[], Any]) -> Any:
    try:
        result = f()
    except (OSError, ValueError) as error:
        return type(error).__name__, str(error)
    return "large" if isinstance(result, int) and result >= LARGEST else result


def run(file: Any, what: list[tuple[str, int]]) -> list[Any]:
    """What the steps give."""
    told = [0]

    def step(name: str, n: int) -> Any:
        if name == "tell":
            told.append(file.tell())
            return told[-1]
        if name == "back":
            return file.seek(told[n % len(told)])
        if name in ("start", "here", "end"):
            return file.seek(0, ("start", "here", "end").index(name))
        return getattr(file, name)(n)

    with file:
        return [outcome(lambda each=each: step(*each)) for each in what]


@settings(deadline=None, max_examples=300)
@given(
    files, st.sampled_from(["utf-8", "latin-1", "ascii"]), steps,
    st.sampled_from(["strict", "replace", "ignore", "surrogateescape", "backslashreplace"]),
    st.sampled_from([None, "", "\n", "\r", "\r\n"]),
)  # fmt: skip
def test_reading_telling_and_going_back(data, encoding, what, errors, newline):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(data)
        host = open(path, encoding=encoding, errors=errors, newline=newline)  # noqa: SIM115
        own = open_any(str(path), "r", -1, encoding, errors, newline, True)
        for expected, found in zip(run(host, what), run(own, what), strict=True):
            if found == ("OSError", "can't reconstruct logical file position"):
                break  # CPython reads behind the end of its memory there
            assert found == expected


def test_reading_what_will_be_overwritten_is_refused(tmp_path):
    path = tmp_path / "file"
    path.write_text("abc\n")
    with open_any(str(path), "r+", -1, None, None, None, True) as file:
        file.write("x")
        with pytest.raises(io.UnsupportedOperation, match="seek"):
            file.readline()
        file.seek(0)
        assert file.read() == "xbc\n"
        file.write("end")
        assert (file.read(1), file.tell()) == ("", 7)
    assert path.read_text() == "xbc\nend"
