"""Classes whose instances are other objects in translated programs: RPython's controllers.

    class C:                                # as it is under CPython
        def __init__(self, n):
            self.n = n

    class CController(Controller):
        knowntype = C

        def new(self, n):                   # what C(n) makes in a program
            return Real(n)

        def get_n(self, obj):               # c.n
            return obj.number

    class CEntry(ControllerEntry):
        _about_ = C
        _controller_ = CController

In a program ``C`` is a class that holds such an object; the controller is asked for everything
else.
"""

from __future__ import annotations

from typing import Any

from rpython.annotator.lattice.model import SomeObject
from rpython.annotator.program.extregistry import ExtRegistryEntry
from rpython.rlib.objectmodel import instantiate

SPECIAL_METHODS = {
    "call": "__call__", "contains": "__contains__", "delitem": "__delitem__",
    "getitem": "__getitem__", "is_true": "__bool__", "len": "__len__", "setitem": "__setitem__",
}  # fmt: skip
"""A method of a controller -> that of the class."""


class Controller:
    """What a class does in programs: ``new(*args)``, ``get_NAME(obj)``, ``set_NAME(obj, value)``
    and ``SPECIAL_METHODS``.  ``knowntype``: the class; ``controlled_class``: what programs have in
    its place, with the object in the attribute ``controlled``."""

    knowntype: type
    controlled_class: Any

    def __init_subclass__(cls) -> None:
        if hasattr(cls, "knowntype"):
            cls.controlled_class = _controlled_class(cls())

    def box(self, obj: Any) -> Any:
        """An instance of the class that holds ``obj``; only in programs."""
        made: Any = instantiate(self.controlled_class)
        made.controlled = obj
        return made

    def unbox(self, obj: Any) -> Any:
        """What an instance of the class holds; only in programs."""
        return obj.controlled


class ControllerEntry(ExtRegistryEntry):
    """``_about_`` the class; ``_controller_``: the class of its controller."""

    _controller_: type[Controller]

    def compute_annotation(self) -> SomeObject:
        found: SomeObject = self.bookkeeper.immutablevalue(self._controller_.controlled_class)
        return found


def controlled_instance_box(controller: Controller, obj: Any) -> Any:
    """An instance of the controller's class that holds ``obj``."""
    return controller.box(obj)


def controlled_instance_unbox(controller: Controller, obj: Any) -> Any:
    """What an instance of the controller's class holds."""
    return controller.unbox(obj)


def _controlled_class(controller: Any) -> type:
    def init(self: Any, *args: Any) -> None:
        self.controlled = controller.new(*args)

    namespace: dict[str, Any] = {"__init__": init, "__module__": controller.knowntype.__module__}
    for name in dir(controller):
        kind, _, attribute = name.partition("_")
        if kind in ("get", "set") and attribute:
            namespace[attribute] = property(
                _getter(controller, attribute), _setter(controller, attribute)
            )
        elif name in SPECIAL_METHODS:
            namespace[SPECIAL_METHODS[name]] = _method(getattr(controller, name))
    return type(controller.knowntype.__name__, (), namespace)


def _getter(controller: Any, name: str) -> Any:
    get: Any = getattr(controller, f"get_{name}", None)

    def getter(self: Any) -> Any:
        return get(self.controlled)

    return None if get is None else getter


def _setter(controller: Any, name: str) -> Any:
    put: Any = getattr(controller, f"set_{name}", None)

    def setter(self: Any, value: Any) -> None:
        put(self.controlled, value)

    return None if put is None else setter


def _method(function: Any) -> Any:
    def method(self: Any, *args: Any) -> Any:
        return function(self.controlled, *args)

    return method
