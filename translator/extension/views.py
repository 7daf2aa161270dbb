"""Lists, dicts and sets in attributes: Python gets a view of native code's own.

    obj.items.append(3)         obj.items is a ``list_view``, the same one as long as Python has it

For each kind of list, dict or set there is a class in restricted Python, whose instances have one;
Python knows them as it knows instances of the module's classes.  What lists have for Python
besides is made of these few methods there, in ``viewside``.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import SomeDict, SomeInteger, SomeList, SomeObject
from rpython.annotator.lattice.sets import SomeSet
from rpython.annotator.program.signature import annotation_of_type, dict_of, list_of
from rpython.translator.extension.widening import widened
from rpython.translator.ir.errors import AnnotatorError
from rpython.translator.ir.records import dataclass

IS_VIEW = "_rpython_view_"
SHOWN = {
    "_native_put": "__setitem__", "_native_insert": "insert", "_native_add": "add",
    "_native_replace": "update",
}  # fmt: skip
"""How messages call the methods that check what they are given."""
Arguments = dict[str, dict[str, SomeObject]]
"""The methods of a view, with names and annotations of their arguments."""


def is_view_class(cls: type) -> bool:
    """Are its instances views of containers?"""
    return IS_VIEW in vars(cls)


def has_view(s: SomeObject) -> bool:
    """Is it a container of a kind that views are of?"""
    return isinstance(s, (SomeList, SomeDict, SomeSet))


@dataclass(eq=False)
class View:
    """Of one kind of container, ``s``; ``of``: restricted Python that gives the view of one."""

    cls: type
    of: Callable[[Any], Any]
    s: SomeObject

    def root(self) -> object:
        return _root(self.s)

    def methods(self, annotator: RPythonAnnotator) -> Arguments:
        root: Any = _root(self.s)
        if isinstance(self.s, SomeList):
            return _list_methods(annotator, widened(root.item.s_value))
        if isinstance(self.s, SomeSet):
            return _set_methods(annotator, widened(root.key.s_value))
        return _dict_methods(annotator, widened(root.key.s_value), widened(root.value.s_value))


def _root(s: Any) -> object:
    return s.listdef.find() if isinstance(s, SomeList) else s.dictdef.find()


def _class_for(s: SomeObject) -> type:
    if isinstance(s, SomeList):
        return _list_class()
    return _set_class() if isinstance(s, SomeSet) else _dict_class()


class Views:
    """The views of one program."""

    def __init__(self, annotator: RPythonAnnotator) -> None:
        self.annotator = annotator
        self.known: list[View] = []

    def view_of(self, s: SomeObject) -> View:
        """The view for such containers."""
        for view in self.known:
            if view.root() is _root(s):
                return view
        cls = _class_for(s)
        made = View(cls, _Registry(cls).of, s)
        self.known.append(made)
        return made

    def check(self) -> None:
        """Raise AnnotatorError where two kinds of lists have become one: a list would have two
        views."""
        if len({id(view.root()) for view in self.known}) != len(self.known):
            raise AnnotatorError(
                "lists of two attributes turn out to be of one kind, too late for their views",
                hint="name one of the attributes with an underscore",
            )


def _list_methods(annotator: RPythonAnnotator, s_item: SomeObject) -> Arguments:
    s_index = SomeInteger()
    return {
        "_native_length": {},
        "_native_get": {"index": s_index},
        "_native_put": {"index": s_index, "value": s_item},
        "_native_insert": {"index": s_index, "value": s_item},
        "_native_delete": {"index": s_index},
        "_native_copy": {},
        "_native_replace": {"values": list_of(annotator, s_item)},
    }


def _dict_methods(
    annotator: RPythonAnnotator, s_key: SomeObject, s_value: SomeObject
) -> Arguments:
    return {
        "_native_length": {},
        "_native_get": {"key": s_key},
        "_native_put": {"key": s_key, "value": s_value},
        "_native_has": {"key": s_key},
        "_native_delete": {"key": s_key},
        "_native_copy": {},
        "_native_replace": {"values": dict_of(annotator, s_key, s_value)},
    }


def _set_methods(annotator: RPythonAnnotator, s_item: SomeObject) -> Arguments:
    generic: Any = set
    return {
        "_native_length": {},
        "_native_has": {"value": s_item},
        "_native_add": {"value": s_item},
        "_native_discard": {"value": s_item},
        "_native_copy": {},
        "_native_replace": {"values": annotation_of_type(annotator, generic[s_item])},
    }


def _members() -> dict[str, Any]:
    """What the classes have in common."""

    def __init__(self: Any, items: Any) -> None:
        self.items = items

    def _native_length(self: Any) -> int:
        return len(self.items)

    def _native_get(self: Any, key: Any) -> Any:
        return self.items[key]

    def _native_put(self: Any, key: Any, value: Any) -> None:
        self.items[key] = value

    def _native_delete(self: Any, key: Any) -> None:
        del self.items[key]

    made = (__init__, _native_length, _native_get, _native_put, _native_delete)
    return {each.__name__: each for each in made} | {IS_VIEW: True, "__module__": __name__}


def _list_class() -> type:
    def _native_insert(self: Any, index: Any, value: Any) -> None:
        self.items.insert(index, value)

    def _native_copy(self: Any) -> Any:
        return list(self.items)

    def _native_replace(self: Any, values: Any) -> None:
        self.items[:] = values

    own = {each.__name__: each for each in (_native_insert, _native_copy, _native_replace)}
    return type("list_view", (), {**_members(), **own})


def _dict_class() -> type:
    def _native_has(self: Any, key: Any) -> bool:
        return key in self.items

    def _native_copy(self: Any) -> Any:
        return dict(self.items)

    def _native_replace(self: Any, values: Any) -> None:
        self.items.clear()
        self.items.update(values)

    own = {each.__name__: each for each in (_native_has, _native_copy, _native_replace)}
    return type("dict_view", (), {**_members(), **own})


def _set_class() -> type:
    def _native_has(self: Any, value: Any) -> bool:
        return value in self.items

    def _native_add(self: Any, value: Any) -> None:
        self.items.add(value)

    def _native_discard(self: Any, value: Any) -> None:
        self.items.discard(value)

    def _native_copy(self: Any) -> Any:
        return set(self.items)

    def _native_replace(self: Any, values: Any) -> None:
        self.items.clear()
        self.items.update(values)

    made = (_native_has, _native_add, _native_discard, _native_copy, _native_replace)
    return type("set_view", (), {**_members(), **{each.__name__: each for each in made}})


class _Registry:
    """The views that Python has, by the identity of their lists; they die as others do."""

    def __init__(self, cls: type) -> None:
        known: dict[int, list[weakref.ref[Any]]] = {}
        sizes = [64]

        def forget_dead() -> None:
            for key in list(known):
                alive = [ref for ref in known[key] if ref() is not None]
                if alive:
                    known[key] = alive
                else:
                    del known[key]

        def view_of(items: Any) -> Any:
            refs = known.get(id(items))
            if refs is not None:
                for ref in refs:
                    view = ref()
                    if view is not None and view.items is items:
                        return view
            if len(known) > sizes[0]:
                forget_dead()
                sizes[0] = 2 * len(known) + 64
            view = cls(items)
            known.setdefault(id(items), []).append(weakref.ref(view))
            return view

        self.of = view_of


def viewer(name: str, of: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The getter of an attribute."""

    def get(obj: Any) -> Any:
        return of(getattr(obj, name))

    return get


def assigner(name: str) -> Callable[[Any, Any], None]:
    """The setter: it takes a view, whose list becomes that of the attribute."""

    def set_attribute(obj: Any, view: Any) -> None:
        setattr(obj, name, view.items)

    return set_attribute
