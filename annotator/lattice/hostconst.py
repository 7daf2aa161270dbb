"""Host values as specialisations of annotations, and in messages."""

from __future__ import annotations

from typing import Any

from rpython.translator.ir.model import same_value


class Const:
    """A specialisation: the one host value an annotation admits."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and same_value(self.value, other.value)

    def __hash__(self) -> int:
        value = self.value
        by_value = hasattr(type(value), "_rpython_by_value_")
        if by_value or isinstance(value, (int, float, str, bytes)):
            return hash((type(value), value))
        return id(type(value)) if isinstance(value, tuple) else id(value)

    def __repr__(self) -> str:
        return f"Const({self.value!r})"


def short(value: Any) -> str:
    """A host value in a message: the same text in every run."""
    if isinstance(value, (int, float, str, bytes, tuple, type(None), type(NotImplemented))):
        text = repr(value)
        if isinstance(value, tuple):
            comma = "," if len(value) == 1 else ""
            text = f"({', '.join(map(short, value))}{comma})"
        return text if len(text) <= 40 else text[:37] + "..."
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    return str(name) if name else f"<{type(value).__name__}>"
