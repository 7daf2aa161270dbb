"""A tiny Lisp interpreter."""
import math
import operator as op


class Symbol(str):
    pass


class LispError(Exception):
    pass


def tokenize(source):
    return source.replace("(", " ( ").replace(")", " ) ").replace("'", " ' ").split()


def parse(tokens):
    if not tokens:
        raise LispError("unexpected end of input")
    token = tokens.pop(0)
    if token == "(":
        items = []
        while tokens and tokens[0] != ")":
            items.append(parse(tokens))
        if not tokens:
            raise LispError("missing )")
        tokens.pop(0)
        return items
    if token == ")":
        raise LispError("unexpected )")
    if token == "'":
        return [Symbol("quote"), parse(tokens)]
    return atom(token)


def atom(token):
    try:
        return int(token)
    except ValueError:
        try:
            return float(token)
        except ValueError:
            return Symbol(token)


class Env(dict):
    def __init__(self, names=(), values=(), outer=None):
        super().__init__(zip(names, values))
        self.outer = outer

    def find(self, name):
        if name in self:
            return self
        if self.outer is None:
            raise LispError(f"undefined: {name}")
        return self.outer.find(name)


class Procedure:
    def __init__(self, params, body, env):
        self.params, self.body, self.env = params, body, env

    def __call__(self, *args):
        if len(args) != len(self.params):
            raise LispError(f"expected {len(self.params)} arguments, got {len(args)}")
        return evaluate(self.body, Env(self.params, args, self.env))


def standard_env():
    env = Env()
    env.update({
        "+": lambda *a: sum(a),
        "*": lambda *a: math.prod(a),
        "-": op.sub, "/": op.truediv, "<": op.lt, ">": op.gt, "=": op.eq, "<=": op.le,
        "car": lambda x: x[0],
        "cdr": lambda x: x[1:],
        "cons": lambda x, y: [x] + y,
        "list": lambda *x: list(x),
        "null?": lambda x: x == [],
        "length": len,
        "sqrt": math.sqrt,
        "map": lambda f, xs: [f(x) for x in xs],
    })
    return env


def evaluate(x, env):
    while True:
        if isinstance(x, Symbol):
            return env.find(x)[x]
        if not isinstance(x, list):
            return x
        if not x:
            return x
        head, *rest = x
        if head == "quote":
            return rest[0]
        if head == "if":
            test, yes, no = rest
            x = yes if evaluate(test, env) else no
        elif head == "define":
            name, value = rest
            env[name] = evaluate(value, env)
            return None
        elif head == "lambda":
            return Procedure(rest[0], rest[1], env)
        elif head == "let":
            names = [n for n, _ in rest[0]]
            values = [evaluate(v, env) for _, v in rest[0]]
            env = Env(names, values, env)
            x = rest[1]
        else:
            proc = evaluate(head, env)
            return proc(*[evaluate(a, env) for a in rest])


def to_string(value):
    if isinstance(value, bool):
        return "#t" if value else "#f"
    if isinstance(value, list):
        return "(" + " ".join(map(to_string, value)) + ")"
    if callable(value):
        return "<procedure>"
    return str(value)


PROGRAM = [
    "(define square (lambda (x) (* x x)))",
    "(square 12)",
    "(define fact (lambda (n) (if (<= n 1) 1 (* n (fact (- n 1))))))",
    "(fact 20)",
    "(map square (list 1 2.5 3))",
    "(let ((a 3) (b 4)) (sqrt (+ (square a) (square b))))",
    "'(1 (2 three) 4)",
    "(car (cdr '(a b c)))",
    "(= 1 2)",
    "square",
    "(define compose (lambda (f g) (lambda (x) (f (g x)))))",
    "((compose square square) 3)",
    "(undefined-thing 1)",
    "(square 1 2)",
    "(+ 1 2",
]


def main():
    env = standard_env()
    for line in PROGRAM:
        try:
            result = evaluate(parse(tokenize(line)), env)
        except LispError as e:
            print(f"{line}\n  error: {e}")
            continue
        if result is not None:
            print(f"{line}\n  => {to_string(result)}")


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
