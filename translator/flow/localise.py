"""From SSA form to the form of high-level graphs: variables local to one block.

::

    b0(n):  goto b1(0)                        b0(n):     goto b1(0, n)
    b1(i):  v = lt(i, n); if ... b2 ...   =>  b1(i, n1): v = lt(i, n1); if ... b2(i, n1)
    b2():   i1 = add(i, n); goto b1(i1)       b2(i, n):  i1 = add(i, n); goto b1(i1, n)

Inputargs are put in the order in which their values are first used or made, walking the
graph depth first, so it does not matter how the graph was built.
"""

from __future__ import annotations

from rpython.translator.ir.model import Block, FunctionGraph, Link, Value, Variable


def localise(graph: FunctionGraph) -> None:
    """Give every block an inputarg for each value it needs from elsewhere."""
    blocks = list(graph.iterblocks())
    live = _live_in(graph, blocks)
    numbers = _number_values(graph, blocks)
    incoming: dict[Block, list[Variable]] = {}
    for block in blocks:
        if block not in (graph.startblock, graph.returnblock, graph.exceptblock):
            incoming[block] = sorted([*block.inputargs, *live[block]], key=numbers.__getitem__)
    for block in blocks:
        for link in block.exits:
            if link.target in incoming:
                phis = dict(zip(link.target.inputargs, link.args))
                link.args = [phis.get(v, v) for v in incoming[link.target]]
    for block in blocks:
        if block in incoming:
            phi_set = set(block.inputargs)
            renamed = {v: v.copy() for v in incoming[block] if v not in phi_set}
            block.inputargs = [renamed.get(v, v) for v in incoming[block]]
            block.rename_uses(renamed)


def _live_in(graph: FunctionGraph, blocks: list[Block]) -> dict[Block, set[Variable]]:
    """The variables each block needs that it does not define (backward data flow; the
    caught exception is defined by its link)."""
    entries: dict[Block, list[Link]] = {block: [] for block in blocks}
    defined: dict[Block, set[Variable]] = {}
    live: dict[Block, set[Variable]] = {}
    for block in blocks:
        own = set(block.inputargs)
        needed: set[Variable] = set()
        for op in block.operations:
            needed.update(arg for arg in op.args if isinstance(arg, Variable) and arg not in own)
            own.add(op.result)
        if isinstance(block.exitswitch, Variable) and block.exitswitch not in own:
            needed.add(block.exitswitch)
        for link in block.exits:
            entries[link.target].append(link)
            needed.update(
                arg
                for arg in link.args
                if isinstance(arg, Variable) and arg not in own and arg is not link.last_exc_value
            )
        defined[block], live[block] = own, needed
    todo = [(block, v) for block in blocks for v in live[block]]
    while todo:
        block, v = todo.pop()
        for link in entries[block]:
            before = link.prevblock
            assert before is not None
            if v is link.last_exc_value or v in defined[before] or v in live[before]:
                continue
            live[before].add(v)
            todo.append((before, v))
    return live


def _number_values(graph: FunctionGraph, blocks: list[Block]) -> dict[Variable, int]:
    numbers: dict[Variable, int] = {}

    def number(value: Value | None) -> None:
        if isinstance(value, Variable):
            numbers.setdefault(value, len(numbers))

    for v in graph.getargs():
        number(v)
    for block in blocks:
        for op in block.operations:
            for arg in op.args:
                number(arg)
            number(op.result)
        for link in block.exits:
            number(link.last_exc_value)
            if link.target in (graph.returnblock, graph.exceptblock):
                number(link.args[0])
    for block in blocks:  # what is left only moves between inputargs
        for v in sorted(block.inputargs, key=lambda v: v.name):
            number(v)
        for link in block.exits:
            for arg in link.args:
                number(arg)
    return numbers
