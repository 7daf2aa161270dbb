"""Strings under CPython and translated."""

import io
import math
import sys

import pytest
from differential import agree

import rpython
from rpython.rlib.rarithmetic import r_uint, r_uint8
from rpython.translator.api import Interpretation
from rpython.translator.ir.errors import TranslationError

WORDS = ["", "a", "abc", "ABC abc", "äöü", "日本語", "a日", "x" * 10, "\ud800", "\U0001f600"]
PAIRS = [(s, t) for s in WORDS for t in WORDS]


def test_build_and_compare():
    def f(s, t):
        r = s + t * 2 + "é"
        r += s[:1]
        for name, answer in [
            ("<", s < t), ("<=", s <= t), ("==", s == t), ("!=", s != t), (">", s > t),
            (">=", s >= t), ("in", s in t),
        ]:  # fmt: skip
            if answer:
                r += name
        return r + str(len(r)) + str(not s) + str(bool(t))

    agree(f, *PAIRS)


def test_index_and_slice():
    def f(s, i, j, k):
        return s[i:j] + "|" + s[i:] + "|" + s[:j] + "|" + s[i:j:k] + "|" + s[::k] + s[:] + s[-2:3]

    def item(s, i):
        return s[i]

    def unsigned(s, n):
        return s[r_uint(n)] + s[r_uint8(n) : r_uint(n)]

    calls = [(s, i, j, k) for s in ("", "abcd", "日本語x") for i in (-9, -1, 0, 2, 9)
             for j in (-9, -2, 1, 9) for k in (-3, -1, 1, 2)]  # fmt: skip
    agree(f, *calls, ("abc", 0, 2, 0), ("abc", -(2**63), 2**63 - 1, -(2**63)))
    agree(item, *[("abc", i) for i in range(-4, 5)], ("日", 0), ("", 0))
    agree(unsigned, ("abc", 1), ("abc", 3), ("abc", 2**63 - 1))


def test_repeat():
    def f(s, n):
        return s * n + n * s

    agree(f, *[(s, n) for s in WORDS for n in (-1, 0, 1, 3)])
    assert rpython.interpret(lambda n: len("ab" * n), [5]) == 10
    with pytest.raises(OverflowError, match="repeated string is too long"):
        rpython.interpret(lambda n: len("ab" * n), [2**62])
    with pytest.raises(MemoryError):
        rpython.interpret(lambda n: len("ab" * n), [2**60])


def test_iterate():
    def f(s):
        r = ""
        for c in s:
            r = c + r
        for i, c in enumerate(s):
            if c in "aeiou":
                r += str(i)
            if c in " ,;:._-!äö日":
                r += "!"
            if c == "x" or c > "\xff" or s[i] != s[-1 - i]:
                r += c + "."
        for c in reversed(s):
            for d in c:
                r += d
        return r

    agree(f, *WORDS, "hello, world")


def test_unpack():
    def f(s):
        a, b = s
        return b + a

    agree(f, "ab", "日a", "", "a", "abc")


def test_none():
    def f(n, s):
        t = s if n else None
        u = s[:1] if n > 1 else None
        if t is None:
            return str(t) + str(u == t)
        if t == u:
            return t + "!"
        return f"{t}{u}{t == s}{u is None}"

    def length_of_none(n):
        t = "a" if n else None
        return len(t)

    agree(f, *[(n, s) for n in (0, 1, 2) for s in ("", "a", "abc")])
    agree(length_of_none, 1, 0)


def test_characters_in_containers():
    def f(s):
        pair = (s[0], s[-1])
        chars = [c for c in s]
        chars.append("z")
        counts = {}
        for c in chars:
            counts[c] = counts.get(c, 0) + 1
        first = None
        for c in s:
            if first is None or c < first:
                first = c
        return (pair, chars, counts[s[0]], first, pair[0] in chars, ("q", s[0]) == pair)

    agree(f, "abca", "日本日", "x")


def test_equal_constants_are_one_object():
    def f(n):
        table = {"one": 1, "zwölf": 12, "日": 3}
        words = ["one", "zwölf", "日"]
        return table[words[n]]

    agree(f, 0, 1, 2, 3)


def test_methods():
    def change(s, t):
        return [
            s.upper(), s.lower(), s.strip(), s.lstrip("a "), s.rstrip(t), s.strip(None),
            s.replace(t, "<>"), s.replace(t, "", 2), s.removeprefix(t), s.removesuffix(t),
            t.join([s, t, s]), t.join(s), t.join((s, "x")), t.join([c for c in s]),
        ]  # fmt: skip

    def search(s, t):
        return [
            s.find(t), s.find(t, 1), s.find(t, 1, -1), s.rfind(t), s.rfind(t, -3), s.count(t),
            s.count(t, 2), s.find(t, None, 3), int(s.startswith(t)), int(s.endswith(t)),
            int(s.startswith(t, 1)), int(s.endswith(t, 0, -1)), int(s.startswith(("b", t))),
            int(s.endswith(("c", "日"))),
        ]  # fmt: skip

    def index(s, t):
        return s.index(t) * 100 + s.rindex(t, 0)

    def tests(s):
        r = [s.isdigit(), s.isspace(), s.isalpha(), s.isalnum(), s.isupper(), s.islower(),
             s.isascii(), s.isprintable()]  # fmt: skip
        for c in s:
            r += [c.isdigit(), c.isspace(), c.isalpha(), c.isalnum(), c.isupper(), c.islower(),
                  c.isprintable()]  # fmt: skip
        return r

    texts = [*WORDS, " a b ", "abcabc", "straße", "ΑΣ ΌΣΟΣ", "1²٣", "ǅ", "ǆ", "\x85\u2028", "ŉ"]
    agree(change, *[(s, t) for s in texts for t in ("", "a", "bc", "日", " ")])
    agree(search, *[(s, t) for s in texts for t in ("", "a", "bc", "日", " ")])
    agree(index, *[(s, t) for s in texts for t in ("", "a", "bc", "日")])
    agree(tests, *texts)


def test_split():
    def f(s, t, n):
        return [
            s.split(), s.split(None, n), s.split(t), s.split(t, n), s.split(t, maxsplit=n),
            s.split(sep=t), s.rsplit(t, n), s.splitlines(), s.splitlines(True),
            s.splitlines(keepends=False),
        ]  # fmt: skip

    texts = ["", " ", " a  b c ", "a,b,,c,", "a\nb\r\nc\rd\x0be\x85f\u2028", "日,本", "日 本 "]
    agree(f, *[(s, t, n) for s in texts for t in (",", "b", "") for n in (-1, 0, 1, 2)])


def test_pad_and_partition():
    def pad(s, n):
        return [
            s.ljust(n), s.rjust(n, "*"), s.center(n), s.center(n, "日"), s.zfill(n), "ab".ljust(n),
        ]  # fmt: skip

    def partition(s, t):
        before, separator, after = s.partition(t)
        return [before, separator, after, s.rpartition(t)[0], s.rpartition(t)[2]]

    agree(pad, *[(s, n) for s in (*WORDS, "-5", "+") for n in (-1, 0, 1, 4, 7, 8)])
    agree(partition, *[(s, t) for s in ("", "a=b=c", "日=") for t in ("=", "b", "zz", "")])


def test_encode():
    def f(n, s):
        if n == 0:
            return s.encode()
        if n == 1:
            return s.encode("latin-1")
        return s.encode(encoding="ascii")

    agree(f, *[(n, s) for n in range(3) for s in [*WORDS, "ab\ud800\udfffc", "aé日本"]])


def test_text_of_values():
    def f(i, x, s, b):
        items = (i, x, s, b, None, (s,), (), s[:1])
        joined = str(i) + repr(x) + str(b) + str(None) + repr(s) + str(("a", 1.5)) + str()
        return f"{i}|{x}|{s}|{b}|{s!r}|{items}|{s[0:1]!r}|{[s, s]}" + joined

    quotes = ["it's", '"q"', "'\"", "\n\t\r\\\0\x7f\x80\xa0\xad\xff\u0378\u1234\U000e0001"]
    agree(f, *[(i, 0.1, s, True) for i in (0, -1, 99, -(2**63)) for s in [*WORDS, *quotes]])
    agree(f, *[(7, x, "", False) for x in (0.0, -0.0, 1e300, math.inf, -math.inf, math.nan, 1e16)])


def test_sized_integers():
    def f(n):
        u = r_uint(n)
        return str(u) + repr(u) + f"{r_uint8(n)}" + str(int(r_uint8(n)))

    agree(f, 0, 5, 255, 2**63 - 1)
    assert rpython.interpret(lambda: str(r_uint(0) - r_uint(1)), []) == str(2**64 - 1)


def test_exceptions():
    class Plain(Exception):
        pass

    def f(n, s):
        try:
            if n == 0:
                raise ValueError(s)
            if n == 1:
                raise KeyError(s)
            if n == 2:
                raise Plain(n)
            if n == 3:
                raise Plain
            if n == 4:
                raise ValueError(("a", n, s))
            if n == 5:
                raise Plain(1.5)
            return chr(-n)
        except (LookupError, ValueError, Plain) as e:
            return str(e) + "!" + f"{e}"

    agree(f, *[(n, s) for n in range(7) for s in ("", "it's")])


def test_ord_and_chr():
    def f(s):
        return ord(s)

    def g(n):
        return chr(n)

    def h(s):
        return [ord(c) for c in s] + [ord(s[0])]

    agree(f, "a", "日", "", "ab")
    agree(g, 0, 65, 255, 256, 0xD800, 0x10FFFF, 0x110000, -1)
    agree(h, "aé日", "")


def test_numbers_from_text():
    def to_int(s, base):
        return int(s, base)

    def decimal(s):
        return int(s) + int(s[:1])

    def to_float(s):
        return float(s)

    agree(to_int, ("12", 10), ("ff", 16), ("0b1", 0), ("zz", 36), ("9", 8), ("1", 99), ("", 2))
    agree(decimal, "12", " 12 ", "x", "١٢", "it's", "x" * 300)
    agree(to_float, "1.5", "1e400", " inf\n", "nan", "1_0", "1__0", "", "x'", "١.٢")
    with pytest.raises(OverflowError):
        rpython.interpret(decimal, ["9" * 19])


def test_formats():
    def ints(n):
        return (
            f"{n:5d}|{n:05}|{n:<6}|{n:^7}|{n:*>8}|{n:+}|{n: }|{n:,}|{n:_}|{n:012,}|{n:#x}|{n:X}|"
            f"{n:#b}|{n:_b}|{n:#o}|{n:=+9}|{n:e}|{n:.2f}|{n:%}|{n!r:>9}"
        ) + "%d|%5d|%-5d|%05d|%+d|% d|%x|%#X|%o|%.3d|%i|%s|%r|%5s|%f|%%" % (
            n, n, n, n, n, n, n, n, n, n, n, n, n, n, n,
        )  # fmt: skip

    def floats(x):
        return f"{x:.2f}|{x:e}|{x:10.3f}|{x:<9.1f}|{x:+g}|{x:,.2f}|{x:015,.1f}|{x:%}|{x:20}|{x:G}" + (
            "%f|%.1e|%10.2f|%-8.0f|%g|%+.3f|%08.2f|%s|%r" % (x, x, x, x, x, x, x, x, x)
        )

    def texts(s):
        return f"{s:5}|{s:>5}|{s:^6}|{s:.2}|{s:日<4.1}|{s!r:9}|{s:05}" + (
            "%s|%5s|%-5s|%.1s|%r" % (s, s, s, s, s)
        ) + "{}-{}".format(s, 1) + "{1:>4}{0}{{}}".format(s, "x") + "%s" % s

    def others(b):
        return f"{b}|{b:5}|{b:d}" + "%s %d" % (b, b) + "%s" % None + "%c%c" % ("x", 65)

    agree(ints, 0, 1, -7, 1234567, 2**63 - 1, -(2**63))
    agree(floats, 0.0, -0.0, 1.5, -1234567.891, 1e-7, 1e22, math.inf, -math.inf, math.nan)
    agree(texts, *WORDS)
    agree(others, True, False)


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
    assert "known at translation time" in refused(lambda s: s % 1, str)
    assert "Unknown format code" in refused(lambda s: f"{s:d}", str)
    assert "may be a bool" in refused(lambda n, b: str([n, b]), int, bool)
    assert "codec" in refused(lambda s: s.encode("utf-16"), str)
