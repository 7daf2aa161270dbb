"""Keep objects that nobody else sees in variables instead of memory.

::

    gcstruct iter { next: Signed }

    b0(n):                                  b0(n):
        it = malloc(iter, {gc})                 goto b1(0)
        goto b1()                           b1(next: Signed):
    b1():                          ->           t = int_lt(next, n)
        i = getfield(it, "next")                if t goto b2() else ...
        t = int_lt(i, n)                    b2():
        if t goto b2() else ...                 i1 = int_add(next, 1)
    b2():                                       goto b1(i1)
        i1 = int_add(i, 1)
        setfield(it, "next", i1)
        goto b1()

An object does not escape when its pointer is only used to read and write its fields, to
compare it with null, and to keep it alive, which keeps what its fields hold.  Each field then is
a variable: it becomes an argument of every block that the allocation dominates, and
``remove_redundant_args`` prunes those that were not needed (SSA construction as in Aycock and
Horspool, "Simple Generation of Static Single-Assignment Form", 2000).  Iterators and tuples that
are unpacked at once go this way.
"""

from __future__ import annotations

from rpython.lltypesystem.llop import row_of
from rpython.lltypesystem.types import ContainerType, GcStruct, LowLevelType, Ptr, Void
from rpython.translator.ir.dominators import DominatorTree
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.opt.rewrite import Substitution, become_goto

Fields = dict[str, Value]

_LARGEST = 4000
"""Fields times blocks up to which an object is taken apart."""


def remove_mallocs(graph: FunctionGraph) -> bool:
    """Take apart every object that does not escape."""
    found = _candidates(graph)
    changed = False
    while found:
        tree = DominatorTree(graph)
        known = Substitution()
        taken = [_take_apart(tree, block, op, known) for block, op in found]
        known.apply(graph)
        if not any(taken):
            break
        changed = True
        found = _candidates(graph)  # what was stored in an object may not escape any more
    return changed


def _candidates(graph: FunctionGraph) -> list[tuple[Block, SpaceOperation]]:
    """The allocations that do not escape, with their blocks."""
    made: dict[Value, tuple[Block, SpaceOperation]] = {}
    for block, op in graph.iterblockops():
        if op.opname == "malloc" and _can_be_variables(op):
            made[op.result] = (block, op)
    if not made:
        return []
    for block in graph.iterblocks():
        for op in block.operations:
            for i, arg in enumerate(op.args):
                if arg in made and not (i == 0 and row_of(op).private):
                    del made[arg]
        for link in block.exits:
            for arg in link.args:
                made.pop(arg, None)
    return list(made.values())


def _can_be_variables(op: SpaceOperation) -> bool:
    T = _struct(op)
    if not isinstance(T, GcStruct) or "weak_fields" in T._hints:
        return False  # a variable is no weak pointer
    return not any(isinstance(F, ContainerType) for F in T._flds.values())


def _struct(op: SpaceOperation) -> LowLevelType:
    constant = op.args[0]
    assert isinstance(constant, Constant)
    T: LowLevelType = constant.value
    return T


def _take_apart(
    tree: DominatorTree, home: Block, malloc: SpaceOperation, known: Substitution
) -> bool:
    """Turn the fields of one object into variables; ``known`` receives what reads become.
    The result says whether that was done (not for a huge object in a huge graph)."""
    T = _struct(malloc)
    assert isinstance(T, GcStruct)
    pointer = malloc.result
    region = [block for block in tree.order if tree.strictly_dominates(home, block)]
    names = [name for name, F in T._flds.items() if F is not Void]
    if len(region) * len(names) > _LARGEST:
        return False
    # the return and except blocks have one argument and no use for more
    region = [block for block in region if block.is_closed]
    entered = dict.fromkeys(region)
    at_entry: dict[Block, Fields] = {}
    for block in region:
        arguments = [Variable(name.removeprefix("item"), T._flds[name]) for name in names]
        at_entry[block] = dict(zip(names, arguments))
        block.inputargs.extend(arguments)
    zero: Fields = {name: Constant(T._flds[name]._defl(), T._flds[name]) for name in names}
    for block in [home, *region]:
        fields = dict(at_entry.get(block, zero))
        _rewrite_block(block, malloc, pointer, fields, known)
        for link in block.exits:
            if link.target in entered:
                link.args.extend(fields[name] for name in names)
    return True


def _rewrite_block(
    block: Block, malloc: SpaceOperation, pointer: Variable, fields: Fields, known: Substitution
) -> None:
    """Drop the operations on the object; ``fields`` is updated to the end of the block."""
    kept = []
    for op in block.operations:
        if op is malloc:
            if block.canraise and op is block.operations[-1]:
                become_goto(block, block.exits[0])
        elif op.args and op.args[0] is pointer:
            if op.opname == "keepalive":
                held = [v for v in dict.fromkeys(fields.values()) if _is_kept(v)]
                kept += [SpaceOperation(op.opdef, [v], op.result.copy(), op.span) for v in held]
            else:
                _rewrite_use(op, fields, known)
        else:
            kept.append(op)
    block.operations = kept


def _is_kept(value: Value) -> bool:
    T = value.concretetype
    return isinstance(value, Variable) and isinstance(T, Ptr) and T.TO._gckind == "gc"


def _rewrite_use(op: SpaceOperation, fields: Fields, known: Substitution) -> None:
    if op.opname in ("ptr_nonzero", "ptr_iszero"):
        known.add(op.result, Constant(op.opname == "ptr_nonzero", op.result.concretetype))
        return
    name = op.args[1].value  # type: ignore[union-attr]
    if name not in fields:  # a Void field
        return
    if op.opname == "setfield":
        fields[name] = op.args[2]
    else:
        known.add(op.result, fields[name])

