"""Strings: output, input and refusals; programs about them are in ``tests/cases/text``."""

import io
import sys

import pytest

import rpython
from rpython.rlib.rarithmetic import r_uint, r_uint8
from rpython.translator.api import Interpretation
from rpython.translator.ir.errors import TranslationError
from tests.support.differential import agree

WORDS = ["", "a", "abc", "ABC abc", "äöü", "日本語", "a日", "x" * 10, "\ud800", "\U0001f600"]


def test_repeat():
    def f(s, n):
        return s * n + n * s

    agree(f, *[(s, n) for s in WORDS for n in (-1, 0, 1, 3)])
    assert rpython.interpret(lambda n: len("ab" * n), [5]) == 10
    with pytest.raises(OverflowError, match="repeated string is too long"):
        rpython.interpret(lambda n: len("ab" * n), [2**62])
    with pytest.raises(MemoryError):
        rpython.interpret(lambda n: len("ab" * n), [2**60])


def test_sized_integers():
    def f(n):
        u = r_uint(n)
        return str(u) + repr(u) + f"{r_uint8(n)}" + str(int(r_uint8(n)))

    agree(f, 0, 5, 255, 2**63 - 1)
    assert rpython.interpret(lambda: str(r_uint(0) - r_uint(1)), []) == str(2**64 - 1)


def test_too_big_a_character():
    agree(lambda n: "%c" % n, 65, 0x110000)


def test_print(capsys):
    def f(n, s):
        print()
        print("one", n, 1.5, None, n > 1, s, ("a", s), sep="-")
        print("no newline", end="")
        print(s, s, sep=s, end=s + "\n", flush=True)
        print(s, sep=None, end=None, flush=n > 1)
        sys.stdout.write("written\n")
        print("error", s, file=sys.stderr)
        sys.stderr.write(s)
        sys.stdout.flush()
        return sys.stdout.write(s)

    for s in ("", "é", "日本\n"):
        expected = f(3, s), capsys.readouterr()
        assert (rpython.interpret(f, [3, s]), capsys.readouterr()) == expected


def test_print_more_than_the_buffer_holds(capsys):
    def f(s):
        print(s, s[:1], s)

    for s in ("a" * 70000, "é" * 70000, "日" * 70000, "a" * 65531 + "é" * 9):
        rpython.interpret(f, [s])
        assert capsys.readouterr().out == f"{s} {s[:1]} {s}\n"


def test_print_of_a_surrogate_raises(capsys):
    with pytest.raises(UnicodeEncodeError, match="surrogates not allowed"):
        rpython.interpret(lambda s: print(s), ["a\ud800"])
    capsys.readouterr()


def test_standard_input(monkeypatch):
    def f(n):
        if n == 0:
            return sys.stdin.read()
        if n == 1:
            return input() + "|" + sys.stdin.readline() + "|" + sys.stdin.read()
        r = ""
        if n == 3:
            for line in sys.stdin:
                r += line + ";"
            for i, line in enumerate(sys.stdin):
                r += line + str(i)
            return r
        try:
            while True:
                r += input() + ";"
        except EOFError as e:
            return r + str(e)

    interpretation = Interpretation.of(f, [0])
    for text in ("", "one", "one\ntwo\r\nthree\n\n日本\nend", "x" * 70000 + "\n" + "é" * 70000):
        for n in range(4):
            results = []
            for run in (f, lambda n: interpretation.run([n])):
                stdin = io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8", newline="\n")
                monkeypatch.setattr(sys, "stdin", stdin)
                try:
                    results.append(run(n))
                except EOFError as e:
                    results.append(str(e))
            assert results[0] == results[1]


def refused(f, *types):
    with pytest.raises(TranslationError) as error:
        rpython.annotate(f, list(types))
    return str(error.value)


def test_refusals():
    assert "does not go with" in refused(lambda s: "%d" % s, str)
    assert "not enough arguments" in refused(lambda n: "%d %d" % n, int)
    assert "too many arguments" in refused(lambda n: "%d" % (n, n), int)
    assert "Unknown format code" in refused(lambda s: f"{s:d}", str)
    assert "may be a bool" in refused(lambda n, b: str([n, b]), int, bool)
    assert "codec" in refused(lambda s: s.encode("gbk"), str)
