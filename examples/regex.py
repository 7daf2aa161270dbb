"""Regular expressions by automata: every search takes time linear in the text.

    regex.py PATTERN           prints the lines of standard input that match, and where
    regex.py -c PATTERN        counts the matches
    regex.py -a PATTERN        prints the automaton

Syntax: . [a-z] [^...] \\d \\w \\s \\n * + ? {m,n} | ( ) ^ $; a match is the leftmost longest one.
A pattern becomes a syntax tree, that a nondeterministic automaton (Thompson, "Regular expression
search algorithm", CACM 11(6), 1968), whose sets of states are turned into states of a
deterministic one as the texts need them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

DIGITS = frozenset("0123456789")
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
SPACES = frozenset(" \t\n\r\f\v")
CLASSES = {"d": DIGITS, "w": DIGITS | LETTERS, "s": SPACES}
ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
SPECIAL = frozenset(".[]()*+?{}|^$\\")
MOST_REPEATS = 1000


class PatternError(Exception):
    def __init__(self, message: str, position: int):
        super().__init__(message, position)
        self.position = position

    def __str__(self) -> str:
        return f"{self.args[0]} at position {self.position}"


# -- the syntax tree ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chars:
    """One character out of a set, or one that is not in it."""

    chars: frozenset[str]
    negated: bool = False

    def matches(self, char: str) -> bool:
        return (char in self.chars) is not self.negated

    def __str__(self) -> str:
        text = "".join(sorted(self.chars))
        return f"not {text!r}" if self.negated else repr(text)


ANY = Chars(frozenset(), True)


class Node:
    """A piece of a pattern."""

    def build(self, nfa: NFA, after: int) -> int:
        """Add states that match this and go on at ``after``; the first of them."""
        raise NotImplementedError


@dataclass
class One(Node):
    chars: Chars

    def build(self, nfa: NFA, after: int) -> int:
        return nfa.add(State(self.chars, [after]))


@dataclass
class Anchor(Node):
    """The start (``^``) or the end (``$``) of the text."""

    at_end: bool

    def build(self, nfa: NFA, after: int) -> int:
        return nfa.add(State(None, [after], at_end=self.at_end, at_start=not self.at_end))


@dataclass
class Sequence(Node):
    items: list[Node]

    def build(self, nfa: NFA, after: int) -> int:
        for item in reversed(self.items):
            after = item.build(nfa, after)
        return after


@dataclass
class Choice(Node):
    options: list[Node]

    def build(self, nfa: NFA, after: int) -> int:
        return nfa.add(State(None, [option.build(nfa, after) for option in self.options]))


@dataclass
class Repeat(Node):
    """``item`` at least ``least`` times and at most ``most`` times (None: any number)."""

    item: Node
    least: int
    most: int | None

    def build(self, nfa: NFA, after: int) -> int:
        if self.most is None:
            loop = nfa.add(State(None, [after]))
            nfa.states[loop].next.append(self.item.build(nfa, loop))
            first = loop
        else:
            first = after
            for _ in range(self.most - self.least):
                first = nfa.add(State(None, [self.item.build(nfa, first), after]))
        for _ in range(self.least):
            first = self.item.build(nfa, first)
        return first


# -- the parser -----------------------------------------------------------------------------------


class Parser:
    def __init__(self, pattern: str):
        self.pattern = pattern
        self.position = 0

    @property
    def char(self) -> str:
        """The next character, '' at the end."""
        return self.pattern[self.position : self.position + 1]

    def take(self) -> str:
        char = self.char
        if not char:
            raise self.error("unexpected end of the pattern")
        self.position += 1
        return char

    def accept(self, char: str) -> bool:
        found = self.char == char and char != ""
        self.position += found
        return found

    def error(self, message: str) -> PatternError:
        return PatternError(message, self.position)

    def parse(self) -> Node:
        node = self.choice()
        if self.char:
            raise self.error(f"unexpected {self.char!r}")
        return node

    def choice(self) -> Node:
        options = [self.sequence()]
        while self.accept("|"):
            options.append(self.sequence())
        return options[0] if len(options) == 1 else Choice(options)

    def sequence(self) -> Node:
        items: list[Node] = []
        while self.char and self.char not in "|)":
            items.append(self.repeated())
        return Sequence(items)

    def repeated(self) -> Node:
        node = self.atom()
        while self.char and self.char in "*+?{":
            least, most = self.bounds()
            node = Repeat(node, least, most)
        return node

    def bounds(self) -> tuple[int, int | None]:
        match self.take():
            case "*":
                return 0, None
            case "+":
                return 1, None
            case "?":
                return 0, 1
        least = self.number()
        most = least
        if self.accept(","):
            most = None if self.char == "}" else self.number()
        if not self.accept("}"):
            raise self.error("a } is wanted")
        if (most or least or 0) > MOST_REPEATS:
            raise self.error("too many repeats")
        if most is not None and least is not None and most < least:
            raise self.error("the bounds are the wrong way round")
        return least or 0, most

    def number(self) -> int | None:
        start = self.position
        while self.char and self.char in DIGITS:
            self.position += 1
        return int(self.pattern[start : self.position]) if self.position > start else None

    def atom(self) -> Node:
        char = self.take()
        if char == "(":
            node = self.choice()
            if not self.accept(")"):
                raise self.error("a ) is wanted")
            return node
        if char == "[":
            return One(self.char_class())
        if char in "^$":
            return Anchor(char == "$")
        if char == ".":
            return One(ANY)
        if char == "\\":
            return One(Chars(self.escape()))
        if char in SPECIAL:
            self.position -= 1
            raise self.error(f"unexpected {char!r}")
        return One(Chars(frozenset(char)))

    def escape(self) -> frozenset[str]:
        char = self.take()
        if char in CLASSES:
            return CLASSES[char]
        return frozenset(ESCAPED.get(char, char))

    def char_class(self) -> Chars:
        negated = self.accept("^")
        chars: set[str] = set()
        while True:
            char = self.take()
            if char == "]" and chars:
                return Chars(frozenset(chars), negated)
            if char == "\\":
                chars |= self.escape()
            elif self.char == "-" and self.pattern[self.position + 1 : self.position + 2] != "]":
                self.take()
                last = self.take()
                if last < char:
                    raise self.error("a range is the wrong way round")
                chars.update(chr(code) for code in range(ord(char), ord(last) + 1))
            else:
                chars.add(char)


# -- the automata ---------------------------------------------------------------------------------


@dataclass
class State:
    """A state that reads one of ``chars`` or, when that is None, goes on at once."""

    chars: Chars | None
    next: list[int] = field(default_factory=list)
    at_start: bool = False
    at_end: bool = False


class NFA:
    def __init__(self, pattern: str):
        self.states: list[State] = []
        self.accept = self.add(State(None))
        self.start = Parser(pattern).parse().build(self, self.accept)

    def add(self, state: State) -> int:
        self.states.append(state)
        return len(self.states) - 1

    def closure(self, states: set[int], at_start: bool, at_end: bool) -> frozenset[int]:
        """The states that are reached from these without reading."""
        reached: set[int] = set()
        todo = sorted(states)
        while todo:
            number = todo.pop()
            state = self.states[number]
            if number in reached or (state.at_start and not at_start):
                continue
            reached.add(number)
            if state.chars is None and (at_end or not state.at_end):
                todo.extend(state.next)
        return frozenset(reached)

    def __str__(self) -> str:
        lines = [f"start {self.start}, accept {self.accept}"]
        for number, state in enumerate(self.states):
            what = "start" if state.at_start else "end" if state.at_end else "go"
            if state.chars is not None:
                what = str(state.chars)
            lines.append(f"{number:3}: {what} -> {', '.join(map(str, state.next)) or 'nothing'}")
        return "\n".join(lines)


class Regex:
    """A compiled pattern."""

    def __init__(self, pattern: str):
        self.pattern = pattern
        self.nfa = NFA(pattern)
        self.numbers: dict[frozenset[int], int] = {}
        self.sets: list[frozenset[int]] = []
        self.table: dict[tuple[int, str], int] = {}
        self.starts = (self.initial(False), self.initial(True))

    def initial(self, at_start: bool) -> int:
        return self.number_of(self.nfa.closure({self.nfa.start}, at_start, False))

    def number_of(self, states: frozenset[int]) -> int:
        """The deterministic state for a set of states."""
        if states not in self.numbers:
            self.numbers[states] = len(self.sets)
            self.sets.append(states)
        return self.numbers[states]

    def step(self, state: int, char: str) -> int:
        key = (state, char)
        known = self.table.get(key)
        if known is None:
            targets: set[int] = set()
            for number in self.sets[state]:
                nfa_state = self.nfa.states[number]
                if nfa_state.chars is not None and nfa_state.chars.matches(char):
                    targets.update(nfa_state.next)
            known = self.table[key] = self.number_of(self.nfa.closure(targets, False, False))
        return known

    def accepts(self, state: int, at_start: bool, at_end: bool) -> bool:
        states = self.sets[state]
        if at_end:
            states = self.nfa.closure(set(states), at_start, True)
        return self.nfa.accept in states

    def match(self, text: str, start: int = 0) -> int | None:
        """The end of the longest match that begins at ``start``; None: there is none."""
        state = self.starts[start == 0]
        end = None
        for position in range(start, len(text) + 1):
            if self.accepts(state, position == 0, position == len(text)):
                end = position
            if position == len(text) or not self.sets[state]:
                break
            state = self.step(state, text[position])
        return end

    def search(self, text: str, start: int = 0) -> tuple[int, int] | None:
        """Where the first match is."""
        for position in range(start, len(text) + 1):
            end = self.match(text, position)
            if end is not None:
                return position, end
        return None

    def find_all(self, text: str) -> Iterator[tuple[int, int]]:
        """Matches that do not overlap, from left to right."""
        position = 0
        while (found := self.search(text, position)) is not None:
            yield found
            start, end = found
            position = end + (start == end)
            if position > len(text):
                return


# -- the program ----------------------------------------------------------------------------------


def entry_point(argv: list[str]) -> int:
    options = {arg for arg in argv[1:] if arg in ("-c", "-a")}
    patterns = [arg for arg in argv[1:] if arg not in options]
    if len(patterns) != 1:
        print("usage: regex.py [-c] [-a] PATTERN", file=sys.stderr)
        return 2
    try:
        regex = Regex(patterns[0])
    except PatternError as error:
        print(f"regex: {error}", file=sys.stderr)
        return 2
    if "-a" in options:
        print(regex.nfa)
        return 0
    count = 0
    for number, line in enumerate(sys.stdin, 1):
        line = line.rstrip("\n")
        spans = list(regex.find_all(line))
        count += len(spans)
        if spans and "-c" not in options:
            shown = ", ".join(f"{start}-{end} {line[start:end]!r}" for start, end in spans)
            print(f"{number}: {line}\n   {shown}")
    if "-c" in options:
        print(f"{count} matches, {len(regex.sets)} states")
    return 0 if count else 1


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
