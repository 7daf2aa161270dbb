"""Arguments with the hint ``Callable[[int], str]``: native code calls Python.

For each such type there is a class in restricted Python, whose instances have the number of an
object of Python::

    class Pythons:
        def __call__(self, *args):              f(3)
            outcome = call(self.python_number, args)
            if raised(outcome):
                raise error(outcome)
            return result(outcome)

They are equal, true, and shown as Python says.  What native code could tell otherwise than Python
(``f is g``, ``isinstance(f, C)``) is refused, and attributes of exceptions
that may come from Python.
"""

from __future__ import annotations

import collections.abc
import typing
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import (
    K_NONE,
    SomeInstance,
    SomeInteger,
    SomeObject,
    s_Bool,
    s_Str,
)
from rpython.annotator.lattice.parts import parts_of
from rpython.annotator.overlay.finalizers import CANNOT_RAISE
from rpython.backend_c.extension import AbiType, Entry, PythonOperation
from rpython.lltypesystem.program import Program
from rpython.rtyper.boundary.callables import (
    IS_PYTHONS,
    NUMBER,
    Ask,
    AskMember,
    Error,
    Python,
    Result,
    forget,
    is_pythons,
    raised,
)
from rpython.translator.extension import wrappers
from rpython.translator.extension.abi_types import AbiTypes, DoesNotCross
from rpython.translator.extension.escape import has_container
from rpython.translator.extension.output import CALL_PYTHON, reaching
from rpython.translator.flow.generators import give_span
from rpython.translator.ir.errors import AnnotatorError, BuildError, TranslationError
from rpython.translator.ir.model import Constant, SpaceOperation

if TYPE_CHECKING:
    from rpython.translator.extension.hints import Hints

_EXCEPTION_ATTRIBUTES = ("__cause__", "__context__", "__suppress_context__")
"""Those of exceptions from Python that are what they are in Python."""
CALLS_MEMBER = "_rpython_calls_member_"
"""On functions that have Python call a method: the ``AskMember``."""
_TELLING = (isinstance, type, id, issubclass, hasattr, getattr)
"""Functions that could tell a callable's class."""


def is_callable_hint(hint: Any) -> bool:
    return typing.get_origin(hint) is collections.abc.Callable


class Callables:
    """The types of callables of one program."""

    def __init__(self, annotator: RPythonAnnotator) -> None:
        self.annotator = annotator
        self.python = Python()
        self.asks: list[Ask] = []
        self._rows = 0
        self._known: dict[Any, type] = {}
        self._held: type | None = None

    def annotation(self, hint: Any, hints: Hints) -> SomeObject:
        """The annotation of values with such a hint.  Raises TranslationError."""
        if hint not in self._known:
            parameters, returned = typing.get_args(hint)
            if not isinstance(parameters, list):
                raise TranslationError(
                    f"values of type {hint} cannot come from Python: say what it is called with"
                )
            args_s = tuple(map(hints.annotation, parameters))
            s_result = hints.annotation(returned)
            name = f"Callable[[{', '.join(map(_shown, parameters))}], {_shown(returned)}]"
            if any(map(has_container, (*args_s, s_result))):
                raise TranslationError(
                    f"values of type {name} cannot come from Python: native code would have copies"
                    " of lists, dicts and sets"
                )
            self._known[hint] = self._make(name, args_s, s_result)
        return SomeInstance(self.annotator.constants.classdef(self._known[hint]))

    def held(self) -> type:
        """The class whose instances keep exceptions of Python."""
        if self._held is None:
            self._held = self._mark(type("HeldByNative", (), _members()))
        return self._held

    def _mark(self, cls: type) -> type:
        setattr(cls, IS_PYTHONS, True)

        def make(number: Any) -> Any:
            return cls(number)

        self.python.make[cls] = self.annotator.flow_function(make, [SomeInteger()])
        return cls

    def _make(self, name: str, args_s: tuple[SomeObject, ...], s_result: SomeObject) -> type:
        self.held()
        members = _members()
        members["__call__"] = _calling(*self._operation("c", name, args_s, s_result))
        for method, what, s in (
            ("__bool__", "?", s_Bool), ("__hash__", "#", SomeInteger()), ("__repr__", "r", s_Str),
        ):  # fmt: skip
            members[method] = _asking(*self._operation(what, name, (), s))
        cls: Any = type(name, (), members)
        cls.__eq__ = _comparing(*self._operation("=", name, (SomeInteger(),), s_Bool), cls)
        return self._mark(cls)

    def _operation(
        self, what: str, name: str, args_s: tuple[SomeObject, ...], s_result: SomeObject
    ) -> tuple[Ask, Result, Error]:
        ask = Ask(self.python, self._rows, what, name, args_s, s_result)
        return self._added(ask)

    def member_operation(
        self, what: str, name: str, member: str, s_self: SomeObject, args_s: list[SomeObject],
        defaults: int, s_result: SomeObject,
    ) -> tuple[Ask, Result, Error]:  # fmt: skip
        """What calls a method, or reads a property: see ``AskMember``."""
        self.held()
        return self._added(AskMember(
            self.python, self._rows, what, name, tuple(args_s), s_result, defaults, member, s_self
        ))  # fmt: skip

    def _added(self, ask: Ask) -> tuple[Ask, Result, Error]:
        self.asks.append(ask)
        self._rows += len(ask.calls())
        return ask, Result(ask), Error(self.python)

    # -- the table ----------------------------------------------------------------------------

    def table(self, types: AbiTypes) -> list[PythonOperation]:
        """The operations for the back end.  Raises AnnotatorError for what does not cross."""
        return [
            PythonOperation(
                ask.what, f"the result of {ask.shown}", _type(types, ask, s_call),
                _type(types, ask, ask.s_result),
                ask.member if isinstance(ask, AskMember) else "",
            )
            for ask in self.asks
            for s_call in ask.calls()
        ]  # fmt: skip

    def finish(self) -> None:
        """Raise AnnotatorError for what native code would answer otherwise than Python."""
        if not self.asks:
            return
        for graph in self.annotator.graphs:
            made = getattr(graph.func, "__module__", "")
            if made in (__name__, wrappers.__name__):
                give_span(graph, replace(graph.span, hidden=True))
        for classdef in self.annotator.constants.classdefs:
            if classdef.cls.__module__ != "builtins" or not issubclass(classdef.cls, BaseException):
                continue
            for name, attribute in classdef.attrs.items():
                if name not in _EXCEPTION_ATTRIBUTES and attribute.s_value.kinds:
                    raise AnnotatorError(
                        f"native code that calls Python cannot use the attribute {name!r} of"
                        f" {classdef.cls.__name__}, which exceptions of Python code may have as"
                        " anything", hint="use str(e), or catch the exception in Python",
                    )  # fmt: skip
        for graph in self.annotator.graphs:
            if not graph.home.is_ours:
                for _, op in graph.iterblockops():
                    self._check(op)
        if self.python.wrong:
            raise AnnotatorError(self.python.wrong[0])

    def _check(self, op: SpaceOperation) -> None:
        called = op.args[0] if op.args and op.opname == "simple_call" else None
        function = called.value if isinstance(called, Constant) else None
        if function is type and any(map(self._is_exception, op.args[1:])):
            raise AnnotatorError(
                "native code that calls Python cannot ask for the type() of an exception, which"
                " it knows as one of its own classes", op.span, hint="use isinstance(e, C)",
            )  # fmt: skip
        parts = [self._classes(arg) for arg in op.args]
        found = [cls for part in parts for cls in part]
        if not found:
            return
        told = self._told(op, function, parts)
        if told:
            raise AnnotatorError(
                f"a {found[0].__name__} of Python cannot be {told}", op.span,
                hint="do that in Python, or call it with f(...)",
            )  # fmt: skip
        if called is not None:
            self._check_call(op, parts[0])

    def _told(self, op: SpaceOperation, function: Any, parts: list[list[type]]) -> str:
        """What cannot be done with a callable, "" for nothing."""
        if any(function is each for each in _TELLING):
            return f"given to {function.__name__}()"
        if op.opname == "is_" and not any(_is_none(self.annotator, arg) for arg in op.args):
            return "compared by 'is'"
        if op.opname in ("eq", "ne") and set(parts[0]) != set(parts[1]):
            return "compared with something else"
        return "given attributes" if op.opname == "setattr" and parts[0] else ""

    def _check_call(self, op: SpaceOperation, called: list[type]) -> None:
        args_s = [self.annotator.binding(arg) for arg in op.args[1:]]
        for ask in self.asks:
            if ask.what == "c" and ask.name in {cls.__name__ for cls in called}:
                wrong = ask.wrong(args_s)
                if wrong:
                    raise AnnotatorError(wrong, op.span)

    def _classes(self, arg: Any) -> list[type]:
        return [
            part.classdef.cls for part in parts_of(self.annotator.binding(arg))
            if isinstance(part, SomeInstance) and is_pythons(part.classdef.cls)
        ]  # fmt: skip

    def _is_exception(self, arg: Any) -> bool:
        return any(
            isinstance(part, SomeInstance) and issubclass(part.classdef.cls, BaseException)
            for part in parts_of(self.annotator.binding(arg))
        )


def _shown(hint: Any) -> str:
    if hint is type(None):
        return "None"
    return hint.__name__ if isinstance(hint, type) else str(hint).replace("collections.abc.", "")


def _is_none(annotator: RPythonAnnotator, arg: Any) -> bool:
    return annotator.binding(arg).kinds == K_NONE


def _type(types: AbiTypes, ask: Ask, s: SomeObject) -> AbiType:
    try:
        T = types.of(s)
    except DoesNotCross as error:
        raise AnnotatorError(
            f"{ask.shown} takes or gives {error}, which does not cross to Python",
            hint="docs/modules.md says which types cross",
        ) from None
    return T


def check_callers(program: Program, entries: Sequence[Entry]) -> None:
    """Raise BuildError for a function that calls Python and must not."""
    callers = reaching(program, CALL_PYTHON)
    for entry in entries:
        if program.exports[entry.symbol] not in callers:
            continue
        if entry.nogil:
            raise BuildError(
                f"{entry.shown}() is marked with nogil, and calls Python",
                hint="leave the decorator out",
            )
        for parameter in entry.parameters:
            if parameter.type.may_change:
                raise BuildError(
                    f"{entry.shown}() changes its argument {parameter.name!r}"
                    f" ({parameter.type.name}) and calls Python, which could look at it meanwhile",
                    hint=f"change and return a copy: list({parameter.name})",
                )


# -- what the classes have --------------------------------------------------------------------


def _members() -> dict[str, Any]:
    def __init__(self: Any, number: Any) -> None:
        setattr(self, NUMBER, number)

    def __del__(self: Any) -> None:
        forget(getattr(self, NUMBER))

    setattr(__del__, CANNOT_RAISE, True)
    return {"__init__": __init__, "__del__": __del__, "__module__": __name__}


def _calling(call: Ask, result: Result, error: Error) -> Any:
    def __call__(self: Any, *args: Any) -> Any:
        outcome = call(getattr(self, NUMBER), args)
        if raised(outcome):
            raise error(outcome)
        return result(outcome)

    return __call__


def _asking(ask: Ask, result: Result, error: Error) -> Any:
    def method(self: Any) -> Any:
        outcome = ask(getattr(self, NUMBER), ())
        if raised(outcome):
            raise error(outcome)
        return result(outcome)

    return method


def calling_member(ask: Any, result: Result, error: Error, ticket: str) -> Any:
    """A method that has Python call the object's method, or read its property.  ``ticket``: the
    attribute with the number of an object whose ``__init__`` runs."""

    def method(self: Any, *args: Any) -> Any:
        outcome = ask(getattr(self, ticket), self, args)
        if raised(outcome):
            raise error(outcome)
        return result(outcome)

    setattr(method, CALLS_MEMBER, ask)
    return method


def _comparing(ask: Ask, result: Result, error: Error, cls: type) -> Any:
    def __eq__(self: Any, other: Any) -> Any:
        if not isinstance(other, cls):
            return False
        outcome = ask(getattr(self, NUMBER), (getattr(other, NUMBER),))
        if raised(outcome):
            raise error(outcome)
        return result(outcome)

    return __eq__
