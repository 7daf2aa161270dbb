"""``build_flow``: from a live Python function to its high-level graph.

The stages, each in its own module::

    decode      bytecode              -> version-free instructions
    normalise   instructions          -> the same, independent of the compiler's layout
    explore     instructions          -> graph in SSA form, too many inputargs
    ssa         redundant inputargs, constants, unused operations removed
    keywords    a dict of a ``**`` parameter that is used as one
    localise    SSA form              -> variables local to blocks
    control     empty blocks, exception links, chains of blocks
    arms        texts and truths of conditional expressions before their arms meet
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR

from rpython.translator.flow.arms import ask_in_arms
from rpython.translator.flow.closures import closure_info, drop_needless_tests
from rpython.translator.flow.control import simplify_control
from rpython.translator.flow.decode import decode
from rpython.translator.flow.execute import execute
from rpython.translator.flow.explore import Demand, Explorer
from rpython.translator.flow.generators import give_span, make_generator
from rpython.translator.flow.globals import AssignedGlobals
from rpython.translator.flow.instructions import Program
from rpython.translator.flow.keywords import make_dict_of_keywords
from rpython.translator.flow.localise import localise
from rpython.translator.flow.normalise import normalise
from rpython.translator.flow.safepoints import (
    break_points,
    drop_needless_breaks,
    has_idle_loop,
    is_interruptible,
    loop_headers,
)
from rpython.translator.flow.scope_keep_alive import drop_constants
from rpython.translator.flow.ssa import may_be_absent, name_values, propagate, sweep
from rpython.translator.flow.state import is_absent
from rpython.translator.flow.unbound import split_by_assignment
from rpython.translator.ir.copying import copy_graph
from rpython.translator.ir.errors import FlowError
from rpython.translator.ir.model import Constant, FunctionGraph, Value
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span

_SUSPENDED = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR
"""Functions whose calls give something that runs step by step."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the graph depends on besides the function: see ``build_flow`` and ``Explorer``."""

    constants: Mapping[int, object]
    holding: frozenset[int] | None
    assigned: AssignedGlobals
    recovers: bool


def build_flow(
    func: types.FunctionType, constants: Mapping[int, object] | None = None, holds: bool = False,
    assigned: AssignedGlobals | None = None, recovers: bool = False,
) -> FunctionGraph:  # fmt: skip
    """The high-level graph of a Python function.

    ``graph.func`` is ``func``, ``graph.is_helper`` False; the inputargs of the start block
    are ``signature(func).graph_args()``.  ``constants``: the values of arguments, by number, that
    the function is built for; their inputargs are not used.  ``holds``: does the graph say how
    long local variables hold their values (``scope_keep_alive.py``; generators never do)?
    ``assigned``: which globals functions assign, kept for all graphs of a program.  Raises
    FlowError, located, for what is outside the restricted language; ``recovers``: where it can, it
    leaves that to the annotator, as values that are ``refused``.
    """
    if not isinstance(func, types.FunctionType):
        name = getattr(func, "__qualname__", repr(func))
        raise FlowError(f"{name} is not a Python function, so it has no bytecode")
    given = getattr(func, "_rpython_graph_", None)
    if given is not None:
        assert isinstance(given, FunctionGraph)
        return copy_graph(given)
    span = function_span(func)
    if hasattr(func, "_rpython_refused_"):
        raise FlowError(func._rpython_refused_, span)
    program = _instructions(func)
    holding = None
    if holds and not func.__code__.co_flags & _SUSPENDED:
        holding = loop_headers(program)
    settings = Settings(constants or {}, holding, assigned or AssignedGlobals(), recovers)
    graph = _explored(func, program, span, settings)
    if func.__code__.co_flags & _SUSPENDED:
        graph = make_generator(func, graph, span, _simplify_again)
    if hasattr(func, "_rpython_span_"):
        give_span(graph, func._rpython_span_)
    return graph


_known_programs: dict[tuple[int, str], tuple[types.CodeType, Program]] = {}
"""Instructions by code, by its id, and qualified name: a program that is refused, or needs boxes,
is annotated again, and tests translate the same functions in several programs."""
_MOST_KNOWN = 500


def _instructions(func: types.FunctionType) -> Program:
    """The instructions of the function, which nobody changes any more.  Without captured variables
    they depend on its code alone."""
    code = func.__code__
    key = (id(code), func.__qualname__)
    known = _known_programs.get(key)
    if known is not None and closure_info(func) is None:
        return known[1]
    program = normalise(decode(func))
    drop_needless_tests(program)
    if closure_info(func) is None and not program.cells:
        if len(_known_programs) >= _MOST_KNOWN:
            _known_programs.clear()
        _known_programs[key] = code, program
    return program


def _simplify(graph: FunctionGraph) -> None:
    """Bring the graph into the form of finished ones."""
    while True:
        sweep(graph)
        localise(graph)
        if not simplify_control(graph):
            break
        propagate(graph)


def _simplify_again(graph: FunctionGraph) -> None:
    propagate(graph)
    _simplify(graph)


def function_span(func: types.FunctionType) -> Span:
    """Where the function is defined."""
    code = func.__code__
    return Span(code.co_filename, code.co_firstlineno, function=func.__qualname__)


def _explored(
    func: types.FunctionType, program: Program, span: Span, settings: Settings
) -> FunctionGraph:
    """The graph of the program; where a loop's handlers would catch KeyboardInterrupt, or a
    loop does nothing, it is built again with safe points."""
    graph = _built(func, program, span, settings, frozenset())
    idle = has_idle_loop(graph)
    if idle or is_interruptible(graph):
        graph = _built(func, program, span, settings, break_points(program))
        if drop_needless_breaks(graph, keep=idle):
            _simplify_again(graph)
    return graph


def _built(
    func: types.FunctionType, program: Program, span: Span, settings: Settings,
    breaks: frozenset[int],
) -> FunctionGraph:  # fmt: skip
    """The same for given safe points.  It is built without tests whether local variables are
    bound; where it turns out that some may not be, again with tests of those."""
    tested: frozenset[int] = frozenset()
    while True:
        explorer = Explorer(
            func, program, execute, tested, settings.constants, breaks, settings.holding,
            settings.assigned,
        )  # fmt: skip
        explorer.explore()
        graph = explorer.graph
        graph.span = span
        replaced = propagate(graph)
        _check_refusals(explorer, settings.recovers)
        missing = _unmet_demands(explorer, replaced)
        if not missing:
            break
        tested |= missing
    sweep(graph)
    make_dict_of_keywords(graph, func)
    if tested:
        localise(graph)
        split_by_assignment(graph)
        propagate(graph)
        sweep(graph)
    if settings.holding is not None and drop_constants(graph):
        propagate(graph)
        sweep(graph)
    name_values(graph)
    _simplify(graph)
    while ask_in_arms(graph):
        _simplify_again(graph)
    if settings.holding is not None and drop_constants(graph):
        _simplify_again(graph)
    _check_no_absent_value(graph)
    return graph


def _check_refusals(explorer: Explorer, recovers: bool) -> None:
    """Raise the first error of what is refused, with the others.  With ``recovers`` those stay that
    the annotator finds in the graph, unless there is one that it could not find."""
    reachable = set(explorer.graph.iterblocks())
    refused = [error for block, error in explorer.refusals if block in reachable]
    unnamed = [
        op for block in reachable for op in block.operations
        if op.opname == "exception_match" and not _names_classes(op.args[1])
    ]  # fmt: skip
    named_there = {error.span.line for error in refused if error.span}
    errors = [
        FlowError(_about_classes(op.args[1]), op.span, hint="name the classes in the except clause")
        for op in unnamed
        if op.span.line not in named_there  # else it is known what is wrong with the class
    ]
    if unnamed or not recovers:
        errors += refused
    if errors:
        errors.sort(key=lambda e: (e.span.line, e.span.col) if e.span else (0, 0))
        errors[0].others = errors[1:]
        raise errors[0]


def _about_classes(wanted: Value) -> str:
    """What is wrong with the classes of an except clause."""
    if isinstance(wanted, Constant) and isinstance(wanted.value, type):
        return f"class {wanted.value.__name__} is no exception: except needs classes of exceptions"
    return "an except clause needs constant exception classes"


def _names_classes(wanted: Value) -> bool:
    """Is it known which exception classes an except clause is for?"""
    classes = wanted.value if isinstance(wanted, Constant) else None
    return all(
        isinstance(cls, type) and issubclass(cls, BaseException)
        for cls in (classes if isinstance(classes, tuple) else (classes,))
    )


def _unmet_demands(explorer: Explorer, replaced: dict[Value, Value]) -> frozenset[int]:
    """The local variables that may be unbound when they are read.  Raises the error of the
    first other value that may be absent."""
    absent = may_be_absent(explorer.graph)
    reachable = set(explorer.graph.iterblocks())

    def is_missing(demand: Demand) -> bool:
        value: Value = demand.value
        while value in replaced:
            value = replaced[value]
        return (is_absent(value) or value in absent) and demand.block in reachable

    missing = [demand for demand in explorer.demands if is_missing(demand)]
    others = [demand for demand in missing if demand.slot is None]
    if others:
        first = min(others, key=lambda demand: (demand.span.line, demand.span.col))
        raise FlowError(first.message, first.span, hint=first.hint)
    return frozenset(demand.slot for demand in missing if demand.slot is not None)


def _check_no_absent_value(graph: FunctionGraph) -> None:
    for block in graph.iterblocks():
        used = [arg for op in block.operations for arg in op.args]
        used += [arg for link in block.exits for arg in link.args]
        assert not any(map(is_absent, used)), f"{graph.name} uses a value that is not there"
