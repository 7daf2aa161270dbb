"""Laws of annotations: joins form a semilattice, fixpoints are fixpoints in any order."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.addresses import SomeAccess, s_Address, s_Offset
from rpython.annotator.lattice.builtinmethods import SomeBuiltinMethods
from rpython.annotator.lattice.cells import DictDef, ListDef
from rpython.annotator.lattice.model import (
    Const,
    SomeBool,
    SomeBuiltinMethod,
    SomeBytes,
    SomeChar,
    SomeDict,
    SomeDictView,
    SomeFloat,
    SomeInstance,
    SomeInteger,
    SomeIterator,
    SomeList,
    SomeLLChar,
    SomeMethod,
    SomeObject,
    SomePBC,
    SomePtr,
    SomeRange,
    SomeSlice,
    SomeString,
    SomeTuple,
    SomeUnion,
    s_Bottom,
    s_ByteArray,
    s_None,
    s_Top,
)
from rpython.annotator.lattice.parts import representable
from rpython.annotator.lattice.sets import SomeAnySet, SomeFrozenSet, SomeSet
from rpython.annotator.lattice.supers import SomeSuper
from rpython.annotator.lattice.union import Pairs, contains, union
from rpython.annotator.lattice.vartuples import SomeVarTuple
from rpython.annotator.program.desc import MethodDesc
from rpython.annotator.program.signature import annotation_of_type
from rpython.lltypesystem.llmemory import NULL, sizeof
from rpython.lltypesystem.lltype import Array, Float, GcStruct, Ptr, Signed
from rpython.lltypesystem.rarithmetic import r_int32, r_int64, r_uint
from rpython.stdlib.builtins import smaller
from rpython.translator.driver import Translation
from rpython.translator.flow.generator_classes import generator
from rpython.translator.ir.traversal import reverse_postorder

sys.path.append(str(Path(__file__).parents[1] / "cases"))
from caseformat import Case, read_cases
from casesource import load_source
from threeway import called_function

CASES = Path(__file__).parents[1] / "cases"
FILES = (
    "functions/calls", "objects/classes", "objects/exceptions", "objects/idioms", "objects/init",
    "objects/instancetexts", "objects/methods", "objects/prebuilt", "objects/programs",
    "objects/specialmethods",
)  # fmt: skip
"""Whose programs are annotated in several orders."""
PROGRAMS = [
    case for file in FILES for case in read_cases(CASES / f"{file}.case") if case.all("call")
]


class Animal:
    color = "grey"

    def speak(self) -> int:
        return 1


class Cat(Animal):
    def speak(self) -> int:
        return 2


class Tiger(Cat):
    pass


class Dog(Animal):
    pass


class Stone:
    pass


def one() -> int:
    return 1


def two() -> int:
    return 2


WORLD = RPythonAnnotator()
"""Whose classes, functions and definitions the samples are about."""


def _instances() -> list[SomeObject]:
    classdef = WORLD.constants.classdef
    known = [SomeInstance(classdef(cls)) for cls in (Animal, Cat, Tiger, Dog, Stone)]
    tom = Cat()
    known += _generators()
    return [*known, SomeInstance(classdef(Cat), Const(tom)), WORLD.constants.annotation_of(Dog())]


def _generators() -> list[SomeInstance]:
    """Instances whose class has to be one of several."""
    classdef = WORLD.constants.classdef
    base = classdef(generator)
    one, two, three = (classdef(type("generator", (generator,), {})) for _ in range(3))
    return [
        SomeInstance(one), SomeInstance(two), SomeInstance(three),
        SomeInstance(base, None, frozenset([one, two])),
        SomeInstance(base, None, frozenset([two, three])),
        SomeInstance(base, None, frozenset([one, two, three])),
    ]  # fmt: skip


def _callables() -> list[SomeObject]:
    of = WORLD.constants.annotation_of
    functions, classes = [of(one), of(two)], [of(Animal), of(Cat), of(Stone)]
    methods = [of(Cat().speak), of(Animal().speak)]
    known = [*functions, *classes, *methods]
    return [*known, *(s.without_const() for s in known)]


def _plain() -> list[SomeObject]:
    of = WORLD.constants.annotation_of
    lists = [ListDef(f"list {i}") for i in range(3)]
    dicts = [DictDef(f"dict {i}") for i in range(2)]
    sets = [DictDef(f"set {i}") for i in range(2)]
    some_lists: list[SomeObject] = [SomeList(d) for d in lists]
    return [
        s_Bottom, s_Top, s_None, SomeBool(), of(True), of(False), SomeFloat(), of(0.0), of(-0.0),
        SomeInteger(), SomeInteger(nonneg=True), of(0), of(1), of(-1),
        SomeInteger(may_be_bool=True), SomeInteger(True, may_be_bool=True),
        SomeInteger(knowntype=r_uint), of(r_uint(1)), SomeInteger(knowntype=r_int32),
        SomeInteger(knowntype=r_uint, mixed=True), SomeInteger(mixed=True), of(r_int64(1)),
        SomeInteger(True, mixed=True), SomeInteger(knowntype=r_int64),
        SomeString(), SomeChar(), of("a"), of("b"), of("text"), SomeBytes(), of(b"x"), s_ByteArray,
        *some_lists, *(SomeDict(d) for d in dicts),
        SomeDictView(dicts[0], "keys"), SomeDictView(dicts[0], "values"),
        SomeDictView(dicts[1], "keys"),
        *(cls(d) for cls in (SomeSet, SomeFrozenSet) for d in sets),
        SomeRange(1, True), SomeRange(None, False), SomeRange(2, False), of(range(3)),
        SomeIterator((some_lists[0],)), SomeIterator((some_lists[1],)),
        SomeIterator((some_lists[0],), "enumerate"), SomeIterator((SomeString(),)),
        SomeSlice((SomeInteger(), s_None, s_None)), SomeSlice((s_None, SomeInteger(), s_None)),
        SomeBuiltinMethod("append", some_lists[0]), SomeBuiltinMethod("append", some_lists[1]),
        SomeBuiltinMethod("pop", some_lists[0]), SomeBuiltinMethod("join", of(",")),
        SomeBuiltinMethod("join", of("")), SomeBuiltinMethod("join", SomeString()),
        SomeSuper(Cat, SomeInstance(WORLD.constants.classdef(Cat))),
        SomeSuper(Cat, SomeInstance(WORLD.constants.classdef(Tiger))),
        SomeSuper(Dog, SomeInstance(WORLD.constants.classdef(Dog))),
        of(len), of(ord), SomeLLChar(),
        SomePtr(Ptr(GcStruct("node", ("n", Signed)))), SomePtr(Ptr(Array(Signed))),
        s_Address, of(NULL), s_Offset, of(sizeof(Signed)), of(sizeof(Float)),
        SomeAccess(Signed), SomeAccess(Float),
    ]  # fmt: skip


SIMPLE = [*_plain(), *_instances(), *_callables()]
INSIDE = [s for s in SIMPLE if s is not s_Top and s.kinds]
simple = st.sampled_from(SIMPLE)
inside = st.sampled_from(INSIDE)
tuples = st.lists(inside, max_size=3).map(lambda items: SomeTuple(tuple(items)))
of_any_length = inside.filter(representable).map(SomeVarTuple)
parts = st.one_of(inside, tuples, of_any_length)


def annotations_of(boxes: bool) -> st.SearchStrategy[SomeObject]:
    unions = st.tuples(parts, parts).map(lambda two: union(*two, Pairs(boxes)))
    return st.one_of(simple, tuples, of_any_length, unions, st.just(s_Bottom))


MODES = {boxes: annotations_of(boxes) for boxes in (False, True)}
annotations = MODES[False]


def several(count: int) -> st.SearchStrategy[tuple[Any, ...]]:
    """So many annotations, and Pairs for their joins, of a program with or without boxes."""
    return st.booleans().flatmap(
        lambda boxes: st.tuples(st.builds(Pairs, st.just(boxes)), *[MODES[boxes]] * count)
    )



class Merged:
    """Which list and dict definitions have become one."""

    def __init__(self, pairs: Pairs) -> None:
        self._parent: dict[int, int] = {}
        for a, b in pairs:
            self._parent[self.find(id(a.find()))] = self.find(id(b.find()))

    def find(self, ident: int) -> int:
        while ident in self._parent and self._parent[ident] != ident:
            ident = self._parent[ident]
        return ident

    def form(self, s: Any) -> Hashable:
        """The annotation with definitions replaced by the classes they are in; equal forms
        mean the same."""
        if isinstance(s, (SomeList, SomeDict, SomeDictView, SomeAnySet)):
            definition = s.listdef if isinstance(s, SomeList) else s.dictdef
            which = s.which if isinstance(s, SomeDictView) else ""
            return (type(s), self.find(id(definition.find())), which, s.const)
        if isinstance(s, SomeTuple):
            return (SomeTuple, tuple(map(self.form, s.items)), s.const)
        if isinstance(s, SomeVarTuple):
            return (SomeVarTuple, self.form(s.s_item))
        if isinstance(s, SomeUnion):
            return (SomeUnion, frozenset(map(self.form, s.parts)))
        if isinstance(s, SomeIterator):
            return (SomeIterator, tuple(map(self.form, s.sources)), s.variant)
        if isinstance(s, SomeBuiltinMethods):
            return (SomeBuiltinMethods, *map(self.form, s.parts))
        if isinstance(s, SomeBuiltinMethod):
            return (SomeBuiltinMethod, s.name, self.form(s.s_self))
        if isinstance(s, SomeSlice):
            return (SomeSlice, tuple(map(self.form, s.parts)), s.const)
        return s  # type: ignore[no-any-return]


def same(a: SomeObject, b: SomeObject, pairs: Pairs) -> bool:
    merged = Merged(pairs)
    return merged.form(a) == merged.form(b)


@given(several(1))
def test_join_with_itself(drawn: tuple[Pairs, SomeObject]) -> None:
    pairs, a = drawn
    assert union(a, a, pairs) == a


@given(annotations)
def test_bottom_and_top(a: SomeObject) -> None:
    assert union(s_Bottom, a, Pairs()) == union(a, s_Bottom, Pairs()) == a
    assert union(s_Top, a, Pairs()) == union(a, s_Top, Pairs()) == s_Top


@given(several(2))
@settings(max_examples=500)
def test_joins_commute(drawn: tuple[Any, ...]) -> None:
    pairs, a, b = drawn
    left, right = union(a, b, pairs), union(b, a, pairs)
    assert same(left, right, pairs), (a, b, left, right)


@given(several(3))
@settings(max_examples=1000)
def test_joins_associate(drawn: tuple[Any, ...]) -> None:
    pairs, a, b, c = drawn
    left = union(union(a, b, pairs), c, pairs)
    right = union(a, union(b, c, pairs), pairs)
    assert same(left, right, pairs), (a, b, c, left, right)


@given(several(2))
@settings(max_examples=500)
def test_joins_are_above(drawn: tuple[Any, ...]) -> None:
    pairs, a, b = drawn
    joined = union(a, b, pairs)
    for s in (a, b):
        assert same(union(joined, s, pairs), joined, pairs), (a, b, joined)
    if not pairs:
        assert contains(joined, a)
        assert contains(joined, b)


@given(annotations, annotations)
@settings(max_examples=500)
def test_containing_is_joining_to_oneself(a: SomeObject, b: SomeObject) -> None:
    pairs = Pairs()
    joined = union(a, b, pairs)
    assert contains(a, b) == (joined == a and all(x is y for x, y in pairs))
    if contains(a, b) and contains(b, a):
        assert a == b


@given(annotations, annotations, annotations)
@settings(max_examples=500)
def test_containing_is_transitive(a: SomeObject, b: SomeObject, c: SomeObject) -> None:
    if contains(a, b) and contains(b, c):
        assert contains(a, c)


@given(annotations)
def test_dropping_the_constant_goes_up(a: SomeObject) -> None:
    assert contains(a.without_const(), a)
    assert hash(a) == hash(a)


# -- fixpoints --------------------------------------------------------------------------------


def describe(s: Any) -> str:
    """An annotation as text that does not depend on the order of discovery."""
    if isinstance(s, SomeMethod):
        # one function may be found through several classes
        functions = {d.function.name for d in s.descs if isinstance(d, MethodDesc)}
        return f"SomeMethod({', '.join(sorted(functions))})"
    if isinstance(s, SomePBC):
        return f"{type(s).__name__}({', '.join(sorted(d.name for d in s.descs))})"
    if isinstance(s, SomeTuple):
        return f"({', '.join(map(describe, s.items))})"
    if isinstance(s, SomeUnion):
        return " | ".join(sorted(map(describe, s.parts)))
    if isinstance(s, SomeIterator):
        return f"iterator({', '.join(map(describe, s.sources))})"
    if isinstance(s, SomeList):
        return f"list of {describe_item(s.listdef.find().item.s_value)}"
    return repr(s)


def describe_item(s: SomeObject) -> str:
    holds = isinstance(s, (SomeList, SomeDict, SomeAnySet))
    return f"a {type(s).__name__}" if holds else describe(s)


def annotated(f: Any, types: Sequence[Any], order: Random | None) -> dict[str, list[str]]:
    """The annotations of every variable of every function, in order of appearance."""
    annotator = RPythonAnnotator(order)
    args_s = [annotation_of_type(annotator, hint) for hint in types]
    Translation(f, args_s, None, annotator).annotate()
    annotator.check_fixpoint()
    result: dict[str, list[str]] = {}
    for graph, desc in annotator.graphs.items():
        texts = result.setdefault(f"{desc.name}/{len(graph.getargs())}", [])
        for block in reverse_postorder(graph):
            if block in annotator.annotated:
                values = [*block.inputargs, *(op.result for op in block.operations)]
                texts.append(", ".join(describe(v.annotation) for v in values if v.annotation))
    return {name: sorted(texts) for name, texts in result.items()}


@pytest.mark.parametrize("case", PROGRAMS, ids=lambda case: case.name)
def test_any_order_gives_the_same_annotations(case: Case) -> None:
    module = load_source(case)
    for section in case.all("call"):
        called = called_function(section, module)
        expected = annotated(called.function, called.argtypes, None)
        for seed in range(2):
            found = annotated(called.function, called.argtypes, Random(seed))
            assert found == expected, section.argument


def sign_seen_late(text: str) -> int:
    n = least = k = len(text)
    while n > 0:
        least = min(k, least)  # of ints that are not negative, until the loop is flowed again
        k, n = k - 2, n - 1
    return least


@pytest.mark.parametrize("seed", range(4))
def test_what_no_call_gets_any_more_is_forgotten(seed: int) -> None:
    annotator = RPythonAnnotator(Random(seed))
    annotator.build_types(sign_seen_late, [str])
    names = ["sign_seen_late", "smaller", "_best"]
    assert [graph.name for graph in annotator.graphs] == names
    made = annotator.constants.function_desc(smaller).graphs.values()
    (left,) = [graph for graph in made if graph not in annotator.graphs]
    for block in left.iterblocks():
        annotator.schedule(left, block)  # as what read a cell that grows is
    annotator.complete_new()
    assert [graph.name for graph in annotator.graphs] == names
