"""DeltaBlue: an incremental solver of one-way constraints with strengths.

After Freeman-Benson, Maloney and Borning, "An incremental constraint solver", CACM 33(1),
1990.  A constraint computes one of its variables from the others; of constraints that
compete for a variable the stronger wins; changing a value replays a plan.

    deltablue.py [SIZE]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

REQUIRED, STRONG_PREFERRED, PREFERRED, STRONG_DEFAULT, NORMAL, WEAK_DEFAULT, WEAKEST = range(7)
"""Strengths, the strongest first."""

STRENGTH_NAMES = {
    REQUIRED: "required", STRONG_PREFERRED: "strong preferred", PREFERRED: "preferred",
    STRONG_DEFAULT: "strong default", NORMAL: "normal", WEAK_DEFAULT: "weak default",
    WEAKEST: "weakest",
}  # fmt: skip


class Variable:
    """A value, the constraints on it, and the one that determines it now."""

    def __init__(self, name: str, value: int = 0):
        self.name = name
        self.value = value
        self.constraints: list[Constraint] = []
        self.determined_by: Constraint | None = None
        self.mark = 0
        self.walk_strength = WEAKEST
        self.stays = True

    def __str__(self) -> str:
        return f"{self.name}={self.value}"

    def set_value(self, planner: Planner, value: int) -> None:
        """Change the value from outside, by an edit that is taken back afterwards."""
        edit = Edit(self, STRONG_PREFERRED)
        edit.attach(planner)
        plan = planner.plan_from([edit])
        for _ in range(10):
            self.value = value
            plan.execute()
        edit.detach(planner)


class Constraint:
    """A relation that can compute some of its variables from the others."""

    is_input = False

    def __init__(self, strength: int):
        self.strength = strength

    # what kinds of constraints differ in

    def variables(self) -> list[Variable]:
        raise NotImplementedError

    @property
    def output(self) -> Variable:
        raise NotImplementedError

    @property
    def satisfied(self) -> bool:
        raise NotImplementedError

    def choose_method(self, mark: int) -> None:
        """Decide whether, and in which direction, the constraint can be satisfied."""
        raise NotImplementedError

    def forget_method(self) -> None:
        raise NotImplementedError

    def recalculate(self) -> None:
        """Give the output its strength and, if it is constant, its value."""
        raise NotImplementedError

    def execute(self) -> None:
        raise NotImplementedError

    # what they have in common

    def inputs(self) -> Iterator[Variable]:
        for variable in self.variables():
            if variable is not self.output:
                yield variable

    def inputs_known(self, mark: int) -> bool:
        """Are the inputs computed by marked constraints, constant or not determined?"""
        return all(
            v.mark == mark or v.stays or v.determined_by is None for v in self.inputs()
        )

    def attach(self, planner: Planner) -> None:
        for variable in self.variables():
            variable.constraints.append(self)
        self.forget_method()
        planner.add(self)

    def detach(self, planner: Planner) -> None:
        if self.satisfied:
            planner.remove(self)
        else:
            self.unlink()

    def unlink(self) -> None:
        for variable in self.variables():
            variable.constraints.remove(self)

    def satisfy(self, mark: int, planner: Planner) -> Constraint | None:
        """Satisfy this constraint if that can be; the one it took the place of, or None."""
        self.choose_method(mark)
        if not self.satisfied:
            if self.strength == REQUIRED:
                raise Unsatisfiable(self)
            return None
        for variable in self.inputs():
            variable.mark = mark
        out = self.output
        replaced = out.determined_by
        if replaced is not None:
            replaced.forget_method()
        out.determined_by = self
        planner.propagate(self, mark)
        out.mark = mark
        return replaced


class Unsatisfiable(Exception):
    """A required constraint that stronger ones leave no room for."""

    def __init__(self, constraint: Constraint):
        names = ", ".join(v.name for v in constraint.variables())
        super().__init__(f"cannot satisfy a required constraint on {names}")
        self.constraint = constraint


class Unary(Constraint):
    """A constraint on one variable."""

    def __init__(self, variable: Variable, strength: int):
        super().__init__(strength)
        self.variable = variable
        self._satisfied = False

    def variables(self) -> list[Variable]:
        return [self.variable]

    @property
    def output(self) -> Variable:
        return self.variable

    @property
    def satisfied(self) -> bool:
        return self._satisfied

    def choose_method(self, mark: int) -> None:
        out = self.variable
        self._satisfied = out.mark != mark and self.strength < out.walk_strength

    def forget_method(self) -> None:
        self._satisfied = False

    def recalculate(self) -> None:
        out = self.variable
        out.walk_strength = self.strength
        out.stays = not self.is_input
        if out.stays:
            self.execute()

    def execute(self) -> None:
        """The value is what it is."""


class Stay(Unary):
    """The variable should keep its value."""


class Edit(Unary):
    """The variable is changed from outside."""

    is_input = True


FORWARD, BACKWARD = 1, -1


class Binary(Constraint):
    """A constraint between two variables, computed in one of two directions (0: neither)."""

    def __init__(self, first: Variable, second: Variable, strength: int):
        super().__init__(strength)
        self.first = first
        self.second = second
        self.direction = 0

    def variables(self) -> list[Variable]:
        return [self.first, self.second]

    @property
    def output(self) -> Variable:
        return self.second if self.direction == FORWARD else self.first

    @property
    def input(self) -> Variable:
        return self.first if self.direction == FORWARD else self.second

    @property
    def satisfied(self) -> bool:
        return self.direction != 0

    def choose_method(self, mark: int) -> None:
        first, second = self.first, self.second
        self.direction = 0
        if first.mark == mark:
            if second.mark != mark and self.strength < second.walk_strength:
                self.direction = FORWARD
        elif second.mark == mark:
            if self.strength < first.walk_strength:
                self.direction = BACKWARD
        elif first.walk_strength > max(second.walk_strength, self.strength):
            self.direction = BACKWARD
        elif self.strength < second.walk_strength:
            self.direction = FORWARD

    def forget_method(self) -> None:
        self.direction = 0

    def recalculate(self) -> None:
        source, out = self.input, self.output
        out.walk_strength = max(self.strength, source.walk_strength)
        out.stays = source.stays
        if out.stays:
            self.execute()


class Equality(Binary):
    """Two variables have the same value."""

    def execute(self) -> None:
        self.output.value = self.input.value


class Scale(Binary):
    """``second = first * scale + offset``."""

    def __init__(
        self, first: Variable, scale: Variable, offset: Variable, second: Variable, strength: int
    ):
        super().__init__(first, second, strength)
        self.scale = scale
        self.offset = offset

    def variables(self) -> list[Variable]:
        return [self.first, self.second, self.scale, self.offset]

    def recalculate(self) -> None:
        source, out = self.input, self.output
        out.walk_strength = max(self.strength, source.walk_strength)
        out.stays = source.stays and self.scale.stays and self.offset.stays
        if out.stays:
            self.execute()

    def execute(self) -> None:
        scale, offset = self.scale.value, self.offset.value
        if self.direction == FORWARD:
            self.second.value = self.first.value * scale + offset
        else:
            self.first.value = (self.second.value - offset) // scale


class Plan:
    """Constraints in the order in which to execute them."""

    def __init__(self) -> None:
        self.steps: list[Constraint] = []

    def __len__(self) -> int:
        return len(self.steps)

    def __iadd__(self, step: Constraint) -> Plan:
        self.steps.append(step)
        return self

    def execute(self) -> None:
        for step in self.steps:
            step.execute()


class Planner:
    def __init__(self) -> None:
        self.last_mark = 0

    def new_mark(self) -> int:
        self.last_mark += 1
        return self.last_mark

    def add(self, constraint: Constraint) -> None:
        """Satisfy a new constraint, and again those that it takes the place of."""
        mark = self.new_mark()
        replaced: Constraint | None = constraint
        while replaced is not None:
            replaced = replaced.satisfy(mark, self)

    def remove(self, constraint: Constraint) -> None:
        """Retract a satisfied constraint; others may get their chance."""
        out = constraint.output
        constraint.forget_method()
        constraint.unlink()
        waiting = self.undetermined_after(out)
        for strength in range(REQUIRED, WEAKEST + 1):
            for other in waiting:
                if other.strength == strength:
                    self.add(other)

    def undetermined_after(self, out: Variable) -> list[Constraint]:
        """Constraints that are not satisfied downstream of a variable that nothing
        determines any more."""
        out.determined_by = None
        out.walk_strength = WEAKEST
        out.stays = True
        found = []
        todo = [out]
        while todo:
            variable = todo.pop()
            found += [c for c in variable.constraints if not c.satisfied]
            for user in self.users(variable):
                user.recalculate()
                todo.append(user.output)
        return found

    def users(self, variable: Variable) -> list[Constraint]:
        """The satisfied constraints that read a variable."""
        return [c for c in variable.constraints if c.satisfied and c is not variable.determined_by]

    def propagate(self, constraint: Constraint, mark: int) -> None:
        """Tell everything downstream of a constraint about its new strength and value."""
        todo = [constraint]
        while todo:
            step = todo.pop()
            if step.output.mark == mark:
                self.remove(constraint)
                raise Unsatisfiable(constraint)
            step.recalculate()
            todo.extend(self.users(step.output))

    def plan_from(self, sources: list[Edit]) -> Plan:
        """What to execute whenever the variables of these inputs have changed."""
        mark = self.new_mark()
        plan = Plan()
        todo: list[Constraint] = [edit for edit in sources if edit.satisfied]
        while todo:
            step = todo.pop()
            out = step.output
            if out.mark != mark and step.inputs_known(mark):
                plan += step
                out.mark = mark
                todo.extend(self.users(out))
        return plan


def chain(length: int) -> None:
    """A chain of equalities, pulled at its start."""
    planner = Planner()
    variables = [Variable(f"v{i}") for i in range(length + 1)]
    for i in range(length):
        Equality(variables[i], variables[i + 1], REQUIRED).attach(planner)
    Stay(variables[-1], STRONG_DEFAULT).attach(planner)
    edit = Edit(variables[0], PREFERRED)
    edit.attach(planner)
    plan = planner.plan_from([edit])
    for value in range(100):
        variables[0].value = value
        plan.execute()
        if variables[-1].value != value:
            raise ValueError("the chain is broken")
    edit.detach(planner)
    strength = STRENGTH_NAMES[variables[0].walk_strength]
    print(f"chain of {length}: {len(plan)} steps, {variables[-1]}, then {strength}")


def projection(count: int) -> None:
    """Points mapped through one scale and offset, changed at each end."""
    planner = Planner()
    scale, offset = Variable("scale", 10), Variable("offset", 1000)
    pairs = []
    for i in range(count):
        source, target = Variable(f"source{i}", i), Variable(f"target{i}", i)
        pairs.append((source, target))
        Stay(source, NORMAL).attach(planner)
        Scale(source, scale, offset, target, REQUIRED).attach(planner)
    source, target = pairs[-1]
    source.set_value(planner, 17)
    print(f"projection of {count}: {source} {target}")
    target.set_value(planner, 1050)
    print(f"  {source} {target}")
    scale.set_value(planner, 5)
    print("  scale", sum(t.value for _, t in pairs[:-1]))
    offset.set_value(planner, 2000)
    print("  offset", sum(t.value for _, t in pairs[:-1]))
    if any(t.value != s.value * 5 + 2000 for s, t in pairs):
        raise ValueError("the projection is wrong")


def contradiction() -> None:
    """Required constraints that cannot all hold."""
    planner = Planner()
    a = Variable("a", 1)
    Stay(a, REQUIRED).attach(planner)
    try:
        Edit(a, REQUIRED).attach(planner)
    except Unsatisfiable as error:
        print(error)


def entry_point(argv: list[str]) -> int:
    size = int(argv[1]) if len(argv) > 1 else 100
    chain(size)
    projection(size)
    contradiction()
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
