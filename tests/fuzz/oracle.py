"""What a program should say: CPython's answer, with ints of so many bits.

The program runs under CPython with the result of every operation that can make an int
checked, in a copy of its syntax tree: one beyond 64 bits raises OverflowError, as it does
when it is translated.  (Not where it is computed at translation time, as a part of an
expression whose value fits: then the program says what CPython says.)
"""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Callable, Iterable
from typing import Any

_IN_PLACE = {
    "Add": operator.iadd, "Sub": operator.isub, "Mult": operator.imul, "Mod": operator.imod,
    "FloorDiv": operator.ifloordiv, "BitAnd": operator.iand, "BitOr": operator.ior,
    "BitXor": operator.ixor, "LShift": operator.ilshift, "RShift": operator.irshift,
}  # fmt: skip


def _operations(bits: int) -> dict[str, Callable[..., Any]]:
    """What the changed program calls."""
    limit = 1 << (bits - 1)

    def checked(value: Any) -> Any:
        for number in value if type(value) is tuple else (value,):  # of divmod
            if type(number) is int and not -limit <= number < limit:
                raise OverflowError("integer overflow")
        return value

    def lshift(a: Any, b: Any) -> Any:
        if type(a) is int and type(b) is int and b > bits and a:
            raise OverflowError("integer overflow")
        return checked(a << b)

    def in_place(name: str, target: Any, value: Any) -> Any:
        if name == "LShift" and type(target) is int:
            return lshift(target, value)
        return checked(_IN_PLACE[name](target, value))

    def checked_sum(items: Iterable[Any], start: Any = 0) -> Any:
        for item in items:
            start = checked(start + item)
        return start

    return {
        "checked": checked, "_lshift": lshift, "_in_place": in_place, "sum": checked_sum,
        "pow": lambda *args: checked(pow(*args)), "abs": lambda x: checked(abs(x)),
    }  # fmt: skip


class _Checks(ast.NodeTransformer):
    """Puts ``checked(...)`` around what may leave 64 bits."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.LShift):
            return _call("_lshift", [node.left, node.right], node)
        return _call("checked", [node], node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
            return _call("checked", [node], node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name):
            return node
        name = ast.Name(node.target.id, ast.Load())
        operator = ast.Constant(type(node.op).__name__)
        value = _call("_in_place", [operator, name, node.value], node)
        return ast.copy_location(ast.Assign([node.target], value), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in ("int", "round", "divmod"):
            return _call("checked", [node], node)
        return node


def _call(name: str, args: list[ast.expr], at: ast.AST) -> ast.Call:
    return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), args, []), at)


def oracle(source: str, filename: str, bits: int = 64) -> Callable[[int, int], str]:
    """The program's function ``run``, with ints of so many bits."""
    tree = ast.fix_missing_locations(_Checks().visit(ast.parse(source)))
    namespace: dict[str, Any] = {
        "__name__": "program", "__builtins__": builtins, **_operations(bits),
    }  # fmt: skip
    exec(compile(tree, filename, "exec"), namespace)
    run: Callable[[int, int], str] = namespace["run"]
    return run
