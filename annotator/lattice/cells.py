"""Cells: what may be stored in a list, a dict, an attribute or a result.

A ``Cell`` joins every annotation written to it, remembers who read it (so that they are
flowed again when it grows) and where each kind of value first came from (so that an
error can tell).  List and dict definitions are union-find nodes: two lists that meet in
one variable become one definition.  Only ``RPythonAnnotator.unify`` changes anything
here.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any, Generic, TypeVar

from rpython.annotator.lattice.model import SomeObject, s_Bottom
from rpython.translator.ir.model import Block, FunctionGraph, Variable
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span

Position = tuple[FunctionGraph, Block, int]
"""An operation, by its number in the block; that of its exits is the number of operations."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a kind of value first came from: ``text`` says what happens at ``span``;
    ``source`` is the node it was taken from, itself with an origin, or None."""

    s_value: SomeObject
    text: str
    span: Span | None
    source: Node | None


class Cell:
    """A place in the heap that holds values: see the module text."""

    __slots__ = ("filled_by", "label", "origins", "readers", "s_value", "shared_by")

    def __init__(self, label: str) -> None:
        self.label = label
        self.s_value: SomeObject = s_Bottom
        self.shared_by: frozenset[FunctionType] = frozenset()
        """The functions whose parameters made it one with another (``annotator.refining``)."""
        self.filled_by: frozenset[FunctionType] = frozenset()
        """Those among them that did so when one of the two was empty."""
        self.readers: dict[Position, None] = {}
        self.origins: dict[int, Origin] = {}

    def __repr__(self) -> str:
        return f"<Cell {self.label}: {self.s_value!r}>"

    def note_sharing(self, other: Cell, called: FunctionType | None) -> None:
        """It takes in another, because both are arguments of that function if there is one."""
        by = frozenset() if called is None else frozenset([called])
        self.shared_by |= other.shared_by | by
        is_filled = self.s_value.kinds == 0 or other.s_value.kinds == 0
        self.filled_by |= other.filled_by | (by if is_filled else frozenset())


Node = Variable | Cell


D = TypeVar("D", bound="Definition[Any]")


class Definition(Generic[D]):
    """A union-find node."""

    __slots__ = ("_parent",)

    def __init__(self) -> None:
        self._parent: D | None = None

    def find(self: D) -> D:
        root: D = self
        while root._parent is not None:
            root = root._parent
        node: D = self
        while node._parent is not None:
            node._parent, node = root, node._parent
            if node is root:
                break
        if self is not root:
            self._parent = root
        return root

    def link_to(self: D, root: D) -> None:
        self._parent = root


class ListDef(Definition["ListDef"]):
    """What all the lists that ever meet have in common.

    ``resized``: some operation changes a length, so the lists need a separate item array.
    ``grown`` and ``changed``: a place where the program changes a length, or any item.
    """

    __slots__ = ("changed", "grown", "item", "resized")

    def __init__(self, label: str = "item of a list") -> None:
        super().__init__()
        self.item = Cell(label)
        self.resized = False
        self.grown: Span | None = None
        self.changed: Span | None = None

    def absorb(self, other: ListDef) -> None:
        """Take over what is known about the lists of ``other``, which become these."""
        self.resized |= other.resized
        self.grown = self.grown or other.grown
        self.changed = self.changed or other.changed

    def __repr__(self) -> str:
        resized = ", resized" if self.find().resized else ""
        return f"{short_repr(self.find().item.s_value)}{resized}"


class DictDef(Definition["DictDef"]):
    """Key and value cells of all the dicts that ever meet; ``ordered``: OrderedDicts."""

    __slots__ = ("key", "ordered", "value")

    def __init__(self, label: str = "a dict", ordered: bool = False) -> None:
        super().__init__()
        self.ordered = ordered
        self.key = Cell(f"key of {label}")
        self.value = Cell(f"value of {label}")

    @property
    def name(self) -> str:
        """Of the class of these dicts."""
        return "OrderedDict" if self.ordered else "dict"

    def __repr__(self) -> str:
        root = self.find()
        return f"{short_repr(root.key.s_value)}: {short_repr(root.value.s_value)}"


_showing: set[int] = set()


def short_repr(s: SomeObject) -> str:
    """``repr`` that stops at a list or dict that contains itself."""
    definition = getattr(s, "listdef", None) or getattr(s, "dictdef", None)
    if definition is None:
        parts = getattr(s, "parts", None)
        if parts is None:
            return repr(s)
        return f"{type(s).__name__}({', '.join(map(short_repr, parts))})"
    ident = id(definition.find())
    if ident in _showing:
        return f"{type(s).__name__}(...)"
    _showing.add(ident)
    try:
        return repr(s)
    finally:
        _showing.discard(ident)
