"""Iteration: one protocol for every container.

    for x in c            c1 = iter(c)              v_iter = r_container.newiter(llops, v)
        ...           ->  x = next(c1)     ->       x = r_iter.next_item(llops, v_iter, stop)

A Repr of something to iterate over derives from ``IterableRepr`` and defines

    make_iterator_repr(variant)    the IteratorRepr ('' for iter(x), 'reversed'); it need
                                   not be cached.  Raises TyperError for others.
    length_hint(llops, v)          optional: Signed, how many items iteration gives at
                                   most, or None when that is not known

An iterator is a struct and its Repr writes what it does where it is asked: written as generators,
``enumerate`` and ``zip`` take five times the instructions of a loop over a list, ``map`` four
times (callgrind), as what they keep is written back and read again around each ``yield``.

An iterator's Repr derives from ``IteratorRepr`` and defines, for simple containers,

    lowleveltype                   usually Ptr(GcStruct) of container and position
    s_item, r_item                 annotation and Repr of the items
    newiter(llops, v)              a new iterator over the container v
    more(llops, v_iter)            Bool: is there another item?
    fetch(llops, v_iter)           the next item, a value of r_item; advances
    exhausted(llops, v_iter)       optional: what happens when more() was false

or, when that does not do (zip), ``next_item`` itself.  Everything that takes "any
iterable" (``list``, ``extend``, ``sum``, ``min``, ``enumerate``, ``zip``...) is written
over ``next_item``; inside one operation, use ``for_each``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import (
    SomeBuiltinMethod,
    SomeInstance,
    SomeIterator,
    SomeObject,
    SomeTuple,
    s_Bottom,
    s_Int,
    s_None,
    s_NonNeg,
)
from rpython.annotator.lattice.parts import without_none
from rpython.annotator.program.classdef import Lookup, is_state_machine
from rpython.lltypesystem.lltype import Bool, GcStruct, Ptr, Signed
from rpython.rtyper.callables import Operand
from rpython.rtyper.kinds.instance import GC_FLAGS, InstanceRepr, void
from rpython.rtyper.overlays import call_overlay
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import (
    GENERAL_RULES,
    PAIRS,
    NullableRepr,
    Repr,
    compare_identity,
    repr_for,
)
from rpython.stdlib.builtins import contained
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.intrinsics import (
    UnpackingMethod,
    close_iterator,
    exception_instance,
    generator_result,
    send_through,
    throw_through,
)
from rpython.translator.ir.model import Block, Constant, Link, Value, Variable

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper

Stop = Callable[[], None]
"""Emits what happens at the end of the iteration; ends the block."""


class IterableRepr(Repr):
    """Something that can be iterated over: see the module text."""

    def make_iterator_repr(self, variant: str) -> IteratorRepr:
        raise NotImplementedError

    def length_hint(self, llops: LowLevelOpList, v: Value) -> Value | None:
        return None

    def rtype_iter(self, hop: HighLevelOp) -> Value:
        r: Any = hop.r_result
        v: Value = r.newiter(hop.llops, hop.inputarg(self, 0))
        return v


class IteratorRepr(IterableRepr):
    """An iterator: see the module text."""

    nullable = True
    s_item: SomeObject
    r_item: Repr

    def make_iterator_repr(self, variant: str) -> IteratorRepr:
        if variant:
            raise TyperError(f"{variant}() of an iterator")
        return self

    def newiter(self, llops: LowLevelOpList, v: Value) -> Value:
        """A new iterator over the container ``v``."""
        raise NotImplementedError

    def more(self, llops: LowLevelOpList, v_iter: Value) -> Value:
        raise NotImplementedError

    def fetch(self, llops: LowLevelOpList, v_iter: Value) -> Value:
        raise NotImplementedError

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        return Constant(True, Bool)

    def exhausted(self, llops: LowLevelOpList, v_iter: Value) -> None:
        """There is no other item, and there will never be one."""

    def next_item(self, llops: LowLevelOpList, v_iter: Value, stop: Stop) -> Value:
        """The next item, a value of ``r_item``; ``stop()`` is emitted where there is none."""
        more, done = llops.branch(self.more(llops, v_iter))
        llops.at(done)
        self.exhausted(llops, v_iter)
        stop()
        llops.at(more)
        return self.fetch(llops, v_iter)

    def rtype_iter(self, hop: HighLevelOp) -> Value:
        return hop.inputarg(self, 0)

    def rtype_next(self, hop: HighLevelOp) -> Value:
        v_item = self.next_item(hop.llops, hop.inputarg(self, 0), hop.stop)
        return hop.llops.convertvar(v_item, self.r_item, hop.r_result)

    rtype_method___next__ = rtype_next


def iterator_repr(rtyper: RPythonTyper, s: SomeObject, variant: str = "") -> IteratorRepr:
    """The Repr of iterators over values of ``s`` (of ``s`` itself when it is one)."""
    if isinstance(s, SomeIterator) and not variant:
        r: Any = rtyper.getrepr(s)
    else:
        r = rtyper.getrepr(SomeIterator((s.without_const(),), variant))
    assert isinstance(r, IteratorRepr)
    return r


def start_iterating(
    llops: LowLevelOpList, s: SomeObject, r: Repr, v: Value
) -> tuple[IteratorRepr, Value]:
    """An iterator over ``v``, a value of ``r`` (``v`` itself when it is one)."""
    r_iter = iterator_repr(llops.rtyper, s)
    return r_iter, v if isinstance(r, IteratorRepr) else r_iter.newiter(llops, v)


def for_each(
    llops: LowLevelOpList,
    r_iter: IteratorRepr,
    v_iter: Value,
    state: Sequence[Value],
    body: Callable[[Value, list[Value]], Sequence[Value]],
) -> list[Value]:
    """Emit a loop over an iterator.

    ``state``: values carried from round to round.  ``body(v_item, state)`` emits one round
    and returns the next state.  The result is the state at the end.
    """
    head = Block([Variable("state", v.concretetype) for v in state])
    done = Block([Variable("state", v.concretetype) for v in state])
    llops.goto(head, *state)
    llops.at(head)
    v_item = r_iter.next_item(llops, v_iter, lambda: llops.goto(done, *head.inputargs))
    llops.goto(head, *body(v_item, list(head.inputargs)))
    llops.at(done)
    return list(done.inputargs)


NOT_ITERABLE = "'NoneType' object is not iterable"


def not_iterable(hop: HighLevelOp) -> str:
    """What the operation says of None in place of an iterable."""
    s_callee = hop.rtyper.annotator.binding(hop.spaceop.args[0])
    method = s_callee.name if isinstance(s_callee, SomeBuiltinMethod) else ""
    return method.none_error if isinstance(method, UnpackingMethod) else NOT_ITERABLE


def iterable_arg(
    hop: HighLevelOp, arg: int, message: str = ""
) -> tuple[IterableRepr | InstanceRepr, Value]:
    """Operand ``arg``, something to iterate over; raises TypeError with ``message`` for None, or
    with what CPython says."""
    llops = hop.llops
    r: Any = hop.args_r[arg]
    if isinstance(r, NullableRepr):
        v = hop.inputarg(r, arg)
        llops.raise_if(r.is_null(v, llops), TypeError, message or not_iterable(hop))
        hop.replace_arg(arg, v, without_none(hop.args_s[arg]), r.inner)
        r = r.inner
    if not isinstance(r, IterableRepr | InstanceRepr):
        raise TyperError(f"cannot iterate over {hop.args_s[arg].describe()}")
    return r, hop.inputarg(r, arg)


def each_item(
    hop: HighLevelOp,
    arg: int,
    state: Sequence[Value],
    body: Callable[[Value, list[Value], IteratorRepr], Sequence[Value]],
) -> list[Value]:
    """``for_each`` over operand ``arg``; ``body`` also gets the Repr of the iterator."""
    r, v = iterable_arg(hop, arg)
    r_iter, v_iter = start_iterating(hop.llops, hop.args_s[arg], r, v)
    return for_each(hop.llops, r_iter, v_iter, state, lambda v_item, now: body(v_item, now, r_iter))


GENERAL_RULES["contains"] = partial(call_overlay, function=contained)


# -- instances with __iter__ and __next__ -----------------------------------------------------


class NextMethodRepr(IteratorRepr):
    """An instance with ``__next__``, generators among them."""

    def __init__(self, rtyper: RPythonTyper, s: SomeInstance) -> None:
        self.r: InstanceRepr = rtyper.getrepr(s)  # type: ignore[assignment]
        self.lowleveltype = self.r.lowleveltype
        self.s_item = result_of_method(rtyper, s, "__next__")
        self.r_item = rtyper.getrepr(self.s_item)

    def next_item(self, llops: LowLevelOpList, v_iter: Value, stop: Stop) -> Value:
        """StopIteration of the call is the end; other exceptions go their ways."""
        with stopping(llops, stop):
            return self.r.call_method(llops, "__next__", v_iter, self.r_item)


@contextmanager
def stopping(llops: LowLevelOpList, stop: Stop) -> Iterator[None]:
    """Where what is emitted meanwhile raises StopIteration, ``stop()`` is emitted."""
    outer = llops.handlers
    at_end = Block([])
    classes = llops.rtyper.classes
    stop_def = llops.rtyper.annotator.constants.classdef(StopIteration)

    def handlers() -> list[Link]:
        link = Link([], at_end, StopIteration)
        link.llexitcase = classes.vtable(stop_def)
        link.last_exc_value = Variable("exc", classes.exception_type())
        return [link, *(outer() if outer is not None else [])]

    llops.handlers = handlers
    yield
    llops.handlers = outer
    after = llops.block
    llops.at(at_end)
    stop()
    llops.at(after)


def iterated(rtyper: RPythonTyper, s: SomeObject) -> IteratorRepr:
    """The Repr of what ``__iter__`` gives, of one kind."""
    return NextMethodRepr(rtyper, s) if isinstance(s, SomeInstance) else iterator_repr(rtyper, s)


class InstanceIteratorRepr(IteratorRepr):
    """What ``__iter__`` of an instance gives."""

    def __init__(self, rtyper: RPythonTyper, s: SomeInstance) -> None:
        self.r: InstanceRepr = rtyper.getrepr(s)  # type: ignore[assignment]
        s_iterator = result_of_method(rtyper, s, "__iter__")
        self.is_itself = s_iterator == s and is_state_machine(s.classdef)
        self.r_iterator = r_iterator = rtyper.getrepr(s_iterator)
        self.inner: IteratorRepr = (
            r_iterator.make_iterator_repr() if r_iterator.is_mixed  # type: ignore[attr-defined]
            else iterated(rtyper, s_iterator)
        )  # fmt: skip
        self.lowleveltype = self.inner.lowleveltype
        self.s_item, self.r_item = self.inner.s_item, self.inner.r_item

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        raise TyperError("the truth of what iter() makes of an instance is not supported")

    def newiter(self, llops: LowLevelOpList, v: Value) -> Value:
        if self.is_itself:
            return v
        return self.r.call_method(llops, "__iter__", v, self.r_iterator)

    def next_item(self, llops: LowLevelOpList, v_iter: Value, stop: Stop) -> Value:
        return self.inner.next_item(llops, v_iter, stop)


def result_of_method(rtyper: RPythonTyper, s: SomeInstance, name: str) -> SomeObject:
    """What a method without arguments returns."""
    annotator = rtyper.annotator
    s_result: SomeObject = s_Bottom
    for classdef in s.classdef.concrete(s.members):
        desc = annotator.constants.target(classdef, Lookup(name))
        for graph in desc.graphs.values() if desc is not None else ():
            s_result = annotator.join(s_result, annotator.binding(graph.getreturnvar()))
    return s_result.without_const()


# -- enumerate and zip ------------------------------------------------------------------------


class EnumerateRepr(IteratorRepr):
    """``enumerate(x)``: an iterator over x and the number of its next item."""

    def __init__(self, rtyper: RPythonTyper, s: SomeIterator) -> None:
        self.inner = iterator_repr(rtyper, s.sources[0])
        self.struct = GcStruct("enumerate", ("inner", self.inner.lowleveltype), ("index", Signed))
        self.lowleveltype = Ptr(self.struct)
        self.s_index = s_NonNeg if s.variant == "enumerate" else s_Int
        self.s_item = SomeTuple((self.s_index, self.inner.s_item))
        self.r_item = rtyper.getrepr(self.s_item)

    def build(self, llops: LowLevelOpList, v_inner: Value, v_start: Value) -> Value:
        v = llops.genop("malloc", [void(self.struct), GC_FLAGS], self.lowleveltype)
        llops.genop("setfield", [v, void("inner"), v_inner])
        llops.genop("setfield", [v, void("index"), v_start])
        return v

    def next_item(self, llops: LowLevelOpList, v_iter: Value, stop: Stop) -> Value:
        inner = self.inner
        v_inner = llops.genop("getfield", [v_iter, void("inner")], inner.lowleveltype)
        v_item = inner.next_item(llops, v_inner, stop)
        v_index = llops.genop("getfield", [v_iter, void("index")], Signed)
        v_next = llops.genop("int_add_ovf", [v_index, Constant(1, Signed)], Signed)
        llops.genop("setfield", [v_iter, void("index"), v_next])
        r_tuple: Any = self.r_item
        pair = [(v_index, self.s_index, r_tuple.items_r[0]), (v_item, inner.s_item, inner.r_item)]
        v_pair: Value = r_tuple.build(llops, pair)
        return v_pair


class ZipRepr(IteratorRepr):
    """``zip(a, b, ...)``: one iterator each.  They advance in turn, as in CPython: when the
    second is exhausted, the first has already lost an item."""

    def __init__(self, rtyper: RPythonTyper, s: SomeIterator) -> None:
        self.strict = s.variant == "zip strict"
        self.inner = [iterator_repr(rtyper, source) for source in s.sources]
        fields = [(f"iter{i}", r.lowleveltype) for i, r in enumerate(self.inner)]
        self.struct = GcStruct(f"zip{len(fields)}", *fields)
        self.lowleveltype = Ptr(self.struct)
        self.s_item = SomeTuple(tuple(r.s_item for r in self.inner))
        self.r_item = rtyper.getrepr(self.s_item)

    def build(self, llops: LowLevelOpList, inner: Sequence[Value]) -> Value:
        v = llops.genop("malloc", [void(self.struct), GC_FLAGS], self.lowleveltype)
        for i, v_inner in enumerate(inner):
            llops.genop("setfield", [v, void(f"iter{i}"), v_inner])
        return v

    def inner_iterator(self, llops: LowLevelOpList, v_iter: Value, i: int) -> Value:
        return llops.genop("getfield", [v_iter, void(f"iter{i}")], self.inner[i].lowleveltype)

    def require_same_length(
        self, llops: LowLevelOpList, v_iter: Value, ended: int, stop: Stop
    ) -> None:
        """Iterator ``ended`` is the first one without another item: ValueError unless it is
        the first one of all and no other has one either."""
        if ended:
            message = f"zip() argument {ended + 1} is shorter than argument{_up_to(ended)}"
            llops.raise_constant(ValueError, message)
            return
        for i in range(1, len(self.inner)):
            other = Block([])
            v_inner = self.inner_iterator(llops, v_iter, i)
            self.inner[i].next_item(llops, v_inner, partial(llops.goto, other))
            message = f"zip() argument {i + 1} is longer than argument{_up_to(i)}"
            llops.raise_constant(ValueError, message)
            llops.at(other)
        stop()

    def next_item(self, llops: LowLevelOpList, v_iter: Value, stop: Stop) -> Value:
        items = []
        for i, r in enumerate(self.inner):
            v_inner = self.inner_iterator(llops, v_iter, i)
            end = partial(self.require_same_length, llops, v_iter, i, stop)
            v_item = r.next_item(llops, v_inner, end if self.strict else stop)
            items.append((v_item, r.s_item, r.r_item))
        r_tuple: Any = self.r_item
        v_tuple: Value = r_tuple.build(llops, items)
        return v_tuple


def _up_to(count: int) -> str:
    return " 1" if count == 1 else f"s 1-{count}"


MADE_BY_VARIANT: dict[str, Callable[[RPythonTyper, SomeIterator], IteratorRepr]] = {}
"""The makers of ``map`` and ``filter`` (``rtyper.builtins.map``) and of ``pieces``."""


@repr_for(SomeIterator)
def make_iterator(rtyper: RPythonTyper, s: SomeIterator) -> Repr:
    if s.variant in ("enumerate", "enumerate signed"):
        return EnumerateRepr(rtyper, s)
    if s.variant.startswith("zip"):
        return ZipRepr(rtyper, s)
    if s.variant in MADE_BY_VARIANT:
        return MADE_BY_VARIANT[s.variant](rtyper, s)
    r: Any = rtyper.getrepr(s.sources[0])
    if isinstance(r, InstanceRepr) and not s.variant:
        s_source = s.sources[0]
        assert isinstance(s_source, SomeInstance)
        return InstanceIteratorRepr(rtyper, s_source)
    if not isinstance(r, IterableRepr):
        raise TyperError(f"cannot iterate over {s.sources[0].describe()}")
    return r.make_iterator_repr(s.variant)


@BUILTINS.register(enumerate)
def builtin_enumerate(hop: HighLevelOp) -> Value:
    r, v = iterable_arg(hop, 0)
    r_enumerate: Any = hop.r_result
    v_start = hop.inputarg(Signed, 1) if hop.nb_args > 1 else Constant(0, Signed)
    _, v_inner = start_iterating(hop.llops, hop.args_s[0], r, v)
    built: Value = r_enumerate.build(hop.llops, v_inner, v_start)
    return built


@BUILTINS.register(zip)
def builtin_zip(hop: HighLevelOp) -> Value:
    r_zip: Any = hop.r_result
    inner = []
    for arg in range(hop.nb_args - len(hop.keywords)):
        r, v = iterable_arg(hop, arg)
        inner.append(start_iterating(hop.llops, hop.args_s[arg], r, v)[1])
    built: Value = r_zip.build(hop.llops, inner)
    return built


@BUILTINS.register(reversed)
def builtin_reversed(hop: HighLevelOp) -> Value:
    _, v = iterable_arg(hop, 0)
    r_iter: Any = hop.r_result
    v_iter: Value = r_iter.newiter(hop.llops, v)
    return v_iter


@PAIRS.register("eq ne", IteratorRepr, IteratorRepr)
def compare_iterators(hop: HighLevelOp) -> Value:
    """Identity."""
    v_same = compare_identity(hop)
    return v_same if hop.opname == "eq" else hop.genop("bool_not", [v_same], Bool)


def builtin_iter(hop: HighLevelOp) -> Value:
    """``iter(x)``."""
    r, v = iterable_arg(hop, 0)
    if isinstance(r, InstanceRepr):
        return r.call_method(hop.llops, "__iter__", v, hop.r_result)
    return start_iterating(hop.llops, hop.args_s[0], r, v)[1]


@BUILTINS.register(next)
def builtin_next(hop: HighLevelOp) -> Value:
    """``next(iterator)`` or ``next(iterator, default)``."""
    llops = hop.llops
    r, v = iterable_arg(hop, 0)
    if isinstance(r, InstanceRepr):
        if hop.nb_args == 1:  # the StopIteration comes out as it is
            return r.call_method(llops, "__next__", v, hop.r_result)
        s_iterator = without_none(hop.args_s[0])
        assert isinstance(s_iterator, SomeInstance)
        r = NextMethodRepr(hop.rtyper, s_iterator)
    if not isinstance(r, IteratorRepr):
        raise TyperError(f"next() of {hop.args_s[0].describe()}")
    if hop.nb_args == 1:
        return llops.convertvar(r.next_item(llops, v, hop.stop), r.r_item, hop.r_result)
    done = llops.new_join(hop.r_result.lowleveltype)
    v_default = hop.inputarg(hop.r_result, 1)
    v_item = r.next_item(llops, v, lambda: llops.goto(done, v_default))
    llops.goto(done, llops.convertvar(v_item, r.r_item, hop.r_result))
    llops.at(done)
    return done.inputargs[0]


@BUILTINS.register(close_iterator)
def close_inner(hop: HighLevelOp) -> Value:
    r = hop.args_r[0]
    if isinstance(r, InstanceRepr) and r.classdef.first_with("close"):
        r_none = hop.rtyper.getrepr(s_None)
        r.call_method(hop.llops, "close", hop.inputarg(r, 0), r_none)
    return hop.result_constant()


@BUILTINS.register(send_through)
def send_to_inner(hop: HighLevelOp) -> Value:
    _call_inner(hop, "_send_later", hop.rtyper.getrepr(s_None))
    return hop.result_constant()


def _call_inner(hop: HighLevelOp, name: str, r_result: Repr) -> Value:
    """Call that method of a generator with the other argument."""
    r = hop.args_r[0]
    assert isinstance(r, InstanceRepr)
    v, s, r_value = hop.operand(1)
    arguments = [Operand(v, s.without_const(), r_value)]
    v_self = hop.inputarg(r, 0)
    return r.call_lookup(hop, Lookup(name), v_self, CallShape(1), arguments, r_result)


@BUILTINS.register(exception_instance)
def instance_to_throw(hop: HighLevelOp) -> Value:
    inner = hop.copy()
    inner.opname = "exc_instance"
    v: Value = inner.args_r[0].rtype(inner)
    return v


@BUILTINS.register(throw_through)
def throw_to_inner(hop: HighLevelOp) -> Value:
    if hop.s_result.is_constant():
        return hop.result_constant()
    return _call_inner(hop, "_throw_later", hop.r_result)


@BUILTINS.register(generator_result)
def value_of_generator(hop: HighLevelOp) -> Value:
    """The value of ``yield from``."""
    r = hop.args_r[0]
    if not isinstance(r, InstanceRepr):
        return hop.result_constant()
    return r.call_method(hop.llops, "_result", hop.inputarg(r, 0), hop.r_result)
