"""What CPython raises for an operation: asked of the host, by trying the operation on values like
those of its operands.

    add(x, 'a')          x: int                    TypeError: unsupported operand type(s) for +: ...
    getattr(x, 'read')   x: str                    AttributeError: 'str' object has no attribute ...
    simple_call(f)       f: a function of one      TypeError: f() missing 1 required positional ...

Nothing here is guessed: where the host does not raise the same for all samples, or there are none,
nobody knows (None), and what has no rule stays refused.
"""

from __future__ import annotations

import inspect
import itertools
import operator
from collections.abc import Callable, Sequence, Set
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

from rpython.annotator.lattice.model import (
    K_DICT,
    K_HOST,
    K_LIST,
    SomeBuiltinMethod,
    SomeClass,
    SomeClassMethod,
    SomeInstance,
    SomeMethod,
    SomeObject,
    SomePBC,
    SomeTuple,
    s_Bottom,
)
from rpython.annotator.lattice.parts import is_callable, parts_of
from rpython.annotator.program.classdef import ClassDef
from rpython.annotator.program.desc import ClassDesc, ClassMethodDesc, FunctionDesc, MethodDesc
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.annotator.rules.samples import ANY_METHOD, HASHED, samples, stand_ins
from rpython.translator.flow.signature import Signature, signature
from rpython.translator.ir.hlops import HLOPS, IN_PLACE, CallShape, Group, HLOp
from rpython.translator.ir.intrinsics import ProtocolMethod, Refusal, UnpackingMethod, refused
from rpython.translator.ir.model import Constant, SpaceOperation, Value

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator


class Raised(NamedTuple):
    """An exception and its text.  ``others``: where that depends on the class of the instance that
    operand ``number`` is, what it is for other classes, the most special first."""

    exception: type[Exception]
    text: str
    number: int = 0
    others: tuple[tuple[ClassDef, type[Exception], str], ...] = ()


def raised_by_host(annotator: RPythonAnnotator, op: SpaceOperation) -> Raised | None:
    """The exception that CPython raises for such operands, whatever their values are: TypeError or
    AttributeError, and of a few operations others; None where it does something else."""
    row = op.opdef
    assert isinstance(row, HLOp)
    if row.group is Group.CALL:
        return _raised_by_call(annotator, op)
    evaluate = _EVALUATED.get(row.name, row.fold)
    if row.name in IN_PLACE:
        evaluate = getattr(operator, f"i{HLOPS[IN_PLACE[row.name]].name.rstrip('_')}")
    if evaluate is None:
        return None
    operands: list[Operand] = []
    for number, arg in enumerate(op.args):
        if number and isinstance(arg, Constant) and isinstance(arg.value, _NAMES):
            operands.append(([arg.value], s_Bottom, frozenset()))
        elif number == 2 and row.name == "setitem" and not operands[0][1].kinds & ~_TAKE_ANY:
            operands.append(([None], s_Bottom, frozenset()))
        else:
            operands.append(_operand(annotator, arg, _asked_of(op, row, number)))
    if row.name in _CHANGING and any(part.kinds == K_HOST for part in parts_of(operands[0][1])):
        return None
    return _raised_by(evaluate, operands, _MORE_ERRORS.get(row.name, ()))


_TAKE_ANY = K_LIST | K_DICT
"""What takes values of any kind as items."""
_NAMES = (str, int)
"""What tells an operation how many items there are, or the name of an attribute."""
Operand = tuple[list[Any], SomeObject, Set[str]]
"""Values like those of an operand, its annotation, and the methods that these values lack."""


def _operand(annotator: RPythonAnnotator, arg: Value, asked: Set[str]) -> Operand:
    s = annotator.binding(arg)
    return samples(s, asked), s, asked


def _raised_by(
    evaluate: Callable[..., Any], operands: Sequence[Operand],
    more: tuple[type[Exception], ...] = (),
) -> Raised | None:  # fmt: skip
    """What is raised for all combinations of such operands; ``more``: exceptions that count besides
    TypeError and AttributeError."""
    choices = [values for values, _, _ in operands]
    several = [number for number, operand in enumerate(operands) if _is_of_several(operand[1])]
    if len(several) != 1:
        return _same_for_all(evaluate, choices, more)
    (number,) = several
    _, s_instance, asked = operands[number]
    assert isinstance(s_instance, SomeInstance)
    raised: dict[ClassDef, Raised] = {}
    for classdef, choices[number] in stand_ins(s_instance, asked):
        found = _same_for_all(evaluate, choices, more)
        if found is None:
            return None
        raised[classdef] = found
    return _by_class(raised, number)


def _is_of_several(s: SomeObject) -> bool:
    """Is it an instance of one of several classes?"""
    return isinstance(s, SomeInstance) and len(s.classdef.concrete(s.members)) > 1


_MOST_CLASSES = 16


def _by_class(raised: dict[ClassDef, Raised], number: int) -> Raised | None:
    """What is raised, which depends on the class of an operand; None where there are too many."""
    if len(set(raised.values())) == 1:
        return next(iter(raised.values()))
    if len(raised) > _MOST_CLASSES:
        return None
    *others, (_, last) = sorted(raised.items(), key=lambda found: -found[0].depth)
    special = tuple((classdef, *found[:2]) for classdef, found in others)
    return Raised(*last[:2], number, special)


def _same_for_all(
    evaluate: Callable[..., Any], choices: Sequence[Sequence[Any]],
    more: tuple[type[Exception], ...] = (),
) -> Raised | None:  # fmt: skip
    """What is raised for all combinations of these values; ``more``: exceptions that count besides
    TypeError and AttributeError."""
    errors = (TypeError, AttributeError, *more)
    raised: set[Raised | None] = set()
    for values in itertools.product(*choices):
        try:
            evaluate(*values)
        except _ERRORS as error:
            raised.add(Raised(type(error), str(error)) if type(error) in errors else None)
        else:
            raised.add(None)
        if len(raised) > 1:
            return None  # it depends on the values
    return raised.pop() if raised else None


_ERRORS = (TypeError, AttributeError, ValueError, ArithmeticError, LookupError, StopIteration)


def _asked_of(op: SpaceOperation, row: HLOp, number: int) -> Set[str]:
    """The methods for which the operation may ask that operand, if it is an instance."""
    if row.group is Group.ITEM and number == 1:
        return {"__index__"}
    if row.group is Group.MEMBERSHIP and number == 1:
        return {"__eq__"}
    if row.group is Group.ATTRIBUTE and number == 0:
        name = op.args[1]
        assert isinstance(name, Constant)
        first = "__setattr__" if row.name != "getattr" else "__getattribute__"
        return {"__getattr__", first, str(name.value)}
    if row.group in (Group.CALL, Group.CONSTRUCTION):
        return {ANY_METHOD}
    bare = HLOPS[IN_PLACE.get(row.name, row.name)].method.strip("_")
    asked = {row.method, f"__{bare}__", f"__r{bare}__", f"__i{bare}__", "__getattr__", "__index__"}
    if row.reflected:
        asked.add(f"__{row.reflected}__")
    if row.group is not Group.COMPARISON:
        asked |= {"__iter__", "__getitem__", "__len__", "__contains__"}
    return asked


# -- how operations are tried -------------------------------------------------------------------


def _unpack(value: Any, count: int) -> None:
    if not hasattr(value, "__iter__"):
        (_,) = value
    if isinstance(value, tuple) and len(value) > count:
        raise ValueError(f"too many values to unpack (expected {count})")
    if isinstance(value, tuple) and len(value) < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {len(value)})")


def _unpack_star(value: Any, before: int, after: int) -> None:
    if not hasattr(value, "__iter__"):
        (_,) = value
    if isinstance(value, tuple) and len(value) < before + after:
        raise ValueError(
            f"not enough values to unpack (expected at least {before + after}, got {len(value)})"
        )


def _set_item(container: Any, key: Any, value: Any) -> None:
    container[key] = value


def _format(value: Any, conversion: str, spec: str) -> str:
    return format(value, spec) if not conversion else ""


def _attribute(holder: Any, name: str) -> None:
    if isinstance(name, ProtocolMethod):
        if not hasattr(type(holder), name):
            raise TypeError(type(holder).__name__.join(name.lacking))
    else:
        getattr(holder, name)


def _set_attribute(holder: Any, name: str, value: Any) -> None:
    setattr(holder, name, value)


def _raise(value: Any) -> None:
    if not isinstance(value, BaseException):
        is_class = isinstance(value, type) and issubclass(value, BaseException)
        if not is_class:
            raise value


def _new_set(*items: Any) -> None:
    set(items)


def _new_dict(*pairs: Any) -> None:
    dict(zip(pairs[::2], pairs[1::2]))


_MORE_ERRORS: dict[str, tuple[type[Exception], ...]] = {
    "format_value": (ValueError,), "unpack": (ValueError,), "unpack_star": (ValueError,),
    "getitem": (IndexError,),
}  # fmt: skip
_EVALUATED: dict[str, Callable[..., Any]] = {
    "getattr": _attribute, "setattr": _set_attribute, "iter": iter, "next": next,
    "unpack": _unpack, "unpack_star": _unpack_star, "newset": _new_set, "newdict": _new_dict,
    "format_value": _format, "setitem": _set_item, "delitem": operator.delitem,
    "exc_instance": _raise,
}  # fmt: skip
_CHANGING = {"setattr", "setitem", "delitem", *IN_PLACE}
"""What changes an operand, which must be no object of the host then."""


# -- calls --------------------------------------------------------------------------------------


def calls_host(annotator: RPythonAnnotator, op: SpaceOperation) -> bool:
    """Is it a call of a built-in function of which samples tell what CPython raises?"""
    s_called = annotator.binding(op.args[0])
    if s_called.kinds != K_HOST or not s_called.is_constant():
        return False
    return FUNCTIONS.looks(s_called.value) is not None


def _call(function: Any, *args: Any) -> Any:
    return function(*args)


def _raised_by_call(annotator: RPythonAnnotator, op: SpaceOperation) -> Raised | None:
    s_called = annotator.binding(op.args[0])
    if s_called.kinds == K_HOST and s_called.is_constant() and s_called.value is refused:
        return _refusal_of(op)
    if isinstance(s_called, SomePBC):
        return _raised_by_arguments(annotator, op, s_called)
    if not any(part.kinds == K_HOST or is_callable(part) for part in parts_of(s_called)):
        return _not_callable(annotator, op, s_called)
    if op.opname == "call_args" or (s_called.kinds & K_HOST and not calls_host(annotator, op)):
        return None
    if isinstance(s_called, SomeBuiltinMethod) and isinstance(s_called.name, UnpackingMethod):
        return _raised_by_star(annotator, op, s_called.name)
    host = s_called.value if s_called.kinds == K_HOST and s_called.is_constant() else None
    asked: Set[str] = _ITEMS_ASKED if host in _TAKE_ITEMS else {ANY_METHOD}
    if host is hash:
        asked = {HASHED}
    return _raised_by(_call, [_operand(annotator, arg, asked) for arg in op.args])


_TAKE_ITEMS = (
    list, tuple, set, frozenset, sorted, sum, min, max, enumerate, zip, iter, reversed, dict,
)  # fmt: skip
_ITEMS_ASKED = frozenset(
    "__iter__ __getitem__ __reversed__ __len__ __next__ __call__ __index__ keys".split()
)
"""What functions that take the items of an argument ask it for, before they do anything else."""


def _raised_by_star(
    annotator: RPythonAnnotator, op: SpaceOperation, name: UnpackingMethod
) -> Raised | None:
    """What ``[*xs]`` says, or a call with several stars; ``**`` has other texts in calls."""
    if name != "extend":
        return None
    return _raised_by(lambda xs: [*xs], [_operand(annotator, op.args[1], _ITEMS_ASKED)])


def _refusal_of(op: SpaceOperation) -> Raised | None:
    """What the front end knows that it refuses."""
    refusal = op.args[1]
    assert isinstance(refusal, Constant) and isinstance(refusal.value, Refusal)
    raised = refusal.value.raised
    return None if raised is None else Raised(*raised)


def _not_callable(
    annotator: RPythonAnnotator, op: SpaceOperation, s_called: SomeObject
) -> Raised | None:
    """What is said of a value that cannot be called, once the arguments are there."""
    if op.opname == "call_args":
        shape, *args = op.args[1:]
        assert isinstance(shape, Constant)
        if "**" in shape.value.keywords:
            return None
        if shape.value.star:
            s_star = annotator.binding(args[-1])
            if s_star.kinds != K_LIST and not isinstance(s_star, SomeTuple):
                return None
    operand = _operand(annotator, op.args[0], {"__call__", "__getattr__"})
    return None if any(map(callable, operand[0])) else _raised_by(_call, [operand])


def _raised_by_arguments(
    annotator: RPythonAnnotator, op: SpaceOperation, s_called: SomePBC
) -> Raised | None:
    """The TypeError where functions of the program do not take the arguments."""
    shape = CallShape(len(op.args) - 1)
    args = op.args[1:]
    if op.opname == "call_args":
        constant, *args = op.args[1:]
        assert isinstance(constant, Constant)
        shape = constant.value
    count = shape.positional
    if shape.star:
        s_star = annotator.binding(args[-1])
        if not isinstance(s_star, SomeTuple):
            return None
        count += len(s_star.items)
    if "**" in shape.keywords or len(set(shape.keywords)) < len(shape.keywords):
        return None
    stubs = [_stub_of(s_called, desc) for desc in s_called.descs]
    if any(stub is None for stub in stubs):
        return None

    def call(stub: Callable[..., None]) -> None:
        stub(*([None] * count), **dict.fromkeys(shape.keywords))

    return _same_for_all(call, [stubs])


def _stub_of(s_called: SomePBC, desc: Any) -> Any:
    """A function that takes what this one takes, bound as it is, and does nothing; None where there
    is none, as for those of ours, which stand for others."""
    if isinstance(s_called, SomeClass) and isinstance(desc, ClassDesc):
        return None if desc.classdef.home.is_ours else _class_stub(desc.classdef.seen_as)
    bound = isinstance(s_called, (SomeMethod, SomeClassMethod))
    if bound and isinstance(desc, (MethodDesc, ClassMethodDesc)):
        desc = desc.function
    if not isinstance(desc, FunctionDesc) or desc.home.is_ours:
        return None
    stub = _function_stub(desc.func, desc.signature)
    return stub.__get__(object()) if bound else stub


def _class_stub(cls: type) -> Any:
    new, init = (inspect.getattr_static(cls, name) for name in ("__new__", "__init__"))
    if type(cls) is not type or new is not vars(object)["__new__"]:
        return None
    if init is vars(object)["__init__"]:
        return type(cls.__name__, (), {})
    if not isinstance(init, FunctionType):
        return None
    return _function_stub(init, signature(init)).__get__(object())


def _nothing() -> None:
    pass


def _function_stub(func: FunctionType, of: Signature) -> Any:
    names = of.argnames[of.is_closure :]
    flags = inspect.CO_OPTIMIZED | inspect.CO_NEWLOCALS
    flags |= inspect.CO_VARARGS if of.vararg is not None else 0
    flags |= inspect.CO_VARKEYWORDS if of.kwarg is not None else 0
    every = (*names, *of.kwonly, *(name for name in (of.vararg, of.kwarg) if name is not None))
    code = _nothing.__code__.replace(
        co_argcount=len(names), co_posonlyargcount=of.posonly - of.is_closure,
        co_kwonlyargcount=len(of.kwonly), co_nlocals=len(every), co_varnames=every,
        co_flags=flags, co_name=func.__name__, co_qualname=func.__qualname__,
    )  # fmt: skip
    stub = FunctionType(code, {}, func.__name__, (None,) * len(of.defaults))
    stub.__qualname__ = func.__qualname__
    stub.__kwdefaults__ = dict.fromkeys(of.kwdefaults)
    return stub
