"""What reads a ``**kwargs`` parameter by keys that are not constants, or all of it: the annotator
knows each value for itself, and these make a dict of them.  They may, as the mapping never changes.
"""

from __future__ import annotations

from typing import Any

from rpython.stdlib._registry import FrozenKeywords, method_of, per_arguments


@method_of(FrozenKeywords)
def items(keywords: Any, /) -> Any:
    return dict(**keywords).items()


@method_of(FrozenKeywords)
def keys(keywords: Any, /) -> Any:
    return dict(**keywords).keys()


@method_of(FrozenKeywords)
def values(keywords: Any, /) -> Any:
    return dict(**keywords).values()


@method_of(FrozenKeywords)
def copy(keywords: Any, /) -> Any:
    return dict(**keywords)


@per_arguments
def item(keywords: Any, key: Any) -> Any:
    return dict(**keywords)[key]


@per_arguments
def item_or(keywords: Any, key: Any, default: Any = None, /) -> Any:
    return dict(**keywords).get(key, default)


@per_arguments
def contains(keywords: Any, key: Any) -> bool:
    return key in dict(**keywords)
