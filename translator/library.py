"""Translations of shared libraries: the functions of a module that are entry points for C."""

from __future__ import annotations

import inspect
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import SomeInstance
from rpython.annotator.program.signature import annotation_of_type
from rpython.annotator.refining import Refinement, refined
from rpython.lltypesystem.program import LibraryFunction
from rpython.lltypesystem.types import Ptr, Struct
from rpython.rlib.entrypoint import Entrypoint, entrypoint_of
from rpython.rtyper.boundary.entrypoint import TEXT, prebuilt_argv, text_graph
from rpython.rtyper.boundary.export import PREFIX, Export, Exported, export
from rpython.rtyper.boundary.handles import Handles
from rpython.rtyper.ll.ll_entry import exception_text
from rpython.translator.api import hinted_types
from rpython.translator.driver import Translation, annotated
from rpython.translator.ir.errors import TranslationError
from rpython.translator.options import Options

if TYPE_CHECKING:
    from rpython.rtyper.rtyper import RPythonTyper
    from rpython.translator.ir.model import FunctionGraph


class LibraryTranslation:
    """The translation of all entry points of a module.

    ``translation``: the stages, as of any program.  Raises TranslationError when the module has
    no entry points, or one that C cannot call.
    """

    def __init__(self, module: ModuleType, options: Options | None = None) -> None:
        entries = entrypoints_of(module)
        if not entries:
            raise TranslationError(
                f"{module.__file__} has no function decorated with @rpython.entrypoint",
                hint="import rpython, and decorate what C shall call: @rpython.entrypoint([int])",
            )
        self._exported: list[tuple[Export, Exported]] = []
        self._exports: list[Export] = []
        self._options = options or Options()
        self.translation = refined(
            lambda refinement: self._translation(entries, refinement), *self._options.meaning
        )

    def _translation(
        self, entries: list[tuple[FunctionType, Entrypoint]], refinement: Refinement
    ) -> Translation:
        annotator = RPythonAnnotator(holds_locals=self._options.debug, refinement=refinement)
        self._exports = []
        for function, entry in entries:
            types = hinted_types(function) if entry.argtypes is None else entry.argtypes
            by_value = frozenset(i for i, given in enumerate(types) if _is_raw_struct(given))
            types = [Ptr(given) if i in by_value else given for i, given in enumerate(types)]
            args_s = [annotation_of_type(annotator, given) for given in types]
            graph = annotator.flow_function(function, args_s)
            c_name = entry.c_name or function.__name__
            self._exports.append(
                Export(graph, args_s, c_name, entry.lowlevel, entry.codes, by_value)
            )
        base = annotator.constants.classdef(BaseException)
        annotator.texts.report(exception_text, [SomeInstance(base)])
        first = self._exports[0]
        return annotated(
            Translation(entries[0][0], first.args_s, self._options, annotator, self._setup)
        )

    def _setup(self, rtyper: RPythonTyper) -> dict[str, FunctionGraph]:
        prebuilt_argv(rtyper)  # empty, before anything else looks at it
        exports: dict[str, FunctionGraph] = {}
        results_s = [rtyper.annotator.binding(what.graph.getreturnvar()) for what in self._exports]
        given_s = [s for what in self._exports for s in what.args_s]
        handles = Handles(rtyper, [*given_s, *results_s])
        for what in self._exports:
            if PREFIX + what.c_name in exports:
                raise TranslationError(
                    f"two entry points are called {what.c_name}", what.graph.span,
                    hint='give one of them another name: @rpython.entrypoint(..., c_name="...")',
                )  # fmt: skip
            made = export(rtyper, what, handles)
            made.graph.span = what.graph.span
            self._exported.append((what, made))
            exports[PREFIX + what.c_name] = made.graph
        exports[TEXT] = text_graph(rtyper, TEXT)
        return exports | handles.graphs()

    def functions(self) -> list[LibraryFunction]:
        """The functions for C, in the order of the module."""
        self.translation.rtype()
        constants = self.translation.annotator.constants
        classes = [each.cls for each in constants.classdefs if issubclass(each.cls, BaseException)]
        own = [cls.__name__ for cls in classes if cls.__module__ != "builtins"]
        errors = (*sorted({*(cls.__name__ for cls in classes)} - {*own}), *own)
        return [
            LibraryFunction(
                what.c_name, made.graph, made.parameters, made.sized, _about(what), made.handles,
                errors if what.codes else (), made.by_value,
            )
            for what, made in self._exported
        ]


def _is_raw_struct(given: object) -> bool:
    return isinstance(given, Struct) and given._gckind == "raw"


def entrypoints_of(module: ModuleType) -> list[tuple[FunctionType, Entrypoint]]:
    """The functions among a module's globals that are decorated as entry points."""
    found: dict[FunctionType, Entrypoint] = {}
    for value in vars(module).values():
        entry = entrypoint_of(value) if isinstance(value, FunctionType) else None
        if entry is not None:
            found[value] = entry
    return list(found.items())


class _Text:
    """Shows as it is where Python would show a str in quotes."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _about(what: Export) -> list[str]:
    """The function's head in Python, and the first lines of its docstring."""
    function = what.graph.func
    assert isinstance(function, FunctionType)
    signature = inspect.signature(function)
    shown = signature.replace(
        parameters=[
            each.replace(annotation=_shown(each.annotation))
            for each in signature.parameters.values()
        ],
        return_annotation=_shown(signature.return_annotation),
    )
    text = inspect.getdoc(function)
    head = f"{function.__name__}{shown}"
    return [head, *(text.partition("\n\n")[0].splitlines() if text else [])]


def _shown(annotation: object) -> object:
    """With ``from __future__ import annotations``, a hint is a str."""
    return _Text(annotation) if isinstance(annotation, str) else annotation
