"""Where refusals are shown: in the program, also when what is wrong is in no file, or in one of a
library."""

from __future__ import annotations

import bz2
import pickle
import sqlite3
import struct
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

import rpython
from rpython.translator.ir.errors import TranslationError
from rpython.translator.options import Options


@dataclass(order=True)
class Unordered:
    names: dict[int, str] = field(default_factory=dict)


def packs() -> bytes:
    return struct.pack("<I", "x")


def dumps() -> bytes:
    return pickle.dumps({})


def connects() -> int:
    return sqlite3.connect("x").total_changes


def compresses() -> bytes:
    return bz2.BZ2Compressor().compress(b"a")


def wraps() -> str:
    return textwrap.fill([1])


def refusal(func: Callable[..., Any]) -> TranslationError:
    with pytest.raises(TranslationError) as caught:
        rpython.interpret(func, [], Options(errors="refuse"))
    span = caught.value.span
    assert span is not None and span.filename == __file__
    return caught.value


def test_methods_of_data_classes_are_shown_at_the_class() -> None:
    span = refusal(lambda: Unordered() < Unordered()).span
    assert span is not None and span.source_line() == "@dataclass(order=True)"


def test_modules_that_are_not_supported_are_named() -> None:
    for func, module in ((dumps, "pickle"), (connects, "sqlite3"), (compresses, "bz2")):
        error = refusal(func)
        assert error.message == f"`{module}` is not supported yet"
        assert error.hint.startswith("available: abc, ") and not error.notes


@pytest.mark.parametrize(("func", "where"), [(packs, "_struct.py"), (wraps, "textwrap.py")])
def test_libraries_are_shown_where_the_program_uses_them(
    func: Callable[..., Any], where: str
) -> None:
    error = refusal(func)
    assert error.span is not None and error.span.function == func.__name__
    assert error.notes[0].text.endswith(", which this leads to")
    assert error.notes[0].span is not None and error.notes[0].span.filename.endswith(where)
