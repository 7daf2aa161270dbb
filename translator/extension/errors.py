"""The exception classes of an extension module, and what Python gets to know of exceptions."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import SomeInstance, SomeObject
from rpython.annotator.lattice.parts import parts_of
from rpython.annotator.program.classdef import ClassDef
from rpython.backend_c.extension import AbiType, ExceptionClass, ExceptionConstructor
from rpython.rtyper.boundary.exception_constructors import ExceptionConstructors
from rpython.rtyper.boundary.extension import ExtensionMarshaller
from rpython.rtyper.boundary.extension_errors import ErrorWriter
from rpython.translator.extension import hostside, subclassside, viewside
from rpython.translator.extension.abi_types import AN_ARGUMENT, AbiTypes, DoesNotCross, Kept
from rpython.translator.extension.callables import Callables
from rpython.translator.extension.exports import literal
from rpython.translator.extension.hosted import HostedClasses
from rpython.translator.ir.model import FunctionGraph

if TYPE_CHECKING:
    from rpython.rtyper.kinds.instance import InstanceRepr
    from rpython.rtyper.rtyper import RPythonTyper

SPECIAL = (
    OSError, UnicodeError, KeyError, SystemExit, StopIteration, ImportError, SyntaxError,
    AttributeError, NameError, OverflowError,
)  # fmt: skip
"""Classes that do more with their arguments than keep them."""


_GIVEN = ("LIST", "DICT", "SET", "BYTEARRAY")
_LIVE = (*_GIVEN, "GIVEN", "OPAQUE", "CALLABLE")
"""What native code cannot have a copy of."""


class ErrorTable:
    """Of one translation."""

    def __init__(
        self, hosted: HostedClasses, exported: list[type], types: AbiTypes, kept: Kept,
        callables: Callables,
    ) -> None:  # fmt: skip
        """``exported``: the classes that the module has as attributes; ``kept``: the containers
        that somebody else may have, too."""
        self.hosted = hosted
        self.module = hosted.module.__name__
        self.exported = exported
        self.types = types
        self.kept = kept
        self.callables = callables
        self.forms = ExceptionConstructors(self.type_of)
        self._opaque: dict[str, AbiType] = {}
        self._given: dict[str, AbiType] = {}
        self._texts: dict[ClassDef, FunctionGraph] = {}
        self._writer: ErrorWriter | None = None
        self._assigned = _assigned_later(callables.annotator) if callables.asks else set()

    def type_of(self, s: SomeObject) -> AbiType:
        """The type of arguments and attributes; "OPAQUE" for what does not cross.  Containers
        are copied, which is right for those that nobody else has; "GIVEN" for one that may be an
        argument of the call: that itself, if it is."""
        what = s.describe()
        place = self.kept.place_of(s, inside=False)
        if place in (None, AN_ARGUMENT):
            with contextlib.suppress(DoesNotCross):
                T = self.types.of(s)
                if not _is_recursive(T, ()) and place is None:
                    return T
                if not _is_recursive(T, ()) and T.kind in _GIVEN:
                    return self._given.setdefault(what, AbiType("GIVEN", what, [T]))
        return self._opaque.setdefault(what, AbiType("OPAQUE", what))

    def prepare(
        self, rtyper: RPythonTyper, marshaller: ExtensionMarshaller,
        texts: dict[ClassDef, FunctionGraph],
    ) -> None:  # fmt: skip
        """To be called before the program is lowered."""
        self._texts = texts
        special_first = sorted(texts.items(), key=lambda item: -item[0].depth)
        self._writer = ErrorWriter(rtyper, self.forms, marshaller, dict(special_first))

    def form_of_python(self) -> int:
        """The number of the form of exceptions that come from Python code."""
        assert self._writer is not None
        return self._writer.form_of_python(self.callables.held(), AbiType("CALLABLE", "exception"))

    def graph(self) -> FunctionGraph:
        """The graph that writes an exception, when the program is lowered."""
        assert self._writer is not None
        return self._writer.graph()

    # -- the table ----------------------------------------------------------------------------

    def exception_constructors(self) -> list[ExceptionConstructor]:
        """The forms by number, from 1."""
        assert self._writer is not None
        assert self._writer.known == len(self.forms.known), "an exception that is not told"
        result = []
        for form in self.forms.known:
            types = [T for T in form.types if isinstance(T, AbiType)]
            result.append(ExceptionConstructor(form.how, AbiType("TUPLE", "tuple", types)))
        return result

    def classes(self, rtyper: RPythonTyper) -> list[ExceptionClass]:
        """All exception classes of the program, base classes first."""
        found: dict[ClassDef, ExceptionClass] = {}
        numbers = {
            classdef: vtable.subclassrange_min
            for classdef, vtable in rtyper.classes.known_vtables()
            if issubclass(classdef.cls, BaseException)
        }
        constants = rtyper.annotator.constants
        unused = [constants.classdef(cls) for cls in self.exported]
        for classdef in (*numbers, *unused):
            for each in reversed(list(classdef.mro())):
                if each not in found:
                    found[each] = self._class(each, numbers.get(each, -1), found)
        return list(found.values())

    def _class(
        self, classdef: ClassDef, number: int, found: dict[ClassDef, ExceptionClass]
    ) -> ExceptionClass:
        assert self._writer is not None
        cls = classdef.cls
        made = ExceptionClass(
            cls.__module__, cls.__name__, number, special=issubclass(cls, SPECIAL)
        )
        attributes = [(name, self.type_of(s)) for name, _, s in self._writer.attributes(classdef)]
        made.fields = [(name, T) for name, T in attributes if T.crosses]
        made.has_text = any(each in self._texts for each in classdef.mro())
        made.from_python = not made.has_text and self._stay(attributes)
        if not is_own(cls, self.module):
            return made
        assert classdef.base is not None
        made.own, made.base = True, found[classdef.base]
        made.exported = cls in self.exported
        source = self.hosted.source(cls) if len(cls.__bases__) == 1 else None
        made.has_source = source is not None
        made.members = self._members(cls, dict(attributes), made.has_text, source)
        return made

    def _stay(self, attributes: Iterable[tuple[str, AbiType]]) -> bool:
        """Has native code the same in these attributes of an exception of Python as Python, as
        long as it lives?  It has a copy of what is no instance."""
        return all(
            T.crosses and not T.has(*_LIVE) and name not in self._assigned
            for name, T in attributes
        )

    def python_attributes(self, classdef: ClassDef) -> list[tuple[str, InstanceRepr]]:
        """What native code takes over of the attributes of exceptions of Python."""
        assert self._writer is not None
        named = [(name, self.type_of(s)) for name, _, s in self._writer.attributes(classdef)]
        return self._writer.marshalled_attributes(classdef) if self._stay(named) else []

    def _members(
        self, cls: type, attributes: dict[str, AbiType], has_text: bool, source: str | None
    ) -> str:
        """The arguments of ``hostside.exception_class`` after the base class."""
        name = cls.__name__
        own: dict[str, Any] = {}
        for base in reversed(cls.__mro__):
            if base.__module__ == self.module:
                own.update(vars(base))
        constants, refused = {}, {}
        unreadable = {
            each: f"{name}.{each} is {T.name}, which Python code cannot have"
            for each, T in attributes.items() if not T.crosses
        }  # fmt: skip
        for each, value in {}.items() if source is not None else own.items():
            special = each.startswith("__") and each.endswith("__")
            message = f"{name}.{each} can be used by native code only"
            if each in unreadable:
                continue
            if isinstance(value, (FunctionType, staticmethod, classmethod)):
                refused[each] = message
            elif isinstance(value, (property, cached_property)):
                unreadable[each] = message
            elif not special and literal(value) is not None:
                constants[each] = literal(value)
        refused.pop("__str__" if has_text else "", None)
        if "__init__" in refused:
            refused["__init__"] = f"{name} has an __init__() that only native code can call"
            refused["__reduce__"] = (
                f"{name} cannot be pickled or copied: that calls its __init__(), which only native "
                "code can"
            )
        shown = "".join(f"{each!r}: {text}, " for each, text in constants.items())
        return (
            f"{source!r}, {name!r}, {vars(cls).get('__doc__')!r}, {{{shown}}}, {refused!r}, "
            f"{unreadable!r}, {has_text}"
        )


def _assigned_later(annotator: RPythonAnnotator) -> set[str]:
    """The attributes that native code assigns to exceptions outside of their ``__init__``."""
    found = set()
    for graph in annotator.graphs:
        for _, op in graph.iterblockops():
            if op.opname != "setattr" or getattr(graph.func, "__name__", "") == "__init__":
                continue
            if any(
                isinstance(part, SomeInstance) and issubclass(part.classdef.cls, BaseException)
                for part in parts_of(annotator.binding(op.args[0]))
            ):
                found.add(str(getattr(op.args[1], "value", "")))
    return found


def _is_recursive(T: AbiType, outer: tuple[AbiType, ...]) -> bool:
    return T in outer or any(_is_recursive(item, (*outer, T)) for item in T.items)


def is_own(cls: type, module: str) -> bool:
    """Is it an exception class of the module?"""
    return issubclass(cls, BaseException) and cls.__module__ == module


def host_side(has_classes: bool, has_views: bool) -> str:
    """The Python code that the module needs when it runs."""
    parts = [hostside, *[subclassside] * has_classes, *[viewside] * has_views]
    first, *others = (Path(str(part.__file__)).read_text(encoding="utf-8") for part in parts)
    return first + "".join(
        more.replace("from __future__ import annotations\n", "") for more in others
    )
