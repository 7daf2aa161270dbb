"""Functions around what a class has, for calls from Python: restricted Python, translated like
the program's own.  Each is made for one class.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import FunctionType
from typing import Any

from rpython.translator.extension.exports import Parameters
from rpython.translator.ir.hlops import Group, names_of

Wrapper = Callable[..., Any]


def function(func: Callable[..., Any], parameters: Parameters) -> Wrapper:
    """A call of a function that takes ``*args`` or ``**kwargs``."""
    return _calling("cls", "args", parameters, func)


def constructor(cls: type, parameters: Parameters) -> Wrapper:
    return _calling("cls", "args", parameters, cls)


def extended_constructor(cls: type) -> Wrapper:
    """Of a class of objects of Python's classes (``overrides``)."""
    made: Wrapper = eval("lambda args: cls(args)", {"__name__": __name__, "cls": cls})
    return made


def extended_init(
    init: Wrapper | None, parameters: Parameters, attribute: str, ticket: Wrapper
) -> Wrapper:
    """Its ``__init__``: sets the attribute, and calls that of the class above with what is in
    ``args``."""
    names = {"__name__": __name__, "init": init, "ticket": ticket}
    called = "None" if init is None else _call_text("init", parameters, "self, ")
    text = f"""\
def __init__(self, args):
    object.__setattr__(self, {attribute!r}, ticket())
    {called}
"""
    exec(text, names)
    made: Wrapper = names["__init__"]  # type: ignore[assignment]
    return made


def copied(func: Any) -> Wrapper:
    """A function of its own for each class."""
    made: Wrapper = FunctionType(func.__code__, {**func.__globals__, "__name__": __name__})
    return made


def getter(name: str) -> Wrapper:
    def get(obj: Any) -> Any:
        return getattr(obj, name)

    return get


def setter(name: str) -> Wrapper:
    def set_attribute(obj: Any, value: Any) -> None:
        setattr(obj, name, value)

    return set_attribute


def method(name: str, parameters: Parameters) -> Wrapper:
    """A method that the object's class has from a mixin."""
    return _calling(f"obj.{name}", "obj, args", parameters)


def class_method(cls: type, name: str, parameters: Parameters) -> Wrapper:
    return _calling(f"cls.{name}", "args", parameters, cls)


def _calling(
    called: str, head: str, parameters: Parameters, cls: Callable[..., Any] | None = None
) -> Wrapper:
    """A call with what is in the tuple ``args``.  It is made from text because the names of
    keyword arguments are part of a function's code."""
    text = f"lambda {head}: {_call_text(called, parameters)}"
    made: Wrapper = eval(text, {"__name__": __name__, "cls": cls})
    return made


def _call_text(called: str, parameters: Parameters, first: str = "") -> str:
    items = [
        f"args[{i}]" if i < parameters.positional else f"{name}=args[{i}]"
        for i, name in enumerate(parameters.names)
    ]
    if parameters.star:
        items[parameters.positional] = f"*args[{parameters.positional}]"
    if parameters.stars:
        items[-1] = f"**args[{len(items) - 1}]"
    return f"{called}({first}{', '.join(items)})"


def unary(function: Wrapper) -> Wrapper:
    def call(a: Any) -> Any:
        return function(a)

    return call


def binary(function: Wrapper) -> Wrapper:
    def call(a: Any, b: Any) -> Any:
        return function(a, b)

    return call


def comparison(symbol: str) -> Wrapper:
    """A comparison that only Python asks for; the program may call ``operator.eq``, too."""
    made: Wrapper = eval(f"lambda a, b: a {symbol} b", {"__name__": __name__})
    return made


def reflected(function: Wrapper) -> Wrapper:
    def call(a: Any, b: Any) -> Any:
        return function(b, a)

    return call


UNARY: dict[str, Wrapper] = {"__str__": str, "__repr__": repr}

COMPARISONS = {
    "__lt__": "<", "__le__": "<=", "__eq__": "==", "__ne__": "!=", "__gt__": ">", "__ge__": ">=",
}  # fmt: skip

_OPERATORS = [
    name for name in names_of(Group.ARITHMETIC).split() if name not in ("pow", "matmul")
]


def _matmul(a: Any, b: Any) -> Any:
    return a @ b


def _pow(a: Any, b: Any) -> Any:
    return a**b


ARITHMETIC: dict[str, Wrapper] = {
    f"__{name.strip('_')}__": getattr(operator, name) for name in _OPERATORS
} | {
    f"__i{name.strip('_')}__": getattr(operator, "i" + name.strip("_")) for name in _OPERATORS
} | {"__matmul__": _matmul, "__pow__": _pow}  # fmt: skip

REFLECTED: dict[str, Wrapper] = {
    f"__r{name.strip('_')}__": getattr(operator, name) for name in _OPERATORS
} | {"__rmatmul__": _matmul, "__rpow__": _pow}

BINARY = frozenset([*COMPARISONS, *ARITHMETIC, *REFLECTED])
"""Those of operators."""

CALLED_AS_THEY_ARE = frozenset(
    "__call__ __getitem__ __setitem__ __delitem__ __contains__ __enter__ __len__ __bool__ "
    "__iter__ __next__ __reversed__ "
    "__hash__ __format__ __bytes__ __int__ __float__ __index__ __abs__ __neg__ __pos__ "
    "__invert__ __round__ __trunc__ __floor__ __ceil__ __divmod__".split()
)
"""Special methods that Python calls as it calls other methods."""

ITERATION = frozenset(["__iter__", "__next__", "__reversed__"])
"""Those of them that may give what does not cross: generators, iterators of containers."""

SPECIAL = frozenset([*UNARY, *COMPARISONS, *ARITHMETIC, *REFLECTED, *CALLED_AS_THEY_ARE])
"""All special methods that Python can call."""
