"""``rpython.compile``: arguments and results cross unchanged, exceptions keep class and text."""

from __future__ import annotations

import enum
import gc
import io
import math
import shutil
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.program.signature import annotation_of_type
from rpython.lltypesystem.rarithmetic import r_uint
from rpython.translator.api import interpret
from rpython.translator.ir.errors import TranslationError
from rpython.translator.marshal import Packer, Unpacker
from rpython.translator.nativecall import NativeFunction, NativeProgram, compile
from tests.support.differential import outcome

Everything = tuple[
    int, float, bool, str, bytes, bytearray, None, list[int], list[tuple[int, str]],
    list[list[bytes]], r_uint,
]  # fmt: skip
ints = st.integers(-(1 << 63), (1 << 63) - 1)
texts = st.one_of(st.text(max_size=9), st.text(st.characters(max_codepoint=255), max_size=9))
data = st.binary(max_size=20)
values = st.tuples(
    ints, st.floats(), st.booleans(), texts, data, data.map(bytearray), st.none(),
    st.lists(ints, max_size=4), st.lists(st.tuples(ints, texts), max_size=3),
    st.lists(st.lists(data, max_size=2), max_size=2),
    st.integers(0, (1 << 64) - 1).map(r_uint),
)  # fmt: skip


def same(a, b) -> bool:
    """Equal with equal types, NaN included."""
    return type(a) is type(b) and repr(a) == repr(b)


@given(values)
def test_packed_values_read_back(value):
    s = annotation_of_type(RPythonAnnotator(), Everything)
    packer = Packer()
    packer.pack(s, value)
    words = packer.out
    assert len(words) % 8 == 0
    unpacker = Unpacker(bytes(words))
    assert same(unpacker.value(s), value)
    assert unpacker.position == len(words)


@pytest.fixture(scope="module")
def identity() -> NativeFunction:
    def everything(x):
        return x

    return compile(everything, [Everything])


@settings(deadline=None)
@given(values)
def test_values_cross_unchanged(identity, value):
    assert same(identity(value), value)


@pytest.mark.parametrize("text", ["a" * 1000, "\xff" * 1001, "\u1234" * 999, "\ud800", ""])
def test_long_texts(identity, text):
    value = (0, 0.0, True, text, text.encode("utf-8", "surrogatepass"), bytearray(),
             None, [], [(1, text)], [], r_uint(0))  # fmt: skip
    assert identity(value) == value


def scalars(n: int, x: float, b: bool) -> float:
    if b:
        return x * n
    return x // n


def test_scalars():
    native = compile(scalars)
    for args in [(3, 1.5, True), (-2, 7.0, False), (1 << 62, -0.0, True), (1, math.inf, True)]:
        assert same(native(*args), scalars(*args))
    with pytest.raises(ZeroDivisionError) as caught:
        native(0, 1.0, False)
    with pytest.raises(ZeroDivisionError) as expected:
        scalars(0, 1.0, False)
    assert str(caught.value) == str(expected.value)


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ((1, 2, True), TypeError), ((1.0, 2.0, True), TypeError), ((True, 2.0, True), TypeError),
        ((1, 2.0, 1), TypeError), ((1, 2.0), TypeError), ((1, 2.0, True, 4), TypeError),
        ((1 << 63, 2.0, True), OverflowError), ((-(1 << 63) - 1, 2.0, True), OverflowError),
    ],
)  # fmt: skip
def test_wrong_scalars(args, error):
    native = compile(scalars)
    with pytest.raises(error):
        native(*args)
    assert native(1, 2.0, True) == 2.0


def joined(parts: list[str], sep: str) -> str:
    return sep.join(parts)


@pytest.mark.parametrize("args", [(["a", b"b"], ""), (("a",), ""), ("ab", ""), ([], None)])
def test_wrong_containers(args):
    with pytest.raises(TypeError):
        compile(joined)(*args)


class Number(int):
    pass


class Word(str):
    __slots__ = ()

    def upper(self) -> str:
        return "no"


def test_subclasses_are_refused():
    def shout(word: str, times: int) -> str:
        return word.upper() * times

    native = compile(shout)
    for args, message in (
        ((Word("a"), 1), "expected str, got 'a', a Word"),
        (("a", Number(2)), "expected int, got 2, a Number"),
    ):
        with pytest.raises(TypeError, match=message):
            native(*args)
    with pytest.raises(TypeError, match="expected list, got"):
        compile(joined)(type("Items", (list,), {})(["a"]), "")


def test_what_is_passed_twice():
    def both(pair: tuple[list[int], list[int]], third: list[int]) -> int:
        pair[0].append(1)
        return len(pair[1]) * 10 + len(third) + (100 if pair[0] is third else 0)

    def one() -> Any:
        x = [5]
        return (x, x), x

    native = compile(both)
    assert interpret(both, one()) == both(*one()) == 122
    with pytest.raises(ValueError, match="the same list is in the arguments twice"):
        native(*one())
    with pytest.raises(ValueError, match="the same bytearray is in the arguments twice"):
        compile(lambda a, b: a == b, [bytearray, bytearray])(*[bytearray(b"x")] * 2)
    assert native(([5], [5]), [5]) == both(([5], [5]), [5]) == 11


def test_arguments_are_copies():
    def f(items):
        items.append(1)
        return len(items)

    items = [5]
    assert compile(f, [list[int]])(items) == 2
    assert items == [5]


class Refusal(Exception):
    pass


class Detailed(Refusal):
    def __init__(self, code: int) -> None:
        self.code = code


def raising(n: int) -> None:
    if n == 0:
        raise ValueError("it's \u20ac")
    if n == 1:
        raise KeyError("name")
    if n == 2:
        raise Refusal(f"no {n}")
    if n == 3:
        raise Detailed(n)
    if n == 4:
        raise Refusal
    if n == 5:
        b"\xff\xfe".decode()
    if n == 6:
        [1, 2][n]


def test_exceptions():
    native = compile(raising)
    for n in range(8):
        assert outcome(native, (n,)) == outcome(raising, (n,))


def test_prebuilt_data_persists_between_calls():
    counts = [0]

    def f(n: int) -> int:
        counts[0] += n
        return counts[0]

    native = compile(f)
    assert [native(5), native(6), counts[0]] == [5, 11, 0]


def test_not_compiled_because_an_argument_has_no_type():
    with pytest.raises(TranslationError, match="argument 'x'"):
        compile(lambda x: x)


def test_refused_because_the_type_of_the_result_would_get_lost():
    class Colour(enum.IntEnum):
        RED = 1

    def number_or_bool(n: int) -> int:
        return n if n > 2 else n == 1

    def member(n: int) -> int:
        return Colour.RED

    def list_of_them(n: int) -> list[int]:
        return [(n, [n > 1, n])]

    for f in (number_or_bool, member, list_of_them):
        for translate in (compile, lambda f: interpret(f, [1])):
            with pytest.raises(TranslationError, match="would come out as an int") as refused:
                translate(f)
            assert f"in {f.__qualname__}" in refused.value.render()


class Noisy:
    def __del__(self) -> None:
        print("closed")


def test_output_of_finalizers_alone_is_written(capfd):
    def drop() -> int:
        Noisy()
        gc.collect()
        return 0

    call = compile(drop, [])
    capfd.readouterr()
    call()
    assert capfd.readouterr().out == "closed\n"


def test_finalizers_are_translated_again_when_stderr_is_another_stream(monkeypatch):
    def drop() -> int:
        Noisy()
        gc.collect()
        return 0

    for _ in range(2):
        monkeypatch.setattr(sys, "stderr", io.StringIO())
        assert compile(drop, [])() == 0


def crossing(d: dict[str, list[int]], s: set[tuple[int, str]], f: frozenset[float]):
    d["new"] = [len(s)]
    s.add((9, "z"))
    return d, s, f | {0.5}, len(f)


def test_dicts_and_sets_cross_to_native_code_and_back():
    native = compile(crossing)
    for make in (
        lambda: ({"a": [1]}, {(1, "x"), (2, "y")}, frozenset([1.5])),
        lambda: ({}, set(), frozenset()),
    ):
        expected = crossing(*make())
        assert native(*make()) == expected
        assert interpret(crossing, list(make())) == expected
    given = make()
    native(*given)
    assert given == make(), "arguments are copied"
    with pytest.raises(TypeError, match="expected dict"):
        native([], set(), frozenset())
    with pytest.raises(TypeError, match="expected frozenset"):
        native({}, set(), set())
    with pytest.raises(TypeError, match="expected str"):
        native({1: []}, set(), frozenset())


def test_functions_of_one_program():
    """They share its state; each has arguments and a result of its own."""
    seen: list[str] = []

    def note(text: str) -> int:
        seen.append(text)
        return len(seen)

    def noted() -> list[str]:
        return seen

    def ratio(a: int, b: int) -> float:
        return a / b

    program = NativeProgram([(note, None), (noted, None), (ratio, None)])
    native_note, native_noted, native_ratio = program.functions
    assert [native_note("a"), native_note("é")] == [1, 2]
    assert native_noted() == ["a", "é"] and seen == []
    assert native_ratio(1, 4) == 0.25
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        native_ratio(1, 0)
    assert native_note("b") == 3


def test_a_library_where_another_one_was():
    """The directory of what is loaded may go, and its number come back."""

    def constant(value: int) -> NativeFunction:
        def built_twice() -> int:
            return value

        return compile(built_twice)

    first = constant(1)
    shutil.rmtree(first.build.directory)
    second = constant(2)
    assert second.build.path == first.build.path
    assert (first(), second()) == (1, 2)
