"""Which special method an operation on an instance calls, and the TypeError where its class has
none.

    len(x)      x.__len__(); TypeError: object of type 'A' has no len()

An operation is allowed where some class at or below that of ``x`` has the method.  An instance of
a class without it raises the TypeError at run time.
"""

from __future__ import annotations

from rpython.annotator.lattice.model import SomeInstance
from rpython.annotator.program.classdef import ClassDef
from rpython.translator.ir.records import dataclass


@dataclass(frozen=True, slots=True)
class Missing:
    """What an operation on an instance without the method does: TypeError, the class's name
    between ``before`` and ``after``, unless the class has a method of ``instead``."""

    before: str
    after: str = "'"
    instead: tuple[str, ...] = ()
    names_class: bool = True
    """Is the class's name in it?"""


MISSING = {
    "__len__": Missing("object of type '", "' has no len()"),
    "__getitem__": Missing("'", "' object is not subscriptable"),
    "__setitem__": Missing("'", "' object does not support item assignment"),
    "__delitem__": Missing("'", "' object doesn't support item deletion"),
    "__contains__": Missing(
        "argument of type '", "' is not iterable", ("__iter__", "__getitem__")
    ),
    "__iter__": Missing("'", "' object is not iterable", ("__getitem__",)),
    "__next__": Missing("'", "' object is not an iterator"),
    "__call__": Missing("'", "' object is not callable"),
    "__neg__": Missing("bad operand type for unary -: '"),
    "__pos__": Missing("bad operand type for unary +: '"),
    "__invert__": Missing("bad operand type for unary ~: '"),
    "__abs__": Missing("bad operand type for abs(): '"),
    "__round__": Missing("type ", " doesn't define __round__ method"),
    "__reversed__": Missing("'", "' object is not reversible", ("__getitem__",)),
    "__index__": Missing("'", "' object cannot be interpreted as an integer"),
    "__int__": Missing(
        "int() argument must be a string, a bytes-like object or a real number, not '",
        instead=("__index__", "__trunc__"),
    ),
    "__float__": Missing(
        "float() argument must be a string or a real number, not '", instead=("__index__",)
    ),
}  # fmt: skip
"""Method -> what is raised where a class has none.  Methods that are not listed have to be defined
in all classes that the operation may meet."""


def truth_method(classdef: ClassDef) -> str:
    """The method that decides whether instances of exactly that class are true; "": they are."""
    for name in ("__bool__", "__len__"):
        if classdef.class_value(name) is not None:
            return name
    return ""


def truth_methods(classdef: ClassDef) -> list[tuple[ClassDef, str]]:
    """The same for the class and those below it that have another one than their base, the most
    special first."""
    points = [
        (below, truth_method(below)) for below in classdef.subtree()
        if below is classdef or below.base is None
        or truth_method(below) != truth_method(below.base)
    ]  # fmt: skip
    return sorted(points, key=lambda point: -point[0].depth)


def lacking(s: SomeInstance, name: str) -> list[ClassDef]:
    """The classes that instances of ``s`` may be of and that have no such method."""
    return [
        classdef for classdef in s.classdef.concrete(s.members)
        if classdef.class_value(name) is None
    ]  # fmt: skip


def acting_otherwise(s: SomeInstance, name: str) -> ClassDef | None:
    """A class without the method that has one which the operation calls instead."""
    for classdef in lacking(s, name):
        if any(classdef.class_value(other) is not None for other in MISSING[name].instead):
            return classdef
    return None
