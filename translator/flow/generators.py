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
yield: a value that a test has narrowed stays narrow.  ``__next__`` is the ordinary Python
of class ``generator`` below, a copy of it for every class so that the types of different
generators have nothing to do with each other.

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
from typing import Any

from rpython.translator.flow.pending import YIELD
from rpython.translator.ir.hlops import HLOPS
from rpython.translator.ir.intrinsics import close_iterator, exception_instance, throw_through
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

RUNNING, FINISHED, ASKED_AGAIN = -1, -2, -3
"""Values of ``resume`` other than the number of a yield."""


class iterator:
    """The base of the classes that generator functions are turned into: an iterator in C."""

    resume = 0
    _rpython_keeps_members_ = True
    _rpython_state_machine_ = True
    """Its attributes are set before they are read: by construction."""

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        resume = self.resume
        if resume == FINISHED:
            raise StopIteration
        return self._run(resume)

    def _run(self, resume: int) -> Any:
        """Replaced in each class by the graph of the body."""
        raise NotImplementedError

    def _no_result(self) -> Any:
        return None


class generator(iterator):
    """A generator of the program."""

    _rpython_keeps_members_ = True
    _rpython_of_builtin_ = types.GeneratorType

    def __next__(self) -> Any:
        return self._advance()

    def _next_and_send(self) -> Any:
        """``__next__`` of generators that look at what is sent: None, but for what another
        generator sends through ``yield from``."""
        later = self.later
        self.sent: Any = later
        if later is not None:
            self.later = None
        return self._advance()

    later: Any

    def _send_later(self, value: Any) -> None:
        self.later = value

    def _ignore_later(self, value: Any) -> None:
        """The same of generators that do not look at what is sent."""

    def send(self, value: Any) -> Any:
        if self.resume == 0 and value is not None:
            raise TypeError("can't send non-None value to a just-started generator")
        self.sent = value
        return self._advance()

    def _advance(self) -> Any:
        resume = self.resume
        if resume < 0:
            if resume == RUNNING:
                raise ValueError("generator already executing")
            self.resume = ASKED_AGAIN
            raise StopIteration
        self.resume = RUNNING
        try:
            return self._run(resume)
        except StopIteration as stopped:
            if self.resume == FINISHED:
                raise
            self.resume = FINISHED
            raise RuntimeError("generator raised StopIteration") from stopped
        except BaseException:
            self.resume = FINISHED
            raise

    def _result(self) -> Any:
        """What the generator returned: the value of ``yield from``."""
        if self.resume == ASKED_AGAIN:
            raise RuntimeError("the value of a generator that had finished before is not known")
        return self.result  # type: ignore[attr-defined]

    def close(self) -> None:
        if self.resume == RUNNING:
            raise ValueError("generator already executing")
        self.resume = FINISHED

    def throw(self, error: Any) -> Any:
        if self.resume == RUNNING:
            raise ValueError("generator already executing")
        self.resume = FINISHED
        raise error


class catching(generator):
    """Where those differ whose code sees what is thrown into them: it is raised where they
    wait."""

    thrown: BaseException | None = None

    def close(self) -> None:
        resume = self.resume
        if resume == RUNNING:
            raise ValueError("generator already executing")
        if resume <= 0:
            self.resume = FINISHED
            return
        self.thrown = GeneratorExit()
        try:
            self._advance()
        except (GeneratorExit, StopIteration):
            return
        raise RuntimeError("generator ignored GeneratorExit")

    def throw(self, error: Any) -> Any:
        resume = self.resume
        if resume == RUNNING:
            raise ValueError("generator already executing")
        if resume <= 0:
            self.resume = FINISHED
            raise error
        self.thrown = exception_instance(error)
        return self._advance()

    def _raise_thrown(self) -> None:
        thrown = self.thrown
        if thrown is not None:
            self.thrown = None
            raise thrown

    def _raise_thrown_through(self, iterator: Any) -> None:
        """The same in ``yield from iterator``."""
        thrown = self.thrown
        if thrown is not None:
            self.thrown = None
            if isinstance(thrown, GeneratorExit):
                close_iterator(iterator)
            else:
                throw_through(iterator)
            raise thrown

    def __del__(self) -> None:
        if self.resume > 0:
            self.close()


_CATCHING = ("close", "throw", "_raise_thrown", "_raise_thrown_through")

Simplify = Callable[[FunctionGraph], None]


def make_generator(
    func: types.FunctionType, body: FunctionGraph, span: Span, simplify: Simplify
) -> FunctionGraph:
    """The graph that makes the generator, from the graph of the function's body, whose
    variables are local to blocks.  ``simplify`` tidies a graph up.
    """
    machine = _StateMachine(body, hasattr(func, "_rpython_iterator_in_c_"))
    names = [_field(v, 0) for v in body.getargs()]
    machine.build(names)
    simplify(body)
    cls = _make_class(func, machine, span)
    return _start_graph(func, cls, [v.name for v in machine.args], names, span)


def _field(v: Variable, number: int) -> str:
    return f"{v.name}_{number}"


class _StateMachine:
    """Turns the body of a generator into the graph of ``_run``, in place."""

    def __init__(self, graph: FunctionGraph, in_c: bool) -> None:
        self.graph = graph
        self.in_c = in_c
        """Is it an iterator that CPython has in C?"""
        self.args = graph.getargs()
        self.has_result = False
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
        for block, op in self.graph.iterblockops():
            if op.opdef is not YIELD:
                continue
            handled = block.canraise and op is block.operations[-1]
            self.catches |= handled or len(op.args) > 1
            self.cleans_up |= handled and _sees_exit(self.graph, block.exits[1])

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
        that raises what is thrown in."""
        following, rest.operations = rest.operations, []
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


# -- the class and its functions --------------------------------------------------------------


def _make_class(func: types.FunctionType, machine: _StateMachine, span: Span) -> type:
    """A class of its own for the generators of this function."""
    body = machine.graph
    namespace: dict[str, Any] = {"__module__": func.__module__, "__qualname__": span.function}
    base: type[iterator] = iterator if machine.in_c else generator
    methods = ("__next__",) if machine.in_c else ("_advance", "send", "close", "throw")
    templates = {name: vars(base)[name] for name in methods}
    templates["__iter__"] = iterator.__iter__
    if machine.catches:
        templates.update((name, vars(catching)[name]) for name in _CATCHING)
        namespace["thrown"] = None
    if machine.cleans_up:
        templates["__del__"] = catching.__del__
    if machine.in_c:
        namespace["sent"] = None
    else:
        namespace["_rpython_of_builtin_"] = types.GeneratorType
        # the method for every item: one call less where nothing is sent
        plain, sending = generator._advance, generator._next_and_send
        templates["__next__"] = sending if machine.uses_sent else plain
        later, ignored = generator._send_later, generator._ignore_later
        templates["_send_later"] = later if machine.uses_sent else ignored
        if machine.uses_sent:
            namespace["later"] = None
    templates["_result"] = generator._result if machine.has_result else iterator._no_result
    for name, template in templates.items():
        namespace[name] = _copy(template, name, span)
    run = _copy(iterator._run, "body", span)  # what ``rpython show`` calls it
    run._rpython_graph_ = body  # type: ignore[attr-defined]
    body.func = run
    namespace["_run"] = run
    return type(base.__name__, (base,), namespace)


def _copy(template: Any, name: str, span: Span) -> types.FunctionType:
    """A function of its own with the same code; ``span`` is where its graph says it is."""
    code = template.__code__
    copy = types.FunctionType(code, template.__globals__, name)
    copy.__qualname__ = f"{span.function}.{name}"
    copy._rpython_span_ = replace(span, hidden=True)  # type: ignore[attr-defined]
    return copy


def _start_graph(
    func: types.FunctionType, cls: type, args: list[str], names: list[str], span: Span
) -> FunctionGraph:
    block = Block([Variable(name) for name in args])
    graph = FunctionGraph(func.__name__, block, func=func, span=span)
    made = Variable("made")
    call, store = HLOPS["simple_call"], HLOPS["setattr"]
    block.operations.append(SpaceOperation(call, [Constant(cls)], made, span))
    for name, v in zip(names, block.inputargs):
        block.operations.append(SpaceOperation(store, [made, Constant(name), v], Variable(), span))
    block.closeblock(Link([made], graph.returnblock))
    return graph


def give_span(graph: FunctionGraph, span: Span) -> None:
    """Let a graph say that all of it is at ``span``."""
    graph.span = span
    for _, op in graph.iterblockops():
        op.span = span
    for link in graph.iterlinks():
        link.span = span
