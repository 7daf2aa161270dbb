"""Trees of abstract heaps, and the examples of document 004 ("representing effects")."""

from __future__ import annotations

import itertools

import pytest

from rpython.lltypesystem.lltype import Signed
from rpython.lltypesystem.operations.effects import (
    ANY_EXCEPTION,
    HeapIndex,
    Location,
    field_location,
    items_location,
    overlap,
)
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.text import TextEnv
from rpython.translator.ir.parser import parse_graph
from rpython.translator.opt.predicates import effects_of, is_removable
from rpython.translator.opt.summaries import Summaries

DOM = """
DOM:
    Tree:
        Node:
            - Node_firstChild
            - Node_lastChild
            - Node_parentNode
            - Node_nextSibling
            - Node_previousSibling
            - Node_ownerDocument
        Document:
            - Document_documentElement
            - Document_body
"""


def hierarchy(text: str) -> dict[str, Location]:
    """The locations of a tree written as the document's YAML."""
    found: dict[str, Location] = {}
    above: list[tuple[int, Location]] = []
    for line in text.strip().splitlines():
        indent = len(line) - len(line.lstrip())
        name = line.strip(" -:")
        above = [each for each in above if each[0] < indent]
        found[name] = Location(name, above[-1][1] if above else None)
        above.append((indent, found[name]))
    return found


def leaves_below(node: Location, tree: dict[str, Location]) -> set[Location]:
    inner = {each.parent for each in tree.values()}
    return {each for each in tree.values() if each not in inner and node.contains(each)}


def test_document_004_ranges_of_the_dom() -> None:
    tree = hierarchy(DOM)
    index = HeapIndex(tree.values())
    spans = [f"{name}<{first},{end}>" for name in tree for first, end in [index.span(tree[name])]]
    assert " ".join(spans) == (
        "DOM<0,8> Tree<0,8> Node<0,6> Node_firstChild<0,1> Node_lastChild<1,2>"
        " Node_parentNode<2,3> Node_nextSibling<3,4> Node_previousSibling<4,5>"
        " Node_ownerDocument<5,6> Document<6,8> Document_documentElement<6,7> Document_body<7,8>"
    )


def test_document_004_bits_of_the_dom() -> None:
    tree = hierarchy(DOM)
    index = HeapIndex(tree[name] for name in sorted(tree))
    bits = {name: index.bits([location]) for name, location in tree.items()}
    assert bits["Document_body"] == 1 << 0
    assert bits["Document_documentElement"] == 1 << 1
    assert bits["Document"] == bits["Document_body"] | bits["Document_documentElement"]
    assert bits["Node_firstChild"] == 1 << 2
    assert bits["Node_previousSibling"] == 1 << 7
    assert bits["Node"] == 0b11111100
    assert bits["Tree"] == bits["DOM"] == bits["Document"] | bits["Node"]


def test_bits_and_ranges_agree_with_sets() -> None:
    """Each pair of sets of up to two locations: they overlap in all three ways, or in none."""
    tree = hierarchy(DOM)
    index = HeapIndex(tree.values())
    nodes = list(tree.values())
    sets = [(), *itertools.combinations(nodes, 1), *itertools.combinations(nodes, 2)]
    plain = {chosen: set().union(*(leaves_below(each, tree) for each in chosen)) for chosen in sets}
    for a, b in itertools.product(sets, repeat=2):
        expected = bool(plain[a] & plain[b])
        assert overlap(a, b) == expected
        assert bool(index.bits(a) & index.bits(b)) == expected
        assert index.bits((*a, *b)).bit_count() == len(plain[a] | plain[b])
        ranges = [(index.span(x), index.span(y)) for x in a for y in b]
        assert any(xe > yb and ye > xb for (xb, xe), (yb, ye) in ranges) == expected


def test_an_unknown_location_has_no_bits() -> None:
    with pytest.raises(KeyError):
        HeapIndex(hierarchy(DOM).values()).span(Location("Window", None))


def test_document_004_items_of_tuples_and_of_lists_are_apart() -> None:
    """``v3 = LoadTupleItem v0, 0`` and ``StoreListItem v1, 0, v2`` may change places."""
    graph = parse_graph(EXCHANGE, TextEnv())
    load, store, again = graph.startblock.operations
    assert effects_of(load).reads == {field_location(load.args[0].concretetype.TO, "item0")}
    assert effects_of(store).writes == {items_location(Signed)}
    assert not effects_of(load).conflicts(effects_of(store))
    assert effects_of(again).conflicts(effects_of(store))


EXCHANGE = """
gcstruct tuple1 { item0: Signed }
graph f(some_var: *tuple1, another_var: *GcArray(Signed)) -> Signed {
b0(some_var, another_var):
    v: Signed = getfield(some_var, "item0")
    setarrayitem(another_var, 0, 5)
    w: Signed = getarrayitem(another_var, 1)
    return v
}
"""


def test_document_004_is_useful() -> None:
    """Dead code: what stores stays, and what may fail; what only loads or allocates goes."""
    graph = parse_graph(USEFUL, TextEnv())
    removable = [op.opname for op in graph.startblock.operations if is_removable(op, Summaries())]
    assert removable == ["malloc", "getfield", "int_abs"]


USEFUL = """
gcstruct tuple1 { item0: Signed }
graph f(n: Signed) -> Signed {
b0(n):
    p: *tuple1 = malloc(type tuple1, {'flavor': 'gc'})
    setfield(p, "item0", n)
    v: Signed = getfield(p, "item0")
    w = int_abs(n)
    x = int_abs_ovf(n)
    return n
}
"""


def test_document_004_effects_depend_on_the_kinds_of_operands() -> None:
    """ArithAbs: of a number it does nothing else, of anything it runs code; so the rtyper has a
    row for each, and no row of arithmetic may do anything."""
    pure = [LLOPS[name].effects.is_pure for name in ("int_abs", "float_abs", "uint_abs")]
    assert pure == [True] * 3
    assert LLOPS["int_abs_ovf"].effects.raises == {OverflowError}
    assert LLOPS["direct_call"].effects.raises == ANY_EXCEPTION
