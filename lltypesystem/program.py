"""A whole low-level program, as the rtyper hands it to the back ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from rpython.lltypesystem.simulated.memory import _ptr
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.ir.records import dataclass


@dataclass
class Program:
    """``entry``: where execution starts.  ``exports``: C symbol -> graph, the entry
    included.  ``exceptions``: for each host exception class that operations may raise,
    the prebuilt instance (OBJECTPTR) that stands for it.  ``threaded``: may other threads of the
    program run while an operation gives them the chance?

    All other graphs and prebuilt data are reached through constants.
    """

    entry: FunctionGraph
    exports: dict[str, FunctionGraph]
    exceptions: dict[type[BaseException], _ptr]
    threaded: bool = False


@dataclass(frozen=True)
class LoweredProgram:
    """``program`` after the passes of ``translator.lower``.  ``graphs``: for each of its graphs the
    lowered one; constants go on naming functions by the former."""

    program: Program
    graphs: dict[FunctionGraph, FunctionGraph]


@dataclass(frozen=True)
class LibraryFunction:
    """A function that a shared library gives to C: its name there, the graph (among the
    program's exports), a name for each parameter and whether it is memory that is only read, and
    lines about it for people.  ``sized``: the last parameter is where the length of the result
    goes; ``handles``: the classes of parameters that are handles, by index (-1: of the
    result); ``errors``: the classes of exceptions, where its result in C is a code for them;
    ``by_value``: the parameters, by index, that are structs in C and pointers here."""

    c_name: str
    graph: FunctionGraph
    parameters: list[tuple[str, bool]]
    sized: bool
    about: list[str]
    handles: dict[int, str] = field(default_factory=dict)
    errors: Sequence[str] = ()
    by_value: frozenset[int] = frozenset()
