"""Low-level graph -> Python source, for the LLInterpreter.

    b0(n): goto b1(0, 0)                    def sum_to(v0_n):
    b1(i, acc):                                 v1_i, v2_acc = 0, 0
        t = int_lt(i, n)                        while True:
        if t goto b2() else b3()                    if not v1_i < v0_n:
    b2():                            ->                 return v2_acc
        a = int_add(acc, i)                         v3_a = v3_a if ... else wrap_signed(v3_a)
        j = int_add(i, 1)                           v4_j = ...
        goto b1(j, a)                               v1_i, v2_acc = v4_j, v3_a
    b3(): return acc

Blocks with one predecessor are written where they are entered, their arguments replaced
by the values passed.  The others (joins, loop headers, handlers of exceptions) are arms
of a ``while True`` that dispatches on ``state``; an arm that jumps to itself is a loop
of its own.  A value passed may stand for the argument at every use: whoever uses the
argument is dominated by its block, and no way from there leads through the assignment
of the value again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rpython.lltypesystem.interp.allocation import allocator
from rpython.lltypesystem.interp.liveness import Lifetimes
from rpython.lltypesystem.interp.shape import count_uses, is_straight
from rpython.lltypesystem.operations.llop import LLOp
from rpython.lltypesystem.primitives import Void
from rpython.lltypesystem.rclass import OBJECT, OBJECT_VTABLE
from rpython.lltypesystem.simulated.containers import container_class
from rpython.lltypesystem.types import FixedSizeArray, FuncType, RuntimeTypeInfo, Struct, castable
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
from rpython.translator.ir.traversal import reverse_postorder

MAX_NESTING = 12
"""Deeper blocks become arms: Python limits indentation and nested loops."""

TYPEPTR = OBJECT._slots["typeptr"]
RANGE_MIN = OBJECT_VTABLE._slots["subclassrange_min"]
RANGE_MAX = OBJECT_VTABLE._slots["subclassrange_max"]


Place = tuple[int, SpaceOperation | None]
Body = tuple[list[str], dict[int, Place]]
Writer = Callable[[SpaceOperation], str]


class Unsupported(TypeError):
    """The graph is not a low-level graph."""


class GraphCoder:
    """Writes the Python function of one graph.

    ``namespace``: receives the constants the text refers to.  ``function_name(obj)``:
    binds the callee of a ``_func`` container and returns its name.  With ``checked``
    every operation goes through ``namespace["checked_op"]``.  ``on_heap``: a simulated heap
    is told of operations, calls and pointers.

    After ``run()``: ``lines`` is the text, ``places`` the (block number, operation) of each line.
    """

    def __init__(
        self,
        graph: FunctionGraph,
        name: str,
        namespace: dict[str, Any],
        function_name: Callable[[Any], str],
        checked: bool,
        on_heap: bool = False,
    ) -> None:
        self.graph = graph
        self.name = name
        self.namespace = namespace
        self.function_name = function_name
        self.checked = checked or on_heap
        self.on_heap = on_heap
        self.lowered = graph.stage == "lowered"
        self.lines: list[str] = []
        self.places: dict[int, Place] = {}
        self._names: dict[Variable, str] = {}
        self._lifetimes = Lifetimes(graph)
        self._numbers: dict[Block, int] = {}
        self._arms: dict[Block, int] = {}
        self._uses = count_uses(graph)
        self._indent = 1
        self._arm: Block | None = None
        self._constants: dict[int, str] = {}

    # -- structure ------------------------------------------------------------

    def run(self) -> str:
        """Write the function; returns its source text."""
        self._survey()
        graph = self.graph
        args = [self._new_name(v) for v in graph.getargs()]
        self.lines.append(f"def {self.name}({', '.join(args)}):")
        if self.lowered:
            self._line("frame = {}")
        if graph.startblock in self._arms:
            self._line(f"state = {self._arms[graph.startblock]}")
        else:
            self._write_entry()
        self._write_arms()
        self._lifetimes.fill(self.lines, self._names)
        return "\n".join(self.lines) + "\n"

    def _survey(self) -> None:
        """Number the blocks, decide which blocks are arms."""
        entries: dict[Block, int] = {self.graph.startblock: 1}
        handlers: set[Block] = set()
        for block in reverse_postorder(self.graph):
            if self._is_final(block):
                continue
            self._numbers[block] = len(self._numbers)  # as the printer does
            for op in block.operations:
                if not isinstance(op.opdef, LLOp):
                    raise Unsupported(f"{op.opname} is not a low-level operation")
            for i, link in enumerate(block.exits):
                entries[link.target] = entries.get(link.target, 0) + 1
                if block.exitswitch is LAST_EXCEPTION and i > 0:
                    handlers.add(link.target)
        for block in self._numbers:
            if entries[block] > 1 or block in handlers:
                self._make_arm(block)

    def _is_final(self, block: Block) -> bool:
        return block is self.graph.returnblock or block is self.graph.exceptblock

    def _make_arm(self, block: Block) -> None:
        self._arms[block] = len(self._arms)
        for v in block.inputargs:
            self._new_name(v)

    def _write_entry(self) -> None:
        """The start block and what is inlined in it; when it jumps to arms from inside a
        branch, in a loop that runs once."""
        straight = is_straight(self.graph.startblock, self._arms)
        lines, places = self._written_apart(self.graph.startblock, 1, fall_through=straight)
        if self._arms and not straight:
            self._line("while True:")
            self._append((lines, places), 1)
        else:
            self._append((lines, places), 0)

    def _write_arms(self) -> None:
        """The dispatch loop.  Writing an arm may create more arms (deep nesting), so the
        bodies are written before the dispatch tests that select them."""
        bodies: list[Body] = []
        for block in self._arms_in_order():
            self._arm = block
            bodies.append(self._written_apart(block, 2))
        if len(bodies) == 1:
            self._append_loop(bodies[0], 1)  # jumps to itself only
        elif bodies:
            self._line("while True:")
            self._dispatch(bodies, 0, len(bodies), 2)

    def _arms_in_order(self) -> Iterator[Block]:
        """The arms, including those that are made during the iteration."""
        done = 0
        while done < len(self._arms):
            yield list(self._arms)[done]
            done += 1

    def _written_apart(self, block: Block, indent: int, fall_through: bool = False) -> Body:
        """The lines of ``block`` and what is inlined behind it, and their places."""
        lines, places = self.lines, self.places
        self.lines, self.places, self._indent = [], {}, indent
        self._write_block(block, fall_through)
        result = self.lines, self.places
        self.lines, self.places, self._indent = lines, places, 1
        return result

    def _append(self, body: Body, deeper: int) -> None:
        """Add lines written apart, indented ``deeper`` levels more."""
        lines, places = body
        for line, place in places.items():
            self.places[len(self.lines) + line] = place
        self.lines.extend("    " * deeper + line for line in lines)

    def _append_loop(self, body: Body, indent: int) -> None:
        self._indent = indent
        self._line("while True:")
        self._append(body, indent - 1)

    def _dispatch(self, bodies: list[Body], low: int, high: int, indent: int) -> None:
        """Select arm number ``state``, known to be in ``low .. high - 1``."""
        if high - low == 1:
            self._append_loop(bodies[low], indent)
            return
        middle = (low + high) // 2
        self._indent = indent
        self._line(f"if state < {middle}:")
        self._dispatch(bodies, low, middle, indent + 1)
        self._indent = indent
        self._line("else:")
        self._dispatch(bodies, middle, high, indent + 1)

    # -- blocks ---------------------------------------------------------------

    def _write_block(self, block: Block, fall_through: bool = False) -> None:
        """``block`` and whatever is inlined behind it; control never reaches the line
        after, except that with ``fall_through`` the final jump is left out."""
        while True:
            condition = self._write_operations(block)
            if block.is_unreachable:
                self._line("unreachable()")
                return
            if not block.exits:
                raise Unsupported(f"{block!r} has no exits")
            if condition is None:
                link = block.exits[0]
            elif block.is_switch:
                link = self._write_switch(block, condition)
            else:
                link = self._write_branch(block, condition)
            if self._is_inline(link.target):
                self._bind_inline(link)
                block = link.target
                continue
            self._jump(link, fall_through)
            return

    def _is_inline(self, block: Block) -> bool:
        return not self._is_final(block) and block not in self._arms

    def _write_branch(self, block: Block, condition: str) -> Link:
        """Write the branch that ends at once, or else the true one, nested; returns the
        link of the other."""
        if_false, if_true = block.exits
        nested, rest, test = if_true, if_false, condition
        if self._is_inline(if_true.target) and not self._is_inline(if_false.target):
            nested, rest, test = if_false, if_true, f"not {condition}"
        self._write_nested(test, nested)
        return rest

    def _write_switch(self, block: Block, value: str) -> Link:
        """Write the cases; returns the link for other values."""
        for link in block.exits[1:]:
            self._write_nested(f"{value} == {link.exitcase!r}", link)
        return block.exits[0]

    def _write_nested(self, test: str, nested: Link) -> None:
        """Write what happens where the test succeeds; control never comes behind it then."""
        self._line(f"if {test}:")
        self._indent += 1
        if self._is_inline(nested.target) and self._indent > MAX_NESTING:
            self._make_arm(nested.target)
        if self._is_inline(nested.target):
            self._bind_inline(nested)
            self._write_block(nested.target)
        else:
            self._jump(nested)
        self._indent -= 1

    def _bind_inline(self, link: Link) -> None:
        for v, arg in zip(link.target.inputargs, link.args, strict=True):
            self._alias(v, self._value(arg))

    def _alias(self, v: Variable, text: str) -> None:
        """Let ``text`` stand for ``v``, unless an arm written earlier uses its name."""
        if v in self._names:
            self._line(f"{self._names[v]} = {text}")
        else:
            self._names[v] = text

    def _jump(self, link: Link, fall_through: bool = False) -> None:
        target = link.target
        if target is self.graph.returnblock:
            self._line(f"return {self._given(link.args[0])}")
            return
        if target is self.graph.exceptblock:
            exc = "pending.fetch()" if self.lowered else self._value(link.args[0])
            self._line(f"raise LLException({exc})")
            return
        self._assign_arguments(link)
        if target is self._arm:
            self._line("continue")
            return
        self._line(f"state = {self._arms[target]}")
        if not fall_through:
            self._line("break")

    def _assign_arguments(self, link: Link) -> None:
        targets, values = [], []
        for v, arg in zip(link.target.inputargs, link.args, strict=True):
            name, value = self._names[v], self._value(arg)
            if name != value and v.concretetype is not Void:
                targets.append(name)
                values.append(value)
        if targets:
            self._line(f"{', '.join(targets)} = {', '.join(values)}")

    # -- operations -----------------------------------------------------------

    def _write_operations(self, block: Block) -> str | None:
        """The operations of ``block``; returns the exit switch, None for the first exit."""
        operations = block.operations
        last = len(operations) - 1
        switch = block.exitswitch
        for i, op in enumerate(operations):
            if i == last and switch is LAST_EXCEPTION:
                self._write_raising(block, op)
            elif i == last and op.result is switch and self._is_condition(block):
                self._mark(block, op)
                expression = self._condition(op)
                if expression is not None:
                    return expression
                self._write_operation(block, op)
            else:
                self._write_operation(block, op)
        self._mark(block, None)
        return self._value(switch) if isinstance(switch, Variable) else None

    def _is_condition(self, block: Block) -> bool:
        """Is the exit switch read once, by the branch?"""
        assert isinstance(block.exitswitch, Variable)
        return self._uses[block.exitswitch] == 1 and not block.is_switch

    def _condition(self, op: SpaceOperation) -> str | None:
        """The text of an operation whose only use is the branch behind it, or None."""
        row = op.opdef
        assert isinstance(row, LLOp)
        if self.checked or not row.py or "{r}" in row.py or op.opname == "same_as":
            return None
        return f"({row.py.format(*map(self._value, op.args))})"

    def _mark(self, block: Block, op: SpaceOperation | None) -> None:
        self.places[len(self.lines)] = (self._numbers[block], op)

    def _write_raising(self, block: Block, op: SpaceOperation) -> None:
        row = op.opdef
        assert isinstance(row, LLOp)
        if not row.raises:
            return self._write_operation(block, op)
        self._line("try:")
        self._indent += 1
        before = len(self.lines)
        self._write_operation(block, op)
        if len(self.lines) == before:
            self._line("pass")
        self._indent -= 1
        if BaseException in row.raises:
            self._line("except catchable as caught_:")
        else:
            names = sorted(cls.__name__ for cls in row.raises)
            self._line(f"except ({', '.join(names)},) as caught_:")
        self._indent += 1
        exc = f"exc{self._numbers[block]}"
        self._line(f"{exc} = caught_instance(caught_)")
        self._line(f"number_ = {exc}._obj.{TYPEPTR}._obj.{RANGE_MIN}")
        for link in block.exits[1:]:
            if link.llexitcase is None:  # in a lowered graph: whatever it is
                self._line(f"pending.set({exc})")
                self._jump(link)
                continue
            vtable = self._constant(link.llexitcase._obj)
            self._line(f"if {vtable}.{RANGE_MIN} <= number_ < {vtable}.{RANGE_MAX}:")
            self._indent += 1
            if link.last_exc_value is not None:
                self._names[link.last_exc_value] = exc
            self._jump(link)
            self._indent -= 1
        self._line("raise")
        self._indent -= 1

    def _write_operation(self, block: Block, op: SpaceOperation) -> None:
        self._mark(block, op)
        if op in self._lifetimes:
            self._line(self._lifetimes.placeholder(op))
        row = op.opdef
        assert isinstance(row, LLOp)
        if self.on_heap and row.probe:
            self._line(f"probe({self._constant(op)})")
        if self.checked and row.eval is not None and not row.safepoint:
            return self._write_checked(op)
        statement = self._statement(op, row)
        if statement is not None:
            if statement:
                self._line(statement)
            return
        expression = self._expression(op)
        if expression is None:
            return  # an alias
        if op.result.concretetype is Void:
            self._line(expression)
        else:
            self._line(f"{self._new_name(op.result)} = {expression}")

    def _write_checked(self, op: SpaceOperation) -> None:
        args = "".join(", " + self._value(arg, void="value") for arg in op.args)
        text = f"checked_op({self._constant(op)}{args})"
        if op.result.concretetype is not Void:
            text = f"{self._new_name(op.result)} = {text}"
        self._line(text)

    def _statement(self, op: SpaceOperation, row: LLOp) -> str | None:
        """The text of an operation that is not an expression ('' for none), or None."""
        if row.stores:
            value = op.args[-1]
            if value.concretetype is Void:
                return ""
            return f"{self._place(op.args[0], op.args[1:-1])} = {self._value(value)}"
        return "" if row.py == "" else None

    def _expression(self, op: SpaceOperation) -> str | None:
        """The Python expression of an operation; None when the result was made an alias
        of an operand."""
        row = op.opdef
        assert isinstance(row, LLOp)
        if op.opname == "same_as":
            self._alias(op.result, self._value(op.args[0]))
            return None
        writer: Writer | None = getattr(self, f"py_{row.writer}", None)
        if writer is not None:
            return writer(op)
        if row.py is not None:
            args = [self._value(arg, void="value") for arg in op.args]
            if self.on_heap:
                return f"arrived({row.py.format(*(f'pointer({arg})' for arg in args))})"
            return row.py.format(*args, r=self._new_name(op.result))
        return self._eval_call(op)

    def _eval_call(self, op: SpaceOperation) -> str:
        row = op.opdef
        assert isinstance(row, LLOp)
        name = f"op_{row.name}"
        self.namespace[name] = row.eval
        args = [self._value(arg, void="value") for arg in op.args]
        if row.typed:
            args.insert(0, self._constant(op.result.concretetype))
        return f"{name}({', '.join(args)})"

    # -- values ---------------------------------------------------------------

    def _line(self, text: str) -> None:
        self.lines.append("    " * self._indent + text)

    def _new_name(self, v: Variable) -> str:
        name = self._names.get(v)
        if name is None:
            hint = "".join(char if char.isalnum() and char.isascii() else "_" for char in v.name)
            name = self._names[v] = f"v{len(self._names)}_{hint}"
        return name

    def _value(self, v: Value, void: str = "none") -> str:
        """The text of an operand.  Void operands are None, except that with
        ``void="value"`` constants keep their value."""
        if isinstance(v, Variable):
            return "None" if v.concretetype is Void else self._new_name(v)
        if v.concretetype is Void and void == "none":
            return "None"
        value = v.value
        if type(value) in (bool, int, str) or value is None:
            return repr(value)
        if type(value) is float and math.isfinite(value):
            return repr(value)
        return self._constant(value)

    def _given(self, v: Value) -> str:
        """The text of a value that is given to another function."""
        return f"live({self._value(v)})" if self.on_heap else self._value(v)

    def _called(self, op: SpaceOperation, call: str) -> str:
        return f"called({self._constant(op)}, {call})" if self.on_heap else call

    def _constant(self, value: Any) -> str:
        """The name in the namespace of a host object."""
        name = self._constants.get(id(value))
        if name is None:
            name = self._constants[id(value)] = f"k{len(self._constants)}"
            self.namespace[name] = value  # keeps it alive, so that its id stays its own
        return name

    def _container(self, p: Value) -> str:
        """The text of the container a pointer operand points to."""
        if isinstance(p, Constant):
            return "None" if p.value._obj is None else self._constant(p.value._obj)
        return f"{self._value(p)}._obj"

    def _index(self, container: str, index: Value) -> str:
        """The text of an index that fails when negative; lists check the upper bound."""
        text = self._value(index)
        if isinstance(index, Constant) and index.value >= 0:
            return text
        return f"{text} if {text} >= 0 else negative_index({text})"

    def _place(self, p: Value, offsets: Sequence[Value]) -> str:
        """The text of the place that field names and indices lead to."""
        text = self._container(p)
        T = p.concretetype.TO
        for offset in offsets:
            if isinstance(T, Struct):
                assert isinstance(offset, Constant)
                if offset.value != T._parent_field:
                    text = f"{text}.{T._slots[offset.value]}"
                T = T._flds[offset.value]
            else:
                text = f"{text}.items[{self._index(text, offset)}]"
                T = T.OF
        return text

    # -- expressions, by the writer that the row names ------------------------------

    def py_read_place(self, op: SpaceOperation) -> str:
        if op.result.concretetype is Void:
            return "None"
        return self._place(op.args[0], op.args[1:])

    def py_array_size(self, op: SpaceOperation) -> str:
        T = op.args[0].concretetype.TO
        for offset in op.args[1:]:
            assert isinstance(offset, Constant) or not isinstance(T, Struct)
            T = T._flds[offset.value] if isinstance(T, Struct) else T.OF  # type: ignore[union-attr]
        if isinstance(T, FixedSizeArray):
            return str(T.length)
        return f"len({self._place(op.args[0], op.args[1:])}.items)"

    def py_interior_pointer(self, op: SpaceOperation) -> str:
        T = op.args[0].concretetype.TO
        name = getattr(op.args[1], "value", None)
        if isinstance(T, Struct) and name == T._parent_field:
            return self._eval_call(op)
        place = self._place(op.args[0], op.args[1:])
        return f"make_ptr({self._constant(op.result.concretetype)}, {place})"

    def py_ptr_eq(self, op: SpaceOperation) -> str:
        a, b = op.args
        if isinstance(a.concretetype.TO, FuncType) or RuntimeTypeInfo == a.concretetype.TO:
            return self._eval_call(op)
        relation = "is" if op.opname == "ptr_eq" else "is not"
        return f"{self._container(a)} {relation} {self._container(b)}"

    py_ptr_ne = py_ptr_eq

    def py_cast_pointer(self, op: SpaceOperation) -> str:
        TARGET, SOURCE = op.result.concretetype, op.args[0].concretetype
        container = self._container(op.args[0])
        target = self._constant(TARGET)
        if castable(TARGET, SOURCE) >= 0:
            return f"make_ptr({target}, {container})"
        cls = self._constant(container_class(TARGET.TO))
        r = self._new_name(op.result)
        slow = self._eval_call(op)
        return f"make_ptr({target}, {r}) if isinstance({r} := {container}, {cls}) else {slow}"

    def py_malloc(self, op: SpaceOperation) -> str:
        constant = op.args[0]
        assert isinstance(constant, Constant)
        allocate = allocator(constant.value)
        if allocate is None:
            return self._eval_call(op)
        return f"{self._constant(allocate)}({', '.join(map(self._value, op.args[2:]))})"

    py_malloc_varsize = py_malloc

    def py_direct_call(self, op: SpaceOperation) -> str:
        function = op.args[0]
        assert isinstance(function, Constant)
        name = self.function_name(function.value._obj)
        return self._called(op, f"{name}({', '.join(map(self._given, op.args[1:]))})")

    def py_indirect_call(self, op: SpaceOperation) -> str:
        args = ", ".join(map(self._given, op.args[1:-1]))
        container = self._container(op.args[0])
        return self._called(op, f"(callees.get({container}) or callee_of({container}))({args})")
