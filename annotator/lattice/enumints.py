"""Members of enums that are ints: ints that know their enum.

    class Level(IntEnum):               a host class; Level.LOW gives
        LOW = 1                         SomeEnumInt(Level)

At run time a member is its int, and nothing else.  Its name is looked up where the program asks
for it; that the enum is known is what tells how the member is shown.  Arithmetic gives plain ints,
and where members meet other ints nobody knows any more what they are (``may_be_bool``).
"""

from __future__ import annotations

import enum
import types
from typing import Any

from rpython.annotator.lattice.hostconst import Const
from rpython.annotator.lattice.model import SomeInteger, SomeObject
from rpython.translator.ir.errors import AnnotatorError


class SomeEnumInt(SomeInteger):
    """A member of ``cls``, an enum whose members are ints."""

    __slots__ = ("cls",)

    def __init__(self, cls: Any, const: Const | None = None) -> None:
        super().__init__(all(int(member) >= 0 for member in cls), may_be_bool=True, const=const)
        self.cls = cls

    def key(self) -> tuple[Any, ...]:
        return (self.cls, self.const)

    def without_const(self) -> SomeObject:
        return SomeEnumInt(self.cls)

    def of_any_sign(self) -> SomeInteger:
        return SomeEnumInt(self.cls)

    def describe(self) -> str:
        name: str = self.cls.__name__
        return name

    def _details(self) -> str:
        return self.describe()


def is_int_enum(cls: Any) -> bool:
    """Is it an enum with members that are ints?  Those of an ``enum.Flag`` are more than that."""
    if not isinstance(cls, enum.EnumMeta) or len(cls) == 0:
        return False
    return issubclass(cls, int) and not issubclass(cls, enum.Flag)


def enum_of(s: SomeObject) -> Any:
    """The enum that the values are members of; None for other values."""
    return s.cls if isinstance(s, SomeEnumInt) else None


def tells_class(s: SomeInteger) -> bool:
    """Are all of these ints of one class?"""
    return isinstance(s, SomeEnumInt) or not s.may_be_bool


def check_enum(cls: Any) -> None:
    """Raises AnnotatorError when members do something else than ints do."""
    for base in _own_bases(cls):
        for name, value in base.__dict__.items():
            special = name.startswith("__") and name.endswith("__") and name not in _HARMLESS
            if special and getattr(value, "__module__", "enum") != "enum" and callable(value):
                raise _about(base, f"the enum {base.__name__} defines {name}")
    for member in cls:
        if type(member.value) is not int or member.value != int(member):
            raise _about(cls, f"the value of {cls.__name__}.{member.name} is not its int")


_HARMLESS = frozenset(
    "__new__ __new_member__ __init__ __init_subclass__ __str__ __repr__ __set_name__ "
    "__class_getitem__ __reduce_ex__ __dir__ __annotate__ __annotate_func__".split()
)  # all but those for text only matter while the enum is made


def _about(cls: Any, message: str) -> AnnotatorError:
    error = AnnotatorError(message, hint="use a plain enum.Enum")
    error.about = cls
    return error


def _own_bases(cls: Any) -> list[type]:
    """The class and those above it that say what members do besides being ints."""
    return [base for base in cls.__mro__ if base.__module__ not in ("enum", "builtins")]


def class_value(cls: Any, name: str) -> Any:
    """What the program has defined under a name: methods, properties, constants; else None."""
    if name in cls.__members__ or name.startswith("__"):
        return None
    for base in _own_bases(cls):
        if name in base.__dict__:
            return base.__dict__[name]
    return None


def getter(value: Any) -> types.FunctionType | None:
    """The function of a property."""
    if not isinstance(value, (property, types.DynamicClassAttribute)):
        return None
    function = value.fget
    return function if isinstance(function, types.FunctionType) else None


def member_attribute(cls: Any, name: str) -> list[Any] | dict[int, Any] | None:
    """An attribute that every member has, by the member's int; None where one has none."""
    if name in ("name", "_name_"):
        values = {int(member): member.name for member in cls}
    elif name.startswith("_") or not all(name in vars(member) for member in cls):
        return None
    else:
        values = {int(member): vars(member)[name] for member in cls}
    if sorted(values) == list(range(len(values))):
        return [values[number] for number in range(len(values))]
    return values


DIGITS, NAME, REPR = "digits", "name", "repr"


def text_of_enum(cls: Any, quoted: bool) -> Any:
    """What ``str(x)`` or (``quoted``) ``repr(x)`` shows: DIGITS, NAME (``Level.LOW``), REPR
    (``<Level.LOW: 1>``), or a function of the program; None for others."""
    shown = cls.__repr__ if quoted else cls.__str__
    if isinstance(shown, types.FunctionType) and shown.__module__ != "enum":
        return shown
    known = {int.__repr__: DIGITS, enum.Enum.__str__: NAME, enum.Enum.__repr__: REPR}
    return known.get(shown)


def formats_as_int(cls: Any) -> bool:
    """Does a field with a specification show the int?  Without one it shows what ``str`` does."""
    return cls.__format__ is int.__format__
