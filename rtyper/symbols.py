"""Symbolic constants of shared helper graphs: each stands for an object that every program has of
its own (a vtable, an exception instance, ...), and is resolved when the graph is linked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import Const, SomeHost, SomeObject
from rpython.lltypesystem.lltype import _ptr
from rpython.translator.ir.records import dataclass

if TYPE_CHECKING:
    from rpython.rtyper.rtyper import RPythonTyper


@dataclass(frozen=True, slots=True)
class LinkedProgram:
    """What a shared graph is linked to: the rtyper of the program, and what the program gives for
    the unknowns among the arguments (functions of items)."""

    rtyper: RPythonTyper
    given: Mapping[Any, Any]

    def value(self, value: Any) -> Any:
        """The value here of a constant in the shared graph."""
        return value.find(self, *value.args) if isinstance(value, Symbol) else value


@dataclass(frozen=True, slots=True)
class Symbol:
    """Stands for the constant ``find(program, *args)``."""

    find: Callable[..., Any]
    args: tuple[Any, ...]


def text(program: LinkedProgram, s: SomeObject, value: str | bytes) -> _ptr:
    """A constant str or bytes."""
    pointer: _ptr = program.rtyper.getrepr(s).convert_const(value)
    return pointer


def vtable(program: LinkedProgram, cls: type) -> _ptr:
    """The vtable of a built-in class."""
    rtyper = program.rtyper
    return rtyper.classes.vtable(rtyper.annotator.constants.classdef(cls))


def exception_instance(program: LinkedProgram, cls: type[BaseException], message: str) -> _ptr:
    """A prebuilt exception."""
    return program.rtyper.exception_instance(cls, message)


def raising_function(program: LinkedProgram, cls: type[BaseException], message: str) -> _ptr:
    """The function that raises it."""
    return program.rtyper.raising_function(cls, message)


def given(program: LinkedProgram, unknown: Any) -> Any:
    """What the program gives for an unknown."""
    return program.given[unknown]


def item_function(program: LinkedProgram, unknown: Any) -> _ptr:
    """The function of items that the program gives for an unknown one."""
    pointer: _ptr = program.given[unknown].pointer
    return pointer


def helper(program: LinkedProgram, function: Any, args_s: tuple[SomeObject, ...]) -> _ptr:
    """Another helper; the unknowns among its arguments are those given to the one that calls it."""
    given = program.given
    own_s = [
        SomeHost(Const(given[s.value])) if isinstance(s, SomeHost) and s.value in given else s
        for s in args_s
    ]
    return program.rtyper.helper_pointer(function, tuple(own_s))
