"""What an extension module must leave to Python, because native code has a state of its own for
it, or would disturb Python's: refused when the module is built.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from typing import Any

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import SomeInstance, SomeObject
from rpython.annotator.lattice.parts import parts_of
from rpython.lltypesystem.operations.llop import callees
from rpython.lltypesystem.program import Program
from rpython.rlib import _locks, _standard
from rpython.stdlib import gc as stdlib_gc
from rpython.stdlib import queue as stdlib_queue
from rpython.stdlib import sys as stdlib_sys
from rpython.translator.ir.errors import BuildError, TranslationError
from rpython.translator.ir.model import FunctionGraph, SpaceOperation
from rpython.translator.opt.callgraph import call_graph

_OF_STREAMS = frozenset(["write", "writelines", "flush"])
"""What a module may ask of standard output and standard error."""

_VERSIONS = (sys.version_info, sys.version, sys.implementation)
"""What ``sys`` says of CPython."""

_THREADS = (
    "ask which thread runs: native code does not know Python's threads",
    "do that in Python, and pass what it gives",
)
_ENVIRONMENT = (
    "change os.environ: Python has a copy of it, which would not change",
    "change it in Python",
)
_STATE: dict[Any, tuple[str, str]] = {
    function: (what, "ask, and change it, in Python")
    for what, functions in (
        ("the recursion limit", (stdlib_sys.getrecursionlimit, stdlib_sys.setrecursionlimit)),
        ("the switch of gc", (stdlib_gc.enable, stdlib_gc.disable, stdlib_gc.isenabled)),
    )
    for function in functions
}
_SIGNALS = ("handle signals, which Python does", "handle them in Python")

_C_FUNCTIONS: dict[str, tuple[str, str]] = {
    "rpy_thread_start": (
        "start threads: they would run beside CPython's lock",
        "start them in Python, and let each call functions of the module",
    ),
    "rpy_thread_number": _THREADS, "rpy_thread_forks": _THREADS,
    "rpy_thread_set_stack_size": _THREADS,
    "rpy_system_set_variable": _ENVIRONMENT, "rpy_system_unset_variable": _ENVIRONMENT,
    "rpy_system_fork": ("call os.fork(): Python has to know of it", "fork in Python"),
    **{f"rpy_signal_{name}": _SIGNALS for name in ("ignore", "default", "setflag", "poll")},
}  # fmt: skip
"""The C functions that do what is refused: what it is, and what to do instead."""


def belongs_to_python(what: str, hint: str) -> TranslationError:
    return TranslationError(
        f"an extension module cannot use {what}, which belongs to Python", hint=hint
    )


def check_annotated(annotator: RPythonAnnotator) -> None:
    """Raise TranslationError for what annotating has brought to light."""
    constants = annotator.constants
    if constants.known_container(sys.argv) is not None:
        raise belongs_to_python("sys.argv", "pass it as an argument")
    if constants.overlays.knows(getattr(random.random, "__self__", None)):
        raise belongs_to_python(
            "the random numbers of the module random",
            "make a random.Random(seed) and use its methods, or pass the numbers as arguments",
        )
    for graph in annotator.graphs:
        if graph.func in _STATE:
            raise belongs_to_python(*_STATE[graph.func])
    if any(map(_may_wait, annotator.graphs)):
        raise TranslationError(
            "an extension module cannot wait for another thread: none can run while native code"
            " does",
            hint="calls of native code never run beside each other, so that they need no locks;"
            " others are to be taken in Python",
        )
    for graph, op in _operations(annotator):
        if op.opname == "getattr" and not graph.home.is_ours:
            _check_stream(annotator.binding(op.args[0]), op)


def _may_wait(graph: FunctionGraph) -> bool:
    """Is it a method of a lock or a queue?"""
    if getattr(graph.func, "__module__", "") not in (_locks.__name__, stdlib_queue.__name__):
        return False
    cls, _, name = getattr(graph.func, "__qualname__", "").partition(".")
    return cls != _locks.Line.__name__ and name != "__init__"


def _check_stream(s: SomeObject, op: SpaceOperation) -> None:
    name = getattr(op.args[1], "value", None)
    for part in parts_of(s):
        if isinstance(part, SomeInstance) and part.classdef.cls is _standard.StandardOutput:
            if name in _OF_STREAMS:
                continue
            raise TranslationError(
                f"an extension module cannot use {name!r} of standard output, which belongs to"
                " Python", op.span, hint="write to it, or ask for that in Python",
            )  # fmt: skip


def knows_version(annotator: RPythonAnnotator) -> bool:
    """Does it matter for the program which version of Python runs it?"""
    for _, op in _operations(annotator):
        annotations = [annotator.binding(value) for value in op.args]
        values = [s.value if s.is_constant() else None for s in annotations]
        if any(type(x) is stdlib_sys.VersionInfo or any(x is v for v in _VERSIONS) for x in values):
            return True
    return False


def _operations(annotator: RPythonAnnotator) -> Iterator[tuple[FunctionGraph, SpaceOperation]]:
    """Those that are reached."""
    for graph in annotator.graphs:
        for block in graph.iterblocks():
            if block in annotator.annotated:
                blocked = annotator.blocked.get(block)
                for op in block.operations:
                    yield graph, op
                    if op is blocked:
                        break


def check_program(program: Program) -> None:
    """Raise BuildError for what the program calls."""
    for graph in call_graph(program).graphs:
        for _, op in graph.iterblockops():
            function = callees(op).external
            if function is not None and function.c_name in _C_FUNCTIONS:
                what, hint = _C_FUNCTIONS[function.c_name]
                raise BuildError(f"an extension module cannot {what}", hint=hint)
