"""Methods of native classes that classes of Python override (``rpython.overridable``).

    @overridable                            # made here: of this class are all objects of classes
    class Shape:                            # that Python derives from Shape
        def area(self) -> float: ...        class Shape(Shape):
        def describe(self) -> str:              def area(self, *args):
            return f"{self.area()}"                 outcome = call(self.python_ticket, self, args)
                                                    if raised(outcome):
                                                        raise error(outcome)
                                                    return result(outcome)

So native code has no new kind of call: where ``self`` may be of Python's class, ``self.area()``
finds that method as it finds any other one.  It has Python look for ``area`` on the object, which
may be native code's after all.

``python_ticket`` tells which object of Python it is as long as ``__init__`` runs.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import FunctionType
from typing import TYPE_CHECKING, Any

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import SomeInstance, SomeMethod
from rpython.rlib.overridable import is_overridable
from rpython.rtyper.boundary.callables import AskMember, ticket
from rpython.translator.extension import wrappers
from rpython.translator.extension.callables import CALLS_MEMBER, calling_member
from rpython.translator.extension.escape import has_container
from rpython.translator.extension.exports import (
    Parameters,
    hints_of,
    parameters_of,
)
from rpython.translator.extension.known import Known
from rpython.translator.extension.subclassing import unseen_methods
from rpython.translator.ir.errors import AnnotatorError, TranslationError
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.model import SpaceOperation

if TYPE_CHECKING:
    from rpython.translator.extension.program import ExtensionTranslation

TICKET = "python_ticket"


def is_extended(cls: type) -> bool:
    """Are its objects those of classes that Python derives?"""
    return TICKET in vars(cls)


class Overrides:
    """Makes those classes."""

    def __init__(self, translation: ExtensionTranslation) -> None:
        self.translation = translation

    def extend(self, known: Known, init: FunctionType | None, parameters: Parameters) -> Any:
        """The class of Python's objects; None where nothing of ``known`` can be overridden.
        ``init``: its ``__init__``, with the parameters that Python gives."""
        members = {} if unseen_methods(known.cls) else dict(self._members(known))
        if not members:
            return None
        known.overridable = frozenset(members)
        members["__init__"] = wrappers.extended_init(init, parameters, TICKET, ticket)
        cls: Any = known.cls
        members |= {TICKET: 0, "__module__": cls.__module__, "__qualname__": cls.__qualname__}
        extended = type(cls)(cls.__name__, (cls,), members)
        known.extended = self.translation.annotator.constants.classdef(extended)
        return extended

    def _members(self, known: Known) -> Iterator[tuple[str, Any]]:
        for name in dir(known.cls):
            value = inspect.getattr_static(known.cls, name)
            if name.startswith("__") or not is_overridable(known.cls, name):
                continue
            func = value.fget if isinstance(value, property) else value
            if not isinstance(func, FunctionType) or getattr(value, "fset", None) is not None:
                continue
            if not any(vars(each.cls).get(name) is value for each in known.classdef.mro()):
                continue  # of a mixin
            made = self._overriding(known, name, func, isinstance(value, property))
            if made is not None:
                yield name, made

    def _overriding(
        self, known: Known, name: str, func: FunctionType, is_property: bool
    ) -> Any:
        """What calls the method of Python's object; None where it cannot be called, because its
        types are not known, or would have to be copied."""
        shown = f"{known.cls.__name__}.{name}"
        parameters = parameters_of(func, f"{shown}()", 1)
        hints = hints_of(func)
        if parameters.positional < len(parameters.names) or parameters.unhinted:
            return None
        if "return" not in hints:
            return None
        try:
            args_s = self.translation.annotations(func, f"{shown}()", parameters)
            s_result = self.translation.hints().annotation(hints["return"])
        except TranslationError:
            return None
        if any(map(has_container, (*args_s, s_result))):
            return None
        call, result, error = self.translation.callables.member_operation(
            "g" if is_property else "m", shown, name, SomeInstance(known.classdef), args_s,
            len(parameters.defaults), s_result,
        )  # fmt: skip
        made = calling_member(call, result, error, TICKET)
        return property(made) if is_property else made


def check_calls(annotator: RPythonAnnotator) -> None:
    """Raise AnnotatorError where native code calls what Python may override otherwise than its
    hints say, or with keywords, where Python may have other names of parameters."""
    for graph in annotator.graphs:
        for _, op in graph.iterblockops():
            if op.opname not in ("simple_call", "call_args"):
                continue
            called = annotator.binding(op.args[0])
            descs: Any = called.descs if isinstance(called, SomeMethod) else ()
            for desc in descs:
                ask = getattr(desc.function.func, CALLS_MEMBER, None)
                if ask is not None:
                    _check_call(annotator, op, ask)


def _check_call(annotator: RPythonAnnotator, op: SpaceOperation, ask: AskMember) -> None:
    shape = op.args[1].value if op.opname == "call_args" else None  # type: ignore[union-attr]
    if isinstance(shape, CallShape) and shape.keywords:
        raise AnnotatorError(
            f"native code cannot call {ask.shown}, which Python code can override, with the keyword"
            f" {shape.keywords[0]!r}", op.span, hint="give the argument by its position",
        )  # fmt: skip
    wrong = "" if shape is not None else ask.wrong([annotator.binding(v) for v in op.args[1:]])
    if wrong:
        raise AnnotatorError(wrong, op.span)
