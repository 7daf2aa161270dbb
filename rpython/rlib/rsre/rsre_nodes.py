"""What regular expressions are parsed into, and what is done with that alone."""

from __future__ import annotations

LITERAL, NOT_LITERAL, ANY, IN = 0, 1, 2, 3
BRANCH, GROUP, ATOMIC, ASSERT, ASSERT_NOT, IF_GROUP = 4, 5, 6, 7, 8, 9
MAX_REPEAT, MIN_REPEAT, POSSESSIVE_REPEAT = 10, 11, 12
AT, GROUP_REF = 13, 14

MAXREPEAT = 4294967295
IGNORECASE, LOCALE, MULTILINE, DOTALL, UNICODE, VERBOSE, ASCII = 2, 4, 8, 16, 32, 64, 256
TYPE_FLAGS = ASCII | LOCALE | UNICODE


class Node:
    """One item of a pattern.

    ``low`` and ``high``: the code point of a literal; the categories of a set, and whether it is
    negated; the least and the most times of a repetition; the number of a group, and the flags that
    it adds; the direction of an assertion; the place of ``AT``.  ``remove``: flags that a group
    removes.  ``ranges``: first, last, first, last... of a set.  ``parts``: what is inside.
    """

    def __init__(self, op: int, low: int = 0, high: int = 0) -> None:
        self.op = op
        self.low = low
        self.high = high
        self.remove = 0
        self.ranges: list[int] = []
        self.parts: list[list[Node]] = []

    def is_repeat(self) -> bool:
        return MAX_REPEAT <= self.op <= POSSESSIVE_REPEAT

    def repeats(self) -> bool:
        """Is it a repetition that is there at least once?"""
        return self.is_repeat() and self.low > 0

    def is_plain(self) -> bool:
        """Is it a group that does nothing?"""
        return self.op == GROUP and self.low == 0 and self.high == 0 and self.remove == 0


def with_part(node: Node, part: list[Node]) -> Node:
    node.parts.append(part)
    return node


def same(a: Node, b: Node) -> bool:
    """Do both match the same, by how they are written?  Of simple items."""
    if a.op != b.op or a.low != b.low or a.high != b.high:
        return False
    return len(a.parts) == 0 and len(b.parts) == 0 and a.ranges == b.ranges


def fixed_flags(is_text: bool, flags: int) -> int:
    """The flags, with those that go without saying.  Raises ValueError."""
    if not is_text:
        if flags & UNICODE:
            raise ValueError("cannot use UNICODE flag with a bytes pattern")
        if flags & LOCALE and flags & ASCII:
            raise ValueError("ASCII and LOCALE flags are incompatible")
        return flags
    if flags & LOCALE:
        raise ValueError("cannot use LOCALE flag with a str pattern")
    if flags & ASCII == 0:
        return flags | UNICODE
    if flags & UNICODE:
        raise ValueError("ASCII and UNICODE flags are incompatible")
    return flags


def times(width: int, count: int) -> int:
    if width == 0 or count == 0:
        return 0
    return MAXREPEAT if count > MAXREPEAT // width else width * count


def count_of(digits: str) -> int:
    digits = digits.lstrip("0")
    if len(digits) > 10 or (digits != "" and int(digits) >= MAXREPEAT):
        raise OverflowError("the repetition number is too large")
    return int(digits) if digits != "" else 0


def add_member(result: Node, node: Node) -> int:
    """Add a character or a category to a set; is it a new character?"""
    if node.op != LITERAL:
        result.low |= node.low
        return 0
    for i in range(0, len(result.ranges), 2):
        if result.ranges[i] == node.low == result.ranges[i + 1]:
            return 0
    result.ranges.append(node.low)
    result.ranges.append(node.low)
    return 1


def branch(items: list[list[Node]]) -> Node:
    node = Node(BRANCH)
    node.parts = items
    return node


def common_start(items: list[list[Node]]) -> list[Node]:
    """Takes what all alternatives begin with out of them."""
    found: list[Node] = []
    while all(len(item) > 0 and same(item[0], items[0][0]) for item in items):
        found.append(items[0][0])
        for item in items:
            del item[0]
    return found


def set_of(items: list[list[Node]]) -> Node | None:
    """The set that the alternatives are, if each is one character."""
    result = Node(IN)
    for item in items:
        if len(item) != 1:
            return None
        node = item[0]
        if node.op == LITERAL:
            add_member(result, node)
        elif node.op == IN and node.high == 0:
            result.low |= node.low
            result.ranges.extend(node.ranges)
        else:
            return None
    return result


def unpacked(found: list[Node]) -> list[Node]:
    """Without groups that do nothing."""
    if not any(node.is_plain() for node in found):
        return found
    result: list[Node] = []
    for node in found:
        if node.is_plain():
            result.extend(node.parts[0])
        else:
            result.append(node)
    return result
