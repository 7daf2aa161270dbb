"""Executes high-level flow graphs with real Python objects.

Every operation does what CPython does, so a graph must behave as the function it was
built from: that comparison is the main proof that the builder is correct.
"""

from __future__ import annotations

import functools
import inspect
import operator
import types
from typing import Any

from rpython.translator.flow.build import build_flow
from rpython.translator.flow.generator_classes import generator
from rpython.translator.ir.hlops import HLOPS, CallShape
from rpython.translator.ir.intrinsics import ComputedDefault, closure_function
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Variable,
)


def _unpack(x: Any, n: int) -> tuple[Any, ...]:
    if not hasattr(x, "__iter__"):
        raise TypeError(f"cannot unpack non-iterable {type(x).__name__} object")
    items = tuple(x)
    if len(items) != n:
        raise ValueError("not the right number of values to unpack")
    return items


def _unpack_star(x: Any, before: int, after: int) -> tuple[Any, ...]:
    items = list(x)
    if len(items) < before + after:
        raise ValueError("not the right number of values to unpack")
    end = len(items) - after
    return (*items[:before], items[before:end], *items[end:])


def _call_args(f: Any, shape: CallShape, *args: Any) -> Any:
    names = shape.keywords
    count = shape.positional
    assert len(args) == count + len(names) + shape.star
    keywords = dict(zip(names, args[count : count + len(names)]))
    rest = args[-1] if shape.star else ()
    return f(*args[:count], *rest, **keywords)


def _call(f: Any, *args: Any) -> Any:
    if f is closure_function:
        return _function_of(*args)
    result = f(*args)
    if isinstance(result, generator):
        body = type(result)._run._rpython_graph_  # type: ignore[attr-defined]
        result._run = functools.partial(run_graph, body, result)  # type: ignore[method-assign]
    return result


def _function_of(closure: Any) -> Any:
    """A Python function that runs the graph of a closure."""
    template = type(closure)._rpython_function_
    graph = build_flow(template)

    def function(*args: Any, **keywords: Any) -> Any:
        bound = inspect.signature(template).bind(*args, **keywords)
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            if isinstance(value, ComputedDefault):
                bound.arguments[name] = getattr(closure, value.attribute)
        names = template.__code__.co_varnames[: len(graph.getargs()) - 1]
        names = ["implicit0" if name == ".0" else name for name in names]
        return run_blocks(graph, [closure, *(bound.arguments[name] for name in names)])

    return function


def _exc_instance(x: Any) -> BaseException:
    try:
        raise x
    except BaseException as e:
        if e is not x and not (isinstance(x, type) and isinstance(e, x)):
            raise
        return e


def _format_value(value: Any, conversion: str, spec: str) -> str:
    convert = {"": lambda v: v, "s": str, "r": repr, "a": ascii}[conversion]
    return format(convert(value), spec)


def _new_dict(*items: Any) -> dict[Any, Any]:
    return dict(zip(items[::2], items[1::2]))


def _inplace(name: str) -> Any:
    base = name.removeprefix("inplace_")
    return getattr(operator, "i" + base)


EVALUATE: dict[str, Any] = {
    "is_": operator.is_,
    "setitem": operator.setitem,
    "delitem": operator.delitem,
    "getattr": getattr,
    "setattr": setattr,
    "delattr": delattr,
    "iter": iter,
    "next": next,
    "unpack": _unpack,
    "unpack_star": _unpack_star,
    "newlist": lambda *items: list(items),
    "list_builder": lambda *iterator: [],
    "builder_append": list.append,
    "built_list": list,
    "newset": lambda *items: set(items),
    "newdict": _new_dict,
    "newslice": slice,
    "format_value": _format_value,
    "simple_call": lambda f, *args: _call(f, *args),
    "call_args": _call_args,
    "exc_instance": _exc_instance,
    "exception_match": isinstance,
}
for _row in HLOPS:
    if _row.name.startswith("inplace_"):
        EVALUATE[_row.name] = _inplace(_row.name)
    elif _row.name not in EVALUATE:
        assert _row.fold is not None, _row.name
        EVALUATE[_row.name] = _row.fold


def run_graph(graph: FunctionGraph, *args: Any, limit: int = 100_000) -> Any:
    """Call the function a graph stands for."""
    return run_blocks(graph, _bind(graph, args), limit)


def run_blocks(graph: FunctionGraph, args: list[Any], limit: int = 100_000) -> Any:
    """Run a graph for the values of its inputargs."""
    block = graph.startblock
    values: dict[Variable, Any] = dict(zip(block.inputargs, args))
    while True:
        limit -= 1
        assert limit, "too many blocks executed"
        if block is graph.returnblock:
            return values[block.inputargs[0]]
        if block is graph.exceptblock:
            raise values[block.inputargs[0]]
        link = _run_block(block, values)
        given = [_value(arg, values) for arg in link.args]
        values = dict(zip(link.target.inputargs, given))  # no other variable goes on
        block = link.target


def _bind(graph: FunctionGraph, args: tuple[Any, ...]) -> list[Any]:
    assert isinstance(graph.func, types.FunctionType)
    bound = inspect.signature(graph.func).bind(*args)
    bound.apply_defaults()
    code = graph.func.__code__
    given = bound.arguments
    return [given[name] for name in code.co_varnames[: len(graph.getargs())]]


def _value(arg: Variable | Constant, values: dict[Variable, Any]) -> Any:
    return arg.value if isinstance(arg, Constant) else values[arg]


def _run_operation(op: SpaceOperation, values: dict[Variable, Any]) -> None:
    operands = [_value(arg, values) for arg in op.args]
    values[op.result] = EVALUATE[op.opname](*operands)


def _run_block(block: Block, values: dict[Variable, Any]) -> Link:
    """Run the operations; the link to follow."""
    plain = block.operations[:-1] if block.canraise else block.operations
    for op in plain:
        _run_operation(op, values)
    if block.canraise:
        try:
            _run_operation(block.raising_op, values)
        except BaseException as error:
            for link in block.exits[1:]:
                if isinstance(error, link.exitcase):
                    if link.last_exc_value is not None:
                        values[link.last_exc_value] = error
                    return link
            raise
        return block.exits[0]
    if block.exitswitch is None:
        (link,) = block.exits
        return link
    switch = values[block.exitswitch]
    assert isinstance(switch, bool)
    return block.exits[switch]
