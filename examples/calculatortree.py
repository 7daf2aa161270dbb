"""The syntax trees of examples/calculator.py, and what they evaluate to."""

from __future__ import annotations

import math
from collections.abc import Callable

from rply.token import BaseBox, SourcePosition

try:
    from rpython.rlib.rarithmetic import ovfcheck
except ImportError:

    def ovfcheck(r: int) -> int:
        """What fits in 64 bits."""
        if -(2**63) <= r < 2**63:
            return r
        raise OverflowError


MAX_DEPTH = 5000
"""How deep evaluations may nest."""

# -- places in the source --------------------------------------------------------------------------


class Source:
    """The text of a statement, and where it begins."""

    def __init__(self, path: str, line: int, text: str):
        self.path = path
        self.line = line
        self.text = text

    def place_of(self, position: SourcePosition | None) -> Place:
        """Where rply found a token."""
        assert position is not None  # which only the end of the text has not
        return Place(self, self.line + position.lineno - 1, position.colno)

    def place_at(self, index: int) -> Place:
        line = self.line + self.text.count("\n", 0, index)
        return Place(self, line, index - self.text.rfind("\n", 0, index))


class Place:
    """A line and a column, both from 1."""

    def __init__(self, source: Source, line: int, column: int):
        self.source = source
        self.line = line
        self.column = column

    def describe(self, message: str) -> str:
        """A message about this place, with the line and a mark below it."""
        source = self.source
        shown = source.text.split("\n")[self.line - source.line]
        mark = " " * (self.column - 1) + "^"
        return f"{source.path}:{self.line}:{self.column}: {message}\n    {shown}\n    {mark}"


class CalculatorError(Exception):
    """What is wrong, and where."""

    def __init__(self, message: str, place: Place):
        super().__init__(message)
        self.message = message
        self.place = place


# -- values ---------------------------------------------------------------------------------------


class Value:
    """Base class of what an expression can be."""

    def show(self) -> str:
        raise NotImplementedError


class Integer(Value):
    def __init__(self, value: int):
        self.value = value

    def show(self) -> str:
        return str(self.value)


class Real(Value):
    def __init__(self, value: float):
        self.value = value

    def show(self) -> str:
        return repr(self.value)


class Boolean(Value):
    def __init__(self, value: bool):
        self.value = value

    def show(self) -> str:
        return "true" if self.value else "false"


def number(value: Value, place: Place) -> float:
    if isinstance(value, Integer):
        return float(value.value)
    if isinstance(value, Real):
        return value.value
    raise CalculatorError(f"a number is wanted, not {value.show()}", place)


def integer(value: Value, place: Place) -> int:
    if isinstance(value, Integer):
        return value.value
    raise CalculatorError(f"an integer is wanted, not {value.show()}", place)


def truth(value: Value, place: Place) -> bool:
    if isinstance(value, Boolean):
        return value.value
    raise CalculatorError(f"true or false is wanted, not {value.show()}", place)


def real(value: float, place: Place) -> Value:
    if math.isinf(value):
        raise CalculatorError("the result is too large", place)
    return Real(value)


# -- evaluation ------------------------------------------------------------------------------------


class Globals:
    """What the statements of a run share."""

    def __init__(self) -> None:
        self.variables: dict[str, Value] = {"pi": Real(math.pi), "e": Real(math.e)}
        self.functions: dict[str, Definition] = {}


class Scope:
    """What an expression sees: the arguments of the function it is in, and everything global."""

    def __init__(self, shared: Globals, arguments: dict[str, Value] | None = None, depth: int = 0):
        self.shared = shared
        self.arguments = arguments
        self.depth = depth

    def lookup(self, name: str) -> Value | None:
        if self.arguments is not None and name in self.arguments:
            return self.arguments[name]
        return self.shared.variables.get(name)

    def evaluate(self, node: Node) -> Value:
        if self.depth == MAX_DEPTH:
            raise CalculatorError("the evaluation nests too deeply", node.place)
        self.depth += 1
        value = node.eval(self)
        self.depth -= 1
        return value


# -- the syntax tree ------------------------------------------------------------------------------


class Node(BaseBox):
    """Base class of expressions and statements; `place` is where errors are reported."""

    def __init__(self, place: Place):
        self.place = place

    def eval(self, scope: Scope) -> Value:
        raise NotImplementedError

    def execute(self, scope: Scope) -> str:
        """Do a statement; the line to print.  An expression is one."""
        value = scope.evaluate(self)
        scope.shared.variables["ans"] = value
        return value.show()


class Constant(Node):
    def __init__(self, place: Place, value: Value):
        self.place = place
        self.value = value

    def eval(self, scope: Scope) -> Value:
        return self.value


class Variable(Node):
    def __init__(self, place: Place, name: str):
        self.place = place
        self.name = name

    def eval(self, scope: Scope) -> Value:
        value = scope.lookup(self.name)
        if value is None:
            raise CalculatorError(f"the variable {self.name} is not defined", self.place)
        return value


class Negation(Node):
    def __init__(self, place: Place, operand: Node):
        self.place = place
        self.operand = operand

    def eval(self, scope: Scope) -> Value:
        value = scope.evaluate(self.operand)
        if isinstance(value, Integer):
            return Integer(checked("-", 0, value.value, self.place))
        return Real(-number(value, self.operand.place))


class Not(Node):
    def __init__(self, place: Place, operand: Node):
        self.place = place
        self.operand = operand

    def eval(self, scope: Scope) -> Value:
        return Boolean(not truth(scope.evaluate(self.operand), self.operand.place))


class Binary(Node):
    def __init__(self, place: Place, operator: str, left: Node, right: Node):
        self.place = place
        self.operator = operator
        self.left = left
        self.right = right


class Arithmetic(Binary):
    def eval(self, scope: Scope) -> Value:
        left = scope.evaluate(self.left)
        right = scope.evaluate(self.right)
        if isinstance(left, Integer) and isinstance(right, Integer):
            if self.operator != "/" and not (self.operator == "^" and right.value < 0):
                return Integer(checked(self.operator, left.value, right.value, self.place))
        x = number(left, self.left.place)
        y = number(right, self.right.place)
        return real(real_operation(self.operator, x, y, self.place), self.place)


class Comparison(Binary):
    def eval(self, scope: Scope) -> Value:
        left = scope.evaluate(self.left)
        right = scope.evaluate(self.right)
        if isinstance(left, Integer) and isinstance(right, Integer):
            return Boolean(compare_integers(self.operator, left.value, right.value))
        x = number(left, self.left.place)
        y = number(right, self.right.place)
        return Boolean(compare_reals(self.operator, x, y))


class Logical(Binary):
    """`and` and `or`: the right side is only looked at if it decides."""

    def eval(self, scope: Scope) -> Value:
        left = truth(scope.evaluate(self.left), self.left.place)
        if left is (self.operator == "or"):
            return Boolean(left)
        return Boolean(truth(scope.evaluate(self.right), self.right.place))


class Choice(Node):
    def __init__(self, place: Place, test: Node, then: Node, otherwise: Node):
        self.place = place
        self.test = test
        self.then = then
        self.otherwise = otherwise

    def eval(self, scope: Scope) -> Value:
        if truth(scope.evaluate(self.test), self.test.place):
            return scope.evaluate(self.then)
        return scope.evaluate(self.otherwise)


class Call(Node):
    def __init__(self, place: Place, name: str, args: list[Node]):
        self.place = place
        self.name = name
        self.args = args

    def eval(self, scope: Scope) -> Value:
        function = scope.shared.functions.get(self.name)
        builtin = BUILTINS.get(self.name)
        if function is not None:
            self.check_count(len(function.params), len(function.params))
        elif builtin is not None:
            self.check_count(builtin.least, builtin.most)
        else:
            raise CalculatorError(f"the function {self.name} is not defined", self.place)
        values = [scope.evaluate(arg) for arg in self.args]
        if function is not None:
            inner = Scope(scope.shared, dict(zip(function.params, values)), scope.depth)
            return inner.evaluate(function.body)
        assert builtin is not None
        return self.call_builtin(builtin, values)

    def check_count(self, least: int, most: int) -> None:
        count = len(self.args)
        if not least <= count <= most:
            wanted = str(least) if least == most else f"{least} or more"
            plural = "" if least == most == 1 else "s"
            text = f"{self.name} takes {wanted} argument{plural}, not {count}"
            raise CalculatorError(text, self.place)

    def call_builtin(self, builtin: Builtin, values: list[Value]) -> Value:
        try:
            return builtin.function(values, self.place)
        except ValueError:
            shown = ", ".join([value.show() for value in values])
            raise CalculatorError(f"{self.name}({shown}) has no value", self.place) from None
        except OverflowError:
            raise CalculatorError("the result is too large", self.place) from None


class Assignment(Node):
    def __init__(self, place: Place, name: str, value: Node):
        self.place = place
        self.name = name
        self.value = value

    def execute(self, scope: Scope) -> str:
        value = scope.evaluate(self.value)
        scope.shared.variables[self.name] = value
        return f"{self.name} = {value.show()}"


class Definition(Node):
    def __init__(self, place: Place, name: str, params: list[str], body: Node):
        self.place = place
        self.name = name
        self.params = params
        self.body = body

    def execute(self, scope: Scope) -> str:
        if self.name in BUILTINS:
            raise CalculatorError(f"{self.name} is a built-in function", self.place)
        for i in range(len(self.params)):
            if self.params[i] in self.params[:i]:
                raise CalculatorError(f"two parameters are named {self.params[i]}", self.place)
        scope.shared.functions[self.name] = self
        return f"{self.name}({', '.join(self.params)}) is defined"


class Nothing(Node):
    """An empty line."""

    def execute(self, scope: Scope) -> str:
        return ""


# -- arithmetic -----------------------------------------------------------------------------------


def checked(operator: str, x: int, y: int, place: Place) -> int:
    """An operation on integers, whose result has to be one of 64 bits."""
    try:
        return integer_operation(operator, x, y)
    except OverflowError:
        raise CalculatorError(f"integer overflow: {x} {operator} {y}", place) from None
    except ZeroDivisionError:
        raise CalculatorError("division by zero", place) from None


def integer_operation(operator: str, x: int, y: int) -> int:
    if operator == "+":
        return ovfcheck(x + y)
    if operator == "-":
        return ovfcheck(x - y)
    if operator == "*":
        return ovfcheck(x * y)
    if operator == "//":
        return ovfcheck(x // y)
    if operator == "%":
        return x % y
    return power(x, y)


def power(x: int, n: int) -> int:
    """x to the n by squaring, for n >= 0."""
    result = 1
    while n > 0:
        if n & 1:
            result = ovfcheck(result * x)
        n >>= 1
        if n > 0:
            x = ovfcheck(x * x)
    return result


def real_operation(operator: str, x: float, y: float, place: Place) -> float:
    try:
        if operator == "+":
            return x + y
        if operator == "-":
            return x - y
        if operator == "*":
            return x * y
        if operator == "/":
            return x / y
        if operator == "//":
            return x // y
        if operator == "%":
            return x % y
        if x == 0.0 and y < 0.0:
            raise ZeroDivisionError
        return math.pow(x, y)
    except ZeroDivisionError:
        raise CalculatorError("division by zero", place) from None
    except OverflowError:
        raise CalculatorError("the result is too large", place) from None
    except ValueError:
        text = "a negative number to a fractional power has no value"
        raise CalculatorError(text, place) from None


def compare_integers(operator: str, x: int, y: int) -> bool:
    match operator:
        case "==":
            return x == y
        case "!=":
            return x != y
        case "<":
            return x < y
        case "<=":
            return x <= y
        case ">":
            return x > y
        case _:
            return x >= y


def compare_reals(operator: str, x: float, y: float) -> bool:
    match operator:
        case "==":
            return x == y
        case "!=":
            return x != y
        case "<":
            return x < y
        case "<=":
            return x <= y
        case ">":
            return x > y
        case _:
            return x >= y


# -- built-in functions ---------------------------------------------------------------------------

Function = Callable[[list[Value], Place], Value]
MANY = 1 << 30


class Builtin:
    def __init__(self, least: int, most: int, function: Function):
        self.least = least
        self.most = most
        self.function = function


def real_function(function: Callable[[float], float]) -> Builtin:
    return Builtin(1, 1, lambda args, place: real(function(number(args[0], place)), place))


def rounding(function: Callable[[float], int]) -> Builtin:
    return Builtin(1, 1, lambda args, place: Integer(ovfcheck(function(number(args[0], place)))))


def absolute(args: list[Value], place: Place) -> Value:
    value = args[0]
    if isinstance(value, Integer):
        return Integer(ovfcheck(abs(value.value)))
    return Real(abs(number(value, place)))


def greatest(args: list[Value], place: Place) -> Value:
    best = args[0]
    for value in args:
        if number(value, place) > number(best, place):
            best = value
    return best


def least(args: list[Value], place: Place) -> Value:
    best = args[0]
    for value in args:
        if number(value, place) < number(best, place):
            best = value
    return best


BUILTINS = {
    "abs": Builtin(1, 1, absolute),
    "acos": real_function(math.acos),
    "atan": real_function(math.atan),
    "ceil": rounding(math.ceil),
    "cos": real_function(math.cos),
    "exp": real_function(math.exp),
    "floor": rounding(math.floor),
    "gcd": Builtin(2, 2, lambda args, place: Integer(
        ovfcheck(math.gcd(integer(args[0], place), integer(args[1], place))))),
    "ln": real_function(math.log),
    "max": Builtin(1, MANY, greatest),
    "min": Builtin(1, MANY, least),
    "real": real_function(lambda x: x),
    "sin": real_function(math.sin),
    "sqrt": real_function(math.sqrt),
    "tan": real_function(math.tan),
    "truncate": rounding(math.trunc),
}  # fmt: skip
