"""Dispatch tables: rules registered by explicit decorators, keyed on classes.

A ``DispatchTable`` with ``n`` keys maps (name, class, ...) to a function.  Looking up
follows the method resolution order of each class, first key first; registering the same
key twice fails at import.
"""

from __future__ import annotations

import importlib
import itertools
import pkgutil
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, TypeVar

Rule = Callable[..., Any]
F = TypeVar("F", bound=Rule)


class DispatchTable:
    """Rules for named operations on the classes of their first ``nkeys`` operands."""

    def __init__(self, title: str, nkeys: int) -> None:
        self.title = title
        self.nkeys = nkeys
        self._rules: dict[tuple[Any, ...], Rule] = {}
        self._found: dict[tuple[Any, ...], Rule | None] = {}

    def register(self, names: str, *classes: type) -> Callable[[F], F]:
        """Decorator: the function is the rule for each of the blank-separated ``names``."""
        if len(classes) != self.nkeys:
            raise TypeError(f"{self.title}: {names}: expected {self.nkeys} classes")

        def add(rule: F) -> F:
            for name in names.split():
                key = (name, *classes)
                if key in self._rules:
                    raise TypeError(f"{self.title}: duplicate rule for {key}")
                self._rules[key] = rule
            self._found.clear()
            return rule

        return add

    def lookup(self, name: str, *classes: type) -> Rule | None:
        """The most specific rule, or None."""
        key = (name, *classes)
        try:
            return self._found[key]
        except KeyError:
            pass
        rule = next(self._candidates(name, classes), None)
        self._found[key] = rule
        return rule

    def _candidates(self, name: str, classes: tuple[type, ...]) -> Iterator[Rule]:
        for combination in itertools.product(*(cls.__mro__ for cls in classes)):
            rule = self._rules.get((name, *combination))
            if rule is not None:
                yield rule

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self._rules)


def load_rules(package: ModuleType) -> None:
    """Import every module of a package, in the order of their names, which registers the rules
    in them."""
    for found in sorted(pkgutil.iter_modules(package.__path__), key=lambda found: found.name):
        importlib.import_module(f"{package.__name__}.{found.name}")
