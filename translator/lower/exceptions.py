"""Make it explicit how exceptions are raised, traced, caught and passed on.

::

    b0(n):                                  b0(n):
        x = direct_call(@f, n)                  try x = direct_call(@f, n)
        try y = int_add_ovf(x, 1)   ->              goto b1()
            return y                                except BaseException goto b3()
            except OverflowError as e       b1():
                goto b5(e)                      try y = int_add_ovf(x, 1)
                                                    return y
                                                    except BaseException goto b4()
                                            b3():
                                                exc_trace()
                                                raise null
                                            b4():
                                                raise_prebuilt("OverflowError")
                                                exc_trace()
                                                e = exc_fetch()
                                                goto b5(e)

What holds afterwards:

- An operation that may fail ends its block, which has two exits; the second, that of a failure,
  says ``except BaseException`` and brings nothing along.  Where a call failed, its exception is
  pending; other operations fail without one, and ``raise_prebuilt`` follows.
- A link to the except block leaves the function with the pending exception, and gives null.
- Who catches asks with ``exc_matches`` and takes the exception with ``exc_fetch``.

A call whose result the function returns, and which leaves no trace of that, as in the thunks of
methods, is passed on as it is: the caller asks whether an exception is pending.
A call that always raises ends its block by going where its exception goes.  A stack check and a
safe point become a probe, which fails when there is something to do, and what does it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rpython.lltypesystem.operations.llop import LLOp, callees, row_of
from rpython.lltypesystem.primitives import Bool, Signed, Void
from rpython.lltypesystem.rclass import OBJECT, OBJECTPTR
from rpython.lltypesystem.simulated.memory import _ptr, nullptr
from rpython.translator.ir.errors import BuildError
from rpython.translator.ir.model import (
    LAST_EXCEPTION,
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.span import Span
from rpython.translator.lower.context import Context
from rpython.translator.lower.edges import block_of_edge, new_op
from rpython.translator.opt.raise_places import is_traced, settle_raises
from rpython.translator.opt.raising import ALWAYS_RAISES, MAY_RAISE

SMALL_FUNCTION = 40
"""Operations up to which a function tells the C compiler whether it leaves an exception: once it
is inlined, what its caller tests is known."""

_PROBES = {
    "stack_check": ("stack_probe", "stack_overflow"),
    "safepoint": ("safepoint_probe", "safepoint_slow"),
}
"""What becomes of an operation that rarely has something to do: the test, and what does it."""


def lower_exceptions(graph: FunctionGraph, context: Context) -> bool:
    """Do that."""
    _Lowering(graph, context).run()
    return True


class _Lowering:
    """The work on one graph."""

    def __init__(self, graph: FunctionGraph, context: Context) -> None:
        self.graph = graph
        self.context = context
        self.traced = is_traced(graph)
        source = context.sources[graph]
        operations = [op for _, op in graph.iterblockops()]
        self.handles = any(op.opname == "handler_enter" for op in operations)
        self.promises = (
            len(operations) <= SMALL_FUNCTION
            and context.summaries.of_graph(MAY_RAISE, source)
            # a recursive one would only look larger to the C compiler's inliner
            and source not in (called for op in operations for called in callees(op).graphs)
        )
        settle_raises(graph)
        self.raises = {
            link: self._raising(link)
            for link in graph.iterlinks()
            if link.target is graph.exceptblock
        }
        """For each link that raises, the operations that do it."""
        self.shared: dict[tuple[type | None, tuple[Span, ...]], Block] = {}
        graph.exceptblock.inputargs[0].concretetype = OBJECTPTR

    def run(self) -> None:
        for block in list(self.graph.iterblocks()):
            if block.is_closed:
                self._lower_block(block)

    # -- blocks

    def _lower_block(self, block: Block) -> None:
        operations, exits, switch = block.operations, block.exits, block.exitswitch
        handlers = exits[1:] if block.canraise else ()
        block.operations, block.exits, block.exitswitch = [], (), None
        for number, op in enumerate(operations, 1):
            block.operations.append(op)
            if op.opname == "raised_here" and not self.traced and op.span.inlined_at is None:
                op.span = replace(op.span, hidden=True)
            if not self.context.summaries.of_op(MAY_RAISE, op):
                continue
            last = number == len(operations)
            if last and not handlers and self._passes_on(op, exits):
                block.closeblock(*exits)
                return
            ends = last and switch in (None, LAST_EXCEPTION) and op.opname not in _PROBES
            failed = self._failure(op, handlers if last else ())
            if self.context.summaries.of_op(ALWAYS_RAISES, op):
                self._end_failing(block, Link(failed.args, failed.target), failed)
                return
            if ends:
                self._end_failing(block, exits[0], failed)
                self._end_edges([exits[0]])
                return
            rest = Block([])
            self._end_failing(block, Link([], rest), failed)
            block = rest
        if handlers:  # nothing raises after all
            exits, switch = exits[:1], None
        block.exitswitch = switch
        block.recloseblock(*exits)
        self._end_edges(exits)

    def _passes_on(self, op: SpaceOperation, exits: Sequence[Link]) -> bool:
        """Does the function return what the call gives, without a trace of its own?  Then whoever
        called it sees by itself whether an exception is pending."""
        if self.handles or not row_of(op).is_call or len(exits) != 1:
            return False
        (result,) = exits[0].args if exits[0].target is self.graph.returnblock else (None,)
        if result is not op.result and (result is None or result.concretetype is not Void):
            return False
        return not _traces(self._frames(op.span))

    def _end_failing(self, block: Block, normal: Link, failed: Link) -> None:
        """End the block with its last operation, which may fail."""
        probe = _PROBES.get(block.operations[-1].opname)
        if probe is not None:
            check = block.operations.pop()
            block.operations.append(new_op(probe[0], [], span=check.span))
            rare = Block([])
            rare.operations.append(new_op(probe[1], [], span=check.span))
            rare.exitswitch = LAST_EXCEPTION
            rare.closeblock(Link(normal.args, normal.target), failed)
            failed = _failing_link([], rare)
        block.exitswitch = LAST_EXCEPTION
        block.closeblock(normal, failed)

    def _end_edges(self, exits: Sequence[Link]) -> None:
        """Add what is to be done where the function is left."""
        for link in exits:
            if link.target is self.graph.exceptblock:
                block = block_of_edge(link)
                block.operations += self.raises[link]
                self._leave(block)
            elif link.target is self.graph.returnblock:
                ending = self._ending(False)
                if ending:
                    block_of_edge(link).operations += ending

    def _ending(self, failed: bool) -> list[SpaceOperation]:
        ending = [new_op("handler_unwind", [])] if self.handles else []
        if self.promises:
            ending.append(new_op("exc_promise", [Constant(failed, Bool)]))
        return ending

    def _leave(self, block: Block) -> None:
        """End the block by leaving the function with the pending exception."""
        block.operations += self._ending(True)
        block.recloseblock(Link(_NOTHING, self.graph.exceptblock))

    # -- failures

    def _failure(self, op: SpaceOperation, handlers: Sequence[Link]) -> Link:
        """The link to be taken when the operation fails."""
        cls = self._raised_class(op)
        if cls is None:
            return self._catch(op, handlers) if handlers else self._exit(None, op.span)
        link = next((link for link in handlers if issubclass(cls, link.exitcase)), None)
        if link is None:
            return self._exit(cls, op.span)
        block = Block([])
        if link.last_exc_value in link.args:  # else nobody can tell that it was ever raised
            frames = self._frames(op.span)
            block.operations += [_raise_prebuilt(cls, op.span), *_traces(frames[link.depth :])]
            self._enter(block, link)
        else:
            self._jump(block, link)
        return _failing_link([], block)

    def _raised_class(self, op: SpaceOperation) -> type[BaseException] | None:
        """What the operation fails for; None: an exception that is pending."""
        row = op.opdef
        assert isinstance(row, LLOp)
        if row.eval is None or op.opname in _PROBES:
            return None
        (cls,) = row.effects_of(op).raises
        if cls not in self.context.program.exceptions:
            raise BuildError(
                f"{op.opname} may raise {cls.__name__}, which the program has no instance of",
                op.span,
            )
        return cls

    def _exit(self, cls: type[BaseException] | None, span: Span) -> Link:
        """The way out of the function, shared by all that fail alike."""
        trace = _traces(self._frames(span))
        key = (cls, tuple(op.span for op in trace))
        block = self.shared.get(key)
        if block is None:
            block = self.shared[key] = Block([])
            block.operations = [_raise_prebuilt(cls, span)] if cls is not None else []
            block.operations += trace
            self._leave(block)
        if not block.operations:
            return _failing_link(_NOTHING, self.graph.exceptblock)
        return _failing_link([], block)

    def _catch(self, op: SpaceOperation, handlers: Sequence[Link]) -> Link:
        """The way to the handler of what is pending."""
        first = block = Block([])
        frames = self._frames(op.span)
        for link in handlers:
            block.operations += _traces(frames[link.depth :])
            del frames[link.depth :]
            if link.exitcase is BaseException:
                self._enter(block, link)
                break
            low, high = _class_range(link.llexitcase)
            name = Constant(link.exitcase.__name__, Void)
            numbers = [Constant(low, Signed), Constant(high, Signed)]
            matches = Variable("matches", Bool)
            block.operations.append(new_op("exc_matches", [name, *numbers], matches))
            entered, other = Block([]), Block([])
            self._enter(entered, link)
            block.exitswitch = matches
            block.closeblock(Link([], other, False), Link([], entered, True))
            block = other
        else:
            block.operations += _traces(frames)
            self._leave(block)
        return _failing_link([], first)

    def _enter(self, block: Block, link: Link) -> None:
        """End the block by taking the pending exception to its handler."""
        caught = link.last_exc_value or Variable("e", OBJECTPTR)
        block.operations.append(new_op("exc_fetch", [], caught))
        self._jump(block, link)

    def _jump(self, block: Block, link: Link) -> None:
        onward = Link(link.args, link.target)
        onward.take_place_of(link)
        block.closeblock(onward)
        if link in self.raises:
            self.raises[onward] = self.raises[link]
        self._end_edges([onward])

    # -- raising

    def _frames(self, span: Span) -> list[Span]:
        """The places that an exception passes which is raised at ``span``, outermost first: the
        index is how many calls deep the function of each was inlined."""
        *inner, own = span.frames()
        if own.line <= 0:
            own = self.graph.span
        return [own if self.traced else replace(own, hidden=True), *reversed(inner)]

    def _raising(self, link: Link) -> list[SpaceOperation]:
        """The operations that raise what the link gives."""
        value, span = link.args[0], link.span
        assert span is not None
        *outer, where = self._frames(span)
        if link.again:
            return [new_op("raise_again", [value], span=where), *_traces(outer)]
        name = "raise_fresh" if isinstance(value, Constant) else "raise_instance"
        return [new_op(name, [value], span=span), *_traces([*outer, where])]


_NOTHING = [Constant(nullptr(OBJECT), OBJECTPTR)]


def _failing_link(args: Sequence[Value], target: Block) -> Link:
    return Link(args, target, BaseException)


def _raise_prebuilt(cls: type[BaseException], span: Span) -> SpaceOperation:
    return new_op("raise_prebuilt", [Constant(cls.__name__, Void)], span=span)


def _traces(frames: Sequence[Span]) -> list[SpaceOperation]:
    """What notes the places for tracebacks, innermost first, as far as they show there."""
    return [new_op("exc_trace", [], span=span) for span in reversed(frames) if not span.hidden]


def _class_range(vtable: _ptr) -> tuple[int, int]:
    """The numbers ``[min, max)`` of the subclasses of the class with this vtable."""
    obj: Any = vtable._obj
    root = list(obj._TYPE._ancestors())[-1]
    return obj._getfield(root, "subclassrange_min"), obj._getfield(root, "subclassrange_max")
