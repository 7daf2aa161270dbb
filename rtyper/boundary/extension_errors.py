"""The graph of an extension module that writes an exception for Python to raise:

    rpx_message(exception) -> writer

writes its text (0: none, 1: the str that follows, 2: it has no text here), the number of its
form with the arguments (see ``exception_constructors``), and its attributes, each with a flag in
front that says whether it is set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeInstance, SomeObject, SomeTuple, s_Str
from rpython.annotator.program.classdef import ClassDef
from rpython.annotator.program.excattrs import is_fact
from rpython.lltypesystem.llmemory import GCREF
from rpython.lltypesystem.lltype import Bool, FuncType, Signed
from rpython.lltypesystem.rclass import CLASSTYPE, OBJECTPTR
from rpython.lltypesystem.rstr import STRPTR
from rpython.rtyper.boundary.exception_constructors import (
    ARGUMENTS,
    FORM,
    ArgumentType,
    ExceptionConstructors,
    Form,
)
from rpython.rtyper.boundary.extension import ExtensionMarshaller, is_container
from rpython.rtyper.boundary.marshal import WRITERPTR, Frame, Marshaller
from rpython.rtyper.kinds.instance import InstanceRepr, void
from rpython.rtyper.ll import ll_extension, ll_marshal
from rpython.rtyper.rmodel import Repr
from rpython.translator.ir.model import Block, Constant, FunctionGraph, Value

if TYPE_CHECKING:
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper


class CopyingMarshaller(Marshaller):
    """Containers of the call are their numbers, others are -1 and their contents; instances are
    handles."""

    def __init__(self, handles: ExtensionMarshaller) -> None:
        self.handles = handles

    def encode(self, llops: LowLevelOpList, r: Repr, v_writer: Value, v: Value) -> None:
        if isinstance(r, InstanceRepr):
            self.handles.encode(llops, r, v_writer, v)
            return
        done = Block([])
        if is_container(r):
            v_ref = llops.genop("cast_opaque_ptr", [v], GCREF)
            v_index = llops.gendirectcall(ll_extension.ll_find, self.handles.v_state, v_ref)
            llops.gendirectcall(ll_marshal.ll_write_word, v_writer, v_index)
            v_new = llops.genop("int_lt", [v_index, Constant(0, Signed)], Bool)
            new, known = llops.branch(v_new)
            llops.at(known)
            llops.goto(done)
            llops.at(new)
        super().encode(llops, r, v_writer, v)
        llops.goto(done)
        llops.at(done)


class ErrorWriter:
    """Makes that graph."""

    def __init__(
        self, rtyper: RPythonTyper, forms: ExceptionConstructors, marshaller: ExtensionMarshaller,
        texts: Mapping[ClassDef, FunctionGraph],
    ) -> None:  # fmt: skip
        """``texts``: the annotated functions that give the texts of exceptions of some classes,
        special ones first."""
        self.rtyper = rtyper
        self.forms = forms
        self.marshaller = CopyingMarshaller(marshaller)
        self.texts = texts
        self.known = 0
        for graph in texts.values():
            rtyper.graph_pointer(graph)  # they may know more forms

    def attributes(self, classdef: ClassDef) -> Iterator[tuple[str, InstanceRepr, SomeObject]]:
        """The attributes that the program gives exceptions of a class, with the Reprs of the
        classes that have them."""
        if classdef.cls.__module__ == "builtins":
            return
        for base in classdef.mro():
            r: InstanceRepr = self.rtyper.instance_repr(base)
            for name, (attribute, _) in r.fields.items():
                if not is_fact(base.cls, name):
                    yield name, r, attribute.s_value

    def marshalled_attributes(self, classdef: ClassDef) -> list[tuple[str, InstanceRepr]]:
        """Those that cross."""
        return [
            (name, r) for name, r, s in self.attributes(classdef) if self.forms.type_of(s).crosses
        ]

    def form_of_python(self, held: type, T: ArgumentType) -> int:
        """The number of the form of exceptions that come from Python; ``held``: the class whose
        instances keep them, ``T``: its type."""
        s_held = SomeInstance(self.rtyper.annotator.constants.classdef(held))
        r_tuple: Any = self.rtyper.getrepr(SomeTuple((s_held,)))
        return self.forms.number(Form("python", (T,), r_tuple))

    def graph(self) -> FunctionGraph:
        """To be made when the program is lowered, so that all forms are known."""
        rtyper = self.rtyper
        self.known = len(self.forms.known)
        frame = Frame(rtyper, "rpx_message", FuncType([OBJECTPTR], WRITERPTR))
        llops, v_exception = frame.llops, frame.args[0]
        r_base = rtyper.instance_repr(rtyper.annotator.constants.classdef(BaseException))
        v_base = rtyper.classes.cast(v_exception, r_base.lowleveltype, llops)
        v_text = self._text(llops, v_exception, v_base)
        v_writer = llops.gendirectcall(ll_extension.ll_error_words, v_text)
        v_form = llops.genop("getfield", [v_base, void(FORM)], Signed)
        llops.gendirectcall(ll_marshal.ll_write_word, v_writer, v_form)
        with_values = [
            (number, form) for number, form in enumerate(self.forms.known, 1)
            if form.values is not None
        ]  # fmt: skip
        told = Block([])
        for number, form in with_values:
            v_this = llops.genop("int_eq", [v_form, Constant(number, Signed)], Bool)
            yes, no = llops.branch(v_this)
            llops.at(yes)
            self._encode_arguments(llops, form, v_writer, v_base)
            llops.goto(told)
            llops.at(no)
        llops.goto(told)
        llops.at(told)
        self._encode_attributes(llops, v_writer, v_exception)
        return frame.finish(v_writer)

    def _text(self, llops: LowLevelOpList, v_exception: Value, v_base: Value) -> Value:
        """What the program's ``__str__`` gives, or the message."""
        rtyper = self.rtyper
        known = llops.new_join(STRPTR)
        for classdef, graph in self.texts.items():
            test = rtyper.classes.isinstance_test(v_exception, classdef, llops)
            yes, no = llops.branch(test)
            llops.at(yes)
            T = rtyper.bindingrepr(graph.getargs()[0]).lowleveltype
            v_self = rtyper.classes.cast(v_exception, T, llops)
            v_text: Value = llops.call_pointer(rtyper.graph_pointer(graph), [v_self])
            r_text = rtyper.bindingrepr(graph.getreturnvar())
            llops.goto(known, llops.convertvar(v_text, r_text, rtyper.getrepr(s_Str)))
            llops.at(no)
        v_message = llops.genop("getfield", [v_base, void("message")], STRPTR)
        llops.goto(known, rtyper.texts.fixed(llops, v_message))
        llops.at(known)
        return known.inputargs[0]

    def _encode_arguments(
        self, llops: LowLevelOpList, form: Form, v_writer: Value, v_base: Value
    ) -> None:
        r: Any = form.values
        v_ref = llops.genop("getfield", [v_base, void(ARGUMENTS)], GCREF)
        v_tuple = llops.genop("cast_opaque_ptr", [v_ref], r.lowleveltype)
        self.marshaller.encode(llops, r, v_writer, v_tuple)

    def _encode_attributes(
        self, llops: LowLevelOpList, v_writer: Value, v_exception: Value
    ) -> None:
        rtyper = self.rtyper
        v_class = rtyper.classes.typeptr(v_exception, llops)
        done = Block([])
        for classdef in rtyper.annotator.constants.classdefs:
            if not issubclass(classdef.cls, BaseException):
                continue
            attributes = self.marshalled_attributes(classdef)
            if attributes:
                vtable = Constant(rtyper.classes.vtable(classdef), CLASSTYPE)
                yes, no = llops.branch(llops.genop("ptr_eq", [v_class, vtable], Bool))
                llops.at(yes)
                self.marshaller.encode_attributes(llops, attributes, v_writer, v_exception)
                llops.goto(done)
                llops.at(no)
        llops.goto(done)
        llops.at(done)
