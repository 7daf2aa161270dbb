"""The typed-graph checker: do all types of a low-level graph agree?

Complements ``translator.ir.verifier`` (structure, SSA form), which knows no types.
"""

from __future__ import annotations

from collections.abc import Iterable

from rpython.lltypesystem.operations.llop import LLOp, row_of
from rpython.lltypesystem.primitives import Bool, Char, LowLevelType, Primitive, UniChar, Void
from rpython.lltypesystem.rarithmetic import base_int
from rpython.lltypesystem.rclass import CLASSTYPE, OBJECTPTR
from rpython.lltypesystem.simulated.containers import MemoryFault
from rpython.lltypesystem.simulated.memory import _ptr, low_level_value
from rpython.lltypesystem.types import FuncType, Ptr
from rpython.translator.ir.errors import VerifyError
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.traversal import reverse_postorder


def check_graph(graph: FunctionGraph, passname: str) -> None:
    """Raise VerifyError, naming ``passname``, graph, block and operation, at the first
    place where types disagree."""
    ends = (graph.returnblock, graph.exceptblock)
    blocks = [block for block in reverse_postorder(graph) if block not in ends]
    for i, block in enumerate([*blocks, *ends]):  # numbered as the printer does
        if i < len(blocks) or _is_entered(block, blocks):
            _check_block(graph, block, f"{passname}: graph {graph.name}: block b{i}")
    raised = graph.exceptblock.inputargs[0].concretetype
    if raised is not None and raised != OBJECTPTR:
        raise VerifyError(
            f"the except block takes {raised}, not {OBJECTPTR}",
            where=f"{passname}: graph {graph.name}",
        )


def _is_entered(block: Block, blocks: Iterable[Block]) -> bool:
    return any(link.target is block for other in blocks for link in other.exits)


def function_type(graph: FunctionGraph) -> FuncType:
    """The type of the function with this low-level graph."""
    return FuncType([v.concretetype for v in graph.getargs()], graph.getreturnvar().concretetype)


def _check_block(graph: FunctionGraph, block: Block, where: str) -> None:
    for v in block.inputargs:
        problem = _value_problem(v)
        if problem:
            raise VerifyError(f"block argument {v.name}: {problem}", where=where)
    for op in block.operations:
        problem = _operation_problem(op)
        if problem:
            raise VerifyError(
                f"{op.opname}: {problem}", span=op.span, where=f"{where}: {_show(op)}"
            )
    switch = block.exitswitch
    if isinstance(switch, Variable) and block.is_switch:
        for link in block.exits[1:]:
            if not is_case(switch.concretetype, link.exitcase):
                raise VerifyError(
                    f"{link.exitcase!r} is no case of a {switch.concretetype}", where=where
                )
    elif isinstance(switch, Variable) and switch.concretetype != Bool:
        raise VerifyError(f"the exit switch is {switch.concretetype}, not Bool", where=where)
    for i, link in enumerate(block.exits):
        raises = row_of(block.raising_op).raises if block.canraise and i > 0 else None
        problem = _link_problem(link, raises)
        if problem:
            raise VerifyError(problem, where=f"{where}: exit {i}")


def is_case(T: LowLevelType, value: object) -> bool:
    """May a switch on a ``T`` have an exit for the value?"""
    if T is Char:
        return isinstance(value, str) and value <= "\xff"
    if T is UniChar:
        return isinstance(value, str)
    if not (isinstance(T, Primitive) and T.is_integer and T.bits <= 64):
        return False
    return type(value) is int and T.min <= value <= T.max


def _operation_problem(op: SpaceOperation) -> str | None:
    row = op.opdef
    if not isinstance(row, LLOp):
        return "not a low-level operation"
    for i, arg in enumerate(op.args):
        if type(arg) is not Variable:  # variables are looked at where they are defined
            problem = _value_problem(arg)
            if problem:
                return f"operand {i}: {problem}"
    problem = _value_problem(op.result)
    if problem:
        return f"result: {problem}"
    mismatch = row.mismatch(op.args, op.result.concretetype)
    if mismatch is None and row.name == "direct_call":
        return _callee_problem(op.args[0])
    return mismatch


def _callee_problem(function: Value) -> str | None:
    assert isinstance(function, Constant)
    obj = function.value._obj
    if obj is None:
        return "calls a null function pointer"
    if obj.graph is None:
        return None
    T = function.concretetype.TO
    returned = obj.graph.getreturnvar().concretetype
    if returned is None:
        return None  # the rtyper has not built that graph yet
    args = tuple(v.concretetype for v in obj.graph.getargs())
    if args == T.ARGS and returned == T.RESULT:
        return None
    return (
        f"graph {obj.graph.name} is {function_type(obj.graph)}, the pointer to it"
        f" is {function.concretetype}"
    )


def _link_problem(link: Link, raises: frozenset[type[BaseException]] | None) -> str | None:
    """``raises``: of an exception link, what its operation may raise."""
    targets = link.target.inputargs
    if len(link.args) != len(targets):
        return f"{len(link.args)} values for {len(targets)} block arguments"
    for i, (arg, target) in enumerate(zip(link.args, targets)):
        given, taken = arg.concretetype, target.concretetype
        if type(arg) is not Variable:
            problem = _value_problem(arg)
            if problem:
                return f"value {i}: {problem}"
        if given is not taken and given != taken:
            return f"value {i} is {given}, the block takes {taken}"
    if raises is None:
        return None
    if link.last_exc_value is None and all(issubclass(cls, link.exitcase) for cls in raises):
        return None  # nobody asks for the class of the exception
    vtable = link.llexitcase
    if not isinstance(vtable, _ptr) or vtable._TYPE != CLASSTYPE or not vtable:
        return f"catches {link.exitcase!r} without the vtable as llexitcase: {vtable!r}"
    if link.last_exc_value is not None and link.last_exc_value.concretetype != OBJECTPTR:
        return f"the caught instance is {link.last_exc_value.concretetype}, not {OBJECTPTR}"
    return None


_OF_VALUES = (Primitive, Ptr)
"""The classes of the types of values."""


def _value_problem(v: Value) -> str | None:
    T = v.concretetype
    if not isinstance(T, _OF_VALUES):
        if not isinstance(T, LowLevelType):
            return f"{v!r} has no low-level type but {T!r}"
        return f"{T} is not the type of a value"
    if isinstance(v, Constant) and T is not Void:
        if isinstance(v.value, base_int):
            return f"constant {v.value!r}: low-level integers are plain ints"
        try:
            low_level_value(T, v.value, "constant")
        except (TypeError, MemoryFault) as e:
            return str(e)
    return None


def _show(op: SpaceOperation) -> str:
    args = ", ".join(arg.name if isinstance(arg, Variable) else repr(arg.value) for arg in op.args)
    return f"{op.result.name} = {op.opname}({args})"
