"""Notes of ``rpython build`` and ``check`` on answers that Python leaves open and this program
depends on: see the table in ``docs/language.md``."""

from __future__ import annotations

from collections.abc import Iterator
from types import CoroutineType

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import SomeDict, SomeInstance, SomeList, SomeObject
from rpython.annotator.lattice.parts import parts_of
from rpython.annotator.lattice.sets import SomeAnySet
from rpython.annotator.lattice.vartuples import tuple_items
from rpython.annotator.overlay.references import Ref
from rpython.annotator.program.classdef import ClassDef

_WITHOUT_CYCLES = ("refcount", "none")
"""The collectors that never find them."""


def open_answers(annotator: RPythonAnnotator, gc: str) -> list[str]:
    """One line for each matter, of an annotated program."""
    notes = []
    methods = [definer for definer in annotator.finalizers.methods if _is_of_program(definer)]
    generators = [definer for definer in methods if _is_generator(definer)]
    coroutines = [definer for definer in generators if definer.seen_as is CoroutineType]
    for what, classes in (
        ("__del__ of", [definer for definer in methods if definer not in generators]),
        ("the cleaning up of a dropped generator", [c for c in generators if c not in coroutines]),
    ):
        if classes:
            notes.append(
                f"{what} {_names(classes)} waits for a collection, which CPython often needs none "
                "for (docs/memory.md)"
            )
    if gc in _WITHOUT_CYCLES:
        made = [classdef for classdef in annotator.constants.classdefs if _is_of_program(classdef)]
        cyclic = [classdef for classdef in made if _may_be_cyclic(classdef)]
        if cyclic:
            notes.append(f"--gc={gc} never frees cycles, which {_names(cyclic)} may form")
    return notes


def _is_of_program(classdef: ClassDef) -> bool:
    cls = classdef.cls
    made = classdef.instantiated or classdef.prebuilt
    others = cls.__module__ == "builtins" or classdef.home.is_ours
    return bool(made) and not others


def _is_generator(classdef: ClassDef) -> bool:
    """Is it the class of generators of a function?"""
    return hasattr(getattr(classdef.cls, "__del__", None), "_rpython_span_")


def _names(classdefs: list[ClassDef]) -> str:
    return ", ".join(sorted(classdef.cls.__qualname__ for classdef in classdefs))


def _may_be_cyclic(start: ClassDef) -> bool:
    """May an instance lead to itself by way of attributes, and of containers in them?"""
    seen: set[ClassDef] = set()
    todo = list(_referred_to(start))
    while todo:
        classdef = todo.pop()
        if classdef is start:
            return True
        if classdef not in seen:
            seen.add(classdef)
            todo += _referred_to(classdef)
    return False


def _referred_to(classdef: ClassDef) -> Iterator[ClassDef]:
    """The classes of the objects that instances of exactly this class refer to."""
    if issubclass(classdef.cls, Ref):
        return
    for above in classdef.mro():
        for attribute in above.attrs.values():
            for inside in _instances_in(attribute.s_value):
                yield from inside.subtree()


def _instances_in(s: SomeObject) -> Iterator[ClassDef]:
    """The classes of the instances that a value is or holds."""
    seen: set[int] = set()
    todo = [s]
    while todo:
        for part in parts_of(todo.pop()):
            if isinstance(part, SomeInstance):
                yield part.classdef
            elif (items_s := tuple_items(part)) is not None:
                todo += items_s
            elif isinstance(part, SomeList) and id(part.listdef.find()) not in seen:
                seen.add(id(part.listdef.find()))
                todo.append(part.listdef.find().item.s_value)
            elif isinstance(part, SomeDict | SomeAnySet) and id(part.dictdef.find()) not in seen:
                seen.add(id(part.dictdef.find()))
                todo += [part.dictdef.find().key.s_value, part.dictdef.find().value.s_value]
