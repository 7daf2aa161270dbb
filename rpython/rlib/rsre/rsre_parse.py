"""Parses regular expressions: in programs, and when a pattern is compiled at import.

    (a|b)*?c     [Node(MIN_REPEAT, 0, MAXREPEAT, [[Node(GROUP, 1, ...)]]), Node(LITERAL, 99)]

What is wrong with a pattern is said in the words of CPython's ``re``, with its positions.
"""

from __future__ import annotations

from re import error

from rpython.rlib.rsre.rsre_char import DIGIT, NOT_DIGIT, NOT_SPACE, NOT_WORD, SPACE, WORD
from rpython.rlib.rsre.rsre_code import (
    AT_BEGINNING,
    AT_BOUNDARY,
    AT_LINE_END,
    AT_LINE_START,
    AT_NOT_BOUNDARY,
    AT_STRING_END,
)
from rpython.rlib.rsre.rsre_nodes import (
    ANY,
    ASCII,
    ASSERT,
    ASSERT_NOT,
    AT,
    ATOMIC,
    BRANCH,
    DOTALL,
    GROUP,
    GROUP_REF,
    IF_GROUP,
    IGNORECASE,
    IN,
    LITERAL,
    LOCALE,
    MAX_REPEAT,
    MAXREPEAT,
    MIN_REPEAT,
    MULTILINE,
    NOT_LITERAL,
    POSSESSIVE_REPEAT,
    TYPE_FLAGS,
    UNICODE,
    VERBOSE,
    Node,
    add_member,
    branch,
    common_start,
    count_of,
    fixed_flags,
    set_of,
    times,
    unpacked,
    with_part,
)
from rpython.rlib.rsre.rsre_pieces import Pieces

MAXGROUPS = 1073741823
_FLAG_LETTERS = "iLmsxau"
_FLAGS = [IGNORECASE, LOCALE, MULTILINE, DOTALL, VERBOSE, ASCII, UNICODE]
_SPACES = " \t\n\r\v\f"
_DIGITS = "0123456789"
_OCTAL = "01234567"
_HEX = "0123456789abcdefABCDEF"
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ESCAPES = "abfnrtv\\"
_ESCAPED = "\a\b\f\n\r\t\v\\"
_CATEGORY_LETTERS = "dDsSwW"
_CATEGORIES = [DIGIT, NOT_DIGIT, SPACE, NOT_SPACE, WORD, NOT_WORD]
_PLACE_LETTERS = "AbBZ"
_PLACES = [AT_BEGINNING, AT_BOUNDARY, AT_NOT_BOUNDARY, AT_STRING_END]


class Parser(Pieces):
    """A pattern that is being parsed, and what is known of it.

    ``widths``: the least and the most characters of each group, -1 of one that is open;
    ``groups_outside``: how many there were when a look-behind assertion began, -1 outside of those.
    """

    def __init__(self, text: str, is_text: bool, flags: int) -> None:
        super().__init__(text)
        self.is_text = is_text
        self.flags = flags
        self.names: dict[str, int] = {}
        self.widths: list[tuple[int, int]] = [(-1, -1)]
        self.groups_outside = -1
        self.asked: list[tuple[int, int]] = []
        """Numbers of groups that conditions are about, and where."""

    # -- groups ----------------------------------------------------------------------------------

    def groups(self) -> int:
        """How many groups there are, the whole pattern among them."""
        return len(self.widths)

    def open_group(self, name: str) -> int:
        number = len(self.widths)
        self.widths.append((-1, -1))
        if number >= MAXGROUPS:
            raise error("too many groups")
        if name != "":
            if name in self.names:
                text = f"redefinition of group name {name!r} as group {number}; "
                raise self.error(f"{text}was group {self.names[name]}", len(name) + 1)
            self.names[name] = number
        return number

    def require_closed(self, number: int, back: int) -> None:
        if not self.is_closed(number):
            raise self.error("cannot refer to an open group", back)
        self.require_outside(number)

    def is_closed(self, number: int) -> bool:
        return number < len(self.widths) and self.widths[number][0] >= 0

    def require_outside(self, number: int) -> None:
        if self.groups_outside < 0:
            return
        if not self.is_closed(number):
            raise self.error("cannot refer to an open group", 0)
        if number >= self.groups_outside:
            raise self.error(
                "cannot refer to group defined in the same lookbehind subpattern", 0
            )

    def require_name(self, name: str, back: int) -> None:
        if not name.isidentifier():
            raise self.error(f"bad character in group name {name!r}", len(name) + back)

    # -- escapes ---------------------------------------------------------------------------------

    def lookup_name(self, name: str) -> int:
        """The code point of a name.  Raises KeyError."""
        raise NotImplementedError(
            "\\N{...} in a regular expression that is made when the program runs"
        )

    def escape_in_set(self, escape: str) -> Node:
        char = escape[1]
        if char in _ESCAPES:
            return Node(LITERAL, ord(_ESCAPED[_ESCAPES.index(char)]))
        if char in _CATEGORY_LETTERS:
            return Node(IN, _CATEGORIES[_CATEGORY_LETTERS.index(char)])
        found = self.coded_escape(escape)
        if found >= 0:
            return Node(LITERAL, found)
        if char in _OCTAL:
            digits = char + self.take_most(2, _OCTAL)
            return Node(LITERAL, self.octal(digits))
        if char in _DIGITS or char in _LETTERS:
            raise self.error(f"bad escape {escape}", len(escape))
        return Node(LITERAL, ord(char))

    def escape(self, escape: str) -> Node:
        char = escape[1]
        if char in _CATEGORY_LETTERS:
            return Node(IN, _CATEGORIES[_CATEGORY_LETTERS.index(char)])
        if char in _PLACE_LETTERS:
            return Node(AT, _PLACES[_PLACE_LETTERS.index(char)])
        if char in _ESCAPES:
            return Node(LITERAL, ord(_ESCAPED[_ESCAPES.index(char)]))
        found = self.coded_escape(escape)
        if found >= 0:
            return Node(LITERAL, found)
        if char == "0":
            return Node(LITERAL, int("0" + self.take_most(2, _OCTAL), 8))
        if char in _DIGITS:
            return self.numbered(char)
        if char in _LETTERS:
            raise self.error(f"bad escape {escape}", len(escape))
        return Node(LITERAL, ord(char))

    def coded_escape(self, escape: str) -> int:
        """The code point that ``\\x``, ``\\u``, ``\\U`` or ``\\N`` says, -1: it is none of them."""
        char = escape[1]
        count = 0
        if char == "x":
            count = 2
        elif char == "u" and self.is_text:
            count = 4
        elif char == "U" and self.is_text:
            count = 8
        elif char == "N" and self.is_text:
            return self.named_character()
        if count == 0:
            return -1
        digits = self.take_most(count, _HEX)
        whole = escape + digits
        if len(digits) != count:
            raise self.error(f"incomplete escape {whole}", len(whole))
        code = int(digits, 16)
        if code > 0x10FFFF:
            raise self.error(f"bad escape {whole}", len(whole))
        return code

    def named_character(self) -> int:
        if not self.accept("{"):
            raise self.error("missing {", 0)
        name = self.take_until("}", "character name")
        try:
            return self.lookup_name(name)
        except KeyError:
            raise self.error(f"undefined character name {name!r}", len(name) + 4) from None

    def octal(self, digits: str) -> int:
        code = int(digits, 8)
        if code > 0o377:
            text = f"octal escape value \\{digits} outside of range 0-0o377"
            raise self.error(text, len(digits) + 1)
        return code

    def numbered(self, digits: str) -> Node:
        """A reference to a group, or three octal digits."""
        if self.next_in(_DIGITS):
            digits += self.take()
            if digits[0] in _OCTAL and digits[1] in _OCTAL and self.next_in(_OCTAL):
                return Node(LITERAL, self.octal(digits + self.take()))
        number = int(digits)
        if number >= self.groups():
            raise self.error(f"invalid group reference {number}", len(digits))
        self.require_closed(number, len(digits) + 1)
        return Node(GROUP_REF, number)

    # -- items -----------------------------------------------------------------------------------

    def alternatives(self, verbose: bool, outermost: bool) -> list[Node]:
        """``a|b|c``"""
        items = [self.sequence(verbose, outermost, outermost)]
        while self.accept("|"):
            if outermost:
                verbose = self.flags & VERBOSE != 0
            items.append(self.sequence(verbose, outermost, False))
        if len(items) == 1:
            return items[0]
        found = common_start(items)
        found.append(set_of(items) or branch(items))
        return found

    def sequence(self, verbose: bool, outermost: bool, first: bool) -> list[Node]:
        """What is between bars and parentheses.  ``first``: may flags of the whole pattern
        begin it?"""
        found: list[Node] = []
        while self.next != "" and self.next != "|" and self.next != ")":
            piece = self.take()
            if verbose and piece in _SPACES:
                continue
            if verbose and piece == "#":
                while self.next != "" and self.take() != "\n":
                    pass
                continue
            if piece[0] == "\\":
                found.append(self.escape(piece))
            elif piece == "[":
                found.append(self.set())
            elif piece in "*+?{":
                self.repeat(found, piece)
            elif piece == ".":
                found.append(Node(ANY))
            elif piece == "(":
                node = self.parenthesis(verbose, first and len(found) == 0)
                if node is not None:
                    found.append(node)
                elif outermost:
                    verbose = self.flags & VERBOSE != 0
            elif piece == "^":
                found.append(Node(AT, AT_LINE_START))
            elif piece == "$":
                found.append(Node(AT, AT_LINE_END))
            else:
                found.append(Node(LITERAL, ord(piece)))
        return unpacked(found)

    def set(self) -> Node:
        """``[...]``"""
        here = self.place() - 1
        result = Node(IN)
        literals = 0
        if self.accept("^"):
            result.high = 1
        start = True
        while True:
            if self.next == "":
                raise self.error("unterminated character set", self.place() - here)
            piece = self.take()
            if piece == "]" and not start:
                break
            start = False
            node = self.escape_in_set(piece) if piece[0] == "\\" else Node(LITERAL, ord(piece))
            if not self.accept("-"):
                literals += add_member(result, node)
                continue
            if self.next == "":
                raise self.error("unterminated character set", self.place() - here)
            other = self.take()
            if other == "]":
                literals += add_member(result, node)
                literals += add_member(result, Node(LITERAL, 45))
                break
            last = self.escape_in_set(other) if other[0] == "\\" else Node(LITERAL, ord(other))
            if node.op != LITERAL or last.op != LITERAL or last.low < node.low:
                back = len(piece) + 1 + len(other)
                raise self.error(f"bad character range {piece}-{other}", back)
            result.ranges.append(node.low)
            result.ranges.append(last.low)
        if literals == 1 and result.low == 0 and len(result.ranges) == 2:
            return Node(NOT_LITERAL if result.high else LITERAL, result.ranges[0])
        return result

    def repeat(self, found: list[Node], piece: str) -> None:
        """Repeat the last item."""
        here = self.place()
        least, most = 0, MAXREPEAT
        if piece == "?":
            most = 1
        elif piece == "+":
            least = 1
        elif piece == "{":
            if self.next == "}":
                found.append(Node(LITERAL, ord(piece)))
                return
            low = self.take_most(MAXREPEAT, _DIGITS)
            high = low
            if self.accept(","):
                high = self.take_most(MAXREPEAT, _DIGITS)
            if not self.accept("}"):
                found.append(Node(LITERAL, ord(piece)))
                self.seek(here)
                return
            if low != "":
                least = count_of(low)
            if high != "":
                most = count_of(high)
                if most < least:
                    back = self.place() - here
                    raise self.error("min repeat greater than max repeat", back)
        back = self.place() - here + len(piece)
        if len(found) == 0 or found[-1].op == AT:
            raise self.error("nothing to repeat", back)
        item = found[-1]
        if item.is_repeat():
            raise self.error("multiple repeat", back)
        op = MAX_REPEAT
        if self.accept("?"):
            op = MIN_REPEAT
        elif self.accept("+"):
            op = POSSESSIVE_REPEAT
        part = item.parts[0] if item.is_plain() else [item]
        found[-1] = with_part(Node(op, least, most), part)

    # -- parentheses -----------------------------------------------------------------------------

    def parenthesis(self, verbose: bool, first: bool) -> Node | None:
        """``(...)``; None: a comment, or flags of the whole pattern."""
        start = self.place() - 1
        node = Node(GROUP)
        name = ""
        captures = True
        if self.accept("?"):
            captures = False
            if self.next == "":
                raise self.error("unexpected end of pattern", 0)
            char = self.take()
            if char == "P":
                if not self.accept("<"):
                    return self.reference()
                name = self.take_until(">", "group name")
                self.require_name(name, 1)
                captures = True
            elif char == "#":
                self.comment(start)
                return None
            elif char in "=!<":
                return self.assertion(char, verbose, start)
            elif char == "(":
                return self.condition(verbose, start)
            elif char == ">":
                node.op = ATOMIC
            elif char in _FLAG_LETTERS or char == "-":
                if self.read_flags(node, char):
                    if not first:
                        back = self.place() - start
                        raise self.error("global flags not at the start of the expression", back)
                    return None
            elif char != ":":
                raise self.error(f"unknown extension ?{char}", len(char) + 1)
        if captures:
            node.low = self.open_group(name)
        inside = (verbose or node.high & VERBOSE != 0) and node.remove & VERBOSE == 0
        node.parts.append(self.alternatives(inside, False))
        self.close(start)
        if captures:
            self.widths[node.low] = self.width(node.parts[0])
        return node

    def close(self, start: int) -> None:
        if not self.accept(")"):
            raise self.error("missing ), unterminated subpattern", self.place() - start)

    def comment(self, start: int) -> None:
        while True:
            if self.next == "":
                raise self.error("missing ), unterminated comment", self.place() - start)
            if self.take() == ")":
                return

    def reference(self) -> Node:
        """``(?P=name)``"""
        if not self.accept("="):
            if self.next == "":
                raise self.error("unexpected end of pattern", 0)
            char = self.take()
            raise self.error(f"unknown extension ?P{char}", len(char) + 2)
        name = self.take_until(")", "group name")
        self.require_name(name, 1)
        if name not in self.names:
            raise self.error(f"unknown group name {name!r}", len(name) + 1)
        number = self.names[name]
        self.require_closed(number, len(name) + 1)
        return Node(GROUP_REF, number)

    def assertion(self, char: str, verbose: bool, start: int) -> Node:
        node = Node(ASSERT, 1)
        outside = self.groups_outside
        if char == "<":
            if self.next == "":
                raise self.error("unexpected end of pattern", 0)
            char = self.take()
            if char != "=" and char != "!":
                raise self.error(f"unknown extension ?<{char}", len(char) + 2)
            node.low = -1
            if outside < 0:
                self.groups_outside = self.groups()
        node.parts.append(self.alternatives(verbose, False))
        self.groups_outside = outside
        self.close(start)
        if char == "!":
            node.op = ASSERT_NOT
        return node

    def condition(self, verbose: bool, start: int) -> Node:
        """``(?(1)yes|no)``"""
        name = self.take_until(")", "group name")
        if name.isidentifier():
            if name not in self.names:
                raise self.error(f"unknown group name {name!r}", len(name) + 1)
            number = self.names[name]
        else:
            if not (name.isdecimal() and name.isascii()):
                raise self.error(f"bad character in group name {name!r}", len(name) + 1)
            digits = name.lstrip("0")
            if digits == "":
                raise self.error("bad group number", len(name) + 1)
            if len(digits) > 10 or int(digits) >= MAXGROUPS:
                raise self.error(f"invalid group reference {digits}", len(name) + 1)
            number = int(digits)
            self.asked.append((number, self.place() - len(name) - 1))
        self.require_outside(number)
        node = with_part(Node(IF_GROUP, number), self.sequence(verbose, False, False))
        if self.accept("|"):
            node.parts.append(self.sequence(verbose, False, False))
            if self.next == "|":
                raise self.error("conditional backref with more than two branches", 0)
        self.close(start)
        return node

    def read_flags(self, node: Node, char: str) -> bool:
        """``(?i)``, ``(?i-m:...)``: are they flags of the whole pattern?"""
        while char != "-":
            flag = _FLAGS[_FLAG_LETTERS.index(char)]
            if flag == (LOCALE if self.is_text else UNICODE):
                kind = "str" if self.is_text else "bytes"
                text = f"bad inline flags: cannot use '{char}' flag with a {kind} pattern"
                raise self.error(text, 0)
            node.high |= flag
            if flag & TYPE_FLAGS and node.high & TYPE_FLAGS != flag:
                text = "bad inline flags: flags 'a', 'u' and 'L' are incompatible"
                raise self.error(text, 0)
            if self.next == "":
                raise self.error("missing -, : or )", 0)
            char = self.take()
            if char == ")":
                self.flags |= node.high
                return True
            if char == ":":
                return False
            self.require_flag(char, "missing -, : or )", char == "-")
        if self.next == "":
            raise self.error("missing flag", 0)
        char = self.take()
        self.require_flag(char, "missing flag", False)
        while char != ":":
            flag = _FLAGS[_FLAG_LETTERS.index(char)]
            if flag & TYPE_FLAGS:
                text = "bad inline flags: cannot turn off flags 'a', 'u' and 'L'"
                raise self.error(text, 0)
            node.remove |= flag
            if self.next == "":
                raise self.error("missing :", 0)
            char = self.take()
            self.require_flag(char, "missing :", char == ":")
        if node.high & node.remove:
            raise self.error("bad inline flags: flag turned on and off", 1)
        return False

    def require_flag(self, char: str, otherwise: str, other: bool) -> None:
        if not other and char not in _FLAG_LETTERS:
            raise self.error("unknown flag" if char.isalpha() else otherwise, len(char))

    # -- widths ----------------------------------------------------------------------------------

    def width(self, items: list[Node]) -> tuple[int, int]:
        """How many characters they match, at least and at most."""
        low = high = 0
        for node in items:
            least, most = self.width_of(node)
            low = min(low + least, MAXREPEAT - 1)
            high = min(high + most, MAXREPEAT)
        return low, high

    def width_of(self, node: Node) -> tuple[int, int]:
        if node.op <= IN:
            return 1, 1
        if node.op == GROUP_REF:
            return self.widths[node.low]
        if node.op == BRANCH or node.op == IF_GROUP:
            low, high = self.width(node.parts[0])
            for part in node.parts[1:]:
                least, most = self.width(part)
                low, high = min(low, least), max(high, most)
            return 0 if len(node.parts) == 1 else low, high
        if node.op == GROUP or node.op == ATOMIC:
            return self.width(node.parts[0])
        if node.is_repeat():
            low, high = self.width(node.parts[0])
            return times(low, node.low), times(high, node.high)
        return 0, 0


def parsed(parser: Parser) -> list[Node]:
    """The whole pattern.  Raises ``re.error``."""
    found = parser.alternatives(parser.flags & VERBOSE != 0, True)
    parser.flags = fixed_flags(parser.is_text, parser.flags)
    if parser.next != "":
        raise parser.error("unbalanced parenthesis", 0)
    for number, place in parser.asked:
        if number >= parser.groups():
            raise error(f"invalid group reference {number}", parser.text, place)
    return found
