"""Which expressions of a Python 2 program are ints and which are floats.

`/` means two things in Python 2, and which one it is depends on its operands.  This finds the
kinds of names over all files of the program together, by name alone: all attributes called `x`
count as one variable, as do all parameters `n` of functions called `f`.  It starts at "no value"
and goes on until nothing changes, so what is found is true as long as the files given are all
that use these names.

    def half(n): return n / 2      # n is an int where every call gives one
    half(len(items))
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from enum import IntFlag


class Kind(IntFlag):
    """A set of kinds; no member: no value was seen."""

    NONE = 0
    INT = 1
    FLOAT = 2
    OTHER = 4  # not a number, or not known


INT_CALLS = frozenset(
    "int len ord hash id intmask r_uint r_int r_longlong r_ulonglong r_int32 r_uint32 sizeof"
    " find rfind index count bit_length cmp".split()
)
SAME_CALLS = frozenset("abs ovfcheck widen promote hint".split())
FLOAT_MODULES = {"math", "rfloat"}
FLOAT_CALLS = {("time", "time"), ("time", "process_time"), ("time", "clock")}
CONSTANTS = {("sys", "maxsize"): Kind.INT, ("math", "pi"): Kind.FLOAT, ("math", "e"): Kind.FLOAT}

BITWISE = ast.LShift | ast.RShift | ast.BitAnd | ast.BitOr | ast.BitXor

Function = ast.FunctionDef | ast.Lambda
Variable = tuple[object, str]
"""The function whose local it is, or "global", "attribute" or "result"; and the name."""


class Kinds:
    """The kinds of all expressions of some modules, by ``of(expression)``."""

    def __init__(self, modules: Iterable[ast.Module]) -> None:
        self._found: dict[Variable, Kind] = {}
        self._scopes: dict[ast.AST, Function | None] = {}
        self._locals: dict[Function, frozenset[str]] = {}
        self._parents: dict[Function, Function | None] = {}
        self._functions: dict[str, list[tuple[ast.FunctionDef, bool]]] = {}
        self._classes: set[str] = set()
        self._class_attributes: set[ast.AST] = set()
        modules = list(modules)
        for module in modules:
            self._enter(module, None, False)
        self._free_functions(modules)
        nodes = list(self._scopes)
        changed = True
        while changed:
            before = dict(self._found)
            for node in nodes:
                self._visit(node)
            changed = before != self._found

    # -- scopes --------------------------------------------------------------------------------

    def _enter(self, node: ast.AST, scope: Function | None, in_class: bool) -> None:
        """Note of ``node`` and all below in which function they are."""
        self._scopes[node] = scope
        match node:
            case ast.Name(id=name, ctx=ast.Store()) if in_class:
                self._class_attributes.add(node)
                self._join(("attribute", name), Kind.NONE)
            case ast.Name(id=name, ctx=ast.Store()):
                self._join(self._variable(name, scope), Kind.NONE)
            case ast.Attribute(attr=name, ctx=ast.Store()):
                self._join(("attribute", name), Kind.NONE)
            case _:
                pass
        if isinstance(node, ast.ClassDef):
            self._classes.add(node.name)
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            if isinstance(node, ast.FunctionDef):
                self._functions.setdefault(node.name, []).append((node, in_class))
            self._parents[node] = scope
            self._locals[node] = frozenset(_bound_names(node))
            for default in [*node.args.defaults, *filter(None, node.args.kw_defaults)]:
                self._enter(default, scope, False)
            for child in node.body if isinstance(node.body, list) else [node.body]:
                self._enter(child, node, False)
            return
        inside = isinstance(node, ast.ClassDef) or (in_class and not isinstance(node, ast.expr))
        for below in ast.iter_child_nodes(node):
            self._enter(below, scope, inside)

    def _free_functions(self, modules: list[ast.Module]) -> None:
        """Functions that are not called by name, or used as values, are given anything."""
        called: set[str] = set()
        callees: set[ast.AST] = set()
        loaded: set[str] = set()
        for module in modules:
            for node in ast.walk(module):
                name = _name_of(node)
                if isinstance(node, ast.Call):
                    callees.add(node.func)
                    called.add(_name_of(node.func) or "")
                elif name and node not in callees and isinstance(_context(node), ast.Load):
                    loaded.add(name)
        if "__init__" in self._functions:
            called |= {"__init__"} if called & self._classes else set()
        for name, functions in self._functions.items():
            if name not in called or name in loaded:
                for function, _ in functions:
                    for parameter in _parameters(function):
                        self._join((function, parameter), Kind.OTHER)

    def _variable(self, name: str, scope: Function | None) -> Variable:
        while scope is not None:
            if name in self._locals[scope]:
                return scope, name
            scope = self._parents[scope]
        return "global", name

    def _join(self, variable: Variable, kind: Kind) -> None:
        self._found[variable] = self._found.get(variable, Kind.NONE) | kind

    # -- what binds names ----------------------------------------------------------------------

    def _visit(self, node: ast.AST) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._assign(target, value, self.of(value))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign(target, value, self.of(value))
            case ast.AugAssign(target=target, op=op, value=value):
                self._bind(target, _arithmetic(op, self.of(target), self.of(value), value))
            case ast.For(target=target, iter=items) | ast.comprehension(target=target, iter=items):
                self._bind_item(target, items)
            case ast.ExceptHandler(name=str(name)):
                self._join(self._variable(name, self._scopes[node]), Kind.OTHER)
            case ast.Return(value=value):
                scope = self._scopes[node]
                if isinstance(scope, ast.FunctionDef):
                    kind = Kind.OTHER if value is None else self.of(value)
                    self._join(("result", scope.name), kind)
            case ast.Call():
                self._call(node)
            case ast.FunctionDef() | ast.Lambda():
                self._define(node)
            case ast.With(items=managers):
                for manager in managers:
                    if manager.optional_vars is not None:
                        self._bind(manager.optional_vars, Kind.OTHER)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                self._import(node, names)
            case _:
                pass

    def _import(self, node: ast.AST, names: list[ast.alias]) -> None:
        for alias in names:
            if alias.asname is not None:  # another name for what the files may hold: not followed
                self._join(self._variable(alias.asname, self._scopes[node]), Kind.OTHER)

    def _define(self, function: Function) -> None:
        parameters = function.args
        positional = [*parameters.posonlyargs, *parameters.args]
        for parameter, default in zip(reversed(positional), reversed(parameters.defaults)):
            self._join((function, parameter.arg), self.of(default))
        for special in (parameters.vararg, parameters.kwarg):
            if special is not None:
                self._join((function, special.arg), Kind.OTHER)
        if isinstance(function, ast.Lambda):
            for name in _parameters(function):
                self._join((function, name), Kind.OTHER)

    def _assign(self, target: ast.expr, value: ast.expr, kind: Kind) -> None:
        match target, value:
            case ast.Tuple(elts=targets) | ast.List(elts=targets), ast.Tuple(elts=values) if len(
                targets
            ) == len(values):
                for one, its in zip(targets, values):
                    self._assign(one, its, self.of(its))
            case _:
                self._bind(target, kind)

    def _bind(self, target: ast.expr, kind: Kind) -> None:
        match target:
            case ast.Name(id=name) if target in self._class_attributes:
                self._join(("attribute", name), kind)
            case ast.Name(id=name):
                self._join(self._variable(name, self._scopes[target]), kind)
            case ast.Attribute(attr=name):
                self._join(("attribute", name), kind)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                for one in targets:
                    self._bind(one, Kind.OTHER)
            case ast.Starred(value=value):
                self._bind(value, Kind.OTHER)
            case _:
                pass  # of an item, which is not followed

    def _bind_item(self, target: ast.expr, items: ast.expr) -> None:
        match items, target:
            case ast.Call(func=ast.Name(id="range" | "xrange")), _:
                self._bind(target, Kind.INT)
            case ast.Call(func=ast.Name(id="enumerate")), ast.Tuple(elts=[index, item]):
                self._bind(index, Kind.INT)
                self._bind(item, Kind.OTHER)
            case _:
                self._bind(target, Kind.OTHER)

    def _call(self, call: ast.Call) -> None:
        """Give the parameters of the functions of that name what is passed."""
        name = _name_of(call.func)
        if name is None:
            return
        functions = self._functions.get(name, [])
        if name in self._classes:
            functions = self._functions.get("__init__", [])
        for function, is_method in functions:
            parameters = _parameters(function)
            if is_method and not _is_static(function) and not self._through_class(call.func):
                parameters = parameters[1:]
            open_ended = any(isinstance(arg, ast.Starred) for arg in call.args)
            if open_ended or any(keyword.arg is None for keyword in call.keywords):
                for parameter in parameters:
                    self._join((function, parameter), Kind.OTHER)
                continue
            for parameter, argument in zip(parameters, call.args):
                self._join((function, parameter), self.of(argument))
            for keyword in call.keywords:
                self._join((function, str(keyword.arg)), self.of(keyword.value))

    def _through_class(self, callee: ast.expr) -> bool:
        """`C.method(instance, ...)`."""
        match callee:
            case ast.Attribute(value=ast.Name(id=name) | ast.Attribute(attr=name)):
                return name in self._classes
        return False

    # -- what expressions are ------------------------------------------------------------------

    def of(self, node: ast.expr) -> Kind:
        """The kinds that an expression of the modules may have."""
        match node:
            case ast.Constant(value=value):
                if isinstance(value, int):  # bool, too: it counts as one
                    return Kind.INT
                return Kind.FLOAT if isinstance(value, float) else Kind.OTHER
            case ast.Name(id=name):
                variable = self._variable(name, self._scopes.get(node))
                return self._found.get(variable, self._unbound(variable))
            case ast.Attribute(value=ast.Name(id=module), attr=name) if (module, name) in CONSTANTS:
                return CONSTANTS[module, name]
            case ast.Attribute(attr=name):
                return self._found.get(("attribute", name), Kind.OTHER)
            case ast.BinOp(left=left, op=op, right=right):
                return _arithmetic(op, self.of(left), self.of(right), right)
            case ast.UnaryOp(op=op, operand=operand):
                return Kind.INT if isinstance(op, ast.Not) else self.of(operand)
            case ast.Compare():
                return Kind.INT
            case ast.BoolOp(values=values):
                return self._join_of(values)
            case ast.IfExp(body=body, orelse=orelse):
                return self._join_of([body, orelse])
            case ast.Call():
                return self._result(node)
            case _:
                return Kind.OTHER

    def _unbound(self, variable: Variable) -> Kind:
        """A local that no visit has bound yet has no value; a global name comes from elsewhere."""
        return Kind.OTHER if variable[0] == "global" else Kind.NONE

    def _join_of(self, nodes: Iterable[ast.expr]) -> Kind:
        found = Kind.NONE
        for node in nodes:
            found |= self.of(node)
        return found

    def _result(self, call: ast.Call) -> Kind:
        name = _name_of(call.func)
        match call.func:
            case ast.Attribute(value=ast.Name(id=module)):
                if module in FLOAT_MODULES or (module, name) in FLOAT_CALLS:
                    return Kind.FLOAT
        if name in self._functions:
            return self._found.get(("result", name), Kind.NONE)
        if name in INT_CALLS:
            return Kind.INT
        if name in SAME_CALLS and call.args:
            return self.of(call.args[0])
        if name in ("float", "round"):
            return Kind.FLOAT
        if name in ("min", "max") and len(call.args) > 1:
            return self._join_of(call.args)
        return Kind.OTHER


def _arithmetic(op: ast.operator, left: Kind, right: Kind, power: ast.expr) -> Kind:
    """The kinds of `left op right` in Python 2."""
    if not left or not right:
        return Kind.NONE
    if left == Kind.INT and isinstance(op, BITWISE):
        return Kind.INT  # or an error, whatever is on the right
    found = (left | right) & Kind.OTHER
    if left & Kind.INT and right & Kind.INT:
        found |= Kind.INT
    if (left | right) & Kind.FLOAT:
        found |= Kind.FLOAT
    if isinstance(op, ast.Pow) and found == Kind.INT:
        negative = not isinstance(power, ast.Constant)  # 2 ** -1 is a float
        return Kind.OTHER if negative else Kind.INT
    return found


def _bound_names(function: Function) -> Iterator[str]:
    """The names that are local to a function, comprehensions' included, as in Python 2."""
    yield from _parameters(function)
    for special in (function.args.vararg, function.args.kwarg):
        if special is not None:
            yield special.arg
    if isinstance(function, ast.Lambda):
        return
    elsewhere = {
        name for node in ast.walk(function) if isinstance(node, ast.Global) for name in node.names
    }
    inside: list[ast.AST] = list(function.body)
    while inside:
        node = inside.pop()
        match node:
            case ast.Name(id=name, ctx=ast.Store()) if name not in elsewhere:
                yield name
            case ast.ExceptHandler(name=str(name)):
                yield name
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from (alias.asname for alias in names if alias.asname)
            case ast.FunctionDef() | ast.ClassDef() | ast.Lambda():
                continue
        inside.extend(ast.iter_child_nodes(node))


def _parameters(function: Function) -> list[str]:
    arguments = function.args
    return [one.arg for one in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]]


def _is_static(function: ast.FunctionDef) -> bool:
    return any(_name_of(decorator) == "staticmethod" for decorator in function.decorator_list)


def _name_of(node: ast.AST) -> str | None:
    """`f` of the expressions `f` and `x.f`."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return None


def _context(node: ast.AST) -> ast.expr_context | None:
    return node.ctx if isinstance(node, ast.Name | ast.Attribute) else None
