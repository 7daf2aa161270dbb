"""Values of several kinds in one place: a box with a tag for each.

    x: int | str      Ptr(GcStruct("mixed", ("tag", Signed))), which is one of
                      GcStruct("mixed_Signed", ("mixed", MIXED), ("value", Signed))
                      GcStruct("mixed_rpy_string", ("mixed", MIXED), ("value", STRPTR))

All unions have one type of box, and the tag is that of the kind whatever the union: so a value of
``int | str`` is one of ``int | str | None`` (None is the null pointer) as it stands, and so are the
items of lists.  Instances are in the box as instances of any class.  Identity is that of what is in
the box.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import (
    K_BOOL,
    K_BYTEARRAY,
    K_BYTES,
    K_DICT,
    K_FLOAT,
    K_INSTANCE,
    K_INT,
    K_LIST,
    K_NONE,
    K_NOTIMPLEMENTED,
    K_SET,
    K_STR,
    SomeInstance,
    SomeObject,
    SomeUnion,
    s_Bottom,
    s_None,
)
from rpython.annotator.lattice.parts import (
    among_functions,
    class_with_equality,
    may_be_equal,
    parts_of,
    place_name,
    place_of,
    takes_box,
    type_name,
    without_none,
)
from rpython.lltypesystem.lltype import (
    Bool,
    GcStruct,
    LowLevelType,
    Ptr,
    Signed,
    Void,
    cast_pointer,
    malloc,
)
from rpython.lltypesystem.rclass import OBJECTPTR
from rpython.rtyper.boundary.hostvalues import to_host
from rpython.rtyper.hashing import HASHES, emit_hash, host_hash
from rpython.rtyper.kinds.boxed import BoxedRepr
from rpython.rtyper.kinds.callable import MixedCallableRepr
from rpython.rtyper.kinds.float import FloatRepr
from rpython.rtyper.kinds.instance import GC_FLAGS, void
from rpython.rtyper.kinds.iter import IteratorRepr, Stop, iterated
from rpython.rtyper.kinds.notimplemented import answer_repr
from rpython.rtyper.rmodel import (
    CONVERSIONS,
    PAIRS,
    NoneRepr,
    NullableRepr,
    Repr,
    not_null,
    repr_for,
)
from rpython.rtyper.text import TEXT, text
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.hlops import HLOPS, HLOp
from rpython.translator.ir.model import Block, Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper

MIXED = GcStruct("mixed", ("tag", Signed), hints={"immutable": True})
MIXEDPTR = Ptr(MIXED)

_NUMBERS = K_BOOL | K_INT | K_FLOAT
_ALIKE = K_BOOL | K_INT | K_FLOAT | K_STR | K_BYTES | K_BYTEARRAY | K_LIST | K_DICT | K_SET
"""Kinds whose values have one form if they have one low-level type."""

Operand = tuple[Value, SomeObject, Repr]


class MixedRepr(Repr):
    """A value of any of several kinds."""

    nullable = True
    is_mixed = True

    def __init__(self, rtyper: RPythonTyper, s: SomeUnion) -> None:
        self.rtyper = rtyper
        self.parts_s = s.parts
        self.lowleveltype = MIXEDPTR

    def setup(self) -> None:
        self.parts_r = [self.rtyper.getrepr(part) for part in self.parts_s]
        tags = [_tag(part) for part in self.parts_s if not isinstance(part, SomeInstance)]
        if len(set(tags)) < len(tags):
            raise TyperError(f"two of {SomeUnion(self.parts_s).describe()} have one tag")

    def make_iterator_repr(self) -> IteratorRepr:
        """That of iterators of any of several kinds."""
        return MixedIteratorRepr(self)

    def part_type(self, which: int) -> LowLevelType:
        """What is in a box of the part."""
        return _content_type(self.parts_s[which], self.parts_r[which])

    def box_type(self, which: int) -> GcStruct:
        T = self.part_type(which)

        def make() -> GcStruct:
            fields = [] if T is Void else [("value", T)]
            hints = {"immutable": True, "box": True}
            return GcStruct(f"mixed_{T}", ("mixed", MIXED), *fields, hints=hints)

        struct: GcStruct = self.rtyper.items.constant(("mixed", T), make)
        return struct

    def place(self, s: SomeObject) -> int | None:
        """The number of the part that has values with this annotation, of one kind."""
        key = place_of(s)
        return next((i for i, part in enumerate(self.parts_s) if place_of(part) == key), None)

    def convert_const(self, value: Any) -> Any:
        s = among_functions(self.rtyper.annotator.constants.annotation_of(value))
        which = self.place(s)
        if which is None:
            raise TyperError(f"the constant {value!r} has no form as {self!r}")
        part, r = self.parts_s[which], self.parts_r[which]
        content = None if r.lowleveltype is Void else r.convert_const(value)
        struct = self.box_type(which)

        def make() -> Any:
            box = malloc(struct, immortal=True)
            box.mixed.tag = _tag(part)
            if content is not None:
                if part.kinds == K_INSTANCE:
                    content_there = cast_pointer(OBJECTPTR, content)
                    box.value = content_there
                else:
                    box.value = content
            return cast_pointer(MIXEDPTR, box)

        name = repr(value) if part.kinds & _SCALARS else id(value)
        return self.rtyper.items.constant(("mixed", struct, type(value), name), make)

    def to_host(self, value: Any) -> Any:
        tag = value._obj._getfield(MIXED, "tag")
        for which, part in enumerate(self.parts_s):
            if _tag(part) == tag:
                box = cast_pointer(Ptr(self.box_type(which)), value)
                content = None if self.part_type(which) is Void else box.value
                return to_host(self.parts_r[which], content)
        raise AssertionError(tag)

    def close(self, llops: LowLevelOpList, which: int, v: Value) -> Value:
        """A new box for a value of a part."""
        struct = self.box_type(which)
        v_box = llops.genop("malloc", [void(struct), GC_FLAGS], Ptr(struct))
        v_mixed = llops.genop("cast_pointer", [v_box], MIXEDPTR)
        llops.genop("setfield", [v_mixed, void("tag"), Constant(_tag(self.parts_s[which]), Signed)])
        if self.part_type(which) is OBJECTPTR:
            v = self.rtyper.classes.upcast(v, llops)
        if self.part_type(which) is not Void:
            llops.genop("setfield", [v_box, void("value"), v])
        return v_mixed

    def part(self, llops: LowLevelOpList, v: Value, which: int) -> Value:
        """What is in the box if it is of that part."""
        T = self.part_type(which)
        if T is Void:
            return void(None)
        struct = self.box_type(which)
        v_box = llops.genop("cast_pointer", [v], Ptr(struct))
        v_content: Value = llops.genop("getfield", [v_box, void("value")], T)
        return self.rtyper.classes.cast(v_content, self.parts_r[which].lowleveltype, llops) if (
            T is OBJECTPTR
        ) else v_content  # fmt: skip

    def is_part(self, llops: LowLevelOpList, v: Value, which: int) -> Value:
        """Is it of that part?  A Bool."""
        part = self.parts_s[which]
        v_tag = llops.genop("getfield", [v, void("tag")], Signed)
        v_test: Value = llops.genop("int_eq", [v_tag, Constant(_tag(part), Signed)], Bool)
        if not isinstance(part, SomeInstance) or self._is_only_instance(part):
            return v_test
        done = llops.new_join(Bool)
        yes, no = llops.branch(v_test)
        llops.at(no)
        llops.goto(done, Constant(False, Bool))
        llops.at(yes)
        struct = self.box_type(which)
        v_box = llops.genop("cast_pointer", [v], Ptr(struct))
        v_object = llops.genop("getfield", [v_box, void("value")], OBJECTPTR)
        root = part.classdef.root()
        llops.goto(done, self.rtyper.classes.isinstance_test(v_object, root, llops))
        llops.at(done)
        return done.inputargs[0]

    def _is_only_instance(self, part: SomeInstance) -> bool:
        return [other.kinds for other in self.parts_s].count(K_INSTANCE) == 1

    def cases(self, llops: LowLevelOpList, v: Value) -> list[Block]:
        """Branch on the tag: the block of each part."""
        blocks = []
        for which in range(len(self.parts_s) - 1):
            yes, no = llops.branch(self.is_part(llops, v, which))
            blocks.append(yes)
            llops.at(no)
        return [*blocks, llops.block]

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        """The truth of a value that is part of another operation's."""

        def test(part: Operand) -> Value:
            truth = getattr(part[2], "rtype_bool", None)
            inner = hop.copy()
            inner.replace_arg(0, *part)
            return Constant(True, Bool) if truth is None else truth(inner)

        return by_parts(hop.llops, Bool, [hop.operand(0)], test)

    def same_form(self, which: int, other: MixedRepr) -> bool:
        """Is a value of that part one of ``other`` as it stands?"""
        part = self.parts_s[which]
        place = other.place(part)
        if place is None or self.parts_r[which] is other.parts_r[place]:
            return True  # as the annotator has shown, it is not of a part that is not there
        T = self.part_type(which)
        return other.part_type(place) == T and (T is OBJECTPTR or bool(part.kinds & _ALIKE))


class MixedIteratorRepr(IteratorRepr):
    """One of several iterators."""

    def __init__(self, r: MixedRepr) -> None:
        self.r = r
        self.lowleveltype = r.lowleveltype
        self.parts = [iterated(r.rtyper, part) for part in r.parts_s]
        self.s_item: SomeObject = s_Bottom
        for part in self.parts:
            self.s_item = r.rtyper.annotator.join(self.s_item, part.s_item.without_const())
        self.r_item = r.rtyper.getrepr(self.s_item)

    def next_item(self, llops: LowLevelOpList, v_iter: Value, stop: Stop) -> Value:
        done = llops.new_join(self.r_item.lowleveltype)
        for which, block in enumerate(self.r.cases(llops, v_iter)):
            llops.at(block)
            part = self.parts[which]
            v_item = part.next_item(llops, self.r.part(llops, v_iter, which), stop)
            llops.goto(done, llops.convertvar(v_item, part.r_item, self.r_item))
        llops.at(done)
        return done.inputargs[0]


_SCALARS = K_BOOL | K_INT | K_FLOAT | K_STR | K_BYTES


def _content_type(s: SomeObject, r: Repr) -> LowLevelType:
    return OBJECTPTR if isinstance(s, SomeInstance) else r.lowleveltype


def _tag(part: SomeObject) -> int:
    """The number of a kind; where values of one kind are told apart otherwise than by their
    classes, with 32 bits for that."""
    number = part.kinds.bit_length() - 1
    if isinstance(place_of(part), tuple):
        number += 64 * zlib.crc32(place_name(part).encode())
    return number


@repr_for(SomeUnion)
def union_repr(rtyper: RPythonTyper, s: SomeUnion) -> Repr:
    """``T | None``, ``T | NotImplemented``, callables of several kinds, and what is mixed, with
    None or without."""
    if s.kinds & K_NOTIMPLEMENTED:
        return answer_repr(rtyper, s)
    if s.kinds & K_NONE:
        r = rtyper.getrepr(without_none(s)).with_room_for_none()
        return NullableRepr(r if r.nullable else BoxedRepr(rtyper, r))
    return MixedRepr(rtyper, s) if takes_box(s) else MixedCallableRepr(rtyper, s)


# -- conversions ---------------------------------------------------------------------------------


@CONVERSIONS.register("convert", Repr, MixedRepr)
def to_mixed(r_from: Repr, r_to: MixedRepr, v: Value, llops: LowLevelOpList) -> Value | None:
    which = _place_of_repr(r_from, r_to)
    if which is None:
        return None
    return r_to.close(llops, which, llops.convertvar(v, r_from, r_to.parts_r[which]))


@CONVERSIONS.register("convert", MixedRepr, FloatRepr)
def number_to_float(
    r_from: MixedRepr, r_to: FloatRepr, v: Value, llops: LowLevelOpList
) -> Value | None:
    """A number where a function of the library takes a float."""
    if llops.narrowing or any(part.kinds & ~_NUMBERS for part in r_from.parts_s):
        return from_mixed(r_from, r_to, v, llops)
    return _by_part(r_from, r_to, v, llops, lambda part: True)


@CONVERSIONS.register("convert", MixedRepr, Repr)
def from_mixed(r_from: MixedRepr, r_to: Repr, v: Value, llops: LowLevelOpList) -> Value | None:
    which = _place_of_repr(r_to, r_from)
    if which is None or not llops.narrowing:
        return None
    return llops.convertvar(r_from.part(llops, v, which), r_from.parts_r[which], r_to)


def _place_of_repr(r: Repr, r_mixed: MixedRepr) -> int | None:
    s = r_mixed.rtyper.annotation_of_repr(r)
    return None if s is None or len(parts_of(s)) != 1 else r_mixed.place(among_functions(s))


@CONVERSIONS.register("convert", BoxedRepr, MixedRepr)
def box_to_mixed(r_from: BoxedRepr, r_to: MixedRepr, v: Value, llops: LowLevelOpList) -> Value:
    return llops.convertvar(r_from.open(llops, v), r_from.content, r_to)


@CONVERSIONS.register("convert", MixedRepr, BoxedRepr)
def mixed_to_box(r_from: MixedRepr, r_to: BoxedRepr, v: Value, llops: LowLevelOpList) -> Value:
    return r_to.close(llops, llops.convertvar(v, r_from, r_to.content))


@CONVERSIONS.register("convert", MixedRepr, NullableRepr)
def mixed_to_nullable(
    r_from: MixedRepr, r_to: NullableRepr, v: Value, llops: LowLevelOpList
) -> Value:
    return llops.convertvar(v, r_from, r_to.inner)


@CONVERSIONS.register("convert", NullableRepr, MixedRepr)
def nullable_to_mixed(
    r_from: NullableRepr, r_to: MixedRepr, v: Value, llops: LowLevelOpList
) -> Value:
    # only where the annotator has proved that it is not None
    return llops.convertvar(v, r_from.inner, r_to)


@CONVERSIONS.register("convert", MixedCallableRepr, MixedRepr)
def callable_to_mixed(
    r_from: MixedCallableRepr, r_to: MixedRepr, v: Value, llops: LowLevelOpList
) -> Value:
    done = llops.new_join(MIXEDPTR)
    for which, block in enumerate(r_from.cases(llops, v)):
        llops.at(block)
        v_part = r_from.part(llops, v, which)
        llops.goto(done, llops.convertvar(v_part, r_from.parts_r[which], r_to))
    llops.at(done)
    return done.inputargs[0]


@CONVERSIONS.register("convert", MixedRepr, MixedCallableRepr)
def mixed_to_callable(
    r_from: MixedRepr, r_to: MixedCallableRepr, v: Value, llops: LowLevelOpList
) -> Value:
    return _by_part(r_from, r_to, v, llops, lambda part: r_to.holds(part))


@CONVERSIONS.register("convert", MixedRepr, MixedRepr)
def between_mixed(
    r_from: MixedRepr, r_to: MixedRepr, v: Value, llops: LowLevelOpList
) -> Value | None:
    parts_s = r_from.parts_s
    if not llops.narrowing and any(r_to.place(part) is None for part in parts_s):
        return None
    if all(r_from.same_form(which, r_to) for which in range(len(parts_s))):
        return v
    return _by_part(r_from, r_to, v, llops, lambda part: r_to.place(part) is not None)


def _by_part(
    r_from: MixedRepr, r_to: Repr, v: Value, llops: LowLevelOpList,
    holds: Callable[[SomeObject], bool],
) -> Value:  # fmt: skip
    """Each part converted that the other holds."""
    done = llops.new_join(r_to.lowleveltype)
    for which, block in enumerate(r_from.cases(llops, v)):
        llops.at(block)
        if not holds(r_from.parts_s[which]):
            llops.unreachable()
        elif isinstance(r_to, MixedRepr) and r_from.same_form(which, r_to):
            llops.goto(done, v)
        else:
            v_part = r_from.part(llops, v, which)
            try:
                llops.goto(done, llops.convertvar(v_part, r_from.parts_r[which], r_to))
            except TyperError:
                if not llops.narrowing:
                    raise
                llops.unreachable()  # such a list, say, is not among those that get here
    llops.at(done)
    return done.inputargs[0]


# -- each member of an operation -----------------------------------------------------------------


def split(
    llops: LowLevelOpList, operand: Operand, then: Callable[[Operand], None],
    callables: bool = False,
) -> None:  # fmt: skip
    """Emit ``then`` for each part of a value, in a branch of its own that ``then`` ends; the
    operand is given as it is if it has one part only.  ``callables``: of one that is called, too,
    which needs no box."""
    v, _, r = operand
    inner = not_null(r)
    apart = (MixedRepr, MixedCallableRepr) if callables else MixedRepr
    if not isinstance(inner, apart):
        then(operand)
        return
    if isinstance(r, NullableRepr):
        null, other = llops.branch(r.is_null(v, llops))
        llops.at(null)
        then((Constant(None, Void), s_None, llops.rtyper.getrepr(s_None)))
        llops.at(other)
    handlers = llops.handlers
    for which, block in enumerate(inner.cases(llops, v)):
        llops.at(block)
        llops.handlers = handlers
        then((inner.part(llops, v, which), inner.parts_s[which], inner.parts_r[which]))
    llops.handlers = handlers


def by_parts(
    llops: LowLevelOpList, T: LowLevelType, operands: Sequence[Operand],
    give: Callable[..., Value | None],
) -> Value:  # fmt: skip
    """What ``give`` makes of a part of each operand, in a branch of its own for each choice of
    these; None: it has ended the branch."""
    done = llops.new_join(T)

    def choose(*parts: Operand) -> None:
        if len(parts) < len(operands):
            split(llops, operands[len(parts)], lambda part: choose(*parts, part))
        elif (v := give(*parts)) is not None:
            llops.goto(done, v)

    choose()
    llops.at(done)
    return done.inputargs[0]


# -- what is asked about items, too --------------------------------------------------------------


def _operands(hop: HighLevelOp) -> list[Operand]:
    return [
        (hop.inputarg(r, i), hop.args_s[i].without_const(), r) for i, r in enumerate(hop.args_r)
    ]


@PAIRS.register("eq ne lt le gt ge", MixedRepr, Repr)
@PAIRS.register("eq ne lt le gt ge", Repr, MixedRepr)
@PAIRS.register("eq ne lt le gt ge", MixedRepr, MixedRepr)
def compare_mixed(hop: HighLevelOp) -> Value:
    """The parts compared, where they can be."""

    def compare(first: Operand, second: Operand) -> Value | None:
        if hop.opname in ("eq", "ne") or _have_order(hop.opname, first, second):
            return _compared(hop, first, second)
        row = HLOPS[hop.opname]
        assert isinstance(row, HLOp)
        names = f"'{type_name(first[1])}' and '{type_name(second[1])}'"
        message = f"'{row.symbol}' not supported between instances of {names}"
        hop.llops.raise_constant(TypeError, message)
        return None

    return by_parts(hop.llops, Bool, _operands(hop), compare)


def _compared(hop: HighLevelOp, first: Operand, second: Operand) -> Value:
    defined = class_with_equality(first[1]) or class_with_equality(second[1])
    if hop.opname in ("eq", "ne") and not defined and not may_be_equal(first[1], second[1]):
        return Constant(hop.opname == "ne", Bool)
    if isinstance(first[2], NoneRepr) and isinstance(second[2], NoneRepr):
        return Constant(hop.opname == "eq", Bool)
    return hop.compare(hop.opname, first, second)


def _have_order(opname: str, first: Operand, second: Operand) -> bool:
    return PAIRS.lookup(opname, type(first[2]), type(second[2])) is not None or bool(
        PAIRS.lookup("by_methods", type(first[2]), type(second[2]))
    )


@PAIRS.register("is_", MixedRepr, Repr)
@PAIRS.register("is_", Repr, MixedRepr)
@PAIRS.register("is_", MixedRepr, MixedRepr)
@PAIRS.register("is_", NullableRepr, MixedRepr)
def identity_of_mixed(hop: HighLevelOp) -> Value:
    """That of what is in the boxes."""

    def compare(first: Operand, second: Operand) -> Value:
        if place_of(first[1]) != place_of(second[1]):
            return Constant(False, Bool)
        inner = hop.copy()
        inner.replace_arg(0, *first)
        inner.replace_arg(1, *second)
        return inner.dispatch()

    return by_parts(hop.llops, Bool, _operands(hop), compare)


@TEXT.register("text", MixedRepr)
def mixed_text(
    hop: HighLevelOp, v: Value, s: SomeObject, r: MixedRepr, quoted: bool
) -> list[Value]:
    llops = hop.llops
    pieces: list[tuple[Block, Value]] = []

    def show(operand: Operand) -> None:
        v_text = text(hop, operand, quoted)
        pieces.append((llops.block, v_text))

    split(llops, (v, s, r), show)
    done = llops.new_join(pieces[0][1].concretetype)
    for block, v_text in pieces:
        llops.at(block)
        llops.goto(done, v_text)
    llops.at(done)
    return [done.inputargs[0]]


def _hash_mixed(llops: LowLevelOpList, v: Value, r: MixedRepr, exact: bool) -> Value:
    whole = (v, SomeUnion(r.parts_s), r)
    return by_parts(llops, Signed, [whole], lambda part: emit_hash(llops, part[0], part[2], exact))


@HASHES.register("hash", MixedRepr)
def hash_mixed(llops: LowLevelOpList, v: Value, r: MixedRepr) -> Value:
    return _hash_mixed(llops, v, r, False)


@HASHES.register("exact_hash", MixedRepr)
def exact_hash_mixed(llops: LowLevelOpList, v: Value, r: MixedRepr) -> Value:
    return _hash_mixed(llops, v, r, True)


@HASHES.register("host_hash", MixedRepr)
def host_hash_mixed(r: MixedRepr, value: Any) -> int:
    which = r.place(r.rtyper.annotator.constants.annotation_of(value))
    assert which is not None
    return host_hash(r.parts_r[which], value)
