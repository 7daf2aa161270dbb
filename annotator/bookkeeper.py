"""What an ``ExtRegistryEntry`` may ask while a call is annotated: RPython's bookkeeper.

It belongs to one annotator; ``getbookkeeper()`` gives it only during that call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeDict, SomeList, SomeObject, s_Bottom
from rpython.annotator.program.classdef import ClassDef
from rpython.annotator.program.extregistry import getbookkeeper as getbookkeeper
from rpython.annotator.program.signature import annotation_of_type, dict_of, list_of

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator


class Bookkeeper:
    """Annotations of values and types for one annotator."""

    def __init__(self, annotator: RPythonAnnotator) -> None:
        self.annotator = annotator

    def immutablevalue(self, x: Any) -> SomeObject:
        """The annotation of a host object, a constant.  Raises AnnotatorError."""
        return self.annotator.constants.annotation_of(x)

    def valueoftype(self, hint: Any) -> SomeObject:
        """The annotation of the values of a type, as for ``build_types``.  Raises
        TranslationError."""
        return annotation_of_type(self.annotator, hint)

    def newlist(self, *items_s: SomeObject) -> SomeList:
        """A new list with such items."""
        s_item: SomeObject = s_Bottom
        for s in items_s:
            s_item = self.annotator.join(s_item, s.without_const())
        return list_of(self.annotator, s_item)

    def newdict(self) -> SomeDict:
        """A new dict, without items."""
        return dict_of(self.annotator, s_Bottom, s_Bottom)

    def getuniqueclassdef(self, cls: type) -> ClassDef:
        """What is known of a class of the program."""
        return self.annotator.constants.classdef(cls)
