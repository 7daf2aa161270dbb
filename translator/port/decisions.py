"""What a person has to decide about a ported file, found in its syntax tree.

    def __cmp__(self, other): ...
    4: __cmp__ is never called: define __eq__, and __lt__ where instances are ordered
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
from collections.abc import Iterator

from rpython.translator.port.edits import Decision

METHODS = {
    "__cmp__": "is never called: define __eq__, and __lt__ where instances are ordered",
    "__coerce__": "is never called: let the operators' own methods convert",
    "__div__": "is never called: / calls __truediv__, // calls __floordiv__",
    "__idiv__": "is never called: /= calls __itruediv__, //= calls __ifloordiv__",
    "__getslice__": "is never called: __getitem__ is, with a slice",
    "__setslice__": "is never called: __setitem__ is, with a slice",
    "__delslice__": "is never called: __delitem__ is, with a slice",
    "__hex__": "is never called: hex() calls __index__",
    "__oct__": "is never called: oct() calls __index__",
    "__unicode__": "is never called: str() calls __str__",
}
CALLS = {
    "cmp": "cmp() is gone: (a > b) - (a < b)",
    "round": "round(x) gives an int and rounds halves to even: it was a float, halves away from 0",
    "coerce": "coerce() is gone",
    "buffer": "buffer() is gone: memoryview(), or a slice",
    "reload": "reload() is gone",
    "input": "input() no longer evaluates what is typed",
}
CODECS = frozenset("hex base64 bz2 rot13 string-escape string_escape uu zlib".split())
BIGGEST = 2**63 - 1
DOCUMENT = "docs/rpython.md"


def decisions(tree: ast.Module) -> Iterator[Decision]:
    """All there is to decide, in no order."""
    sized = {
        argument
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for argument in node.args
        if isinstance(node.func, ast.Name) and node.func.id.startswith(("r_", "intmask"))
    }
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name):
                if name in METHODS:
                    yield Decision(node.lineno, f"{name} {METHODS[name]}")
                yield from _names_that_ended(node)
            case ast.Call():
                yield from _call(node)
            case ast.Constant(value=int(value)) if value > BIGGEST and node not in sized:
                yield Decision(node.lineno, f"{value} has over 63 bits: rbigint, or r_uint(...)")
            case ast.Constant(value=str(text)) if any(ord(char) > 255 for char in text):
                yield Decision(
                    node.lineno, "characters above U+00FF: in Python 2 these were UTF-8 bytes"
                )
            case ast.ImportFrom(module=str(module), level=0) if module.startswith("rpython."):
                yield from _imported(node, module)
            case ast.Import(names=names):
                for alias in names:
                    if alias.name.startswith("rpython.") and not _module_exists(alias.name):
                        yield Decision(node.lineno, f"{alias.name} is not here: see {DOCUMENT}")
            case _:
                pass


def _call(call: ast.Call) -> Iterator[Decision]:
    match call:
        case ast.Call(func=ast.Name(id=name), args=[_, *_]) if name in CALLS:
            if name != "round" or len(call.args) == 1:
                yield Decision(call.lineno, CALLS[name])
        case ast.Call(
            func=ast.Attribute(attr="encode" | "decode"), args=[ast.Constant(value=codec)]
        ):
            if codec in CODECS:
                yield Decision(call.lineno, f"the codec {codec!r} is for bytes: codecs, base64")
        case ast.Call(func=ast.Attribute(attr="sort"), args=[_]):
            yield Decision(call.lineno, "sort() takes key=, not a function that compares")
        case _:
            pass
    for keyword in call.keywords:
        if keyword.arg == "cmp":
            yield Decision(call.lineno, "there is no cmp=: key=, or functools.cmp_to_key")


def _imported(node: ast.ImportFrom, module: str) -> Iterator[Decision]:
    if not _module_exists(module):
        yield Decision(node.lineno, f"{module} is not here: see {DOCUMENT}")
        return
    for alias in node.names:
        there = hasattr(importlib.import_module(module), alias.name)
        if alias.name != "*" and not there and not _module_exists(f"{module}.{alias.name}"):
            yield Decision(node.lineno, f"{module} has no {alias.name} here: see {DOCUMENT}")


def _module_exists(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # one of its packages
        return False


def _names_that_ended(function: ast.FunctionDef) -> Iterator[Decision]:
    """Names that are read where Python 3 no longer has them: `e` of `except E as e` behind the
    handler, the variable of a list comprehension outside it."""
    stored: dict[str, int] = {}
    own: set[ast.AST] = set()  # names inside what binds them for itself
    for node in ast.walk(function):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                stored[name] = stored.get(name, 0) + 1
            case ast.arg(arg=name):
                stored[name] = stored.get(name, 0) + 1
            case ast.ExceptHandler(name=str(name)):
                stored[name] = stored.get(name, 0) + 1
            case _:
                pass
    ended: dict[str, str] = {}
    for node in ast.walk(function):
        match node:
            case ast.ExceptHandler(name=str(name)):
                own.update(ast.walk(node))
                bound = sum(
                    isinstance(other, ast.ExceptHandler) and other.name == name
                    for other in ast.walk(function)
                )
                if stored[name] == bound:
                    ended[name] = f"{name} ends with its except clause"
            case ast.ListComp(generators=generators):
                own.update(ast.walk(node))
                for target in (name for one in generators for name in ast.walk(one.target)):
                    if isinstance(target, ast.Name) and stored[target.id] == 1:
                        ended[target.id] = f"{target.id} ends with its comprehension"
            case _:
                pass
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node not in own:
            if node.id in ended:
                yield Decision(node.lineno, ended[node.id])
