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

from rpython.lltypesystem.rclass import CLASSTYPE, is_subclass
from rpython.lltypesystem.simulated.casts import cast_pointer
from rpython.lltypesystem.simulated.memory import _ptr
from rpython.translator.ir.model import FunctionGraph, Link, Value
from rpython.translator.opt.exact_classes import ExactClasses, is_numbered

Classes = Mapping[Value, _ptr]
"""The vtables of values whose class is known exactly."""


def raises_of(graph: FunctionGraph) -> list[Link]:
    """The links by which exceptions leave a graph."""
    return [link for link in graph.iterlinks() if link.target is graph.exceptblock]


def known_classes(graph: FunctionGraph) -> Classes:
    """The classes of the instances that a graph raises, as far as they are known."""
    raised = [link.args[0] for link in raises_of(graph)]
    if not raised:
        return {}
    classes = ExactClasses(graph)
    found = {value: classes.of(value) for value in raised}
    return {value: vtable for value, vtable in found.items() if vtable is not None}


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
    numbered = all(is_numbered(each) for each in (cls, parent))
    return is_subclass(cls, parent) if numbered else None
