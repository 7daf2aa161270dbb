"""Constant bytes; programs about them are in ``tests/cases/text``."""

from __future__ import annotations

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import SomeBytes
from rpython.rtyper.rtyper import RPythonTyper


def test_equal_constants_are_one_object():
    r = RPythonTyper(RPythonAnnotator()).getrepr(SomeBytes())
    first, second = (r.convert_const(bytes([120, 121])) for _ in range(2))
    assert first == second
