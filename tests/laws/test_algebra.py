"""Each rule of ``translator/opt/algebra.py`` says what the operation gives, for all words of 8
bits."""

from __future__ import annotations

import pytest

from rpython.lltypesystem.operations.llop import UndefinedOperation
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.primitives import Bool
from rpython.translator.ir.model import Constant, SpaceOperation, Value, Variable
from rpython.translator.opt.algebra import RULES, RULES_OF, Rule, simplified

PAIRS = [(name, rule) for name, rules in RULES_OF.items() for rule in rules]


@pytest.mark.parametrize(("name", "rule"), PAIRS)
def test_rule(name: str, rule: Rule) -> None:
    row = LLOPS[name]
    T = row.args[0]
    x = Variable("x", T)
    lowest = -128 if T.min < 0 else 0
    args: list[Value] = []
    for operand in rule.operands:
        number = operand if operand == "x" or operand >= T.min else T.max
        args.append(x if number == "x" else Constant(number, T))
    op = SpaceOperation(row, args, Variable("v", row.result))
    result = simplified(op)
    assert result is not None
    for word in range(lowest, 256 + lowest):
        values = [word if arg is x else arg.value for arg in args]
        try:
            answer = row.eval(*values)
        except UndefinedOperation:
            continue  # "nonneg" promises that this does not happen
        assert answer == (word if result is x else result.value)
        assert isinstance(answer, bool) == (row.result is Bool)


def test_every_rule_is_of_some_operation() -> None:
    used = {rule.family for _, rule in PAIRS}
    assert used == {line.strip().split("(")[0] for line in RULES.split("\n") if line.strip()}


def test_no_rule_without_the_same_variable() -> None:
    T = LLOPS["int_sub"].args[0]
    x, y = Variable("x", T), Variable("y", T)
    assert simplified(SpaceOperation(LLOPS["int_sub"], [x, y], Variable("v", T))) is None
    one = Constant(1, T)
    assert simplified(SpaceOperation(LLOPS["int_add"], [x, one], Variable("v", T))) is None
