"""Words and lines one by one, where nobody sees the list of them.

::

    v0 = getattr(text, 'split')             v0 = getattr(text, 'split')
    v1 = simple_call(v0)                    v1 = simple_call(@words_of, v0)
    v2 = iter(v1)                     ->    v2 = iter(v1)
    goto b1(v2)                             goto b1(v2)
    b1(v3):                                 b1(v3):
    try word = next(v3)                     try word = next(v3)
        ...                                     ...

``for word in text.split():`` needs no list, and no word for longer than the loop does.  A str does
not change, so the words are the same whenever they are looked for.

The call of the method gives the iterator at once, of which ``iter`` gives itself.  So nothing but
that ``iter`` may see the list, once for each call: on the way to it are only blocks that are
entered at one place.  The iterator may go anywhere in the function, as long as each variable that
it comes to holds only it, and nothing but ``next`` looks at it.

It is done when the program is annotated, before it is typed: no operand becomes of more kinds then.
"""

from __future__ import annotations

from collections.abc import Iterator

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import K_STR, SomeBuiltinMethod
from rpython.annotator.lattice.pieces import pieces_by
from rpython.translator.ir.intrinsics import lines_of, words_of
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.traversal import predecessors

_Use = SpaceOperation | tuple[Link, int] | None
"""An operation, the place of an argument of a link, or anything else."""


_GIVING = {"split": words_of, "splitlines": lines_of}
"""What gives the iterator, by the method that gives the list."""


def split_lazily(annotator: RPythonAnnotator) -> None:
    """Do that in all graphs."""
    for graph in annotator.graphs:
        calls = [op for _, op in graph.iterblockops() if _splitting(annotator, op)]
        if calls:
            uses, entering = _uses(graph), predecessors(graph)
            leaving = {*graph.returnblock.inputargs, *graph.exceptblock.inputargs}
            for call in calls:
                held = _held(call.result, uses, entering)
                if held is not None and leaving.isdisjoint(held):
                    _give_pieces(annotator, call, held)


def _splitting(annotator: RPythonAnnotator, op: SpaceOperation) -> str:
    """The method of a str whose call it is, without arguments, if that is one of _GIVING."""
    if op.opname != "simple_call" or len(op.args) != 1 or isinstance(op.args[0], Constant):
        return ""
    s = annotator.binding(op.args[0])
    if isinstance(s, SomeBuiltinMethod) and s.s_self.kinds == K_STR and s.name in _GIVING:
        return s.name
    return ""


def _give_pieces(
    annotator: RPythonAnnotator, call: SpaceOperation, held: dict[Variable, None]
) -> None:
    method = _splitting(annotator, call)
    s_pieces = pieces_by(method, annotator.binding(call.args[0]))
    callee = Constant(_GIVING[method])
    annotator.binding(callee)
    call.args = [callee, *call.args]
    for v in held:
        v.annotation = s_pieces


def _uses(graph: FunctionGraph) -> dict[Value, list[_Use]]:
    """Where each variable is used."""
    result: dict[Value, list[_Use]] = {}
    for block in graph.iterblocks():
        for op in block.operations:
            for arg in op.args:
                result.setdefault(arg, []).append(op)
        for link in block.exits:
            for place, arg in enumerate(link.args):
                result.setdefault(arg, []).append((link, place))
        if isinstance(block.exitswitch, Variable):
            result.setdefault(block.exitswitch, []).append(None)
    return result


def _held(
    v_list: Variable, uses: dict[Value, list[_Use]], entering: dict[Block, list[Link]]
) -> dict[Variable, None] | None:
    """The variables that hold the list and then the iterator; None: others see them."""
    held = {v_list: None}
    v = v_list
    while True:
        used = uses.get(v, [])
        if len(used) != 1:
            return None
        (use,) = used
        if isinstance(use, SpaceOperation):
            break
        if use is None or len(entering[use[0].target]) != 1:
            return None
        v = use[0].target.inputargs[use[1]]
        held[v] = None
    if use.opname != "iter":
        return None
    todo = [use.result]
    while todo:
        v = todo.pop()
        if v in held:
            continue
        held[v] = None
        for use in uses.get(v, []):
            if isinstance(use, tuple):
                todo.append(use[0].target.inputargs[use[1]])
            elif use is None or use.opname != "next":
                return None
    return held if all(given in held for given in _given(held, v_list, entering)) else None


def _given(
    held: dict[Variable, None], v_list: Variable, entering: dict[Block, list[Link]]
) -> Iterator[Value]:
    """What links give to those that are arguments of blocks."""
    for block, links in entering.items():
        for place, v in enumerate(block.inputargs):
            if v in held:
                yield from (link.args[place] for link in links)
