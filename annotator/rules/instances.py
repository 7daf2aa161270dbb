"""Transfer rules for instances and their classes; the lookup of methods."""

from __future__ import annotations

import abc
import types
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.hostnames import attribute_of_function
from rpython.annotator.lattice.model import (
    K_BUILTIN_METHOD,
    K_CLASS,
    K_NONE,
    SomeBuiltinMethod,
    SomeClass,
    SomeClassMethod,
    SomeFunction,
    SomeHost,
    SomeInstance,
    SomeMethod,
    SomeObject,
    s_Bool,
    s_Bottom,
    s_None,
)
from rpython.annotator.lattice.parts import (
    EQUALITY_METHODS,
    class_with_equality,
    parts_of,
    possible_classes,
)
from rpython.annotator.overlay.making import init_in_place_of_new
from rpython.annotator.program.classdef import (
    ClassDef,
    Lookup,
    is_abstract,
    is_slot,
    is_state_machine,
)
from rpython.annotator.program.desc import FunctionDesc
from rpython.annotator.program.enums import is_enum
from rpython.annotator.program.excattrs import is_fact, places
from rpython.annotator.program.hostclasses import counts_as, is_method
from rpython.annotator.program.site_classes import is_per_site
from rpython.annotator.rules.exceptions import is_named, set_attributes
from rpython.annotator.rules.knownclasses import known_class
from rpython.annotator.rules.registry import FUNCTIONS, METHODS, UNARY
from rpython.annotator.rules.state import (
    attribute_name,
    refuse_module_state,
)
from rpython.stdlib._seen import CLASS_TEXT
from rpython.translator.ir.errors import AnnotatorError, Note, did_you_mean
from rpython.translator.ir.foreign import method_meant
from rpython.translator.ir.home import Home, home_of_module
from rpython.translator.ir.intrinsics import ProtocolMethod
from rpython.translator.ir.span import Span


@UNARY.register("getattr", SomeObject)
def builtin_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    """A method of a built-in kind."""
    name = attribute_name(ctx)
    if name in ("__class__", "__doc__") and not ctx.arguments()[0].kinds & K_NONE:
        rule: Any = FUNCTIONS.lookup(type)
        s_class: SomeObject = rule(ctx, s)
        if s_class.is_constant():
            return s_class if name == "__class__" else ctx.constant(s_class.value.__doc__)
    if METHODS.lookup(name, type(s)) is None or s.kinds == K_BUILTIN_METHOD:
        known = sorted({key[0] for key in METHODS if issubclass(type(s), key[1])})
        message = f"{s.describe()} has no attribute {name!r} (or it is not supported)"
        if isinstance(name, ProtocolMethod):
            raise ctx.error(message, name.hint)
        raise ctx.error(message, method_meant(name, s.describe(), known))
    return SomeBuiltinMethod(name, s)


@UNARY.register("getattr", SomeHost)
def host_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    name = attribute_name(ctx)
    refuse_module_state(ctx, s.value, name)
    if name == "__members__" and is_enum(s.value):
        return ctx.constant(ctx.annotator.constants.members.named(s.value))
    if isinstance(s.value, types.FunctionType):
        return ctx.constant(attribute_of(ctx, s.value, name))
    try:
        value = FUNCTIONS.known(getattr(s.value, name))
        if isinstance(value, types.MethodType) and isinstance(value.__self__, type):
            value = ctx.annotator.constants.host_method(value)
        return ctx.constant(value)
    except AttributeError:
        if ctx.catches(AttributeError):
            return s_Bottom
        message = f"{s.describe()} has no attribute {name!r}"
        raise ctx.error(message, did_you_mean(name, dir(s.value))) from None


def _is_unnamed(classdef: ClassDef) -> bool:
    """Is it one of ours that stands for one of CPython's, and has another name than that?"""
    if is_state_machine(classdef):
        return classdef.home.is_ours and classdef.home is not Home.TOOLCHAIN
    if classdef.home not in (Home.OVERLAY, Home.PRIVATE) or hasattr(classdef.cls, CLASS_TEXT):
        return False
    if classdef.seen_as is not classdef.cls or issubclass(classdef.cls, BaseException):
        return False  # exceptions of ours are caught before programs see them
    return home_of_module(classdef.cls.__module__).is_ours


def class_of(ctx: OpContext, s: SomeInstance, or_none: bool) -> SomeObject:
    """The class of an instance: that of its annotation or one below, or (``or_none``) that of
    None."""
    if is_per_site(s.classdef) and ctx.graph.home is not Home.OVERLAY:
        raise ctx.error(
            f"the class of {s.describe()} is not supported as a value: translated programs have "
            "one for each place that makes some", hint="ask isinstance()",
        )  # fmt: skip
    if any(map(_is_unnamed, s.classdef.subtree())) and not ctx.graph.home.is_ours:
        raise ctx.error(f"the class of {s.describe()} of the library is not supported as a value")
    constants = ctx.annotator.constants
    if s.classdef.seen_as is not s.classdef.cls and not or_none:
        return known_class(ctx, s.classdef.seen_as)
    if getattr(s.classdef.cls, "__members__", None) and is_enum(s.classdef.cls) and not or_none:
        return ctx.constant(s.classdef.cls)  # nothing can extend an enum that has members
    s.classdef.note_class_reader(ctx.position)
    mask = 0
    for subdef in s.classdef.subtree():
        if not subdef.abstract_methods():  # else no instance is of that very class
            mask |= constants.class_mask(subdef)
    if or_none:
        mask |= constants.class_mask(constants.classdef(type(None)))
    if not mask:
        return s_Bottom
    return SomeClass(mask, constants.descs)


def values_below(
    classdef: ClassDef, lookup: Lookup, members: frozenset[ClassDef] | None = None
) -> list[tuple[ClassDef, Any]]:
    """What a lookup finds on a class and, where that differs, on those below it; or on each
    of ``members``."""
    result = []
    for subdef in classdef.concrete(members):
        if subdef is classdef or members is not None:
            found = subdef.class_value(lookup.name, lookup.after)
        else:
            found = subdef.own_class_value(lookup.name, lookup.after)
        if found is not None and not is_slot(found[1]):
            result.append((subdef, found[1]))
    return result


def receivers(
    classdef: ClassDef, lookup: Lookup, members: frozenset[ClassDef] | None = None
) -> dict[ClassDef, ClassDef]:
    """Of which class the annotator takes ``self`` to be in the method that a lookup finds, for
    each class that an instance may be of."""
    taken = [subdef for subdef, _ in values_below(classdef, lookup, members)]
    return nearest_above(classdef.concrete(members), taken)


def nearest_above(
    classdefs: Sequence[ClassDef], known: Iterable[ClassDef]
) -> dict[ClassDef, ClassDef]:
    """The most special of the known classes that is each class or one above it, where there is
    one."""
    chosen = set(known)
    found = {}
    for classdef in classdefs:
        above = next((cd for cd in classdef.mro() if cd in chosen), None)
        if above is not None:
            found[classdef] = above
    return found


def classes_keeping(classdef: ClassDef, name: str) -> list[ClassDef]:
    """The classes here or below whose instances keep a value under the name: something assigns it,
    or it is one of the attributes of built-in exceptions."""
    return [
        subdef for subdef in classdef.subtree()
        if (name in subdef.attrs and subdef.attrs[name].s_value.kinds)
        or (is_fact(subdef.cls, name) and subdef.cls.__module__ == "builtins")
    ]  # fmt: skip


def mixed_attribute(
    ctx: OpContext, classdef: ClassDef, name: str, sort: str, is_sort: Callable[[Any], bool]
) -> AnnotatorError:
    """The error for an attribute that is a ``sort`` of one class at or below this one, and of
    another one not."""
    values = [(cd, value) for cd, value in values_below(classdef, Lookup(name))]
    one, value = next((cd, value) for cd, value in values if is_sort(value))
    keeping = classes_keeping(classdef, name)
    assigned = [
        cd for cd in keeping
        if name in cd.attrs and cd.attrs[name].origins and not is_fact(cd.cls, name)
    ]  # fmt: skip
    others = [cd for cd, value in values if not is_sort(value)]
    other = (*assigned, *keeping, *others, classdef)[0]
    error = ctx.error(
        f"{name!r} is a {sort} of class {one.name} and not of class {other.name}, and the object "
        "may be of either",
        hint="give one of them another name, or test with isinstance() first",
    )
    function: Any = getattr(value, "fget", None) or getattr(value, "func", value)
    code = getattr(function, "__code__", None)
    if code is not None:
        place = Span(code.co_filename, code.co_firstlineno)
        error.notes.append(Note(f"the {sort} of class {one.name}", place))
    if other in assigned:
        origin = next(iter(other.attrs[name].origins.values()))
        error.notes.append(Note(f"assigned to an object of class {other.name}", origin.span))
    return error


def find_methods(
    ctx: OpContext,
    classdef: ClassDef,
    lookup: Lookup | str,
    members: frozenset[ClassDef] | None = None,
) -> SomeObject | None:
    """The methods that ``lookup`` finds on an instance of this class or a subclass, as one
    annotation: of methods, of functions for staticmethods, of classmethods; None when there
    are none."""
    if isinstance(lookup, str):
        lookup = Lookup(lookup)
    name = lookup.name
    constants = ctx.annotator.constants
    classdef.note_reader(name, ctx.position)
    if lookup.after is None and classdef.find_attribute(name) is not None:
        return None
    found: dict[str, int] = {}
    for subdef, value in values_below(classdef, lookup, members):
        if is_abstract(value) and lookup.after is None:
            found.setdefault("abstract", 0)
        elif isinstance(value, staticmethod) and isinstance(value.__func__, types.FunctionType):
            mask = constants.function_mask(constants.function_desc(value.__func__))
            found["static"] = found.get("static", 0) | mask
        elif isinstance(value, classmethod):
            found["class"] = found.get("class", 0)
        elif is_method(value):
            function = constants.method_function(subdef, lookup)
            mask = constants.method_desc(lookup, function, subdef, False)[1]
            found["method"] = found.get("method", 0) | mask
        else:
            found["value"] = 0
    if lookup.after is None and classes_keeping(classdef, name):
        found["value"] = 0
    if not found or list(found) == ["value"]:
        return None
    if list(found) == ["abstract"]:
        return s_Bottom  # no class with the method is known yet
    found.pop("abstract", None)
    if len(found) > 1:
        raise mixed_attribute(ctx, classdef, name, "method", is_method)
    ((sort, mask),) = found.items()
    if sort == "method":
        return SomeMethod(mask, constants.descs)
    if sort == "static":
        return SomeFunction(mask, constants.descs)
    return _class_methods(ctx, classdef, lookup)


def _class_methods(ctx: OpContext, classdef: ClassDef, lookup: Lookup) -> SomeObject:
    """A classmethod of an instance: bound to the class of the instance, whichever it is."""
    constants = ctx.annotator.constants
    classdef.note_class_reader(ctx.position)
    mask = 0
    for subdef in classdef.subtree():
        found = subdef.class_value(lookup.name, lookup.after)
        if found is not None and not is_abstract(found[1]) and not subdef.abstract_methods():
            mask |= constants.class_method_mask(found[1].__func__, subdef)
    return SomeClassMethod(mask, constants.descs)


@UNARY.register("getattr", SomeFunction)
def function_attribute(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    name = attribute_name(ctx)
    known = ("__name__", "__qualname__", "__doc__", "__module__")
    assert isinstance(s, SomeFunction)
    if not s.is_constant() and (name in known or _have_value(s, name)):
        s_result: SomeObject = s_Bottom
        for desc in s.descs:
            assert isinstance(desc, FunctionDesc)
            s_value = ctx.constant(attribute_of(ctx, desc.func, name)).without_const()
            s_result = ctx.join(s_result, s_value)
        if not ctx.annotator.representable(s_result):
            raise ctx.conflict(f"{name!r} would be {s_result.describe()}")
        return s_result
    if not s.is_constant() or (name not in known and name not in vars(s.value)):
        raise ctx.error(f"attribute {name!r} of {s.describe()} is not supported")
    return ctx.constant(attribute_of(ctx, s.value, name))


def attribute_of(ctx: OpContext, function: Any, name: str) -> Any:
    """What CPython's has as that attribute."""
    try:
        return attribute_of_function(function, name)
    except (AttributeError, LookupError):
        raise ctx.error(
            f"attribute {name!r} of function {function.__name__} is not supported"
        ) from None


def _have_value(s: SomeFunction, name: str) -> bool:
    """Has each of the functions been given the attribute while the program was imported, a number
    or a text?"""
    values = [vars(desc.func).get(name) for desc in s.descs if isinstance(desc, FunctionDesc)]
    return all(isinstance(value, (bool, int, float, str)) for value in values)


@METHODS.register("__init__", SomeInstance)
def builtin_init(ctx: OpContext, s: SomeObject, *args_s: SomeObject) -> SomeObject:
    """``object.__init__`` or ``BaseException.__init__``."""
    assert isinstance(s, SomeInstance)
    if not issubclass(s.classdef.cls, BaseException):
        if args_s:
            by_new = init_in_place_of_new(s.classdef.cls) is not None
            made = f"CPython makes a {s.classdef.name} by __new__" if by_new else ""
            raise ctx.error("object.__init__() takes no arguments", hint=made)
    elif not issubclass(s.classdef.cls, KeyError) and s.classdef.tops(KeyError):
        raise ctx.error(
            f"whether str() of {s.describe()} quotes the message, as a KeyError does, depends on "
            f"the class: {s.classdef.tops(KeyError)[0].name} is a KeyError too",
            hint="give the class with KeyError among its bases an __init__ of its own",
        )
    else:
        where = places(s.classdef.cls, len(args_s), is_named(args_s))
        set_attributes(ctx, s.classdef, args_s, where)
    return s_None


def defining_equality(ctx: OpContext, s: SomeObject) -> str | None:
    """The name of a class of these instances that defines ``__eq__`` or ``__ne__``."""
    for part in parts_of(s):
        if isinstance(part, SomeInstance):
            for name in EQUALITY_METHODS:
                part.classdef.note_reader(name, ctx.position)
            return class_with_equality(part)
    return None


@UNARY.register("exc_instance", SomeInstance)
def raise_instance(ctx: OpContext, s: SomeObject) -> SomeObject:
    assert isinstance(s, SomeInstance)
    if not issubclass(s.classdef.cls, BaseException):
        raise ctx.error(f"exceptions must derive from BaseException, not {s.describe()}")
    return s.without_const()


@UNARY.register("exception_match", SomeInstance)
def match_exception(ctx: OpContext, s: SomeObject, s_class: SomeObject) -> SomeObject:
    assert isinstance(s, SomeInstance)
    return instance_test(ctx, s, classes_of(ctx, s_class))


def classes_of(ctx: OpContext, s_class: SomeObject) -> list[type]:
    """The host classes of a class or tuple of classes; of one that is chosen at run time, all
    that it may be."""
    classes = None if s_class.kinds & K_NONE else possible_classes(s_class)
    if classes is None:
        raise ctx.refusal(s_class, K_CLASS, f"expected classes, not {s_class.describe()}")
    if not all(isinstance(cls, type) for cls in classes):
        raise ctx.error("expected a class or a tuple of classes")
    for cls in classes:
        if getattr(cls, "_is_protocol", False):
            raise ctx.error(
                f"a test for the protocol {cls.__name__} is not supported: it looks at attributes",
                hint="make it an abstract base class (abc.ABC)",
            )
    return classes


def instance_test(ctx: OpContext, s: SomeInstance, classes: list[type]) -> SomeObject:
    """isinstance(s, classes) for an instance: constant where the hierarchy decides it."""
    cls = s.classdef.cls
    if any(counts_as(cls, wanted) for wanted in classes):
        _refuse_exceptions(ctx, s, classes)
        return ctx.constant(True)
    s.classdef.note_reader("__class__", ctx.position)
    if any(isinstance(wanted, abc.ABCMeta) and not issubclass(wanted, cls) for wanted in classes):
        s.classdef.note_class_reader(ctx.position)  # methods or a registration may decide
    for wanted in classes:
        if issubclass(wanted, cls) and wanted is not cls:
            ctx.annotator.constants.classdef(wanted)
    if any(s.classdef.tops(wanted) for wanted in classes):
        return s_Bool
    return ctx.constant(False)


def _refuse_exceptions(ctx: OpContext, s: SomeInstance, classes: list[type]) -> None:
    """Raises AnnotatorError where instances of a subclass are of none of the abstract classes of
    which others are: ``__hash__`` may be None there."""
    if not any(isinstance(wanted, abc.ABCMeta) for wanted in classes):
        return
    s.classdef.note_reader("__class__", ctx.position)
    for subdef in s.classdef.subtree():
        if not any(counts_as(subdef.cls, wanted) for wanted in classes):
            raise ctx.error(
                f"isinstance() of {s.describe()} is not supported",
                hint=f"{subdef.name}, a subclass, is not like it: a method is None there",
            )
