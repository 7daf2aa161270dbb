"""``types.MappingProxyType``: what ``__members__`` of an enum is."""

from __future__ import annotations

import gc
import types
from collections.abc import Iterator
from typing import Any

from rpython.stdlib._registry import per_arguments, per_site, replaces


@replaces(types.MappingProxyType)
@per_site()
class mappingproxy:
    def __init__(self, mapping: Any, /) -> None:
        self._mapping = mapping

    @staticmethod
    def of_host(cls: Any, x: Any) -> Any:
        (mapping,) = gc.get_referents(x)
        return cls(mapping)

    def __getitem__(self, key: Any, /) -> Any:
        return self._mapping[key]

    def __len__(self) -> int:
        return len(self._mapping)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._mapping)

    def __reversed__(self) -> Any:
        return reversed(self._mapping)

    def __contains__(self, key: Any, /) -> bool:
        return key in self._mapping

    @per_arguments
    def get(self, key: Any, default: Any = None, /) -> Any:
        return self._mapping.get(key, default)

    def keys(self) -> Any:
        return self._mapping.keys()

    def values(self) -> Any:
        return self._mapping.values()

    def items(self) -> Any:
        return self._mapping.items()

    def copy(self) -> Any:
        return self._mapping.copy()

    def __or__(self, other: Any, /) -> Any:
        return self._mapping | other

    def __eq__(self, other: object, /) -> Any:
        return self._mapping == other

    def __str__(self) -> str:
        return str(self._mapping)

    def __repr__(self) -> str:
        return f"mappingproxy({self._mapping!r})"


mappingproxy.__module__ = __name__  # that of the host is the module of what has no class here
