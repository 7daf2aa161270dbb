"""Built-in functions of instances that have a special method for them, in Python.

    isinstance(x, classes)     any(isinstance(x, cls) for cls in classes), of a tuple of any length
    divmod(a, b)     a.__divmod__(b), or b.__rdivmod__(a)
    reversed(x)      x[len(x) - 1], x[len(x) - 2], ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rpython.annotator.lattice.model import K_INSTANCE, K_NONE, SomeInstance, SomeObject
from rpython.annotator.lattice.vartuples import SomeVarTuple
from rpython.annotator.program.classdef import ClassDef
from rpython.stdlib._registry import per_arguments


@per_arguments
def _divmod(a: Any, b: Any, /) -> Any:
    return a.__divmod__(b)


@per_arguments
def _divmod_reflected(a: Any, b: Any, /) -> Any:
    return b.__rdivmod__(a)


@per_arguments
def _power(base: Any, exp: Any) -> Any:
    return base**exp


@per_arguments
def _power_modulo(base: Any, exp: Any, mod: Any) -> Any:
    return base.__pow__(exp, mod)


@per_arguments
def _round(number: Any, ndigits: Any) -> Any:
    return number.__round__(ndigits)


@per_arguments
def _bytes(x: Any, /) -> Any:
    data = x.__bytes__()
    if isinstance(data, bytearray):
        raise TypeError("__bytes__ returned non-bytes (type bytearray)")
    return b"" + data


@per_arguments
def _backwards(x: Any, count: int) -> Iterator[Any]:
    while count > 0:
        count -= 1
        try:
            item = x[count]
        except (IndexError, StopIteration):
            return
        yield item


@per_arguments
def _reversed(x: Any, /) -> Any:
    return _backwards(x, len(x))


@per_arguments
def _isinstance(x: Any, classes: Any, /) -> bool:
    return any(isinstance(x, cls) for cls in classes)


@per_arguments
def _issubclass(x: Any, classes: Any, /) -> bool:
    return any(issubclass(x, cls) for cls in classes)


BY_METHOD: dict[Any, list[tuple[int, str, Any]]] = {
    round: [(2, "__round__", _round)],
    bytes: [(1, "__bytes__", _bytes)],
    reversed: [(1, "__reversed__", None), (1, "__getitem__", _reversed)],
    pow: [(2, "__pow__", _power), (3, "__pow__", _power_modulo)],
}
"""For calls with so many arguments, of an instance with that method: what is called instead, None
where the function has a rule."""


def function_of_instance(function: Any, args_s: Sequence[SomeObject]) -> Any:
    """The function above that a call of a built-in function is, or None."""
    if function is divmod and len(args_s) == 2:
        left, right = map(_class_of, args_s)
        reflects = right is not None and right.class_value("__rdivmod__") is not None
        if left is not None and left.class_value("__divmod__") is not None:
            return _divmod if not reflects or (left is right and not right.subdefs) else None
        return _divmod_reflected if reflects else None
    if len(args_s) == 2 and isinstance(args_s[1], SomeVarTuple):
        if function is isinstance:
            return _isinstance
        if function is issubclass:
            return _issubclass
    if function is pow and len(args_s) == 2 and _class_of(args_s[1]) is not None:
        return _power
    classdef = _class_of(args_s[0]) if args_s else None
    if classdef is not None:
        for count, method, twin in _methods_for(function):
            if count == len(args_s) and classdef.class_value(method) is not None:
                return None if _is_none(args_s[-1]) else twin
    return None


def _methods_for(function: Any) -> list[tuple[int, str, Callable[..., Any] | None]]:
    try:
        return BY_METHOD.get(function, [])
    except TypeError:  # it has no hash
        return []


def _is_none(s: SomeObject) -> bool:
    return bool(s.kinds & K_NONE)


def _class_of(s: SomeObject) -> ClassDef | None:
    return s.classdef if isinstance(s, SomeInstance) and s.kinds == K_INSTANCE else None
