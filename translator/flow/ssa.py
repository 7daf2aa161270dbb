"""SSA form: find out which block arguments are needed, and which are constant.

In: a graph whose values may be used wherever their definition dominates, with more
inputargs than needed (every one is a phi).  Out: the same with none to spare::

    b0(n):    goto b1(n, 0)                b0(n):  goto b1(0)
    b1(n1, i):                         =>  b1(i):
        v = lt(i, n1); ...                     v = lt(i, n); ...
        i1 = add(i, 1); goto b1(n1, i1)        i1 = add(i, 1); goto b1(i1)

An inputarg that every way in gives the same value, or itself, is that value (Braun et
al., "Simple and efficient construction of static single assignment form", CC 2013).  An
operation that becomes constant is folded, a branch that becomes constant goes one way,
and what is then unreachable no longer counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rpython.translator.flow.fold import fold_operation
from rpython.translator.flow.state import is_absent
from rpython.translator.ir.hlops import HLOp
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
    same_constant,
)
from rpython.translator.ir.traversal import reverse_postorder


@dataclass(frozen=True, slots=True, eq=False)
class _Phi:
    """Inputarg ``index`` of ``block``."""

    block: Block
    index: int


User = _Phi | SpaceOperation | Block


class Propagator:
    """One round of finding redundant inputargs and constants."""

    def __init__(self, graph: FunctionGraph) -> None:
        self.graph = graph
        self.blocks = reverse_postorder(graph)  # chains of phis are resolved from their start
        self.entries: dict[Block, list[Link]] = {block: [] for block in self.blocks}
        self.replaced: dict[Variable, Value] = {}
        self.edges_removed = False
        self._folded: set[SpaceOperation] = set()
        self._block_of: dict[SpaceOperation, Block] = {}
        self._users: dict[Variable, list[User]] = {}
        self._todo: list[_Phi] = []
        self._compared: dict[Variable, tuple[int, Value | None]] = {}
        """How many ways into its block give a phi one value, or itself, and that value."""
        self._ends = (graph.startblock, graph.returnblock, graph.exceptblock)
        for link in self._all_links():
            self.entries[link.target].append(link)

    def _all_links(self) -> Iterable[Link]:
        return (link for block in self.blocks for link in block.exits)

    def run(self) -> None:
        """Find everything, then rewrite the graph."""
        self._collect_users()
        self._todo = [
            _Phi(block, index)
            for block in reversed(self.blocks)
            if block not in self._ends
            for index in reversed(range(len(block.inputargs)))
        ]
        while self._todo:
            self._visit_phi(self._todo.pop())
        while self._merge_equal_phis():
            while self._todo:
                self._visit_phi(self._todo.pop())
        self._rewrite()

    def resolve(self, value: Value) -> Value:
        """What ``value`` has been replaced by."""
        path = []
        while isinstance(value, Variable) and value in self.replaced:
            path.append(value)
            value = self.replaced[value]
        for passed in path:
            self.replaced[passed] = value
        return value

    def _collect_users(self) -> None:
        users = self._users
        for block in self.blocks:
            for op in block.operations:
                self._block_of[op] = block
                for arg in op.args:
                    if isinstance(arg, Variable):
                        users.setdefault(arg, []).append(op)
            if isinstance(block.exitswitch, Variable):
                users.setdefault(block.exitswitch, []).append(block)
            for link in block.exits:
                for index, arg in enumerate(link.args):
                    if isinstance(arg, Variable):
                        users.setdefault(arg, []).append(_Phi(link.target, index))

    def _incoming(self, phi: _Phi) -> list[Value]:
        return [self.resolve(link.args[phi.index]) for link in self.entries[phi.block]]

    def _visit_phi(self, phi: _Phi) -> None:
        """Replace the phi if it is redundant.

        Values that are equal stay so, so each visit goes on where the one before has found a
        difference: the phi of a large switch is visited for each of its ways.
        """
        v = phi.block.inputargs[phi.index]
        if v in self.replaced or phi.block in self._ends:
            return
        entries = self.entries[phi.block]
        count, same = self._compared.get(v, (0, None))
        if same is not None and (same := self.resolve(same)) is v:
            same = None
        while count < len(entries):
            value = self.resolve(entries[count].args[phi.index])
            if value is not v and value is not same:
                if same is not None and not same_constant(value, same):
                    self._compared[v] = (count, same)
                    return
                same = value
            count += 1
        self._compared[v] = (count, same)
        if same is not None:
            self._replace(v, same)

    def _replace(self, v: Variable, value: Value) -> None:
        """Replace ``v`` and everything that follows from it."""
        todo = [(v, value)]
        while todo:
            v, value = todo.pop()
            self.replaced[v] = value
            users = self._users.pop(v, [])
            if isinstance(value, Variable):
                if value.name == "v":
                    value.name = v.name
                self._users.setdefault(value, []).extend(users)
            for user in users:
                if isinstance(user, _Phi):
                    self._todo.append(user)
                elif isinstance(value, Constant):
                    if isinstance(user, Block):
                        self._fold_branch(user, value)
                    elif user not in self._folded:
                        folded = self._fold(user)
                        if folded is not None:
                            todo.append((user.result, folded))

    def _fold(self, op: SpaceOperation) -> Constant | None:
        assert isinstance(op.opdef, HLOp)
        folded = fold_operation(op.opdef, [self.resolve(arg) for arg in op.args])
        if folded is not None:
            self._folded.add(op)
            block = self._block_of[op]
            if block.canraise and block.raising_op is op:
                self._remove_edges(block, block.exits[1:])
                block.exitswitch = None
        return folded

    def _fold_branch(self, block: Block, condition: Constant) -> None:
        no, yes = block.exits
        taken, dead = (yes, no) if condition.value else (no, yes)
        taken.exitcase = None
        block.exitswitch = None
        self._remove_edges(block, (dead,))

    def _remove_edges(self, block: Block, dead: tuple[Link, ...]) -> None:
        self.edges_removed = True
        block.recloseblock(*(link for link in block.exits if link not in dead))
        for link in dead:
            self.entries[link.target].remove(link)
            for v in link.target.inputargs:
                self._compared.pop(v, None)
            self._todo += [_Phi(link.target, index) for index in range(len(link.args))]

    def _merge_equal_phis(self) -> bool:
        """Inputargs of one block that every way in gives equal values are one; were there
        any?"""
        found = False
        for block in self.blocks:
            known: dict[object, Variable] = {}
            if block in self._ends or len(block.inputargs) < 2:
                continue
            for index, v in enumerate(block.inputargs):
                if v in self.replaced:
                    continue
                incoming = self._incoming(_Phi(block, index))
                first = known.setdefault(tuple(map(_identity, incoming)), v)
                if first is not v and incoming:
                    self._replace(v, first)
                    found = True
        return found

    def _rewrite(self) -> None:
        kept = {
            block: [
                index
                for index, v in enumerate(block.inputargs)
                if v not in self.replaced or block in self._ends
            ]
            for block in self.blocks
        }
        for block in self.blocks:
            block.operations = [op for op in block.operations if op not in self._folded]
            for op in block.operations:
                op.args = [self.resolve(arg) for arg in op.args]
            if isinstance(block.exitswitch, Variable):
                switch = self.resolve(block.exitswitch)
                assert isinstance(switch, Variable)
                block.exitswitch = switch
            for link in block.exits:
                link.args = [self.resolve(link.args[index]) for index in kept[link.target]]
        for block, indices in kept.items():
            block.inputargs = [block.inputargs[index] for index in indices]


def _identity(value: Value) -> object:
    if isinstance(value, Variable):
        return value
    if isinstance(value.value, bool | int | str | type(None)):
        return (type(value.value), value.value)
    return (None, id(value.value))


def propagate(graph: FunctionGraph) -> dict[Variable, Value]:
    """Remove redundant inputargs, fold what is constant.  Returns what was replaced."""
    replaced: dict[Variable, Value] = {}
    while True:
        round_ = Propagator(graph)
        round_.run()
        replaced.update(round_.replaced)
        if not round_.edges_removed:
            return replaced


def may_be_absent(graph: FunctionGraph) -> set[Variable]:
    """The inputargs that some way leaves without a value."""
    phis: dict[Variable, list[Variable]] = {}
    found: set[Variable] = set()
    todo: list[Variable] = []
    for link in graph.iterlinks():
        for arg, v in zip(link.args, link.target.inputargs):
            if isinstance(arg, Variable):
                phis.setdefault(arg, []).append(v)
            elif is_absent(arg) and v not in found:
                found.add(v)
                todo.append(v)
    while todo:
        for v in phis.get(todo.pop(), ()):
            if v not in found:
                found.add(v)
                todo.append(v)
    return found


def name_values(graph: FunctionGraph) -> None:
    """Give values without a name that of the first inputarg they become.  What that is
    must not depend on the layout of the code, so it is done when the graph is minimal."""
    becomes: dict[Variable, list[Variable]] = {}
    for link in graph.iterlinks():
        for arg, v in zip(link.args, link.target.inputargs):
            if isinstance(arg, Variable) and arg.name == "v" and v.name != "result":
                becomes.setdefault(v, []).append(arg)
    todo = [v for v in becomes if v.name != "v"]
    todo.reverse()
    while todo:
        v = todo.pop()
        for arg in becomes.get(v, ()):
            if arg.name == "v":
                arg.name = v.name
                todo.append(arg)


def is_removable(op: SpaceOperation) -> bool:
    """Does nothing happen if an unused operation is left out?"""
    row = op.opdef
    assert isinstance(row, HLOp)
    return not row.has_effect and not row.can_raise


def sweep(graph: FunctionGraph) -> None:
    """Remove the operations and inputargs that nothing needs (mark and sweep)."""
    blocks = list(graph.iterblocks())
    ends = (graph.startblock, graph.returnblock, graph.exceptblock)
    needs: dict[Variable, list[Value]] = {}
    todo: list[Value] = []
    for block in blocks:
        for op in block.operations:
            if is_removable(op):
                needs.setdefault(op.result, []).extend(op.args)
            else:
                todo.extend(op.args)
        if isinstance(block.exitswitch, Variable):
            todo.append(block.exitswitch)
        for link in block.exits:
            if link.target in ends:
                todo.extend(link.args)
            else:
                for arg, v in zip(link.args, link.target.inputargs):
                    needs.setdefault(v, []).append(arg)
    needed: set[Value] = set()
    while todo:
        value = todo.pop()
        if isinstance(value, Variable) and value not in needed:
            needed.add(value)
            todo.extend(needs.get(value, ()))
    for block in blocks:
        block.operations = [
            op for op in block.operations if op.result in needed or not is_removable(op)
        ]
        for link in block.exits:
            if link.target not in ends:
                pairs = zip(link.args, link.target.inputargs)
                link.args = [arg for arg, v in pairs if v in needed]
    for block in blocks:
        if block not in ends:
            block.inputargs = [v for v in block.inputargs if v in needed]
