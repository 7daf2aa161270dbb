"""Hindley-Milner type inference for a small lambda calculus."""
from __future__ import annotations
from dataclasses import dataclass
from itertools import count
from typing import Union, Optional
import re
import string


@dataclass(frozen=True)
class Var:
    name: str


@dataclass(frozen=True)
class Lam:
    param: str
    body: Expr


@dataclass(frozen=True)
class App:
    fn: Expr
    arg: Expr


@dataclass(frozen=True)
class Let:
    name: str
    value: Expr
    body: Expr


@dataclass(frozen=True)
class Lit:
    value: int | bool


Expr = Union[Var, Lam, App, Let, Lit]


@dataclass(frozen=True)
class TVar:
    id: int


@dataclass(frozen=True)
class TCon:
    name: str
    args: tuple[Type, ...] = ()


Type = Union[TVar, TCon]
INT, BOOL = TCon("int"), TCon("bool")


def fn(a: Type, b: Type) -> TCon:
    return TCon("->", (a, b))


@dataclass
class Scheme:
    vars: frozenset[int]
    type: Type


class InferError(Exception):
    ...


class Parser:
    def __init__(self, text: str):
        self.toks = re.findall(r"\\|->|\w+|[()=.+]", text)
        self.i = 0

    def peek(self) -> Optional[str]:
        return self.toks[self.i] if self.i < len(self.toks) else None

    def take(self, want: str | None = None) -> str:
        tok = self.peek()
        if tok is None or (want is not None and tok != want):
            raise SyntaxError(f"expected {want or 'something'}, got {tok}")
        self.i += 1
        return tok

    def expr(self) -> Expr:
        match self.peek():
            case "\\":
                self.take()
                p = self.take()
                self.take(".")
                return Lam(p, self.expr())
            case "let":
                self.take()
                name = self.take()
                self.take("=")
                value = self.expr()
                self.take("in")
                return Let(name, value, self.expr())
        e = self.atom()
        while (t := self.peek()) is not None and t not in {")", "in", "="}:
            e = App(e, self.atom())
        return e

    def atom(self) -> Expr:
        t = self.take()
        if t == "(":
            e = self.expr()
            self.take(")")
            return e
        if t.isdigit():
            return Lit(int(t))
        if t in ("true", "false"):
            return Lit(t == "true")
        return Var(t)


class Infer:
    def __init__(self):
        self.fresh_ids = count()
        self.subst: dict[int, Type] = {}

    def fresh(self) -> TVar:
        return TVar(next(self.fresh_ids))

    def walk(self, t: Type) -> Type:
        while isinstance(t, TVar) and t.id in self.subst:
            t = self.subst[t.id]
        if isinstance(t, TCon) and t.args:
            return TCon(t.name, tuple(self.walk(a) for a in t.args))
        return t

    def free(self, t: Type) -> set[int]:
        t = self.walk(t)
        if isinstance(t, TVar):
            return {t.id}
        return set().union(*(self.free(a) for a in t.args))

    def unify(self, a: Type, b: Type) -> None:
        a, b = self.walk(a), self.walk(b)
        match a, b:
            case TVar(x), TVar(y) if x == y:
                pass
            case (TVar(x), other) | (other, TVar(x)):
                if x in self.free(other):
                    raise InferError(f"infinite type: {show(a)} = {show(b)}")
                self.subst[x] = other
            case TCon(n, xs), TCon(m, ys) if n == m and len(xs) == len(ys):
                for x, y in zip(xs, ys):
                    self.unify(x, y)
            case _:
                raise InferError(f"cannot unify {show(a)} with {show(b)}")

    def instantiate(self, s: Scheme) -> Type:
        fresh = {v: self.fresh() for v in s.vars}

        def go(t: Type) -> Type:
            t = self.walk(t)
            if isinstance(t, TVar):
                return fresh.get(t.id, t)
            return TCon(t.name, tuple(map(go, t.args)))
        return go(s.type)

    def infer(self, e: Expr, env: dict[str, Scheme]) -> Type:
        match e:
            case Lit(bool()):
                return BOOL
            case Lit(int()):
                return INT
            case Var(name):
                if name not in env:
                    raise InferError(f"unbound {name}")
                return self.instantiate(env[name])
            case Lam(p, body):
                a = self.fresh()
                return fn(a, self.infer(body, {**env, p: Scheme(frozenset(), a)}))
            case App(f, x):
                r = self.fresh()
                self.unify(self.infer(f, env), fn(self.infer(x, env), r))
                return r
            case Let(name, value, body):
                t = self.infer(value, env)
                held = set().union(*(self.free(s.type) - s.vars for s in env.values()))
                return self.infer(body, env | {name: Scheme(frozenset(self.free(t) - held), t)})
        raise AssertionError(e)


def show(t: Type, names: dict[int, str] | None = None) -> str:
    names = {} if names is None else names
    if isinstance(t, TVar):
        return names.setdefault(t.id, string.ascii_lowercase[len(names)])
    if t.name == "->":
        a, b = t.args
        left = show(a, names)
        return f"({left})" if isinstance(a, TCon) and a.name == "->" and False else f"({left} -> {show(b, names)})"
    return t.name


ENV = {"add": Scheme(frozenset(), fn(INT, fn(INT, INT))), "if": Scheme(frozenset([-1]), fn(BOOL, fn(TVar(-1), fn(TVar(-1), TVar(-1)))))}

for text in ["\\x. x", "let id = \\x. x in id 3", "\\f. \\g. \\x. f (g x)", "add 1", "add true", "\\x. x x", "if true 1 2",
             "let k = \\a. \\b. a in if (k true 1) (k 1) (k 2)", "\\f. add (f 1) (f true)", "(1", "y", "let twice = \\f. \\x. f (f x) in twice (add 3) 4"]:
    inf = Infer()
    try:
        tree = Parser(text).expr()
        print(f"{text} : {show(inf.walk(inf.infer(tree, ENV)))}")
    except (InferError, SyntaxError) as err:
        print(f"{text} ! {type(err).__name__}: {err}")
print(Parser("f (g 1)").expr())
