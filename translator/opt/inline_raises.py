"""Where the exceptions go that an inlined function raises while its caller may catch them.

::

    b0(it):                                     b0(it):
        try v = direct_call(@next, it)              t = int_ge(..)
            goto b1(v)                              if t goto b2() else b1(..)
            except StopIteration goto b2()  ->
    graph next(it):
        t = int_ge(..)
        if t raise @StopIteration else ..

A ``raise`` becomes a jump to the handler when its class is known, the handler is the one for it,
and does not look at the exception: then nobody can tell that there was one.  What no handler
catches leaves the caller.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rpython.lltypesystem.operations.llop import Derives, row_of
from rpython.lltypesystem.rclass import CLASSTYPE, OBJECTPTR, is_subclass
from rpython.lltypesystem.simulated.casts import cast_pointer
from rpython.lltypesystem.simulated.memory import _ptr
from rpython.translator.ir.model import Constant, FunctionGraph, Link, SpaceOperation, Value

Classes = Mapping[Value, _ptr]
"""The vtables of values whose class is known exactly."""


def raises_of(graph: FunctionGraph) -> list[Link]:
    """The links by which exceptions leave a graph."""
    return [link for link in graph.iterlinks() if link.target is graph.exceptblock]


def known_classes(graph: FunctionGraph) -> Classes:
    """The classes of the instances that a graph makes and of those that it raises, as far as they
    are known."""
    if not raises_of(graph):
        return {}
    made_by: dict[Value, SpaceOperation] = {op.result: op for _, op in graph.iterblockops()}

    def source(value: Value) -> Value:
        while value in made_by and row_of(made_by[value]).derives is Derives.SAME:
            value = made_by[value].args[0]
        return value

    known: dict[Value, _ptr] = {}
    for op in made_by.values():
        if op.opname == "setfield" and _names_class(op) and isinstance(op.args[2], Constant):
            known[source(op.args[0])] = op.args[2].value
    for link in raises_of(graph):
        value = link.args[0]
        if isinstance(value, Constant):
            if value.value:
                known[value] = cast_pointer(OBJECTPTR, value.value).typeptr
        elif source(value) in known:
            known[value] = known[source(value)]
    return known


def _names_class(op: SpaceOperation) -> bool:
    field = op.args[1]
    return op.args[0].concretetype == OBJECTPTR and getattr(field, "value", None) == "typeptr"


def destination(link: Link, handlers: Sequence[Link], classes: Classes) -> Link | str:
    """Which of the handlers catches what the link raises, or "leaves", or "unknown".  ``classes``:
    as for the graph of the link."""
    for handler in handlers:
        caught = _is_caught(classes.get(link.args[0]), handler)
        if caught is None:
            return "unknown"
        if caught:
            looks = handler.last_exc_value is not None and handler.last_exc_value in handler.args
            return "unknown" if looks else handler
    return "leaves"


def _is_caught(vtable: _ptr | None, handler: Link) -> bool | None:
    """Is an exception of the class caught?  None: nobody knows."""
    if handler.exitcase is BaseException:
        return True
    if vtable is None:
        return None
    cls, parent = (cast_pointer(CLASSTYPE, p) for p in (vtable, handler.llexitcase))
    if cls == parent:
        return True
    numbered = all(_is_numbered(each) for each in (cls, parent))
    return is_subclass(cls, parent) if numbered else None


def _is_numbered(vtable: Any) -> bool:
    return bool(vtable.subclassrange_min < vtable.subclassrange_max)
