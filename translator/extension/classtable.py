"""The classes of an extension module for the back end."""

from __future__ import annotations

import builtins
import inspect
import types
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from rpython.annotator.program.hostclasses import is_descriptor
from rpython.backend_c.extension import ClassAttribute, Method, PublicClass
from rpython.translator.extension.exports import Exports, literal
from rpython.translator.extension.iteration import is_generator
from rpython.translator.extension.known import Known, native_only
from rpython.translator.extension.subclassing import has_weak_references, subclassing
from rpython.translator.extension.views import is_view_class

if TYPE_CHECKING:
    from rpython.rtyper.rtyper import RPythonTyper
    from rpython.translator.extension.state import State


def class_table(
    known_classes: Iterable[Known], public: Exports, rtyper: RPythonTyper, states: list[State]
) -> list[PublicClass]:
    """The classes for the back end."""
    state_of = {state.classdef: (state.read, state.restore) for state in states}
    made: dict[Known, PublicClass] = {}
    numbers = {
        classdef: vtable.subclassrange_min
        for classdef, vtable in rtyper.classes.known_vtables()
    }
    for known in known_classes:
        abstract = known.classdef.abstract_methods()
        message = known.classdef.abstract_message() if abstract else None
        if is_generator(known.cls):
            message = "cannot create 'generator' instances"
        if is_view_class(known.cls):
            message = f"cannot create {known.cls.__name__!r} instances"
        made[known] = PublicClass(
            known.cls.__name__, None if known.base is None else made[known.base],
            known.cls in public.classes.values(), numbers.get(known.classdef, -1),
            vars(known.cls).get("__doc__"), message, list(_methods(known)),
            list(_class_attributes(known)), constants_of_class(known),
            _class_values(known), *state_of.get(known.classdef, (None, None)),
        )  # fmt: skip
        if known.extended in state_of:
            made[known].restore_extended = state_of[known.extended][1]
        made[known].is_view = is_view_class(known.cls)
        made[known].subclassing = subclassing(known)
        made[known].is_weak = has_weak_references(known)
        made[known].is_slotted = known.cls.__dictoffset__ == 0
    return list(made.values())


def _methods(known: Known) -> Iterator[Method]:
    if known.init is not None:
        if known.extended_init is not None and known.init.entry is not None:
            known.init.entry.extended = known.extended_init.entry
        yield Method("__init__", known.init.entry)
    for name, call in known.methods.items():
        if isinstance(call, str):
            yield Method(name, None, message=call)
        elif call.entry is None:
            yield Method(name, None, message=native_only(call.shown))
        else:
            kind = known.static.get(name, "m")
            call.entry.of_class = kind == "c"
            yield Method(name, call.entry, kind)


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


def constants_of_class(known: Known) -> dict[str, str]:
    """What the class has besides methods and attributes, as Python expressions."""
    result = {}
    fields = known.all_fields()
    for name, value in known.members().items():
        special = name.startswith("_") and name not in ("__hash__", "__match_args__")
        if special or name in known.reading or name in fields or is_descriptor(value):
            continue
        text = literal(value)
        if text is not None:
            result[name] = text
    abstract = known.classdef.abstract_methods()
    if abstract:
        result["__abstractmethods__"] = f"frozenset({sorted(abstract)!r})"
    annotations = _annotations(vars(known.cls).get("__annotations__", {}))
    if annotations is not None:
        result["__annotations__"] = annotations
    return result


def _annotations(hints: dict[str, Any]) -> str | None:
    """The hints as a Python expression; None where they need more than the built-in names."""
    texts = {name: _hint(hint) for name, hint in hints.items()}
    if not texts or None in texts.values():
        return None
    return "{" + ", ".join(f"{name!r}: {text}" for name, text in texts.items()) + "}"


def _hint(hint: Any) -> str | None:
    if isinstance(hint, str) or hint is None:
        return repr(hint)
    if isinstance(hint, types.GenericAlias | types.UnionType):
        inside = [_hint(arg) for arg in hint.__args__]
        return None if None in inside else repr(hint)
    if hint in (type(None), Ellipsis):
        return "..." if hint is Ellipsis else "type(None)"
    is_builtin = isinstance(hint, type) and getattr(builtins, hint.__name__, None) is hint
    return hint.__name__ if is_builtin else None


def _class_values(known: Known) -> dict[str, str]:
    """What the class itself has for the fields of its instances."""
    result = {}
    for name in sorted(known.all_fields()):
        value = inspect.getattr_static(known.cls, name, known)
        text = None if value is known or is_descriptor(value) else literal(value)
        if text is not None:
            result[name] = text
    return result
