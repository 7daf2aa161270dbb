"""``rpython.rlib.rsre`` against ``re``: random patterns on random strings, untranslated."""

import re
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import rpython
from rpython.rlib.rsre import rsre_core, rsre_re, rsre_runtime
from rpython.rlib.rsre.rpy import get_code
from rpython.rlib.rsre.rsre_code import SET
from rpython.rlib.rsre.rsre_compile import CompiledPattern
from rpython.translator.options import Options

ATOMS = (
    "a", "b", "c", ".", r"\w", r"\W", "[ab]", "[^a]", r"\b", r"\B", "^", "$", "", r"\d", r"\s",
    r"\A", r"\Z", r"\1", r"\2", "[^\\Wb]",
)  # fmt: skip
REPEATS = ("*", "+", "?", "{2}", "{1,2}", "{0,3}", "{2,}")
FLAGS = (0, re.IGNORECASE, re.MULTILINE, re.DOTALL, re.ASCII, re.IGNORECASE | re.ASCII)
SUBJECTS = st.text("abcAB \n_1é", max_size=8)


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    wraps = ("({})", "(?:{})", "(?={})", "(?!{})", "(?<={})", "(?<!{})", "(?>{})", "(?P<n>{})")
    return st.one_of(
        st.tuples(inner, inner).map("".join),
        st.builds(str.format, st.sampled_from(wraps), inner),
        st.builds("(?:{}|{})".format, inner, inner),
        st.builds("(?(1){}|{})".format, inner, inner),
        st.builds("(?:{}){}{}".format, inner, st.sampled_from(REPEATS), st.sampled_from(["", "?"])),
        st.builds("{}{}{}".format, st.sampled_from(["a", ".", "[ab]", "(a)"]),
                  st.sampled_from(REPEATS), st.sampled_from(["", "?", "+"])),
    )  # fmt: skip


PATTERNS = st.recursive(st.sampled_from(ATOMS), _larger, max_leaves=6)
QUICK = settings(
    max_examples=300, deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)  # fmt: skip


def outcome(function: Callable[[], Any]) -> Any:
    try:
        return function()
    except (re.error, IndexError) as error:
        return type(error), str(error)


def described(m: Any) -> Any:
    if m is None:
        return None
    return (
        m.regs, m.lastindex, m.lastgroup, m.groups(), m.groups("-"), m.group(), m.span(),
        m.groupdict(), m.pos, m.endpos, str(m),
    )  # fmt: skip


def compiled(pattern: Any, flags: int) -> tuple[Any, Any]:
    try:
        host = re.compile(pattern, flags)
    except (re.error, OverflowError):
        assume(False)
    return host, rsre_re.compile(pattern, flags)


PIECES = (
    "(", ")", "[", "]", "{", "}", "?", "*", "+", "|", "^", "$", ".", "\\", "(?", "(?P<", "(?P=",
    "(?(", "(?<", "a", "b", "1", "2", "-", ",", "=", "!", ":", ">", "<", "i", "L", "u", "x", "\\x4",
    "\\u", "\\1", "\\12", "\\400", "\\d", "[^", "#", " ", "\n",
)  # fmt: skip


def complaint(compile_pattern: Callable[[], Any]) -> Any:
    try:
        compile_pattern()
    except re.error as error:
        return str(error), error.msg, error.pos, error.lineno, error.colno
    except (OverflowError, ValueError) as error:
        return str(error)
    return None


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="later versions say it in other words")
@pytest.mark.filterwarnings("ignore")
@settings(QUICK, max_examples=2000)
@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join), st.sampled_from(FLAGS))
def test_says_what_re_says(pattern: str, flags: int) -> None:
    expected = complaint(lambda: re.compile(pattern, flags))
    assert complaint(lambda: rsre_runtime.compile_text(pattern, flags)) == expected


@pytest.mark.filterwarnings("ignore")
@QUICK
@given(PATTERNS, st.sampled_from(FLAGS), SUBJECTS, st.integers(0, 3), st.integers(3, 9))
def test_matches_like_re(pattern: str, flags: int, s: str, pos: int, endpos: int) -> None:
    host, ours = compiled(pattern, flags)
    for name in ("match", "search", "fullmatch"):
        expected = getattr(host, name)(s, min(pos, len(s)), endpos)
        assert described(getattr(ours, name)(s, min(pos, len(s)), endpos)) == described(expected)
    assert list(map(described, ours.finditer(s))) == list(map(described, host.finditer(s)))


@pytest.mark.filterwarnings("ignore")
@QUICK
@given(PATTERNS, SUBJECTS, st.integers(0, 2))
def test_finds_and_replaces_like_re(pattern: str, text: str, n: int) -> None:
    subjects = ((pattern, text, "<"), (pattern.encode(), text.encode(), b"<"))
    for source, s, mark in subjects:
        host, ours = compiled(source, 0)
        assert ours.findall(s) == host.findall(s)
        assert ours.split(s, n) == host.split(s, n)
        assert ours.subn(mark, s, n) == host.subn(mark, s, n)
        assert ours.sub(lambda m: m[0] * 2, s, n) == host.sub(lambda m: m[0] * 2, s, n)


PIECES = ("a", r"\1", r"\2", r"\g<0>", r"\g<x>", r"\g<y>", r"\n", r"\q", "\\", r"\07", r"\g",
          r"\101", r"\401", "<", ">", r"\g<", r"\g<>", r"\08", "9", r"\g<a b>", r"\-")  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@QUICK
@given(st.lists(st.sampled_from(PIECES), max_size=3).map("".join))
def test_replacement_texts(template: str) -> None:
    pattern = "(?P<x>a)(b)?"
    host, ours = re.compile(pattern), rsre_re.compile(pattern)
    for s in ("ab", "-a-ab"):
        expected = outcome(lambda s=s: host.sub(template, s))  # type: ignore[misc]
        assert outcome(lambda s=s: ours.sub(template, s)) == expected  # type: ignore[misc]


@pytest.mark.parametrize(
    "pattern",
    ["k", "s", "i", "ß", "\u0130", "\u1e9e", "\u03c3", "\ufb05", "\U00010400", "\u00b5", "[a-z]",
     "[A-Z]", "[^k]", "[^s]", "[\u00e0-\u00ff]", "[\u0370-\u03ff]", "[K-\u212a]", r"\w", r"[^\W\d]",
     r"[\D\s]", "[\u0100-\u2fff]"],
)  # fmt: skip
@pytest.mark.parametrize("flags", [0, re.IGNORECASE, re.IGNORECASE | re.ASCII])
def test_sets_of_characters(pattern: str, flags: int) -> None:
    host, ours = re.compile(pattern, flags), get_code(pattern, flags)
    assert ours.ops[0] <= SET
    ctx = rsre_core.StrMatchContext("", 0, 0)
    for code in (*range(0x2200), *range(0xFB00, 0xFB10), *range(0x10400, 0x10450)):
        expected = host.match(chr(code)) is not None
        assert rsre_core.matches(ctx, ours, 0, code) == expected, hex(code)


def test_escape_and_errors() -> None:
    text = "".join(map(chr, range(256)))
    assert rsre_re.escape(text) == re.escape(text)
    assert rsre_re.escape(text.encode("latin-1")) == re.escape(text.encode("latin-1"))
    with pytest.raises(IndexError, match="^no such group$"):
        rsre_re.match("a", "a").group(1)
    with pytest.raises(TypeError, match="bytes-like"):
        rsre_re.match("a", b"a")
    with pytest.raises(re.error):
        rsre_re.compile("(")
    with pytest.raises(ValueError, match="locale"):
        get_code(b"a", re.LOCALE)


def test_names_of_rsre_core() -> None:
    code = get_code("(a+)(b)?")
    assert isinstance(code, CompiledPattern)
    ctx = rsre_core.search(code, "xaay")
    assert ctx is not None
    assert (ctx.match_start, ctx.match_end, ctx.group(1), ctx.group(2)) == (1, 3, "aa", None)
    assert (ctx.span(2), ctx.get_mark(0)) == ((-1, -1), 1)
    buf = rsre_core.BufMatchContext(b"xaay", 1, 4)
    assert rsre_core.match_context(buf, code)
    assert buf.group() == b"aa"


def test_not_findall_of_patterns_of_other_shapes_because_the_lists_differ() -> None:
    two, none = re.compile("(a)(b)"), re.compile("a")

    def f(s: str) -> int:
        return len((two if s else none).findall(s))

    with pytest.raises(rpython.TranslationError, match="would hold both str and tuple"):
        rpython.interpret(f, ["a"], Options(boxing="refuse"))
