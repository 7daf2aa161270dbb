"""Raw memory that is never freed is found."""

from __future__ import annotations

import pytest

from rpython.lltypesystem.lltype import Array, GcStruct, Signed, Struct, free, malloc
from rpython.lltypesystem.simulated.leakfinder import (
    MallocMismatch,
    no_leaks,
    start_tracking_allocations,
    stop_tracking_allocations,
)
from rpython.translator.api import interpret

A = Array(Signed)
S = Struct("S", ("x", Signed))


def allocate(n: int) -> int:
    a = malloc(A, n, flavor="raw")
    s = malloc(S, flavor="raw")
    s.x = len(a)
    result = s.x
    free(s, flavor="raw")
    if n != 3:
        free(a, flavor="raw")
    return result


def test_nothing_is_left():
    with no_leaks():
        assert allocate(2) == interpret(allocate, [2]) == 2
        malloc(GcStruct("G", ("x", Signed)))
        malloc(S, flavor="raw", immortal=True)


@pytest.mark.parametrize("run", [allocate, lambda n: interpret(allocate, [n])])
def test_found(run):
    message = "1 raw allocations were never freed:\nArray of Signed"
    with pytest.raises(MallocMismatch, match=message), no_leaks():
        run(3)


def test_trackings_are_nested():
    start_tracking_allocations()
    outer = malloc(S, flavor="raw")
    start_tracking_allocations()
    inner = malloc(S, flavor="raw")
    free(outer, flavor="raw")
    assert list(stop_tracking_allocations(check=False)) == [inner._obj]
    free(inner, flavor="raw")
    assert stop_tracking_allocations(check=True) == {}
    with pytest.raises(ValueError, match="not being tracked"):
        stop_tracking_allocations(check=True)


def test_the_place_is_said():
    with pytest.raises(MallocMismatch, match="a = malloc"), no_leaks():
        allocate(3)


def test_other_errors_come_through():
    def fail() -> None:
        with no_leaks():
            allocate(3)
            raise KeyError

    with pytest.raises(KeyError):
        fail()
