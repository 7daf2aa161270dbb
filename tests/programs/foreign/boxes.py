"""Drives rply (PyPI) the way its manual does: methods of the boxes are called on whatever the
parser returns, and without an error handler it raises ParsingError.

    boxes.py '[1, [2, three]]' ...     prints the sum of the numbers and the lengths of the words
"""

from __future__ import annotations

import re
import sys

from rply import LexerGenerator, LexingError, ParserGenerator, ParsingError
from rply.token import BaseBox, Token

lg = LexerGenerator()
lg.add("STRING", r'"[^"]*"', flags=re.DOTALL)
lg.add("KEYWORD", r"select|from", flags=re.IGNORECASE)
lg.add("WORD", r"[a-z]\w*", flags=re.I)
lg.add("NUMBER", r"-?\d+")
lg.add("COMMA", ",")
lg.add("OPEN", r"\[")
lg.add("CLOSE", r"\]")
lg.ignore(r"\s+")
lg.ignore(r"/\*.*?\*/", flags=re.DOTALL)
lexer = lg.build()
pg = ParserGenerator([rule.name for rule in lg.rules])


class Number(BaseBox):
    def __init__(self, number):
        self.number = number

    def getint(self):
        return self.number


class Text(BaseBox):
    def __init__(self, text):
        self.text = text

    def getint(self):
        return len(self.text)


class Boxes(BaseBox):
    def __init__(self, boxes):
        self.boxes = boxes

    def getint(self):
        return sum([box.getint() for box in self.boxes])

    def getlist(self):
        return self.boxes


@pg.production("main : value")
def main(p):
    return p[0]


@pg.production("value : NUMBER")
def number(p):
    return Number(int(p[0].getstr()))


@pg.production("value : STRING | WORD | KEYWORD")
def text(p):
    if p[0].gettokentype() == "STRING":
        return Text(p[0].getstr()[1:-1])
    return Text(p[0].value)


@pg.production("value : OPEN CLOSE")
def empty(p):
    return Boxes([])


@pg.production("value : OPEN values CLOSE")
def parenthesised(p):
    return p[1]


@pg.production("values : value")
def first(p):
    return Boxes([p[0]])


@pg.production("values : values COMMA value")
def more(p):
    return Boxes([*p[0].getlist(), p[2]])


parser = pg.build()


def entry_point(argv: list[str]) -> int:
    for source in argv[1:]:
        try:
            print(parser.parse(lexer.lex(source)).getint())
        except ParsingError as e:
            place = e.getsourcepos()
            print("not expected:", "the end" if place is None else str(place))
        except LexingError as e:
            print("no token:", e.getsourcepos().idx)
        try:
            for token in lexer.lex(source):
                print(repr(token), token == Token("NUMBER", "3"), token.source_pos.colno)
        except LexingError:
            print("...")
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
