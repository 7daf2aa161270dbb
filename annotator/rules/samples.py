"""Host values like those of an annotation: by trying an operation on them we learn what CPython
does with it (``annotator.rules.raised``).

    SomeString()                "a", "", "%d", "%s"
    SomeTuple((int, str))       (1, "a"), (0, "")
    SomeInstance(Node)          an instance of another class named Node, without methods

What an operation raises must be the same for all of them.  So there are several where it may
depend on a value, and none where there are no values of which we could be sure.
"""

from __future__ import annotations

import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Set
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from rpython.annotator.lattice.enumints import SomeEnumInt
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_BYTEARRAY,
    K_BYTES,
    K_DICT,
    K_FLOAT,
    K_FROZENSET,
    K_FUNCTION,
    K_HOST,
    K_INT,
    K_LIST,
    K_METHOD,
    K_NONE,
    K_RANGE,
    K_SET,
    K_SLICE,
    K_STR,
    K_TUPLE,
    SomeBuiltinMethod,
    SomeClass,
    SomeDictView,
    SomeFunction,
    SomeInstance,
    SomeInteger,
    SomeIterator,
    SomeMethod,
    SomeObject,
    SomePBC,
    SomeTuple,
)
from rpython.annotator.lattice.namedtuples import SomeNamedTuple
from rpython.annotator.lattice.parts import class_of_kind, is_big, parts_of
from rpython.annotator.program.classdef import ClassDef, is_generator
from rpython.annotator.program.desc import FunctionDesc, MethodDesc
from rpython.stdlib._registry import PER_SITE, replacement_of
from rpython.translator.ir.home import home_of_class

ANY_METHOD = "*"
"""Asks for instances without any special method."""
HASHED = "hash()"
"""Asks for instances that have no hash, whatever else they have."""


def samples(s: SomeObject, asked: Set[str]) -> list[Any]:
    """Values like those of the annotation; none where there are none that may be used, or that do
    what they do.  ``asked``: the methods and attributes that instances and classes must not
    have."""
    found = [_samples_of_part(part, asked) for part in parts_of(s)]
    return [sample for of_part in found for sample in of_part] if all(found) else []


def _some_function() -> None:
    """A function of the program."""


class _Some:
    def method(self) -> None:
        """A method of the program."""


_SAMPLES: dict[int, Callable[[], list[Any]]] = {
    K_NONE: lambda: [None], K_BOOL: lambda: [True, False], K_INT: lambda: [1, 0],
    K_FLOAT: lambda: [1.5, 0.0], K_STR: lambda: ["a", "", "%d", "%s"],
    K_BYTES: lambda: [b"a", b"", b"%d"], K_BYTEARRAY: lambda: [bytearray(b"a"), bytearray()],
    K_LIST: lambda: [[1], [], ["a"]], K_DICT: lambda: [{1: 1}, {}, {"a": "a"}],
    K_SET: lambda: [{1}, set(), {"a"}], K_TUPLE: lambda: [(1,), (), ("a",)],
    K_FROZENSET: lambda: [frozenset((1,)), frozenset(), frozenset("a")],
    K_RANGE: lambda: [range(1), range(0)], K_FUNCTION: lambda: [_some_function],
    K_METHOD: lambda: [_Some().method], K_SLICE: lambda: [slice(None)],
}  # fmt: skip
"""Values of each kind that operations may treat differently: what is raised must not depend on
whether a container is empty, on what its items are, and on whether a text is a template."""

_ITERATORS: dict[type | None, Callable[[], Any]] = {
    map: lambda: map(str, ["a"]), filter: lambda: filter(None, ["a"]), zip: lambda: zip(["a"]),
    enumerate: lambda: enumerate(["a"]),
}  # fmt: skip
_PLAIN = (bool, int, float, str, bytes)


def _samples_of_part(part: SomeObject, asked: Set[str]) -> list[Any]:
    if part.kinds == K_HOST and part.is_constant():
        return [part.value]
    if part.is_constant() and type(part.value) in _PLAIN:
        return [part.value]
    if is_big(part):
        return [1 << 64, -1 << 64]
    if isinstance(part, SomeInteger):
        return _numbers(part)
    if isinstance(part, SomeInstance):
        return _stand_ins(part, asked)
    if isinstance(part, SomeClass):
        return _stand_in_classes(part, asked)
    if isinstance(part, (SomeFunction, SomeMethod)):
        return _functions(part, asked)
    if isinstance(part, SomeTuple):
        return _tuples(part)
    if isinstance(part, SomeBuiltinMethod):
        found = samples(part.s_self, asked)
        return [getattr(x, part.name) for x in found if hasattr(x, part.name)]
    if isinstance(part, SomeDictView):
        return [getattr(host, part.which)() for host in ({1: 1}, {}, {"a": "a"})]
    cls = class_of_kind(part)
    if isinstance(part, SomeIterator):
        return [_ITERATORS[cls]()] if cls in _ITERATORS else []
    if cls is OrderedDict:
        return [OrderedDict(host) for host in _SAMPLES[K_DICT]()]
    make = _SAMPLES.get(part.kinds)
    return [] if make is None else make()


def _functions(part: SomePBC, asked: Set[str]) -> list[Any]:
    """A function or method like those of the program, if none of them has one of the attributes."""
    for desc in part.descs:
        function = desc.function if isinstance(desc, MethodDesc) else desc
        assert isinstance(function, FunctionDesc)
        if function.home.is_ours or any(hasattr(function.func, name) for name in asked - _METHODS):
            return []
    return _SAMPLES[part.kinds]()


_METHODS = frozenset(dir(_some_function))
"""What every function has."""


def _numbers(part: SomeInteger) -> list[Any]:
    if isinstance(part, SomeEnumInt):
        return list(part.cls)[:3]
    if part.knowntype is not int:
        return []
    return [1, 0, True, False] if part.may_be_bool else [1, 0]


def _tuples(part: SomeTuple) -> list[Any]:
    """Of items like its items, or else of any."""
    items = [samples(s_item, {ANY_METHOD}) or [1, "a"] for s_item in part.items]
    rows = [[of_item[i % len(of_item)] for of_item in items] for i in range(3)]
    if isinstance(part, SomeNamedTuple):
        return [part.cls._make(row) for row in rows]
    return [tuple(row) for row in rows]


# -- instances and classes of the program -------------------------------------------------------


_OF_LIBRARY: dict[type, Callable[[], list[Any]]] = {
    Counter: lambda: [Counter(), Counter("a"), Counter({1: 2})],
    defaultdict: lambda: [defaultdict(list), defaultdict(list, a=[1]), defaultdict(int, {1: 2})],
    deque: lambda: [deque(), deque([1]), deque("a")],
    Decimal: lambda: [Decimal(), Decimal("1.5")],
    Fraction: lambda: [Fraction(), Fraction(3, 2)],
    date: lambda: [date(2024, 2, 29)],
    datetime: lambda: [datetime(2024, 2, 29)],
    timedelta: lambda: [timedelta(), timedelta(1)],
}  # fmt: skip
"""Instances of classes of the library in whose place programs have others."""


def of_library(part: SomeObject) -> list[Any]:
    """Instances of the class of the library that the value is certainly of; or none."""
    if not isinstance(part, SomeInstance) or part.classdef.subdefs:
        return []
    host = _host_class(part.classdef) if part.classdef.home.is_ours else None
    make = None if host is None else _OF_LIBRARY.get(host)
    return [] if make is None else make()


def _stand_ins(part: SomeInstance, asked: Set[str]) -> list[Any]:
    """For each class that the instance may be of, stand-ins, if there are some for all of them."""
    if found_in_library := of_library(part):
        return found_in_library
    found = [of_class for _, of_class in stand_ins(part, asked)]
    return [stand_in for of_class in found for stand_in in of_class] if all(found) else []


def stand_ins(part: SomeInstance, asked: Set[str]) -> list[tuple[ClassDef, list[Any]]]:
    """The classes that the instance may be of, and for each instances of one of the same name
    that has none of the methods; none if the class may have some of them."""
    possible = part.classdef.concrete(part.members)
    classdefs = [of for of in possible if of.instantiated or of.prebuilt]
    if not classdefs or issubclass(part.classdef.cls, BaseException):  # operations make these, too
        classdefs = possible
    return [(of, _stand_ins_of_class(of, asked)) for of in classdefs]


def _stand_ins_of_class(classdef: ClassDef, asked: Set[str]) -> list[Any]:
    if is_generator(classdef) and classdef.home.is_program:
        return [(number for number in range(2))]
    if HASHED in asked:
        return _unhashable(classdef)
    extended = _extended(classdef)
    if _has_any(classdef, asked, extended):
        return []
    cls = _stand_in_class(classdef, asked, extended)
    if extended is None:
        return [cls()]
    return [cls(value) for value in _EXTENDED[extended]()]


_EXTENDED: dict[type, Callable[[], list[Any]]] = {
    str: _SAMPLES[K_STR], int: _SAMPLES[K_INT], float: _SAMPLES[K_FLOAT],
    tuple: _SAMPLES[K_TUPLE], list: _SAMPLES[K_LIST], dict: _SAMPLES[K_DICT],
    set: _SAMPLES[K_SET],
}  # fmt: skip
"""Built-in classes that classes of programs extend: the host knows what their methods do."""


def _extended(classdef: ClassDef) -> type | None:
    """The built-in class that a class of the program extends."""
    extended = getattr(classdef.cls, PER_SITE, None) if classdef.is_written else None
    return extended if extended in _EXTENDED else None


def _unhashable(classdef: ClassDef) -> list[Any]:
    """A stand-in without a hash, if instances of the class have none."""
    host = _host_class(classdef)
    if host is None or host.__hash__ is not None:
        return []
    return [type(classdef.name, (), {"__hash__": None})()]


def _stand_in_class(
    classdef: ClassDef, asked: Set[str], extended: type | None = None
) -> type:  # fmt: skip
    """A class that has the name, as messages give it: with its module if it is written in C."""
    host = _host_class(classdef)
    with_dict = "__setattr__" in asked and (host or classdef.cls).__dictoffset__ != 0
    space: dict[str, Any] = {} if with_dict else {"__slots__": ()}
    name = classdef.name
    if host is not None and not host.__flags__ & _WRITTEN_IN_PYTHON:
        name = host.__name__ if host.__module__ == "builtins" else f"{host.__module__}.{name}"
    return type(name, () if extended is None else (extended,), space)


_WRITTEN_IN_PYTHON = 1 << 9
"""The bit of ``__flags__`` that classes have that are made when the host runs."""


def _host_class(classdef: ClassDef) -> type | None:
    """The class that CPython has in place of it; None where it is not known."""
    if classdef.seen_as is not classdef.cls or not classdef.home.is_ours:
        return classdef.seen_as
    host = getattr(sys.modules.get(classdef.cls.__module__), classdef.cls.__name__, None)
    return host if isinstance(host, type) and not home_of_class(host).is_ours else None


def _stand_in_classes(part: SomeClass, asked: Set[str]) -> list[Any]:
    """The same for classes, which may have no metaclass."""
    classes = [desc.classdef for desc in part.descs if hasattr(desc, "classdef")]
    if "__setattr__" in asked or any(type(of.seen_as) is not type for of in classes):
        return []
    asked = asked | {"__class_getitem__"}
    if not classes or any(_has_any(classdef, asked) for classdef in classes):
        return []
    return [_stand_in_class(classdef, asked) for classdef in classes]


def _has_any(classdef: ClassDef, asked: Set[str], extended: type | None = None) -> bool:
    """Has the class, or what it stands for, one of the methods, or may it have?  Those of the
    built-in class that it extends do not count, nor those of what stands for that here."""
    if hasattr(classdef.cls, "_rpython_ctype_"):
        return True
    chain = [of for of in classdef.mro() if extended is None or not of.home.is_ours]
    known = [of.attrs[name] for of in chain for name in asked if name in of.attrs]
    if any(attribute.s_value.kinds for attribute in known):
        return True
    host = _host_class(classdef)
    if host is None:
        return True
    bases = {*classdef.cls.__mro__, *host.__mro__} - {object}
    if extended is not None:
        bases = {base for base in bases if not home_of_class(base).is_ours}
    if "__getattribute__" in asked and any(replacement_of(base) is not base for base in bases):
        return True  # its base may have attributes of which no class knows
    names = {name for base in bases for name in vars(base)}
    if ANY_METHOD in asked and any(map(_matters, names)):
        return True
    return not names.isdisjoint(asked)


def _matters(name: str) -> bool:
    """Is it the name of a special method that some function may call?"""
    return name.startswith("__") and name.endswith("__") and name not in _NEVER_ASKED


_NEVER_ASKED = frozenset(
    f"__{name}__" for name in (
        "init", "module", "doc", "dict", "weakref", "qualname", "annotations", "slots", "repr",
        "str", "post_init", "init_subclass", "dataclass_fields", "dataclass_params", "match_args",
        "static_attributes", "firstlineno", "annotate", "parameters", "orig_bases",
        "abstractmethods",
    )
)  # fmt: skip

