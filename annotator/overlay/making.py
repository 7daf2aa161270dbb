"""What a call of a class is where the class says itself how instances are made.

    class Config:
        def __new__(cls, name):             Config("a")  is  make("a"):
            ...                                 made = Config.__new__(Config, "a")
                                                if isinstance(made, Config): made.__init__("a")
                                                return made

Each class has a copy of the ``__new__`` that it inherits, in which ``cls`` is that class.
"""

from __future__ import annotations

import functools
from types import FunctionType
from typing import TYPE_CHECKING, Any

from rpython.stdlib._registry import per_arguments

if TYPE_CHECKING:
    from rpython.annotator.program.classdef import ClassDef


def maker_of(classdef: ClassDef) -> Any:
    """The function that is called in place of the class; None where the class does no more than
    others."""
    known = vars(classdef.cls).get("_rpython_maker_")
    if known is not None:
        return known
    new = new_function(classdef)
    if new is None:
        return None
    init = classdef.class_value("__init__")
    return _maker(classdef.cls, new, init is not None and isinstance(init[1], FunctionType))


def new_function(classdef: ClassDef, after: type | None = None) -> FunctionType | None:
    """The ``__new__`` of the class, or of those after another one, that a class of the program
    defines, as a function for this class."""
    found = classdef.class_value("__new__", after)
    if found is None or not isinstance(found[1], staticmethod):
        return None
    function = found[1].__func__
    return _for_class(classdef.cls, function) if isinstance(function, FunctionType) else None


@functools.cache
def _for_class(cls: type, new: FunctionType) -> FunctionType:
    copy = FunctionType(
        new.__code__, new.__globals__, new.__name__, new.__defaults__, new.__closure__
    )
    copy.__kwdefaults__, copy.__qualname__ = new.__kwdefaults__, new.__qualname__
    vars(copy).update(vars(new))
    return copy


@functools.cache
def _maker(cls: type, new: FunctionType, has_init: bool) -> Any:
    def make(*args: Any, **keywords: Any) -> Any:
        made = new(cls, *args, **keywords)
        if has_init and isinstance(made, cls):
            made.__init__(*args, **keywords)  # type: ignore[misc]
        return made

    make.__name__ = make.__qualname__ = cls.__name__
    return per_arguments(make)
