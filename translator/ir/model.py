"""The graph model: FunctionGraph, Block, Link, SpaceOperation, Variable, Constant.

The vocabulary is RPython's.  Two forms share these classes:

*High-level* graphs (stages ``flow`` and ``annotated``) are in block-argument form and
every variable is local to one block: it is defined by the block's ``inputargs`` or by
one operation of the block, and used only there and in the args of the block's links.

*Low-level* graphs (``lowlevel``, ``optimised``) are SSA with block parameters: a
variable has one definition and may be used wherever that definition dominates.  Every
variable and constant has a ``concretetype``.

How a block ends:

====================  ==============  =====================================================
exitswitch            exits           meaning
====================  ==============  =====================================================
``None``              one link        goto
a bool Variable       two links       ``exits[0].exitcase`` is False, ``exits[1]``'s True
a Variable of         1 + n links     a *switch*: the link whose ``exitcase`` is the value, a
integers or                           constant; ``exits[0]`` (exitcase None) when no other has
characters                            it.  In low-level graphs only
``LAST_EXCEPTION``    1 + n links     the *last operation* may raise: ``exits[0]`` (exitcase
                                      None) is the normal way; each further link catches
                                      the exception class ``exitcase`` and defines
                                      ``last_exc_value``, usable in its own args.  First
                                      match wins; no match: propagates to the caller
``UNREACHABLE``       none            control never comes here; the program stops if it does
``None``              none            only the return block and the except block
====================  ==============  =====================================================

An operation that raises anywhere else than at the end of a LAST_EXCEPTION block
propagates to the caller.  Linking to ``exceptblock`` raises its single argument, an
exception *instance*; there is no separate exception type (RPython has one): the
instance knows its class.
"""

from __future__ import annotations

import importlib
import struct
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rpython.translator.ir.home import Home, home_of_function
from rpython.translator.ir.opdef import OpDef
from rpython.translator.ir.span import UNKNOWN_SPAN, Span

_VIEWER = "rpython.translator.view.opening"
"""Loaded when somebody looks: graphs know nothing of pictures."""


class Variable:
    """A value computed at run time.

    ``name`` is a hint for people (the printer makes names unique); ``annotation`` is
    set by the annotator on high-level graphs, ``concretetype`` by the rtyper on
    low-level ones.
    """

    __slots__ = ("annotation", "concretetype", "name")

    def __init__(self, name: str = "v", concretetype: Any = None) -> None:
        self.name = name
        self.annotation: Any = None
        self.concretetype: Any = concretetype

    def __repr__(self) -> str:
        return f"<Variable {self.name}>"

    def copy(self) -> Variable:
        """A fresh variable with the same name and types."""
        result = Variable(self.name, self.concretetype)
        result.annotation = self.annotation
        return result


class Constant:
    """A value known at translation time; ``concretetype`` as for variables.

    Two high-level constants are interchangeable when ``same_constant`` says so.
    """

    __slots__ = ("annotation", "concretetype", "span", "value")

    def __init__(self, value: Any, concretetype: Any = None, span: Span | None = None) -> None:
        self.value = value
        self.annotation: Any = None
        self.concretetype: Any = concretetype
        self.span = span
        """Where the program mentions it, when it does."""

    def __repr__(self) -> str:
        return f"<Constant {self.value!r}>"


Value = Variable | Constant

_BY_VALUE = (int, str, bytes)


def bits(x: float | complex) -> bytes:
    """What tells one constant from another: ``0.0`` from ``-0.0``, ``nan`` from ``-nan``."""
    return struct.pack("dd", x.real, x.imag)


def same_value(a: object, b: object) -> bool:
    """Are two host objects the same constant?  Immutable built-in values, and those of
    classes with ``_rpython_by_value_``, compare by type and value (``1``, ``True`` and
    ``1.0`` differ, and so do ``0.0`` and ``-0.0``, and nans of either sign; a nan equals
    itself), everything else by identity."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, (float, complex)) and isinstance(b, (float, complex)):
        return bits(a) == bits(b)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(same_value, a, b))
    return (isinstance(a, _BY_VALUE) or hasattr(type(a), "_rpython_by_value_")) and a == b


def same_constant(a: Value, b: Value) -> bool:
    """Are both constants, with the same concretetype and the same value?"""
    return (
        isinstance(a, Constant)
        and isinstance(b, Constant)
        and a.concretetype == b.concretetype
        and same_value(a.value, b.value)
    )


class LastException:
    """The type of the LAST_EXCEPTION marker used as ``Block.exitswitch``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "LAST_EXCEPTION"

    def __reduce__(self) -> str:
        return "LAST_EXCEPTION"


LAST_EXCEPTION = LastException()


class Unreachable:
    """The type of the UNREACHABLE marker used as ``Block.exitswitch``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNREACHABLE"

    def __reduce__(self) -> str:
        return "UNREACHABLE"


UNREACHABLE = Unreachable()


class SpaceOperation:
    """``result = opdef(*args)`` at ``span``."""

    __slots__ = ("args", "opdef", "result", "span")

    def __init__(
        self, opdef: OpDef, args: Sequence[Value], result: Variable, span: Span = UNKNOWN_SPAN
    ) -> None:
        self.opdef = opdef
        self.args: list[Value] = list(args)
        self.result = result
        self.span = span

    @property
    def opname(self) -> str:
        return self.opdef.name

    def __repr__(self) -> str:
        args = ", ".join(map(repr, self.args))
        return f"{self.result!r} = {self.opname}({args})"


class Link:
    """A control transfer: ``args`` become the ``inputargs`` of ``target``."""

    __slots__ = (
        "again", "args", "depth", "exitcase", "last_exc_value", "llexitcase", "prevblock", "span",
        "target",
    )  # fmt: skip

    def __init__(self, args: Sequence[Value], target: Block, exitcase: Any = None) -> None:
        self.args: list[Value] = list(args)
        self.target = target
        self.exitcase = exitcase
        """None, False, True, a number, a character, or an exception class (see the table above)."""
        self.llexitcase: Any = None
        """On low-level exception links: the vtable pointer of ``exitcase``."""
        self.last_exc_value: Variable | None = None
        """On exception links: the variable that receives the caught instance."""
        self.prevblock: Block | None = None
        self.span: Span | None = None
        """Of a ``return``: where it is.  Of a ``raise``: the same; None: what the function has
        raised before goes on."""
        self.again: bool | None = None
        """Of a low-level ``raise``: does it continue the traceback that the exception has already?
        None: to be found out (``translator.opt.raise_places``)."""
        self.depth = 0
        """Of a low-level exception link: how many calls deep its function was inlined."""

    def __repr__(self) -> str:
        return f"<Link to {self.target!r} case {self.exitcase!r}>"

    def take_place_of(self, other: Link) -> None:
        """Stand for the ``return`` or ``raise`` that the other link stands for."""
        self.span, self.again = other.span, other.again


class Block:
    """Straight-line operations with ``inputargs`` in front and ``exits`` behind."""

    __slots__ = ("exits", "exitswitch", "inputargs", "operations")

    def __init__(self, inputargs: Sequence[Variable]) -> None:
        self.inputargs: list[Variable] = list(inputargs)
        self.operations: list[SpaceOperation] = []
        self.exitswitch: Variable | LastException | Unreachable | None = None
        self.exits: tuple[Link, ...] = ()

    def __repr__(self) -> str:
        return f"<Block {len(self.operations)} ops at {hex(id(self))[-6:]}>"

    @property
    def canraise(self) -> bool:
        """Does the last operation have exception links?"""
        return self.exitswitch is LAST_EXCEPTION

    @property
    def is_switch(self) -> bool:
        """Does it end by a choice among numbers or characters?"""
        return (
            isinstance(self.exitswitch, Variable)
            and bool(self.exits)
            and self.exits[0].exitcase is None
        )

    @property
    def is_unreachable(self) -> bool:
        """Is its end a place to which control never comes?"""
        return self.exitswitch is UNREACHABLE

    @property
    def is_closed(self) -> bool:
        """Has its end been decided?"""
        return bool(self.exits) or self.is_unreachable

    @property
    def raising_op(self) -> SpaceOperation:
        """The operation whose exceptions this block catches (only when ``canraise``)."""
        assert self.canraise
        return self.operations[-1]

    def exit_for(self, value: Any) -> Link:
        """The exit that is taken for that value of the exitswitch, a variable."""
        for link in self.exits:
            if link.exitcase == value:
                return link
        return self.exits[0]

    def handlers(self, exception: type[BaseException]) -> list[Link]:
        """The exception links that such an exception may take."""
        if not self.canraise:
            return []
        return [link for link in self.exits[1:] if issubclass(exception, link.exitcase)]

    def rename_uses(self, renamed: Mapping[Variable, Variable]) -> None:
        """Use other variables in the operations and at the end."""
        if not renamed:
            return

        def new(value: Value) -> Value:
            return renamed.get(value, value) if isinstance(value, Variable) else value

        for op in self.operations:
            op.args = [new(arg) for arg in op.args]
        if isinstance(self.exitswitch, Variable):
            self.exitswitch = renamed.get(self.exitswitch, self.exitswitch)
        for link in self.exits:
            link.args = [arg if arg is link.last_exc_value else new(arg) for arg in link.args]

    def closeblock(self, *exits: Link) -> None:
        """Set the exits of a block that has none yet."""
        assert not self.is_closed, "block is already closed"
        self.recloseblock(*exits)

    def close_unreachable(self) -> None:
        """End a block that has no exits yet: control never comes to its end."""
        assert not self.is_closed, "block is already closed"
        self.exitswitch = UNREACHABLE

    def recloseblock(self, *exits: Link) -> None:
        """Replace the exits."""
        for link in exits:
            link.prevblock = self
        self.exits = exits


class FunctionGraph:
    """The control-flow graph of one function.

    ``returnblock`` has one inputarg (the result), ``exceptblock`` one (the exception
    instance); both have no operations and no exits.  ``func`` is the host function the
    graph was built from, if any.  ``is_helper``: promise P1's checks do not apply,
    as they do in user code.
    """

    def __init__(
        self,
        name: str,
        startblock: Block,
        return_var: Variable | None = None,
        func: Callable[..., Any] | None = None,
        span: Span = UNKNOWN_SPAN,
    ) -> None:
        self.name = name
        self.startblock = startblock
        self.returnblock = Block([return_var or Variable("result")])
        self.exceptblock = Block([Variable("exc")])
        self.func = func
        self.span = span
        self.is_helper = False
        self.stage = "flow"
        self.class_constants: list[tuple[type, str, Span]] = []
        """The class attributes that the graph takes for constants, and where."""
        self.argument_bounds: dict[int, tuple[int, int]] = {}
        """By their places: between which numbers arguments are, where that is known."""
        self.result_bounds: tuple[int, int] | None = None
        """The same, of the result."""
        self.may_rewrite: Callable[[SpaceOperation | None], bool] | None = None
        """While a wrong rewrite is searched for: may one more be done, of that operation?"""

    def __repr__(self) -> str:
        return f"<FunctionGraph {self.name}>"

    @property
    def home(self) -> Home:
        """Whose code it is."""
        return home_of_function(self.func)

    def view(self) -> None:
        """Show the graph as a picture, in the browser or in a file whose path is printed."""
        importlib.import_module(_VIEWER).view_graph(self)

    show = view

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return str(importlib.import_module(_VIEWER).graph_as(self, "svg"))

    def getargs(self) -> list[Variable]:
        return self.startblock.inputargs

    def getreturnvar(self) -> Variable:
        return self.returnblock.inputargs[0]

    def iterblocks(self) -> Iterator[Block]:
        """Every block that is reachable when asked, once, depth first, first exits first."""
        found: dict[Block, None] = {}
        stack = [self.startblock]
        pop, push = stack.pop, stack.append
        while stack:  # few calls and no lists: this is what translating does most
            block = pop()
            while block not in found:
                found[block] = None
                exits = block.exits
                count = len(exits)
                if count == 2:
                    push(exits[1].target)
                elif count == 0:
                    break
                elif count > 2:
                    for link in exits[:0:-1]:
                        push(link.target)
                block = exits[0].target
        return iter(found)

    def iterlinks(self) -> Iterator[Link]:
        for block in self.iterblocks():
            yield from block.exits

    def iterblockops(self) -> Iterator[tuple[Block, SpaceOperation]]:
        for block in self.iterblocks():
            for op in block.operations:
                yield block, op


def summary(graph: FunctionGraph) -> dict[str, int]:
    """How many operations of each name the graph has."""
    return dict(Counter(op.opname for _, op in graph.iterblockops()))
