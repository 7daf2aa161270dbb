"""Methods of extension modules that Python code overrides (``rpython build --module``).

    @rpython.overridable
    class Shape:
        def area(self) -> float: ...
        def describe(self) -> str:
            return f"{self.area():.1f}"         # calls the area() of a class of Python, too

Without it a class of Python cannot have a method that native code calls: TypeError when the class
is made.  Elsewhere the decorator means nothing.
"""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T", bound=Any)


def overridable(what: T) -> T:
    """Decorator of a class, for all its methods and properties, or of one method: native code calls
    what a class of Python has in its place.  Such a call costs as much as one of Python's, and any
    other one of the method cannot be inlined."""
    what._rpython_overridable_ = True
    return what


def is_overridable(cls: type, name: str) -> bool:
    """Was the method (or a property's getter) with this name, or a class that has it, decorated?"""
    for each in cls.__mro__:
        member: Any = vars(each).get(name)
        func = member.fget if isinstance(member, property) else member
        if "_rpython_overridable_" in vars(each) or hasattr(func, "_rpython_overridable_"):
            return True
    return False
