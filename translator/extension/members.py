"""The constructors, methods and properties of the classes of an extension module."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeInstance, SomeObject, SomeTuple, s_None
from rpython.rlib.nogil import is_nogil
from rpython.translator.extension import wrappers
from rpython.translator.extension.exit_method import PARAMETERS, ignores_arguments, leaving
from rpython.translator.extension.exports import (
    Exports,
    Parameters,
    docstring,
    parameters_of,
    place,
    require_hints,
    without_factories,
)
from rpython.translator.extension.known import (
    NO_PARAMETERS,
    Known,
    native_only,
    place_of_class,
    unhinted,
)
from rpython.translator.extension.notimplemented import guard_of
from rpython.translator.extension.overrides import Overrides
from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.span import Span

if TYPE_CHECKING:
    from rpython.translator.extension.program import Call, ExtensionTranslation

_OF_THE_CLASS = frozenset(
    "__init__ __new__ __del__ __init_subclass__ __post_init__ __class_getitem__ __subclasshook__ "
    "__set_name__ __getstate__ __setstate__".split()
)
"""Special methods that instances do not need."""

class Members:
    """Flows them; ``hosts``: gives the host classes whose instances Python can have."""

    def __init__(
        self, translation: ExtensionTranslation, public: Exports,
        hosts: Callable[[], frozenset[type]],
    ) -> None:  # fmt: skip
        self.translation = translation
        self.public = public
        self.hosts = hosts
        self.overrides = Overrides(translation)

    def flow_init(self, known: Known) -> None:
        cls = known.cls
        init = getattr(cls, "__init__", None)
        shown = f"{cls.__name__}.__init__"
        parameters = NO_PARAMETERS
        span = place_of_class(cls)
        if isinstance(init, FunctionType):
            parameters = parameters_of(init, f"{shown}()", 1)
            if init.__code__.co_filename != "<string>":
                span = place(init)
            elif dataclasses.is_dataclass(cls):
                parameters = without_factories(parameters, cls)
        is_abstract = bool(known.classdef.abstract_methods())
        if parameters.unhinted and not is_abstract:
            if cls not in self.public.classes.values():
                known.methods["__init__"] = unhinted(shown)
                return
            raise TranslationError(
                f"{shown}(): the type of argument {parameters.unhinted[0]!r} is not known",
                span, hint=f"write type hints, or name the class _{cls.__name__}",
            )  # fmt: skip
        function = init if isinstance(init, FunctionType) else None
        extended = None
        if not parameters.unhinted:
            extended = self.overrides.extend(known, function, parameters)
        if not is_abstract:
            wrapper = wrappers.constructor(cls, parameters)
            known.init = self._flow_constructor(wrapper, init, shown, parameters, span)
        if extended is not None:
            wrapper = wrappers.extended_constructor(extended)
            known.extended_init = self._flow_constructor(wrapper, init, shown, parameters, span)
        known.init = known.init or known.extended_init
        if known.init is None:
            known.methods["__init__"] = native_only(shown)

    def _flow_constructor(
        self, wrapper: wrappers.Wrapper, init: Any, shown: str, parameters: Parameters, span: Span
    ) -> Call:
        args_s: list[SomeObject] = []
        if isinstance(init, FunctionType):
            args_s = self.translation.annotations(init, f"{shown}()", parameters)
        return self.translation.flow(
            wrapper, "__init__", docstring(init, "__init__", parameters, "$self", ""), parameters,
            args_s, span, shown, graph_args_s=[SomeTuple(tuple(args_s))], is_init=True,
        )

    def flow_member(self, known: Known, name: str, value: Any) -> None:
        special = name.startswith("__") and name.endswith("__")
        if name in _OF_THE_CLASS or (name.startswith("_") and not special):
            return
        if isinstance(value, (staticmethod, classmethod)):
            self._flow_static(known, name, value)
        elif isinstance(value, FunctionType) and special:
            self._flow_special(known, name, value)
        elif isinstance(value, FunctionType):
            self._flow_method(known, name, value)
        elif isinstance(value, property) or type(value).__name__ == "cached_property":
            self._flow_property(known, name, value)

    def _flow_method(self, known: Known, name: str, func: FunctionType) -> None:
        shown = f"{known.cls.__name__}.{name}"
        parameters = self._parameters(known, name, func, shown)
        if parameters.unhinted and known.cls not in self.public.classes.values():
            known.methods[name] = unhinted(shown)
            return
        require_hints(func, f"{shown}()", parameters)
        args_s = self.translation.annotations(func, f"{shown}()", parameters)
        s_self = SomeInstance(known.classdef)
        doc = docstring(func, name, parameters, "$self")
        span = place(func)
        flow = self.translation.flow
        plain = not (parameters.star or parameters.stars)
        if plain and any(vars(cd.cls).get(name) is func for cd in known.classdef.mro()):
            call = flow(func, name, doc, parameters, args_s, span, shown, s_self)
        else:
            graph_args_s = [s_self, SomeTuple(tuple(args_s))]
            call = flow(
                wrappers.method(name, parameters), name, doc, parameters, args_s, span, shown,
                s_self, graph_args_s,
            )  # fmt: skip
        call.nogil = is_nogil(func)
        known.methods[name] = call

    def _parameters(self, known: Known, name: str, func: FunctionType, shown: str) -> Parameters:
        """Those of a method; a hint that is missing may be that of a base class's method."""
        parameters = parameters_of(func, f"{shown}()", 1)
        hints = dict(zip(parameters.names, parameters.hints))
        for cls in known.cls.__mro__:
            inherited = vars(cls).get(name)
            if parameters.unhinted and isinstance(inherited, FunctionType):
                above = parameters_of(inherited, f"{shown}()", 1)
                for parameter, hint in zip(above.names, above.hints):
                    if parameter in hints and hints[parameter] is None:
                        hints[parameter] = hint
        return dataclasses.replace(parameters, hints=tuple(hints.values()))

    def _flow_static(
        self, known: Known, name: str, value: staticmethod[Any, Any] | classmethod[Any, Any, Any]
    ) -> None:
        func = value.__func__
        shown = f"{known.cls.__name__}.{name}"
        if not isinstance(func, FunctionType):
            return
        bound = int(isinstance(value, classmethod))
        parameters = parameters_of(func, f"{shown}()", bound)
        if parameters.unhinted and known.cls not in self.public.classes.values():
            known.methods[name] = unhinted(shown)
            return
        require_hints(func, f"{shown}()", parameters)
        args_s = self.translation.annotations(func, f"{shown}()", parameters)
        known.static[name] = "c" if bound else "s"
        call = known.methods[name] = self.translation.flow(
            wrappers.class_method(known.cls, name, parameters), name,
            docstring(func, name, parameters), parameters, args_s, place(func), shown,
            graph_args_s=[SomeTuple(tuple(args_s))],
        )  # fmt: skip
        call.nogil = is_nogil(func)

    def _flow_property(self, known: Known, name: str, value: Any) -> None:
        func = value.fget if isinstance(value, property) else value.func
        shown = f"{known.cls.__name__}.{name}"
        s_self = SomeInstance(known.classdef)
        if not isinstance(func, FunctionType):
            return
        span = place(func)
        flow = self.translation.flow
        # super().name and Shape.name.fget(x) are this very function, whatever x has
        getter = func if isinstance(value, property) else wrappers.getter(name)
        known.reading[name] = flow(
            getter, name, func.__doc__ or "", NO_PARAMETERS, [], span, shown, s_self
        )
        fset = getattr(value, "fset", None)
        if isinstance(fset, FunctionType):
            parameters = parameters_of(fset, f"{shown} =", 1)
            if not parameters.unhinted:
                args_s = self.translation.annotations(fset, f"{shown} =", parameters)
                self.flow_setter(known, name, parameters, args_s, span)

    def flow_setter(
        self, known: Known, name: str, parameters: Parameters, args_s: list[SomeObject], span: Span,
        wrapper: wrappers.Wrapper | None = None,
    ) -> None:  # fmt: skip
        shown, s_self = f"{known.cls.__name__}.{name}", SomeInstance(known.classdef)
        call = known.writing[name] = self.translation.flow(
            wrapper or wrappers.setter(name), name, "", parameters, args_s, span, shown, s_self
        )
        call.is_setter = True

    def _flow_special(self, known: Known, name: str, func: FunctionType) -> None:
        """A method that Python's operators and built-in functions call."""
        cls = known.cls
        shown = f"{cls.__name__}.{name}"
        generated = func.__code__.co_filename == "<string>" and dataclasses.is_dataclass(cls)
        if generated and name in ("__setattr__", "__delattr__"):
            return  # attributes are read-only anyway
        s_self = SomeInstance(known.classdef)
        span = place_of_class(cls) if generated else place(func)
        flow = self.translation.flow
        if name == "__exit__" and ignores_arguments(func):
            doc = docstring(func, name, PARAMETERS, "$self")
            left = flow(leaving(func), name, doc, PARAMETERS, [s_None] * 3, span, shown, s_self)
            left.takes_anything = True
            known.methods[name] = left
            return
        if name not in wrappers.SPECIAL:
            known.methods[name] = native_only(shown)
            return
        parameters = self._parameters(known, name, func, shown)
        if name in wrappers.UNARY and not parameters.names:
            known.methods[name] = called = flow(
                wrappers.unary(wrappers.UNARY[name]), name, "", parameters, [], span, shown, s_self
            )
            made: Any = inspect.unwrap(func)  # from what keeps it from calling itself for ever
            called.generated = name == "__repr__" and made.__code__.co_filename == "<string>"
            return
        hint = parameters.hints[0] if parameters.hints else None
        guard = guard_of(func) if name in wrappers.BINARY else None
        if hint in (None, object, typing.Any):
            if guard is not None and guard.cls in cls.__mro__ and guard.cls in self.hosts():
                parameters = dataclasses.replace(parameters, hints=(guard.cls,))
            elif name in wrappers.COMPARISONS:
                parameters = dataclasses.replace(parameters, hints=(cls,))
        if parameters.unhinted:
            known.methods[name] = unhinted(shown)
            return
        wrapper = None
        if name in wrappers.REFLECTED:
            wrapper = wrappers.reflected(wrappers.REFLECTED[name])
        elif name in wrappers.COMPARISONS:
            wrapper = wrappers.comparison(wrappers.COMPARISONS[name])
        elif name in wrappers.ARITHMETIC:
            wrapper = wrappers.binary(wrappers.ARITHMETIC[name])
        args_s = self.translation.annotations(func, f"{shown}()", parameters)
        doc = docstring(func, name, parameters, "$self")
        call = flow(wrapper or func, name, doc, parameters, args_s, span, shown, s_self)
        wanted = parameters.hints[0] if parameters.hints else None
        if generated:
            call.otherwise = "NotImplemented"
            call.generated = name in wrappers.COMPARISONS
        elif guard is not None and isinstance(wanted, type) and issubclass(guard.cls, wanted):
            call.otherwise = repr(guard.otherwise)
        call.is_optional = name in wrappers.ITERATION
        known.methods[name] = call
