"""Write what the annotator knows of a value as a type hint.

int or None                 int | None
list of int to a float      list[dict[int, float]]
an iterator                 Iterator[Any], with an import of both
"""

from __future__ import annotations

import builtins
from collections import OrderedDict
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from rpython.annotator.lattice.cells import Cell
from rpython.annotator.lattice.enumints import SomeEnumInt
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_CLASS,
    K_FLOAT,
    K_FUNCTION,
    K_INT,
    K_ITERATOR,
    K_METHOD,
    K_NONE,
    SomeClass,
    SomeDict,
    SomeInstance,
    SomeList,
    SomeObject,
    SomeTuple,
)
from rpython.annotator.lattice.parts import class_of_kind, parts_of
from rpython.annotator.lattice.sets import SomeAnySet
from rpython.annotator.lattice.vartuples import SomeVarTuple
from rpython.annotator.program.classdef import is_generator
from rpython.annotator.program.desc import ClassDesc
from rpython.stdlib._registry import replaced, replacement_of


class NoHint(Exception):
    """There is no hint for such values that the module could write."""


class Writer:
    """Writes hints for one module.

    ``imports``: what they need that the module has no name for, by the module that has it.
    ``names``: the module's variables.
    """

    def __init__(self, names: Mapping[str, Any]) -> None:
        self._names = names
        self._writing: list[object] = []
        self.imports: dict[str, set[str]] = {}

    def text(self, s: SomeObject) -> str:
        """The hint for values of an annotation.  Raises NoHint."""
        if s.is_unknown():
            raise NoHint
        parts = [part for part in parts_of(s) if part.kinds != K_NONE]
        kinds = sum({part.kinds for part in parts})
        if kinds & (
            K_INT | K_FLOAT
        ):  # where a float may be, an int may be, and in its place a bool
            parts = [part for part in parts if part.kinds != K_BOOL]
        if kinds & K_FLOAT:
            parts = [part for part in parts if part.kinds != K_INT]
        texts = list(dict.fromkeys(map(self._part, parts)))
        if s.kinds & K_NONE:
            texts.append("None")
        return " | ".join(texts) or self._any()

    def _part(self, part: SomeObject) -> str:
        if isinstance(part, SomeList):
            return f"list[{self._cell(part.listdef.find().item)}]"
        if isinstance(part, SomeAnySet):
            return f"{self._class(class_of_kind(part))}[{self._cell(part.dictdef.find().key)}]"
        if isinstance(part, SomeDict):
            root = part.dictdef.find()
            name = self._class(OrderedDict if root.ordered else dict)
            return f"{name}[{self._cell(root.key)}, {self._cell(root.value)}]"
        if isinstance(part, SomeVarTuple):
            return f"tuple[{self.text(part.s_item)}, ...]"
        if type(part) is SomeTuple:
            return f"tuple[{', '.join(map(self.text, part.items)) or '()'}]"
        if isinstance(part, SomeInstance):
            return self._instance(part)
        if isinstance(part, SomeClass):
            made = [desc.classdef.cls for desc in part.descs if isinstance(desc, ClassDesc)]
            if len(made) == 1:
                return f"type[{self._class(made[0])}]"
        if part.kinds & (K_FUNCTION | K_METHOD | K_CLASS):
            return self._callable()
        if part.kinds == K_ITERATOR:
            return self._iterator()
        if isinstance(part, SomeEnumInt):
            return self._class(part.cls)
        return self._class(class_of_kind(part))

    def _cell(self, cell: Cell) -> str:
        if any(cell is other for other in self._writing):
            return self._any()  # it holds itself
        self._writing.append(cell)
        try:
            return self.text(cell.s_value)
        finally:
            self._writing.pop()

    def _instance(self, part: SomeInstance) -> str:
        if is_generator(part.classdef):
            return self._iterator()
        cls = part.classdef.cls
        if "_rpython_function_" in vars(cls):
            return self._callable()
        hosts = [x for x in replaced() if isinstance(x, type) and _stands_for(cls, x)]
        return self._class(hosts[0] if hosts else cls)

    def _callable(self) -> str:
        return f"{self._imported('collections.abc', 'Callable')}[..., {self._any()}]"

    def _iterator(self) -> str:
        return f"{self._imported('collections.abc', 'Iterator')}[{self._any()}]"

    def _any(self) -> str:
        return self._imported("typing", "Any")

    def _imported(self, module: str, name: str) -> str:
        if name not in self._names:
            self.imports.setdefault(module, set()).add(name)
        return name

    def _class(self, cls: Any) -> str:
        """By the name that the module has for the class.  Raises NoHint where it has none."""
        if not isinstance(cls, type):
            raise NoHint
        own = cls.__name__
        if getattr(builtins, own, None) is cls and own not in self._names:
            return own
        for name, value in self._names.items():
            if value is cls:
                return name
        for name, value in self._names.items():
            if isinstance(value, ModuleType) and getattr(value, own, None) is cls:
                return f"{name}.{own}"
        raise NoHint


def _stands_for(cls: type, host: type) -> bool:
    replacement = replacement_of(host)
    return isinstance(replacement, type) and issubclass(cls, replacement)
