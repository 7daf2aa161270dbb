"""The meaning of instructions that test patterns of ``match``.

    case Point(0, y=k)   =>   t = isinstance(v, Point); if t: x = v.x; k = v.y; x == 0 ...
    case [a, *_]         =>   t = isinstance(v, (list, tuple, ...)); if t: len(v) >= 1 ...
    case {"a": x}        =>   t = isinstance(v, dict); if t: "a" in v; x = v["a"] ...
"""

from __future__ import annotations

from rpython.translator.flow.execute_values import get_attr
from rpython.translator.flow.explore import Explorer
from rpython.translator.flow.instructions import Instr, Op
from rpython.translator.flow.ruletable import RuleTable
from rpython.translator.ir.model import LAST_EXCEPTION, Block, Constant, Link, Value, Variable

MATCH = RuleTable()

_SEQUENCES = (list, tuple, range, memoryview)
"""The built-in types that sequence patterns match; str, bytes and bytearray are not."""
_SELF_TYPES = (
    bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple,
)  # fmt: skip
"""The types whose one positional sub-pattern is for the value itself."""


def _test(flow: Explorer, condition: Value) -> bool:
    """Leave for ``instr.jump``, with None on the stack, unless the condition holds.  Is
    there a way on?"""
    if isinstance(condition, Constant):
        if condition.value:
            return True
        flow.push(Constant(None))
        flow.go(flow.instr.jump)
        return False
    failed = flow.state.copy()
    failed.stack.append(Constant(None))
    matched = Block([])
    assert flow.block is not None
    switch = flow.truth(condition)
    assert isinstance(switch, Variable)
    flow.block.exitswitch = switch
    flow.end(flow.link_to(flow.instr.jump, failed, False), Link([], matched, True))
    flow.block = matched
    return True


def _is_instance(flow: Explorer, value: Value, classes: Constant) -> Value:
    return flow.emit("simple_call", Constant(isinstance), value, classes)


@MATCH.rule(Op.MATCH_CLASS)
def _match_class(flow: Explorer, instr: Instr) -> None:
    subject, cls, names = flow.pop_many(3)
    assert isinstance(names, Constant)
    if not isinstance(cls, Constant) or not isinstance(cls.value, type):
        flow.refuse("the class of a pattern must be a constant", "name the class itself")
    if not _test(flow, _is_instance(flow, subject, cls)):
        return
    positional = _positional(flow, cls.value, instr.arg)
    attributes = (*positional, *names.value)
    flow.push(
        flow.emit("newtuple", *(
            subject if name is None else _attribute(flow, subject, name) for name in attributes
        ))
    )  # fmt: skip


def _attribute(flow: Explorer, subject: Value, name: str) -> Value:
    """An attribute that a pattern names: where reading it raises AttributeError, it does not
    match."""
    if isinstance(subject, Constant):
        return get_attr(flow, subject, name)
    failed = flow.state.copy()
    failed.stack.append(Constant(None))
    handlers = flow.handler_links()
    value = flow.append_op("getattr", subject, Constant(name))
    assert flow.block is not None
    flow.block.exitswitch = LAST_EXCEPTION
    missing = flow.link_to(flow.instr.jump, failed, AttributeError)
    missing.last_exc_value = Variable("exc")
    after = Block([])
    flow.end(Link([], after), missing, *handlers)
    flow.block = after
    return value


def _positional(flow: Explorer, cls: type, count: int) -> tuple[str | None, ...]:
    """The attributes for ``count`` positional sub-patterns; None is the value itself."""
    names: object = getattr(cls, "__match_args__", ())
    if count == 1 and not names and issubclass(cls, _SELF_TYPES):
        return (None,)
    if not isinstance(names, tuple) or len(names) < count:
        allowed = len(names) if isinstance(names, tuple) else 0
        plural = "" if allowed == 1 else "s"
        flow.refuse(
            f"{cls.__name__}() accepts {allowed} positional sub-pattern{plural} ({count} given)",
            "define __match_args__, or name the attributes",
        )
    return names[:count]


@MATCH.rule(Op.MATCH_SEQUENCE)
def _match_sequence(flow: Explorer, instr: Instr) -> None:
    flow.push(_is_instance(flow, _top(flow), Constant(_SEQUENCES)))


@MATCH.rule(Op.MATCH_MAPPING)
def _match_mapping(flow: Explorer, instr: Instr) -> None:
    flow.push(_is_instance(flow, _top(flow), Constant(dict)))


@MATCH.rule(Op.GET_LEN)
def _get_len(flow: Explorer, instr: Instr) -> None:
    flow.push(flow.emit("simple_call", Constant(len), _top(flow)))


@MATCH.rule(Op.MATCH_KEYS)
def _match_keys(flow: Explorer, instr: Instr) -> None:
    subject, keys = flow.state.stack[-2:]
    assert isinstance(subject, Variable | Constant)
    assert isinstance(keys, Variable | Constant)
    items = flow.tuple_items(keys)
    assert items is not None
    for key in items:
        if not _test(flow, flow.emit("contains", subject, key)):
            return
    flow.push(flow.emit("newtuple", *(flow.emit("getitem", subject, key) for key in items)))


def _top(flow: Explorer) -> Value:
    """The top of the stack, a value."""
    subject = flow.state.stack[-1]
    assert isinstance(subject, Variable | Constant)
    return subject
