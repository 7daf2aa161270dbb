"""Operations that never succeed, and what is wrong behind them.

    v = None
    print(v + 1)            this always raises TypeError: ...
    print("a" + 1)          unsupported operands ...; not reached before that is mended
"""

from __future__ import annotations

from collections.abc import Iterator

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import SomeDict, SomeList
from rpython.annotator.rules.raised import raised_by_host
from rpython.translator.ir.errors import (
    Note,
    TranslationError,
    TranslationWarning,
    all_of,
    is_silenced,
)
from rpython.translator.ir.hlops import Group, group_of
from rpython.translator.ir.model import SpaceOperation
from rpython.translator.ir.span import Span
from rpython.translator.warnings.doubts import is_shown, reached
from rpython.translator.warnings.nones import (
    error_of_none,
    hint_of_none,
    is_use_of_none,
    story_of_none,
)

_MAY_FAIL = {
    Group.UNARY, Group.ARITHMETIC, Group.IN_PLACE, Group.COMPARISON, Group.MEMBERSHIP, Group.ITEM,
    Group.ATTRIBUTE, Group.UNPACKING,
}  # fmt: skip
"""What a program hardly means to fail each time; calls often do, of what ends the program, say."""


def failures(annotator: RPythonAnnotator) -> Iterator[TranslationWarning]:
    """Operations that never succeed, for no handler, wherever the function is called from."""
    late = {op for op, _, _ in annotator.late.found()}
    failing: dict[Span, SpaceOperation] = {}
    succeeding: set[Span] = set()
    for graph in annotator.graphs:
        for block in reached(annotator, graph) if graph.home.is_program else ():
            op = annotator.blocked.get(block)
            end = len(block.operations) if op is None else block.operations.index(op)
            succeeding |= {known.span for known in block.operations[:end]}
            if op is None or group_of(op.opname) not in _MAY_FAIL or not is_shown(op.span):
                continue
            caught = block.canraise and op is block.operations[-1]
            told = op in late or (is_use_of_none(annotator, op) and error_of_none(op))
            if not caught and not told:
                failing[op.span] = op
    for span, op in failing.items():
        if span not in succeeding:
            raised, hint = _raised(annotator, op)
            notes = [note for arg in op.args for note in story_of_none(annotator, arg)]
            yield TranslationWarning(f"this always raises {raised}", span, notes, hint)


def _raised(annotator: RPythonAnnotator, op: SpaceOperation) -> tuple[str, str]:
    """What such an operation raises, and what to do about it."""
    s_first = annotator.binding(op.args[0])
    if op.opname == "getitem" and isinstance(s_first, SomeDict):
        return "KeyError", "nothing is put in the dict before: get(key, 0) gives 0 for a new key"
    if op.opname == "getitem" and isinstance(s_first, SomeList):
        return "IndexError", "nothing is put in the list before"
    try:
        raised = raised_by_host(annotator, op)
    except TranslationError:
        raised = None  # it would be about an operand
    hint = hint_of_none(annotator, op)
    return (f"{raised.exception.__name__}: {raised.text}" if raised else "an exception"), hint


_NOT_REACHED = Note("not reached before what always raises is mended")


def errors_behind(annotator: RPythonAnnotator) -> Iterator[TranslationWarning]:
    """What is wrong in the part of a program without errors that follows uses of None, which always
    fail: it is never reached before they are mended.  The annotations are of no other use then."""
    try:
        while annotator.empty_reads.look_behind():
            annotator.complete_new()
    except TranslationError as found:
        for error in all_of(found):
            notes = [_NOT_REACHED, *error.notes]
            warning = TranslationWarning(error.message, error.span, notes, error.hint)
            warning.again = error.again
            if not is_silenced(warning):
                yield warning
