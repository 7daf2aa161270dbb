"""Make one switch of tests that compare the same number or character with constants.

::

    b0(x):                                      b0(x):
        t0 = int_eq(x, 1)                           switch x
        if t0 goto b1() else b2()                       case 1 goto b1()
    b2():                                               case 5 return 50
        t1 = int_eq(x, 5)                ->             case 7 return 70
        if t1 return 50 else b3()                       else b4()
    b3():
        t2 = int_eq(x, 7)
        if t2 return 70 else b4()

Two tests stay: a switch would not be faster.
"""

from __future__ import annotations

from rpython.lltypesystem.interp.shape import count_uses
from rpython.lltypesystem.operations.llop import row_of
from rpython.lltypesystem.primitives import Char, Primitive, UniChar
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Variable,
)
from rpython.translator.ir.records import dataclass
from rpython.translator.opt.rewrite import entry_counts, may_rewrite

FEWEST_CASES = 3


@dataclass(frozen=True, slots=True)
class _Test:
    """The end of a block: is ``variable`` equal to ``value``?"""

    op: SpaceOperation
    variable: Variable
    value: int | str
    equal: Link
    other: Link


def make_switches(graph: FunctionGraph) -> bool:
    """Replace every chain of at least FEWEST_CASES tests."""
    uses = count_uses(graph)
    entered = entry_counts(graph)
    changed = False
    done: set[Block] = set()
    for block in list(graph.iterblocks()):  # a chain's first block comes before the others
        if block not in done:
            chain = _chain(block, uses, entered)
            done.update(link.target for link in _links_between(chain))
            enough = len({test.value for test in chain}) >= FEWEST_CASES
            if enough and may_rewrite(graph, chain[0].op):
                _replace(block, chain)
                changed = True
    return changed


def _links_between(chain: list[_Test]) -> list[Link]:
    """The links from each test of a chain to the next one."""
    return [test.other for test in chain[:-1]]


def _chain(block: Block, uses: dict[Variable, int], entered: dict[Block, int]) -> list[_Test]:
    """The tests of one variable that follow each other, from the one at the end of ``block``."""
    test = _test_of(block, uses)
    chain: list[_Test] = []
    while test is not None:
        chain.append(test)
        following = test.other.target
        if entered[following] != 1 or following.inputargs:
            break
        test = _test_of(following, uses)
        if test is None or following.operations != [test.op]:
            break
        if test.variable is not chain[0].variable:
            break
    return chain


def _test_of(block: Block, uses: dict[Variable, int]) -> _Test | None:
    """What the branch at the end of the block tests, when nothing else needs the answer."""
    switch = block.exitswitch
    if not isinstance(switch, Variable) or block.is_switch or uses[switch] != 1:
        return None
    op = next((op for op in block.operations if op.result is switch), None)
    if op is None or row_of(op).if_equal is None:
        return None
    variable, constant = op.args
    if isinstance(variable, Constant):
        variable, constant = constant, variable
    if not isinstance(variable, Variable) or not isinstance(constant, Constant):
        return None
    if not _may_switch(variable):
        return None
    no, yes = block.exits
    equal, other = (yes, no) if row_of(op).if_equal else (no, yes)
    return _Test(op, variable, constant.value, equal, other)


def _may_switch(v: Variable) -> bool:
    T = v.concretetype
    if T is Char or T is UniChar:
        return True
    return isinstance(T, Primitive) and T.is_integer and T.bits <= 64


def _replace(block: Block, chain: list[_Test]) -> None:
    """End ``block`` with a switch that does what the chain did."""
    cases: dict[int | str, Link] = {}
    for test in chain:
        cases.setdefault(test.value, test.equal)
    for value, link in cases.items():
        link.exitcase = value
    default = chain[-1].other
    default.exitcase = None
    block.operations.remove(chain[0].op)
    block.exitswitch = chain[0].variable
    block.recloseblock(default, *cases.values())
