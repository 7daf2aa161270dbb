"""``rpython port``: Python 2 in, Python 3 and what is left to decide out."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from rpython.translator.commandline.cli import main
from rpython.translator.port.command import Ported, port_files, write

EDITS = {
    "print statement": ('print "a", b,', "print(\"a\", b, end=' ')"),
    "print to a file": ("print >>f, x", "print(x, file=f)"),
    "except": ("try: f()\nexcept E, e: pass", "try: f()\nexcept E as e: pass"),
    "raise": ('raise E, "text"', 'raise E("text")'),
    "octal and long": ("x = 0777 + 10L", "x = 0o777 + 10"),
    "xrange": ("for i in xrange(3): pass", "for i in range(3): pass"),
    "dict methods": ("for k, v in d.iteritems(): d.has_key(k)", "for k, v in d.items(): k in d"),
    "next": ("x = it.next()", "x = next(it)"),
    "next of what a call gives": ("x = f(y).g[0].next() + 1", "x = next(f(y).g[0]) + 1"),
    "an attribute called next": ("x.next = y.next", "x.next = y.next"),
    "an iterator's method": (
        "class A:\n    def __iter__(self): return self\n    def next(self): return 1",
        "class A:\n    def __iter__(self): return self\n    def __next__(self): return 1",
    ),
    "nonzero": (
        "class A:\n    def __nonzero__(self): return True",
        "class A:\n    def __bool__(self): return True",
    ),
    "tuple parameters": ("f = lambda (a, b): a + b", "f = lambda a_b: a_b[0] + a_b[1]"),
    "string names": ("x = string.letters", "x = string.ascii_letters"),
    "string functions": ("x = string.join(['a', f(b)], ',')", "x = ','.join(['a', f(b)])"),
    "string methods": ("x = string.split(s, ':')", "x = s.split(':')"),
    "a string method alone": ("x = string.upper(s)", "x = s.upper()"),
    "maxint": ("import sys\nx = sys.maxint", "import sys\nx = sys.maxsize"),
    "clock": ("from time import clock", "from time import process_time as clock"),
    "floor": ("x = math.floor(y)", "x = float(math.floor(y))"),
    "floor within int": ("x = int(math.floor(y))", "x = int(math.floor(y))"),
    "unicode": ("x = unicode(y)", "x = str(y)"),
    "os.read": ("x = os.read(0, 10)", 'x = os.read(0, 10).decode("latin-1")'),
    "os.write": ("os.write(1, x + y)", 'os.write(1, (x + y).encode("latin-1"))'),
    "os.write of a literal": ("os.write(1, 'a\\n')", "os.write(1, b'a\\n')"),
    "os.write of two literals": (
        "os.write(1, 'a' 'b')", "os.write(1, ('a' 'b').encode(\"latin-1\"))"
    ),
    "open": ("f = open(p)", 'f = open(p, encoding="latin-1", newline="\\n")'),
    "open binary": ("f = file(p, 'rb')", 'f = open(p, "r", encoding="latin-1", newline="\\n")'),
    "PyPy's rlib": ("from pypy.rlib.jit import hint", "from rpython.rlib.jit import hint"),
    "non-ASCII columns": ("x = 'é', len(a) / 2", "x = 'é', len(a) // 2"),
}  # fmt: skip

INTS = {
    "literals": "x = 7 / 2",
    "locals": "def f(a):\n    n = len(a)\n    return (n + 1) / 2",
    "loop variables": "for i in range(9): f(i / 2)",
    "attributes": "class A:\n    n = 1\n    def f(self): return self.n / 2",
    "parameters": "def half(n): return n / 2\nhalf(len('abc'))",
    "parameters of methods": "class A:\n    def half(self, n): return n / 2\nA().half(3)",
    "of __init__": "class A:\n    def __init__(self, n): self.n = n / 2\nA(3)",
    "results": "def f(): return 3\nx = f() / 2",
    "recursion": "def f(n): return f(n / 2) if n else 0\nf(9)",
    "augmented": "n = 9\nn /= 2",
    "bits": "def f(n): return (1 << n) / 2",
    "globals": "N = 3\ndef f():\n    return N / 2",
}

NOT_INTS = {
    "float": ("x = 1.0\ny = x / 2", False),
    "math": ("y = math.sqrt(2) / 2", False),
    "float of one int": ("y = float(3) / 2", False),
    "unknown parameter": ("def f(n): return n / 2", True),
    "two kinds": ("def f(n): return n / 2\nf(1)\nf(1.0)", True),
    "a function that is a value": ("def f(n): return n / 2\nf(1)\nmap(f, x)", True),
    "star arguments": ("def f(n): return n / 2\nf(1)\nf(*x)", True),
    "an attribute of both kinds": ("a.x = 1\nb.x = 1.5\nc = d.x / 2", True),
    "an item": ("y = x[0] / 2", True),
    "an item in a loop": ("for a in x: print(a / 2)", True),
}

DECISIONS = {
    "cmp method": ("class A:\n    def __cmp__(s, o): return 0", "2: __cmp__ is never called"),
    "getslice": ("class A:\n    def __getslice__(s, i, j): return 0", "2: __getslice__ is"),
    "next of no iterator": (
        "class A:\n    def next(s): return 0\nx = y.next()", "3: x.next(): write next(x) where"
    ),
    "cmp": ("x = cmp(a, b)", "1: cmp() is gone"),
    "cmp=": ("x.sort(cmp=f)", "1: there is no cmp="),
    "sort by function": ("x.sort(f)", "1: sort() takes key="),
    "round": ("x = round(y)", "1: round(x) gives an int"),
    "codec": ("x = y.encode('hex')", "1: the codec 'hex' is for bytes"),
    "wide": ("x = 0xFFFFFFFFFFFFFFFF", "1: 18446744073709551615 has over 63 bits"),
    "exception name": (
        "def f():\n    try: g()\n    except E, e: pass\n    return e", "4: e ends with its except"
    ),
    "comprehension name": (
        "def f():\n    x = [i for i in y]\n    return i", "3: i ends with its comprehension"
    ),
    "absent module": ("from rpython.rlib.nosuch import x", "1: rpython.rlib.nosuch is not here"),
    "absent name": ("from rpython.rlib.jit import nosuch", "1: rpython.rlib.jit has no nosuch"),
    "unclear mode": ("f = open(p, mode)", "1: open(): the mode without"),
}  # fmt: skip


def port(source: str, tmp_path: Path) -> Ported:
    path = tmp_path / "program.py"
    path.write_text(source + "\n")
    (ported,) = port_files([path])
    assert not ported.error
    return ported


@pytest.mark.parametrize("name", EDITS)
def test_edits(name: str, tmp_path: Path) -> None:
    before, after = EDITS[name]
    assert port(before, tmp_path).after == after + "\n"


@pytest.mark.parametrize("name", INTS)
def test_division_of_ints(name: str, tmp_path: Path) -> None:
    ported = port(INTS[name], tmp_path)
    assert ported.after == INTS[name].replace("/", "//") + "\n"
    assert not ported.decisions


@pytest.mark.parametrize("name", NOT_INTS)
def test_not_known_to_be_ints(name: str, tmp_path: Path) -> None:
    source, undecided = NOT_INTS[name]
    ported = port(source, tmp_path)
    assert "//" not in ported.after
    assert any("both sides are ints" in one.text for one in ported.decisions) == undecided


@pytest.mark.parametrize("name", DECISIONS)
def test_decisions(name: str, tmp_path: Path) -> None:
    source, said = DECISIONS[name]
    found = [f"{one.line}: {one.text}" for one in port(source, tmp_path).decisions]
    assert [text for text in found if text.startswith(said)], found


def test_sized_literals_and_halves_of_round_are_decided_already(tmp_path: Path) -> None:
    assert not port("x = r_uint(0xFFFFFFFFFFFFFFFF)\ny = round(x, 2)", tmp_path).decisions


def test_future_division(tmp_path: Path) -> None:
    ported = port("from __future__ import division\nx = 1 / 2", tmp_path)
    assert "//" not in ported.after and not ported.decisions


def test_kinds_go_from_file_to_file(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def half(n): return n / 2\n")
    (tmp_path / "b.py").write_text("from a import half\nhalf(4)\n")
    first, _ = port_files([tmp_path / "a.py", tmp_path / "b.py"])
    assert first.after == "def half(n): return n // 2\n"


@pytest.mark.parametrize(
    ("entry", "after"), [("entry_point", "import b"), ("f", "from . import b")]
)
def test_imports_of_siblings(entry: str, after: str, tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text("")
    (tmp_path / "a.py").write_text("import b\n")
    (tmp_path / "b.py").write_text(f"def {entry}(argv): return 0\n")
    first, _ = port_files([tmp_path / "a.py", tmp_path / "b.py"])
    assert first.after == after + "\n"


def test_a_file_is_ported_once(tmp_path: Path) -> None:
    ported = port("x = 7 / 2", tmp_path)
    write(ported)
    assert ported.path.read_text() == "x = 7 // 2\n"
    assert (tmp_path / "program.py.bak").read_text() == "x = 7 / 2\n"
    (again,) = port_files([ported.path])
    assert "ported before" in again.error and again.after == again.before


def test_modes_and_line_ends_stay(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_bytes(b"#!/usr/bin/python2\r\nprint 1\r\n")
    path.chmod(0o750)
    (ported,) = port_files([path])
    write(ported)
    assert path.read_bytes() == b"#!/usr/bin/python2\r\nprint(1)\r\n"
    assert path.stat().st_mode & 0o777 == 0o750


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text("print a / b\n")
    bad.write_text("x = 1\nprint (\n")
    assert main(["port", "--diff", str(good)]) == 0
    expected = f"""\
        --- {good}
        +++ {good}
        @@ -1 +1 @@
        -print a / b
        +print(a / b)
        {good}:1: `/`: write `//` where both sides are ints
        """
    assert capsys.readouterr().out == dedent(expected)
    assert good.read_text() == "print a / b\n"
    assert main(["port", str(good), str(bad)]) == 1
    out, err = capsys.readouterr()
    assert out == f"{good}:1: `/`: write `//` where both sides are ints\n"
    assert err.startswith(f"{bad}:") and err.count("\n") == 1
    assert good.read_text() == "print(a / b)\n" and bad.read_text() == "x = 1\nprint (\n"


def test_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    absent = tmp_path / "absent.py"
    assert main(["port", str(absent)]) == 1
    assert capsys.readouterr().err == f"translation error[R1004]: cannot read {absent}: " + (
        "No such file or directory\n"
    )
    latin = tmp_path / "latin.py"
    latin.write_bytes(b"x = '\xe9'\n")
    assert main(["port", str(latin)]) == 1
    assert "is not UTF-8" in capsys.readouterr().err
