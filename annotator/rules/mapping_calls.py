"""Calls with ``**mapping`` where the mapping is a dict, whose keys are found at run time.

The call becomes one of a function of the library that is made for it
(``rpython.stdlib._keywords.MappingCall``): it looks for each parameter in the dict, and raises what
CPython raises.  What is left over, a ``**`` parameter gets as a dict.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.builtinmethods import SomeBuiltinMethods
from rpython.annotator.lattice.keywords import SomeKeywords
from rpython.annotator.lattice.model import (
    K_DICT,
    K_NONE,
    SomeClass,
    SomeClassMethod,
    SomeFunction,
    SomeHost,
    SomeInstance,
    SomeMethod,
    SomeObject,
)
from rpython.annotator.lattice.parts import parts_of, takes_box
from rpython.annotator.program.classdef import Lookup
from rpython.annotator.program.desc import ClassDesc, ClassMethodDesc, FunctionDesc, MethodDesc
from rpython.annotator.program.hostclasses import counts_as
from rpython.annotator.rules.arguments import CallArguments, is_dict_parameter
from rpython.annotator.rules.instances import find_methods
from rpython.stdlib._keywords import MappingCall
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.intrinsics import ComputedDefault


def callees_of(s: SomeObject) -> list[SomeObject]:
    """The functions that a value may be, or the names of the methods, as annotations of their own;
    of anything else its parts."""
    if isinstance(s, SomeBuiltinMethods):
        return list(s.parts)
    if not isinstance(s, (SomeFunction, SomeMethod)):
        return list(parts_of(s))
    masks: dict[object, int] = {}
    for desc in s.descs:
        key: object = desc
        if isinstance(desc, MethodDesc):
            key = (desc.lookup, desc.selfdef.root(), desc.function if desc.exact else None)
        masks[key] = masks.get(key, 0) | 1 << desc.index
    return [type(s)(mask, s.table) for mask in masks.values()]


def is_one_of_several(s_callee: SomeObject, shape: CallShape, args_s: Sequence[SomeObject]) -> bool:
    """Does a call give one of several callables a dict as **keywords, which each takes in another
    way?"""
    if s_callee.kinds & K_NONE or takes_box(s_callee) or len(callees_of(s_callee)) < 2:
        return False
    named = zip(shape.keywords, args_s[shape.positional :])
    return any(key == "**" and may_be_dict(s) for key, s in named)


def may_be_dict(s: SomeObject) -> bool:
    """May it be a dict, or of a class that extends it?"""
    return bool(s.kinds & K_DICT) or any(
        isinstance(part, SomeInstance) and counts_as(part.classdef.cls, dict)
        for part in parts_of(s)
    )


Given = tuple[int, int | None, tuple[str, ...]]
"""As in ``MappingCall``: how many arguments are positional, how many of them a tuple holds, and the
names of keyword arguments."""


def mapping_call(
    ctx: OpContext, s_callee: SomeObject, arguments: CallArguments
) -> tuple[Any, CallArguments] | None:
    """The function to call instead, and its arguments; None where all keywords are known."""
    shape = arguments.shape
    keywords_s = dict(zip(range(shape.positional, len(arguments.args_s)), shape.keywords))
    stars = [i for i, key in keywords_s.items() if key == "**"]
    dicts = [i for i in stars if not isinstance(arguments.args_s[i], SomeKeywords)]
    if not dicts or is_dict_parameter(ctx) or not may_be_dict(arguments.args_s[dicts[0]]):
        return None
    starred = arguments.star_length(ctx) if shape.star else 0
    if len(stars) > 1 or starred is None:
        raise ctx.error(
            "a dict that follows ** has to be the only argument with a star",
            hint="make one dict of several: {**a, **b}",
        )
    keywords = tuple(key for key in shape.keywords if key != "**")
    given = (shape.positional + starred, starred if shape.star else None, keywords)
    function = _function(ctx, s_callee, given)
    if function is None:
        return None
    index = dicts[0]
    args_s = (s_callee, *arguments.args_s[:index], *arguments.args_s[index + 1 :])
    args_s = (*args_s, arguments.args_s[index])
    return function, CallArguments(CallShape(len(args_s)), args_s, (None,) * len(args_s))


def _function(ctx: OpContext, s_callee: SomeObject, given: Given) -> Any:
    """What makes the call; None where the callee is no function of the program."""
    makes_dict = isinstance(s_callee, SomeHost) and s_callee.value is dict
    if isinstance(s_callee, SomeInstance):
        found = find_methods(ctx, s_callee.classdef, "__call__", s_callee.members)
        s_callee = s_callee if found is None else found
    desc = None if makes_dict else _only_desc(ctx, s_callee)
    if desc is None and not makes_dict:
        return None
    functions = ctx.annotator.notes.mapping_functions
    key = (desc, _class_called(s_callee), type(s_callee), *given)
    if key not in functions:
        made = _of_dict(given) if desc is None else _of_function(ctx, s_callee, desc, given)
        functions[key] = made.function()
    return functions[key]


def _of_dict(given: Given) -> MappingCall:
    return MappingCall("dict", "dict", (), (), *given, takes_any=True, makes_dict=True)


def _of_function(
    ctx: OpContext, s_callee: SomeObject, desc: FunctionDesc, given: Given
) -> MappingCall:
    parameters = desc.signature
    bound = not isinstance(s_callee, SomeFunction) or parameters.is_closure
    params = parameters.argnames[bound:]
    defaults = parameters.defaults_by_name()
    if any(isinstance(value, ComputedDefault) for value in defaults.values()):
        raise ctx.error(f"{desc.name} has defaults that are computed when it is made")
    cls = _class_called(s_callee)
    factories = {} if cls is None else _factories(cls)
    owner: Any = vars(desc.func).get("__wrapped__", desc.func) if cls is None else cls
    return MappingCall(
        desc.name, f"{owner.__module__}.{owner.__qualname__}", params, parameters.kwonly,
        *given, max(parameters.posonly - bound, 0),
        {name: value for name, value in defaults.items() if name not in factories},
        factories, parameters.kwarg is not None,
    )  # fmt: skip


def _only_desc(ctx: OpContext, s_callee: SomeObject) -> FunctionDesc | None:
    """The function that is called; None: it is none of the program."""
    if not isinstance(s_callee, (SomeFunction, SomeMethod, SomeClass, SomeClassMethod)):
        return None
    if len(s_callee.descs) != 1:
        raise ctx.error(
            f"which function gets a dict as **keywords must be known, not {s_callee.describe()}"
        )
    (desc,) = s_callee.descs
    if isinstance(desc, ClassDesc):
        lookup = Lookup("__init__")
        if desc.classdef.find_function(lookup) is None:
            return None
        return ctx.annotator.constants.method_function(desc.classdef, lookup)
    if isinstance(desc, (MethodDesc, ClassMethodDesc)):
        return desc.function
    assert isinstance(desc, FunctionDesc)
    return desc


def _class_called(s_callee: SomeObject) -> type | None:
    """The class that a call makes an instance of."""
    if not isinstance(s_callee, SomeClass):
        return None
    desc = s_callee.descs[0]
    assert isinstance(desc, ClassDesc)
    return desc.classdef.cls


def _factories(cls: type) -> dict[str, Any]:
    """What makes the defaults of a dataclass that are made anew for each instance."""
    if not dataclasses.is_dataclass(cls):
        return {}
    return {
        field.name: field.default_factory
        for field in dataclasses.fields(cls)
        if field.init and field.default_factory is not dataclasses.MISSING
    }
