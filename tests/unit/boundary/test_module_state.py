"""Global variables of one module that another one reads and assigns, call after call."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import rpython
from rpython.translator.ir.errors import TranslationError

KEEPER = """
count = 2
limit = 9

def get():
    return count

def put(x):
    global count
    count = x
"""
USER = """
import keeper_of_state as keeper

def use(n):
    keeper.count += n
    return keeper.count, keeper.get(), keeper.limit

def change(n):
    keeper.limit = n
"""


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    (tmp_path / "keeper_of_state.py").write_text(KEEPER)
    path = tmp_path / "user_of_state.py"
    path.write_text(USER)
    monkeypatch.syspath_prepend(str(tmp_path))
    module = ModuleType("user_of_state")
    module.__file__ = str(path)
    exec(compile(USER, str(path), "exec"), vars(module))
    yield module
    del sys.modules["keeper_of_state"]


def test_interpret_begins_with_the_values_of_import_time(user: Any) -> None:
    assert rpython.interpret(user.use, [3]) == (5, 5, 9)
    assert rpython.interpret(user.use, [3]) == (5, 5, 9)
    user.keeper.count = 10
    assert rpython.interpret(user.use, [3]) == (13, 13, 9)


def test_compiled_code_keeps_them_from_call_to_call(user: Any) -> None:
    native = rpython.compile(user.use, [int])
    assert [native(3), native(4)] == [(5, 5, 9), (9, 9, 9)]
    assert user.keeper.count == 2


def test_what_no_function_of_the_module_assigns_is_a_constant(user: Any) -> None:
    with pytest.raises(TranslationError, match="'limit' of module keeper_of_state is a constant"):
        rpython.interpret(user.change, [3])
