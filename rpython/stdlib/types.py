"""``types``: namespaces, which CPython has in C."""

from __future__ import annotations

import types
from typing import Any

from rpython.stdlib._registry import per_site, replaces


@replaces(types.SimpleNamespace)
@per_site()
class SimpleNamespace:
    """An object with the attributes that it is given."""

    _rpython_shows_dict_ = True
    _rpython_shown_ = False

    def __init__(self, /, **attributes: Any) -> None:
        self.__dict__.update(attributes)

    @staticmethod
    def of_host(cls: Any, x: Any) -> Any:
        made = object.__new__(cls)
        vars(made).update(vars(x))
        return made

    def __repr__(self) -> str:
        name = type(self).__name__
        if name == "SimpleNamespace":
            name = "namespace"
        if self._rpython_shown_:
            return name + "(...)"
        self._rpython_shown_ = True
        try:
            shown = [f"{key}={value!r}" for key, value in self.__dict__.items()]
        finally:
            self._rpython_shown_ = False
        return f"{name}({', '.join(shown)})"

    def __eq__(self, other: object) -> Any:
        if isinstance(other, SimpleNamespace):
            return self.__dict__ == other.__dict__
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]
