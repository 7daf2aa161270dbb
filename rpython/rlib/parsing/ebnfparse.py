"""Parsers from grammars in extended Backus-Naur form.

    regexs, rules, ToAST = parse_ebnf('''
        NUMBER: "[0-9]+";
        IGNORE: " ";
        sum: <product> | product "+" sum;
        product: NUMBER ("*" NUMBER)*;
    ''')
    parse = make_parse_function(regexs, rules)
    ToAST().transform(parse("1 + 2 * 3"))

Names of tokens are written in capitals and have a regular expression; tokens called IGNORE are left
out.  A quoted text in a rule is a token, too, and comes before those with names; what follows a
backslash does not end it.  The first
alternative that matches counts.  Rules have ``a*``, ``a+``, ``a?`` and groups in parentheses.
What the marks mean to ``ToAST``: ``[a]`` is left out, ``<a>`` takes the place of the rule's node,
``>a<`` is replaced by its children.  A ``#`` begins a comment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from rpython.rlib.parsing.lexer import Lexer, Token
from rpython.rlib.parsing.parsing import ErrorInformation, PackratParser, ParseError, Rule
from rpython.rlib.parsing.regex import RegularExpression, StringExpression
from rpython.rlib.parsing.regexparse import parse_regex, unescape
from rpython.rlib.parsing.tree import Node, Nonterminal

NamedRegexs = list[tuple[str, RegularExpression]]

KEEP, DROP, REPLACE, SPLICE = range(4)
"""What becomes of a child: ``a``, ``[a]``, ``<a>``, ``>a<``."""

_LEXER = Lexer(
    [
        parse_regex("_*[A-Z]([A-Z]|_|[0-9])*"),
        parse_regex("[a-z_][a-z0-9_]*"),
        parse_regex(r'"([^"]|\\")*"' + "|'([^\\\\']|\\\\.)*'"),
        *[StringExpression(mark) for mark in ":;|*+?()[]<>"],
        parse_regex(r"#[^\n]*|\s"),
    ],
    ["SYMBOLNAME", "NONTERMINALNAME", "QUOTE", *":;|*+?()[]<>", "IGNORE"],
    ignore=["IGNORE"],
)


def parse_ebnf(s: str) -> tuple[NamedRegexs, list[Rule], type[Transformer]]:
    """The tokens, the rules, and a class whose ``transform(tree)`` follows the marks.  Raises
    ParseError, LexerError."""
    reader = _GrammarReader(_LEXER.tokenize(s, eof=True))
    reader.read_file()
    shapes = {
        name: [_Shape(expansion) for expansion in expansions]
        for name, expansions in reader.expansions.items()
    }
    rules = [
        Rule(name, [[symbol for symbol, _ in expansion] for expansion in expansions])
        for name, expansions in reader.expansions.items()
    ]
    members: dict[str, Any] = {"_shapes": shapes, "_helpers": dict.fromkeys(reader.helpers)}
    members.update({f"visit_{name}": Transformer.visited for name in reader.expansions})
    ToAST = type("ToAST", (Transformer,), members)
    literals: NamedRegexs = [
        (name, StringExpression(text)) for text, name in reader.literals.items()
    ]
    return literals + reader.regexs, rules, ToAST


def check_for_missing_names(
    names: Sequence[str], regexs: Sequence[RegularExpression], rules: Sequence[Rule]
) -> None:
    """Raises ValueError for a name that is neither a token nor a rule."""
    known = {*names, "EOF", *(rule.nonterminal for rule in rules)}
    for rule in rules:
        for expansion in rule.expansions:
            for name in expansion:
                if name not in known:
                    raise ValueError(f"no token and no rule is called {name} ({rule.nonterminal})")


def make_parse_function(
    regexs: NamedRegexs, rules: Sequence[Rule], eof: bool = False
) -> Callable[[str], Node]:
    """A function that parses a text by the first rule; with ``eof`` the last token is EOF.  It
    raises ParseError and LexerError."""
    names = [name for name, _ in regexs]
    expressions = [regex for _, regex in regexs]
    check_for_missing_names(names, expressions, rules)
    lexer = Lexer(expressions, names, ignore=["IGNORE"])
    parser = PackratParser(rules, rules[0].nonterminal, check_for_left_recursion=True)

    def parse(s: str) -> Node:
        return parser.parse(lexer.tokenize(s, eof))

    return parse


class Transformer:
    """Makes the tree that the marks of a grammar ask for.  ``parse_ebnf`` makes subclasses."""

    _shapes: dict[str, list[_Shape]]
    _helpers: dict[str, None]

    def transform(self, tree: Node) -> Node:
        """The new tree for one that the grammar's parser made."""
        nodes = self._visit(tree)
        assert len(nodes) == 1
        return nodes[0]

    def visited(self, tree: Node) -> list[Node]:
        """What stands for a node, as a list: also called ``visit_NAME``, for each rule."""
        return self._visit(tree)

    def _visit(self, node: Node) -> list[Node]:
        """What stands for a node; not one node only where the grammar has a group."""
        if not isinstance(node, Nonterminal):
            return [node]
        if node.symbol in self._helpers:
            return self._visit_helper(node)
        shape = self._shape(node)
        contents = self._contents(node, shape, len(node.children))
        return contents if shape.replaced >= 0 else [Nonterminal(node.symbol, contents)]

    def _visit_helper(self, node: Nonterminal) -> list[Node]:
        """Groups, and repetitions: each ends in the rest of itself."""
        nodes: list[Node] = []
        while True:
            shape = self._shape(node)
            last = node.children[-1] if node.children else None
            if not isinstance(last, Nonterminal) or last.symbol != node.symbol:
                return nodes + self._contents(node, shape, len(node.children))
            nodes += self._contents(node, shape, len(node.children) - 1)
            node = last

    def _contents(self, node: Nonterminal, shape: _Shape, count: int) -> list[Node]:
        """What stands for the first children."""
        if shape.replaced >= 0:
            return self._visit(node.children[shape.replaced])
        nodes: list[Node] = []
        for position in range(count):
            action = shape.actions[position]
            if action == DROP:
                continue
            for made in self._visit(node.children[position]):
                if action == SPLICE and isinstance(made, Nonterminal):
                    nodes += made.children
                else:
                    nodes.append(made)
        return nodes

    def _shape(self, node: Nonterminal) -> _Shape:
        """The alternative of its rule that the node is."""
        for shape in self._shapes[node.symbol]:
            if shape.fits(node.children):
                return shape
        raise AssertionError(f"the grammar has no such {node.symbol}")


Expansion = list[tuple[str, int]]
"""The symbols of an alternative, and what becomes of each."""


class _Shape:
    """An alternative; ``replaced`` is the index of the child that takes the node's place, or -1."""

    def __init__(self, expansion: Expansion) -> None:
        self.symbols = [symbol for symbol, _ in expansion]
        self.actions = [action for _, action in expansion]
        self.replaced = self.actions.index(REPLACE) if REPLACE in self.actions else -1

    def fits(self, children: list[Node]) -> bool:
        if len(children) != len(self.symbols):
            return False
        for position in range(len(children)):
            if children[position].symbol != self.symbols[position]:
                return False
        return True


class _GrammarReader:
    """Reads a grammar by recursive descent: one method for each kind of part.

    A part of a rule is a list of alternative expansions; a repetition becomes a rule of its own,
    and what may be missing is there in one alternative and missing in the next."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.index = 0
        self.regexs: NamedRegexs = []
        self.literals: dict[str, str] = {}
        self.expansions: dict[str, list[Expansion]] = {}
        self.helpers: list[str] = []

    def peek(self) -> str:
        return self.tokens[self.index].name

    def take(self) -> Token:
        self.index += 1
        return self.tokens[self.index - 1]

    def accept(self, name: str) -> bool:
        found = self.peek() == name
        self.index += found
        return found

    def expect(self, *names: str) -> Token:
        """The next token, which must be one of these.  Raises ParseError."""
        if self.peek() not in names:
            where = self.tokens[self.index].source_pos
            raise ParseError(where, ErrorInformation(self.index, list(names)))
        return self.take()

    def read_file(self) -> None:
        while not self.accept("EOF"):
            token = self.expect("SYMBOLNAME", "NONTERMINALNAME")
            self.expect(":")
            if token.name == "SYMBOLNAME":
                text = self.expect("QUOTE").source
                regex = text[1:-1].replace("\\" + text[0], text[0])
                self.regexs.append((token.source, parse_regex(regex)))
            else:
                alternatives = self.expansions.setdefault(token.source, [])
                alternatives += self.read_body((";",))
            self.expect(";")

    def read_body(self, ends: tuple[str, ...]) -> list[Expansion]:
        """Alternatives, up to one of these marks."""
        expansions = self.read_expansion(ends)
        while self.accept("|"):
            expansions += self.read_expansion(ends)
        return expansions

    def read_expansion(self, ends: tuple[str, ...]) -> list[Expansion]:
        parts: list[list[Expansion]] = []
        while self.peek() not in (*ends, "|", "EOF"):
            parts.append(self.read_repeated(ends))
        return [[item for part in choice for item in part] for choice in product(*parts)]

    def read_repeated(self, ends: tuple[str, ...]) -> list[Expansion]:
        part = self.read_marked(ends)
        if self.accept("*"):
            return [self.add_repetition("_star_symbol", part), []]
        if self.accept("+"):
            return [self.add_repetition("_plus_symbol", part)]
        if self.accept("?"):
            return [part, []]
        return [part]

    def read_marked(self, ends: tuple[str, ...]) -> Expansion:
        if self.accept("["):
            body = self.read_body(("]",))
            self.expect("]")
            return [(self.single(body), DROP)]
        if self.accept("<"):
            part = self.read_primary()
            self.expect(">")
            return [(part[0][0], REPLACE)]
        if self.peek() == ">" and ">" not in ends:
            self.take()
            part = self.read_primary()
            self.expect("<")
            return [(part[0][0], SPLICE)]
        return self.read_primary()

    def read_primary(self) -> Expansion:
        token = self.expect("SYMBOLNAME", "NONTERMINALNAME", "QUOTE", "(")
        if token.name == "(":
            body = self.read_body((")",))
            self.expect(")")
            return [(self.add_helper("_group_symbol", body), KEEP)]
        if token.name == "QUOTE":
            text = unescape(token.source[1:-1])
            name = self.literals.setdefault(text, f"__{len(self.literals)}_{text}")
            return [(name, KEEP)]
        return [(token.source, KEEP)]

    def single(self, body: list[Expansion]) -> str:
        """The name of what a body matches."""
        if len(body) == len(body[0]) == 1:
            return body[0][0][0]
        return self.add_helper("_group_symbol", body)

    def add_helper(self, kind: str, expansions: list[Expansion]) -> str:
        name = f"{kind}{len(self.helpers)}"
        self.helpers.append(name)
        self.expansions[name] = expansions
        return name

    def add_repetition(self, kind: str, part: Expansion) -> Expansion:
        """One or more of these."""
        expansions: list[Expansion] = []
        name = self.add_helper(kind, expansions)
        expansions += [[*part, (name, KEEP)], part]
        return [(name, KEEP)]
