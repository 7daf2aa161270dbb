"""Constants that the translation takes for variables."""

from __future__ import annotations

from typing import TypeVar

from rpython.rlib.objectmodel import specialize

T = TypeVar("T")


@specialize.argtype(0)
def NonConstant(constant: T) -> T:
    """``constant``, of which the translated program knows the type only: what a list holds is
    never known."""
    return [constant][0]
