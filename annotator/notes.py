"""What transfer rules note about operations, for the rules and for those who lower them."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from rpython.annotator.conversions import Conversion
from rpython.annotator.lattice.cells import DictDef, ListDef
from rpython.annotator.lattice.model import SomeObject
from rpython.translator.ir.model import SpaceOperation
from rpython.translator.ir.records import dataclass

if TYPE_CHECKING:
    from rpython.annotator.program.classdef import ClassDef
    from rpython.annotator.program.promises import Promise


@dataclass
class Notes:
    """Of one program."""

    none_refused: dict[SpaceOperation, set[int]] = field(default_factory=dict)
    """The operands that raise TypeError when they are None."""
    conversions: dict[SpaceOperation, dict[int, Conversion]] = field(default_factory=dict)
    """How operands that are instances are converted, by number."""
    never_converted: set[tuple[SpaceOperation, int]] = field(default_factory=set)
    """Those whose methods always raise, as far as is known."""
    made_here: dict[tuple[str, SpaceOperation], ListDef | DictDef] = field(default_factory=dict)
    """The lists and dicts that are created."""
    shows_operand: set[SpaceOperation] = field(default_factory=set)
    """Operations whose exceptions show an operand."""
    chosen: dict[SpaceOperation, tuple[Any, tuple[SomeObject, ...]]] = field(default_factory=dict)
    """The function of the library that a call of a built-in function or method is a call of, as its
    rule has chosen, and the positional arguments."""
    percent_numbers: dict[tuple[SpaceOperation, int | str], tuple[Any, SomeObject]] = field(
        default_factory=dict
    )
    """What makes a number of an argument of ``%``, by its own methods, and which; by operation and
    number of the argument."""
    refusing_callees: dict[SpaceOperation, dict[int, tuple[type[Exception], str]]] = field(
        default_factory=dict
    )
    """Of calls of one of several callables: which of them raise what, as they do not take the
    arguments, by number."""
    star_tuples: dict[SpaceOperation, SomeObject] = field(default_factory=dict)
    """The tuple of unknown length that follows ``*`` in a call."""
    mapping_calls: dict[SpaceOperation, Any] = field(default_factory=dict)
    """The functions that make calls with a dict as ``**keywords``."""
    mapping_functions: dict[tuple[Any, ...], Any] = field(default_factory=dict)
    """The same, by whom they call with which arguments."""
    growing: dict[SpaceOperation, Any] = field(default_factory=dict)
    """What operations on ints are instead, where these are of any size."""
    abstract_calls: dict[SpaceOperation, ClassDef] = field(default_factory=dict)
    """Calls of abstract classes, the last one each: these raise TypeError."""
    ordered: dict[ClassDef, None] = field(default_factory=dict)
    """The most general classes whose instances know in which order attributes were set."""
    computed_below: dict[tuple[ClassDef, str, int], bool] = field(default_factory=dict)
    """See ``mixed_attributes.py``."""
    told_apart: frozenset[type] | None = None
    """See ``told_apart.py``; None before somebody has asked."""
    promises: dict[SpaceOperation, Promise] = field(default_factory=dict)
    """What ``make_sure_not_resized`` and ``make_sure_not_modified`` say, by call."""
