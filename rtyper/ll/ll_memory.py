"""Raise the errors of user code that uses low-level memory wrongly."""

from __future__ import annotations

from rpython.lltypesystem.annlowlevel import llstr
from rpython.lltypesystem.lltype import ArrayBoundsError
from rpython.rtyper.ll.ll_number import ll_int2str
from rpython.rtyper.ll.ll_raise import raise_with_message
from rpython.rtyper.ll.ll_str import ll_strconcat

INDEX = llstr("index ")
OUT_OF_BOUNDS = llstr(" out of bounds: ")
ITEMS = llstr(" items")


def ll_raise_out_of_bounds(index: int, length: int) -> None:
    """The error of ``p[index]``."""
    start = ll_strconcat(ll_strconcat(INDEX, ll_int2str(index)), OUT_OF_BOUNDS)
    message = ll_strconcat(ll_strconcat(start, ll_int2str(length)), ITEMS)
    raise_with_message(ArrayBoundsError, message)
