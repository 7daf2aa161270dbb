"""Larger programs about objects; abstract classes.  PYTEST_DONT_REWRITE"""

import abc

from differential import agrees


class Base(abc.ABC):
    @abc.abstractmethod
    def run(self, x): ...
    @property
    @abc.abstractmethod
    def name(self): ...
    def twice(self, x):
        return self.run(self.run(x))

    @abc.abstractmethod
    def __len__(self): ...
    @abc.abstractmethod
    def opt(self):
        return 3


class Mid(Base):
    def opt(self):
        return super().opt() + 1


class Inc(Mid):
    name = "inc"

    def run(self, x):
        return x + 1

    def __len__(self):
        return 3


class Inc2(Mid):
    @property
    def name(self):
        return "inc2"

    def run(self, x):
        return x + 2

    def __len__(self):
        return 0


class Inc3(Inc2):
    @property
    def name(self):
        return "three"


class Only(abc.ABC):
    @abc.abstractmethod
    def f(self): ...


@agrees(*range(-2, 6))
def test_abstract_methods(i):
    b = Inc3() if i % 2 else Inc2()
    return b.twice(i) + len(b) + b.opt() + (1 if b else 0)


@agrees(*range(-2, 6))
def test_abstract_properties(i):
    b = Inc3() if i % 2 else Inc2()
    return use(b)


def use(b):
    return b.name


def late(b, x):
    return b.run(x)


@agrees(*range(-2, 6))
def test_abstract_method_of_a_class_found_later(i):
    t = late(Inc2(), i)
    return t + late(Inc3(), i)


@agrees(*range(-2, 6))
def test_abstract_class_or_none(i):
    o = None
    if i > 100:
        o = Inc2()
    return o.run(3)


@agrees(*range(-2, 6))
def test_instantiating_an_abstract_class_in_a_variable(i):
    c = Only if i == 3 else Impl
    return c().f()


class Impl(Only):
    def f(self):
        return 5


@agrees(*range(-2, 6))
def test_instantiating_the_class_of_an_instance(i):
    o = Impl()
    return make_like(o).f()


def make_like(o):
    return type(o)()


class Stack:
    class Empty(Exception):
        pass

    def __init__(self):
        self.items = []

    def push(self, x):
        self.items.append(x)

    def pop(self):
        if not self.items:
            raise Stack.Empty("empty")
        return self.items.pop()

    def __len__(self):
        return len(self.items)

    def __bool__(self):
        return len(self.items) > 0


@agrees(*range(-2, 6))
def test_stack_with_nested_exception_class(i):
    s = Stack()
    for k in range(i):
        s.push(k)
    t = 0
    while s:
        t = t * 3 + s.pop()
    try:
        s.pop()
    except Stack.Empty as e:
        return str(e) + str(t) + str(len(s))
    return ""


class Env:
    def __init__(self, parent=None):
        self.vars = {}
        self.parent = parent

    def get(self, name):
        e = self
        while e is not None:
            if name in e.vars:
                return e.vars[name]
            e = e.parent
        raise NameError(name)

    def set(self, name, v):
        self.vars[name] = v


@agrees(*range(-2, 6))
def test_environments(i):
    g = Env()
    g.set("x", 1)
    l = Env(g)
    l.set("y", i)
    try:
        return l.get("x") + l.get("y") + l.get("z" if i > 2 else "x")
    except NameError as e:
        return -len(str(e))


class Token:
    def __init__(self, kind, text):
        self.kind = kind
        self.text = text


class Lexer:
    def __init__(self, s):
        self.s = s
        self.pos = 0

    def next(self):
        while self.pos < len(self.s) and self.s[self.pos] == " ":
            self.pos += 1
        if self.pos >= len(self.s):
            return None
        c = self.s[self.pos]
        if c.isdigit():
            start = self.pos
            while self.pos < len(self.s) and self.s[self.pos].isdigit():
                self.pos += 1
            return Token("num", self.s[start : self.pos])
        self.pos += 1
        return Token("op", c)


class ParseError(ValueError):
    def __init__(self, msg, pos):
        ValueError.__init__(self, "%s at %d" % (msg, pos))
        self.pos = pos


class Parser:
    def __init__(self, s):
        self.lex = Lexer(s)
        self.tok = self.lex.next()

    def advance(self):
        t = self.tok
        self.tok = self.lex.next()
        return t

    def expr(self):
        v = self.term()
        while self.tok is not None and self.tok.text in ("+", "-"):
            op = self.advance().text
            r = self.term()
            v = v + r if op == "+" else v - r
        return v

    def term(self):
        v = self.atom()
        while self.tok is not None and self.tok.kind == "op" and self.tok.text == "*":
            self.advance()
            v *= self.atom()
        return v

    def atom(self):
        t = self.advance()
        if t is None:
            raise ParseError("unexpected end", self.lex.pos)
        if t.kind == "num":
            return int(t.text)
        if t.text == "(":
            v = self.expr()
            if self.tok is None or self.tok.text != ")":
                raise ParseError("expected )", self.lex.pos)
            self.advance()
            return v
        raise ParseError("bad token " + repr(t.text), self.lex.pos)


EXPRS = ["1+2*3", "(1+2)*3 - 4", "2*(3", "*", "", "10 - 2 - 3", "((7))"]


@agrees(*[(k,) for k in range(7)])
def test_parser_with_errors_caught(i):
    try:
        return Parser(EXPRS[i]).expr()
    except ParseError as e:
        return -e.pos - 100 * len(str(e))


@agrees(*[(k,) for k in range(7)])
def test_parser_with_errors(i):
    return Parser(EXPRS[i]).expr()


class Event:
    handlers = []

    def __init__(self, name):
        self.name = name
        self.subs = []

    def connect(self, f):
        self.subs.append(f)
        return f

    def emit(self, *args):
        for s in self.subs:
            s(*args)


@agrees(*range(-2, 6))
def test_events(i):
    e = Event("a")
    log = Log()
    e.connect(log.add)
    e.connect(log.neg)
    e.emit(i)
    e.emit(i + 1)
    return str(log.l)


class Log:
    def __init__(self):
        self.l = []

    def add(self, x):
        self.l.append(x)

    def neg(self, x):
        self.l.append(-x)


class Matrix:
    def __init__(self, n):
        self.n = n
        self.d = [0] * (n * n)

    def __getitem__(self, ij):
        i, j = ij
        return self.d[i * self.n + j]

    def __setitem__(self, ij, v):
        i, j = ij
        self.d[i * self.n + j] = v

    def __mul__(self, o):
        r = Matrix(self.n)
        for i in range(self.n):
            for j in range(self.n):
                t = 0
                for k in range(self.n):
                    t += self[i, k] * o[k, j]
                r[i, j] = t
        return r


@agrees(*range(-2, 6))
def test_matrix(i):
    m = Matrix(2)
    m[0, 0] = 1
    m[0, 1] = i
    m[1, 0] = 2
    m[1, 1] = 3
    p = m * m
    return (p[0, 0], p[0, 1], p[1, 0], p[1, 1])


OPS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b}


@agrees(*range(-2, 6))
def test_dispatch_over_lambdas(i):
    return OPS["+" if i % 2 else "-"](i, 3)


class Singleton:
    instance = None

    def __init__(self):
        self.n = 0


INST = Singleton()


def get():
    return INST


@agrees(*range(-2, 6))
def test_singleton(i):
    a = get()
    a.n = i
    r = get().n
    a.n = 0
    return r
