"""Abstract interpretation: from version-free instructions to a graph.

Blocks are explored from the entry on; a branch on a constant goes one way.  At a *join*
(an instruction that several ways lead to) a block gets one inputarg for each value that
travels; whether the ways really bring different values is found out afterwards
(``ssa.py``), so exploring is linear in the size of the program::

    0 CONST 0   1 STORE i            b0(n):     goto b1(n, 0)
    2 LOAD i    3 LOAD n     =>      b1(n1, i): v = lt(i, n1)
    4 PURE lt   5 BRANCH 9 6                    w = bool(v); if w ...

The structure follows J. Aycock and N. Horspool, "Simple generation of static
single-assignment form" (CC 2000).  The result is in SSA form: a value may be used in
every block its definition dominates.

An instruction outside the restricted language is a *refusal*, which counts if its block is still
reachable when all constants are known.  ``refused(...)`` is its value, returned if it has none.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import NoReturn

from rpython.translator.flow import fold
from rpython.translator.flow.closures import closure_info, closure_template
from rpython.translator.flow.globals import AssignedGlobals, ModuleGlobals
from rpython.translator.flow.handlers import find_handlers
from rpython.translator.flow.instructions import HandlerEntry, Instr, Program
from rpython.translator.flow.normalise import joins, live_slots
from rpython.translator.flow.pending import CHECK_BOUND
from rpython.translator.flow.scope_keep_alive import held_value
from rpython.translator.flow.state import (
    LASTI,
    UNBOUND,
    Converted,
    Entry,
    HostCell,
    LocalCell,
    LocalClass,
    PendingFunction,
    Slice,
    StarTuple,
    State,
    Unroller,
    argument_name,
    is_absent,
    known_cells,
    same_key,
)
from rpython.translator.ir.errors import FlowError, Note
from rpython.translator.ir.hlops import HLOPS
from rpython.translator.ir.intrinsics import (
    HostError,
    Refusal,
    closure_function,
    handler_enter,
    handler_leave,
    keep_in_scope,
    refused,
    safepoint,
)
from rpython.translator.ir.model import (
    LAST_EXCEPTION,
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span


@dataclass(frozen=True, slots=True)
class Demand:
    """``value``, read at ``span`` in ``block``, must not turn out to be absent; if it is that
    of local variable ``slot``, the function has to be built with a test here."""

    value: Variable
    block: Block
    message: str
    span: Span
    hint: str
    slot: int | None = None


@dataclass(slots=True)
class _Join:
    """The block of a join, and the form of the states that meet there."""

    block: Block
    live: list[int]
    held: list[int]
    """The slots that nobody reads any more, and whose values are held."""
    state: State


class Explorer:
    """Builds the blocks of one function.

    While an instruction is executed ``block`` is where operations go (None once it has
    ended), ``state`` the frame, ``instr`` the instruction.  ``execute`` gives the meaning
    of instructions (``execute.py``); ``tested`` are the slots that may be unbound when read.
    """

    def __init__(
        self,
        func: types.FunctionType,
        program: Program,
        execute: Callable[[Explorer, Instr], None],
        tested: frozenset[int] = frozenset(),
        constants: Mapping[int, object] = MappingProxyType({}),
        breaks: frozenset[int] = frozenset(),
        holding: frozenset[int] | None = None,
        assigned: AssignedGlobals | None = None,
    ) -> None:
        """``breaks``: the instructions before which there is a safe point.  ``holding``: those
        before which local variables are said to be held, as they are where the function ends;
        None: what nobody reads any more is forgotten (``scope_keep_alive.py``)."""
        self.func = func
        self.assigned = assigned or AssignedGlobals()
        self.program = program
        self.execute = execute
        self.tested = tested
        self.breaks = breaks
        self.holding = holding
        self.handlers = find_handlers(program)
        args = [Variable(argument_name(name)) for name in program.slots[: program.nargs]]
        closure = [] if closure_info(func) is None else [Variable("closure")]
        self.graph = FunctionGraph(func.__name__, Block([*closure, *args]), func=func)
        self.refusals: list[tuple[Block, FlowError]] = []
        self.demands: list[Demand] = []
        self.functions: dict[object, tuple[PendingFunction, Constant]] = {}
        """Nested functions made so far."""
        self.changed_lists: set[Value] = set()
        """Lists under construction that are no longer what newlist made."""
        self._made_by: dict[Variable, SpaceOperation] = {}
        self._incoming: dict[Variable, list[Value]] = {}
        self._joins, self._live = joins(program), live_slots(program)
        self.local_classes: dict[type, LocalClass] = {}
        self._join_blocks: dict[Hashable, _Join] = {}
        self.unrolled: set[Value] = set()
        """The constants that are items of unrolling iterables, or parts of such."""
        self._todo: list[tuple[int, Block, State]] = []
        self.block: Block | None = self.graph.startblock
        slots: list[Value] = [*args, *[UNBOUND] * (len(program.slots) - len(args))]
        for slot, value in constants.items():
            slots[slot - len(closure)] = Constant(value)
            self.unrolled.add(slots[slot - len(closure)])
        self.state = State(slots)
        self.instr = program.instrs[program.entry]
        for slot, captured in program.captured.items():
            holder = closure[0] if closure else Constant(captured.holder)
            self.state.slots[slot] = self.append_op("getattr", holder, Constant(captured.name))

    def explore(self) -> None:
        """Build everything reachable."""
        self.go(self.program.entry)
        while self._todo:
            index, self.block, self.state = self._todo.pop()
            while self.block is not None:
                self._step(index)
                index = self.instr.next

    def _step(self, index: int) -> None:
        self.instr = self.program.instrs[index]
        try:
            self._mark(index)
            self.execute(self, self.instr)
            if self.block is not None and self.instr.next in self._joins:
                self.go(self.instr.next)
        except FlowError as refusal:
            assert self.block is not None
            self.block.exitswitch = None
            value = self._refused(refusal)
            self.end(Link([value], self.graph.returnblock))

    def _mark(self, index: int) -> None:
        """Say what CPython does by itself before the instruction."""
        if index in self.handlers.begin:
            height = Constant(self.handlers.begin[index])
            self.append_op("simple_call", Constant(handler_enter), self.state.handled, height)
        if index in self.handlers.end:
            height = Constant(self.handlers.end[index])
            self.append_op("simple_call", Constant(handler_leave), height)
        unrolling = any(isinstance(entry, Unroller) for entry in self.state.stack[-1:])
        if index in self.breaks and not unrolling:
            self.emit("simple_call", Constant(safepoint))
        if self.holding is not None and index in self.holding:
            self.hold()

    def mark_again(self) -> None:
        """After a yield the generator is handling what it was handling before."""
        if self.handlers.begin:
            for height, v in enumerate(self.state.all_handled()):
                self.append_op("simple_call", Constant(handler_enter), v, Constant(height))

    # -- ending blocks

    def end(self, *exits: Link) -> None:
        """End the current block."""
        assert self.block is not None
        self.block.closeblock(*exits)
        self.block = None

    def go(self, index: int) -> None:
        """End the block by continuing at instruction ``index``."""
        self.end(self.link_to(index, self.state))

    def link_to(self, index: int, state: State, exitcase: object = None) -> Link:
        """A link to instruction ``index`` in ``state``, which the callee owns.

        In a loop over an unrolling iterable each of its items has joins of its own, at which
        the item is the same constant."""
        if index not in self._joins:
            block = Block([])
            self._todo.append((index, block, state))
            return Link([], block, exitcase)
        for i, entry in enumerate(state.stack):
            if isinstance(entry, PendingFunction):  # it may meet another value here
                state.stack[i] = self._complete_function(entry)
        unrollers = tuple(entry.key() for entry in state.stack if isinstance(entry, Unroller))
        live = self._live_at(index)
        fixed = [slot for slot in live if self._is_fixed(state.slots[slot], bool(unrollers))]
        known = tuple((slot, same_key(self._constant(state, slot))) for slot in fixed)
        key = (index, unrollers, known)
        join = self._join_blocks.get(key)
        if join is None:
            held = self._held_besides(live)
            live = [slot for slot in live if slot not in fixed]
            join = self._join_blocks[key] = self._new_join(index, state, live, held, fixed)
        values = state.values(join.live, join.state)
        values += [held_value(state.slots[slot]) for slot in join.held]
        for v, value in zip(join.block.inputargs, values):
            self._incoming[v].append(value)
        return Link(values, join.block, exitcase)

    def _is_fixed(self, value: Value, unrolling: bool) -> bool:
        """Does the same constant stay in the variable behind joins?"""
        if not isinstance(value, Constant) or not self.local_classes:
            return unrolling and value in self.unrolled
        is_class = isinstance(value.value, type) and value.value in self.local_classes
        return is_class or (unrolling and value in self.unrolled)

    def _live_at(self, index: int) -> list[int]:
        return [slot for slot in range(len(self.program.slots)) if self._live[index] >> slot & 1]

    def _held_besides(self, live: list[int]) -> list[int]:
        """The slots whose values are held, but that are not live."""
        if self.holding is None:
            return []
        return [slot for slot in range(self.program.own) if slot not in live]

    def hold(self, held: Sequence[Value] | None = None) -> None:
        """Say that local variables, by default all of them, hold these values until here."""
        held = self.state.slots[: self.program.own] if held is None else held
        values = dict.fromkeys(value for value in held if isinstance(value, Variable))
        if self.holding is not None and values:
            self.append_op("simple_call", Constant(keep_in_scope), *values)

    def bind(self, slot: int, value: Value) -> None:
        """Give a local variable a value."""
        if slot < self.program.own:
            self.hold([self.state.slots[slot]])
        self.state.slots[slot] = value

    def _constant(self, state: State, slot: int) -> object:
        value = state.slots[slot]
        assert isinstance(value, Constant)
        return value.value

    def _new_join(
        self, index: int, state: State, live: list[int], held: list[int], fixed: list[int]
    ) -> _Join:
        names = [self.program.slots[slot] for slot in live]
        count = len(state.values(live))
        args = [Variable(name) for name in names + ["v"] * (count - len(names))]
        meeting = state.with_values(live, args)
        for slot in held:
            v = Variable(self.program.slots[slot])
            args.append(v)
            meeting.slots[slot] = v
        self._incoming.update((v, []) for v in args)
        block = Block(args)
        for slot in fixed:
            meeting.slots[slot] = state.slots[slot]
        self._todo.append((index, block, meeting.copy()))
        return _Join(block, live, held, meeting)

    def branch(self, condition: Value) -> None:
        """End the block: to ``instr.jump`` if the bool ``condition`` is true, else to
        ``instr.next``."""
        instr = self.instr
        if isinstance(condition, Constant):
            self.go(instr.jump if condition.value else instr.next)
            return
        assert self.block is not None
        self.block.exitswitch = condition
        self.end(
            self.link_to(instr.next, self.state.copy(), False),
            self.link_to(instr.jump, self.state, True),
        )

    def return_(self, value: Value) -> None:
        self.hold()
        link = Link([value], self.graph.returnblock)
        link.span = self.instr.span
        self.end(link)

    def raise_(self, instance: Value, again: bool = False) -> None:
        """End the block by raising: on to the handler here, or out of the function.  ``again``:
        what this frame has raised already."""
        handler = self.instr.handler
        if handler is None:
            self.hold()
            link = Link([instance], self.graph.exceptblock)
            link.span = None if again else self.instr.span
            self.end(link)
        else:
            self.end(self.link_to(handler.target, self._at_handler(handler, instance)))

    def _at_handler(self, handler: HandlerEntry, instance: Value) -> State:
        state = self.state.copy()
        assert len(state.stack) >= handler.depth
        del state.stack[handler.depth :]
        state.outer = tuple(at for at in state.outer if at < handler.depth)
        if handler.marker:
            state.stack.append(LASTI)
        state.stack.append(instance)
        return state

    def handler_links(self) -> list[Link]:
        """The link to the handler of the current instruction, if it has one."""
        handler = self.instr.handler
        if handler is None:
            return []
        caught = Variable("exc")
        link = self.link_to(handler.target, self._at_handler(handler, caught), BaseException)
        link.last_exc_value = caught
        return [link]

    # -- operations

    def emit(self, name: str, *args: Value) -> Value:
        """The result of a high-level operation, folded if possible.  Within a handler's
        range an operation that may raise ends the block."""
        args = fold.operands(name, args)
        if name in ("getattr", "setattr") and isinstance(args[1], Constant):
            args = (self.assigned.holder(args[0], args[1].value, name == "setattr"), *args[1:])
        folded = fold.fold_operation(HLOPS[name], args)
        if name == "simple_call" and isinstance(args[0], Variable):
            folded = fold.fold_method_call(self._made_by.get(args[0]), args[1:])
        if folded is None and name == "getattr" and args[0] in self.unrolled:
            folded = self._class_constant(*args)
        if folded is not None and name in ("getattr", "getitem") and args[0] in self.unrolled:
            self.unrolled.add(folded)
        return self.emit_op(name, *args) if folded is None else fold.at(self.instr.span, folded)

    def is_join(self, index: int) -> bool:
        """Do several ways lead to the instruction?"""
        return index in self._joins

    def _class_constant(self, holder: Value, name: Value) -> Constant | None:
        """The attribute of a class in an unrolled loop, which no function may assign then."""
        assert isinstance(holder, Constant) and isinstance(name, Constant)
        folded = fold.fold_class_attribute(holder.value, name.value)
        if folded is not None:
            self.graph.class_constants.append((holder.value, name.value, self.instr.span))
        return folded

    def globals(self) -> tuple[ModuleGlobals, frozenset[str]]:
        """The variables of the function's module, and which of them functions assign."""
        return self.assigned.of(self.func.__globals__, self.func.__code__.co_filename)

    def emit_op(self, name: str, *args: Value) -> Variable:
        """The same without folding."""
        result = self.append_op(name, *args)
        if HLOPS[name].can_raise and not self._never_raises(name, args):
            self._end_if_handled()
        return result

    def _never_raises(self, name: str, args: Sequence[Value]) -> bool:
        """Is it ``isinstance(x, C)``, its truth, ``type(x)``, ``x.__class__`` (the branch on these
        has to be in their block to tell what ``x`` is) or a method of a constant str?"""
        if name == "bool":
            made = self._made_by.get(args[0]) if isinstance(args[0], Variable) else None
            if made is None or made.opname == "bool":
                return False
            return self._never_raises(made.opname, made.args)
        if name == "getattr":
            named_class = isinstance(args[1], Constant) and args[1].value == "__class__"
            return named_class or fold.has_method(*args)
        if name != "simple_call" or not isinstance(args[0], Constant):
            return False
        function = args[0].value
        return (function is isinstance and len(args) == 3) or (function is type and len(args) == 2)

    def _end_if_handled(self) -> None:
        """End the block, whose last operation may raise, if there is a handler."""
        handlers = self.handler_links()
        if handlers:
            assert self.block is not None
            self.block.exitswitch = LAST_EXCEPTION
            after = Block([])
            self.end(Link([], after), *handlers)
            self.block = after

    def append_op(self, name: str, *args: Value) -> Variable:
        """Just append an operation; its result."""
        assert self.block is not None
        result = Variable()
        op = SpaceOperation(HLOPS[name], args, result, self.instr.span)
        self.block.operations.append(op)
        self._made_by[result] = op
        return result

    def check(self, condition: Value, error: type[Exception], message: str) -> None:
        """Raise an exception unless the bool ``condition`` is true."""
        assert self.block is not None
        bad, good = Block([]), Block([])
        self.block.exitswitch = condition if isinstance(condition, Variable) else None
        if isinstance(condition, Constant):
            self.end(Link([], good if condition.value else bad))
        else:
            self.end(Link([], bad, False), Link([], good, True))
        self.block = bad
        self.raise_(self.append_op("simple_call", Constant(error), Constant(message)))
        self.block = good

    def made_by(self, value: Value) -> SpaceOperation | None:
        """The operation a value on the stack is the result of; see ``settled``."""
        value = self.settled(value)
        return self._made_by.get(value) if isinstance(value, Variable) else None

    def settled(self, value: Value) -> Value:
        """The value itself, looking through joins all of whose known ways bring the same one.
        Sound for what an expression under construction keeps on the stack: no loop changes
        that."""
        seen = set()
        while isinstance(value, Variable) and value in self._incoming and value not in seen:
            seen.add(value)
            different = {incoming for incoming in self._incoming[value] if incoming is not value}
            if len(different) != 1:
                break
            value = different.pop()
        return value

    def result_op(self, value: Value) -> str:
        """The name of the operation a value is the result of, or ''."""
        op = self._made_by.get(value) if isinstance(value, Variable) else None
        return op.opname if op is not None else ""

    def truth(self, value: Value) -> Value:
        """bool(value), unless it is a bool already."""
        row = HLOPS.get(self.result_op(value))
        is_bool = row is not None and row.gives_bool
        return value if is_bool else self.emit("bool", value)

    def tuple_items(self, value: Value) -> list[Value] | None:
        """The items of a tuple, if it is a constant or was just made."""
        if isinstance(value, Constant):
            if type(value.value) is not tuple:
                return None
            items: list[Value] = [Constant(item) for item in value.value]
            if value in self.unrolled:
                self.unrolled.update(items)
            return items
        op = self._made_by.get(value)
        return list(op.args) if op is not None and op.opname == "newtuple" else None

    # -- the stack

    def push(self, entry: Entry) -> None:
        self.state.stack.append(entry)

    def pop_entry(self) -> Entry:
        return self.state.stack.pop()

    def pop(self) -> Value:
        """Pop a value of the program; one that was under construction is completed."""
        return self.complete(self.pop_entry())

    def pop_many(self, count: int) -> list[Value]:
        """Pop ``count`` values, the deepest first."""
        values = [self.pop() for _ in range(count)]
        values.reverse()
        return values

    def complete(self, entry: Entry) -> Value:
        """The value of a stack entry."""
        if isinstance(entry, Variable | Constant):
            return entry
        if isinstance(entry, StarTuple):
            rest = self.emit("simple_call", Constant(tuple), entry.star)
            if not entry.items:
                return rest
            return self.emit("add", self.emit("newtuple", *entry.items), rest)
        if isinstance(entry, Converted):
            return self.emit("format_value", entry.value, Constant(entry.conversion), Constant(""))
        if isinstance(entry, Slice):
            return self.emit("newslice", *entry.bounds)
        if isinstance(entry, PendingFunction):
            return self._complete_function(entry)
        if isinstance(entry, Unroller):
            self.refuse(
                "an unrolling iterable can only be looped over",
                "write a for loop over it, or over list(...) of it",
            )
        raise AssertionError(f"{entry} is not a value")

    def _complete_function(self, pending: PendingFunction) -> Value:
        """A function object with nothing of the frame in it, or a closure."""
        parts = known_cells(pending.closure, self.local_classes)
        if pending.computed or any(isinstance(part, LocalCell) for part in parts):
            return self._make_closure(pending, parts)
        cells = [part.cell for part in parts if isinstance(part, HostCell)]
        key = (pending.code, tuple(map(id, pending.defaults or ())), tuple(map(id, cells)))
        known = self.functions.get(key)
        if known is not None and known[0].kwdefaults == pending.kwdefaults:
            return known[1]
        function = types.FunctionType(
            pending.code,
            self.func.__globals__,
            pending.code.co_name,
            pending.defaults,
            tuple(cells) or None,
        )
        function.__kwdefaults__ = pending.kwdefaults
        made = Constant(function)
        self.functions[key] = (pending, made)
        return made

    def _make_closure(
        self, pending: PendingFunction, parts: tuple[LocalCell | HostCell, ...]
    ) -> Value:
        known = self.functions.get(pending.code)
        if known is None:
            cells = [p.cell if isinstance(p, HostCell) else p.captured for p in parts]
            template = closure_template(
                pending.code, self.func, pending.defaults, pending.kwdefaults, cells
            )
            known = self.functions[pending.code] = (pending, Constant(template))
        info = closure_info(known[1].value)
        assert info is not None
        made = self.emit("simple_call", Constant(info.cls))
        for part in parts:
            if isinstance(part, LocalCell):
                self.emit("setattr", made, Constant(part.captured.name), part.value)
        for name, value in pending.computed:
            self.emit("setattr", made, Constant(name), value)
        return self.emit("simple_call", Constant(closure_function), made)

    # -- refusals

    def refuse(self, message: str, hint: str = "") -> NoReturn:
        """The instruction, which gives no value to go on with, is refused."""
        raise FlowError(message, self.instr.span, hint=hint)

    def refused_value(
        self, message: str, hint: str = "", notes: Sequence[str] = (), raised: HostError = None
    ) -> Variable:
        """What the refused instruction would give; ``raised``: what CPython raises instead."""
        refusal = FlowError(message, self.instr.span, [Note(line) for line in notes], hint)
        return self._refused(refusal, raised)

    def _refused(self, refusal: FlowError, raised: HostError = None) -> Variable:
        assert self.block is not None
        self.refusals.append((self.block, refusal))
        notes = tuple(note.text for note in refusal.notes)
        what = Constant(Refusal(refusal.message, refusal.hint, notes, raised))
        return (self.emit_op if raised else self.append_op)("simple_call", Constant(refused), what)

    def demand(self, value: Value, message: str, hint: str) -> bool:
        """Is ``value`` there, as far as is known now?  If that depends on the ways into a
        join, the function is refused later when it may be absent."""
        if is_absent(value):
            return False
        if isinstance(value, Variable) and value in self._incoming:
            assert self.block is not None
            self.demands.append(Demand(value, self.block, message, self.instr.span, hint))
        return True

    def read(self, slot: int, value: Value, message: str) -> None:
        """Local variable ``slot`` is read, and holds ``value`` as far as is known now.  If that
        depends on the ways into a join, test it, or ask later whether there should be a test."""
        if not isinstance(value, Variable) or value not in self._incoming:
            return
        assert self.block is not None
        if slot not in self.tested:
            self.demands.append(Demand(value, self.block, message, self.instr.span, "", slot))
            return
        op = SpaceOperation(CHECK_BOUND, [value, Constant(message)], Variable(), self.instr.span)
        self.block.operations.append(op)
        self._end_if_handled()
