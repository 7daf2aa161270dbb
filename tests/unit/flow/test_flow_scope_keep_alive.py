"""Local variables hold what nobody reads again in programs that can tell: the graphs."""

import types

import pytest

import rpython
from rpython.annotator.program.scope_keep_alive import Watching
from rpython.translator.flow.build import build_flow
from rpython.translator.flow.safepoints import is_break
from rpython.translator.flow.scope_keep_alive import held_variables, says_held
from rpython.translator.ir.printer import print_graph

SOURCE = """
def straight(n):
    x = [n]
    return n + 1

def rebound(n):
    x = [n]
    x = [n + 1]
    x = n
    return n

def deleted(n):
    x = [n]
    del x
    return n

def branches(n):
    if n:
        x = [n]
    else:
        x = str(n)
    return n

def endless(n):
    x = [n]
    while True:
        print(n)

def raising(n):
    x = [n]
    raise ValueError(n)

def maybe(n):
    if n > 5:
        x = [n]
    if n > 6:
        return len(x)
    return n

def idle(n):
    x = [n]
    while True:
        pass

def generator(n):
    x = [n]
    yield n
"""


def module(source: str) -> types.ModuleType:
    made = types.ModuleType("program")
    exec(compile(source, "program.py", "exec"), made.__dict__)
    return made


@pytest.mark.parametrize(
    ("name", "held"),
    [
        ("straight", [["n", "x"]]),
        ("rebound", [["x"], ["x"], ["n"]]),
        ("deleted", [["x"], ["n"]]),
        ("branches", [["n", "x"]]),
        ("endless", [["n", "x"]]),
        ("raising", [["n", "x"]]),
        ("maybe", [["n", "x"]]),
        ("idle", [["n", "x"]]),
        ("generator", []),
    ],
)
def test_what_is_held(name: str, held: list[list[str]]) -> None:
    graph = build_flow(getattr(module(SOURCE), name), holds=True)
    said = [op for block in graph.iterblocks() for op in block.operations if says_held(op)]
    assert [sorted(v.name for v in op.args[1:]) for op in said] == held, print_graph(graph)


def test_nothing_is_held_unless_asked_for() -> None:
    graph = build_flow(module(SOURCE).branches)
    assert not held_variables(graph)
    assert not any(says_held(op) for block in graph.iterblocks() for op in block.operations)


@pytest.mark.parametrize(
    ("source", "watches"),
    [
        ("def f(): return 1", False),
        ("import weakref\ndef f(): return 1", True),
        ("from weakref import ref as r\ndef f(): return 1", True),
        ("def f():\n    import weakref\n    return 1", True),
        ("import weakref\nd = weakref.WeakValueDictionary()\ndel weakref\ndef f(): return 1", True),
        ("class A:\n    def __del__(self): pass\ndef f(): return 1", True),
        ("def f():\n    class A:\n        def __del__(self): pass\n    return 1", True),
        ("from rpython.rlib import rgc\ndef f(): return 1", False),
        ("from rpython.rlib import rgc\nclass Q(rgc.FinalizerQueue): pass\ndef f(): pass", True),
        ("import threading, pytest\ndef f(): return 1", False),
    ],
)
def test_which_programs_can_tell(source: str, watches: bool) -> None:
    assert Watching().watches(module(source).f) == watches


def test_kinds_that_do_not_go_together_are_not_held() -> None:
    branches = module(SOURCE + "class Mortal:\n    def __del__(self): pass\n").branches
    assert "x: SomeUnkept()" in rpython.show(branches, [int], stage="annotated")
    assert rpython.interpret(branches, [3]) == 3


def test_loops_that_only_hold_are_idle() -> None:
    graph = build_flow(module(SOURCE).idle, holds=True)
    assert any(is_break(op) for block in graph.iterblocks() for op in block.operations)


def test_what_is_held_in_init_is_not_read() -> None:
    source = """
class Mortal:
    def __del__(self): pass

class Sum:
    def __init__(self, n):
        total = 0
        for i in range(n):
            total = total + i
        self.total = total

def f(n): return Sum(n).total
"""
    text = rpython.show(module(source).f, [int], stage="lowlevel")
    assert "AttributeError" not in text and "has_" not in text, text
