"""What a program catches is its own, where it sets attributes of exceptions.

Built-in operations raise prebuilt instances, again and again.  In a program that writes to
exceptions of built-in classes, each catch of such an instance gets a copy::

    except IndexError as e:             e = renewed(exc)        exc.copy is a function for prebuilt
        e.add_note("here")      =>      e.add_note("here")      instances, null for others

The copy has the traceback of the original.  All other programs share the instances.

Where the program uses ``e.__context__``, what is caught gets what was being handled when it was
raised, which the machine remembers until then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpython.annotator.program.classdef import Attribute, ClassDef
from rpython.annotator.program.excattrs import SET_LATER, is_fact
from rpython.lltypesystem.lltype import Bool, FuncType, Ptr, Void, _ptr
from rpython.lltypesystem.rclass import OBJECTPTR, TWIN
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.ll.ll_exception import ll_set_context
from rpython.translator.ir.model import Constant, FunctionGraph, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.kinds.instance import InstanceRepr
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper

CONTEXT = "__context__"
COPY = "copy"
COPIER = Ptr(FuncType([OBJECTPTR], OBJECTPTR))
_NOT_COPIED = ("super", "typeptr", TWIN, COPY)


class OwnExceptions:
    """The copies of prebuilt exceptions of one program."""

    def __init__(self, rtyper: RPythonTyper) -> None:
        self._rtyper = rtyper
        self._copiers: list[FunctionGraph] = []
        self.are_made = any(
            _is_written(attribute)
            for classdef in rtyper.annotator.constants.classdefs
            if issubclass(classdef.cls, BaseException) and classdef.cls.__module__ == "builtins"
            for attribute in classdef.attrs.values()
        )
        """Does the program set attributes of exceptions that built-in operations may raise?"""
        base = rtyper.annotator.constants.classdef(BaseException)
        self.have_context = base.find_attribute(CONTEXT) is not None
        """Does the program use ``e.__context__``?"""

    def caught(self, llops: LowLevelOpList, v_exception: Value) -> Value:
        """A caught exception, as the program gets it."""
        if not self.are_made:
            return v_exception
        r_exception = self._rtyper.primitive_repr(OBJECTPTR)
        function = self._rtyper.items.make(
            "renewed", "renewed", (r_exception,), OBJECTPTR, self._build_renewed
        )
        v_own = llops.call_pointer(function.pointer, [v_exception])
        self.set_context(llops, v_own)
        return v_own

    def set_context(self, llops: LowLevelOpList, v_exception: Value) -> None:
        """Give an exception that has been raised its context, if the program reads that."""
        if self.have_context:
            classes, base = self._rtyper.classes, self._base.classdef
            v_context = llops.genop("exception_context", [v_exception], OBJECTPTR)
            args_v = [classes.downcast(v, base, llops) for v in (v_exception, v_context)]
            llops.gendirectcall(ll_set_context, *args_v)

    def assign_context(self, hop: HighLevelOp, r: InstanceRepr) -> None:
        """``e.__context__ = context``: tell the machine, too."""
        classes = self._rtyper.classes
        r_base = self._base
        v_instance = classes.cast(hop.inputarg(r, 0), r_base.lowleveltype, hop.llops)
        _, r_field = r_base.fields[CONTEXT]
        v_context = hop.inputarg(r_field, 2)
        hop.genop("setfield", [v_instance, void(f"inst_{CONTEXT}"), v_context])
        args_v = [classes.upcast(v, hop.llops) for v in (v_instance, v_context)]
        hop.genop("set_context", args_v)

    def _build_renewed(self, llops: LowLevelOpList, args: list[Value]) -> Value:
        done = llops.new_join(OBJECTPTR)
        v_base = self._rtyper.classes.downcast(args[0], self._base.classdef, llops)
        v_copy = llops.genop("getfield", [v_base, void(COPY)], COPIER)
        prebuilt, other = llops.branch(llops.genop("ptr_nonzero", [v_copy], Bool))
        llops.at(other)
        llops.goto(done, args[0])
        llops.at(prebuilt)
        possible = Constant(self._copiers, Void)  # more will come
        llops.goto(done, llops.genop("indirect_call", [v_copy, args[0], possible], OBJECTPTR))
        llops.at(done)
        return done.inputargs[0]

    @property
    def _base(self) -> InstanceRepr:
        constants = self._rtyper.annotator.constants
        r: InstanceRepr = self._rtyper.instance_repr(constants.classdef(BaseException))
        return r

    def copier(self, classdef: ClassDef) -> _ptr:
        """The function that copies an instance of exactly this class."""
        rtyper = self._rtyper

        def build(llops: LowLevelOpList, args: list[Value]) -> Value:
            r = rtyper.instance_repr(classdef)
            v_new = r.new_instance(llops)
            v_old = rtyper.classes.downcast(args[0], classdef, llops)
            for above in classdef.mro():
                T = rtyper.instance_repr(above).lowleveltype
                v_from, v_to = (rtyper.classes.cast(v, T, llops) for v in (v_old, v_new))
                for name in T.TO._names:
                    if name not in _NOT_COPIED:
                        v = llops.genop("getfield", [v_from, void(name)], T.TO._flds[name])
                        llops.genop("setfield", [v_to, void(name), v])
            return rtyper.classes.upcast(v_new, llops)

        r_exception = rtyper.primitive_repr(OBJECTPTR)
        name = f"copy_{classdef.name}"
        pointer = rtyper.items.make(("copy", classdef), name, (r_exception,), OBJECTPTR, build)
        graph = pointer.pointer._obj.graph
        if graph not in self._copiers:
            self._copiers.append(graph)
        return pointer.pointer


def _is_written(attribute: Attribute) -> bool:
    if not attribute.s_value.kinds:
        return False
    return attribute.name in SET_LATER or not is_fact(attribute.homedef.cls, attribute.name)
