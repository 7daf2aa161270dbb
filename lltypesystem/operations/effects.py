"""Effects of operations: the abstract heap locations they read and write, as bitsets; what they
raise.

Abstract memory is a tree; an effect on a node is an effect on everything below it:

    EVERYTHING
        HEAP
            ANY_FIELD
                field(STRUCT, name)     one leaf per struct type and field
            ANY_ITEM
                items(TYPE)             one leaf per item type of arrays
        OUTSIDE                         files, the clock, what external C may touch

Distinct leaves never alias: field locations are keyed on the struct that declares the
field (a pointer to a substruct or parent names the same declaration), item locations on
the item type, because pointers may view one array under several array types.  Lengths
of arrays never change after allocation, so reading one reads no location; neither does
computing an interior pointer.  A fresh allocation writes nothing that anyone can see.

After Cinder's bitsets of alias classes and JavaScriptCore's abstract heaps
(``HeapIndex`` numbers leaves in tree order and offers both views).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from functools import lru_cache

from rpython.lltypesystem.primitives import LowLevelType
from rpython.lltypesystem.types import Struct
from rpython.translator.ir.records import dataclass


@dataclass(frozen=True, slots=True)
class Location:
    """A node of the tree.  Leaves are made by ``field_location`` and ``items_location``."""

    name: str
    parent: Location | None
    type: LowLevelType | None = None
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.name, self.parent, self.type)))

    def __hash__(self) -> int:
        return self._hash  # computed once: sets of them are made all the time

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Location) or self._hash != other._hash:
            return False
        return (self.name, self.parent, self.type) == (other.name, other.parent, other.type)

    def __reduce__(self) -> tuple[object, ...]:
        return Location, (self.name, self.parent, self.type)  # hashes differ between processes

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        return self.name if self.type is None else f"{self.name} of {self.type._short_name()}"

    def ancestors(self) -> Iterator[Location]:
        """This node and those above it."""
        node: Location | None = self
        while node is not None:
            yield node
            node = node.parent

    def contains(self, other: Location) -> bool:
        """Is ``other`` this node or below it?"""
        return any(node == self for node in other.ancestors())

    def overlaps(self, other: Location) -> bool:
        """May an access to one touch the other?"""
        if self.type is not None and other.type is not None:
            return self == other  # leaves
        return self.contains(other) or other.contains(self)


EVERYTHING = Location("everything", None)
HEAP = Location("heap", EVERYTHING)
ANY_FIELD = Location("any field", HEAP)
ANY_ITEM = Location("any item", HEAP)
OUTSIDE = Location("outside", EVERYTHING)

Locations = frozenset[Location]
NOTHING: Locations = frozenset()

KEPT = 4096
"""Leaves to keep, for the operations of a program that are at the same place."""


@lru_cache(KEPT)
def field_location(S: Struct, name: str) -> Location:
    """The leaf of field ``name`` declared by ``S``; those of a union share memory with each other
    and with what is inside them, so that no leaf is theirs alone."""
    if S._is_union:
        return HEAP
    return Location(name, ANY_FIELD, S)


@lru_cache(KEPT)
def items_location(OF: LowLevelType) -> Location:
    """The leaf of all array items of type ``OF``."""
    return Location("items", ANY_ITEM, OF)


def overlap(a: Iterable[Location], b: Iterable[Location]) -> bool:
    """May accesses to the two sets of locations touch each other?"""
    others = list(b)
    return any(x.overlaps(y) for x in a for y in others)


def covers(declared: Iterable[Location], actual: Location) -> bool:
    """Is an access to ``actual`` within the ``declared`` ones?"""
    return any(location.contains(actual) for location in declared)


_MOST = 64
"""Locations of a kind up to which they are told apart."""


def bounded(locations: Locations) -> Locations:
    """The same or more, in a set that is not large, of which no location contains another.

    One answer for what covers the same, and never less for more: so ``Summaries`` come to an
    end."""
    if len(locations) <= _MOST and locations.isdisjoint((EVERYTHING, HEAP, ANY_FIELD, ANY_ITEM)):
        return locations
    for kind in (ANY_FIELD, ANY_ITEM):
        leaves = {location for location in locations if location.parent is kind}
        if kind in locations or len(leaves) > _MOST:
            locations = locations - leaves | {kind}
    for whole in (HEAP, EVERYTHING):
        if whole in locations:
            locations = frozenset(each for each in locations if not whole.contains(each)) | {whole}
    return locations


ANY_EXCEPTION: frozenset[type[BaseException]] = frozenset({BaseException})
"""What a call may raise: anything."""


@dataclass(frozen=True, slots=True)
class Effects:
    """What an operation may do; every field says "at most".

    ``reads``, ``writes``: locations.  ``raises``: host exception classes
    (``ANY_EXCEPTION``: all).  ``collects``: may allocate, and so run the collector and
    move objects.
    """

    reads: Locations
    writes: Locations
    raises: frozenset[type[BaseException]]
    collects: bool

    def __or__(self, other: Effects) -> Effects:
        if self.includes(other):  # most of those that are joined
            return self
        return Effects(
            self.reads | other.reads,
            self.writes | other.writes,
            self.raises | other.raises,
            self.collects or other.collects,
        )

    def includes(self, other: Effects) -> bool:
        """Is each of the ``other`` ones among these, as they are written?"""
        return (
            other.reads <= self.reads
            and other.writes <= self.writes
            and other.raises <= self.raises
            and other.collects <= self.collects
        )

    def bounded(self) -> Effects:
        """The same or more, with sets of locations that are not large."""
        return Effects(bounded(self.reads), bounded(self.writes), self.raises, self.collects)

    @property
    def is_pure(self) -> bool:
        """No effect but the result, which depends on the operands alone."""
        return not (self.reads or self.writes or self.raises or self.collects)

    @property
    def is_removable(self) -> bool:
        """May the operation be dropped when nobody uses the result?  (An allocation may;
        it only fails for lack of memory, which is not a promise to the program.)"""
        return not self.writes and self.raises <= {MemoryError}

    def conflicts(self, other: Effects) -> bool:
        """Does the order of two operations with these effects matter (exceptions aside)?"""
        return (
            overlap(self.writes, other.writes)
            or overlap(self.writes, other.reads)
            or overlap(self.reads, other.writes)
        )


PURE = Effects(NOTHING, NOTHING, frozenset(), False)
UNKNOWN_EFFECTS = Effects(frozenset({EVERYTHING}), frozenset({EVERYTHING}), ANY_EXCEPTION, True)


@lru_cache(KEPT)
def reading(location: Location) -> Effects:
    """Reads ``location``, nothing else."""
    return Effects(frozenset({location}), NOTHING, frozenset(), False)


@lru_cache(KEPT)
def writing(location: Location) -> Effects:
    """Writes ``location``, nothing else."""
    return Effects(NOTHING, frozenset({location}), frozenset(), False)


_Children = dict[Location | None, dict[Location, None]]


class HeapIndex:
    """Numbers the leaves of a tree of locations, so that a set of them is an int.

    ``bits(locations)`` is the bitset; ``span(location)`` the half-open range of leaf numbers below
    a node.  ``nodes``: with what is above them, the tree; each location's children are numbered in
    the order in which they come here.
    """

    def __init__(self, nodes: Iterable[Location]) -> None:
        children: _Children = {None: {}}
        for node in nodes:
            for each in node.ancestors():
                children.setdefault(each.parent, {})[each] = None
        self._spans: dict[Location, tuple[int, int]] = {}
        self._number(children, None, 0)

    def _number(self, children: _Children, above: Location | None, end: int) -> int:
        """Number what is below a node, from ``end`` on; the number behind the last one."""
        for node in children[above]:
            first = end
            end = self._number(children, node, first) if node in children else first + 1
            self._spans[node] = (first, end)
        return end

    def span(self, location: Location) -> tuple[int, int]:
        """First leaf number and one past the last; KeyError for an unknown leaf."""
        return self._spans[location]

    def bits(self, locations: Iterable[Location]) -> int:
        """The bitset of all leaves at or below the locations."""
        result = 0
        for location in locations:
            first, end = self._spans[location]
            result |= (1 << end) - (1 << first)
        return result
