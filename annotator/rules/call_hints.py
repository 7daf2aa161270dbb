"""What to do about calls that are refused.

    def deposit(amount): ...        account.deposit(5)      write: def deposit(self, amount)
    @property
    def top(self): ...              stack.top()             write: stack.top
"""

from __future__ import annotations

from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import SomeInstance
from rpython.annotator.program.desc import FunctionDesc
from rpython.annotator.rules.arguments import CallArguments
from rpython.translator.ir.home import home_of_function
from rpython.translator.ir.model import Constant, Variable

_NOT_KNOWN = "only what the restricted language knows can be called: see docs/language.md"
_INSTEAD: dict[Any, str] = {
    **dict.fromkeys(
        (eval, exec, compile, __import__),
        "there is no Python in the executable: do it at import time, or choose from a dict of "
        "functions",
    ),
    **dict.fromkeys(
        (globals, locals, vars),
        "variables and attributes have no names at run time: keep the values in a dict",
    ),
}
"""A built-in function -> what to do without it."""


def unknown_function(function: Any, name: str) -> tuple[str, str]:
    """What is wrong with the call of a built-in function that is not known, and the hint."""
    module = getattr(function, "__module__", None)
    if function in _INSTEAD or not isinstance(module, str) or module == "builtins":
        return f"calling the built-in {name} is not supported", _INSTEAD.get(function, _NOT_KNOWN)
    module = module.removeprefix("_")
    hint = f"docs/stdlib.md says what there is of {module}"
    return f"calling {module}.{name} is not supported", hint


def method_without_self(desc: FunctionDesc, arguments: CallArguments) -> str:
    """The hint about a method that may lack the parameter for its instance; empty if it does
    not."""
    params = desc.signature.argnames
    may_be_method = home_of_function(desc.func).is_program and desc.closure is None
    is_bound = may_be_method and None in arguments.operands[:1]
    one_more = arguments.shape.positional == len(params) + 1 and not arguments.shape.star
    if not (is_bound and one_more) or params[:1] in (("self",), ("cls",)):
        return ""
    shown = ", ".join(["self", *params])
    return f"the first parameter of a method is its instance: def {desc.func.__name__}({shown})"


def called_attribute(ctx: OpContext) -> str:
    """The hint about the value of a property or of another attribute, if that is what is called."""
    span = ctx.op.span
    reads = [
        op for block in ctx.graph.iterblocks() for op in block.operations
        if op.opname == "getattr" and (op.span.line, op.span.col) == (span.line, span.col)
    ]  # fmt: skip
    read = max(reads, key=lambda op: (op.span.end_line, op.span.end_col), default=None)
    if read is None or not isinstance(read.args[0], Variable):
        return ""
    s, name = ctx.annotator.binding(read.args[0]), read.args[1]
    if not isinstance(s, SomeInstance) or not isinstance(name, Constant):
        return ""
    found = s.classdef.class_value(name.value)
    if found is None or not isinstance(found[1], property):
        return f"{name.value} is an attribute, and no method: leave out the ()"
    return f"{name.value} is a property, which is read without calling it: leave out the ()"
