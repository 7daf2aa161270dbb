"""Low-level types, constants and prebuilt data as text, in both directions.

::

    gcstruct node { value: Signed, next: *node }
    data @node.1: node
    function @next_random: Func(Signed -> Signed)
    graph push(stack: *node, n: Signed) -> *node { ... }

Types: ``Signed`` (and every other primitive), ``*node``, ``Array(Char, nolength)``,
``GcArray(*node)``, ``FixedSizeArray(Signed, 4)``, ``Func(Signed, Float -> Void)``,
``Opaque(RuntimeTypeInfo)``, ``GcOpaque(any)`` and the names of declared structs.

Constants say their own type: ``5``, ``5u`` (Unsigned), ``-5i8 5u16 5i128`` (sized),
``1.5 inf nan`` (Float), ``single(1.5)``, ``'a'`` (Char), ``u'a'`` (UniChar), ``True``,
``null(*node)``, ``null(Address)``, ``@node.1`` (a pointer to the data or function of that name),
``offset(field node "next", item Signed 3)`` (Offset),
``cast(@node.1, *object)`` (the same as another pointer type).  Void constants:
``void``, ``"field"``, ``type node``, ``{'flavor': 'gc'}``, ``[@f, @g]`` (graphs), and
``host @name`` for any other host object, which only the environment that printed it
reads back.

The contents of prebuilt data are not part of the text.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable
from typing import Any

from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.primitives import (
    Bool,
    Char,
    Float,
    LowLevelType,
    Offset,
    Signed,
    SingleFloat,
    UniChar,
    Void,
    frozendict,
)
from rpython.lltypesystem.rclass import OBJECTPTR
from rpython.lltypesystem.simulated.containers import container_key
from rpython.lltypesystem.simulated.memory import _ptr, functionptr, make_ptr, malloc, opaqueptr
from rpython.lltypesystem.simulated.offsets import AddressOffset, Step
from rpython.lltypesystem.textprint import SUFFIXES, WORDS, TextNames
from rpython.lltypesystem.types import (
    Array,
    FixedSizeArray,
    ForwardReference,
    FuncType,
    GcArray,
    GcForwardReference,
    GcOpaqueType,
    GcStruct,
    OpaqueType,
    Ptr,
    Struct,
)
from rpython.translator.ir.model import Constant, FunctionGraph
from rpython.translator.ir.opdef import OpDef
from rpython.translator.ir.printer import GraphText
from rpython.translator.ir.tokens import ParseError, Tokens

_FROM_SUFFIX = {suffix: T for T, suffix in SUFFIXES.items()}
_ARRAYS = {"Array": Array, "GcArray": GcArray}
_OPAQUE = {"Opaque": OpaqueType, "GcOpaque": GcOpaqueType}


def print_graphs(
    graphs: Iterable[FunctionGraph], *, spans: bool = False, env: TextEnv | None = None
) -> str:
    """Low-level graphs as one text with all the declarations they need."""
    env = env or TextEnv()
    graphs = list(graphs)
    bodies = [GraphText(graph, spans, env).text() for graph in graphs]
    declarations = env.declarations(graphs)
    return "\n".join([declarations, *bodies] if declarations else bodies)


def print_lowlevel(graph: FunctionGraph, *, spans: bool = False) -> str:
    """One low-level graph, without declarations."""
    return GraphText(graph, spans, TextEnv()).text()


class TextEnv(TextNames):
    """The names of struct types, prebuilt data and functions, both ways: the ``PrintEnv``
    of ``translator.ir.printer`` and the ``ParseEnv`` of ``translator.ir.parser``."""

    # -- declarations

    def declare_names(self, tokens: Tokens) -> None:
        """Make every struct the text declares known as a forward reference."""
        for word, name in tokens.pairs():
            if word in ("gcstruct", "struct") and name not in self.types:
                forward = GcForwardReference if word == "gcstruct" else ForwardReference
                self.types[name] = forward()

    def parse_declaration(self, tokens: Tokens) -> None:
        if tokens.at("gcstruct", "struct"):
            self._parse_struct(tokens)
        elif tokens.at("data", "function"):
            self._parse_symbol(tokens)
        else:
            raise tokens.error(
                f"expected graph, gcstruct, struct, data or function, found {tokens.peek().text!r}"
            )

    def _parse_struct(self, tokens: Tokens) -> None:
        cls = GcStruct if tokens.next().text == "gcstruct" else Struct
        offset = tokens.peek().offset
        name = tokens.expect_kind("name")
        hints: dict[str, Any] = {}
        if tokens.accept("["):
            hints = self._parse_hints(tokens)
            tokens.expect("]")
        tokens.expect("{")
        fields: list[tuple[str, LowLevelType]] = []
        while not tokens.accept("}"):
            if fields:
                tokens.expect(",")
            field = tokens.expect_kind("name")
            tokens.expect(":")
            fields.append((field, self.parse_type(tokens)))
        try:
            S = cls(name, *fields, hints=hints)
        except TypeError as error:
            raise tokens.error(str(error), offset) from error
        known = self.types[name]
        if isinstance(known, ForwardReference):
            known.become(S)
            self.types[name] = S
            self.type_names[S] = name
        elif not isinstance(known, Struct) or known._flds != S._flds:
            raise tokens.error(f"{name} is already declared, with other fields", offset)

    def _parse_hints(self, tokens: Tokens) -> dict[str, Any]:
        hints: dict[str, Any] = {}
        while not tokens.at("]", ")"):
            if hints:
                tokens.expect(",")
            hint = tokens.expect_kind("name")
            hints[hint] = self._parse_literal(tokens) if tokens.accept("=") else True
        return hints

    def _parse_symbol(self, tokens: Tokens) -> None:
        is_function = tokens.next().text == "function"
        offset = tokens.peek().offset
        name = _symbol_name(tokens.expect_kind("symbol"))
        tokens.expect(":")
        T = self.parse_type(tokens)
        length = None
        if tokens.accept("["):
            length = int(tokens.expect_kind("number"))
            tokens.expect("]")
        if name in self.symbols:
            declared = self.symbols[name]._TYPE
            if declared.TO != T:
                raise tokens.error(f"@{name} is already declared, with another type", offset)
            return
        try:
            if is_function:
                p = functionptr(T, name)
            elif isinstance(T, OpaqueType):
                p = opaqueptr(T, name)
            else:
                p = malloc(T, length, immortal=True)
        except TypeError as error:
            raise tokens.error(str(error), offset) from error
        self.add_symbol(name, p)

    def add_symbol(self, name: str, p: _ptr) -> None:
        """Make ``@name`` mean ``p`` from now on."""
        self.symbols[name] = p
        self.symbol_names[container_key(p._obj)] = name

    def declare_graph(self, graph: FunctionGraph) -> None:
        FUNC = FuncType(
            [v.concretetype for v in graph.getargs()], graph.getreturnvar().concretetype
        )
        known = self.symbols.get(graph.name)
        if known is None:
            self.add_symbol(graph.name, functionptr(FUNC, graph.name, graph=graph))
        elif known._TYPE.TO == FUNC:  # the text of a graph this environment printed
            self.symbol_names[id(graph)] = graph.name
        else:
            raise ParseError(f"@{graph.name} is already declared, with another type", graph.span)

    # -- types

    def parse_type(self, tokens: Tokens) -> Any:
        if tokens.accept("*"):
            offset = tokens.peek().offset
            T = self.parse_type(tokens)
            try:
                return Ptr(T)
            except TypeError as error:
                raise tokens.error(str(error), offset) from error
        offset = tokens.peek().offset
        name = tokens.expect_kind("name")
        if name in WORDS:
            return WORDS[name]
        if name in _ARRAYS:
            tokens.expect("(")
            OF = self.parse_type(tokens)
            hints = self._parse_hints(tokens) if tokens.accept(",") else {}
            tokens.expect(")")
            return _ARRAYS[name](OF, hints=hints)
        if name == "FixedSizeArray":
            tokens.expect("(")
            OF = self.parse_type(tokens)
            tokens.expect(",")
            length = int(tokens.expect_kind("number"))
            tokens.expect(")")
            return FixedSizeArray(OF, length)
        if name == "Func":
            return self._parse_functype(tokens)
        if name in _OPAQUE:
            tokens.expect("(")
            tag = tokens.expect_kind("name")
            tokens.expect(")")
            return _OPAQUE[name](tag)
        if name in self.types:
            return self.types[name]
        raise tokens.error(f"unknown type {name}", offset)

    def _parse_functype(self, tokens: Tokens) -> FuncType:
        tokens.expect("(")
        args: list[LowLevelType] = []
        while not tokens.accept("->"):
            if args:
                tokens.expect(",")
            args.append(self.parse_type(tokens))
        result = self.parse_type(tokens)
        tokens.expect(")")
        return FuncType(args, result)

    # -- constants

    def parse_constant(self, tokens: Tokens) -> Constant:
        token = tokens.peek()
        if token.kind == "number":
            return self._parse_number(tokens)
        if token.kind == "string":
            tokens.next()
            value = ast.literal_eval(token.text)
            if token.text.startswith('"'):
                return Constant(value, Void)
            if not isinstance(value, str) or len(value) != 1:
                raise tokens.error("a character has one character", token.offset)
            return Constant(value, UniChar if token.text[0] == "u" else Char)
        if token.kind == "symbol":
            p = self._parse_symbol_use(tokens)
            return Constant(p, p._TYPE)
        if tokens.at("{"):
            return Constant(frozendict(self._parse_literal(tokens)), Void)
        if tokens.accept("["):
            graphs: list[FunctionGraph] = []
            while not tokens.accept("]"):
                if graphs:
                    tokens.expect(",")
                graphs.append(self._parse_symbol_use(tokens)._obj.graph)
            return Constant(graphs, Void)
        return self._parse_word_constant(tokens)

    def _parse_word_constant(self, tokens: Tokens) -> Constant:
        offset = tokens.peek().offset
        word = tokens.expect_kind("name")
        if word in ("True", "False"):
            return Constant(word == "True", Bool)
        if word == "void":
            return Constant(None, Void)
        if word == "type":
            return Constant(self.parse_type(tokens), Void)
        if word in ("host", "Address"):
            name = _symbol_name(tokens.expect_kind("symbol"))
            if name not in self.host:
                raise tokens.error(f"the host object @{name} is not known here", offset)
            return Constant(self.host[name], Void if word == "host" else WORDS[word])
        if word in ("null", "single", "cast", "offset"):
            tokens.expect("(")
            if word == "null":
                T = self.parse_type(tokens)
                result = Constant(T._defl(), T)
            elif word == "offset":
                result = Constant(self._parse_offset(tokens), Offset)
            elif word == "single":
                result = Constant(float(tokens.expect_kind("number")), SingleFloat)
            else:
                p = self._parse_symbol_use(tokens)
                tokens.expect(",")
                T = self.parse_type(tokens)
                result = Constant(make_ptr(T, p._obj), T)
            tokens.expect(")")
            return result
        raise tokens.error(f"{word} is neither a variable nor a constant", offset)

    def _parse_offset(self, tokens: Tokens) -> AddressOffset:
        steps: list[Step] = []
        while not tokens.at(")"):
            if steps:
                tokens.expect(",")
            backwards = bool(tokens.accept("back"))
            kind = tokens.expect_kind("name")
            T, what = self.parse_type(tokens), None
            if kind == "field":
                what = ast.literal_eval(tokens.expect_kind("string"))
            elif kind == "item":
                what = int(tokens.expect_kind("number"))
            steps.append(Step(kind, T, what, backwards))
        return AddressOffset(tuple(steps))

    def _parse_symbol_use(self, tokens: Tokens) -> _ptr:
        offset = tokens.peek().offset
        name = _symbol_name(tokens.expect_kind("symbol"))
        if name not in self.symbols:
            raise tokens.error(f"@{name} is not declared", offset)
        return self.symbols[name]

    def _parse_number(self, tokens: Tokens) -> Constant:
        offset = tokens.peek().offset
        text = tokens.expect_kind("number")
        for mark in "iu":
            head, found, bits = text.partition(mark)
            if found and head.lstrip("-").isdigit() and mark + bits in _FROM_SUFFIX:
                T = _FROM_SUFFIX[mark + bits]
                return self._integer(tokens, int(head), T, offset)
        if text.lstrip("-").isdigit():
            return self._integer(tokens, int(text), Signed, offset)
        try:
            return Constant(float(text), Float)
        except ValueError as error:
            raise tokens.error(f"{text} is not a number", offset) from error

    def _integer(self, tokens: Tokens, n: int, T: Any, offset: int) -> Constant:
        if not T.min <= n <= T.max:
            raise tokens.error(f"{n} is out of the range of {T}", offset)
        return Constant(n, T)

    def _parse_literal(self, tokens: Tokens) -> Any:
        """A Python literal: a word, a number, a string or a dict of those."""
        if tokens.accept("{"):
            result: dict[str, Any] = {}
            while not tokens.accept("}"):
                if result:
                    tokens.expect(",")
                key = ast.literal_eval(tokens.expect_kind("string"))
                tokens.expect(":")
                result[key] = self._parse_literal(tokens)
            return result
        token = tokens.next()
        try:
            return ast.literal_eval(token.text)
        except (ValueError, SyntaxError) as error:
            raise tokens.error(f"{token.text!r} is not a literal", token.offset) from error

    def parse_exitcase(self, tokens: Tokens) -> tuple[type[BaseException], Any]:
        offset = tokens.peek().offset
        name = tokens.expect_kind("name")
        cls = self.exceptions.get(name) or getattr(builtins, name, None)
        if not (isinstance(cls, type) and issubclass(cls, BaseException)):
            raise tokens.error(f"{name} is not an exception class known here", offset)
        vtable = None
        if tokens.accept("("):
            vtable = self._parse_symbol_use(tokens)
            tokens.expect(")")
        return cls, vtable

    def exception_type(self) -> Any:
        return OBJECTPTR

    def op(self, name: str) -> OpDef | None:
        return LLOPS.get(name)


def _symbol_name(symbol: str) -> str:
    return symbol.removeprefix("@")
