"""Lists in attributes: Python gets a view of native code's own list.

    obj.items.append(3)         obj.items is a ``list_view``, the same one as long as Python has it

For each kind of list there is a class in restricted Python, whose instances have a list; Python
knows them as it knows instances of the module's classes.  What lists have for Python besides is
made of these few methods there, in ``listside``.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import SomeInteger, SomeList, SomeObject
from rpython.annotator.program.signature import list_of
from rpython.translator.ir.errors import AnnotatorError
from rpython.translator.ir.records import dataclass

NAME = "list_view"
SHOWN = {"_native_put": "__setitem__", "_native_insert": "insert", "_native_replace": "extend"}
"""How messages call the methods that check what they are given."""
IS_VIEW = "_rpython_view_"


def is_view_class(cls: type) -> bool:
    """Are its instances views of lists?"""
    return IS_VIEW in vars(cls)


@dataclass(eq=False)
class View:
    """Of one kind of list; ``of``: restricted Python that gives the view of a list."""

    cls: type
    of: Callable[[Any], Any]
    s_list: SomeList


class Views:
    """The views of one program."""

    def __init__(self, annotator: RPythonAnnotator) -> None:
        self.annotator = annotator
        self.known: list[View] = []

    def view_of(self, s: SomeList) -> View:
        """The view for such lists."""
        for view in self.known:
            if view.s_list.listdef.find() is s.listdef.find():
                return view
        cls = _view_class()
        made = View(cls, _Registry(cls).of, s)
        self.known.append(made)
        return made

    def check(self) -> None:
        """Raise AnnotatorError where two kinds of lists have become one: a list would have two
        views."""
        roots = {id(view.s_list.listdef.find()) for view in self.known}
        if len(roots) != len(self.known):
            raise AnnotatorError(
                "lists of two attributes turn out to be of one kind, too late for their views",
                hint="name one of the attributes with an underscore",
            )


def parameters(view: View, s_item: SomeObject, annotator: RPythonAnnotator) -> dict[str, Any]:
    """The methods of a view, with names and annotations of their arguments."""
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


def _view_class() -> type:
    def __init__(self: Any, items: Any) -> None:
        self.items = items

    def _native_length(self: Any) -> int:
        return len(self.items)

    def _native_get(self: Any, index: Any) -> Any:
        return self.items[index]

    def _native_put(self: Any, index: Any, value: Any) -> None:
        self.items[index] = value

    def _native_insert(self: Any, index: Any, value: Any) -> None:
        self.items.insert(index, value)

    def _native_delete(self: Any, index: Any) -> None:
        del self.items[index]

    def _native_copy(self: Any) -> Any:
        return list(self.items)

    def _native_replace(self: Any, values: Any) -> None:
        self.items[:] = values

    members = {
        each.__name__: each for each in (
            __init__, _native_length, _native_get, _native_put, _native_insert, _native_delete,
            _native_copy, _native_replace,
        )
    }  # fmt: skip
    return type(NAME, (), {**members, IS_VIEW: True, "__module__": __name__})


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
