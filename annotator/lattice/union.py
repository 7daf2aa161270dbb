"""The join of two annotations.

``union`` is pure, total, commutative, associative and idempotent (``tests/laws``): two
annotations that have nothing in common join to top, which the annotator refuses with
the story of both.  Joining two lists says that they are one list; the pairs of
definitions that the caller has to unify are appended to ``pairs``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rpython.annotator.builtins.openmodes import is_mode
from rpython.annotator.lattice.addresses import SomeAccess
from rpython.annotator.lattice.builtinmethods import SomeBuiltinMethods, member
from rpython.annotator.lattice.enumints import SomeEnumInt
from rpython.annotator.lattice.keywords import SomeKeywords
from rpython.annotator.lattice.listbuilders import SomeListBuilder
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_HOST,
    K_INT,
    Const,
    SomeBuiltinMethod,
    SomeChar,
    SomeDict,
    SomeDictView,
    SomeHost,
    SomeInstance,
    SomeInteger,
    SomeIterator,
    SomeList,
    SomeMemoryView,
    SomeObject,
    SomePBC,
    SomePtr,
    SomeRange,
    SomeSlice,
    SomeString,
    SomeTuple,
    SomeUnion,
    s_Bottom,
    s_Str,
    s_Top,
)
from rpython.annotator.lattice.namedtuples import SomeNamedTuple
from rpython.annotator.lattice.outsideviews import SomeOutsideView
from rpython.annotator.lattice.parts import (
    among_functions,
    from_parts,
    parts_of,
    place_of,
    takes_box,
    tells_apart,
)
from rpython.annotator.lattice.sets import SomeAnySet, SomeFrozenSet, SomeSet
from rpython.annotator.lattice.supers import SomeSuper
from rpython.annotator.lattice.vartuples import SomeVarTuple, tuple_items
from rpython.lltypesystem.rarithmetic import r_int64, r_uint


class Pairs(list[tuple[Any, Any]]):
    """The pairs of definitions that the caller has to unify.

    ``boxes``: may values of any kinds meet, in a box that says which is there?  Then bools stay
    apart from ints, and classes without a common base from each other.
    """

    __slots__ = ("boxes",)

    def __init__(self, boxes: bool = False) -> None:
        super().__init__()
        self.boxes = boxes


def union(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    """The least annotation that admits every value of ``a`` and of ``b``."""
    if a is b or b.kinds == 0:
        return a
    if a.kinds == 0:
        return b
    if type(a) is SomeObject or type(b) is SomeObject:
        return s_Top
    if a == b:
        return a
    if (a.kinds | b.kinds) & K_HOST:
        a, b = among_functions(a), among_functions(b)
        if a == b:
            return a
    apart = pairs.boxes or tells_apart(a) or tells_apart(b)
    if a.kinds == b.kinds and not isinstance(a, SomeUnion) and not isinstance(b, SomeUnion):
        if not apart or place_of(a) == place_of(b):
            return _union_parts(a, b, pairs)
    merged: dict[object, SomeObject] = {}
    for part in (*parts_of(a), *parts_of(b)):
        key = place_of(part) if apart else part.kinds
        if key in merged:
            joined = _union_parts(merged[key], part, pairs)
            if type(joined) is SomeObject:
                return s_Top
            merged[key] = joined
        else:
            merged[key] = part
    if K_BOOL in merged and K_INT in merged and not apart:
        del merged[K_BOOL]
        joined = _join_integers(SomeInteger(True, may_be_bool=True), merged[K_INT], pairs)
        if type(joined) is SomeObject:
            return s_Top
        merged[K_INT] = joined
    if len(merged) > 1:
        joined = from_parts([part.without_const() for part in merged.values()])
        return as_mixed(joined) if takes_box(joined) else joined
    return from_parts(list(merged.values()))


def as_mixed(s: SomeObject) -> SomeObject:
    """A mixed union in the one form that it has in low-level memory: a str of length one is a
    str."""
    return from_parts([s_Str if isinstance(part, SomeChar) else part for part in parts_of(s)])


def contains(general: SomeObject, special: SomeObject) -> bool:
    """Does ``general`` admit every value that ``special`` does?"""
    if special != general:
        special = among_functions(special)
    if special.kinds & ~general.kinds and not special.kinds & K_BOOL:
        return False
    pairs = Pairs()
    return union(general, special, pairs) == general and not any(
        x.find() is not y.find() for x, y in pairs
    )


def _union_parts(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    """The join of two annotations of one and the same kind."""
    if a == b:
        return a
    return _JOINS.get(a.kinds, _join_plain)(a, b, pairs)


def _const(a: SomeObject, b: SomeObject) -> Const | None:
    return a.const if a.const == b.const else None


def _join_plain(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    """Kinds that carry nothing but a specialisation: the values differ."""
    return a.without_const()


def _join_integers(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    assert isinstance(a, SomeInteger) and isinstance(b, SomeInteger)
    if isinstance(a, SomeEnumInt) and isinstance(b, SomeEnumInt) and a.cls is b.cls:
        return SomeEnumInt(a.cls, _const(a, b))
    may_be_bool = a.may_be_bool or b.may_be_bool
    if a.knowntype is b.knowntype:
        mixed = a.mixed or b.mixed
        nonneg = a.nonneg and b.nonneg
        return SomeInteger(nonneg, a.knowntype, may_be_bool, _const(a, b), mixed)
    if b.knowntype is int:
        a, b = b, a
    if a.knowntype is not int:
        return s_Top
    if b.knowntype is r_uint and a.nonneg and not a.mixed:
        return SomeInteger(True, r_uint, may_be_bool, mixed=True)
    if b.knowntype is r_int64:
        return SomeInteger(False, int, may_be_bool, mixed=True)
    return s_Top


def _join_strings(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    assert isinstance(a, SomeString) and isinstance(b, SomeString)
    chars = isinstance(a, SomeChar) and isinstance(b, SomeChar)
    const = _const(a, b)
    modes = None
    if const is None and (modes := _modes(a)) is not None:
        more = _modes(b)
        modes = None if more is None else modes | more
    return (SomeChar if chars else SomeString)(const, modes)


def _modes(s: SomeString) -> frozenset[str] | None:
    if s.const is None or not is_mode(s.value):
        return s.modes
    return frozenset([s.value])


def _join_tuples(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    if not isinstance(a, SomeTuple) or not isinstance(b, SomeTuple):
        return _join_lengths(a, b, pairs)
    if len(a.items) != len(b.items):
        return _join_lengths(a, b, pairs)
    items = tuple(union(x, y, pairs) for x, y in zip(a.items, b.items))
    if any(type(s) is SomeObject for s in items):
        return s_Top
    if isinstance(a, SomeNamedTuple) and isinstance(b, SomeNamedTuple) and a.cls is b.cls:
        return SomeNamedTuple(items, a.cls, _const(a, b))
    if isinstance(a, SomeNamedTuple) or isinstance(b, SomeNamedTuple):
        return s_Top
    return SomeTuple(items, _const(a, b))


def _join_lengths(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    """The join of tuples that are not of one known length: the items become of one kind."""
    if isinstance(a, SomeNamedTuple) or isinstance(b, SomeNamedTuple):
        return s_Top
    s_item: SomeObject = s_Bottom
    for s in (a, b):
        for s_other in tuple_items(s) or ():
            s_item = union(s_item, s_other.without_const(), pairs)
    if type(s_item) is SomeObject or _depth(s_item) > _DEEPEST:
        return s_Top
    return SomeVarTuple(s_item)


_DEEPEST = 4
"""Tuples nested deeper than that are ever deeper ones: ``t = (t, t) if b else ()``."""


def _depth(s: SomeObject) -> int:
    """How deep tuples are nested in the values."""
    found = [0]
    for part in parts_of(s):
        for s_item in tuple_items(part) or ():
            found.append(1 + _depth(s_item))
    return max(found)


def _join_keywords(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    assert isinstance(a, SomeKeywords) and isinstance(b, SomeKeywords)
    if a.names != b.names:
        return s_Top
    items = tuple(union(x, y, pairs) for x, y in zip(a.items, b.items))
    if any(type(s) is SomeObject for s in items):
        return s_Top
    return SomeKeywords(a.names, items)


def _join_lists(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    assert isinstance(a, SomeList) and isinstance(b, SomeList)
    pairs.append((a.listdef, b.listdef))
    return SomeList(a.listdef, _const(a, b))


def _join_list_builders(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    assert isinstance(a, SomeListBuilder) and isinstance(b, SomeListBuilder)
    pairs.append((a.listdef, b.listdef))
    return a


def _join_dicts(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    assert isinstance(a, SomeDict) and isinstance(b, SomeDict)
    if a.dictdef.find().ordered is not b.dictdef.find().ordered:
        return s_Top
    pairs.append((a.dictdef, b.dictdef))
    return SomeDict(a.dictdef, _const(a, b))


def _join_sets(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    assert isinstance(a, SomeAnySet) and isinstance(b, SomeAnySet)
    pairs.append((a.dictdef, b.dictdef))
    return type(a)(a.dictdef, _const(a, b))


def _join_views(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    assert isinstance(a, SomeDictView) and isinstance(b, SomeDictView)
    if a.which != b.which:
        return s_Top
    pairs.append((a.dictdef, b.dictdef))
    return a


def _join_ranges(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    assert isinstance(a, SomeRange) and isinstance(b, SomeRange)
    step = a.step if a.step == b.step else None
    return SomeRange(step, a.nonneg and b.nonneg, _const(a, b))


def _join_iterators(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    assert isinstance(a, SomeIterator) and isinstance(b, SomeIterator)
    if a.variant != b.variant or len(a.sources) != len(b.sources):
        return s_Top
    if any(x.kinds != y.kinds for x, y in zip(a.sources, b.sources)):
        return s_Top
    sources = tuple(union(x, y, pairs) for x, y in zip(a.sources, b.sources))
    if any(type(s) is SomeObject for s in sources):
        return s_Top
    return SomeIterator(sources, a.variant)


def _join_slices(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    assert isinstance(a, SomeSlice) and isinstance(b, SomeSlice)
    parts = tuple(union(x, y, pairs) for x, y in zip(a.parts, b.parts))
    return SomeSlice(parts, _const(a, b))


def _join_instances(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    assert isinstance(a, SomeInstance) and isinstance(b, SomeInstance)
    base = a.classdef.common_base(b.classdef)
    if base is None:
        return s_Top
    if not base.keeps_members:
        return SomeInstance(base, _const(a, b))
    members = [x.members or {x.classdef} for x in (a, b)]
    return SomeInstance(base, None, frozenset().union(*members))


def _join_supers(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    assert isinstance(a, SomeSuper) and isinstance(b, SomeSuper)
    if a.start is not b.start or a.s_self.kinds != b.s_self.kinds or a.s_self.is_constant():
        return s_Top
    s_self = _join_instances(a.s_self, b.s_self, pairs)
    return SomeSuper(a.start, s_self) if isinstance(s_self, SomeInstance) else s_Top


def _join_pbcs(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    assert isinstance(a, SomePBC) and isinstance(b, SomePBC)
    return type(a)(a.mask | b.mask, a.table, _const(a, b))


def _join_ptrs(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    assert isinstance(a, SomePtr) and isinstance(b, SomePtr)
    return SomePtr(a.ll_ptrtype, _const(a, b)) if a.ll_ptrtype == b.ll_ptrtype else s_Top


def _join_builtin_methods(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    """Each of the methods; the same one of two values of a kind is that of their join."""
    joined: dict[tuple[str, int, str], SomeBuiltinMethod] = {}
    for s in (a, b):
        for part in s.parts if isinstance(s, SomeBuiltinMethods) else (s,):
            assert isinstance(part, SomeBuiltinMethod)
            known = joined.get(member(part))
            s_self = part.s_self if known is None else union(known.s_self, part.s_self, pairs)
            if type(s_self) is SomeObject:
                return s_Top
            joined[member(part)] = SomeBuiltinMethod(part.name, s_self)
    parts = tuple(joined[key] for key in sorted(joined))
    return parts[0] if len(parts) == 1 else SomeBuiltinMethods(parts)


def _join_never(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    """Kinds with nothing above two different members."""
    return s_Top


def _join_memory_views(a: SomeObject, b: SomeObject, pairs: Pairs) -> SomeObject:
    """Views of bytes, of which one is of memory that Python has."""
    return SomeOutsideView()


_JOINS: dict[int, Callable[[SomeObject, SomeObject, Pairs], SomeObject]] = {
    SomeInteger.kinds: _join_integers,
    SomeString.kinds: _join_strings,
    SomeTuple.kinds: _join_tuples,
    SomeList.kinds: _join_lists,
    SomeListBuilder.kinds: _join_list_builders,
    SomeMemoryView.kinds: _join_memory_views,
    SomeDict.kinds: _join_dicts,
    SomeDictView.kinds: _join_views,
    SomeSet.kinds: _join_sets,
    SomeFrozenSet.kinds: _join_sets,
    SomeRange.kinds: _join_ranges,
    SomeIterator.kinds: _join_iterators,
    SomeSlice.kinds: _join_slices,
    SomeInstance.kinds: _join_instances,
    SomePtr.kinds: _join_ptrs,
    SomeHost.kinds: _join_never,
    SomeAccess.kinds: _join_never,
    SomeSuper.kinds: _join_supers,
    SomeBuiltinMethod.kinds: _join_builtin_methods,
    SomeKeywords.kinds: _join_keywords,
}


def _register_pbcs() -> None:
    for cls in SomePBC.__subclasses__():
        kinds = cls.kinds
        assert isinstance(kinds, int)
        _JOINS[kinds] = _join_pbcs


_register_pbcs()
