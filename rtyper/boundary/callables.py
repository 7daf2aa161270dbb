"""Python's callables in an extension module: what native code does with them.

    outcome = call(number, (3, "x"))        ``Ask``: the words of what Python has given or raised
    if raised(outcome):
        raise error(outcome)
    return result(outcome)                  ``Result``

An exception that comes from Python is an instance of the nearest class that the program knows, with
its text; it keeps the object of Python, which comes out again where nobody catches it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import (
    SomeInstance,
    SomeInteger,
    SomeObject,
    SomePtr,
    SomeTuple,
    s_Bool,
    s_None,
)
from rpython.annotator.lattice.union import contains
from rpython.annotator.program.classdef import ClassDef
from rpython.annotator.program.extregistry import ExtRegistryEntry
from rpython.lltypesystem.llmemory import GCREF
from rpython.lltypesystem.lltype import Bool, FuncType, Signed, _ptr, functionptr
from rpython.lltypesystem.rclass import CLASSTYPE, OBJECTPTR
from rpython.rtyper.boundary.exception_constructors import ARGUMENTS, FORM
from rpython.rtyper.boundary.marshal import WORDSPTR, Frame
from rpython.rtyper.kinds.instance import InstanceRepr, void
from rpython.rtyper.ll import ll_callables, ll_marshal
from rpython.translator.ir.model import Constant, FunctionGraph, Value
from rpython.translator.ir.records import dataclass

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper

S_OUTCOME = SomePtr(WORDSPTR)
IS_PYTHONS = "_rpython_pythons_"
"""The mark of classes whose instances stand for objects of Python."""
NUMBER = "python_number"
"""Their attribute: the number of the object, negative where it is Python's until the call ends."""


def is_pythons(cls: type) -> bool:
    """Do its instances stand for objects of Python?"""
    return IS_PYTHONS in vars(cls)


class Python:
    """What the operations of one program have in common."""

    def __init__(self) -> None:
        self.marshaller: Any = None
        """The ``ExtensionMarshaller``, when the program is lowered."""
        self.make: dict[type, FunctionGraph] = {}
        """The annotated graphs that make instances that stand for objects, by class."""
        self.wrong: list[str] = []
        """What is wrong with calls of Python."""
        self._maker: Frame | None = None

    def instance(self, llops: LowLevelOpList, cls: type, v_number: Value) -> Value:
        """The instance that stands for the object with this number."""
        pointer = llops.rtyper.graph_pointer(self.make[cls])
        return llops.call_pointer(pointer, [v_number])

    def error_maker(self, rtyper: RPythonTyper) -> _ptr:
        """The function that makes an exception of the words of an outcome."""
        if self._maker is None:
            F = FuncType([WORDSPTR], OBJECTPTR)
            self._maker = Frame(rtyper, "python_exception", F)
        graph = self._maker.llgraph
        return functionptr(FuncType([WORDSPTR], OBJECTPTR), graph.name, graph=graph)

    def write_error_maker(
        self, held: type, form: int,
        attributes: Callable[[ClassDef], list[tuple[str, InstanceRepr]]],
    ) -> None:  # fmt: skip
        """Its graph, when all classes of exceptions are known.  ``held``: the class whose instances
        keep exceptions of Python; ``form``: the number of their form; ``attributes``: those behind
        the text in the words, with the Reprs of the classes that have them."""
        if self._maker is None:
            return
        frame, llops = self._maker, self._maker.llops
        rtyper = llops.rtyper
        constants, classes = rtyper.annotator.constants, rtyper.classes
        v_reader = llops.gendirectcall(ll_callables.ll_outcome, frame.args[0])
        v_class = llops.gendirectcall(ll_marshal.ll_read_word, v_reader)
        v_number = llops.gendirectcall(ll_marshal.ll_read_word, v_reader)
        v_text = llops.gendirectcall(ll_marshal.ll_read_str, v_reader)
        s_held = SomeInstance(constants.classdef(held))
        r_held = rtyper.getrepr(s_held)
        r_tuple: Any = rtyper.getrepr(SomeTuple((s_held,)))
        v_held = self.instance(llops, held, v_number)
        v_tuple = r_tuple.build(llops, [(v_held, s_held, r_held)])
        v_arguments = llops.genop("cast_opaque_ptr", [v_tuple], GCREF)
        r_base: InstanceRepr = rtyper.instance_repr(constants.classdef(BaseException))
        for classdef in constants.classdefs:
            if not issubclass(classdef.cls, BaseException):
                continue
            vtable = Constant(classes.vtable(classdef), CLASSTYPE)
            v_this = llops.gendirectcall(ll_callables.ll_class_number, vtable)
            yes, no = llops.branch(llops.genop("int_eq", [v_class, v_this], Bool))
            llops.at(yes)
            v_new = rtyper.instance_repr(classdef).new_instance(llops)
            v_base = classes.cast(v_new, r_base.lowleveltype, llops)
            for name, v in (
                ("message", v_text), (FORM, Constant(form, Signed)), (ARGUMENTS, v_arguments)
            ):
                llops.genop("setfield", [v_base, void(name), v])
            for name, r in attributes(classdef):
                self._read_attribute(llops, name, r, v_reader, v_new)
            llops.gendirectcall(ll_callables.ll_done, frame.args[0])
            llops.goto(frame.llgraph.returnblock, classes.upcast(v_new, llops))
            llops.at(no)
        llops.unreachable()


    def _read_attribute(
        self, llops: LowLevelOpList, name: str, r: InstanceRepr, v_reader: Value, v_new: Value
    ) -> None:
        v = self.marshaller.decode(llops, r.fields[name][1], v_reader)
        v_home = llops.rtyper.classes.cast(v_new, r.lowleveltype, llops)
        llops.genop("setfield", [v_home, void(f"inst_{name}"), v])
        if name in r.unset_flags:
            llops.genop("setfield", [v_home, void(f"has_{name}"), Constant(True, Bool)])


@dataclass(eq=False)
class Ask:
    """Do something with a callable: number ``kind`` in the table of operations."""

    python: Python
    kind: int
    what: str
    name: str
    args_s: tuple[SomeObject, ...]
    s_result: SomeObject
    defaults: int = 0
    """How many arguments can be left out."""

    @property
    def shown(self) -> str:
        """How messages call it."""
        return f"a {self.name}"

    @property
    def least(self) -> int:
        """How many arguments it needs."""
        return len(self.args_s) - self.defaults

    def calls(self) -> list[SomeTuple]:
        """What is handed over, for each number of arguments: each has a row in the table."""
        return [SomeTuple(self.args_s)]

    def __call__(self, number: int, args: tuple[Any, ...]) -> Any:
        raise NotImplementedError

    def note_wrong(self, s_args: SomeObject) -> None:
        """Note what is wrong with the arguments of a call."""
        assert isinstance(s_args, SomeTuple)
        wrong = self.wrong(s_args.items)
        if wrong:
            self.python.wrong.append(wrong)

    def wrong(self, args_s: Sequence[SomeObject]) -> str:
        """What is wrong with these arguments, "" for nothing."""
        if not self.least <= len(args_s) <= len(self.args_s):
            wanted = len(self.args_s) if len(args_s) > self.least else self.least
            return f"{self.shown} is called with {len(args_s)} arguments, not {wanted}"
        for number, (s_wanted, s_given) in enumerate(zip(self.args_s, args_s), 1):
            if not contains(s_wanted, s_given.without_const()):
                given, wanted_type = s_given.describe(), s_wanted.describe()
                return f"argument {number} of {self.shown} is {given}, not {wanted_type}"
        return ""


@dataclass(eq=False)
class AskMember(Ask):
    """Call a method (``what`` "m") or read a property ("g") of an object that is of a class of
    Python: number ``kind`` with the fewest arguments, and one more with each one more.  ``args_s``:
    behind the object, ``s_self``."""

    member: str = ""
    s_self: SomeObject = s_None

    @property
    def shown(self) -> str:
        return f"{self.name}()" if self.what == "m" else self.name

    def calls(self) -> list[SomeTuple]:
        return [
            SomeTuple((self.s_self, *self.args_s[:count]))
            for count in range(self.least, len(self.args_s) + 1)
        ]

    def __call__(  # type: ignore[override]
        self, ticket: int, obj: Any, args: tuple[Any, ...]
    ) -> Any:
        raise NotImplementedError


@dataclass(eq=False)
class Result:
    """What has been given then."""

    ask: Ask

    def __call__(self, outcome: Any) -> Any:
        raise NotImplementedError


@dataclass(eq=False)
class Error:
    """What has been raised."""

    python: Python

    def __call__(self, outcome: Any) -> BaseException:
        raise NotImplementedError


def ticket() -> int:
    """The number of the object of Python that is being made."""
    raise NotImplementedError


def raised(outcome: Any) -> bool:
    """Has something been raised?"""
    raise NotImplementedError


def forget(number: int) -> None:
    """Native code has the object no longer."""
    raise NotImplementedError


class AskEntry(ExtRegistryEntry):
    _type_ = Ask

    def compute_result_annotation(self, s_number: SomeObject, s_args: SomeObject) -> SomeObject:
        self.instance.note_wrong(s_args)
        return S_OUTCOME

    def specialize_call(self, hop: HighLevelOp, **kwds_i: int) -> Value:
        ask, llops = self.instance, hop.llops
        marshaller = ask.python.marshaller
        v_number = hop.inputarg(Signed, 0)
        r_args = hop.rtyper.getrepr(SomeTuple(ask.args_s))
        v_args = hop.inputarg(r_args, 1)
        hop.exception_is_here()
        v_writer = llops.gendirectcall(ll_marshal.ll_writer)
        marshaller.encode(llops, r_args, v_writer, v_args)
        v_kind = Constant(ask.kind, Signed)
        return llops.gendirectcall(
            ll_callables.ll_python, marshaller.v_state, v_kind, v_number, v_writer
        )


class AskMemberEntry(ExtRegistryEntry):
    _type_ = AskMember

    def compute_result_annotation(
        self, s_ticket: SomeObject, s_self: SomeObject, s_args: SomeObject
    ) -> SomeObject:
        self.instance.note_wrong(s_args)
        return S_OUTCOME

    def specialize_call(self, hop: HighLevelOp, **kwds_i: int) -> Value:
        ask, llops = self.instance, hop.llops
        marshaller = ask.python.marshaller
        s_args = hop.args_s[2]
        assert isinstance(s_args, SomeTuple)
        more = len(s_args.items) - ask.least
        v_ticket = hop.inputarg(Signed, 0)
        r_self = hop.rtyper.getrepr(ask.s_self)
        r_args = hop.rtyper.getrepr(SomeTuple(ask.args_s[: len(s_args.items)]))
        v_self, v_args = hop.inputarg(r_self, 1), hop.inputarg(r_args, 2)
        hop.exception_is_here()
        v_writer = llops.gendirectcall(ll_marshal.ll_writer)
        marshaller.encode(llops, r_self, v_writer, v_self)
        marshaller.encode(llops, r_args, v_writer, v_args)
        v_kind = Constant(ask.kind + more, Signed)
        return llops.gendirectcall(
            ll_callables.ll_python, marshaller.v_state, v_kind, v_ticket, v_writer
        )


class ResultEntry(ExtRegistryEntry):
    _type_ = Result

    def compute_result_annotation(self, s_outcome: SomeObject) -> SomeObject:
        s_result: SomeObject = self.instance.ask.s_result
        return s_result

    def specialize_call(self, hop: HighLevelOp, **kwds_i: int) -> Value:
        ask, llops = self.instance.ask, hop.llops
        v_outcome = hop.args_v[0]
        hop.exception_is_here()
        v_reader = llops.gendirectcall(ll_callables.ll_outcome, v_outcome)
        r_result = hop.rtyper.getrepr(ask.s_result)
        v_result: Value = ask.python.marshaller.decode(llops, r_result, v_reader)
        llops.gendirectcall(ll_callables.ll_done, v_outcome)
        return v_result


class ErrorEntry(ExtRegistryEntry):
    _type_ = Error

    def compute_result_annotation(self, s_outcome: SomeObject) -> SomeObject:
        return SomeInstance(self.bookkeeper.getuniqueclassdef(BaseException))

    def specialize_call(self, hop: HighLevelOp, **kwds_i: int) -> Value:
        python = self.instance.python
        hop.exception_is_here()
        v = hop.llops.call_pointer(python.error_maker(hop.rtyper), [hop.args_v[0]])
        return hop.rtyper.classes.cast(v, hop.r_result.lowleveltype, hop.llops)


class TicketEntry(ExtRegistryEntry):
    _about_ = ticket

    def compute_result_annotation(self) -> SomeObject:
        return SomeInteger()

    def specialize_call(self, hop: HighLevelOp, **kwds_i: int) -> Value:
        hop.exception_cannot_occur()
        return hop.llops.gendirectcall(ll_callables.ll_ticket)


class RaisedEntry(ExtRegistryEntry):
    _about_ = raised

    def compute_result_annotation(self, s_outcome: SomeObject) -> SomeObject:
        return s_Bool

    def specialize_call(self, hop: HighLevelOp, **kwds_i: int) -> Value:
        hop.exception_cannot_occur()
        return hop.llops.gendirectcall(ll_callables.ll_raised, hop.args_v[0])


class ForgetEntry(ExtRegistryEntry):
    _about_ = forget

    def compute_result_annotation(self, s_number: SomeObject) -> SomeObject:
        return s_None

    def specialize_call(self, hop: HighLevelOp, **kwds_i: int) -> Value:
        hop.exception_cannot_occur()
        return hop.llops.gendirectcall(ll_callables.ll_forget, hop.inputarg(Signed, 0))
