"""What is iterated over of a str without a list of it (``annotator.lazy_splits``)."""

from __future__ import annotations

from rpython.annotator.lattice.model import (
    K_STR,
    SomeBuiltinMethod,
    SomeIterator,
    SomeObject,
    s_Str,
)

PIECES = {"split": "words", "splitlines": "lines"}
"""The variants of these iterators, by the method that gives a list of the pieces."""


def pieces_by(method: str, s: SomeObject) -> SomeIterator:
    """The iterator over what this method of a str gives; ``s``: of the method."""
    assert isinstance(s, SomeBuiltinMethod) and s.name == method and s.s_self.kinds == K_STR, s
    return SomeIterator((s_Str,), PIECES[method])
