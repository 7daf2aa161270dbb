"""Annotations of classes that the program has as values."""

from __future__ import annotations

from collections import OrderedDict

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.hostconst import Const
from rpython.annotator.lattice.model import SomeClass, SomeHost, SomeObject, SomeTuple
from rpython.stdlib._registry import PER_SITE


def known_class(ctx: OpContext, cls: type) -> SomeObject:
    """A class that ``type()`` gives.  Where others are, too, a built-in one is a class like them,
    and no function to call."""
    s = ctx.constant(cls)
    built_in = cls.__module__ == "builtins" or cls is OrderedDict
    if not isinstance(s, SomeHost) or not built_in:
        return s
    return SomeHost(s.const, lambda builtin: among_classes(ctx, builtin))


def among_classes(ctx: OpContext, *classes: type) -> SomeClass:
    """One of these classes."""
    constants = ctx.annotator.constants
    mask = 0
    for cls in classes:
        mask |= constants.class_mask(constants.classdef(cls))
    return SomeClass(mask, constants.descs)


def classes_above(ctx: OpContext, cls: type, name: str) -> SomeObject:
    """``cls.__mro__`` or ``cls.__bases__``.  Raises AnnotatorError where what we have in place of a
    built-in class is among them."""
    if hasattr(cls, PER_SITE):
        raise ctx.error(f"{name!r} of class {cls.__name__} is not supported")
    classes = getattr(cls, name)
    return SomeTuple(tuple(known_class(ctx, above) for above in classes), Const(classes))
