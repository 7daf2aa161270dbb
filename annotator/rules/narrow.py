"""What a branch tells about the values it tested.

    v = isinstance(x, Cat)          on the True link, x is a Cat
    v = is_(x, None)                on the False link, x is not None
    v = is_(type(x), Cat)           on the True link, x is a Cat
    v = ge(n, 0)                    on the True link, n is not negative

Narrowing looks at the operations of the block that computed the switch; the narrowed
value gets a new name, the target block's inputarg.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpython.annotator.lattice.enumints import SomeEnumInt, tells_class
from rpython.annotator.lattice.model import (
    K_NONE,
    K_NOTIMPLEMENTED,
    SomeFunction,
    SomeInstance,
    SomeInteger,
    SomeObject,
    SomeTuple,
    s_None,
)
from rpython.annotator.lattice.parts import (
    class_of_kind,
    classes_of_functions,
    constant_classes,
    from_parts,
    is_callable,
    parts_of,
    possible_classes,
    takes_box,
    without_kinds,
)
from rpython.annotator.program.hostclasses import counts_as
from rpython.translator.ir.model import Block, Constant, SpaceOperation, Value, Variable

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator
    from rpython.annotator.program.classdef import ClassDef

Narrowed = dict[Variable, SomeObject]


class Known:
    """The annotations that the tests of a block are looked at with: those of the annotator, but
    for the variables of which ``supposed`` says what they are."""

    def __init__(self, annotator: RPythonAnnotator, supposed: Narrowed) -> None:
        self._annotator = annotator
        self._supposed = supposed

    def binding(self, value: Value) -> SomeObject:
        if isinstance(value, Variable) and value in self._supposed:
            return self._supposed[value]
        return self._annotator.binding(value)

    def made_by(self, value: Value) -> SpaceOperation | None:
        """The operation that gives the value."""
        made = self._annotator.result_of.get(value) if isinstance(value, Variable) else None
        return None if made is None else made[0]


def narrowings(known: Known, block: Block, taken: bool) -> Narrowed:
    """The better annotations of the block's variables on the link for ``taken``."""
    made = {op.result: op for op in block.operations}
    switch = block.exitswitch
    assert isinstance(switch, Variable)
    narrowed: Narrowed = {}
    while switch in made:
        op = made[switch]
        if op.opname in ("bool", "not_"):
            operand = op.args[0]
            if op.opname == "not_":
                taken = not taken
            if not isinstance(operand, Variable):
                break
            narrowed.update(_by_truth(known, operand, taken))
            switch = operand
            continue
        test = _TESTS.get(op.opname)
        if test is not None:
            narrowed.update(test(known, op, taken))
        break
    return narrowed


def _by_truth(known: Known, operand: Variable, taken: bool) -> Narrowed:
    """``if x``: a true value is not None."""
    s_operand = known.binding(operand)
    if taken and s_operand.kinds & K_NONE:
        return {operand: without_kinds(s_operand, K_NONE)}
    return {}


def _by_identity(known: Known, op: SpaceOperation, taken: bool) -> Narrowed:
    for tested, other in (op.args, op.args[::-1]):
        if isinstance(other, Constant) and other.value is NotImplemented:
            if isinstance(tested, Variable) and not taken:
                return {tested: without_kinds(known.binding(tested), K_NOTIMPLEMENTED)}
            continue
        if isinstance(other, Constant) and other.value is None and isinstance(tested, Variable):
            s_tested = known.binding(tested)
            if taken:
                return {tested: s_None} if s_tested.kinds & K_NONE else {}
            return {tested: without_kinds(s_tested, K_NONE)}
        subject = _subject(known, tested)
        if subject is not None:
            return _by_class(known, subject, other, taken, exact=True)
    return {}


def _subject(known: Known, value: Value) -> Value | None:
    """The ``x`` of which the value is ``type(x)`` or ``x.__class__``."""
    match known.made_by(value):
        case SpaceOperation(opname="simple_call", args=[Constant(value=called), subject]):
            return subject if called is type else None
        case SpaceOperation(opname="getattr", args=[subject, Constant(value="__class__")]):
            return subject
    return None


def _by_equality(known: Known, op: SpaceOperation, taken: bool) -> Narrowed:
    """``x == None`` (where it is false, x is not None), ``type(x) == C``."""
    equal = taken is (op.opname == "eq")
    for tested, other in (op.args, op.args[::-1]):
        if isinstance(other, Constant) and other.value is None and isinstance(tested, Variable):
            return {} if equal else {tested: without_kinds(known.binding(tested), K_NONE)}
        subject = _subject(known, tested)
        if subject is not None:
            return _by_class(known, subject, other, equal, exact=True)
    return {}


def _by_membership(known: Known, op: SpaceOperation, taken: bool) -> Narrowed:
    """``type(x) in (C, D)``."""
    container, item = op.args
    subject = _subject(known, item)
    if subject is None or not isinstance(known.binding(container), SomeTuple):
        return {}
    return _by_class(known, subject, container, taken, exact=True)


def _by_order(known: Known, op: SpaceOperation, taken: bool) -> Narrowed:
    """``if n >= 0`` and its variants: the int is not negative."""
    tested, other = op.args
    # the least constant, and the outcome, for which the left operand is known to be >= 0
    least = 0 if op.opname in ("ge", "lt") else -1
    outcome = op.opname in ("ge", "gt")
    if not isinstance(tested, Variable) or not isinstance(other, Constant):
        return {}
    s_tested = known.binding(tested)
    if type(other.value) is not int or other.value < least or taken is not outcome:
        return {}
    if not isinstance(s_tested, SomeInteger) or s_tested.is_constant():
        return {}
    if isinstance(s_tested, SomeEnumInt):
        return {}
    return {
        tested: SomeInteger(True, s_tested.knowntype, s_tested.may_be_bool, None, s_tested.mixed)
    }


def _by_call(known: Known, op: SpaceOperation, taken: bool) -> Narrowed:
    function = op.args[0]
    if isinstance(function, Constant) and function.value is isinstance and len(op.args) == 3:
        return _by_class(known, op.args[1], op.args[2], taken)
    if isinstance(function, Constant) and function.value is callable and len(op.args) == 2:
        return _by_being_callable(known, op.args[1], taken)
    return {}


def _by_being_callable(known: Known, tested: Value, taken: bool) -> Narrowed:
    """``callable(tested)``; instances are looked at no further."""
    s_tested = known.binding(tested)
    if not isinstance(tested, Variable) or not takes_box(s_tested):
        return {}
    return {tested: from_parts([
        part for part in parts_of(s_tested)
        if isinstance(part, SomeInstance) or is_callable(part) is taken
    ])}  # fmt: skip


def _by_match(known: Known, op: SpaceOperation, taken: bool) -> Narrowed:
    return _by_class(known, op.args[0], op.args[1], taken)


def _by_class(
    known: Known, tested: Value, classes: Value, taken: bool, exact: bool = False
) -> Narrowed:
    """``isinstance(tested, classes)``, or (``exact``) ``type(tested)`` is one of ``classes``."""
    if not isinstance(tested, Variable):
        return {}
    s_classes = known.binding(classes)
    values = constant_classes(s_classes)
    if values is None and taken:  # chosen at run time: it is one of them
        values = possible_classes(s_classes)
    if values is None or not all(isinstance(value, type) for value in values):
        return {}
    parts = parts_of(known.binding(tested))
    kept = [part for part in (_meet(part, values, taken, exact) for part in parts) if part]
    return {tested: from_parts(kept)}


def _meet(part: SomeObject, wanted: list[type], taken: bool, exact: bool) -> SomeObject | None:
    """What is left of one part when it is (``taken``) or is not an instance of one of
    ``wanted``; ``exact``: of the very class."""
    if not isinstance(part, SomeInstance):
        return part if _is_instance(part, wanted, exact) in (taken, None) else None
    inside = any(counts_as(part.classdef.cls, cls) for cls in wanted)
    if not taken:
        return None if inside and not exact else part
    if exact:  # a subclass of a wanted class is none of them
        wanted = [cls for cls in wanted if issubclass(cls, part.classdef.cls)]
        inside = part.classdef.cls in wanted
    if inside:
        return part
    below = [classdef for cls in wanted for classdef in part.classdef.tops(cls)]
    if not below:
        return None
    base: ClassDef | None = below[0]
    for classdef in below[1:]:
        base = base.common_base(classdef) if base else None
    return part if base is None else SomeInstance(base)


def _is_instance(part: SomeObject, wanted: list[type], exact: bool) -> bool | None:
    """Are values of a kind other than instances of one of the classes?  None: it depends."""
    if isinstance(part, SomeFunction):
        answers = {
            None if host is None else host in wanted if exact else issubclass(host, tuple(wanted))
            for host in classes_of_functions(part)
        }
        return answers.pop() if len(answers) == 1 else None
    cls = class_of_kind(part)
    if cls is None or (isinstance(part, SomeInteger) and (part.mixed or not tells_class(part))):
        return None
    return cls in wanted if exact else issubclass(cls, tuple(wanted))


_TESTS = {
    "is_": _by_identity,
    "eq": _by_equality,
    "ne": _by_equality,
    "contains": _by_membership,
    "simple_call": _by_call,
    "exception_match": _by_match,
    "ge": _by_order,
    "gt": _by_order,
    "lt": _by_order,
    "le": _by_order,
}
