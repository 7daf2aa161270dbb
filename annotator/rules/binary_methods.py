"""Operators with two operands, one of them an instance: which methods CPython calls (``__add__``,
``__radd__``, ...), and in which order.

    a + b     a.__add__(b); then, where the types differ, b.__radd__(a)
    a < b     b.__gt__(a) first where b's class is below a's; a.__lt__(b); else b.__gt__(a)
    a == b    likewise; identity where nobody has an opinion
    a += b    a.__iadd__(b) first

A method that returns NotImplemented leaves the answer to the next one.
"""

from __future__ import annotations

import enum

from rpython.annotator.lattice.model import (
    K_BYTEARRAY,
    K_BYTES,
    K_NONE,
    K_STR,
    SomeInstance,
    SomeObject,
)
from rpython.annotator.lattice.parts import parts_of, without_none
from rpython.annotator.program.classdef import ClassDef
from rpython.stdlib._subvalues import StrBase
from rpython.translator.ir.hlops import HLOPS, IN_PLACE, Group, group_of, plain_name
from rpython.translator.ir.records import dataclass


def kind_of_operand(s: SomeObject) -> object:
    """What tells operands apart that a method is asked about (``Lookup.other``)."""
    s = without_none(s)
    return s.classdef.root() if isinstance(s, SomeInstance) else s.kinds


class When(enum.Enum):
    """What has to hold of the classes of the operands for an attempt to be made."""

    ALWAYS = "always"
    RIGHT_IS_BELOW = "the right operand's class is a proper subclass of the left one's"
    RIGHT_IS_NOT_BELOW = "it is not"
    TYPES_DIFFER = "the operands are of different classes"


@dataclass(frozen=True, slots=True)
class Attempt:
    """One method that may be asked: ``name`` of operand ``own`` (where that is not None).
    ``negated``: its answer is the opposite (``!=`` by ``__eq__``)."""

    own: int
    name: str
    when: When = When.ALWAYS
    negated: bool = False


def attempts(opname: str, a: SomeObject, b: SomeObject) -> list[Attempt]:
    """The methods that an operation on these operands may ask, in order."""
    left, right = without_none(a), without_none(b)
    word = plain_name(opname).strip("_")
    result: list[Attempt] = []
    if word == "mod" and left.kinds & (K_STR | K_BYTES | K_BYTEARRAY):
        return result  # formatting; see ``formats_itself``
    if opname in IN_PLACE and _has(left, f"__i{word}__"):
        result.append(Attempt(0, f"__i{word}__"))
    if group_of(opname) is not Group.COMPARISON:
        if _has(left, f"__{word}__"):
            result.append(Attempt(0, f"__{word}__"))
        if _has(right, f"__r{word}__") and not _are_same(a, right):
            when = When.TYPES_DIFFER if _may_be_same(left, right) else When.ALWAYS
            result.append(Attempt(1, f"__r{word}__", when))
        return result
    asked, reflected = _comparison(left, word), _comparison(right, HLOPS[opname].reflected)
    below = _may_be_below(left, right)
    if reflected is not None and below:
        result.append(Attempt(1, *reflected[:1], When.RIGHT_IS_BELOW, reflected[1]))
    if asked is not None:
        result.append(Attempt(0, asked[0], When.ALWAYS, asked[1]))
    if reflected is not None:
        when = When.RIGHT_IS_NOT_BELOW if below else When.ALWAYS
        result.append(Attempt(1, reflected[0], when, reflected[1]))
    return result


def formats_itself(left: SomeObject, right: SomeObject) -> bool:
    """Does ``text % x`` ask x first?  Formatting takes whatever there is, so only where x is of a
    class below that of the text, which has ``__rmod__``."""
    return bool(left.kinds & K_STR) and any(
        isinstance(part, SomeInstance) and _has(part, "__rmod__")
        and any(issubclass(below.cls, (str, StrBase)) for below in part.classdef.subtree())
        for part in parts_of(without_none(right))
    )  # fmt: skip


def is_sure(attempt: Attempt, operands: tuple[SomeObject, SomeObject]) -> bool:
    """Is the attempt made whatever the operands are at run time?"""
    s_own = operands[attempt.own]
    if attempt.when is not When.ALWAYS or s_own.kinds & K_NONE:
        return False
    return not lacking(s_own, attempt.name)


def lacking(s: SomeObject, name: str) -> bool:
    """Is the method one of some subclasses only?"""
    s = without_none(s)
    assert isinstance(s, SomeInstance)
    return not _defines(s.classdef, name)


def having(s: SomeObject, name: str) -> list[ClassDef]:
    """The most general classes of these instances that have the method."""
    s = without_none(s)
    assert isinstance(s, SomeInstance)
    return [
        classdef for classdef in s.classdef.subtree()
        if _defines(classdef, name)
        and (classdef is s.classdef or classdef.base is None or not _defines(classdef.base, name))
    ]  # fmt: skip


def right_may_override(opname: str, a: SomeObject, b: SomeObject) -> bool:
    """May the right operand be of a subclass of the left one's class with a reflected method
    of its own?  Then CPython asks it first."""
    left, right = without_none(a), without_none(b)
    name = f"__r{plain_name(opname).strip('_')}__"
    if not _may_be_below(left, right) or not _has(right, name):
        return False
    assert isinstance(left, SomeInstance) and isinstance(right, SomeInstance)
    found = {
        None if value is None else value[1]
        for value in (
            classdef.class_value(name)
            for classdef in (*left.classdef.subtree(), *right.classdef.subtree())
        )
    }
    return len(found) > 1


def _has(s: SomeObject, name: str) -> bool:
    if not isinstance(s, SomeInstance):
        return False
    return any(_defines(classdef, name) for classdef in s.classdef.subtree())


def _defines(classdef: ClassDef, name: str) -> bool:
    found = classdef.class_value(name)
    return found is not None and found[1] is not None and found[0].__module__ != "builtins"


def _comparison(s: SomeObject, word: str) -> tuple[str, bool] | None:
    """The method that decides a comparison, and whether its answer is the opposite."""
    if _has(s, f"__{word}__"):
        return f"__{word}__", False
    return ("__eq__", True) if word == "ne" and _has(s, "__eq__") else None


def _may_be_below(left: SomeObject, right: SomeObject) -> bool:
    if not isinstance(left, SomeInstance) or not isinstance(right, SomeInstance):
        return False
    return may_be_subclass(left.classdef, right.classdef)


def _may_be_same(left: SomeObject, right: SomeObject) -> bool:
    """May both be of one class?"""
    if not isinstance(left, SomeInstance) or not isinstance(right, SomeInstance):
        return False
    a, b = left.classdef, right.classdef
    return a.is_subclass_of(b) or b.is_subclass_of(a)


def _are_same(left: SomeObject, right: SomeObject) -> bool:
    """Are both of one class, whatever they are?"""
    if not isinstance(left, SomeInstance) or not isinstance(right, SomeInstance):
        return False
    alone = left.classdef is right.classdef and not left.classdef.subdefs
    return alone and not left.kinds & K_NONE


def may_be_subclass(left: ClassDef, right: ClassDef) -> bool:
    """May an instance of (or below) ``right`` be of a proper subclass of the class of one of
    ``left``?"""
    return any(
        below is not above and issubclass(below.cls, above.cls)
        for above in left.subtree() for below in right.subtree()
    )  # fmt: skip
