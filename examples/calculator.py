"""A calculator with variables and functions, its lexer and parser made by rply.

    calculator.py [FILE...]     runs the files, or else what is on standard input

A line is a statement; an indented line goes on with the one before.  `#` begins a comment.

    rate = 0.07                                     a variable
    def grown(sum, years) = sum * (1 + rate) ^ years
    grown(1000, 10)                                 prints the value
    def fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)

There are integers of 64 bits, reals, `true` and `false`.  `ans` is the value printed last.  What
is wrong with a statement is reported with its line and column, and the next one is done; the
status is then 1.

The program runs under CPython with or without this project installed, and translated.
"""

from __future__ import annotations

import os
import sys

from calculatortree import (
    MAX_DEPTH,
    Arithmetic,
    Assignment,
    Boolean,
    CalculatorError,
    Call,
    Choice,
    Comparison,
    Constant,
    Definition,
    Globals,
    Integer,
    Logical,
    Negation,
    Node,
    Not,
    Nothing,
    Place,
    Scope,
    Source,
    Variable,
    ovfcheck,
    real,
)
from rply import LexerGenerator, LexingError, ParserGenerator, Token
from rply.token import BaseBox

# -- the lexer ------------------------------------------------------------------------------------

KEYWORDS = "and def else false if not or then true".split()
OPERATORS = {
    "POWER": r"\^", "FLOOR": "//", "TIMES": r"\*", "OVER": "/", "MODULO": "%", "PLUS": r"\+",
    "MINUS": "-", "COMPARE": "==|!=|<=|>=|<|>", "EQUALS": "=", "COMMA": ",", "OPEN": r"\(",
    "CLOSE": r"\)",
}  # fmt: skip

lexers = LexerGenerator()
lexers.add("REAL", r"(\d+\.\d*|\.\d+)([eE][+-]?\d+)?|\d+[eE][+-]?\d+")
lexers.add("INTEGER", r"0[xX][0-9a-fA-F]+|\d+")
for keyword in KEYWORDS:
    lexers.add(keyword.upper(), keyword + r"\b")
lexers.add("NAME", r"[^\W\d]\w*")
for kind in OPERATORS:
    lexers.add(kind, OPERATORS[kind])
lexers.ignore(r"\s+")
lexers.ignore(r"#.*")
LEXER = lexers.build()


# -- the parser -----------------------------------------------------------------------------------


class Nodes(BaseBox):
    def __init__(self, items: list[Node]):
        self.items = items


class Names(BaseBox):
    def __init__(self, items: list[str]):
        self.items = items


def place(source: Source, box: BaseBox) -> Place:
    """Where a token is."""
    assert isinstance(box, Token)
    return source.place_of(box.getsourcepos())


def text(box: BaseBox) -> str:
    assert isinstance(box, Token)
    return box.getstr()


def node(box: BaseBox) -> Node:
    assert isinstance(box, Node)
    return box


parsers = ParserGenerator(
    ["REAL", "INTEGER", "NAME", *map(str.upper, KEYWORDS), *OPERATORS],
    precedence=[
        ("right", ["ELSE"]),
        ("left", ["OR"]),
        ("left", ["AND"]),
        ("right", ["NOT"]),
        ("left", ["COMPARE"]),
        ("left", ["PLUS", "MINUS"]),
        ("left", ["TIMES", "OVER", "FLOOR", "MODULO"]),
        ("right", ["SIGN"]),
        ("right", ["POWER"]),
    ],
)


@parsers.production("statement : ")
def nothing(source: Source, p: list[BaseBox]) -> BaseBox:
    return Nothing(source.place_at(0))


@parsers.production("statement : expression")
def same(source: Source, p: list[BaseBox]) -> BaseBox:
    return p[0]


@parsers.production("statement : NAME EQUALS expression")
def assignment(source: Source, p: list[BaseBox]) -> BaseBox:
    return Assignment(place(source, p[0]), text(p[0]), node(p[2]))


@parsers.production("statement : DEF NAME OPEN names CLOSE EQUALS expression")
def definition(source: Source, p: list[BaseBox]) -> BaseBox:
    names = p[3]
    assert isinstance(names, Names)
    return Definition(place(source, p[1]), text(p[1]), names.items, node(p[6]))


@parsers.production("names : ")
def no_names(source: Source, p: list[BaseBox]) -> BaseBox:
    return Names([])


@parsers.production("names : NAME")
def first_name(source: Source, p: list[BaseBox]) -> BaseBox:
    return Names([text(p[0])])


@parsers.production("names : names COMMA NAME")
def more_names(source: Source, p: list[BaseBox]) -> BaseBox:
    names = p[0]
    assert isinstance(names, Names)
    return Names([*names.items, text(p[2])])


@parsers.production("expression : REAL")
def real_constant(source: Source, p: list[BaseBox]) -> BaseBox:
    return Constant(place(source, p[0]), real(float(text(p[0])), place(source, p[0])))


@parsers.production("expression : INTEGER")
def integer_constant(source: Source, p: list[BaseBox]) -> BaseBox:
    digits = text(p[0])
    try:
        hexadecimal = digits[:2] in ("0x", "0X")
        value = ovfcheck(int(digits, 16) if hexadecimal else int(digits))
    except (OverflowError, ValueError):  # CPython refuses thousands of digits with ValueError
        raise CalculatorError("this integer is too large", place(source, p[0])) from None
    return Constant(place(source, p[0]), Integer(value))


@parsers.production("expression : TRUE | FALSE")
def boolean_constant(source: Source, p: list[BaseBox]) -> BaseBox:
    return Constant(place(source, p[0]), Boolean(text(p[0]) == "true"))


@parsers.production("expression : NAME")
def variable(source: Source, p: list[BaseBox]) -> BaseBox:
    return Variable(place(source, p[0]), text(p[0]))


@parsers.production("expression : OPEN expression CLOSE")
def parentheses(source: Source, p: list[BaseBox]) -> BaseBox:
    return p[1]


@parsers.production("expression : expression PLUS expression")
@parsers.production("expression : expression MINUS expression")
@parsers.production("expression : expression TIMES expression")
@parsers.production("expression : expression OVER expression")
@parsers.production("expression : expression FLOOR expression")
@parsers.production("expression : expression MODULO expression")
@parsers.production("expression : expression POWER expression")
def arithmetic(source: Source, p: list[BaseBox]) -> BaseBox:
    return Arithmetic(place(source, p[1]), text(p[1]), node(p[0]), node(p[2]))


@parsers.production("expression : expression COMPARE expression")
def comparison(source: Source, p: list[BaseBox]) -> BaseBox:
    return Comparison(place(source, p[1]), text(p[1]), node(p[0]), node(p[2]))


@parsers.production("expression : expression AND expression")
@parsers.production("expression : expression OR expression")
def logical(source: Source, p: list[BaseBox]) -> BaseBox:
    return Logical(place(source, p[1]), text(p[1]), node(p[0]), node(p[2]))


@parsers.production("expression : MINUS expression", precedence="SIGN")
def negation(source: Source, p: list[BaseBox]) -> BaseBox:
    return Negation(place(source, p[0]), node(p[1]))


@parsers.production("expression : NOT expression")
def opposite(source: Source, p: list[BaseBox]) -> BaseBox:
    return Not(place(source, p[0]), node(p[1]))


@parsers.production("expression : IF expression THEN expression ELSE expression")
def choice(source: Source, p: list[BaseBox]) -> BaseBox:
    return Choice(place(source, p[0]), node(p[1]), node(p[3]), node(p[5]))


@parsers.production("expression : NAME OPEN arguments CLOSE")
def call(source: Source, p: list[BaseBox]) -> BaseBox:
    arguments = p[2]
    assert isinstance(arguments, Nodes)
    return Call(place(source, p[0]), text(p[0]), arguments.items)


@parsers.production("arguments : ")
def no_arguments(source: Source, p: list[BaseBox]) -> BaseBox:
    return Nodes([])


@parsers.production("arguments : expression")
def first_argument(source: Source, p: list[BaseBox]) -> BaseBox:
    return Nodes([node(p[0])])


@parsers.production("arguments : arguments COMMA expression")
def more_arguments(source: Source, p: list[BaseBox]) -> BaseBox:
    arguments = p[0]
    assert isinstance(arguments, Nodes)
    arguments.items.append(node(p[2]))
    return arguments


@parsers.error
def unexpected(source: Source, token: Token) -> None:
    position = token.getsourcepos()
    if position is None:
        end = source.place_at(len(source.text.rstrip()))
        raise CalculatorError("the statement is not complete", end)
    raise CalculatorError(f"{token.getstr()} is not expected here", source.place_of(position))


PARSER = parsers.build()


# -- the program ----------------------------------------------------------------------------------


def parse(source: Source) -> Node:
    try:
        return node(PARSER.parse(LEXER.lex(source.text), source))
    except LexingError as error:
        index = error.getsourcepos().idx
        message = f"{source.text[index]!r} means nothing here"
        raise CalculatorError(message, source.place_at(index)) from None


def statements(path: str, text: str) -> list[Source]:
    """The statements of a text."""
    lines = text.split("\n")
    found: list[Source] = []
    first = 0
    while first < len(lines):
        end = first + 1
        while end < len(lines) and lines[end][:1] in (" ", "\t"):
            end += 1
        found.append(Source(path, first + 1, "\n".join(lines[first:end])))
        first = end
    return found


def run(path: str, text: str, shared: Globals) -> bool:
    """Do the statements of a text, print what they say; whether all went well."""
    good = True
    for source in statements(path, text):
        try:
            output = parse(source).execute(Scope(shared))
        except CalculatorError as error:
            good = False
            output = error.place.describe(error.message)
        if output != "":
            print(output)
    return good


def read_all(fd: int) -> str:
    parts: list[bytes] = []
    while part := os.read(fd, 65536):
        parts.append(part)
    return b"".join(parts).decode("utf-8", "replace")


def read_file(path: str) -> str:
    fd = os.open(path, os.O_RDONLY)
    try:
        return read_all(fd)
    finally:
        os.close(fd)


def entry_point(argv: list[str]) -> int:
    shared = Globals()
    if len(argv) == 1:
        return 0 if run("input", read_all(0), shared) else 1
    status = 0
    for path in argv[1:]:
        try:
            text = read_file(path)
        except OSError:
            print(f"cannot read {path}")
            return 2
        if not run(path, text, shared):
            status = 1
    return status


if __name__ == "__main__":
    sys.setrecursionlimit(10 * MAX_DEPTH)
    sys.exit(entry_point(sys.argv))
