"""Low-level text to graphs: the inverse of ``translator.ir.printer``.

A text holds declarations (the environment's: types and prebuilt data) and graphs, in any
order of graphs; ``@name`` refers to a graph or to prebuilt data.  Parsing what was
printed and printing it again gives the same text.
"""

from __future__ import annotations

import re
from typing import Any, Protocol

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
from rpython.translator.ir.opdef import OpDef
from rpython.translator.ir.tokens import Tokens

_LABEL = re.compile(r"b\d+")


class ParseEnv(Protocol):
    """How types, constants and names are read; ``lltypesystem.text`` has the real one."""

    def declare_names(self, tokens: Tokens) -> None:
        """Called once, first: a chance to see what the text is going to declare."""
        ...

    def parse_declaration(self, tokens: Tokens) -> None:
        """Read one declaration; a syntax error when there is none."""
        ...

    def parse_type(self, tokens: Tokens) -> Any: ...

    def parse_constant(self, tokens: Tokens) -> Constant: ...

    def parse_exitcase(self, tokens: Tokens) -> tuple[type[BaseException], Any]:
        """The ``exitcase`` and ``llexitcase`` of an exception link."""
        ...

    def exception_type(self) -> Any:
        """The concretetype of exception instances."""
        ...

    def op(self, name: str) -> OpDef | None:
        """The row of that name, if any."""
        ...

    def fixed_result(self, opdef: OpDef) -> Any:
        """The result type the row alone determines, or None."""
        ...

    def void(self) -> Any:
        """The type of results that carry nothing."""
        ...

    def declare_graph(self, graph: FunctionGraph) -> None:
        """Make ``@name`` a pointer to a graph whose arguments and result are typed."""
        ...


def parse_graphs(text: str, env: ParseEnv, filename: str = "<text>") -> list[FunctionGraph]:
    """The graphs of a text, in order, of stage ``lowlevel``.  Raises ParseError."""
    tokens = Tokens(text, filename)
    env.declare_names(tokens)
    bodies = []
    while tokens.peek().kind != "end":
        if tokens.at("graph"):
            graph = _parse_header(tokens, env)
            env.declare_graph(graph)
            bodies.append((graph, tokens.mark()))
            tokens.skip_braces()
        else:
            env.parse_declaration(tokens)
    for graph, mark in bodies:  # after all headers: graphs may refer to each other
        tokens.reset(mark)
        _BodyParser(tokens, env, graph).parse()
    return [graph for graph, _ in bodies]


def parse_graph(text: str, env: ParseEnv, filename: str = "<text>") -> FunctionGraph:
    """The only graph of a text.  Raises ParseError."""
    graphs = parse_graphs(text, env, filename)
    if len(graphs) != 1:
        raise Tokens(text, filename).error(f"expected one graph, found {len(graphs)}", 0)
    return graphs[0]


def _parse_header(tokens: Tokens, env: ParseEnv) -> FunctionGraph:
    """``graph name(arg: type, ...) -> type``."""
    offset = tokens.peek().offset
    tokens.expect("graph")
    name = tokens.expect_kind("name")
    tokens.expect("(")
    args: list[Variable] = []
    while not tokens.accept(")"):
        if args:
            tokens.expect(",")
        argname = tokens.expect_kind("name")
        tokens.expect(":")
        args.append(Variable(argname, env.parse_type(tokens)))
    tokens.expect("->")
    result = Variable("result", env.parse_type(tokens))
    graph = FunctionGraph(name, Block(args), result, span=tokens.span(offset))
    graph.exceptblock.inputargs[0].concretetype = env.exception_type()
    graph.stage = "lowlevel"
    return graph


class _BodyParser:
    """Parses the blocks of one graph."""

    def __init__(self, tokens: Tokens, env: ParseEnv, graph: FunctionGraph) -> None:
        self.tokens = tokens
        self.env = env
        self.graph = graph
        self.variables: dict[str, Variable] = {}
        self.blocks: dict[str, Block] = {}

    def parse(self) -> None:
        tokens = self.tokens
        tokens.expect("{")
        first = tokens.mark()
        self._collect_definitions()
        tokens.reset(first)
        while not tokens.accept("}"):
            self._parse_block()

    # -- first walk: labels and definitions, so that uses may come before them

    def _collect_definitions(self) -> None:
        tokens = self.tokens
        while not tokens.at("}"):
            if self._at_label():
                self._define_block()
            elif self._at_result():
                name = tokens.expect_kind("name")
                T = self.env.parse_type(tokens) if tokens.accept(":") else None
                self._define(Variable(name, T), name)
            elif tokens.accept("as"):
                name = tokens.expect_kind("name")
                self._define(Variable(name, self.env.exception_type()), name)
            elif tokens.at("{"):  # a dict constant
                tokens.skip_braces()
            elif tokens.at("{"):
                tokens.skip_braces()  # a constant
            else:
                tokens.next()

    def _at_label(self) -> bool:
        """``b1(`` starts a block, unless a jump precedes it."""
        tokens = self.tokens
        label = tokens.peek().kind == "name" and _LABEL.fullmatch(tokens.peek().text)
        return bool(label) and tokens.peek(1).text == "(" and not self._after_jump_word()

    def _after_jump_word(self) -> bool:
        return self.tokens.peek(-1).text in ("goto", "else")

    def _at_result(self) -> bool:
        tokens = self.tokens
        return tokens.peek().kind == "name" and tokens.peek(1).text in (":", "=")

    def _define_block(self) -> None:
        tokens = self.tokens
        start = not self.blocks
        offset = tokens.peek().offset
        label = tokens.expect_kind("name")
        if label in self.blocks:
            raise tokens.error(f"block {label} is defined twice", offset)
        tokens.expect("(")
        inputargs: list[Variable] = []
        while not tokens.accept(")"):
            if inputargs:
                tokens.expect(",")
            name = tokens.expect_kind("name")
            if start:
                v = self._start_argument(len(inputargs), name)
            else:
                tokens.expect(":")
                v = Variable(name, self.env.parse_type(tokens))
            self._define(v, name)
            inputargs.append(v)
        tokens.expect(":")
        if start and len(inputargs) != len(self.graph.getargs()):
            raise tokens.error("the first block must have the arguments of the graph", offset)
        self.blocks[label] = self.graph.startblock if start else Block(inputargs)

    def _start_argument(self, index: int, name: str) -> Variable:
        args = self.graph.getargs()
        if index >= len(args) or args[index].name != name:
            raise self.tokens.error("the first block must have the arguments of the graph")
        return args[index]

    def _define(self, v: Variable, name: str) -> None:
        if name in self.variables:
            raise self.tokens.error(f"variable {name} is defined twice")
        self.variables[name] = v

    # -- second walk: operations and exits

    def _parse_block(self) -> None:
        tokens = self.tokens
        if not self._at_label():
            raise tokens.error(f"expected a block, found {tokens.peek().text!r}")
        block = self.blocks[tokens.next().text]
        depth = 0
        while depth or not tokens.at(":"):  # checked by the first walk
            depth += tokens.at("(") - tokens.at(")")
            tokens.next()
        tokens.expect(":")
        while not tokens.at("goto", "return", "raise", "if", "switch", "try", "unreachable"):
            block.operations.append(self._parse_operation())
        if tokens.accept("if"):
            self._parse_branch(block)
        elif tokens.accept("switch"):
            self._parse_switch(block)
        elif tokens.accept("try"):
            self._parse_try(block)
        elif tokens.accept("unreachable"):
            block.close_unreachable()
        else:
            block.closeblock(self._parse_jump(None))

    def _parse_branch(self, block: Block) -> None:
        block.exitswitch = self._variable()
        yes = self._parse_jump(True)
        self.tokens.expect("else")
        no = self._parse_jump(False, goto_optional=True)
        block.closeblock(no, yes)

    def _parse_switch(self, block: Block) -> None:
        switch = block.exitswitch = self._variable()
        links = []
        while self.tokens.accept("case"):
            offset = self.tokens.peek().offset
            case = self.env.parse_constant(self.tokens)
            if case.concretetype != switch.concretetype:
                T, wanted = case.concretetype, switch.concretetype
                raise self.tokens.error(f"a case of a {wanted} cannot be a {T}", offset)
            links.append(self._parse_jump(case.value))
        self.tokens.expect("else")
        block.closeblock(self._parse_jump(None, goto_optional=True), *links)

    def _parse_try(self, block: Block) -> None:
        block.operations.append(self._parse_operation())
        block.exitswitch = LAST_EXCEPTION
        links = [self._parse_jump(None)]
        while self.tokens.accept("except"):
            exitcase, llexitcase = self.env.parse_exitcase(self.tokens)
            caught = self._variable() if self.tokens.accept("as") else None
            link = self._parse_jump(exitcase)
            link.llexitcase = llexitcase
            link.last_exc_value = caught
            links.append(link)
        block.closeblock(*links)

    def _parse_operation(self) -> SpaceOperation:
        tokens = self.tokens
        span = tokens.span(tokens.peek().offset)
        result = None
        if self._at_result():
            result = self._variable()
            if tokens.accept(":"):
                self.env.parse_type(tokens)  # kept by the first walk
            tokens.expect("=")
        offset = tokens.peek().offset
        name = tokens.expect_kind("name")
        opdef = self.env.op(name)
        if opdef is None:
            raise tokens.error(f"unknown operation {name!r}", offset)
        tokens.expect("(")
        args: list[Value] = []
        while not tokens.accept(")"):
            if args:
                tokens.expect(",")
            args.append(self._parse_value())
        if result is None:
            result = Variable("v", self.env.fixed_result(opdef) or self.env.void())
        if result.concretetype is None:
            result.concretetype = self.env.fixed_result(opdef)
        if result.concretetype is None:
            raise tokens.error(f"the result of {name} needs a type", offset)
        return SpaceOperation(opdef, args, result, span)

    def _parse_jump(self, exitcase: Any, goto_optional: bool = False) -> Link:
        tokens = self.tokens
        if tokens.accept("return"):
            return Link([self._parse_value()], self.graph.returnblock, exitcase)
        if tokens.accept("raise"):
            return Link([self._parse_value()], self.graph.exceptblock, exitcase)
        if not (goto_optional and _LABEL.fullmatch(tokens.peek().text)):
            tokens.expect("goto")
        offset = tokens.peek().offset
        label = tokens.expect_kind("name")
        if label not in self.blocks:
            raise tokens.error(f"there is no block {label}", offset)
        target = self.blocks[label]
        tokens.expect("(")
        args: list[Value] = []
        while not tokens.accept(")"):
            if args:
                tokens.expect(",")
            args.append(self._parse_value())
        if len(args) != len(target.inputargs):
            raise tokens.error(f"{label} takes {len(target.inputargs)} arguments", offset)
        return Link(args, target, exitcase)

    def _parse_value(self) -> Value:
        token = self.tokens.peek()
        if token.kind == "name" and token.text in self.variables:
            return self._variable()
        return self.env.parse_constant(self.tokens)

    def _variable(self) -> Variable:
        name = self.tokens.expect_kind("name")
        if name not in self.variables:
            raise self.tokens.error(f"variable {name} is never defined")
        return self.variables[name]
