"""Where words and lines are found one by one; not where somebody may see the list of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rpython.annotator.lattice.model import s_Str
from rpython.annotator.lazy_splits import split_lazily
from rpython.translator.driver import Translation
from rpython.translator.ir.intrinsics import lines_of, words_of
from rpython.translator.ir.model import Constant


def a_loop(text):
    n = 0
    for word in text.split():
        n += len(word)
    return n


def a_loop_over_a_name(text):
    words = text.split()
    n = 0
    for word in words:
        n += len(word)
    return n


def a_loop_where_exceptions_are_caught(text):
    n = 0
    try:
        for word in text.split():
            n += int(word)
    except ValueError:
        n = -1
    return n


def a_loop_over_lines(text):
    n = 0
    for line in text.splitlines():
        for word in line.split():
            n += len(word)
    return n


def the_list_is_used_again(text):
    words = text.split()
    n = 0
    for word in words:
        n += len(word)
    return n + len(words)


def the_loop_begins_again_with_the_same_list(text):
    words = text.split()
    n = 0
    while n < 5:
        for _word in words:
            n += 1
    return n


def there_are_two_lists(text):
    words = text.split() if text == "a" else ["b"]
    n = 0
    for _word in words:
        n += 1
    return n


def the_separator_is_not_white_space(text):
    n = 0
    for _word in text.split(","):
        n += 1
    return n


class Tree:
    def split(self):
        return ["1", "2"]


def lines_keep_their_ends(text):
    n = 0
    for line in text.splitlines(True):
        n += len(line)
    return n


def it_is_no_str(text):
    n = 0
    for part in Tree().split():
        n += int(part)
    return n


def it_may_be_no_str(text):
    split = text.split if text else Tree().split
    n = 0
    for _part in split():
        n += 1
    return n


def somebody_else_has_the_iterator(text):
    words = iter(text.split())
    first = next(words)
    for word in words:
        first += word
    return first


def the_iterator_meets_another_one(text):
    n = 0
    for words in (text.split(), ["a"]):
        for word in words:
            n += len(word)
    return n


def the_list_is_returned(text):
    return text.split()


def a_generator_keeps_the_iterator(text):
    return list(_words(text))


def _words(text):
    for word in text.split():  # noqa: UP028
        yield word


def calls_of_pieces(func: Callable[..., Any]) -> int:
    translation = Translation(func, [s_Str])
    translation.annotate()
    split_lazily(translation.annotator)
    translation.annotator.check_fixpoint()
    return sum(
        op.opname == "simple_call"
        and isinstance(op.args[0], Constant)
        and op.args[0].value in (words_of, lines_of)
        for graph in translation.annotator.graphs
        for _, op in graph.iterblockops()
    )


@pytest.mark.parametrize("func", [a_loop, a_loop_over_a_name, a_loop_where_exceptions_are_caught])
def test_one_by_one(func: Callable[..., Any]) -> None:
    assert calls_of_pieces(func) == 1


def test_lines_and_words() -> None:
    assert calls_of_pieces(a_loop_over_lines) == 2


@pytest.mark.parametrize(
    "because",
    [
        the_list_is_used_again, the_loop_begins_again_with_the_same_list, there_are_two_lists,
        the_separator_is_not_white_space,
        lines_keep_their_ends, it_is_no_str, it_may_be_no_str,
        somebody_else_has_the_iterator, the_iterator_meets_another_one, the_list_is_returned,
        a_generator_keeps_the_iterator,
    ],
)  # fmt: skip
def test_not_one_by_one(because: Callable[..., Any]) -> None:
    assert calls_of_pieces(because) == 0
