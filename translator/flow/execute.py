"""The meaning of each version-free instruction, in terms of the graph under construction."""

from __future__ import annotations

import builtins
import sys
import types
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from translator.flow.explore import Explorer
from translator.flow.fold import fold_marked_call
from translator.flow.instructions import Instr, Op
from translator.flow.state import (
    UNBOUND,
    CellTuple,
    Converted,
    HostCell,
    LocalCell,
    Marker,
    PendingFunction,
    StarTuple,
)
from translator.ir.hlops import CallShape
from translator.ir.model import LAST_EXCEPTION, Constant, Value, Variable

Rule = Callable[[Explorer, Instr], None]

RULES: dict[Op, Rule] = {}


def _rule(op: Op) -> Callable[[Rule], Rule]:
    def add(rule: Rule) -> Rule:
        assert op not in RULES, op
        RULES[op] = rule
        return rule

    return add


def execute(flow: Explorer, instr: Instr) -> None:
    """Execute one instruction; the block is ended if it does not simply go on."""
    RULES[instr.op](flow, instr)


# -- the stack


@_rule(Op.NOP)
@_rule(Op.JUMP)
def _nop(flow: Explorer, instr: Instr) -> None:
    pass


@_rule(Op.CONST)
def _const(flow: Explorer, instr: Instr) -> None:
    flow.push(Constant(instr.arg))


@_rule(Op.NULL)
def _null(flow: Explorer, instr: Instr) -> None:
    flow.push(Marker.NULL)


@_rule(Op.POP)
def _pop(flow: Explorer, instr: Instr) -> None:
    flow.pop_entry()


@_rule(Op.COPY)
def _copy(flow: Explorer, instr: Instr) -> None:
    flow.push(flow.state.stack[-instr.arg])


@_rule(Op.SWAP)
def _swap(flow: Explorer, instr: Instr) -> None:
    stack = flow.state.stack
    stack[-1], stack[-instr.arg] = stack[-instr.arg], stack[-1]


# -- names


def _bound(flow: Explorer, slot: int) -> Value | None:
    """The value of a local variable; None if it has none, and the block has ended."""
    name = flow.program.slots[slot]
    value = flow.state.slots[slot]
    if flow.demand(
        value,
        f"the local variable {name!r} may be unbound here",
        f"assign {name!r} before the branch or loop",
    ):
        return value
    flow.raise_(flow.emit("exc_instance", Constant(UnboundLocalError)))
    return None


@_rule(Op.LOAD)
def _load(flow: Explorer, instr: Instr) -> None:
    value = _bound(flow, instr.arg)
    if value is not None:
        flow.push(value)


@_rule(Op.STORE)
def _store(flow: Explorer, instr: Instr) -> None:
    value = flow.pop()
    flow.state.slots[instr.arg] = value
    if isinstance(value, Variable) and value.name == "v":
        value.name = flow.program.slots[instr.arg]


@_rule(Op.DELETE)
def _delete(flow: Explorer, instr: Instr) -> None:
    if _bound(flow, instr.arg) is not None:
        flow.state.slots[instr.arg] = UNBOUND


@_rule(Op.LOAD_AND_CLEAR)
def _load_and_clear(flow: Explorer, instr: Instr) -> None:
    flow.push(flow.state.slots[instr.arg])
    flow.state.slots[instr.arg] = UNBOUND


@_rule(Op.LOAD_CELL)
def _load_cell(flow: Explorer, instr: Instr) -> None:
    flow.push(LocalCell(flow.program.slots[instr.arg]))


def _host_cell(flow: Explorer, name: str) -> types.CellType:
    index = flow.func.__code__.co_freevars.index(name)
    closure = flow.func.__closure__
    assert closure is not None
    return closure[index]


@_rule(Op.FREE)
def _free(flow: Explorer, instr: Instr) -> None:
    cell = _host_cell(flow, instr.arg)
    try:
        flow.push(Constant(cell.cell_contents))
    except ValueError:
        flow.refuse(
            f"the variable {instr.arg!r} of the enclosing function has no value yet",
            "build the graph after the enclosing function has assigned it",
        )


@_rule(Op.FREE_CELL)
def _free_cell(flow: Explorer, instr: Instr) -> None:
    flow.push(HostCell(_host_cell(flow, instr.arg)))


@_rule(Op.GLOBAL)
def _global(flow: Explorer, instr: Instr) -> None:
    name: str = instr.arg
    names = flow.func.__globals__
    if name not in names:
        names = _builtins_of(flow.func)
        if name not in names:
            flow.refuse(
                f"the global name {name!r} is not defined",
                "define it at module level before translating; it is a constant then",
            )
    flow.push(Constant(names[name]))


def _builtins_of(func: types.FunctionType) -> dict[str, Any]:
    found = func.__globals__.get("__builtins__", builtins)
    return found if isinstance(found, dict) else vars(found)


# -- operations


@_rule(Op.PURE)
def _pure(flow: Explorer, instr: Instr) -> None:
    name, nargs = instr.arg.name, instr.arg.nargs
    if name == "newtuple" and nargs:
        cells = flow.state.stack[-nargs:]
        if all(isinstance(cell, LocalCell | HostCell) for cell in cells):
            del flow.state.stack[-nargs:]
            flow.push(CellTuple(tuple(cells)))  # type: ignore[arg-type]
            return
    operands = flow.pop_many(nargs)
    if name == "build_string":
        operands = _joined_constants(operands)
        if len(operands) == 1:
            flow.push(operands[0])
            return
    flow.push(flow.emit(name, *operands))


def _joined_constants(parts: list[Value]) -> list[Value]:
    """The parts of an f-string, adjacent constants joined, empty ones left out: which of
    them the compiler writes differs from version to version."""
    result: list[Value] = []
    for part in parts:
        last = result[-1] if result else None
        if isinstance(part, Constant) and isinstance(last, Constant):
            result[-1] = Constant(last.value + part.value)
        elif not (isinstance(part, Constant) and part.value == ""):
            result.append(part)
    return result


@_rule(Op.BOOL)
def _bool(flow: Explorer, instr: Instr) -> None:
    flow.push(flow.truth(flow.pop()))


def get_attr(flow: Explorer, holder: Value, name: str) -> Value:
    """``holder.name``; an attribute of a constant module must exist."""
    result = flow.emit("getattr", holder, Constant(name))
    if isinstance(result, Variable) and isinstance(holder, Constant):
        if isinstance(holder.value, types.ModuleType):
            flow.refuse(f"module {holder.value.__name__!r} has no attribute {name!r}")
    return result


@_rule(Op.GET_ATTR)
def _get_attr(flow: Explorer, instr: Instr) -> None:
    flow.push(get_attr(flow, flow.pop(), instr.arg))


@_rule(Op.SET_ATTR)
def _set_attr(flow: Explorer, instr: Instr) -> None:
    value, holder = flow.pop_many(2)
    flow.emit("setattr", holder, Constant(instr.arg), value)


@_rule(Op.DEL_ATTR)
def _del_attr(flow: Explorer, instr: Instr) -> None:
    flow.emit("delattr", flow.pop(), Constant(instr.arg))


@_rule(Op.SET_ITEM)
def _set_item(flow: Explorer, instr: Instr) -> None:
    value, container, key = flow.pop_many(3)
    flow.emit("setitem", container, key, value)


@_rule(Op.DEL_ITEM)
def _del_item(flow: Explorer, instr: Instr) -> None:
    flow.emit("delitem", *flow.pop_many(2))


@_rule(Op.UNPACK)
def _unpack(flow: Explorer, instr: Instr) -> None:
    value = flow.pop()
    items = flow.tuple_items(value)
    if items is None or len(items) != instr.arg:
        flow.emit("unpack_check", value, Constant(instr.arg))
        items = [flow.emit("getitem", value, Constant(index)) for index in range(instr.arg)]
    for item in reversed(items):
        flow.push(item)


@_rule(Op.IMPORT)
def _import(flow: Explorer, instr: Instr) -> None:
    level, names = flow.pop_many(2)
    assert isinstance(level, Constant)
    assert isinstance(names, Constant)
    if names.value == ("*",):
        flow.refuse("a star import inside a function", "import names one by one")
    try:
        module = __import__(instr.arg, flow.func.__globals__, None, names.value or (), level.value)
    except ImportError as error:
        flow.refuse(f"the import fails: {error}")
    flow.push(Constant(module))


@_rule(Op.IMPORT_FROM)
def _import_from(flow: Explorer, instr: Instr) -> None:
    module = flow.state.stack[-1]
    assert isinstance(module, Constant)
    if hasattr(module.value, instr.arg):
        flow.push(Constant(getattr(module.value, instr.arg)))
        return
    submodule = sys.modules.get(f"{module.value.__name__}.{instr.arg}")
    if submodule is None:
        flow.refuse(f"cannot import name {instr.arg!r} from {module.value.__name__!r}")
    flow.push(Constant(submodule))


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


@_rule(Op.APPEND)
def _append(flow: Explorer, instr: Instr) -> None:
    item = flow.pop()
    _call_method(flow, _container(flow, instr.arg), "append", item)


@_rule(Op.ADD)
def _add(flow: Explorer, instr: Instr) -> None:
    item = flow.pop()
    _call_method(flow, _container(flow, instr.arg), "add", item)


@_rule(Op.PUT)
def _put(flow: Explorer, instr: Instr) -> None:
    key, value = flow.pop_many(2)
    flow.emit("setitem", _container(flow, instr.arg), key, value)


@_rule(Op.EXTEND)
def _extend(flow: Explorer, instr: Instr) -> None:
    method, depth = instr.arg
    more = flow.pop()
    _call_method(flow, _container(flow, depth), method, more)


@_rule(Op.EXTEND_TO_TUPLE)
def _extend_to_tuple(flow: Explorer, instr: Instr) -> None:
    more = flow.pop()
    start = flow.pop()
    op = flow.made_by(start)
    if op is not None and op.opname == "newlist" and op.result not in flow.changed_lists:
        flow.push(StarTuple(tuple(op.args), more))
    else:
        _call_method(flow, start, "extend", more)
        flow.push(flow.emit("simple_call", Constant(tuple), start))


@_rule(Op.TO_TUPLE)
def _to_tuple(flow: Explorer, instr: Instr) -> None:
    flow.push(flow.emit("simple_call", Constant(tuple), flow.pop()))


@_rule(Op.CONST_KEYS_DICT)
def _const_keys_dict(flow: Explorer, instr: Instr) -> None:
    *values, keys = flow.pop_many(instr.arg + 1)
    assert isinstance(keys, Constant)
    pairs: list[Value] = []
    for key, value in zip(keys.value, values):
        pairs += (Constant(key), value)
    flow.push(flow.emit("newdict", *pairs))


# -- f-strings


@_rule(Op.CONVERT)
def _convert(flow: Explorer, instr: Instr) -> None:
    flow.push(Converted(instr.arg, flow.pop()))


@_rule(Op.FORMAT)
def _format(flow: Explorer, instr: Instr) -> None:
    conversion, has_spec = instr.arg
    spec = flow.pop() if has_spec else Constant("")
    entry = flow.pop_entry()
    if isinstance(entry, Converted):
        conversion, value = entry.conversion, entry.value
    else:
        value = flow.complete(entry)
    flow.push(flow.emit("format_value", value, Constant(conversion), spec))


# -- calls


def _pop_callable(flow: Explorer) -> tuple[Value, list[Value]]:
    """Pop [f, NULL], [NULL, f] or [f, first argument]."""
    second, first = flow.pop_entry(), flow.pop_entry()
    if first is Marker.NULL:
        return flow.complete(second), []
    if second is Marker.NULL:
        return flow.complete(first), []
    return flow.complete(first), [flow.complete(second)]


def _call_shaped(flow: Explorer, f: Value, shape: CallShape, args: list[Value]) -> Value:
    folded = fold_marked_call(f)
    if folded is not None:
        return folded
    if not shape.keywords and not shape.star:
        return flow.emit("simple_call", f, *args)
    return flow.emit("call_args", f, Constant(shape), *args)


@_rule(Op.CALL)
def _call(flow: Explorer, instr: Instr) -> None:
    args = flow.pop_many(instr.arg)
    f, first = _pop_callable(flow)
    args = first + args
    if isinstance(f, Constant) and f.value is getattr and len(args) == 2:
        name = args[1]
        if isinstance(name, Constant) and isinstance(name.value, str):
            flow.push(get_attr(flow, args[0], name.value))
            return
    flow.push(flow.emit("simple_call", f, *args))


def _keyword_names(flow: Explorer) -> tuple[str, ...]:
    names = flow.pop()
    assert isinstance(names, Constant)
    return tuple(names.value)


@_rule(Op.CALL_KEYWORDS)
def _call_keywords(flow: Explorer, instr: Instr) -> None:
    keywords = _keyword_names(flow)
    args = flow.pop_many(instr.arg)
    f, first = _pop_callable(flow)
    args = first + args
    shape = CallShape(len(args) - len(keywords), keywords)
    flow.push(_call_shaped(flow, f, shape, args))


def _call_star(flow: Explorer, keywords: tuple[str, ...], values: list[Value]) -> None:
    entry = flow.pop_entry()
    args: list[Value] = []
    if isinstance(entry, StarTuple):
        args += entry.items
        entry = entry.star
    sequence = flow.complete(entry)
    items = flow.tuple_items(sequence)
    f, first = _pop_callable(flow)
    args = first + args + (items or [])
    shape = CallShape(len(args), keywords, star=items is None)
    rest = [sequence] if items is None else []
    flow.push(_call_shaped(flow, f, shape, args + values + rest))


@_rule(Op.CALL_STAR)
def _call_star_only(flow: Explorer, instr: Instr) -> None:
    _call_star(flow, (), [])


@_rule(Op.CALL_STAR_KEYWORDS)
def _call_star_keywords(flow: Explorer, instr: Instr) -> None:
    keywords = _keyword_names(flow)
    values = flow.pop_many(instr.arg)
    _call_star(flow, keywords, values)


@_rule(Op.MAKE_FUNCTION)
def _make_function(flow: Explorer, instr: Instr) -> None:
    code = flow.pop()
    assert isinstance(code, Constant)
    if code.value.co_name == "<genexpr>":
        flow.refuse("a generator expression", "use a list comprehension")
    flow.push(PendingFunction(code.value, instr.span))


@_rule(Op.FUNCTION_ATTRIBUTE)
def _function_attribute(flow: Explorer, instr: Instr) -> None:
    function = flow.pop_entry()
    value = flow.pop_entry()
    assert isinstance(function, PendingFunction)
    if instr.arg == 8:
        assert isinstance(value, CellTuple)
        function = replace(function, closure=value)
    elif instr.arg in (1, 2):
        if instr.arg == 2 and isinstance(value, Variable):
            value = _constant_dict(flow, value)
        if not isinstance(value, Constant):
            flow.refuse(
                f"the nested function {function.code.co_name!r} has a default that is not a "
                "constant",
                "define the function at module level",
                function.span,
            )
        field = "defaults" if instr.arg == 1 else "kwdefaults"
        function = replace(function, **{field: value.value})
    flow.push(function)


def _constant_dict(flow: Explorer, v: Variable) -> Value:
    """The dict made from constants, as a constant."""
    op = flow.made_by(v)
    if op is None or op.opname != "newdict":
        return v
    values = [arg.value for arg in op.args if isinstance(arg, Constant)]
    if len(values) != len(op.args):
        return v
    return Constant(dict(zip(values[::2], values[1::2])))


# -- exceptions and context managers


@_rule(Op.RAISE)
def _raise(flow: Explorer, instr: Instr) -> None:
    if instr.arg == 0:
        handled = flow.state.handled
        hint = "raise the exception object itself"
        if not flow.demand(handled, "a bare raise that no except clause surrounds", hint):
            flow.refuse("a bare raise outside an except clause", hint)
        flow.raise_(handled)
        return
    what = flow.pop_many(instr.arg)[0]  # `raise x from y`: y was evaluated
    flow.raise_(flow.emit("exc_instance", what))


@_rule(Op.RERAISE)
def _reraise(flow: Explorer, instr: Instr) -> None:
    flow.raise_(flow.pop())


@_rule(Op.PUSH_HANDLED)
def _push_handled(flow: Explorer, instr: Instr) -> None:
    instance = flow.pop()
    flow.push(flow.state.handled)
    flow.push(instance)
    flow.state.handled = instance


@_rule(Op.POP_HANDLED)
def _pop_handled(flow: Explorer, instr: Instr) -> None:
    flow.state.handled = flow.pop()


@_rule(Op.MATCH_EXCEPTION)
def _match_exception(flow: Explorer, instr: Instr) -> None:
    wanted = flow.pop()
    instance = flow.state.stack[-1]
    assert isinstance(instance, Variable | Constant)
    classes = wanted.value if isinstance(wanted, Constant) else None
    for cls in classes if isinstance(classes, tuple) else (classes,):
        if not (isinstance(cls, type) and issubclass(cls, BaseException)):
            flow.refuse(
                "an except clause needs constant exception classes",
                "name the classes in the except clause",
            )
    flow.push(flow.emit("exception_match", instance, wanted))


@_rule(Op.ENTER_CONTEXT)
def _enter_context(flow: Explorer, instr: Instr) -> None:
    manager = flow.pop()
    enter = flow.emit("getattr", manager, Constant("__enter__"))
    flow.push(flow.emit("getattr", manager, Constant("__exit__")))
    flow.push(flow.emit("simple_call", enter))


@_rule(Op.EXIT_CONTEXT)
def _exit_context(flow: Explorer, instr: Instr) -> None:
    leave, instance = flow.state.stack[-4], flow.state.stack[-1]
    assert isinstance(leave, Variable | Constant)
    assert isinstance(instance, Variable | Constant)
    cls = flow.emit("simple_call", Constant(type), instance)
    flow.push(flow.emit("simple_call", leave, cls, instance, Constant(None)))


# -- control


@_rule(Op.BRANCH)
def _branch(flow: Explorer, instr: Instr) -> None:
    flow.branch(flow.truth(flow.pop()))


@_rule(Op.BRANCH_NONE)
def _branch_none(flow: Explorer, instr: Instr) -> None:
    flow.branch(flow.emit("is_", flow.pop(), Constant(None)))


@_rule(Op.NEXT)
def _next(flow: Explorer, instr: Instr) -> None:
    """Its StopIteration is the end of the loop; other exceptions go to the handler."""
    iterator = flow.state.stack[-1]
    assert isinstance(iterator, Variable | Constant)
    at_end = flow.state.copy()
    at_end.stack.pop()
    handlers = flow.handler_links()
    flow.push(flow.append_op("next", iterator))
    assert flow.block is not None
    flow.block.exitswitch = LAST_EXCEPTION
    body = flow.link_to(instr.next, flow.state)
    stop = flow.link_to(instr.jump, at_end, StopIteration)
    stop.last_exc_value = Variable("exc")
    flow.end(body, stop, *handlers)


@_rule(Op.RETURN)
def _return(flow: Explorer, instr: Instr) -> None:
    flow.return_(flow.pop())


@_rule(Op.REFUSE)
def _refuse(flow: Explorer, instr: Instr) -> None:
    message, hint = instr.arg
    flow.refuse(message, hint)
