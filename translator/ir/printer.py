"""Graphs as text, at every stage; low-level text parses back (``translator.ir.parser``).

::

    graph sum_to(n: Signed) -> Signed {
    b0(n):
        goto b1(0, 0)
    b1(i: Signed, acc: Signed):
        t0 = int_lt(i, n)
        if t0 goto b2() else return acc
    b2():
        try acc1 = int_add_ovf(acc, i)
            goto b3()
            except OverflowError as e raise e
    b3():
        i1 = int_add(i, 1)
        goto b1(i1, acc1)
    }

Blocks are in reverse postorder and numbered in that order; a link to the return block
reads ``return x``, one to the except block ``raise e``; a block to whose end control never comes
ends with ``unreachable``, a switch has a line for each ``case`` and one for ``else``.  In
high-level graphs variables are local to a block, so names are unique per block; in low-level
graphs, per graph.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.naming import HostNamer, Namer, identifier
from rpython.translator.ir.opdef import OpDef
from rpython.translator.ir.span import Span
from rpython.translator.ir.traversal import reverse_postorder

HIGH_LEVEL_STAGES = frozenset({"flow", "annotated"})

INDENT = "    "


class PrintEnv(Protocol):
    """How types and typed constants are written; ``lltypesystem.text`` has the real one."""

    def format_type(self, concretetype: Any) -> str: ...

    def format_constant(self, constant: Constant) -> str:
        """The text of a constant whose ``concretetype`` is not None."""
        ...

    def format_graph_name(self, graph: FunctionGraph) -> str:
        """The name of a graph, an identifier (dots allowed)."""
        ...

    def format_exitcase(self, link: Link) -> str:
        """The text of what an exception link catches."""
        ...

    def fixed_result(self, opdef: OpDef) -> Any:
        """The result type the row alone determines (its text is then left out), or None."""
        ...

    def void(self) -> Any:
        """The type of results that carry nothing."""
        ...


class HostEnv:
    """Prints any graph without knowing low-level types: types by ``str``, constants as
    host objects."""

    def __init__(self) -> None:
        self._host = HostNamer()

    def format_type(self, concretetype: Any) -> str:
        return str(concretetype)

    def format_constant(self, constant: Constant) -> str:
        return self._host.text(constant.value)

    def format_graph_name(self, graph: FunctionGraph) -> str:
        return identifier(graph.name)

    def format_exitcase(self, link: Link) -> str:
        return self._host.text(link.exitcase).removeprefix("@")

    def fixed_result(self, opdef: OpDef) -> Any:
        return None

    def void(self) -> Any:
        return None


def print_graph(graph: FunctionGraph, *, spans: bool = False, env: PrintEnv | None = None) -> str:
    """The text of ``graph``, ending in a newline.

    ``spans``: add each operation's source position as a comment.  ``env``: how to write
    low-level types and constants; without one the text is for people only.  A graph that
    breaks invariants prints too: printing is how one looks at it.
    """
    return GraphText(graph, spans, env).text()


def is_high_level(graph: FunctionGraph) -> bool:
    """Are variables local to their block (stages ``flow`` and ``annotated``)?"""
    return graph.stage in HIGH_LEVEL_STAGES


class GraphText:
    """The text of one graph and of its pieces, under one naming."""

    def __init__(
        self, graph: FunctionGraph, spans: bool = False, env: PrintEnv | None = None
    ) -> None:
        self.graph = graph
        self.spans = spans
        self.env = env or HostEnv()
        self.host = HostNamer()
        self.namer = Namer()
        ends = (graph.returnblock, graph.exceptblock)
        self.blocks = [block for block in reverse_postorder(graph) if block not in ends]
        self.labels = {block: f"b{number}" for number, block in enumerate(self.blocks)}
        self.used = _used_variables(self.blocks)
        if not is_high_level(graph):
            for block in self.blocks:
                self._name_definitions(block)

    def label(self, block: Block) -> str:
        """The name of a block: ``b3``, ``return``, ``except``, or ``?`` when unreachable."""
        if block is self.graph.returnblock:
            return "return"
        return "except" if block is self.graph.exceptblock else self.labels.get(block, "?")

    def text(self) -> str:
        """The whole graph, ending in a newline."""
        graph = self.graph
        lines = []
        for block in self.blocks:
            if is_high_level(graph):
                self.namer = Namer()
                self._name_definitions(block)
            if block is graph.startblock:
                lines.append(self._header())
            lines.extend(self._block(block))
        if not lines:  # the start block is the return block
            lines.append(self._header())
        lines.append("}")
        return "\n".join(lines) + "\n"

    def _name_definitions(self, block: Block) -> None:
        for v in block.inputargs:
            self.namer.name(v)
        for op in block.operations:
            if not self._omits_result(op):
                self.namer.name(op.result)
        for link in block.exits:
            if link.last_exc_value is not None:
                self.namer.name(link.last_exc_value)

    def _header(self) -> str:
        args = ", ".join(map(self._typed, self.graph.getargs()))
        result = self._type(self.graph.getreturnvar())
        arrow = f" -> {result}" if result else ""
        return f"graph {self.env.format_graph_name(self.graph)}({args}){arrow} {{"

    def _block(self, block: Block) -> list[str]:
        show = self._value if block is self.graph.startblock else self._typed
        lines = [f"{self.labels[block]}({', '.join(map(show, block.inputargs))}):"]
        plain = block.operations[:-1] if block.canraise else block.operations
        lines.extend(INDENT + self.operation(op) for op in plain)
        if block.canraise and block.operations:
            lines.append(f"{INDENT}try {self.operation(block.operations[-1])}")
            lines.extend(INDENT * 2 + self._way_out(link) for link in block.exits)
        elif isinstance(block.exitswitch, Variable) and block.is_switch:
            lines.append(f"{INDENT}switch {self._value(block.exitswitch)}")
            T = block.exitswitch.concretetype
            for link in block.exits[1:]:
                case = self._value(Constant(link.exitcase, T))
                lines.append(f"{INDENT * 2}case {case} {self._jump(link)}")
            otherwise = self._jump(block.exits[0]).removeprefix("goto ")
            lines.append(f"{INDENT * 2}else {otherwise}")
        elif isinstance(block.exitswitch, Variable) and len(block.exits) == 2:
            no, yes = block.exits
            otherwise = self._jump(no).removeprefix("goto ")
            switch = self._value(block.exitswitch)
            lines.append(f"{INDENT}if {switch} {self._jump(yes)} else {otherwise}")
        elif block.is_unreachable:
            lines.append(f"{INDENT}unreachable")
        else:
            lines.extend(INDENT + self._jump(link) for link in block.exits)
        return lines

    def operation(self, op: SpaceOperation) -> str:
        """``result: type = name(args)``; ``name(args)`` when the result is of no interest."""
        line = f"{op.opname}({', '.join(map(self._value, op.args))})"
        if not self._omits_result(op):
            implied = self._implies_type(op)
            line = f"{(self._value if implied else self._typed)(op.result)} = {line}"
        return f"{line}  # {span_text(op.span)}" if self.spans else line

    def _implies_type(self, op: SpaceOperation) -> bool:
        """Does the row alone say of what type the result is?"""
        fixed = self.env.fixed_result(op.opdef)
        return fixed is not None and bool(fixed == op.result.concretetype)

    def _omits_result(self, op: SpaceOperation) -> bool:
        """Is the result never used, and is there nothing to say about its type?"""
        v = op.result
        if v in self.used or v.annotation is not None:
            return False
        return self._implies_type(op) or bool(v.concretetype == self.env.void())

    def _way_out(self, link: Link) -> str:
        if link.exitcase is None:
            return self._jump(link)
        caught = self.env.format_exitcase(link)
        name = f" as {self._value(link.last_exc_value)}" if link.last_exc_value else ""
        return f"except {caught}{name} {self._jump(link)}"

    def _jump(self, link: Link) -> str:
        args = ", ".join(map(self._value, link.args))
        if link.target is self.graph.returnblock:
            return f"return {args}"
        if link.target is self.graph.exceptblock:
            return f"raise {args}"
        return f"goto {self.labels[link.target]}({args})"

    def _value(self, value: Value) -> str:
        if isinstance(value, Variable):
            return self.namer.name(value)
        if value.concretetype is None:
            return self.host.text(value.value)
        return self.env.format_constant(value)

    def _typed(self, v: Variable) -> str:
        text = self._type(v)
        return f"{self._value(v)}: {text}" if text else self._value(v)

    def _type(self, v: Variable) -> str:
        if v.concretetype is not None:
            return self.env.format_type(v.concretetype)
        return "" if v.annotation is None else str(v.annotation)


def _used_variables(blocks: Iterable[Block]) -> set[Value]:
    used: set[Value] = set()
    for block in blocks:
        for op in block.operations:
            used.update(op.args)
        if isinstance(block.exitswitch, Variable):
            used.add(block.exitswitch)
        for link in block.exits:
            used.update(link.args)
    return used


def span_text(span: Span) -> str:
    """``line`` or ``line:col-end``; the file is the graph's."""
    if span.col < 0:
        return str(span.line)
    if span.end_line in (-1, span.line):
        return f"{span.line}:{span.col}-{span.end_col}"
    return f"{span.line}:{span.col}-{span.end_line}:{span.end_col}"
