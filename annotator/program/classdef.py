"""Class definitions: the classes of the program and what their attributes hold.

An attribute lives on the most general class through which it is read or written: using
``b.x`` for a base class ``B`` moves an ``x`` known only on subclasses up to ``B``.  A
class-level value that is not a function is the attribute's initial value in instances.
"""

from __future__ import annotations

import abc
import enum
import functools
import re
import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rpython.annotator.lattice.cells import Cell, Position
from rpython.annotator.overlay.descriptors import as_property
from rpython.annotator.program.excattrs import host_values
from rpython.stdlib._registry import METHODS_IN_PLACE
from rpython.stdlib.enum import MOST_FLAGS
from rpython.translator.ir.home import home_of_class
from rpython.translator.ir.span import Span

_TRANSPARENT_BASES: tuple[Any, ...] = (
    object, abc.ABC, typing.Generic, typing.Protocol, enum.Enum, enum.Flag,
)  # fmt: skip
"""Bases that add nothing to instances."""
OF_BUILTIN = "_rpython_of_builtin_"
"""Of a class of the library: the built-in class, above it, of which its instances are some to the
program."""
HOLDS = "_rpython_holds_"
"""The mark of the classes of holders (``state.py``): what messages call their attributes."""
_REFUSED_METHODS = {
    "__new__": "create instances in a function instead",
    "__getattr__": "define the attributes, or call a method that takes the name",
    "__getattribute__": "define the attributes, or call a method that takes the name",
    "__setattr__": "call a method that takes the name and the value",
    "__delattr__": "call a method that takes the name",
}
"""Methods that change what creating an instance or using its attributes means."""


class UnsupportedClass(Exception):
    """The class uses features outside the restricted language; the text says which."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Lookup:
    """How a function is found on the class of an instance: ``name``, in all classes of its
    MRO or in those after ``after`` (``super()``); of a property, its ``part``.

    ``other``: an operator asks the method about an operand of this kind; each kind has a
    graph of its own, so that ``isinstance(other, ...)`` in the method is decided."""

    name: str
    after: type | None = None
    part: str = "fget"
    other: object = None


class Attribute(Cell):
    """The cell of one instance attribute; ``homedef`` is the class that has the field."""

    __slots__ = ("deleted", "homedef", "joined_at", "name", "read_at", "written")

    def __init__(self, homedef: ClassDef, name: str, joined_at: Span | None = None) -> None:
        super().__init__(_label(homedef, name))
        self.homedef = homedef
        self.name = name
        self.joined_at = joined_at
        """Where an object that is known as a ``homedef`` only is read, which made this one
        attribute of what the classes below have; None where an assignment did."""
        self.deleted = False
        """Does the program delete it somewhere?"""
        self.written = False
        """Does some operation assign it?"""
        self.read_at: Span | None = None
        """Where it is read first, for the message about an attribute that nobody sets."""


def _label(homedef: ClassDef, name: str) -> str:
    """What messages call an attribute; those of graph-made classes hold local variables."""
    label: str | None = vars(homedef.cls).get(HOLDS)
    if label is not None:
        return label.format(name)
    if not is_state_machine(homedef):
        return f"attribute {name!r} of {homedef.name}"
    if name == "contents":
        name = vars(homedef.cls)["_rpython_of_"]
    elif is_generator(homedef):
        name = name.rpartition("_")[0] or name
    return f"variable {name!r}"


class ClassDef:
    """One class: its place in the hierarchy, attributes, prebuilt instances."""

    def __init__(self, cls: type, base: ClassDef | None) -> None:
        self.cls = cls
        self.seen_as: type = cls.__dict__.get(OF_BUILTIN, cls)
        """The class of instances as the program sees it."""
        self.name: str = self.seen_as.__name__
        self.home = home_of_class(cls)
        self.base = base
        self.subdefs: list[ClassDef] = []
        self.attrs: dict[str, Attribute] = {}
        self.prebuilt: list[Any] = []
        self.tested: dict[str, None] = {}
        """The names that ``hasattr`` asks its instances for."""
        self.instantiated = False
        self.counted_at: dict[Position, None] = {}
        """Where it matters which instances there are: calls with ``specialize.memo``, say."""
        self.bare = False
        """Are there instances made without ``__init__``?"""
        self.keeps_members = "_rpython_keeps_members_" in cls.__dict__
        """Is it known which of its subclasses an instance may be of?"""
        self._values: dict[tuple[str, type | None], tuple[type, Any] | None] = {}
        self.method_readers: dict[str, dict[Position, None]] = {}
        self.relatives: dict[type, ClassDef] = {} if base is None else base.relatives
        """Every class of the tree that this one belongs to."""
        self.relatives[cls] = self
        self.depth: int = 0 if base is None else base.depth + 1
        if base is not None:
            base.subdefs.append(self)

    def __repr__(self) -> str:
        return f"<ClassDef {self.name}>"

    def mro(self) -> Iterator[ClassDef]:
        """This class and its bases, most special first."""
        classdef: ClassDef | None = self
        while classdef is not None:
            yield classdef
            classdef = classdef.base

    def root(self) -> ClassDef:
        """The most general class above."""
        return self if self.base is None else self.base.root()

    def concrete(self, members: frozenset[ClassDef] | None) -> list[ClassDef]:
        """The classes that instances with these ``SomeInstance.members`` may be of."""
        if members is None:
            return list(self.subtree())
        return [classdef for classdef in self.subtree() if classdef in members]

    def subtree(self) -> Iterator[ClassDef]:
        """This class and everything below it, in order of discovery."""
        stack = [self]
        while stack:
            classdef = stack.pop()
            yield classdef
            stack.extend(reversed(classdef.subdefs))

    def is_subclass_of(self, other: ClassDef) -> bool:
        classdef: ClassDef | None = self
        while classdef is not None and classdef.depth >= other.depth:
            if classdef is other:
                return True
            classdef = classdef.base
        return False

    def note_reader(self, name: str, position: Position) -> None:
        """The operation there looks at what instances, subclasses too, have under the name."""
        self.method_readers.setdefault(name, {})[position] = None

    def common_base(self, other: ClassDef) -> ClassDef | None:
        """The most special class above both, or None."""
        return next((cd for cd in self.mro() if other.is_subclass_of(cd)), None)

    def find_attribute(self, name: str) -> Attribute | None:
        return next((cd.attrs[name] for cd in self.mro() if name in cd.attrs), None)

    def class_value(self, name: str, after: type | None = None) -> tuple[type, Any] | None:
        """The class-level value of ``name`` and the host class that defines it, or None.

        ``after``: look only at the classes after this one in the MRO."""
        key = (name, after)
        if key not in self._values:
            self._values[key] = self._find_value(name, after)
        return self._values[key]

    def _find_value(self, name: str, after: type | None) -> tuple[type, Any] | None:
        mro = self.cls.__mro__
        if after is not None:
            if after not in mro:
                return None
            mro = mro[mro.index(after) + 1 :]
        for cls in mro:
            if cls is enum.Enum and name in ("__str__", "__repr__"):
                return cls, cls.__dict__[name]
            methods = METHODS_IN_PLACE.get(cls)
            if methods is not None and is_method(methods.__dict__.get(name)):
                return cls, methods.__dict__[name]
            if name in cls.__dict__ and not _adds_nothing(self.cls, cls):
                if _has_method_in_place(cls, name):
                    continue
                if getattr(cls.__dict__[name], "__module__", "") == "typing":
                    continue  # what Protocol adds
                return cls, _as_property(cls.__dict__[name])
        return None

    def find_function(self, lookup: Lookup) -> tuple[type, types.FunctionType] | None:
        """The function that a lookup finds, and the host class that defines it.  An abstract
        one counts as none: no instance has it, but ``super()`` finds it."""
        found = self.class_value(lookup.name, lookup.after)
        function = None
        if found is not None and (lookup.after is not None or not is_abstract(found[1])):
            function = function_of(found[1], lookup.part)
        return None if found is None or function is None else (found[0], function)

    def entry(self, owner: type) -> ClassDef:
        """The most general class here or above that has the host class ``owner`` in its MRO:
        ``owner``'s own definition, or the class that mixes it in."""
        classdef = self
        while classdef.base is not None and owner in classdef.base.cls.__mro__:
            classdef = classdef.base
        return classdef

    def own_classes(self) -> list[type]:
        """The host classes that this class adds to its base: itself and its mixins."""
        above = () if self.base is None else self.base.cls.__mro__
        return [
            cls for cls in self.cls.__mro__ if cls not in above and not _adds_nothing(self.cls, cls)
        ]

    def defines(self, *names: str) -> bool:
        """Does this class or one of its mixins, written in Python, define one of the names?"""
        return any(
            name in cls.__dict__
            for cls in self.own_classes() if cls.__module__ != "builtins" for name in names
        )  # fmt: skip

    def tops(self, cls: type) -> list[ClassDef]:
        """The most general classes here or below whose instances are all of host class
        ``cls``."""
        if issubclass(self.cls, cls):
            return [self]
        known = self.relatives.get(cls)
        if known is not None and type(cls) is type and not cls.__subclasses__():
            return [known] if known.is_subclass_of(self) else []
        return [
            classdef for classdef in self.subtree()
            if issubclass(classdef.cls, cls)
            and (classdef.base is None or not issubclass(classdef.base.cls, cls))
        ]  # fmt: skip

    def text_definers(self, name: str) -> list[ClassDef]:
        """The most general classes, this one or below, whose instances have a method of that
        name that a class of the program defines."""
        if any(classdef.defines(name) for classdef in self.mro()):
            return [self]
        return [found for sub in self.subdefs for found in sub.text_definers(name)]

    def without_text(self, quoted: bool) -> list[ClassDef]:
        """The classes, this one or below, whose instances have no method of the program for
        ``str()`` or (``quoted``) ``repr()``: they show their address."""
        names = ("__repr__",) if quoted else ("__str__", "__repr__")
        return [
            classdef for classdef in self.subtree()
            if not any(above.defines(*names) for above in classdef.mro())
        ]  # fmt: skip

    def first_with(self, name: str) -> list[ClassDef]:
        """The most general classes here and below that have a class-level value."""
        having = [cd for cd in self.subtree() if cd.class_value(name) is not None]
        return [
            cd for cd in having
            if cd is self or cd.base is None or cd.base.class_value(name) is None
        ]  # fmt: skip

    def text_method(self, quoted: bool) -> str | None:
        """The method that ``str()`` or (``quoted``) ``repr()`` of an instance calls, if a
        class of the program defines one."""
        for name in ("__repr__",) if quoted else ("__str__", "__repr__"):
            for classdef in (*self.mro(), *self.subtree()):
                if classdef.defines(name):
                    return name
            if issubclass(self.cls, enum.Enum):
                return name
            if issubclass(self.cls, BaseException):
                return None
        return None

    def abstract_methods(self) -> list[str]:
        """The names of the methods that keep the class from being instantiated.  (Exceptions do not
        mind.)"""
        if issubclass(self.cls, BaseException):
            return []
        return sorted(getattr(self.cls, "__abstractmethods__", ()))

    def abstract_message(self) -> str:
        """What CPython says when the class is called, which has abstract methods."""
        try:
            object.__new__(self.cls)
        except TypeError as error:
            return str(error)
        raise AssertionError(self.name)

    def own_class_value(self, name: str, after: type | None = None) -> tuple[type, Any] | None:
        """Like ``class_value``, but only what this class adds to its base."""
        found = self.class_value(name, after)
        if found is None or self.base is None:
            return found
        inherited = self.base.class_value(name, after)
        same = inherited is not None and inherited[0] is found[0]
        return None if same else found


_PROPERTIES: dict[int, tuple[Any, property]] = {}
"""Objects that are properties as class attributes, and these, by id."""


def _as_property(value: Any) -> Any:
    """The property that a descriptor of the program stands for; anything else as it is."""
    if not is_descriptor(value) or isinstance(value, types.FunctionType | property):
        return value
    if id(value) not in _PROPERTIES:
        made = as_property(value)
        if made is None:
            return value
        _PROPERTIES[id(value)] = value, made
    return _PROPERTIES[id(value)][1]


def _has_method_in_place(cls: type, name: str) -> bool:
    """Is it a method of a class above, to which the host has given it, too, that is replaced?"""
    return any(
        base in METHODS_IN_PLACE and vars(base).get(name) is vars(cls)[name]
        for base in cls.__mro__[1:]
    )


def _adds_nothing(cls: type, base: type) -> bool:
    """Have instances of ``cls`` nothing of this class above it?"""
    return base in _TRANSPARENT_BASES or base is cls.__dict__.get(OF_BUILTIN)


def host_base(cls: type) -> type | None:
    """The base class that gives instances of ``cls`` their layout, None for ``object``.

    Of several base classes the others are mixins: their attributes and methods become those
    of ``cls``.  Raises UnsupportedClass for what has no place in the restricted language.
    """
    name = cls.__name__
    if cls is bool:
        return int  # as an object that type() gives: there are no instances here
    if cls.__module__ != "builtins" and not cls.__flags__ & _HEAP_TYPE:
        raise UnsupportedClass(
            f"class {cls.__module__}.{name} is not supported: it is written in C",
            "use built-in containers, or write the class in Python",
        )
    _check_metaclass(cls)
    if issubclass(cls, BaseExceptionGroup):
        raise UnsupportedClass(f"{name} is an exception group", "raise one exception")
    if cls.__module__ != "builtins":
        for method, hint in _REFUSED_METHODS.items():
            if method in cls.__dict__ and not is_generated(cls, method) and not _is_enum(cls):
                raise UnsupportedClass(f"class {name} defines {method}", hint)
        _check_finalizer(cls)
    if _is_enum(cls):
        _check_enum(cls)
    bases = [base for base in cls.__bases__ if not _adds_nothing(cls, base)]
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


_HEAP_TYPE = 1 << 9
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
    if len([base for base in cls.__mro__ if base.__module__ == "builtins"]) > 1:
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


def refuses_assignments(classdef: ClassDef, name: str) -> bool:
    """Does assigning the attribute raise FrozenInstanceError, whatever class the instance is of?"""
    return all(
        any(
            is_generated(base, "__setattr__")
            and (base is subdef.cls or name in vars(base)["__dataclass_fields__"])
            for base in subdef.cls.__mro__
        )
        for subdef in classdef.subtree()
    )


def is_state_machine(classdef: ClassDef) -> bool:
    """Is it a class that the flow graphs made, whose code never reads an attribute that it
    has not set?"""
    return hasattr(classdef.cls, "_rpython_state_machine_")


def is_generator(classdef: ClassDef) -> bool:
    """Is it a class that a generator function was turned into?"""
    return is_state_machine(classdef) and hasattr(classdef.cls, "__next__")


def is_method(value: Any) -> bool:
    """Does a class-level value bind as a method?"""
    return isinstance(value, types.FunctionType)


def is_abstract(value: Any) -> bool:
    """Is it marked with ``abc.abstractmethod``?"""
    return getattr(value, "__isabstractmethod__", False) is True


def function_of(value: Any, part: str = "fget") -> types.FunctionType | None:
    """The function behind a method, or behind a ``part`` of a property (fget, fset); else
    None."""
    if isinstance(value, property):
        value = getattr(value, part)
    elif isinstance(value, functools.cached_property):
        value = value.func
    return value if isinstance(value, types.FunctionType) else None


def stored_name(cls: type, name: str) -> str:
    """The name under which instances keep an attribute: ``value`` and ``name`` of members of
    an enum are attributes with another name."""
    if issubclass(cls, enum.Enum) and name in ("name", "value"):
        return f"_{name}_"
    return name


def is_descriptor(value: Any) -> bool:
    """Does a class-level value decide itself what reading the attribute gives?  (Methods,
    properties, ``__slots__``, ...)"""
    return hasattr(type(value), "__get__")


def is_slot(value: Any) -> bool:
    """Is a class-level value the place of an attribute in ``__slots__``?"""
    return isinstance(value, types.MemberDescriptorType)


def refused_name(cls: type, name: str) -> str:
    """Why instances of the class cannot have an attribute of that name; "" when they can."""
    if cls.__dictoffset__ == 0 and has_slots(cls):
        if name not in _slots(cls):
            return f"it is not in __slots__ of class {cls.__name__}"
    if "_attrs_" in cls.__dict__ and cls not in _TRANSPARENT_BASES:
        if not any(name in _names(base.__dict__.get("_attrs_", ())) for base in cls.__mro__):
            return f"it is not in _attrs_ of class {cls.__name__}"
    return ""


def immutable_fields(cls: type) -> list[str]:
    """The names in ``_immutable_fields_`` of the class itself, without what follows them: ``?``
    (rarely assigned), ``[*]`` (the items of the list never change), ``[**]`` (nor theirs)."""
    declared = cls.__dict__.get("_immutable_fields_", ())
    return [re.sub(r"(\?|\[\*\*?\])*$", "", name) for name in _names(declared)]


def _names(declared: Any) -> list[str]:
    """What ``_attrs_`` and the like name: a sequence of names, or a str of them."""
    return declared.split() if isinstance(declared, str) else list(declared)


def prebuilt_attributes(x: Any) -> dict[str, Any]:
    """The attributes that a host instance has itself, those in ``__slots__`` too."""
    own: dict[str, Any] = getattr(x, "__dict__", {})
    if isinstance(x, BaseException):
        own = {**host_values(x), **own}
    slots = _slots(type(x))
    if not slots:
        return own
    values = {name: getattr(x, name) for name in slots if hasattr(x, name)}
    return {**own, **values}


def has_slots(cls: type) -> bool:
    """Is it a Python class without ``__dict__`` in its instances?"""
    return any("__slots__" in base.__dict__ for base in cls.__mro__)


_WRITTEN_IN_PYTHON = 1 << 9
"""The flag of classes made at run time (Py_TPFLAGS_HEAPTYPE): their members are their slots."""


def _slots(cls: type) -> list[str]:
    bases = [
        base for base in cls.__mro__
        if ("__slots__" in base.__dict__ or not base.__flags__ & _WRITTEN_IN_PYTHON)
        and base.__module__ != "builtins"
    ]  # fmt: skip
    return [name for base in bases for name, value in base.__dict__.items() if is_slot(value)]
