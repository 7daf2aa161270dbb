"""Raising with a message made by the caller (a STRPTR)."""

from __future__ import annotations

from typing import Any, NoReturn

from rpython.rtyper.ll.ll_raise import raise_with_message


def ll_value_error(message: Any) -> NoReturn:
    raise_with_message(ValueError, message)


def ll_key_error(message: Any) -> NoReturn:
    raise_with_message(KeyError, message)
