"""``rpython.rlib.rstring`` against the methods of str and ``int``."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rpython.rlib.rstring import (
    InvalidBaseError,
    NumberStringParser,
    ParseStringError,
    StringBuilder,
    replace_count,
    rsplit,
    split,
    strip_spaces,
)

TEXT = st.text("ab \t\n", max_size=12)


@given(TEXT, st.integers(-1, 4))
def test_splits_like_str(s: str, n: int) -> None:
    assert split(s, None, n) == s.split(None, n)
    assert rsplit(s, None, n) == s.rsplit(None, n)
    assert strip_spaces(s) == s.strip()


@given(TEXT, st.text("ab", max_size=2), st.integers(-1, 4))
def test_replaces_and_counts(s: str, sub: str, n: int) -> None:
    result, times = replace_count(s, sub, sub + "x", n)
    assert result == s.replace(sub, sub + "x", n)
    assert len(result) == len(s) + times


@given(st.lists(st.text(max_size=3)))
def test_builder(pieces: list[str]) -> None:
    builder = StringBuilder()
    for i, piece in enumerate(pieces):
        builder.append(piece)
        assert i % 3 or builder.build() == "".join(pieces[: i + 1])
    assert builder.build() == "".join(pieces)
    assert builder.getlength() == len("".join(pieces))


def parsed(s: str, base: int) -> int | None:
    try:
        parser = NumberStringParser(strip_spaces(s), s, base, "int", True, True)
        value, digits = 0, []
        while (digit := parser.next_digit()) >= 0:
            value = value * parser.base + digit
            digits.append(digit)
        assert [parser.prev_digit() for _ in digits] == digits[::-1]
    except (ParseStringError, InvalidBaseError):
        return None
    return value * parser.sign


def by_python(s: str, base: int) -> int | None:
    try:
        return int(s, base) if base != 1 else None
    except ValueError:
        return None


@settings(max_examples=400)
@given(st.text("01_79aAzZ-+ xXbBoO", max_size=7), st.sampled_from([0, 1, 2, 8, 10, 16, 36, 37]))
def test_parses_what_int_parses(s: str, base: int) -> None:
    assert parsed(s, base) == by_python(s, base)
