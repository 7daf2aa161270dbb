"""What users and tests call: ``interpret``, ``compile``, ``show`` and friends.

``rpython`` re-exports these.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import FunctionType, NoneType
from typing import Any, get_type_hints

from annotator.annotator import RPythonAnnotator
from annotator.cells import DictDef, ListDef, Origin
from annotator.model import (
    K_TUPLE,
    SomeBool,
    SomeByteArray,
    SomeBytes,
    SomeDict,
    SomeFloat,
    SomeInteger,
    SomeList,
    SomeNone,
    SomeObject,
    SomeString,
    SomeTuple,
    s_Bottom,
    s_None,
)
from annotator.namedtuples import SomeNamedTuple
from annotator.sets import SomeFrozenSet, SomeSet
from backend_c.build import function_source
from lltypesystem.llinterp import LLException, LLInterpreter
from lltypesystem.lltype import cast_pointer
from lltypesystem.rarithmetic import base_int
from lltypesystem.rclass import OBJECTPTR
from lltypesystem.rstr import read_str
from lltypesystem.text import print_lowlevel
from rtyper.hostvalues import host_attributes, low_field, to_host
from rtyper.rtyper import RPythonTyper
from translator.border import require_result
from translator.driver import Translation, graph_named
from translator.flow.build import build_flow
from translator.hosterrors import host_error
from translator.ir.errors import TranslationError
from translator.ir.model import FunctionGraph
from translator.ir.printer import print_graph
from translator.options import Options

STAGES = ("flow", "annotated", "lowlevel", "optimised", "c")


def annotation_of_type(annotator: RPythonAnnotator, hint: Any) -> SomeObject:
    """The annotation of values of a type hint: ``int``, ``float``, ``bool``, ``str``,
    ``bytes``, ``bytearray``, ``None``, a sized integer, ``list[T]``, ``tuple[T, ...]``,
    ``dict[K, V]``, ``set[T]``, ``frozenset[T]``; or an annotation itself.  Raises
    TranslationError."""
    if isinstance(hint, SomeObject):
        return hint
    simple: dict[Any, SomeObject] = {
        int: SomeInteger(), float: SomeFloat(), bool: SomeBool(), str: SomeString(),
        bytes: SomeBytes(), bytearray: SomeByteArray(), None: SomeNone(), type(None): SomeNone(),
    }  # fmt: skip
    if hint in simple:
        return simple[hint]
    if isinstance(hint, type) and issubclass(hint, base_int):
        return SomeInteger(knowntype=hint)
    origin: Any = getattr(hint, "__origin__", None)
    args: tuple[Any, ...] = getattr(hint, "__args__", ())
    if origin is list and len(args) == 1:
        return _list_of(annotator, annotation_of_type(annotator, args[0]))
    if origin is tuple and Ellipsis not in args:
        return SomeTuple(tuple(annotation_of_type(annotator, item) for item in args))
    if origin is dict and len(args) == 2:
        s_key, s_value = (annotation_of_type(annotator, item) for item in args)
        return SomeDict(_dict_of(annotator, s_key, s_value))
    if origin in (set, frozenset) and len(args) == 1:
        cls = SomeSet if origin is set else SomeFrozenSet
        return cls(_dict_of(annotator, annotation_of_type(annotator, args[0]), s_None))
    raise TranslationError(f"{hint!r} cannot be the type of an argument")


def _dict_of(annotator: RPythonAnnotator, s_key: SomeObject, s_value: SomeObject) -> DictDef:
    dictdef = DictDef("an argument")
    for cell, s in ((dictdef.key, s_key), (dictdef.value, s_value)):
        annotator.merge_cell(cell, s, Origin(s, "given by the caller", None, None))
    return dictdef


def _list_of(annotator: RPythonAnnotator, s_item: SomeObject) -> SomeList:
    listdef = ListDef("item of an argument list")
    listdef.resized = True
    origin = Origin(s_item, "given by the caller", None, None)
    annotator.merge_cell(listdef.item, s_item, origin)
    return SomeList(listdef)


def annotation_of_value(annotator: RPythonAnnotator, value: Any) -> SomeObject:
    """The annotation of an argument given to ``interpret``."""
    if isinstance(value, list):
        s_list = _list_of(annotator, s_Bottom)
        for item in value:
            s_item = annotation_of_value(annotator, item)
            origin = Origin(s_item, "given by the caller", None, None)
            annotator.merge_cell(s_list.listdef.find().item, s_item, origin)
        return s_list
    if isinstance(value, (dict, set, frozenset)):
        dictdef = _dict_of(annotator, s_Bottom, s_Bottom)
        pairs = value if isinstance(value, dict) else dict.fromkeys(value)
        for key, item in pairs.items():
            s_key, s_value = (annotation_of_value(annotator, x) for x in (key, item))
            annotator.unify(dictdef, _dict_of(annotator, s_key, s_value))
        if not isinstance(value, dict):
            annotator.unify(dictdef, _dict_of(annotator, s_Bottom, s_None))
            return (SomeSet if isinstance(value, set) else SomeFrozenSet)(dictdef)
        return SomeDict(dictdef)
    if isinstance(value, tuple):
        if type(value) is not tuple:
            items = tuple(annotation_of_value(annotator, item) for item in value)
            s_named = annotator.constants.annotation_of(value)
            return SomeNamedTuple(items, type(value)) if s_named.kinds == K_TUPLE else s_named
        return SomeTuple(tuple(annotation_of_value(annotator, item) for item in value))
    s_value = annotator.constants.annotation_of(value).without_const()
    if isinstance(s_value, SomeInteger):
        return SomeInteger(knowntype=s_value.knowntype)
    return SomeString() if isinstance(s_value, SomeString) else s_value


def _function(f: Any) -> FunctionType:
    if not isinstance(f, FunctionType):
        raise TranslationError(f"expected a Python function, not {f!r}")
    return f


# -- running ----------------------------------------------------------------------------------


class Interpretation:
    """A translated function, to be run by the LLInterpreter."""

    def __init__(self, translation: Translation) -> None:
        self.translation = translation
        require_result(translation.annotator, translation.annotate())
        self.program = translation.optimise()

    @classmethod
    def of(cls, f: Any, args: Sequence[Any], options: Options | None = None) -> Interpretation:
        """Translate ``f`` for arguments like ``args``.  Raises TranslationError."""
        annotator = RPythonAnnotator()
        args_s = [annotation_of_value(annotator, arg) for arg in args]
        return cls(Translation(_function(f), args_s, options, annotator))

    def run(self, args: Sequence[Any], checked: bool = False) -> Any:
        """Run it; host values in and out.  Raises what the program raises."""
        rtyper = self.translation.rtyper
        graph = self.translation.annotate()
        low = [
            rtyper.bindingrepr(v).convert_const(arg)
            for v, arg in zip(graph.getargs(), args, strict=True)
        ]
        rtyper.finish()
        interpreter = LLInterpreter(self.program, checked=checked)
        try:
            result = interpreter.eval_graph(self.program.entry, low)
        except LLException as error:
            raise host_exception(rtyper, error.value) from None
        finally:
            sys.stdout.flush()
        return to_host(rtyper.bindingrepr(graph.getreturnvar()), result)


def host_exception(rtyper: RPythonTyper, value: Any) -> BaseException:
    """The host exception that a low-level instance stands for: same class, message and
    attributes (those that have a host form)."""
    vtable = cast_pointer(OBJECTPTR, value).typeptr
    classdef = next(cd for cd, known in rtyper.classes.known_vtables() if known == vtable)
    r_base = rtyper.instance_repr(rtyper.annotator.constants.classdef(BaseException))
    message = low_field(cast_pointer(r_base.lowleveltype, value), "message")
    error = host_error(classdef.cls, read_str(message) if message else None)
    for name, attribute in host_attributes(rtyper.instance_repr(classdef), value).items():
        if isinstance(attribute, (int, float, str, bytes, tuple, NoneType)):
            setattr(error, name, attribute)
    return error


def interpret(
    f: Callable[..., Any], args: Sequence[Any], options: Options | None = None,
    checked: bool = False,
) -> Any:  # fmt: skip
    """Translate ``f`` for arguments like ``args`` and run the low-level graphs in the
    LLInterpreter.

    ``checked``: assert that every operation stays within its declared effects.  Returns the
    result as a host value (instances as low-level pointers).  Raises TranslationError when
    the program is refused, else what the program raises.
    """
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


# -- looking ----------------------------------------------------------------------------------


def graph_of(f: Callable[..., Any]) -> FunctionGraph:
    """The flow graph of a function, before annotation.  Raises FlowError."""
    return build_flow(_function(f))


def translation_of(
    f: Callable[..., Any], types: Sequence[Any] | None = None, options: Options | None = None
) -> Translation:
    """A Translation of ``f`` for arguments of these types (default: its type hints)."""
    annotator = RPythonAnnotator()
    function = _function(f)
    if types is None:
        types = hinted_types(function)
    args_s = [annotation_of_type(annotator, hint) for hint in types]
    return Translation(function, args_s, options, annotator)


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


def show(
    f: Callable[..., Any], types: Sequence[Any] | None = None, stage: str = "lowlevel",
    function: str = "",
) -> str:  # fmt: skip
    """The text of a function's graph at a stage: 'flow', 'annotated', 'lowlevel',
    'optimised' or 'c'.

    ``function``: the name of another function that ``f`` reaches.  Raises TranslationError.
    """
    if stage not in STAGES:
        raise TranslationError(f"no stage {stage!r}", hint=f"stages: {', '.join(STAGES)}")
    if stage == "flow" and not function:
        return print_graph(graph_of(f))
    return show_graph(translation_of(f, types), function or _function(f).__qualname__, stage)


def show_graph(translation: Translation, function: str, stage: str) -> str:
    """The text of the graph of ``function`` at a stage.  Raises TranslationError."""
    try:
        graph = graph_named(translation, function)
    except KeyError:
        names = [g.name for g in translation.annotator.graphs if g.checked]
        raise TranslationError(
            f"the program has no function {function!r}",
            hint=f"functions: {', '.join(sorted(names)[:40])}",
        ) from None
    if stage == "flow":
        assert graph.func is not None
        return print_graph(graph_of(graph.func))
    if stage == "annotated":
        return print_graph(graph)
    if stage == "lowlevel":
        translation.rtype()
        return print_lowlevel(translation.llgraph(graph))
    program = translation.optimise()
    if stage == "optimised":
        return print_lowlevel(translation.llgraph(graph))
    return function_source(program, translation.llgraph(graph))

