"""What restricted programs may ask about the world they run in, and tell the translation."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any, TypeVar

from rpython.rlib._hashes import ID_OF_NONE, IDENTITIES, value_hash
from rpython.rlib.declared import declare, looking
from rpython.rlib.dicts import (
    contains_with_hash,
    delitem_if_value_is,
    delitem_with_hash,
    getitem_with_hash,
    iteritems_with_hash,
    iterkeys_with_hash,
    move_to_end,
    prepare_dict_update,
    setitem_with_hash,
)
from rpython.rlib.marks import means, means_first_argument
from rpython.rlib.rdict import r_dict, r_ordereddict
from rpython.rlib.unroll import unrolling_iterable

__all__ = [
    "ComputedIntSymbolic",
    "Symbolic",
    "always_inline",
    "compute_hash",
    "compute_identity_hash",
    "compute_unique_id",
    "contains_with_hash",
    "current_object_addr_as_int",
    "delitem_if_value_is",
    "delitem_with_hash",
    "dict_to_switch",
    "dont_inline",
    "enforceargs",
    "fetch_translated_config",
    "free_non_gc_object",
    "getitem_with_hash",
    "import_from_mixin",
    "instantiate",
    "int_to_bytearray",
    "iteritems_with_hash",
    "iterkeys_with_hash",
    "keepalive_until_here",
    "list_get_physical_size",
    "mark_dict_non_null",
    "move_to_end",
    "newlist_hint",
    "not_rpython",
    "prepare_dict_update",
    "r_dict",
    "r_ordereddict",
    "resizelist_hint",
    "running_on_llinterp",
    "setitem_with_hash",
    "specialize",
    "try_inline",
    "we_are_translated",
]

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


@means(True)
def we_are_translated() -> bool:
    """False under CPython, True in a translated program."""
    return False


@means(False)
def running_on_llinterp() -> bool:
    """Never: translated code cannot tell who runs it."""
    return False


@means(None)
def fetch_translated_config() -> None:
    """The configuration that the program was translated with: there is none."""


# -- constants


class Symbolic:
    """A constant whose value is known when the program is translated."""

    def known(self) -> Any:
        """The value."""
        raise NotImplementedError


class ComputedIntSymbolic(Symbolic):
    """An int that ``compute_fn()`` gives.  Under CPython ``int(x)`` is that."""

    def __init__(self, compute_fn: Callable[[], int]) -> None:
        self.compute_fn = compute_fn

    def known(self) -> int:
        return int(self.compute_fn())

    def __index__(self) -> int:
        return self.known()


# -- decorators


class _Specialize:
    """Decorators for functions that get several graphs."""

    def memo(self) -> Callable[[F], F]:
        """The function is called when the program is translated; its arguments are constants."""
        return _special_case("memo")

    def arg(self, *args: int) -> Callable[[F], F]:
        """A graph for each value of these arguments, which are constants."""
        return _special_case("arg", args)

    def arg_or_var(self, *args: int) -> Callable[[F], F]:
        """The same, and one graph for arguments that are not constants."""
        return _special_case("arg_or_var", args)

    def argtype(self, *args: int) -> Callable[[F], F]:
        """A graph for each combination of the types of these arguments."""
        return _special_case("argtype", args)

    def ll(self) -> Callable[[F], F]:
        """A graph for each combination of the types of all arguments."""
        return _special_case("ll")

    def ll_and_arg(self, *args: int) -> Callable[[F], F]:
        """The same, and for each value of these, which are constants."""
        return _special_case("ll_and_arg", args)

    def call_location(self) -> Callable[[F], F]:
        """A graph for each place in the source that calls the function by its name, and for each
        combination of the types of all arguments there."""
        return _special_case("call_location")


def _special_case(kind: str, args: tuple[int, ...] = ()) -> Callable[[F], F]:
    def mark(func: F) -> F:
        numbers = f"({', '.join(map(str, args))})" if args else ""
        func._annspecialcase_ = f"specialize:{kind}{numbers}"  # type: ignore[attr-defined]
        return func

    return mark


specialize = _Specialize()


def always_inline(func: F) -> F:
    """Calls of the function are inlined whatever it costs; a warning says where they cannot be."""
    func._always_inline_ = True  # type: ignore[attr-defined]
    return func


def try_inline(func: F) -> F:
    """The same without a warning."""
    func._always_inline_ = "try"  # type: ignore[attr-defined]
    return func


def dont_inline(func: F) -> F:
    """Calls of the function stay calls, as far as we are concerned; the C compiler may inline."""
    func._dont_inline_ = True  # type: ignore[attr-defined]
    return func


def not_rpython(func: F) -> F:
    """The function is never translated: a program that calls it is refused."""
    func._rpython_refused_ = (  # type: ignore[attr-defined]
        f"{func.__qualname__} is not for translated code (not_rpython)"
    )
    return func


def enforceargs(*types: Any, typecheck: bool = True, **named: Any) -> Callable[[F], F]:
    """The arguments are of these types (None: any), by position or by name; a program that passes
    others is refused.  An int passed for a float is made one.  Under CPython others raise
    TypeError, unless ``typecheck`` is False.  Raises TypeError for a name that is no argument."""

    def mark(func: F) -> F:
        all_types = (*types, *_types_by_position(func, named, len(types)))
        func._annenforceargs_ = all_types  # type: ignore[attr-defined]
        return declare(func, all_types, None, "enforceargs", typecheck)

    return mark


def _types_by_position(func: Callable[..., Any], named: dict[str, Any], start: int) -> list[Any]:
    """The types of the arguments from number ``start`` on, None for those without a name."""
    names = list(inspect.signature(func).parameters)[start:]
    for name in named:
        if name not in names:
            raise TypeError(f"enforceargs: {func.__name__}() has no further argument {name!r}")
    return [named.get(name) for name in names] if named else []


def import_from_mixin(M: type, special_methods: Iterable[str] = ("__init__", "__del__")) -> None:
    """Copy the methods and other attributes of ``M`` into the class whose body calls this; the
    names in ``_immutable_fields_`` are added to the class's own."""
    target = sys._getframe(1).f_locals
    taken = set(special_methods)
    for cls in reversed(M.__mro__[:-1]):
        for key, value in vars(cls).items():
            if key.startswith("__") and key.endswith("__") and key not in taken:
                continue
            if key == "_immutable_fields_":
                target[key] = [*target.get(key, ()), *value]
                continue
            if key in target and cls is M.__mro__[-2]:
                raise ValueError(f"import_from_mixin: {key!r} would be overwritten")
            target[key] = _copied(value, str(target.get("__qualname__")))


def _copied(value: Any, owner: str) -> Any:
    """A function as a new one, for a class of its own."""
    if isinstance(value, staticmethod | classmethod):
        return type(value)(_copied(value.__func__, owner))
    if not isinstance(value, FunctionType):
        return value
    checked = vars(value).get("_rpython_function_checked_")
    if checked not in (None, value):
        return looking(_copied(checked, owner))
    result = FunctionType(
        value.__code__, value.__globals__, value.__name__, value.__defaults__, value.__closure__
    )
    result.__kwdefaults__ = value.__kwdefaults__
    result.__qualname__ = f"{owner}.{value.__name__}"
    result.__dict__.update(vars(value))
    return result


# -- objects


@specialize.argtype(0)
def compute_hash(x: Any) -> int:
    """``hash(x)`` of a translated program, in every run of it and at import time the same.  The
    hash of an instance of a class with ``__hash__`` is what that returns."""
    return hash(x) if we_are_translated() else value_hash(x)


def compute_identity_hash(x: object) -> int:
    """A hash of which instance it is, whatever ``__hash__`` the class has.  That of a prebuilt
    instance is the same at import time as in the translated program."""
    return IDENTITIES.number(x)


def compute_unique_id(x: object) -> int:
    """A number that no other instance has: ``compute_identity_hash(x)``.  None has one, too."""
    return ID_OF_NONE if x is None else IDENTITIES.number(x)


@specialize.argtype(0)
def current_object_addr_as_int(x: Any) -> int:
    """The same: objects do not move."""
    return compute_unique_id(x)


def instantiate(cls: type[T], nonmovable: bool = False) -> T:
    """A new instance, for which ``__init__`` is not called."""
    return cls.__new__(cls)


@means(None)
def free_non_gc_object(obj: object) -> None:
    """The program is done with an object of a class that RPython would not collect; here all
    objects are the collector's, which frees it."""


def keepalive_until_here(*values: object) -> None:
    """The collector does not free the values before; see ``docs/memory.md``."""


@specialize.argtype(0)
def newlist_hint(sizehint: int = 0) -> list[Any]:
    """An empty list that will be about that long."""
    return []


@means(None)
def resizelist_hint(lst: list[Any], sizehint: int) -> None:
    """The list will be about that long."""


@specialize.argtype(0)
def list_get_physical_size(lst: list[Any]) -> int:
    """How many items the list has (RPython: has room for)."""
    return len(lst)


@means_first_argument
def mark_dict_non_null(d: T) -> T:
    """No key or value of the dict is None."""
    return d


_NO_DEFAULT: Any = object()


def dict_to_switch(d: dict[Any, Any], default: Any = _NO_DEFAULT) -> Callable[[Any], Any]:
    """A function that looks the key up.  For a key that is not there it returns ``default``;
    without one it raises KeyError.  Call it at import time."""
    items = unrolling_iterable(d.items())

    def switch(query: Any) -> Any:
        for key, value in items:
            if query == key:
                return value
        raise KeyError(query)

    def switch_or_default(query: Any) -> Any:
        for key, value in items:
            if query == key:
                return value
        return default

    def lookup(query: Any) -> Any:
        return d[query]

    def lookup_or_default(query: Any) -> Any:
        return d.get(query, default)

    if all(type(key) is int for key in d):
        return switch if default is _NO_DEFAULT else switch_or_default
    return lookup if default is _NO_DEFAULT else lookup_or_default


def int_to_bytearray(i: int) -> bytearray:
    """A bytearray of that length."""
    return bytearray(i)
