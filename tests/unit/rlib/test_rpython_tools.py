"""Small modules of RPython's that programs import: pairtype, config, policy, bookkeeper."""

from __future__ import annotations

import pytest
from rpython.annotator.model import SomeInteger
from rpython.rtyper.extregistry import ExtRegistryEntry
from rpython.rtyper.lltypesystem import lltype
from rpython.translator.translator import TranslationContext, graphof

import rpython
from rpython.annotator.bookkeeper import getbookkeeper
from rpython.annotator.policy import AnnotatorPolicy
from rpython.config import config as options
from rpython.config.translationoption import get_combined_translation_config, set_opt_level
from rpython.tool.pairtype import (
    DoubleDispatchRegistry,
    extendabletype,
    pair,
    pairmro,
    pairtype,
)
from rpython.translator.interactive import Translation


class Shape:
    pass


class Circle(Shape):
    pass


class __extend__(pairtype(Shape, Shape)):
    def touch(self):
        return "shapes"


class __extend__(pairtype(Circle, Shape)):  # noqa: F811
    def touch(self):
        circle, other = self
        return f"{type(circle).__name__} and {type(other).__name__}"


def test_pairs():
    assert pair(Shape(), Shape()).touch() == "shapes"
    assert pair(Shape(), Circle()).touch() == "shapes"
    assert pair(Circle(), Circle()).touch() == "Circle and Circle"
    assert isinstance(pair(Circle(), 3), pairtype(Shape, int))
    assert next(iter(pairmro(Circle, int))) == (Circle, int)


def test_classes_are_extended():
    class A(metaclass=extendabletype):
        pass

    class __extend__(A):
        def two(self):
            return 2

    assert __extend__ is None
    assert A().two() == 2


def test_double_dispatch():
    table = DoubleDispatchRegistry()
    table[Shape, object] = "any"
    assert table[Circle, int] == "any"
    with pytest.raises(KeyError):
        table[int, Circle]


DESCRIPTION = options.OptionDescription(
    "app",
    "a program",
    [
        options.BoolOption("fast", "", default=False, requires=[("net.kind", "raw")]),
        options.OptionDescription(
            "net",
            "",
            [
                options.ChoiceOption("kind", "", ["raw", "safe"], "safe"),
                options.IntOption("port", "", default=80),
            ],
        ),
    ],
)


def test_options():
    config = options.Config(DESCRIPTION, **{"net.port": 81})
    assert (config.fast, config.net.kind, config.net.port) == (False, "safe", 81)
    config.set(port=82)
    config.suggest(port=83)
    config.fast = True
    assert (config.net.kind, config.net.port) == ("raw", 82)
    with pytest.raises(options.ConflictConfigError):
        config.net.kind = "safe"
    with pytest.raises(options.ConfigError):
        config.net.port = "x"
    with pytest.raises(options.NoMatchingOptionFound):
        config.set(unknown=1)
    with pytest.raises(AttributeError):
        config.net.unknown = 1
    assert config.copy() == config
    assert options.make_dict(config) == {"fast": True, "net.kind": "raw", "net.port": 82}


def test_options_of_a_command_line():
    config = options.Config(DESCRIPTION)
    parser = options.to_optparse(config)
    parser.parse_args(["--net-port=8080", "--fast", "--no-fast"])
    assert (config.net.port, config.fast) == (8080, False)
    with pytest.raises(SystemExit):
        parser.parse_args(["--net-port=x"])


def test_translation_options():
    config = get_combined_translation_config(DESCRIPTION)
    assert (config.translation.gc, config.app.net.port) == ("incminimark", 80)
    set_opt_level(config, "jit")
    assert config.translation.jit


def marked(x: int) -> int:
    return x


class Marked(ExtRegistryEntry):
    _about_ = marked

    def compute_result_annotation(self, s_x):
        assert getbookkeeper() is not None
        s_five = self.bookkeeper.immutablevalue(5)
        assert s_five.value == 5
        assert self.bookkeeper.valueoftype(int) == SomeInteger()
        return s_x.without_const()

    def specialize_call(self, hop):
        return hop.inputargs(lltype.Signed)[0]


def test_bookkeeper_is_there_while_a_call_is_annotated():
    assert getbookkeeper() is None
    assert rpython.interpret(lambda n: marked(n), [3]) == 3
    assert getbookkeeper() is None
    assert AnnotatorPolicy() is not None


class Base:
    def __init__(self, n: int) -> None:
        self.n = n


class Derived(Base):
    pass


def total(a, b):
    return Base(1).n + Derived(2).n + a.n + (0 if b is None else b.n)


def test_classes_as_types_of_arguments():
    context = TranslationContext()
    s = context.buildannotator().build_types(total, [Base, Derived | None])
    assert isinstance(s, SomeInteger)
    context.buildrtyper().specialize()
    assert len(graphof(context, total).getargs()) == 2
    with pytest.raises(rpython.TranslationError, match="cannot be passed"):
        rpython.compile(total, [Base, Derived])


def main(argv):
    return len(argv) + 40


def test_translation_of_a_program(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    translation = Translation(main)
    assert isinstance(translation.annotate(), SomeInteger)
    assert "main" in translation.source()
    assert translation.compile_c() == str(tmp_path / "main-c")
