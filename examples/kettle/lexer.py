"""Text -> tokens:

    x = x1 + 12;    ->    name 'x', '=', name 'x1', '+', number '12', ';', end
"""

from __future__ import annotations

import re

from kettle.objects import KettleError

KEYWORDS = frozenset(
    "and break class continue else false for fun if in nil not or return self super true var while"
    .split()
)  # fmt: skip
TOKEN = re.compile(
    r"""(?P<space> [ \t\r\n]+ | //[^\n]* )
      | (?P<number> [0-9]+ )
      | (?P<name> [A-Za-z_][A-Za-z_0-9]* )
      | (?P<string> " (?: [^"\\\n] | \\. )* " )
      | (?P<operator> == | != | <= | >= | [-+*/%<>=(){}\[\],;:.] )""",
    re.VERBOSE,
)
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


class Token:
    """kind: "number", "name", "string", "end", or else the keyword or operator itself."""

    _immutable_fields_ = ["kind", "text", "line"]

    def __init__(self, kind: str, text: str, line: int):
        self.kind = kind
        self.text = text
        self.line = line


def unescape(text: str, line: int) -> str:
    """What stands between the quotes of a string."""
    parts: list[str] = []
    i = 0
    while i < len(text):
        c = text[i]
        if c == "\\":
            i += 1
            if text[i] not in ESCAPES:
                raise KettleError(f"a string has no escape \\{text[i]}", line)
            c = ESCAPES[text[i]]
        parts.append(c)
        i += 1
    return "".join(parts)


def tokens(text: str) -> list[Token]:
    """All tokens of a program; the last is "end"."""
    found: list[Token] = []
    line = 1
    place = 0
    while place < len(text):
        match = TOKEN.match(text, place)
        if match is None:
            what = "a string without an end" if text[place] == '"' else f"a stray {text[place]!r}"
            raise KettleError(what, line)
        kind = match.lastgroup
        word = match.group()
        if kind == "string":
            found.append(Token("string", unescape(word[1:-1], line), line))
        elif kind == "operator" or word in KEYWORDS:
            found.append(Token(word, word, line))
        elif kind == "name":
            found.append(Token("name", word, line))
        elif kind == "number":
            found.append(Token("number", word, line))
        line += word.count("\n")
        place = match.end()
    found.append(Token("end", "the end of the program", line))
    return found
