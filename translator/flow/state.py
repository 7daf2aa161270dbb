"""Frame states: what the interpreted frame holds at one point of the program.

Most entries are *values* (a Variable or Constant of the graph).  The stack may also hold
things that are no values of the program: the marker for "no self", cells, and the parts
of something that a later instruction completes.  States that meet at a join have the same
*shape* as far as it matters; the values in that shape may differ.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import field

from rpython.translator.flow.instructions import Captured
from rpython.translator.ir.model import Constant, Value, Variable, bits
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span


class Marker(enum.Enum):
    """Stack entries that say something to the interpreter only."""

    NULL = "no self"
    VALUE = "the shape of any value"


class Absent(enum.Enum):
    """The constants that stand for no value; none is left in a finished graph."""

    UNBOUND = "an unbound local variable"
    NOT_HANDLING = "no exception is being handled"
    LASTI = "where an exception came from"


UNBOUND = Constant(Absent.UNBOUND)
NOT_HANDLING = Constant(Absent.NOT_HANDLING)
LASTI = Constant(Absent.LASTI)


def is_absent(value: Value) -> bool:
    """Is it one of the constants that stand for no value?"""
    return isinstance(value, Constant) and isinstance(value.value, Absent)


@dataclass(frozen=True, slots=True)
class LocalCell:
    """What a nested function captures of a local variable: its cell or, when it is captured
    by value, its value."""

    captured: Captured
    value: Value


@dataclass(frozen=True, slots=True)
class LocalClass:
    """A class made by a statement in the function (``class_statements.py``): its name, and the
    cells in which its own functions are to find it."""

    name: str
    cells: tuple[types.CellType, ...]


@dataclass(frozen=True, slots=True)
class HostCell:
    """A cell of the host function's closure."""

    cell: types.CellType


@dataclass(frozen=True, slots=True)
class CellTuple:
    """The closure of a nested function."""

    cells: tuple[LocalCell | HostCell, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PendingFunction:
    """A nested function before its attributes are all there."""

    code: types.CodeType
    span: Span
    defaults: tuple[object, ...] | None = None
    kwdefaults: dict[str, object] | None = None
    computed: tuple[tuple[str, Value], ...] = ()
    """Defaults that are not constant: the names of their attributes and the values."""
    closure: CellTuple | None = None


@dataclass(frozen=True, slots=True)
class StarTuple:
    """``(*items, *star)``: the arguments of a call, or the parts of a tuple."""

    items: tuple[Value, ...]
    star: Value


@dataclass(frozen=True, slots=True)
class Keywords:
    """``**{...}`` of a call: the keywords and their values; "**" is the keyword of a mapping
    whose keys are found out later."""

    names: tuple[str, ...]
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class NamedValues:
    """A dict display with constant keys on the right of ``%``, before it is a dict."""

    values: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Converted:
    """An f-string value with its conversion, before its format is there."""

    conversion: str
    value: Value


@dataclass(frozen=True, slots=True)
class Slice:
    """``start:stop:step``, made into a slice where it is used (``x[a:b] += y`` uses it
    twice; whether the compiler keeps one differs from version to version)."""

    bounds: tuple[Value, Value, Value]


@dataclass(frozen=True, slots=True, eq=False)
class Unroller:
    """The iterator of a loop over an unrolling iterable, ``position`` of its items done: each
    position has blocks of its own (see ``Explorer.link_to``)."""

    items: tuple[object, ...]
    position: int = 0

    def key(self) -> Hashable:
        """What distinguishes it from other iterators at the same place of the program."""
        return (id(self.items), self.position)


Entry = (
    Value
    | Marker
    | LocalCell
    | HostCell
    | CellTuple
    | PendingFunction
    | StarTuple
    | Keywords
    | NamedValues
    | Converted
    | Slice
    | Unroller
)


def _shape(entry: Entry) -> Hashable:
    if isinstance(entry, Variable | Constant):
        return Marker.VALUE
    if isinstance(entry, StarTuple):
        return ("star", len(entry.items))
    if isinstance(entry, Keywords):
        return ("keywords", entry.names)
    if isinstance(entry, Converted):
        return ("converted", entry.conversion)
    if isinstance(entry, Slice):
        return "slice"
    if isinstance(entry, Unroller):
        return "unroller"
    if isinstance(entry, LocalCell):
        return ("cell", entry.captured)
    return entry


def _parts(entry: Entry) -> tuple[Value, ...]:
    """The values in an entry."""
    if isinstance(entry, Variable | Constant):
        return (entry,)
    if isinstance(entry, StarTuple):
        return (*entry.items, entry.star)
    if isinstance(entry, Keywords):
        return entry.values
    if isinstance(entry, Slice):
        return entry.bounds
    return (entry.value,) if isinstance(entry, Converted | LocalCell) else ()


@dataclass(slots=True)
class State:
    """``slots``: the value of each local slot (``UNBOUND`` where it has none or nobody
    will ask); ``handled``: the exception that a bare ``raise`` raises; ``outer``: where on the
    stack those are that were being handled before it, the first no exception."""

    slots: list[Value]
    stack: list[Entry] = field(default_factory=list)
    handled: Value = NOT_HANDLING
    outer: tuple[int, ...] = ()

    def copy(self) -> State:
        return State(self.slots[:], self.stack[:], self.handled, self.outer)

    def all_handled(self) -> list[Value]:
        """The exceptions that are being handled, the outermost first."""
        before = [self.stack[at] for at in self.outer[1:]]
        values = [entry for entry in before if isinstance(entry, Variable | Constant)]
        return [*values, self.handled] if self.outer else []

    def values(self, live: Sequence[int], meeting: State | None = None) -> list[Value]:
        """The values that travel to a join: those of the slots in ``live``, the exception
        handled, and the values on the stack.

        ``meeting``: the state at the join, if it is known.  Where its stack holds something
        of another shape, nobody will look: code that merges whatever is on the stack only
        moves and drops it."""
        values = [self.slots[slot] for slot in live]
        values.append(self.handled)
        wanted = self.stack if meeting is None else meeting.stack
        assert len(wanted) == len(self.stack)
        for entry, like in zip(self.stack, wanted):
            if _shape(entry) == _shape(like):
                values.extend(_parts(entry))
            else:
                values.extend(LASTI for _ in _parts(like))
        return values

    def with_values(self, live: Sequence[int], values: Sequence[Value]) -> State:
        """A state of the same shape holding ``values``; the other slots are UNBOUND."""
        rest = iter(values)
        slots: list[Value] = [UNBOUND] * len(self.slots)
        for slot in live:
            slots[slot] = next(rest)
        handled = next(rest)
        stack: list[Entry] = []
        for entry in self.stack:
            if isinstance(entry, Variable | Constant):
                stack.append(next(rest))
            elif isinstance(entry, StarTuple):
                items = tuple(next(rest) for _ in entry.items)
                stack.append(StarTuple(items, next(rest)))
            elif isinstance(entry, Keywords):
                stack.append(Keywords(entry.names, tuple(next(rest) for _ in entry.values)))
            elif isinstance(entry, Converted):
                stack.append(Converted(entry.conversion, next(rest)))
            elif isinstance(entry, LocalCell):
                stack.append(LocalCell(entry.captured, next(rest)))
            elif isinstance(entry, Slice):
                stack.append(Slice((next(rest), next(rest), next(rest))))
            else:
                stack.append(entry)
        return State(slots, stack, handled, self.outer)


def same_key(value: object) -> Hashable:
    """Equal for what is the same constant (``same_value``)."""
    if type(value) is float:
        return float, bits(value)
    return (type(value), value) if type(value) in (bool, int, str) else id(value)


def argument_name(name: str) -> str:
    """What an argument is called: that of a generator expression has no name."""
    return "iterator" if name == ".0" else name


def known_cells(
    closure: CellTuple | None, classes: Mapping[type, LocalClass]
) -> tuple[LocalCell | HostCell, ...]:
    """What a nested function captures: a class made in the function around it as what it is."""
    return () if closure is None else tuple(_known_cell(part, classes) for part in closure.cells)


def _known_cell(
    part: LocalCell | HostCell, classes: Mapping[type, LocalClass]
) -> LocalCell | HostCell:
    if isinstance(part, HostCell) or not isinstance(part.value, Constant) or part.captured.cell:
        return part
    value = part.value.value
    return HostCell(types.CellType(value)) if isinstance(value, type) and value in classes else part
