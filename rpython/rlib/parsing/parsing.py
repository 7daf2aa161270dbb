"""Packrat parsers: each rule's alternatives are tried in order, and what a rule matches at a
place is remembered, so that the time is linear in the length of the input.

    parser = PackratParser([Rule("list", [["A", "list"], ["A"]])], "list")
    parser.parse(lexer.tokenize("A A"))

What is no rule's name in an alternative is the name of a token.  A parser is made at import
time and used in translated programs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rpython.rlib.parsing.deterministic import SourcePos
from rpython.rlib.parsing.lexer import Token
from rpython.rlib.parsing.tree import Node, Nonterminal, Symbol


class Rule:
    """``expansions`` are the alternatives, each a list of names of rules and tokens."""

    def __init__(self, nonterminal: str, expansions: Sequence[Sequence[str]]) -> None:
        self.nonterminal = nonterminal
        self.expansions = [list(expansion) for expansion in expansions]

    def __str__(self) -> str:
        alternatives = " | ".join(" ".join(expansion) for expansion in self.expansions)
        return f"{self.nonterminal}: {alternatives}"

    def __repr__(self) -> str:
        return f"Rule({self.nonterminal!r}, {self.expansions!r})"


class ErrorInformation:
    """The place furthest on where tokens did not fit, and the names of those that would have."""

    def __init__(self, pos: int, failure_reasons: list[str] | None = None) -> None:
        self.pos = pos
        self.failure_reasons = [] if failure_reasons is None else failure_reasons


def combine_errors(
    self: ErrorInformation | None, other: ErrorInformation | None
) -> ErrorInformation | None:
    """The one that is further on; both when they are at the same place."""
    if self is None or other is None:
        return other if self is None else self
    if self.pos != other.pos:
        return self if self.pos > other.pos else other
    reasons = list(self.failure_reasons)
    for reason in other.failure_reasons:
        if reason not in reasons:
            reasons.append(reason)
    return ErrorInformation(self.pos, reasons)


class ParseError(Exception):
    """Tokens that do not fit."""

    def __init__(self, source_pos: SourcePos, errorinformation: ErrorInformation | None) -> None:
        Exception.__init__(self, source_pos, errorinformation)
        self.source_pos = source_pos
        self.errorinformation = errorinformation

    def nice_error_message(self, filename: str = "<unknown>", source: str = "") -> str:
        """Several lines that show the place and say what was expected."""
        lines = [f"  File {filename}, line {self.source_pos.lineno + 1}"]
        if source:
            lines.append(source.split("\n")[self.source_pos.lineno])
            lines.append(" " * self.source_pos.columnno + "^")
        else:
            lines.append("<couldn't get source>")
        expected = []
        if self.errorinformation is not None:
            expected = [f"'{shown_name(name)}'" for name in self.errorinformation.failure_reasons]
        if len(expected) > 1:
            lines.append(f"ParseError: expected {', '.join(expected[:-1])} or {expected[-1]}")
        elif expected:
            lines.append(f"ParseError: expected {expected[0]}")
        else:
            lines.append("ParseError")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.nice_error_message()


def shown_name(name: str) -> str:
    """A token's name for people: ``__3_+`` is what ``ebnfparse`` calls the text ``+``."""
    if name.startswith("__"):
        end = name.find("_", 2)
        if end > 2 and name[2:end].isdigit():
            return name[end + 1 :]
    return name


class PackratParser:
    """Parses lists of tokens.  A rule that begins with itself raises AssertionError: in the
    constructor or, without ``check_for_left_recursion``, in ``parse``."""

    def __init__(
        self,
        rules: Sequence[Rule],
        startsymbol: str,
        *,
        check_for_left_recursion: bool = True,
    ) -> None:
        self.rules = list(rules)
        self.startsymbol = startsymbol
        numbers: dict[str, int] = {}
        for rule in self.rules:
            assert rule.nonterminal not in numbers, f"two rules {rule.nonterminal}"
            numbers[rule.nonterminal] = len(numbers)
        self.start = numbers[startsymbol]
        self.num_rules = len(numbers)
        for rule in self.rules:
            for expansion in rule.expansions:
                for name in expansion:
                    numbers.setdefault(name, len(numbers))
        self.numbers = numbers
        self.symbols = list(numbers)
        self.expansions = [
            [[numbers[name] for name in expansion] for expansion in rule.expansions]
            for rule in self.rules
        ]
        if check_for_left_recursion:
            _refuse_left_recursion(self.rules)

    def __repr__(self) -> str:
        return f"PackratParser({self.rules!r}, {self.startsymbol!r})"

    def parse(self, tokenstream: Iterable[Token], lazy: bool = True) -> Node:
        """The tree of the longest beginning that the start symbol matches.  Raises ParseError.
        All tokens are read at once, whatever ``lazy`` is."""
        table = LazyParseTable(list(tokenstream), self)
        match = table.match(0, self.start)
        if match.next < 0:
            raise ParseError(table.error_position(), table.error_information())
        assert match.node is not None
        return match.node


class ParserCompiler:
    """RPython makes a class with the code of a parser; here the parser does as it is."""

    def __init__(self, parser: PackratParser) -> None:
        self.parser = parser

    def compile(self) -> Callable[[], PackratParser]:
        """What gives a parser for the same rules."""
        parser = self.parser
        return lambda: parser


class _Match:
    """What a rule matched: the tree, and the index of the token after it; -1 for nothing."""

    def __init__(self, node: Node | None, next: int) -> None:
        self.node = node
        self.next = next


_NOTHING = _Match(None, -1)
_RUNNING = _Match(None, -2)
"""The rule is being tried at this place."""


class _Attempt:
    """A rule that is being tried: the alternative, the next of its symbols, what was found."""

    def __init__(self, rule: int, start: int) -> None:
        self.rule = rule
        self.start = start
        self.expansion = 0
        self.restart()

    def restart(self) -> None:
        """Begin an alternative."""
        self.item = 0
        self.position = self.start
        self.children: list[Node] = []

    def take(self, match: _Match) -> None:
        """What the next symbol matched; if nothing, go on to the next alternative."""
        if match.node is None:
            self.expansion += 1
            self.restart()
        else:
            self.children.append(match.node)
            self.position = match.next
            self.item += 1


class LazyParseTable:
    """What each rule matches at each place, found when it is asked for.  Attempts are on a stack
    of their own: long lists do not need a deep stack of calls."""

    def __init__(self, input: list[Token], parser: PackratParser) -> None:
        self.input = input
        self.parser = parser
        self.token_numbers = [parser.numbers.get(token.name, -1) for token in input]
        self.matches: dict[int, _Match] = {}
        self.error_index = 0
        self.expected: list[str] = []

    def match_symbol(self, i: int, symbol: str) -> tuple[Node | None, int, ErrorInformation | None]:
        """The tree, or None; the index of the token after it; what did not fit so far."""
        number = self.parser.numbers[symbol]
        if number >= self.parser.num_rules:
            match = self._match_token(i, number)
        else:
            match = self.match(i, number)
        return match.node, match.next, self.error_information()

    def match(self, position: int, rule: int) -> _Match:
        """What the rule with that number matches there."""
        known = self._known(position, rule)
        if known is not None:
            return known
        stack = [self._begin(position, rule)]
        while True:
            match = self._advance(stack)
            if match is not None:
                stack.pop()
                if not stack:
                    return match
                stack[-1].take(match)

    def _begin(self, position: int, rule: int) -> _Attempt:
        self.matches[position * self.parser.num_rules + rule] = _RUNNING
        return _Attempt(rule, position)

    def _advance(self, stack: list[_Attempt]) -> _Match | None:
        """Go on with the attempt on top; None when another, now on top of it, comes first."""
        attempt = stack[-1]
        expansions = self.parser.expansions[attempt.rule]
        while attempt.expansion < len(expansions):
            expansion = expansions[attempt.expansion]
            if attempt.item == len(expansion):
                node = Nonterminal(self.parser.symbols[attempt.rule], attempt.children)
                return self._remember(attempt, _Match(node, attempt.position))
            number = expansion[attempt.item]
            if number >= self.parser.num_rules:
                attempt.take(self._match_token(attempt.position, number))
            else:
                known = self._known(attempt.position, number)
                if known is None:
                    stack.append(self._begin(attempt.position, number))
                    return None
                attempt.take(known)
        return self._remember(attempt, _NOTHING)

    def _known(self, position: int, rule: int) -> _Match | None:
        match = self.matches.get(position * self.parser.num_rules + rule)
        if match is _RUNNING:
            raise AssertionError(f"left recursion in rule {self.parser.symbols[rule]}")
        return match

    def _remember(self, attempt: _Attempt, match: _Match) -> _Match:
        self.matches[attempt.start * self.parser.num_rules + attempt.rule] = match
        return match

    def _match_token(self, position: int, number: int) -> _Match:
        if position < len(self.input) and self.token_numbers[position] == number:
            token = self.input[position]
            return _Match(Symbol(token.name, token.source, token), position + 1)
        if position > self.error_index:
            self.error_index = position
            self.expected = []
        if position == self.error_index:
            name = self.parser.symbols[number]
            if name not in self.expected:
                self.expected.append(name)
        return _NOTHING

    def error_information(self) -> ErrorInformation | None:
        """What did not fit, None when everything did."""
        return ErrorInformation(self.error_index, self.expected) if self.expected else None

    def error_position(self) -> SourcePos:
        """The token that did not fit, the last one at the end."""
        if not self.input:
            return SourcePos(0, 0, 0)
        return self.input[min(self.error_index, len(self.input) - 1)].source_pos


def _refuse_left_recursion(rules: Sequence[Rule]) -> None:
    """Raises AssertionError for a rule that can be tried again before a token was read."""
    by_name = {rule.nonterminal: rule for rule in rules}
    nullable: set[str] = set()
    before = -1
    while len(nullable) > before:
        before = len(nullable)
        nullable |= {
            rule.nonterminal
            for rule in rules
            if any(all(name in nullable for name in expansion) for expansion in rule.expansions)
        }
    firsts: dict[str, set[str]] = {}
    for rule in rules:
        firsts[rule.nonterminal] = first = set()
        for expansion in rule.expansions:
            for name in expansion:
                if name in by_name:
                    first.add(name)
                if name not in nullable:
                    break
    for name in firsts:
        pending, reached = list(firsts[name]), set(firsts[name])
        while pending:
            new = firsts[pending.pop()] - reached
            reached |= new
            pending += new
        if name in reached:
            raise AssertionError(f"left recursion in rule {name}")
