"""Operands that are always None: what the operation raises, where the None comes from, what to do.

names = names.sort()
for name in names: ...      TypeError; sort() changes the list, and gives None
"""

from __future__ import annotations

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import K_NONE, SomeBuiltinMethod, SomeObject, SomePBC
from rpython.annotator.provenance import kinds_story, made_by
from rpython.translator.ir.errors import Note
from rpython.translator.ir.hlops import Group, HLOp, group_of
from rpython.translator.ir.home import home_of_file
from rpython.translator.ir.model import Constant, SpaceOperation, Value, Variable

_BETTER = {"sort": "sorted(...)", "reverse": "list(reversed(...))"}
"""A method that changes a list -> the function that gives another one."""


def error_of_none(op: SpaceOperation) -> str:
    """What the operation raises if its first operand is None; empty if it does not."""
    row = op.opdef
    if not isinstance(row, HLOp) or not op.args:
        return ""
    if row.name == "getattr" and isinstance(op.args[1], Constant):
        name = op.args[1].value
        known = hasattr(None, str(name))
        return "" if known else f"AttributeError: 'NoneType' object has no attribute {name!r}"
    return row.none_error and f"TypeError: {row.none_error}"


def is_use_of_none(annotator: RPythonAnnotator, op: SpaceOperation) -> bool:
    """Is the first operand a variable that is always None?"""
    return bool(op.args and story_of_none(annotator, op.args[0]))


def story_of_none(annotator: RPythonAnnotator, arg: Value) -> list[Note]:
    """Where an operand comes from that is always None."""
    if not isinstance(arg, Variable) or arg.annotation is None:
        return []
    s = annotator.binding(arg)
    return story_in_program(annotator, arg, s) if s.kinds == K_NONE else []


def story_in_program(annotator: RPythonAnnotator, arg: Variable, s: SomeObject) -> list[Note]:
    """Where the kinds of a value come from, without what is in the library."""
    notes = kinds_story(annotator, arg, s)
    return [
        note for note in notes
        if note.span is None or home_of_file(note.span.filename).is_program
    ]  # fmt: skip


def hint_of_none(annotator: RPythonAnnotator, op: SpaceOperation) -> str:
    """What to do about an operand that is None, often because of the method that gave it; empty
    if there is no saying."""
    for arg in op.args:
        if story_of_none(annotator, arg):
            assert isinstance(arg, Variable)
            for made in made_by(annotator, arg, K_NONE):
                if hint := _hint_of_call(annotator, made):
                    return hint
    if group_of(op.opname) is Group.COMPARISON:
        return "ask for None first: x is None or ..."
    return ""


def _hint_of_call(annotator: RPythonAnnotator, made: SpaceOperation) -> str:
    """The same, where that operation gave the None."""
    if group_of(made.opname) is not Group.CALL:
        return ""
    s = annotator.binding(made.args[0])
    if isinstance(s, SomePBC) and len(s.descs) == 1:
        (desc,) = s.descs
        return f"{desc.name}() returns nothing but None"
    if not isinstance(s, SomeBuiltinMethod):
        return ""
    if s.name == "get":
        return "get() gives None for a key that is not there: get(key, 0) gives 0"
    if s.name in _BETTER:
        return f"{s.name}() changes the list and gives None: {_BETTER[s.name]} gives another"
    return f"{s.name}() changes the object that it is called of, and gives None"
