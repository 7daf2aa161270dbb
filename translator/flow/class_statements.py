"""Class statements in functions: a class that is made while the program is translated.

::

    def make(start):                     a class Counter of the host, for this graph of make;
        class Counter:            ->     holder.made, if it is set: NotImplementedError;
            def tick(self):              holder.made = True; holder.start = start
                return start      graph tick(self): start = holder.start; ...

Each execution of the statement makes another class in CPython, so a second one of the same graph
is an error, unless no operation of the program can tell (``annotator/told_apart.py``); functions
with such statements have a graph for each call in the program's source.
What the methods capture is in an object beside the class, known when the statement has been
executed.  A variable that nothing but the statement assigns is that class in its own methods.

The body is run here and now, once: what it reads has to be known, and what it calls must not have
effects (``_check_reads``, ``_Watch``).
"""

from __future__ import annotations

import abc
import builtins
import dataclasses
import enum
import functools
import sys
import types
import typing
from dataclasses import replace
from typing import Any, NoReturn

from rpython.translator.flow.closures import contents_of, make_class
from rpython.translator.flow.decode_class_bodies import codes_run_by_body, reads_of_body
from rpython.translator.flow.explore import Explorer
from rpython.translator.flow.fold import FOLDED_BUILTINS, is_immutable
from rpython.translator.flow.instructions import Captured
from rpython.translator.flow.state import (
    HostCell,
    LocalCell,
    LocalClass,
    PendingFunction,
    is_absent,
)
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.home import Home, home_of_file, home_of_module
from rpython.translator.ir.intrinsics import ClassStatement, is_made_again
from rpython.translator.ir.model import Constant, Value

MADE = "0made"
"""The attribute of a holder that says whether its statement has been executed: no variable has
such a name."""
CLASS_ATTRIBUTES = "0attributes"
"""The attribute of the class of a holder with the names of the variables that are class attributes
besides."""
_AT_MODULE_LEVEL = "define the class at module level"
_PURE_MODULES = frozenset(
    "abc collections collections.abc dataclasses enum functools math operator re string types "
    "typing".split()
)
"""Modules whose functions and classes a class body may use: they do nothing but give a value."""
_DECORATORS: tuple[Any, ...] = (
    dataclasses.dataclass, enum.unique, functools.total_ordering, typing.final,
    typing.runtime_checkable,
)  # fmt: skip
"""Decorators of classes that are called while the program is translated; others are called when
it runs."""


class class_statement:
    """The base of the classes of holders."""

    _rpython_state_machine_ = True


setattr(class_statement, MADE, False)


def is_class_statement(entry: object) -> bool:
    """Is it what the compiler calls to make a class?"""
    return isinstance(entry, Constant) and entry.value is builtins.__build_class__


def build_class(
    flow: Explorer, body: PendingFunction, args: list[Value], keywords: dict[str, Value]
) -> Value:
    """The class that a class statement makes; ``args``: its name and its bases."""
    name, *bases = [_known(flow, arg, "a base class") for arg in args]
    known = {key: _known(flow, value, f"{key}=") for key, value in keywords.items()}
    holder = make_class(class_statement, name)()
    parts = body.closure.cells if body.closure is not None else ()
    own: list[types.CellType] = []
    held: list[LocalCell] = []
    cells = []
    for part in parts:
        cells.append(_cell_for(part, name, holder, own, held))
    _check_reads(flow, body.code, dict(zip(body.code.co_freevars, cells)))
    function = types.FunctionType(body.code, flow.func.__globals__, name, None, tuple(cells))
    made = _call_host(
        flow, f"the body of class {name}", builtins.__build_class__, [function, name, *bases],
        known, frozenset(codes_run_by_body(body.code)),
    )  # fmt: skip
    setattr(type(holder), CLASS_ATTRIBUTES, _read_later(flow, made))
    statement = Constant(ClassStatement(made, not held and _is_constant(made)))
    v_made = flow.append_op("getattr", Constant(holder), Constant(MADE))
    again = flow.append_op("simple_call", Constant(is_made_again), v_made, statement)
    message = f"the class statement of {name} is executed again"
    flow.check(flow.append_op("not_", again), NotImplementedError, message)
    flow.append_op("setattr", Constant(holder), Constant(MADE), Constant(True))
    for part in held:
        flow.append_op("setattr", Constant(holder), Constant(part.captured.name), part.value)
    flow.local_classes[made] = LocalClass(name, tuple(own))
    return Constant(made)


def _cell_for(
    part: LocalCell | HostCell,
    name: str,
    holder: object,
    own: list[types.CellType],
    held: list[LocalCell],
) -> types.CellType:
    """The cell of the host that the class has for a variable around it.  It goes into ``own`` if
    it is the class's own variable, which has no value yet; ``held``: the variables whose values are
    known when the program runs."""
    if isinstance(part, HostCell):
        return part.cell
    if part.captured.cell is None and part.captured.name == name:
        own.append(types.CellType())
        return own[-1]
    if part.captured.cell is None and isinstance(part.value, Constant):
        return types.CellType() if is_absent(part.value) else types.CellType(part.value.value)
    held.append(part)
    return types.CellType(replace(part.captured, holder=holder))


def _read_later(flow: Explorer, made: type) -> frozenset[str]:
    """Give the class properties for the attributes whose values are known when the program runs.
    Returns the names of the variables that have them."""
    names = set()
    for name, value in list(vars(made).items()):
        if isinstance(value, Captured):
            if value.cell or name in made.__annotations__ or type(made) not in _PLAIN:
                flow.refuse(
                    f"a class statement in a function whose body reads the variable {value.name!r}",
                    "assign it to instances, or read it in methods",
                )
            setattr(made, name, _property_of(value))
            names.add(value.name)
    return frozenset(names)


def _property_of(captured: Captured) -> property:
    value: Any = None

    def get(self: Any) -> Any:
        return value

    def set(self: Any, assigned: Any) -> None:
        raise NotImplementedError("assigning a class attribute whose value is that of a variable")

    code = get.__code__.replace(co_freevars=(captured.name,))
    cells = (types.CellType(captured),)
    return property(types.FunctionType(code, get.__globals__, "get", None, cells), set)


_PLAIN = (type, abc.ABCMeta)
_METHODS = (
    types.FunctionType, property, staticmethod, classmethod, functools.cached_property,
    types.MemberDescriptorType, types.GetSetDescriptorType,
)  # fmt: skip


def _is_constant(cls: type) -> bool:
    """Can nothing in the class, or of the class, change but by assigning its attributes?"""
    if type(cls) not in _PLAIN:
        return False
    return all(
        name.startswith("__") or is_immutable(value) or _is_constant_method(value)
        for name, value in vars(cls).items()
    )


def _is_constant_method(value: Any) -> bool:
    function = getattr(value, "__func__", value)
    if isinstance(function, types.FunctionType):
        defaults = (function.__defaults__, *(function.__kwdefaults__ or {}).values())
        return not vars(function) and all(d is None or is_immutable(d) for d in defaults)
    return isinstance(value, _METHODS)


def name_class(flow: Explorer, slot: int, value: Value) -> None:
    """A local variable is assigned: if it is what a class statement makes, its methods find it
    there."""
    name = flow.program.slots[slot]
    for local in [local for local in flow.local_classes.values() if local.name == name]:
        for cell in local.cells:
            if not isinstance(value, Constant):
                flow.refuse(f"a decorator of class {name}, whose methods use {name}", _OTHER_NAME)
            cell.cell_contents = value.value


_OTHER_NAME = "define the class at module level, or give what it is decorated to another name"


def decorated_class(flow: Explorer, f: Value, args: list[Value], shape: CallShape) -> Value | None:
    """What a decorator gives for a class that was made here, or the decorator that the call of one
    with keywords gives; None for other calls."""
    if not isinstance(f, Constant) or not all(isinstance(arg, Constant) for arg in args):
        return None
    if shape.star or "**" in shape.keywords:
        return None
    values = [arg.value for arg in args if isinstance(arg, Constant)]
    keywords = dict(zip(shape.keywords, values[shape.positional :]))
    given = values[: shape.positional]
    if not given:
        if f.value is not dataclasses.dataclass:
            return None
        return Constant(_call_host(flow, "dataclass()", f.value, [], keywords))
    local = flow.local_classes.get(given[0]) if isinstance(given[0], type) else None
    if local is None or not (f.value in _DECORATORS or _is_dataclass_decorator(f.value)):
        return None
    made = _call_host(flow, f"a decorator of class {local.name}", f.value, given, keywords)
    flow.local_classes[made] = local
    return Constant(made)


def _is_dataclass_decorator(function: object) -> bool:
    return (
        isinstance(function, types.FunctionType)
        and function.__module__ == "dataclasses"
        and function.__qualname__ == "dataclass.<locals>.wrap"
    )


def _known(flow: Explorer, value: Value, what: str) -> Any:
    if isinstance(value, Constant):
        return value.value
    flow.refuse(f"a class statement with {what} that is not known before it runs", _AT_MODULE_LEVEL)


def _check_reads(flow: Explorer, code: types.CodeType, cells: dict[str, types.CellType]) -> None:
    """Refuse a body that reads what is not known now, or might change."""
    reads = reads_of_body(code)
    for name in sorted(reads.free):
        value = contents_of(cells[name])
        if isinstance(value, Captured) or not _is_harmless(value):
            flow.refuse(
                f"a class statement in a function whose body reads the variable {name!r}",
                "assign it to instances, or read it in methods",
            )
    _, assigned = flow.globals()
    for name in sorted(reads.names):
        names = flow.func.__globals__ if name in flow.func.__globals__ else vars(builtins)
        if name in names and (name in assigned or not _is_harmless(names[name])):
            _refuse_body(flow, f"uses {name!r}")
    for name, attribute in sorted(reads.attributes):
        holder = flow.func.__globals__.get(name)
        if _may_be_assigned(holder) and not isinstance(getattr(holder, attribute, None), type):
            _refuse_body(flow, f"reads {name}.{attribute}")


def _may_be_assigned(holder: object) -> bool:
    """Is it a class whose attributes the program may assign?"""
    if not isinstance(holder, type) or isinstance(holder, enum.EnumMeta):
        return False
    return home_of_module(holder.__module__).is_program


def _is_harmless(value: Any) -> bool:
    """Does reading the value, and calling it, give the same whenever it is done?"""
    if isinstance(value, types.ModuleType):
        return value.__name__ in _PURE_MODULES
    if isinstance(value, type) or is_immutable(value):
        return True
    if isinstance(value, types.FunctionType | types.BuiltinFunctionType):
        return value in FOLDED_BUILTINS or value.__module__ in _PURE_MODULES
    return type(value).__module__ in ("typing", "types")


def _refuse_body(flow: Explorer, does: str) -> NoReturn:
    flow.refuse(f"a class statement in a function whose body {does}", _AT_MODULE_LEVEL)


def _call_host(
    flow: Explorer, what: str, function: Any, args: list[Any], keywords: dict[str, Any],
    codes: frozenset[types.CodeType] = frozenset(),
) -> Any:  # fmt: skip
    """Call what makes or changes a class; ``codes``: code of the program that it may run."""
    watch = _Watch(codes)
    failed = None
    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        made = function(*args, **keywords)
    except Exception as error:  # whatever a class body does
        failed = error
    finally:
        sys.setprofile(before)
    if failed is not None:
        flow.refuse(f"{what} raises {type(failed).__name__}: {failed}", _AT_MODULE_LEVEL)
    if watch.called:
        _refuse_body(flow, f"calls {watch.called[0]}")
    return made


class _Watch:
    """A profiler that finds what may have effects, or depend on when it is called: functions of the
    program, and those that the body calls other than pure ones."""

    def __init__(self, codes: frozenset[types.CodeType]) -> None:
        self.codes = codes
        self.called: list[str] = []

    def __call__(self, frame: types.FrameType, event: str, argument: Any) -> None:
        code, caller = frame.f_code, frame.f_back
        if event == "c_call" and code in self.codes:
            if not _is_harmless(argument) and not _is_harmless_method(argument):
                self.called.append(argument.__qualname__)
        elif event == "call" and code not in self.codes:
            by_body = caller is not None and caller.f_code in self.codes
            if home_of_file(code.co_filename) is Home.PROGRAM:
                found = not code.co_filename.startswith("<")
            else:
                found = by_body and frame.f_globals.get("__name__") not in _PURE_MODULES
            if found:
                self.called.append(code.co_qualname)


def _is_harmless_method(function: Any) -> bool:
    holder = getattr(function, "__self__", function)
    return function is builtins.__build_class__ or is_immutable(holder) or type(holder) is property
