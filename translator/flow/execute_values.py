"""The meaning of instructions that move, look up and compute values."""

from __future__ import annotations

import builtins
import time
import types
from typing import Any

from rpython.translator.flow.class_statements import name_class
from rpython.translator.flow.explore import Explorer
from rpython.translator.flow.fold import fold_slice, unrolled_items
from rpython.translator.flow.instructions import Captured, Instr, Op
from rpython.translator.flow.ruletable import RuleTable
from rpython.translator.flow.state import (
    UNBOUND,
    CellTuple,
    Converted,
    HostCell,
    LocalCell,
    Marker,
    NamedValues,
    PendingFunction,
    Slice,
    StarTuple,
    Unroller,
    is_absent,
)
from rpython.translator.flow.templates import joined, keyed_pieces, keyed_text
from rpython.translator.ir.errors import did_you_mean
from rpython.translator.ir.foreign import name_meant
from rpython.translator.ir.model import Constant, Value, Variable

VALUES = RuleTable()


# -- the stack


@VALUES.rule(Op.NOP)
@VALUES.rule(Op.JUMP)
def _nop(flow: Explorer, instr: Instr) -> None:
    pass


@VALUES.rule(Op.CONST)
def _const(flow: Explorer, instr: Instr) -> None:
    flow.push(Constant(instr.arg, span=instr.span))


@VALUES.rule(Op.NULL)
def _null(flow: Explorer, instr: Instr) -> None:
    flow.push(Marker.NULL)


@VALUES.rule(Op.POP)
def _pop(flow: Explorer, instr: Instr) -> None:
    flow.pop_entry()


@VALUES.rule(Op.COPY)
def _copy(flow: Explorer, instr: Instr) -> None:
    stack = flow.state.stack
    if isinstance(stack[-instr.arg], StarTuple | PendingFunction):
        stack[-instr.arg] = flow.complete(stack[-instr.arg])
    flow.push(stack[-instr.arg])


@VALUES.rule(Op.SWAP)
def _swap(flow: Explorer, instr: Instr) -> None:
    stack = flow.state.stack
    stack[-1], stack[-instr.arg] = stack[-instr.arg], stack[-1]


# -- names


def _bound(flow: Explorer, slot: int) -> Value | None:
    """The value of a local variable; None if it has none, and the block has ended."""
    name = flow.program.slots[slot]
    value = flow.state.slots[slot]
    message = f"cannot access local variable {name!r} where it is not associated with a value"
    if is_absent(value):
        error = flow.append_op("simple_call", Constant(UnboundLocalError), Constant(message))
        flow.raise_(error)
        return None
    flow.read(slot, value, message)
    return value


@VALUES.rule(Op.LOAD)
def _load(flow: Explorer, instr: Instr) -> None:
    value = _bound(flow, instr.arg)
    if isinstance(value, Constant) and isinstance(value.value, Unroller):
        flow.push(value.value)
    elif value is not None:
        flow.push(value)


@VALUES.rule(Op.STORE)
def _store(flow: Explorer, instr: Instr) -> None:
    entry = flow.pop_entry()
    # a comprehension keeps its iterator in a variable on some versions
    value = Constant(entry) if isinstance(entry, Unroller) else flow.complete(entry)
    flow.bind(instr.arg, value)
    if flow.local_classes:
        name_class(flow, instr.arg, value)
    if isinstance(value, Variable) and value.name == "v":
        value.name = flow.program.slots[instr.arg]


@VALUES.rule(Op.DELETE)
def _delete(flow: Explorer, instr: Instr) -> None:
    if _bound(flow, instr.arg) is not None:
        flow.bind(instr.arg, UNBOUND)


@VALUES.rule(Op.LOAD_AND_CLEAR)
def _load_and_clear(flow: Explorer, instr: Instr) -> None:
    flow.push(flow.state.slots[instr.arg])
    flow.state.slots[instr.arg] = UNBOUND


@VALUES.rule(Op.LOAD_CELL)
def _load_cell(flow: Explorer, instr: Instr) -> None:
    flow.push(LocalCell(flow.program.cells[instr.arg], flow.state.slots[instr.arg]))


@VALUES.rule(Op.NEW_CELL)
def _new_cell(flow: Explorer, instr: Instr) -> None:
    slot, keeps, captured = instr.arg
    cell = flow.emit("simple_call", Constant(captured.cell))
    if keeps:
        _fill_cell(flow, captured, cell, flow.state.slots[slot])
    flow.state.slots[slot] = cell


def _fill_cell(flow: Explorer, captured: Captured, cell: Value, value: Value) -> None:
    flow.append_op("setattr", cell, Constant("contents"), value)
    if captured.may_be_unbound:
        flow.append_op("setattr", cell, Constant("bound"), Constant(True))


def _check_cell(flow: Explorer, cell: Value, captured: Captured, free: bool) -> None:
    """Raise what CPython does unless the cell holds something."""
    cannot = "where it is not associated with a value"
    if free:
        message = f"cannot access free variable {captured.name!r} {cannot} in enclosing scope"
    else:
        message = f"cannot access local variable {captured.name!r} {cannot}"
    flow.check(
        flow.append_op("bool", flow.append_op("getattr", cell, Constant("bound"))),
        NameError if free else UnboundLocalError,
        message,
    )


@VALUES.rule(Op.LOAD_CONTENTS)
def _load_contents(flow: Explorer, instr: Instr) -> None:
    slot, captured, unsure, free = instr.arg
    cell = flow.state.slots[slot]
    if unsure:
        _check_cell(flow, cell, captured, free)
    flow.push(flow.append_op("getattr", cell, Constant("contents")))


@VALUES.rule(Op.STORE_CONTENTS)
def _store_contents(flow: Explorer, instr: Instr) -> None:
    slot, captured, _, _ = instr.arg
    _fill_cell(flow, captured, flow.state.slots[slot], flow.pop())


@VALUES.rule(Op.DELETE_CONTENTS)
def _delete_contents(flow: Explorer, instr: Instr) -> None:
    slot, captured, unsure, free = instr.arg
    cell = flow.state.slots[slot]
    if unsure:
        _check_cell(flow, cell, captured, free)
    flow.append_op("setattr", cell, Constant("bound"), Constant(False))


@VALUES.rule(Op.LOAD_DEREF)
@VALUES.rule(Op.STORE_DEREF)
@VALUES.rule(Op.DELETE_DEREF)
def _deref(flow: Explorer, instr: Instr) -> None:
    raise AssertionError("convert_cells replaces these")


def _host_cell(flow: Explorer, name: str) -> types.CellType:
    index = flow.func.__code__.co_freevars.index(name)
    closure = flow.func.__closure__
    assert closure is not None
    return closure[index]


@VALUES.rule(Op.FREE)
def _free(flow: Explorer, instr: Instr) -> None:
    cell = _host_cell(flow, instr.arg)
    try:
        value: Value = Constant(cell.cell_contents)
    except ValueError:
        value = flow.refused_value(
            f"the variable {instr.arg!r} of the enclosing function has no value yet",
            "build the graph after the enclosing function has assigned it",
        )
    flow.push(value)


@VALUES.rule(Op.FREE_CELL)
def _free_cell(flow: Explorer, instr: Instr) -> None:
    flow.push(HostCell(_host_cell(flow, instr.arg)))


@VALUES.rule(Op.GLOBAL)
def _global(flow: Explorer, instr: Instr) -> None:
    name: str = instr.arg
    names = flow.func.__globals__
    holder, assigned = flow.globals()
    if name in assigned:
        read = flow.append_op if name in holder.space else flow.emit_op  # it may not be set yet
        flow.push(read("getattr", Constant(holder), Constant(name)))
        return
    names = names if name in names else _builtins_of(flow.func)
    if name in names:
        flow.push(Constant(names[name], span=instr.span))
        return
    hint = name_meant(name, [*flow.program.slots, *flow.func.__globals__, *names]) or _UNDEFINED
    raised = NameError, f"name {name!r} is not defined"
    flow.push(flow.refused_value(f"the global name {name!r} is not defined", hint, raised=raised))


@VALUES.rule(Op.STORE_GLOBAL)
def _store_global(flow: Explorer, instr: Instr) -> None:
    holder, assigned = flow.globals()
    if instr.arg not in assigned:
        why = "has the name of something built in, and no value at import time"
        if instr.arg in holder.space:
            is_module = isinstance(holder.space[instr.arg], types.ModuleType)
            why = "is a module" if is_module else "is a constant of the program"
        message = f"assignment to the global variable {instr.arg!r}, which {why}"
        flow.refuse(message, "give the variable another name")
    flow.emit_op("setattr", Constant(holder), Constant(instr.arg), flow.pop())


def _builtins_of(func: types.FunctionType) -> dict[str, Any]:
    found = func.__globals__.get("__builtins__", builtins)
    return found if isinstance(found, dict) else vars(found)


# -- operations


@VALUES.rule(Op.PURE)
def _pure(flow: Explorer, instr: Instr) -> None:
    name, nargs = instr.arg.name, instr.arg.nargs
    if name == "newtuple" and nargs:
        cells = flow.state.stack[-nargs:]
        if all(isinstance(cell, LocalCell | HostCell) for cell in cells):
            del flow.state.stack[-nargs:]
            flow.push(CellTuple(tuple(cells)))  # type: ignore[arg-type]
            return
    if name == "mod" and _percent_with_keys(flow):
        return
    if name == "getitem" and _slice_of_constant(flow):
        return
    operands = flow.pop_many(nargs)
    if name == "newdict" and _push_named_values(flow, operands[::2], operands[1::2]):
        return
    if name == "newslice":
        start, stop, step = operands
        flow.push(Slice((start, stop, step)))
        return
    if name == "iter" and isinstance(operands[0], Constant):
        items = unrolled_items(operands[0].value)
        if items is not None:
            flow.push(Unroller(items))
            return
    if name == "build_string":
        flow.push(joined(flow, operands))
        return
    flow.push(flow.emit(name, *operands))


def _slice_of_constant(flow: Explorer) -> bool:
    """Fold a slice of a constant; has it been done?"""
    container, entry = flow.state.stack[-2:]
    folded = fold_slice(container, entry.bounds) if isinstance(entry, Slice) else None
    if folded is None:
        return False
    del flow.state.stack[-2:]
    flow.push(folded)
    return True


def _push_named_values(flow: Explorer, keys: list[Value], values: list[Value]) -> bool:
    """Keep a dict display as what it consists of if it is the right operand of a ``%`` whose
    template has keys: its values may be of several kinds then.  Has it been done?"""
    names = [key.value for key in keys if isinstance(key, Constant) and type(key.value) is str]
    following = flow.program.instrs[flow.instr.next]
    if len(names) < len(keys) or following.op is not Op.PURE or following.arg.name != "mod":
        return False
    template = flow.state.stack[-1] if flow.state.stack else None
    if not isinstance(template, Constant) or flow.is_join(flow.instr.next):
        return False
    if keyed_pieces(template.value) is None:
        return False
    flow.push(NamedValues(tuple(zip(names, values))))
    return True


def _percent_with_keys(flow: Explorer) -> bool:
    """``template % mapping`` where the template is constant and has keys; else nothing is done."""
    template, mapping = flow.state.stack[-2:]
    pieces = keyed_pieces(template.value) if isinstance(template, Constant) else None
    if pieces is None:
        return False
    flow.pop_entry()
    flow.pop_entry()
    if isinstance(mapping, NamedValues):
        known = dict(mapping.values)
        keys = [piece[0] for piece in pieces if isinstance(piece, tuple)]
        missing = [key for key in keys if key not in known]
        if missing:
            needed = f"the format needs the key {missing[0]!r}, which the dict does not have"
            flow.push(flow.refused_value(needed))
        else:
            flow.push(keyed_text(flow, pieces, lambda key: known[key]))
    else:
        values = flow.complete(mapping)
        flow.push(keyed_text(flow, pieces, lambda key: flow.emit("getitem", values, Constant(key))))
    return True


@VALUES.rule(Op.BOOL)
def _bool(flow: Explorer, instr: Instr) -> None:
    flow.push(flow.truth(flow.pop()))


_UNDEFINED = "define it at module level before translating; it is a constant then"
_OF_THE_ZONE = frozenset({"timezone", "altzone", "daylight", "tzname"})
"""What ``time`` knows of the zone from when it is imported."""


def get_attr(flow: Explorer, holder: Value, name: str) -> Value:
    """``holder.name``; an attribute of a constant module must exist (the annotator looks at what is
    in a ``try``: the handler may be for that)."""
    if isinstance(holder, Constant) and holder.value is time and name in _OF_THE_ZONE:
        return flow.refused_value(
            f"time.{name} is what the program is built with, not what it runs with",
            "time.strftime('%z') and '%Z' tell the zone, time.localtime().tm_isdst its time",
        )
    result = flow.emit("getattr", holder, Constant(name))
    if isinstance(result, Variable) and isinstance(holder, Constant):
        is_module = isinstance(holder.value, types.ModuleType)
        if is_module and not hasattr(holder.value, name) and flow.instr.handler is None:
            missing = f"module {holder.value.__name__!r} has no attribute {name!r}"
            hint = did_you_mean(name, dir(holder.value))
            return flow.refused_value(missing, hint, raised=(AttributeError, missing))
    return result


@VALUES.rule(Op.GET_ATTR)
def _get_attr(flow: Explorer, instr: Instr) -> None:
    holder = flow.pop()
    if isinstance(holder, Constant) and type(holder.value) is str:
        if instr.arg in ("format", "format_map"):
            flow.push(Constant(getattr(holder.value, instr.arg), span=instr.span))
            return
    flow.push(get_attr(flow, holder, instr.arg))


@VALUES.rule(Op.SET_ATTR)
def _set_attr(flow: Explorer, instr: Instr) -> None:
    value, holder = flow.pop_many(2)
    flow.emit("setattr", holder, Constant(instr.arg), value)


@VALUES.rule(Op.DEL_ATTR)
def _del_attr(flow: Explorer, instr: Instr) -> None:
    flow.emit("delattr", flow.pop(), Constant(instr.arg))


@VALUES.rule(Op.SET_ITEM)
def _set_item(flow: Explorer, instr: Instr) -> None:
    value, container, key = flow.pop_many(3)
    flow.emit("setitem", container, key, value)


@VALUES.rule(Op.DEL_ITEM)
def _del_item(flow: Explorer, instr: Instr) -> None:
    flow.emit("delitem", *flow.pop_many(2))


@VALUES.rule(Op.UNPACK)
def _unpack(flow: Explorer, instr: Instr) -> None:
    value = flow.pop()
    items = flow.tuple_items(value)
    if items is None or len(items) != instr.arg:
        items = _items(flow, flow.emit("unpack", value, Constant(instr.arg)), instr.arg)
    for item in reversed(items):
        flow.push(item)


@VALUES.rule(Op.UNPACK_STAR)
def _unpack_star(flow: Explorer, instr: Instr) -> None:
    value = flow.pop()
    before, after = instr.arg
    items = flow.tuple_items(value)
    if items is None or len(items) < before + after:
        unpacked = flow.emit("unpack_star", value, Constant(before), Constant(after))
        items = _items(flow, unpacked, before + 1 + after)
    else:
        rest = flow.emit("newlist", *items[before : len(items) - after])
        items[before : len(items) - after] = [rest]
    for item in reversed(items):
        flow.push(item)


def _items(flow: Explorer, unpacked: Value, count: int) -> list[Value]:
    return [flow.emit("getitem", unpacked, Constant(index)) for index in range(count)]


# -- construction of containers


def _call_method(flow: Explorer, holder: Value, name: str, *args: Value) -> None:
    flow.emit("simple_call", flow.emit("getattr", holder, Constant(name)), *args)


def _container(flow: Explorer, depth: int) -> Value:
    """The container under construction, ``depth`` entries below the top."""
    entry = flow.state.stack[-depth]
    assert isinstance(entry, Variable | Constant)
    op = flow.made_by(entry)
    if op is not None:
        flow.changed_lists.add(op.result)
    return entry


@VALUES.rule(Op.APPEND)
def _append(flow: Explorer, instr: Instr) -> None:
    item = flow.pop()
    _call_method(flow, _container(flow, instr.arg), "append", item)


@VALUES.rule(Op.BEGIN_LIST)
def _begin_list(flow: Explorer, instr: Instr) -> None:
    stack = flow.state.stack
    iterator = stack[-1]
    counted: list[Value] = []
    if instr.arg and isinstance(iterator, Variable | Constant):
        counted = [iterator]
    stack[-2] = flow.emit("list_builder", *counted)


@VALUES.rule(Op.FILL_LIST)
def _fill_list(flow: Explorer, instr: Instr) -> None:
    item = flow.pop()
    flow.emit("builder_append", _container(flow, instr.arg), item)


@VALUES.rule(Op.END_LIST)
def _end_list(flow: Explorer, instr: Instr) -> None:
    builder = flow.pop()
    flow.push(builder)  # a handler that cleans up finds what is there
    flow.state.stack[-1] = flow.emit("built_list", builder)


@VALUES.rule(Op.ADD)
def _add(flow: Explorer, instr: Instr) -> None:
    item = flow.pop()
    _call_method(flow, _container(flow, instr.arg), "add", item)


@VALUES.rule(Op.PUT)
def _put(flow: Explorer, instr: Instr) -> None:
    key, value = flow.pop_many(2)
    flow.emit("setitem", _container(flow, instr.arg), key, value)


@VALUES.rule(Op.EXTEND)
def _extend(flow: Explorer, instr: Instr) -> None:
    method, depth = instr.arg
    more = flow.pop()
    _call_method(flow, _container(flow, depth), method, more)


@VALUES.rule(Op.EXTEND_TO_TUPLE)
def _extend_to_tuple(flow: Explorer, instr: Instr) -> None:
    more = flow.pop()
    start = flow.pop()
    op = flow.made_by(start)
    items = list(op.args) if op is not None and op.opname == "newlist" else None
    items = flow.tuple_items(start) if items is None else items
    if items is None:
        flow.push(flow.emit("add", start, flow.emit("simple_call", Constant(tuple), more)))
        return
    parts = StarTuple(tuple(items), more)
    flow.push(parts if instr.arg else flow.complete(parts))


@VALUES.rule(Op.JOIN_TUPLE)
def _join_tuple(flow: Explorer, instr: Instr) -> None:
    more = flow.pop()
    start = flow.pop()
    items = flow.tuple_items(start)
    if not instr.arg and items is not None:
        flow.push(flow.emit("newtuple", *items, more))
        return
    if instr.arg:
        more = flow.emit("simple_call", Constant(tuple), more)
    else:
        more = flow.emit("newtuple", more)
    flow.push(more if items == [] else flow.emit("add", start, more))


@VALUES.rule(Op.TO_TUPLE)
def _to_tuple(flow: Explorer, instr: Instr) -> None:
    flow.push(flow.emit("simple_call", Constant(tuple), flow.pop()))


@VALUES.rule(Op.CONST_KEYS_DICT)
def _const_keys_dict(flow: Explorer, instr: Instr) -> None:
    *values, keys = flow.pop_many(instr.arg + 1)
    assert isinstance(keys, Constant)
    if _push_named_values(flow, [Constant(key) for key in keys.value], values):
        return
    pairs: list[Value] = []
    for key, value in zip(keys.value, values):
        pairs += (Constant(key), value)
    flow.push(flow.emit("newdict", *pairs))


# -- f-strings


@VALUES.rule(Op.CONVERT)
def _convert(flow: Explorer, instr: Instr) -> None:
    flow.push(Converted(instr.arg, flow.pop()))


@VALUES.rule(Op.FORMAT)
def _format(flow: Explorer, instr: Instr) -> None:
    conversion, has_spec = instr.arg
    spec = flow.pop() if has_spec else Constant("")
    entry = flow.pop_entry()
    if isinstance(entry, Converted):
        conversion, value = entry.conversion, entry.value
    else:
        value = flow.complete(entry)
    flow.push(flow.emit("format_value", value, Constant(conversion), spec))
