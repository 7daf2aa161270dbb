"""Finite automata: nondeterministic, deterministic, and what runs them.

    nfa = parse_regex("a|b*").make_automaton()
    dfa = nfa.make_deterministic()
    dfa.optimize()
    recognize = dfa.make_code()          # a function for translated programs

Automata are made at import time.  Their transitions are over ranges of characters, so that
``[^"]`` is all of Unicode but one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

LAST_CHARACTER = "\U0010ffff"
Characters = tuple[str, str]
"""The characters from the first to the second."""


class SourcePos:
    """A place in a text: the index, the line and the column, all counted from 0."""

    def __init__(self, i: int, lineno: int, columnno: int) -> None:
        self.i = i
        self.lineno = lineno
        self.columnno = columnno

    def copy(self) -> SourcePos:
        return SourcePos(self.i, self.lineno, self.columnno)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SourcePos):
            return False
        return (self.i, self.lineno, self.columnno) == (other.i, other.lineno, other.columnno)

    def __hash__(self) -> int:
        return hash(self.i)

    def __repr__(self) -> str:
        return f"SourcePos({self.i}, {self.lineno}, {self.columnno})"


def position_in(text: str, index: int) -> SourcePos:
    """Where the character with that index is."""
    line_start = text.rfind("\n", 0, index) + 1
    return SourcePos(index, text.count("\n", 0, index), index - line_start)


class LexerError(Exception):
    """A text that an automaton does not accept: ``state`` is where it stopped."""

    def __init__(self, input: str, state: int, source_pos: SourcePos) -> None:
        Exception.__init__(self, input, state, source_pos)
        self.input = input
        self.state = state
        self.source_pos = source_pos

    def nice_error_message(self, filename: str = "<filename>") -> str:
        """Several lines that show the place."""
        line = self.input.split("\n")[self.source_pos.lineno]
        return "\n".join(
            [
                f"  File {filename}, line {self.source_pos.lineno + 1}",
                line,
                " " * self.source_pos.columnno + "^",
                "LexerError",
            ]
        )

    def __str__(self) -> str:
        return self.nice_error_message()


class NFA:
    """A nondeterministic automaton: its states are numbers."""

    def __init__(self) -> None:
        self.num_states = 0
        self.names: list[str] = []
        self.start_states: set[int] = set()
        self.final_states: set[int] = set()
        self.unmergeable_states: set[int] = set()
        self.transitions: list[list[tuple[Characters | None, int]]] = []

    def add_state(
        self,
        name: str | None = None,
        start: bool = False,
        final: bool = False,
        unmergeable: bool = False,
    ) -> int:
        """A new state.  Optimizing keeps an unmergeable one apart from those of other names."""
        state = self.num_states
        self.num_states += 1
        self.names.append(str(state) if name is None else name)
        self.transitions.append([])
        for wanted, states in (
            (start, self.start_states),
            (final, self.final_states),
            (unmergeable, self.unmergeable_states),
        ):
            if wanted:
                states.add(state)
        return state

    def add_transition(
        self, state: int, next_state: int, input: str | Characters | None = None
    ) -> None:
        """On a character or one of a range; without ``input`` on no character at all."""
        self.transitions[state].append((_characters(input), next_state))

    def update(self, other: NFA) -> dict[int, int]:
        """Add the states of another automaton, neither start nor final; gives new numbers."""
        offset = self.num_states
        for state in range(other.num_states):
            self.add_state(other.names[state], unmergeable=state in other.unmergeable_states)
            self.transitions[-1] = [
                (characters, offset + next_state)
                for characters, next_state in other.transitions[state]
            ]
        return {state: offset + state for state in range(other.num_states)}

    def make_deterministic(self, name_precedence: Sequence[str] | None = None) -> DFA:
        """The automaton that accepts the same texts (the subset construction).  A state made of
        several final ones has the name that comes first in ``name_precedence``."""
        result = DFA()
        start = self._closure(self.start_states)
        numbers: dict[frozenset[int], int] = {}
        pending: list[frozenset[int]] = []

        def number(states: frozenset[int]) -> int:
            if states not in numbers:
                numbers[states] = result.add_state(
                    self._name(states, name_precedence),
                    final=bool(states & self.final_states),
                    unmergeable=bool(states & self.unmergeable_states),
                )
                pending.append(states)
            return numbers[states]

        number(start)
        while pending:
            states = pending.pop(0)
            for characters, next_states in self._steps(states):
                result[numbers[states], characters] = number(self._closure(next_states))
        return result

    def _closure(self, states: Iterable[int]) -> frozenset[int]:
        """These and what they reach without a character."""
        found = set(states)
        pending = list(found)
        while pending:
            for characters, next_state in self.transitions[pending.pop()]:
                if characters is None and next_state not in found:
                    found.add(next_state)
                    pending.append(next_state)
        return frozenset(found)

    def _steps(self, states: Iterable[int]) -> list[tuple[Characters, frozenset[int]]]:
        """The ranges of characters that lead somewhere, and where."""
        edges = [
            (ord(characters[0]), ord(characters[1]), next_state)
            for state in sorted(states)
            for characters, next_state in self.transitions[state]
            if characters is not None
        ]
        bounds = sorted({first for first, _, _ in edges} | {last + 1 for _, last, _ in edges})
        steps: list[tuple[Characters, frozenset[int]]] = []
        for first, after in pairwise(bounds):
            reached = frozenset(to for low, high, to in edges if low <= first <= high)
            if reached:
                steps.append(((chr(first), chr(after - 1)), reached))
        return steps

    def _name(self, states: frozenset[int], precedence: Sequence[str] | None) -> str | None:
        names = [self.names[state] for state in sorted(states & self.final_states)]
        for name in precedence or names:
            if name in names:
                return name
        return None


class DFA:
    """A deterministic automaton, which starts in state 0.

    ``transitions`` has the next state for a state and a character, or a range of characters:
    ``{(0, "a"): 1, (1, ("a", "z")): 1}``."""

    def __init__(
        self,
        num_states: int = 0,
        transitions: Mapping[tuple[int, str | Characters], int] | None = None,
        final_states: Iterable[int] | None = None,
        unmergeable_states: Iterable[int] | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        self.num_states = num_states
        self.names = list(names or map(str, range(num_states)))
        self.final_states = set(final_states or ())
        self.unmergeable_states = set(unmergeable_states or ())
        self.transitions: dict[tuple[int, Characters], int] = {}
        for (state, input), next_state in (transitions or {}).items():
            self[state, input] = next_state

    def add_state(
        self, name: str | None = None, final: bool = False, unmergeable: bool = False
    ) -> int:
        state = self.num_states
        self.num_states += 1
        self.names.append(str(state) if name is None else name)
        if final:
            self.final_states.add(state)
        if unmergeable:
            self.unmergeable_states.add(state)
        return state

    def __setitem__(self, key: tuple[int, str | Characters], next_state: int) -> None:
        state, input = key
        characters = _characters(input)
        assert characters is not None
        self.transitions[state, characters] = next_state

    def __getitem__(self, key: tuple[int, str]) -> int:
        """The next state; raises KeyError."""
        wanted, char = key
        for (state, (first, last)), next_state in self.transitions.items():
            if state == wanted and first <= char <= last:
                return next_state
        raise KeyError(key)

    def __contains__(self, key: tuple[int, str]) -> bool:
        try:
            return self[key] >= 0
        except KeyError:
            return False

    def __repr__(self) -> str:
        return (
            f"DFA({self.num_states}, {self.transitions!r}, {self.final_states!r}, "
            f"{self.unmergeable_states!r}, {self.names!r})"
        )

    def optimize(self) -> None:
        """Merge the states from which the same texts are accepted (Moore's algorithm)."""
        rows: list[list[tuple[Characters, int]]] = [[] for _ in range(self.num_states)]
        for (state, characters), next_state in sorted(self.transitions.items()):
            rows[state].append((characters, next_state))
        kinds: list[Any] = [
            (state in self.final_states, self.names[state] if kept else None)
            for state in range(self.num_states)
            for kept in [state in self.unmergeable_states]
        ]
        classes = _numbered(kinds)
        while True:
            signatures = [
                (classes[state], _merge([(chars, classes[to]) for chars, to in rows[state]]))
                for state in range(self.num_states)
            ]
            finer = _numbered(signatures)
            if len(set(finer)) == len(set(classes)):
                break
            classes = finer
        self._become(classes, rows)

    def _become(self, classes: list[int], rows: list[list[tuple[Characters, int]]]) -> None:
        """Have one state for each class."""
        one_of_class = [classes.index(number) for number in range(len(set(classes)))]
        self.transitions = {
            (number, characters): to
            for number, state in enumerate(one_of_class)
            for characters, to in _merge([(chars, classes[to]) for chars, to in rows[state]])
        }
        self.names = [self.names[state] for state in one_of_class]
        self.final_states = {classes[state] for state in self.final_states}
        self.unmergeable_states = {classes[state] for state in self.unmergeable_states}
        self.num_states = len(one_of_class)

    def get_runner(self) -> DFARunner:
        return DFARunner(self)

    def make_code(self) -> Callable[[str], bool]:
        """A function for translated programs: True for an accepted text, else LexerError."""
        table = TransitionTable(self)

        def recognize(input: str) -> bool:
            state = 0
            for index in range(len(input)):
                next_state = table.next_state(state, input[index])
                if next_state < 0:
                    raise LexerError(input, state, position_in(input, index))
                state = next_state
            if not table.is_final[state]:
                raise LexerError(input, state, position_in(input, len(input)))
            return True

        return recognize

    def make_lexing_code(self) -> Callable[[Any, int], int]:
        """A function for translated programs, ``recognize(runner, i)``, which runs over
        ``runner.text`` from ``i``.  It sets ``runner.last_matched_index`` and
        ``last_matched_state`` whenever it is in a final state, and ``runner.state`` at its end;
        it gives the index after the text, or ``~index`` when it stopped before."""
        table = TransitionTable(self)

        def recognize(runner: Any, i: int) -> int:
            text = runner.text
            state = 0
            while True:
                if table.is_final[state]:
                    runner.last_matched_index = i - 1
                    runner.last_matched_state = state
                if i >= len(text):
                    runner.state = state
                    return i
                next_state = table.next_state(state, text[i])
                i += 1
                if next_state < 0:
                    runner.state = state
                    return ~i
                state = next_state

        return recognize


class TransitionTable:
    """The transitions of an automaton for quick look-up: characters that lead to the same
    states from everywhere are one class, and each state has a row of next states by class."""

    def __init__(self, dfa: DFA) -> None:
        bounds = {0}
        for _, (first, last) in dfa.transitions:
            bounds |= {ord(first), ord(last) + 1}
        self.starts = sorted(bounds)
        """The first code point of each class."""
        self.low = [self._find_class(code) for code in range(256)]
        self.rows = [[-1] * len(self.starts) for _ in range(dfa.num_states)]
        self.is_final = [state in dfa.final_states for state in range(dfa.num_states)]
        for (state, (first, last)), next_state in dfa.transitions.items():
            for number in range(self._find_class(ord(first)), self._find_class(ord(last)) + 1):
                self.rows[state][number] = next_state

    def next_state(self, state: int, char: str) -> int:
        """The next state, -1 for none."""
        code = ord(char)
        number = self.low[code] if code < 256 else self._find_class(code)
        return self.rows[state][number]

    def _find_class(self, code: int) -> int:
        low, high = 0, len(self.starts)
        while high - low > 1:
            middle = (low + high) >> 1
            if self.starts[middle] <= code:
                low = middle
            else:
                high = middle
        return low


class DFARunner:
    """Runs an automaton, untranslated."""

    def __init__(self, automaton: DFA) -> None:
        self.automaton = automaton
        self.state = 0

    def nextstate(self, char: str) -> int:
        """Go on with a character; raises KeyError where it leads nowhere."""
        self.state = self.automaton[self.state, char]
        return self.state

    def recognize(self, s: str) -> bool:
        """Is the whole text accepted?"""
        self.state = 0
        try:
            for char in s:
                self.nextstate(char)
        except KeyError:
            return False
        return self.state in self.automaton.final_states


def _characters(input: str | Characters | None) -> Characters | None:
    return (input, input) if isinstance(input, str) else input


def _numbered(keys: Sequence[Any]) -> list[int]:
    """A number for each key: 0 for the first, the same for equal ones."""
    numbers: dict[Any, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]


def _merge(steps: list[tuple[Characters, int]]) -> tuple[tuple[Characters, int], ...]:
    """Sorted ranges of characters, neighbours that lead to the same place as one."""
    merged: list[tuple[Characters, int]] = []
    for (first, last), to in steps:
        if merged and merged[-1][1] == to and ord(merged[-1][0][1]) + 1 == ord(first):
            merged[-1] = ((merged[-1][0][0], last), to)
        else:
            merged.append(((first, last), to))
    return tuple(merged)
