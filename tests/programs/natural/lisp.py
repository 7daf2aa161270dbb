"""A small Scheme interpreter."""
import math
import operator as op
import sys
from functools import reduce


class Symbol(str):
    pass


class LispError(Exception):
    pass


class Env(dict):
    def __init__(self, params=(), args=(), outer=None):
        super().__init__()
        self.update(zip(params, args))
        self.outer = outer

    def find(self, var):
        if var in self:
            return self
        if self.outer is None:
            raise LispError(f"unbound variable: {var}")
        return self.outer.find(var)


class Procedure:
    def __init__(self, params, body, env):
        self.params, self.body, self.env = params, body, env

    def __call__(self, *args):
        if len(args) != len(self.params):
            raise LispError(f"expected {len(self.params)} arguments, got {len(args)}")
        return evaluate(self.body, Env(self.params, args, self.env))


def tokenize(text):
    return text.replace("(", " ( ").replace(")", " ) ").replace("'", " ' ").split()


def atom(token):
    if token == "#t":
        return True
    if token == "#f":
        return False
    try:
        return int(token)
    except ValueError:
        try:
            return float(token)
        except ValueError:
            return Symbol(token)


def read(tokens):
    if not tokens:
        raise LispError("unexpected end of input")
    token = tokens.pop(0)
    if token == "(":
        items = []
        while tokens and tokens[0] != ")":
            items.append(read(tokens))
        if not tokens:
            raise LispError("missing )")
        tokens.pop(0)
        return items
    if token == ")":
        raise LispError("unexpected )")
    if token == "'":
        return [Symbol("quote"), read(tokens)]
    return atom(token)


def standard_env():
    env = Env()
    env.update({
        "+": lambda *a: sum(a),
        "*": lambda *a: reduce(op.mul, a, 1),
        "-": lambda a, *rest: -a if not rest else reduce(op.sub, rest, a),
        "/": op.truediv,
        "<": op.lt, ">": op.gt, "<=": op.le, ">=": op.ge, "=": op.eq,
        "abs": abs, "max": max, "min": min, "sqrt": math.sqrt,
        "not": op.not_,
        "car": lambda x: x[0], "cdr": lambda x: x[1:], "cons": lambda a, b: [a] + b,
        "list": lambda *a: list(a), "null?": lambda x: x == [], "length": len,
        "number?": lambda x: isinstance(x, (int, float)) and not isinstance(x, bool),
        "map": lambda f, xs: [f(x) for x in xs],
    })
    env["pi"] = math.pi
    return env


def evaluate(x, env):
    while True:
        if isinstance(x, Symbol):
            return env.find(x)[x]
        if not isinstance(x, list):
            return x
        if not x:
            raise LispError("cannot evaluate ()")
        head = x[0]
        if head == "quote":
            return x[1]
        if head == "if":
            _, test, yes, *no = x
            if evaluate(test, env) is not False:
                x = yes
            elif no:
                x = no[0]
            else:
                return None
        elif head == "define":
            if isinstance(x[1], list):
                name, *params = x[1]
                env[name] = Procedure(params, x[2], env)
            else:
                env[x[1]] = evaluate(x[2], env)
            return None
        elif head == "lambda":
            return Procedure(x[1], x[2], env)
        elif head == "let":
            names = [b[0] for b in x[1]]
            values = [evaluate(b[1], env) for b in x[1]]
            env = Env(names, values, env)
            x = x[2]
        else:
            f = evaluate(head, env)
            args = [evaluate(a, env) for a in x[1:]]
            if isinstance(f, Procedure):
                x, env = f.body, Env(f.params, args, f.env)
            else:
                return f(*args)


def show(value):
    if value is True:
        return "#t"
    if value is False:
        return "#f"
    if isinstance(value, list):
        return "(" + " ".join(map(show, value)) + ")"
    if isinstance(value, Procedure):
        return f"#<procedure/{len(value.params)}>"
    return str(value)


PROGRAM = [
    "(define (fact n) (if (<= n 1) 1 (* n (fact (- n 1)))))", "(fact 15)",
    "(define (loop i acc) (if (= i 0) acc (loop (- i 1) (+ acc i))))", "(loop 20000 0)",
    "(map (lambda (x) (* x x)) '(1 2 3 4.5))", "(let ((a 2) (b 3)) (+ a b 0.5))",
    "(/ 7 2)", "(- 5)", "(max 3 9 4)", "(cons 1 '(two 3))", "(null? '())", "fact",
    "(car '(a b))", "(undefined 3)", "(1 2", "(number? 'x)", "(sqrt 16)", "(* pi 2)",
]


def main():
    env = standard_env()
    for source in PROGRAM:
        try:
            value = evaluate(read(tokenize(source)), env)
        except LispError as e:
            print("error:", e)
        else:
            if value is not None:
                print(show(value))
    return 0


if __name__ == "__main__":
    sys.exit(main())
