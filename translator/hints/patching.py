"""``rpython hints``: add the hints that a program lacks, as a patch.

    def area(w, h=1):           def area(w: float, h: int = 1) -> float:

Functions that the program never calls, and values for which a module could write no hint, stay as
they are.  The hints say what this program does: a function that others are to call with more may
want wider ones.
"""

from __future__ import annotations

import ast
import difflib
import io
import linecache
import os
import tokenize
from collections.abc import Iterator, Sequence
from types import FunctionType

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import SomeObject, s_Bottom
from rpython.annotator.lattice.union import Pairs, union
from rpython.translator.hints.coroutines import hinted_result
from rpython.translator.hints.reading import Function, Sources, characters, program_functions
from rpython.translator.hints.writing import NoHint, Writer
from rpython.translator.ir.model import FunctionGraph

Edit = tuple[int, int, int, str]
"""What is put in place of a piece of a line: the line, its first and last column, and the text."""


def hints_patch(annotator: RPythonAnnotator) -> str:
    """A unified diff of the program's files, empty if there is nothing to add."""
    return "".join(
        _patch(filename, changed) for filename, changed in sorted(hinted_files(annotator).items())
    )


def _patch(filename: str, changed: list[str]) -> str:
    inside = os.path.relpath(filename)
    name = filename if inside.startswith(os.pardir) else inside  # ``patch`` takes no absolute ones
    return "".join(difflib.unified_diff(linecache.getlines(filename), changed, name, name))


def hinted_files(annotator: RPythonAnnotator) -> dict[str, list[str]]:
    """The lines of the program's files with the hints that they lack, by the file."""
    functions = program_functions(annotator)
    sources = Sources(functions.values())
    files: dict[str, dict[FunctionType, list[FunctionGraph]]] = {}
    for graph, func in functions.items():
        if sources.function(func) is not None:
            by_function = files.setdefault(func.__code__.co_filename, {})
            by_function.setdefault(func, []).append(graph)
    return {file: _hinted(file, graphs, annotator, sources) for file, graphs in files.items()}


def _hinted(
    filename: str, functions: dict[FunctionType, list[FunctionGraph]],
    annotator: RPythonAnnotator, sources: Sources,
) -> list[str]:  # fmt: skip
    lines = linecache.getlines(filename)
    writer = Writer(next(iter(functions)).__globals__)
    edits = {
        edit
        for func, graphs in functions.items()
        if (node := sources.function(func)) is not None
        for edit in _edits(filename, node, _known(annotator, graphs), writer)
    }
    if not edits:
        return lines
    changed = lines[:]
    for line, first, last, text in sorted(edits, reverse=True):
        old = changed[line - 1]
        changed[line - 1] = old[:first] + text + old[last:]
    return with_imports(changed, writer.imports)


def _known(annotator: RPythonAnnotator, graphs: Sequence[FunctionGraph]) -> dict[str, SomeObject]:
    """What is known of the parameters, by name, and of the result: "return"."""
    known: dict[str, SomeObject] = {}
    for graph in graphs:
        desc = annotator.graphs[graph]
        values_s = map(annotator.binding, graph.getargs())
        named = [*zip(desc.signature.graph_args(), values_s)]
        for name, s in (*named, ("return", hinted_result(annotator, graph, desc)[0])):
            s = s.without_const()
            known[name] = union(known.get(name, s_Bottom), s, Pairs(annotator.boxes))
    return known


def _edits(
    filename: str, node: Function, known: dict[str, SomeObject], writer: Writer
) -> Iterator[Edit]:
    arguments = node.args
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults: dict[str, ast.expr | None] = {
        arg.arg: default
        for arg, default in zip(reversed(plain), reversed(arguments.defaults))
    }  # fmt: skip
    defaults.update(zip((arg.arg for arg in arguments.kwonlyargs), arguments.kw_defaults))
    is_self = bool(plain) and plain[0].arg in ("self", "cls")
    for arg in [*plain[is_self:], *arguments.kwonlyargs]:
        s = known.get(arg.arg)
        if arg.annotation is not None or s is None or not s.kinds:
            continue
        try:
            text = f": {writer.text(s)}"
        except NoHint:
            continue
        assert arg.end_lineno is not None and arg.end_col_offset is not None
        line, end = arg.end_lineno, characters(filename, arg.end_lineno, arg.end_col_offset)
        last, default = end, defaults.get(arg.arg)
        if default is not None and default.lineno == line:
            last, text = characters(filename, line, default.col_offset), f"{text} = "
        yield line, end, last, text
    s_result = known.get("return", s_Bottom)
    if node.returns is None and s_result.kinds and isinstance(node, Function):
        try:
            text = f" -> {writer.text(s_result)}"
        except NoHint:
            return
        line, column = _end_of_header(filename, node)
        yield line, column, column, text


def _end_of_header(filename: str, node: Function) -> tuple[int, int]:
    """Where the colon is that ends ``def f(...)``."""
    rest = "".join(linecache.getlines(filename)[node.lineno - 1 :])
    depth = 0
    for token in tokenize.generate_tokens(io.StringIO(rest).readline):
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
            if token.string == ":" and depth == 0:
                return node.lineno - 1 + token.start[0], token.start[1]
    raise AssertionError(f"{filename}:{node.lineno}: a function without a colon")


def with_imports(lines: list[str], imports: dict[str, set[str]]) -> list[str]:
    """The lines with what hints need, behind the module's docstring: the names of classes may stand
    before the classes."""
    tree = ast.parse("".join(lines))
    future = [n for n in tree.body if isinstance(n, ast.ImportFrom) and n.module == "__future__"]
    wanted = [
        f"from {m} import {', '.join(sorted(names))}\n" for m, names in sorted(imports.items())
    ]
    if not any(alias.name == "annotations" for node in future for alias in node.names):
        wanted.insert(0, "from __future__ import annotations\n")
        if imports:
            wanted.insert(1, "\n")
    if not wanted:
        return lines
    has_docstring = ast.get_docstring(tree, clean=False) is not None
    before = future[-1:] or tree.body[:has_docstring]
    at = (before[0].end_lineno or 0) if before else 0
    if before:
        wanted.insert(0, "\n")
    if lines[at:] and lines[at].strip():
        wanted.append("\n")
    return [*lines[:at], *wanted, *lines[at:]]
