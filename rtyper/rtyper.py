"""The rtyper: annotated graphs in, low-level graphs out.

It builds new graphs rather than rewriting the old ones, one ``GraphTyper`` per graph, and
asks a ``Repr`` per annotation how each operation looks in low-level terms.

    v3 = add(v1, v2)     v1, v2, v3: SomeInteger
    ->
    v3 = int_add_ovf(v1, v2)     v1, v2, v3: Signed
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.cells import Origin
from rpython.annotator.lattice.model import (
    SomeBool,
    SomeFloat,
    SomeInstance,
    SomeInteger,
    SomeObject,
)
from rpython.annotator.program.classdef import ClassDef
from rpython.annotator.program.desc import FunctionDesc
from rpython.annotator.rules.lowlevel import lltype_to_annotation, specialisation_key
from rpython.lltypesystem.lltype import (
    Bool,
    Float,
    FuncType,
    LowLevelType,
    Signed,
    Void,
    _ptr,
    functionptr,
)
from rpython.lltypesystem.program import Program
from rpython.rtyper import builtins, kinds
from rpython.rtyper.boundary.exception_constructors import FIELDS, ExceptionConstructors
from rpython.rtyper.builtins.print import flush_graph
from rpython.rtyper.callables import CallTables
from rpython.rtyper.classes import ClassTable
from rpython.rtyper.expansion import expanded
from rpython.rtyper.finalizers import FinalizerTable
from rpython.rtyper.graphtyper import GraphTyper
from rpython.rtyper.items import ItemFunctions
from rpython.rtyper.kinds import exceptions
from rpython.rtyper.lazy_messages import LazyMessages
from rpython.rtyper.memo import MemoCalls
from rpython.rtyper.oplist import LowLevelOpList
from rpython.rtyper.overlays import call_chosen
from rpython.rtyper.ownexceptions import COPIER, COPY, OwnExceptions
from rpython.rtyper.prebuilt import Prebuilt
from rpython.rtyper.registry import BUILTINS, HOST_CALLS, STAR_CALLS
from rpython.rtyper.rmodel import Repr, make_repr
from rpython.rtyper.symbols import LinkedProgram
from rpython.translator.ir.copying import fill_copy
from rpython.translator.ir.dispatch import load_rules
from rpython.translator.ir.errors import Errors, TranslationError, TyperError
from rpython.translator.ir.model import Block, Constant, FunctionGraph, Link, Value, Variable

if TYPE_CHECKING:
    from rpython.rtyper.helperlibrary import Found, HelperLibrary

load_rules(kinds)
load_rules(builtins)

ROW_EXCEPTIONS: tuple[type[BaseException], ...] = (OverflowError, MemoryError, RecursionError)
"""What rows of the low-level operation table raise."""

ROW_MESSAGES: dict[type[BaseException], str] = {
    OverflowError: "integer overflow",
    MemoryError: "",
    RecursionError: "maximum recursion depth exceeded",
}


class RPythonTyper:
    """Lowers one annotated program."""

    def __init__(
        self, annotator: RPythonAnnotator,
        exception_constructors: ExceptionConstructors | None = None,
        library: HelperLibrary | None = None,
    ) -> None:  # fmt: skip
        """``exception_constructors``: gets to know how exceptions are made.  ``library``: has the
        helpers that do not depend on the program."""
        self.annotator = annotator
        self._exception_constructors = exception_constructors
        self._library = library
        if library is not None:
            annotator.helper_result = self._shared_result
        self.asked_about_program = False
        """Did lowering look at what programs differ in?"""
        self._reprs: dict[object, Repr] = {}
        self._annotations: dict[int, SomeObject] = {}
        """Of which annotation a Repr was made, by its ``id``; they stay for good."""
        self._unfinished: list[Repr] = []
        self._finishing = False
        self._making = 0
        self._pointers: dict[FunctionGraph, _ptr] = {}
        self._helpers: dict[object, _ptr] = {}
        self._raising: dict[tuple[type, str], _ptr] = {}
        self._queue: list[FunctionGraph] = []
        self.errors = Errors()
        """What is wrong with the functions lowered so far, one error each."""
        self.llgraphs: dict[FunctionGraph, FunctionGraph] = {}
        """Annotated graph -> low-level graph."""
        self.extra_fields: dict[ClassDef, tuple[tuple[str, LowLevelType], ...]] = {}
        """Fields of instances that are no attributes, by class."""
        if exception_constructors is not None:
            self.extra_fields[annotator.constants.classdef(BaseException)] = FIELDS
        self.own_exceptions = OwnExceptions(self)
        if self.own_exceptions.are_made:
            base = annotator.constants.classdef(BaseException)
            self.extra_fields[base] = (*self.extra_fields.get(base, ()), (COPY, COPIER))
        self.classes = ClassTable(self)
        self.finalizers = FinalizerTable(self)
        self.prebuilt = Prebuilt(self)
        self.calls = CallTables(self)
        self.memos = MemoCalls(self)
        self.items = ItemFunctions(self)
        self.texts = LazyMessages(self)
        self.threaded = False
        """Does the program start threads?"""
        self.is_program = False
        """Is it a program by itself, which may be interrupted and reports its exceptions?"""
        self.main_module = "__main__"
        self.exceptions = {
            cls: self.exception_instance(cls, ROW_MESSAGES[cls]) for cls in ROW_EXCEPTIONS
        }

    @property
    def exception_constructors(self) -> ExceptionConstructors | None:
        """What gets to know how exceptions are made."""
        self.asked_about_program = True
        return self._exception_constructors

    # -- Reprs ---------------------------------------------------------------------------

    def getrepr(self, s: SomeObject) -> Repr:
        """The Repr of an annotation; equal annotations share one.  Raises TyperError."""
        s = s.without_const()
        known = self._reprs.get(s)
        if known is None:
            self._making += 1
            try:
                made = make_repr(self, s)
            finally:
                self._making -= 1
            # making it may have asked for itself
            known = self._reprs.setdefault(s, made)
            self._annotations.setdefault(id(known), s)
            if known is made:
                self._unfinished.append(made)
            self._finish_reprs()
        return known

    def annotation_of_repr(self, r: Repr) -> SomeObject | None:
        """An annotation that has the Repr; None for one that is a part of another."""
        return self._annotations.get(id(r))

    def _finish_reprs(self) -> None:
        if self._finishing or self._making:
            return  # what is being made may be what an unfinished one refers to
        self._finishing = True
        try:
            while self._unfinished:
                self._unfinished.pop().setup()
        finally:
            self._finishing = False

    def primitive_repr(self, T: LowLevelType) -> Repr:
        """The Repr of a primitive or pointer type, as helpers see it."""
        simple: dict[LowLevelType, SomeObject] = {
            Signed: SomeInteger(), Bool: SomeBool(), Float: SomeFloat(),
        }  # fmt: skip
        return self.getrepr(simple[T] if T in simple else lltype_to_annotation(T))

    def instance_repr(self, classdef: ClassDef) -> Any:
        """The InstanceRepr of a class."""
        return self.getrepr(SomeInstance(classdef))

    def bindingrepr(self, value: Value) -> Repr:
        return self.getrepr(self.annotator.binding(value))

    # -- functions -------------------------------------------------------------------------

    def graph_type(self, graph: FunctionGraph) -> FuncType:
        """The low-level signature of an annotated graph."""
        args = [self.bindingrepr(v).lowleveltype for v in graph.getargs()]
        return FuncType(args, self.bindingrepr(graph.getreturnvar()).lowleveltype)

    def graph_pointer(self, graph: FunctionGraph) -> _ptr:
        """The function pointer of an annotated graph, which is lowered in time."""
        pointer = self._pointers.get(graph)
        if pointer is None:
            T = self.graph_type(graph)
            llgraph = self.new_graph(graph.name, T, graph)
            pointer = functionptr(T, graph.name, graph=llgraph, _callable=graph.func)
            self._pointers[graph] = pointer
            self.llgraphs[graph] = llgraph
            self._queue.append(graph)
        return pointer

    def expanded(
        self, llops: LowLevelOpList, graph: FunctionGraph, args: Sequence[Value]
    ) -> Value | None:
        """The call of a graph, emitted in place; None where it has to be a call."""
        return expanded(self, llops, graph, args)

    def new_graph(self, name: str, T: FuncType, like: FunctionGraph | None = None) -> FunctionGraph:
        """An empty low-level graph with one inputarg per argument of ``T``."""
        names = [v.name for v in like.getargs()] if like else [f"a{i}" for i in range(len(T.ARGS))]
        startblock = Block([Variable(n, A) for n, A in zip(names, T.ARGS)])
        llgraph = FunctionGraph(name, startblock, Variable("result", T.RESULT))
        llgraph.exceptblock.inputargs[0].concretetype = self.classes.exception_type()
        llgraph.stage = "lowlevel"
        if like is not None:
            llgraph.func, llgraph.span, llgraph.is_helper = like.func, like.span, like.is_helper
        else:
            llgraph.is_helper = True
        return llgraph

    def helper(self, ll_function: Callable[..., Any], args: Sequence[Value]) -> _ptr:
        """The function pointer of a low-level helper for arguments of these low-level types
        (Void arguments are constants: each value has its own copy)."""
        return self.helper_pointer(ll_function, tuple(map(self._helper_annotation, args)))

    def helper_pointer(
        self, ll_function: Callable[..., Any], args_s: tuple[SomeObject, ...]
    ) -> _ptr:
        """The same for arguments with these annotations."""
        key = (ll_function, specialisation_key(args_s))
        pointer = self._helpers.get(key)
        if pointer is None:
            found = self.shared_helper(ll_function, args_s)
            if found is not None:
                return self._link(key, found)
            desc = self.annotator.constants.function_desc(ll_function)
            pointer = self.graph_pointer(self._annotate_helper(desc, args_s))
            self._helpers[key] = pointer
        return pointer

    def shared_helper(
        self, ll_function: Callable[..., Any], args_s: tuple[SomeObject, ...]
    ) -> Found | None:
        """The helper as the library has it, if it does not depend on the program."""
        if self._library is None:
            return None
        return self._library.find(ll_function, args_s, self)

    def _shared_result(
        self, ll_function: Callable[..., Any], args_s: tuple[SomeObject, ...]
    ) -> SomeObject | None:
        """What such a helper returns."""
        found = self.shared_helper(ll_function, args_s)
        return None if found is None else found.helper.s_result

    def _link(self, key: object, found: Found) -> _ptr:
        """The function pointer of a copy that is the program's own, with the exceptions that it
        may raise: who catches them has to know."""
        shared = found.helper
        name = shared.graph.name
        llgraph = FunctionGraph(name, Block([]), func=shared.function, span=shared.graph.span)
        pointer = functionptr(shared.T, name, graph=llgraph, _callable=shared.function)
        self._helpers[key] = pointer  # it may call itself
        fill_copy(shared.graph, llgraph, LinkedProgram(self, found.given).value)
        self.annotator.complete_new()
        return pointer

    def _helper_annotation(self, v: Value) -> SomeObject:
        T = v.concretetype
        if T is Void and isinstance(v, Constant):
            return self.annotator.constants.annotation_of(v.value)
        return lltype_to_annotation(T)

    def _annotate_helper(self, desc: FunctionDesc, args_s: tuple[SomeObject, ...]) -> FunctionGraph:
        graph = desc.graph(specialisation_key(args_s))
        self.annotator.register_graph(graph, desc)
        for variable, s_arg in zip(graph.getargs(), args_s, strict=True):
            origin = Origin(s_arg, "given by the rtyper", None, None)
            self.annotator.merge_variable(variable, s_arg, origin)
        self.annotator.schedule(graph, graph.startblock)
        self.annotator.complete_new()
        return graph

    def raising_function(self, exception: type[BaseException], message: str) -> _ptr:
        """A function without arguments that raises a prebuilt instance."""
        key = (exception, message)
        pointer = self._raising.get(key)
        if pointer is None:
            T = FuncType([], Void)
            llgraph = self.new_graph(f"raise_{exception.__name__}", T)
            instance = self.exception_instance(exception, message)
            value = Constant(instance, self.classes.exception_type())
            llgraph.startblock.closeblock(Link([value], llgraph.exceptblock))
            pointer = functionptr(T, llgraph.name, graph=llgraph)
            self._raising[key] = pointer
        return pointer

    def raising_functions(self) -> Iterator[tuple[type[BaseException], str, _ptr]]:
        """The functions that ``raising_function`` gave: exception, message, pointer."""
        for (exception, message), pointer in self._raising.items():
            if not pointer._TYPE.TO.ARGS:
                yield exception, message, pointer

    def raise_instance_function(self) -> _ptr:
        """A function that raises its argument, any exception instance."""
        key = (BaseException, "<argument>")
        pointer = self._raising.get(key)
        if pointer is None:
            T = FuncType([self.classes.exception_type()], Void)
            llgraph = self.new_graph("raise_instance", T)
            llgraph.startblock.closeblock(Link(llgraph.getargs(), llgraph.exceptblock))
            pointer = self._raising[key] = functionptr(T, llgraph.name, graph=llgraph)
        return pointer

    def make_program(self, main_module: str = "__main__") -> None:
        """To be called before anything is lowered."""
        self.is_program = True
        self.main_module = main_module
        self.exceptions[KeyboardInterrupt] = self.exception_instance(KeyboardInterrupt, "")

    def exception_instance(self, exception: type[BaseException], message: str) -> _ptr:
        """A prebuilt instance of a built-in exception (OBJECTPTR)."""
        classdef = self.annotator.constants.classdef(exception)
        return self.classes.prebuilt_exception(classdef, message)

    initialise_exception = staticmethod(exceptions.initialise)
    raise_about_key = staticmethod(exceptions.raise_about_key)
    set_cause = staticmethod(exceptions.set_cause)
    fill_prebuilt_exception = staticmethod(exceptions.fill_prebuilt)

    def call_host(self, hop: Any) -> Value:
        """Lower the call of a built-in function or type."""
        function = hop.args_s[0].value
        rule = BUILTINS.lookup(function)
        name = getattr(function, "__name__", repr(function))
        hop = hop.copy()
        hop.host_function = function
        hop.r_s_popfirstarg()
        for starred in STAR_CALLS:
            v_starred: Value | None = starred(hop, function)
            if v_starred is not None:
                return v_starred
        hop.take_keywords()
        for special in HOST_CALLS:
            v_result: Value | None = special(hop, function)
            if v_result is not None:
                return v_result
        v_chosen = call_chosen(hop)
        if v_chosen is not None:
            return v_chosen
        if rule is None:
            raise TyperError(f"calling the built-in {name} is not supported")
        result: Value = rule(hop)
        return result

    # -- the program -------------------------------------------------------------------------

    def specialize(self) -> None:
        """Lower every annotated graph that something asked for, and fill in what is only known
        at the end: class numbers, call tables."""
        self.lower_all()
        self.classes.number()
        self.calls.write_tables()

    def lower_all(self) -> None:
        """Lower every graph that something asked for, and fill in prebuilt data."""
        while True:
            self.lower()
            if not self.prebuilt.fill() and not self.finalizers.finish():
                break

    def lower(self) -> None:
        """Lower every queued graph and whatever that asks for.  Raises TranslationError: what is
        wrong with any of them."""
        while self._queue:
            graph = self._queue.pop()
            try:
                self.build_graph(graph)
            except TranslationError as error:
                if graph.is_helper:
                    raise
                self.errors.add(error)
        self.errors.check()

    def build_graph(self, graph: FunctionGraph) -> None:
        """Lower one annotated graph."""
        GraphTyper(self, graph, self.llgraphs[graph]).build()

    def program(
        self, entry: FunctionGraph, exports: dict[str, FunctionGraph] | None = None
    ) -> Program:
        """The lowered program; ``entry`` and ``exports`` are annotated or low-level graphs.  A
        program with ``exports`` has an end, at which the host calls ``rpy_flush``."""
        named = {"entry": entry, **(exports or {})}
        for graph in named.values():
            if graph.stage == "annotated":
                self.graph_pointer(graph)
        if exports:
            self.lower_all()  # what prints may be a finalizer
            flush = flush_graph(self)
            if flush is not None:
                named["rpy_flush"] = flush
        self.specialize()
        low = {name: self.llgraphs.get(graph, graph) for name, graph in named.items()}
        llentry = low.pop("entry")
        # executables and libraries for C have an end, and tell C what their exceptions say
        if self.finalizers.exit_graph is not None and "rpy_exception_text" in low:
            low["rpy_finalize"] = self.finalizers.exit_graph
        if not exports:
            low = {llentry.name: llentry}
        return Program(llentry, low, self.exceptions, self.threaded)
