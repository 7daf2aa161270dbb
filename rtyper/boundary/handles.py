"""Objects as handles, for C callers of a shared library: see ``ll.ll_handles``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpython.annotator.lattice.model import SomeInstance, SomeObject
from rpython.annotator.lattice.parts import parts_of
from rpython.annotator.program.classdef import ClassDef
from rpython.lltypesystem.lltype import Bool, FuncType, Signed, Void, malloc
from rpython.rtyper.boundary.marshal import Frame
from rpython.rtyper.kinds.instance import InstanceRepr, void
from rpython.rtyper.ll import ll_handles
from rpython.rtyper.rmodel import NullableRepr, Repr
from rpython.translator.ir.model import Constant, FunctionGraph, Value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper

FIELD = "library_handle"
RETAIN, RELEASE = "rpy_handle_retain", "rpy_handle_release"


class Handles:
    """Of one library; to be made before anything is lowered.  ``crossing``: the annotations of what
    crosses."""

    def __init__(self, rtyper: RPythonTyper, crossing: Iterable[SomeObject]) -> None:
        self.rtyper = rtyper
        self.roots: list[ClassDef] = []
        """The most general classes of the program above those whose instances cross."""
        for s in crossing:
            for part in parts_of(s):
                if isinstance(part, SomeInstance) and not _is_error(part.classdef):
                    root = [each for each in part.classdef.mro() if each.cls is not object][-1]
                    if root not in self.roots:
                        self.roots.append(root)
        for root in self.roots:
            rtyper.extra_fields[root] = ((FIELD, Signed),)
        self.v_state = Constant(malloc(ll_handles.STATE, immortal=True), ll_handles.STATEPTR)

    def class_of(self, r: Repr) -> ClassDef | None:
        """The class of the instances that cross as handles; None: they are something else."""
        r = r.inner if isinstance(r, NullableRepr) else r
        if not isinstance(r, InstanceRepr) or _is_error(r.classdef):
            return None
        return r.classdef if any(root in self.roots for root in r.classdef.mro()) else None

    def from_c(self, llops: LowLevelOpList, r: Repr, v_handle: Value) -> Value:
        """The object; NULL is None, or raises TypeError."""
        classdef = self.class_of(r)
        assert classdef is not None
        v_given = llops.genop("int_is_true", [v_handle], Bool)
        if not isinstance(r, NullableRepr):
            v_null = llops.genop("bool_not", [v_given], Bool)
            llops.raise_if(v_null, TypeError, f"NULL is not a {classdef.cls.__name__}")
            return self._object(llops, r, classdef, v_handle)
        done = llops.new_join(r.lowleveltype)
        some, none = llops.branch(v_given)
        llops.at(none)
        llops.goto(done, Constant(r.null(), r.lowleveltype))
        llops.at(some)
        llops.goto(done, self._object(llops, r.inner, classdef, v_handle))
        llops.at(done)
        return done.inputargs[0]

    def _object(
        self, llops: LowLevelOpList, r: Repr, classdef: ClassDef, v_handle: Value
    ) -> Value:
        v = llops.gendirectcall(ll_handles.ll_object, self.v_state, v_handle)
        v_right = self.rtyper.classes.isinstance_test(v, classdef, llops)
        v_wrong = llops.genop("bool_not", [v_right], Bool)
        llops.raise_if(v_wrong, TypeError, f"not the handle of a {classdef.cls.__name__}")
        return self.rtyper.classes.cast(v, r.lowleveltype, llops)

    def to_c(self, llops: LowLevelOpList, r: Repr, v: Value) -> Value:
        """The handle, with one more reference."""
        if not isinstance(r, NullableRepr):
            return self._handle(llops, r, v)
        done = llops.new_join(Signed)
        none, some = llops.branch(r.is_null(v, llops))
        llops.at(none)
        llops.goto(done, Constant(0, Signed))
        llops.at(some)
        llops.goto(done, self._handle(llops, r.inner, v))
        llops.at(done)
        return done.inputargs[0]

    def _handle(self, llops: LowLevelOpList, r: Repr, v: Value) -> Value:
        assert isinstance(r, InstanceRepr)
        root = next(each for each in r.classdef.mro() if each in self.roots)
        v_home = self._home(llops, root, v)
        v_object = self.rtyper.classes.upcast(v, llops)
        return llops.gendirectcall(ll_handles.ll_give, self.v_state, v_home, v_object)

    def _home(self, llops: LowLevelOpList, root: ClassDef, v: Value) -> Value:
        r: InstanceRepr = self.rtyper.instance_repr(root)
        return self.rtyper.classes.cast(v, r.lowleveltype, llops)

    def graphs(self) -> dict[str, FunctionGraph]:
        """What C calls to count references; none where nothing crosses as a handle."""
        if not self.roots:
            return {}
        retain = Frame(self.rtyper, RETAIN, FuncType([Signed], Void))
        retain.llops.gendirectcall(ll_handles.ll_retain, self.v_state, retain.args[0])
        release = Frame(self.rtyper, RELEASE, FuncType([Signed], Void))
        llops = release.llops
        v = llops.gendirectcall(ll_handles.ll_release, self.v_state, release.args[0])
        last, kept = llops.branch(llops.genop("ptr_nonzero", [v], Bool))
        llops.at(kept)
        llops.goto(release.llgraph.returnblock, void(None))
        llops.at(last)
        for root in self.roots:
            yes, no = llops.branch(self.rtyper.classes.isinstance_test(v, root, llops))
            llops.at(yes)
            llops.gendirectcall(ll_handles.ll_forget, self._home(llops, root, v))
            llops.goto(release.llgraph.returnblock, void(None))
            llops.at(no)
        return {RETAIN: retain.finish(void(None)), RELEASE: release.finish(void(None))}


def _is_error(classdef: ClassDef) -> bool:
    return issubclass(classdef.cls, BaseException)
