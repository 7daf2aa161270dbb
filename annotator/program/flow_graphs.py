"""The flow graphs that one program is annotated with.

Building them takes a third of the time of annotating, so none is built twice without need:

- those of the toolchain's functions and its library's are kept for all programs, and copied;
- a program that is refused, or needs boxes, is annotated again (``annotator.refining``), with the
  graphs of the attempt before, without their annotations.  Each is as it was built: what a function
  got as its first and second graph, it gets as its first and second graph again.
"""

from __future__ import annotations

import io
from inspect import CO_COROUTINE, CO_GENERATOR
from types import CodeType, FunctionType

from rpython.translator.flow.build import build_flow
from rpython.translator.flow.decode import makes_functions
from rpython.translator.flow.generators import give_span
from rpython.translator.flow.globals import AssignedGlobals, ModuleGlobals
from rpython.translator.ir.copying import copy_graph
from rpython.translator.ir.home import home_of_function
from rpython.translator.ir.intrinsics import Refusal
from rpython.translator.ir.model import Constant, FunctionGraph, Value
from rpython.translator.ir.span import Span

_own_graphs: dict[tuple[CodeType, str, str, int], FunctionGraph] = {}
"""The flow graphs of functions of the toolchain and its library, which every translation needs
again, as do the copies of one class (``site_classes``): by code, qualified name, module, and
globals, by their id: those of functions made by ``exec`` differ where all else is equal."""
_OTHER_SOURCE = ("_rpython_graph_", "_rpython_refused_", "_rpython_span_")
"""Attributes of functions of which the code is not all that their graphs are made of."""

_Key = tuple[object, bool, Span | None]
"""What tells a function from others, ``holds``, and where all of the graph is said to be."""


class FlowGraphs:
    """Those of one program, in all attempts to annotate it.

    ``assigned``: which global variables its functions may assign.
    """

    def __init__(self) -> None:
        self.assigned = AssignedGlobals()
        self._built: dict[FunctionGraph, _Key] = {}
        """Those of this attempt that the next one may have."""
        self._spare: dict[_Key, list[FunctionGraph]] = {}
        """Those of earlier attempts that this one has not used yet, the next one last."""

    def new_graph(
        self, func: FunctionType, holds: bool, place: Span | None = None
    ) -> FunctionGraph:
        """The flow graph of a function, for ``holds`` as in ``build_flow``; another one each time.
        ``place``: where all of it is, if it has no place of its own.  Raises FlowError."""
        if not holds and _is_known_by_code(func):
            graph = self._copy(func)
            if place is not None:
                give_span(graph, place)
            return graph
        key = (_identity(func), holds, place)
        spare = self._spare.get(key)
        if spare:
            graph = spare.pop()
            graph.func = func
        else:
            graph = build_flow(func, holds=holds, assigned=self.assigned, recovers=True)
            if place is not None:
                give_span(graph, place)
        self._built[graph] = key
        return graph

    def for_constants(
        self, func: FunctionType, constants: dict[int, object], holds: bool, place: Span | None
    ) -> FunctionGraph:
        """The same for given values of arguments, by number.  Raises FlowError."""
        graph = build_flow(func, constants, holds, self.assigned, recovers=True)
        if place is not None:
            give_span(graph, place)
        return graph

    def note_change(self, graph: FunctionGraph) -> None:
        """The graph is not what was built any more."""
        self._built.pop(graph, None)

    def begin_again(self) -> None:
        """Another attempt begins, and nobody uses the graphs of the one before any more."""
        spare: dict[_Key, list[FunctionGraph]] = {}
        for graph, key in self._built.items():
            _drop_annotations(graph)
            spare.setdefault(key, []).append(graph)
        for key, graphs in spare.items():
            self._spare.setdefault(key, []).extend(reversed(graphs))
        self._built.clear()

    def end(self) -> None:
        """There will be no other attempt."""
        self._built.clear()
        self._spare.clear()

    def _copy(self, func: FunctionType) -> FunctionGraph:
        """A copy of what was built once for all functions with this code."""
        key = _code_key(func)
        graph = _own_graphs.get(key)
        if graph is None:
            graph = build_flow(func, assigned=self.assigned, recovers=True)
            if _is_of_one_program(graph):
                return graph
            _own_graphs[key] = graph
        copy = copy_graph(graph)
        copy.func = func
        return copy


def _identity(func: FunctionType) -> object:
    """What tells it from functions of which the graph is another: for those of the library that are
    made anew in each attempt, and hold nothing, that is their code."""
    return _code_key(func) if home_of_function(func).is_ours and not func.__closure__ else func


def _code_key(func: FunctionType) -> tuple[CodeType, str, str, int]:
    return func.__code__, func.__qualname__, func.__module__, id(func.__globals__)


def _drop_annotations(graph: FunctionGraph) -> None:
    """Make it a graph that nobody has annotated."""
    graph.stage = "flow"
    for block in graph.iterblocks():
        values: list[Value] = [*block.inputargs]
        for op in block.operations:
            values += (*op.args, op.result)
        for link in block.exits:
            values += link.args
            if link.last_exc_value is not None:
                values.append(link.last_exc_value)
        for value in values:
            value.annotation = None


def _is_of_one_program(graph: FunctionGraph) -> bool:
    """Does it use global variables that functions assign, ``sys.stdout`` or the like, or what could
    not be imported, which may be something else next time?"""
    used = [arg for _, op in graph.iterblockops() for arg in op.args]
    used += [arg for block in graph.iterblocks() for link in block.exits for arg in link.args]
    of_one = (ModuleGlobals, io.IOBase, Refusal)
    return any(isinstance(arg, Constant) and isinstance(arg.value, of_one) for arg in used)


def _is_known_by_code(func: FunctionType) -> bool:
    """Is it the toolchain's or its library's, captures nothing and makes no functions?"""
    return (
        home_of_function(func).is_ours
        and not func.__closure__
        and not func.__code__.co_flags & (CO_GENERATOR | CO_COROUTINE)
        and not makes_functions(func.__code__)
        and not any(hasattr(func, name) for name in _OTHER_SOURCE)
    )
