"""``operator``: what its source tells by identity, and its functions made of constants."""

from __future__ import annotations

import operator
from typing import Any

from rpython.stdlib._registry import (
    Refused,
    at_translation,
    converts,
    expanded,
    per_arguments,
    replaces,
)


@replaces(operator.countOf)
def count_of(a: Any, b: Any, /) -> int:
    return list(a).count(b)


@replaces(operator.indexOf)
def index_of(a: Any, b: Any, /) -> int:
    items = list(a)
    if b not in items:
        raise ValueError("sequence.index(x): x not in sequence")
    return items.index(b)


# -- functions made of keys and names -------------------------------------------------------------

_LAMBDA = "use a lambda"


@expanded
def _getter_of(*keys: Any) -> Any:
    """``itemgetter`` of keys that are not known when the program is translated."""
    if len(keys) == 1:
        key = keys[0]
        return lambda obj, /: obj[key]
    return lambda obj, /: tuple([obj[key] for key in keys])


@replaces(operator.itemgetter)
@at_translation("*items", otherwise=_getter_of)
def itemgetter(*keys: Any) -> Any:
    if len(keys) == 1:
        (key,) = keys

        def itemgetter(obj: Any, /) -> Any:
            return obj[key]

    elif len(keys) == 2:
        first, second = keys

        def itemgetter(obj: Any, /) -> Any:
            return (obj[first], obj[second])

    elif len(keys) == 3:
        first, second, third = keys

        def itemgetter(obj: Any, /) -> Any:
            return (obj[first], obj[second], obj[third])

    else:
        raise Refused("itemgetter of more than three keys is not supported")
    return per_arguments(itemgetter)


@expanded
def _attribute_getter_of(*names: str) -> Any:
    """``attrgetter`` of names that are not known when the program is translated."""
    for name in names:
        if "." in name:
            raise NotImplementedError("attrgetter of a dotted name that is found at run time")
    if len(names) == 1:
        name = names[0]
        return lambda obj, /: getattr(obj, name)
    return lambda obj, /: tuple([getattr(obj, name) for name in names])


@replaces(operator.attrgetter)
@at_translation("*attrs", otherwise=_attribute_getter_of)
def attrgetter(*names: str) -> Any:
    if len(names) == 1:
        first, dot, rest = names[0].partition(".")
        if dot:
            outer, inner = map(attrgetter, (first, rest))

            def getter(obj: Any, /) -> Any:
                return inner(outer(obj))

        else:

            def getter(obj: Any, /) -> Any:
                return getattr(obj, first)

    elif len(names) in (2, 3):
        getters = list(map(attrgetter, names))
        get_first, get_second, get_last = getters[0], getters[1], getters[-1]
        if len(names) == 2:

            def getter(obj: Any, /) -> Any:
                return (get_first(obj), get_last(obj))

        else:

            def getter(obj: Any, /) -> Any:
                return (get_first(obj), get_second(obj), get_last(obj))

    else:
        raise Refused("attrgetter of more than three names is not supported")
    getter.__name__ = getter.__qualname__ = "attrgetter"
    return per_arguments(getter)


@replaces(operator.methodcaller)
@at_translation("*args", what="the arguments of methodcaller", hint=_LAMBDA)
def methodcaller(name: str, /, *args: Any, **keywords: Any) -> Any:
    if keywords:
        raise Refused("methodcaller with keyword arguments is not supported")

    def methodcaller(obj: Any, /) -> Any:
        return getattr(obj, name)(*args)

    return per_arguments(methodcaller)


_MAKERS: dict[type, Any] = {
    operator.itemgetter: itemgetter, operator.attrgetter: attrgetter,
    operator.methodcaller: methodcaller,
}  # fmt: skip


@converts(*_MAKERS)
def function_for(x: Any) -> Any:
    _, arguments, *rest = x.__reduce__()
    if rest or not isinstance(arguments, tuple):
        raise Refused(f"{type(x).__name__} with keyword arguments is not supported")
    return _MAKERS[type(x)](*arguments)
