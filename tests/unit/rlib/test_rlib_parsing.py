"""``rpython.rlib.parsing``: what happens at import time."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from rpython.rlib.parsing.deterministic import DFA, LexerError
from rpython.rlib.parsing.ebnfparse import make_parse_function, parse_ebnf
from rpython.rlib.parsing.lexer import DummyLexer
from rpython.rlib.parsing.main import make_parser, make_parser_from_file
from rpython.rlib.parsing.parsing import PackratParser, ParseError, Rule
from rpython.rlib.parsing.regex import ExpressionTag, StringExpression
from rpython.rlib.parsing.regexparse import make_runner, parse_regex, unescape
from rpython.rlib.parsing.tree import Nonterminal, Symbol

WORDS = ["".join(chars) for length in range(5) for chars in product("ab.\n", repeat=length)]


@pytest.mark.parametrize(
    "regex",
    ["a|b*", "(a|b)*a", "a?b+", "[^a]*", "[ab.]{2,3}", "a{2,}|b{3}", r"\.\w+\s?", "(ab|a)(b|)", "",
     r"[\n-a]*", r"\W\D[]b]?", r"\141*(\x62|\012)"],
)  # fmt: skip
def test_expressions_match_as_those_of_re(regex: str) -> None:
    runner = make_runner(regex)
    wrong = [word for word in WORDS if runner.recognize(word) != bool(re.fullmatch(regex, word))]
    assert not wrong


def test_negation_and_any_character() -> None:
    assert make_runner("~(a*)").recognize("ab")
    assert not make_runner("~(a*)").recognize("aa")
    assert make_runner(".").recognize("\n")


@pytest.mark.parametrize("regex", ["(", "a)", "*", "[a", "[b-a]", "a{", "\\xg0", "\\"])
def test_wrong_expressions(regex: str) -> None:
    with pytest.raises(ParseError):
        parse_regex(regex)


def test_optimizing_merges_states() -> None:
    automaton = parse_regex("(ac|bc)(ac|bc)*").make_automaton().make_deterministic()
    automaton.optimize()
    assert automaton.num_states == 3
    assert (0, "b") in automaton
    assert automaton[0, "a"] == automaton[0, "b"]
    again = eval(repr(automaton), {"DFA": DFA})
    assert again.get_runner().recognize("acbc")


def test_tags_are_names_of_final_states() -> None:
    tagged = ExpressionTag(+StringExpression("a"), "many")
    automaton = tagged.make_automaton().make_deterministic()
    automaton.optimize()
    assert {automaton.names[state] for state in automaton.final_states} == {"many"}


def test_escapes() -> None:
    assert unescape(r"a\n\x41\"\\\u20ac") == 'a\nA"\\€'


def test_an_automaton_made_by_hand() -> None:
    automaton = DFA(3, {(0, "a"): 1, (1, "a"): 1, (0, " "): 2}, {1, 2}, {1, 2}, ["0", "A", "_"])
    lexer = DummyLexer(automaton.make_lexing_code(), automaton, {"_": None})
    assert [token.source for token in lexer.tokenize("aa a a")] == ["aa", "a", "a"]


def test_left_recursion_is_found() -> None:
    rules = [Rule("a", [["b", "a", "X"]]), Rule("b", [["Y"], []])]
    with pytest.raises(AssertionError, match="left recursion in rule a"):
        PackratParser(rules, "a")


@pytest.mark.parametrize(
    ("rule", "text", "tree"),
    [
        ('s: "a" s "b" | "a" "b";', "aabb", "s(__0_a, s(__0_a, __1_b), __1_b)"),
        ('s: "x"* "y"? "x";', "x", "s(__0_x)"),
        ('s: ("a" ["b"])+;', "abab", "s(__0_a, __0_a)"),
        ('s: >t< "c"; t: "a" "b" | <"d">;', "abc", "s(__1_a, __2_b, __0_c)"),
        ('s: >t< "c"; t: "a" "b" | <"d">;', "dc", "s(__3_d, __0_c)"),
        ('s: "(" <s> ")" | "a";', "((a))", "s(__2_a)"),
        ('s: ["a" "b"] "c" | \'"\';', '"', 's(__3_")'),
        ('s: ("(" <t> ")" | t) "a"; t: "b";', "(b)a", "s(t(__3_b), __2_a)"),
        ('s: >t<* ; t: "a" "b";', "abab", "s(__0_a, __1_b, __0_a, __1_b)"),
    ],
)
def test_marks(rule: str, text: str, tree: str) -> None:
    regexs, rules, ToAST = parse_ebnf(rule)
    parse = make_parse_function(regexs, rules)
    assert str(ToAST().transform(parse(text))) == tree


def test_trees_are_visited() -> None:
    class Depth:
        def visit_s(self, node: Nonterminal) -> int:
            return 1 + max(child.visit(self) for child in node.children)

        def visit___0_a(self, node: Symbol) -> int:
            return 0

        def visit_LAST(self, node: Symbol) -> int:
            return 10

    regexs, rules, ToAST = parse_ebnf('LAST: "z"; s: "a" s | LAST;')
    tree = make_parse_function(regexs, rules)("aaz")
    assert tree.visit(Depth()) == 13
    assert str(tree.visit(ToAST())[0]) == str(tree)


def test_a_backslash_keeps_a_quote_inside() -> None:
    regexs, rules, _ = parse_ebnf(r'''STRING: "\"[^\\"]*\""; s: STRING;''')
    assert str(make_parse_function(regexs, rules)('"ab"')) == "s(STRING)"


def test_quoted_texts_come_before_names() -> None:
    regexs, rules, ToAST = parse_ebnf('NAME: "[a-z]+"; s: "if" NAME;  # a comment')
    parse = make_parse_function([*regexs, ("IGNORE", parse_regex(" "))], rules)
    assert str(ToAST().transform(parse("if x"))) == "s(__0_if, NAME)"
    with pytest.raises(ParseError, match="expected 'NAME'"):
        parse("if if")


def test_a_name_that_is_nothing() -> None:
    regexs, rules, _ = parse_ebnf("s: t;")
    with pytest.raises(ValueError, match="called t"):
        make_parse_function(regexs, rules)


def test_a_grammar_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    grammar = tmp_path / "grammar.txt"
    grammar.write_text('s: "a" s | "b";')
    parse, ToAST = make_parser_from_file(str(grammar))
    assert str(ToAST().transform(parse("ab"))) == "s(__0_a, s(__1_b))"
    with pytest.raises(ParseError):
        make_parser("s: a b")
    assert "expected ';'" in capsys.readouterr().err
    with pytest.raises(LexerError):
        make_parser("s: @;")
    assert "LexerError" in capsys.readouterr().err
