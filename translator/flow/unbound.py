"""Split the control flow where a local variable may be unbound when it is read.

::

    b1(n): if c goto b2(n, <unbound>) else b2(n, 1)     b2(n):     e = UnboundLocalError(...)
    b2(n, x):                                      =>              raise e
        check_bound(x, 'cannot access ...')             b2'(n, x):
        v = add(n, x); ...                                  v = add(n, x); ...

Where a value may be absent, a block is copied: one copy for the ways on which it is there,
one for those on which it is not.  So what is known to be bound costs nothing, and no value
has to stand for "unbound".  (The tests are there only in functions that need them: see
``build.py``.)
"""

from __future__ import annotations

from rpython.translator.flow.pending import CHECK_BOUND
from rpython.translator.flow.scope_keep_alive import held_variables
from rpython.translator.flow.state import UNBOUND, is_absent
from rpython.translator.ir.errors import FlowError
from rpython.translator.ir.hlops import HLOPS
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)

_MOST_COPIES = 16
"""Copies of blocks, on the average, beyond which a function is refused."""

_Key = tuple[Block, frozenset[int]]
"""A block, and the positions of the inputargs that are absent."""


def split_by_assignment(graph: FunctionGraph) -> None:
    """Resolve every ``check_bound`` of a graph whose variables are local to blocks.  Raises
    FlowError when that takes too many copies."""
    _Splitter(graph).run()


class _Splitter:
    def __init__(self, graph: FunctionGraph) -> None:
        self.graph = graph
        self.held = held_variables(graph)
        self.limit = _MOST_COPIES * (len(list(graph.iterblocks())) + 8)
        self.copies: dict[_Key, Block] = {}
        self.todo: list[_Key] = []

    def run(self) -> None:
        graph = self.graph
        for end in (graph.returnblock, graph.exceptblock):
            self.copies[end, frozenset()] = end
        start = self._copy_of((graph.startblock, frozenset()))
        while self.todo:
            self._fill(self.todo.pop())
        graph.startblock = start

    def _copy_of(self, key: _Key) -> Block:
        copy = self.copies.get(key)
        if copy is None:
            block, absent = key
            args = [v.copy() for i, v in enumerate(block.inputargs) if i not in absent]
            copy = self.copies[key] = Block(args)
            self.todo.append(key)
        return copy

    def _fill(self, key: _Key) -> None:
        block, absent = key
        copy = self.copies[key]
        known: dict[Value, Value] = {}
        present = iter(copy.inputargs)
        for i, v in enumerate(block.inputargs):
            known[v] = UNBOUND if i in absent else next(present)
        raising = block.raising_op if block.canraise else None
        for op in block.operations:
            args = [known.get(arg, arg) for arg in op.args]
            if op.opdef is CHECK_BOUND:
                if len(self.copies) > self.limit:
                    raise _too_many(op)
                if is_absent(args[0]):
                    self._raise(op, copy, block.exits[1] if op is raising else None, known)
                    return
                continue
            result = op.result.copy()
            known[op.result] = result
            copy.operations.append(SpaceOperation(op.opdef, args, result, op.span))
        exits = block.exits
        copy.exitswitch = block.exitswitch
        if raising is not None and raising.opdef is CHECK_BOUND:
            exits, copy.exitswitch = exits[:1], None
        if isinstance(block.exitswitch, Variable):
            switch = known[block.exitswitch]
            assert isinstance(switch, Variable)
            copy.exitswitch = switch
        copy.closeblock(*(self._copy_link(link, known) for link in exits))

    def _copy_link(self, link: Link, known: dict[Value, Value]) -> Link:
        caught = link.last_exc_value
        if caught is not None:
            known = {**known, caught: caught.copy()}
        args = [known.get(arg, arg) for arg in link.args]
        for i, v in enumerate(link.target.inputargs):
            if v in self.held and is_absent(args[i]):
                args[i] = Constant(None)  # one copy will do
        absent = frozenset(i for i, arg in enumerate(args) if is_absent(arg))
        target = self._copy_of((link.target, absent))
        copy = Link([arg for arg in args if not is_absent(arg)], target, link.exitcase)
        copy.span = link.span
        if caught is not None:
            new = known[caught]
            assert isinstance(new, Variable)
            copy.last_exc_value = new
        return copy

    def _raise(
        self, op: SpaceOperation, copy: Block, handler: Link | None, known: dict[Value, Value]
    ) -> None:
        """End the block by raising what the check says."""
        error = Variable("exc")
        call = [Constant(UnboundLocalError), op.args[1]]
        copy.operations.append(SpaceOperation(HLOPS["simple_call"], call, error, op.span))
        if handler is None:
            copy.closeblock(Link([error], self.graph.exceptblock))
            return
        assert handler.last_exc_value is not None
        link = Link(handler.args, handler.target)
        copy.closeblock(self._copy_link(link, {**known, handler.last_exc_value: error}))


def _too_many(op: SpaceOperation) -> FlowError:
    message = op.args[1]
    assert isinstance(message, Constant)
    return FlowError(
        f"too many variables may be unbound in this function ({message.value})",
        op.span,
        hint="assign them before the branch or loop",
    )
