"""What a call of a class is where the class says itself how instances are made.

    class Config:
        def __new__(cls, name):             Config("a")  is  make("a"):
            ...                                 made = Config.__new__(Config, "a")
                                                if isinstance(made, Config): made.__init__("a")
                                                return made

Each class has a copy of the ``__new__`` that it inherits, in which ``cls`` is that class.

What CPython makes by ``__new__``, such as a Fraction, is made by ``__init__`` here.  To a class of
the program that extends it and says itself how instances are made, that ``__init__`` is a
``__new__``, and its ``__init__`` is that of ``object``.
"""

from __future__ import annotations

import functools
from types import FunctionType
from typing import TYPE_CHECKING, Any

from rpython.stdlib._registry import COPY_FOR_SITE, per_arguments
from rpython.stdlib._seen import HOST

if TYPE_CHECKING:
    from rpython.annotator.program.classdef import ClassDef


def maker_of(classdef: ClassDef) -> Any:
    """The function that is called in place of the class; None where the class does no more than
    others."""
    known = vars(classdef.cls).get("_rpython_maker_")
    if known is not None:
        return known
    new, init = new_function(classdef), classdef.class_value("__init__")
    own_init = init is not None and isinstance(init[1], FunctionType)
    if init_in_place_of_new(classdef.cls) is not None:
        new, own_init = _new_of_program(classdef), False
    return None if new is None else _maker(classdef.cls, new, own_init)


def new_function(classdef: ClassDef, after: type | None = None) -> FunctionType | None:
    """The ``__new__`` of the class, or of those after another one, that a class of the program
    or of the library defines, as a function for this class."""
    new = _new_of_program(classdef, after)
    if new is not None:
        return new
    mro = classdef.cls.__mro__
    made_by = next((base for base in mro if _is_made_by_new(base)), None)
    if made_by is None or (after is not None and mro.index(after) >= mro.index(made_by)):
        return None
    init = init_in_place_of_new(made_by)
    return None if init is None else _new_by_init(classdef.cls, init)


def _new_of_program(classdef: ClassDef, after: type | None = None) -> FunctionType | None:
    found = classdef.class_value("__new__", after)
    if found is None or not isinstance(found[1], staticmethod):
        return None
    function = found[1].__func__
    return _for_class(classdef.cls, function) if isinstance(function, FunctionType) else None


def init_in_place_of_new(cls: type, after: type | None = None) -> FunctionType | None:
    """The ``__init__`` of the class, or of those after another one, if it does what ``__new__``
    of the class does that is replaced, and no class of the program has one in front of it."""
    rest = cls.__mro__ if after is None else cls.__mro__[cls.__mro__.index(after) + 1 :]
    for base in rest:
        if _is_made_by_new(base):
            return _init_of(base)
        if isinstance(vars(base).get("__init__"), FunctionType):
            break
    return None


def _init_of(cls: type) -> FunctionType | None:
    init = getattr(cls, "__init__", None)
    return init if isinstance(init, FunctionType) else None


def _is_made_by_new(cls: type) -> bool:
    """Does the class, or the one of which it is a copy for a place, replace one with a ``__new__``
    and without an ``__init__``?"""
    of = cls.__mro__[1] if COPY_FOR_SITE in vars(cls) else cls
    host: Any = vars(of).get(HOST, object)
    is_class = isinstance(host, type)
    by_new = is_class and host.__new__ is not object.__new__ and host.__init__ is object.__init__
    return by_new and _init_of(cls) is not None


@functools.cache
def _for_class(cls: type, new: FunctionType) -> FunctionType:
    copy = FunctionType(
        new.__code__, new.__globals__, new.__name__, new.__defaults__, new.__closure__
    )
    copy.__kwdefaults__, copy.__qualname__ = new.__kwdefaults__, new.__qualname__
    vars(copy).update(vars(new))
    return copy


@functools.cache
def _new_by_init(cls: type, init: FunctionType) -> Any:
    def new(cls: type, *args: Any, **keywords: Any) -> Any:
        made: Any = object.__new__(cls)
        init(made, *args, **keywords)
        return made

    new.__name__ = new.__qualname__ = cls.__name__
    return per_arguments(new)


@functools.cache
def _maker(cls: type, new: FunctionType, has_init: bool) -> Any:
    def make(*args: Any, **keywords: Any) -> Any:
        made = new(cls, *args, **keywords)
        if has_init and isinstance(made, cls):
            made.__init__(*args, **keywords)  # type: ignore[misc]
        return made

    make.__name__ = make.__qualname__ = cls.__name__
    return per_arguments(make)
