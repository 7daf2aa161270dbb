"""Graphs that take a function's arguments from words and give its result as words.

    rpy_call(words) -> writer                 the function itself; rpy_call_1 the next, ...
    rpy_result_length(writer) -> Signed       how many words the result has
    rpy_result_copy(writer, words)            copies them out
    rpy_message(exception) -> writer          the message of an exception and the attributes
                                              that a class of the program gives it

A function of plain numbers needs none of that: it is exported as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeDictView
from rpython.annotator.program.classdef import ClassDef
from rpython.annotator.program.excattrs import is_fact
from rpython.lltypesystem.lltype import Bool, Float, FuncType, Ptr, Signed, SingleFloat, Void
from rpython.lltypesystem.rclass import CLASSTYPE, OBJECTPTR
from rpython.lltypesystem.rstr import BYTESPTR, STRPTR
from rpython.rtyper.callables import ThunkFrame
from rpython.rtyper.kinds.boxed import BoxedRepr
from rpython.rtyper.kinds.bytearray import ByteArrayRepr
from rpython.rtyper.kinds.dict import DictRepr
from rpython.rtyper.kinds.float import FloatRepr, SingleFloatRepr, extended
from rpython.rtyper.kinds.instance import InstanceRepr, void
from rpython.rtyper.kinds.int import BoolRepr, IntegerRepr
from rpython.rtyper.kinds.itemarray import ItemArrayRepr
from rpython.rtyper.kinds.iter import for_each
from rpython.rtyper.kinds.list import BaseListRepr
from rpython.rtyper.kinds.memoryview import MemoryViewRepr
from rpython.rtyper.kinds.mixed import MixedRepr
from rpython.rtyper.kinds.range import RangeRepr
from rpython.rtyper.kinds.set import AnySetRepr
from rpython.rtyper.kinds.str import CharRepr
from rpython.rtyper.kinds.tuple import TupleRepr
from rpython.rtyper.kinds.vartuple import VarTupleRepr
from rpython.rtyper.ll import ll_marshal
from rpython.rtyper.ll.ll_bytearray import ll_bytearray_to_bytes, ll_bytes_to_bytearray
from rpython.rtyper.ll.ll_str import ll_chr2str
from rpython.rtyper.ll.ll_text import FAILED
from rpython.rtyper.oplist import LowLevelOpList
from rpython.rtyper.rmodel import ImpossibleRepr, NoneRepr, NullableRepr, Repr
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Block, Constant, FunctionGraph, Value, Variable

if TYPE_CHECKING:
    from rpython.rtyper.rtyper import RPythonTyper

WORDSPTR = Ptr(ll_marshal.WORDS)
READERPTR = Ptr(ll_marshal.READER)
WRITERPTR = Ptr(ll_marshal.WRITER)

SCALARS = (Signed, Float, Bool)


def is_direct(rtyper: RPythonTyper, graph: FunctionGraph) -> bool:
    """Are all arguments and the result plain numbers (or the result None)?"""
    T = rtyper.graph_type(graph)
    return all(A in SCALARS for A in T.ARGS) and T.RESULT in (*SCALARS, Void)


def call_name(number: int) -> str:
    """The C symbol of the program's function of this number."""
    return f"rpy_call_{number}" if number else "rpy_call"


def call_exports(
    rtyper: RPythonTyper, graphs: Sequence[FunctionGraph]
) -> dict[str, FunctionGraph]:
    """The graphs to export, by C symbol, for calls of annotated graphs from the host."""
    calls = {}
    for number, graph in enumerate(graphs):
        name = call_name(number)
        if is_direct(rtyper, graph):
            rtyper.graph_pointer(graph)
            calls[name] = rtyper.llgraphs[graph]
        else:
            calls[name] = _call_graph(rtyper, graph, name)
    return {
        **calls,
        "rpy_message": message_graph(rtyper),
        "rpy_result_length": length_graph(rtyper),
        "rpy_result_copy": copy_graph(rtyper),
    }


class Frame:
    """A low-level graph being written."""

    def __init__(self, rtyper: RPythonTyper, name: str, T: FuncType) -> None:
        self.llgraph = rtyper.new_graph(name, T)
        frame: Any = ThunkFrame(self.llgraph, self.llgraph)
        self.llops = LowLevelOpList(rtyper, frame)
        self.llops.at(self.llgraph.startblock)
        self.args = self.llgraph.getargs()

    def finish(self, result: Value) -> FunctionGraph:
        self.llops.goto(self.llgraph.returnblock, result)
        return self.llgraph


def _call_graph(rtyper: RPythonTyper, graph: FunctionGraph, name: str) -> FunctionGraph:
    frame = Frame(rtyper, name, FuncType([WORDSPTR], WRITERPTR))
    llops = frame.llops
    v_reader = llops.gendirectcall(ll_marshal.ll_reader, frame.args[0])
    args = [COPYING.decode(llops, rtyper.bindingrepr(v), v_reader) for v in graph.getargs()]
    v_result = llops.call_pointer(rtyper.graph_pointer(graph), args)
    v_writer = llops.gendirectcall(ll_marshal.ll_writer)
    COPYING.encode(llops, rtyper.bindingrepr(graph.getreturnvar()), v_writer, v_result)
    return frame.finish(v_writer)


def length_graph(rtyper: RPythonTyper) -> FunctionGraph:
    frame = Frame(rtyper, "rpy_result_length", FuncType([WRITERPTR], Signed))
    return frame.finish(frame.llops.gendirectcall(ll_marshal.ll_writer_length, frame.args[0]))


def copy_graph(rtyper: RPythonTyper) -> FunctionGraph:
    frame = Frame(rtyper, "rpy_result_copy", FuncType([WRITERPTR, WORDSPTR], Void))
    frame.llops.gendirectcall(ll_marshal.ll_writer_copy, *frame.args)
    return frame.finish(void(None))


def message_graph(rtyper: RPythonTyper) -> FunctionGraph:
    frame = Frame(rtyper, "rpy_message", FuncType([OBJECTPTR], WRITERPTR))
    llops = frame.llops
    r_base = rtyper.instance_repr(rtyper.annotator.constants.classdef(BaseException))
    v_base = rtyper.classes.cast(frame.args[0], r_base.lowleveltype, llops)
    v_message = llops.genop("getfield", [v_base, void("message")], STRPTR)
    v_text = _made(rtyper, llops, v_message)
    v_writer = llops.gendirectcall(ll_marshal.ll_message_words, v_text)
    v_class = rtyper.classes.typeptr(frame.args[0], llops)
    for classdef in rtyper.annotator.constants.classdefs:
        attributes = marshalled_attributes(rtyper, classdef)
        if attributes:
            vtable = Constant(rtyper.classes.vtable(classdef), CLASSTYPE)
            yes, no = llops.branch(llops.genop("ptr_eq", [v_class, vtable], Bool))
            llops.at(yes)
            COPYING.encode_attributes(llops, attributes, v_writer, frame.args[0])
            llops.goto(frame.llgraph.returnblock, v_writer)
            llops.at(no)
    return frame.finish(v_writer)


def _made(rtyper: RPythonTyper, llops: LowLevelOpList, v_message: Value) -> Value:
    """The message, null or a str."""
    done = llops.new_join(STRPTR)
    some, none = llops.branch(llops.genop("ptr_nonzero", [v_message], Bool))
    llops.at(none)
    llops.goto(done, v_message)
    llops.at(some)
    llops.goto(done, rtyper.texts.shown(llops, v_message, FAILED))
    llops.at(done)
    return done.inputargs[0]


def marshalled_attributes(
    rtyper: RPythonTyper, classdef: ClassDef
) -> list[tuple[str, InstanceRepr]]:
    """The attributes of an exception class of the program that cross to the host, and the
    Reprs of the classes that have them."""
    if not issubclass(classdef.cls, BaseException) or classdef.cls.__module__ == "builtins":
        return []
    result = []
    for base in classdef.mro():
        r: InstanceRepr = rtyper.instance_repr(base)
        for name, (_, r_field) in r.fields.items():
            if not is_fact(base.cls, name) and _crosses(r_field):
                result.append((name, r))
    return result


def _crosses(r: Repr) -> bool:
    """Can an attribute of this Repr be told to the host?"""
    if isinstance(r, (NullableRepr, BoxedRepr)):
        return _crosses(r.inner if isinstance(r, NullableRepr) else r.content)
    if isinstance(r, MixedRepr):
        return all(map(_crosses, r.parts_r))
    if isinstance(r, TupleRepr):
        return all(map(_crosses, r.items_r))
    if isinstance(r, VarTupleRepr):
        return _crosses(r.r_item)
    simple = (NoneRepr, IntegerRepr, BoolRepr, FloatRepr, SingleFloatRepr, CharRepr)
    return isinstance(r, simple) or r.lowleveltype in (STRPTR, BYTESPTR)


# -- one value --------------------------------------------------------------------------------


class Marshaller:
    """How values cross: all of them are copied."""

    def keep(self, llops: LowLevelOpList, r: Repr, v: Value) -> None:
        """Called with each new list, dict, set or bytearray before its items are read."""

    def decode(self, llops: LowLevelOpList, r: Repr, v_reader: Value) -> Value:
        """Read a value of ``r``.  Raises TyperError for kinds that do not cross."""
        if isinstance(r, (NoneRepr, ImpossibleRepr)):
            return void(None)
        if isinstance(r, IntegerRepr):
            if r.lowleveltype.bits > Signed.bits:
                v_word = llops.gendirectcall(ll_marshal.ll_read_two_words, v_reader)
            else:
                v_word = llops.gendirectcall(ll_marshal.ll_read_word, v_reader)
            if r.lowleveltype is v_word.concretetype:
                return v_word
            return llops.genop("cast_primitive", [v_word], r.lowleveltype)
        if isinstance(r, BoolRepr):
            v_word = llops.gendirectcall(ll_marshal.ll_read_word, v_reader)
            return llops.genop("int_is_true", [v_word], Bool)
        if isinstance(r, FloatRepr):
            return llops.gendirectcall(ll_marshal.ll_read_float, v_reader)
        if isinstance(r, SingleFloatRepr):
            v_float = llops.gendirectcall(ll_marshal.ll_read_float, v_reader)
            return llops.genop("cast_float_to_singlefloat", [v_float], SingleFloat)
        if r.lowleveltype == STRPTR and not isinstance(r, NullableRepr):
            return llops.gendirectcall(ll_marshal.ll_read_str, v_reader)
        if r.lowleveltype == BYTESPTR and not isinstance(r, NullableRepr):
            return llops.gendirectcall(ll_marshal.ll_read_bytes, v_reader)
        if isinstance(r, ByteArrayRepr):
            v_bytes = llops.gendirectcall(ll_marshal.ll_read_bytes, v_reader)
            v_array = llops.gendirectcall(ll_bytes_to_bytearray, v_bytes)
            self.keep(llops, r, v_array)
            return v_array
        if isinstance(r, TupleRepr):
            items = [(self.decode(llops, item, v_reader), s.without_const(), item)
                     for item, s in zip(r.items_r, r.items_s)]  # fmt: skip
            return r.build(llops, items)
        if isinstance(r, MemoryViewRepr):
            v_bytes = llops.gendirectcall(ll_marshal.ll_read_bytes, v_reader)
            return r.view(v_bytes, llops)
        if isinstance(r, RangeRepr):
            words = [llops.gendirectcall(ll_marshal.ll_read_word, v_reader) for _ in range(3)]
            return r.build(llops, words[0], words[1], words[2])
        if isinstance(r, NullableRepr):
            return self.decode_nullable(llops, r, v_reader)
        if isinstance(r, MixedRepr):
            return self.decode_mixed(llops, r, v_reader)
        if isinstance(r, BoxedRepr):
            return r.close(llops, self.decode(llops, r.content, v_reader))
        if isinstance(r, ItemArrayRepr):
            return self.decode_items(llops, r, v_reader)
        if isinstance(r, (DictRepr, AnySetRepr)):
            return self.decode_table(llops, r, v_reader)
        raise TyperError(f"an argument of kind {r!r} cannot be passed to native code")

    def decode_nullable(self, llops: LowLevelOpList, r: NullableRepr, v_reader: Value) -> Value:
        v_flag = llops.gendirectcall(ll_marshal.ll_read_word, v_reader)
        done = Block([Variable("value", r.lowleveltype)])
        some, none = llops.branch(llops.genop("int_is_true", [v_flag], Bool))
        llops.at(none)
        llops.goto(done, Constant(r.null(), r.lowleveltype))
        llops.at(some)
        llops.goto(done, self.decode(llops, r.inner, v_reader))
        llops.at(done)
        return done.inputargs[0]

    def decode_mixed(self, llops: LowLevelOpList, r: MixedRepr, v_reader: Value) -> Value:
        """The number of a part, and a value of that; in a function of its own, since an item of
        what is decoded may be of the same kinds."""

        def build(inner: LowLevelOpList, args: list[Value]) -> Value:
            v_which = inner.gendirectcall(ll_marshal.ll_read_word, args[0])
            done = inner.new_join(r.lowleveltype)
            for which, r_part in enumerate(r.parts_r):
                yes, no = inner.branch(
                    inner.genop("int_eq", [v_which, Constant(which, Signed)], Bool)
                )
                inner.at(yes)
                v_part = self.decode(inner, r_part, args[0])
                inner.goto(done, r.close(inner, which, v_part))
                inner.at(no)
            inner.unreachable()
            inner.at(done)
            return done.inputargs[0]

        T = FuncType([READERPTR], r.lowleveltype)
        function = llops.rtyper.items.function((self, "decode", r), "decode_mixed", T, build)
        return llops.call_pointer(function.pointer, [v_reader])

    def encode_mixed(
        self, llops: LowLevelOpList, r: MixedRepr, v_writer: Value, v: Value
    ) -> None:
        def build(inner: LowLevelOpList, args: list[Value]) -> Value:
            done = Block([])
            for which, block in enumerate(r.cases(inner, args[1])):
                inner.at(block)
                number = Constant(which, Signed)
                inner.gendirectcall(ll_marshal.ll_write_word, args[0], number)
                v_part = r.part(inner, args[1], which)
                self.encode(inner, r.parts_r[which], args[0], v_part)
                inner.goto(done)
            inner.at(done)
            return void(None)

        T = FuncType([WRITERPTR, r.lowleveltype], Void)
        function = llops.rtyper.items.function((self, "encode", r), "encode_mixed", T, build)
        llops.call_pointer(function.pointer, [v_writer, v])

    def encode(self, llops: LowLevelOpList, r: Repr, v_writer: Value, v: Value) -> None:
        """Write a value of ``r``.  Raises TyperError for kinds that do not cross."""
        if isinstance(r, (NoneRepr, ImpossibleRepr)):
            return
        if isinstance(r, IntegerRepr):
            if r.lowleveltype.bits > Signed.bits:
                llops.gendirectcall(ll_marshal.ll_write_two_words, v_writer, v)
                return
            if r.lowleveltype is not Signed:
                v = llops.genop("cast_primitive", [v], Signed)
            llops.gendirectcall(ll_marshal.ll_write_word, v_writer, v)
        elif isinstance(r, BoolRepr):
            v_word = llops.genop("cast_bool_to_int", [v], Signed)
            llops.gendirectcall(ll_marshal.ll_write_word, v_writer, v_word)
        elif isinstance(r, FloatRepr):
            llops.gendirectcall(ll_marshal.ll_write_float, v_writer, v)
        elif isinstance(r, SingleFloatRepr):
            llops.gendirectcall(ll_marshal.ll_write_float, v_writer, extended(llops, v))
        elif isinstance(r, TupleRepr):
            for i, item in enumerate(r.items_r):
                self.encode(llops, item, v_writer, r.getitem(llops, v, i))
        elif isinstance(r, RangeRepr):
            for v_part in r.parts(llops, v):
                llops.gendirectcall(ll_marshal.ll_write_word, v_writer, v_part)
        elif isinstance(r, NullableRepr):
            self.encode_nullable(llops, r, v_writer, v)
        elif isinstance(r, MixedRepr):
            self.encode_mixed(llops, r, v_writer, v)
        elif isinstance(r, BoxedRepr):
            self.encode(llops, r.content, v_writer, r.open(llops, v))
        elif isinstance(r, CharRepr):
            v_str = llops.gendirectcall(ll_chr2str, v)
            llops.gendirectcall(ll_marshal.ll_write_str, v_writer, v_str)
        elif r.lowleveltype == STRPTR:
            llops.gendirectcall(ll_marshal.ll_write_str, v_writer, v)
        elif r.lowleveltype == BYTESPTR:
            llops.gendirectcall(ll_marshal.ll_write_bytes, v_writer, v)
        elif isinstance(r, ByteArrayRepr):
            v_bytes = llops.gendirectcall(ll_bytearray_to_bytes, v)
            llops.gendirectcall(ll_marshal.ll_write_bytes, v_writer, v_bytes)
        elif isinstance(r, ItemArrayRepr):
            self.encode_items(llops, r, v_writer, v)
        elif isinstance(r, (DictRepr, AnySetRepr)):
            self.encode_table(llops, r, v_writer, v)
        else:
            raise TyperError(f"a result of kind {r!r} cannot be returned to the host")

    def encode_nullable(
        self, llops: LowLevelOpList, r: NullableRepr, v_writer: Value, v: Value
    ) -> None:
        done = Block([])
        none, some = llops.branch(r.is_null(v, llops))
        llops.at(none)
        llops.gendirectcall(ll_marshal.ll_write_word, v_writer, Constant(0, Signed))
        llops.goto(done)
        llops.at(some)
        llops.gendirectcall(ll_marshal.ll_write_word, v_writer, Constant(1, Signed))
        self.encode(llops, r.inner, v_writer, v)
        llops.goto(done)
        llops.at(done)

    def encode_attributes(
        self, llops: LowLevelOpList, attributes: list[tuple[str, InstanceRepr]], v_writer: Value,
        v: Value,
    ) -> None:  # fmt: skip
        """Write for each attribute of an exception whether it is set and, if so, its value."""
        for name, r in attributes:
            v_home = llops.rtyper.classes.cast(v, r.lowleveltype, llops)
            v_set: Value = Constant(True, Bool)
            if name in r.unset_flags:
                v_set = llops.genop("getfield", [v_home, void(f"has_{name}")], Bool)
            v_word = llops.genop("cast_bool_to_int", [v_set], Signed)
            llops.gendirectcall(ll_marshal.ll_write_word, v_writer, v_word)
            yes, done = llops.branch(v_set)
            llops.at(yes)
            r_field = r.fields[name][1]
            T = r_field.lowleveltype
            v_value = llops.genop("getfield", [v_home, void(f"inst_{name}")], T)
            self.encode(llops, r_field, v_writer, v_value)
            llops.goto(done)
            llops.at(done)

    def decode_items(self, llops: LowLevelOpList, r: ItemArrayRepr, v_reader: Value) -> Value:
        """A list, or a tuple of unknown length."""
        v_length = llops.gendirectcall(ll_marshal.ll_read_word, v_reader)
        v_list = r.newlist(llops, v_length)
        if isinstance(r, BaseListRepr):
            self.keep(llops, r, v_list)
        if r.ITEMS.OF in (Signed, Float):
            v_items = r.items(llops, v_list)
            llops.gendirectcall(ll_marshal.ll_read_ints, v_reader, v_items, v_length)
            return v_list
        for v_index in counting(llops, v_length):
            r.setitem(llops, v_list, v_index, self.decode(llops, r.r_item, v_reader))
        return v_list

    def encode_items(
        self, llops: LowLevelOpList, r: ItemArrayRepr, v_writer: Value, v: Value
    ) -> None:
        v_length = r.length(llops, v)
        llops.gendirectcall(ll_marshal.ll_write_word, v_writer, v_length)
        if r.ITEMS.OF in (Signed, Float):
            v_items = r.items(llops, v)
            llops.gendirectcall(ll_marshal.ll_write_ints, v_writer, v_items, v_length)
            return
        if r.ITEMS.OF == STRPTR and not isinstance(r.r_item, NullableRepr):
            texts = (v_writer, r.items(llops, v), v_length)
            llops.gendirectcall(ll_marshal.ll_reserve_texts, *texts)
        for v_index in counting(llops, v_length):
            self.encode(llops, r.r_item, v_writer, r.getitem(llops, v, v_index))

    def decode_table(
        self, llops: LowLevelOpList, r: DictRepr | AnySetRepr, v_reader: Value
    ) -> Value:
        v_length = llops.gendirectcall(ll_marshal.ll_read_word, v_reader)
        v = r.newdict(llops) if isinstance(r, DictRepr) else r.new(llops)
        self.keep(llops, r, v)
        for _ in counting(llops, v_length):
            if isinstance(r, AnySetRepr):
                r.add(llops, v, self.decode(llops, r.r_item, v_reader))
            else:
                v_key = self.decode(llops, r.r_key, v_reader)
                r.put(llops, v, v_key, self.decode(llops, r.r_value, v_reader))
        return v

    def encode_table(
        self, llops: LowLevelOpList, r: DictRepr | AnySetRepr, v_writer: Value, v: Value
    ) -> None:
        """A dict or a set: how many items, then each."""
        v_length = llops.genop("getfield", [v, void("live")], Signed)
        llops.gendirectcall(ll_marshal.ll_write_word, v_writer, v_length)
        if not r.s_key.kinds:
            return
        r_iter = r.make_iterator_repr("")
        if isinstance(r, DictRepr):
            r_view: Any = llops.rtyper.getrepr(SomeDictView(r.dictdef, "items"))
            r_iter = r_view.make_iterator_repr("")

        def write(v_item: Value, state: list[Value]) -> list[Value]:
            self.encode(llops, r_iter.r_item, v_writer, v_item)
            return []

        for_each(llops, r_iter, r_iter.newiter(llops, v), [], write)


COPYING = Marshaller()


def counting(llops: LowLevelOpList, v_length: Value) -> Iterator[Variable]:
    """Emit a loop from 0 to ``v_length``: yields the index, once, for the loop's body to be
    emitted; the code goes on behind the loop."""
    head = Block([Variable("i", Signed)])
    llops.goto(head, Constant(0, Signed))
    llops.at(head)
    (v_index,) = head.inputargs
    body, behind = llops.branch(llops.genop("int_lt", [v_index, v_length], Bool))
    llops.at(body)
    yield v_index
    llops.goto(head, llops.genop("int_add", [v_index, Constant(1, Signed)], Signed))
    llops.at(behind)
