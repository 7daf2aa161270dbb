"""Extension modules: the same module as Python and native has the same answers."""

from __future__ import annotations

import contextlib
import copy
import gc
import importlib.util
import inspect
import io
import os
import subprocess
import sys
import threading
import traceback
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpython.backend_c.headers import extension_suffix
from rpython.backend_c.modulebuild import build_module
from rpython.backend_c.options import BuildOptions
from rpython.translator.extension.program import translate_module
from rpython.translator.ir.errors import BuildError
from rpython.translator.target import load_module

FAST = Path(__file__).parents[2] / "programs" / "extension" / "fast.py"
OPTIONS = BuildOptions(optimise="-O0")


def load_source(path: Path, name: str) -> ModuleType:
    """The module as Python, not left in sys.modules."""
    before = sys.modules.get(name)
    try:
        return load_module(path)
    finally:
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before


def load_native(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build_native(source: Path, folder: Path) -> Path:
    """The extension module of a source file, in that folder."""
    name = source.stem
    module = load_source(source, name)
    sys.modules[name] = module  # its hints are looked up there
    try:
        program, extension = translate_module(module)
    finally:
        del sys.modules[name]
    return build_module(program, extension, folder / f"{name}{extension_suffix()}", OPTIONS).path


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if "RPYTHON_TEST_EXTENSION" in os.environ:  # one that was built in another way
        return Path(os.environ["RPYTHON_TEST_EXTENSION"])
    return build_native(FAST, tmp_path_factory.mktemp("extension"))


@pytest.fixture(scope="session")
def fast(built: Path) -> ModuleType:
    return load_native(built, "fast")


@pytest.fixture(scope="session")
def source() -> ModuleType:
    return load_source(FAST, "fast")


def result(module: ModuleType, code: str) -> tuple[str, str, str]:
    """What the code gives with the module's names: lines, the last an expression."""
    *before, last = code.split("; ")
    names = dict(vars(module))
    try:
        exec("\n".join(before), names)
        value = eval(last, names)
    except Exception as error:
        cls = type(error)
        return "raises", f"{cls.__module__}.{cls.__name__}", str(error)
    return "returns", type(value).__name__, repr(value)


SAME = (FAST.parent / "same.txt").read_text().splitlines()
"""Code that has the same result with both modules."""


@pytest.mark.parametrize("code", SAME)
def test_same_answer(fast: ModuleType, source: ModuleType, code: str) -> None:
    expected, actual = result(source, code), result(fast, code)
    if "__doc__" in code and "add" in code:
        assert "The sum." in actual[2]
    elif expected[1] == "builtins.TypeError" and "object" in expected[2]:
        assert actual[1] == expected[1]  # operators: the classes have other bases
    else:
        assert actual == expected


RAISES = """
add(True)                        TypeError: add() argument 'a' must be int, not bool
add(1.0)                         TypeError: add() argument 'a' must be int, not float
add(1, b="2")                    TypeError: add() argument 'b' must be int, not str
add(2 ** 63)                     OverflowError: add() argument 'a' does not fit in 64 bits
add(2 ** 63 - 1)                 OverflowError: integer overflow
scale(1)                         TypeError: scale() argument 'x' must be float, not int
invert(1)                        TypeError: invert() argument 'flag' must be bool, not int
shout(b"x")                      TypeError: shout() argument 'text' must be str, not bytes
shout(type("S", (str,), {})())   TypeError: shout() argument 'text' must be str, not S
total((1, 2))                    TypeError: total() argument 'xs' must be list[int], not tuple
total([1, "x"])                  TypeError: total() argument 'xs' must be list[int]: it has str where int belongs
total([2 ** 64])                 OverflowError: total() argument 'xs' does not fit in 64 bits
maybe("x")                       TypeError: maybe() argument 'n' must be int | None: it has str where int belongs
areas([1])                       TypeError: areas() argument 'shapes' must be list[Shape]: it has int where Shape belongs
areas([Point(1)])                TypeError: areas() argument 'shapes' must be list[Shape]: it has Point where Shape belongs
Basket("x", 1.0)                 TypeError: Basket.__init__() takes 2 positional arguments but 3 were given
Basket("x", things=[])           TypeError: Basket.__init__() got an unexpected keyword argument 'things'
Point("x")                       TypeError: Point.__init__() argument 'x' must be int, not str
setattr(Point(1), "x", "y")      TypeError: Point.x must be int, not str
setattr(Shape("x"), "partner", 1)  TypeError: Shape.partner must be Shape | None, not int
Asking().__exit__(None, None, None)  TypeError: Asking.__exit__() can be called by native code only
Point.norm(Shape("x"))           TypeError: descriptor 'norm' for 'Point' objects doesn't apply to a 'Shape' object
Shape("x")._items                AttributeError: 'Shape' object has no attribute '_items'
Node()                           TypeError: Can't instantiate abstract class Node with abstract method value
Shape.__new__(Shape).area()      TypeError: Shape.area(): __init__() of the object was not called
areas([Shape.__new__(Shape)])    TypeError: areas() argument 'shapes' is not made: its __init__() was not called
Shape("x").__init__("y")         TypeError: Shape.__init__() was called already
type(make(2))(1, 2)              TypeError: _Hidden.__init__() has no type hints: only native code can call it
Shape.__init__(Square.__new__(Square), "x")  TypeError: Shape.__init__() makes objects of class Shape, not of its subclasses
setattr(Point(1), "__class__", Shape)  TypeError: the class of a native 'Point' object cannot be changed
object.__setattr__(Point(1), "__class__", Shape)  TypeError: can't apply this __setattr__ to Point object
setattr(Shape, "KIND", "x")      TypeError: cannot set 'KIND' attribute of <class 'fast.Shape'>: it is native code
delattr(Square, "area")          TypeError: cannot delete 'area' attribute of <class 'fast.Square'>: it is native code
setattr(Shape.__mro__[1], "new", 1)  TypeError: cannot set 'new' attribute of immutable type 'fast.native_object'
__import__("copy").deepcopy(Stack())  TypeError: cannot pickle 'Stack' object
Stack().__reduce_ex__(0)         TypeError: cannot pickle 'Stack' object
__import__("copy").copy(Stack())  TypeError: cannot pickle 'Stack' object
everything((1, 2.0, True, "t", b"b"), [], {}, set(), frozenset(), bytearray())  TypeError: everything() argument 't' must be tuple[int, float, bool, str, bytes, None], not tuple
"""  # noqa: E501


@pytest.mark.parametrize("line", RAISES.strip().splitlines(), ids=lambda line: line.split("  ")[0])
def test_what_python_would_take(fast: ModuleType, line: str) -> None:
    code, expected = line.split("  ", 1)
    kind, cls, text = result(fast, code)
    assert (kind, f"{cls.removeprefix('builtins.')}: {text}") == ("raises", expected.strip())


ints = st.integers(-(1 << 63), (1 << 63) - 1)
texts = st.one_of(st.text(max_size=9), st.text(st.characters(max_codepoint=255), max_size=9))
floats = st.floats(allow_nan=False)
arguments = st.tuples(
    st.tuples(ints, floats, st.booleans(), texts, st.binary(max_size=20), st.none()),
    st.lists(st.tuples(ints, texts), max_size=5),
    st.dictionaries(texts, st.lists(floats, max_size=3), max_size=4),
    st.sets(ints, max_size=5), st.frozensets(texts, max_size=4),
    st.binary(max_size=20).map(bytearray),
)  # fmt: skip


@given(arguments)
def test_values_cross_unchanged(
    fast: ModuleType, source: ModuleType, args: tuple[Any, ...]
) -> None:
    expected, actual = source.everything(*args), fast.everything(*args)
    assert actual == expected
    assert [type(x) for x in actual] == [type(x) for x in expected]
    assert all(actual[i] is args[i] for i in (1, 2, 3, 5))


@given(st.lists(st.lists(ints, max_size=3), min_size=1, max_size=20), st.lists(st.integers(0, 9)))
def test_lists_in_lists_stay_themselves(
    fast: ModuleType, source: ModuleType, rows: list[list[int]], again: list[int]
) -> None:
    rows += [rows[i % len(rows)] for i in again]
    expected, before = copy.deepcopy(rows), {id(row) for row in rows}
    source.sort_rows(expected)
    fast.sort_rows(rows)
    assert rows == expected
    assert {id(row) for row in rows} == before


def test_what_is_not_exported(fast: ModuleType) -> None:
    for name in ("_SECRET", "_inner", "TABLE", "_Hidden", "ORIGIN"):
        assert not hasattr(fast, name)


def test_the_module_cannot_be_changed(fast: ModuleType) -> None:
    for name in ("SIZE", "add", "new"):
        with pytest.raises(AttributeError, match=f"cannot set '{name}' of module fast"):
            setattr(fast, name, 1)
    with pytest.raises(AttributeError, match="cannot delete 'SIZE' of module fast"):
        del fast.SIZE
    assert isinstance(fast, ModuleType) and fast.SIZE == 3
    with pytest.raises(ImportError, match="cannot be loaded twice"):
        load_native(Path(fast.__file__ or ""), "fast")


def test_reload(built: Path) -> None:
    program = """
import importlib, fast, sys
assert fast.add(1) == 3
def once_more():
    del sys.modules["fast"]
    __import__("fast")
for again in (lambda: importlib.reload(fast), once_more):
    try:
        again()
    except ImportError as error:
        print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=built.parent, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert done.stdout.splitlines() == [
        "module fast is native code, which cannot be reloaded",
        "module fast is native code, which cannot be loaded twice in one process",
    ]


def test_one_object_as_two_types(fast: ModuleType) -> None:
    xs: list[Any] = []
    with pytest.raises(TypeError, match="one object is given as list"):
        fast.everything((1, 2.0, True, "t", b"b", None), xs, {"a": xs}, set(), frozenset(),
                        bytearray())  # fmt: skip


def test_exceptions_keep_attributes(fast: ModuleType) -> None:
    with pytest.raises(fast.CodeError) as info:
        fast.fail(7)
    assert (info.value.code, info.value.where, info.value.args) == (7, ("here", 7), ("too much",))
    with pytest.raises(FileNotFoundError) as missing:
        fast.no_file("/nowhere/at/all")
    assert (missing.value.errno, missing.value.filename) == (2, "/nowhere/at/all")


def test_traceback_shows_native_functions(fast: ModuleType) -> None:
    with pytest.raises(ValueError, match="inner") as info:
        fast.outer(3)
    frames = traceback.extract_tb(info.value.__traceback__)[1:]
    lines = FAST.read_text().splitlines()
    shown = [(f.name, f.filename, lines[(f.lineno or 0) - 1].strip()) for f in frames]
    assert shown == [
        ("outer", str(FAST), "return _inner(n) + 1"),
        ("_inner", str(FAST), 'raise ValueError("inner")'),
    ]
    with pytest.raises(ValueError, match="no 1") as info:
        fast.push_and_fail([], 1)
    assert [f.name for f in traceback.extract_tb(info.value.__traceback__)[1:]] == ["push_and_fail"]


@pytest.mark.parametrize("n", [3, 4, 5])
def test_causes_and_contexts(fast: ModuleType, source: ModuleType, n: int) -> None:
    def run(module: ModuleType) -> list[str]:
        try:
            try:
                [].pop()
            except IndexError:
                module.chained(n)
        except module.Error as error:
            lines = traceback.format_exception(error)
        text = "".join(lines).splitlines()
        return [line for line in text if not set(line) <= set(" ^~")]  # native code has no carets

    assert run(fast) == run(source)
    with pytest.raises(fast.Error) as info:
        fast.fail(2)
    assert info.value.__context__ is None  # nothing is left of what was handled


def test_signals_interrupt_loops(built: Path) -> None:
    program = """
import signal, os, subprocess, traceback
signal.signal(signal.SIGINT, signal.default_int_handler)  # tests may run in the background
import fast
def interrupt():
    subprocess.Popen(["sh", "-c", f"sleep 0.2; kill -INT {os.getpid()}"])
xs = [1]
interrupt()
try:
    fast.forever_in(xs)
except KeyboardInterrupt as error:
    print(xs, [f.name for f in traceback.extract_tb(error.__traceback__)])
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=built.parent, capture_output=True, text=True,
        check=True, timeout=20,
    )  # fmt: skip
    assert done.stdout == "[0] ['<module>', 'forever_in', 'forever']\n"


def test_signatures(fast: ModuleType, source: ModuleType) -> None:
    assert str(inspect.signature(fast.add)) == "(a, b=2)"
    assert str(inspect.signature(fast.scale)) == "(x, *, by=2.0, times=1)"
    assert str(inspect.signature(fast.first)) == "(a, /, b, c=5)"
    assert str(inspect.signature(fast.Point)) == "(x, y=0.5)"
    assert str(inspect.signature(fast.Shape.describe)) == "(self, /, times=1)"
    assert inspect.getdoc(fast.add) == "The sum."


def test_output_goes_where_python_prints(fast: ModuleType) -> None:
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        print("before")
        fast.hello("wörld")
        print("after")
    assert text.getvalue() == "before\nhello wörld\nafter\n"


def test_python_code_may_call_back_while_output_goes_out(fast: ModuleType) -> None:
    class Stream(io.StringIO):
        def write(self, text: str) -> int:
            xs = [1, 2]
            fast.push(xs, fast.total([3, 4]))
            return super().write(f"{text!r} {xs} ")

    text = Stream()
    with contextlib.redirect_stdout(text):
        fast.hello("a")
        assert fast.say(["b", "c"], [fast.Point(1)]) == ["c", "b"]
    assert text.getvalue() == "'hello a\\n' [1, 2, 7] 'b c\\n1\\n' [1, 2, 7] "

    class Broken(io.StringIO):
        def write(self, text: str) -> int:
            raise KeyError(text)

    with contextlib.redirect_stdout(Broken()), pytest.raises(KeyError):
        fast.hello("a")


@pytest.mark.usefixtures("few_objects")
def test_objects_die_while_values_cross(fast: ModuleType) -> None:
    class Dropping:
        """Collected at some time in a call, it uses native code."""

        def __init__(self) -> None:
            self.me = self
            self.shape = fast.make(1)

        def __del__(self) -> None:
            fast.move([self.shape, fast.make(0)], [])
            fast.total([1, 2])

    threshold = gc.get_threshold()
    gc.set_threshold(5, 2, 2)
    try:
        for i in range(200):
            Dropping()
            shapes = [fast.make(n) for n in (0, 1, 2)]
            other: list[Any] = []
            last = fast.move(shapes, other)
            assert other[0] is last and len(shapes) == 2
            assert [p.x for p, _ in fast.pairs(i)] == list(range(i))
    finally:
        gc.set_threshold(*threshold)


def test_output_in_order(built: Path) -> None:
    program = "import fast\nprint('a')\nfast.hello('b')\nprint('c')\nfast.hello('d')"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=built.parent, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert done.stdout == "a\nhello b\nc\nhello d\n"


def test_threads(fast: ModuleType) -> None:
    wrong: list[str] = []

    def work(number: int) -> None:
        for i in range(300):
            point = fast.Point(i, 1.0) + fast.Point(number, 1.0)
            if point.x != i + number or fast.total([i, number]) != i + number:
                wrong.append(f"{number} {i}")
        try:
            fast.deep(0)
        except RecursionError:
            return
        wrong.append(f"{number} recursion")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def quietly(call: Callable[[], Any]) -> Callable[[], None]:
    def run() -> None:
        with contextlib.suppress(Exception):
            call()

    return run


def test_no_references_leak(fast: ModuleType) -> None:
    point, shape, xs, d = fast.Point(1), fast.make(1), [1], {"a": 1}
    text = "\u1234" * 10
    calls = [
        lambda: fast.add(1), fast.nothing, lambda: fast.push([1], 2), lambda: fast.given(xs),
        lambda: setattr(point, "x", 3), lambda: shape.describe(), lambda: fast.Square(2.0),
        lambda: fast.best([shape, shape]), lambda: fast.move([shape], []), lambda: point + point,
        lambda: fast.fill(d, {1}, bytearray(b"x")), lambda: fast.echo(text, b"x"),
        lambda: fast.add(None), lambda: fast.add(2**63 - 1), lambda: fast.fail(5),
        lambda: fast.fail(2), lambda: fast.total([1, "x"]), lambda: fast.push_and_fail([], 1),
        lambda: fast.pairs(2), lambda: fast.repeated(1), lambda: setattr(shape, "partner", shape),
    ]  # fmt: skip
    watched = [
        None, True, (), fast.Point, fast.Shape, fast.Square, fast.Error, fast.CodeError, ValueError,
        text, xs, d, point, shape, vars(fast),
    ]  # fmt: skip
    for call in map(quietly, calls):
        call()
        before = [sys.getrefcount(x) for x in watched]
        for _ in range(500):
            call()
        after = [sys.getrefcount(x) for x in watched]
        assert all(abs(a - b) < 20 for a, b in zip(after, before)), (before, after)


@pytest.mark.usefixtures("few_objects")
def test_no_memory_leaks(fast: ModuleType) -> None:
    def work() -> None:
        for i in range(1000):
            shapes = [fast.make(1), fast.make(2), fast.make(0)]
            other: list[Any] = []
            fast.move(shapes, other)
            rows = [[i], [3, 4]]
            fast.sort_rows(rows)
            quietly(lambda: fast.fail(5))()

    work()
    tracemalloc.start()
    try:
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        work()
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 2000


def test_many_objects(fast: ModuleType) -> None:
    points = [fast.Point(i, 1.0) for i in range(5000)]
    rows = [[i] for i in range(3000, 0, -1)]
    keep = list(rows)
    fast.sort_rows(rows)
    assert rows[0] is keep[-1] and rows[0] == [1, 99] and rows[-1] is keep[0]
    assert [p.x for p in points] == list(range(5000))


# -- building ---------------------------------------------------------------------------------


def test_failed_builds_leave_the_module(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"small{extension_suffix()}"
    path.write_bytes(b"previous")
    source = tmp_path / "small.py"
    source.write_text("def f(n: int) -> int: return n\n")
    program, extension = translate_module(load_module(source))
    with monkeypatch.context() as patched:
        patched.setenv("CC", "false")
        with pytest.raises(BuildError):
            build_module(program, extension, path, OPTIONS)
    with monkeypatch.context() as patched:
        patched.setattr("sysconfig.get_path", lambda name: str(tmp_path / "nowhere"))
        with pytest.raises(BuildError, match="Python.h is missing"):
            build_module(program, extension, path, OPTIONS)
    with pytest.raises(BuildError, match="leave out --target"):
        build_module(program, extension, path, BuildOptions(target="aarch64-linux-gnu"))
    assert path.read_bytes() == b"previous"
