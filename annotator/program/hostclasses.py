"""Host classes as classes of restricted programs: what may be one, which base gives its instances
their layout, and what else class attributes stand for."""

from __future__ import annotations

import abc
import enum
import types
import typing
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

from rpython.annotator.overlay.descriptors import as_property as property_of
from rpython.stdlib._registry import METHODS_IN_PLACE, PER_SITE, Refused, base_in_place_of
from rpython.stdlib._seen import HOST
from rpython.stdlib._subvalues import ExtendedValue
from rpython.stdlib.enum import MOST_FLAGS
from rpython.stdlib.functools import method_with_cache
from rpython.translator.ir.errors import AnnotatorError
from rpython.translator.ir.home import home_of_class

TRANSPARENT_BASES: tuple[Any, ...] = (
    object, abc.ABC, typing.Generic, typing.Protocol, enum.Enum, enum.Flag, enum.ReprEnum,
)  # fmt: skip
"""Bases that add nothing to instances."""
OF_BUILTIN = "_rpython_of_builtin_"
"""Of a class of the library: the built-in class, above it, of which its instances are some to the
program."""
_PLAIN_ONLY = (
    "define it with def, in a class that is no exception and no enum, and extends none of the "
    "library"
)
_REFUSED_METHODS = {
    "__new__": "create instances in a function instead",
    "__getattr__": _PLAIN_ONLY,
    "__getattribute__": "define the attributes, or call a method that takes the name",
    "__setattr__": _PLAIN_ONLY,
    "__delattr__": "call a method that takes the name",
    "__class__": "isinstance() looks at it, too: give it another name",
}
"""Methods that change what creating an instance or using its attributes means."""


_ASKED = ("__getattr__", "__setattr__")
"""Those that are translated, if they are functions."""


class UnsupportedClass(Exception):
    """The class uses features outside the restricted language; the text says which."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def is_method(value: Any) -> bool:
    """Does a class-level value bind as a method?"""
    return isinstance(value, types.FunctionType)


def is_descriptor(value: Any) -> bool:
    """Does a class-level value decide itself what reading the attribute gives?  (Methods,
    properties, ``__slots__``, ...)"""
    return hasattr(type(value), "__get__")


_PROPERTIES: dict[int, tuple[Any, property]] = {}
"""Objects that are properties as class attributes, and these, by id."""


def as_property(value: Any, name: str) -> Any:
    """The property that a descriptor of the program stands for as the class attribute ``name``;
    anything else as it is.  Raises AnnotatorError."""
    try:
        value = method_with_cache(value)
    except Refused as error:
        raise AnnotatorError(str(error)) from None
    if not is_descriptor(value) or isinstance(value, types.FunctionType | property):
        return value
    if id(value) not in _PROPERTIES:
        made = property_of(value, name)
        if made is None:
            return value
        _PROPERTIES[id(value)] = value, made
    return _PROPERTIES[id(value)][1]


_SUSPENDED = (types.GeneratorType, types.CoroutineType)


def counts_as(cls: type, wanted: type) -> bool:
    """Are instances of ``cls`` some of ``wanted`` to the program?  So are those of a class that
    stands for one which extends a built-in class."""
    if wanted is ExtendedValue:
        return issubclass(cls, wanted) or value_base(cls) is not None
    of_builtin = vars(cls).get(OF_BUILTIN)
    if isinstance(of_builtin, type) and of_builtin in _SUSPENDED:
        return wanted in cls.__mro__ or issubclass(of_builtin, wanted)
    if isinstance(wanted, abc.ABCMeta):
        return _counts_as_abstract(cls, wanted)
    return issubclass(cls, wanted) or issubclass(getattr(cls, PER_SITE, object), wanted)


def _counts_as_abstract(cls: type, wanted: type) -> bool:
    """The same for an abstract class, with which the class that is replaced or extended may be
    registered."""
    own: list[type] = []
    for base in cls.__mro__:
        host = vars(base).get(HOST)
        if host is None:
            own.append(base)
            continue
        if wanted is Hashable:
            hashes = [vars(above)["__hash__"] for above in own if "__hash__" in vars(above)]
            return hashes[0] is not None if hashes else issubclass(host, Hashable)
        return _extension_counts(host, cls, wanted) or (bool(own) and issubclass(cls, wanted))
    built_in = getattr(cls, PER_SITE, object)
    return issubclass(cls, wanted) or _extension_counts(built_in, cls, wanted)


def _extension_counts(host: type, cls: type, wanted: Any) -> bool:
    """Is a class that extends ``host`` as ``cls`` does one of the abstract class?  What it sets to
    None matters to those that look for methods, and not to those that classes register with."""
    without = [name for name in wanted.__abstractmethods__ if getattr(cls, name, name) is None]
    if without:
        host = type(cls.__name__, (host,), dict.fromkeys(without))
    return issubclass(host, wanted)


def value_base(cls: type) -> type | None:
    """The class that has the methods of members of an enum which are values besides."""
    if not isinstance(cls, enum.EnumMeta):
        return None
    return next((base_in_place_of(base) for base in (str, float) if issubclass(cls, base)), None)


def has_method_in_place(cls: type, name: str) -> bool:
    """Is it a method of a class above, to which the host has given it, too, that is replaced?"""
    return any(
        base in METHODS_IN_PLACE and vars(base).get(name) is vars(cls)[name]
        for base in cls.__mro__[1:]
    )


def adds_nothing(cls: type, base: type) -> bool:
    """Have instances of ``cls`` nothing of this class above it?"""
    if base in TRANSPARENT_BASES or base is cls.__dict__.get(OF_BUILTIN):
        return True
    return base in (str, float) and isinstance(cls, enum.EnumMeta)


def host_base(cls: type) -> type | None:
    """The base class that gives instances of ``cls`` their layout, None for ``object``.

    Of several base classes the others are mixins: their attributes and methods become those
    of ``cls``.  Raises UnsupportedClass for what has no place in the restricted language.
    """
    name = cls.__name__
    if cls is bool:
        return int  # as an object that type() gives: there are no instances here
    if cls is OrderedDict:
        return dict  # likewise
    if cls.__module__ != "builtins" and not cls.__flags__ & HEAP_TYPE:
        raise UnsupportedClass(
            f"class {cls.__module__}.{name} is not supported: it is written in C",
            "use built-in containers, or write the class in Python",
        )
    _check_metaclass(cls)
    if issubclass(cls, BaseExceptionGroup):
        raise UnsupportedClass(f"{name} is an exception group", "raise one exception")
    if cls.__module__ != "builtins":
        for method, hint in _REFUSED_METHODS.items():
            in_c = isinstance(cls.__dict__.get(method), types.BuiltinFunctionType)
            if method == "__new__" and not in_c and not issubclass(cls, BaseException):
                continue  # a call of the class is one of it (``making.py``)
            if method in _ASKED and is_method(vars(cls).get(method)) and _is_ordinary(cls):
                continue
            if method in cls.__dict__ and not is_generated(cls, method) and not _is_enum(cls):
                raise UnsupportedClass(f"class {name} defines {method}", hint)
        _check_finalizer(cls)
    if _is_enum(cls):
        _check_enum(cls)
    bases = [base for base in cls.__bases__ if not adds_nothing(cls, base)]
    for base in bases:
        if base.__module__ == "builtins" and not issubclass(base, BaseException):
            raise UnsupportedClass(
                f"class {name} extends the built-in type {base.__name__}",
                "keep the built-in value in an attribute",
            )
    if not bases:
        return None
    solid = [base for base in bases if not base.__dict__.get("_mixin_", False)]
    if not solid:
        for base in bases:
            host_base(base)  # is the mixin supported?
        return None
    chosen = max(solid, key=lambda base: (*_weight(base), solid.index(base)))
    for base in bases:
        if base is not chosen:
            host_base(base)
    return chosen


def _is_ordinary(cls: type) -> bool:
    """Is it neither an exception nor an enum, nor does it extend a class of the library, whose
    methods would use the attributes?"""
    if issubclass(cls, BaseException | enum.Enum):
        return False
    return all(
        home_of_class(base).is_program or base in TRANSPARENT_BASES or base.__module__ in _INSIDE
        for base in cls.__mro__
    )


_INSIDE = ("builtins", "rpython.stdlib._subclasses", "rpython.stdlib._subvalues")
"""Modules of classes that keep what they have in attributes of other names."""


HEAP_TYPE = 1 << 9
"""The flag of classes that are made by a ``class`` statement."""


def _weight(base: type) -> tuple[bool, bool, bool, bool, bool, int]:
    """How much there is for a base class to give instances their layout."""
    init = getattr(base, "__init__", None)
    has_init = isinstance(init, types.FunctionType) and init.__module__ != "typing"
    system_exit = issubclass(base, SystemExit)  # has a field of its own
    exception = issubclass(base, BaseException)
    below: list[type] = type.__subclasses__(base)
    alone = any(subclass.__bases__ == (base,) for subclass in below)
    return system_exit, exception, not _looks_on(base), has_init, alone, len(base.__mro__)


def _looks_on(base: type) -> bool:
    """Has the class no base of its own and still uses ``super()``?  Then it is a mixin."""
    return base.__bases__ == (object,) and any(
        isinstance(value, types.FunctionType) and "__class__" in value.__code__.co_freevars
        for value in base.__dict__.values()
    )


_PLAIN_METACLASSES = (type, abc.ABCMeta, type(typing.Protocol), enum.EnumMeta)
_IMPORT_TIME = frozenset(
    "__module__ __qualname__ __doc__ __new__ __init__ __prepare__ __classcell__ __dict__ "
    "__weakref__ __annotations__ __static_attributes__ __firstlineno__".split()
)
"""What a metaclass may define: it runs when the class is created."""


def _check_metaclass(cls: type) -> None:
    """Refuse metaclasses that change what a class does at run time."""
    for meta in type.mro(type(cls)):
        if meta in _PLAIN_METACLASSES or meta is object:
            continue
        for name in meta.__dict__:
            if name.startswith("__") and name.endswith("__") and name not in _IMPORT_TIME:
                raise UnsupportedClass(
                    f"class {cls.__name__} has the metaclass {meta.__name__}, which defines {name}",
                    "what a metaclass does at import is free, but not what it does at run time",
                )


def _check_finalizer(cls: type) -> None:
    """Is ``__del__``, if there is one, a method of an ordinary class?"""
    finalizer = getattr(cls, "__del__", None)
    if finalizer is None and not hasattr(cls, "__del__"):
        return
    if issubclass(cls, BaseException | enum.Enum):
        raise UnsupportedClass(
            f"class {cls.__name__} has __del__, but is no ordinary class",
            "call a method such as close() where the object is no longer needed",
        )
    if not isinstance(finalizer, types.FunctionType):
        raise UnsupportedClass(f"{cls.__name__}.__del__ is no method", "define it with def")
    code = finalizer.__code__
    if code.co_argcount - len(finalizer.__defaults__ or ()) != 1:
        raise UnsupportedClass(f"{cls.__name__}.__del__ cannot be called with self alone")


def _is_enum(cls: type) -> bool:
    return isinstance(cls, enum.EnumMeta)


def _check_enum(cls: type) -> None:
    """Refuse the kinds of enums whose members are more than objects."""
    if issubclass(cls, enum.Flag):
        _check_flags(cls)
    built_in = [base for base in cls.__mro__ if base.__module__ == "builtins"]
    if len(built_in) > 1 and value_base(cls) is None:
        raise UnsupportedClass(
            f"members of the enum {cls.__name__} are built-in values too", "use plain enum.Enum"
        )


def _check_flags(cls: Any) -> None:
    """Refuse flags that are ints, or too many, and those that decide themselves what a value is."""
    if issubclass(cls, int):
        raise UnsupportedClass(f"class {cls.__name__} is an enum.IntFlag", "use ints")
    missing = next(base for base in cls.__mro__ if "_missing_" in vars(base))
    if cls._boundary_ not in (enum.STRICT, enum.CONFORM) or missing is not enum.Flag:
        raise UnsupportedClass(
            f"values of {cls.__name__} may be none of its flags: it has another boundary than "
            "STRICT and CONFORM, or defines _missing_", "use ints",
        )  # fmt: skip
    if cls._flag_mask_.bit_length() > MOST_FLAGS:
        raise UnsupportedClass(
            f"the enum {cls.__name__} has more than {MOST_FLAGS} flags", "use ints"
        )


def is_generated(cls: type, method: str) -> bool:
    """Is it the method with which ``dataclass(frozen=True)`` refuses assignments?"""
    params = cls.__dict__.get("__dataclass_params__")
    frozen = params is not None and params.frozen
    return frozen and method in ("__setattr__", "__delattr__")
