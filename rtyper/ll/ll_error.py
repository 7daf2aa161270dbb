"""Raising with a message made by the caller (a STRPTR)."""

from __future__ import annotations

from typing import Any, NoReturn

from rpython.rtyper.ll.ll_number import ll_int2str
from rpython.rtyper.ll.ll_raise import raise_with_message
from rpython.rtyper.ll.ll_str import ll_strconcat, prebuilt_str

ONE_WAS_GIVEN = prebuilt_str(" was given")


def ll_value_error(message: Any) -> NoReturn:
    raise_with_message(ValueError, message)


def ll_key_error(message: Any) -> NoReturn:
    raise_with_message(KeyError, message)


def ll_too_many_arguments(before: Any, given: int, after: Any) -> NoReturn:
    """The call of a function with ``given`` positional arguments, more than it takes."""
    end = ONE_WAS_GIVEN if given == 1 else after
    message = ll_strconcat(ll_strconcat(before, ll_int2str(given)), end)
    raise_with_message(TypeError, message)
