"""The matcher: runs the program of a ``Program`` at a position of a string.

A backtracking machine without recursion.  ``stack`` holds triples of ints: what to try when
the current attempt fails (instruction, position, and how far back a repetition may go), or
what to put back before that (the complement of a slot's number, and its value).  The order
of attempts, and what is done about empty repetitions, is that of CPython's ``_sre``.
"""

from __future__ import annotations

import sys

from rpython.rlib.rsre.rsre_char import is_word, lower_ascii
from rpython.rlib.rsre.rsre_code import (
    ALL,
    ANY,
    ASSERT_END,
    AT,
    AT_ASCII_BOUNDARY,
    AT_BEGINNING,
    AT_BOUNDARY,
    AT_END,
    AT_LINE_END,
    AT_LINE_START,
    AT_NOT_ASCII_BOUNDARY,
    AT_NOT_BOUNDARY,
    AT_STRING_END,
    ATOMIC_END,
    BARRIER,
    CHAR,
    ENTER,
    EXACT,
    GROUP_REF,
    IF_GROUP,
    JUMP,
    LAZY_MORE,
    LAZY_ONE,
    MARK,
    MATCH,
    MAX_UNTIL,
    MIN_MORE,
    MIN_UNTIL,
    NOT_CHAR,
    NOT_END,
    NOT_START,
    POSSESSIVE_NEXT,
    POSSESSIVE_ONE,
    POSSESSIVE_STEP,
    REPEAT_ONE,
    SAME_LOWER,
    SET,
    SPLIT,
    Program,
)
from rpython.rlib.rsre.rsre_compile import CompiledPattern as CompiledPattern

_MANY = 1 << 60


class AbstractMatchContext:
    """A string to match, and the state and result of matching it.

    ``match_start``, ``match_end``: where the match is.  ``end``: the string counts as that
    long.  ``marks``: where groups start and end, -1 for what did not take part, followed by
    the number of the group closed last (0: none) and what loops need."""

    def __init__(self, match_start: int, end: int) -> None:
        self.match_start = match_start
        self.match_end = match_start
        self.end = end
        self.marks: list[int] = []
        self.stack: list[int] = []
        self.whole = False
        self.not_empty = False

    def code(self, index: int) -> int:
        """The code point, or the byte, at that place."""
        raise NotImplementedError

    def span(self, groupnum: int = 0) -> tuple[int, int]:
        """Where a group is, (-1, -1) when it did not take part; 0 is the whole match."""
        if groupnum == 0:
            return self.match_start, self.match_end
        return span_of(self.marks, groupnum)

    def get_mark(self, gid: int) -> int:
        return self.marks[gid]


class StrMatchContext(AbstractMatchContext):
    """Matches a str."""

    def __init__(self, string: str, match_start: int, end: int) -> None:
        AbstractMatchContext.__init__(self, match_start, end)
        self.string = string

    def code(self, index: int) -> int:
        return ord(self.string[index])

    def group(self, groupnum: int = 0) -> str | None:
        """The text of a group, None when it did not take part."""
        start, end = self.span(groupnum)
        if start < 0:
            return None
        return self.string[start:end]


UnicodeMatchContext = StrMatchContext


class BufMatchContext(AbstractMatchContext):
    """Matches bytes."""

    def __init__(self, buf: bytes, match_start: int, end: int) -> None:
        AbstractMatchContext.__init__(self, match_start, end)
        self.string = buf

    def code(self, index: int) -> int:
        return self.string[index]

    def group(self, groupnum: int = 0) -> bytes | None:
        """The bytes of a group, None when it did not take part."""
        start, end = self.span(groupnum)
        if start < 0:
            return None
        return self.string[start:end]


def span_of(marks: list[int], group: int) -> tuple[int, int]:
    """Where a group is, from a match's marks."""
    start = marks[2 * group - 2]
    end = marks[2 * group - 1]
    if start < 0 or end < 0:
        return -1, -1
    return start, end


# -- one character ----------------------------------------------------------------------------


def matches(ctx: AbstractMatchContext, pattern: Program, pc: int, code: int) -> bool:
    """Does the instruction at ``pc``, for one character, match this one?"""
    op = pattern.ops[pc]
    if op == CHAR:
        return code == pattern.ops[pc + 1]
    if op == SET:
        return pattern.sets[pattern.ops[pc + 1]].contains(code)
    if op == ANY:
        return code != 10
    if op == NOT_CHAR:
        return code != pattern.ops[pc + 1]
    return True


def run_end(
    ctx: AbstractMatchContext, pattern: Program, pc: int, pos: int, most: int
) -> int:
    """Where characters that the instruction at ``pc`` matches end, ``most`` of them at most."""
    end = ctx.end
    if pos >= end:
        return pos
    if 0 <= most < end - pos:
        end = pos + most
    op = pattern.ops[pc]
    if op == ALL:
        return end
    if op == SET:
        members = pattern.sets[pattern.ops[pc + 1]]
        while pos < end and members.contains(ctx.code(pos)):
            pos += 1
        return pos
    while pos < end and matches(ctx, pattern, pc, ctx.code(pos)):
        pos += 1
    return pos


def is_boundary(ctx: AbstractMatchContext, pos: int, ascii_only: bool) -> bool:
    before = pos > 0 and is_word(ctx.code(pos - 1), ascii_only)
    after = pos < ctx.end and is_word(ctx.code(pos), ascii_only)
    return before != after


def is_at(ctx: AbstractMatchContext, where: int, pos: int) -> bool:
    """Is the position of this kind?"""
    if where == AT_BEGINNING:
        return pos == 0
    if where == AT_LINE_START:
        return pos == 0 or ctx.code(pos - 1) == 10
    if where == AT_END:
        return pos == ctx.end or (pos == ctx.end - 1 and ctx.code(pos) == 10)
    if where == AT_LINE_END:
        return pos == ctx.end or (pos < ctx.end and ctx.code(pos) == 10)
    if where == AT_STRING_END:
        return pos == ctx.end
    if ctx.end == 0:
        return False
    if where == AT_BOUNDARY:
        return is_boundary(ctx, pos, False)
    if where == AT_NOT_BOUNDARY:
        return not is_boundary(ctx, pos, False)
    if where == AT_ASCII_BOUNDARY:
        return is_boundary(ctx, pos, True)
    assert where == AT_NOT_ASCII_BOUNDARY
    return not is_boundary(ctx, pos, True)


def end_of_copy(
    ctx: AbstractMatchContext, pattern: Program, group: int, how: int, pos: int
) -> int:
    """Where the text of a group that is repeated at ``pos`` ends there; -1: it is not."""
    start = ctx.marks[2 * group]
    end = ctx.marks[2 * group + 1]
    if start < 0 or end < start or (end > start and end - start > ctx.end - pos):
        return -1
    while start < end:
        one = ctx.code(start)
        other = ctx.code(pos)
        if one != other:
            if how == EXACT:
                return -1
            if how == SAME_LOWER:
                if pattern.lower.get(one, one) != pattern.lower.get(other, other):
                    return -1
            elif lower_ascii(one) != lower_ascii(other):
                return -1
        start += 1
        pos += 1
    return pos


# -- what to try later ------------------------------------------------------------------------


def push(stack: list[int], pc: int, pos: int, low: int) -> None:
    """Later, try ``pc`` at ``pos``, and then at each position before it down to ``low``; a
    negative ``low`` is no position but the complement of how often LAZY_MORE may go on."""
    stack.append(low)
    stack.append(pos)
    stack.append(pc)


def set_slot(ctx: AbstractMatchContext, slot: int, value: int) -> None:
    """Change a slot, which has its old value again when what follows fails."""
    stack = ctx.stack
    if len(stack) > 0:
        push(stack, ~slot, ctx.marks[slot], 0)
    ctx.marks[slot] = value


def forget_attempts(stack: list[int], height: int) -> None:
    """Nothing above ``height`` is tried any more; slots are still put back."""
    kept = height
    for i in range(height, len(stack), 3):
        if stack[i + 2] < 0:
            stack[kept] = stack[i]
            stack[kept + 1] = stack[i + 1]
            stack[kept + 2] = stack[i + 2]
            kept += 3
    del stack[kept:]


def unwind(ctx: AbstractMatchContext, height: int) -> None:
    """Put back slots down to that height of the stack."""
    stack = ctx.stack
    while len(stack) > height:
        pc = stack.pop()
        value = stack.pop()
        stack.pop()
        if pc < 0:
            ctx.marks[~pc] = value


# -- the machine ------------------------------------------------------------------------------


def run(ctx: AbstractMatchContext, pattern: Program, start: int) -> bool:
    """Match at ``start``; sets ``match_start``, ``match_end`` and ``marks``."""
    ops = pattern.ops
    last_slot = 2 * pattern.groups
    marks = [-1] * pattern.slots
    marks[last_slot] = 0
    ctx.marks = marks
    stack = ctx.stack
    del stack[:]
    end = ctx.end
    pos = start
    pc = 0
    again = 0
    while True:
        op = ops[pc]
        failed = False
        if op == CHAR:
            if pos < end and ctx.code(pos) == ops[pc + 1]:
                pos += 1
                pc += 2
            else:
                failed = True
        elif op <= SET:
            if pos < end and matches(ctx, pattern, pc, ctx.code(pos)):
                pos += 1
                pc += 2
            else:
                failed = True
        elif op == REPEAT_ONE:
            low = pos + ops[pc + 3]
            pos = run_end(ctx, pattern, pc + 1, pos, ops[pc + 4])
            failed = pos < low or low > end
            pc += 5
            if pos > low and not failed:
                push(stack, pc, pos - 1, low)
        elif op == SPLIT:
            push(stack, ops[pc + 1], pos, pos)
            pc += 2
        elif op == JUMP:
            pc = ops[pc + 1]
        elif op == MARK:
            number = ops[pc + 1]
            set_slot(ctx, number, pos)
            if number & 1:
                set_slot(ctx, last_slot, (number >> 1) + 1)
            pc += 2
        elif op == AT:
            failed = not is_at(ctx, ops[pc + 1], pos)
            pc += 2
        elif op == ENTER:
            slot = ops[pc + 1]
            set_slot(ctx, slot, -1)
            set_slot(ctx, slot + 1, -1)
            pc += 2
        elif op == MAX_UNTIL:
            slot = ops[pc + 1]
            count = marks[slot] + 1
            set_slot(ctx, slot, count)
            if count < ops[pc + 2]:
                pc = ops[pc + 4]
            elif (ops[pc + 3] < 0 or count < ops[pc + 3]) and pos != marks[slot + 1]:
                push(stack, pc + 5, pos, pos)
                set_slot(ctx, slot + 1, pos)
                pc = ops[pc + 4]
            else:
                pc += 5
        elif op == MIN_UNTIL:
            slot = ops[pc + 1]
            count = marks[slot] + 1
            set_slot(ctx, slot, count)
            if count < ops[pc + 2]:
                pc = ops[pc + 4]
            else:
                if (ops[pc + 3] < 0 or count < ops[pc + 3]) and pos != marks[slot + 1]:
                    push(stack, pc + 5, pos, pos)
                pc += 8
        elif op == MIN_MORE:
            set_slot(ctx, ops[pc + 1] + 1, pos)
            pc = ops[pc + 2]
        elif op == LAZY_ONE:
            low = pos + ops[pc + 3]
            pos = run_end(ctx, pattern, pc + 1, pos, ops[pc + 3])
            failed = pos < low or low > end
            again = _MANY if ops[pc + 4] < 0 else ops[pc + 4] - ops[pc + 3]
            pc += 5
            if not failed and again > 0:
                push(stack, pc, pos, ~again)
            pc += 3
        elif op == LAZY_MORE:
            if pos < end and matches(ctx, pattern, pc + 1, ctx.code(pos)):
                pos += 1
                again -= 1
                if again > 0:
                    push(stack, pc, pos, ~again)
                pc += 3
            else:
                failed = True
        elif op == POSSESSIVE_ONE:
            low = pos + ops[pc + 3]
            pos = run_end(ctx, pattern, pc + 1, pos, ops[pc + 4])
            failed = pos < low or low > end
            pc += 5
        elif op == POSSESSIVE_STEP:
            slot = ops[pc + 1]
            count = marks[slot] + 1
            set_slot(ctx, slot, count)
            marks[slot + 2] = len(stack)
            if count < ops[pc + 2]:
                pc += 5
            elif (ops[pc + 3] < 0 or count < ops[pc + 3]) and pos != marks[slot + 1]:
                push(stack, ops[pc + 4], pos, pos)
                set_slot(ctx, slot + 1, pos)
                pc += 5
            else:
                pc = ops[pc + 4]
        elif op == POSSESSIVE_NEXT:
            forget_attempts(stack, marks[ops[pc + 1] + 2])
            pc = ops[pc + 2]
        elif op == GROUP_REF:
            pos = end_of_copy(ctx, pattern, ops[pc + 1], ops[pc + 2], pos)
            failed = pos < 0
            pc += 3
        elif op == IF_GROUP:
            group = ops[pc + 1]
            if 0 <= marks[2 * group] <= marks[2 * group + 1]:
                pc += 3
            else:
                pc = ops[pc + 2]
        elif op == BARRIER:
            slot = ops[pc + 1]
            marks[slot] = len(stack)
            marks[slot + 1] = pos
            pos -= ops[pc + 2]
            failed = pos < 0
            pc += 3
        elif op in (ASSERT_END, ATOMIC_END):
            slot = ops[pc + 1]
            forget_attempts(stack, marks[slot])
            if op == ASSERT_END:
                pos = marks[slot + 1]
            pc += 2
        elif op == NOT_START:
            marks[ops[pc + 1]] = len(stack)
            if pos < ops[pc + 2]:
                pc = ops[pc + 3]
            else:
                push(stack, ops[pc + 3], pos, pos)
                pos -= ops[pc + 2]
                pc += 4
        elif op == NOT_END:
            unwind(ctx, marks[ops[pc + 1]])
            failed = True
        elif op == MATCH:
            if (ctx.whole and pos != end) or (ctx.not_empty and pos == start):
                failed = True
            else:
                ctx.match_start = start
                ctx.match_end = pos
                return True
        else:
            failed = True
        if failed:
            while True:
                if len(stack) == 0:
                    return False
                pc = stack.pop()
                pos = stack.pop()
                low = stack.pop()
                if pc >= 0:
                    break
                marks[~pc] = pos
            if low < 0:
                again = ~low
            elif pos > low:
                push(stack, pc, pos - 1, low)


# -- entry points -----------------------------------------------------------------------------


def match_context(ctx: AbstractMatchContext, pattern: Program) -> bool:
    """Match at ``ctx.match_start``; True: ``match_end`` and the groups are set."""
    start = ctx.match_start
    return start >= 0 and run(ctx, pattern, start)


def search_context(ctx: AbstractMatchContext, pattern: Program) -> bool:
    """Find the first match from ``ctx.match_start`` on; True: ``match_start``, ``match_end``
    and the groups are set."""
    start = ctx.match_start
    if start < 0:
        return False
    first = pattern.first
    op = pattern.ops[first]
    if op == REPEAT_ONE and pattern.ops[first + 3] > 0:
        first += 1
        op = CHAR
    while start <= ctx.end:
        if op <= SET:
            # every match starts with a character of this kind
            while start < ctx.end and not matches(ctx, pattern, first, ctx.code(start)):
                start += 1
                ctx.not_empty = False
            if start == ctx.end:
                return False
        if run(ctx, pattern, start):
            return True
        ctx.not_empty = False
        start += 1
    return False


def match(
    pattern: Program, string: str, start: int = 0, end: int = sys.maxsize,
    fullmatch: bool = False,
) -> StrMatchContext | None:  # fmt: skip
    """Match a str at ``start``; None: it does not match."""
    start, end = adjusted(start, end, len(string))
    ctx = StrMatchContext(string, start, end)
    ctx.whole = fullmatch
    return ctx if match_context(ctx, pattern) else None


def fullmatch(
    pattern: Program, string: str, start: int = 0, end: int = sys.maxsize
) -> StrMatchContext | None:
    """Match all of a str from ``start`` on."""
    return match(pattern, string, start, end, True)


def search(
    pattern: Program, string: str, start: int = 0, end: int = sys.maxsize
) -> StrMatchContext | None:
    """The first match in a str from ``start`` on."""
    start, end = adjusted(start, end, len(string))
    ctx = StrMatchContext(string, start, end)
    return ctx if search_context(ctx, pattern) else None


def adjusted(start: int, end: int, length: int) -> tuple[int, int]:
    """The two within a string of that length, as ``re`` does it."""
    return min(max(start, 0), length), min(max(end, 0), length)
