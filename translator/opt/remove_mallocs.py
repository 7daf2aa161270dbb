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

An object does not escape when its pointer, as whatever class, is only used to read and write its
fields, to compare it with null, and to keep it alive, which keeps what its fields hold.  Each field
then is a variable: it becomes an argument of every block in which the object is still needed, and
``remove_redundant_args`` prunes those that were not (SSA construction as in Aycock and Horspool,
"Simple Generation of Static Single-Assignment Form", 2000).  Iterators, tuples that are unpacked at
once, and small instances whose methods are inlined go this way.
"""

from __future__ import annotations

from collections.abc import Iterable

from rpython.lltypesystem.operations.llop import row_of
from rpython.lltypesystem.primitives import LowLevelType, Void
from rpython.lltypesystem.types import ContainerType, GcStruct, Ptr
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.traversal import predecessors
from rpython.translator.opt.rewrite import Substitution, become_goto, may_rewrite

FieldName = tuple[LowLevelType, str]
"""The struct that declares a field, and its name there: that of a class or of one above it."""
Fields = dict[FieldName, Value]

_LARGEST = 4000
"""Fields times blocks up to which an object is taken apart."""
_HINTS = frozenset({"weak_fields", "finalizer"})
"""What a variable is not: a weak pointer, an object whose end the program sees."""


def remove_mallocs(graph: FunctionGraph) -> bool:
    """Take apart every object that does not escape."""
    changed = False
    while _remove_some(graph):  # what was stored in an object may not escape any more
        changed = True
    return changed


def _remove_some(graph: FunctionGraph) -> bool:
    """Take apart the objects that do not escape now; were there any?"""
    pointers = _Pointers(graph)
    if not pointers.made:
        return False
    entering = predecessors(graph)
    objects: dict[Value, _Object] = {}
    for value, (home, malloc) in pointers.made.items():
        found = _Object(malloc)
        found.look_for_uses(home, pointers.users[value], entering)
        if found.is_small and may_rewrite(graph, malloc):
            objects[value] = found
    if not objects:
        return False
    _TakingApart(objects, pointers).run(graph)
    return True


class _Pointers:
    """The allocations that do not escape, ``made``, by their results, with their blocks;
    ``users``: the blocks with operations on each."""

    def __init__(self, graph: FunctionGraph) -> None:
        self.made: dict[Value, tuple[Block, SpaceOperation]] = {}
        self.users: dict[Value, dict[Block, None]] = {}
        self._casts: dict[Value, Value] = {}
        for block, op in graph.iterblockops():
            if op.opname == "malloc" and _can_be_variables(op):
                self.made[op.result] = (block, op)
                self.users[op.result] = {}
            elif op.opname == "cast_pointer":
                self._casts[op.result] = op.args[0]
        if self.made:
            self._drop_escaping(graph)

    def source(self, value: Value) -> Value:
        """The pointer that was cast to ``value``."""
        while value in self._casts:
            value = self._casts[value]
        return value

    def _drop_escaping(self, graph: FunctionGraph) -> None:
        for block in graph.iterblocks():
            for op in block.operations:
                for i, arg in enumerate(op.args):
                    source = self.source(arg)
                    if source not in self.made:
                        continue
                    if i == 0 and self._is_private(op):
                        self.users[source][block] = None
                    else:
                        del self.made[source]
            for link in block.exits:
                for arg in link.args:
                    self.made.pop(self.source(arg), None)

    def _is_private(self, op: SpaceOperation) -> bool:
        if op.opname != "cast_pointer":
            return row_of(op).private
        found = self.made.get(self.source(op.args[0]))
        return found is not None and op.result.concretetype.TO in _classes(_struct(found[1]))


def _can_be_variables(op: SpaceOperation) -> bool:
    T = _struct(op)
    if not isinstance(T, GcStruct):
        return False
    for S in _classes(T):
        if not _HINTS.isdisjoint(S._hints):
            return False
        own = [F for name, F in S._flds.items() if not _is_parent(S, name)]
        if any(isinstance(F, ContainerType) for F in own):
            return False
    return True


def _struct(op: SpaceOperation) -> LowLevelType:
    constant = op.args[0]
    assert isinstance(constant, Constant)
    T: LowLevelType = constant.value
    return T


def _is_parent(S: GcStruct, name: str) -> bool:
    """Is it the first field, which is the struct of the class above?"""
    return name == S._names[0] and isinstance(S._flds[name], GcStruct)


def _classes(T: LowLevelType) -> list[GcStruct]:
    """A struct and those of the classes above it."""
    result = []
    while isinstance(T, GcStruct):
        result.append(T)
        T = T._flds[T._names[0]] if T._names else Void
    return result


class _Object:
    """One object, made by ``malloc``, that becomes variables, of ``types``.  ``needed``: the blocks
    at the start of which they are needed."""

    def __init__(self, malloc: SpaceOperation) -> None:
        self.types: dict[FieldName, LowLevelType] = {
            (S, name): F
            for S in _classes(_struct(malloc))
            for name, F in S._flds.items()
            if F is not Void and not _is_parent(S, name)
        }
        self.needed: dict[Block, None] = {}

    def look_for_uses(
        self, home: Block, users: Iterable[Block], entering: dict[Block, list[Link]]
    ) -> None:
        """Fill ``needed``: from the blocks of its users back to ``home``, where it is made."""
        todo = list(users)
        while todo:
            block = todo.pop()
            if block is home or block in self.needed:
                continue
            self.needed[block] = None
            todo += [link.prevblock for link in entering[block] if link.prevblock is not None]

    @property
    def is_small(self) -> bool:
        """Is it no huge object in a huge graph?"""
        return len(self.needed) * len(self.types) <= _LARGEST

    def zero(self) -> Fields:
        """What the fields hold at first."""
        return {key: Constant(F._defl(), F) for key, F in self.types.items()}

    def arguments(self) -> dict[FieldName, Variable]:
        """A new variable for each field."""
        return {key: Variable(_plain_name(key[1]), F) for key, F in self.types.items()}


class _TakingApart:
    """Turns the fields of objects into variables, of all objects at once."""

    def __init__(self, objects: dict[Value, _Object], pointers: _Pointers) -> None:
        self._objects = objects
        self._pointers = pointers
        self._known = Substitution()
        """What becomes of reads."""
        self._needed: dict[Block, list[_Object]] = {}
        for each in objects.values():
            for block in each.needed:
                self._needed.setdefault(block, []).append(each)

    def run(self, graph: FunctionGraph) -> None:
        """Rewrite the graph."""
        at_entry: dict[Block, dict[_Object, Fields]] = {}
        for block, objects in self._needed.items():
            at_entry[block] = {}
            for each in objects:
                arguments = each.arguments()
                block.inputargs.extend(arguments.values())
                at_entry[block][each] = dict(arguments)
        for block in list(graph.iterblocks()):
            fields = at_entry.get(block, {})
            self._rewrite_block(block, fields)
            for link in block.exits:
                for each in self._needed.get(link.target, ()):
                    link.args.extend(fields[each].values())
        self._known.apply(graph)

    def _rewrite_block(self, block: Block, fields: dict[_Object, Fields]) -> None:
        """Drop the operations on objects; ``fields`` is updated to the end of the block."""
        kept = []
        for op in block.operations:
            made = self._objects.get(op.result)
            used = self._objects.get(self._pointers.source(op.args[0])) if op.args else None
            if made is not None:
                fields[made] = made.zero()
                if block.canraise and op is block.operations[-1]:
                    become_goto(block, block.exits[0])
            elif used is None:
                kept.append(op)
            elif op.opname == "keepalive":
                held = [v for v in dict.fromkeys(fields[used].values()) if _is_kept(v)]
                kept += [SpaceOperation(op.opdef, [v], op.result.copy(), op.span) for v in held]
            else:
                _rewrite_use(op, fields[used], self._known)
        block.operations = kept


def _plain_name(name: str) -> str:
    return name.removeprefix("item").removeprefix("inst_")


def _is_kept(value: Value) -> bool:
    T = value.concretetype
    return isinstance(value, Variable) and isinstance(T, Ptr) and T.TO._gckind == "gc"


def _rewrite_use(op: SpaceOperation, fields: Fields, known: Substitution) -> None:
    if op.opname in ("ptr_nonzero", "ptr_iszero"):
        known.add(op.result, Constant(op.opname == "ptr_nonzero", op.result.concretetype))
    elif op.opname != "cast_pointer":
        key = (op.args[0].concretetype.TO, op.args[1].value)  # type: ignore[union-attr]
        if key not in fields:  # a Void field
            return
        if op.opname == "setfield":
            fields[key] = op.args[2]
        else:
            known.add(op.result, fields[key])
