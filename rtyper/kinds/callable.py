"""Callables of several kinds in one place: a function here, a bound method there; and several
methods of built-in kinds.

    callback = self.on_click if n else default        *callable { which, part0, part1 }

``which`` says which of the parts is there.  Identity and equality are those of the parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.builtinmethods import SomeBuiltinMethods, member, method_among
from rpython.annotator.lattice.model import (
    K_BUILTIN_METHOD,
    K_CLASS,
    K_CLASSMETHOD,
    K_FUNCTION,
    K_INSTANCE,
    K_METHOD,
    K_NONE,
    SomeBuiltinMethod,
    SomeInstance,
    SomeObject,
    SomeUnion,
)
from rpython.annotator.lattice.parts import (
    among_functions,
    class_with_equality,
    has_builtin,
    without_none,
)
from rpython.lltypesystem.lltype import (
    Bool,
    GcForwardReference,
    GcStruct,
    Ptr,
    Signed,
    Void,
    malloc,
)
from rpython.rtyper.hashing import HASHES, emit_hash, host_hash
from rpython.rtyper.kinds.closure import ClosureRepr
from rpython.rtyper.kinds.instance import GC_FLAGS, InstanceRepr, void
from rpython.rtyper.kinds.method import MethodRepr, MixedMethodRepr
from rpython.rtyper.kinds.pbc import BuiltinMethodRepr, ClassMethodRepr, ClassRepr, FunctionRepr
from rpython.rtyper.rmodel import (
    CONVERSIONS,
    PAIRS,
    HostRepr,
    NoneRepr,
    NullableRepr,
    Repr,
    repr_for,
)
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Block, Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper


class MixedCallableRepr(Repr):
    nullable = True

    def __init__(self, rtyper: RPythonTyper, s: SomeUnion | SomeBuiltinMethods) -> None:
        self.rtyper = rtyper
        self.parts_s = s.parts
        self.struct: Any = GcForwardReference()
        self.lowleveltype = Ptr(self.struct)
        self._prebuilt: dict[int, Any] = {}

    def setup(self) -> None:
        self.parts_r = [self.rtyper.getrepr(part) for part in self.parts_s]
        fields = [
            (f"part{i}", r.lowleveltype) for i, r in enumerate(self.parts_r)
            if r.lowleveltype is not Void
        ]  # fmt: skip
        self.struct.become(GcStruct("callable", ("which", Signed), *fields))

    def place(self, s: SomeObject) -> int:
        """The number of the part that has a value with this annotation."""
        return next(i for i, part in enumerate(self.parts_s) if part.kinds == s.kinds)

    def holds(self, s: SomeObject) -> bool:
        """Is there a part for values with this annotation?"""
        return any(part.kinds == s.kinds for part in self.parts_s)

    def place_of(self, r: Repr) -> int | None:
        """The number of the part that has values of another Repr."""
        if isinstance(r, HostRepr):
            for i, part in enumerate(self.parts_s):
                if has_builtin(part, r.value):
                    return i
        kinds = next((kinds for cls, kinds in _KINDS if isinstance(r, cls)), 0)
        return next((i for i, part in enumerate(self.parts_s) if part.kinds == kinds), None)

    def convert_const(self, value: Any) -> Any:
        known = self._prebuilt.get(id(value))
        if known is None:
            s_value = self.rtyper.annotator.constants.annotation_of(value)
            which = self.place(among_functions(s_value))
            known = malloc(self.struct, immortal=True)
            known.which = which
            r = self.parts_r[which]
            if r.lowleveltype is not Void:
                setattr(known, f"part{which}", r.convert_const(value))
            self._prebuilt[id(value)] = known
        return known

    def close(self, llops: LowLevelOpList, which: int, v_part: Value) -> Value:
        """A new value with that part."""
        v = llops.genop("malloc", [void(self.struct), GC_FLAGS], self.lowleveltype)
        llops.genop("setfield", [v, void("which"), Constant(which, Signed)])
        if v_part.concretetype is not Void:
            llops.genop("setfield", [v, void(f"part{which}"), v_part])
        return v

    def part(self, llops: LowLevelOpList, v: Value, which: int) -> Value:
        T = self.parts_r[which].lowleveltype
        if T is Void:
            return void(self.parts_s[which].value)
        return llops.genop("getfield", [v, void(f"part{which}")], T)

    def cases(self, llops: LowLevelOpList, v: Value) -> list[Block]:
        """Branch on ``which``: the block of each part."""
        v_which = llops.genop("getfield", [v, void("which")], Signed)
        blocks = []
        for which in range(len(self.parts_r) - 1):
            constant = Constant(which, Signed)
            yes, no = llops.branch(llops.genop("int_eq", [v_which, constant], Bool))
            blocks.append(yes)
            llops.at(no)
        return [*blocks, llops.block]

    def rtype_simple_call(self, hop: HighLevelOp) -> Value:
        raised = hop.rtyper.annotator.notes.refusing_callees.get(hop.spaceop, {})
        return self._of_each(hop, raised)

    rtype_call_args = rtype_simple_call

    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        return self._of_each(hop, {})

    def _of_each(
        self, hop: HighLevelOp, raised: Mapping[int, tuple[type[Exception], str]]
    ) -> Value:
        """What the operation gives on each of the parts; it raises TypeError on those in
        ``raised``."""
        llops = hop.llops
        v = hop.inputarg(self, 0)
        done = llops.new_join(hop.r_result.lowleveltype)
        for which, block in enumerate(self.cases(llops, v)):
            llops.at(block)
            if which in raised:
                llops.raise_constant(*raised[which])
                continue
            inner = hop.copy()
            v_part = self.part(llops, v, which)
            inner.replace_arg(0, v_part, self.parts_s[which], self.parts_r[which])
            llops.goto(done, _as_result(hop, self.parts_r[which].rtype(inner)))
        llops.at(done)
        return done.inputargs[0]

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        for part in self.parts_s:
            if isinstance(part, SomeInstance):
                for name in ("__bool__", "__len__"):
                    if part.classdef.class_value(name) is not None:
                        raise TyperError(f"the truth of {part.describe()} is not supported here")
        return Constant(True, Bool)


@HASHES.register("hash", MixedCallableRepr)
def hash_callable(llops: LowLevelOpList, v: Value, r: MixedCallableRepr) -> Value:
    """The hash of the part that is there."""
    done = llops.new_join(Signed)
    for which, block in enumerate(r.cases(llops, v)):
        llops.at(block)
        llops.goto(done, emit_hash(llops, r.part(llops, v, which), r.parts_r[which]))
    llops.at(done)
    return done.inputargs[0]


@HASHES.register("host_hash", MixedCallableRepr)
def host_hash_callable(r: MixedCallableRepr, value: Any) -> int:
    s_value = r.rtyper.annotator.constants.annotation_of(value)
    return host_hash(r.parts_r[r.place(among_functions(s_value))], value)


def _as_result(hop: HighLevelOp, v: Value) -> Value:
    """What one of several callables returned as what any of them may return."""
    r_result = hop.r_result
    if v.concretetype == r_result.lowleveltype:
        return v
    if v.concretetype is Void and hop.s_result.kinds & K_NONE:
        return r_result.inputconst(None)
    r_other: Repr = hop.rtyper.getrepr(without_none(hop.s_result))
    if v.concretetype != r_other.lowleveltype:
        raise TyperError(f"calling {hop.args_s[0].describe()}: their results are not alike")
    return hop.llops.convertvar(v, r_other, r_result)


class BuiltinMethodsRepr(MixedCallableRepr):
    """The parts are methods of built-in kinds."""

    def place(self, s: SomeObject) -> int:
        assert isinstance(s, SomeBuiltinMethod)
        return self._members.index(member(s))

    def place_of(self, r: Repr) -> int | None:
        key = method_among(r.name, r.s_self) if isinstance(r, BuiltinMethodRepr) else None
        return self._members.index(key) if key in self._members else None

    @property
    def _members(self) -> list[tuple[str, int, str] | None]:
        return [member(part) for part in self.parts_s if isinstance(part, SomeBuiltinMethod)]


@repr_for(SomeBuiltinMethods)
def builtin_methods_repr(rtyper: RPythonTyper, s: SomeBuiltinMethods) -> Repr:
    return BuiltinMethodsRepr(rtyper, s)


@CONVERSIONS.register("convert", Repr, MixedCallableRepr)
def mix(r_from: Repr, r_to: MixedCallableRepr, v: Value, llops: LowLevelOpList) -> Value | None:
    which = r_to.place_of(r_from)
    if which is None:
        return None
    return r_to.close(llops, which, llops.convertvar(v, r_from, r_to.parts_r[which]))


_KINDS = (
    ((FunctionRepr, ClosureRepr, HostRepr), K_FUNCTION), (ClassRepr, K_CLASS),
    ((MethodRepr, MixedMethodRepr), K_METHOD), (ClassMethodRepr, K_CLASSMETHOD),
    ((BuiltinMethodRepr, BuiltinMethodsRepr), K_BUILTIN_METHOD), (InstanceRepr, K_INSTANCE),
)  # fmt: skip


@CONVERSIONS.register("convert", MixedCallableRepr, Repr)
def unmix(r_from: MixedCallableRepr, r_to: Repr, v: Value, llops: LowLevelOpList) -> Value | None:
    # only where the annotator has proved which part it is
    which = r_from.place_of(r_to)
    if which is None:
        return None
    return llops.convertvar(r_from.part(llops, v, which), r_from.parts_r[which], r_to)


@CONVERSIONS.register("convert", MixedCallableRepr, NullableRepr)
def mixed_to_nullable(
    r_from: MixedCallableRepr, r_to: NullableRepr, v: Value, llops: LowLevelOpList
) -> Value:
    return llops.convertvar(v, r_from, r_to.inner)


@CONVERSIONS.register("convert", MixedCallableRepr, MixedCallableRepr)
def mix_again(
    r_from: MixedCallableRepr, r_to: MixedCallableRepr, v: Value, llops: LowLevelOpList
) -> Value:
    done = llops.new_join(r_to.lowleveltype)
    for which, block in enumerate(r_from.cases(llops, v)):
        llops.at(block)
        place = r_to.place(r_from.parts_s[which])
        v_part = llops.convertvar(
            r_from.part(llops, v, which), r_from.parts_r[which], r_to.parts_r[place]
        )
        llops.goto(done, r_to.close(llops, place, v_part))
    llops.at(done)
    return done.inputargs[0]


@PAIRS.register("is_ eq ne", MixedCallableRepr, Repr)
@PAIRS.register("is_ eq ne", Repr, MixedCallableRepr)
@PAIRS.register("is_ eq ne", MixedCallableRepr, MixedCallableRepr)
def compare_mixed(hop: HighLevelOp) -> Value:
    """Equal when the same part is there and is equal."""
    llops = hop.llops
    for s in hop.args_s:
        if class_with_equality(s) is not None:
            raise TyperError("comparing callables whose class defines equality is not supported")
    s_join = hop.join_args()
    if not isinstance(s_join, SomeUnion):
        raise TyperError(f"{hop.opname} of {hop.args_s[0].describe()} is not supported")
    r: Any = hop.rtyper.getrepr(s_join)
    v_left, v_right = hop.inputargs(r, r)
    done = llops.new_join(Bool)
    v_which = llops.genop("getfield", [v_right, void("which")], Signed)
    different = Constant(hop.opname == "ne", Bool)
    for which, block in enumerate(r.cases(llops, v_left)):
        llops.at(block)
        same = llops.genop("int_eq", [v_which, Constant(which, Signed)], Bool)
        yes, no = llops.branch(same)
        llops.at(no)
        llops.goto(done, different)
        llops.at(yes)
        inner = hop.copy()
        for arg, v in enumerate((v_left, v_right)):
            inner.replace_arg(arg, r.part(llops, v, which), r.parts_s[which], r.parts_r[which])
        llops.goto(done, inner.dispatch())
    llops.at(done)
    return done.inputargs[0]


@PAIRS.register("is_ eq ne", HostRepr, FunctionRepr)
@PAIRS.register("is_ eq ne", FunctionRepr, HostRepr)
@PAIRS.register("is_ eq ne", HostRepr, MixedCallableRepr)
@PAIRS.register("is_ eq ne", MixedCallableRepr, HostRepr)
@PAIRS.register("is_ eq ne", HostRepr, NullableRepr)
@PAIRS.register("is_ eq ne", NullableRepr, HostRepr)
def compare_builtin(hop: HighLevelOp) -> Value:
    """A built-in function, which one of several functions may be."""
    for arg, s in enumerate(hop.args_s):
        s_function = among_functions(s)
        if s_function is not s:
            r: Repr = hop.rtyper.getrepr(s_function)
            hop.replace_arg(arg, r.inputconst(s.value), s_function, r)
    if any(isinstance(r, HostRepr) for r in hop.args_r):
        raise TyperError(f"{hop.opname} of {' and '.join(s.describe() for s in hop.args_s)}")
    return hop.dispatch()


@PAIRS.register("is_", MixedCallableRepr, NoneRepr)
@PAIRS.register("is_", NoneRepr, MixedCallableRepr)
def never_none(hop: HighLevelOp) -> Value:
    return hop.inputconst_bool(False)


@PAIRS.register("is_", MixedCallableRepr, NullableRepr)
@PAIRS.register("is_", NullableRepr, MixedCallableRepr)
def same_as_nullable(hop: HighLevelOp) -> Value:
    raise TyperError(
        "whether callables of several kinds are the same object is not supported",
        hint="test for None first",
    )
