"""Generators for Python, and iterators of containers as generators.

The class of a generator becomes one for Python, with what Python's own have: ``next``, ``iter``,
``close``.  Other iterators have no class; a generator is put around them::

    def __iter__(self):                     def call(obj):
        return iter(self.xs)                    return _forward(iter(obj))
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rpython.annotator.lattice.model import SomeInstance, SomeIterator, SomeObject
from rpython.annotator.lattice.parts import parts_of
from rpython.annotator.program.classdef import ClassDef
from rpython.translator.flow.generator_classes import catching, generator, iterator


def generator_of(s: SomeObject) -> ClassDef | None:
    """The class of a generator of one function."""
    for part in parts_of(s):
        if isinstance(part, SomeInstance) and is_generator(part.classdef.cls):
            return part.classdef
    return None


def is_generator(cls: type) -> bool:
    """Is it the class of the generators of one function?"""
    return issubclass(cls, generator) and cls not in (iterator, generator, catching)


def is_iterator(s: SomeObject) -> bool:
    """Is it an iterator of a container, or the like?"""
    return isinstance(s, SomeIterator)


def _forward(it: Any) -> Iterator[Any]:
    yield from it


def forwarded(obj: Any) -> Any:
    """A generator with the items of ``iter(obj)``, which is asked for at once."""
    return _forward(iter(obj))


def forwarded_back(obj: Any) -> Any:
    return _forward(reversed(obj))


def _itself(gen: Any) -> Any:
    return gen


def _next(gen: Any) -> Any:
    return next(gen)


def _close(gen: Any) -> None:
    gen.close()


METHODS = {"__iter__": _itself, "__next__": _next, "close": _close}
"""What generators have for Python."""
FORWARDED = {"__iter__": forwarded, "__reversed__": forwarded_back}
"""What is called in place of methods that give iterators."""
