"""CPython's own tests of a module of the standard library, as programs.

Each method ``test_*`` becomes a function without arguments: ``self.assertEqual(a, b)`` a
comparison, ``with self.assertRaises(E)`` a ``try`` statement, and so on.  A method that uses more
of ``self`` than assertions is no program.

    python -m tests.stdlib.adapt heapq bisect ...     how many run, translated, as under CPython;
                                                      with -v what becomes of each
"""

from __future__ import annotations

import ast
import importlib
import inspect
import signal
import sys
import textwrap
import unittest
from collections import Counter
from collections.abc import Callable, Iterator
from types import FrameType, FunctionType
from typing import Any

import rpython
from rpython.translator.ir.errors import TranslationError

SECONDS = 30
_COMPARISONS = {
    "assertEqual": "{0} == {1}", "assertNotEqual": "{0} != {1}", "assertTrue": "{0}",
    "assertFalse": "not {0}", "assertIs": "{0} is {1}", "assertIsNot": "{0} is not {1}",
    "assertIn": "{0} in {1}", "assertNotIn": "{0} not in {1}", "assertIsNone": "{0} is None",
    "assertIsNotNone": "{0} is not None", "assertLess": "{0} < {1}", "assertGreater": "{0} > {1}",
    "assertLessEqual": "{0} <= {1}", "assertGreaterEqual": "{0} >= {1}",
    "assertIsInstance": "isinstance({0}, {1})", "assertListEqual": "{0} == {1}",
    "assertCountEqual": "sorted({0}) == sorted({1})",
}  # fmt: skip


class NotAProgram(Exception):
    """The method needs more than its assertions."""


class _Assertions(ast.NodeTransformer):
    """Assertions as statements."""

    def visit_Expr(self, node: ast.Expr) -> Any:
        call = node.value
        name = _asserted(call)
        if name is None:
            return self.generic_visit(node)
        assert isinstance(call, ast.Call)
        if name in ("assertRaises", "assertRaisesRegex"):
            return self._raises(call, int(name == "assertRaisesRegex"))
        if name not in _COMPARISONS:
            raise NotAProgram(name)
        parts = [f"({ast.unparse(arg)})" for arg in call.args]
        return ast.parse(f"assert {_COMPARISONS[name].format(*parts)}").body[0]

    def visit_With(self, node: ast.With) -> Any:
        call = node.items[0].context_expr
        name = _asserted(call)
        if name == "subTest":
            self.generic_visit(node)
            return node.body
        if name not in ("assertRaises", "assertRaisesRegex"):
            return self.generic_visit(node)
        if node.items[0].optional_vars is not None:
            raise NotAProgram("the exception is kept")
        self.generic_visit(node)
        assert isinstance(call, ast.Call)
        return _try(call.args[0], node.body)

    def _raises(self, call: ast.Call, patterns: int) -> Any:
        kind, rest = call.args[0], call.args[1 + patterns :]
        made = ast.Call(rest[0], rest[1:], call.keywords)
        return _try(kind, [ast.Expr(made)])


def _asserted(call: ast.expr) -> str | None:
    """The name of the method of ``self`` that is called."""
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        if isinstance(call.func.value, ast.Name) and call.func.value.id == "self":
            return call.func.attr
    return None


def _try(kind: ast.expr, body: list[ast.stmt]) -> ast.Try:
    handler = ast.ExceptHandler(kind, None, [ast.Pass()])
    failed = ast.parse("raise AssertionError('nothing raised')").body
    return ast.Try(body, [handler], failed, [])


def program_of(method: Any, namespace: dict[str, Any], cls: type) -> Callable[[], None]:
    """The method as a function without arguments.  Raises NotAProgram."""
    try:
        source = textwrap.dedent(inspect.getsource(method))
        tree: Any = ast.parse(source)
    except (OSError, TypeError, SyntaxError) as error:
        raise NotAProgram(str(error)) from None
    function = tree.body[0]
    if not isinstance(function, ast.FunctionDef):
        raise NotAProgram("no function")
    if function.args.defaults or function.args.kwonlyargs:
        raise NotAProgram("it has parameters")
    function.decorator_list = []
    function.args.args = []
    own = _Own(cls)
    tree = ast.fix_missing_locations(own.visit(_Assertions().visit(tree)))
    if any(isinstance(node, ast.Name) and node.id == "self" for node in ast.walk(tree)):
        raise NotAProgram("it uses self")
    names = {**namespace, **own.found}
    exec(compile(tree, f"<{method.__qualname__}>", "exec"), names)
    found: Any = names[method.__name__]
    return found  # type: ignore[no-any-return]


class _Own(ast.NodeTransformer):
    """``self.module`` and other attributes of the class, which are constants."""

    def __init__(self, cls: type) -> None:
        self.cls = cls
        self.found: dict[str, Any] = {}
        """What the names stand for that are written instead."""

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            found = getattr(self.cls, node.attr, None)
            if found is None or inspect.isfunction(found):
                raise NotAProgram(f"self.{node.attr}")
            self.found[f"__own_{node.attr}"] = _imported_once(found)
            return ast.Name(f"__own_{node.attr}", ast.Load())
        return node


def _imported_once(x: Any) -> Any:
    """The class itself, for one of a module that the tests have imported again, without C."""
    module = sys.modules.get(x.__module__) if isinstance(x, type) else None
    return x if module is None else getattr(module, x.__qualname__, x)


def programs(name: str) -> Iterator[tuple[str, Callable[[], None] | None]]:
    """The tests of ``test.test_NAME``; None for one that is no program."""
    tests = importlib.import_module(f"test.test_{name}")
    for cls in list(vars(tests).values()):
        if not (isinstance(cls, type) and issubclass(cls, unittest.TestCase)):
            continue
        if cls.__module__ != tests.__name__ or cls.__name__.startswith(("TestPy", "PyTest")):
            continue
        for method, function in list(inspect.getmembers(cls, inspect.isfunction)):
            if not method.startswith("test"):
                continue
            try:
                yield f"{cls.__name__}.{method}", program_of(function, vars(tests), cls)
            except NotAProgram:
                yield f"{cls.__name__}.{method}", None


class TooSlow(BaseException):
    """A test took more than SECONDS of the processor's time."""


def _stop(number: int, frame: FrameType | None) -> None:
    raise TooSlow


def outcome(program: Callable[[], None]) -> str:
    """``passed``, ``refused: WHY``, ``failed: WHAT``, ``slow``; or ``host`` where CPython does not
    pass it in this form."""
    signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        try:
            program()
        except Exception as error:
            return f"host: {error!r}"
        assert isinstance(program, FunctionType)
        rpython.interpret(program, [])
        return "passed"
    except TranslationError as error:
        return f"refused: {str(error).splitlines()[0]}"
    except TooSlow:
        return "slow"
    except Exception as error:
        return f"failed: {error!r}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def shares(name: str, verbose: bool = False) -> Counter[str]:
    """How many tests have each outcome."""
    found: Counter[str] = Counter()
    for test, program in programs(name):
        result = "no program" if program is None else outcome(program)
        found[result.partition(":")[0]] += 1
        if verbose:
            print(f"    {test}: {result}", flush=True)
    return found


def failures(name: str) -> dict[str, str]:
    """The tests that are translated and do not pass, and how they end."""
    found = {}
    for test, program in programs(name):
        result = "no program" if program is None else outcome(program)
        if result.startswith("failed"):
            found[test] = result
    return found


def as_line(name: str, found: Counter[str]) -> str:
    """As ``shares.txt`` has it."""
    return f"{name}: " + ", ".join(f"{count} {result}" for result, count in sorted(found.items()))


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        if argument != "-v":
            print(as_line(argument, shares(argument, "-v" in sys.argv)), flush=True)
