"""What arithmetic gives whatever its operands are: ``x + 0`` is ``x``.

::

    try v0 = int_add_ovf(n, 0)
        goto b1()                       ->      goto b1()
        except OverflowError goto b2()
    b1():                                   b1():
        v1 = int_mul(v0, 1)                     return n
        return v1

The rules are in ``RULES``, a line for each, and hold for ints with sign and without, whether they
wrap, raise or are known to fit.  A test tries each with all words of 8 bits.
"""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.primitives import Bool
from rpython.translator.ir.model import Constant, SpaceOperation, Value
from rpython.translator.ir.records import dataclass

RULES = """
    add(x, 0) -> x
    add(0, x) -> x
    sub(x, 0) -> x
    sub(x, x) -> 0
    mul(x, 1) -> x
    mul(1, x) -> x
    mul(x, 0) -> 0
    mul(0, x) -> 0
    floordiv(x, 1) -> x
    mod(x, 1) -> 0
    and(x, x) -> x
    and(x, 0) -> 0
    and(0, x) -> 0
    and(x, -1) -> x
    and(-1, x) -> x
    or(x, x) -> x
    or(x, 0) -> x
    or(0, x) -> x
    or(x, -1) -> -1
    or(-1, x) -> -1
    xor(x, x) -> 0
    xor(x, 0) -> x
    xor(0, x) -> x
    lshift(x, 0) -> x
    rshift(x, 0) -> x
    lt(x, x) -> False
    le(x, x) -> True
    eq(x, x) -> True
    ne(x, x) -> False
    gt(x, x) -> False
    ge(x, x) -> True
"""
"""Each: the operation, without its type and without what it does where numbers end."""

_TYPES = ("int", "uint", "lllong")
_ENDS = ("_ovf", "_exact", "_nonneg")


@dataclass(frozen=True, slots=True)
class Rule:
    """``operands``, ``result``: numbers, or "x"."""

    family: str
    operands: tuple[int | str, ...]
    result: int | str

    def matches(self, args: list[Value]) -> bool:
        """Does it say something of an operation with these operands?"""
        x: Value | None = None
        for operand, arg in zip(self.operands, args, strict=True):
            if operand == "x":
                if x is not None and x is not arg:
                    return False
                x = arg
            elif not isinstance(arg, Constant) or arg.value != _word(operand, arg.concretetype):
                return False
        return True

    def result_of(self, op: SpaceOperation) -> Value:
        """What the operation gives, if the rule matches."""
        if self.result == "x":
            return op.args[self.operands.index("x")]
        T = op.result.concretetype
        return Constant(_word(self.result, T), T)


def simplified(op: SpaceOperation) -> Value | None:
    """The operand, or the constant, that the operation always gives; None: neither."""
    for rule in RULES_OF.get(op.opname, ()):
        if rule.matches(op.args):
            return rule.result_of(op)
    return None


def _word(number: Any, T: Any) -> Any:
    """The number as a value of a type: those without sign have no -1."""
    if T is Bool:
        return bool(number)
    return number if number >= T.min else number + T.max + 1


def _parse(text: str) -> list[Rule]:
    rules = []
    for line in text.split("\n"):
        if line.strip():
            pattern, result = line.strip().split(" -> ")
            family, operands = pattern.rstrip(")").split("(")
            rules.append(Rule(family, tuple(map(_term, operands.split(", "))), _term(result)))
    return rules


def _term(text: str) -> int | str:
    if text in ("True", "False"):
        return int(text == "True")
    return text if text == "x" else int(text)


def _family(name: str) -> str:
    """The name of an operation in the rules; '': it is none on ints."""
    kind, _, rest = name.partition("_")
    for end in _ENDS:
        rest = rest.removesuffix(end)
    return rest if kind in _TYPES else ""


RULES_OF: dict[str, list[Rule]] = {
    row.name: [rule for rule in _parse(RULES) if rule.family == _family(row.name)]
    for row in LLOPS
    if _family(row.name)
}
"""By the names of operations."""
