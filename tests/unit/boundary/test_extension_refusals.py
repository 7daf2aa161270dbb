"""Which modules can become extension modules, and what is said of the others."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rpython.backend_c.extension_table import init_function
from rpython.backend_c.modulebuild import build_module
from rpython.translator.extension.exports import exports_of, module_path
from rpython.translator.extension.program import ExtensionTranslation
from rpython.translator.ir.errors import BuildError, TranslationError
from rpython.translator.options import Options
from rpython.translator.target import load_module

REFUSED = [
    ("def f(n): return n", "f(): the type of argument 'n' is not known"),
    (
        "def f(*args: int, **more: int) -> int: return 1",
        "f() takes *args and **more, which calls from Python cannot give both",
    ),
    (
        "class A:\n    def f(*args: int) -> int: return 1",
        "A.f() takes *args and no self",
    ),
    ("def f(x: complex) -> int: return 1", "argument 'x': values of type complex cannot come"),
    ("def f(x: 'Nope') -> int: return 1", "f: a type hint cannot be read"),
    ("def f(n: int, m: list = []) -> int: return 1", "argument 'm': values of type list cannot"),
    ("def f(m: list[int] = []) -> int: return 1", "the default [] is not a constant"),
    ("def f(x: float = 1) -> float: return x", "the default 1 of argument 'x' is no float"),
    ("def f(n: int): return map(str, [n])", "f(): the result is"),
    ("def f(n: int): return 1 if n else True", "f(): the result is an int or a bool"),
    ("KEPT = [1]\ndef f() -> list[int]: return KEPT", "the result (list[int]) may be the same"),
    (
        "class Box:\n    def __init__(self, xs: list[int]) -> None:\n        self.xs = xs",
        "Box.__init__(): argument 'xs' (list[int]) may be the same object as what is in attribute"
        " 'xs' of Box",
    ),
    (
        "class Box:\n    def __init__(self) -> None:\n        self.xs = [1]\n"
        "    def get(self) -> list[int]:\n        return self.xs",
        "Box.get(): the result (list[int]) may be the same object",
    ),
    ("class Box:\n    def __init__(self, n): self.n = n", "the type of argument 'n' is not known"),
    ("class Box:\n    def f(self, n): return n", "Box.f(): the type of argument 'n'"),
    (
        "N = 0\ndef f() -> None:\n    global N\n    N += 1",
        "N is assigned by native code, which Python would not see",
    ),
    (
        "class C:\n    made = 0\n    def __init__(self) -> None:\n        C.made += 1",
        "the class attribute C.made is assigned by native code",
    ),
    (
        "_G = [1]\ndef f(n: int) -> list[int]:\n    global _G\n    _G = [n]\n    return _G",
        "f(): the result (list[int]) may be the same object as",
    ),
    ("class _Box: pass\ndef f(): return _Box()", "f(): the result is instance of _Box"),
    ("__all__ = ['TABLE']\nTABLE = [1]", "__all__ names 'TABLE', which is [1]"),
    ("__all__ = ['f']", "__all__ names 'f', which the module does not define"),
    (
        "def f(n: int): return n\nclass C: pass\nC.__module__ = 'other'",
        "C is defined in refused, but its __module__ is 'other'",
    ),
    (
        "def g(): return 1\nif True:\n    def h(): return 2\nh.__module__ = None",
        "h is defined in refused, but its __module__ is None",
    ),
    (
        "class E(KeyError):\n    def __str__(self): return 'e'\ndef f(n: int): raise E(n)",
        "class E defines __str__",
    ),
    ("import sys\ndef f(): return len(sys.argv)", "cannot use sys.argv, which belongs to Python"),
    ("def f(): return input()", "cannot use standard input, which belongs to Python"),
    ("import random\ndef f(): return random.random()", "cannot use the random numbers of the"),
    ("from random import shuffle\ndef f(xs: list[int]): shuffle(xs)", "cannot use the random"),
    ("import gc\ndef f(): return gc.isenabled()", "cannot use the switch of gc"),
    ("import sys\ndef f(): sys.setrecursionlimit(99)", "cannot use the recursion limit"),
    ("import threading\nL = threading.Lock()\ndef f(): L.acquire()", "wait for another thread"),
    (
        "import queue\ndef f():\n    q = queue.Queue()\n    q.put(1)\n    return q.get()",
        "wait for another thread",
    ),
    ("import sys\ndef f(): return sys.stdout.isatty()", "cannot use 'isatty' of standard output"),
    ("from sys import stderr\ndef f(): return stderr.encoding", "cannot use 'encoding' of"),
    ("_x = 1", "has no function and no class for Python"),
    ("def f(n: int) -> int:\n    return n + 'x'", "unsupported operands"),
]


@contextlib.contextmanager
def module_of(directory: Path, text: str) -> Iterator[Path]:
    """The path of a module ``refused`` with this text, forgotten afterwards."""
    path = directory / "refused.py"
    path.write_text(text + "\n")
    try:
        yield path
    finally:
        sys.modules.pop("refused", None)


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_refused(tmp_path: Path, text: str, message: str) -> None:
    with module_of(tmp_path, text) as path, pytest.raises(TranslationError) as info:
        ExtensionTranslation(load_module(path)).optimise()
    assert message in info.value.render()


CALLS = [
    ("import os\ndef f(): os.environ['A'] = 'b'", "cannot change os.environ"),
    ("import os\ndef f(): del os.environ['A']", "cannot change os.environ"),
    ("import os\ndef f(): return os.fork()", "cannot call os.fork()"),
    ("import threading as t\ndef f(): return t.current_thread().name", "ask which thread runs"),
    ("import threading as t\ndef f(): return t.active_count()", "ask which thread runs"),
]


@pytest.mark.parametrize(("text", "message"), CALLS)
def test_refused_when_lowered(tmp_path: Path, text: str, message: str) -> None:
    with (
        module_of(tmp_path, text) as path,
        pytest.raises(BuildError, match="an extension module cannot") as info,
    ):
        ExtensionTranslation(load_module(path), Options(passes="", verify=False)).extension()
    assert message in str(info.value)


@pytest.mark.parametrize("text", ["sys.version_info >= (3, 12)", "sys.version.upper()"])
def test_for_one_version(tmp_path: Path, text: str) -> None:
    path = tmp_path / "version.py"
    path.write_text(f"import sys\ndef f(): return {text}\n")
    translation = ExtensionTranslation(load_module(path), Options(passes="", verify=False))
    del sys.modules["version"]
    with pytest.raises(BuildError, match="is built for one"):
        build_module(translation.optimise(), translation.extension(), tmp_path / "version.abi3.so")


AT_IMPORT = [
    ("import os\nDEBUG = os.environ.get('DEBUG')", "os.environ"),
    ("from os import environ as e\nDEBUG = 'D' in e", "os.environ"),
    ("import time as t\nclass C:\n    started = t.time()", "time.time"),
    ("import random\nrandom.seed(1)", "random.seed"),
    ("import random\nR = random.Random()", "Random()"),
    ("from random import Random\nR = Random()", "Random()"),
    ("import sys\nsys.setrecursionlimit(10000)", "sys.setrecursionlimit"),
    ("import datetime\nD = datetime.datetime.now().year", "datetime.now"),
    ("print('loading')", "print()"),
    ("import os\ndef g(n: int = os.getpid()) -> int: return n", "os.getpid"),
    ("import os, random, time\nfrom time import sleep\nR = random.Random(3)\nSEP = os.sep\n"
     "now = time.time\ndef g(c: int = 1) -> float: return now()\n"
     "if __name__ == '__main__':\n    print(time.time())", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), AT_IMPORT)
def test_when_it_is_imported(tmp_path: Path, text: str, message: str) -> None:
    with module_of(tmp_path, f"{text}\ndef f() -> int: return 1") as path:
        module = load_module(path)
        if not message:
            ExtensionTranslation(module)
            return
        with pytest.raises(TranslationError, match="which runs when it is built") as info:
            ExtensionTranslation(module)
    assert message in info.value.render()


SETTINGS = """
DEBUG = False
ITEMS = [1, 2]
class Base:
    n = 0
STATE = Base()
def size(): return len(ITEMS)
def bump(): STATE.n += 1
def twice(n): return n * 2
"""
OTHERS = [
    ("import settings\ndef f(): return settings.DEBUG", "cannot use settings.DEBUG"),
    ("import settings\ndef f(): return settings.size()", "cannot use settings.ITEMS"),
    ("from settings import ITEMS\ndef f(): return len(ITEMS)", "cannot use settings.ITEMS"),
    ("from settings import bump\ndef f(): bump()", "cannot use settings.STATE"),
    ("from settings import Base\nclass Mine(Base): pass", "is derived from Base of module"),
    ("from collections.abc import Sized\nclass Mine(Sized):\n    def __len__(self): return 1",
     "is derived from Sized of module collections.abc"),
    ("import settings\nfrom settings import DEBUG\nITEMS = list(settings.ITEMS)\n"
     "def f(): return DEBUG and len(ITEMS) == settings.twice(1)", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), OTHERS)
def test_variables_of_other_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    (tmp_path / "settings.py").write_text(SETTINGS)
    monkeypatch.syspath_prepend(str(tmp_path))
    path = tmp_path / "refused.py"
    path.write_text(text + "\n")
    try:
        translation = ExtensionTranslation(load_module(path), Options(verify=False))
        if not message:
            translation.annotate()
            return
        with pytest.raises(TranslationError) as info:
            translation.annotate()
    finally:
        sys.modules.pop("refused", None)
        sys.modules.pop("settings", None)
    assert message in info.value.render()


ACCEPTED = [
    "__all__ = ['g']\ndef f(n): return n\ndef g(n: int) -> int: return f(n)",
    "def _f(n): return n\ndef g(n: int) -> int: return _f(n)",
    "def entry_point(argv): return 0\ndef g(n: int) -> int: return n",
    "class _VM:\n    def __init__(self, xs): self.xs = xs\n    def run(self): return self.xs[0]\n"
    "def g(xs: list[int]) -> int: return _VM(xs).run()",
    "class Box:\n    def __init__(self, xs: list[int]) -> None: self.xs = list(xs)\n"
    "    def total(self) -> int: return _total(self.xs)\n"
    "def _total(xs): return len(xs)\ndef g(xs: list[int]) -> int: return len(xs)",
]

COPIES = """
class Box:
    def __init__(self, xs: list[int], d: dict[str, int]) -> None:
        self.xs = xs[:]
        self.d = dict(d)
        self.rows = [self.xs]
        self.last: list[int] = []
    {method}
def _total(xs):
    return sum(xs)
def _first(xs):
    return xs
def _keep(box, xs):
    box.last = xs
"""
OWN = [
    "def get(self, n: int): return self.xs[:n]",
    "def get(self): return self.xs + [1]",
    "def get(self): return sorted(self.xs)",
    "def get(self, xs: list[int]): return _total(xs) + _total(self.xs)",
    "def get(self, xs: list[int]): self.xs.extend(xs)",
    "def get(self, xs: list[int]): return xs if len(xs) > len(self.xs) else self.xs[1:]",
    "def get(self, xs: list[int]):\n        for i, x in enumerate(xs): self.xs.append(x * i)",
    "def get(self, xs: list[int]): xs += self.xs",
    "def get(self):\n        r = self.xs[:]\n        r.append(1)\n        return (r, len(r))",
    "def get(self, d: dict[str, int]): self.d.update(d); return list(d.items())",
    "def get(self): return self._copy(3)\n    def _copy(self, n): return self.xs[:n]",
    "def get(self): return [list(row) for row in self.rows]",
]
SHARED = [
    "def get(self): return self.xs",
    "def get(self): return _first(self.xs)",
    "def get(self): return (1, self.xs)",
    "def get(self, xs: list[int]): self.xs = xs",
    "def get(self, xs: list[int]): _keep(self, xs)",
    "def get(self, xs: list[int]): self.rows.append(xs)",
    "def get(self, xs: list[int]): self.rows = [xs]",
    "def get(self, xs: list[int]):\n        ys = xs\n        self.last = ys",
    "def get(self, xs: list[int]): self.last = _first(xs)",
    "def get(self):\n        r = self.xs[:]\n        self.last = r\n        return r",
    "def get(self): return self.rows[:]",
    "def get(self): return self.rows[0]",
    "def get(self, d: dict[str, int]): self.d = d",
    "def get(self, xs: list[int]):\n        t = (xs, 1)\n        self.last = t[0]",
]


@pytest.mark.parametrize("method", [*OWN, *SHARED])
def test_what_the_module_keeps(tmp_path: Path, method: str) -> None:
    path = tmp_path / "copies.py"
    path.write_text(COPIES.replace("{method}", method))
    translation = ExtensionTranslation(load_module(path), Options(verify=False))
    try:
        if method in OWN:
            translation.annotate()
        else:
            with pytest.raises(TranslationError, match="Python and native code cannot share"):
                translation.annotate()
    finally:
        sys.modules.pop("copies", None)


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted(tmp_path: Path, text: str) -> None:
    path = tmp_path / "accepted.py"
    path.write_text(text + "\n")
    try:
        ExtensionTranslation(load_module(path), Options(verify=False)).annotate()
    finally:
        sys.modules.pop("accepted", None)


@pytest.mark.parametrize(
    ("name", "function"),
    [("fast", "PyInit_fast"), ("very-fast", "PyInit_very_fast"), ("schnäll", "PyInitU_schnll_eua")],
)
def test_python_finds_what_makes_the_module(tmp_path: Path, name: str, function: str) -> None:
    assert init_function(name) == function
    assert module_path(tmp_path / f"{name}.py", tmp_path).name.startswith(f"{name}.")


def test_not_built_because_the_name_is_no_name_of_a_module(tmp_path: Path) -> None:
    with pytest.raises(TranslationError, match="'two words' is no name of a module"):
        module_path(tmp_path / "two words.py", None)


def test_facts_are_exported_whatever_all_lists(tmp_path: Path) -> None:
    path = tmp_path / "facts.py"
    path.write_text("__all__ = ['f']\n__version__ = '1.0'\nSIZE = 1\ndef f(): return SIZE\n")
    try:
        public = exports_of(load_module(path))
    finally:
        sys.modules.pop("facts", None)
    assert (public.constants, list(public.functions)) == ({"__version__": "'1.0'"}, ["f"])
