"""The meaning of instructions that branch, loop, raise and return."""

from __future__ import annotations

from rpython.translator.flow.explore import Explorer
from rpython.translator.flow.instructions import Instr, Op
from rpython.translator.flow.pending import YIELD
from rpython.translator.flow.ruletable import RuleTable
from rpython.translator.flow.state import Unroller
from rpython.translator.ir.intrinsics import ProtocolMethod, raised_here
from rpython.translator.ir.model import (
    LAST_EXCEPTION,
    Block,
    Constant,
    Link,
    SpaceOperation,
    Value,
    Variable,
)

CONTROL = RuleTable()


# -- exceptions and context managers


@CONTROL.rule(Op.RAISE)
def _raise(flow: Explorer, instr: Instr) -> None:
    if instr.arg == 0:
        handled = flow.state.handled
        hint = "raise the exception object itself"
        message = "a bare raise outside an except clause"
        if not flow.demand(handled, message, hint):
            flow.refuse(message, hint)
        flow.raise_(handled, again=True)
        return
    what, *causes = flow.pop_many(instr.arg)
    made_here = _is_made_here(flow, what)
    instance = flow.emit("exc_instance", what)
    for cause in causes:
        if isinstance(cause, Constant) and isinstance(cause.value, type):
            cause = flow.emit("exc_instance", cause)
        flow.emit("setattr", instance, Constant("__cause__"), cause)
    if instr.handler is not None or not made_here:
        flow.append_op("simple_call", Constant(raised_here), instance)
    flow.raise_(instance)


def _is_made_here(flow: Explorer, what: Value) -> bool:
    """Is it a class, or an instance that the last operation made?"""
    made = flow.made_by(what)
    assert flow.block is not None
    if made in flow.block.operations[-1:] and made.opname in ("simple_call", "call_args"):
        what = made.args[0]
    return isinstance(what, Constant) and isinstance(what.value, type)


@CONTROL.rule(Op.RERAISE)
def _reraise(flow: Explorer, instr: Instr) -> None:
    flow.raise_(flow.pop(), again=True)


@CONTROL.rule(Op.PUSH_HANDLED)
def _push_handled(flow: Explorer, instr: Instr) -> None:
    instance = flow.pop()
    flow.state.outer += (len(flow.state.stack),)
    flow.push(flow.state.handled)
    flow.push(instance)
    flow.state.handled = instance


@CONTROL.rule(Op.POP_HANDLED)
def _pop_handled(flow: Explorer, instr: Instr) -> None:
    flow.state.handled = flow.pop()
    flow.state.outer = flow.state.outer[:-1]


@CONTROL.rule(Op.MATCH_EXCEPTION)
def _match_exception(flow: Explorer, instr: Instr) -> None:
    wanted = flow.pop()
    instance = flow.state.stack[-1]
    assert isinstance(instance, Variable | Constant)
    flow.push(flow.emit("exception_match", instance, wanted))


_CONTEXT_METHODS = {
    "with": (ProtocolMethod("__enter__"), ProtocolMethod("__exit__")),
    "async with": (ProtocolMethod("__aenter__"), ProtocolMethod("__aexit__")),
}


@CONTROL.rule(Op.ENTER_CONTEXT)
def _enter_context(flow: Explorer, instr: Instr) -> None:
    manager = flow.pop()
    enter_name, exit_name = _CONTEXT_METHODS[instr.arg or "with"]
    enter = flow.emit("getattr", manager, Constant(enter_name))
    flow.push(flow.emit("getattr", manager, Constant(exit_name)))
    flow.push(flow.emit("simple_call", enter))


@CONTROL.rule(Op.EXIT_CONTEXT)
def _exit_context(flow: Explorer, instr: Instr) -> None:
    leave, instance = flow.state.stack[-4], flow.state.stack[-1]
    assert isinstance(leave, Variable | Constant)
    assert isinstance(instance, Variable | Constant)
    cls = flow.emit("simple_call", Constant(type), instance)
    flow.push(flow.emit("simple_call", leave, cls, instance, Constant(None)))


# -- control


@CONTROL.rule(Op.BRANCH)
def _branch(flow: Explorer, instr: Instr) -> None:
    flow.branch(flow.truth(flow.pop()))


@CONTROL.rule(Op.BRANCH_NONE)
def _branch_none(flow: Explorer, instr: Instr) -> None:
    flow.branch(flow.emit("is_", flow.pop(), Constant(None)))


@CONTROL.rule(Op.NEXT)
def _next(flow: Explorer, instr: Instr) -> None:
    """Its StopIteration is the end of the loop; other exceptions go to the handler."""
    iterator = flow.state.stack[-1]
    if isinstance(iterator, Unroller):
        _next_unrolled(flow, instr, iterator)
        return
    assert isinstance(iterator, Variable | Constant)
    at_end = flow.state.copy()
    at_end.stack.pop()
    handlers = flow.handler_links()
    flow.push(flow.append_op("next", iterator))
    assert flow.block is not None
    flow.block.exitswitch = LAST_EXCEPTION
    body = flow.link_to(instr.next, flow.state)
    stop = flow.link_to(instr.jump, at_end, StopIteration)
    stop.last_exc_value = Variable("exc")
    flow.end(body, stop, *handlers)


def _next_unrolled(flow: Explorer, instr: Instr, iterator: Unroller) -> None:
    """The next item is known: it is a constant in blocks of its own."""
    flow.state.stack.pop()
    if iterator.position == len(iterator.items):
        flow.go(instr.jump)
        return
    item = Constant(iterator.items[iterator.position])
    flow.unrolled.add(item)
    flow.push(Unroller(iterator.items, iterator.position + 1))
    flow.push(item)


@CONTROL.rule(Op.YIELD)
def _yield(flow: Explorer, instr: Instr) -> None:
    """Ends the block where a handler could see what is thrown into the generator."""
    args = [flow.pop()]
    if instr.arg:
        args.append(flow.complete(flow.state.stack[-1]))
    assert flow.block is not None
    sent = Variable()
    flow.block.operations.append(SpaceOperation(YIELD, args, sent, instr.span))
    flow.mark_again()
    handlers = flow.handler_links()
    if handlers:
        flow.block.exitswitch = LAST_EXCEPTION
        after = Block([])
        flow.end(Link([], after), *handlers)
        flow.block = after
    flow.push(sent)


@CONTROL.rule(Op.RETURN)
def _return(flow: Explorer, instr: Instr) -> None:
    flow.return_(flow.pop())


@CONTROL.rule(Op.REFUSE)
def _refuse(flow: Explorer, instr: Instr) -> None:
    message, hint = instr.arg
    flow.refuse(message, hint)
