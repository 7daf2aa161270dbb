"""Low-level types, constants and prebuilt data as text: the printing half of
``lltypesystem.text``, which describes the notation."""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from typing import Any

from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.primitives import (
    PRIMITIVES,
    Address,
    Bool,
    Char,
    Float,
    LowLevelType,
    Offset,
    Signed,
    SingleFloat,
    UniChar,
    Unsigned,
    Void,
    frozendict,
)
from rpython.lltypesystem.rclass import OBJECT, OBJECT_VTABLE, read_class_name
from rpython.lltypesystem.rstr import STR1, STR4, STRPTR, read_str
from rpython.lltypesystem.simulated.containers import _func, _opaque, container_key
from rpython.lltypesystem.simulated.memory import _ptr, functionptr, make_ptr
from rpython.lltypesystem.simulated.offsets import Step
from rpython.lltypesystem.types import Array, FixedSizeArray, FuncType, OpaqueType, Ptr, Struct
from rpython.translator.ir.model import Constant, FunctionGraph, Link
from rpython.translator.ir.naming import identifier
from rpython.translator.ir.opdef import OpDef

WORDS: dict[str, LowLevelType] = {str(T): T for T in PRIMITIVES}
"""Primitive types by name."""

SUFFIXES = {
    T: ("i" if T.signed else "u") + str(T.bits)
    for T in PRIMITIVES
    if T.is_integer and T not in (Signed, Unsigned)
} | {Signed: "", Unsigned: "u"}
"""What follows the digits of an integer constant of each type."""

TYPE_WORDS = frozenset({*WORDS, "Array", "GcArray", "FixedSizeArray", "Func", "Opaque", "GcOpaque"})
"""What no struct can be called in text."""


MAX_HINT = 20
"""How many characters of a prebuilt str go into its name."""


class TextNames:
    """The names of struct types, prebuilt data and functions, given as they are met: the
    ``PrintEnv`` of ``translator.ir.printer``."""

    def __init__(self) -> None:
        self.types: dict[str, LowLevelType] = {}
        self.type_names: dict[Any, str] = {}
        self.symbols: dict[str, _ptr] = {}
        self.symbol_names: dict[Any, str] = {}
        self.host: dict[str, Any] = {}
        self.host_names: dict[int, str] = {}
        self.exceptions: dict[str, type[BaseException]] = {}
        self._predeclared = (OBJECT_VTABLE, OBJECT)
        for S in self._predeclared:
            self._name_struct(S)

    # -- printing: types

    def format_type(self, concretetype: Any) -> str:
        T = concretetype
        if isinstance(T, Ptr):
            return "*" + self.format_type(T.TO)
        if isinstance(T, Struct):
            return self.type_names.get(T) or self._name_struct(T)
        if isinstance(T, Array):
            hints = "".join(f", {hint}" for hint in _hints(T._hints))
            return f"{type(T).__name__}({self.format_type(T.OF)}{hints})"
        if isinstance(T, FixedSizeArray):
            return f"FixedSizeArray({self.format_type(T.OF)}, {T.length})"
        if isinstance(T, FuncType):
            args = ", ".join(map(self.format_type, T.ARGS))
            return f"Func({args}{' ' if args else ''}-> {self.format_type(T.RESULT)})"
        if isinstance(T, OpaqueType):
            return f"{type(T).__name__.removesuffix('Type')}({identifier(T.tag)})"
        return str(T)

    def _name_struct(self, S: Struct) -> str:
        base = identifier(S._name).strip("_") or "struct"
        name = _unused(f"{base}_" if base in TYPE_WORDS else base, self.types)
        self.types[name] = S
        self.type_names[S] = name
        return name

    def fixed_result(self, opdef: OpDef) -> Any:
        row = LLOPS.get(opdef.name)
        return None if row is None else row.result

    def void(self) -> Any:
        return Void

    # -- printing: constants

    def format_constant(self, constant: Constant) -> str:
        T, value = constant.concretetype, constant.value
        if isinstance(T, Ptr):
            return self._format_pointer(T, value)
        if T is Float:
            return repr(value)
        if T is SingleFloat:
            return f"single({float(value)!r})"
        if T is Char:
            return _quoted(value)
        if T is UniChar:
            return "u" + _quoted(value)
        if T is Bool:
            return str(value)
        if T in SUFFIXES:
            return f"{int(value)}{SUFFIXES[T]}"
        if T is Void:
            return self._format_void(value)
        if T is Offset:
            return f"offset({', '.join(map(self._format_step, value.steps))})"
        if T is Address and not value:
            return "null(Address)"
        return f"{T} {self._host_name(value)}"

    def _format_step(self, step: Step) -> str:
        text = f"{'back ' if step.backwards else ''}{step.kind} {self.format_type(step.TYPE)}"
        if step.kind == "field":
            return f'{text} "{step.what}"'
        return f"{text} {step.what}" if step.kind == "item" else text

    def _format_pointer(self, T: Ptr, value: _ptr) -> str:
        if not value:
            return f"null({self.format_type(T)})"
        symbol = self.symbol(value)
        if self.symbols[symbol]._TYPE == T:
            return _at(symbol)
        return f"cast({_at(symbol)}, {self.format_type(T)})"

    def _format_void(self, value: Any) -> str:
        if value is None:
            return "void"
        if isinstance(value, str):
            return '"' + repr("'" + value)[2:-1].replace('"', '\\"') + '"'
        if isinstance(value, LowLevelType):
            return f"type {self.format_type(value)}"
        if isinstance(value, dict):
            return "{" + ", ".join(f"{k!r}: {v!r}" for k, v in value.items()) + "}"
        if isinstance(value, list | tuple) and all(isinstance(g, FunctionGraph) for g in value):
            return f"[{', '.join(_at(self.graph_symbol(g)) for g in value)}]"
        return f"host {self._host_name(value)}"

    def _host_name(self, value: Any) -> str:
        name = self.host_names.get(id(value))
        if name is None:
            hint = getattr(value, "__qualname__", None) or type(value).__name__
            name = self.host_names[id(value)] = _unused(identifier(str(hint)), self.host)
            self.host[name] = value
        return _at(name)

    def symbol(self, p: _ptr) -> str:
        """The name of what the pointer ``p``, not null, points to."""
        key = container_key(p._obj)
        name = self.symbol_names.get(key)
        return self._name_symbol(key, _symbol_hint(p), p) if name is None else name

    def graph_symbol(self, graph: FunctionGraph) -> str:
        """The name of a graph: what ``@name`` refers to it by."""
        name = self.symbol_names.get(id(graph))
        if name is None:
            ARGS = [v.concretetype for v in graph.getargs()]
            FUNC = FuncType(ARGS, graph.getreturnvar().concretetype)
            p = functionptr(FUNC, graph.name, graph=graph)
            name = self._name_symbol(id(graph), identifier(graph.name), p)
        return name

    format_graph_name = graph_symbol

    def share_symbol(self, copy: FunctionGraph, graph: FunctionGraph) -> None:
        """Give a copy of a graph the name of that."""
        self.symbol_names[id(copy)] = self.graph_symbol(graph)

    def _name_symbol(self, key: Any, hint: str, p: _ptr) -> str:
        name = _unused(hint, self.symbols)
        self.symbol_names[key] = name
        # named by its full type: pointers to a parent of it print as casts
        whole = p._obj._TYPE if isinstance(p._obj._TYPE, Struct) else p._TYPE.TO
        self.symbols[name] = p if whole == p._TYPE.TO else make_ptr(Ptr(whole), p._obj)
        return name

    def format_exitcase(self, link: Link) -> str:
        cls = link.exitcase
        name = cls.__name__
        if getattr(builtins, name, None) is not cls:
            while self.exceptions.setdefault(name, cls) is not cls:
                name += "_"
        if link.llexitcase is None:
            return str(name)
        return f"{name}({_at(self.symbol(link.llexitcase))})"

    # -- printing: declarations

    def declarations(self, graphs: Iterable[FunctionGraph] = ()) -> str:
        """What has to stand before a text printed with this environment: struct types,
        data, and functions other than ``graphs``."""
        own = {self.symbol_names.get(id(graph)) for graph in graphs}
        data = [
            self._declare_symbol(name, p) for name, p in self.symbols.items() if name not in own
        ]
        return "".join(f"{line}\n" for line in [*self._declare_structs(), *data])

    def _declare_structs(self) -> list[str]:
        """Every struct with a name, and those their fields need; what is inlined first."""
        lines: dict[str, str] = {}
        done = set(map(self.format_type, self._predeclared))

        def inline(T: LowLevelType) -> None:
            if isinstance(T, Array | FixedSizeArray):
                inline(T.OF)
            elif isinstance(T, Struct):
                declare(T)

        def declare(S: Struct) -> None:
            name = self.format_type(S)
            if name in done:
                return
            done.add(name)
            for T in S._flds.values():
                inline(T)
            fields = ", ".join(f"{f}: {self.format_type(T)}" for f, T in S._flds.items())
            hints = ", ".join(_hints(S._hints))
            word = "gcstruct" if S._gckind == "gc" else "struct"
            body = f"{{ {fields} }}" if fields else "{ }"
            lines[name] = f"{word} {name} {f'[{hints}] ' if hints else ''}{body}"

        while len(done) < len(self.types):  # fields may name more types
            for T in list(self.types.values()):
                if isinstance(T, Struct):
                    declare(T)
        return list(lines.values())

    def _declare_symbol(self, name: str, p: _ptr) -> str:
        T = self.format_type(p._TYPE.TO)
        if isinstance(p._obj, _func):
            return f"function {_at(name)}: {T}"
        length = f"[{_variable_length(p)}]" if p._TYPE.TO._is_varsize() else ""
        return f"data {_at(name)}: {T}{length}"


def _unused(base: str, taken: dict[str, Any]) -> str:
    name, number = base, 2
    while name in taken:
        name = f"{base}.{number}"
        number += 1
    return name


def _quoted(character: str) -> str:
    return "'" + ascii('"' + character)[2:-1] + "'"


def _at(symbol: str) -> str:
    return f"@{symbol}"


def _symbol_hint(p: _ptr) -> str:
    obj = p._obj
    if isinstance(obj, _func | _opaque) and obj._name:
        return identifier(obj._name)
    T = obj._TYPE
    if not isinstance(T, Struct):
        return "array"
    if OBJECT_VTABLE in T._ancestors():
        return f"vtable.{identifier(read_class_name(make_ptr(Ptr(T), obj)))}"
    if T in (STR1, STR4):
        return f"str.{identifier(read_str(make_ptr(STRPTR, obj))[:MAX_HINT])}"
    return identifier(T._name).strip("_")


def _variable_length(p: _ptr) -> int:
    """The length of the variable-sized part of the container ``p`` points to."""
    T, obj = p._TYPE.TO, p._obj
    while isinstance(T, Struct):
        assert T._arrayfld is not None
        obj = obj._getfield(T, T._arrayfld)
        T = T._flds[T._arrayfld]
    return len(obj.items)


def _hints(hints: frozendict) -> list[str]:
    """The hints that are literals, as text."""
    shown = []
    for key, value in sorted(hints.items()):
        if value is True:
            shown.append(key)
        elif isinstance(value, bool | int | str | None):
            shown.append(f"{key}={value!r}")
    return shown
