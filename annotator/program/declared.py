"""Functions with declared types: ``@enforceargs(int, float)``, ``@signature(..., returns=...)``."""

from __future__ import annotations

from types import UnionType
from typing import TYPE_CHECKING, Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_FLOAT,
    K_INT,
    SomeBool,
    SomeChar,
    SomeClass,
    SomeFloat,
    SomeInstance,
    SomeInteger,
    SomeObject,
    SomeTuple,
    s_Bottom,
)
from rpython.annotator.lattice.union import contains
from rpython.annotator.lattice.vartuples import SomeVarTuple
from rpython.annotator.program.desc import FunctionDesc
from rpython.annotator.program.signature import annotation_of_type, dict_of, list_of
from rpython.annotator.rules.lowlevel import lltype_to_annotation
from rpython.lltypesystem.lltype import LowLevelType
from rpython.rlib.declared import CHAR, Declared, Refined, SelfType

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator


def declared_types(desc: FunctionDesc) -> Declared | None:
    """What the function declares."""
    declared: Declared | None = vars(desc.func).get("_rpython_declared_")
    return declared


def as_declared(desc: FunctionDesc, args_s: list[SomeObject]) -> list[SomeObject]:
    """The arguments, ints as floats where floats are declared, or wanted by a function of the
    library (``rpython.stdlib._registry.replaces``)."""
    hints: dict[str, str] | None = vars(desc.func).get("_rpython_hints_")
    if hints is not None:
        names = desc.signature.graph_args()
        return [
            _numbers_as_floats(s) if hints.get(name) == "float" else s
            for name, s in zip(names, args_s, strict=True)
        ]
    declared = declared_types(desc)
    if declared is None or float not in declared.params:
        return args_s
    wanted = (*declared.params, *[None] * len(args_s))
    return [_as_float(s) if one is float else s for s, one in zip(args_s, wanted)]


def _numbers_as_floats(s: SomeObject) -> SomeObject:
    """A number as a float; so the items of a ``*`` parameter."""
    if isinstance(s, SomeTuple):
        return SomeTuple(tuple(map(_numbers_as_floats, s.items)))
    is_number = s.kinds & (K_INT | K_BOOL) and not s.kinds & ~(K_INT | K_BOOL | K_FLOAT)
    return SomeFloat() if is_number else s


def _as_float(s: SomeObject) -> SomeObject:
    if isinstance(s, SomeBool) or (isinstance(s, SomeInteger) and s.knowntype is int):
        return SomeFloat()
    return s


def enforce(ctx: OpContext, desc: FunctionDesc, args_s: list[SomeObject]) -> list[SomeObject]:
    """The arguments as they are passed; refuses those of other types than declared."""
    declared = declared_types(desc)
    args_s = as_declared(desc, args_s)
    if declared is None:
        return args_s
    for i, wanted in enumerate(declared.params[: len(args_s)]):
        what = f"the argument {desc.signature.graph_args()[i]!r}"
        args_s[i] = _enforced(ctx, desc, (what, i), wanted, args_s[i])
    return args_s


def enforce_result(ctx: OpContext, desc: FunctionDesc, s: SomeObject) -> SomeObject:
    """What a call of the function gives; refuses results of other types than declared."""
    declared = declared_types(desc)
    if declared is None or not s.kinds:
        return s
    s = _as_float(s) if declared.result is float else s
    return _enforced(ctx, desc, ("the result", -1), declared.result, s)


def _enforced(
    ctx: OpContext, desc: FunctionDesc, place: tuple[str, int], wanted: Any, s: SomeObject
) -> SomeObject:
    if wanted is None or wanted is SelfType or not s.kinds:
        return s
    what, number = place
    known = ctx.annotator.declared
    if (desc, number) not in known:
        known[desc, number] = annotation_of_declared(ctx.annotator, wanted)
    s_wanted = known[desc, number]
    ctx.join(s, s_wanted)  # makes one of the lists and dicts in them
    general = s_wanted
    if s_wanted.kinds & K_INT and isinstance(s_wanted, SomeInteger) and s_wanted.knowntype is int:
        general = SomeInteger(s_wanted.nonneg, may_be_bool=True, mixed=True)
    if not contains(general, s):
        declared = declared_types(desc)
        assert declared is not None
        name = wanted.name if isinstance(wanted, Refined) else s_wanted.describe()
        raise ctx.error(
            f"{what} of {desc.name} has to be {name} ({declared.by}), not {s.describe()}"
        )
    return s


def annotation_of_declared(annotator: RPythonAnnotator, wanted: Any) -> SomeObject:
    """The annotation of what has a declared type.  Raises TranslationError."""

    def inner(part: Any) -> SomeObject:
        return annotation_of_declared(annotator, part)

    if isinstance(wanted, Refined):
        return SomeChar() if wanted is CHAR else SomeInteger(nonneg=True)
    if isinstance(wanted, LowLevelType):
        return lltype_to_annotation(wanted)
    if isinstance(wanted, list) and len(wanted) == 1:
        return list_of(annotator, inner(wanted[0]))
    if isinstance(wanted, tuple):
        return SomeTuple(tuple(map(inner, wanted)))
    if isinstance(wanted, dict) and len(wanted) == 1:
        ((key, value),) = wanted.items()
        return dict_of(annotator, inner(key), inner(value))
    if isinstance(wanted, UnionType):
        s: SomeObject = s_Bottom
        for part in wanted.__args__:
            s = annotator.join(s, inner(part))
        return s
    origin: Any = getattr(wanted, "__origin__", None)
    args: tuple[Any, ...] = getattr(wanted, "__args__", ())
    if origin is list:
        return list_of(annotator, inner(args[0]))
    if origin is tuple and args[1:] == (Ellipsis,):
        return SomeVarTuple(inner(args[0]))
    if origin is tuple:
        return SomeTuple(tuple(map(inner, args)))
    if origin is dict:
        return dict_of(annotator, inner(args[0]), inner(args[1]))
    is_class = isinstance(wanted, type) and wanted is not type(None)
    if is_class and isinstance(annotator.constants.annotation_of(wanted), SomeClass):
        return SomeInstance(annotator.constants.classdef(wanted))
    return annotation_of_type(annotator, wanted)
