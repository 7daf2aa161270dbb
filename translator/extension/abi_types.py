"""Annotations of what crosses as the types that the table of an extension module has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from types import FunctionType
from typing import Any

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.enumints import SomeEnumInt
from rpython.annotator.lattice.model import (
    K_NONE,
    SomeBool,
    SomeByteArray,
    SomeBytes,
    SomeDict,
    SomeFloat,
    SomeInstance,
    SomeInteger,
    SomeList,
    SomeMemoryView,
    SomeObject,
    SomeRange,
    SomeString,
    SomeTuple,
    SomeUnion,
)
from rpython.annotator.lattice.namedtuples import SomeNamedTuple
from rpython.annotator.lattice.outsideviews import SomeNumberView
from rpython.annotator.lattice.parts import parts_of, takes_box, without_none
from rpython.annotator.lattice.sets import SomeAnySet, SomeSet
from rpython.annotator.lattice.vartuples import SomeVarTuple, tuple_items
from rpython.annotator.program.classdef import ClassDef
from rpython.annotator.program.desc import MethodDesc
from rpython.backend_c.extension import AbiType
from rpython.rtyper.boundary.callables import is_pythons
from rpython.translator.ir.hlops import IN_PLACE
from rpython.translator.ir.model import Constant, SpaceOperation
from rpython.translator.ir.records import dataclass


class DoesNotCross(Exception):
    """The text says what does not."""


@dataclass
class AbiTypes:
    """The types of what crosses, one for each kind.

    ``numbers``: of the classes that Python knows.  ``changed``: the definitions of lists and
    dicts that the program may change, by id.  ``hosted``: gives the numbers of enums and of classes
    of named tuples."""

    numbers: dict[ClassDef, int]
    changed: set[int]
    hosted: Callable[[type], int | None]
    containers: list[tuple[AbiType, SomeObject]] = field(default_factory=list)
    """Those that get a number when the program is lowered."""
    _known: dict[object, AbiType] = field(default_factory=dict)

    def of(self, s: SomeObject) -> AbiType:
        """The type of such values.  Raises DoesNotCross."""
        s = s.without_const()
        key = self._key(s)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = AbiType("NONE", "None")
            try:
                self._fill(known, s)
                if known.has_container and known.has("CALLABLE"):
                    raise DoesNotCross(f"a {known.name}")
            except DoesNotCross:
                del self._known[key]
                raise
        return known

    @staticmethod
    def _key(s: SomeObject) -> object:
        if isinstance(s, SomeList):
            return id(s.listdef.find())
        if isinstance(s, (SomeDict, SomeAnySet)):
            return type(s), id(s.dictdef.find())
        return s

    def _fill(self, T: AbiType, s: SomeObject) -> None:
        if s.kinds in (0, K_NONE):
            return
        simple = {SomeFloat: "FLOAT", SomeBool: "BOOL", SomeBytes: "BYTES", SomeRange: "RANGE"}
        if isinstance(s, SomeUnion):
            self._fill_union(T, s)
        elif self._fill_hosted(T, s):
            pass
        elif isinstance(s, SomeInteger) and s.knowntype is int:
            if s.may_be_bool:
                raise DoesNotCross("an int or a bool, which would come out as an int")
            if s.mixed:
                raise DoesNotCross("an int or an r_int64, which would come out as an int")
            T.kind, T.name = "INT", "int"
        elif type(s) in simple:
            T.kind, T.name = simple[type(s)], s.describe()
        elif isinstance(s, SomeString):
            T.kind, T.name = "STR", "str"
        elif isinstance(s, SomeInstance) and is_pythons(s.classdef.cls):
            T.kind, T.name, T.changes = "CALLABLE", s.classdef.cls.__name__, True
        elif isinstance(s, SomeInstance) and s.classdef in self.numbers:
            T.kind, T.name, T.number = "INSTANCE", s.classdef.name, self.numbers[s.classdef]
        elif isinstance(s, SomeTuple) and not isinstance(s, SomeNamedTuple):
            T.items = [self.of(item) for item in s.items]
            T.kind, T.name = "TUPLE", f"tuple[{', '.join(item.name for item in T.items)}]"
        elif isinstance(s, SomeVarTuple):
            T.items = [self.of(s.s_item)]
            T.kind, T.name = "VARTUPLE", f"tuple[{T.items[0].name}, ...]"
        else:
            self._fill_container(T, s)

    def _fill_hosted(self, T: AbiType, s: SomeObject) -> bool:
        """Is it a member of an enum, or a named tuple?"""
        cls: type = s.classdef.cls if isinstance(s, SomeInstance) else getattr(s, "cls", object)
        number = self.hosted(cls)
        if number is None:
            return False
        kinds = {SomeEnumInt: "INTENUM", SomeNamedTuple: "NAMEDTUPLE"}
        T.kind, T.number, T.name = kinds.get(type(s), "ENUM"), number, cls.__name__
        if isinstance(s, SomeNamedTuple):
            T.items = [self.of(item) for item in s.items]
        return True

    def _fill_union(self, T: AbiType, s: SomeUnion) -> None:
        if s.kinds & K_NONE:
            T.items = [self.of(without_none(s))]
            T.kind, T.name = "OPTIONAL", f"{T.items[0].name} | None"
            return
        if not takes_box(s):
            raise DoesNotCross(s.describe())
        T.items = [self.of(part) for part in s.parts]
        T.kind, T.name = "UNION", " | ".join(item.name for item in T.items)

    def _fill_container(self, T: AbiType, s: SomeObject) -> None:
        root: Any = None
        if isinstance(s, SomeByteArray):
            T.kind, T.name, T.changes = "BYTEARRAY", "bytearray", True
        elif isinstance(s, SomeList):
            root = s.listdef.find()
            T.kind = "LIST"
            T.items = [self.of(root.item.s_value)]
            T.name = f"list[{T.items[0].name}]"
        elif isinstance(s, SomeDict):
            root = s.dictdef.find()
            if root.ordered:
                raise DoesNotCross("an OrderedDict")
            T.kind = "DICT"
            T.items = [self.of(root.key.s_value), self.of(root.value.s_value)]
            T.name = f"dict[{T.items[0].name}, {T.items[1].name}]"
        elif isinstance(s, SomeAnySet):
            root = s.dictdef.find()
            name = "set" if isinstance(s, SomeSet) else "frozenset"
            T.kind, T.items = name.upper(), [self.of(root.key.s_value)]
            T.name = f"{name}[{T.items[0].name}]"
        else:
            raise DoesNotCross(s.describe())
        T.changes = T.changes or id(root) in self.changed
        if T.kind != "FROZENSET":
            self.containers.append((T, s))


# -- which containers the program may change --------------------------------------------------

_READING = frozenset(
    "get items keys values copy index count union intersection difference symmetric_difference "
    "isdisjoint issubset issuperset".split()
)
_CHANGING_OPERATIONS = ("setitem", "delitem", "delslice", "setslice")


def changed_containers(annotator: RPythonAnnotator) -> set[int]:
    """The definitions, by id, of lists, dicts and sets that some operation may change: one that
    stores or deletes items, one in place, a method other than those that only read, or a
    function that is neither built in nor part of the program."""
    changed: set[int] = set()
    for graph in annotator.graphs:
        for _, op in graph.iterblockops():
            for arg in op.args if _is_foreign_call(op) else op.args[: int(_is_changing(op))]:
                for part in parts_of(annotator.binding(arg)):
                    if isinstance(part, SomeList):
                        changed.add(id(part.listdef.find()))
                    elif isinstance(part, (SomeDict, SomeAnySet)):
                        changed.add(id(part.dictdef.find()))
    return changed


def _is_changing(op: SpaceOperation) -> bool:
    if op.opname == "getattr":
        return getattr(op.args[1], "value", None) not in _READING
    return op.opname in _CHANGING_OPERATIONS or op.opname in IN_PLACE


def _is_foreign_call(op: SpaceOperation) -> bool:
    if op.opname not in ("simple_call", "call_args") or not isinstance(op.args[0], Constant):
        return False
    callee = op.args[0].value
    return not isinstance(callee, (FunctionType, type)) and callee.__module__ != "builtins"


# -- which containers the module keeps --------------------------------------------------------


VIEWS = ("memoryview", "memoryview[int]", "memoryview[float]")
"""What ``Kept.places`` calls views of memory."""
AN_ARGUMENT = "an argument"
"""The place of what the caller has, and nobody else."""


@dataclass
class Kept:
    """The lists, dicts, sets and bytearrays that a module can still reach between calls: those
    in constants, and in attributes of instances in constants or known to Python."""

    annotator: RPythonAnnotator
    places: dict[object, str] = field(default_factory=dict)
    """Where one of this definition (by id; "bytearray") may be."""
    _classes: set[ClassDef] = field(default_factory=set)

    def find(self, classes: list[ClassDef]) -> None:
        constants = self.annotator.constants
        for classdef in classes:
            self._instance(classdef)
        for s in constants.containers():
            self.add(s, "a constant")
        for classdef in list(constants.classdefs):
            if classdef.prebuilt:
                self._instance(classdef)

    def _instance(self, classdef: ClassDef) -> None:
        for each in (*classdef.mro(), *classdef.subtree()):
            if each in self._classes:
                continue
            self._classes.add(each)
            for name, attribute in each.attrs.items():
                self.add(attribute.s_value, f"attribute {name!r} of {each.name}")

    def add(self, s: SomeObject, where: str) -> None:
        """Such a value is kept."""
        for part in parts_of(s):
            root: Any = None
            if isinstance(part, (SomeByteArray, SomeMemoryView, SomeNumberView)):
                self.places.setdefault(part.describe(), where)
            elif isinstance(part, SomeInstance):
                self._instance(part.classdef)
            elif (items_s := tuple_items(part)) is not None:
                for item in items_s:
                    self.add(item, where)
            elif isinstance(part, SomeList):
                root = part.listdef.find()
                inside = [root.item.s_value]
            elif hasattr(part, "dictdef"):
                root = part.dictdef.find()
                inside = [root.key.s_value, root.value.s_value]
            elif hasattr(part, "sources"):
                for source in part.sources:
                    self.add(source, where)
            elif hasattr(part, "s_self"):
                self.add(part.s_self, where)
            elif hasattr(part, "descs"):
                self._functions(part)
            if root is not None and id(root) not in self.places:
                self.places[id(root)] = where
                for each in inside:
                    self.add(each, where)

    def _functions(self, part: Any) -> None:
        """What functions capture and methods are bound to."""
        constants = self.annotator.constants
        for desc in part.descs:
            function = getattr(desc, "function", desc)
            closure = getattr(function, "closure", None)
            if closure is not None:
                self._instance(constants.classdef(closure))
            if isinstance(desc, MethodDesc):
                self._instance(desc.selfdef)

    def place_of(self, s: SomeObject, inside: bool) -> str | None:
        """Where a container that such a value is, or has in it, may be kept; None: nowhere.
        ``inside``: what is in containers alone."""
        return self._place(s, set(), inside)

    def _place(self, s: SomeObject, seen: set[int], inside_only: bool = False) -> str | None:
        for part in parts_of(s):
            inside: list[SomeObject] = []
            root: Any = None
            if isinstance(part, (SomeByteArray, SomeMemoryView, SomeNumberView)):
                if part.describe() in self.places and not inside_only:
                    return self.places[part.describe()]
            elif (items_s := tuple_items(part)) is not None:
                inside = list(items_s)
            elif isinstance(part, SomeList):
                root = part.listdef.find()
                inside = [root.item.s_value]
            elif isinstance(part, (SomeDict, SomeAnySet)):
                root = part.dictdef.find()
                inside = [root.key.s_value, root.value.s_value]
            if root is not None:
                if id(root) in seen:
                    continue
                seen.add(id(root))
                if id(root) in self.places and not _is_frozen(part) and not inside_only:
                    return self.places[id(root)]
            for each in inside:
                found = self._place(each, seen, inside_only and root is None)
                if found is not None:
                    return found
        return None


def _is_frozen(part: SomeObject) -> bool:
    return isinstance(part, SomeAnySet) and not isinstance(part, SomeSet)
