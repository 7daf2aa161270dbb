"""What a program consists of: every graph, prebuilt container and external function that
its exports reach, each with its C name.

The walk is a worklist in the order of exports, blocks, operations and fields, so the
lists, and the names made along them, are the same on every run.
"""

from __future__ import annotations

import re
import zlib
from collections import deque
from collections.abc import Iterator
from dataclasses import field
from typing import Any

from rpython.backend_c.names import C_RESERVED, NameScope, identifier
from rpython.lltypesystem.layout import holds_pointers
from rpython.lltypesystem.operations.llop import callees
from rpython.lltypesystem.primitives import Address, Char, UniChar
from rpython.lltypesystem.program import LoweredProgram, Program
from rpython.lltypesystem.rclass import OBJECT_VTABLE, read_class_name
from rpython.lltypesystem.simulated.addresses import fakeaddress, whole_memory
from rpython.lltypesystem.simulated.casts import top_container
from rpython.lltypesystem.simulated.containers import _array, _func, _opaque, _struct
from rpython.lltypesystem.simulated.memory import _ptr, make_ptr
from rpython.lltypesystem.types import ContainerType, Ptr, Struct
from rpython.translator.ir.errors import BuildError
from rpython.translator.ir.model import Constant, FunctionGraph, Value
from rpython.translator.ir.records import dataclass

SMALL_FUNCTION = 40
"""Operations up to which a function is worth a copy in every unit that calls it."""


@dataclass(eq=False)
class CFunction:
    """A function of the program and the C function made of it.  ``source``: the graph that calls
    and constants name it by; ``graph``: the lowered one, which is printed."""

    source: FunctionGraph
    graph: FunctionGraph
    name: str
    exported: bool = False
    address_taken: bool = False
    """Is there a pointer to it other than as the callee of a direct call?"""
    calls: list[CFunction] = field(default_factory=list)
    """The targets of its direct calls, one entry per call."""
    data: list[CData] = field(default_factory=list)
    """The prebuilt containers it mentions, each once."""
    pointers: list[CFunction] = field(default_factory=list)
    """The functions whose address it takes, each once."""
    size: int = 0
    """Number of operations of ``source``."""


@dataclass(eq=False)
class CData:
    """A prebuilt container that is not inlined in another one."""

    container: Any
    name: str
    data: list[CData] = field(default_factory=list)
    pointers: list[CFunction] = field(default_factory=list)

    @property
    def TYPE(self) -> Any:
        return self.container._TYPE


class Contents:
    """All that the program reaches: ``functions``, ``data`` and ``externals`` in the order
    met; ``function(graph)`` and ``datum(container)`` find the entry of one of them."""

    def __init__(self, lowered: LoweredProgram) -> None:
        self.program: Program = lowered.program
        program = self.program
        self._lowered = lowered.graphs
        self.functions: list[CFunction] = []
        self.data: list[CData] = []
        self.externals: list[_func] = []
        self.identity_hashes: dict[int, int] = {}
        """Identity hash of a prebuilt object -> its number in the table of hashes."""
        self._scope = NameScope()
        self._by_graph: dict[FunctionGraph, CFunction] = {}
        self._by_container: dict[int, CData] = {}
        self._external_ids: set[int] = set()
        self._todo: deque[CFunction | CData] = deque()
        for symbol in program.exports:
            if not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", symbol) or symbol in C_RESERVED:
                raise BuildError(f"{symbol!r} cannot be the name of an exported C function")
            self._scope.reserve(symbol)
        for symbol, graph in program.exports.items():
            if graph in self._by_graph:
                raise BuildError(f"{graph.name} is exported under two names")
            entry = self.function(graph, symbol)
            entry.exported = True
        self.function(program.entry)
        self.exception_data = {
            cls: self.datum(p._obj) for cls, p in program.exceptions.items()
        }
        while self._todo:
            item = self._todo.popleft()
            if isinstance(item, CFunction):
                self._scan_graph(item)
            else:
                self._scan_data(item)

    # -- entries --

    def function(self, graph: FunctionGraph, symbol: str = "") -> CFunction:
        entry = self._by_graph.get(graph)
        if entry is None:
            entry = CFunction(
                graph, self._lowered[graph], symbol or self._scope.new(graph.name, "f_")
            )
            entry.size = sum(len(block.operations) for block in graph.iterblocks())
            self._by_graph[graph] = entry
            self.functions.append(entry)
            self._todo.append(entry)
        return entry

    def datum(self, container: Any) -> CData:
        """The entry of the container that ``container`` is, or is inlined in."""
        container = top_container(container)
        entry = self._by_container.get(id(container))
        if entry is None:
            name = self._scope.new(describe_container(container), "d_")
            entry = CData(container, name)  # keeps the container, so its id stays its own
            self._by_container[id(container)] = entry
            self.data.append(entry)
            self._todo.append(entry)
        return entry

    # -- scanning --

    def _scan_graph(self, entry: CFunction) -> None:
        data: dict[CData, None] = {}
        pointers: dict[CFunction, None] = {}

        def note(value: Value) -> None:
            if isinstance(value, Constant):
                if isinstance(value.concretetype, Ptr):
                    self._note(value.value, data, pointers)
                elif value.concretetype is Address and value.value:
                    self._note(whole_memory(value.value), data, pointers)

        for block in entry.graph.iterblocks():
            for op in block.operations:
                called = callees(op)
                direct = called.direct and bool(called.graphs)
                if direct:
                    entry.calls.append(self.function(called.graphs[0]))
                for arg in op.args[direct:]:
                    note(arg)
            for link in block.exits:
                for arg in link.args:
                    note(arg)
        entry.data = list(data)
        entry.pointers = list(pointers)

    def _scan_data(self, entry: CData) -> None:
        data: dict[CData, None] = {}
        pointers: dict[CFunction, None] = {}
        for p in iterate_pointers(entry.container):
            self._note(p, data, pointers)
        entry.data = list(data)
        entry.pointers = list(pointers)

    def _note(
        self, p: _ptr, data: dict[CData, None], pointers: dict[CFunction, None]
    ) -> None:
        obj = p._obj
        if obj is None or (isinstance(obj, _opaque) and obj.about is not None):
            return
        if not isinstance(obj, _func):
            data[self.datum(obj)] = None
        elif obj.graph is not None:
            function = self.function(obj.graph)
            function.address_taken = True
            pointers[function] = None
        elif obj.external == "C":
            if id(obj) not in self._external_ids:
                self._external_ids.add(id(obj))
                self.externals.append(obj)
        else:
            raise BuildError(f"the function {obj._name!r} has neither a graph nor C code")


def iterate_pointers(container: Any) -> Iterator[_ptr]:
    """Every pointer stored in the container and what is inlined in it, in memory order."""
    T = container._TYPE
    if "_shared" in container.__dict__:
        for p in container._shared.pointers.values():
            yield whole_memory(p) if isinstance(p, fakeaddress) else p
    elif isinstance(container, _struct):
        for S in reversed(list(T._ancestors())):
            for name, F in S._flds.items():
                if name == S._parent_field:
                    continue
                value = container.__dict__.get(S._slots[name])
                if isinstance(F, Ptr):
                    if value is not None:
                        yield value
                elif F is Address:
                    if value:
                        yield whole_memory(value)
                elif isinstance(F, ContainerType) and holds_pointers(F):
                    yield from iterate_pointers(value)
    elif isinstance(container, _array) and holds_pointers(T):
        if isinstance(T.OF, Ptr):
            for item in container.items:
                if isinstance(item, _ptr):  # else not initialised
                    yield item
        elif T.OF is Address:
            for item in container.items:
                if isinstance(item, fakeaddress) and item:
                    yield whole_memory(item)
        else:
            for item in container.items:
                yield from iterate_pointers(item)


def describe_container(container: Any) -> str:
    """A name that tells a reader what a prebuilt container is."""
    T = container._TYPE
    if isinstance(container, _opaque):
        return container._name or T.tag
    if isinstance(T, Struct):
        if OBJECT_VTABLE in T._ancestors():
            return "vtable_" + read_class_name(make_ptr(Ptr(T), container))
        text = ""
        if T._arrayfld is not None:
            text = _text_of(container.__dict__[T._slots[T._arrayfld]])
        return f"{T._name}_{text}" if text else T._name
    text = _text_of(container)
    if text:
        return f"text_{text}"
    OF = T.OF
    return f"array_{OF._name}" if isinstance(OF, Struct) else "array"


def _text_of(container: Any) -> str:
    """Of characters: what of them can be part of a name, and, where that is not all, a number that
    they give, so that names do not depend on what else there is."""
    text = isinstance(container, _array) and container._TYPE.OF in (Char, UniChar)
    if not text or not isinstance(container.items, list):
        return ""
    chars = "".join(char for char in container.items if isinstance(char, str))
    start = identifier(chars[:24]) if any(char.isalnum() for char in chars[:24]) else ""
    if start == chars:
        return start
    number = f"{zlib.crc32(chars.encode('utf-8', 'surrogatepass')):08x}"
    return f"{start}_{number}" if start else number
