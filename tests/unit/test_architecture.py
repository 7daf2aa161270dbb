"""DESIGN.md section 3, read from the sources: who imports whom, and how files look."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

import pytest

from rpython.lltypesystem.operations.llops import LLOPS
from rpython.translator.ir.hlops import HLOPS

ROOT = Path(__file__).parents[2]
PACKAGES = ("translator", "annotator", "rtyper", "lltypesystem", "backend_c", "rpython")
"""The folders; each but the last is ``rpython.<name>`` to those who import it."""
MAX_LINES = 600
MAX_LINES_OF_FUNCTION = 60
"""In the toolchain; programs and their library may have the loop of an interpreter."""
MAX_FILES = 60
"""In one folder of the toolchain; the library's have a file for each module of Python's."""
LOADED_LATER = (
    "cffi.cparser", "hypothesis", "pycparser", "rpython.backend_c", "rpython.translator.extension",
    "rpython.translator.lower", "rpython.translator.nativecall", "rpython.translator.view",
)  # fmt: skip
"""What takes long to load, and running a function in the LLInterpreter does not need."""
SMALL = "import rpython, sys; rpython.interpret(lambda n: n + 1, [1]); print(*sys.modules)"

EVERYTHING = ("rpython",)
IR, LL = "rpython.translator.ir", "rpython.lltypesystem"
OPT, LOWER = "rpython.translator.opt", "rpython.translator.lower"
LIBRARY = ("rpython.rlib", "rpython.stdlib")
RULES: dict[str, tuple[str, ...]] = {
    "rpython.translator": EVERYTHING,  # the modules right in it hold the stages together
    IR: (IR,),
    "rpython.translator.options": (IR,),
    "rpython.translator.flow": ("rpython.translator.flow", IR),
    OPT: (OPT, LL, IR),
    LOWER: (LOWER, OPT, LL, IR),
    "rpython.translator.view": EVERYTHING,
    LL: (LL, IR),
    "rpython.annotator": ("rpython.annotator", LL, IR, "rpython.translator.flow", *LIBRARY),
    "rpython.rtyper": ("rpython.rtyper", "rpython.annotator", LL, IR, OPT, *LIBRARY),
    "rpython.backend_c": ("rpython.backend_c", LL, IR, OPT, LOWER),
    "rpython.rlib": ("rpython.rlib", LL),
    "rpython.stdlib": (*LIBRARY, LL),
    "rpython": EVERYTHING,
}
"""Part of the tree -> what it may import of ours; the longest prefix decides."""

HOST_OPCODES = ("decode_rules",)
"""Where ``opname`` is that of an instruction of CPython's, which has no row."""
MOST_NAMES = 3
"""Fewer names of operations may stand together."""
LIBRARYS_DATACLASS = (
    "rpython.annotator.overlay", "rpython.backend_c.runtime", *LIBRARY,  # no toolchain's classes
    "rpython.translator.ir.records", "rpython.translator.port.edits",  # whose have an order
)  # fmt: skip
"""Who uses the library's ``dataclass``."""
PARTS = ("startswith", "endswith", "removeprefix", "removesuffix")

FILES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    inside = parts if parts[0] == "rpython" else ("rpython", *parts)
    return ".".join(inside[:-1] if inside[-1] == "__init__" else inside)


def within(module: str, part: str) -> bool:
    return module == part or module.startswith(part + ".")


def allowed_imports(module: str) -> tuple[str, ...]:
    parts = [part for part in RULES if within(module, part)]
    assert parts, f"no import rule says what {module} may import"
    return RULES[max(parts, key=len)]


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, module) of every import; ``from a import b`` may be of the module ``a.b``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import"
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield node.lineno, name if is_module(name) else str(node.module)


def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or path.is_dir()


def problems_in(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    if path.name == "__init__.py" and module_name(path) != "rpython" and text.strip():
        yield "an __init__.py is empty"
    if text.count("\n") > MAX_LINES:
        yield f"{text.count(chr(10))} lines; split it along a seam ({MAX_LINES} at most)"
    tree = ast.parse(text)
    allowed = allowed_imports(module_name(path))
    for line, module in imports(tree):
        if within(module, "rpython") and not any(within(module, a) for a in allowed):
            yield f"line {line}: may not import {module}"
    own = module_name(path)
    for node in ast.walk(tree):
        if is_long(node) and not any(within(own, part) for part in LIBRARY):
            yield f"line {node.lineno}: more than {MAX_LINES_OF_FUNCTION} lines; split the function"
        yield from problems_of(node)
        if imports_dataclass(node) and not any(within(own, x) for x in LIBRARYS_DATACLASS):
            yield f"line {node.lineno}: dataclass is that of rpython.translator.ir.records"
        if lists_operations(node):
            yield f"line {node.lineno}: what operations have in common is a column of their rows"
        if asks_part_of_opname(node) and path.stem not in HOST_OPCODES:
            yield f"line {node.lineno}: what an operation does is a column of its row"


def lists_operations(node: ast.AST) -> bool:
    """Is it a collection of names of operations, or a table of facts about some?  (Functions by
    the name of an operation are no facts.)"""
    names: list[ast.expr | None] = []
    if isinstance(node, ast.Set | ast.Tuple | ast.List):
        names = list(node.elts)
    elif isinstance(node, ast.Dict) and all(isinstance(v, ast.Constant) for v in node.values):
        names = list(node.keys)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        text = node.func.value
        if node.func.attr == "split" and isinstance(text, ast.Constant):
            names = [ast.Constant(name) for name in str(text.value).split()]
    values = [name.value for name in names if isinstance(name, ast.Constant)]
    if len(values) < MOST_NAMES or len(values) < len(names):
        return False
    return any(all(value in table for value in values) for table in (LLOPS, HLOPS))


def is_long(node: ast.AST) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Is it a function of too many lines?"""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.end_lineno is None:
        return False
    return node.end_lineno - node.lineno >= MAX_LINES_OF_FUNCTION


def imports_dataclass(node: ast.AST) -> TypeGuard[ast.ImportFrom]:
    """Is it the library's?"""
    return (
        isinstance(node, ast.ImportFrom) and node.module == "dataclasses"
        and any(alias.name == "dataclass" for alias in node.names)
    )  # fmt: skip


def asks_part_of_opname(node: ast.AST) -> TypeGuard[ast.Call]:
    """Is it like ``op.opname.startswith("set")``?"""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    of = node.func.value
    name = of.attr if isinstance(of, ast.Attribute) else of.id if isinstance(of, ast.Name) else ""
    return name == "opname" and node.func.attr in PARTS


def problems_of(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        for inner in ast.walk(node):
            if isinstance(inner, ast.Import | ast.ImportFrom):
                yield f"line {inner.lineno}: import inside a function"
    elif isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
        yield f"line {node.lineno}: star import"
    elif isinstance(node, ast.ExceptHandler):
        if node.type is None:
            yield f"line {node.lineno}: bare except"
        elif isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None:
            pass  # cleans up and raises again
        elif keeps_exception(node):
            pass  # to raise it later, or to tell all of it
        elif isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException"):
            yield f"line {node.lineno}: except {node.type.id}"


def keeps_exception(node: ast.ExceptHandler) -> bool:
    """Does the handler end by keeping what it caught in another variable, or by returning what a
    function makes of it?"""
    last = node.body[-1]
    kept: list[ast.expr] = []
    if isinstance(last, ast.Assign):
        kept = [last.value]
    elif isinstance(last, ast.Return) and isinstance(last.value, ast.Call):
        kept = last.value.args
    return any(isinstance(value, ast.Name) and value.id == node.name for value in kept)


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_follows_the_rules(path: Path) -> None:
    assert list(problems_in(path)) == []


def test_files_of_c_are_short() -> None:
    sources = sorted((ROOT / "backend_c" / "runtime").glob("*.[ch]"))
    assert len(sources) > 20
    assert [f.name for f in sources if f.read_text("utf-8").count("\n") > MAX_LINES] == []


def test_folders_are_small() -> None:
    counts: dict[Path, int] = {}
    for path in [*FILES, *(ROOT / "tests").rglob("*.py")]:
        counts[path.parent] = counts.get(path.parent, 0) + 1
    large = {path.relative_to(ROOT) for path, count in counts.items() if count > MAX_FILES}
    assert {str(path) for path in large} == {
        "rpython/rlib", "rpython/stdlib", "tests/programs/natural", "tests/programs/real",
    }  # fmt: skip


def test_the_rules_cover_every_package() -> None:
    linked = {link.name for link in (ROOT / "rpython").iterdir() if link.is_symlink()}
    assert linked | {"rpython"} == set(PACKAGES)
    assert len(FILES) > 20


def test_interpret_loads_little() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SMALL], check=True, capture_output=True, text=True, cwd=ROOT
    )
    loaded = done.stdout.split()
    assert "rpython.rtyper.rtyper" in loaded
    assert [name for name in loaded if any(within(name, part) for part in LOADED_LATER)] == []
