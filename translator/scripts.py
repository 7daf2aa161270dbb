"""Programs that say nowhere where they begin: which statements of the file are the program.

    import sys                          done when it is translated
    LIMIT = 10                          done when it is translated
    print("ready")                      the program begins
    def double(n): return 2 * n         done when it is translated
    print(double(LIMIT))                the program

What defines (functions, classes, imports) is done before the program where CPython does it in
between, so it may neither need what the program finds out nor be looked for before it is there.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_OWN = (*_SCOPES, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_ASKING = {"argv", "environ", "getenv", "input", "open", "stdin", "time"}
"""Who uses such a name, asks for something that is another one each time."""
_MAKING = {
    "ArgumentParser", "ConfigParser", "DictReader", "DictWriter", "ExitStack", "Popen",
    "RawConfigParser", "TemporaryDirectory", "groupby", "reader", "writer",
}  # fmt: skip
"""Who uses such a name, makes an object that no program can start with."""
_PREPARING = {"exec", "globals"}
"""Who uses such a name, makes what the module consists of."""


def split_script(tree: ast.Module) -> tuple[list[ast.stmt], list[ast.stmt]] | None:
    """The statements of a file that define, and those that are the program, each in their order.
    None: there are none of the latter, or they cannot be told apart."""
    return _split(tree.body, _begins)


def split_making(body: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """The same of the statements before a program: those that belong to it begin with what makes
    an object with which no program can start.  Where they cannot be told apart none does."""
    return _split(body, _makes) or (body, [])


def _split(
    body: list[ast.stmt], begins: Callable[[ast.stmt], bool]
) -> tuple[list[ast.stmt], list[ast.stmt]] | None:
    first = next((i for i, statement in enumerate(body) if begins(statement)), None)
    if first is None:
        return None
    before = body[:first]
    program = [statement for statement in body[first:] if not _defines(statement)]
    varying = set(names_bound(program))
    looks = _Looks(before)
    for statement in body[first:]:
        if not _defines(statement):
            looks.follow(_words(statement))
            continue
        needed = {node.id for node in _done_now(statement) if isinstance(node, ast.Name)}
        bound = set(names_bound([statement]))
        if _acts(statement) or not varying.isdisjoint(needed | bound):
            return None
        if not looks.define(statement, bound):
            return None
        before.append(statement)
    return before, program


class _Looks:
    """Which names the program may have looked for so far, itself or in what it may have called."""

    def __init__(self, definitions: Iterable[ast.stmt]) -> None:
        self._words: dict[str, set[str]] = {}
        """A name -> the names in what defines it."""
        self._looked_for: set[str] = set()
        for statement in definitions:
            for name in names_bound([statement]):
                self._words.setdefault(name, set()).update(_words(statement))

    def follow(self, names: set[str]) -> None:
        """The program looks for these."""
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in self._looked_for:
                self._looked_for.add(name)
                waiting += self._words.get(name, ())

    def define(self, statement: ast.stmt, names: set[str]) -> bool:
        """A statement defines the names; False: somebody may have looked for one, or found another
        of that name."""
        if not names.isdisjoint(self._looked_for) or not names.isdisjoint(self._words):
            return False
        self._words.update(dict.fromkeys(names, _words(statement)))
        return True


def names_bound(statements: Iterable[ast.stmt]) -> Iterator[str]:
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


def _begins(statement: ast.stmt) -> bool:
    """Does a program begin with it?"""
    words = _words(statement)
    if _defines(statement) or "sys.path" in ast.unparse(statement) or words & _PREPARING:
        return False
    asks = not _ASKING.isdisjoint(words)
    return asks or _makes(statement) or isinstance(statement, ast.Raise) or _acts(statement)


def _makes(statement: ast.stmt) -> bool:
    """Does it make an object with which no program can start?"""
    return not _defines(statement) and not _MAKING.isdisjoint(_words(statement))


def _defines(statement: ast.stmt) -> bool:
    return any(isinstance(node, _DEFINING) for node in _done_now(statement))


def _acts(statement: ast.stmt) -> bool:
    """Is something done in it for what it does, not for its value?"""
    return any(isinstance(node, ast.Expr) and not _is_text(node) for node in _done_now(statement))


def _is_text(statement: ast.AST) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _done_now(node: ast.AST) -> Iterator[ast.AST]:
    """It and what is in it that is done with it: not the bodies of functions."""
    yield node
    if isinstance(node, _FUNCTIONS):
        parts: list[ast.AST] = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
        if not isinstance(node, ast.Lambda):
            given = [a.annotation for a in ast.walk(node.args) if isinstance(a, ast.arg)]
            parts += [*node.decorator_list, *filter(None, [node.returns, *given])]
    else:
        parts = list(ast.iter_child_nodes(node))
    for part in parts:
        yield from _done_now(part)


def _words(node: ast.AST) -> set[str]:
    """The names in it, of variables and of attributes, also in the bodies of functions."""
    names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    return names | {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}
