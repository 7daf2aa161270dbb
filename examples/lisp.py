"""A small Lisp: numbers, strings, pairs, closures, tail calls.

    lisp.py [FILE...]     runs the files, or else what is on standard input

Special forms: quote if define set! lambda let letrec begin cond and or while.  An error
names what went wrong, is printed, and ends the program with status 1.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from functools import partial

from lispdata import (
    NIL,
    Integer,
    LispError,
    Nil,
    Pair,
    Reader,
    Real,
    String,
    Symbol,
    Value,
    boolean,
    symbol,
    to_list,
)

# -- procedures -----------------------------------------------------------------------------------


class Procedure(Value):
    """A built-in function of its arguments."""

    def __init__(self, name: str, least: int, most: int, function: Callable[[list[Value]], Value]):
        self.name = name
        self.least = least
        self.most = most
        self.function = function

    def show(self) -> str:
        return f"#<procedure {self.name}>"


class Closure(Value):
    def __init__(self, params: list[Symbol], rest: Symbol | None, body: Value, env: Environment):
        self.params = params
        self.rest = rest
        self.body = body
        self.env = env
        self.name = "lambda"

    def show(self) -> str:
        return f"#<procedure {self.name}>"


# -- evaluation -------------------------------------------------------------------------------


class Environment:
    def __init__(self, outer: Environment | None = None):
        self.outer = outer
        self.values: dict[Symbol, Value] = {}

    def home(self, name: Symbol) -> dict[Symbol, Value]:
        """Where a name is bound."""
        env: Environment | None = self
        while env is not None:
            if name in env.values:
                return env.values
            env = env.outer
        raise LispError(f"unbound variable {name.name}")

    def __getitem__(self, name: Symbol) -> Value:
        return self.home(name)[name]


QUOTE, IF, DEFINE, SET, LAMBDA, LET, LETREC, BEGIN, COND, AND, OR, WHILE, ELSE = (
    symbol(name)
    for name in "quote if define set! lambda let letrec begin cond and or while else".split()
)
SPECIAL = {QUOTE, IF, DEFINE, SET, LAMBDA, LET, LETREC, BEGIN, COND, AND, OR, WHILE}


def items_of(form: Value, least: int, most: int = 1 << 30) -> list[Value]:
    """The items of a proper list of a certain length."""
    items: list[Value] = list(form) if isinstance(form, Pair) else []
    proper = form is NIL or (isinstance(form, Pair) and form.last_tail() is NIL)
    if not proper or not least <= len(items) <= most:
        raise LispError("bad syntax", form)
    return items


def name_of(form: Value) -> Symbol:
    if not isinstance(form, Symbol):
        raise LispError("a name is wanted", form)
    return form


def make_closure(params: Value, body: list[Value], env: Environment) -> Closure:
    names: list[Symbol] = []
    while isinstance(params, Pair):
        names.append(name_of(params.head))
        params = params.tail
    rest = None if params is NIL else name_of(params)
    return Closure(names, rest, Pair(BEGIN, to_list(body)), env)


def bind(closure: Closure, args: list[Value]) -> Environment:
    """The environment for the body of a closure."""
    count = len(closure.params)
    if len(args) < count or (len(args) > count and closure.rest is None):
        raise LispError(f"{closure.name} takes {count} arguments, not {len(args)}")
    env = Environment(closure.env)
    for name, arg in zip(closure.params, args):
        env.values[name] = arg
    rest = closure.rest
    if rest is not None:
        env.values[rest] = to_list(args[count:])
    return env


def call_procedure(procedure: Procedure, args: list[Value]) -> Value:
    if not procedure.least <= len(args) <= procedure.most:
        raise LispError(f"{procedure.name} does not take {len(args)} arguments")
    return procedure.function(args)


def apply(function: Value, args: list[Value]) -> Value:
    if isinstance(function, Procedure):
        return call_procedure(function, args)
    if isinstance(function, Closure):
        return evaluate(function.body, bind(function, args))
    raise LispError("not a procedure", function)


def evaluate(form: Value, env: Environment) -> Value:
    """The value of a form.  A form in tail position is evaluated without recursion."""
    while True:
        if isinstance(form, Symbol):
            return env[form]
        if not isinstance(form, Pair):
            return form
        head = form.head
        if isinstance(head, Symbol) and head in SPECIAL:
            parts = items_of(form, 1)
            if head is IF:
                items_of(form, 3, 4)
                if evaluate(parts[1], env).is_true():
                    form = parts[2]
                elif len(parts) == 4:
                    form = parts[3]
                else:
                    return NIL
            elif head is BEGIN:
                if len(parts) == 1:
                    return NIL
                for part in parts[1:-1]:
                    evaluate(part, env)
                form = parts[-1]
            elif head is COND:
                form, done = choose(parts[1:], env)
                if done:
                    return form
            elif head is LET:
                items_of(form, 3)
                inner = Environment(env)
                for binding in items_of(parts[1], 0):
                    name, value = items_of(binding, 2, 2)
                    inner.values[name_of(name)] = evaluate(value, env)
                form, env = Pair(BEGIN, to_list(parts[2:])), inner
            elif head is AND or head is OR:
                if len(parts) == 1:
                    return boolean(head is AND)
                for part in parts[1:-1]:
                    value = evaluate(part, env)
                    if value.is_true() is (head is OR):
                        return value
                form = parts[-1]
            else:
                return evaluate_special(head, parts, form, env)
            continue
        function = evaluate(head, env)
        args = [evaluate(arg, env) for arg in items_of(form, 1)[1:]]
        if not isinstance(function, Closure):
            return apply(function, args)
        form, env = function.body, bind(function, args)


def evaluate_special(head: Symbol, parts: list[Value], form: Value, env: Environment) -> Value:
    """The special forms that have nothing in tail position."""
    if head is QUOTE:
        return items_of(form, 2, 2)[1]
    if head is LAMBDA:
        items_of(form, 3)
        return make_closure(parts[1], parts[2:], env)
    if head is DEFINE:
        items_of(form, 3)
        target = parts[1]
        if isinstance(target, Pair):
            name = name_of(target.head)
            closure = make_closure(target.tail, parts[2:], env)
            closure.name = name.name
            env.values[name] = closure
            return name
        items_of(form, 3, 3)
        env.values[name_of(target)] = evaluate(parts[2], env)
        return target
    if head is SET:
        items_of(form, 3, 3)
        name = name_of(parts[1])
        value = evaluate(parts[2], env)
        env.home(name)[name] = value
        return value
    if head is LETREC:
        items_of(form, 3)
        inner = Environment(env)
        for binding in items_of(parts[1], 0):
            name_form, value_form = items_of(binding, 2, 2)
            inner.values[name_of(name_form)] = evaluate(value_form, inner)
        return evaluate(Pair(BEGIN, to_list(parts[2:])), inner)
    items_of(form, 2)
    while evaluate(parts[1], env).is_true():
        for part in parts[2:]:
            evaluate(part, env)
    return NIL


def choose(clauses: list[Value], env: Environment) -> tuple[Value, bool]:
    """``cond``: what to evaluate next or, when the bool is true, the value."""
    for clause in clauses:
        test, *body = items_of(clause, 1)
        if test is ELSE:
            return Pair(BEGIN, to_list(body)), False
        value = evaluate(test, env)
        if value.is_true():
            return (Pair(BEGIN, to_list(body)), False) if body else (value, True)
    return NIL, True


# -- built-in procedures ------------------------------------------------------------------------


def number(value: Value) -> float:
    match value:
        case Integer():
            return float(value.value)
        case Real():
            return value.value
        case _:
            raise LispError("a number is wanted", value)


def integer(value: Value) -> int:
    if isinstance(value, Integer):
        return value.value
    raise LispError("an integer is wanted", value)


def text_of(value: Value) -> str:
    if isinstance(value, String):
        return value.text
    raise LispError("a string is wanted", value)


def pair(value: Value) -> Pair:
    if isinstance(value, Pair):
        return value
    raise LispError("a pair is wanted", value)


IntOperation = Callable[[int, int], int]
RealOperation = Callable[[float, float], float]


def fold(on_ints: IntOperation, on_reals: RealOperation, start: int, args: list[Value]) -> Value:
    """An operation over any number of arguments: on ints while they are ints."""
    if len(args) == 1:
        args = [Integer(start), args[0]]
    result: Value = args[0] if args else Integer(start)
    for arg in args[1:]:
        if isinstance(result, Integer) and isinstance(arg, Integer):
            result = Integer(on_ints(result.value, arg.value))
        else:
            result = Real(on_reals(number(result), number(arg)))
    return result


def compare(holds: Callable[[float, float], bool], args: list[Value]) -> Value:
    values = [number(arg) for arg in args]
    return boolean(all(holds(values[i], values[i + 1]) for i in range(len(values) - 1)))


def divide(args: list[Value]) -> Value:
    left, right = args
    if number(right) == 0:
        raise LispError("division by zero", left)
    if isinstance(left, Integer) and isinstance(right, Integer) and left.value % right.value == 0:
        return Integer(left.value // right.value)
    return Real(number(left) / number(right))


def remainder(args: list[Value]) -> Value:
    left, right = map(integer, args)
    if right == 0:
        raise LispError("division by zero", args[0])
    return Integer(left % right)


def real_function(function: Callable[[float], float], args: list[Value]) -> Value:
    return Real(function(number(args[0])))


def square_root(x: float) -> float:
    if x < 0:
        raise LispError("sqrt of a negative number", Real(x))
    return math.sqrt(x)


def predicate(kind: type[Value], args: list[Value]) -> Value:
    return boolean(type(args[0]) is kind)


def append(args: list[Value]) -> Value:
    result: Value = NIL
    for arg in reversed(args):
        result = to_list(items_of(arg, 0), result)
    return result


def for_each(args: list[Value]) -> Value:
    for item in items_of(args[1], 0):
        apply(args[0], [item])
    return NIL


def map_list(args: list[Value]) -> Value:
    lists = [items_of(arg, 0) for arg in args[1:]]
    length = min(len(items) for items in lists)
    return to_list([apply(args[0], [items[i] for items in lists]) for i in range(length)])


def filter_list(args: list[Value]) -> Value:
    return to_list([x for x in items_of(args[1], 0) if apply(args[0], [x]).is_true()])


def sort_list(args: list[Value]) -> Value:
    """``(sort list key)``: stable, by a number."""
    return to_list(sorted(items_of(args[0], 0), key=lambda x: number(apply(args[1], [x]))))


def set_head(args: list[Value]) -> Value:
    pair(args[0]).head = args[1]
    return args[1]


def write_out(shown: bool, args: list[Value]) -> Value:
    print(args[0].show() if shown else args[0].display(), end="")
    return NIL


def newline(args: list[Value]) -> Value:
    print()
    return NIL


def error(args: list[Value]) -> Value:
    raise LispError(args[0].display(), args[1] if len(args) > 1 else None)


def make_globals() -> Environment:
    many = 1 << 30
    procedures = [
        Procedure("+", 0, many, partial(fold, lambda a, b: a + b, lambda a, b: a + b, 0)),
        Procedure("*", 0, many, partial(fold, lambda a, b: a * b, lambda a, b: a * b, 1)),
        Procedure("-", 1, many, partial(fold, lambda a, b: a - b, lambda a, b: a - b, 0)),
        Procedure("/", 2, 2, divide),
        Procedure("remainder", 2, 2, remainder),
        Procedure("=", 1, many, partial(compare, lambda a, b: a == b)),
        Procedure("<", 1, many, partial(compare, lambda a, b: a < b)),
        Procedure(">", 1, many, partial(compare, lambda a, b: a > b)),
        Procedure("<=", 1, many, partial(compare, lambda a, b: a <= b)),
        Procedure("sqrt", 1, 1, partial(real_function, square_root)),
        Procedure("sin", 1, 1, partial(real_function, math.sin)),
        Procedure("floor", 1, 1, lambda args: Integer(math.floor(number(args[0])))),
        Procedure("not", 1, 1, lambda args: boolean(not args[0].is_true())),
        Procedure("cons", 2, 2, lambda args: Pair(args[0], args[1])),
        Procedure("car", 1, 1, lambda args: pair(args[0]).head),
        Procedure("cdr", 1, 1, lambda args: pair(args[0]).tail),
        Procedure("set-car!", 2, 2, set_head),
        Procedure("list", 0, many, lambda args: to_list(args)),
        Procedure("append", 0, many, append),
        Procedure("length", 1, 1, lambda args: Integer(len(items_of(args[0], 0)))),
        Procedure("reverse", 1, 1, lambda args: to_list(items_of(args[0], 0)[::-1])),
        Procedure("eq?", 2, 2, lambda args: boolean(args[0] is args[1])),
        Procedure("equal?", 2, 2, lambda args: boolean(args[0].same(args[1]))),
        Procedure("null?", 1, 1, partial(predicate, Nil)),
        Procedure("pair?", 1, 1, partial(predicate, Pair)),
        Procedure("symbol?", 1, 1, partial(predicate, Symbol)),
        Procedure("string?", 1, 1, partial(predicate, String)),
        Procedure("integer?", 1, 1, partial(predicate, Integer)),
        Procedure("map", 2, many, map_list),
        Procedure("filter", 2, 2, filter_list),
        Procedure("for-each", 2, 2, for_each),
        Procedure("sort", 2, 2, sort_list),
        Procedure("apply", 2, 2, lambda args: apply(args[0], items_of(args[1], 0))),
        Procedure("string-append", 0, many, lambda args: String("".join(map(text_of, args)))),
        Procedure("string-length", 1, 1, lambda args: Integer(len(text_of(args[0])))),
        Procedure("string-upcase", 1, 1, lambda args: String(text_of(args[0]).upper())),
        Procedure("number->string", 1, 1, lambda args: String(args[0].show())),
        Procedure("symbol->string", 1, 1, lambda args: String(name_of(args[0]).name)),
        Procedure("display", 1, 1, partial(write_out, False)),
        Procedure("write", 1, 1, partial(write_out, True)),
        Procedure("newline", 0, 0, newline),
        Procedure("error", 1, 2, error),
    ]
    env = Environment()
    for procedure in procedures:
        env.values[symbol(procedure.name)] = procedure
    return env


# -- the program --------------------------------------------------------------------------------


def run(text: str, env: Environment) -> int:
    """Run a program; the exit status."""
    try:
        for form in Reader(text).forms():
            evaluate(form, env)
    except LispError as problem:
        print(f"error: {problem}")
        return 1
    except OverflowError:
        print("error: a number is too large")
        return 1
    except RecursionError:
        print("error: recursion is too deep")
        return 1
    return 0


def read_file(path: str) -> str:
    fd = os.open(path, os.O_RDONLY)
    parts: list[bytes] = []
    while part := os.read(fd, 65536):
        parts.append(part)
    os.close(fd)
    return b"".join(parts).decode("utf-8")


def entry_point(argv: list[str]) -> int:
    env = make_globals()
    texts = [read_file(path) for path in argv[1:]] or [sys.stdin.read()]
    return max(run(text, env) for text in texts)


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
