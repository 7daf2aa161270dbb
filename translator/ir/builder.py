"""GraphBuilder: low-level graphs, one operation after the other.

::

    b = GraphBuilder("double_or_zero", [("n", Signed)], Signed)
    (n,) = b.args
    yes, no = b.new_block(), b.new_block()
    b.branch(b.op(LLOPS["int_is_true"], [n], Bool), yes, [], no, [])
    b.at(yes)
    b.ret(b.op(LLOPS["int_add"], [n, n], Signed))
    b.at(no)
    b.ret(Constant(0, Signed))
    b.graph
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rpython.translator.ir.model import (
    LAST_EXCEPTION,
    Block,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.opdef import OpDef
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import UNKNOWN_SPAN, Span


@dataclass(frozen=True, slots=True, eq=False)
class Handler:
    """One way out of an operation that raises: which class (and its vtable) goes to which
    block with which args; ``caught`` is the variable that receives the instance."""

    exitcase: type[BaseException]
    target: Block
    args: Sequence[Value]
    caught: Variable | None = None
    llexitcase: Any = None

    def link(self) -> Link:
        link = Link(self.args, self.target, self.exitcase)
        link.llexitcase = self.llexitcase
        link.last_exc_value = self.caught
        return link


class GraphBuilder:
    """Builds ``graph`` (stage ``lowlevel``); operations go to the current ``block``.

    ``args``: pairs of name and concretetype; ``result`` and ``exc``: the concretetypes of
    the result and of exception instances.  ``span`` is given to new operations; assign it.
    """

    def __init__(
        self,
        name: str,
        args: Sequence[tuple[str, Any]],
        result: Any,
        exc: Any = None,
        span: Span = UNKNOWN_SPAN,
    ) -> None:
        self.args = [Variable(argname, concretetype) for argname, concretetype in args]
        self.block = Block(self.args)
        self.graph = FunctionGraph(name, self.block, Variable("result", result), span=span)
        self.graph.exceptblock.inputargs[0].concretetype = exc
        self.graph.stage = "lowlevel"
        self.span = span

    def op(
        self,
        opdef: OpDef,
        args: Sequence[Value],
        resulttype: Any,
        name: str = "v",
        span: Span | None = None,
    ) -> Variable:
        """Append ``opdef(*args)`` to the current block; its result."""
        assert not self.block.exits, "block is already closed"
        result = Variable(name, resulttype)
        self.block.operations.append(SpaceOperation(opdef, args, result, span or self.span))
        return result

    def new_block(self, *inputargs: tuple[str, Any]) -> Block:
        """A block whose inputargs have the given names and concretetypes."""
        return Block([Variable(name, concretetype) for name, concretetype in inputargs])

    def at(self, block: Block) -> list[Variable]:
        """Go on at the end of ``block``; its inputargs."""
        self.block = block
        return block.inputargs

    def goto(self, target: Block, args: Sequence[Value] = ()) -> None:
        """End the block by going to ``target``."""
        self.block.closeblock(Link(args, target))

    def branch(
        self,
        condition: Variable,
        yes: Block,
        yes_args: Sequence[Value],
        no: Block,
        no_args: Sequence[Value],
    ) -> None:
        """End the block by going to ``yes`` or ``no``."""
        self.block.exitswitch = condition
        self.block.closeblock(Link(no_args, no, False), Link(yes_args, yes, True))

    def catch(self, target: Block, args: Sequence[Value], handlers: Sequence[Handler]) -> None:
        """End the block after an operation that may raise: on to ``target``, or to the
        first handler whose class matches."""
        self.block.exitswitch = LAST_EXCEPTION
        self.block.closeblock(Link(args, target), *(handler.link() for handler in handlers))

    def ret(self, value: Value) -> None:
        """End the block by returning ``value``."""
        self.goto(self.graph.returnblock, [value])

    def raise_(self, value: Value) -> None:
        """End the block by raising the instance ``value``."""
        self.goto(self.graph.exceptblock, [value])
