"""``rpython.rlib.streamio`` against CPython's ``io``."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rpython.rlib.streamio import Stream, open_file_as_stream

TEXT = st.text("ab\n\r\xff", max_size=12)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("read"), st.integers(0, 9)),
        st.tuples(st.just("write"), TEXT),
        st.tuples(st.just("line")),
        st.tuples(st.just("all")),
        st.tuples(st.just("seek"), st.integers(0, 30)),
        st.tuples(st.just("back"), st.integers(0, 4)),
        st.tuples(st.just("end"), st.integers(0, 4)),
        st.tuples(st.just("tell")),
        st.tuples(st.just("truncate"), st.integers(0, 20)),
        st.tuples(st.just("flush")),
    ),
    max_size=14,
)  # fmt: skip

ON_STREAM: dict[str, Callable[..., Any]] = {
    "read": lambda s, n: s.read(n),
    "write": lambda s, text: s.write(text),
    "line": lambda s: s.readline(),
    "all": lambda s: s.readall(),
    "seek": lambda s, n: s.seek(n, 0),
    "back": lambda s, n: s.seek(-min(n, s.tell()), 1),
    "end": lambda s, n: s.seek(n, 2),
    "tell": lambda s: s.tell(),
    "truncate": lambda s, n: s.truncate(n),
    "flush": lambda s: s.flush(),
}
ON_FILE: dict[str, Callable[..., Any]] = {
    "read": lambda f, n: f.read(n).decode("latin-1"),
    "write": lambda f, text: f.write(text.encode("latin-1")) and None,
    "line": lambda f: f.readline().decode("latin-1"),
    "all": lambda f: f.read().decode("latin-1"),
    "seek": lambda f, n: f.seek(n) and None,
    "back": lambda f, n: f.seek(-min(n, f.tell()), 1) and None,
    "end": lambda f, n: f.seek(n, 2) and None,
    "tell": lambda f: f.tell(),
    "truncate": lambda f, n: f.truncate(n) and None,
    "flush": lambda f: f.flush(),
}


@settings(
    max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(TEXT, st.sampled_from([-1, 0, 1, 2, 3, 7]), STEPS)
def test_reads_and_writes_like_io(
    tmp_path: Path, text: str, buffering: int, steps: list[tuple[Any, ...]]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(text.encode("latin-1"))
    stream: Stream = open_file_as_stream(str(path), "r+", buffering)
    other = tmp_path / "other"
    other.write_bytes(text.encode("latin-1"))
    model = io.FileIO(other, "r+")
    for name, *args in steps:
        got = ON_STREAM[name](stream, *args)
        expected = ON_FILE[name](model, *args)
        assert (name, got or "") == (name, expected or "")
    stream.close()
    model.close()
    assert path.read_bytes() == other.read_bytes()


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text("a\r\n", max_size=20), st.sampled_from([-1, 0, 2, 3]), st.integers(1, 5))
def test_universal_newlines(tmp_path: Path, text: str, buffering: int, size: int) -> None:
    path = tmp_path / "file"
    path.write_bytes(text.encode())
    with open(path, newline=None) as file:
        lines = file.readlines()
        seen = file.newlines
    stream = open_file_as_stream(str(path), "U", buffering)
    got = []
    while line := stream.readline():
        got.append(line)
    assert got == lines
    ends = {1: "\r", 2: "\n", 4: "\r\n"}
    expected = {seen} if isinstance(seen, str) else set(seen or ())
    assert {ends[bit] for bit in ends if stream.getnewlines() & bit} == expected
    stream.seek(0, 0)
    pieces = []
    while piece := stream.read(size):
        pieces.append(piece)
    assert "".join(pieces) == "".join(lines)
    stream.close()


def test_closing_with_unwritten_data_closes_the_file_even_if_it_cannot_be_written() -> None:
    stream = open_file_as_stream("/dev/full", "w")
    stream.write("x")
    with pytest.raises(OSError, match="No space left"):
        stream.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        stream.tell()


FILTERED = st.lists(
    st.one_of(
        st.tuples(st.just("read"), st.integers(0, 6)),
        st.tuples(st.just("line")),
        st.tuples(st.just("back"), st.integers(0, 1)),
    ),
    max_size=10,
)  # fmt: skip


@settings(
    max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text("a\n\r", max_size=14), st.sampled_from([-1, 0, 2, 3]), FILTERED)
def test_position_in_translated_text(
    tmp_path: Path, text: str, buffering: int, steps: list[tuple[Any, ...]]
) -> None:
    """What is read from where ``tell`` says is what comes next, all along."""
    path = tmp_path / "filtered"
    path.write_bytes(text.encode("latin-1"))
    whole = text.replace("\r\n", "\n").replace("\r", "\n")
    stream = open_file_as_stream(str(path), "rU", buffering)
    given = 0
    for name, *arguments in steps:
        if name != "back":
            given += len(ON_STREAM[name](stream, *arguments))
        place = stream.tell()
        assert text[:place].replace("\r\n", "\n").replace("\r", "\n") == whole[:given]
        assert not text[place:].startswith("\n") or not text[:place].endswith("\r")
        if name == "back":
            stream.seek(place, 0)
    assert stream.readall() == whole[given:]
    stream.close()
