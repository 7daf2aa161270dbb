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

from collections.abc import Iterable, Iterator
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
from rpython.translator.ir.records import dataclass
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


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the text of a graph.  ``block``: whose line it is, None where it is the graph's
    own; the first one of a block has nothing else.  ``op``: the operation that it shows, ``links``:
    the ways out of the block."""

    text: str
    block: Block | None = None
    op: SpaceOperation | None = None
    links: tuple[Link, ...] = ()


class Naming:
    """The names of the variables and blocks of a low-level graph that is shown several times: what
    was there before keeps its name."""

    def __init__(self) -> None:
        self.namer = Namer()
        self.labels: dict[Block, str] = {}

    def label(self, block: Block) -> None:
        """Give the block a number, unless it has one."""
        self.labels.setdefault(block, f"b{len(self.labels)}")

    def copied(self, graph: FunctionGraph, copy: FunctionGraph) -> None:
        """Give what is in the copy of a graph the names of what it is a copy of."""
        for block, new in zip(graph.iterblocks(), copy.iterblocks(), strict=True):
            if block in self.labels:
                self.labels[new] = self.labels[block]
            for v, other in zip(_defined_in(new), _defined_in(block), strict=True):
                self.namer.share(v, other)


def _defined_in(block: Block) -> Iterator[Variable]:
    yield from block.inputargs
    for op in block.operations:
        yield op.result
    for link in block.exits:
        if link.last_exc_value is not None:
            yield link.last_exc_value


class GraphText:
    """The text of one graph and of its pieces, under one naming."""

    def __init__(
        self, graph: FunctionGraph, spans: bool = False, env: PrintEnv | None = None,
        naming: Naming | None = None,
    ) -> None:  # fmt: skip
        self.graph = graph
        self.spans = spans
        self.env = env or HostEnv()
        self.host = HostNamer()
        naming = naming or Naming()
        self.namer = naming.namer
        self.labels = naming.labels
        ends = (graph.returnblock, graph.exceptblock)
        self.blocks = [block for block in reverse_postorder(graph) if block not in ends]
        for block in self.blocks:
            naming.label(block)
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
        return "".join(f"{line.text}\n" for line in self.lines())

    def lines(self) -> Iterator[Line]:
        """The lines of the text; ``name`` is of variables of the block of the last one."""
        graph = self.graph
        if not self.blocks:  # the start block is the return block
            yield Line(self._header())
        for block in self.blocks:
            if is_high_level(graph):
                self.namer = Namer()
                self._name_definitions(block)
            if block is graph.startblock:
                yield Line(self._header())
            yield from self._block(block)
        yield Line("}")

    def name(self, v: Variable) -> str:
        """The name of a variable."""
        return self.namer.name(v)

    def type_of(self, v: Variable) -> str:
        """The low-level type or the annotation of a variable; '' where it has none."""
        return self._type(v)

    def _name_definitions(self, block: Block) -> None:
        for v in self.shown_in(block):
            self.namer.name(v)

    def shown_in(self, block: Block) -> Iterator[Variable]:
        """The variables that get their values in the block or by its exits, and are shown."""
        yield from block.inputargs
        for op in block.operations:
            if not self._omits_result(op):
                yield op.result
        for link in block.exits:
            if link.last_exc_value is not None:
                yield link.last_exc_value

    def _header(self) -> str:
        args = ", ".join(map(self._typed, self.graph.getargs()))
        result = self._type(self.graph.getreturnvar())
        arrow = f" -> {result}" if result else ""
        return f"graph {self.env.format_graph_name(self.graph)}({args}){arrow} {{"

    def _block(self, block: Block) -> Iterator[Line]:
        show = self._value if block is self.graph.startblock else self._typed
        yield Line(f"{self.labels[block]}({', '.join(map(show, block.inputargs))}):", block)
        plain = block.operations[:-1] if block.canraise else block.operations
        for op in plain:
            yield Line(INDENT + self.operation(op), block, op)
        if block.canraise and block.operations:
            op = block.operations[-1]
            yield Line(f"{INDENT}try {self.operation(op)}", block, op)
            for link in block.exits:
                yield Line(INDENT * 2 + self._way_out(link), block, links=(link,))
        elif isinstance(block.exitswitch, Variable) and block.is_switch:
            yield from self._switch(block, block.exitswitch)
        elif isinstance(block.exitswitch, Variable) and len(block.exits) == 2:
            no, yes = block.exits
            otherwise = self._jump(no).removeprefix("goto ")
            switch = self._value(block.exitswitch)
            text = f"{INDENT}if {switch} {self._jump(yes)} else {otherwise}"
            yield Line(text, block, links=(yes, no))
        elif block.is_unreachable:
            yield Line(f"{INDENT}unreachable", block)
        else:
            for link in block.exits:
                yield Line(INDENT + self._jump(link), block, links=(link,))

    def _switch(self, block: Block, switch: Variable) -> Iterator[Line]:
        yield Line(f"{INDENT}switch {self._value(switch)}", block)
        for link in block.exits[1:]:
            case = self._value(Constant(link.exitcase, switch.concretetype))
            yield Line(f"{INDENT * 2}case {case} {self._jump(link)}", block, links=(link,))
        otherwise = self._jump(block.exits[0]).removeprefix("goto ")
        yield Line(f"{INDENT * 2}else {otherwise}", block, links=(block.exits[0],))

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
