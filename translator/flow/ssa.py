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

from rpython.translator.flow.fold import at, fold_operation, sets_attribute
from rpython.translator.flow.state import is_absent
from rpython.translator.ir.hlops import HLOPS, HLOp
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

User = SpaceOperation | Block
"""What uses a value, inputargs excepted: an operation, or a block that branches on it."""


class Propagator:
    """One round of finding redundant inputargs and constants.

    A phi is needed as long as two ways bring it different values, so it is looked at again only
    when one of these two is replaced.
    """

    def __init__(self, graph: FunctionGraph) -> None:
        self.graph = graph
        self.blocks = reverse_postorder(graph)  # chains of phis are resolved from their start
        self.entries: dict[Block, list[Link]] = {block: [] for block in self.blocks}
        self.replaced: dict[Value, Value] = {}
        self.edges_removed = False
        self._folded: set[SpaceOperation] = set()
        self._block_of: dict[SpaceOperation, Block] = {}
        self._users: dict[Variable, list[User]] = {}
        self._places: dict[Variable, tuple[list[Link], int]] = {}
        """The ways to each phi, and its number among the inputargs."""
        self._todo: list[Variable] = []
        self._waiting: dict[Variable, list[Variable]] = {}
        """The phis that differ from another value as long as a value is not replaced."""
        self._compared: dict[Variable, tuple[int, Value, Value]] = {}
        """How many ways to a phi bring one value, or the phi itself; that value; the next one."""
        self._ends = (graph.startblock, graph.returnblock, graph.exceptblock)

    def run(self) -> None:
        """Find everything, then rewrite the graph."""
        self._collect_users()
        for block in self.blocks:
            if block not in self._ends:
                entries = self.entries[block]
                for index, v in enumerate(block.inputargs):
                    self._places[v] = (entries, index)
        self._todo = [*reversed(self._places)]
        while True:
            while self._todo:
                self._visit_phi(self._todo.pop())
            if not self._merge_equal_phis():
                break
        self._rewrite()

    def resolve(self, value: Value) -> Value:
        """What ``value`` has been replaced by."""
        replaced = self.replaced
        if value not in replaced:
            return value
        path = []
        while value in replaced:
            path.append(value)
            value = replaced[value]
        for passed in path:
            replaced[passed] = value
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
                self.entries[link.target].append(link)

    def _visit_phi(self, v: Variable) -> None:
        """Replace the phi if it is redundant.

        Values that are equal stay so, so each visit goes on where the one before has found a
        difference: the phi of a large switch is visited for each of its ways.
        """
        replaced = self.replaced
        if v in replaced:
            return
        entries, index = self._places[v]
        count = 0
        same: Value | None = None
        if v in self._compared:
            count, first, second = self._compared[v]
            if first not in replaced and second not in replaced:
                return
            same = self.resolve(first)
            if same is v:
                same = None
        while count < len(entries):
            value = entries[count].args[index]
            if value in replaced:
                value = self.resolve(value)
            if value is not v and value is not same:
                if same is not None and not same_constant(value, same):
                    self._compared[v] = (count, same, value)
                    for differing in (same, value):
                        if isinstance(differing, Variable):
                            self._waiting.setdefault(differing, []).append(v)
                    return
                same = value
            count += 1
        if same is not None:
            self._replace(v, same)

    def _replace(self, v: Variable, value: Value) -> None:
        """Replace ``v`` and everything that follows from it."""
        todo = [(v, value)]
        while todo:
            v, value = todo.pop()
            self.replaced[v] = value
            self._todo += self._waiting.pop(v, ())
            users = self._users.pop(v, [])
            if isinstance(value, Variable):
                if value.name == "v":
                    value.name = v.name
                if users:
                    self._users.setdefault(value, []).extend(users)
                continue
            for user in users:
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
            at(op.span, folded)
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
            if link.target not in self._ends:
                for v in link.target.inputargs:
                    self._compared.pop(v, None)
                self._todo += link.target.inputargs

    def _merge_equal_phis(self) -> bool:
        """Inputargs of one block that every way in gives equal values are one; were there
        any?"""
        found = False
        for block in self.blocks:
            known: dict[object, Variable] = {}
            if block in self._ends:
                continue
            entries = self.entries[block]
            phis = [(i, v) for i, v in enumerate(block.inputargs) if v not in self.replaced]
            for index, v in phis if len(phis) > 1 and entries else ():
                incoming = [self.resolve(link.args[index]) for link in entries]
                first = known.setdefault(tuple(map(_identity, incoming)), v)
                if first is not v:
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
                if op.opname == "simple_call" and sets_attribute(op.args):
                    op.opdef, op.args = HLOPS["setattr"], op.args[1:]
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


def propagate(graph: FunctionGraph) -> dict[Value, Value]:
    """Remove redundant inputargs, fold what is constant.  Returns what was replaced."""
    replaced: dict[Value, Value] = {}
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
