"""The program of a compiled pattern, a list of ints.

    (a|b)*c     0 ENTER 4      3 JUMP 13       5 MARK 0   ...  13 MAX_UNTIL 4 0 -1 5   18 CHAR 99

``rsre_compile`` makes it; see ``rsre_core`` for what the instructions do.
"""

from __future__ import annotations

from rpython.rlib.rsre.rsre_char import CharSet

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


class Emitted:
    """What a program consists of: see there."""

    def __init__(self) -> None:
        self.ops: list[int] = []
        self.sets: list[CharSet] = []
        self.slot_count = 0
        self.lower: dict[int, int] = {}
        self.first = 0
        self.flags = 0
        self.groupindex: dict[str, int] = {}
        self.groupnames: list[str | None] = []


class Program:
    """What ``rsre_core`` runs.

    ``ops``: the instructions.  ``sets``: the sets that SET names.  ``groups``: how many there
    are.  ``slots``: how many ints a match needs: two marks for each group, the number of the group
    closed last, and what loops need.  ``lower``: small letters, for backward references that ignore
    case.  ``first``: where the program is after marks at its start."""

    def __init__(self, made: Emitted) -> None:
        self.flags = made.flags
        self.groups = len(made.groupnames) - 1
        self.groupindex = made.groupindex
        self.groupnames = made.groupnames
        self.ops = made.ops
        self.sets = made.sets
        self.slots = made.slot_count
        self.lower = made.lower
        self.first = made.first
