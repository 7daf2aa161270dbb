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
from rpython.translator.ir.intrinsics import PatternMapping, PatternSequence
from rpython.translator.ir.model import LAST_EXCEPTION, Block, Constant, Link, Value, Variable

MATCH = RuleTable()

_SELF_TYPES = (
    bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple,
)  # fmt: skip
"""The types whose one positional sub-pattern is for the value itself."""
_ITSELF = object()


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
    values: list[Value] = []
    seen: set[object] = set()
    for name in (*positional, *names.value):
        if name is _ITSELF:
            values.append(subject)
            continue
        wrong = _wrong_name(cls.value, name, seen)
        if wrong:
            flow.raise_(flow.append_op("simple_call", Constant(TypeError), Constant(wrong)))
            return
        seen.add(name)
        values.append(_attribute(flow, subject, name))
    flow.push(flow.emit("newtuple", *values))


def _wrong_name(cls: type, name: object, seen: set[object]) -> str:
    """The text of the TypeError where a class pattern cannot read the attribute; "": it can."""
    if not isinstance(name, str):
        return f"__match_args__ elements must be strings (got {type(name).__name__})"
    if name in seen:
        return f"{cls.__name__}() got multiple sub-patterns for attribute {name!r}"
    return ""


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


def _positional(flow: Explorer, cls: type, count: int) -> tuple[object, ...]:
    """The attributes for ``count`` positional sub-patterns."""
    names: object = getattr(cls, "__match_args__", ())
    if count == 1 and not names and issubclass(cls, _SELF_TYPES):
        return (_ITSELF,)
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
    flow.push(_is_instance(flow, _top(flow), Constant(PatternSequence)))


@MATCH.rule(Op.MATCH_MAPPING)
def _match_mapping(flow: Explorer, instr: Instr) -> None:
    flow.push(_is_instance(flow, _top(flow), Constant(PatternMapping)))


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
    for i, key in enumerate(items):
        for earlier in items[:i]:
            _check_keys_differ(flow, earlier, key)
    for key in items:
        if not _test(flow, flow.emit("contains", subject, key)):
            return
    flow.push(flow.emit("newtuple", *(flow.emit("getitem", subject, key) for key in items)))


def _check_keys_differ(flow: Explorer, a: Value, b: Value) -> None:
    """Raise ValueError where two keys of a pattern are equal, which only the names of values can
    be: of literals, the compiler says so."""
    if isinstance(a, Constant) and isinstance(b, Constant) and a.value != b.value:
        return
    same, different = Block([]), Block([])
    equal = flow.truth(flow.emit("eq", a, b))
    assert flow.block is not None
    if isinstance(equal, Variable):
        flow.block.exitswitch = equal
        flow.end(Link([], different, False), Link([], same, True))
    else:
        flow.end(Link([], same if equal.value else different))
    flow.block = same
    shown = flow.append_op("simple_call", Constant(repr), b)
    text = flow.append_op("add", Constant("mapping pattern checks duplicate key ("), shown)
    text = flow.append_op("add", text, Constant(")"))
    flow.raise_(flow.append_op("simple_call", Constant(ValueError), text))
    flow.block = different


def _top(flow: Explorer) -> Value:
    """The top of the stack, a value."""
    subject = flow.state.stack[-1]
    assert isinstance(subject, Variable | Constant)
    return subject
