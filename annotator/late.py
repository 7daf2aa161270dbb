"""Which operations raise when the program runs, where no value that reaches them has the operation.

    def to_s(val):                      # of an installed package
        if PY3:
            return str(val)
        return unicode(val)             raises NameError, if the program ever comes here

CPython says nothing of such code before it runs.  In the program's own files it is a mistake, and
is refused; elsewhere it is what programs do not use, or not with these values, so that the
operation raises what CPython raises, its result is bottom, and what follows is never reached.
``raised_by_host`` says what that is: where it does not know, the program is refused wherever the
operation is.  ``errors="late"`` says it of all code, ``"refuse"`` of none, and a module of itself
with ``__rpython_errors__ = "late"``.  In a ``try`` that catches the exception it is no mistake.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.cells import Position
from rpython.annotator.program.classdef import Attribute
from rpython.annotator.rules.members import AllRefused
from rpython.annotator.rules.raised import Raised, raised_by_host
from rpython.stdlib._registry import replacement_of
from rpython.translator.ir.errors import Conflict, Note, TranslationError
from rpython.translator.ir.home import Home
from rpython.translator.ir.model import Block, FunctionGraph, SpaceOperation

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator

MARK = "__rpython_errors__"
"""The name of the variable by which a module says how its errors are taken."""
_INSTALLED = ("site-packages", "dist-packages")


class LateErrors:
    """The operations of one program that raise, and whether they may."""

    def __init__(self, annotator: RPythonAnnotator) -> None:
        self._annotator = annotator
        self._mode = annotator.refinement.errors
        self._own: set[str] = set()
        """The folders of the program's own files."""
        self._is_own: dict[str, bool] = {}

    def note_entry(self, func: Any) -> None:
        """The program begins with this function: the files of its package, or beside it, are its
        own."""
        self._own.add(_folder_of(_file_of(func)))
        self._is_own.clear()

    def is_late(self, position: Position, op: SpaceOperation, error: TranslationError) -> bool:
        """Does the operation raise something instead of this error, as far as is known?"""
        if isinstance(error, Conflict) or position[0].is_helper or self._mode == "refuse":
            return False
        raised = self.raised(op, error)
        if raised and self.may_raise(position, [one.exception for one in raised]):
            return True
        error.raises = " or ".join({one.exception.__name__: None for one in raised})
        return False

    def raised(self, op: SpaceOperation, error: TranslationError) -> tuple[Raised, ...]:
        """What CPython raises in place of the error; nothing where nobody knows."""
        if isinstance(error, AllRefused):
            return error.raised
        if op in self._annotator.members.apart:
            return ()
        try:
            raised = raised_by_host(self._annotator, op)
        except TranslationError:
            return ()  # an operand is what the error is about
        return () if raised is None else (raised,)

    def is_unset(self, attribute: Attribute, position: Position) -> bool:
        """Does reading the attribute, which nothing sets, raise there what Python raises?"""
        if position[0].is_helper or not self.offers(attribute):
            return False
        return self.may_raise(position, [attribute.unset[0]])

    def offers(self, attribute: Attribute) -> bool:
        """May reading the attribute, which nothing sets, raise something somewhere: does the
        host's class have no such attribute either?"""
        if self._mode == "refuse":
            return False
        bases = attribute.homedef.cls.__mro__[:-1]
        stands_for_another = any(replacement_of(base) is not base for base in bases)
        return not attribute.homedef.home.is_ours and not stands_for_another

    def found(self) -> Iterator[tuple[SpaceOperation, str, list[Note]]]:
        """The operations of an annotated program that raise something, what that is, and where the
        operands came from; none that are in a ``try`` for that."""
        annotator = self._annotator
        for position, error in annotator.premature.late():
            graph, block, index = position
            op = block.operations[index]
            raised = self.raised(op, error)
            if not all(is_caught(block, op, one.exception) for one in raised):
                text = " or ".join(f"{one.exception.__name__}: {one.text}" for one in raised)
                yield annotator.expanded_into(graph, op)[1], text, error.notes
        for (graph, block, index), attribute in annotator.attribute_reads.late():
            op, (exception, text) = block.operations[index], attribute.unset
            if not is_caught(block, op, exception):
                shown = f"{exception.__name__}: {text}"
                yield annotator.expanded_into(graph, op)[1], shown, []

    def may_raise(self, position: Position, classes: Iterable[type[Exception]]) -> bool:
        """May the operation there raise such exceptions where the program would be refused?"""
        graph, block, index = position
        op = block.operations[index]
        if all(is_caught(block, op, cls) for cls in classes):
            return True
        annotator = self._annotator
        if graph.home.is_ours:
            if not annotator.graphs[graph].expanded:
                return False
            above = annotator.callers.now(graph)
            return bool(above) and all(
                place[1].operations[place[2]] in annotator.members.apart
                or self.may_raise(place, classes)
                for place in above if place[0] is not graph
            )
        said = graph.func.__globals__.get(MARK, self._mode) if graph.func else self._mode
        return said == "late" if said is not None else not self._is_programs(graph)

    def _is_programs(self, graph: FunctionGraph) -> bool:
        """Is the graph that of one of the program's own files?"""
        if graph.home is Home.STANDARD:
            return False
        file = _file_of(graph.func)
        if file not in self._is_own:
            self._is_own[file] = not self._own or any(_is_below(file, own) for own in self._own)
        return self._is_own[file]


def is_caught(block: Block, op: SpaceOperation, exception: type[Exception]) -> bool:
    """Is the operation in a ``try`` with a handler for the exception?  (One for all of them may be
    a ``finally``.)"""
    if not block.canraise or op is not block.raising_op:
        return False
    return any(
        link.exitcase is not BaseException and issubclass(exception, link.exitcase)
        for link in block.exits[1:]
    )


def _file_of(func: Any) -> str:
    """The file of a function's module; what ``exec`` makes is of the module that has it."""
    if func is None:
        return ""
    if hasattr(func, "_rpython_span_"):  # such as the body of a generator
        return os.path.abspath(str(func._rpython_span_.filename))
    return os.path.abspath(str(func.__globals__.get("__file__") or func.__code__.co_filename))


def _folder_of(file: str) -> str:
    """That of the package that the file is a part of, or else of the file."""
    folder = Path(file).parent
    while (folder / "__init__.py").is_file():
        inside, folder = folder, folder.parent
        if not (folder / "__init__.py").is_file():
            return f"{inside}{os.sep}"
    return f"{folder}{os.sep}"


def _is_below(file: str, folder: str) -> bool:
    """Is the file in the folder, and nothing that is installed there?"""
    if not file.startswith(folder):
        return False
    return not any(part in _INSTALLED for part in file.removeprefix(folder).split(os.sep))
