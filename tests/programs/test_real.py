"""The table of programs of others: `python -m tests.programs.reals` downloads and runs them."""

import ast

import pytest

from tests.programs.reals import REAL, TABLE, WORKS, first_error, names, subject, table


def test_table() -> None:
    rows = table()
    assert sorted(rows) == names(), TABLE
    assert not [name for name, row in rows.items() if row.startswith(("WRONG", "?"))]
    works = sum(row == WORKS for row in rows.values())
    assert f"**{works} of {len(rows)}** work unmodified" in TABLE.read_text()


@pytest.mark.parametrize("name", names())
def test_driver(name: str) -> None:
    needs, words = subject(name)
    assert needs, "the first line says what it drives"
    assert all("==" in word for word in words if "/" in word)
    tree = ast.parse((REAL / f"{name}.py").read_text())
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert {"main", "entry_point"} <= set(functions)


def test_first_error_names_no_folder_of_this_machine() -> None:
    said = "note\n/tmp/x/lib/tomli==2.5.0/tomli/_parser.py:3:1: in f: type error[R0201]: a | b\n"
    assert first_error(said) == "tomli/_parser.py:3:1: in f: type error[R0201]: a \\| b"
