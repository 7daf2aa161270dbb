"""The tables that transfer rules are registered in.

``UNARY``: operations dispatched on their first operand, ``rule(ctx, s_1, ...)``.
``BINARY``: operations dispatched on two operands, ``rule(ctx, s_1, s_2)``.
``METHODS``: methods of built-in kinds, ``rule(ctx, s_self, *args_s)``.
``FUNCTIONS``: built-in functions and types by host object, ``rule(ctx, *args_s)``.

A rule returns the annotation of the result; bottom says that the operation never gives
a result (so far).  Rules raise ``ctx.error(...)``.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Callable
from typing import Any

from rpython.translator.ir.dispatch import DispatchTable, F

UNARY = DispatchTable("annotator, one operand", 1)
BINARY = DispatchTable("annotator, two operands", 2)
METHODS = DispatchTable("annotator, methods", 1)


class Looks(enum.Enum):
    """At what of its arguments a built-in function looks."""

    VALUES = "their values: it is annotated apart for each kind of an argument"
    ITEMS = "also what they hold"


class FunctionTable:
    """Rules for host callables, found by identity."""

    def __init__(self, title: str) -> None:
        self.title = title
        self._rules: dict[int, tuple[Any, Callable[..., Any]]] = {}
        self._looks: dict[int, Looks] = {}

    def register(self, *functions: Any, looks: Looks | None = None) -> Callable[[F], F]:
        """Decorator: the function is the rule for calls of each of ``functions``.  ``looks``: if
        it is known, so that calls with samples tell what CPython raises."""

        def add(rule: F) -> F:
            for function in functions:
                if id(function) in self._rules:
                    raise TypeError(f"{self.title}: duplicate rule for {function!r}")
                self._rules[id(function)] = (function, rule)
                if looks is not None:
                    self._looks[id(function)] = looks
            return rule

        return add

    def gives(self, s_result: Any, *functions: Any) -> None:
        """Calls of these functions of the toolchain, which nobody calls wrongly, have that
        annotation."""
        self.register(*functions)(lambda ctx, *args_s: s_result)

    def looks(self, function: Any) -> Looks | None:
        """As it was registered."""
        return self._looks.get(id(function))

    def hosts(self) -> list[Any]:
        """What there are rules for."""
        return [function for function, _ in self._rules.values()]

    def known(self, function: Any) -> Any:
        """The registered one for a built-in classmethod, which is a new object whenever it
        is read; anything else as it is."""
        if isinstance(function, types.BuiltinMethodType) and isinstance(function.__self__, type):
            for registered, _ in self._rules.values():
                if type(registered) is type(function) and registered == function:
                    return registered
        return function

    def lookup(self, function: Any) -> Callable[..., Any] | None:
        """The rule for a host callable, or else the one for all objects of its class."""
        known = self._rules.get(id(self.known(function)))
        if known is None and not isinstance(function, type):
            known = self._rules.get(id(type(function)))
        return None if known is None else known[1]


HOST_CALLS: list[Callable[..., Any]] = []
"""Rules that are asked first, ``rule(ctx, function, arguments)``: the annotation of the result,
None when the rule is not about this function and these arguments."""

METHOD_CALLS: list[Callable[..., Any]] = []
"""The same for methods of built-in kinds, ``rule(ctx, name, s_self, arguments)``."""

FUNCTIONS = FunctionTable("annotator, built-in functions")
