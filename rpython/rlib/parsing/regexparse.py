"""Regular expressions in the usual notation.

    a|b  ab  a*  a+  a?  a{2}  a{2,}  a{2,5}  (a)  .  [a-z_]  [^"]  \\d \\w \\s \\D \\W \\S

``.`` is any character at all, ``~(a)`` any text that ``a`` does not match.  A backslash takes the
meaning from a special character; ``\\n``, ``\\x41``, ``\\u0041``, ``\\101`` and so on are Python's.
"""

from __future__ import annotations

from rpython.rlib.parsing.deterministic import (
    LAST_CHARACTER,
    Characters,
    DFARunner,
    position_in,
)
from rpython.rlib.parsing.parsing import ErrorInformation, ParseError
from rpython.rlib.parsing.regex import (
    CharactersExpression,
    RegularExpression,
    StringExpression,
)

_ESCAPES = {
    "n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "b": "\b",
}  # fmt: skip
_OCTAL = "01234567"
_CODE_LENGTHS = {"x": 2, "u": 4, "U": 8}
_SETS: dict[str, list[Characters]] = {
    "d": [("0", "9")],
    "s": [("\t", "\r"), (" ", " ")],
    "w": [("0", "9"), ("A", "Z"), ("_", "_"), ("a", "z")],
}
_SPECIAL = "|*+?{}()[]~."


def parse_regex(s: str) -> RegularExpression:
    """The expression that a text denotes.  Raises ParseError."""
    parser = _RegexParser(s)
    result = parser.parse_alternatives()
    if parser.position < len(s):
        parser.fail("the end")
    return result


def make_runner(regex: str) -> DFARunner:
    """What recognizes the texts that an expression matches."""
    automaton = parse_regex(regex).make_automaton().make_deterministic()
    automaton.optimize()
    return automaton.get_runner()


def unescape(s: str) -> str:
    """A text with its escape sequences replaced by what they stand for.  Raises ParseError."""
    parser = _RegexParser(s)
    chars = []
    while parser.position < len(s):
        char = parser.take()
        chars.append(parser.parse_escaped() if char == "\\" else char)
    return "".join(chars)


class _RegexParser:
    """A parser by recursive descent: one method for each level of precedence."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def peek(self) -> str:
        """The next character, "" at the end."""
        return self.text[self.position : self.position + 1]

    def take(self) -> str:
        char = self.peek()
        if not char:
            self.fail("a character")
        self.position += 1
        return char

    def accept(self, char: str) -> bool:
        """Is that the next character?  Then go past it."""
        found = self.peek() == char
        self.position += found
        return found

    def expect(self, char: str) -> None:
        if not self.accept(char):
            self.fail(char)

    def fail(self, expected: str) -> None:
        place = position_in(self.text, self.position)
        raise ParseError(place, ErrorInformation(self.position, [expected]))

    def parse_alternatives(self) -> RegularExpression:
        result = self.parse_sequence()
        while self.accept("|"):
            result = result | self.parse_sequence()
        return result

    def parse_sequence(self) -> RegularExpression:
        result: RegularExpression = StringExpression("")
        while self.peek() not in ("", "|", ")"):
            item = self.parse_repeated()
            empty = isinstance(result, StringExpression) and not result.string
            result = item if empty else result + item
        return result

    def parse_repeated(self) -> RegularExpression:
        result = self.parse_primary()
        while True:
            if self.accept("*"):
                result = result.kleene()
            elif self.accept("+"):
                result = result + result.kleene()
            elif self.accept("?"):
                result = StringExpression("") | result
            elif self.accept("{"):
                result = self.parse_counts(result)
            else:
                return result

    def parse_counts(self, item: RegularExpression) -> RegularExpression:
        """``2}``, ``2,}`` or ``2,5}``."""
        least = self.parse_number()
        result: RegularExpression = StringExpression("")
        for _ in range(least):
            result = result + item
        if self.accept(","):
            if self.peek() == "}":
                result = result + item.kleene()
            else:
                for _ in range(self.parse_number() - least):
                    result = result + (StringExpression("") | item)
        self.expect("}")
        return result

    def parse_number(self) -> int:
        start = self.position
        while "0" <= self.peek() <= "9":
            self.position += 1
        if start == self.position:
            self.fail("a number")
        return int(self.text[start : self.position])

    def parse_primary(self) -> RegularExpression:
        if self.accept("("):
            result = self.parse_alternatives()
            self.expect(")")
            return result
        if self.accept("~"):
            return ~self.parse_primary()
        if self.accept("["):
            return self.parse_class()
        if self.accept("."):
            return CharactersExpression([("\0", LAST_CHARACTER)])
        if self.accept("\\"):
            return self.parse_escaped_set() or StringExpression(self.parse_escaped())
        if self.peek() in _SPECIAL:
            self.fail("an expression")
        return StringExpression(self.take())

    def parse_escaped_set(self) -> CharactersExpression | None:
        """``d`` of ``\\d`` and the like, if that is next."""
        letter = self.peek()
        if not letter or letter.lower() not in _SETS:
            return None
        self.position += 1
        result = CharactersExpression(_SETS[letter.lower()])
        return result if letter.islower() else result.complement()

    def parse_class(self) -> RegularExpression:
        """What follows ``[``."""
        negated = self.accept("^")
        ranges: list[Characters] = []
        while not ranges or self.peek() != "]":
            named = None
            if self.accept("\\"):
                named = self.parse_escaped_set()
                first = "" if named else self.parse_escaped()
            else:
                first = self.take()
            if named:
                ranges += named.ranges
            elif self.peek() == "-" and self.text[self.position + 1 : self.position + 2] != "]":
                self.expect("-")
                last = self.take()
                last = self.parse_escaped() if last == "\\" else last
                if last < first:
                    self.fail("a character after " + first)
                ranges.append((first, last))
            else:
                ranges.append((first, first))
        self.expect("]")
        result = CharactersExpression(ranges)
        return result.complement() if negated else result

    def parse_escaped(self) -> str:
        """The character for what follows a backslash."""
        char = self.take()
        if char in _OCTAL:
            while len(char) < 3 and self.peek() and self.peek() in _OCTAL:
                char += self.take()
            return chr(int(char, 8))
        length = _CODE_LENGTHS.get(char)
        if length is None:
            return _ESCAPES.get(char, char)
        digits = self.text[self.position : self.position + length]
        if len(digits) < length or not all(c in "0123456789abcdefABCDEF" for c in digits):
            self.fail(f"{length} hexadecimal digits")
        self.position += length
        return chr(int(digits, 16))
