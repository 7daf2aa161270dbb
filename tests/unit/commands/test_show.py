"""``rpython show``: stages, passes, forms, and functions that are not there."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

import rpython
from rpython.translator.commandline.cli import main
from tests.support.commandline import rpython as command
from tests.support.explored import PROGRAM


def show(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    path = folder / "accounts.py"
    if not path.exists():
        path.write_text(PROGRAM)
    return command(folder, "show", "accounts.py", *words)


def test_lists_the_functions_of_the_program(tmp_path: Path) -> None:
    listed = [line.split() for line in show(tmp_path).stdout.splitlines()]
    lines = [int(place.rpartition(":")[2]) for _, place in listed]
    assert lines == sorted(lines)
    assert {"entry_point", "Account.__init__"} <= {name for name, _ in listed}
    assert all("accounts.py:" in place for _, place in listed)


def total(prices: list[int]) -> int:
    result = 0
    for price in prices:
        result += price
    return result


NUMBERED = """
--- inline
+++ number_values
@@ -9,8 +9,7 @@
     v8 = int_add(index, 1)
     account: *Account = getarrayitem(accounts, index)
     v10: Signed = getfield(account, "inst_balance")
-    v11: Signed = getfield(account, "inst_balance")
-    v14 = int_floordiv(v11, 100)
+    v14 = int_floordiv(v10, 100)
     v13 = int_sub_ovf(v10, v14)
     result2 = int_add_ovf(result, v13)
     goto b1(result2, v8)
"""


def test_after_a_pass(tmp_path: Path) -> None:
    before = show(tmp_path, "total", "--after", "simplify_blocks.2").stdout
    after = show(tmp_path, "total", "--after", "inline").stdout
    assert "direct_call(@fee, v11)" in before
    assert "direct_call" not in after
    assert "int_floordiv(v11, 100)" in after
    lowered = show(tmp_path, "total", "--after", "lower_exceptions").stdout
    assert "try v13 = int_sub_ovf(v10, v14)" in lowered


def test_what_a_pass_changes(tmp_path: Path) -> None:
    assert show(tmp_path, "total", "--diff", "number_values").stdout == NUMBERED.lstrip()
    assert show(tmp_path, "total", "--diff", "make_switches").stdout == (
        "make_switches does not change total\n"
    )
    lowered = show(tmp_path, "total", "--diff", "lower_exceptions").stdout.splitlines()
    assert lowered[:2] == ["--- insert_safepoints", "+++ lower_exceptions"]
    assert "+    try v13 = int_sub_ovf(v10, v14)" in lowered


def test_a_function_that_is_inlined_everywhere(tmp_path: Path) -> None:
    expected = "v0 = int_floordiv(amount, 100)"
    assert expected in show(tmp_path, "fee", "--after", "lower_exceptions").stdout


def test_in_python() -> None:
    text = rpython.show(total, after="fold_constants")
    assert text.startswith("graph total(prices: *")
    assert rpython.show(total, diff="hoist_loads").startswith("--- ")
    with pytest.raises(rpython.TranslationError, match="the pass 'hoist' does not exist"):
        rpython.show(total, after="hoist")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("inlin", "the pass 'inlin' does not exist\n  hint: did you mean 'inline'?"),
        ("count_references", "the pass 'count_references' is not run for this program"),
        ("fold_constants.9", "did you mean 'fold_constants.3'?"),
    ],
)
def test_a_pass_that_is_not_run(tmp_path: Path, name: str, said: str) -> None:
    done = show(tmp_path, "total", "--after", name)
    assert done.returncode == 1
    assert said in done.stderr


def test_a_function_that_is_not_there(tmp_path: Path) -> None:
    assert "hint: did you mean 'total'?" in show(tmp_path, "totl").stderr
    assert "hint: did you mean 'Account.pay'?" in show(tmp_path, "Account.pai").stderr
    assert show(tmp_path, "zzz").stderr.splitlines()[-1] == (
        "  hint: functions: Account.__init__, Account.pay, entry_point, fee, total"
    )


def test_this_files_functions_come_first(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("def price_of(n):\n    return n\n")
    (tmp_path / "accounts.py").write_text(
        "import other\n\ndef prices_of(n):\n    return other.price_of(n)\n\n"
        "def entry_point(argv):\n    return prices_of(len(argv))\n"
    )
    assert "did you mean 'prices_of'?" in show(tmp_path, "price_off").stderr
    assert show(tmp_path, "zzz").stderr.endswith("hint: functions: entry_point, prices_of\n")


def test_as_data(tmp_path: Path) -> None:
    found = json.loads(show(tmp_path, "fee", "--stage", "annotated", "--format", "json").stdout)
    assert found == {
        "function": "fee",
        "stage": "annotated",
        "heading": "graph fee(amount: SomeInteger(nonneg=True)) -> SomeInteger(nonneg=True) {",
        "blocks": [{"label": "b0", "lines": [
            {"text": "b0(amount):", "file": None, "line": None, "column": None,
             "end_line": None, "end_column": None, "leads_to": []},
            {"text": "v0: SomeInteger(nonneg=True) = floordiv(amount, 100)",
             "file": str(tmp_path / "accounts.py"), "line": 11, "column": 12,
             "end_line": 11, "end_column": 25, "leads_to": []},
            {"text": "return v0", "file": str(tmp_path / "accounts.py"), "line": 11, "column": 5,
             "end_line": 11, "end_column": 25, "leads_to": ["return"]},
        ]}],
    }  # fmt: skip


def test_for_graphviz(tmp_path: Path) -> None:
    lines = show(tmp_path, "total", "--stage", "flow", "--format", "dot").stdout.splitlines()
    assert lines[0] == 'digraph "total" {'
    assert (
        r'    b0 [label="b0(accounts):\l    v0 = iter(accounts)\l    goto b1(v0, 0)\l"];' in lines
    )
    assert [line.strip() for line in lines if "->" in line] == [
        "b0 -> b1;", "b1 -> b2;", "b2 -> b1;",
    ]  # fmt: skip


def test_as_a_picture(tmp_path: Path) -> None:
    text = show(tmp_path, "total", "--after", "inline", "--format", "svg").stdout
    picture = ElementTree.fromstring(text)
    name = "{http://www.w3.org/2000/svg}"
    shown = [each.text for each in picture.iter(f"{name}text")]
    plain = show(tmp_path, "total", "--after", "inline").stdout.splitlines()
    assert shown == [plain[0].removesuffix(" {"), *plain[1:-1]]
    arrows = [each.get("class") for each in picture.iter(f"{name}path")]
    assert sorted(map(str, arrows)) == ["edge", "edge", "edge back"]


def test_stages_side_by_side(tmp_path: Path) -> None:
    stages = ("flow", "lowlevel", "c")
    words = [word for stage in reversed(stages) for word in ("--stage", stage)]
    rows = show(tmp_path, "total", *words).stdout.splitlines()
    assert [cell.strip() for cell in rows[0].split(" | ")] == list(stages)
    apart = [show(tmp_path, "total", "--stage", stage).stdout for stage in stages]
    for i, text in enumerate(apart):
        column = [(row.split(" | ") + [""] * 3)[i].rstrip() for row in rows[2:]]
        assert "\n".join(column).rstrip() == text.rstrip()


def test_what_goes_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "accounts.py"
    path.write_text(PROGRAM)
    for words, said in (
        (("--after", "inline", "--stage", "c"), "--stage and --after exclude each other"),
        (("--diff", "inline", "--format", "dot"), "--diff is text"),
        (("--stage", "c", "--stage", "flow", "--format", "dot"), "several stages are text"),
    ):
        with pytest.raises(SystemExit):
            main(["show", str(path), "total", *words])
        assert said in capsys.readouterr().err
    assert main(["show", str(path), "total", "--stage", "c", "--format", "svg"]) == 1
    assert "C has no form 'svg'" in capsys.readouterr().err
