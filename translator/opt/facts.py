"""What is known of functions by what they and their callees do: the facts of ``summaries``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rpython.lltypesystem.operations.effects import (
    ANY_EXCEPTION,
    EVERYTHING,
    NOTHING,
    PURE,
    UNKNOWN_EFFECTS,
    Effects,
)
from rpython.lltypesystem.operations.llop import callees, makes_object, row_of
from rpython.lltypesystem.primitives import Address, LowLevelType
from rpython.lltypesystem.types import Ptr, Struct
from rpython.translator.ir.model import Block, Constant, FunctionGraph, SpaceOperation, Value
from rpython.translator.ir.traversal import has_loop
from rpython.translator.opt.summaries import Fact

Exceptions = frozenset[type[BaseException]]
EffectsOf = Callable[[SpaceOperation], Effects]

_ANYTHING = frozenset({EVERYTHING})
_IN_C = Effects(_ANYTHING, _ANYTHING, frozenset(), False)
"""What a function written in C does: it knows no exceptions."""
_LOOPS = Effects(_ANYTHING, _ANYTHING, frozenset({KeyboardInterrupt}), False)
"""What a loop of the program's own may do: never end, and get a safe point later."""
_RECURSES = Effects(NOTHING, NOTHING, frozenset({RecursionError}), False)
"""What functions do that call each other, once they are checked."""


def own_effects(op: SpaceOperation) -> Effects:
    """What the operation does by itself, without the functions of the program that it calls."""
    row = row_of(op)
    if not row.is_call:
        return row.effects_of(op)
    return PURE if callees(op).external is None else _IN_C


def raises_itself(op: SpaceOperation) -> bool:
    """May the operation raise, not counting what it calls?"""
    row = row_of(op)
    if row.callees is None and not row.effects.raises:
        return False  # most of them
    return bool(own_effects(op).raises)


def escaping(block: Block, raises: Exceptions) -> Exceptions:
    """What is not caught of the exceptions that the last operation of the block raises."""
    handled = tuple(link.exitcase for link in block.exits[1:]) if block.canraise else ()
    return frozenset(cls for cls in raises if not issubclass(cls, handled))


def _graph_effects(graph: FunctionGraph, effects_of: EffectsOf) -> Effects:
    result = _LOOPS if not graph.is_helper and has_loop(graph) else PURE
    found: dict[int, Effects] = {}
    """By their identity: most operations have one of a few."""
    for block in graph.iterblocks():
        for op in block.operations:
            row = row_of(op)
            if row.effects is PURE and row.callees is None:
                continue  # most of them
            effects = effects_of(op)
            if block.canraise and op is block.operations[-1]:
                effects = replace(effects, raises=escaping(block, effects.raises))
            found[id(effects)] = effects
        if any(link.target is graph.exceptblock for link in block.exits):
            result = replace(result, raises=result.raises | ANY_EXCEPTION)
    for effects in found.values():
        result |= effects
    return result.bounded()


EFFECTS = Fact(
    "effects", PURE, UNKNOWN_EFFECTS, own_effects, of_graph=_graph_effects, recursive=_RECURSES
)
"""What operations and functions do, calls included."""


def collects_itself(op: SpaceOperation) -> bool:
    """May the operation run the collector, not counting what it calls?"""
    row = row_of(op)
    if row.callees is None and not row.effects.collects:
        return False  # most of them; no use of an operation does more than its row says
    if makes_object(op):
        flags = op.args[1]
        assert isinstance(flags, Constant)
        return own_effects(op).collects and flags.value.get("flavor", "gc") == "gc"
    return own_effects(op).collects


MAY_COLLECT = Fact("may collect", False, True, collects_itself)
"""May objects move, and may those die that nothing keeps?"""


MAY_PAUSE: Fact[bool] = Fact("may pause", False, True, lambda op: row_of(op).safepoint)
"""May a safe point be reached?"""


def _takes_long(op: SpaceOperation) -> bool:
    row, effects = row_of(op), row_of(op).effects
    if row.is_call:
        return callees(op).external is not None
    if makes_object(op):
        T = op.args[0].value if isinstance(op.args[0], Constant) else None
        return not isinstance(T, Struct) or T._is_varsize()
    copies = row.writes_bytes or bool(effects.reads and effects.writes)
    return effects.collects or copies


def _graph_takes_long(graph: FunctionGraph, takes_long: Callable[[SpaceOperation], bool]) -> bool:
    return has_loop(graph) or any(takes_long(op) for _, op in graph.iterblockops())


IS_SLOW = Fact("is slow", False, True, _takes_long, of_graph=_graph_takes_long)
"""May it take longer than some instructions until it is over, or comes to a safe point?  Those of
functions that call each other check the stack, which is one."""


def reaches(c_name: str, besides: str = "") -> Fact[bool]:
    """May the function written in C, or an unknown function, be called?  Not asked is what runs
    inside the C function ``besides``."""

    def is_called(op: SpaceOperation) -> bool:
        called = callees(op)
        name = "" if called.external is None else called.external.c_name
        return name == c_name or (called.calls_back and name != besides)

    return Fact(f"reaches {c_name} besides {besides}", False, True, is_called, inside=False)


def _graph_gives_inside(
    graph: FunctionGraph, gives_inside: Callable[[SpaceOperation], bool]
) -> bool:
    """Is what it returns derived from a pointer to an object, or from an argument?"""
    if not _is_outside(graph.getreturnvar().concretetype):
        return False
    made_by = {op.result: op for _, op in graph.iterblockops()}
    passed: dict[Value, list[Value]] = {}
    for link in graph.iterlinks():
        for target, arg in zip(link.target.inputargs, link.args):
            passed.setdefault(target, []).append(arg)
    todo: list[Value] = [graph.getreturnvar()]
    seen: set[Value] = set()
    while todo:
        v = todo.pop()
        if v in seen or isinstance(v, Constant):
            continue
        seen.add(v)
        op = made_by.get(v)
        if v in graph.getargs() or not _is_outside(v.concretetype):
            return True
        if op is None:
            todo += passed.get(v, ())
        elif row_of(op).is_call and gives_inside(op):
            return True
        elif row_of(op).derives:
            todo.append(op.args[0])
    return False


def _is_outside(T: LowLevelType) -> bool:
    """Is it the type of an address, or of a pointer that may lead into an object, not to one?"""
    return T is Address or (isinstance(T, Ptr) and T._gckind != "gc")


GIVES_INSIDE = Fact(
    "gives a pointer inside", False, True, lambda op: callees(op).external is not None,
    inside=False, of_graph=_graph_gives_inside,
)  # fmt: skip
"""May what a call gives lead into an object that one of its arguments leads to?"""


def _notes_exceptions(op: SpaceOperation) -> bool:
    return row_of(op).asks_handled or raises_itself(op)


def _graph_notes(graph: FunctionGraph, notes: Callable[[SpaceOperation], bool]) -> bool:
    raises = any(link.target is graph.exceptblock for link in graph.iterlinks())
    return raises or any(notes(op) for _, op in graph.iterblockops())


NOTES_EXCEPTIONS = Fact(
    "notes exceptions", False, True, _notes_exceptions, of_graph=_graph_notes, recursive=True
)
"""Does it matter which exceptions are being handled?  It does where one is raised, also where
nobody else sees it, and where the program asks for them."""
