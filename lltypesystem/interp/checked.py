"""The checked mode of the LLInterpreter: operations and calls under observation.

While an operation's ``eval`` runs, the containers its operands point to (and those it
reaches inlined in them) change their class to one that records every access.  Afterwards
each access, exception and result must be one the operation's row declares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rpython.lltypesystem.operations.effects import Location, covers, field_location, items_location
from rpython.lltypesystem.operations.lengths import length_argument
from rpython.lltypesystem.operations.llop import LLOp
from rpython.lltypesystem.primitives import Void
from rpython.lltypesystem.simulated.containers import _array, _container, _dead, _struct
from rpython.lltypesystem.simulated.memory import _ptr, low_level_value
from rpython.lltypesystem.types import Struct
from rpython.translator.ir.model import FunctionGraph, SpaceOperation


class BoundsError(AssertionError):
    """A function was given, or gave, a number that its graph says it never does: a bug of an
    analysis."""


def within_bounds(
    function: Callable[..., Any], graph: FunctionGraph, pointer: Callable[[Any], Any]
) -> Callable[..., Any]:
    """The function of a graph, which looks whether numbers, and the length of its result, are what
    is known of them.  It raises BoundsError where they are not.  ``pointer``: gives what a variable
    holds on a simulated heap."""
    arguments, result = graph.argument_bounds, graph.result_bounds
    length = length_argument(graph)
    if not arguments and result is None and length is None:
        return function

    def call(*args: Any) -> Any:
        for place, bounds in arguments.items():
            _check_bounds(graph, f"argument {place}", pointer(args[place]), bounds)
        given = function(*args)
        if result is not None:
            _check_bounds(graph, "the result", pointer(given), result)
        if length is not None:
            _check_bounds(graph, "the length", len(pointer(given)), (args[length], args[length]))
        return given

    return call


def _check_bounds(graph: FunctionGraph, what: str, value: Any, bounds: tuple[int, int]) -> None:
    number = ord(value) if isinstance(value, str) else int(bool(value))
    if isinstance(value, int):
        number = int(value)
    if not bounds[0] <= number <= bounds[1]:
        raise BoundsError(f"{graph.name}: {what} is {value!r}, not in {bounds[0]}..{bounds[1]}")


class EffectsError(AssertionError):
    """An operation did what its row does not declare: a bug in the operation table."""


class _Log:
    """The accesses of one operation."""

    def __init__(self) -> None:
        self.reads: set[Location] = set()
        self.writes: set[Location] = set()
        self._watched: list[tuple[Any, type]] = []

    def watch(self, obj: Any) -> None:
        """Record accesses to a container from now on."""
        cls: Any = type(obj)
        watched = cls.__dict__.get("_watched_class")
        if watched is None:
            if not _can_be_watched(cls):
                return
            base = _watched_struct if issubclass(cls, _struct) else _watched_array
            watched = cls._watched_class = type(cls.__name__, (base, cls), {})
        self._watched.append((obj, cls))
        obj.__dict__["_log"] = self
        obj.__class__ = watched

    def release(self) -> None:
        for obj, cls in reversed(self._watched):
            if not isinstance(obj, _dead):
                obj.__class__ = cls
                del obj.__dict__["_log"]

    def location(self, S: Struct, slot: str) -> Location | None:
        """The location of a struct's attribute; None when it is inlined or no field."""
        for A in S._ancestors():
            for name, own_slot in A._slots.items():
                if own_slot == slot:
                    return field_location(A, name)
        return None


def _can_be_watched(cls: type) -> bool:
    """Are these plain containers that are alive and not watched yet?"""
    if not issubclass(cls, _struct | _array) or issubclass(cls, _watched_struct | _watched_array):
        return False
    return all(type(base) is type for base in cls.__mro__)


class _watched_struct(_struct):
    _log: _Log

    def __getattribute__(self, name: str) -> Any:
        value = super().__getattribute__(name)
        if not name.startswith("_"):
            log = self._log
            if isinstance(value, _container):
                log.watch(value)
            else:
                location = log.location(type(self)._TYPE, name)
                if location is not None:
                    log.reads.add(location)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        location = self._log.location(type(self)._TYPE, name)
        if location is not None:
            self._log.writes.add(location)
        super().__setattr__(name, value)


class _watched_array(_array):
    _log: _Log

    @property
    def items(self) -> Any:
        return _WatchedItems(self.__dict__["items"], self._log, self._TYPE.OF)


class _WatchedItems:
    """The items of a watched array."""

    def __init__(self, items: Any, log: _Log, OF: Any) -> None:
        self._items = items
        self._log = log
        self._location = items_location(OF)

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        value = self._items[index]
        if isinstance(value, _container):
            self._log.watch(value)
        else:
            self._log.reads.add(self._location)
        return value

    def __setitem__(self, index: Any, value: Any) -> None:
        self._log.writes.add(self._location)
        self._items[index] = value


class CheckedOps:
    """Runs single operations under observation.  ``host_exceptions``: what operations
    may raise as far as the interpreter knows."""

    def __init__(self, host_exceptions: tuple[type[BaseException], ...]) -> None:
        self._host_exceptions = host_exceptions

    def run(self, op: SpaceOperation, *args: Any) -> Any:
        """The result of ``op`` on low-level values; EffectsError when it did more than
        its row declares."""
        row = op.opdef
        assert isinstance(row, LLOp)
        assert row.eval is not None
        effects = row.effects_of(op)
        log = _Log()
        if op.opname != "free":  # what it does to the object cannot be watched from inside
            for arg in args:
                if isinstance(arg, _ptr):
                    log.watch(arg._obj)
        try:
            if row.typed:
                result = row.eval(op.result.concretetype, *args)
            else:
                result = row.eval(*args)
        except self._host_exceptions as e:
            # the host's own stack may end anywhere
            if not isinstance(e, (*effects.raises, RecursionError)):
                raise EffectsError(f"{op.opname} raised undeclared {e!r}") from e
            raise
        finally:
            log.release()
        for what, declared, actual in [
            ("read", effects.reads, log.reads),
            ("wrote", effects.writes, log.writes),
        ]:
            for location in actual:
                if not covers(declared, location):
                    raise EffectsError(f"{op.opname} {what} {location}, which is not declared")
        if op.result.concretetype is Void:
            return None
        return low_level_value(op.result.concretetype, result, f"result of {op.opname}")
