"""Makes the program of a parsed regular expression: in programs, and at import."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from rpython.rlib.rsre import rsre_nodes as nodes
from rpython.rlib.rsre.rsre_char import Cases, all_cases, charset
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
    SAME_LOWER_ASCII,
    SET,
    SPLIT,
    UNLIMITED,
    Emitted,
    Program,
)
from rpython.rlib.rsre.rsre_nodes import Node
from rpython.rlib.rsre.rsre_parse import Parser, parsed


class Emitter(Emitted):
    """Appends instructions to a program."""

    def __init__(self, parser: Parser) -> None:
        super().__init__()
        self.parser = parser

    def cases(self) -> Cases:
        raise NotImplementedError

    def emit(self, *ops: int) -> None:
        self.ops.extend(ops)

    def slots(self, count: int) -> int:
        first = self.slot_count
        self.slot_count += count
        return first

    def sequence(self, items: list[Node], flags: int) -> None:
        for node in items:
            self.item(node, flags)

    def item(self, node: Node, flags: int) -> None:
        op = node.op
        if op <= nodes.IN:
            first, second = self.single(node, flags)
            self.emit(first, second)
        elif op == nodes.GROUP:
            self.group(node, flags)
        elif op == nodes.BRANCH:
            self.branch(node, flags)
        elif node.is_repeat():
            self.repeat(node, flags)
        elif op == nodes.ATOMIC:
            barrier = self.slots(2)
            self.emit(BARRIER, barrier, 0)
            self.sequence(node.parts[0], flags)
            self.emit(ATOMIC_END, barrier)
        elif op == nodes.ASSERT or op == nodes.ASSERT_NOT:
            self.assertion(node, flags)
        elif op == nodes.AT:
            self.emit(AT, _position(node.low, flags))
        elif op == nodes.GROUP_REF:
            how = EXACT
            if flags & nodes.IGNORECASE:
                how = SAME_LOWER if flags & nodes.UNICODE else SAME_LOWER_ASCII
                if how == SAME_LOWER:
                    self.lower = self.cases().lower
            self.emit(GROUP_REF, node.low - 1, how)
        else:
            assert op == nodes.IF_GROUP
            self.conditional(node, flags)

    def single(self, node: Node, flags: int) -> tuple[int, int]:
        """The instruction and operand of what matches one character."""
        if node.op == nodes.ANY:
            return (ALL, 0) if flags & nodes.DOTALL else (ANY, 0)
        if node.op != nodes.IN:
            if not flags & nodes.IGNORECASE:
                return (CHAR if node.op == nodes.LITERAL else NOT_CHAR, node.low)
            node = _set_with(node.low, node.op == nodes.NOT_LITERAL)
        cases = self.cases() if flags & nodes.IGNORECASE else None
        pairs = [(node.ranges[i], node.ranges[i + 1]) for i in range(0, len(node.ranges), 2)]
        made = charset(pairs, node.low, node.high != 0, flags & nodes.UNICODE == 0, cases)
        if not node.high and not made.ranges and not made.categories and made.low.count(1) == 1:
            return (CHAR, made.low.find(1))
        self.sets.append(made)
        return (SET, len(self.sets) - 1)

    def group(self, node: Node, flags: int) -> None:
        if node.high & nodes.TYPE_FLAGS:
            flags &= ~nodes.TYPE_FLAGS
        flags = (flags | node.high) & ~node.remove
        number = node.low
        if number > 0:
            self.emit(MARK, 2 * number - 2)
        self.sequence(node.parts[0], flags)
        if number > 0:
            self.emit(MARK, 2 * number - 1)

    def branch(self, node: Node, flags: int) -> None:
        jumps: list[int] = []
        for part in node.parts[:-1]:
            self.emit(SPLIT, 0)
            split = len(self.ops) - 1
            self.sequence(part, flags)
            self.emit(JUMP, 0)
            jumps.append(len(self.ops) - 1)
            self.ops[split] = len(self.ops)
        self.sequence(node.parts[-1], flags)
        for jump in jumps:
            self.ops[jump] = len(self.ops)

    def repeat(self, node: Node, flags: int) -> None:
        least = node.low
        most = UNLIMITED if node.high == nodes.MAXREPEAT else node.high
        items = node.parts[0]
        if len(items) == 1 and items[0].op <= nodes.IN:
            op, operand = self.single(items[0], flags)
            if node.op == nodes.MIN_REPEAT:
                self.emit(LAZY_ONE, op, operand, least, most, LAZY_MORE, op, operand)
            else:
                greedy = node.op == nodes.MAX_REPEAT
                self.emit(REPEAT_ONE if greedy else POSSESSIVE_ONE, op, operand, least, most)
            return
        loop = self.slots(4)
        self.emit(ENTER, loop)
        if node.op == nodes.POSSESSIVE_REPEAT:
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
        if node.op == nodes.MAX_REPEAT:
            self.emit(MAX_UNTIL, loop, least, most, body)
        else:
            self.emit(MIN_UNTIL, loop, least, most, body, MIN_MORE, loop, body)

    def assertion(self, node: Node, flags: int) -> None:
        back = 0
        if node.low < 0:
            back, most = self.parser.width(node.parts[0])
            if back != most:
                raise re.error("look-behind requires fixed-width pattern")
        barrier = self.slots(2)
        if node.op == nodes.ASSERT:
            self.emit(BARRIER, barrier, back)
            self.sequence(node.parts[0], flags)
            self.emit(ASSERT_END, barrier)
        else:
            self.emit(NOT_START, barrier, back, 0)
            end = len(self.ops) - 1
            self.sequence(node.parts[0], flags)
            self.emit(NOT_END, barrier)
            self.ops[end] = len(self.ops)

    def conditional(self, node: Node, flags: int) -> None:
        self.emit(IF_GROUP, node.low - 1, 0)
        otherwise = len(self.ops) - 1
        self.sequence(node.parts[0], flags)
        if len(node.parts) > 1:
            self.emit(JUMP, 0)
            jump = len(self.ops) - 1
            self.ops[otherwise] = len(self.ops)
            self.sequence(node.parts[1], flags)
            otherwise = jump
        self.ops[otherwise] = len(self.ops)

    def run(self) -> list[Node]:
        """Compile what the parser reads.  Raises ``re.error``."""
        parser = self.parser
        items = parsed(parser)
        self.flags = parser.flags
        self.groupindex = parser.names
        self.groupnames = [None] * parser.groups()
        for name, number in parser.names.items():
            self.groupnames[number] = name
        self.slot_count = 2 * parser.groups() - 1
        self.sequence(items, parser.flags)
        self.emit(MATCH)
        while self.ops[self.first] == MARK:
            self.first += 2
        return items


def _set_with(code: int, negated: bool) -> Node:
    node = Node(nodes.IN, 0, 1 if negated else 0)
    node.ranges.append(code)
    node.ranges.append(code)
    return node


def _position(place: int, flags: int) -> int:
    if place == AT_LINE_START:
        return AT_LINE_START if flags & nodes.MULTILINE else AT_BEGINNING
    if place == AT_LINE_END:
        return AT_LINE_END if flags & nodes.MULTILINE else AT_END
    if flags & nodes.UNICODE:
        return place
    if place == AT_BOUNDARY:
        return AT_ASCII_BOUNDARY
    return AT_NOT_ASCII_BOUNDARY if place == AT_NOT_BOUNDARY else place


# -- at import ------------------------------------------------------------------------------------


class _ImportParser(Parser):
    def lookup_name(self, name: str) -> int:
        return ord(unicodedata.lookup(name))


class _ImportEmitter(Emitter):
    def cases(self) -> Cases:
        return all_cases()


class CompiledPattern(Program):
    """The program of a pattern that is known at import.  ``always``: the numbers of groups that
    take part in every match."""

    def __init__(self, pattern: str | bytes, flags: int = 0) -> None:
        compiled: re.Pattern[Any] = re.compile(pattern, flags)
        if compiled.flags & re.LOCALE:
            raise ValueError("regular expressions that depend on the locale are not supported")
        text = pattern if isinstance(pattern, str) else pattern.decode("latin-1")
        parser = _ImportParser(text, isinstance(pattern, str), int(flags) & ~int(re.DEBUG))
        emitter = _ImportEmitter(parser)
        items = emitter.run()
        super().__init__(emitter)
        self.always = tuple(sorted(_always(items)))

    def _freeze_(self) -> bool:
        return True


def _always(items: list[Node]) -> set[int]:
    """The numbers of the groups that take part whenever these items match."""
    found: set[int] = set()
    for node in items:
        parts = [_always(part) for part in node.parts]
        if node.op == nodes.GROUP:
            found |= parts[0]
            if node.low:
                found.add(node.low)
        elif node.op == nodes.BRANCH or (node.op == nodes.IF_GROUP and len(parts) > 1):
            found |= set.intersection(*parts)
        elif node.op in (nodes.ATOMIC, nodes.ASSERT) or node.repeats():
            found |= parts[0]
    return found
