"""What a module does at its top level, which runs when the extension module is built and not when
Python imports it: what is different each time, or is there for what it does, is refused.

    STARTED = time.time()               refused
    DEBUG = "DEBUG" in os.environ       refused
    TABLE = [n * n for n in range(9)]   fine: a constant
"""

from __future__ import annotations

import ast
import builtins
import datetime
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.span import Span

_NAMES: dict[str, str] = {
    "os": "environ environb getenv putenv unsetenv getcwd chdir getpid getppid getlogin umask times"
          " urandom cpu_count",
    "time": "time time_ns monotonic monotonic_ns perf_counter perf_counter_ns process_time"
            " process_time_ns localtime gmtime ctime asctime strftime sleep",
    "sys": "argv path stdin stdout stderr setrecursionlimit getrecursionlimit setswitchinterval"
           " settrace setprofile exit",
    "random": "random randint randrange choice choices shuffle sample uniform triangular gauss"
              " normalvariate expovariate betavariate gammavariate lognormvariate vonmisesvariate"
              " paretovariate weibullvariate seed setstate getstate getrandbits randbytes",
    "secrets": "token_bytes token_hex token_urlsafe choice randbelow randbits",
    "uuid": "uuid1 uuid4", "atexit": "register", "signal": "signal",
    "warnings": "warn filterwarnings simplefilter", "locale": "setlocale",
    "gc": "disable enable freeze set_threshold", "platform": "node", "socket": "gethostname",
}  # fmt: skip
_TABLE = {module: frozenset(names.split()) for module, names in _NAMES.items()}
_CLOCKS = frozenset(["now", "today", "utcnow"])
_DATES = (datetime.datetime, datetime.date)


def check_import_time(module: ModuleType) -> None:
    """Raise TranslationError when the module does something of that kind when it is imported."""
    path = getattr(module, "__file__", None)
    if path is None:
        return
    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    for node in _run(tree.body):
        what = _found(node, vars(module))
        if what is not None:
            raise TranslationError(
                f"{what} at the top level of an extension module, which runs when it is built, not"
                " when Python imports it", Span(path, getattr(node, "lineno", 1)),
                hint="use it in a function, or write a constant",
            )  # fmt: skip


def _run(nodes: list[ast.stmt]) -> Iterator[ast.AST]:
    """What runs of these statements: not what is in functions, nor what is for programs, nor other
    names for something."""
    todo: list[ast.AST] = list(reversed(nodes))
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If) and _is_for_programs(node.test):
            todo += node.orelse
            continue
        yield node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            todo += [*node.decorator_list, *filter(_is_computed, node.args.defaults)]
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and not _is_computed(node.value):
            continue
        elif not isinstance(node, ast.Lambda):
            todo += reversed(list(ast.iter_child_nodes(node)))


def _is_for_programs(test: ast.expr) -> bool:
    names = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
    return "__name__" in names or "TYPE_CHECKING" in names


def _is_computed(node: ast.expr | None) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return not isinstance(node, ast.Name)


def _found(node: ast.AST, names: dict[str, Any]) -> str | None:
    """How it is shown, if the node calls or reads something of that kind."""
    if isinstance(node, ast.Call):
        callee = _value(node.func, names)
        if callee is print or (callee is random.Random and not node.args):
            return f"{callee.__name__}()"
        if isinstance(node.func, ast.Attribute) and node.func.attr in _CLOCKS:
            holder = _value(node.func.value, names)
            return f"datetime.{node.func.attr}" if holder in _DATES else None
        return _shown(callee)
    if isinstance(node, (ast.Name, ast.Attribute)):
        value = _value(node, names)
        return None if callable(value) else _shown(value)
    return None


def _shown(value: Any) -> str | None:
    """``os.environ`` for what that is."""
    if value is None:
        return None
    for name, attributes in _TABLE.items():
        module = sys.modules.get(name)  # what is not imported is not used
        for attribute in attributes if module is not None else ():
            if getattr(module, attribute, None) is value:
                return f"{name}.{attribute}"
    return None


def _value(node: ast.expr, names: dict[str, Any]) -> Any:
    """What a name, or an attribute of a module or a class, stands for."""
    if isinstance(node, ast.Name):
        return names.get(node.id, getattr(builtins, node.id, None))
    if isinstance(node, ast.Attribute):
        holder = _value(node.value, names)
        return getattr(holder, node.attr, None) if isinstance(holder, ModuleType) else None
    return None
