"""What the prebuilt objects of a program hold: each contributes to the annotations of its class
or of the list or dict that it is.

Objects wait in queues, because a linked structure may be deeper than the host's stack.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.cells import Origin
from rpython.annotator.lattice.hostconst import short
from rpython.annotator.lattice.model import SomeDict, SomeList, SomeObject
from rpython.annotator.lattice.parts import as_key
from rpython.annotator.lattice.sets import SomeAnySet
from rpython.annotator.overlay.hidden_methods import binds, can_be_hidden, hidden_names
from rpython.annotator.program.classdef import HOLDS, Attribute, ClassDef, prebuilt_attributes
from rpython.annotator.program.hostcalls import call_now
from rpython.annotator.provenance import blame_program
from rpython.translator.ir.errors import AnnotatorError, TranslationError
from rpython.translator.ir.intrinsics import is_frozen
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator

_LONGEST_PATH = 6


@dataclass(frozen=True, slots=True)
class Reached:
    """How a prebuilt object was found: an operation of ``graph`` at ``span`` has ``outer``'s
    object as a constant, and this one is in that, at ``step`` (".name" or "[key]")."""

    span: Span | None
    graph: FunctionGraph | None
    outer: Reached | None = None
    step: str = ""

    def path(self) -> str:
        """The last steps that lead here: ``.arguments[8][1]``."""
        steps: list[str] = []
        place: Reached | None = self
        while place is not None and len(steps) < _LONGEST_PATH:
            steps.append(place.step)
            place = place.outer
        return ("..." if place is not None else "") + "".join(reversed(steps))


class PrebuiltObjects:
    """The prebuilt objects of a program that have not contributed yet, and those that have."""

    def __init__(self, annotator: RPythonAnnotator) -> None:
        self.annotator = annotator
        self.span: Span | None = None
        self.graph: FunctionGraph | None = None
        """The operation whose constants are seen now, and the graph that it is in."""
        self._inner: Reached | None = None
        """The object whose parts are seen now, and the part."""
        self._seen: dict[int, Any] = {}
        self._instances: list[tuple[ClassDef, Any, Reached]] = []
        self._containers: list[tuple[SomeObject, Any, Reached]] = []

    def _reached(self) -> Reached:
        return self._inner or Reached(self.span, self.graph)

    def see_instance(self, classdef: ClassDef, x: Any) -> None:
        """A prebuilt instance is part of the program.  Its ``_cleanup_()``, which drops what only
        the host needs, is called before anything looks at its attributes, as in RPython."""
        if id(x) not in self._seen:
            self._seen[id(x)] = x
            if hasattr(type(x), "_cleanup_") and not is_frozen(x):
                call_now(f"{type(x).__qualname__}._cleanup_", x._cleanup_)
            self._instances.append((classdef, x, self._reached()))

    def knows(self, x: Any) -> bool:
        """Is that instance part of the program?"""
        return id(x) in self._seen

    def see_container(self, s_x: SomeObject, x: Any) -> None:
        """A prebuilt list, dict or set, seen for the first time."""
        self._containers.append((s_x, x, self._reached()))

    def absorb(self) -> bool:
        """Let queued objects contribute what they hold; was there anything?  Raises
        AnnotatorError, at the operation that leads to the object."""
        if not self._instances and not self._containers:
            return False
        while self._instances or self._containers:
            queue: list[Any] = self._instances or self._containers
            subject, x, place = queue.pop()
            try:
                if isinstance(subject, ClassDef):
                    self._absorb_instance(subject, x, place)
                else:
                    self._absorb_container(subject, x, place)
            except TranslationError as error:
                error.span = error.span or place.span
                error.where = error.where or f"annotating prebuilt data: {self._reached().path()}"
                if place.graph is not None and place.span is not None:
                    blame_program(self.annotator.callers.of, place.graph, place.span, error)
                raise
        self._inner = None
        return True

    def _absorb_instance(self, classdef: ClassDef, x: Any, place: Reached) -> None:
        classdef.prebuilt.append(x)
        attributes = prebuilt_attributes(x)
        self._note_hidden(classdef, x)
        for above in classdef.mro():
            self.annotator.reflow(above.counted_at)
            for name in above.tested:
                self._add_tested(classdef, x, name)
        for above in classdef.mro():
            for attribute in above.attrs.values():
                if attribute.name in attributes:
                    self._add_value(attribute, x, attributes[attribute.name], place)

    def _note_hidden(self, classdef: ClassDef, x: Any) -> None:
        """Raise an error where the object has an attribute in place of a method that was none so
        far."""
        for name, value in hidden_names(type(x), getattr(x, "__dict__", {})).items():
            found = classdef.class_value(name)
            if name in classdef.hidden or found is None or isinstance(found[1], property):
                continue
            owner = next(cls for cls in type(x).__mro__ if name in vars(cls))
            if binds(value) and can_be_hidden(type(x), owner, name):
                self.annotator.refinement.hide(classdef.root().cls, name)
            raise AnnotatorError(
                f"an object of class {classdef.name} has an attribute in place of {name!r}, which "
                f"its class defines",
                hint="give one of them another name",
            )

    def add_attribute(self, attribute: Attribute, x: Any) -> None:
        """An attribute seen later than the prebuilt instance."""
        attributes = prebuilt_attributes(x)
        if attribute.name in attributes:
            self._add_value(attribute, x, attributes[attribute.name], self._reached())
            self._inner = None

    def test(self, classdef: ClassDef, name: str) -> None:
        """The program asks instances whether they have the attribute: that some prebuilt ones
        have counts, also when nothing else is done with it."""
        classdef.tested[name] = None
        for subdef in list(classdef.subtree()):
            for x in list(subdef.prebuilt):
                self._add_tested(subdef, x, name)

    def _add_tested(self, classdef: ClassDef, x: Any, name: str) -> None:
        if name in prebuilt_attributes(x) and classdef.class_value(name) is None:
            self.annotator.constants.attribute(classdef, name)

    def _add_value(self, attribute: Attribute, x: Any, value: Any, place: Reached) -> None:
        s_value = self._inside(value, place, f".{attribute.name}")
        text = f"a prebuilt {type(x).__name__} object holds it in .{attribute.name}"
        if HOLDS in vars(type(x)):
            text = f"at import time it is {short(value)}"
        self.annotator.merge_cell(attribute, s_value, self._origin(s_value, text))

    def _absorb_container(self, s_x: SomeObject, x: Any, place: Reached) -> None:
        merge = self.annotator.merge_cell
        if isinstance(s_x, SomeList):
            for i, item in _distinct(x):
                s_item = self._inside(item, place, f"[{i}]")
                origin = self._origin(s_item, f"a prebuilt list holds {short(item)}")
                merge(s_x.listdef.find().item, s_item, origin)
        elif isinstance(s_x, (SomeDict, SomeAnySet)):
            kind = type(x).__name__
            items = list(x.items()) if isinstance(x, dict) else [(k, None) for k in set_order(x)]
            for key, value in items:
                s_key = as_key(self._inside(key, place, ""))
                origin = self._origin(s_key, f"a prebuilt {kind} has the key {short(key)}")
                merge(s_x.dictdef.find().key, s_key, origin)
                s_value = self._inside(value, place, f"[{short(key)}]")
                origin = self._origin(s_value, f"a prebuilt dict holds {short(value)}")
                merge(s_x.dictdef.find().value, s_value, origin)

    def _inside(self, value: Any, place: Reached, step: str) -> SomeObject:
        self._inner = Reached(place.span, place.graph, place, step)
        return self.annotator.constants.annotation_of(value).without_const()

    def _origin(self, s_value: SomeObject, text: str) -> Origin:
        place = self._reached()
        return Origin(s_value, text, place.span, None)


def set_order(x: Any) -> list[Any]:
    """The items of a host set, in the same order in every run."""
    return sorted(x, key=lambda item: (type(item).__name__, short(item)))


class _HostSet(ctypes.Structure):
    """The beginning of CPython's ``PySetObject``."""

    _fields_ = (
        ("header", ctypes.c_size_t * 2), ("filled", ctypes.c_ssize_t), ("live", ctypes.c_ssize_t),
        ("mask", ctypes.c_ssize_t), ("table", ctypes.POINTER(ctypes.c_size_t * 2)),
        ("hash", ctypes.c_ssize_t), ("finger", ctypes.c_ssize_t),
    )  # fmt: skip


@dataclass(frozen=True)
class SetTable:
    """The table of a host set.  ``slots``: each an item in a tuple, ``()`` where there was one, or
    None; ``finger``: where ``pop`` goes on."""

    slots: list[tuple[Any, ...] | None]
    finger: int


def set_table(x: Any) -> SetTable:
    """How the host keeps the items of a set or a frozenset: its order, in which later changes have
    their part, and which is not to be seen otherwise."""
    host = _HostSet.from_address(id(x))
    items = iter(x)
    slots: list[tuple[Any, ...] | None] = []
    for slot in range(host.mask + 1):
        key, hash = host.table[slot]
        if key == 0:
            slots.append(None)
        else:
            slots.append(() if hash == _DELETED else (next(items),))
    assert host.live == len(x) and next(items, x) is x
    return SetTable(slots, host.finger)


_DELETED = 2**64 - 1
"""The hash in an entry that was used: -1."""


def _distinct(items: list[Any]) -> list[tuple[int, Any]]:
    """The items that can contribute something new, with their numbers: plain numbers and
    strings by their range ends, everything else as it is."""
    kinds = {type(item) for item in items}
    if len(kinds) == 1 and kinds <= {float, bool}:
        return list(enumerate(items[:2]))
    if kinds == {int} or kinds == {str}:
        key = None if kinds == {int} else len
        return [(items.index(item), item) for item in (max(items, key=key), min(items, key=key))]
    return list(enumerate(items))
