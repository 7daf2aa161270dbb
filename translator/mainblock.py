"""Programs that are plain scripts: what stands under ``if __name__ == "__main__":`` is what the
executable does.

    def main(): ...                  def main(): ...
    if __name__ == "__main__":       def <module>(argv, /):
        n = 3                            n = 3
        sys.exit(main(n))                sys.exit(main(n))

The rest of the file is run once, when it is translated, as CPython does before it comes to the
block: in a module that is called ``__main__``; but what makes objects with which no program can
start, such as an ``ArgumentParser``, belongs to the program, too.  Variables of the block are
variables of a function then; those that functions of the file look at stay global, and those that
the rest assigns, too.  ``translator.scripts`` finds the program where no such block says so.
"""

from __future__ import annotations

import ast
import importlib.util
import symtable
import sys
from pathlib import Path
from types import FunctionType, ModuleType

from rpython.translator.flow.globals import GLOBAL_BY_BLOCK
from rpython.translator.scripts import names_bound, split_making, split_script

MAIN = "__main__"
_ENTRY = "entry_point"


def run_as_main(path: Path) -> ModuleType | None:
    """Import a file as CPython does with the one it is started with, but for the program in it,
    which becomes ``entry_point`` of the module.  None: there is none, or it says itself with
    ``entry_point`` or ``target`` where it begins.  What the file raises passes through."""
    try:
        tree = ast.parse(importlib.util.decode_source(path.read_bytes()), str(path))
    except (SyntaxError, ValueError):  # which importing it shows
        return None
    parts = program_parts(tree)
    if parts is None:
        return None
    before, program = parts
    known = _used_as_globals(before).union(names_bound(before))
    shared = known.intersection(names_bound(program))
    tree.body = [*before, _as_function(program, sorted(shared))]
    module = ModuleType(MAIN)
    vars(module)[GLOBAL_BY_BLOCK] = frozenset(shared)
    module.__file__ = str(path.resolve())
    sys.modules[MAIN] = module
    exec(compile(tree, str(path), "exec"), vars(module))
    entry: FunctionType = vars(module)[_ENTRY]
    entry.__code__ = entry.__code__.replace(co_name="<module>", co_qualname="<module>")
    entry.__name__ = entry.__qualname__ = "<module>"
    return module


def program_parts(tree: ast.Module) -> tuple[list[ast.stmt], list[ast.stmt]] | None:
    """What is done when a file is translated, and what the program in it does; None: the file
    says otherwise where it begins, or there is none in it."""
    if not {_ENTRY, "target"}.isdisjoint(names_bound(tree.body)):
        return None
    guards = [statement for statement in tree.body if is_guard(statement)]
    if not guards:
        return split_script(tree)
    block = tree.body[-1]
    if guards != [block] or not isinstance(block, ast.If) or block.orelse:
        return None
    before, making = split_making(tree.body[:-1])
    return before, [*making, *block.body]


def is_guard(statement: ast.stmt) -> bool:
    """Is it ``if __name__ == "__main__":``?"""
    if not isinstance(statement, ast.If) or not isinstance(statement.test, ast.Compare):
        return False
    test = statement.test
    sides = {ast.unparse(side) for side in (test.left, *test.comparators)}
    return sides == {"__name__", repr(MAIN)} and isinstance(test.ops[0], ast.Eq)


def _as_function(program: list[ast.stmt], shared: list[str]) -> ast.FunctionDef:
    body: list[ast.stmt] = [_PlainAssignments().visit(statement) for statement in program]
    if shared:
        body.insert(0, ast.copy_location(ast.Global(names=shared), program[0]))
    argv = ast.arg("argv")
    arguments = ast.arguments(
        posonlyargs=[argv], args=[], kwonlyargs=[], kw_defaults=[], defaults=[]
    )
    made = ast.FunctionDef(name=_ENTRY, args=arguments, body=body, decorator_list=[])
    return ast.fix_missing_locations(ast.copy_location(made, program[0]))


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
