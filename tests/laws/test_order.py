"""Whether a program is accepted depends on what it says, not on the order in which it says it.

Each program is a few functions and a few statements that may stand in any order.  It is annotated
in every order of the statements, with the functions' order and the annotator's worklist shuffled
by a seed: it is accepted each time, or refused each time.
"""

from __future__ import annotations

import linecache
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, permutations
from random import Random
from types import FunctionType
from typing import Any

import pytest

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.program.signature import annotation_of_type
from rpython.annotator.refining import Boxing, Refinement, refined
from rpython.translator.driver import Translation
from rpython.translator.ir.errors import TranslationError

MOST_ORDERS = 24


@dataclass(frozen=True)
class Program:
    """``functions``: apart by empty lines; ``statements``: of ``f(n)``, one a line."""

    functions: str
    statements: str
    accepted: bool = True
    """Without boxes; with them all are."""
    first: str = ""
    """A statement that the others need."""


SIZE = """
def size(xs):
    return len(xs)
"""

IDENTITY = """
def same(x):
    return x
"""

CLASSES = """
class Base:
    pass

class Left(Base):
    def left(self):
        return 1

class Right(Base):
    def right(self):
        return 2
"""

PROGRAMS = {
    "a list that gets its items late": Program(
        SIZE, 'size(seen)\nsize([1])\nseen.append("x")', first="seen = []"
    ),
    "two of them": Program(
        SIZE, 'size(a)\nsize(b)\na.append("x")\nb.append(1)', first="a = []; b = []"
    ),
    "through two helpers": Program(
        SIZE + "\ndef outer(xs):\n    return size(xs) + 1\n",
        'outer(a)\nouter([1])\na.append("x")', first="a = []",
    ),
    "a dict that gets its items late": Program(
        SIZE, 'size(seen)\nsize({1: 2})\nseen["x"] = "y"', first="seen = {}"
    ),
    "a set that gets its items late": Program(
        SIZE, 'size(seen)\nsize({1})\nseen.add("x")', first="seen = set()"
    ),
    "what findall gives": Program(
        "import re\n" + SIZE,
        'size(re.findall("a", "banana"))\nsize([1])\nsize(re.findall("(a)(n)", "banana"))',
    ),
    "a generator and a zip": Program(
        """
        def count(xs):
            n = 0
            for x in xs:
                n += 1
            return n

        def numbers(n):
            for i in range(n):
                yield i

        def words(n):
            for i in range(n):
                yield str(i)
        """,
        'count(numbers(n))\ncount(zip([1], ["a"]))\ncount(words(n))\ncount([1.5])',
    ),
    "None among several kinds": Program(
        IDENTITY, 'print(same(n) + 1)\nprint(same(None) is None)\nprint(same("x") + "y")'
    ),
    "a bool and an int in one helper": Program(
        IDENTITY, "print(same(n))\nprint(same(True))\nprint([same(n), 1], [same(False)])"
    ),
    "None through one more call": Program(
        IDENTITY + "\ndef twice(x):\n    return same(same(x))\n",
        'print(twice(n) + 1)\nprint(twice(None) is None)\nprint(twice("x") + "y")',
    ),
    "the items of lists of related instances": Program(
        SIZE + CLASSES,
        "lefts.append(Left())\nsize(lefts)\nsize(rights)\nrights.append(Right())\n"
        "print(sum([x.left() for x in lefts]))\nprint(sum([x.right() for x in rights]))",
        first="lefts = []; rights = []",
    ),
    "lists made by one function": Program(
        "def fresh():\n    return []\n", 'a.append(1)\nb.append("x")', accepted=False,
        first="a = fresh(); b = fresh()",
    ),
    "lists made by one function for several kinds": Program(
        "def one(x):\n    ys = []\n    ys.append(x)\n    return ys\n",
        'a.append(1)\nb.append("x")', first='a = one(2); b = one("y")',
    ),
    "a list of two kinds": Program(
        SIZE, 'size(a)\na.append(1)\na.append("x")', accepted=False, first="a = []"
    ),
    "a function that calls itself with new lists": Program(
        """
        def ordered(xs):
            if len(xs) < 2:
                return xs
            low = [x for x in xs[1:] if x < xs[0]]
            high = [x for x in xs[1:] if x >= xs[0]]
            return ordered(low) + xs[:1] + ordered(high)
        """,
        'print(ordered(a))\nprint(ordered([1]))\na.append("x")', first="a = []",
    ),
    "functions that call each other with new lists": Program(
        """
        def even(xs):
            return len(xs) == 0 or odd([x for x in xs[1:]])

        def odd(xs):
            return len(xs) > 0 and even([x for x in xs[1:]])
        """,
        'print(even(a))\nprint(odd([1]))\na.append("x")', first="a = []",
    ),
    "functions given to one helper": Program(
        "def call(f, x):\n    return f(x)\n",
        'print(call(lambda x: x + 1, n))\nprint(call(lambda x: str(x), n) + "x")',
    ),
    "an instance or None in one helper": Program(
        IDENTITY + CLASSES,
        "print(same(Left()).left())\nprint(same(Right()).right())\nprint(same(None) is None)",
    ),
    "lists kept in one attribute": Program(
        "class Box:\n    def __init__(self, items):\n        self.items = items\n",
        'Box([1])\nBox(a)\na.append("x")', accepted=False, first="a = []",
    ),
    "operations that one of the kinds has": Program(
        "class Other:\n    def __init__(self):\n        self.name = 1\n\n"
        "def add(xs, x):\n    xs.append(x)\n\ndef up(x):\n    return x.upper()\n\n"
        "def more(x):\n    return x + 1\n",
        "print(up(a[n]))\nprint(more(a[n]))\nprint(a[n].name)\nprint(a)", accepted=False,
        first='a = [1]; a.append("x"); a.append(Other())',
    ),
    "a promise about a list": Program(
        SIZE + "\nfrom rpython.rlib.debug import make_sure_not_resized\n",
        "size(a)\nmake_sure_not_resized(b)\nsize(b)\na.append(1)", first="a = [1]; b = [2]",
    ),
}  # fmt: skip


def orders(program: Program) -> Iterator[tuple[str, Random]]:
    """The texts of the program, with a seeded order for each."""
    statements = program.statements.splitlines()
    ways = permutations(statements)
    for seed, way in enumerate(islice(ways, MOST_ORDERS)):
        random = Random(seed)
        f = "def f(n):\n" + textwrap.indent("\n".join([program.first or "pass", *way]), "    ")
        parts = [f, *textwrap.dedent(program.functions).strip().split("\n\n")]
        classes = [part for part in parts if part.startswith("class")]
        others = [part for part in parts if not part.startswith("class")]
        random.shuffle(others)
        yield "\n\n".join([*classes, *others]), random


def is_accepted(text: str, order: Random, boxing: Boxing) -> bool:
    space: dict[str, Any] = {"__name__": "ordered"}
    linecache.cache["ordered.py"] = (len(text), None, text.splitlines(keepends=True), "ordered.py")
    exec(compile(text, "ordered.py", "exec"), space)
    f: FunctionType = space["f"]

    def attempt(refinement: Refinement) -> bool:
        annotator = RPythonAnnotator(order, refinement=refinement)
        args_s = [annotation_of_type(annotator, int)]
        Translation(f, args_s, None, annotator).rtype()
        annotator.check_fixpoint()
        return True

    try:
        return refined(attempt, boxing)
    except TranslationError:
        return False


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("boxing", ["refuse", "allow"])
def test_no_order_decides_what_is_accepted(name: str, boxing: Boxing) -> None:
    program = PROGRAMS[name]
    if program.accepted and boxing == "allow":
        return  # nothing is in a box then
    wanted = program.accepted or boxing == "allow"
    wrong = [
        text for text, order in orders(program) if is_accepted(text, order, boxing) is not wanted
    ]
    assert not wrong, f"{len(wrong)} orders, the first is\n{wrong[0]}"
