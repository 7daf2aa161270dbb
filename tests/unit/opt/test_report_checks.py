"""``rpython build --report checks``."""

from __future__ import annotations

from pathlib import Path

import pytest

from rpython.translator.commandline import cli

APP = """
class Node:
    def __init__(self, value, next):
        self.value = value
        self.next = next

def total(node):
    result = 0
    while node is not None:
        result += node.value
        node = node.next
    return result

def pick(xs, i):
    if i < 0:
        raise ValueError
    return xs[i]

class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

def length(n):
    p = Point(n, n)
    return p.x - p.y

def relink(node, other):
    node.next = other

def main(argv):
    node = None
    xs = [0] * 5
    for i in range(5):
        node = Node(i, node)
        xs[i] = i
    relink(node, node)
    return 0 if argv else total(node) + pick(xs, len(argv) - 3) + length(7)

def target(driver, args):
    return main, None
"""
EXPECTED = """
4: in Node.__init__: barriers: 0 of 1
9: in total: checks: 1 of 1: int_add_ovf of any and any
15: in pick: allocations: 1 of 2: it is returned, or one of several objects
15: in pick: barriers: 0 of 1
16: in pick: checks: 1 of 1: int_ge of 0..281474976710653 and 5
24: in length: allocations: 0 of 1
24: in length: calls: 0 of 1
25: in length: checks: 0 of 1
28: in relink: checks: 1 of 1: ptr_iszero: it may be null
28: in relink: barriers: 1 of 1: the object may be old
32: in main: allocations: 2 of 2: it has items (2 times)
32: in main: calls: 1 of 2: ll_fill: it has a loop
33: in main: allocations: 0 of 2
34: in main: allocations: 1 of 1: it is returned, or one of several objects
34: in main: calls: 0 of 1
35: in main: checks: 0 of 1
36: in main: calls: 0 of 1
37: in main: checks: 1 of 3: int_add_ovf of any and 0..4
37: in main: calls: 1 of 3: total: it has a loop
"""


def test_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "app.py"
    target.write_text(APP.lstrip())
    monkeypatch.chdir(tmp_path)
    assert cli.main(["build", "--report", "checks", "-O0", str(target)]) == 0
    lines = capfd.readouterr().err.splitlines()
    assert [line.removeprefix(f"{target}:") for line in lines] == EXPECTED.split("\n")[1:-1]


BOXES = """\
def area(x):
    return x * 2 if x else 0.5

def pick(xs, i):
    # nothing
    return xs[i]

def entry_point(argv):
    print(pick([area(len(argv)), area(0)], len(argv) - 1))
    return 0
"""
COSTS = {2: "1 boxing", 6: "1 check"}


def test_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "app.py").write_text(BOXES)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["build", "--report", "source", "-O0", "app.py"]) == 0
    title, *lines = capfd.readouterr().err.splitlines()
    assert title.endswith("app.py:")
    source = BOXES.splitlines()
    assert len(lines) == len(source)
    for number, (line, text) in enumerate(zip(lines, source), 1):
        assert line[36:] == f"{number:5}  {text}".rstrip()
        if number < 9:
            assert line[:36].rstrip() == COSTS.get(number, "")
    assert "allocation" in lines[8]
