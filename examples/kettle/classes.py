"""Classes, instances and functions.

An instance is a map and a list of values.  The map says which field is at which place of the
list; all instances that got the same fields in the same order share one, so that where the map is
known (a JIT promotes it) a field is an access to a list.  Maps form a tree: adding a field goes to
a child, which is made once.  JavaScript's engines call them hidden classes, or shapes.
"""

from __future__ import annotations

from collections.abc import Callable

from kettle.bytecode import Code
from kettle.objects import KettleError, W_Root
from rpython.rlib import jit


class Map:
    _immutable_fields_ = ["w_class", "places"]

    def __init__(self, w_class: W_Class, places: dict[str, int]):
        self.w_class = w_class
        self.places = places  # does not change once the map is made
        self.children: dict[str, Map] = {}

    @jit.elidable
    def find(self, name: str) -> int:
        """The place of a field, or -1."""
        return self.places.get(name, -1)

    @jit.elidable
    def with_field(self, name: str) -> Map:
        """The map of an instance that gets one more field."""
        if name not in self.children:
            places = self.places.copy()
            places[name] = len(places)
            self.children[name] = Map(self.w_class, places)
        return self.children[name]


class W_Class(W_Root):
    kind = "a class"
    _immutable_fields_ = ["name", "w_base", "methods", "empty_map"]

    def __init__(self, name: str, w_base: W_Class | None):
        self.name = name
        self.w_base = w_base
        self.methods: dict[str, W_Function] = {}
        self.empty_map = Map(self, {})

    def text(self) -> str:
        return f"<class {self.name}>"

    @jit.elidable
    def find_method(self, name: str) -> W_Function | None:
        """Methods do not change once the class is made."""
        w_class: W_Class | None = self
        while w_class is not None:
            w_method = w_class.methods.get(name)
            if w_method is not None:
                return w_method
            w_class = w_class.w_base
        return None


class W_Instance(W_Root):
    kind = "an instance"

    def __init__(self, w_class: W_Class):
        self.map = w_class.empty_map
        self.fields: list[W_Root] = []

    def text(self) -> str:
        return f"<{self.map.w_class.name}>"

    def get(self, name: str) -> W_Root | None:
        place = jit.promote(self.map).find(name)
        return self.fields[place] if place >= 0 else None

    def set(self, name: str, w_value: W_Root) -> None:
        here = jit.promote(self.map)
        place = here.find(name)
        if place >= 0:
            self.fields[place] = w_value
        else:
            self.map = here.with_field(name)
            self.fields.append(w_value)

    def find_method(self, name: str) -> W_Function | None:
        return jit.promote(self.map).w_class.find_method(name)


class W_Callable(W_Root):
    kind = "a function"


class W_Function(W_Callable):
    _immutable_fields_ = ["code"]

    def __init__(self, code: Code):
        self.code = code
        self.w_owner: W_Class | None = None  # the class of a method

    def text(self) -> str:
        return f"<fun {self.code.name}>"


class W_Method(W_Callable):
    """A method and the instance it was taken from."""

    _immutable_fields_ = ["w_self", "w_function"]

    def __init__(self, w_self: W_Root, w_function: W_Function):
        self.w_self = w_self
        self.w_function = w_function

    def text(self) -> str:
        return f"<method {self.w_function.code.name}>"


Builtin = Callable[["Context", list[W_Root]], W_Root]


class W_Builtin(W_Callable):
    _immutable_fields_ = ["name", "least", "most", "function"]

    def __init__(self, name: str, least: int, most: int, function: Builtin):
        self.name = name
        self.least = least
        self.most = most
        self.function = function

    def text(self) -> str:
        return f"<builtin {self.name}>"


class Context:
    """What built-in functions may ask of the machine."""

    def write(self, text: str) -> None:
        raise NotImplementedError

    def read_line(self) -> str:
        raise NotImplementedError


def get_field(w_object: W_Root, name: str) -> W_Root:
    if not isinstance(w_object, W_Instance):
        raise KettleError(f"{w_object.kind} has no fields")
    w_value = w_object.get(name)
    if w_value is not None:
        return w_value
    w_method = w_object.find_method(name)
    if w_method is not None:
        return W_Method(w_object, w_method)
    raise KettleError(f"{w_object.text()} has no field {name}")


def set_field(w_object: W_Root, name: str, w_value: W_Root) -> None:
    if not isinstance(w_object, W_Instance):
        raise KettleError(f"{w_object.kind} has no fields")
    w_object.set(name, w_value)
