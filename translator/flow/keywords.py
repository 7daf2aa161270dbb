"""A ``**keywords`` parameter that is used as a dict becomes one when the function begins.

::

    def f(**kw):
        kw["n"] = 1
        return kw

    b0(kw):                                 b0(kw):
        setitem(kw, "n", 1)                     kw1 = call_args(dict, (**), kw)
        return kw                  ->           setitem(kw1, "n", 1)
                                                return kw1

One that is only read, and passed on as ``**kw``, stays what it is: which keywords there are is
known then, and each value is of its own kind.
"""

from __future__ import annotations

from types import FunctionType

from rpython.translator.flow.signature import signature
from rpython.translator.ir.hlops import HLOPS, CallShape
from rpython.translator.ir.home import home_of_function, home_of_module
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)

_READING = frozenset({"getitem", "contains", "len", "bool", "not_", "iter"})
_METHODS = frozenset({"get", "items", "keys", "values", "copy"})


def make_dict_of_keywords(graph: FunctionGraph, func: FunctionType) -> None:
    """Do that, in a graph in SSA form.  The library's own functions keep what they are given."""
    if signature(func).kwarg is None or home_of_function(func).is_ours:
        return
    keywords = graph.startblock.inputargs[-1]
    if not _is_used_as_dict(graph, keywords):
        return
    start = graph.startblock
    front = Block([v.copy() for v in start.inputargs])
    made = Variable(keywords.name)
    args: list[Value] = [Constant(dict), Constant(CallShape(0, ("**",))), front.inputargs[-1]]
    front.operations.append(SpaceOperation(HLOPS["call_args"], args, made, graph.span))
    front.closeblock(Link([*front.inputargs[:-1], made], start))
    graph.startblock = front


def _is_used_as_dict(graph: FunctionGraph, keywords: Variable) -> bool:
    if any(keywords in link.args for link in graph.iterlinks()):
        return True
    made_by: dict[Value, SpaceOperation] = {op.result: op for _, op in graph.iterblockops()}
    return any(
        keywords in op.args
        and not (_only_reads(op, keywords) or _sets_attributes(op, keywords, made_by))
        for _, op in graph.iterblockops()
    )


def _sets_attributes(
    op: SpaceOperation, keywords: Variable, made_by: dict[Value, SpaceOperation]
) -> bool:
    """Is it ``x.__dict__.update(keywords)``, or the same with ``vars(x)``?"""
    if op.opname != "simple_call" or op.args.count(keywords) != 1 or len(op.args) != 2:
        return False
    read = made_by.get(op.args[0])
    if read is None or read.opname != "getattr" or _constant(read.args[1]) != "update":
        return False
    made = made_by.get(read.args[0])
    if made is not None and made.opname == "getattr":
        return _constant(made.args[1]) == "__dict__"
    return made is not None and made.opname == "simple_call" and _constant(made.args[0]) is vars


def _constant(value: Value) -> object:
    return value.value if isinstance(value, Constant) else None


def _only_reads(op: SpaceOperation, keywords: Variable) -> bool:
    """Is it no more than reading what the parameter holds?"""
    if op.opname in _READING:
        return op.args.count(keywords) == 1 and op.args[0] is keywords
    if op.opname == "getattr":
        name = op.args[1]
        return isinstance(name, Constant) and name.value in _METHODS
    if op.opname in ("simple_call", "call_args"):
        return _only_mapping(op, keywords) or not _may_be_program(op.args[0])
    return False


def _only_mapping(op: SpaceOperation, keywords: Variable) -> bool:
    """Is it only what follows ``**`` in the call?"""
    if op.opname != "call_args" or op.args.count(keywords) > 1:
        return False
    shape = op.args[1]
    assert isinstance(shape, Constant)
    place = op.args.index(keywords) - 2 - shape.value.positional
    names: tuple[str, ...] = shape.value.keywords
    return place >= 0 and names[place : place + 1] == ("**",)


def _may_be_program(callee: Value) -> bool:
    """May a function or class of the program be called?"""
    if not isinstance(callee, Constant):
        return True
    value = callee.value
    if isinstance(value, FunctionType):
        return home_of_function(value).is_program
    return home_of_module(getattr(value, "__module__", None) or "builtins").is_program
