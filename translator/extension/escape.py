"""Does a function keep a container that it is given?  Is the one that it returns its own?

Over annotated graphs; where it is not clear the answer is the careful one.

    def f(self, xs):          xs escapes: it is stored
        self.xs = xs
    def g(self, xs):          xs does not escape: what is stored is a copy
        self.xs = xs[:]
    def h(self):              the result is a new list that nobody else has
        return self.xs + [1]
"""

from __future__ import annotations

from typing import Any

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import (
    K_BUILTIN_METHOD,
    K_BYTEARRAY,
    K_DICT,
    K_DICTVIEW,
    K_ITERATOR,
    K_LIST,
    K_MEMORYVIEW,
    K_NUMBERVIEW,
    K_SET,
    K_SLICE,
    K_TUPLE,
    SomeBuiltinMethod,
    SomeFunction,
    SomeMethod,
    SomeObject,
)
from rpython.annotator.lattice.parts import parts_of
from rpython.translator.ir.hlops import HLOPS, IN_PLACE
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.records import dataclass

_CONTAINERS = K_LIST | K_DICT | K_SET | K_BYTEARRAY
_REFERRING = K_ITERATOR | K_DICTVIEW | K_MEMORYVIEW | K_NUMBERVIEW | K_BUILTIN_METHOD
"""Kinds of values that refer to a container without being it."""

_READING_FUNCTIONS = frozenset(
    [
        len, sorted, list, dict, set, frozenset, tuple, sum, min, max, any, all, enumerate, zip,
        reversed, map, filter, iter, next, print, str, repr, bool, isinstance, bytes, bytearray,
    ]
)  # fmt: skip
"""What these return may refer to their arguments, not be them."""
_COPYING_FUNCTIONS = (list, dict, set, sorted, bytearray)
_READING_METHODS = frozenset(
    "extend update join union intersection difference symmetric_difference issubset issuperset "
    "isdisjoint writelines intersection_update difference_update".split()
)
_COPYING_METHODS = frozenset(
    "copy split rsplit splitlines union intersection difference symmetric_difference".split()
)


@dataclass(frozen=True)
class Fate:
    """Of a value in a function: is it stored somewhere; may the function return it?"""

    escapes: bool
    returned: bool


class Escapes:
    """Answers for one annotated program."""

    def __init__(self, annotator: RPythonAnnotator) -> None:
        self.annotator = annotator
        self._fates: dict[tuple[FunctionGraph, Value], Fate] = {}
        self._active: set[FunctionGraph] = set()

    def keeps(self, graph: FunctionGraph, index: int) -> bool:
        """May the function store its argument with this index?"""
        return self.fate(graph, graph.getargs()[index]).escapes

    def fate(self, graph: FunctionGraph, v: Value) -> Fate:
        key = (graph, v)
        if key not in self._fates:
            self._fates[key] = Fate(True, True)  # the answer while it is being found
            self._fates[key] = self._find_fate(graph, v)
        return self._fates[key]

    def _find_fate(self, graph: FunctionGraph, v: Value) -> Fate:
        aliases: set[Value] = {v}
        returned = False
        changed = True
        while changed:
            changed = False
            for block in graph.iterblocks():
                for op in block.operations:
                    places = [i for i, arg in enumerate(op.args) if arg in aliases]
                    if not places or op not in self._reached(block):
                        continue
                    result = self._use(op, places)
                    if result is None:
                        return Fate(True, True)
                    if result and op.result not in aliases:
                        aliases.add(op.result)
                        changed = True
                for link in block.exits:
                    for arg, target in zip(link.args, link.target.inputargs):
                        if arg not in aliases:
                            continue
                        if link.target is graph.exceptblock:
                            return Fate(True, True)
                        returned |= link.target is graph.returnblock
                        if target not in aliases:
                            aliases.add(target)
                            changed = True
        return Fate(False, returned)

    def _reached(self, block: Block) -> list[SpaceOperation]:
        if block not in self.annotator.annotated:
            return []
        blocked = self.annotator.blocked.get(block)
        if blocked is None:
            return block.operations
        return block.operations[: block.operations.index(blocked) + 1]

    def _use(self, op: SpaceOperation, places: list[int]) -> bool | None:
        """May the result of an operation be, or refer to, the value in these places?  None: it
        is stored."""
        kinds = self.annotator.binding(op.result).kinds
        first_is_tuple = bool(self.annotator.binding(op.args[0]).kinds & K_TUPLE)
        if op.opname == "newtuple" or op.opname in IN_PLACE:
            return True
        if op.opname in ("setitem", "setattr"):
            return False if places == [0] else None
        if HLOPS[op.opname].only_reads:
            return bool(kinds & _REFERRING) or (first_is_tuple and bool(kinds & _CONTAINERS))
        if op.opname == "simple_call" and places == [0]:
            return bool(kinds & _REFERRING)  # a method of it
        if op.opname == "simple_call" and 0 not in places:
            return self._passed(op, places, kinds)
        return None

    def _passed(self, op: SpaceOperation, places: list[int], kinds: int) -> bool | None:
        callee = op.args[0]
        if isinstance(callee, Constant) and _is_one_of(callee.value, _READING_FUNCTIONS):
            return bool(kinds & _REFERRING)
        s_callee = self.annotator.binding(callee)
        if isinstance(s_callee, SomeBuiltinMethod):
            return False if s_callee.name in _READING_METHODS else None
        fates = [
            self.fate(graph, graph.getargs()[place + shift])
            for graph, shift in self.callees(s_callee)
            for place in places
        ]
        if not fates or any(fate.escapes for fate in fates):
            return None
        return any(fate.returned for fate in fates)

    def callees(self, s_callee: SomeObject) -> list[tuple[FunctionGraph, int]]:
        """The graphs that a call may reach, and the index of their argument that operand 0 of
        ``simple_call`` would be."""
        if isinstance(s_callee, SomeFunction):
            descs: list[Any] = list(s_callee.descs)
            if any(desc.closure is None for desc in descs):
                return [(graph, -1) for desc in descs for graph in desc.graphs.values()]
        elif isinstance(s_callee, SomeMethod):
            descs = [desc.function for desc in s_callee.descs]  # type: ignore[attr-defined]
            return [(graph, 0) for desc in descs for graph in desc.graphs.values()]
        return []

    # -- results ------------------------------------------------------------------------------

    def returns_own(self, graph: FunctionGraph) -> bool:
        """Is every container that the function returns new and not stored anywhere, or an
        argument that is not stored?"""
        if graph in self._active:
            return False
        self._active.add(graph)
        try:
            return self._is_own(graph, graph.getreturnvar(), set())
        finally:
            self._active.discard(graph)

    def _is_own(self, graph: FunctionGraph, v: Value, seen: set[Value]) -> bool:
        if v in seen or not self._may_be_container(v):
            return True
        seen.add(v)
        if isinstance(v, Constant):
            return False
        assert isinstance(v, Variable)
        for block in graph.iterblocks():
            if v in block.inputargs:
                return self._comes_in(graph, block, v, seen)
            for op in block.operations:
                if op.result is v:
                    return self._is_made_here(graph, op, seen)
        return self._comes_in(graph, graph.returnblock, v, seen)

    def _may_be_container(self, v: Value) -> bool:
        kinds = self.annotator.binding(v).kinds
        return bool(kinds & (_CONTAINERS | K_TUPLE))

    def _comes_in(
        self, graph: FunctionGraph, block: Block, v: Variable, seen: set[Value]
    ) -> bool:
        if block is graph.startblock and self.fate(graph, v).escapes:
            return False
        index = block.inputargs.index(v)
        return all(
            self._is_own(graph, link.args[index], seen)
            for link in graph.iterlinks() if link.target is block
        )  # fmt: skip

    def _is_made_here(self, graph: FunctionGraph, op: SpaceOperation, seen: set[Value]) -> bool:
        if op.opname == "newtuple":
            return all(self._is_own(graph, arg, seen) for arg in op.args)
        if op.opname in IN_PLACE:
            return self._is_own(graph, op.args[0], seen)
        return self._is_new(graph, op, seen) and not self.fate(graph, op.result).escapes

    def _is_new(self, graph: FunctionGraph, op: SpaceOperation, seen: set[Value]) -> bool:
        if HLOPS[op.opname].fresh:
            return True
        if op.opname == "getitem":
            return self.annotator.binding(op.args[1]).kinds == K_SLICE
        if op.opname != "simple_call":
            return False
        callee = op.args[0]
        if isinstance(callee, Constant) and _is_one_of(callee.value, _COPYING_FUNCTIONS):
            return True
        s_callee = self.annotator.binding(callee)
        if isinstance(s_callee, SomeBuiltinMethod):
            return s_callee.name in _COPYING_METHODS
        callees = self.callees(s_callee)
        if not callees or not all(self.returns_own(each) for each, _ in callees):
            return False
        return all(self._is_own(graph, arg, seen) for arg in op.args[1:])


def _is_one_of(value: Any, functions: Any) -> bool:
    return any(value is function for function in functions)


def has_container(s: SomeObject) -> bool:
    """Is it a container, or has it one in it?"""
    return any(
        part.kinds & _CONTAINERS or any(map(has_container, getattr(part, "items", ())))
        for part in parts_of(s)
    )
