"""The hash of every kind: for keys of dicts and sets, and for ``hash()``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import (
    K_BOOL,
    K_FLOAT,
    K_INT,
    K_TUPLE,
    SomeClass,
    SomeInstance,
    SomeObject,
    s_Int,
)
from rpython.annotator.lattice.parts import class_with_equality, parts_of
from rpython.annotator.lattice.sets import SomeFrozenSet
from rpython.annotator.lattice.vartuples import tuple_items
from rpython.annotator.program.classdef import ClassDef
from rpython.annotator.rules.comparing import UNHASHABLE
from rpython.lltypesystem.lltype import Signed
from rpython.lltypesystem.rarithmetic import intmask
from rpython.rlib._hashes import NONE_HASH, bytes_hash, text_hash
from rpython.rtyper.hashing import HASHES, emit_hash, host_hash
from rpython.rtyper.kinds.boxed import BoxedRepr
from rpython.rtyper.kinds.bytes import BytesRepr
from rpython.rtyper.kinds.float import FloatRepr, SingleFloatRepr, extended
from rpython.rtyper.kinds.instance import InstanceRepr, void
from rpython.rtyper.kinds.int import BoolRepr, IntegerRepr
from rpython.rtyper.kinds.pbc import ClassRepr, FunctionRepr
from rpython.rtyper.kinds.str import CharRepr, StringRepr
from rpython.rtyper.kinds.tuple import TupleRepr
from rpython.rtyper.kinds.vartuple import VarTupleRepr
from rpython.rtyper.ll import ll_bytes, ll_dict, ll_hash, ll_str
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import ImpossibleRepr, NoneRepr, NullableRepr, Repr
from rpython.translator.ir.model import Block, Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper

def is_careful(s: SomeObject) -> bool:
    """Does comparing or hashing such values call methods of the program?"""
    for part in parts_of(s):
        if any(map(is_careful, tuple_items(part) or ())):
            return True
        if part.kinds in UNHASHABLE:
            return True  # hashing it raises TypeError
        if isinstance(part, SomeFrozenSet) and is_careful(part.dictdef.find().key.s_value):
            return True
        if isinstance(part, SomeClass):
            return True  # calls nothing, but has a hash at run time only
        if isinstance(part, SomeInstance):
            if class_with_equality(part) or has_hash(part.classdef):
                return True
    return False


def is_hashed_exactly(s: SomeObject) -> bool:
    """Do sets hash such values as CPython does in every process: numbers, and tuples and
    frozensets of numbers?  Then they have CPython's order."""
    for part in parts_of(s):
        if isinstance(part, SomeFrozenSet):
            inner: Sequence[SomeObject] = [part.dictdef.find().key.s_value]
        else:
            inner = tuple_items(part) or ()
            if part.kinds & ~(K_BOOL | K_INT | K_FLOAT | K_TUPLE):
                return False
        if not all(map(is_hashed_exactly, inner)):
            return False
    return True


def exact_host_hash(value: Any) -> int:
    """The hash of such a host value; that of a nan is 0, for want of a known one."""
    if isinstance(value, tuple):
        so_far = ll_hash.TUPLE_START
        for item in value:
            so_far = ll_hash.ll_tuple_next(so_far, exact_host_hash(item))
        return ll_hash.ll_tuple_end(so_far, len(value))
    if isinstance(value, frozenset):
        mixed = 0
        for item in value:
            mixed ^= ll_hash.ll_shuffle(exact_host_hash(item))
        return ll_hash.ll_frozenset_end(mixed, len(value))
    return hash(value) if value == value else 0


def has_hash(classdef: ClassDef) -> bool:
    """Does the class, or one below, define ``__hash__``?"""
    return any(cd.class_value("__hash__") is not None for cd in classdef.subtree())


_QUICK = (
    IntegerRepr, BoolRepr, CharRepr, StringRepr, BytesRepr, FunctionRepr, ClassRepr, NoneRepr,
    ImpossibleRepr,
)  # fmt: skip


def is_quick(r: Repr) -> bool:
    """Is computing the hash again cheaper than keeping it?"""
    if isinstance(r, NullableRepr):
        return is_quick(r.inner)
    if isinstance(r, BoxedRepr):
        return is_quick(r.content)
    if isinstance(r, InstanceRepr):
        return not has_hash(r.classdef)
    return isinstance(r, _QUICK)


def table_keys(
    rtyper: RPythonTyper, s_key: SomeObject, r_key: Repr, stored: bool, exact: bool = False
) -> Constant:
    """What the helpers of tables need to know about keys: a constant for them.

    ``stored``: do entries keep the hash?  ``exact``: is it what ``hash()`` gives?"""

    def make() -> ll_dict.Keys:
        items, key = rtyper.items, (s_key, r_key)
        equal = items.comparison("eq", key, key)
        return ll_dict.Keys(items.hashing(r_key, exact), equal, stored, is_careful(s_key))

    return void(rtyper.items.constant(("keys", r_key, stored, exact), make))


# -- numbers ----------------------------------------------------------------------------------


@HASHES.register("hash", IntegerRepr)
def hash_int(llops: LowLevelOpList, v: Value, r: IntegerRepr) -> Value:
    if r.lowleveltype is Signed:
        return v
    return llops.genop("cast_primitive", [v], Signed)


@HASHES.register("exact_hash", IntegerRepr)
def exact_hash_int(llops: LowLevelOpList, v: Value, r: IntegerRepr) -> Value:
    if r.wide is Signed:
        return llops.gendirectcall(ll_hash.ll_int_hash, r.widen(v, llops))
    modulus = Constant(ll_hash.MODULUS, r.wide)
    v_rest = llops.genop(f"{r.prefix}_mod", [r.widen(v, llops), modulus], r.wide)
    v_hash = llops.genop("cast_primitive", [v_rest], Signed)
    return llops.gendirectcall(ll_hash.ll_not_minus_one, v_hash)


@HASHES.register("host_hash", IntegerRepr)
def host_hash_int(r: IntegerRepr, value: Any) -> int:
    return intmask(r.convert_const(value))


@HASHES.register("hash", BoolRepr)
def hash_bool(llops: LowLevelOpList, v: Value, r: Repr) -> Value:
    return llops.genop("cast_bool_to_int", [v], Signed)


@HASHES.register("hash", FloatRepr)
def hash_float(llops: LowLevelOpList, v: Value, r: Repr) -> Value:
    return llops.gendirectcall(ll_hash.ll_float_hash, v)


@HASHES.register("hash", SingleFloatRepr)
def hash_single_float(llops: LowLevelOpList, v: Value, r: Repr) -> Value:
    return llops.gendirectcall(ll_hash.ll_float_hash, extended(llops, v))


@HASHES.register("host_hash", SingleFloatRepr)
def host_hash_single_float(r: Repr, value: Any) -> int:
    return host_hash_number(r, float(value))


@HASHES.register("host_hash", BoolRepr)
@HASHES.register("host_hash", FloatRepr)
def host_hash_number(r: Repr, value: float) -> int:
    return hash(value) if value == value else 0


# -- str and bytes ----------------------------------------------------------------------------


@HASHES.register("hash", StringRepr)
def hash_str(llops: LowLevelOpList, v: Value, r: Repr) -> Value:
    return llops.gendirectcall(ll_str.ll_strhash, v)


@HASHES.register("host_hash", StringRepr)
def host_hash_str(r: Repr, value: str) -> int:
    return text_hash(value)


@HASHES.register("hash", CharRepr)
def hash_char(llops: LowLevelOpList, v: Value, r: Repr) -> Value:
    return llops.genop("cast_unichar_to_int", [v], Signed)


@HASHES.register("exact_hash", CharRepr)
def exact_hash_char(llops: LowLevelOpList, v: Value, r: Repr) -> Value:
    """The same as of a str of one character."""
    return llops.gendirectcall(ll_str.ll_strhash, llops.gendirectcall(ll_str.ll_chr2str, v))


@HASHES.register("host_hash", CharRepr)
def host_hash_char(r: Repr, value: str) -> int:
    return ord(value)


@HASHES.register("hash", BytesRepr)
def hash_bytes(llops: LowLevelOpList, v: Value, r: Repr) -> Value:
    return llops.gendirectcall(ll_bytes.ll_bytes_hash, v)


@HASHES.register("host_hash", BytesRepr)
def host_hash_bytes(r: BytesRepr, value: bytes) -> int:
    return bytes_hash(value)


# -- None -------------------------------------------------------------------------------------


@HASHES.register("hash", NullableRepr)
def hash_nullable(llops: LowLevelOpList, v: Value, r: NullableRepr) -> Value:
    return _nullable(llops, v, r, False)


@HASHES.register("exact_hash", NullableRepr)
def exact_hash_nullable(llops: LowLevelOpList, v: Value, r: NullableRepr) -> Value:
    return _nullable(llops, v, r, True)


def _nullable(llops: LowLevelOpList, v: Value, r: NullableRepr, exact: bool) -> Value:
    done = llops.new_join(Signed)
    null, other = llops.branch(r.is_null(v, llops))
    llops.at(null)
    llops.goto(done, Constant(NONE_HASH, Signed))
    llops.at(other)
    llops.goto(done, emit_hash(llops, v, r.inner, exact))
    llops.at(done)
    return done.inputargs[0]


@HASHES.register("host_hash", NullableRepr)
def host_hash_nullable(r: NullableRepr, value: Any) -> int:
    return NONE_HASH if value is None else host_hash(r.inner, value)


@HASHES.register("hash", NoneRepr)
@HASHES.register("hash", ImpossibleRepr)
def hash_nothing(llops: LowLevelOpList, v: Value, r: Repr) -> Value:
    return Constant(NONE_HASH, Signed)


@HASHES.register("host_hash", NoneRepr)
def host_hash_none(r: Repr, value: Any) -> int:
    return NONE_HASH


# -- tuples -----------------------------------------------------------------------------------


@HASHES.register("hash", TupleRepr)
def hash_tuple(llops: LowLevelOpList, v: Value, r: TupleRepr) -> Value:
    return _tuple(llops, v, r, False)


@HASHES.register("exact_hash", TupleRepr)
def exact_hash_tuple(llops: LowLevelOpList, v: Value, r: TupleRepr) -> Value:
    return _tuple(llops, v, r, True)


def _tuple(llops: LowLevelOpList, v: Value, r: TupleRepr, exact: bool) -> Value:
    v_hash: Value = Constant(ll_hash.TUPLE_START, Signed)
    for i, r_item in enumerate(r.items_r):
        v_item = emit_hash(llops, r.getitem(llops, v, i), r_item, exact)
        v_hash = llops.gendirectcall(ll_hash.ll_tuple_next, v_hash, v_item)
    length = Constant(len(r.items_r), Signed)
    return llops.gendirectcall(ll_hash.ll_tuple_end, v_hash, length)


@HASHES.register("host_hash", TupleRepr)
def host_hash_tuple(r: TupleRepr, value: tuple[Any, ...]) -> int:
    return _host_hash(list(zip(r.items_r, value)))


def _host_hash(items: list[tuple[Repr, Any]]) -> int:
    so_far = ll_hash.TUPLE_START
    for r_item, item in items:
        so_far = ll_hash.ll_tuple_next(so_far, host_hash(r_item, item))
    return ll_hash.ll_tuple_end(so_far, len(items))


@HASHES.register("hash", VarTupleRepr)
def hash_var_tuple(llops: LowLevelOpList, v: Value, r: VarTupleRepr) -> Value:
    return llops.gendirectcall(ll_hash.ll_tuple_hash, v, void(llops.rtyper.items.hashing(r.r_item)))


@HASHES.register("exact_hash", VarTupleRepr)
def exact_hash_var_tuple(llops: LowLevelOpList, v: Value, r: VarTupleRepr) -> Value:
    function = llops.rtyper.items.hashing(r.r_item, exact=True)
    return llops.gendirectcall(ll_hash.ll_tuple_hash, v, void(function))


@HASHES.register("host_hash", VarTupleRepr)
def host_hash_var_tuple(r: VarTupleRepr, value: tuple[Any, ...]) -> int:
    return _host_hash([(r.r_item, item) for item in value])


# -- objects ----------------------------------------------------------------------------------


@HASHES.register("hash", InstanceRepr)
def hash_instance(llops: LowLevelOpList, v: Value, r: InstanceRepr) -> Value:
    """``__hash__`` of the class that has it, else the identity."""
    classes = r.rtyper.classes
    r_int = llops.rtyper.getrepr(s_Int)
    done = llops.new_join(Signed)
    for classdef in r.classdef.first_with("__hash__"):
        rest: Block | None = None
        if classdef is not r.classdef:
            yes, rest = llops.branch(classes.isinstance_test(v, classdef, llops))
            llops.at(yes)
        r_class: InstanceRepr = r.rtyper.instance_repr(classdef)
        v_own = classes.cast(v, r_class.lowleveltype, llops)
        v_hash = r_class.call_method(llops, "__hash__", v_own, r_int)
        llops.goto(done, llops.gendirectcall(ll_hash.ll_not_minus_one, v_hash))
        if rest is None:
            llops.at(done)
            return done.inputargs[0]
        llops.at(rest)
    v_base = classes.upcast(v, llops)
    llops.goto(done, llops.genop("gc_identityhash", [v_base], Signed))
    llops.at(done)
    return done.inputargs[0]


@HASHES.register("host_hash", InstanceRepr)
def host_hash_instance(r: InstanceRepr, value: Any) -> int:
    """Prebuilt objects keep the identity hash that they are given here."""
    return r.rtyper.items.prebuilt_identity(r.convert_const(value))


@HASHES.register("hash", ClassRepr)
def hash_class(llops: LowLevelOpList, v: Value, r: Repr) -> Value:
    return llops.genop("cast_ptr_to_int", [v], Signed)


@HASHES.register("exact_hash", BoxedRepr)
def exact_hash_boxed(llops: LowLevelOpList, v: Value, r: BoxedRepr) -> Value:
    return emit_hash(llops, r.open(llops, v), r.content, True)


@HASHES.register("hash", FunctionRepr)
def hash_function(llops: LowLevelOpList, v: Value, r: Repr) -> Value:
    return v


@HASHES.register("host_hash", FunctionRepr)
def host_hash_function(r: FunctionRepr, value: Any) -> int:
    return r.convert_const(value)


@BUILTINS.register(hash)
def builtin_hash(hop: HighLevelOp) -> Value:
    v, s, r = hop.operand(0)
    if s.is_constant():
        v = r.inputconst(s.value)
    if s.kinds == K_BOOL:
        return hop.inputarg(Signed, 0)
    return emit_hash(hop.llops, v, r, True)
