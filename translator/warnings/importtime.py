"""What a module does while it is imported, which is when the program is translated.

SIZE = int(sys.argv[1])      the words of the command line of `rpython build`
print("ready")               shown by `rpython build`, not by the program
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator

from rpython.annotator.annotator import RPythonAnnotator
from rpython.translator.ir.errors import TranslationWarning
from rpython.translator.ir.span import Span
from rpython.translator.mainblock import is_guard, program_parts

_CHANGING = {
    "sys.argv": "the command line", "os.environ": "the environment",
    "os.getenv": "the environment", "input": "standard input", "sys.stdin": "standard input",
    "time.time": "the time", "time.perf_counter": "the time", "time.monotonic": "the time",
    "datetime.now": "the time", "datetime.datetime.now": "the time",
    "datetime.date.today": "the time", "date.today": "the time",
    "random.random": "a random number", "random.randint": "a random number",
    "random.choice": "a random choice", "random.shuffle": "a random order",
    "random.sample": "a random choice",
}  # fmt: skip
"""What CPython finds anew each time that the program runs."""

_READ = ("sys.argv", "os.environ", "sys.stdin")
"""Of these, what is no function."""

_LATER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def import_time_effects(annotator: RPythonAnnotator) -> Iterator[TranslationWarning]:
    """The warnings about the modules of the program, which functions of it are from."""
    seen = [graph.span.filename for graph in annotator.graphs if graph.home.is_program]
    scripts = {graph.span.filename for graph in annotator.graphs if graph.name == "<module>"}
    for filename in dict.fromkeys(seen):
        nodes = _done_at_import("".join(linecache.getlines(filename)), filename in scripts)
        found = [(node, text) for node in nodes if (text := _text_about(node))]
        for node, text in sorted(found, key=lambda each: (each[0].lineno, each[0].col_offset)):
            yield TranslationWarning(text, _span(filename, node))


def _done_at_import(source: str, is_script: bool) -> Iterator[ast.expr]:
    """The expressions that are evaluated while the module is imported; not the program in it."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # it has changed on the disk
        return
    parts = program_parts(tree) if is_script else None
    waiting: list[ast.AST] = list(parts[0] if parts else tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.expr):
            yield node
        if isinstance(node, _LATER) or (isinstance(node, ast.stmt) and is_guard(node)):
            continue
        waiting += ast.iter_child_nodes(node)


def _text_about(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func)
        shown = name == "print" and all(keyword.arg != "file" for keyword in node.keywords)
        if shown:
            return "this is printed when the program is translated, not when it runs"
    else:
        name = ast.unparse(node) if isinstance(node, ast.Attribute) else ""
    what = _CHANGING.get(name) if isinstance(node, ast.Call) != (name in _READ) else None
    return f"this asks for {what} when the program is translated, not when it runs" if what else ""


def _span(filename: str, node: ast.expr) -> Span:
    lines = (node.lineno, node.col_offset), (node.end_lineno or node.lineno, node.end_col_offset)
    (line, col), (end_line, end_col) = ((n, _characters(filename, n, k or 0)) for n, k in lines)
    return Span(filename, line, col, end_line, end_col, "<module>")


def _characters(filename: str, line: int, octets: int) -> int:
    return len(linecache.getline(filename, line).encode()[:octets].decode(errors="replace"))
