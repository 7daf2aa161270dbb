"""Which objects of a program have finalizers: instances of classes with ``__del__``, and what the
program registers with a ``rgc.FinalizerQueue``.

The functions that are called then (``annotator.overlay.finalizers``) are annotated as soon as
such an object can be made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeInstance
from rpython.annotator.overlay.finalizers import method_caller, queue_filler
from rpython.annotator.program.classdef import ClassDef
from rpython.rlib import rgc
from rpython.translator.ir.records import dataclass

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator


@dataclass(frozen=True, slots=True)
class Handler:
    """``function`` takes a dead object of ``classdef``."""

    classdef: ClassDef
    function: Callable[[Any], None]


class Finalizers:
    """The handlers of one program."""

    def __init__(self, annotator: RPythonAnnotator) -> None:
        self.annotator = annotator
        self.methods: dict[ClassDef, Handler] = {}
        """By the class that defines, or mixes in, the ``__del__``."""
        self.queues: dict[int, Handler] = {}
        """By the id of a FinalizerQueue, in the order of their numbers, which start at 1."""
        self._kept: list[Any] = []
        self._known: set[ClassDef] = set()

    def method_definer(self, classdef: ClassDef) -> ClassDef | None:
        """The class here or above whose ``__del__`` instances have, None when there is none."""
        found = classdef.class_value("__del__")
        if found is None or rgc.is_hook(found[1]):
            return None
        return classdef.entry(found[0])

    def are_seen(self, classdef: ClassDef) -> bool:
        """Does the program see when instances of the class die?"""
        return self.method_definer(classdef) is not None or any(
            classdef.is_subclass_of(handler.classdef) for handler in self.queues.values()
        )

    def flow(self) -> bool:
        """Annotate the callers of the ``__del__`` of classes that have instances by now; was
        there a new one?"""
        new = False
        for classdef in list(self.annotator.constants.classdefs):
            if classdef in self._known or not (classdef.instantiated or classdef.prebuilt):
                continue
            self._known.add(classdef)
            definer = self.method_definer(classdef)
            if definer is not None and definer not in self.methods:
                name = definer.cls.__del__.__qualname__  # type: ignore[attr-defined]
                handler = Handler(definer, method_caller(definer.cls, name))
                self.methods[definer] = handler
                self._flow(handler)
                new = True
        return new

    def add_queue(self, queue: Any, classdef: ClassDef) -> None:
        """Instances of the class go to the FinalizerQueue when they are dead."""
        if id(queue) not in self.queues:
            self._kept.append(queue)
            handler = Handler(classdef, queue_filler(rgc.dead_of(queue), queue))
            self.queues[id(queue)] = handler
            self._flow(handler)

    def queue_number(self, queue: Any) -> int:
        """The number of a FinalizerQueue that was added."""
        return list(self.queues).index(id(queue)) + 1

    def _flow(self, handler: Handler) -> None:
        self.annotator.flow_function(handler.function, [SomeInstance(handler.classdef)])
