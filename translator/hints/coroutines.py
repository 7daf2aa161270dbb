"""The result of a function, as hints mean it: of an ``async def`` it is what ``await`` gives."""

from __future__ import annotations

from inspect import CO_COROUTINE

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.cells import Node
from rpython.annotator.lattice.model import SomeInstance, SomeObject, s_Bottom, s_None
from rpython.annotator.program.desc import FunctionDesc
from rpython.translator.ir.model import FunctionGraph


def hinted_result(
    annotator: RPythonAnnotator, graph: FunctionGraph, desc: FunctionDesc
) -> tuple[SomeObject, Node]:
    """What is known of it, and what holds it."""
    variable = graph.getreturnvar()
    s = annotator.binding(variable)
    if not desc.func.__code__.co_flags & CO_COROUTINE or not isinstance(s, SomeInstance):
        return s, variable
    attribute = s.classdef.attrs.get("result")
    if attribute is not None:
        return attribute.s_value, attribute
    returns = vars(s.classdef.cls)["_rpython_returns_"]
    return (s_None if returns else s_Bottom), variable
