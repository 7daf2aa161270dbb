"""One low-level graph -> one C function.

    graph count(n: Signed) -> Signed {          static Signed f_count(Signed n)
    b0(n):                                      {
        goto b1(0)                                  Signed i, v0;
    b1(i):                                          Bool v1;
        v1 = int_lt(i, n)                           i = 0L;
        if v1 goto b2() else return(i)          b1:
    b2():                                           v1 = i < n;
        v0 = int_add(i, 1)                          if (!v1)
        goto b1(v0)                                     return i;
    }                                               ...

One C variable per graph variable, one label per block that is jumped to.  Blocks from
which only an exception leads out, and those to which only a failure leads, come last: the
straight line stays short, and the C compiler is told that the rest is unlikely.
"""

from __future__ import annotations

from collections.abc import Sequence

from rpython.backend_c.collect import CFunction
from rpython.backend_c.constants import ConstantWriter
from rpython.backend_c.linedirectives import LineDirectives
from rpython.backend_c.locations import Locations
from rpython.backend_c.names import C_RESERVED, c_string
from rpython.backend_c.ops import OpCode, OpWriter
from rpython.backend_c.parallel_copies import sequential_copies
from rpython.backend_c.types import TypeTable, is_void, spaced
from rpython.lltypesystem.operations.memory import UNREACHABLE_REACHED
from rpython.lltypesystem.operations.seldom import calls_seldom
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Variable,
)
from rpython.translator.ir.naming import Namer
from rpython.translator.ir.span import Span
from rpython.translator.ir.traversal import predecessors, reverse_postorder

SourceLine = tuple[str, Span | None]
"""A line of C, and of which place in the program it is."""

_GLOBAL_PREFIXES = ("f_", "d_", "s_", "fn_", "array_", "gcarray_", "rpy_", "loc_")


def prototype(function: CFunction, types: TypeTable, names: Sequence[str] | None = None) -> str:
    """The C declarator of a function, without storage class: ``Signed f_x(Signed n)``."""
    graph = function.graph
    args = [arg for arg in graph.getargs() if not is_void(arg.concretetype)]
    if names is None:
        parameters = [types.ctype(arg.concretetype) for arg in args]
    else:
        parameters = [types.declare(arg.concretetype, name) for arg, name in zip(args, names)]
    result = spaced(types.ctype(graph.getreturnvar().concretetype))
    return f"{result}{function.name}({', '.join(parameters) or 'void'})"


class FunctionWriter:
    """Writes the C function of one graph: ``lines()``."""

    def __init__(
        self,
        function: CFunction,
        types: TypeTable,
        constants: ConstantWriter,
        directives: LineDirectives,
    ) -> None:
        self.function = function
        self.graph: FunctionGraph = function.graph
        self.types = types
        self.constants = constants
        self.directives = directives
        self._namer = Namer()
        self._names: dict[Variable, str] = {}
        self._taken: set[str] = set()
        self._by_type: dict[str, list[str]] = {}
        self._foreign_names = {func.c_name for func in constants.contents.externals}
        self._used = _used_variables(self.graph)
        self._cold = _cold_blocks(self.graph)
        self._order = self._block_order()
        self._labels = {block: f"b{number}" for number, block in enumerate(self._order)}
        self._jumped_to: set[Block] = set()
        self._locations = Locations(self.graph)
        self._lines: list[SourceLine] = []
        """Labels (not indented) and statements of the blocks."""
        self._end: Span | None = None  # of the ``return`` written last
        self._parameters = [
            self.local(arg) for arg in self.graph.getargs() if not is_void(arg.concretetype)
        ]
        self._by_type.clear()
        self.ops = OpWriter(
            types, constants, self.local, self._used.__contains__, self._where
        )  # fmt: skip

    # -- names --

    def local(self, v: Variable) -> str:
        """The C name of a variable; declares it when it is new."""
        name = self._names.get(v)
        if name is None:
            name = self._namer.name(v)
            if self._means_something_else(name):
                name = "v_" + name
            while name in self._taken:
                name += "_"
            self._taken.add(name)
            self._names[v] = name
            self._by_type.setdefault(self.types.ctype(v.concretetype), []).append(name)
        return name

    def _means_something_else(self, name: str) -> bool:
        return (
            name in C_RESERVED
            or name in self._foreign_names
            or name[0].isupper()
            or name.startswith(_GLOBAL_PREFIXES)
        )

    def _block_order(self) -> list[Block]:
        ends = (self.graph.returnblock, self.graph.exceptblock)
        blocks = [block for block in reverse_postorder(self.graph) if block not in ends]
        if self.graph.startblock in self._cold:
            return blocks
        return sorted(blocks, key=lambda block: block in self._cold)  # stable

    # -- lines --

    def lines(self) -> list[str]:
        """The whole definition, storage class excepted: the declarator is line 0."""
        self._write_blocks()
        body = [*self._render(), *self._exact_line(self._end)]
        head = prototype(self.function, self.types, self._parameters)
        start = self._exact_line(self.graph.span)
        return [head, *start, "{", *self._declarations(start), *body, "}"]

    def source_lines(self) -> list[SourceLine]:
        """The same without ``#line``: each with its place."""
        self._write_blocks()
        head = prototype(self.function, self.types, self._parameters)
        before = [head, "{", *self._declarations([])]
        return [*((line, None) for line in before), *self._shown_lines(), ("}", None)]

    def _write_blocks(self) -> None:
        for index, block in enumerate(self._order):
            following = self._order[index + 1] if index + 1 < len(self._order) else None
            self._write_block(block, following)

    def _declarations(self, start: list[str]) -> list[str]:
        """Of the variables; ``start``: what puts a line at the beginning of the function."""
        lines = [f"    {_declare(ctype, names)};" for ctype, names in self._by_type.items()]
        if self.ops.handles_exceptions:
            lines.append("    Signed const rpy_height = rpy_handled;")
        if self.ops.finds_frame:
            lines.append("    void **rpy_frame;")
        elif self.ops.has_frame:
            lines += [*start, "    void **const rpy_frame = rpy_gc_roots;"]
        return lines

    def location_table(self) -> list[str]:
        """The places the function's traceback entries refer to, as a definition without storage
        class; call after ``lines()``."""
        return self._locations.table(self.function.name)

    def _add(self, text: str, span: Span | None = None) -> None:
        self._lines.append(("    " + text, span))

    def _render(self) -> list[str]:
        """The text of the blocks, with a #line where another source line begins.

        Exact directives are repeated wherever the C compiler, which counts on by itself,
        would believe in another line than the statement's; they are for debuggers.
        """
        result: list[str] = []
        file, line = "", 0  # what the directives said last
        exact = self.directives.exact
        here: Span | None = self.graph.span if exact else None
        for text, span in self._shown_lines():
            if exact:  # what comes from nowhere belongs to what is before it
                span = here = span if span is not None and span.line > 0 else here
            if self.directives.present and span is not None and span.line > 0:
                there = self.directives.place(span)
                if file != there[0]:
                    result.append(f"#line {there[1]} {c_string(there[0])}")
                elif line != there[1]:
                    result.append(f"#line {there[1]}")
                file, line = there
            result.append(text)
            if exact:
                line += 1
        return result

    def _shown_lines(self) -> list[SourceLine]:
        """The text of the blocks, without the labels nobody jumps to."""
        labels = {self._labels[block] + ":" for block in self._jumped_to}
        return [line for line in self._lines if line[0].startswith(" ") or line[0] in labels]

    def _exact_line(self, span: Span | None) -> list[str]:
        """The directive that puts the next line there, where directives are exact."""
        if not self.directives.exact or span is None or span.line <= 0:
            return []
        file, line = self.directives.place(span)
        return [f"#line {line} {c_string(file)}"]

    # -- blocks --

    def _write_block(self, block: Block, following: Block | None) -> None:
        self._lines.append((f"{self._labels[block]}:", None))
        for op in block.operations[: len(block.operations) - block.canraise]:
            self._write_op(op)
        if block.canraise:
            self._write_failing(block, following)
        else:
            self._write_exits(block, following)

    def _write_failing(self, block: Block, following: Block | None) -> None:
        """The last operation of the block, and the way that is taken when it fails."""
        op, (normal, failed) = block.raising_op, block.exits
        code = self._write_op(op, fails=True)
        jump = self._jump(failed, None)
        if normal.target is failed.target and normal.args == failed.args:
            for line in jump:
                self._add(line, op.span)
            return
        test = f"if (RPY_UNLIKELY({code.condition or 'rpy_exc != NULL'}))"
        if len(jump) == 1:
            self._add(f"{test} {jump[0]}", op.span)
        else:
            for line in (f"{test} {{", *("    " + line for line in jump), "}"):
                self._add(line, op.span)
        if code.after:
            self._add(code.after, op.span)
        self._add_jump(normal, self._jump(normal, following))

    def _write_exits(self, block: Block, following: Block | None) -> None:
        if isinstance(block.exitswitch, Variable) and block.is_switch:
            self._write_switch(block, block.exitswitch, following)
        elif isinstance(block.exitswitch, Variable):
            no, yes = block.exits
            assert not no.exitcase
            condition = self.local(block.exitswitch)
            if yes.target is following:
                no, yes, condition = yes, no, f"!{condition}"
            if yes.target in self._cold and no.target not in self._cold:
                condition = f"RPY_UNLIKELY({condition})"
            jump = self._jump(yes, None)
            if len(jump) == 1:
                self._add(f"if ({condition}) {jump[0]}")
            else:
                self._add(f"if ({condition}) {{")
                self._add_jump(yes, jump, "    ")
                self._add("}")
            self._add_jump(no, self._jump(no, following))
        elif block.is_unreachable:
            self._add(f"rpy_fatal_error({c_string(UNREACHABLE_REACHED)});")
        else:
            self._add_jump(block.exits[0], self._jump(block.exits[0], following))

    def _write_switch(self, block: Block, switch: Variable, following: Block | None) -> None:
        self._add(f"switch ({self.local(switch)}) {{")
        for link in block.exits[1:]:
            self._add(f"case {self.ops.value(Constant(link.exitcase, switch.concretetype))}:")
            self._add_jump(link, self._jump(link, None), "    ")
        self._add("}")
        self._add_jump(block.exits[0], self._jump(block.exits[0], following))

    def _add_jump(self, link: Link, statements: list[str], indent: str = "") -> None:
        span = link.span if link.target is self.graph.returnblock else None
        self._end = span or self._end
        for line in statements:
            self._add(indent + line, span)

    def _jump(self, link: Link, following: Block | None) -> list[str]:
        """The statements that follow a link; no goto when the target comes next."""
        result: list[str] = []
        if link.target is self.graph.returnblock:
            if is_void(link.target.inputargs[0].concretetype):
                return [*result, "return;"]
            return [*result, f"return {self.ops.value(link.args[0])};"]
        if link.target is self.graph.exceptblock:
            void = is_void(self.graph.getreturnvar().concretetype)
            return [*result, "return;" if void else "return 0;"]
        copies = [
            (
                self.types.ctype(param.concretetype),
                self.local(param),
                self.ops.value(arg),
            )
            for arg, param in zip(link.args, link.target.inputargs)
            if not is_void(param.concretetype) and param in self._used
        ]
        result += sequential_copies(copies)
        if link.target is not following:
            self._jumped_to.add(link.target)
            result.append(f"goto {self._labels[link.target]};")
        return result

    # -- operations --

    def _write_op(self, op: SpaceOperation, fails: bool = False) -> OpCode:
        """Write one operation; with ``fails`` but for the test whether it has failed."""
        code = self.ops.write(op)
        if code.statement:
            self._add(code.statement, op.span)
        if not fails:
            if code.condition:
                self._add(f"(void)({code.condition});", op.span)
            if code.after:
                self._add(code.after, op.span)
        return code

    def _where(self, span: Span) -> str:
        location = self._locations.number(span)
        return "NULL" if location is None else f"&loc_{self.function.name}[{location}]"


def _declare(ctype: str, names: list[str]) -> str:
    stars = ctype[len(ctype.rstrip("*")) :]
    if stars:
        return ctype + f", {stars}".join(names)
    return f"{ctype} {', '.join(names)}"


def _cold_blocks(graph: FunctionGraph) -> set[Block]:
    """The blocks from which every way ends in an exception that leaves the function, those to
    which only failures lead, and those that call a function that is seldom called."""
    entering = predecessors(graph)
    cold = {
        block for block, links in entering.items()
        if (links and all(_is_failure(link) for link in links))
        or any(map(calls_seldom, block.operations))
    }  # fmt: skip
    todo = [graph.exceptblock] if graph.exceptblock in entering else []
    todo += cold
    while todo:
        block = todo.pop()
        cold.add(block)
        for link in entering[block]:
            before = link.prevblock
            if before is None or before in cold:
                continue
            if all(each.target in cold for each in before.exits):
                todo.append(before)
    return cold


def _is_failure(link: Link) -> bool:
    block = link.prevblock
    return block is not None and block.canraise and link is block.exits[1]


def _used_variables(graph: FunctionGraph) -> set[Variable]:
    """The variables that an operation, a switch or a link reads."""
    used: set[Variable] = set()
    for block in graph.iterblocks():
        for op in block.operations:
            used.update(arg for arg in op.args if isinstance(arg, Variable))
        if isinstance(block.exitswitch, Variable):
            used.add(block.exitswitch)
        for link in block.exits:
            used.update(arg for arg in link.args if isinstance(arg, Variable))
    return used
