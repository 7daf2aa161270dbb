"""Descs: the functions, classes and bound methods that a ``SomePBC`` is a set of."""

from __future__ import annotations

import dataclasses
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeGuard

from rpython.annotator.lattice.model import SomeObject
from rpython.annotator.program.argument import CallKey
from rpython.annotator.program.flow_graphs import FlowGraphs
from rpython.annotator.program.hostcalls import call_now
from rpython.annotator.program.specialise import Specialisation, specialisation
from rpython.translator.flow.closures import closure_info
from rpython.translator.flow.signature import Signature, signature
from rpython.translator.ir.home import Home, home_of_function
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.ir.span import Span

if TYPE_CHECKING:
    from rpython.annotator.program.classdef import ClassDef, Lookup


def is_helper_function(func: object) -> TypeGuard[FunctionType]:
    """Is it a function of a module of the toolchain, not one that a function made?"""
    return (
        isinstance(func, FunctionType) and func.__closure__ is None
        and func.__qualname__ == func.__name__
        and home_of_function(func).is_ours
    )  # fmt: skip


class Desc:
    """A member of a ``SomePBC``; ``index`` is its dense index in the table."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.index = -1

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


class DescTable:
    """Dense numbering of descs, so that a set of them is a bitset."""

    def __init__(self) -> None:
        self._descs: list[Desc] = []

    def add(self, desc: Desc) -> int:
        """Number a new desc; the result is its one-bit mask."""
        desc.index = len(self._descs)
        self._descs.append(desc)
        return 1 << desc.index

    def members(self, mask: int) -> list[Desc]:
        """The descs of a bitset, in order of discovery."""
        result = []
        while mask:
            low = mask & -mask
            result.append(self._descs[low.bit_length() - 1])
            mask ^= low
        return result


class FunctionDesc(Desc):
    """A host function.  It has one graph, or one per ``key`` where it is specialised.

    ``user``: the class that the function works for, where each has its own graph: the class
    that mixes a method in, or the ``cls`` of a classmethod.  ``other``: likewise the kind of
    operand (``Lookup.other``).  ``holds``: do local variables hold what nobody reads again?"""

    def __init__(
        self,
        func: FunctionType,
        user: ClassDef | None = None,
        other: object = None,
        holds: bool = False,
        flow_graphs: FlowGraphs | None = None,
    ) -> None:
        super().__init__(func.__qualname__)
        self.holds = holds
        self._flow_graphs = flow_graphs or FlowGraphs()
        self.func = func
        self.home = home_of_function(func)
        self.user = user
        self.other = other
        self.signature: Signature = signature(func)
        info = closure_info(func)
        self.closure: type | None = None if info is None else info.cls
        """The class whose instances the function's values are, if it captures variables."""
        self.specialisation: Specialisation | None = specialisation(func)
        self.expanded = hasattr(func, "_rpython_expanded_")
        """Is each call a copy of what the function does (``rpython.rtyper.expansion``)?"""
        self._memo: dict[tuple[SomeObject, ...], Any] = {}
        self.graphs: dict[object, FunctionGraph] = {}

    def place(self, span: Span | None) -> Span | None:
        """The part of the key of a call there that says where it is, if that matters."""
        return span if self.specialisation is not None and self.specialisation.by_place else None

    def known_key(self, key: CallKey | None) -> CallKey | None:
        """The key of the graph for these arguments, in whose annotations lists may have become
        one since; raises KeyError when there is no graph.  What calls without a call in the
        source, as operators do, has no place."""
        if key in self.graphs:
            return key
        for known in self.graphs:
            if isinstance(known, CallKey) and known == key:
                return known
        if key is not None and key.place is not None:
            return self.known_key(dataclasses.replace(key, place=None))
        raise KeyError(key)

    def memo_value(self, args_s: tuple[SomeObject, ...]) -> Any:
        """What the function, called now, returns for these constants."""
        if args_s not in self._memo:
            values = [s.value for s in args_s]
            self._memo[args_s] = call_now(self.name, self.func, *values)
        return self._memo[args_s]

    def _new_graph(self, key: object, caller: Span | None) -> FunctionGraph:
        place = caller if self.home is Home.OVERLAY else None
        special = self.specialisation
        if special is not None and isinstance(key, CallKey) and key.args is not None:
            constants = special.constants(key.args)
            if constants:
                return self._flow_graphs.for_constants(self.func, constants, self.holds, place)
        return self._flow_graphs.new_graph(self.func, self.holds, place)

    def graph(self, key: object = None, caller: Span | None = None) -> FunctionGraph:
        """The flow graph for this specialisation key; raises FlowError.

        ``caller``: where the call is that a new graph is made for; a function of the toolchain
        has no other place in the program.

        A key other than CallKey is that of a low-level helper, whose graphs say so.
        """
        graph = self.graphs.get(key)
        if graph is None and isinstance(key, CallKey) and key.args is not None:
            # a list that was another when the graph was made has another hash, too
            graph = next((found for known, found in self.graphs.items() if known == key), None)
        if graph is None:
            graph = self.graphs[key] = self._new_graph(key, caller)
            graph.is_helper = key is not None and not isinstance(key, CallKey)
        return graph


class ClassDesc(Desc):
    """A class used as a value."""

    def __init__(self, classdef: ClassDef) -> None:
        super().__init__(classdef.name)
        self.classdef = classdef


class ClassMethodDesc(Desc):
    """A classmethod bound to a class: ``function`` works for that class."""

    def __init__(self, name: str, function: FunctionDesc, classdef: ClassDef) -> None:
        super().__init__(f"{classdef.name}.{name}")
        self.methodname = name
        self.function = function
        self.classdef = classdef


class MethodDesc(Desc):
    """A function bound to an instance.

    ``lookup`` on ``selfdef``'s class finds it: the instance is of that class or of a subclass
    that inherits the function.  ``exact``: bound in another way (a prebuilt bound method
    that was made by hand), so that the lookup does not lead to the function.
    """

    def __init__(
        self, lookup: Lookup, function: FunctionDesc, selfdef: ClassDef, exact: bool
    ) -> None:
        super().__init__(f"{selfdef.name}.{lookup.name}")
        self.lookup = lookup
        self.function = function
        self.selfdef = selfdef
        self.exact = exact
