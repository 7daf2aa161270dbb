"""Low-level helpers, typed once in a process and linked into each program that calls them.

A helper depends on nothing but the low-level types of its arguments, so its graph is annotated,
lowered, optimised and verified in a world of the library's own.  What belongs to a program is
known by a ``Symbol``::

    v = direct_call(<helper ll_pop_last>, p)
    raise <instance of IndexError, "pop from empty list">

and a program that calls the helper gets a copy in which its own functions, exceptions and texts
stand in their place.  So do its functions of items, which helpers of containers take: in the
library each is an unknown function.  A helper that looks at anything else of a program, or takes
types that only one program has (those of its instances), is not shared: each program types it by
itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, lru_cache
from types import FunctionType
from typing import Any

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import Const, SomeBytes, SomeHost, SomeObject, SomeString
from rpython.annotator.program.desc import is_helper_function
from rpython.annotator.rules.lowlevel import (
    annotations_of_key,
    helper_annotations,
    specialisation_key,
)
from rpython.lltypesystem.checker import check_graph
from rpython.lltypesystem.lltype import (
    FuncType,
    LowLevelType,
    Ptr,
    Void,
    _ptr,
    frozendict,
    functionptr,
    nullptr,
    top_container,
)
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.rarithmetic import base_int
from rpython.lltypesystem.rclass import OBJECT
from rpython.lltypesystem.simulated.containers import _func
from rpython.lltypesystem.types import Struct
from rpython.rtyper import symbols
from rpython.rtyper.helperfiles import HelperFiles
from rpython.rtyper.items import ItemFunction
from rpython.rtyper.ll.ll_dict import Keys
from rpython.rtyper.rtyper import RPythonTyper
from rpython.rtyper.symbols import Symbol
from rpython.translator.ir.copying import copy_graph
from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.verifier import verify
from rpython.translator.opt.inline import Inlining
from rpython.translator.opt.runner import parse_passes, run_passes
from rpython.translator.opt.summaries import Summaries


class NotShared(Exception):
    """The helper depends on a program; the text says by what."""


@dataclass(frozen=True, slots=True)
class SharedHelper:
    """A helper that programs link to: an optimised graph, in which symbols stand for the constants
    that belong to a program; ``s_result``: what it returns.  ``exceptions``: the types of
    instances of built-in exceptions that it uses."""

    function: FunctionType
    graph: FunctionGraph
    T: FuncType
    s_result: SomeObject
    exceptions: Mapping[type, LowLevelType]

    def fits(self, rtyper: RPythonTyper) -> bool:
        """Do such instances have the same attributes in the program that ``rtyper`` lowers?"""
        classdef = rtyper.annotator.constants.classdef
        return all(
            rtyper.instance_repr(classdef(cls)).object_type == T
            for cls, T in self.exceptions.items()
        )


@dataclass(frozen=True, slots=True)
class Found:
    """A helper for a program, which gives the unknowns in it."""

    helper: SharedHelper
    given: Mapping[Any, Any]


class _Unknowns:
    """The functions of items that helpers in the library call, and what holds those of keys."""

    def __init__(self) -> None:
        self._known: dict[object, Any] = {}
        self._names: dict[Any, tuple[Any, ...]] = {}

    def name_of(self, value: Any) -> tuple[Any, ...] | None:
        """By which ``named`` gives it; None: it is no unknown."""
        return self._names.get(value) if isinstance(value, (ItemFunction, Keys)) else None

    def named(self, *name: Any) -> Any:
        """The unknown of that name."""
        if len(name) == 2:
            return self.item_function(*name)
        hash_T, hash_number, equal_T, equal_number, stored, careful = name
        hash_of = self.item_function(hash_T, hash_number)
        return self._keys(hash_of, self.item_function(equal_T, equal_number), stored, careful)

    def item_function(self, T: FuncType, number: int) -> ItemFunction:
        """The one with this number among those of a type.  Nothing is known of what it does."""
        key = (T, number)
        known: ItemFunction | None = self._known.get(key)
        if known is None:
            graph = FunctionGraph("unknown", Block([Variable("a", A) for A in T.ARGS]))
            graph.getreturnvar().concretetype = T.RESULT
            graph.stage = "lowlevel"
            called = Constant(nullptr(T), Ptr(T))
            result = Variable("result", T.RESULT)
            args: list[Value] = [called, *graph.getargs(), Constant(None, Void)]
            op = SpaceOperation(LLOPS["indirect_call"], args, result)
            graph.startblock.operations.append(op)
            graph.startblock.closeblock(Link([result], graph.returnblock))
            known = self._known[key] = ItemFunction(functionptr(T, "unknown", graph=graph))
            self._names[known] = key
        return known

    def keys(self, like: Keys, hash_of: ItemFunction, equal: ItemFunction) -> Keys:
        """Keys that are stored and treated like these."""
        return self._keys(hash_of, equal, like.stored is not None, like.careful is not None)

    def _keys(self, hash_of: ItemFunction, equal: ItemFunction, *how: bool) -> Keys:
        key = (hash_of, equal, *how)
        known: Keys | None = self._known.get(key)
        if known is None:
            known = self._known[key] = Keys(hash_of, equal, *how)
            self._names[known] = (*self._names[hash_of], *self._names[equal], *how)
        return known

    def functions(self) -> list[ItemFunction]:
        """All functions."""
        return [known for known in self._known.values() if isinstance(known, ItemFunction)]


class _Given:
    """Puts unknowns in the place of what a program gives as arguments."""

    def __init__(self, unknowns: _Unknowns) -> None:
        self.given: dict[Any, Any] = {}
        """By the unknown."""
        self._unknowns = unknowns
        self._numbers: dict[ItemFunction, ItemFunction] = {}

    def annotation(self, s: SomeObject) -> SomeObject:
        """The annotation of an argument in the library."""
        value = s.value if isinstance(s, SomeHost) else None
        if isinstance(value, ItemFunction):
            return SomeHost(Const(self._function(value)))
        if isinstance(value, Keys):
            hash_of, equal = self._function(value.hash_of), self._function(value.equal)
            unknown = self._unknowns.keys(value, hash_of, equal)
            self.given[unknown] = value
            return SomeHost(Const(unknown))
        return s

    def _function(self, function: Any) -> ItemFunction:
        unknown = self._numbers.get(function)
        if unknown is None:
            T = function.pointer._TYPE.TO
            unknown = self._unknowns.item_function(T, len(self._numbers))
            self._numbers[function] = unknown
            self.given[unknown] = function
        return unknown


class HelperLibrary:
    """The helpers known so far, after the passes that ``passes`` names."""

    def __init__(self, passes: str) -> None:
        self._passes = [p for p in parse_passes(passes) if not p.per_program]
        self._known: dict[object, SharedHelper | None] = {}
        self._unknowns = _Unknowns()
        names = tuple(p.name for p in self._passes)
        self._files = HelperFiles(names, self._unknowns.name_of, self._unknowns.named)
        self._worlds: dict[bool, _World] = {}
        self._lock = threading.RLock()

    def find(
        self, function: Callable[..., Any], args_s: tuple[SomeObject, ...], rtyper: RPythonTyper
    ) -> Found | None:
        """The helper for arguments with these annotations (those of ``helper_annotations``), typed
        when first asked for; None if it depends on the program, which ``rtyper`` lowers."""
        if not is_helper_function(function):
            return None
        is_program = rtyper.is_program
        with self._lock:
            given = _Given(self._unknowns)
            known_s = tuple(map(given.annotation, args_s))
            key = (is_program, function, specialisation_key(known_s))
            if key not in self._known:
                self._known[key] = None
                if all(map(_is_shared_key, key[2])) and not self._read(key):
                    self._type(function, known_s, is_program)
            shared = self._known[key]
            return Found(shared, given.given) if shared and shared.fits(rtyper) else None

    def _type(
        self, function: FunctionType, args_s: tuple[SomeObject, ...], is_program: bool
    ) -> None:
        """Type the helper and all that it calls.  One that cannot be translated is left to the
        program, whose error it is."""
        world = self._worlds.get(is_program)
        if world is None:
            world = self._worlds[is_program] = _World(self._unknowns, is_program)
        try:
            lowered = world.lower_helper(function, args_s)
        except TranslationError:
            del self._worlds[is_program]
            return
        for each in lowered:
            verify(each.llgraph, "rtyper")
            check_graph(each.llgraph, "rtyper")
        new = {each.llgraph: each for each in lowered}
        summaries = Summaries(threaded=True)
        for component in summaries.components(new):  # callees as they will be
            own = [new[graph] for graph in component if graph in new]
            if own:
                inlining = Inlining(kept=world.kept, library=True)
                run_passes(self._passes, component, summaries=summaries, inlining=inlining)
                for each in own:
                    self._share(each, world)

    def _share(self, lowered: _Lowered, world: _World) -> None:
        """Keep an optimised helper, if it can be shared; others are not inlined in those that
        can."""
        key = (world.is_program, *lowered.key)
        try:
            shared = self._known[key] = world.shared(lowered)
        except NotShared:
            self._known[key] = None
            world.kept.add(lowered.llgraph)
            self._files.write(key, None, None)
        else:
            rest = (shared.T, shared.s_result, shared.exceptions)
            self._files.write(key, shared.graph, rest)

    def _read(self, key: tuple[Any, ...]) -> bool:
        """Is it known from an earlier process?"""
        found = self._files.read(key)
        if found is None:
            return False
        graph, rest = found
        self._known[key] = None if graph is None else SharedHelper(key[1], graph, *rest)
        return True


@lru_cache(maxsize=4)
def helper_library(passes: str) -> HelperLibrary:
    """The library of this process for programs that are optimised by these passes."""
    return HelperLibrary(passes)


@dataclass(frozen=True, slots=True)
class _Lowered:
    """A helper lowered in the library's world; ``plain``: it asked nothing about a program."""

    key: tuple[FunctionType, tuple[object, ...]]
    graph: FunctionGraph
    llgraph: FunctionGraph
    plain: bool


class _World(RPythonTyper):
    """What types the helpers of the library: a program of helpers alone."""

    def __init__(self, unknowns: _Unknowns, is_program: bool) -> None:
        super().__init__(RPythonAnnotator())
        self.is_program = is_program
        self._unknowns = unknowns
        self._lowered: list[_Lowered] = []
        self._symbols: dict[int, Symbol] = {}
        """What belongs to a program, by the identity of its memory here."""
        self._common: dict[int, _ptr] = {}
        """What the source of helpers mentions, which is the same in all programs, likewise."""
        self.kept: set[FunctionGraph] = set()
        """What is not inlined in helpers, as it depends on the program."""

    def lower_helper(
        self, function: FunctionType, args_s: tuple[SomeObject, ...]
    ) -> list[_Lowered]:
        """The helper and those that it calls, but for what was lowered before.  Raises
        TranslationError."""
        self._lowered = []
        self.helper_pointer(function, args_s)
        self.lower()
        return self._lowered

    def build_graph(self, graph: FunctionGraph) -> None:
        self.asked_about_program = False
        super().build_graph(graph)
        if not graph.is_helper:
            return
        plain = not self.asked_about_program
        for p in _pointers_of_source(graph):
            if p._obj is not None:
                self._common[id(top_container(p._obj))] = p
        function, key = self._key(graph)
        self._lowered.append(_Lowered((function, key), graph, self.llgraphs[graph], plain))
        symbol = Symbol(symbols.helper, (function, annotations_of_key(key)))
        self._symbols[id(self.graph_pointer(graph)._obj)] = symbol

    def _key(self, graph: FunctionGraph) -> tuple[FunctionType, tuple[object, ...]]:
        desc = self.annotator.graphs[graph]
        key = next(key for key, known in desc.graphs.items() if known is graph)
        assert isinstance(key, tuple)
        return desc.func, key

    # -- what a helper refers to -----------------------------------------------------------------

    def shared(self, lowered: _Lowered) -> SharedHelper:
        """The helper with symbols for what belongs to a program.  Raises NotShared."""
        if not lowered.plain:
            raise NotShared("it asks about the program")
        function, _ = lowered.key
        if not is_helper_function(function):
            raise NotShared("it is no function of a module")
        llgraph = lowered.llgraph
        found = _Symbols(self, self._common)
        for block in llgraph.iterblocks():
            for v in (*block.inputargs, *(op.result for op in block.operations)):
                found.note_type(v.concretetype)
        graph = copy_graph(llgraph, found.of)
        s_result = self.annotator.binding(lowered.graph.getreturnvar())
        if s_result.kinds:
            (s_result,) = helper_annotations((s_result,))
        T = self.graph_type(lowered.graph)
        return SharedHelper(function, graph, T, s_result, found.exceptions)

    def exception_of(self, T: Struct) -> type | None:
        """The built-in exception whose instances are of this type."""
        for classdef in self.annotator.constants.classdefs:
            if issubclass(classdef.cls, BaseException):
                if self.instance_repr(classdef).object_type == T:
                    return classdef.cls
        return None

    def symbol(self, pointer: _ptr) -> Symbol | None:
        """What the pointer stands for in programs; None: it is the same in all, or unknown."""
        found = self._symbols.get(id(pointer._obj))
        if found is None:
            self._note_symbols()  # there may be new ones
            found = self._symbols.get(id(pointer._obj))
        return found

    def _note_symbols(self) -> None:
        known = self._symbols
        for s in (SomeString(), SomeBytes()):
            r: Any = self.getrepr(s)
            for text, pointer in r.constants():
                known[id(pointer._obj)] = Symbol(symbols.text, (s, text))
        for classdef, message, pointer in self.classes.prebuilt_exceptions():
            args = (classdef.cls, message)
            known[id(pointer._obj)] = Symbol(symbols.exception_instance, args)
        for classdef, pointer in self.classes.known_vtables():
            known[id(pointer._obj)] = Symbol(symbols.vtable, (classdef.cls,))
        for function in self._unknowns.functions():
            known[id(function.pointer._obj)] = Symbol(symbols.item_function, (function,))
        for exception, message, pointer in self.raising_functions():
            known[id(pointer._obj)] = Symbol(symbols.raising_function, (exception, message))


class _Symbols:
    """Finds out what the constants of a helper in the library's world stand for.  ``common``: what
    is the same in all programs, by the identity of its memory."""

    def __init__(self, world: _World, common: Collection[int]) -> None:
        self._world = world
        self._common = common
        self.exceptions: dict[type, LowLevelType] = {}
        """The exceptions whose instances the helper uses, and their types."""

    def note_type(self, T: LowLevelType) -> None:
        """The helper uses this type.  Raises NotShared."""
        for instance in instances_in(T):
            cls = self._world.exception_of(instance)
            if cls is None:
                raise NotShared(f"it uses {T._short_name()}")
            self.exceptions[cls] = instance

    def of(self, value: Any) -> Any:
        """The constant, if it is the same in all programs, else the symbol that stands for it.
        Raises NotShared."""
        if isinstance(value, (ItemFunction, Keys)):
            return Symbol(symbols.given, (value,))
        if not isinstance(value, _ptr):
            self._require_plain(value)
            return value
        self.note_type(value._TYPE)
        obj = value._obj
        if obj is None or (isinstance(obj, _func) and obj.graph is None):
            return value
        if id(top_container(obj)) in self._common:
            return value
        symbol = self._world.symbol(value)
        if symbol is None:
            raise NotShared(f"it has {value}")
        return symbol

    def _require_plain(self, value: Any) -> None:
        """Raises NotShared unless it is a number, a text, flags or a type."""
        if isinstance(value, LowLevelType):
            self.note_type(value)
        elif isinstance(value, tuple):
            for item in value:
                self._require_plain(item)
        elif value is not None and not isinstance(value, (int, float, str, base_int, frozendict)):
            raise NotShared(f"it has {value!r}")


def _is_shared_key(part: object) -> bool:
    """Is it a low-level type that all programs have, or a constant that is one?"""
    if isinstance(part, SomeHost):
        part = part.value
    if isinstance(part, Keys):
        part = part.hash_of
    if isinstance(part, ItemFunction):
        part = part.pointer._TYPE
    return isinstance(part, LowLevelType) and not instances_in(part)


def _pointers_of_source(graph: FunctionGraph) -> Iterator[_ptr]:
    """The pointers that the source of an annotated helper mentions."""
    for block in graph.iterblocks():
        for op in block.operations:
            for v in (*op.args, op.result):
                yield from _pointer(v)
        for link in block.exits:
            for v in link.args:
                yield from _pointer(v)


def _pointer(v: Value) -> Iterator[_ptr]:
    s: SomeObject | None = v.annotation
    known = v.value if isinstance(v, Constant) else s.value if s and s.is_constant() else None
    if isinstance(known, _ptr):
        yield known


@cache
def instances_in(T: LowLevelType) -> frozenset[Struct]:
    """The types of instances of classes that can be reached from a type: what attributes these
    have the whole program decides."""
    seen: set[LowLevelType] = set()
    todo = [T]
    while todo:
        part = todo.pop()
        if part not in seen:
            seen.add(part)
            todo.extend(part._children())
    return frozenset(part for part in seen if isinstance(part, Struct) and _is_instance(part))


def _is_instance(T: Struct) -> bool:
    first = T._flds.get(T._names[0]) if T._names else None
    return first == OBJECT or (isinstance(first, Struct) and _is_instance(first))
