"""ExtRegistryEntry: rules that a library registers."""

from __future__ import annotations

import pytest
from rpython.rtyper.controllerentry import Controller, ControllerEntry
from rpython.rtyper.extfunc import register_external
from rpython.rtyper.extregistry import ExtRegistryEntry

import rpython
from rpython.annotator.lattice.model import SomeInteger
from rpython.annotator.program import extregistry
from rpython.lltypesystem import lltype
from rpython.rtyper.rmodel import VoidRepr


def page_size() -> int:
    return 4096


def plus_one(x: int) -> int:
    return x + 1


class PageSize(ExtRegistryEntry):
    _about_ = page_size

    def compute_result_annotation(self):
        return SomeInteger(nonneg=True)

    def specialize_call(self, hop):
        return hop.inputconst(lltype.Signed, 4096)


class PlusOne(ExtRegistryEntry):
    _about_ = plus_one

    def compute_result_annotation(self, s_x):
        assert s_x.knowntype is int
        return SomeInteger()

    def specialize_call(self, hop):
        (v_x,) = hop.inputargs(lltype.Signed)
        return hop.genop("int_add", [v_x, hop.inputconst(lltype.Signed, 1)], lltype.Signed)


class Secret:
    pass


class SecretEntry(ExtRegistryEntry):
    _type_ = Secret

    def compute_annotation(self):
        return SomeInteger()


def test_calls():
    def f(n: int) -> int:
        return page_size() + plus_one(n)

    assert rpython.interpret(f, [3]) == f(3)


def test_only_one_entry():
    with pytest.raises(TypeError, match="two entries"):

        class Again(ExtRegistryEntry):
            _about_ = page_size


def test_lookup():
    assert extregistry.is_registered(page_size)
    assert not extregistry.is_registered(test_lookup)
    entry = extregistry.lookup(Secret())
    assert isinstance(entry, SecretEntry)
    assert entry.compute_annotation() == SomeInteger()


class Scale:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, n):
        return n * self.factor


DOUBLE, TRIPLE = Scale(2), Scale(3)


class ScaleRepr(VoidRepr):
    """Multiplies where it is called."""

    def __init__(self, factor):
        self.factor = factor

    def rtype_simple_call(self, hop):
        v_n = hop.inputarg(lltype.Signed, 1)
        v_factor = hop.inputconst(lltype.Signed, self.factor)
        return hop.genop("int_mul", [v_n, v_factor], lltype.Signed)


class ScaleEntry(ExtRegistryEntry):
    _type_ = Scale

    def compute_result_annotation(self, s_n):
        return SomeInteger()

    def get_repr(self, rtyper, s):
        return ScaleRepr(self.instance.factor)


def test_repr_of_an_object():
    assert rpython.interpret(lambda n: DOUBLE(n) + TRIPLE(n), [5]) == 25


class Point:
    """As it is under CPython."""

    def __init__(self, n):
        self.n = n

    def __getitem__(self, i):
        return self.n + i


class RealPoint:
    def __init__(self, n):
        self.number = n


class PointController(Controller):
    knowntype = Point

    def new(self, n):
        return RealPoint(n)

    def get_n(self, obj):
        return obj.number

    def set_n(self, obj, value):
        obj.number = value

    def get_next(self, obj):
        return self.box(RealPoint(obj.number + 1))

    def getitem(self, obj, i):
        return obj.number + i

    def is_true(self, obj):
        return obj.number != 0


class PointEntry(ControllerEntry):
    _about_ = Point
    _controller_ = PointController


def test_controlled_class():
    def f(n: int):
        point = Point(n)
        point.n += 5
        number = PointController().unbox(point).number
        return point.n, point[7], bool(point), isinstance(point, Point), point.next.n, number

    assert rpython.interpret(f, [3]) == rpython.compile(f)(3) == (8, 15, True, True, 9, 8)
    assert not rpython.interpret(lambda n: bool(Point(n)), [0])


def halved(n):
    return n // 2


def ll_halved(n):
    if n < 0:
        raise ValueError
    return n >> 1


register_external(halved, [int], int, llimpl=ll_halved)


def test_external_function():
    def f(n: int) -> int:
        try:
            return halved(n)
        except ValueError:
            return -1

    assert rpython.interpret(f, [9]) == rpython.compile(f)(9) == 4
    assert rpython.interpret(f, [-9]) == -1
    with pytest.raises(rpython.TranslationError, match="argument 1 of halved.. is str, not int"):
        rpython.interpret(lambda n: halved(str(n)), [1])
    with pytest.raises(rpython.TranslationError, match="takes 1 arguments, not 0"):
        rpython.interpret(lambda n: halved(), [1])
    with pytest.raises(TypeError, match="needs an llimpl"):
        register_external(test_lookup, [])
