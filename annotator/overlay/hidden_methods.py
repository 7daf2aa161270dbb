"""Methods that an attribute of the instance may hide.

    class Button:                               press   a property here:
        def press(self): ...                                try: return self._rpython_hides_press
        def arm(self, action):                              except AttributeError: pass
            self.press = action                             return self._rpython_method_press

The attribute has another name, and the method is found under another, too, in each class that
defines one; ``super().press`` and ``Button.press`` are what they were.
"""

from __future__ import annotations

import functools
from types import FunctionType
from typing import Any

from rpython.annotator.overlay.descriptors import hiding_property
from rpython.rlib.rgc import PrebuiltQueueMethod
from rpython.translator.ir.home import home_of_class

METHOD = "_rpython_method_"
"""In front of the name of a method that an attribute may hide."""
_BINDING = (FunctionType, staticmethod, classmethod)


@functools.cache
def hidden_method(name: str) -> property:
    """The property that methods of that name are, in all classes."""
    return hiding_property(name, f"self.{METHOD}{name}", {})


def binds(value: Any) -> bool:
    """Is it a function, a static or a class method as a class attribute?"""
    return isinstance(value, _BINDING)


def can_be_hidden(cls: type, owner: type, name: str) -> bool:
    """May instances of ``cls`` have an attribute in place of the method of the class ``owner``?"""
    special = name.startswith("__") and name.endswith("__")
    return not special and cls.__dictoffset__ != 0 and home_of_class(owner).is_program


def hidden_names(cls: type, own: dict[str, Any]) -> dict[str, Any]:
    """Which attributes of an instance hide a method or a descriptor of its class that does not say
    what assigning does, and these, by name."""
    found: dict[str, Any] = {}
    for base in cls.__mro__[:-1]:
        for name in own.keys() & vars(base).keys() - found.keys():
            found[name] = vars(base)[name]
    return {name: value for name, value in found.items() if _is_hidden(value)}


def _is_hidden(value: Any) -> bool:
    kind = type(value)
    if isinstance(value, functools.cached_property | PrebuiltQueueMethod):
        return False  # that keeps its value there
    if hasattr(kind, "__set__"):
        return False  # this is asked first
    return hasattr(kind, "__get__")
