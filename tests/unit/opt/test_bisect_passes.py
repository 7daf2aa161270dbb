"""``rpython build --bisect-passes``: which rewrite of which pass breaks a program?"""

from __future__ import annotations

from pathlib import Path

import pytest

from rpython.annotator.lattice.model import SomeInteger
from rpython.lltypesystem.interp.llinterp import LLInterpreter
from rpython.translator.commandline import cli
from rpython.translator.driver import Translation
from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.opt import runner
from rpython.translator.opt.fuel import Fuel, find_wrong_rewrite
from rpython.translator.opt.rewrite import may_rewrite
from rpython.translator.options import Options


def exchange(graph: FunctionGraph) -> bool:
    """Exchange the operands of ``int_xor``, which is right, and of the subtraction of 7."""
    changed = False
    for _, op in () if graph.is_helper else graph.iterblockops():
        wrong = op.opname.startswith("int_sub") and getattr(op.args[1], "value", 0) == 7
        if (op.opname == "int_xor" or wrong) and may_rewrite(graph, op):
            op.args = op.args[::-1]
            changed = True
    return changed


def shuffled(n: int) -> int:
    return (n ^ 3) ^ (n ^ 5)


def less(n: int) -> int:
    wide = n ^ 1
    return (wide ^ 1) - 7


def program(n: int) -> int:
    if n < 0:
        return shuffled(n)
    return shuffled(n) + less(n) - (n ^ 9)


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(runner.PASSES, "exchange", runner.Pass("exchange", exchange))
    return "inline,fold_constants,number_values,exchange,remove_checks,remove_dead_operations"


def answer(passes: str, fuel: Fuel) -> int:
    translation = Translation(program, [SomeInteger()], Options(passes=passes))
    translation.fuel = fuel
    made = translation.optimise()
    result: int = LLInterpreter(made).eval_graph(made.entry, [20])
    return result


def test_the_rewrite_is_named(passes: str) -> None:
    tried = []

    def works(fuel: Fuel) -> bool:
        tried.append(fuel)
        return answer(passes, fuel) == program(20)

    wrong = find_wrong_rewrite(works)
    assert wrong.pass_name == "exchange"
    assert wrong.operation.startswith("int_sub")
    assert wrong.span.line == less.__code__.co_firstlineno + 2
    assert str(wrong).startswith(f"{__file__}:{wrong.span.line}: in ")
    assert len(tried) <= 2 + tried[0].used.bit_length()


@pytest.mark.parametrize("limit", range(0, 40, 3))
def test_any_number_of_rewrites_gives_the_same_answer(limit: int) -> None:
    fuel = Fuel(limit)
    assert answer("default", fuel) == program(20)
    assert fuel.used <= limit


def test_the_same_rewrites_are_counted_each_time() -> None:
    counts = set()
    for _ in range(2):
        fuel = Fuel()
        answer("default", fuel)
        counts.add(fuel.used)
    assert len(counts) == 1


@pytest.mark.parametrize(
    ("works", "text"), [(True, "succeeds with all"), (False, "fails without any")]
)
def test_nothing_is_found_where_nothing_depends_on_it(works: bool, text: str) -> None:
    with pytest.raises(TranslationError, match=text):
        find_wrong_rewrite(lambda fuel: works)


def test_command(
    passes: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "app.py"
    target.write_text(
        "def less(n):\n"
        "    return n - 7\n"
        "def main(argv):\n"
        "    return 0 if less(int(argv[1])) == 13 else 1\n"
        "def target(driver, args):\n"
        "    return main, None\n"
    )
    monkeypatch.chdir(tmp_path)
    words = ["build", "--passes", "exchange", "--bisect-passes", "20", str(target)]
    assert cli.main(words) == 0
    *tried, found = capfd.readouterr().out.splitlines()
    assert found == f"{target}:2: in less: exchange: int_sub_ovf"
    assert tried[0].startswith("fails with ") and tried[1] == "succeeds with 0 rewrites"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["app.py"]
