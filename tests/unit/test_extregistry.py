"""ExtRegistryEntry: rules that a library registers."""

from __future__ import annotations

import pytest
from rpython.rtyper.extregistry import ExtRegistryEntry

import rpython
from annotator import extregistry
from annotator.model import SomeInteger
from lltypesystem import lltype


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
