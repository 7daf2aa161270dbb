"""Taking annotations apart by kind, and putting them together."""

from __future__ import annotations

import types
import typing
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from rpython.annotator.lattice.cells import DictDef, ListDef
from rpython.annotator.lattice.enumints import SomeEnumInt
from rpython.annotator.lattice.hostnames import type_of_function
from rpython.annotator.lattice.model import (
    K_ADDRESS,
    K_BOOL,
    K_BUILTIN_METHOD,
    K_BYTEARRAY,
    K_BYTES,
    K_CLASS,
    K_CLASSMETHOD,
    K_DICT,
    K_DICTVIEW,
    K_FLOAT,
    K_FROZENSET,
    K_FUNCTION,
    K_INSTANCE,
    K_INT,
    K_ITERATOR,
    K_KEYWORDS,
    K_LIST,
    K_MEMORYVIEW,
    K_METHOD,
    K_NONE,
    K_NOTIMPLEMENTED,
    K_NUMBERVIEW,
    K_PTR,
    K_RANGE,
    K_SET,
    K_SINGLEFLOAT,
    K_SLICE,
    K_STR,
    K_TUPLE,
    KIND_NAMES,
    SomeClass,
    SomeDict,
    SomeDictView,
    SomeHost,
    SomeInstance,
    SomeInteger,
    SomeIterator,
    SomeList,
    SomeObject,
    SomePBC,
    SomeTuple,
    SomeUnion,
    s_Bottom,
)
from rpython.annotator.lattice.namedtuples import SomeNamedTuple
from rpython.annotator.lattice.pieces import PIECES
from rpython.annotator.lattice.sets import SomeAnySet, SomeFrozenSet
from rpython.annotator.lattice.vartuples import tuple_items
from rpython.annotator.overlay.threads import tested_class
from rpython.lltypesystem.rarithmetic import r_singlefloat
from rpython.stdlib._registry import PER_SITE, replacement_of
from rpython.stdlib._seen import HOSTS


def type_name(s: SomeObject) -> str:
    """The name of the type of such values, as CPython's messages give it."""
    if isinstance(s, SomeInstance):
        return s.classdef.name
    special = {
        K_NONE: "NoneType", K_FUNCTION: "function", K_METHOD: "method", K_CLASS: "type",
        K_BUILTIN_METHOD: "builtin_function_or_method",
    }  # fmt: skip
    return special.get(s.kinds) or KIND_NAMES.get(s.kinds, "object")


KIND_CLASSES: dict[int, type] = {
    K_NONE: type(None), K_BOOL: bool, K_INT: int, K_FLOAT: float, K_STR: str, K_BYTES: bytes,
    K_BYTEARRAY: bytearray, K_TUPLE: tuple, K_LIST: list, K_DICT: dict, K_RANGE: range,
    K_SET: set, K_FROZENSET: frozenset, K_SINGLEFLOAT: r_singlefloat, K_SLICE: slice,
    K_FUNCTION: types.FunctionType, K_METHOD: types.MethodType,
    K_BUILTIN_METHOD: types.BuiltinMethodType, K_CLASSMETHOD: types.MethodType,
    K_KEYWORDS: dict, K_MEMORYVIEW: memoryview, K_NUMBERVIEW: memoryview,
}  # fmt: skip
"""The built-in classes that the kinds of values are instances of."""


def kinds_of_class(cls: type) -> int:
    """The kinds whose values are instances of a built-in class."""
    return sum(kind for kind, host in KIND_CLASSES.items() if issubclass(host, cls))


def class_of_kind(part: SomeObject) -> type | None:
    """The host class of values of one kind other than instances; None where nobody can say.  (An
    int that ``may_be_bool`` counts as an int.)"""
    cls: type | None = KIND_CLASSES.get(part.kinds)
    if isinstance(part, SomeInteger):
        cls = part.cls if isinstance(part, SomeEnumInt) else part.knowntype
    elif isinstance(part, SomeNamedTuple):
        cls = part.cls
    elif isinstance(part, SomeDict) and part.dictdef.find().ordered:
        cls = OrderedDict
    elif isinstance(part, SomeIterator):
        cls = _class_of_iterator(part)
    elif isinstance(part, SomePBC) and part.kinds == K_FUNCTION:
        classes = classes_of_functions(part)
        cls = classes.pop() if len(classes) == 1 else None
    elif isinstance(part, SomeClass):
        metaclasses = {type(desc.classdef.cls) for desc in part.descs}  # type: ignore[attr-defined]
        cls = type if metaclasses == {type} else None
    elif isinstance(part, SomeHost) and type(part.value) is type:
        cls = type
    return cls


def _class_of_iterator(part: SomeIterator) -> type | None:
    variant = part.variant.partition(" ")[0]
    if variant in ("map", "filter", "zip", "enumerate"):
        return {"map": map, "filter": filter, "zip": zip, "enumerate": enumerate}[variant]
    host = class_of_kind(part.sources[0]) if variant not in PIECES else list
    if host not in (list, tuple, dict, str, bytes, bytearray, set, frozenset):
        return None
    empty: Any = host()
    return type(reversed(empty) if variant == "reversed" else iter(empty))


def classes_of_functions(part: SomePBC) -> set[type | None]:
    """The host classes of several functions, among which there may be built-ins; None for one of
    which nobody knows it."""
    return {type_of_function(getattr(desc, "func", None)) for desc in part.descs}


def parts_of(s: SomeObject) -> tuple[SomeObject, ...]:
    """The single-kind parts of an annotation (none for bottom)."""
    if isinstance(s, SomeUnion):
        return s.parts
    return () if s.kinds == 0 else (s,)


def from_parts(parts: list[SomeObject]) -> SomeObject:
    """The annotation made of these single-kind parts, in any order, kinds distinct."""
    if not parts:
        return s_Bottom
    if len(parts) == 1:
        return parts[0]
    return SomeUnion(tuple(sorted(parts, key=_order)))


def _order(part: SomeObject) -> tuple[int, str]:
    return part.kinds, place_name(part)


def place_of(part: SomeObject) -> object:
    """What parts of a union differ in: their kinds, the classes at the top of those of instances,
    whether dicts are ordered ones, what of a dict a view shows, or what iterators are over, in
    which these differ likewise."""
    if isinstance(part, SomeInstance):
        return part.classdef.root()
    if isinstance(part, SomeIterator):
        return (part.variant, *map(place_of, part.sources))
    if isinstance(part, SomeDictView):
        return part.kinds, part.which, part.dictdef.find().ordered
    if isinstance(part, SomeDict) and part.dictdef.find().ordered:
        return part.kinds, "ordered"
    return part.kinds


def place_name(part: SomeObject) -> str:
    """The same as a text, which does not change from one process to the next."""
    if isinstance(part, SomeInstance):
        return part.classdef.root().name
    if isinstance(part, SomeIterator):
        return f"{part.variant}({', '.join(map(place_name, part.sources))})"
    place = place_of(part)
    return " ".join(map(str, place)) if isinstance(place, tuple) else str(place)


def without_kinds(s: SomeObject, kinds: int) -> SomeObject:
    """``s`` less the parts of the given kinds."""
    if not s.kinds & kinds:
        return s
    return from_parts([part for part in parts_of(s) if not part.kinds & kinds])


def may_be_str_or_other(s: SomeObject) -> bool:
    """Does only the value tell whether it is a str, None aside, or may it be of a class that
    extends ``str``?"""
    classes = [part.classdef.cls for part in parts_of(s) if isinstance(part, SomeInstance)]
    extended = any(issubclass(c, str) or getattr(c, PER_SITE, None) is str for c in classes)
    return extended or bool(s.kinds & K_STR and s.kinds & ~(K_STR | K_NONE))


def without_none(s: SomeObject) -> SomeObject:
    return without_kinds(s, K_NONE)


NULLABLE_KINDS = (
    K_BOOL | K_INT | K_FLOAT | K_STR | K_BYTES | K_BYTEARRAY | K_TUPLE | K_LIST | K_DICT
    | K_INSTANCE | K_FUNCTION | K_CLASS | K_METHOD | K_PTR | K_DICTVIEW | K_RANGE | K_ITERATOR
    | K_SET | K_FROZENSET | K_MEMORYVIEW | K_NUMBERVIEW | K_SINGLEFLOAT | K_ADDRESS
    | K_CLASSMETHOD
)  # fmt: skip
"""Kinds that None can be combined with: pointers, where it is the null pointer, and
numbers, which are put in a box then."""


CALLABLE_KINDS = K_FUNCTION | K_CLASS | K_METHOD | K_CLASSMETHOD | K_BUILTIN_METHOD


def is_callable(part: SomeObject) -> bool:
    """Can all values of this kind be called, so that a value may be one of several kinds?"""
    if isinstance(part, SomeInstance):
        return part.classdef.class_value("__call__") is not None
    return bool(part.kinds & CALLABLE_KINDS)


BOXED_KINDS = (
    K_BOOL | K_INT | K_FLOAT | K_STR | K_BYTES | K_BYTEARRAY | K_TUPLE | K_LIST | K_DICT
    | K_INSTANCE | K_FUNCTION | K_CLASS | K_METHOD | K_RANGE | K_SET | K_FROZENSET | K_ITERATOR
    | K_DICTVIEW
)  # fmt: skip
"""Kinds that can be in a box with a tag, where any of several kinds may be."""


def takes_box(s: SomeObject) -> bool:
    """Does it take a box with a tag to hold such a value?"""
    return isinstance(s, SomeUnion) and (not _combines(s) or tells_apart(s))


def is_big(s: SomeObject) -> bool:
    """Is it an int that does not fit in 64 bits (``rpython.stdlib._bigints``)?"""
    return isinstance(s, SomeInstance) and s.classdef.seen_as is int


def tells_apart(s: SomeObject) -> bool:
    """Are there bools beside ints, or several parts of one kind (instances of classes without a
    common base), as only boxes tell?"""
    if not isinstance(s, SomeUnion):
        return False
    if s.kinds & (K_BOOL | K_INT) == K_BOOL | K_INT:
        return True
    return len({part.kinds for part in s.parts}) < len(s.parts)


def representable(s: SomeObject, boxes: bool = False) -> bool:
    """Is there a low-level form for this combination of kinds?  One kind always has one;
    most may be combined with None, or with NotImplemented; callables of several kinds with
    each other.  ``boxes``: all others that can be in a box with each other."""
    for part in parts_of(s):
        if not all(representable(s_item, boxes) for s_item in tuple_items(part) or ()):
            return False
    if not takes_box(s):
        return _combines(s)
    return (
        boxes
        and not s.kinds & ~(BOXED_KINDS | K_NONE)
        and not any(
            isinstance(part, SomeInteger) and (part.knowntype is not int or part.mixed)
            for part in parts_of(s)
        )
    )


def holds_unknown(s: SomeObject) -> bool:
    """Is the value unknown, or an item of it as a tuple?"""
    return s.is_unknown() or any(
        holds_unknown(s_item) for part in parts_of(s) for s_item in tuple_items(part) or ()
    )


def _combines(s: SomeObject) -> bool:
    """Can values of these kinds be told apart without a box that says which it is?"""
    bits = s.kinds
    if bits & K_NOTIMPLEMENTED:
        rest = bits & ~K_NOTIMPLEMENTED
        return rest & (rest - 1) == 0 and (rest == 0 or bool(rest & NULLABLE_KINDS))
    rest = bits & ~K_NONE
    if rest & (rest - 1):
        return all(part.kinds == K_NONE or is_callable(part) for part in parts_of(s))
    return bits == rest or rest == 0 or bool(rest & NULLABLE_KINDS)


MOST_NESTED = 10
"""More tuples inside each other in a value that has grown step by step will never be all."""


def nests(s: SomeObject, depth: int = MOST_NESTED) -> bool:
    """Are there more than that many tuples inside each other?"""
    tuples = [part for part in parts_of(s) if isinstance(part, SomeTuple)]
    if depth == 0:
        return bool(tuples)
    return any(nests(s_item, depth - 1) for part in tuples for s_item in part.items)


def constant_classes(s_class: SomeObject) -> list[Any] | None:
    """What a class, or a tuple of classes and such tuples, consists of; None when it is not
    known at translation time."""
    if isinstance(s_class, SomeTuple):
        items = [constant_classes(s) for s in s_class.items]
        return None if None in items else [cls for item in items for cls in item or ()]
    if not s_class.is_constant():
        return None
    if isinstance(s_class.value, types.UnionType):
        return [
            type(None) if cls is None else tested_class(replacement_of(cls))
            for cls in s_class.value.__args__
        ]
    value = s_class.value
    if type(value).__module__ == "typing" and not typing.get_args(value):
        value = typing.get_origin(value) or value  # typing.Iterable
    return [tested_class(replacement_of(value))]


def possible_classes(s_class: SomeObject) -> list[Any] | None:
    """The same where some of the classes are chosen at run time: all that it may be."""
    if isinstance(s_class, SomeTuple):
        items = [possible_classes(s) for s in s_class.items]
        return None if None in items else [cls for item in items for cls in item or ()]
    if isinstance(s_class, SomeClass) and not s_class.is_constant():
        return [desc.classdef.cls for desc in s_class.descs]  # type: ignore[attr-defined]
    return constant_classes(s_class)


EQUALITY_METHODS = ("__eq__", "__ne__")


_EQUAL_KINDS = (
    K_BOOL | K_INT | K_FLOAT, K_BYTES | K_BYTEARRAY | K_MEMORYVIEW,
    K_SET | K_FROZENSET | K_DICTVIEW,
)  # fmt: skip


def may_be_equal(a: SomeObject, b: SomeObject) -> bool:
    """Is there a kind in common, or are there kinds that compare with each other?  (Classes
    that define equality aside.)"""
    if a.kinds & b.kinds or may_be_builtin(a, b) or may_be_same_class(a, b):
        return True
    return any(a.kinds & kinds and b.kinds & kinds for kinds in _EQUAL_KINDS)


def class_with_equality(s: SomeObject) -> str | None:
    """The name of a class of these instances that defines ``__eq__`` or ``__ne__``."""
    for part in parts_of(s):
        if isinstance(part, SomeInstance):
            for classdef in (*part.classdef.mro(), *part.classdef.subtree()):
                if classdef.defines(*EQUALITY_METHODS):
                    return classdef.name
    return None


_SHOWN = K_NONE | K_BOOL | K_INT | K_FLOAT | K_STR | K_BYTES | K_SINGLEFLOAT
K_SHOWN = (
    _SHOWN | K_BYTEARRAY | K_LIST | K_TUPLE | K_DICT | K_SET | K_FROZENSET | K_DICTVIEW | K_RANGE
)
"""What has ``str`` and ``repr``, if its items have; instances aside."""


def has_text(s: SomeObject) -> bool:
    """Has a key of a dict a ``repr`` that KeyError can show?  (That of most objects is an
    address.)"""
    for part in parts_of(s):
        if (items_s := tuple_items(part)) is not None:
            if not all(map(has_text, items_s)):
                return False
        elif isinstance(part, SomeInstance):
            if part.classdef.text_method(True) is None:
                return False
        elif isinstance(part, SomeFrozenSet):
            if not has_text(part.dictdef.find().key.s_value):
                return False
        elif part.kinds & ~_SHOWN:
            return False
    return True


def may_be_same_class(a: SomeObject, b: SomeObject) -> bool:
    """Is one a class that is only known at run time, and the other a built-in class that it may
    be, by itself or among functions?"""
    return bool(same_classes(a, b) or same_classes(b, a))


def same_classes(s_class: SomeObject, s_other: SomeObject) -> list[type]:
    """The built-in classes that a class known at run time may be, and ``s_other``, too, as a host
    object or one of several functions."""
    descs: list[Any] = [
        desc for part in parts_of(s_class) if isinstance(part, SomeClass) for desc in part.descs
    ]
    others: list[Any] = []
    for part in parts_of(s_other) if descs else ():
        if isinstance(part, SomeHost):
            others.append(part.value)
        elif isinstance(part, SomePBC) and part.kinds == K_FUNCTION:
            others += _builtins_among(part)
    return [desc.classdef.cls for desc in descs if any(x is desc.classdef.cls for x in others)]


def _builtins_among(s: SomePBC) -> list[Any]:
    """The functions and classes of CPython that some of several functions stand for."""
    functions = [getattr(desc, "func", None) for desc in s.descs]
    return [host for function in functions for host in getattr(function, HOSTS, ())]


def has_builtin(s: SomeObject, builtin: Any) -> bool:
    """Is the built-in function or class one of these functions or classes?"""
    if isinstance(s, SomeClass):
        descs: Any = s.descs
        return any(desc.classdef.cls is builtin for desc in descs)
    return isinstance(s, SomePBC) and any(x is builtin for x in _builtins_among(s))


def among_functions(s: SomeObject) -> SomeObject:
    """What a built-in function is where other functions are, too, and a built-in class where other
    classes are; other annotations as they are."""
    if isinstance(s, SomeHost) and s.as_function is not None:
        return s.as_function(s.value)
    return s


def as_key(s: SomeObject) -> SomeObject:
    """What a value is as a key of a dict: a built-in function or class is one of several."""
    if type(s) is SomeTuple:
        items = tuple(map(as_key, s.items))
        return s if items == s.items else SomeTuple(items)
    return among_functions(s)


def may_be_builtin(a: SomeObject, b: SomeObject) -> bool:
    """Is one a built-in function, and the other one of several functions that may be that one?"""
    for s_host, s_other in ((a, b), (b, a)):
        s_function = among_functions(s_host)
        if s_function is not s_host and isinstance(s_function, SomePBC):
            for part in parts_of(s_other):
                if isinstance(part, SomePBC) and part.kinds == s_function.kinds:
                    return bool(part.mask & s_function.mask)
    return False


def any_part(
    s: SomeObject, test: Callable[[SomeObject], bool], seen: frozenset[object] = frozenset()
) -> bool:
    """Does ``test`` hold for a part of ``s``, or of the items of its tuples and containers?"""
    for part in parts_of(s):
        if test(part):
            return True
        items = tuple_items(part) or ()
        inside = seen
        if isinstance(part, (SomeList, SomeDict, SomeAnySet)):
            root: Any = part.listdef if isinstance(part, SomeList) else part.dictdef
            root = root.find()
            if root not in seen:
                cells = (root.item,) if isinstance(part, SomeList) else (root.key, root.value)
                items = tuple(cell.s_value for cell in cells)
                inside = seen | {root}
        if any(any_part(s_item, test, inside) for s_item in items):
            return True
    return False


def runs_methods(s: SomeObject) -> bool:
    """Does comparing such values run methods of the program, which may do anything?"""
    names = (*EQUALITY_METHODS, "__lt__", "__le__", "__gt__", "__ge__")

    def defines_any(part: SomeObject) -> bool:
        if not isinstance(part, SomeInstance):
            return False
        classes = (*part.classdef.mro(), *part.classdef.subtree())
        return any(classdef.defines(*names) for classdef in classes)

    return any_part(s, defines_any)


def list_item(s: SomeObject) -> ListDef:
    """The definition of a list."""
    assert isinstance(s, SomeList)
    return s.listdef.find()


def dict_def(s: SomeObject) -> DictDef:
    """The definition of a dict, or of the one that a view is of."""
    assert isinstance(s, (SomeDict, SomeDictView, SomeAnySet))
    return s.dictdef.find()
