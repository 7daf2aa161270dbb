"""Generators: a function with ``yield`` becomes a class and a state machine.

::

    def f(n):                        graph f(n):
        for i in range(n):               g = generator_f(); g.n_0 = n
            yield i                      return g

                                     graph generator_f.run(self, resume):
                                         if resume == 0: n = self.n_0; ...
                                         if resume == 1: it = self.it_1; ...
                                         ...
                                         self.it_1 = it; self.resume = 1; return i
                                         ...
                                         self.resume = FINISHED; raise StopIteration

What is live across a yield is kept in attributes of the instance, of its own for each
yield: a value that a test has narrowed stays narrow.  ``__next__`` and the other methods are those
of ``generator_classes.py``.  A coroutine is a generator that hands out what those wait for that it
awaits.

Where a yield stands in a ``try`` or a ``with``, what follows it begins with a call that raises what
``throw`` or ``close`` left in ``thrown``, in the range of the same handlers; a generator with
something to clean up has ``__del__``, which closes it.

An iterator of the library that CPython has in C (``iterator_in_c`` of ``rpython.stdlib._registry``)
has ``__next__`` alone.  What its code raises leaves it where it gave the last item, or was at the
last ``savepoint()``: the next call goes on from there, as one made meanwhile does.

After RPython's ``translator/generator.py`` by A. Rigo, as an idea.
"""

from __future__ import annotations

import itertools
import types
from collections.abc import Callable, Iterator
from dataclasses import replace
from inspect import CO_ASYNC_GENERATOR

from rpython.translator.flow.generator_classes import FINISHED, make_class
from rpython.translator.flow.pending import YIELD
from rpython.translator.ir.hlops import HLOPS
from rpython.translator.ir.intrinsics import async_generator, handler_enter
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.span import Span

Simplify = Callable[[FunctionGraph], None]


def make_generator(
    func: types.FunctionType, body: FunctionGraph, span: Span, simplify: Simplify
) -> FunctionGraph:
    """The graph that makes the generator, from the graph of the function's body, whose
    variables are local to blocks.  ``simplify`` tidies a graph up.
    """
    machine = StateMachine(body, hasattr(func, "_rpython_iterator_in_c_"))
    names = [_field(v, 0) for v in body.getargs()]
    machine.build(names)
    simplify(body)
    cls = make_class(func, machine, span)
    return _start_graph(func, cls, [v.name for v in machine.args], names, span)


def _field(v: Variable, number: int) -> str:
    return f"{v.name}_{number}"


class StateMachine:
    """Turns the body of a generator into the graph of ``_run``, in place."""

    def __init__(self, graph: FunctionGraph, in_c: bool) -> None:
        self.graph = graph
        self.in_c = in_c
        """Is it an iterator that CPython has in C?"""
        self.args = graph.getargs()
        self.returns = self.has_result = False
        self.uses_sent = False
        self.catches = False
        """Can its code see what is thrown into it?"""
        self.cleans_up = False
        """Does its code do something when it is dropped half-way?"""
        self._selves: dict[Block, Variable] = {}
        self._span = replace(graph.span, hidden=True)
        self._resumed: list[Block] = []

    def build(self, names: list[str]) -> None:
        """``names``: the attributes that hold the arguments."""
        graph = self.graph
        returns = list(_links_to(graph, graph.returnblock))
        self.returns = bool(returns)
        if not self.in_c:
            self._look_at_handlers()
        self._pass_self()
        self._return_as_stop_iteration(returns)
        first = Block([Variable("self")])
        for block in list(self._selves):
            self._split(block)
        self._load(first, names, graph.startblock)
        self._dispatch([first, *self._resumed])

    def _look_at_handlers(self) -> None:
        for block in self.graph.iterblocks():
            suspended = None
            # the last operation so far, if that is a yield and what the generator handles then
            for op in block.operations:
                if op.opdef is YIELD:
                    suspended = op
                    self.catches |= len(op.args) > 1
                elif suspended is not None and _is_mark(op):
                    self.catches = True
                else:
                    suspended = None
            if suspended is not None and block.canraise:
                self.catches = True
                self.cleans_up |= _sees_exit(self.graph, block.exits[1])

    def _pass_self(self) -> None:
        """Let every block have ``self`` as its first inputarg."""
        graph = self.graph
        blocks = list(graph.iterblocks())
        for block in blocks:
            if block not in (graph.returnblock, graph.exceptblock):
                self._selves[block] = Variable("self")
        for block in self._selves:
            for link in block.exits:
                if link.target in self._selves:
                    link.args.insert(0, self._selves[block])
        for block, v_self in self._selves.items():
            block.inputargs = [v_self, *block.inputargs]

    def _return_as_stop_iteration(self, returns: list[Link]) -> None:
        graph = self.graph
        values = [link.args[0] for link in returns]
        self.has_result = not all(isinstance(v, Constant) and v.value is None for v in values)
        if not returns:
            return
        v_self, v_value = Variable("self"), Variable("result")
        end = Block([v_self, v_value])
        if self.has_result:
            self._emit(end, "setattr", v_self, Constant("result"), v_value)
        self._emit(end, "setattr", v_self, Constant("resume"), Constant(FINISHED))
        carries = self.has_result and not self.in_c
        stop = (
            self._emit(end, "simple_call", Constant(StopIteration), v_value) if carries
            else self._emit(end, "exc_instance", Constant(StopIteration))
        )  # fmt: skip
        end.closeblock(Link([stop], graph.exceptblock))
        self._selves[end] = v_self
        for link in returns:
            assert link.prevblock is not None
            link.args.insert(0, self._selves[link.prevblock])
            link.target = end

    def _emit(self, block: Block, name: str, *args: Value) -> Variable:
        result = Variable()
        block.operations.append(SpaceOperation(HLOPS[name], args, result, self._span))
        return result

    def _split(self, block: Block) -> None:
        """End the block at its first yield or savepoint; the rest is a block of its own."""
        index = next((i for i, op in enumerate(block.operations) if _saves(op)), None)
        if index is None:
            return
        op = block.operations[index]
        v_self = self._selves[block]
        rest = Block([])
        rest.operations = block.operations[index + 1 :]
        rest.exitswitch = block.exitswitch
        rest.recloseblock(*block.exits)
        del block.operations[index:]
        block.exitswitch = None
        self._span = replace(op.span, hidden=True)
        if self.catches:
            self._raise_thrown(rest, v_self, op)
        made = {v_self, *block.inputargs, *(before.result for before in block.operations)}
        used = _used(rest)
        live = [v for v in used if v in made and v is not v_self]
        sent = [op.result] if op.result in used else []
        self.uses_sent |= bool(sent)
        renamed = {v: v.copy() for v in live + sent}
        rest_self = Variable("self")
        rest.inputargs = [rest_self, *renamed.values()]
        rest.rename_uses({**renamed, v_self: rest_self})
        self._selves[rest] = rest_self

        number = len(self._resumed) + 1
        names = _distinct(_field(v, number) for v in live)
        for name, v in zip(names, live):
            self._emit(block, "setattr", v_self, Constant(name), v)
        self._emit(block, "setattr", v_self, Constant("resume"), Constant(number))
        resumed = Block([Variable("self")])
        self._resumed.append(resumed)
        if op.opdef is YIELD:
            block.recloseblock(Link([op.args[0]], self.graph.returnblock))
        else:
            block.recloseblock(Link([v_self], resumed))
        self._load(resumed, [*names, "sent"] if sent else names, rest)
        self._split(rest)

    def _raise_thrown(self, rest: Block, v_self: Variable, op: SpaceOperation) -> None:
        """Begin what follows a yield, in the range of the same handler, with a call of the method
        that raises what is thrown in; its context is what the generator is handling."""
        count = len([*itertools.takewhile(_is_mark, rest.operations)])
        following, rest.operations = rest.operations[count:], rest.operations[:count]
        name = "_raise_thrown" if len(op.args) == 1 else "_raise_thrown_through"
        method = self._emit(rest, "getattr", v_self, Constant(name))
        self._emit(rest, "simple_call", method, *op.args[1:])
        rest.operations += following

    def _load(self, block: Block, names: list[str], target: Block) -> None:
        """Let ``block`` go to ``target`` with what the attributes hold."""
        v_self = block.inputargs[0]
        args: list[Value] = [v_self]
        for name in names:
            args.append(self._emit(block, "getattr", v_self, Constant(name)))
        block.closeblock(Link(args, target))

    def _dispatch(self, targets: list[Block]) -> None:
        """Start by going to the block whose number is ``resume``."""
        v_self, v_resume = Variable("self"), Variable("resume")
        block = self.graph.startblock = Block([v_self, v_resume])
        self._span = replace(self.graph.span, hidden=True)
        for number, target in enumerate(targets[:-1]):
            test = self._emit(block, "eq", v_resume, Constant(number))
            block.exitswitch = self._emit(block, "bool", test)
            v_self_next, v_resume_next = Variable("self"), Variable("resume")
            other = Block([v_self_next, v_resume_next])
            block.closeblock(Link([v_self, v_resume], other, False), Link([v_self], target, True))
            block, v_self, v_resume = other, v_self_next, v_resume_next
        block.closeblock(Link([v_self], targets[-1]))


def _is_mark(op: SpaceOperation) -> bool:
    """Does it say what the generator, which goes on, is handling?"""
    called = op.args[0] if op.opname == "simple_call" else None
    return isinstance(called, Constant) and called.value is handler_enter


def _saves(op: SpaceOperation) -> bool:
    """Does the state machine keep what is live there?"""
    called = op.args[0] if op.opname == "simple_call" else None
    return op.opdef is YIELD or (
        isinstance(called, Constant) and hasattr(called.value, "_rpython_savepoint_")
    )


def _links_to(graph: FunctionGraph, target: Block) -> Iterator[Link]:
    return (link for link in graph.iterlinks() if link.target is target)


def _distinct(names: Iterator[str]) -> list[str]:
    """The names, each made different from those before it."""
    known: dict[str, None] = {}
    for name in names:
        unique = name
        for i in itertools.count(1):
            if unique not in known:
                break
            unique = f"{name}_{i}"
        known[unique] = None
    return list(known)


def _used(block: Block) -> list[Variable]:
    """The variables a block uses, in order of use."""
    used: dict[Variable, None] = {}
    values: list[object] = [arg for op in block.operations for arg in op.args]
    values.append(block.exitswitch)
    values += [arg for link in block.exits for arg in link.args]
    for value in values:
        if isinstance(value, Variable):
            used[value] = None
    return list(used)


def _sees_exit(graph: FunctionGraph, link: Link) -> bool:
    """Would the handler do something when GeneratorExit is raised at the yield?  CPython raises
    one when the generator is closed or no longer needed."""
    caught: Value | None = link.last_exc_value
    for _ in range(1000):
        block = link.target
        if block is graph.exceptblock and link.args[-1] is caught:
            return False
        passed = dict(zip(block.inputargs, link.args))
        here = next((v for v, arg in passed.items() if arg is caught), None)
        exits = block.exits
        if block.operations:
            (op, *more) = block.operations
            wanted = op.args[-1]
            if more or op.opname != "exception_match" or op.args[0] is not here:
                return True
            assert isinstance(wanted, Constant)
            if op.result is block.exitswitch:
                exits = (exits[issubclass(GeneratorExit, wanted.value)],)
        if len(exits) != 1 or here is None:
            return True
        (link,), caught = exits, here
    return True


def _start_graph(
    func: types.FunctionType, cls: type, args: list[str], names: list[str], span: Span
) -> FunctionGraph:
    block = Block([Variable(name) for name in args])
    graph = FunctionGraph(func.__name__, block, func=func, span=span)
    made = Variable("made")
    result = made
    call, store = HLOPS["simple_call"], HLOPS["setattr"]
    block.operations.append(SpaceOperation(call, [Constant(cls)], made, span))
    for name, v in zip(names, block.inputargs):
        block.operations.append(SpaceOperation(store, [made, Constant(name), v], Variable(), span))
    if func.__code__.co_flags & CO_ASYNC_GENERATOR:
        result = Variable("made")
        wrap = Constant(async_generator)
        block.operations.append(SpaceOperation(call, [wrap, made], result, span))
    block.closeblock(Link([result], graph.returnblock))
    return graph


def give_span(graph: FunctionGraph, span: Span) -> None:
    """Let a graph say that all of it is at ``span``."""
    graph.span = span
    for _, op in graph.iterblockops():
        op.span = span
    for link in graph.iterlinks():
        link.span = span
