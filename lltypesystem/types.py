"""Low-level types of memory: structs, arrays, functions, opaque types, and pointers to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from reprlib import recursive_repr
from types import MethodType
from typing import Any, ClassVar, NoReturn

from rpython.lltypesystem.primitives import (
    EMPTY_HINTS,
    LowLevelType,
    Primitive,
    Void,
    frozendict,
)


class ContainerType(LowLevelType):
    """Types of memory: only pointers to them are values."""

    _gckind = "raw"
    _hints: frozendict = EMPTY_HINTS
    _adtmeths: frozendict = EMPTY_HINTS
    _runtime_type_info: Any = None
    _rtti = False

    def _adtmember(self, name: str) -> Any:
        """``T.name``, a constant or function in the ``adtmeths``; a ``typeMethod`` is bound."""
        member = self._adtmeths[name]
        if not hasattr(member, "_type_method"):
            return member
        bound = self.__dict__.setdefault("_bound_methods", {})
        return bound.setdefault(name, MethodType(member, self))

    def _check_inline(self, where: str, first: bool, last: bool, outer_gckind: str) -> None:
        """Raise TypeError unless a container of this type may be part of another one."""
        raise TypeError(f"{where}: cannot inline {self._short_name()}; use a Ptr to it")


def _check_part(T: Any, where: str, first: bool, last: bool, outer_gckind: str) -> None:
    if isinstance(T, ContainerType):
        T._check_inline(where, first, last, outer_gckind)
    elif isinstance(T, ForwardReference):
        raise TypeError(f"{where}: a forward reference can only be used inside a Ptr")
    elif not isinstance(T, LowLevelType):
        raise TypeError(f"{where}: {T!r} is not a low-level type")


def _check_union_part(T: Any, where: str, outer_gckind: str) -> None:
    if outer_gckind == "gc" or T._is_varsize() or (isinstance(T, Ptr) and T.TO._gckind == "gc"):
        raise TypeError(f"{where}: a union is raw memory of a fixed size without GC pointers")


def _format_hints(hints: Mapping[str, Any]) -> str:
    return "".join(f" {key}={value!r}" for key, value in sorted(hints.items()))


class Struct(ContainerType):
    """``Struct(name, (field, TYPE), ..., hints={...}, adtmeths={...})``.

    Attributes of the type object give the types of the fields.  ``_flds`` maps names to
    types in order; ``_arrayfld`` is the name of the trailing variable-sized array.

    When the first field is a struct of the same memory kind (GC in GC, raw in raw), it
    is the *parent*: pointers may be cast between the two, and simulated memory keeps
    both in one container, the fields of each level under names of their own
    (``_slots``, see ``memory``).  Hints: ``union``, all fields share their memory instead;
    ``constant_fields``, the names of those that never change in prebuilt memory; ``counts``, the
    names of those that count what there is room for."""

    def __init__(
        self,
        name: str,
        *fields: tuple[str, LowLevelType],
        hints: Mapping[str, Any] = EMPTY_HINTS,
        adtmeths: Mapping[str, Any] = EMPTY_HINTS,
    ) -> None:
        self._name = name
        self._hints = frozendict(hints)
        self._is_union = bool(hints.get("union", False))
        self._adtmeths = frozendict(adtmeths)
        flds: dict[str, LowLevelType] = {}
        self._arrayfld: str | None = None
        for i, (field, T) in enumerate(fields):
            where = f"{type(self).__name__} {name}: field {field!r}"
            if not isinstance(field, str) or not field.isidentifier() or field.startswith("_"):
                raise TypeError(f"{where}: names are identifiers that do not start with '_'")
            if field in flds:
                raise TypeError(f"{where} is repeated")
            _check_part(T, where, i == 0, i == len(fields) - 1, self._gckind)
            if self._is_union:
                _check_union_part(T, where, self._gckind)
            if T._is_varsize():
                self._arrayfld = field
            flds[field] = T
        self._flds = flds
        self._names = tuple(flds)
        self._parent_field: str | None = None
        self._depth = 0
        if fields and not self._is_union:
            first, T = fields[0]
            if isinstance(T, Struct) and T._gckind == self._gckind:
                self._parent_field = first
                self._depth = T._depth + 1
        self._slots = {field: f"{field}_{self._depth}" for field in flds}

    def _shallow(self) -> tuple[Any, ...]:
        return (self._name, self._names, self._hints, self._adtmeths, self._rtti)

    def _children(self) -> tuple[LowLevelType, ...]:
        return tuple(self._flds.values())

    def _is_varsize(self) -> bool:
        return self._arrayfld is not None

    def _check_inline(self, where: str, first: bool, last: bool, outer_gckind: str) -> None:
        if self._arrayfld is not None:
            raise TypeError(f"{where}: a variable-sized struct cannot be inlined")
        if self._gckind == "gc" and not (first and outer_gckind == "gc"):
            raise TypeError(
                f"{where}: a GcStruct can only be the first field of a GcStruct; use a Ptr"
            )

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            if name in self._flds:
                return self._flds[name]
            if name in self._adtmeths:
                return self._adtmember(name)
        raise AttributeError(f"{type(self).__name__} has no field {name!r}")

    def _parent_type(self) -> Struct | None:
        """The struct this one extends: its first field, when castable."""
        if self._parent_field is None:
            return None
        parent = self._flds[self._parent_field]
        assert isinstance(parent, Struct)
        return parent

    def _ancestors(self) -> Iterator[Struct]:
        """This type, its parent, the parent's parent ..."""
        S: Struct | None = self
        while S is not None:
            yield S
            S = S._parent_type()

    def _nofield(self, name: str) -> NoReturn:
        raise AttributeError(
            f"{self._short_name()} has no field {name!r} (it has: {', '.join(self._names)})"
        )

    def _short_name(self) -> str:
        return f"{type(self).__name__} {self._name}"

    def __str__(self) -> str:
        fields = ", ".join(f"{name}: {T._short_name()}" for name, T in self._flds.items())
        return f"{self._short_name()} {{ {fields} }}{_format_hints(self._hints)}"


class GcStruct(Struct):
    """A struct in the garbage-collected heap.  ``rtti``: it has a run-time type from the start
    (``attachRuntimeTypeInfo`` gives it one later)."""

    _gckind = "gc"

    def __init__(
        self,
        name: str,
        *fields: tuple[str, LowLevelType],
        hints: Mapping[str, Any] = EMPTY_HINTS,
        adtmeths: Mapping[str, Any] = EMPTY_HINTS,
        rtti: bool = False,
    ) -> None:
        super().__init__(name, *fields, hints=hints, adtmeths=adtmeths)
        self._rtti = rtti


class _ItemContainerType(ContainerType):
    OF: LowLevelType

    def _children(self) -> tuple[LowLevelType, ...]:
        return (self.OF,)

    def _check_items(self) -> None:
        OF = self.OF
        where = f"{type(self).__name__} of {OF._short_name()}"
        if isinstance(OF, Array | OpaqueType | FuncType):
            raise TypeError(f"{where}: items must be primitives, pointers or raw structs")
        _check_part(OF, where, False, False, self._gckind)


class Array(_ItemContainerType):
    """``Array(TYPE)``, or ``Array((field, TYPE), ...)`` for an array of structs.

    Hints: ``nolength`` (no length word in memory: a C array), ``immutable``, ``called`` (of
    functions: an item is loaded to be called, and to call a null stops the program).
    """

    def __init__(
        self,
        *of: Any,
        hints: Mapping[str, Any] = EMPTY_HINTS,
        adtmeths: Mapping[str, Any] = EMPTY_HINTS,
    ) -> None:
        if len(of) == 1 and isinstance(of[0], LowLevelType):
            self.OF = of[0]
        elif of and all(isinstance(field, tuple) for field in of):
            self.OF = Struct("<arrayitem>", *of)
        else:
            raise TypeError(f"{type(self).__name__} takes one type or (name, TYPE) pairs")
        self._hints = frozendict(hints)
        self._adtmeths = frozendict(adtmeths)
        self._check_items()

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self._adtmeths:
            return self._adtmember(name)
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def _shallow(self) -> tuple[Any, ...]:
        return (self.OF._hash_token(), self._hints, self._adtmeths)

    def _is_varsize(self) -> bool:
        return True

    def _check_inline(self, where: str, first: bool, last: bool, outer_gckind: str) -> None:
        if self._gckind == "gc":
            raise TypeError(f"{where}: a GcArray cannot be inlined; use a Ptr to it")
        if not last:
            raise TypeError(f"{where}: an array can only be the last field")

    def _has_length(self) -> bool:
        return not self._hints.get("nolength", False)

    @recursive_repr("...")  # of lists that may contain themselves
    def _short_name(self) -> str:
        return f"{type(self).__name__} of {self.OF._short_name()}{_format_hints(self._hints)}"

    __str__ = _short_name


class GcArray(Array):
    """An array in the garbage-collected heap."""

    _gckind = "gc"


class FixedSizeArray(_ItemContainerType):
    """``FixedSizeArray(TYPE, length)``: ``length`` items and nothing else.

    Also the type of pointers into the middle of other containers (length 1, not
    checked: see ``direct_arrayitems``)."""

    def __init__(self, OF: LowLevelType, length: int) -> None:
        self.OF = OF
        self.length = length
        self._check_items()

    def _shallow(self) -> tuple[Any, ...]:
        return (self.OF._hash_token(), self.length)

    def _check_inline(self, where: str, first: bool, last: bool, outer_gckind: str) -> None:
        pass

    def _short_name(self) -> str:
        return f"FixedSizeArray of {self.length} {self.OF._short_name()}"

    __str__ = _short_name


class FuncType(ContainerType):
    """``FuncType([TYPE, ...], RESULT)``; all of them primitives or pointers."""

    def __init__(self, args: Any, result: LowLevelType) -> None:
        for T in (*args, result):
            if not isinstance(T, Primitive | Ptr):
                raise TypeError(f"FuncType: {T!r} must be a primitive or a pointer type")
        self.ARGS: tuple[LowLevelType, ...] = tuple(args)
        self.RESULT = result

    def _shallow(self) -> tuple[Any, ...]:
        return (*(T._hash_token() for T in self.ARGS), self.RESULT._hash_token())

    def _children(self) -> tuple[LowLevelType, ...]:
        return (*self.ARGS, self.RESULT)

    def _short_name(self) -> str:
        args = ", ".join(T._short_name() for T in self.ARGS)
        return f"Func ({args}) -> {self.RESULT._short_name()}"

    __str__ = _short_name


class OpaqueType(ContainerType):
    """Data that only the back end knows; ``tag`` names it."""

    def __init__(self, tag: str, hints: Mapping[str, Any] = EMPTY_HINTS) -> None:
        self.tag = tag
        self._hints = frozendict(hints)

    def _shallow(self) -> tuple[Any, ...]:
        return (self.tag, self._hints)

    def _short_name(self) -> str:
        return f"{type(self).__name__} {self.tag}"

    __str__ = _short_name


class GcOpaqueType(OpaqueType):
    """Opaque data in the garbage-collected heap.  ``Ptr(GcOpaqueType(..))`` can hold any
    GC pointer (``cast_opaque_ptr``)."""

    _gckind = "gc"


RuntimeTypeInfo = OpaqueType("RuntimeTypeInfo")


class ForwardReference(LowLevelType):
    """Stands for a container type that is not built yet: ``Ptr(ref)`` is allowed at once,
    everything else after ``ref.become(TYPE)``, from when on it *is* that type."""

    _is_forward = True

    _gckind = "raw"

    def become(self, T: ContainerType) -> None:
        """Turn into ``T`` (same memory kind)."""
        if not isinstance(T, ContainerType):
            raise TypeError(f"become(): {T!r} is not a container type")
        if T._gckind != self._gckind:
            raise TypeError(f"become(): {self!r} cannot become {T!r}: use the other forward class")
        if T._pointer_type is None:
            T._pointer_type = self._pointer_type
        # Sharing class and attributes makes every Ptr that was built on the reference
        # see the real type, without an indirection at each use.
        self.__class__ = T.__class__  # type: ignore[assignment]
        self.__dict__ = T.__dict__

    def _shallow(self) -> tuple[Any, ...]:
        raise TypeError(f"{self!r} has no structure before become()")

    def __hash__(self) -> int:
        raise TypeError(f"{self!r} is not hashable before become()")

    def __eq__(self, other: object) -> bool:
        return self is other

    def __str__(self) -> str:
        return type(self).__name__


class GcForwardReference(ForwardReference):
    """A forward reference to a GC type."""

    _gckind = "gc"


class Ptr(LowLevelType):
    """``Ptr(CONTAINER)``.  One object per container type object, so that comparing is
    mostly comparing identities."""

    TO: Any
    _null: Any = None
    _make_null: ClassVar[Callable[[Ptr], Any]]
    """Builds a null pointer; set by ``memory``, which defines what pointers are."""
    _make: ClassVar[Callable[[Ptr, Any], Any]]
    """Builds a pointer to a container, likewise."""

    def __new__(cls, TO: Any) -> Ptr:
        if not isinstance(TO, ContainerType | ForwardReference):
            raise TypeError(f"can only point to a container type, not to {TO!r}")
        known = TO._pointer_type
        if known is None:
            known = super().__new__(cls)
            known.TO = TO
            TO._pointer_type = known
        return known

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self.TO,)

    def _shallow(self) -> tuple[Any, ...]:
        return (hash(self.TO),)

    def _hash_token(self) -> Any:
        return "Ptr"  # the target may be an unresolved forward reference

    def _children(self) -> tuple[LowLevelType, ...]:
        return (self.TO,)

    @property
    def _gckind(self) -> str:
        kind: str = self.TO._gckind
        return kind

    def _needsgc(self) -> bool:
        return self._gckind == "gc"

    def _short_name(self) -> str:
        return f"* {self.TO._short_name()}"

    def __str__(self) -> str:
        return f"* {self.TO}"

    def _defl(self) -> Any:
        if self._null is None:
            self._null = Ptr._make_null(self)
        return self._null


def castable(TARGET: Ptr, SOURCE: Ptr) -> int:
    """May a ``SOURCE`` pointer be cast to ``TARGET``?  0: same type; ``n > 0``: ``TARGET``
    is the n-th ancestor; ``-n``: ``SOURCE`` is TARGET's.  Raises TypeError otherwise."""
    if TARGET == SOURCE:
        return 0
    if isinstance(TARGET.TO, Struct) and isinstance(SOURCE.TO, Struct):
        for steps, S in enumerate(SOURCE.TO._ancestors()):
            if S == TARGET.TO:
                return steps
        for steps, S in enumerate(TARGET.TO._ancestors()):
            if S == SOURCE.TO:
                return -steps
    raise TypeError(f"cast_pointer: cannot cast {SOURCE} to {TARGET}: neither contains the other")


def isCompatibleType(TYPE1: LowLevelType, TYPE2: LowLevelType) -> bool:
    """May a value of TYPE1 be used, unchanged, where TYPE2 is expected?"""
    return TYPE1 == TYPE2 or TYPE2 is Void


def typeMethod(func: Any) -> Any:
    """Decorator for an ADT method that takes the type instead of the pointer."""
    func._type_method = True
    return func
