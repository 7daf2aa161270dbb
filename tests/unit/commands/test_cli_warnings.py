"""What the command ``rpython`` says of programs that it translates."""

from __future__ import annotations

import pytest

from tests.support.commandline import TARGET, rpython

WARNED = """
class A:
    size = 3
    _immutable_fields_ = ["x", "yy[*]", "size"]

    def __init__(self, n):
        self.x = n
        self.y = [n]

    def __repr__(self):
        return str(eval("1"))

def entry_point(argv):
    a = A(len(argv))
    if len(argv) > 5:
        raise ValueError(a)
    return a.x
"""


@pytest.mark.parametrize("command", ["check", "build"])
def test_warnings(tmp_path, command):
    (tmp_path / "warned.py").write_text(WARNED)
    done = rpython(tmp_path, command, "warned.py")
    assert done.returncode == 0
    assert done.stderr.splitlines()[:8] == [
        f"{tmp_path}/warned.py:4: in A: warning[R1102]: _immutable_fields_ of class A names 'yy', "
        "which nothing assigns",
        '    _immutable_fields_ = ["x", "yy[*]", "size"]',
        "  hint: correct the name, or remove it",
        f"{tmp_path}/warned.py:11:20: in A.__repr__: warning[R1104]: A.__repr__ cannot be "
        "translated (calling the built-in eval is not supported): there is no text of exceptions "
        "that would show it",
        '    return str(eval("1"))',
        "               ^^^^^^^^^",
        f"  called to show what an exception is made with  ({tmp_path}/warned.py:16:15)",
        "      raise ValueError(a)",
    ]


def test_warns_of_calls_of_abstract_classes(tmp_path):
    (tmp_path / "abstract.py").write_text(
        """\
from abc import ABC, abstractmethod

class A(ABC):
    @abstractmethod
    def f(self): ...

class B(A):
    def f(self):
        return 1

def entry_point(argv):
    try:
        A()
    except TypeError:
        pass
    return [A, B][len(argv)]().f()
"""
    )
    done = rpython(tmp_path, "check", "abstract.py")
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        f"{tmp_path}/abstract.py:13:9: in entry_point: warning[R1101]: class A is abstract: it "
        "does not define f",
        "    A()",
        "    ^^^",
    ]


OPEN = """
class Node:
    def __init__(self, parent):
        self.kids = []
        if parent is not None:
            parent.kids.append(self)

class Tree(Node):
    def __init__(self):
        Node.__init__(self, None)
        self.root = {"root": [self]}

class Leaf:
    def __init__(self, n):
        self.n = n

    def __del__(self):
        print("gone")

def count(n):
    try:
        yield n
    finally:
        print("ended")

def entry_point(argv):
    leaf = Leaf(len(Node(Tree()).kids))
    print(leaf.n, [i for i in count(3)])
    return 0
"""


def test_answers_that_are_left_open_are_told(tmp_path):
    (tmp_path / "open.py").write_text(OPEN)
    (tmp_path / "closed.py").write_text(TARGET)
    waits = "waits for a collection, which CPython often needs none for (docs/memory.md)"
    told = (
        f"rpython: __del__ of Leaf {waits}\n"
        f"rpython: the cleaning up of a dropped generator count {waits}\n"
    )
    assert rpython(tmp_path, "check", "open.py").stderr == told
    built = rpython(tmp_path, "build", "-O0", "--gc=refcount", "open.py")
    assert built.stderr == (
        f"{told}rpython: --gc=refcount never frees cycles, which Node, Tree may form\n"
    )
    assert rpython(tmp_path, "build", "-O0", "--gc=refcount", "closed.py").stderr == ""
