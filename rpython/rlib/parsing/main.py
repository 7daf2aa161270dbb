"""A parser from a grammar in a file or a text, with an error message for people."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from rpython.rlib.parsing.deterministic import LexerError
from rpython.rlib.parsing.ebnfparse import Transformer, make_parse_function, parse_ebnf
from rpython.rlib.parsing.parsing import ParseError
from rpython.rlib.parsing.tree import Node


def make_parser_from_file(filename: str) -> tuple[Callable[[str], Node], type[Transformer]]:
    """The parser for the grammar in a file.  Raises OSError, and what ``make_parser`` raises."""
    return make_parser(Path(filename).read_text(encoding="utf-8"), filename)


def make_parser(
    source: str, filename: str = "<string>"
) -> tuple[Callable[[str], Node], type[Transformer]]:
    """``(parse, ToAST)``, as ``ebnfparse`` makes them.  Raises ParseError and LexerError for a
    grammar that is none, and prints where."""
    try:
        regexs, rules, ToAST = parse_ebnf(source)
    except ParseError as e:
        print(e.nice_error_message(filename, source), file=sys.stderr)
        raise
    except LexerError as e:
        print(e.nice_error_message(filename), file=sys.stderr)
        raise
    return make_parse_function(regexs, rules), ToAST
