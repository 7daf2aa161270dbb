"""Functions that are called with values which cannot share a variable: a graph for each.

``largest(1, 2)`` and ``largest("a", "b")`` get a graph each, without any decorator.  A call gets
the first graph whose parameters can hold its arguments as well as what they hold already.
Annotations only grow, so a graph that is passed over once is passed over always, and the typer,
which asks again at the end, finds the graph that the annotator has chosen.

Where that was wrong (``annotator.refining``), calls of a function are *apart*: each gets the
first graph that makes no two lists or dicts one, and where None, functions and generators meet
their like.  Then a graph that was passed over may fit later, so the annotator decides again at
the end, as the typer does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import repeat

from rpython.annotator.lattice.cells import DictDef, ListDef
from rpython.annotator.lattice.enumints import enum_of
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_HOST,
    K_NONE,
    SomeInstance,
    SomeInteger,
    SomeObject,
    SomePBC,
    SomeTuple,
    s_Bottom,
)
from rpython.annotator.lattice.parts import any_part, parts_of, representable, takes_box
from rpython.annotator.lattice.union import Pairs, contains, union
from rpython.annotator.lattice.vartuples import SomeVarTuple, tuple_items
from rpython.annotator.program.argument import CallKey
from rpython.annotator.program.classdef import is_generator
from rpython.annotator.program.desc import FunctionDesc
from rpython.translator.ir.model import FunctionGraph

Test = Callable[[SomeObject], bool]
"""Of a part of an annotation."""
Sharing = Callable[[SomeObject, SomeObject, bool], bool]
"""Of a parameter and an argument; may there be boxes in the program?"""

_MOST_APART = 16
"""Functions that call each other with ever new lists would never have enough graphs: beyond that
number, calls share those there are."""


_MOST_LENGTHS = 8
"""Functions that call themselves with ever longer tuples, ``f(path + (x,))``, would never have
enough graphs either: the one with that number takes tuples of any length."""


def variant_key(
    desc: FunctionDesc, key: CallKey | None, args_s: Sequence[SomeObject], boxes: bool
) -> CallKey | None:
    """The key of the graph for these arguments, which there may be no graph for yet; ``key``
    is what it is but for their annotations.  ``boxes``: may there be boxes in the program?"""
    return _first_variant(desc, key, args_s, boxes, _fit)


def variant_apart(
    desc: FunctionDesc, key: CallKey | None, args_s: Sequence[SomeObject], boxes: bool,
    above: Callable[[], set[FunctionGraph]] = set,
) -> CallKey | None:  # fmt: skip
    """The same for a function whose calls are apart.

    Args:
        above: gives the graph that the call is in, and those that lead to it; functions that
            call themselves, or each other, do not get ever more graphs.  (The typer needs not
            say: the arguments have become the graph's own.)
    """
    chosen = _first_variant(desc, key, args_s, boxes, _same)
    if chosen in desc.graphs:
        return chosen
    leading = above()
    for known, graph in desc.graphs.items():
        if graph in leading and (known is None or isinstance(known, CallKey)):
            params_s = [v.annotation or s_Bottom for v in graph.getargs()]
            as_here = replace(known or CallKey(), variant=0) == (key or CallKey())
            alike_here = as_here and all(map(alike, params_s, args_s))
            if alike_here and all(map(_fit, params_s, args_s, repeat(boxes))):
                return known
    if chosen is None or chosen.variant < _MOST_APART:
        return chosen
    return variant_key(desc, key, args_s, boxes)


def settled_variants(
    desc: FunctionDesc, key: CallKey | None, args_s: Sequence[SomeObject]
) -> list[CallKey | None]:
    """The keys, with that of the call but for the variant, of graphs that take the arguments as
    they are, once annotations do not change any more.  (Lists that were kept apart may fit each
    other by then, and constants are in only one of the graphs.)"""
    first = key or CallKey()
    return [
        known for known, graph in desc.graphs.items()
        if (known is None or isinstance(known, CallKey))
        and replace(known or CallKey(), variant=0) == first
        and all(map(contains, (v.annotation or s_Bottom for v in graph.getargs()), args_s))
    ]  # fmt: skip


def _first_variant(
    desc: FunctionDesc, key: CallKey | None, args_s: Sequence[SomeObject], boxes: bool,
    test: Sharing,
) -> CallKey | None:  # fmt: skip
    """The first key whose graph has parameters that all pass the test, or that has no graph."""
    chosen, number = key, 0
    while (graph := desc.graphs.get(chosen)) is not None:
        params_s = (v.annotation or s_Bottom for v in graph.getargs())
        if all(map(test, params_s, args_s, repeat(boxes))):
            break
        number += 1
        if number == _MOST_LENGTHS and test is _fit:
            test = _fit_of_any_length
        chosen = replace(key or CallKey(), variant=number)
    return chosen


def _same(a: SomeObject, b: SomeObject, boxes: bool) -> bool:
    """Can one variable hold values of both, without making two definitions one?"""
    pairs = Pairs(boxes)
    if a.is_unknown() or b.is_unknown():
        return a == b
    if _one_is_builtin(a, b):
        return False
    s_joined = union(a, b, pairs)
    together = _may_share(a, b, s_joined) and alike(a, b)
    together = together and not _adds(a, s_joined, (_mixed, _is_var_tuple))
    return together and all(x.find() is y.find() for x, y in pairs)


def _may_share(s_param: SomeObject, s_arg: SomeObject, s_joined: SomeObject) -> bool:
    """Is there a form for both that takes no box, or are both in boxes already?"""
    if representable(s_joined):
        return True
    return _in_box(s_param) and _in_box(s_arg) and representable(s_joined, boxes=True)


def _in_box(s: SomeObject) -> bool:
    """Is the value, or an item if it is a tuple, in a box?"""
    return takes_box(s) or any(
        _in_box(s_item) for part in parts_of(s) for s_item in tuple_items(part) or ()
    )


def alike(a: SomeObject, b: SomeObject) -> bool:
    """Is None alone only with None, a bool only with bools, a function with the same functions, a
    generator with others of its function?"""
    if a.kinds == 0 or b.kinds == 0 or a is b:
        return True
    if (a.kinds == K_NONE) is not (b.kinds == K_NONE) or (a.kinds ^ b.kinds) & K_BOOL:
        return False
    return all(_parts_alike(x, y) for x in parts_of(a) for y in parts_of(b) if x.kinds == y.kinds)


def _parts_alike(a: SomeObject, b: SomeObject) -> bool:
    if isinstance(a, SomeInteger) and isinstance(b, SomeInteger):
        return a.may_be_bool == b.may_be_bool and enum_of(a) is enum_of(b)
    if isinstance(a, SomePBC) and isinstance(b, SomePBC):
        return a.mask == b.mask
    if isinstance(a, SomeTuple) and isinstance(b, SomeTuple):
        return all(map(alike, a.items, b.items))
    if isinstance(a, SomeInstance) and isinstance(b, SomeInstance):
        generators = is_generator(a.classdef) or is_generator(b.classdef)
        return a.classdef is b.classdef or not generators
    return True


def _fit(a: SomeObject, b: SomeObject, boxes: bool) -> bool:
    """Can one variable hold values of both, tuples of one length as such?"""
    return _fit_apart_from(a, b, boxes, (_mixed, _is_var_tuple))


def _fit_of_any_length(a: SomeObject, b: SomeObject, boxes: bool) -> bool:
    return _fit_apart_from(a, b, boxes, (_mixed,))


def _fit_apart_from(a: SomeObject, b: SomeObject, boxes: bool, tests: Sequence[Test]) -> bool:
    """Can one variable hold values of both, and no test will find new kinds in it?"""
    waiting: list[tuple[SomeObject, SomeObject]] = [(a, b)]
    seen: set[tuple[int, int]] = set()
    while waiting:
        pairs = Pairs(boxes)
        s_param, s_arg = waiting.pop()
        if s_param.is_unknown() and s_arg.is_unknown():
            continue
        if _one_is_builtin(s_param, s_arg):
            return False
        s_joined = union(s_param, s_arg, pairs)
        if not _may_share(s_param, s_arg, s_joined) or _adds(s_param, s_joined, tests):
            return False
        for x, y in pairs:
            x, y = x.find(), y.find()
            if x is y or (id(x), id(y)) in seen:
                continue
            seen.add((id(x), id(y)))
            if isinstance(x, ListDef) and isinstance(y, ListDef):
                waiting.append((x.item.s_value, y.item.s_value))
            elif isinstance(x, DictDef) and isinstance(y, DictDef):
                waiting += [(x.key.s_value, y.key.s_value), (x.value.s_value, y.value.s_value)]
    return True


def _one_is_builtin(a: SomeObject, b: SomeObject) -> bool:
    """Is one a built-in that is known, and the other something else?  They could share a variable,
    but then it would not be known which one is called."""
    return bool((a.kinds | b.kinds) & K_HOST and a.kinds and b.kinds and a != b)


def _adds(s_param: SomeObject, s_joined: SomeObject, tests: Sequence[Test]) -> bool:
    """Would ints and sized integers share a variable that holds values of one type so far, or
    tuples of several lengths one that holds tuples of one length?"""
    return bool(s_param.kinds) and any(
        any_part(s_joined, test) and not any_part(s_param, test) for test in tests
    )


def _mixed(part: SomeObject) -> bool:
    return isinstance(part, SomeInteger) and part.mixed


def _is_var_tuple(part: SomeObject) -> bool:
    return isinstance(part, SomeVarTuple)
