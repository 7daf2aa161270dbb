"""Objects that are made at most once for each key, when the program is translated."""

from __future__ import annotations

from typing import Any

from rpython.rlib.objectmodel import specialize


class Cache:
    """``cache.getorbuild(key)`` is what ``_build(key)``, of a subclass, made for that key.

    ``_ready(result)`` is called when a new result is in the cache: it may ask for others.  In a
    translated program the cache and the key are constants, and so is the result."""

    def __init__(self) -> None:
        self.content: dict[Any, Any] = {}
        self._building: dict[Any, bool] = {}

        @specialize.memo()
        def getorbuild(key: Any) -> Any:
            return self._get(key)

        self.getorbuild = getorbuild

    def _get(self, key: Any) -> Any:
        if key in self.content:
            return self.content[key]
        if key in self._building:
            raise RuntimeError(f"{self} recursive building of {key!r}")
        self._building[key] = True
        try:
            result = self._build(key)
            self.content[key] = result
        finally:
            del self._building[key]
        self._ready(result)
        return result

    def _build(self, key: Any) -> Any:
        raise NotImplementedError

    def _ready(self, result: Any) -> None:
        """For subclasses: ``result`` is new."""

    def _freeze_(self) -> bool:
        return True
