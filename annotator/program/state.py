"""Mutable program state outside instances: global variables and class attributes that the program
assigns at run time.

Each module and each class with such variables has a *holder*, a prebuilt instance of a class made
for it, and they are its attributes::

    N += 1             <holder of the module>.N += 1
    C.made += 1        <holder of C>.made += 1

As long as nothing that is reached assigns a variable it is the constant that it was at import
time; those that read it are flowed again when something does.  A subclass has a class attribute
of its own from its first assignment on; until then it has that of its base.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rpython.annotator.program.classdef import HOLDS, ClassDef
from rpython.translator.flow.globals import ModuleGlobals
from rpython.translator.ir.span import Span


class ProgramState:
    """The holders of one program."""

    def __init__(self) -> None:
        self._modules: dict[int, tuple[ModuleGlobals, Any]] = {}
        self._classes: dict[type, Any] = {}
        self._assigned: dict[str, dict[type, Span | None]] = {}

    def of_module(self, variables: ModuleGlobals) -> Any:
        """The holder of a module's variables, with the values that they have now."""
        known = self._modules.get(id(variables.space))
        if known is None:
            module = str(variables.space.get("__name__"))
            holder = _new_holder(module, module, "global variable {!r}", variables.space)
            known = self._modules[id(variables.space)] = variables, holder
        return known[1]

    def modules(self) -> list[tuple[ModuleGlobals, Any]]:
        """The modules with variables that the program uses, and their holders."""
        return list(self._modules.values())

    def of_class(self, cls: type) -> Any:
        """The holder of the attributes of a class that the program assigns, with the values that
        they have now."""
        holder = self._classes.get(cls)
        if holder is None:
            label = "attribute {!r} of class " + cls.__name__
            holder = _new_holder(cls.__qualname__, cls.__module__, label, vars(cls))
            self._classes[cls] = holder
        return holder

    def assign(self, cls: type, name: str, span: Span | None) -> bool:
        """Some operation assigns ``cls.name``; is that new?"""
        classes = self._assigned.setdefault(name, {})
        if cls in classes:
            return False
        classes[cls] = span
        return True

    def assigned(self) -> list[tuple[type, str, Span | None]]:
        """The class attributes that the program assigns, and where it does so first."""
        return [
            (cls, name, span) for name, classes in self._assigned.items()
            for cls, span in classes.items()
        ]  # fmt: skip

    def assigned_near(self, cls: type, name: str) -> type | None:
        """A class above or below ``cls``, or itself, whose ``name`` the program assigns."""
        for other in self._assigned.get(name, ()):
            if issubclass(other, cls) or issubclass(cls, other):
                return other
        return None

    def holders(self, cls: type, name: str) -> list[Any]:
        """Where ``cls.name`` is, if the program assigns it to this class or one that it inherits
        it from: the first of them that has it now counts, the last has it from the start.
        Empty if ``cls.name`` is a constant."""
        assigned = self._assigned.get(name)
        if not assigned:
            return []
        found: list[type] = []
        for base in cls.__mro__:
            if base in assigned or (found and name in vars(base)):
                found.append(base)
            if name in vars(base):
                return [self.of_class(holding) for holding in found]
        return []


def _new_holder(name: str, module: str, label: str, values: Mapping[str, Any]) -> Any:
    identifier = re.sub(r"\W", "_", name) + "_state"
    holder = type(identifier, (), {HOLDS: label, "__module__": module})()
    vars(holder).update(values)
    return holder


def is_assigned(classdef: ClassDef, holder: Any, name: str) -> bool:
    """Does the program assign the variable of a holder, which is of that class?  (One that has no
    value at import time counts as assigned.)"""
    return name not in vars(holder) or classdef.find_attribute(name) is not None


def holds_state(classdef: ClassDef) -> bool:
    """Is the class that of a holder?"""
    return HOLDS in vars(classdef.cls)

