"""Objects whose class is known exactly: what their methods and ``isinstance`` ask is answered here.

::

    p = malloc(type A)                            p = malloc(type A)
    o = cast_pointer(p)                           o = cast_pointer(p)
    setfield(o, "typeptr", @vtable.A)             setfield(o, "typeptr", @vtable.A)
    c = getfield(o, "typeptr")              ->    y = direct_call(@A.area, o)
    n = getfield(c, "subclassrange_min")
    i = int_sub(n, 4)
    f = getarrayitem(@areas, i)
    y = indirect_call(f, o, [@A.area, @B.area])

Known are the classes of the objects that the function makes, which the rtyper says behind each
``malloc``, and of prebuilt ones.  Classes have other numbers in each program, so helpers, which are
kept for all of them, are not told.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rpython.lltypesystem.operations.llop import Derives, row_of
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.primitives import Signed
from rpython.lltypesystem.rclass import CLASSTYPE, OBJECTPTR
from rpython.lltypesystem.simulated.casts import cast_pointer
from rpython.lltypesystem.simulated.memory import _ptr
from rpython.translator.ir.model import Constant, FunctionGraph, SpaceOperation, Value
from rpython.translator.ir.traversal import reverse_postorder
from rpython.translator.opt.predicates import fold
from rpython.translator.opt.rewrite import Substitution, may_rewrite

NUMBERS = ("subclassrange_min", "subclassrange_max")
"""The fields of a vtable with the numbers of the class and its subclasses."""


class ExactClasses:
    """The classes of the objects that a graph makes."""

    def __init__(self, graph: FunctionGraph) -> None:
        self._made_by: dict[Value, SpaceOperation] = {}
        self._known: dict[Value, _ptr] = {}
        stores = []
        for _, op in graph.iterblockops():
            self._made_by[op.result] = op
            if op.opname == "setfield" and names_class(op):
                stores.append(op)
        for op in stores:
            if isinstance(op.args[2], Constant):
                self._known[self._source(op.args[0])] = op.args[2].value

    def __bool__(self) -> bool:
        return bool(self._known)

    def of(self, value: Value) -> _ptr | None:
        """The vtable of an instance; None: it may be of several classes."""
        value = self._source(value)
        if isinstance(value, Constant):
            return class_of_prebuilt(value.value) if value.value else None
        return self._known.get(value)

    def _source(self, value: Value) -> Value:
        while value in self._made_by and row_of(self._made_by[value]).derives is Derives.SAME:
            value = self._made_by[value].args[0]
        return value


def class_of_prebuilt(p: _ptr) -> _ptr:
    """The vtable of a prebuilt instance."""
    vtable: _ptr = cast_pointer(OBJECTPTR, p).typeptr
    return vtable


def names_class(op: SpaceOperation) -> bool:
    """Is it the field with the class of an instance that the operation loads or stores?"""
    return op.args[0].concretetype == OBJECTPTR and _field(op) == "typeptr"


def is_numbered(vtable: _ptr) -> bool:
    """Has the class its number?"""
    cls: Any = cast_pointer(CLASSTYPE, vtable)
    return bool(cls.subclassrange_min < cls.subclassrange_max)


def resolve_classes(graph: FunctionGraph) -> bool:
    """Answer what is asked of objects whose classes are known; was there any?"""
    return _resolve(graph)[0]


def calls_resolved(graph: FunctionGraph) -> Mapping[SpaceOperation, None]:
    """Do the same; which calls are calls of one function by that?"""
    return _resolve(graph)[1]


def _resolve(graph: FunctionGraph) -> tuple[bool, dict[SpaceOperation, None]]:
    calls: dict[SpaceOperation, None] = {}
    if graph.is_helper or not any(
        op.opname == "getfield" and _field(op) in ("typeptr", *NUMBERS)
        for _, op in graph.iterblockops()
    ):
        return False, calls
    classes = ExactClasses(graph)
    known = Substitution()
    for block in reverse_postorder(graph):  # definitions before uses
        kept = []
        for op in block.operations:
            op.args = known.values(op.args)
            answer = _answer(op, classes, known)
            if answer is not None and may_rewrite(graph, op):
                known.add(op.result, answer)
                continue
            kept.append(op)
            if _calls_constant(op) and may_rewrite(graph, op):
                op.opdef, op.args = LLOPS["direct_call"], op.args[:-1]
                calls[op] = None
        block.operations = kept
    known.apply(graph)
    return bool(known) or bool(calls), calls


def _answer(op: SpaceOperation, classes: ExactClasses, known: Substitution) -> Constant | None:
    """What the operation gives, where it asks for a class that is known."""
    if op.opname == "getfield":
        if names_class(op):
            vtable = classes.of(op.args[0])
            return None if vtable is None else Constant(vtable, CLASSTYPE)
        if isinstance(op.args[0], Constant) and _field(op) in NUMBERS:
            cls: Any = op.args[0].value
            if op.args[0].concretetype == CLASSTYPE and is_numbered(cls):
                return Constant(getattr(cls, _field(op)), Signed)
    elif op.opname == "getarrayitem":
        return _function_in_table(op)
    elif known and not row_of(op).can_raise:
        return fold(op)
    return None


def _function_in_table(op: SpaceOperation) -> Constant | None:
    """The function that is loaded from a table to be called, where the place is known."""
    table, place = op.args
    if not isinstance(table, Constant) or not isinstance(place, Constant):
        return None
    A: Any = table.concretetype
    items = table.value._obj.items if A.TO._hints.get("called") else ()
    if 0 <= place.value < len(items) and items[place.value]:
        return Constant(items[place.value], A.TO.OF)
    return None


def _calls_constant(op: SpaceOperation) -> bool:
    return op.opname == "indirect_call" and isinstance(op.args[0], Constant)


def _field(op: SpaceOperation) -> str:
    name = op.args[1]
    return name.value if isinstance(name, Constant) else ""
