"""Programs that are plain scripts: what stands under ``if __name__ == "__main__":`` is what the
executable does.

    def main(): ...                  def main(): ...
    if __name__ == "__main__":       def <module>(argv, /):
        n = 3                            n = 3
        sys.exit(main(n))                sys.exit(main(n))

The rest of the file is run once, when it is translated, as CPython does before it comes to the
block: in a module that is called ``__main__``.  Variables of the block are variables of a function
then; those that functions of the file look at stay global.
"""

from __future__ import annotations

import ast
import importlib.util
import symtable
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType

from rpython.translator.flow.globals import GLOBAL_BY_BLOCK

MAIN = "__main__"
_ENTRY = "entry_point"


def run_as_main(path: Path) -> ModuleType | None:
    """Import a file as CPython does with the one it is started with, but for the block at its end,
    which becomes ``entry_point`` of the module.  None: it has no such block, or says itself with
    ``entry_point`` or ``target`` where it begins.  What the file raises passes through."""
    try:
        tree = ast.parse(importlib.util.decode_source(path.read_bytes()), str(path))
    except (SyntaxError, ValueError):  # which importing it shows
        return None
    block = tree.body[-1] if tree.body else None
    if not isinstance(block, ast.If) or not is_guard(block) or block.orelse:
        return None
    before = tree.body[:-1]
    if {_ENTRY, "target"} & set(names_bound(before)) or any(map(is_guard, before)):
        return None
    shared = frozenset(names_bound(block.body)) & _used_as_globals(before)
    tree.body[-1] = _as_function(block, sorted(shared))
    module = ModuleType(MAIN)
    vars(module)[GLOBAL_BY_BLOCK] = shared
    module.__file__ = str(path.resolve())
    sys.modules[MAIN] = module
    exec(compile(tree, str(path), "exec"), vars(module))
    entry: FunctionType = vars(module)[_ENTRY]
    entry.__code__ = entry.__code__.replace(co_name="<module>", co_qualname="<module>")
    entry.__name__ = entry.__qualname__ = "<module>"
    return module


def is_guard(statement: ast.stmt) -> bool:
    """Is it ``if __name__ == "__main__":``?"""
    if not isinstance(statement, ast.If) or not isinstance(statement.test, ast.Compare):
        return False
    test = statement.test
    sides = {ast.unparse(side) for side in (test.left, *test.comparators)}
    return sides == {"__name__", repr(MAIN)} and isinstance(test.ops[0], ast.Eq)


def _as_function(block: ast.If, shared: list[str]) -> ast.FunctionDef:
    body: list[ast.stmt] = [_PlainAssignments().visit(statement) for statement in block.body]
    if shared:
        body.insert(0, ast.copy_location(ast.Global(names=shared), block))
    argv = ast.arg("argv")
    arguments = ast.arguments(
        posonlyargs=[argv], args=[], kwonlyargs=[], kw_defaults=[], defaults=[]
    )
    made = ast.FunctionDef(name=_ENTRY, args=arguments, body=body, decorator_list=[])
    return ast.fix_missing_locations(ast.copy_location(made, block))


class _PlainAssignments(ast.NodeTransformer):
    """``n: int = 3`` as ``n = 3``: hints of globals may not stand in a function."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        if not isinstance(node.target, ast.Name):
            return node
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign(targets=[node.target], value=node.value), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        return node  # what is in it is its own

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        return node


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_OWN = (*_SCOPES, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def names_bound(statements: list[ast.stmt]) -> Iterator[str]:
    """The names that statements of one scope bind."""
    waiting: list[ast.AST] = list(statements)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0]
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest
        if not isinstance(node, _OWN):
            waiting += ast.iter_child_nodes(node)


def _used_as_globals(statements: list[ast.stmt]) -> set[str]:
    """The names that functions and classes in them look for in the module."""
    text = ast.unparse(ast.Module(statements, type_ignores=[]))
    scopes = symtable.symtable(text, "", "exec").get_children()
    found: set[str] = set()
    while scopes:
        scope = scopes.pop()
        found.update(symbol.get_name() for symbol in scope.get_symbols() if symbol.is_global())
        scopes += scope.get_children()
    return found
