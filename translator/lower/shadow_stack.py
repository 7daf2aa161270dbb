"""Put pointers on the shadow stack while an operation may collect, and load them again.

::

    b0(a, n):                                   b0(a, n):
        try v = direct_call(@make, n)               gc_save_root(0, a)
            goto b1()                   ->          gc_set_frame(1)
            except BaseException ...                try v = direct_call(@make, n)
    b1():                                               goto b1()
        m = getarraysize(a)                             except BaseException ...
        return m                                b1():
                                                    a1: *A = gc_load_root(0)
                                                    m = getarraysize(a1)
                                                    gc_set_frame(0)
                                                    return m

A frame begins where the caller's ends; ``gc_set_frame(n)`` makes its first ``n`` slots roots.
A pointer that is in its slot already is not saved again, one that nobody uses any more is cleared
(``gc_clear_root``), and one is loaded where it is used: so many calls with many values alive cost
as much as there are calls and uses.  A pointer into an object is made again from the object; for
an inner one (``translator.lower.pointers``) the collector looks for its object.
"""

from __future__ import annotations

from collections.abc import Iterable

from rpython.lltypesystem.primitives import Signed
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.records import dataclass
from rpython.translator.lower.context import Context
from rpython.translator.lower.edges import block_of_edge, new_op
from rpython.translator.lower.frame_place import place_frame
from rpython.translator.lower.pointers import is_gc_pointer
from rpython.translator.lower.roots import Occupied, Roots


def keep_roots(graph: FunctionGraph, context: Context) -> bool:
    """Do that after all passes that add calls or allocations; was there anything to keep?"""
    roots = Roots(graph, context)
    if not roots.wanted:
        return False
    _Writer(roots).run()
    return True


@dataclass(frozen=True, slots=True)
class _Frame:
    """What is known of the frame at one point: in all ways there, the variables that are in their
    slots, the slots that are null (bits), and how many slots are roots (None: not the same)."""

    saved: int
    null: int
    size: int | None


_EMPTY = _Frame(0, 0, 0)


class _Frames:
    """What is known of the frame at the start of each block, by a forward dataflow."""

    def __init__(self, roots: Roots) -> None:
        self.roots = roots
        objects = Occupied(roots.live, roots.slots)
        inner = Occupied(roots.live, roots.slots, 2)
        self.after: dict[SpaceOperation, _Frame] = {}
        """The frame after each operation that may collect, which decides everything."""
        for block in roots.live.blocks:
            for op in block.operations:
                if op in roots.wanted:
                    wanted = roots.wanted[op]
                    taken = objects.by(wanted & roots.objects) | inner.by(wanted & roots.inner)
                    size = taken.bit_length()
                    kept = wanted & (roots.objects | roots.inner)
                    self.after[op] = _Frame(kept, ~taken & ((1 << size) - 1), size)
        self.at_start: dict[Block, _Frame] = {roots.graph.startblock: _EMPTY}
        self._order = {block: i for i, block in enumerate(roots.live.blocks)}
        self._last = {block: self._last_state(block) for block in self._order}
        self._made = {
            block: roots.live.made([*block.inputargs, *(op.result for op in block.operations)])
            for block in self._order
        }
        changed = True
        while changed:
            changed = False
            for block in roots.live.blocks:
                frame = self._meet(block)
                if frame is not None and frame != self.at_start.get(block):
                    self.at_start[block] = frame
                    changed = True

    def _last_state(self, block: Block) -> _Frame | None:
        for op in reversed(block.operations):
            if op in self.roots.wanted:
                made_after = 0
                for later in reversed(block.operations):
                    if later is op:
                        break
                    made_after |= self.roots.live.bit(later.result)
                frame = self.after[op]
                made_after |= self.roots.live.bit(op.result)
                return _Frame(frame.saved & ~made_after, frame.null, frame.size)
        return None

    def at_end(self, block: Block) -> _Frame | None:
        """None: not known yet."""
        frame = self._last[block]
        if frame is not None:
            return frame
        start = self.at_start.get(block)
        if start is None:
            return None
        return _Frame(start.saved & ~self._made[block], start.null, start.size)

    def is_emptied(self, link: Link) -> bool:
        """Has the frame to be given back on the way along the link?"""
        assert link.prevblock is not None
        end = self.at_end(link.prevblock)
        assert end is not None
        graph = self.roots.graph
        leaves = link.target in (graph.returnblock, graph.exceptblock)
        target = _EMPTY if leaves else self.at_start[link.target]
        return target == _EMPTY and end.size != 0

    def _meet(self, block: Block) -> _Frame | None:
        """What holds however one comes to the block.  Where the frame is in use on some ways only,
        it is given back on those, but not in each round of a loop."""
        if block is self.roots.graph.startblock:
            return _EMPTY
        known: list[_Frame] = []
        is_loop = False
        for link in self.roots.entering[block]:
            assert link.prevblock is not None
            is_loop |= self._order[link.prevblock] >= self._order[block]
            frame = self.at_end(link.prevblock)
            if frame is not None:
                known.append(frame)
        if not known:
            return None
        before = self.at_start.get(block)
        sizes = {frame.size for frame in known}
        if 0 in sizes and not is_loop and (before is None or before.size is not None):
            return _EMPTY
        made = self.roots.live.made(block.inputargs)
        saved, null = known[0].saved, known[0].null
        for frame in known:
            saved, null = saved & frame.saved, null & frame.null
        same = len(sizes) == 1 and (before is None or before.size in sizes)
        return _Frame(saved & ~made, null, sizes.pop() if same else None)


Names = dict[Variable, Variable]
"""The variable that has the present value of another one, where that is not itself."""


class _Writer:
    """Rewrites one graph."""

    def __init__(self, roots: Roots) -> None:
        self.roots = roots
        self.live = roots.live
        self.frames = _Frames(roots)
        self.renamed = self._find_renamed()
        self.made_of = {v: list(op.args) for v, op in roots.pointers.made_by.items()}
        """The operands before they are renamed, of which pointers are made again."""
        self.params: dict[Block, Names] = {}
        self.names_at_end: dict[Block, Names] = {}

    def run(self) -> None:
        ends = (self.roots.graph.returnblock, self.roots.graph.exceptblock)
        blocks = [block for block in self.live.blocks if block not in ends]
        links = [link for block in blocks for link in block.exits]
        along = [(link, self.roots.to_load(link), self.frames.is_emptied(link)) for link in links]
        for block in blocks:
            self._write_block(block)
        for block, names in self.params.items():
            block.inputargs += names.values()
        for link, to_load, emptied in along:
            self._write_link(link, to_load, emptied)
        empty = {block for block, frame in self.frames.at_start.items() if frame == _EMPTY}
        place_frame(self.roots.graph, empty.__contains__)

    # -- names

    def _loaded_in(self, block: Block) -> int:
        """What is loaded in the block."""
        stale, loaded = self.roots.stale_at_start[block], 0
        for op in block.operations:
            used = self.live.used_by(op)
            loaded |= stale & used
            stale = stale & ~used | self.roots.across.get(op, 0)
        return loaded

    def _find_renamed(self) -> dict[Block, int]:
        """What may have another name at the start of a block, and is not stale there."""
        loaded = {block: self._loaded_in(block) for block in self.live.blocks}
        renamed = dict.fromkeys(self.live.blocks, 0)
        changed = True
        while changed:
            changed = False
            for block in self.live.blocks:
                bits = 0
                for link in self.roots.entering[block]:
                    assert link.prevblock is not None
                    bits |= renamed[link.prevblock] | loaded[link.prevblock]
                    bits |= self.roots.to_load(link)
                bits &= self.live.at_start[block] & ~self.live.made(block.inputargs)
                bits &= ~self.roots.stale_at_start[block]
                if bits != renamed[block]:
                    renamed[block] = bits
                    changed = True
        return renamed

    def _names_at_start(self, block: Block) -> Names:
        links = self.roots.entering[block]
        renamed = list(self.live.members(self.renamed[block]))
        only = links[0] if len(links) == 1 else None
        if only is not None and only.prevblock is not None and not self.roots.to_load(only):
            before = self.names_at_end[only.prevblock]
            return {v: before[v] for v in renamed if v in before}
        names = {v: v.copy() for v in renamed}
        if names:
            self.params[block] = names
        return dict(names)

    # -- blocks

    def _write_block(self, block: Block) -> None:
        names = self._names_at_start(block)
        frame = self.frames.at_start[block]
        stale = self.roots.stale_at_start[block]
        operations: list[SpaceOperation] = []
        for op in block.operations:
            used = self.live.used_by(op)
            operations += self._load(stale & used, names)
            stale &= ~used
            op.args = [_renamed(arg, names) for arg in op.args]
            if op in self.roots.wanted:
                operations += self._save(op, frame, names)
                frame = self.frames.after[op]
                across = self.roots.across[op]
                stale |= across
            operations.append(op)
            made = self.live.bit(op.result)
            if made & frame.saved:
                frame = _Frame(frame.saved & ~made, frame.null, frame.size)
        block.operations = operations
        self.names_at_end[block] = names

    def _write_link(self, link: Link, to_load: int, emptied: bool) -> None:
        block = link.prevblock
        assert block is not None
        names = dict(self.names_at_end[block])
        operations = self._load(to_load, names)
        if emptied:
            operations.append(new_op("gc_set_frame", [_number(0)]))
        given = self.params.get(link.target, {})
        if operations:
            between = block_of_edge(link)
            between.operations += operations
            link = between.exits[0]
        link.args = [
            *(_renamed(arg, names) for arg in link.args), *(names.get(v, v) for v in given)
        ]  # fmt: skip

    # -- operations

    def _load(self, bits: int, names: Names) -> list[SpaceOperation]:
        """Load what is stale and give it new names; what others are made from comes first."""
        variables = list(self.live.members(bits))
        operations: list[SpaceOperation] = []
        for v in variables:
            slot = self.roots.slots.get(v)
            if slot is not None:
                name = "gc_load_root" if is_gc_pointer(v.concretetype) else "gc_load_inner"
                names[v] = v.copy()
                operations.append(new_op(name, [_number(slot)], names[v]))
        for v in variables:
            if v not in self.roots.slots:
                names[v] = self._remade(v, names, operations)
        return operations

    def _remade(self, v: Variable, names: Names, operations: list[SpaceOperation]) -> Variable:
        """Make a pointer into an object again, whose object is loaded."""
        made_by = self.roots.pointers.made_by[v]
        source, *rest = self.made_of[v]
        if isinstance(source, Variable) and is_gc_pointer(source.concretetype):
            source = names.get(source, source)
        elif isinstance(source, Variable):
            source = self._remade(source, names, operations)
        result = v.copy()
        args = [source, *(_renamed(arg, names) for arg in rest)]
        operations.append(SpaceOperation(made_by.opdef, args, result, made_by.span))
        return result

    def _save(self, op: SpaceOperation, frame: _Frame, names: Names) -> Iterable[SpaceOperation]:
        """Let the frame be what the operation wants."""
        wanted, then = self.roots.wanted[op], self.frames.after[op]
        known = wanted & frame.saved
        for v in self.live.members(wanted & ~known):
            slot = self.roots.slots.get(v)
            if slot is not None:
                name = "gc_save_root" if is_gc_pointer(v.concretetype) else "gc_save_inner"
                yield new_op(name, [_number(slot), names.get(v, v)])
        clear = then.null & ~frame.null
        while clear:
            low = clear & -clear
            yield new_op("gc_clear_root", [_number(low.bit_length() - 1)])
            clear ^= low
        if frame.size != then.size:
            assert then.size is not None
            yield new_op("gc_set_frame", [_number(then.size)])


def _renamed(value: Value, names: Names) -> Value:
    return names.get(value, value) if isinstance(value, Variable) else value


def _number(n: int) -> Constant:
    return Constant(n, Signed)
