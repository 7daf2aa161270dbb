"""Regular expressions as objects, which make automata.

    StringExpression("ab") + RangeExpression("0", "9").kleene()      ab[0-9]*

They work at import time; ``regexparse.parse_regex`` makes them of the usual notation.
"""

from __future__ import annotations

from collections.abc import Sequence

from rpython.rlib.parsing.deterministic import LAST_CHARACTER, NFA


class RegularExpression:
    """What all expressions have in common: ``a + b``, ``a | b``, ``a.kleene()``, ``+a`` (one or
    more) and ``~a``."""

    def make_automaton(self) -> NFA:
        """An automaton that accepts the texts which this expression matches."""
        raise NotImplementedError

    def __add__(self, other: RegularExpression) -> AddExpression:
        return AddExpression(self, other)

    def __or__(self, other: RegularExpression) -> OrExpression:
        return OrExpression(self, other)

    def __pos__(self) -> AddExpression:
        return AddExpression(self, self.kleene())

    def __invert__(self) -> NotExpression:
        return NotExpression(self)

    def kleene(self) -> KleeneClosure:
        """Zero or more of these."""
        return KleeneClosure(self)


class StringExpression(RegularExpression):
    """One text."""

    def __init__(self, s: str) -> None:
        self.string = s

    def make_automaton(self) -> NFA:
        result = NFA()
        state = result.add_state(start=True, final=not self.string)
        for position, char in enumerate(self.string, 1):
            next_state = result.add_state(final=position == len(self.string))
            result.add_transition(state, next_state, char)
            state = next_state
        return result

    def __str__(self) -> str:
        return repr(self.string)


class ExpressionTag(RegularExpression):
    """An expression whose final states have a name."""

    def __init__(self, rex: RegularExpression, tag: str) -> None:
        self.rex = rex
        self.tag = tag

    def make_automaton(self) -> NFA:
        result = self.rex.make_automaton()
        for state in result.final_states:
            result.names[state] = self.tag
        result.unmergeable_states |= result.final_states
        return result

    def __str__(self) -> str:
        return f"{self.tag}({self.rex})"


class RangeExpression(RegularExpression):
    """One character, from ``fromchar`` to ``tochar`` inclusive."""

    def __init__(self, fromchar: str, tochar: str) -> None:
        self.fromchar = fromchar
        self.tochar = tochar

    def make_automaton(self) -> NFA:
        return CharactersExpression([(self.fromchar, self.tochar)]).make_automaton()

    def __str__(self) -> str:
        return f"[{self.fromchar}-{self.tochar}]"


class CharactersExpression(RegularExpression):
    """One character of those in the ranges."""

    def __init__(self, ranges: Sequence[tuple[str, str]]) -> None:
        self.ranges = list(ranges)

    def make_automaton(self) -> NFA:
        result = NFA()
        start, end = result.add_state(start=True), result.add_state(final=True)
        for first, last in self.ranges:
            result.add_transition(start, end, (first, last))
        return result

    def complement(self) -> CharactersExpression:
        """One character that is in none of the ranges."""
        missing, next_code = [], 0
        for first, last in sorted(self.ranges):
            if ord(first) > next_code:
                missing.append((chr(next_code), chr(ord(first) - 1)))
            next_code = max(next_code, ord(last) + 1)
        if next_code <= ord(LAST_CHARACTER):
            missing.append((chr(next_code), LAST_CHARACTER))
        return CharactersExpression(missing)

    def __str__(self) -> str:
        return "[" + "".join(f"{first}-{last}" for first, last in self.ranges) + "]"


class AddExpression(RegularExpression):
    """One expression, then another."""

    def __init__(self, rega: RegularExpression, regb: RegularExpression) -> None:
        self.rega = rega
        self.regb = regb

    def make_automaton(self) -> NFA:
        result = self.rega.make_automaton()
        other = self.regb.make_automaton()
        renumbered = result.update(other)
        for final in result.final_states:
            for start in other.start_states:
                result.add_transition(final, renumbered[start])
        result.final_states = {renumbered[state] for state in other.final_states}
        return result

    def __str__(self) -> str:
        return f"({self.rega} {self.regb})"


class OrExpression(RegularExpression):
    """One expression or the other."""

    def __init__(self, rega: RegularExpression, regb: RegularExpression) -> None:
        self.rega = rega
        self.regb = regb

    def make_automaton(self) -> NFA:
        result = self.rega.make_automaton()
        other = self.regb.make_automaton()
        renumbered = result.update(other)
        result.start_states |= {renumbered[state] for state in other.start_states}
        result.final_states |= {renumbered[state] for state in other.final_states}
        return result

    def __str__(self) -> str:
        return f"({self.rega} | {self.regb})"


class KleeneClosure(RegularExpression):
    """Zero or more of an expression."""

    def __init__(self, regex: RegularExpression) -> None:
        self.regex = regex

    def make_automaton(self) -> NFA:
        result = self.regex.make_automaton()
        starts = set(result.start_states)
        result.start_states = set()
        first = result.add_state(start=True, final=True)
        for final in result.final_states - {first}:
            result.add_transition(final, first)
        for start in starts:
            result.add_transition(first, start)
        return result

    def __str__(self) -> str:
        return f"({self.regex})*"


class NotExpression(RegularExpression):
    """All texts that an expression does not match."""

    def __init__(self, reg: RegularExpression) -> None:
        self.reg = reg

    def make_automaton(self) -> NFA:
        accepted = self.reg.make_automaton().make_deterministic()
        result = NFA()
        for state in range(accepted.num_states):
            result.add_state(start=state == 0, final=state not in accepted.final_states)
        other = result.add_state(final=True)
        result.add_transition(other, other, (chr(0), LAST_CHARACTER))
        outgoing: list[list[tuple[str, str]]] = [[] for _ in range(accepted.num_states)]
        for (state, characters), next_state in accepted.transitions.items():
            result.add_transition(state, next_state, characters)
            outgoing[state].append(characters)
        for state, ranges in enumerate(outgoing):
            for characters in CharactersExpression(ranges).complement().ranges:
                result.add_transition(state, other, characters)
        return result

    def __str__(self) -> str:
        return f"~({self.reg})"


class LexingOrExpression(RegularExpression):
    """One of several expressions with names: the automaton's final states have the names."""

    def __init__(self, regs: Sequence[RegularExpression], names: Sequence[str]) -> None:
        assert len(regs) == len(names)
        self.regs = list(regs)
        self.names = list(names)

    def make_automaton(self) -> NFA:
        result = NFA()
        for regex, name in zip(self.regs, self.names, strict=True):
            token = ExpressionTag(regex, name).make_automaton()
            renumbered = result.update(token)
            result.start_states |= {renumbered[state] for state in token.start_states}
            result.final_states |= {renumbered[state] for state in token.final_states}
        return result

    def __str__(self) -> str:
        return " | ".join(
            f"{name}: {regex}" for name, regex in zip(self.names, self.regs, strict=True)
        )
