"""The translation of a module to an extension module.

    ExtensionTranslation(module)
        .optimise()        annotated from all functions and methods that are for Python, lowered
        .extension()       the table for ``backend_c.extension``

What Python can call is flowed with the types that the hints give; attributes of public classes
are read and written by small functions (``wrappers``).  Then it is known what crosses.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import FunctionType, ModuleType
from typing import Any

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import (
    SomeByteArray,
    SomeDict,
    SomeInstance,
    SomeList,
    SomeObject,
    SomeTuple,
)
from rpython.annotator.lattice.parts import parts_of
from rpython.annotator.program.classdef import ClassDef, Lookup
from rpython.annotator.refining import Refinement, refined
from rpython.backend_c.extension import AbiType, Entry, Extension, Parameter, PythonOperation
from rpython.lltypesystem.program import Program
from rpython.rlib.nogil import is_nogil
from rpython.rtyper.boundary.extension import (
    ExtensionMarshaller,
    Function,
    direct_arguments,
    has_direct_result,
)
from rpython.rtyper.boundary.extension_state import restore_graph, state_graph
from rpython.rtyper.builtins.print import reads_stdin
from rpython.rtyper.helperlibrary import helper_library
from rpython.rtyper.rtyper import RPythonTyper
from rpython.translator.driver import Translation
from rpython.translator.extension import wrappers
from rpython.translator.extension.abi_types import (
    AN_ARGUMENT,
    VIEWS,
    AbiTypes,
    DoesNotCross,
    Kept,
    changed_containers,
)
from rpython.translator.extension.buffers import Uses, is_memory
from rpython.translator.extension.buffertypes import taken_of
from rpython.translator.extension.callables import Callables, check_callers
from rpython.translator.extension.classes import ClassTable
from rpython.translator.extension.classtable import class_table
from rpython.translator.extension.errors import ErrorTable, host_side, is_own
from rpython.translator.extension.escape import Escapes, has_container
from rpython.translator.extension.exports import (
    Parameters,
    docstring,
    exports_of,
    is_cached,
    parameters_of,
    place,
    require_hints,
)
from rpython.translator.extension.foreign import (
    belongs_to_python,
    check_annotated,
    check_program,
    knows_version,
)
from rpython.translator.extension.hints import Hints
from rpython.translator.extension.hosted import HostedClasses
from rpython.translator.extension.importtime import check_import_time
from rpython.translator.extension.known import place_of_class
from rpython.translator.extension.missing import imported_names, notes
from rpython.translator.extension.othermodules import check_other_modules
from rpython.translator.extension.output import WRITE, pausing, reaching
from rpython.translator.extension.overrides import check_calls, is_extended
from rpython.translator.extension.state import State, find_states
from rpython.translator.extension.variables import check_variables
from rpython.translator.extension.views import Views
from rpython.translator.flow.generators import give_span
from rpython.translator.ir.errors import AnnotatorError, Conflict, TranslationError
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span
from rpython.translator.marshal import check
from rpython.translator.options import Options


def _nothing() -> None:
    """The entry of a program that has none."""


NOTHING: Any = _nothing
_SPECIAL_TEXT = (UnicodeError, OSError, KeyError, SystemExit)
"""Classes whose text is computed from several values."""


@dataclass(eq=False)
class Call:
    """Something for Python to call, on its way to an ``Entry``: the annotated graph, which takes
    the object (``has_self``) and the arguments, in a tuple where ``packed``.  ``is_optional``:
    there is no entry when the result does not cross.  ``takes_anything``: the arguments are not
    looked at.  ``generated``: ``Entry.generated``."""

    graph: FunctionGraph
    name: str
    shown: str
    doc: str
    parameters: Parameters
    span: Span
    has_self: bool = False
    is_init: bool = False
    packed: bool = False
    otherwise: str = ""
    is_setter: bool = False
    is_optional: bool = False
    takes_anything: bool = False
    nogil: bool = False
    generated: bool = False
    entry: Entry | None = None


class ExtensionTranslation(Translation):
    """Translates a module."""

    def __init__(
        self, module: ModuleType, options: Options | None = None,
        refinement: Refinement | None = None,
    ) -> None:  # fmt: skip
        options = options or Options()
        annotator = RPythonAnnotator(holds_locals=options.debug, refinement=refinement)
        super().__init__(NOTHING, [], options, annotator, self._setup)
        self.annotator.constants.overlays.shared = True
        self.more_passes = ("insert_safepoints",)
        self.public = exports_of(module)
        self.hosted = HostedClasses(module, self.public)
        self.hosted.find_all()
        check_import_time(module)
        self.callables = Callables(self.annotator)
        self.views = Views(self.annotator)
        self.calls: list[Call] = []
        self.functions: list[Call] = []
        self.classes = ClassTable(self)
        self.types: AbiTypes | None = None
        self.errors: ErrorTable | None = None
        self.states: list[State] = []
        self.operations: list[PythonOperation] = []
        self._escapes = Escapes(self.annotator)
        self._texts: dict[ClassDef, FunctionGraph] = {}
        self._marshaller: ExtensionMarshaller | None = None

    # -- annotation ---------------------------------------------------------------------------

    def annotate(self) -> FunctionGraph:
        if self._graph is None:
            for name, func in self.public.functions.items():
                plain = func.__wrapped__ if is_cached(func) else func
                parameters = parameters_of(plain, f"{name}()")
                require_hints(plain, f"{name}()", parameters)
                doc = docstring(plain, name, parameters, "$module")
                args_s = self.annotations(plain, f"{name}()", parameters)
                called: Callable[..., Any] = func
                packed = None
                if parameters.star or parameters.stars or plain is not func:
                    called = wrappers.function(func, parameters)
                    packed = [SomeTuple(tuple(args_s))]
                call = self.flow(
                    called, name, doc, parameters, args_s, place(plain), graph_args_s=packed
                )
                call.nogil = is_nogil(plain)
                self.functions.append(call)
            self.classes.flow()
            super().annotate()
            while self.classes.flow_attributes() or self._flow_texts():
                self.annotator.complete()
            check_annotated(self.annotator)
            check_calls(self.annotator)
            self.callables.finish()
            self.views.check()
            check_other_modules(self.annotator, self.public.name)
            check_variables(self.annotator, self.public)
            self._find_types()
        return super().annotate()

    def notes(self) -> Iterator[str]:
        return notes(self.hosted.module, self._names() | set(self._imports()), self.classes.known())

    def _names(self) -> set[str]:
        """The public names that are native, or constants."""
        public = self.public
        groups = (public.functions, public.classes, public.exceptions, public.constants)
        own = {cls.__name__ for cls in self.hosted.classes}
        return {*own, *self.hosted.constants()}.union(*groups)

    def _imports(self) -> dict[str, tuple[str, str]]:
        """The other public names that Python has elsewhere."""
        if hasattr(self.hosted.module, "__all__"):
            return {}
        return imported_names(self.hosted.module, self._names())

    def annotations(
        self, func: FunctionType, shown_as: str, parameters: Parameters
    ) -> list[SomeObject]:
        """The annotations of the arguments, by their hints.  Raises TranslationError."""
        result = []
        hints = self.hints()
        for name, hint in zip(parameters.names, parameters.hints):
            try:
                result.append(hints.annotation(hint))
            except Conflict:
                raise
            except TranslationError as error:
                raise TranslationError(
                    f"{shown_as}, argument {name!r}: {error.message}", place(func),
                    hint="docs/modules.md says which types cross",
                ) from None  # fmt: skip
            default = parameters.defaults.get(name)
            if self.hosted.expression(default) is None:
                raise TranslationError(
                    f"{shown_as}, argument {name!r}: the default {default!r:.40}"
                    " is not a constant", place(func), hint="use None, a number, a text or a tuple",
                )  # fmt: skip
        return result

    def hints(self) -> Hints:
        return Hints(
            self.annotator, self.classes.hosts(), self.hosted.number, self.callables
        )

    def flow(
        self,
        func: Callable[..., Any],
        name: str,
        doc: str,
        parameters: Parameters,
        args_s: list[SomeObject],
        span: Span,
        shown: str = "",
        self_s: SomeObject | None = None,
        graph_args_s: Sequence[SomeObject] | None = None,
        is_init: bool = False,
    ) -> Call:
        """Flow a function for Python.  ``graph_args_s``: what it is called with, where that is
        not the object and the arguments."""
        first = [] if self_s is None else [self_s]
        packed = graph_args_s is not None
        graph_args_s = [*first, *args_s] if graph_args_s is None else graph_args_s
        try:
            graph = self.annotator.flow_function(func, graph_args_s)
        except TranslationError as error:
            error.span = error.span or span
            raise
        if func.__module__ == wrappers.__name__:
            give_span(graph, replace(span, hidden=True))
        has_self = self_s is not None or is_init
        call = Call(
            graph, name, shown or name, doc, parameters, span, has_self, is_init, packed
        )
        self.calls.append(call)
        return call

    def _flow_texts(self) -> bool:
        """Flow ``__str__`` of the module's exceptions.  Was there a new one?"""
        new = False
        for classdef in self.annotator.constants.classdefs:
            cls = classdef.cls
            if not is_own(cls, self.public.name) or not classdef.defines("__str__"):
                continue
            if classdef in self._texts:
                continue
            span = place_of_class(cls)
            if issubclass(cls, _SPECIAL_TEXT):
                raise AnnotatorError(
                    f"class {cls.__name__} defines __str__", span,
                    hint=f"derive it from Exception, not from {cls.__mro__[1].__name__}",
                )  # fmt: skip
            graph = self.annotator.flow_function(wrappers.unary(str), [SomeInstance(classdef)])
            give_span(graph, replace(span, hidden=True))
            self._texts[classdef] = graph
            new = True
        return new

    def _find_types(self) -> None:
        """What each call takes and gives.  Raises AnnotatorError for what does not cross."""
        kept = Kept(self.annotator)
        kept.find(list(self.classes.numbers()))
        changed = changed_containers(self.annotator)
        self.types = AbiTypes(self.classes.numbers(), changed, self.hosted.number)
        for call in list(self.calls):
            try:
                call.entry = self._entry(call, kept)
            except AnnotatorError:
                if not call.is_optional:
                    raise
                self.calls.remove(call)
        self.operations = self.callables.table(self.types)
        self.states = find_states(self.annotator, self.classes.known(), self.types)
        for call in self.calls:
            for s in self._arguments(call):
                kept.add(s, AN_ARGUMENT)
        types = AbiTypes(self.types.numbers, self.types.changed, self.hosted.number)
        exceptions = list(self.public.exceptions.values())
        self.errors = ErrorTable(self.hosted, exceptions, types, kept, self.callables)

    def _entry(self, call: Call, kept: Kept) -> Entry:
        parameters = []
        arguments = zip(call.parameters.names, self._arguments(call), strict=True)
        for index, (name, s) in enumerate(arguments):
            copied = has_container(s) and not self._keeps(call, index)
            if is_memory(s):
                T = self._buffer(call, index, kept)
            else:
                T = self._type(call, s, f"argument {name!r}", kept, copied)
            if call.takes_anything:
                T = AbiType("OPAQUE", "object")
            elif T.kind == "CALLABLE" and not self._keeps(call, index):
                T = replace(T, changes=False)
            default = None
            if name in call.parameters.defaults:
                default = self._default(call, name, s, T)
            parameters.append(Parameter(name, T, default))
        s_result = self.annotator.binding(call.graph.getreturnvar())
        copied = has_container(s_result) and self._escapes.returns_own(call.graph)
        result = self._type(call, s_result, "the result", kept, copied)
        if result.kind == "NONE" and s_result.kinds == 0:
            result = AbiType("NONE", "None")
        return Entry(
            f"rpx_{self.calls.index(call)}", call.name, call.shown, call.doc, parameters,
            call.parameters.positional_only, call.parameters.positional, result,
            direct=False, has_self=call.has_self, is_init=call.is_init, otherwise=call.otherwise,
            is_setter=call.is_setter, star=call.parameters.star, stars=call.parameters.stars,
            nogil=call.nogil, generated=call.generated,
        )  # fmt: skip

    def _buffer(self, call: Call, index: int, kept: Kept) -> AbiType:
        """The type of an object with the buffer protocol.  Raises AnnotatorError where native code
        could tell it from a view of its bytes."""
        name = call.parameters.names[index]
        taken = taken_of(call.parameters.hints[index])
        assert taken is not None
        T = taken.type()
        what = f"{call.shown}(): argument {name!r} ({T.name})"
        if any(_has_bytearray(s) for s in self._arguments(call)):
            raise AnnotatorError(
                f"{what} may be a view of another argument, a bytearray", call.span,
                hint="take bytes in place of one of them",
            )  # fmt: skip
        place = index + int(call.has_self)
        uses = Uses(self._escapes, not taken.is_any)
        if not taken.is_view and not all(uses.are_fine(body, place) for body in self._bodies(call)):
            able = "memoryview() and bytes()" if taken.of_bytes else "memoryview()"
            raise AnnotatorError(
                f"{what} may only be given to {able}", call.span,
                hint="view = memoryview(argument), and use the view",
            )  # fmt: skip
        places = [kept.places[each] for each in VIEWS if each in kept.places]
        if places:
            raise AnnotatorError(
                f"{what} may be the same object as what is in {places[0]}, which Python and native"
                " code cannot share", call.span, hint="keep bytes(view)",
            )  # fmt: skip
        if taken.optional:
            T = AbiType("OPTIONAL", f"{T.name} | None", [T])
        return T

    def _bodies(self, call: Call) -> list[FunctionGraph]:
        """The graphs of what is called; none where they are not known."""
        if not call.packed:
            return [call.graph]
        if not call.is_init:
            return []
        s_made = self.annotator.binding(call.graph.getreturnvar())
        assert isinstance(s_made, SomeInstance)
        classdef = s_made.classdef
        if is_extended(classdef.cls) and classdef.base is not None:
            classdef = classdef.base
        desc = self.annotator.constants.method_function(classdef, Lookup("__init__"))
        return list(desc.graphs.values())

    def _arguments(self, call: Call) -> list[SomeObject]:
        """The annotations of the arguments, as wide as the program's own calls make them."""
        args = [self.annotator.binding(v) for v in call.graph.getargs()]
        if call.packed:
            packed = args[-1]
            assert isinstance(packed, SomeTuple)
            return list(packed.items)
        return args[int(call.has_self) :]

    def _default(self, call: Call, name: str, s: SomeObject, T: AbiType) -> str:
        value = call.parameters.defaults[name]
        try:
            if not isinstance(value, enum.Enum):
                check(s, value)
        except (TypeError, OverflowError):
            raise AnnotatorError(
                f"{call.shown}(): the default {value!r} of argument {name!r} is no {T.name}",
                call.span,
            ) from None
        text = self.hosted.expression(value)
        assert text is not None
        return text

    def _keeps(self, call: Call, index: int) -> bool:
        """May what is called store its argument with this index?"""
        if call.packed and not call.is_init:
            return True
        index += int(call.has_self)
        return any(self._escapes.keeps(body, index) for body in self._bodies(call))

    def _type(
        self, call: Call, s: SomeObject, what: str, kept: Kept, copied: bool
    ) -> AbiType:
        """``copied``: the module has no other reference to this very object."""
        assert self.types is not None
        try:
            T = self.types.of(s)
        except DoesNotCross as error:
            raise AnnotatorError(
                f"{call.shown}(): {what} is {error}, which does not cross to Python", call.span,
                hint="docs/modules.md says which types cross",
            ) from None  # fmt: skip
        where = kept.place_of(s, copied)
        if where is not None:
            raise AnnotatorError(
                f"{call.shown}(): {what} ({T.name}) may be the same object as what is in {where},"
                " which Python and native code cannot share", call.span,
                hint="keep or return a copy: list(xs), dict(d), set(xs), bytearray(b)",
            )  # fmt: skip
        return T

    # -- lowering -----------------------------------------------------------------------------

    def new_rtyper(self) -> RPythonTyper:
        assert self.errors is not None
        library = helper_library(self.options.passes)
        return RPythonTyper(self.annotator, self.errors.forms, library)

    def _setup(self, rtyper: RPythonTyper) -> dict[str, FunctionGraph]:
        rtyper.make_program()  # loops can be interrupted, exceptions have causes and contexts
        roots, python = self.classes.roots(), self.callables.python
        marshaller = self._marshaller = ExtensionMarshaller(rtyper, roots, python)
        functions = []
        for call in self.calls:
            entry = call.entry
            assert entry is not None
            functions.append(_crossing(rtyper, call, entry))
        exports = marshaller.exports(functions)
        for state in self.states:
            for entry, graph in ((state.read, state_graph), (state.restore, restore_graph)):
                exports[entry.symbol] = graph(
                    marshaller, entry.symbol, state.classdef, state.names
                )
        assert self.errors is not None
        self.errors.prepare(rtyper, marshaller, self._texts)
        rtyper.lower_all()
        if self.callables.asks:
            held, form = self.callables.held(), self.errors.form_of_python()
            python.write_error_maker(held, form, self.errors.python_attributes)
        exports["rpx_message"] = self.errors.graph()
        if reads_stdin(rtyper):
            raise belongs_to_python(
                "standard input", "read it in Python, and pass what was read"
            )
        return exports

    def extension(self) -> Extension:
        """The table for the back end."""
        program = self.optimise()
        assert self.types is not None and self.errors is not None
        assert self._marshaller is not None
        rtyper = self.rtyper
        for T, s in self.types.containers:
            r = rtyper.getrepr(s)
            if r in self._marshaller.kinds:
                T.number = self._marshaller.kinds.index(r)
        entries = [call.entry for call in self.calls if call.entry is not None]
        entries += [entry for state in self.states for entry in (state.read, state.restore)]
        check_program(program)
        printing, long = reaching(program, WRITE), pausing(program)
        for entry in entries:
            entry.prints = program.exports[entry.symbol] in printing
            entry.runs_long = program.exports[entry.symbol] in long
            if entry.nogil and entry.prints:
                raise belongs_to_python(
                    f"standard output in {entry.shown}(), which is marked with nogil",
                    "print what it returns",
                )
        check_callers(program, entries)
        public = self.public
        return Extension(
            public.name, str(self.hosted.module.__file__), public.doc, entries,
            [call.entry for call in self.functions if call.entry is not None],
            public.constants | self.hosted.constants(),
            class_table(self.classes.known(), public, rtyper, self.states),
            self.errors.classes(rtyper),
            self.errors.exception_constructors(), self.operations, self.hosted.table(),
            self.hosted.names, host_side(bool(self.classes.known()), bool(self.views.known)),
            "rpy_flush" in program.exports, knows_version(self.annotator), self._imports(),
        )  # fmt: skip


def _crossing(rtyper: RPythonTyper, call: Call, entry: Entry) -> Function:
    """Decide how the arguments and the result cross."""
    by_words = [not direct for direct in direct_arguments(rtyper, call.graph, call.packed)]
    result_by_words = not has_direct_result(rtyper, call.graph)
    first = len(by_words) - len(entry.parameters)
    needed = [p.type for p, words in zip(entry.parameters, by_words[first:]) if words]
    needed += [entry.result] * result_by_words
    starred = (entry.star or entry.stars) and bool(needed)
    entry.direct = not starred and all(T.is_plain for T in needed)
    if entry.direct:
        entry.by_words, entry.result_by_words = tuple(by_words[first:]), result_by_words
    return Function(
        entry.symbol, call.graph, entry.direct, call.packed, tuple(by_words), result_by_words
    )


def _has_bytearray(s: SomeObject) -> bool:
    """Is it a bytearray, or may it have one in it?"""
    for part in parts_of(s):
        inside = [*getattr(part, "items", ()), *getattr(part, "parts", ())]
        root: Any = None
        if isinstance(part, SomeList):
            root = part.listdef.find()
            inside.append(root.item.s_value)
        elif isinstance(part, SomeDict):
            root = part.dictdef.find()
            inside += [root.key.s_value, root.value.s_value]
        if isinstance(part, SomeByteArray) or any(map(_has_bytearray, inside)):
            return True
    return False


def extension_translation(
    module: ModuleType, options: Options | None = None
) -> ExtensionTranslation:
    """The translation of a module, annotated.  Raises TranslationError."""

    def attempt(refinement: Refinement) -> ExtensionTranslation:
        translation = ExtensionTranslation(module, options, refinement)
        translation.annotate()
        return translation

    return refined(attempt, *(options or Options()).meaning)


def translate_module(
    module: ModuleType, options: Options | None = None
) -> tuple[Program, Extension]:
    """The low-level program of an extension module, and its table."""
    translation = extension_translation(module, options)
    return translation.optimise(), translation.extension()
