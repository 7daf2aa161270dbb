"""A value of a class where others have a property.

    class Shape:                        class Square(Shape):
        @property                           sides = 4       a property here, too:
        def sides(self): ...                                lambda self: 4

So it is where nothing in these classes assigns the attribute to instances.
"""

from __future__ import annotations

import functools
from types import FunctionType
from typing import Any

from rpython.annotator.overlay.descriptors import assigned_in
from rpython.stdlib._registry import classes_below, per_arguments, refused


def constant_property(cls: type, name: str) -> property | None:
    """The property that the value is which the class has under the name; None: it is a value, as
    far as the classes say that exist now."""
    family = [*cls.__mro__[1:-1], *classes_below(cls)]
    if not any(isinstance(vars(other).get(name), property) for other in family):
        return None
    if any(name in _assigned(other) for other in (cls, *family)):
        return None
    value = vars(cls)[name]
    made, known = _made.get((cls, name), (None, None))
    if made is None or known is not value:
        made = _of_value(value, cls.__name__, name)
        _made[cls, name] = made, value
    return made


_made: dict[tuple[type, str], tuple[property, Any]] = {}
"""The properties and the values they were made of: one for all programs that ask, until the class
has another value."""


def _of_value(value: Any, cls: str, name: str) -> property:
    what = f"assigning {name!r} to an instance of {cls}"

    def get(self: Any) -> Any:
        return value

    @refused(f"{what}, of which other classes have a property")
    def assign(self: Any, given: Any) -> None:
        raise AssertionError

    return property(per_arguments(get), per_arguments(assign))


@functools.cache
def _assigned(cls: type) -> frozenset[str]:
    """The attributes that the methods of the class assign, of whatever object."""
    functions = [value for value in vars(cls).values() if isinstance(value, FunctionType)]
    return frozenset(name for f in functions for name in assigned_in(f.__code__))
