"""The classes of an extension module: what Python can call and read on them.

Public classes of the module, and all their subclasses in the program.  A class has what its
own host class and those base classes define that Python does not get as classes.
"""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING

from rpython.annotator.lattice.model import SomeInstance
from rpython.annotator.program.classdef import ClassDef
from rpython.annotator.program.hostclasses import is_generated
from rpython.translator.extension import wrappers
from rpython.translator.extension.attributes import Attributes
from rpython.translator.extension.exports import Parameters
from rpython.translator.extension.iteration import (
    FORWARDED,
    METHODS,
    generator_of,
    is_generator,
    is_iterator,
)
from rpython.translator.extension.known import (
    NO_PARAMETERS,
    Known,
    native_only,
    place_of_class,
)
from rpython.translator.extension.members import Members
from rpython.translator.extension.overrides import is_extended
from rpython.translator.extension.views import SHOWN, View
from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.span import Span

if TYPE_CHECKING:
    from rpython.translator.extension.program import ExtensionTranslation

_PLAIN_BASES = ("builtins", "abc", "typing", "rpython")
"""Modules whose classes say nothing to Python, as bases."""


class ClassTable:
    """The classes of one translation."""

    def __init__(self, translation: ExtensionTranslation) -> None:
        self.translation = translation
        self.public = translation.public
        self._known: dict[ClassDef, Known] = {}
        self._members = Members(translation, self.public, self.hosts)
        self._attributes = Attributes(translation, self._members)

    def hosts(self) -> frozenset[type]:
        """The host classes whose instances Python can have."""
        return frozenset([*self.public.classes.values(), *(k.cls for k in self._known.values())])

    def numbers(self) -> dict[ClassDef, int]:
        """The definitions by number, base classes first; those of objects of classes that Python
        derives have the number of the class above."""
        numbers = {classdef: number for number, classdef in enumerate(self._known)}
        extended = {
            known.extended: numbers[classdef] for classdef, known in self._known.items()
            if known.extended is not None
        }  # fmt: skip
        return numbers | extended

    def roots(self) -> list[ClassDef]:
        """The most general of them."""
        return [known.classdef for known in self._known.values() if known.base is None]

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
        self._members.flow_init(known)
        for name, value in members.items():
            self._members.flow_member(known, name, value)
        for cls in known.cls.__mro__:  # classmethods depend on the class that they are called on
            for name, value in vars(cls).items():
                if isinstance(value, classmethod) and name not in known.methods:
                    self._members.flow_member(known, name, value)
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
            known.methods[name] = native_only(f"generator.{name}")
        return known

    def add_views(self) -> bool:
        """Make classes for the views of lists and dicts in attributes; was there a new one?"""
        new = False
        views = self.translation.views
        for view in views.known:
            classdef = self.translation.annotator.constants.classdef(view.cls)
            if classdef not in self._known:
                self._add_view(view, classdef)
                new = True
        return new

    def _add_view(self, view: View, classdef: ClassDef) -> None:
        known = self._known[classdef] = Known(classdef, None)
        kind = view.cls.__name__
        span = Span("a view", 0, function=kind)
        for name, args in view.methods(self.translation.annotator).items():
            count = len(args)
            known.methods[name] = self.translation.flow(
                vars(view.cls)[name], name, "",
                Parameters((*args,), count, count, (None,) * count, {}), [*args.values()], span,
                f"{kind}.{SHOWN.get(name, name)}", SomeInstance(classdef),
            )  # fmt: skip

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
            if isinstance(vars(base).get("__setattr__"), FunctionType):
                if not is_generated(base, "__setattr__"):
                    raise TranslationError(
                        f"class {cls.__name__} has a __setattr__, which assignments in Python would"
                        " not call", place_of_class(cls), hint=f"name it _{cls.__name__}",
                    )  # fmt: skip
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
                if classdef not in self._known and not is_extended(classdef.cls):
                    self._add(classdef)
                    new = True
        for known in list(self._known.values()):
            for name, s in self._attributes.of(known):
                if name not in known.reading:
                    self._attributes.flow(known, name, s)
                    new = True
        return self.add_views() or new

    def known(self) -> list[Known]:
        return list(self._known.values())
