"""Class definitions: the classes of the program and what their attributes hold.

An attribute lives on the most general class through which it is read or written: using
``b.x`` for a base class ``B`` moves an ``x`` known only on subclasses up to ``B``.  A
class-level value that is not a function is the attribute's initial value in instances.
"""

from __future__ import annotations

import enum
import functools
import re
import types
from collections.abc import Iterator
from typing import Any

from rpython.annotator.lattice.cells import Cell, Position
from rpython.annotator.overlay.blocked import blocked, is_blocked
from rpython.annotator.overlay.by_items import by_items
from rpython.annotator.overlay.constant_properties import constant_property
from rpython.annotator.overlay.descriptors import HIDES
from rpython.annotator.overlay.hidden_methods import METHOD, binds, hidden_method, hidden_names
from rpython.annotator.program.excattrs import host_values
from rpython.annotator.program.hostclasses import (
    OF_BUILTIN,
    TRANSPARENT_BASES,
    adds_nothing,
    as_property,
    counts_as,
    has_method_in_place,
    is_descriptor,
    is_generated,
    is_method,
    value_base,
)
from rpython.stdlib._registry import METHODS_IN_PLACE
from rpython.translator.ir.home import home_of_class
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span

HOLDS = "_rpython_holds_"
"""The mark of the classes of holders (``state.py``): what messages call their attributes."""


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


_METHODS_IN_C = (types.WrapperDescriptorType, types.MethodDescriptorType)
BEGIN = Lookup("_rpython_new_")
"""What makes the container inside of an instance, before ``__init__`` (``stdlib._subclasses``)."""


VERY_CLASS = "type()"
"""What ``note_class_reader`` notes, in place of a name."""


INSIDE = ("_rpython_items_", "_rpython_value_")
"""The attributes with the container or the value inside of an instance that extends a built-in
class: what makes the instance sets them first."""


class Attribute(Cell):
    """The cell of one instance attribute; ``homedef`` is the class that has the field."""

    __slots__ = ("deleted", "homedef", "joined_at", "looked_at", "name", "read_at", "written")

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
        self.looked_at: set[Position] = set()
        """Which of its readers do without it where nothing sets it: they copy an object, or ask
        what attributes it has."""
        self.read_at: Span | None = None
        """Where it is read first, for the message about an attribute that nobody sets."""

    @property
    def unset(self) -> tuple[type[Exception], str]:
        """What reading it raises where it is not set, and its text: a global variable is an
        attribute, too."""
        if HOLDS in vars(self.homedef.cls):
            return NameError, f"name {self.name!r} is not defined"
        name = self.name.removeprefix(HIDES)
        return AttributeError, f"{self.homedef.name!r} object has no attribute {name!r}"


def _is_mixed_in(cls: type, name: str) -> bool:
    """Has an enum the name from another class, too, which would come before ``Enum``?"""
    between = cls.__mro__[1 : cls.__mro__.index(enum.Enum)]
    return any(name in vars(above) and above.__module__ != "enum" for above in between)


def _label(homedef: ClassDef, name: str) -> str:
    """What messages call an attribute; those of graph-made classes hold local variables."""
    label: str | None = vars(homedef.cls).get(HOLDS)
    if label is not None:
        return label.format(name)
    if not is_state_machine(homedef):
        name = name.removeprefix(HIDES)
        return f"attribute {name!r} of {homedef.name}"
    if name == "contents":
        name = vars(homedef.cls)["_rpython_of_"]
    elif is_generator(homedef):
        name = name.rpartition("_")[0] or name
    return f"variable {name!r}"


class ClassDef:
    """One class: its place in the hierarchy, attributes, prebuilt instances."""

    def __init__(
        self, cls: type, base: ClassDef | None, hidden: frozenset[str] = frozenset()
    ) -> None:
        self.cls = cls
        self.hidden: frozenset[str] = hidden if base is None else base.hidden
        """The methods, of all classes of the tree, in place of which an instance may have an
        attribute."""
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

    @property
    def is_written(self) -> bool:
        """Does its text stand in the program, so that the reader can define something in it?  The
        class of a generator or coroutine is made from a function."""
        return self.home.is_program and "_rpython_of_builtin_" not in vars(self.cls)

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

    def note_class_reader(self, position: Position) -> None:
        """The operation there depends on the very class of instances: what it does with one of a
        subclass that nobody has seen is not known."""
        self.note_reader("__class__", position)
        self.note_reader(VERY_CLASS, position)

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
        if name.startswith(METHOD):
            name = name.removeprefix(METHOD)
            return next(((cls, vars(cls)[name]) for cls in mro if name in vars(cls)), None)
        if after is not None:
            if after not in mro:
                return None
            mro = mro[mro.index(after) + 1 :]
        for cls in mro:
            if cls is enum.Enum and name in ("__str__", "__repr__"):
                return cls, cls.__dict__[name]
            value = value_base(self.cls) if cls in (str, float) else None
            for above in () if value is None else value.__mro__[:-1]:
                if is_method(vars(above).get(name)):
                    return above, vars(above)[name]
            if self._is_of_value(vars(cls).get(name)):
                continue
            methods = METHODS_IN_PLACE.get(cls)
            if methods is not None and is_method(methods.__dict__.get(name)):
                return cls, methods.__dict__[name]
            if name in cls.__dict__ and not adds_nothing(self.cls, cls):
                if has_method_in_place(cls, name):
                    if value_base(self.cls) is None and not _is_mixed_in(cls, name):
                        continue
                    in_place = vars(METHODS_IN_PLACE[enum.Enum])
                    return enum.Enum, in_place.get(name, vars(enum.Enum)[name])
                if getattr(cls.__dict__[name], "__module__", "") == "typing":
                    continue  # what Protocol adds
                return cls, self._as_property(cls, name, after is None)
        if name == "__iter__" and after is None:
            found = self.class_value("__getitem__")
            if found is not None and is_method(found[1]):
                return found[0], by_items
        return None

    def _as_property(self, cls: type, name: str, of_instance: bool) -> Any:
        """What the class has under the name, or the property that it stands for."""
        value = cls.__dict__[name]
        if is_blocked(value, name):
            return blocked(name)
        if of_instance and name in self.hidden and binds(value) and not is_abstract(value):
            return hidden_method(name)
        found = as_property(value, name)
        plain = home_of_class(cls).is_program and not isinstance(cls, enum.EnumMeta)
        if not plain or is_descriptor(found) or name[:2] == "__":
            return found
        return constant_property(cls, name) or found

    def _is_of_value(self, value: Any) -> bool:
        """Is it what an enum has from the class of the values that its members are?"""
        return isinstance(self.cls, enum.EnumMeta) and isinstance(value, _METHODS_IN_C)

    def hides(self, name: str) -> bool:
        """Is the class-level value of that name one that the program does not see?"""
        found = self.class_value(name)
        return found is not None and found[1] is by_items

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
        value = value_base(self.cls)
        return [
            cls for cls in (*self.cls.__mro__, *(() if value is None else value.__mro__))
            if cls not in above and not adds_nothing(self.cls, cls)
        ]  # fmt: skip

    def defines(self, *names: str) -> bool:
        """Does this class or one of its mixins, written in Python, define one of the names?"""
        return any(
            name in cls.__dict__
            for cls in self.own_classes() if cls.__module__ != "builtins" for name in names
        )  # fmt: skip

    def tops(self, cls: type) -> list[ClassDef]:
        """The most general classes here or below whose instances are all of host class
        ``cls``."""
        if counts_as(self.cls, cls):
            return [self]
        known = self.relatives.get(cls)
        if known is not None and type(cls) is type and not cls.__subclasses__():
            return [known] if known.is_subclass_of(self) else []
        return [
            classdef for classdef in self.subtree()
            if counts_as(classdef.cls, cls)
            and (classdef.base is None or not counts_as(classdef.base.cls, cls))
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


def is_slot(value: Any) -> bool:
    """Is a class-level value the place of an attribute in ``__slots__``?"""
    return isinstance(value, types.MemberDescriptorType)


def refused_name(cls: type, name: str) -> str:
    """Why instances of the class cannot have an attribute of that name; "" when they can."""
    if cls.__dictoffset__ == 0 and has_slots(cls):
        if name not in _slots(cls):
            return f"it is not in __slots__ of class {cls.__name__}"
    if "_attrs_" in cls.__dict__ and cls not in TRANSPARENT_BASES:
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
    if value_base(type(x)) is not None:
        own = {**own, "_rpython_value_": float(x) if isinstance(x, float) else str.__str__(x)}
    hidden = hidden_names(type(x), own)
    if hidden:
        own = {HIDES + name if name in hidden else name: value for name, value in own.items()}
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
