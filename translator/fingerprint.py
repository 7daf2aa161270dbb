"""What a low-level program is, as a hash: two programs with the same one are optimised, lowered and
printed alike.

Said is everything that the stages behind the rtyper can see: graphs with their places in the
source, types, prebuilt memory, what functions are marked with.  Graphs, blocks, variables and
memory are said once, and from then on known by their numbers, in the order met; types and places
likewise, by what they are.  So nothing depends on the process.  What cannot be said has no hash:
nothing is guessed.

    graph f(n):                   ("graph", 0, "f", ...)
    b0(n):                   ->   ("block", 1, ((2, "n", 0),),
        v0 = int_add(n, 1)            (("int_add", (2, ("constant", 1, 0)), (3, "v0", 0), ...), ...
"""

from __future__ import annotations

import hashlib
import marshal
import weakref
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType
from typing import Any

from rpython.lltypesystem.foreign.external import Glue, Linking
from rpython.lltypesystem.lltype import LowLevelType, Primitive, _ptr, frozendict
from rpython.lltypesystem.program import Program
from rpython.lltypesystem.rarithmetic import base_int, r_singlefloat
from rpython.lltypesystem.simulated.addresses import fakeaddress
from rpython.lltypesystem.simulated.containers import (
    UNINITIALISED,
    SharedBytes,
    SharedItems,
    _container,
    _RawItems,
)
from rpython.lltypesystem.simulated.offsets import AddressOffset, Step
from rpython.rtyper.helperfiles import TYPE_PARTS
from rpython.rtyper.items import ItemFunction
from rpython.rtyper.ll.ll_dict import Flag, Keys
from rpython.rtyper.ll.ll_str import OneCharacterStrs
from rpython.translator.ir.model import (
    LAST_EXCEPTION,
    UNREACHABLE,
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.span import Span

Said = Any
"""What ``marshal`` can write: numbers, texts, None, and tuples of these.  A tuple begins with what
it is, or with a number."""

_PLAIN = frozenset([int, bool, float, str, bytes, type(None)])
_FORMAT = 2
"""The last version of ``marshal`` in which equal values are equal bytes, whatever is shared."""
_UNSEEN = frozenset(["called", "_callable"])
"""Attributes of memory: what only keeps what others say, and what only the LLInterpreter runs."""


class Unsayable(Exception):
    """Something of which the stages behind may see more than is known here: the text says what."""


def fingerprint(program: Program) -> str | None:
    """The hash of a program as the rtyper has made it; None: something in it cannot be said."""
    speaker = Speaker()
    try:
        speaker.program(program)
    except Unsayable:
        return None
    return speaker.digest()


class Speaker:
    """Says what a program consists of; what is met on the way waits for its turn."""

    def __init__(self) -> None:
        self._state = hashlib.sha256()
        self._numbers: dict[int, int] = {}
        """Of graphs, blocks, variables, memory, functions and classes, by their identity."""
        self._kept: list[Any] = []
        """What has a number: nothing else gets its identity."""
        self._types: dict[LowLevelType, int] = {}
        self._spans: dict[Span, int] = {}
        self._waiting: list[tuple[Callable[[int, Any], Said], int, Any]] = []

    def digest(self) -> str:
        """The hash of all that was said."""
        return self._state.hexdigest()

    def program(self, program: Program) -> None:
        """Say all of it.  Raises Unsayable."""
        exports = self.say(program.exports)
        exceptions = self.say(program.exceptions)
        self._add(("program", self.say(program.entry), exports, exceptions, program.threaded))
        while self._waiting:
            how, number, what = self._waiting.pop()
            self._add(how(number, what))

    def _add(self, said: Said) -> None:
        self._state.update(marshal.dumps(said, _FORMAT))

    def _number(self, obj: Any, how: Callable[[int, Any], Said] | None = None) -> int:
        """The number of something; ``how``: says more about it later, once."""
        number = self._numbers.get(id(obj))
        if number is None:
            number = self._numbers[id(obj)] = len(self._kept)
            self._kept.append(obj)
            if how is not None:
                self._waiting.append((how, number, obj))
        return number

    # -- values ------------------------------------------------------------------------------------

    def say(self, value: Any) -> Said:
        """Any value that a graph or memory refers to.  Raises Unsayable."""
        kind = type(value)
        if kind in _PLAIN:
            return value
        way = _WAYS.get(kind)
        if way is None:
            way = next((way for base, way in _WAYS_BELOW.items() if isinstance(value, base)), None)
            if way is None:
                raise Unsayable(f"{kind.__qualname__} {value!r}")
        return way(self, value)

    def items(self, values: Any) -> Said:
        """A tuple or list of values."""
        if _PLAIN.issuperset(map(type, values)):
            return ("items", *values)  # as most tables
        return ("items", *map(self.say, values))

    def by_name(self, values: Any) -> Said:
        """A dict of values, in its order."""
        return ("dict", *((self.say(key), self.say(value)) for key, value in values.items()))

    def pointer(self, p: _ptr) -> Said:
        return ("pointer", self.type(p._TYPE), None if p._obj is None else self.memory(p._obj))

    def memory(self, obj: Any) -> int:
        return self._number(obj, self._memory)

    def _memory(self, number: int, obj: Any) -> Said:
        said = [
            (name, self.say(value)) for name, value in vars(obj).items() if name not in _UNSEEN
        ]
        return ("memory", number, self.type(obj._TYPE), *said)

    def bytes_shared(self, shared: SharedBytes) -> Said:
        """Memory without types, which several containers may look into."""
        return ("shared", self._number(shared, self._bytes_shared))

    def _bytes_shared(self, number: int, shared: SharedBytes) -> Said:
        pointers = self.by_name(shared.pointers)
        return ("bytes", number, bytes(shared.data), bytes(shared.written), pointers)

    def parts(self, obj: Any) -> Said:
        """What is its attributes."""
        names = getattr(type(obj), "__slots__", None) or vars(obj)
        values = [self.say(getattr(obj, name)) for name in names]
        return ("parts", type(obj).__name__, *values)

    def function(self, function: FunctionType) -> Said:
        """A host function: who it is, and its marks.  Those that are no plain values have no
        meaning behind the rtyper."""
        return ("function", self._number(function, self._function))

    def _function(self, number: int, function: FunctionType) -> Said:
        code = function.__code__
        plain = {name: v for name, v in vars(function).items() if type(v) in _PLAIN}
        place = (function.__module__, function.__qualname__, code.co_filename, code.co_firstlineno)
        return ("about", number, *place, self.by_name(plain))

    def host_class(self, cls: type) -> Said:
        return ("class", self._number(cls, self._host_class))

    def _host_class(self, number: int, cls: type) -> Said:
        above = tuple(map(self.host_class, cls.__mro__[1:]))
        return ("about", number, cls.__module__, cls.__qualname__, above)

    # -- types and places --------------------------------------------------------------------------

    def type(self, T: Any) -> Said:
        """The number of a low-level type; other types are said when something is of them."""
        if not isinstance(T, LowLevelType):
            return None if T is None else self.say(T)
        if T._is_forward:
            raise Unsayable("a type that is not known yet")
        number = self._types.get(T)
        if number is None:
            number = self._types[T] = len(self._types)
            self._waiting.append((self._type, number, T))
        return number

    def _type(self, number: int, T: LowLevelType) -> Said:
        if isinstance(T, Primitive):
            return ("type", number, str(T))
        parts = {name: value for name, value in vars(T).items() if name in TYPE_PARTS}
        inside = self.items(T._children())
        return ("type", number, type(T).__name__, self.by_name(parts), inside)

    def span(self, span: Span) -> Said:
        """A place, with the line of the source: tracebacks show marks below it."""
        number = self._spans.get(span)
        if number is not None:
            return number
        number = self._spans[span] = len(self._spans)
        parts = tuple(self.say(getattr(span, name)) for name in Span.__slots__)
        return ("span", number, *parts, span.source_line())

    # -- graphs ------------------------------------------------------------------------------------

    def graph(self, graph: FunctionGraph) -> Said:
        return ("graph", self._number(graph, self._graph))

    def _graph(self, number: int, graph: FunctionGraph) -> Said:
        about = {name: value for name, value in vars(graph).items() if name not in GRAPH_BLOCKS}
        ends = [self._number(getattr(graph, name)) for name in GRAPH_BLOCKS]
        blocks = [self._block(block) for block in graph.iterblocks()]
        return ("about", number, self.by_name(about), *ends, *blocks)

    def _block(self, block: Block) -> Said:
        return (
            "block", self._number(block), tuple(map(self.value, block.inputargs)),
            tuple(map(self._operation, block.operations)), self.say(block.exitswitch),
            *map(self._link, block.exits),
        )  # fmt: skip

    def _operation(self, op: SpaceOperation) -> Said:
        return (
            op.opname, tuple(map(self.value, op.args)), self.value(op.result), self.span(op.span)
        )  # fmt: skip

    def _link(self, link: Link) -> Said:
        return (
            "link", tuple(map(self.value, link.args)), self._number(link.target),
            *map(self.say, (link.exitcase, link.llexitcase, link.last_exc_value)),
            *map(self.say, (link.span, link.again, link.depth)),
        )  # fmt: skip

    def value(self, v: Value) -> Said:
        """A variable: its number, and more where it is met first; or a constant."""
        if isinstance(v, Constant):
            return ("constant", self.say(v.value), self.type(v.concretetype), self.say(v.span))
        number = self._numbers.get(id(v))
        if number is None:
            return (self._number(v), v.name, self.type(v.concretetype))
        return number


GRAPH_BLOCKS = ("startblock", "returnblock", "exceptblock")

_WAYS: dict[type, Callable[[Speaker, Any], Said]] = {
    **dict.fromkeys((tuple, list, _RawItems, OneCharacterStrs), Speaker.items),
    dict: Speaker.by_name, frozendict: Speaker.by_name,
    Variable: Speaker.value, Span: Speaker.span, FunctionGraph: Speaker.graph,
    FunctionType: Speaker.function,
    BuiltinFunctionType: lambda speaker, f: ("builtin", str(f.__module__), f.__qualname__),
    weakref.ref: lambda speaker, ref: speaker.say(ref()),
    SharedBytes: Speaker.bytes_shared,
    **dict.fromkeys(
        (
            AddressOffset, Step, fakeaddress, r_singlefloat, SharedItems, Glue, Linking,
            Flag, ItemFunction, Keys,
        ),
        Speaker.parts,
    ),
    **dict.fromkeys(
        map(type, (LAST_EXCEPTION, UNREACHABLE, UNINITIALISED)),
        lambda speaker, mark: ("mark", repr(mark)),
    ),
}  # fmt: skip
"""How values are said, by their classes."""

_WAYS_BELOW: dict[type, Callable[[Speaker, Any], Said]] = {
    LowLevelType: lambda speaker, T: ("is a type", speaker.type(T)),
    _ptr: Speaker.pointer,
    _container: lambda speaker, obj: ("memory", speaker.memory(obj)),
    base_int: lambda speaker, n: ("number", type(n).__name__, int(n)),
    type: Speaker.host_class,
}
"""The same, of these classes and those below them."""
