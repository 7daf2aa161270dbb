"""Functions with several graphs: ``@specialize.argtype(0)`` and the like
(``rpython.rlib.objectmodel``).

A graph is made for each *key*: what the call's arguments are, as far as the decorator says that
it matters::

    argtype(i)     the type of argument i, without the value of a constant
    arg(i)         the value of argument i, which must be a constant; it is one in the graph.
                   A known function or a known method of any instance will do, too
    arg_or_var(i)  the same where they all are constants, else one graph for the others
    call_location  the types of all arguments, and the place of the call in the source
    memo           no graph: the function is called when the program is translated

Functions with class statements have a graph for each place of a call, too, and for the classes,
functions and texts they are called with: a class statement makes one class in each graph.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import FunctionType

from rpython.annotator.lattice.model import (
    SomeChar,
    SomeClass,
    SomeFunction,
    SomeInteger,
    SomeMethod,
    SomeObject,
    SomeString,
    SomeTuple,
)
from rpython.translator.flow.decode_class_bodies import makes_classes
from rpython.translator.ir.records import dataclass

_BY_NAME = {"__getattr__": 2, "__setattr__": 3}
"""Methods that have a graph for each name of an attribute, and how many arguments they take."""
_FORM = re.compile(r"specialize:(\w+)(?:\((.*)\))?$")


class NotConstant(Exception):
    """An argument has to be a constant; its number."""

    def __init__(self, index: int) -> None:
        super().__init__(f"argument {index} is not a constant")
        self.index = index


@dataclass(frozen=True, slots=True)
class Specialisation:
    """Numbers of arguments.  ``by_type`` None: all those that are not in ``by_value``."""

    by_value: tuple[int, ...] = ()
    by_type: tuple[int, ...] | None = ()
    or_variable: bool = False
    memo: bool = False
    by_place: bool = False
    exact: bool = False
    """Do functions of the toolchain tell more types apart than user code?"""
    keep_values: bool = False
    """Does the graph depend on the values of arguments that are constants, too?"""
    makes_classes: bool = False
    """Has it class statements, which may need arguments that are constants?"""

    def key(self, args_s: Sequence[SomeObject]) -> tuple[SomeObject | None, ...] | None:
        """What the graph depends on, by argument, None where it does not; raises NotConstant."""
        variable = [i for i in self.by_value if not _is_known(args_s[i])]
        if variable and not self.or_variable:
            raise NotConstant(variable[0])
        by_value = () if variable else self.by_value
        key: list[SomeObject | None] = [None] * len(args_s)
        for i, s in enumerate(args_s):
            for_class = self.makes_classes and isinstance(s, _FOR_CLASSES) and _is_known(s)
            if i in by_value or for_class:
                key[i] = s
            elif i not in self.by_value and (self.by_type is None or i in self.by_type):
                key[i] = self._exactly(s) if self.exact else _type_of(s)
        return tuple(key) if any(key) else None

    def _exactly(self, s: SomeObject) -> SomeObject:
        return s if self.keep_values and _is_simple(s) else s.without_const()

    def constants(self, args: Sequence[SomeObject | None]) -> dict[int, object]:
        """The arguments that are constants in the graph of a key."""
        places = range(len(args)) if self.makes_classes else self.by_value
        known = [(i, s) for i in places if (s := args[i]) is not None]
        return {i: s.value for i, s in known if s.is_constant()}


_FOR_CLASSES = (SomeClass, SomeFunction, SomeString)


def _is_known(s: SomeObject) -> bool:
    """Is it a constant, or one function or method, of whichever instance?"""
    return s.is_constant() or (isinstance(s, SomeFunction | SomeMethod) and len(s.descs) == 1)


def _is_simple(s: SomeObject) -> bool:
    if isinstance(s, SomeTuple):
        return all(map(_is_simple, s.items))
    return not s.is_constant() or isinstance(s.value, int | str | None)


def _type_of(s: SomeObject) -> SomeObject:
    if isinstance(s, SomeInteger):
        return s.of_any_sign()
    return SomeString() if isinstance(s, SomeChar) else s.without_const()


def specialisation(func: FunctionType) -> Specialisation | None:
    """How the function is specialised, None when it has one graph.  Raises ValueError for an
    unknown form."""
    if hasattr(func, "_rpython_per_arguments_"):
        keep_values = hasattr(func, "_rpython_per_values_")
        by_place = hasattr(func, "_rpython_per_call_")
        return Specialisation(
            by_type=None, exact=True, keep_values=keep_values, by_place=by_place
        )
    text = getattr(func, "_annspecialcase_", None)
    if text is None and _BY_NAME.get(func.__name__) == func.__code__.co_argcount:
        return Specialisation(by_value=(1,), or_variable=True)
    if text is None:
        by_place = makes_classes(func.__code__)
        return Specialisation(by_type=None, by_place=True, makes_classes=True) if by_place else None
    form = _FORM.match(text)
    numbers = [] if form is None else re.findall(r"\d+", form[2] or "")
    given = tuple(map(int, numbers))
    kind = None if form is None else form[1]
    if kind == "argtype":
        return Specialisation(by_type=given)
    if kind in ("arg", "arg_or_var"):
        return Specialisation(by_value=given, or_variable=kind == "arg_or_var")
    if kind in ("ll", "call_location"):
        return Specialisation(by_type=None, by_place=kind == "call_location")
    if kind == "ll_and_arg":
        return Specialisation(by_value=given, by_type=None)
    if kind == "memo":
        return Specialisation(memo=True)
    raise ValueError(f"unknown specialisation {text!r} of {func.__qualname__}")
