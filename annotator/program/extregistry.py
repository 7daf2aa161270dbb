"""Rules for calls and types that a library registers from outside.

A subclass of ``ExtRegistryEntry`` is about one function (``_about_``, or a tuple of them) or about
all objects of a class (``_type_``)::

    class Entry(ExtRegistryEntry):
        _about_ = size_of_page

        def compute_result_annotation(self, *args_s):
            return SomeInteger(nonneg=True)

        def specialize_call(self, hop):
            return hop.inputconst(lltype.Signed, 4096)

``compute_result_annotation`` gets the annotations of the arguments, keywords as ``s_name``;
``specialize_call`` a HighLevelOp without the callee; ``compute_annotation`` is the annotation of
the object itself, and ``get_repr`` gives its Repr, whose ``rtype_simple_call(hop)`` then lowers the
calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from rpython.annotator.lattice.model import Const, SomeHost, SomeObject

_ABOUT: dict[int, tuple[Any, type[ExtRegistryEntry]]] = {}
_OF_TYPE: dict[type, type[ExtRegistryEntry]] = {}


class ExtRegistryEntry:
    """``instance``: the object that it is about.  ``bookkeeper``: while an annotation is computed,
    the annotator's (``annotator.bookkeeper``)."""

    def __init__(self, instance: Any) -> None:
        self.bookkeeper: Any = None
        self.instance = instance
        self.type = type(instance)

    def __init_subclass__(cls) -> None:
        """Register the class; raises TypeError for a second one about the same."""
        about = vars(cls).get("_about_", ())
        for function in about if isinstance(about, tuple) else (about,):
            if id(function) in _ABOUT:
                raise TypeError(f"two entries about {function!r}")
            _ABOUT[id(function)] = (function, cls)
        of = vars(cls).get("_type_", ())
        for known in of if isinstance(of, tuple) else (of,):
            if known in _OF_TYPE:
                raise TypeError(f"two entries about the type {known!r}")
            _OF_TYPE[known] = cls

    def compute_annotation(self) -> SomeObject:
        """The annotation of the object: by default one that can be called."""
        return SomeHost(Const(self.instance))

    def get_repr(self, rtyper: Any, s: SomeObject) -> Any:
        """The Repr of the object, for its default annotation ``s``; None: the usual one."""
        return None

    def compute_result_annotation(self, *args_s: Any, **kwds_s: Any) -> SomeObject:
        """The annotation of a call's result."""
        raise NotImplementedError(f"{type(self).__name__} has no compute_result_annotation")

    def specialize_call(self, hop: Any, **kwds_i: int) -> Any:
        """The value of a call."""
        raise NotImplementedError(f"{type(self).__name__} has no specialize_call")


_CURRENT: ContextVar[Any] = ContextVar("bookkeeper", default=None)


def getbookkeeper() -> Any:
    """The bookkeeper of the call that is being annotated; None outside."""
    return _CURRENT.get()


@contextmanager
def asking(entry: ExtRegistryEntry, bookkeeper: Any) -> Iterator[None]:
    """Within, an annotation is computed by the entry."""
    entry.bookkeeper = bookkeeper
    token = _CURRENT.set(bookkeeper)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def lookup(x: Any) -> ExtRegistryEntry | None:
    """The entry for a host object."""
    about = _ABOUT.get(id(x))
    if about is not None:
        return about[1](x)
    for cls in type(x).__mro__ if _OF_TYPE else ():
        if cls in _OF_TYPE:
            return _OF_TYPE[cls](x)
    return None


def is_registered(x: Any) -> bool:
    """Is there an entry for it?"""
    return lookup(x) is not None
