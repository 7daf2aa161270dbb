"""Finalizers in the LLInterpreter, and FinalizerQueue under CPython."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

import rpython
from rpython.rlib import rgc

pytestmark = pytest.mark.usefixtures("few_objects")


class Log:
    def __init__(self) -> None:
        self.names: list[str] = []


LOG = Log()


class Node:
    def __init__(self, name: str) -> None:
        self.name = name
        self.other: Node | None = None

    def __del__(self) -> None:
        LOG.names.append(self.name)


class Holder:
    def __init__(self) -> None:
        self.node: Node | None = None


HOLDER = Holder()


def make_cycle(name: str) -> Node:
    first, second = Node(name + "1"), Node(name + "2")
    first.other, second.other = second, first
    return first


def cycles(n: int) -> str:
    LOG.names = []
    above = Node("above")
    above.other = make_cycle("a")
    HOLDER.node = above
    above = make_cycle("b")
    HOLDER.node = None
    gc.collect()
    before = ",".join(LOG.names[:1] + sorted(LOG.names[1:]))
    return before + (";" + above.name) * n


@pytest.mark.parametrize("checked", [False, True])
def test_cycles_die_at_a_collection(checked: bool) -> None:
    gc.collect()
    assert rpython.interpret(cycles, [1], checked=checked) == "above,a1,a2;b1" == cycles(1)


class Kept:
    pass


def weak(n: int) -> int:
    kept, dropped = Kept(), Kept()
    refs = [weakref.ref(kept), weakref.ref(dropped)]
    hashes = [hash(ref) for ref in refs] if n else [0, 0]
    dropped = kept
    gc.collect()
    alive = [int(ref() is dropped) for ref in refs]
    try:
        return alive[0] * 10 + alive[1] + 100 * int(hash(refs[1]) == hashes[1])
    except TypeError:
        return alive[0] * 10 + alive[1]


@pytest.mark.parametrize("n", [0, 1])
def test_weak_references_in_simulated_memory(n: int) -> None:
    assert rpython.interpret(weak, [n]) == weak(n) == 10 + 100 * n


class Item:
    def __init__(self, n: int) -> None:
        self.n = n


class Special(Item):
    pass


class Items(rgc.FinalizerQueue):
    Class = Item

    def __init__(self) -> None:
        self.triggered = 0

    def finalizer_trigger(self) -> None:
        self.triggered += 1


class WithDel(Item):
    def __del__(self) -> None:
        pass


def test_a_queue_under_cpython() -> None:
    items, others = Items(), Items()
    kept: list[Any] = [Item(1), Special(2), Item(3)]
    for item in kept:
        items.register_finalizer(item)
    others.register_finalizer(kept[2])
    assert items.next_dead() is None
    del item
    kept.clear()
    dead = [items.next_dead(), items.next_dead(), items.next_dead()]
    assert sorted(item.n for item in dead) == [1, 2, 3]
    assert {type(item) for item in dead} == {Item, Special}
    assert items.next_dead() is None and items.triggered == 3
    assert others.next_dead().n == 3 and others.next_dead() is None


def test_what_a_queue_refuses_under_cpython() -> None:
    with pytest.raises(TypeError, match="a Kept in a queue of Item objects"):
        Items().register_finalizer(Kept())
    with pytest.raises(TypeError, match="class WithDel has a __del__ of its own"):
        Items().register_finalizer(WithDel(1))
