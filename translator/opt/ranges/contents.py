"""What is in the arrays and objects that only one function sees: all that it stores there.

::

    xs = malloc_varsize(GcArray(Signed), 13)    xs and more are of one class, in which are
    ...                                         numbers from 0 to 6:
    more = direct_call(@ll_more_room, xs)       0, as new memory is, and what is stored
    setarrayitem(more, i, op)                   op: 1..6
    ...
    x = getarrayitem(more, k)                   0..6

Pointers between which the function copies, or which it puts into the same place, are of one class:
Steensgaard, "Points-to Analysis in Almost Linear Time" (1996), with a class for each place inside
of a class.  A class that anybody else may know of, since it is given away, returned or comes from
elsewhere, has *escaped*, and so has what is in it; what is in the others is in no memory that
others write to, whatever is called.  Small functions to which they are given are looked into, for
each call anew.  Prebuilt objects that never change only add to what is in their class.

For each place of a class from which numbers are loaded there is a ``Name``, which begins with 0 and
may be any number that is stored; each load has its value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from rpython.lltypesystem.operations.effects import Location, field_location, items_location
from rpython.lltypesystem.operations.llop import callees, row_of
from rpython.lltypesystem.primitives import LowLevelType, Void
from rpython.lltypesystem.types import Array, Ptr, Struct
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.records import dataclass
from rpython.translator.opt.ranges.names import Name, Names

_DEPTH = 3
"""Calls up to which functions are looked into."""
_SMALL = 60
"""Operations of a function that is looked into."""
_MOST = 2000
"""Operations after which no more functions are looked into."""


@dataclass(eq=False, slots=True)
class _Class:
    """Objects that are not told apart.  ``into``: the class that this one became part of.
    ``inside``: the classes to which the pointers in them lead.  ``numbers``: the names of what is
    stored in a place; None: any number.  ``copied``: the places from which is copied to one."""

    into: _Class | None = None
    escaped: bool = False
    inside: dict[Location, _Class] = field(default_factory=dict)
    numbers: dict[Location, list[Name | None]] = field(default_factory=dict)
    copied: dict[Location, list[tuple[_Class, Location]]] = field(default_factory=dict)


Values = dict[Value, "_Class"]
"""The classes of the pointers of one graph, or of one call of it."""
Source = Name | tuple[_Class, Location] | None
"""Where a number comes from: a name, what is in a place, or anywhere."""


def contents_of(graph: FunctionGraph, names: Names) -> dict[Name, Name]:
    """The names of loads of numbers from what only the function sees, and of what is there, which
    are added to those of the first block."""
    made = any(row_of(op).makes_object for _, op in graph.iterblockops())
    found = _Contents(graph, names).found() if made and names.loads else {}
    names.of_block[graph.startblock] += dict.fromkeys(found.values())
    return found


class _Contents:
    def __init__(self, graph: FunctionGraph, names: Names) -> None:
        self._graph = graph
        self._names = names
        self._operations = 0
        self._loads: list[tuple[Name, _Class, Location]] = []
        self._classes: list[_Class] = []
        self._prebuilt: dict[int, _Class] = {}
        values: Values = {}
        for v in graph.getargs():
            self._escape(values, v)
        self._walk(graph, values, None, 0)

    # -- the names ---------------------------------------------------------------------------------

    def found(self) -> dict[Name, Name]:
        self._spread_escapes()
        made: dict[tuple[_Class, Location], Name] = {}
        result = {}
        for load, of, place in self._loads:
            of = _find(of)
            stored = None if of.escaped else self._stored(of, place)
            if stored is None:
                continue
            contents = made.get((of, place))
            if contents is None:
                v = Variable("contents", load.variable.concretetype)
                block = self._graph.startblock
                contents = made[of, place] = Name(v, load.whole, block, stored=stored)
                for name in stored:
                    name.used_by(contents)
            contents.used_by(load)
            result[load] = contents
        return result

    def _stored(self, of: _Class, place: Location) -> list[Name] | None:
        """The names of all that is stored in a place, or is copied there; None: any number is."""
        todo, seen = [(of, place)], {(of, place)}
        names: dict[Name, None] = {}
        while todo:
            of, place = todo.pop()
            if of.escaped:
                return None
            for name in of.numbers.get(place, ()):
                if name is None:
                    return None
                names[name] = None
            for source, there in of.copied.get(place, ()):
                key = (_find(source), there)
                if key not in seen:
                    seen.add(key)
                    todo.append(key)
        return list(names)

    def _spread_escapes(self) -> None:
        """What is in a class that has escaped has so, too."""
        todo = [each for each in map(_find, self._classes) if each.escaped]
        while todo:
            for each in todo.pop().inside.values():
                inner = _find(each)
                if not inner.escaped:
                    inner.escaped = True
                    todo.append(inner)

    # -- the classes of one graph ------------------------------------------------------------------

    def _walk(
        self, graph: FunctionGraph, values: Values, result: _Class | None, depth: int,
        given: dict[Value, Source] | None = None,
    ) -> None:  # fmt: skip
        """Follow the operations of a graph.  ``values``: has the classes of its arguments.
        ``result``: that of what it returns; None: that escapes.  ``given``: of a graph that is
        called, the sources of its arguments that are numbers."""
        for block in graph.iterblocks():
            for op in block.operations:
                self._operations += 1
                self._operate(op, values, depth, given)
            for link in block.exits:
                if link.target is graph.returnblock and result is not None:
                    for arg in link.args:
                        self._join(values, arg, result)
                elif link.target in (graph.returnblock, graph.exceptblock):
                    for arg in link.args:
                        self._escape(values, arg)
                else:
                    self._pass(values, link.args, link.target)
                if link.last_exc_value is not None:
                    self._escape(values, link.last_exc_value)

    def _pass(self, values: Values, args: Sequence[Value], target: Block) -> None:
        for arg, v in zip(args, target.inputargs):
            self._unify(values, arg, v)

    def _operate(
        self, op: SpaceOperation, values: Values, depth: int, given: dict[Value, Source] | None
    ) -> None:
        row = row_of(op)
        if row.makes_object:
            self._of(values, op.result)
        elif op.opname in ("getfield", "getarrayitem") and _is_tracked(op.args[0]):
            self._load(op, values, given)
        elif op.opname in ("setfield", "setarrayitem") and _is_tracked(op.args[0]):
            self._store(op, values, given)
        elif row.form == "array_size" or row.relation or row.if_zero is not None:
            return  # nobody learns of the object by that
        elif op.opname == "copy_array_items":
            self._unify(values, op.args[0], op.args[1])
        elif row.is_call and self._may_look_into(op, depth):
            self._call(op, values, depth, given)
        else:
            for v in (*op.args, op.result):
                self._escape(values, v)

    def _may_look_into(self, op: SpaceOperation, depth: int) -> bool:
        called = callees(op)
        if not called.direct or len(called.graphs) != 1 or depth >= _DEPTH:
            return False
        if not any(map(_is_tracked, (*op.args[1:], op.result))) or self._operations > _MOST:
            return False
        return sum(len(block.operations) for block in called.graphs[0].iterblocks()) <= _SMALL

    def _call(
        self, op: SpaceOperation, values: Values, depth: int, given: dict[Value, Source] | None
    ) -> None:
        (graph,) = callees(op).graphs
        inner: Values = {}
        sources: dict[Value, Source] = {}
        for place, (v, arg) in enumerate(zip(graph.getargs(), op.args[1:])):
            if _is_tracked(v):
                of = self._class_of(values, arg)
                if of is not None:
                    inner[v] = of
            else:
                sources[v] = self._source(op, place + 1, given)
        result = self._of(values, op.result) if _is_tracked(op.result) else None
        self._walk(graph, inner, result, depth + 1, sources)

    # -- loads and stores --------------------------------------------------------------------------

    def _load(self, op: SpaceOperation, values: Values, given: dict[Value, Source] | None) -> None:
        of = self._class_of(values, op.args[0])
        place = _place(op)
        if of is None or place is None:
            self._escape(values, op.result)
        elif _is_tracked(op.result):
            self._join(values, op.result, self._inside(of, place))
        elif given is not None:
            given[op.result] = (of, place)
        else:
            name = self._names.loads.get(op)
            if name is not None:
                self._loads.append((name, of, place))

    def _store(self, op: SpaceOperation, values: Values, given: dict[Value, Source] | None) -> None:
        of = self._class_of(values, op.args[0])
        place = _place(op)
        if of is None or place is None:
            self._escape(values, op.args[-1])
        elif _is_tracked(op.args[-1]):
            self._join(values, op.args[-1], self._inside(of, place))
        else:
            source = self._source(op, len(op.args) - 1, given)
            if isinstance(source, tuple):
                _find(of).copied.setdefault(place, []).append(source)
            else:
                _find(of).numbers.setdefault(place, []).append(source)

    def _source(
        self, op: SpaceOperation, operand: int, given: dict[Value, Source] | None
    ) -> Source:
        """Where a number comes from that is an operand."""
        v = op.args[operand]
        if isinstance(v, Constant):
            return self._name_of_constant(v)
        if given is not None:
            return given.get(v)
        operands = self._names.given.get(op)
        return None if operands is None else operands[operand]

    def _name_of_constant(self, v: Constant) -> Name | None:
        return None if v.concretetype is Void else self._names.now(v)

    # -- classes -----------------------------------------------------------------------------------

    def _class_of(self, values: Values, v: Value) -> _Class | None:
        """The class of what a pointer leads to; None: to nothing, or to no items."""
        if isinstance(v, Constant):
            return self._class_of_prebuilt(v.value) if v.value and not _is_empty(v.value) else None
        return self._of(values, v)

    def _of(self, values: Values, v: Value) -> _Class:
        known = values.get(v)
        if known is None:
            known = values[v] = self._new()
        return _find(known)

    def _new(self) -> _Class:
        made = _Class()
        self._classes.append(made)
        return made

    def _inside(self, of: _Class, place: Location) -> _Class:
        of = _find(of)
        known = of.inside.get(place)
        if known is None:
            known = of.inside[place] = self._new()
        return _find(known)

    def _class_of_prebuilt(self, p: Any) -> _Class:
        obj = p._obj
        known = self._prebuilt.get(id(obj))
        if known is not None:
            return _find(known)
        made = self._prebuilt[id(obj)] = self._new()
        S = p._TYPE.TO
        if not isinstance(S, Struct) or not S._hints.get("immutable") or _is_inlined(obj):
            made.escaped = True
            return made
        for name, T in S._flds.items():
            constant = Constant(getattr(p, name), T)
            place = field_location(S, name)
            if _is_tracked(constant):
                inside = self._class_of({}, constant)
                if inside is not None:
                    _merge(self._inside(made, place), inside)
            else:
                _find(made).numbers.setdefault(place, []).append(self._name_of_constant(constant))
        return _find(made)

    def _unify(self, values: Values, v: Value, w: Value) -> None:
        if _is_tracked(v) and _is_tracked(w):
            a, b = self._class_of(values, v), self._class_of(values, w)
            if a is not None and b is not None:
                _merge(a, b)
        else:
            self._escape(values, v)
            self._escape(values, w)

    def _join(self, values: Values, v: Value, of: _Class) -> None:
        known = self._class_of(values, v) if _is_tracked(v) else None
        if known is not None:
            _merge(known, of)

    def _escape(self, values: Values, v: Value) -> None:
        if _is_tracked(v):
            of = self._class_of(values, v)
            if of is not None:
                of.escaped = True


def _is_empty(p: Any) -> bool:
    """Is it an array without items, which many lists begin with?"""
    return isinstance(p._TYPE.TO, Array) and len(p._obj.items) == 0


def _is_inlined(obj: Any) -> bool:
    return obj._parent is not None


def _is_tracked(v: Value) -> bool:
    T = v.concretetype
    return isinstance(T, Ptr) and T._gckind == "gc" and isinstance(T.TO, Struct | Array)


def _place(op: SpaceOperation) -> Location | None:
    """The place that a load or a store names; None: it shares memory with others."""
    T: LowLevelType = op.args[0].concretetype.TO
    if isinstance(T, Struct):
        name = op.args[1]
        weak = "weak_fields" in T._hints
        assert isinstance(name, Constant)
        return None if weak or T._is_union else field_location(T, name.value)
    assert isinstance(T, Array)
    return items_location(T.OF)


def _find(of: _Class) -> _Class:
    while of.into is not None:
        if of.into.into is not None:
            of.into = of.into.into
        of = of.into
    return of


def _merge(first: _Class, second: _Class) -> None:
    """Make one class of two, and so of what is in them."""
    todo = [(first, second)]
    while todo:
        a, b = map(_find, todo.pop())
        if a is b:
            continue
        b.into = a
        a.escaped = a.escaped or b.escaped
        for place, names in b.numbers.items():
            a.numbers.setdefault(place, []).extend(names)
        for place, sources in b.copied.items():
            a.copied.setdefault(place, []).extend(sources)
        for place, each in b.inside.items():
            known = a.inside.setdefault(place, each)
            if known is not each:
                todo.append((known, each))
