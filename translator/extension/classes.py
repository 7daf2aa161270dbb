"""The classes of an extension module: what Python can call and read on them.

Public classes of the module, and all their subclasses in the program.  A class has what its
own host class and those base classes define that Python does not get as classes.
"""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Iterator
from types import FunctionType
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import (
    SomeInstance,
    SomeInteger,
    SomeObject,
    SomeString,
    SomeTuple,
    SomeUnion,
    s_None,
)
from rpython.annotator.lattice.parts import from_parts, parts_of
from rpython.annotator.lattice.vartuples import SomeVarTuple
from rpython.annotator.program.classdef import ClassDef
from rpython.annotator.program.hostclasses import is_descriptor
from rpython.backend_c.extension import ClassAttribute, Method, PublicClass
from rpython.translator.extension import wrappers
from rpython.translator.extension.abi_types import AbiTypes, DoesNotCross
from rpython.translator.extension.exit_method import PARAMETERS, ignores_arguments, leaving
from rpython.translator.extension.exports import (
    Parameters,
    attribute_hints,
    docstring,
    literal,
    parameters_of,
    place,
    require_hints,
    without_factories,
)
from rpython.translator.extension.iteration import (
    FORWARDED,
    METHODS,
    generator_of,
    is_generator,
    is_iterator,
)
from rpython.translator.extension.notimplemented import guard_of
from rpython.translator.ir.errors import Conflict, TranslationError
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span

if TYPE_CHECKING:
    from rpython.rtyper.rtyper import RPythonTyper
    from rpython.translator.extension.program import Call, ExtensionTranslation
    from rpython.translator.extension.state import State

_OF_THE_CLASS = frozenset(
    "__init__ __new__ __del__ __init_subclass__ __post_init__ __class_getitem__ __subclasshook__ "
    "__set_name__ __getstate__ __setstate__".split()
)
"""Special methods that instances do not need."""
_PLAIN_BASES = ("builtins", "abc", "typing", "rpython")
"""Modules whose classes say nothing to Python, as bases."""
NO_PARAMETERS = Parameters((), 0, 0, (), {})


@dataclass(eq=False)
class Known:
    """A class on its way to Python; ``base``: the one that is its base class there."""

    classdef: ClassDef
    base: Known | None
    init: Call | None = None
    methods: dict[str, Call | str] = dataclasses.field(default_factory=dict)
    """By name: what is called, or why it cannot be."""
    static: set[str] = dataclasses.field(default_factory=set)
    reading: dict[str, Call | str] = dataclasses.field(default_factory=dict)
    writing: dict[str, Call] = dataclasses.field(default_factory=dict)
    fields: set[str] = dataclasses.field(default_factory=set)
    """The names in ``reading`` that are no properties."""

    @property
    def cls(self) -> type:
        return self.classdef.cls

    def own_classes(self) -> list[type]:
        """The host classes whose members are this class's in Python, most general first."""
        above = () if self.base is None else self.base.cls.__mro__
        return [
            cls for cls in reversed(self.cls.__mro__)
            if cls not in above and cls.__module__ not in ("builtins", "abc", "typing")
        ]  # fmt: skip

    def own_classdefs(self) -> Iterator[ClassDef]:
        """The definitions whose attributes are this class's in Python."""
        for classdef in self.classdef.mro():
            if self.base is not None and classdef is self.base.classdef:
                return
            yield classdef

    def all_fields(self) -> set[str]:
        """With those of the base classes."""
        return self.fields | (set() if self.base is None else self.base.all_fields())

    def members(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for cls in self.own_classes():
            found.update(vars(cls))
        return found


class ClassTable:
    """The classes of one translation."""

    def __init__(self, translation: ExtensionTranslation) -> None:
        self.translation = translation
        self.public = translation.public
        self._known: dict[ClassDef, Known] = {}

    def hosts(self) -> frozenset[type]:
        """The host classes whose instances Python can have."""
        return frozenset([*self.public.classes.values(), *(k.cls for k in self._known.values())])

    def numbers(self) -> dict[ClassDef, int]:
        """The definitions by number, base classes first."""
        return {classdef: number for number, classdef in enumerate(self._known)}

    def roots(self) -> list[ClassDef]:
        """The most general of them."""
        return [known.classdef for known in self._known.values() if known.base is None]

    # -- annotation ---------------------------------------------------------------------------

    def flow(self) -> None:
        """Flow constructors and methods of the public classes."""
        for cls in self.public.classes.values():
            self._add(self.translation.annotator.constants.classdef(cls))

    def _add(self, classdef: ClassDef) -> Known:
        known = self._known.get(classdef)
        if known is not None:
            return known
        if is_generator(classdef.cls):
            return self._add_generator(classdef)
        base = None
        for above in classdef.mro():
            if above is not classdef and above.cls in self.hosts():
                base = self._add(above)
                break
        self._check_bases(classdef.cls)
        known = self._known[classdef] = Known(classdef, base)
        members = known.members()
        self._flow_init(known)
        for name, value in members.items():
            self._flow_member(known, name, value)
        for cls in known.cls.__mro__:  # classmethods depend on the class that they are called on
            for name, value in vars(cls).items():
                if isinstance(value, classmethod) and name not in known.methods:
                    self._flow_member(known, name, value)
        return known

    def _add_generator(self, classdef: ClassDef) -> Known:
        known = self._known[classdef] = Known(classdef, None)
        s_self = SomeInstance(classdef)
        span = Span("a generator", 0, function=classdef.cls.__qualname__)
        for name, func in METHODS.items():
            known.methods[name] = self.translation.flow(
                wrappers.copied(func), name, "", NO_PARAMETERS, [], span, f"generator.{name}",
                s_self,
            )  # fmt: skip
        for name in ("send", "throw"):
            known.methods[name] = _native_only(f"generator.{name}")
        return known

    def _flow_iteration(self) -> bool:
        """Make classes for the generators that calls return, and generators of the iterators that
        ``__iter__`` returns.  Was there one?"""
        new = False
        for call in list(self.translation.calls):
            s_result = self.translation.annotator.binding(call.graph.getreturnvar())
            found = generator_of(s_result)
            if found is not None and found not in self._known:
                self._add(found)
                new = True
        for known in list(self._known.values()):
            for name, func in FORWARDED.items():
                method = known.methods.get(name)
                if method is None or isinstance(method, str):
                    continue
                s_result = self.translation.annotator.binding(method.graph.getreturnvar())
                if is_iterator(s_result):
                    self.translation.calls.remove(method)
                    known.methods[name] = self.translation.flow(
                        wrappers.copied(func), name, method.doc, NO_PARAMETERS, [], method.span,
                        method.shown, SomeInstance(known.classdef),
                    )  # fmt: skip
                    new = True
        return new

    def _check_bases(self, cls: type) -> None:
        """Raise TranslationError when Python would expect a base class that it has not."""
        for base in cls.__mro__:
            package = base.__module__.partition(".")[0]
            if package not in _PLAIN_BASES and base.__module__ != self.public.name:
                raise TranslationError(
                    f"class {cls.__name__} is derived from {base.__name__} of module"
                    f" {base.__module__}, which it would not be in Python", place_of_class(cls),
                    hint=f"derive it from classes of this module, or name it _{cls.__name__}",
                )  # fmt: skip

    def flow_attributes(self) -> bool:
        """Flow what annotating has brought to light: subclasses, attributes.  Was there
        anything?"""
        new = self._flow_iteration()
        for known in list(self._known.values()):
            for classdef in known.classdef.subtree():
                if classdef not in self._known:
                    self._add(classdef)
                    new = True
        for known in self._known.values():
            for name, s in self._attributes(known):
                if name not in known.reading:
                    self._flow_attribute(known, name, s)
                    new = True
        return new

    def _attributes(self, known: Known) -> list[tuple[str, SomeObject]]:
        if is_generator(known.cls):
            return []
        return [
            (name, attribute.s_value)
            for classdef in known.own_classdefs()
            for name, attribute in classdef.attrs.items()
            if not name.startswith("_") and attribute.s_value.kinds
        ]

    def _flow_attribute(self, known: Known, name: str, s: SomeObject) -> None:
        cls = known.cls
        known.fields.add(name)
        span = Span(place_of_class(cls).filename, place_of_class(cls).line, function=cls.__name__)
        s_wide = self._declared(known, name, widened(s))
        types = AbiTypes(self.numbers(), set(), self.translation.hosted.number)
        try:
            T = types.of(s_wide)
        except DoesNotCross as error:
            known.reading[name] = f"{cls.__name__}.{name} is {error}: only native code can use it"
            return
        if _has_container(T.kind, T.items):
            known.reading[name] = (
                f"{cls.__name__}.{name} is a {T.name} of native code, which Python code cannot"
                " share: write a method that returns a copy"
            )
            return
        shown = f"{cls.__name__}.{name}"
        s_self = SomeInstance(known.classdef)
        flow = self.translation.flow
        known.reading[name] = flow(
            wrappers.getter(name), name, "", NO_PARAMETERS, [], span, shown, s_self
        )
        if not self._is_read_only(known, name):
            one = Parameters((name,), 1, 1, (None,), {})
            self._flow_setter(known, name, one, [s_wide], span)

    def _declared(self, known: Known, name: str, s: SomeObject) -> SomeObject:
        """``s`` and what the attribute's type hint says, if it has one that crosses."""
        for classdef in known.own_classdefs():
            hints = attribute_hints(classdef.cls)
            if name in hints:
                annotator = self.translation.annotator
                try:
                    s_hint = self.translation.hints().annotation(hints[name])
                except Conflict:
                    raise
                except TranslationError:
                    return s
                s_both = annotator.join(s, s_hint)
                return s_both if annotator.representable(s_both) else s
        return s

    @staticmethod
    def _is_read_only(known: Known, name: str) -> bool:
        for cls in known.cls.__mro__:
            if name in vars(cls).get("_immutable_fields_", ()):
                return True
            hint = vars(cls).get("__annotations__", {}).get(name)
            if typing.get_origin(hint) is typing.Final or str(hint).startswith(
                ("Final", "typing.Final")
            ):
                return True
        params = getattr(known.cls, "__dataclass_params__", None)
        return params is not None and bool(params.frozen)

    def _flow_init(self, known: Known) -> None:
        cls = known.cls
        if known.classdef.abstract_methods():
            return
        init = getattr(cls, "__init__", None)
        name = cls.__name__
        parameters = NO_PARAMETERS
        shown = f"{name}.__init__"
        args_s: list[SomeObject] = []
        span = place_of_class(cls)
        if isinstance(init, FunctionType):
            parameters = parameters_of(init, f"{shown}()", 1)
            generated = init.__code__.co_filename == "<string>"
            if generated and dataclasses.is_dataclass(cls):
                parameters = without_factories(parameters, cls)
            if parameters.unhinted and cls not in self.public.classes.values():
                known.methods["__init__"] = _unhinted(shown)
                return
            if not generated:
                span = place(init)
            if parameters.unhinted:
                raise TranslationError(
                    f"{shown}(): the type of argument {parameters.unhinted[0]!r} is not known",
                    span, hint=f"write type hints, or name the class _{name}",
                )  # fmt: skip
            args_s = self.translation.annotations(init, f"{shown}()", parameters)
        known.init = self.translation.flow(
            wrappers.constructor(cls, parameters), "__init__",
            docstring(init, "__init__", parameters, "$self", ""), parameters, args_s, span, shown,
            graph_args_s=[SomeTuple(tuple(args_s))], is_init=True,
        )  # fmt: skip

    def _flow_member(self, known: Known, name: str, value: Any) -> None:
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
            known.methods[name] = _unhinted(shown)
            return
        require_hints(func, f"{shown}()", parameters)
        args_s = self.translation.annotations(func, f"{shown}()", parameters)
        s_self = SomeInstance(known.classdef)
        doc = docstring(func, name, parameters, "$self")
        span = place(func)
        flow = self.translation.flow
        plain = not (parameters.star or parameters.stars)
        if plain and any(vars(cd.cls).get(name) is func for cd in known.classdef.mro()):
            known.methods[name] = flow(func, name, doc, parameters, args_s, span, shown, s_self)
        else:
            graph_args_s = [s_self, SomeTuple(tuple(args_s))]
            known.methods[name] = flow(
                wrappers.method(name, parameters), name, doc, parameters, args_s, span, shown,
                s_self, graph_args_s,
            )  # fmt: skip

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
            known.methods[name] = _unhinted(shown)
            return
        require_hints(func, f"{shown}()", parameters)
        args_s = self.translation.annotations(func, f"{shown}()", parameters)
        known.static.add(name)
        known.methods[name] = self.translation.flow(
            wrappers.class_method(known.cls, name, parameters), name,
            docstring(func, name, parameters), parameters, args_s, place(func), shown,
            graph_args_s=[SomeTuple(tuple(args_s))],
        )  # fmt: skip

    def _flow_property(self, known: Known, name: str, value: Any) -> None:
        func = value.fget if isinstance(value, property) else value.func
        shown = f"{known.cls.__name__}.{name}"
        s_self = SomeInstance(known.classdef)
        if not isinstance(func, FunctionType):
            return
        span = place(func)
        flow = self.translation.flow
        known.reading[name] = flow(
            wrappers.getter(name), name, func.__doc__ or "", NO_PARAMETERS, [], span, shown, s_self
        )
        fset = getattr(value, "fset", None)
        if isinstance(fset, FunctionType):
            parameters = parameters_of(fset, f"{shown} =", 1)
            if not parameters.unhinted:
                args_s = self.translation.annotations(fset, f"{shown} =", parameters)
                self._flow_setter(known, name, parameters, args_s, span)

    def _flow_setter(
        self, known: Known, name: str, parameters: Parameters, args_s: list[SomeObject], span: Span
    ) -> None:
        shown, s_self = f"{known.cls.__name__}.{name}", SomeInstance(known.classdef)
        call = known.writing[name] = self.translation.flow(
            wrappers.setter(name), name, "", parameters, args_s, span, shown, s_self
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
            known.methods[name] = _native_only(shown)
            return
        parameters = self._parameters(known, name, func, shown)
        if name in wrappers.UNARY and not parameters.names:
            known.methods[name] = flow(
                wrappers.unary(wrappers.UNARY[name]), name, "", parameters, [], span, shown, s_self
            )
            return
        hint = parameters.hints[0] if parameters.hints else None
        guard = guard_of(func) if name in wrappers.BINARY else None
        if hint in (None, object, typing.Any):
            if guard is not None and guard.cls in cls.__mro__ and guard.cls in self.hosts():
                parameters = dataclasses.replace(parameters, hints=(guard.cls,))
            elif name in wrappers.COMPARISONS:
                parameters = dataclasses.replace(parameters, hints=(cls,))
        if parameters.unhinted:
            known.methods[name] = _unhinted(shown)
            return
        wrapper = None
        if name in wrappers.REFLECTED:
            wrapper = wrappers.reflected(wrappers.REFLECTED[name])
        elif name in wrappers.ARITHMETIC or name in wrappers.COMPARISONS:
            operators = {**wrappers.ARITHMETIC, **wrappers.COMPARISONS}
            wrapper = wrappers.binary(operators[name])
        args_s = self.translation.annotations(func, f"{shown}()", parameters)
        doc = docstring(func, name, parameters, "$self")
        call = flow(wrapper or func, name, doc, parameters, args_s, span, shown, s_self)
        wanted = parameters.hints[0] if parameters.hints else None
        if generated:
            call.otherwise = "NotImplemented"
        elif guard is not None and isinstance(wanted, type) and issubclass(guard.cls, wanted):
            call.otherwise = repr(guard.otherwise)
        call.is_optional = name in wrappers.ITERATION
        known.methods[name] = call

    # -- the table ----------------------------------------------------------------------------

    def known(self) -> list[Known]:
        return list(self._known.values())

    def table(self, rtyper: RPythonTyper, states: list[State]) -> list[PublicClass]:
        """The classes for the back end."""
        state_of = {state.classdef: (state.read, state.restore) for state in states}
        made: dict[Known, PublicClass] = {}
        numbers = {
            classdef: vtable.subclassrange_min
            for classdef, vtable in rtyper.classes.known_vtables()
        }
        for known in self._known.values():
            abstract = known.classdef.abstract_methods()
            message = known.classdef.abstract_message() if abstract else None
            if is_generator(known.cls):
                message = "cannot create 'generator' instances"
            made[known] = PublicClass(
                known.cls.__name__, None if known.base is None else made[known.base],
                known.cls in self.public.classes.values(), numbers.get(known.classdef, -1),
                vars(known.cls).get("__doc__"), message, list(self._methods(known)),
                list(self._class_attributes(known)), self._constants(known),
                self._class_values(known), *state_of.get(known.classdef, (None, None)),
            )  # fmt: skip
        return list(made.values())

    @staticmethod
    def _methods(known: Known) -> Iterator[Method]:
        if known.init is not None:
            yield Method("__init__", known.init.entry)
        for name, call in known.methods.items():
            if isinstance(call, str):
                yield Method(name, None, message=call)
            elif call.entry is None:
                yield Method(name, None, message=_native_only(call.shown))
            else:
                yield Method(name, call.entry, "s" if name in known.static else "m")

    @staticmethod
    def _class_attributes(known: Known) -> Iterator[ClassAttribute]:
        for name, call in known.reading.items():
            is_field = name in known.fields
            if isinstance(call, str):
                yield ClassAttribute(name, None, None, is_field, call)
            else:
                writing = known.writing.get(name)
                doc = call.doc or None
                assign = None if writing is None else writing.entry
                yield ClassAttribute(name, call.entry, assign, is_field, doc=doc)

    @staticmethod
    def _constants(known: Known) -> dict[str, str]:
        result = {}
        fields = known.all_fields()
        for name, value in known.members().items():
            special = name.startswith("_") and name not in ("__hash__", "__match_args__")
            if special or name in known.reading or name in fields or is_descriptor(value):
                continue
            text = literal(value)
            if text is not None:
                result[name] = text
        return result

    @staticmethod
    def _class_values(known: Known) -> dict[str, str]:
        """What the class itself has for the fields of its instances."""
        result = {}
        for name in sorted(known.all_fields()):
            value = inspect.getattr_static(known.cls, name, known)
            text = None if value is known or is_descriptor(value) else literal(value)
            if text is not None:
                result[name] = text
        return result


def widened(s: SomeObject) -> SomeObject:
    """What may be assigned from Python where the program assigns ``s``."""
    s = s.without_const()
    if isinstance(s, SomeUnion):
        return from_parts([widened(part) for part in parts_of(s)])
    if isinstance(s, SomeInteger) and s.knowntype is int:
        return s.of_any_sign()
    if isinstance(s, SomeInstance):
        return SomeInstance(s.classdef)
    if isinstance(s, SomeString):
        return SomeString()
    if type(s) is SomeTuple:
        return SomeTuple(tuple(widened(item) for item in s.items))
    if isinstance(s, SomeVarTuple):
        return SomeVarTuple(widened(s.s_item))
    return s


def _native_only(shown: str) -> str:
    return f"{shown}() can be called by native code only"


def _unhinted(shown: str) -> str:
    return f"{shown}() has no type hints: only native code can call it"


def _has_container(kind: str, items: list[Any]) -> bool:
    if kind in ("LIST", "DICT", "SET", "BYTEARRAY"):
        return True
    return any(_has_container(item.kind, item.items) for item in items)


def place_of_class(cls: type) -> Span:
    """About where the class is: at its first method."""
    for value in vars(cls).values():
        if isinstance(value, FunctionType) and value.__code__.co_filename != "<string>":
            code = value.__code__
            return Span(code.co_filename, code.co_firstlineno, function=cls.__name__)
    return Span(f"class {cls.__name__}", 0, function=cls.__name__)
