"""Tests as they are written for the original RPython."""

from __future__ import annotations

import pytest
from rpython.rtyper.lltypesystem.lltype import Signed
from rpython.rtyper.test.test_llinterp import gengraph, interpret
from rpython.rtyper.test.tool import BaseRtypingTest
from rpython.translator.c.test.test_genc import compile
from rpython.translator.c.test.test_standalone import StandaloneTests

from rpython.tool.sourcetools import (
    compile2,
    compile_template,
    func_renamer,
    func_with_new_name,
    has_varargs,
    nice_repr_for_func,
    rpython_wrapper,
    valid_identifier,
)
from rpython.tool.udir import make_udir, udir


class Shape:
    def __init__(self, size):
        self.size = size


class Square(Shape):
    pass


class TestRtyping(BaseRtypingTest):
    def test_strings(self):
        def f(s, n):
            return s * n

        assert self.ll_to_string(self.interpret(f, [self.string_to_ll("ab"), 2])) == "abab"

    def test_lists_and_tuples(self):
        assert self.ll_to_list(self.interpret(lambda n: [n, n + 1], [3])) == [3, 4]
        assert self.ll_unpack_tuple(self.interpret(lambda n: (n, "a"), [3]), 2) == (3, "a")

    def test_instances(self):
        made = self.interpret(lambda n: Square(n) if n > 1 else Shape(n), [5])
        assert self.class_name(made) == "Square"
        assert self.read_attr(made, "size") == 5

    def test_raises(self):
        def f(items, n):
            return items[n]

        self.interpret_raises(IndexError, f, [[1, 2], 2])
        with pytest.raises(AssertionError, match="did not raise"):
            self.interpret_raises(IndexError, f, [[1, 2], 1])

    def test_floats(self):
        assert self.float_eq(self.interpret(lambda x: x / 4, [1.0]), 0.25)
        assert self.float_eq_approx(0.3, 0.1 + 0.2)
        assert self.is_of_type(self.interpret(lambda x: x > 1, [2]), bool)

    def test_graph(self):
        context, rtyper, graph = self.gengraph(lambda n: n + 1, [int])
        assert graph.getargs()[0].concretetype is Signed
        assert context.rtyper is rtyper


def test_functions():
    def f(n):
        return n + 1

    context, _, graph = gengraph(f, [int], viewbefore=False)
    assert graph in context.graphs
    assert interpret(f, [4], view=False, backendopt=True) == 5


def test_native():
    def f(n):
        return 10 // n

    native = compile(f, [int], gcpolicy="minimark")
    assert native(5) == 2
    assert native(0, expected_exception_name="ZeroDivisionError") is None
    with pytest.raises(AssertionError, match="did not raise"):
        native(1, expected_exception_name="ZeroDivisionError")
    with pytest.raises(ZeroDivisionError):
        native(0, expected_exception_name="KeyError")


class TestPrograms(StandaloneTests):
    def test_words(self):
        def entry_point(argv):
            print(" ".join(argv[1:]))
            return int(len(argv) > 3)

        _, program = self.compile(entry_point)
        assert program.cmdexec("hello 'two words'") == "hello two words\n"
        assert program.cmdexec("a b c", expect_crash=True, err=True) == ("a b c\n", "")
        with pytest.raises(AssertionError, match="status 1"):
            program.cmdexec("a b c")


def add(a, b=3):
    """Add."""
    return a + b


def test_renamed_functions():
    renamed = func_with_new_name(add, "sum_of")
    assert (renamed.__name__, renamed.__code__.co_name) == ("sum_of", "sum_of")
    assert renamed.__doc__ == "Add."
    assert interpret(renamed, [1, 2]) == interpret(renamed, [0]) == renamed(0) == 3
    other = func_renamer("other")(add)
    assert (other.__name__, add.__name__, interpret(other, [4])) == ("other", "add", 7)


def test_functions_of_texts():
    made = compile_template("def f(n):\n    return n * K\n", "f", {"K": 7})
    assert interpret(made, [6]) == made(6) == 42
    wrapper = rpython_wrapper(
        add, "def {name}({arguments}):\n    return {original}({arguments}) * factor + {more}",
        {"more": 1}, factor=10,
    )  # fmt: skip
    assert wrapper.__name__ == "add"
    assert interpret(wrapper, [1]) == wrapper(1) == 41
    space = {}
    exec(compile2("def fails():\n    raise ValueError(3)\n"), space)
    with pytest.raises(ValueError, match="3") as caught:
        space["fails"]()
    assert str(caught.traceback[-1].statement).strip() == "raise ValueError(3)"


def test_names():
    assert [valid_identifier(x) for x in ("a-b", "1x", "", "class", "ok")] == [
        "a_b", "_1x", "_", "_class", "ok"
    ]  # fmt: skip
    assert not has_varargs(add)
    assert has_varargs(lambda *args: args)
    line = add.__code__.co_firstlineno
    assert nice_repr_for_func(add) == f"({__name__}:{line})add"
    assert nice_repr_for_func(len, "size") == "(builtins:?)size"


def test_folders(tmp_path, monkeypatch):
    assert udir.check(dir=True)
    assert udir.basename.startswith("usession-")
    made = [make_udir(str(tmp_path), "mine").basename for _ in range(5)]
    assert made == [f"usession-mine-{i}" for i in range(5)]
    monkeypatch.setenv("PYPY_USESSION_DIR", str(tmp_path))
    assert make_udir().dirpath() == str(tmp_path)
