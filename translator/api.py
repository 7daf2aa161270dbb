"""What users and tests call to run a function in the LLInterpreter, or to infer its types:
``interpret`` and friends.

``rpython`` re-exports these.  What shows graphs is in ``translator.showing``, which needs the back
end.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import FunctionType, NoneType
from typing import Any, get_type_hints

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import SomeObject
from rpython.annotator.program.signature import annotation_of_type, annotation_of_value
from rpython.annotator.refining import Refinement, refined
from rpython.lltypesystem.interp.llinterp import LLException, LLInterpreter
from rpython.lltypesystem.lltype import cast_pointer
from rpython.lltypesystem.rclass import OBJECTPTR
from rpython.lltypesystem.rstr import read_str
from rpython.rtyper.boundary.hostvalues import host_attributes, low_field, to_host
from rpython.rtyper.ll.ll_text import FAILED, IS_LATER
from rpython.rtyper.rtyper import RPythonTyper
from rpython.translator.boundary import require_result
from rpython.translator.driver import Translation, annotated
from rpython.translator.hosterrors import host_error, set_attribute
from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.hostgc import collecting_seldom
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.options import Options


def require_function(f: Any) -> FunctionType:
    """``f``, a Python function.  Raises TranslationError for anything else."""
    if not isinstance(f, FunctionType):
        raise TranslationError(f"expected a Python function, not {f!r}")
    return f


# -- running ----------------------------------------------------------------------------------


class Interpretation:
    """A translated function, to be run by the LLInterpreter, or by one that the caller made."""

    def __init__(self, translation: Translation, interpreter: LLInterpreter | None = None) -> None:
        self.translation = translation
        require_result(translation.annotator, translation.annotate())
        self.program = translation.optimise()
        self._interpreters = {} if interpreter is None else {False: interpreter}

    @classmethod
    def of(cls, f: Any, args: Sequence[Any], options: Options | None = None) -> Interpretation:
        """Translate ``f`` for arguments like ``args``.  Raises TranslationError."""

        def attempt(refinement: Refinement) -> Translation:
            annotator = RPythonAnnotator(refinement=refinement)
            known: dict[int, SomeObject] = {}
            args_s = [annotation_of_value(annotator, arg, known) for arg in args]
            return annotated(Translation(require_function(f), args_s, options, annotator))

        return cls(refined(attempt, *(options or Options()).meaning))

    def run(
        self, args: Sequence[Any], checked: bool = False, graph: FunctionGraph | None = None
    ) -> Any:
        """Run it, or another function of the program, of which ``graph`` is the annotated one;
        host values in and out.  Raises what the program raises."""
        rtyper = self.translation.rtyper
        graph = graph or self.translation.annotate()
        low = [
            rtyper.bindingrepr(v).convert_const(arg)
            for v, arg in zip(graph.getargs(), args, strict=True)
        ]
        rtyper.specialize()
        interpreter = self._interpreters.get(checked)
        if interpreter is None:  # it keeps what it compiled from the graphs
            interpreter = self._interpreters[checked] = LLInterpreter(self.program, checked)
        try:
            result = interpreter.eval_graph(rtyper.llgraphs[graph], low)
        except LLException as error:
            raised = host_exception(rtyper, interpreter, error.value)
            interpreter.give_back(error.value)
            interpreter.check_heap()
            raise raised from None
        finally:
            sys.stdout.flush()
        value = to_host(rtyper.bindingrepr(graph.getreturnvar()), result)
        interpreter.give_back(result)
        interpreter.check_heap()
        return value


def host_exception(
    rtyper: RPythonTyper, interpreter: LLInterpreter, value: Any
) -> BaseException:
    """The host exception that a low-level instance stands for: same class, message and
    attributes (those that have a host form)."""
    vtable = cast_pointer(OBJECTPTR, value).typeptr
    classdef = next(cd for cd, known in rtyper.classes.known_vtables() if known == vtable)
    r_base = rtyper.instance_repr(rtyper.annotator.constants.classdef(BaseException))
    message = low_field(cast_pointer(r_base.lowleveltype, value), "message")
    if message and message.length == IS_LATER:
        make = rtyper.texts.shown_function(FAILED)
        rtyper.specialize()
        message = interpreter.eval_graph(make._obj.graph, [message])
        error = host_error(classdef.cls, read_str(message))
        interpreter.give_back(message)
    else:
        error = host_error(classdef.cls, read_str(message) if message else None)
    for name, attribute in host_attributes(rtyper.instance_repr(classdef), value).items():
        if isinstance(attribute, (int, float, str, bytes, tuple, NoneType)):
            set_attribute(error, name, attribute)
    return error


def interpret(
    f: Callable[..., Any], args: Sequence[Any], options: Options | None = None,
    checked: bool = False,
) -> Any:  # fmt: skip
    """Translate ``f`` for arguments like ``args`` and run the low-level graphs in the
    LLInterpreter.

    Arguments left out have their defaults.  ``checked``: assert that every operation stays
    within its declared effects.  Returns the result as a host value (instances as low-level
    pointers).  Raises TranslationError when the program is refused, else what the program raises.
    """
    defaults = require_function(f).__defaults__ or ()
    missing = require_function(f).__code__.co_argcount - len(args)
    if 0 < missing <= len(defaults):
        args = [*args, *defaults[-missing:]]
    with collecting_seldom():
        return Interpretation.of(f, args, options).run(args, checked)


def interpret_raises(
    exception: type[BaseException], f: Callable[..., Any], args: Sequence[Any]
) -> BaseException:
    """``interpret``, which has to raise ``exception``; the result is what was raised."""
    try:
        result = interpret(f, args)
    except exception as error:
        return error
    raise AssertionError(f"did not raise {exception.__name__}, returned {result!r}")


# -- typing ------------------------------------------------------------------------------------


def translation_of(
    f: Callable[..., Any], types: Sequence[Any] | None = None, options: Options | None = None
) -> Translation:
    """A Translation of ``f`` for arguments of these types (default: its type hints)."""
    return translation_of_all([(f, types)], options)[0]


def translation_of_all(
    functions: Sequence[tuple[Callable[..., Any], Sequence[Any] | None]],
    options: Options | None = None,
) -> tuple[Translation, list[FunctionGraph]]:
    """Functions translated as one program, each with its argument types (None: its type hints):
    the Translation, which is that of the first, and their annotated graphs.  Raises
    TranslationError."""
    typed = [
        (require_function(f), hinted_types(require_function(f)) if types is None else types)
        for f, types in functions
    ]

    def attempt(refinement: Refinement) -> tuple[Translation, list[FunctionGraph]]:
        annotator = RPythonAnnotator(refinement=refinement)
        all_args_s = [[annotation_of_type(annotator, hint) for hint in types] for _, types in typed]
        first, *others = [f for f, _ in typed]
        translation = Translation(first, all_args_s[0], options, annotator)
        graphs = [annotator.flow_function(f, args_s) for f, args_s in zip(others, all_args_s[1:])]
        return translation, [translation.annotate(), *graphs]

    return refined(attempt, *(options or Options()).meaning)


def hinted_types(f: FunctionType) -> list[Any]:
    """The argument types that the function's hints give.  Raises TranslationError."""
    hints = get_type_hints(f)
    names = f.__code__.co_varnames[: f.__code__.co_argcount]
    missing = [name for name in names if name not in hints]
    if missing:
        raise TranslationError(
            f"{f.__qualname__}: the type of argument {missing[0]!r} is not known",
            hint="give the argument types, or write type hints",
        )
    return [hints[name] for name in names]


def annotate(f: Callable[..., Any], types: Sequence[Any] | None = None) -> SomeObject:
    """What ``f`` returns, as an annotation.  Raises TranslationError."""
    return translation_of(f, types).result_annotation()
