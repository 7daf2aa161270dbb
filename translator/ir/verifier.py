"""The verifier: what must hold of every graph after every stage and pass.

The invariants are those of ``translator.ir.model``; each is stated here once, as the
message of its violation.  Operand types of low-level operations are the typed-graph
checker's (``lltypesystem``).
"""

from __future__ import annotations

from typing import NoReturn

from rpython.translator.ir.dominators import DominatorTree
from rpython.translator.ir.errors import VerifyError
from rpython.translator.ir.hlops import HLOp
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.printer import GraphText, is_high_level


def verify(graph: FunctionGraph, pass_name: str) -> None:
    """Check every structural invariant of ``graph``.

    ``pass_name``: the stage or pass that produced it, for the message.
    Raises VerifyError naming pass, graph, block and operation.
    """
    verifier = _Verifier(graph, pass_name)
    verifier.check_ends()
    blocks = list(graph.iterblocks())
    for block in blocks:
        verifier.check_shape(block)
        verifier.collect_definitions(block)
    if verifier.high_level:
        for block in blocks:
            verifier.check_local_uses(block)
    else:
        verifier.check_dominance(blocks)
        for block in blocks:
            for link in block.exits:
                verifier.check_link_types(link)


class _Verifier:
    def __init__(self, graph: FunctionGraph, pass_name: str) -> None:
        self.graph = graph
        self.pass_name = pass_name
        self.high_level = is_high_level(graph)
        self.defined_in: dict[Variable, Block] = {}
        self.half_defined: dict[Variable, Block] = {}
        """Results of raising operations: not defined on the block's exception links."""
        self.caught: set[Variable] = set()
        """What exception links define, for their own args."""
        self._tree: DominatorTree | None = None

    def fail(
        self, problem: str, block: Block | None = None, op: SpaceOperation | None = None
    ) -> NoReturn:
        text = GraphText(self.graph)
        where = [f"after {self.pass_name}", f"graph {self.graph.name}"]
        if block is not None:
            where.append(f"block {text.label(block)}")
        if op is not None:
            where.append(f"op {text.operation(op)}")
        raise VerifyError(problem, op.span if op and op.span.line else None, where=", ".join(where))

    # -- shape: the table in translator.ir.model

    def check_ends(self) -> None:
        for block, name in [
            (self.graph.returnblock, "return"), (self.graph.exceptblock, "except"),
        ]:  # fmt: skip
            if len(block.inputargs) != 1:
                self.fail(f"the {name} block must have exactly one inputarg", block)
            if block.operations or block.exits or block.exitswitch is not None:
                self.fail(f"the {name} block must have no operations and no exits", block)
        if self.graph.startblock in (self.graph.returnblock, self.graph.exceptblock):
            self.fail("the start block must not be the return block or the except block")

    def check_shape(self, block: Block) -> None:
        for op in block.operations:
            self._check_operation(block, op)
        exits = block.exits
        for link in exits:
            self._check_link(block, link)
        if block.is_unreachable:
            if exits:
                self.fail("an unreachable end has no exits", block)
        elif not exits:
            if block not in (self.graph.returnblock, self.graph.exceptblock):
                self.fail("only the return block and the except block may have no exits", block)
        elif block.exitswitch is None:
            if len(exits) != 1 or exits[0].exitcase is not None:
                self.fail("without exitswitch a block has one exit, of exitcase None", block)
        elif block.canraise:
            self._check_exception_exits(block)
        elif not isinstance(block.exitswitch, Variable):
            self.fail("exitswitch must be None, a Variable, LAST_EXCEPTION or UNREACHABLE", block)
        elif block.is_switch:
            self._check_switch(block)
        elif len(exits) != 2 or exits[0].exitcase is not False or exits[1].exitcase is not True:
            self.fail("a branch has two exits, of exitcase False and True in this order", block)

    def _check_switch(self, block: Block) -> None:
        if self.high_level:
            self.fail("only low-level graphs have switches", block)
        cases = [link.exitcase for link in block.exits[1:]]
        if not cases:
            self.fail("a switch has a case", block)
        if not all(isinstance(case, int | str) and not isinstance(case, bool) for case in cases):
            self.fail("the exitcases of a switch are numbers or characters", block)
        if len(set(cases)) < len(cases):
            self.fail("two exits of a switch have the same exitcase", block)

    def _check_exception_exits(self, block: Block) -> None:
        if not block.operations:
            self.fail("a LAST_EXCEPTION block needs an operation that may raise", block)
        if len(block.exits) < 2:
            self.fail("a LAST_EXCEPTION block needs at least one exception link", block)
        if block.exits[0].exitcase is not None:
            self.fail("the first exit of a LAST_EXCEPTION block must be the normal one", block)
        raised = block.raising_op.result
        for link in block.exits[1:]:
            case = link.exitcase
            if not (isinstance(case, type) and issubclass(case, BaseException)):
                self.fail(f"an exception link needs an exception class, not {case!r}", block)
            if raised in link.args:
                self.fail("the result of the raising operation is used on an exception link",
                          block, block.raising_op)  # fmt: skip

    def _check_operation(self, block: Block, op: SpaceOperation) -> None:
        row = op.opdef
        if isinstance(row, HLOp) != self.high_level:
            form = "high" if self.high_level else "low"
            self.fail(f"not an operation of {form}-level graphs", block, op)
        if isinstance(row, HLOp) and row.arity not in (None, len(op.args)):
            self.fail(f"{row.name} takes {row.arity} operands, not {len(op.args)}", block, op)

    def _check_link(self, block: Block, link: Link) -> None:
        if link.prevblock is not block:
            self.fail("the prevblock of an exit must be the block it leaves", block)
        given, wanted = len(link.args), len(link.target.inputargs)
        if given != wanted:
            self.fail(f"a link gives {given} args to a block with {wanted} inputargs", block)
        if link.last_exc_value is not None and link.exitcase in (None, False, True):
            self.fail("last_exc_value belongs on exception links only", block)

    # -- definitions and uses

    def collect_definitions(self, block: Block) -> None:
        for v in block.inputargs:
            self._define(v, block, None)
        for op in block.operations:
            self._define(op.result, block, op)
        for link in block.exits:
            if link.last_exc_value is not None:
                self._define(link.last_exc_value, block, None)
                self.caught.add(link.last_exc_value)
        if block.canraise:
            self.half_defined[block.raising_op.result] = block

    def _define(self, v: object, block: Block, op: SpaceOperation | None) -> None:
        if not isinstance(v, Variable):
            self.fail(f"defines {v!r}, which is not a Variable", block, op)
        if v in self.defined_in:
            other = GraphText(self.graph).label(self.defined_in[v])
            self.fail(f"variable {v.name!r} has a second definition (first in {other})", block, op)
        if not self.high_level and v.concretetype is None:
            self.fail(f"variable {v.name!r} has no concretetype", block, op)
        self.defined_in[v] = block

    def check_local_uses(self, block: Block) -> None:
        """High-level form: a use is of the block's inputargs or of an earlier operation."""
        seen: set[Value] = set(block.inputargs)
        for op in block.operations:
            for arg in op.args:
                if arg not in seen and not isinstance(arg, Constant):
                    self._undefined(arg, block, op)
            seen.add(op.result)
        if isinstance(block.exitswitch, Variable) and block.exitswitch not in seen:
            self._undefined(block.exitswitch, block, None)
        for link in block.exits:
            for arg in link.args:
                if isinstance(arg, Constant) or arg in seen or arg is link.last_exc_value:
                    continue
                self._undefined(arg, block, None)

    def check_dominance(self, blocks: list[Block]) -> None:
        """Low-level form: a use is dominated by its definition."""
        for block in blocks:
            seen: set[Value] = set(block.inputargs)
            for op in block.operations:
                for arg in op.args:
                    if arg not in seen and (type(arg) is not Constant or arg.concretetype is None):
                        self._check_dominates(arg, block, op)
                seen.add(op.result)
            if isinstance(block.exitswitch, Variable) and block.exitswitch not in seen:
                self._check_dominates(block.exitswitch, block, None)
            for link in block.exits:
                for arg in link.args:
                    if arg not in seen and arg is not link.last_exc_value:
                        self._check_dominates(arg, block, None)

    @property
    def tree(self) -> DominatorTree:
        """Made where a value is used in another block than its own, which small graphs may not
        have."""
        if self._tree is None:
            self._tree = DominatorTree(self.graph)
        return self._tree

    def _check_dominates(self, arg: Value, block: Block, op: SpaceOperation | None) -> None:
        """``arg`` is used in ``block`` but not defined before the use in that block."""
        if isinstance(arg, Constant):
            if arg.concretetype is None:
                self.fail(f"constant {arg.value!r} has no concretetype", block, op)
            return
        definition = self.defined_in.get(arg)
        if definition is None or definition is block:
            self._undefined(arg, block, op)
        if not self.tree.dominates(definition, block):
            self._undefined(arg, block, op)
        if arg in self.half_defined:
            if not self.tree.link_dominates(definition.exits[0], block):
                self._undefined(arg, block, op)
        elif arg in self.caught:
            self.fail(f"last_exc_value {arg.name!r} is used outside its own link", block, op)

    def _undefined(self, arg: object, block: Block, op: SpaceOperation | None) -> NoReturn:
        if not isinstance(arg, Variable):
            self.fail(f"uses {arg!r}, which is neither Variable nor Constant", block, op)
        use = "is used" if op else "is used by an exit"
        if arg not in self.defined_in:
            self.fail(f"variable {arg.name!r} {use} but never defined", block, op)
        label = GraphText(self.graph).label(self.defined_in[arg])
        rule = "in another block" if self.high_level else "where its definition does not dominate"
        self.fail(f"variable {arg.name!r}, defined in {label}, {use} {rule}", block, op)

    def check_link_types(self, link: Link) -> None:
        for arg, target in zip(link.args, link.target.inputargs):
            given, wanted = arg.concretetype, target.concretetype
            if given is not wanted and given != wanted:
                self.fail(
                    f"a link passes {given} to inputarg {target.name!r} of type {wanted}",
                    link.prevblock,
                )
