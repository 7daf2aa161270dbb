"""``rpython explore``: the data in the page, and how the file is written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from rpython.translator.commandline.cli import main
from tests.support.commandline import rpython
from tests.support.explored import PROGRAM, data_of

ANNOTATED = """
graph total(accounts: SomeList(SomeInstance(Account))) -> SomeInteger() {
b0(accounts):
    v0: SomeIterator(iterator over list of instance of Account) = iter(accounts)
    goto b1(v0, 0)
b1(v0: SomeIterator(iterator over list of instance of Account), result: SomeInteger()):
    try account: SomeInstance(Account) = next(v0)
        goto b2(v0, account, result)
        except StopIteration as exc return result
b2(v0: SomeIterator(iterator over list of instance of Account), account: SomeInstance(Account), \
result: SomeInteger()):
    v1: SomeInteger(nonneg=True) = getattr(account, 'balance')
    v2: SomeInteger(nonneg=True) = getattr(account, 'balance')
    v3: SomeInteger(nonneg=True) = simple_call(@fee, v2)
    v4: SomeInteger() = sub(v1, v3)
    result1: SomeInteger() = inplace_add(result, v4)
    goto b1(v0, result1)
}
"""


class Page:
    def __init__(self, path: Path) -> None:
        self.index, self.functions, self.sources = data_of(path)

    def number(self, name: str) -> int:
        return next(i for i, each in enumerate(self.index["functions"]) if each["name"] == name)

    def entry(self, name: str) -> Any:
        return self.index["functions"][self.number(name)]

    def function(self, name: str) -> Any:
        return self.functions[self.number(name)]

    def names(self, numbers: list[int]) -> list[str]:
        return [self.index["functions"][number]["name"] for number in numbers]

    def text(self, name: str, stage: str) -> str:
        function = self.function(name)
        (lines,) = [each["lines"] for each in function["stages"] if each["name"] == stage]
        return "".join(f"{function['lines'][line][0]}\n" for line in lines)

    def line_of(self, function: Any, place: int) -> int:
        """The line of the function itself that a place is a part of."""
        while function["spans"][place][6] >= 0:
            place = function["spans"][place][6]
        return int(function["spans"][place][1])


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    folder = tmp_path_factory.mktemp("explore")
    (folder / "accounts.py").write_text(PROGRAM)
    done = rpython(folder, "explore", "accounts.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("accounts.html: 5 functions, ")
    return Page(folder / "accounts.html")


def test_the_programs_functions_come_first(page: Page) -> None:
    entries = page.index["functions"]
    own = [(each["name"], each["line"], each["end"]) for each in entries[:5]]
    assert own == [
        ("Account.__init__", 3, 5), ("Account.pay", 7, 8), ("fee", 10, 11), ("total", 13, 17),
        ("entry_point", 19, 23),
    ]  # fmt: skip
    assert all(each["home"] != "PROGRAM" for each in entries[5:])
    assert page.sources[entries[0]["file"]] == PROGRAM


def test_callers_and_callees(page: Page) -> None:
    total = page.entry("total")
    assert page.names(total["calls"]) == ["fee"]
    assert total["kept"] == []  # it is inlined
    assert not page.entry("fee")["compiled"]
    assert "total" in page.names(page.entry("entry_point")["kept"])


def test_stages(page: Page) -> None:
    assert page.text("total", "annotated") == ANNOTATED.lstrip()
    names = [stage["name"] for stage in page.function("total")["stages"]]
    assert names[:3] == ["flow", "annotated", "lowlevel"]
    assert names[page.function("total")["optimised"]] == "insert_safepoints"
    assert names[-1] == "lower_exceptions"
    known = {"flow", "annotated", "lowlevel", *page.index["passes"]}
    assert set(names) <= known


def test_a_stage_is_kept_where_it_differs(page: Page) -> None:
    for function in page.functions:
        names = [stage["name"] for stage in function["stages"]]
        assert len(set(names)) == len(names)
        assert len(set(map(str, function["lines"]))) == len(function["lines"])


def test_names_stay_from_stage_to_stage(page: Page) -> None:
    function = page.function("total")
    texts = [page.text("total", stage) for stage in ("number_values", "lower_exceptions")]
    before, behind = ([line.removeprefix("    ") for line in text.splitlines()] for text in texts)
    overflows = [line for line in before if "_ovf(" in line]
    assert overflows == ["v13 = int_sub_ovf(v10, v14)", "result2 = int_add_ovf(result, v13)"]
    assert {f"try {line}" for line in overflows} < set(behind)
    assert behind[0] == before[0]
    assert all(name in function["types"] for name in ("accounts", "result"))


def test_places(page: Page) -> None:
    """Each operation leads to its expression, and what was inlined to both functions."""
    function = page.function("total")
    inlined = [
        span for span in function["spans"]
        if span[5] == "fee" and span[6] >= 0 and page.index["files"][span[0]]["home"] == "PROGRAM"
    ]  # fmt: skip
    assert inlined
    assert {(span[1], page.line_of(function, span[6])) for span in inlined} == {(11, 16)}
    outer = function["spans"][inlined[0][6]]
    assert PROGRAM.splitlines()[outer[1] - 1][outer[2] : outer[4]] == "fee(account.balance)"


def test_why_things_remained(page: Page) -> None:
    function = page.function("total")
    notes = [
        (page.line_of(function, function["lines"][line][1]), kind, why)
        for line, kind, why in function["notes"]
    ]
    assert notes == [
        (16, "checks", "int_sub_ovf of any and -92233720368547758..92233720368547758"),
        (16, "checks", "int_add_ovf of any and any"),
    ]
    assert page.entry("total")["left"] == {"checks": len(notes)}


def test_inlining_decisions(page: Page) -> None:
    function = page.function("total")
    decided = [(page.line_of(function, place), callee) for place, callee, _ in function["remarks"]]
    assert (16, "fee") in decided
    why = {callee: text for _, callee, text in function["remarks"]}
    assert why["fee"].startswith("inlined, cost ")


def test_types_and_ranges(page: Page) -> None:
    function = page.function("total")
    assert function["types"]["result"] == "Signed"
    assert "0..2**48" in function["ranges"].values()
    annotated = next(stage for stage in function["stages"] if stage["name"] == "annotated")
    assert annotated["types"]["b2"]["account"] == "SomeInstance(Account)"


def test_c(page: Page) -> None:
    function = page.function("total")
    assert function["c"][0][0].startswith("Signed f_total(")
    places = {page.line_of(function, place) for _, place in function["c"] if place >= 0}
    assert {15, 16} <= places
    assert page.function("fee")["c"] == []


# -- the file


def program(folder: Path, text: str = PROGRAM) -> Path:
    path = folder / "app.py"
    path.write_text(text)
    return path


def test_the_page_needs_nothing_else(page: Page, tmp_path: Path) -> None:
    assert rpython(tmp_path, "explore", program(tmp_path), "-o", "new/app.html").returncode == 0
    text = (tmp_path / "new" / "app.html").read_text()
    assert "default-src 'none'" in text
    assert "{{" not in text
    shown = text.replace("http://www.w3.org/2000/svg", "")  # the name of a language
    assert not any(word in shown for word in ("http:", "https:", " src=", "@import"))


def test_errors_are_those_of_check(tmp_path: Path) -> None:
    path = program(tmp_path, PROGRAM.replace("return amount // 100", "return amount + ''"))
    out = tmp_path / "app.html"
    out.write_text("good")
    checked, explored = rpython(tmp_path, "check", path), rpython(tmp_path, "explore", path)
    assert (explored.returncode, explored.stderr) == (1, checked.stderr)
    assert "fee" in explored.stderr
    assert out.read_text() == "good"


@pytest.mark.parametrize("what", ["folder", "pipe", "source"])
def test_what_is_no_page_is_not_replaced(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = program(tmp_path), tmp_path / "out"
    if what == "folder":
        out.mkdir()
    elif what == "pipe":
        os.mkfifo(out)
    else:
        out = path
    assert main(["explore", str(path), "-o", str(out)]) == 1
    said = {"folder": "a directory, not a file", "pipe": "a pipe, not a file",
            "source": "is a Python file that exists"}  # fmt: skip
    assert said[what] in capsys.readouterr().err
    assert path.read_text() == PROGRAM
