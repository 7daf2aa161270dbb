"""Which programs are the same ones (``fingerprint``), and the C files that are kept of them."""

from __future__ import annotations

import linecache
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from rpython.backend_c.build import generate_shared
from rpython.backend_c.options import BuildOptions
from rpython.lltypesystem.lltype import Bool, _ptr
from rpython.lltypesystem.program import Program
from rpython.translator import keptsources
from rpython.translator.commandline.cli import main
from rpython.translator.driver import Translation
from rpython.translator.fingerprint import GRAPH_BLOCKS, fingerprint
from rpython.translator.ir.model import Block, Constant, FunctionGraph, Link, SpaceOperation
from rpython.translator.ir.span import Span
from rpython.translator.nativecall import exported
from rpython.translator.opt.callgraph import call_graph

SOURCE = """
class Point:
    def __init__(self, x):
        self.x = x
class Far(Point):
    pass
TABLE = [3, 1, 2]
def small(n):
    return n + 1
def f(n: int) -> str:
    points = [Point(1), Far(n)]
    try:
        total = TABLE[n] + small(n)
    except IndexError:
        raise ValueError("no such row")
    for point in points:
        total += point.x
    return f"{total} of {len(points)}"
"""

CHANGES = {
    "a constant": ("n + 1", "n + 2"),
    "the type of a constant": ("Point(1)", "Point(True)"),
    "a text": ("no such row", "no such line"),
    "data": ("[3, 1, 2]", "[3, 1, 4]"),
    "the length of data": ("[3, 1, 2]", "[3, 1, 2, 2]"),
    "an exception": ("ValueError", "KeyError"),
    "what is caught": ("except IndexError", "except LookupError"),
    "the name of a class": ("Far", "Near"),
    "a base class": ("class Far(Point)", "class Far(Point, object)"),
    "the name of a function": ("small", "little"),
    "the name of a variable": ("total", "result"),
    "an attribute": (".x", ".xx"),
    "an operation": ("total += ", "total -= "),
    "a line": ("def f(", "\ndef f("),
    "a column": ("    for point", "    for  point"),
    "what stands in a line": ("raise ValueError", 'raise (ValueError)  # "'),
}
NO_MATTER = {"a base class"}
"""What makes the same program."""


def function_of(source: str) -> FunctionType:
    """``f`` of that source."""
    namespace: dict[str, Any] = {"__name__": "program"}
    lines = source.splitlines(keepends=True)
    linecache.cache["program.py"] = (len(source), None, lines, "program.py")
    exec(compile(source, "program.py", "exec"), namespace)
    function: FunctionType = namespace["f"]
    return function


def typed(source: str) -> Program:
    """The program of it, not optimised."""
    return exported([(function_of(source), None)])[0].rtype()


@pytest.mark.parametrize("change", CHANGES)
def test_another_program_has_another_fingerprint(change: str) -> None:
    old, new = CHANGES[change]
    assert old in SOURCE
    before, after = fingerprint(typed(SOURCE)), fingerprint(typed(SOURCE.replace(old, new)))
    assert before is not None
    assert after is not None
    assert (before == after) == (change in NO_MATTER)


def test_the_same_program_has_the_same_fingerprint_and_c() -> None:
    first, second = (exported([(function_of(SOURCE), None)])[0] for _ in range(2))
    assert fingerprint(first.rtype()) == fingerprint(second.rtype())
    files = [generate_shared(each.optimise(), BuildOptions()).files for each in (first, second)]
    assert files[0] == files[1]


# -- whatever the stages behind can see matters ----------------------------------------------------


def attributes() -> Iterator[tuple[str, str]]:
    """The classes that graphs consist of, and their attributes, but for those that only other
    stages use, or that say what others say."""
    for cls, derived in (
        (Block, ()), (SpaceOperation, ()), (Span, ()), (Constant, ("annotation",)),
        (Link, ("prevblock",)),
    ):  # fmt: skip
        for name in cls.__slots__:
            if name not in derived:
                yield cls.__name__, name
    for name in vars(FunctionGraph("", Block([]))):
        if name not in GRAPH_BLOCKS:
            yield "FunctionGraph", name


def an_instance(program: Program, kind: str, name: str) -> Any:
    """An object of a program that has such an attribute, in which that means something."""
    graph = next(g for g in call_graph(program).graphs if g.name == "f")
    blocks = list(graph.iterblocks())
    op = next(op for _, op in graph.iterblockops() if op.opname == "int_add_ovf")
    if kind == "Constant":
        return next(a for _, op in graph.iterblockops() for a in op.args if isinstance(a, Constant))
    found = {
        "Block": next(block for block in blocks if len(block.exits) > 1 and block.operations),
        "Link": next(link for link in graph.iterlinks() if link.args),
        "FunctionGraph": graph, "SpaceOperation": op, "Span": op.span,
    }  # fmt: skip
    return found[kind]


def another(value: Any, program: Program) -> Any:
    """A value that may stand in the place of another one."""
    graph = program.entry
    if isinstance(value, (list, tuple)):
        return value[1:] if value else type(value)([(int, "x", graph.span)])
    other: dict[type, Any] = {
        bool: not value, int: value + 1 if isinstance(value, int) else 0, str: "another",
        dict: {1: (2, 3)}, type(None): graph.getargs()[0] if graph.getargs() else 1,
        Span: Span("elsewhere", 7), Block: graph.returnblock,
    }  # fmt: skip
    return other.get(type(value), 17)


@pytest.mark.parametrize(("kind", "name"), list(attributes()))
def test_every_part_of_a_graph_matters(kind: str, name: str) -> None:
    program = typed(SOURCE)
    before = fingerprint(program)
    changed = an_instance(program, kind, name)
    value = getattr(changed, name)
    new = Bool if name == "concretetype" else another(value, program)
    if name == "opdef":
        new = next(op.opdef for _, op in program.entry.iterblockops() if op.opdef is not value)
    if name == "result":
        new = changed.result.copy()
    if name == "func":
        new = typed
    object.__setattr__(changed, name, new)
    assert fingerprint(program) != before


def test_memory_matters() -> None:
    program = typed(SOURCE)
    before = fingerprint(program)
    graph = next(g for g in call_graph(program).graphs if g.name == "f")
    pointers = (
        arg.value for _, op in graph.iterblockops() for arg in op.args
        if isinstance(arg, Constant) and isinstance(arg.value, _ptr)
    )  # fmt: skip
    table = next(p for p in pointers if isinstance(vars(p._obj).get("items"), list))
    table._obj.items[0] += 1
    assert fingerprint(program) != before


def test_marks_of_functions_matter() -> None:
    marked = SOURCE.replace("def small", "@dont_inline\ndef small")
    imported = "from rpython.rlib.objectmodel import {} as dont_inline\n"
    texts = [imported.format(mark) + marked for mark in ("dont_inline", "always_inline")]
    assert len({fingerprint(typed(text)) for text in texts}) == 2


def test_what_cannot_be_said_has_no_fingerprint() -> None:
    program = typed(SOURCE)
    constant = an_instance(program, "Constant", "value")
    constant.value = object()
    assert fingerprint(program) is None


# -- builds ----------------------------------------------------------------------------------------

PROGRAM = """
def entry_point(argv):
    print("arguments:", len(argv))
    return 0
"""


@pytest.fixture
def optimised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the functions whose programs are optimised, where nothing is kept yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(keptsources, "toolchain", lambda whole: "its files may be new")
    monkeypatch.chdir(tmp_path)
    names: list[str] = []
    really = Translation.optimise

    def noted(self: Translation, *args: Any) -> Program:
        names.append(self.func.__name__)
        return really(self, *args)

    monkeypatch.setattr(Translation, "optimise", noted)
    return names


def built(text: str, *words: str) -> str:
    """What the program prints."""
    Path("prog.py").write_text(text)
    linecache.checkcache()
    assert main(["build", "-O0", *words, "prog.py", "-o", "prog"]) == 0
    return subprocess.run(["./prog"], capture_output=True, text=True, check=True).stdout


def test_a_program_is_optimised_once(optimised: list[str]) -> None:
    assert built(PROGRAM) == "arguments: 1\n"
    assert optimised != []
    optimised.clear()
    assert built(PROGRAM) == "arguments: 1\n"
    assert optimised == []
    assert built(PROGRAM.replace("arguments", "words")) == "words: 1\n"
    assert optimised != []


@pytest.mark.parametrize("words", [("--gc=refcount",), ("--debug",), ("--passes=uninlined",)])
def test_other_options_make_other_files(optimised: list[str], words: tuple[str, ...]) -> None:
    built(PROGRAM)
    optimised.clear()
    assert built(PROGRAM, *words) == "arguments: 1\n"
    assert optimised != []


def test_a_report_is_always_made(
    optimised: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    built(PROGRAM)
    for _ in range(2):
        capsys.readouterr()
        built(PROGRAM, "--report=inlining")
        assert ": in entry_point: " in capsys.readouterr().err


def test_a_damaged_file_is_made_again(optimised: list[str], tmp_path: Path) -> None:
    built(PROGRAM)
    folder = tmp_path / "cache" / "rpython3" / "sources"
    for path in folder.iterdir():
        path.write_bytes(path.read_bytes()[:-1])
    optimised.clear()
    assert built(PROGRAM) == "arguments: 1\n"
    assert optimised != []


def test_what_no_file_can_say_is_built_each_time(
    optimised: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keptsources, "fingerprint", lambda program: None)
    for _ in range(2):
        optimised.clear()
        assert built(PROGRAM) == "arguments: 1\n"
        assert optimised != []
