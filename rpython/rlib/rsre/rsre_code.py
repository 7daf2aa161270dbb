"""The program of a compiled pattern, a list of ints, and how it is made from a parsed one.

    (a|b)*c     0 ENTER 4      3 JUMP 13       5 MARK 0   ...  13 MAX_UNTIL 4 0 -1 5   18 CHAR 99

Patterns are parsed by the Python that runs this, at import; see ``rsre_core`` for what the
instructions do.
"""

from __future__ import annotations

import re
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from rpython.rlib.rsre.rsre_char import CharSet, charset, lower_unicode

CHAR, NOT_CHAR, ANY, ALL, SET = 0, 1, 2, 3, 4
"""One character: an instruction and one operand."""
REPEAT_ONE, POSSESSIVE_ONE, LAZY_ONE, LAZY_MORE = 5, 6, 7, 8
"""One of the above any number of times: its instruction and operand, least and most times."""
SPLIT, JUMP, MARK, AT = 9, 10, 11, 12
ENTER, MAX_UNTIL, MIN_UNTIL, MIN_MORE, POSSESSIVE_STEP, POSSESSIVE_NEXT = 13, 14, 15, 16, 17, 18
GROUP_REF, IF_GROUP = 19, 20
BARRIER, ASSERT_END, ATOMIC_END, NOT_START, NOT_END, FAIL, MATCH = 21, 22, 23, 24, 25, 26, 27

AT_BEGINNING, AT_LINE_START, AT_END, AT_LINE_END, AT_STRING_END = 0, 1, 2, 3, 4
AT_BOUNDARY, AT_NOT_BOUNDARY, AT_ASCII_BOUNDARY, AT_NOT_ASCII_BOUNDARY = 5, 6, 7, 8

EXACT, SAME_LOWER, SAME_LOWER_ASCII = 0, 1, 2
UNLIMITED = -1
_TYPE_FLAGS = re.ASCII | re.LOCALE | re.UNICODE


class CompiledPattern:
    """What ``rsre_core`` runs.

    ``ops``: the instructions.  ``sets``: the sets that SET names.  ``groups``: how many there
    are.  ``always``: those that take part in every match.  ``slots``: how many ints a match
    needs: two marks for each group, the number of the group closed last, and what loops need.
    ``lower``: small letters, for backward references that ignore case."""

    def __init__(self, pattern: str | bytes, flags: int = 0) -> None:
        compiled: re.Pattern[Any] = re.compile(pattern, flags)
        if compiled.flags & re.LOCALE:
            raise ValueError("regular expressions that depend on the locale are not supported")
        self.flags = int(compiled.flags)
        self.groups = compiled.groups
        self.groupindex = dict(compiled.groupindex)
        self.groupnames: list[str | None] = [None] * (compiled.groups + 1)
        for name, number in self.groupindex.items():
            self.groupnames[number] = name
        self.ops: list[int] = []
        self.sets: list[CharSet] = []
        self.slots = 2 * compiled.groups + 1
        self.lower: dict[int, int] = {}
        emitter = _Emitter(self)
        parsed = _parser.parse(pattern, flags & ~re.DEBUG)
        self.always = tuple(sorted(_always(parsed)))
        emitter.sequence(parsed, compiled.flags)
        emitter.emit(MATCH)
        self.first = 0
        while self.ops[self.first] == MARK:
            self.first += 2
        """Where the program is after marks at its start."""

    def _freeze_(self) -> bool:
        return True


class _Emitter:
    """Appends instructions to a program."""

    def __init__(self, program: CompiledPattern) -> None:
        self.program = program
        self.ops = program.ops

    def emit(self, *ops: int) -> None:
        self.ops.extend(ops)

    def slots(self, count: int) -> int:
        first = self.program.slots
        self.program.slots += count
        return first

    def sequence(self, items: Any, flags: int) -> None:
        for op, value in items:
            self.item(op, value, flags)

    def item(self, op: Any, value: Any, flags: int) -> None:
        single = self.single(flags, op, value)
        if single is not None:
            self.emit(*single)
        elif op is sre.SUBPATTERN:
            self.group(flags, *value)
        elif op is sre.BRANCH:
            self.branch([(item, flags) for item in value[1]])
        elif op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            self.repeat(op, flags, *value)
        elif op is sre.ATOMIC_GROUP:
            barrier = self.slots(2)
            self.emit(BARRIER, barrier, 0)
            self.sequence(value, flags)
            self.emit(ATOMIC_END, barrier)
        elif op in (sre.ASSERT, sre.ASSERT_NOT):
            self.assertion(op is sre.ASSERT, flags, *value)
        elif op is sre.AT:
            self.emit(AT, _position(value, flags))
        elif op is sre.GROUPREF:
            how = EXACT
            if flags & re.IGNORECASE:
                how = SAME_LOWER if flags & re.UNICODE else SAME_LOWER_ASCII
                if how == SAME_LOWER:
                    self.program.lower = lower_unicode()
            self.emit(GROUP_REF, value - 1, how)
        elif op is sre.GROUPREF_EXISTS:
            self.conditional(flags, *value)
        else:
            assert op is sre.FAILURE, op
            self.emit(FAIL)

    def single(self, flags: int, op: Any, value: Any) -> tuple[int, int] | None:
        """The instruction and operand of what matches one character."""
        if op is sre.ANY:
            return (ALL, 0) if flags & re.DOTALL else (ANY, 0)
        if op in (sre.LITERAL, sre.NOT_LITERAL):
            if not flags & re.IGNORECASE:
                return (CHAR if op is sre.LITERAL else NOT_CHAR, value)
            items = [(sre.LITERAL, value)]
            if op is sre.NOT_LITERAL:
                items.insert(0, (sre.NEGATE, None))
        elif op is sre.IN:
            items = value
        else:
            return None
        made = charset(items, bool(flags & re.IGNORECASE), not flags & re.UNICODE)
        if op is sre.LITERAL and not made.ranges and sum(made.low) == 1:
            return (CHAR, made.low.index(1))
        self.program.sets.append(made)
        return (SET, len(self.program.sets) - 1)

    def group(self, flags: int, number: int | None, add: int, remove: int, items: Any) -> None:
        if add & _TYPE_FLAGS:
            flags &= ~_TYPE_FLAGS
        flags = (flags | add) & ~remove
        if number is not None:
            self.emit(MARK, 2 * number - 2)
        self.sequence(items, flags)
        if number is not None:
            self.emit(MARK, 2 * number - 1)

    def branch(self, alternatives: list[tuple[Any, int]]) -> None:
        jumps = []
        for items, flags in alternatives[:-1]:
            self.emit(SPLIT, 0)
            split = len(self.ops) - 1
            self.sequence(items, flags)
            self.emit(JUMP, 0)
            jumps.append(len(self.ops) - 1)
            self.ops[split] = len(self.ops)
        self.sequence(*alternatives[-1])
        for jump in jumps:
            self.ops[jump] = len(self.ops)

    def repeat(self, op: Any, flags: int, least: int, most: int, items: Any) -> None:
        most = UNLIMITED if most == sre.MAXREPEAT else int(most)
        single = self.single(flags, *items[0]) if len(items) == 1 else None
        if single is not None:
            if op is sre.MIN_REPEAT:
                self.emit(LAZY_ONE, *single, least, most, LAZY_MORE, *single)
            else:
                greedy = op is sre.MAX_REPEAT
                self.emit(REPEAT_ONE if greedy else POSSESSIVE_ONE, *single, least, most)
            return
        loop = self.slots(4)
        self.emit(ENTER, loop)
        if op is sre.POSSESSIVE_REPEAT:
            step = len(self.ops)
            self.emit(POSSESSIVE_STEP, loop, least, most, 0)
            self.sequence(items, flags)
            self.emit(POSSESSIVE_NEXT, loop, step)
            self.ops[step + 4] = len(self.ops)
            return
        self.emit(JUMP, 0)
        body = len(self.ops)
        self.sequence(items, flags)
        self.ops[body - 1] = len(self.ops)
        if op is sre.MAX_REPEAT:
            self.emit(MAX_UNTIL, loop, least, most, body)
        else:
            self.emit(MIN_UNTIL, loop, least, most, body, MIN_MORE, loop, body)

    def assertion(self, positive: bool, flags: int, direction: int, items: Any) -> None:
        back = items.getwidth()[0] if direction < 0 else 0
        barrier = self.slots(2)
        if positive:
            self.emit(BARRIER, barrier, back)
            self.sequence(items, flags)
            self.emit(ASSERT_END, barrier)
        else:
            self.emit(NOT_START, barrier, back, 0)
            end = len(self.ops) - 1
            self.sequence(items, flags)
            self.emit(NOT_END, barrier)
            self.ops[end] = len(self.ops)

    def conditional(self, flags: int, number: int, yes: Any, no: Any) -> None:
        self.emit(IF_GROUP, number - 1, 0)
        otherwise = len(self.ops) - 1
        self.sequence(yes, flags)
        if no:
            self.emit(JUMP, 0)
            jump = len(self.ops) - 1
            self.ops[otherwise] = len(self.ops)
            self.sequence(no, flags)
            otherwise = jump
        self.ops[otherwise] = len(self.ops)


def _always(items: Any) -> set[int]:
    """The numbers of the groups that take part whenever these items match."""
    found: set[int] = set()
    for op, value in items:
        if op is sre.SUBPATTERN:
            found |= _always(value[3])
            if value[0] is not None:
                found.add(value[0])
        elif op is sre.BRANCH:
            found |= set.intersection(*map(_always, value[1]))
        elif op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT) and value[0] > 0:
            found |= _always(value[2])
        elif op is sre.ATOMIC_GROUP:
            found |= _always(value)
        elif op is sre.ASSERT:
            found |= _always(value[1])
        elif op is sre.GROUPREF_EXISTS:
            found |= _always(value[1]) & _always(value[2] or ())
    return found


def _position(at: Any, flags: int) -> int:
    if at is sre.AT_BEGINNING:
        return AT_LINE_START if flags & re.MULTILINE else AT_BEGINNING
    if at is sre.AT_END:
        return AT_LINE_END if flags & re.MULTILINE else AT_END
    if at is sre.AT_BEGINNING_STRING:
        return AT_BEGINNING
    if at is sre.AT_END_STRING:
        return AT_STRING_END
    if at is sre.AT_BOUNDARY:
        return AT_BOUNDARY if flags & re.UNICODE else AT_ASCII_BOUNDARY
    assert at is sre.AT_NON_BOUNDARY, at
    return AT_NOT_BOUNDARY if flags & re.UNICODE else AT_NOT_ASCII_BOUNDARY
