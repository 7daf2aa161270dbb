"""Tables of what instructions mean, one for each file of meanings (``execute_*.py``)."""

from __future__ import annotations

from collections.abc import Callable

from rpython.translator.flow.explore import Explorer
from rpython.translator.flow.instructions import Instr, Op

Rule = Callable[[Explorer, Instr], None]


class RuleTable(dict[Op, Rule]):
    """What instructions mean, each said once."""

    def rule(self, op: Op) -> Callable[[Rule], Rule]:
        """Decorator: the function executes ``op``."""

        def add(rule: Rule) -> Rule:
            assert op not in self, op
            self[op] = rule
            return rule

        return add
