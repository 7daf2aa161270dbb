"""The graphs of an extension module, which C code calls with Python's values.

    rpx_N(...)                    function number N without containers: its own arguments and
                                  result (instances are Signed: their handle; what is no
                                  number is a pointer to its words, a result with the writer)
    rpx_N(words)                  any other: arguments from words, its result to the writer
    rpx_writer() -> writer        of the call that runs; null when it failed with its arguments
    rpx_contents(kind, index)     writes what the container number ``index``, one of
                                  ``kind``, holds now
    rpx_restart(), rpx_end()      forget what was written; forget the call
    rpx_release(ticket)           the memory of a buffer is Python's alone again
    rpx_handle_class(handle), rpx_handle_free(handle)
    rpx_sweep(words)              free those of some handles that only Python keeps alive
    rpx_collect()                 a collection, with the finalizers of what is dead

In words, a list, dict, set or bytearray is its number in the call and, when it is the first
time that it crosses, its contents; an instance is its handle.  See ``ll.ll_extension``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.program.classdef import ClassDef
from rpython.annotator.program.enums import is_enum
from rpython.lltypesystem.llmemory import GCREF
from rpython.lltypesystem.lltype import (
    Bool,
    Float,
    FuncType,
    Ptr,
    Signed,
    Void,
    cast_pointer,
    functionptr,
    malloc,
)
from rpython.lltypesystem.rclass import OBJECTPTR
from rpython.rtyper.boundary.callables import NUMBER, Python, is_pythons
from rpython.rtyper.boundary.marshal import (
    WORDSPTR,
    WRITERPTR,
    Frame,
    Marshaller,
    copy_graph,
    length_graph,
)
from rpython.rtyper.kinds.bytearray import ByteArrayRepr
from rpython.rtyper.kinds.dict import DictRepr
from rpython.rtyper.kinds.enumint import EnumIntRepr
from rpython.rtyper.kinds.instance import InstanceRepr, void
from rpython.rtyper.kinds.list import BaseListRepr
from rpython.rtyper.kinds.outsideview import OutsideView
from rpython.rtyper.kinds.set import AnySetRepr
from rpython.rtyper.kinds.str import CharRepr
from rpython.rtyper.kinds.tuple import TupleRepr
from rpython.rtyper.ll import ll_extension, ll_marshal, ll_outsideview
from rpython.rtyper.rmodel import ImpossibleRepr, NoneRepr, NullableRepr, Repr
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Constant, FunctionGraph, Value
from rpython.translator.ir.records import dataclass

if TYPE_CHECKING:
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper

HANDLE = "module_handle"
READERPTR = Ptr(ll_marshal.READER)
SCALARS = (Signed, Float, Bool)


@dataclass(frozen=True)
class Function:
    """A function for Python: its C symbol and its annotated graph.  ``packed``: are the arguments
    a tuple, the graph's last argument?  ``direct``: is each argument one of the C function, as it
    is or (``by_words``) as a pointer to its words?  Then the result is that of the C function, or
    (``result_by_words``) with the writer."""

    symbol: str
    graph: FunctionGraph
    direct: bool
    packed: bool = False
    by_words: tuple[bool, ...] = ()
    result_by_words: bool = False


class ExtensionMarshaller(Marshaller):
    """How values cross between Python and an extension module."""

    def __init__(self, rtyper: RPythonTyper, roots: list[ClassDef], python: Python) -> None:
        """``roots``: the classes whose instances Python can know, the most general ones."""
        self.rtyper = rtyper
        self.python = python
        python.marshaller = self
        self.roots = roots
        self.kinds: list[Repr] = []
        """The kinds of containers that cross, by number."""
        self._decoders: list[Any] = []
        self._encoders: list[Any] = []
        for classdef in roots:
            rtyper.extra_fields[classdef] = ((HANDLE, Signed),)
        self.v_state = Constant(malloc(ll_extension.STATE, immortal=True), ll_extension.STATEPTR)

    # -- instances ----------------------------------------------------------------------------

    def handle(self, llops: LowLevelOpList, r: InstanceRepr, v: Value) -> Value:
        """The number of an instance."""
        v_home = self._home(llops, r.classdef, v)
        v_object = self.rtyper.classes.upcast(v, llops)
        return llops.gendirectcall(ll_extension.ll_handle, self.v_state, v_home, v_object)

    def _home(self, llops: LowLevelOpList, classdef: ClassDef, v: Value) -> Value:
        for above in classdef.mro():
            if above in self.roots:
                r: InstanceRepr = self.rtyper.instance_repr(above)
                return self.rtyper.classes.cast(v, r.lowleveltype, llops)
        raise TyperError(f"instances of {classdef.name} do not cross to Python")

    def instance(self, llops: LowLevelOpList, r: InstanceRepr, v_handle: Value) -> Value:
        """The instance with this number."""
        v = llops.gendirectcall(ll_extension.ll_handle_object, self.v_state, v_handle)
        return self.rtyper.classes.cast(v, r.lowleveltype, llops)

    # -- values in words ----------------------------------------------------------------------

    def keep(self, llops: LowLevelOpList, r: Repr, v: Value) -> None:
        if is_container(r):
            v_ref = llops.genop("cast_opaque_ptr", [v], GCREF)
            llops.gendirectcall(ll_extension.ll_keep, self.v_state, v_ref)

    def decode(self, llops: LowLevelOpList, r: Repr, v_reader: Value) -> Value:
        if isinstance(r, InstanceRepr) and is_enum(r.classdef.cls):
            v_index = llops.gendirectcall(ll_marshal.ll_read_word, v_reader)
            v_member = llops.gendirectcall(ll_extension.ll_member, self._members(r), v_index)
            return self.rtyper.classes.cast(v_member, r.lowleveltype, llops)
        if isinstance(r, InstanceRepr) and is_pythons(r.classdef.cls):
            v_number = llops.gendirectcall(ll_marshal.ll_read_word, v_reader)
            return self.python.instance(llops, r.classdef.cls, v_number)
        if isinstance(r, InstanceRepr):
            v_handle = llops.gendirectcall(ll_marshal.ll_read_word, v_reader)
            return self.instance(llops, r, v_handle)
        if isinstance(r, OutsideView):
            return llops.gendirectcall(ll_outsideview.ll_read_view, self.v_state, v_reader)
        if isinstance(r, CharRepr):
            return llops.gendirectcall(ll_extension.ll_read_char, v_reader)
        if is_container(r):
            return llops.call_pointer(self._decoders[self.kind_of(r)], [v_reader])
        return super().decode(llops, r, v_reader)

    def encode(self, llops: LowLevelOpList, r: Repr, v_writer: Value, v: Value) -> None:
        if isinstance(r, InstanceRepr) and is_enum(r.classdef.cls):
            v_object = self.rtyper.classes.upcast(v, llops)
            v_index = llops.gendirectcall(
                ll_extension.ll_member_number, self._members(r), v_object
            )
            llops.gendirectcall(ll_marshal.ll_write_word, v_writer, v_index)
        elif isinstance(r, InstanceRepr) and is_pythons(r.classdef.cls):
            field = [v, void(f"inst_{NUMBER}")]
            v_number: Value = llops.genop("getfield", field, Signed)
            llops.gendirectcall(ll_marshal.ll_write_word, v_writer, v_number)
        elif isinstance(r, InstanceRepr):
            llops.gendirectcall(ll_marshal.ll_write_word, v_writer, self.handle(llops, r, v))
        elif is_container(r):
            llops.call_pointer(self._encoders[self.kind_of(r)], [v_writer, v])
        else:
            super().encode(llops, r, v_writer, v)

    def _members(self, r: InstanceRepr) -> Constant:
        """The members of an enum, in order."""

        def make() -> Any:
            cls: Any = r.classdef.cls
            members = list(cls)
            array = malloc(ll_extension.OBJECTS, len(members), immortal=True)
            for i, member in enumerate(members):
                array[i] = cast_pointer(OBJECTPTR, r.convert_const(member))
            return array

        array = self.rtyper.items.constant(("members", r.classdef.cls), make)
        return Constant(array, Ptr(ll_extension.OBJECTS))

    def kind_of(self, r: Repr) -> int:
        """The number of a kind of container; makes its graphs the first time."""
        if r not in self.kinds:
            kind = len(self.kinds)
            self.kinds.append(r)
            rtyper, T = self.rtyper, r.lowleveltype
            decoder = Frame(rtyper, f"rpx_decode_{kind}", FuncType([READERPTR], T))
            encoder = Frame(rtyper, f"rpx_encode_{kind}", FuncType([WRITERPTR, T], Void))
            for frame, pointers in ((decoder, self._decoders), (encoder, self._encoders)):
                graph = frame.llgraph
                args = [v.concretetype for v in frame.args]
                F = FuncType(args, graph.getreturnvar().concretetype)
                pointers.append(functionptr(F, graph.name, graph=graph))
            self._write_decoder(decoder, r)
            self._write_encoder(encoder, r)
        return self.kinds.index(r)

    def _write_decoder(self, frame: Frame, r: Repr) -> None:
        llops, (v_reader,) = frame.llops, frame.args
        v_index = llops.gendirectcall(ll_marshal.ll_read_word, v_reader)
        v_ref = llops.gendirectcall(ll_extension.ll_ref, self.v_state, v_index)
        known, new = llops.branch(llops.genop("ptr_nonzero", [v_ref], Bool))
        llops.at(known)
        v_known = llops.genop("cast_opaque_ptr", [v_ref], r.lowleveltype)
        llops.goto(frame.llgraph.returnblock, v_known)
        llops.at(new)
        frame.finish(super().decode(llops, r, v_reader))

    def _write_encoder(self, frame: Frame, r: Repr) -> None:
        llops, (v_writer, v) = frame.llops, frame.args
        v_ref = llops.genop("cast_opaque_ptr", [v], GCREF)
        v_index = llops.gendirectcall(ll_extension.ll_find, self.v_state, v_ref)
        v_new = llops.genop("int_lt", [v_index, Constant(0, Signed)], Bool)
        new, known = llops.branch(v_new)
        llops.at(known)
        llops.gendirectcall(ll_marshal.ll_write_word, v_writer, v_index)
        llops.goto(frame.llgraph.returnblock, void(None))
        llops.at(new)
        v_next = llops.gendirectcall(ll_extension.ll_keep, self.v_state, v_ref)
        llops.gendirectcall(ll_marshal.ll_write_word, v_writer, v_next)
        super().encode(llops, r, v_writer, v)
        frame.finish(void(None))

    # -- graphs -------------------------------------------------------------------------------

    def function_graph(self, function: Function) -> FunctionGraph:
        """The graph that C calls."""
        if function.direct:
            return self._direct_graph(function)
        rtyper, graph = self.rtyper, function.graph
        frame = Frame(rtyper, function.symbol, FuncType([WORDSPTR], Void))
        llops = frame.llops
        v_reader = llops.gendirectcall(ll_extension.ll_begin, self.v_state, frame.args[0])
        args = [self.decode(llops, rtyper.bindingrepr(v), v_reader) for v in graph.getargs()]
        llops.gendirectcall(ll_extension.ll_begun, self.v_state)
        v_result = llops.call_pointer(rtyper.graph_pointer(graph), args)
        v_writer = llops.gendirectcall(ll_extension.ll_state_writer, self.v_state)
        self.encode(llops, rtyper.bindingrepr(graph.getreturnvar()), v_writer, v_result)
        return frame.finish(void(None))

    def _direct_graph(self, function: Function) -> FunctionGraph:
        rtyper, graph = self.rtyper, function.graph
        reprs = argument_reprs(rtyper, graph, function.packed)
        r_result = rtyper.bindingrepr(graph.getreturnvar())
        words = any(function.by_words) or function.result_by_words
        if not (function.packed or words or any(map(is_instance, [*reprs, r_result]))):
            rtyper.graph_pointer(graph)
            return rtyper.llgraphs[graph]
        types = [
            WORDSPTR if by_words else Signed if is_instance(r) else r.lowleveltype
            for r, by_words in zip(reprs, function.by_words, strict=True)
        ]
        RESULT = Signed if is_instance(r_result) else r_result.lowleveltype
        if function.result_by_words:
            RESULT = Void
        frame = Frame(rtyper, function.symbol, FuncType(types, RESULT))
        llops = frame.llops
        args = [
            self._from_words(llops, r, v) if by_words else self._from_handle(llops, r, v)
            for r, v, by_words in zip(reprs, frame.args, function.by_words, strict=True)
        ]
        if function.packed:
            r_tuple = rtyper.bindingrepr(graph.getargs()[-1])
            assert isinstance(r_tuple, TupleRepr)
            bound = len(graph.getargs()) - 1
            items = zip(args[bound:], r_tuple.items_s, r_tuple.items_r, strict=True)
            args[bound:] = [r_tuple.build(llops, [(v, s.without_const(), r) for v, s, r in items])]
        v_result: Value = llops.call_pointer(rtyper.graph_pointer(graph), args)
        if function.result_by_words:
            v_writer = llops.gendirectcall(ll_extension.ll_fresh_writer, self.v_state)
            self.encode(llops, r_result, v_writer, v_result)
            return frame.finish(void(None))
        if not is_instance(r_result):
            return frame.finish(v_result)
        if isinstance(r_result, NullableRepr):
            none, some = llops.branch(r_result.is_null(v_result, llops))
            llops.at(none)
            llops.goto(frame.llgraph.returnblock, Constant(0, Signed))
            llops.at(some)
            r_result = r_result.inner
        assert isinstance(r_result, InstanceRepr)
        return frame.finish(self.handle(llops, r_result, v_result))

    def _from_words(self, llops: LowLevelOpList, r: Repr, v_words: Value) -> Value:
        v_reader = llops.gendirectcall(ll_extension.ll_reader_at, self.v_state, v_words)
        return self.decode(llops, r, v_reader)

    def _from_handle(self, llops: LowLevelOpList, r: Repr, v: Value) -> Value:
        """An argument; the handle 0 is None."""
        if isinstance(r, InstanceRepr):
            return self.instance(llops, r, v)
        if not is_instance(r):
            return v
        assert isinstance(r, NullableRepr) and isinstance(r.inner, InstanceRepr)
        done = llops.new_join(r.lowleveltype)
        some, none = llops.branch(llops.genop("int_is_true", [v], Bool))
        llops.at(none)
        llops.goto(done, Constant(r.null(), r.lowleveltype))
        llops.at(some)
        llops.goto(done, self.instance(llops, r.inner, v))
        llops.at(done)
        return done.inputargs[0]

    def exports(self, functions: list[Function]) -> dict[str, FunctionGraph]:
        """The graphs to export, by C symbol."""
        graphs = {function.symbol: self.function_graph(function) for function in functions}
        graphs["rpx_contents"] = self._contents_graph()
        for name, helper, RESULT in (
            ("rpx_restart", ll_extension.ll_restart, Void),
            ("rpx_end", ll_extension.ll_end, Void),
            ("rpx_writer", ll_extension.ll_state_writer, WRITERPTR),
        ):
            frame = Frame(self.rtyper, name, FuncType([], RESULT))
            v: Value = frame.llops.gendirectcall(helper, self.v_state)
            graphs[name] = frame.finish(void(None) if RESULT is Void else v)
        graphs["rpx_release"] = self._release_graph()
        graphs["rpx_handle_class"] = self._handle_class_graph()
        graphs["rpx_handle_free"] = self._handle_free_graph()
        graphs["rpx_sweep"] = self._sweep_graph()
        graphs["rpx_collect"] = self._collect_graph()
        graphs["rpx_length"] = length_graph(self.rtyper)
        graphs["rpx_copy"] = copy_graph(self.rtyper)
        return graphs

    def _contents_graph(self) -> FunctionGraph:
        frame = Frame(self.rtyper, "rpx_contents", FuncType([Signed, Signed], Void))
        llops, (v_kind, v_index) = frame.llops, frame.args
        v_ref = llops.gendirectcall(ll_extension.ll_ref, self.v_state, v_index)
        v_writer = llops.gendirectcall(ll_extension.ll_state_writer, self.v_state)
        kind = 0
        while kind < len(self.kinds):  # writing one may find another
            r = self.kinds[kind]
            v_this = llops.genop("int_eq", [v_kind, Constant(kind, Signed)], Bool)
            yes, no = llops.branch(v_this)
            llops.at(yes)
            v = llops.genop("cast_opaque_ptr", [v_ref], r.lowleveltype)
            super().encode(llops, r, v_writer, v)
            llops.goto(frame.llgraph.returnblock, void(None))
            llops.at(no)
            kind += 1
        return frame.finish(void(None))

    def _release_graph(self) -> FunctionGraph:
        frame = Frame(self.rtyper, "rpx_release", FuncType([Signed], Void))
        frame.llops.gendirectcall(ll_outsideview.ll_release, self.v_state, frame.args[0])
        return frame.finish(void(None))

    def _handle_class_graph(self) -> FunctionGraph:
        frame = Frame(self.rtyper, "rpx_handle_class", FuncType([Signed], Signed))
        v = frame.llops.gendirectcall(ll_extension.ll_handle_class, self.v_state, frame.args[0])
        return frame.finish(v)

    def _sweep_graph(self) -> FunctionGraph:
        frame = Frame(self.rtyper, "rpx_sweep", FuncType([WORDSPTR], Void))
        llops, (v_words,) = frame.llops, frame.args
        v_weak = llops.gendirectcall(ll_extension.ll_sweep_begin, self.v_state, v_words)
        llops.genop("gc_collect", [self.rtyper.finalizers.state], Void)
        llops.gendirectcall(ll_extension.ll_sweep_end, self.v_state, v_words, v_weak)
        return frame.finish(void(None))

    def _collect_graph(self) -> FunctionGraph:
        frame = Frame(self.rtyper, "rpx_collect", FuncType([], Void))
        finalizers = self.rtyper.finalizers
        frame.llops.genop("gc_collect", [finalizers.state], Void)
        graph = frame.finish(void(None))
        finalizers.asked.append(graph)
        return graph

    def _handle_free_graph(self) -> FunctionGraph:
        frame = Frame(self.rtyper, "rpx_handle_free", FuncType([Signed], Void))
        llops, (v_handle,) = frame.llops, frame.args
        classes = self.rtyper.classes
        v = llops.gendirectcall(ll_extension.ll_handle_object, self.v_state, v_handle)
        for classdef in self.roots:
            yes, no = llops.branch(classes.isinstance_test(v, classdef, llops))
            llops.at(yes)
            v_home = self._home(llops, classdef, v)
            llops.gendirectcall(ll_extension.ll_free_handle, self.v_state, v_home, v_handle)
            llops.goto(frame.llgraph.returnblock, void(None))
            llops.at(no)
        return frame.finish(void(None))


def is_container(r: Repr) -> bool:
    """Is it a kind of container that can change?"""
    if isinstance(r, AnySetRepr):
        return r.host_type is set
    return isinstance(r, (BaseListRepr, DictRepr, ByteArrayRepr))


def is_instance(r: Repr) -> bool:
    """Is it a kind of instances that have handles, or of those and None?"""
    r = r.inner if isinstance(r, NullableRepr) else r
    return isinstance(r, InstanceRepr) and not (
        is_enum(r.classdef.cls) or is_pythons(r.classdef.cls)
    )


def argument_reprs(rtyper: RPythonTyper, graph: FunctionGraph, packed: bool) -> list[Repr]:
    """The Reprs of the arguments, those in a tuple one by one."""
    reprs = [rtyper.bindingrepr(v) for v in graph.getargs()]
    if packed:
        r_tuple = reprs.pop()
        assert isinstance(r_tuple, TupleRepr)
        reprs += r_tuple.items_r
    return reprs


def direct_arguments(rtyper: RPythonTyper, graph: FunctionGraph, packed: bool) -> list[bool]:
    """Which arguments are plain numbers or instances."""
    return [_is_number(r) or is_instance(r) for r in argument_reprs(rtyper, graph, packed)]


def has_direct_result(rtyper: RPythonTyper, graph: FunctionGraph) -> bool:
    """Is the result a plain number, an instance or None?"""
    r = rtyper.bindingrepr(graph.getreturnvar())
    return isinstance(r, (NoneRepr, ImpossibleRepr)) or _is_number(r) or is_instance(r)


def _is_number(r: Repr) -> bool:
    return r.lowleveltype in SCALARS and not isinstance(r, EnumIntRepr)
