"""``rpython check``: several targets, and what other programs read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rpython.translator.commandline.cli import main

RIGHT = """
from helper import number
def entry_point(argv):
    print(number())
    return 0
"""
WRONG = """
def pick(argv):
    x = 1
    if argv:
        x = "one"
    return x
def entry_point(argv):
    return pick(argv) << 1
"""
UNASSIGNED = """
class A:
    _immutable_fields_ = ["valeu"]
    def __init__(self):
        self.value = 1
def entry_point(argv):
    return A().value
"""


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """Two programs, each with a module of the same name, and one that is wrong."""
    for name, value in (("first", 1), ("second", "'two'")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "app.py").write_text(RIGHT)
        (folder / "helper.py").write_text(f"def number():\n    return {value}\n")
    (tmp_path / "wrong.py").write_text(WRONG)
    return tmp_path


def test_a_folder_is_the_targets_in_it(programs, capfd):
    assert main(["check", str(programs / "second"), str(programs / "first")]) == 0
    told = capfd.readouterr().out.splitlines()
    assert [line.partition(": ")[0] for line in told] == [
        str(programs / "second" / "app.py"), str(programs / "first" / "app.py"),
    ]  # fmt: skip


def test_a_folder_with_a_slash_behind_it(programs, capfd):
    assert main(["check", f"{programs / 'second'}/", str(programs / "first" / "app.py")]) == 0
    assert len(capfd.readouterr().out.splitlines()) == 2


def test_errors_of_several_targets(programs, capfd):
    assert main(["check", str(programs), "--boxing=refuse"]) == 1
    told = capfd.readouterr()
    assert told.out.count("no type errors") == 2
    assert told.err.startswith(f"{programs / 'wrong.py'}:5:13: in pick: type error[R0201]: ")


def test_a_folder_beside_this_one(programs, capfd, monkeypatch):
    monkeypatch.chdir(programs / "first")
    hidden = programs / "second" / ".hidden"
    hidden.mkdir()
    (hidden / "app.py").write_text(WRONG)
    assert main(["check", "../second"]) == 0
    assert capfd.readouterr().out.startswith("../second/app.py: ")


def test_a_folder_without_targets(programs, capsys):
    (programs / "first" / "app.py").unlink()
    assert main(["check", str(programs / "first")]) == 1
    told = capsys.readouterr().err
    assert told == (
        f"translation error[R1002]: no file in {programs / 'first'} has entry_point, target or a "
        "block for __main__\n"
    )


def test_a_file_that_is_no_python_is_told(programs, capfd):
    (programs / "second" / "broken.py").write_text("def f(:\n")
    assert main(["check", str(programs / "second")]) == 1
    assert "SyntaxError: invalid syntax" in capfd.readouterr().err


def test_json(programs, capsys):
    path = programs / "wrong.py"
    assert main(["check", str(path), "--boxing=refuse", "--format=json"]) == 1
    told = capsys.readouterr()
    assert told.err == ""
    (error,) = json.loads(told.out)
    notes = error.pop("notes")
    assert error == {
        "file": str(path), "line": 5, "column": 13, "end_line": 5, "end_column": 18,
        "function": "pick", "severity": "error", "code": "R0201", "kind": "type error",
        "message": "the result of pick would hold both int and str", "where": None,
        "hint": "a variable holds one kind of value: use two variables, or convert one of them",
    }  # fmt: skip
    assert [(note["text"].strip(), note["line"], note["column"]) for note in notes] == [
        ("int:", None, None), ("the constant 1", 3, 9),
        ("str:", None, None), ("the constant 'one'", 5, 13),
    ]  # fmt: skip


def test_json_of_a_program_without_errors_has_its_warnings(tmp_path, capsys):
    path = tmp_path / "unassigned.py"
    path.write_text(UNASSIGNED)
    assert main(["check", str(path), "--format=json"]) == 0
    (warning,) = json.loads(capsys.readouterr().out)
    assert (warning["severity"], warning["line"], warning["column"]) == ("warning", 3, None)


def test_sarif_of_several_targets(programs):
    done = subprocess.run(
        [sys.executable, "-m", "rpython", "check", ".", "--boxing=refuse", "--format=sarif"],
        cwd=programs, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    document = json.loads(done.stdout)
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "rpython"
    assert [rule["id"] for rule in driver["rules"]] == ["R0201"]
    (result,) = run["results"]
    assert (result["ruleId"], result["level"]) == ("R0201", "error")
    (place,) = result["locations"]
    assert place["physicalLocation"]["artifactLocation"] == {"uri": "wrong.py"}
    assert place["physicalLocation"]["region"] == {
        "startLine": 5, "startColumn": 13, "endLine": 5, "endColumn": 18,
    }  # fmt: skip
    related = result["relatedLocations"]
    assert [each["message"]["text"] for each in related] == [
        "int: the constant 1", "str: the constant 'one'",
    ]  # fmt: skip
