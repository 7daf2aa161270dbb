"""From host types and values to annotations: what the caller of a translation gives."""

from __future__ import annotations

from collections import OrderedDict
from types import UnionType
from typing import TYPE_CHECKING, Any, Union

from rpython.annotator.lattice.cells import DictDef, ListDef, Origin
from rpython.annotator.lattice.model import (
    K_TUPLE,
    SomeBool,
    SomeByteArray,
    SomeBytes,
    SomeClass,
    SomeDict,
    SomeFloat,
    SomeInstance,
    SomeInteger,
    SomeList,
    SomeNone,
    SomeObject,
    SomeString,
    SomeTuple,
    s_Bottom,
    s_Char,
    s_None,
)
from rpython.annotator.lattice.namedtuples import SomeNamedTuple
from rpython.annotator.lattice.sets import SomeFrozenSet, SomeSet
from rpython.annotator.lattice.singlefloats import SomeSingleFloat
from rpython.annotator.lattice.union import Pairs, union
from rpython.annotator.lattice.vartuples import SomeVarTuple
from rpython.annotator.rules.lowlevel import lltype_to_annotation
from rpython.lltypesystem.lltype import Char, LowLevelType
from rpython.lltypesystem.rarithmetic import base_int, r_singlefloat
from rpython.translator.ir.errors import Conflict, TranslationError

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator


def annotation_of_type(annotator: RPythonAnnotator, hint: Any) -> SomeObject:
    """The annotation of values of a type hint: ``int``, ``float``, ``bool``, ``str``,
    ``bytes``, ``bytearray``, ``None``, a sized integer, ``list[T]``, ``tuple[T, ...]``,
    ``dict[K, V]``, ``set[T]``, ``frozenset[T]``, ``T | None``; RPython's ``[T]``, ``(T, ...)`` and
    ``{K: V}``; a class of the program; a low-level type, or an annotation itself.  Raises
    TranslationError."""
    if isinstance(hint, SomeObject):
        return hint
    if isinstance(hint, LowLevelType):
        return _annotation_of_lltype(hint)
    if isinstance(hint, (list, dict)):
        return _annotation_of_display(annotator, hint)
    if isinstance(hint, tuple):
        return SomeTuple(tuple(annotation_of_type(annotator, item) for item in hint))
    simple: dict[Any, SomeObject] = {
        int: SomeInteger(), float: SomeFloat(), bool: SomeBool(), str: SomeString(),
        bytes: SomeBytes(), bytearray: SomeByteArray(), None: SomeNone(), type(None): SomeNone(),
        r_singlefloat: SomeSingleFloat(),
    }  # fmt: skip
    if hint in simple:
        return simple[hint]
    if isinstance(hint, type) and issubclass(hint, base_int):
        return SomeInteger(knowntype=hint)
    origin: Any = getattr(hint, "__origin__", None)
    args: tuple[Any, ...] = getattr(hint, "__args__", ())
    if origin is list and len(args) == 1:
        return list_of(annotator, annotation_of_type(annotator, args[0]))
    if origin is tuple and args[1:] == (Ellipsis,):
        return SomeVarTuple(annotation_of_type(annotator, args[0]))
    if origin is tuple:
        return SomeTuple(tuple(annotation_of_type(annotator, item) for item in args))
    if origin is dict and len(args) == 2:
        s_key, s_value = (annotation_of_type(annotator, item) for item in args)
        return dict_of(annotator, s_key, s_value)
    if origin in (set, frozenset) and len(args) == 1:
        cls = SomeSet if origin is set else SomeFrozenSet
        return cls(_dict_of(annotator, annotation_of_type(annotator, args[0]), s_None))
    if origin is Union or isinstance(hint, UnionType):
        inner = [item for item in args if item is not type(None)]
        if len(inner) == 1 and len(args) == 2:
            return union(annotation_of_type(annotator, inner[0]), s_None, Pairs())
        if annotator.boxes:
            s_union: SomeObject = s_Bottom
            for item in args:
                s_union = annotator.join(s_union, annotation_of_type(annotator, item))
            if annotator.representable(s_union):
                return s_union
        elif annotator.refinement.may_box:
            raise Conflict(f"{hint!r} cannot be the type of an argument")
    if isinstance(hint, type) and isinstance(annotator.constants.annotation_of(hint), SomeClass):
        return SomeInstance(annotator.constants.classdef(hint))
    raise TranslationError(f"{hint!r} cannot be the type of an argument")


def _annotation_of_lltype(T: LowLevelType) -> SomeObject:
    try:
        return s_Char if T is Char else lltype_to_annotation(T)
    except TypeError as error:
        raise TranslationError(str(error)) from None


def _annotation_of_display(
    annotator: RPythonAnnotator, hint: list[Any] | dict[Any, Any]
) -> SomeObject:
    """RPython's way to write types: ``[int]`` is ``list[int]``, ``{str: int}`` is a dict's."""
    if len(hint) != 1:
        raise TranslationError(f"{hint!r} cannot be the type of an argument")
    if isinstance(hint, list):
        return list_of(annotator, annotation_of_type(annotator, hint[0]))
    [(key, value)] = hint.items()
    s_key, s_value = (annotation_of_type(annotator, item) for item in (key, value))
    return dict_of(annotator, s_key, s_value)


def _dict_of(annotator: RPythonAnnotator, s_key: SomeObject, s_value: SomeObject) -> DictDef:
    dictdef = DictDef("an argument")
    for cell, s in ((dictdef.key, s_key), (dictdef.value, s_value)):
        annotator.merge_cell(cell, s, Origin(s, "given by the caller", None, None))
    return dictdef


def dict_of(annotator: RPythonAnnotator, s_key: SomeObject, s_value: SomeObject) -> SomeDict:
    """A dict with such keys and values."""
    return SomeDict(_dict_of(annotator, s_key, s_value))


def list_of(annotator: RPythonAnnotator, s_item: SomeObject) -> SomeList:
    """A list with such items."""
    listdef = ListDef("item of an argument list")
    listdef.resized = True
    origin = Origin(s_item, "given by the caller", None, None)
    annotator.merge_cell(listdef.item, s_item, origin)
    return SomeList(listdef)


def annotation_of_value(
    annotator: RPythonAnnotator, value: Any, known: dict[int, SomeObject]
) -> SomeObject:
    """The annotation of an argument given to ``interpret``.  ``known``: of the containers of the
    same call that were seen before, by ``id``: one of them is one list for the program, too."""

    def inner(x: Any) -> SomeObject:
        return annotation_of_value(annotator, x, known)

    if id(value) in known:
        return known[id(value)]
    if type(value) is list:
        s_list = known[id(value)] = list_of(annotator, s_Bottom)
        for item in value:
            origin = Origin(inner(item), "given by the caller", None, None)
            annotator.merge_cell(s_list.listdef.find().item, origin.s_value, origin)
        return s_list
    if isinstance(value, OrderedDict):
        raise TranslationError("an OrderedDict cannot be an argument: pass a dict")
    if type(value) in (dict, set, frozenset):
        return _table_of_value(annotator, value, known)
    if isinstance(value, tuple):
        items = tuple(map(inner, value))
        if type(value) is tuple:
            return SomeTuple(items)
        s_named = annotator.constants.annotation_of(value)
        return SomeNamedTuple(items, type(value)) if s_named.kinds == K_TUPLE else s_named
    s_value = annotator.constants.annotation_of(value).without_const()
    if isinstance(s_value, SomeInteger):
        return SomeInteger(knowntype=s_value.knowntype)
    return SomeString() if isinstance(s_value, SomeString) else s_value


def _table_of_value(
    annotator: RPythonAnnotator, value: Any, known: dict[int, SomeObject]
) -> SomeObject:
    """Of a dict or a set."""
    dictdef = _dict_of(annotator, s_Bottom, s_Bottom)
    classes: dict[type, Any] = {dict: SomeDict, set: SomeSet, frozenset: SomeFrozenSet}
    cls = classes[type(value)]
    s_table: SomeObject = cls(dictdef)
    known[id(value)] = s_table
    for key, item in (value if cls is SomeDict else dict.fromkeys(value)).items():
        s_key, s_value = (annotation_of_value(annotator, x, known) for x in (key, item))
        annotator.unify(dictdef, _dict_of(annotator, s_key, s_value))
    if cls is not SomeDict:
        annotator.unify(dictdef, _dict_of(annotator, s_Bottom, s_None))
    return s_table
