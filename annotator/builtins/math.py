"""Transfer rules for ``math``, and for numeric built-ins written in Python
(``annotator.library_math``)."""

from __future__ import annotations

import math
from typing import Any

from rpython.annotator.builtins.library import call_in_python
from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_FLOAT,
    K_INT,
    K_NONE,
    SomeBool,
    SomeFloat,
    SomeInteger,
    SomeObject,
    s_Float,
    s_Int,
    s_Str,
)
from rpython.annotator.library_math import (
    FLOAT_METHODS_IN_PYTHON,
    FUNCTIONS_IN_PYTHON,
    INT_METHODS_IN_PYTHON,
    OF_FLOATS,
    WIDE_METHODS_IN_PYTHON,
)
from rpython.annotator.library_numbers import float_to_text, power
from rpython.annotator.rules.numbers import integer_type, is_wide, require_one_type
from rpython.annotator.rules.registry import FUNCTIONS, METHODS
from rpython.annotator.rules.strings import require_kind

_INT = (K_INT | K_BOOL, "an int")
_INT_OR_NONE = (K_INT | K_BOOL | K_NONE, "an int or None")
_NUMBER = (K_INT | K_BOOL | K_FLOAT, "a number")
_WANTED = {
    "n": _INT, "k": _INT_OR_NONE, "x": _NUMBER, "y": _NUMBER, "a": _NUMBER, "b": _NUMBER,
    "base": _NUMBER, "exp": _NUMBER, "mod": _INT_OR_NONE, "number": _NUMBER,
    "ndigits": _INT_OR_NONE, "rel_tol": _NUMBER, "abs_tol": _NUMBER,
}  # fmt: skip

C_FUNCTIONS = {
    1: (
        math.acos, math.acosh, math.asin, math.asinh, math.atan, math.atanh, math.cbrt, math.cos,
        math.cosh, math.erf, math.erfc, math.exp, math.exp2, math.expm1, math.fabs, math.log10,
        math.log1p, math.log2, math.sin, math.sinh, math.sqrt, math.tan, math.tanh,
    ),
    2: (math.atan2, math.copysign, math.fmod, math.nextafter, math.pow, math.remainder),
}  # fmt: skip
"""What the C library computes, by the number of arguments."""


@FUNCTIONS.register(*C_FUNCTIONS[1])
def unary_function(ctx: OpContext, s: SomeObject) -> SomeObject:
    require_kind(ctx, s, *_NUMBER)
    return s_Float


@FUNCTIONS.register(*C_FUNCTIONS[2])
def binary_function(ctx: OpContext, s_x: SomeObject, s_y: SomeObject) -> SomeObject:
    require_kind(ctx, s_x, *_NUMBER)
    require_kind(ctx, s_y, *_NUMBER)
    return s_Float


@FUNCTIONS.register(math.log)
def logarithm(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    if len(args_s) not in (1, 2):
        raise ctx.error("log() takes a number and, if wanted, a base")
    for s in args_s:
        require_kind(ctx, s, *_NUMBER)
    return s_Float


@FUNCTIONS.register(math.ldexp)
def load_exponent(ctx: OpContext, s_x: SomeObject, s_exponent: SomeObject) -> SomeObject:
    require_kind(ctx, s_x, *_NUMBER)
    require_kind(ctx, s_exponent, *_INT)
    return s_Float


@FUNCTIONS.register(float_to_text)
def fixed_text(ctx: OpContext, s_x: SomeObject, s_digits: SomeObject) -> SomeObject:
    return s_Str


def as_float(s: SomeObject) -> SomeObject:
    return s_Float if s.kinds & (K_INT | K_BOOL) else s


for _host, _function in FUNCTIONS_IN_PYTHON.items():

    @FUNCTIONS.register(_host)
    def function_in_python(
        ctx: OpContext, *args_s: SomeObject, function: Any = _function, **keywords: SomeObject
    ) -> SomeObject:
        if function in OF_FLOATS:
            args_s = tuple(map(as_float, args_s))
            keywords = {name: as_float(s) for name, s in keywords.items()}
            for s in args_s:
                require_kind(ctx, s, K_FLOAT, "a number")
        for s in args_s:
            require_one_type(ctx, s, "which decides the type of the result")
        sized = [s for s in args_s if integer_type(s) is not int]
        if function is power and sized and len(args_s) + len(keywords) > 2:
            raise ctx.error(
                f"pow() with a modulus takes plain ints, not {sized[0].describe()}",
                hint="convert it first: int(...)",
            )
        return call_in_python(ctx, function, _WANTED, args_s, keywords)


for _name, _function in INT_METHODS_IN_PYTHON.items():
    for _integer in (SomeInteger, SomeBool):

        @METHODS.register(_name, _integer)
        def int_method(ctx: OpContext, s: SomeObject, *, function: Any = _function) -> SomeObject:
            if is_wide(s):
                function = WIDE_METHODS_IN_PYTHON.get(ctx.method_name)
                if function is None:
                    raise ctx.error(f"{ctx.method_name}() of {s.describe()} is not supported")
                return call_in_python(ctx, function, _WANTED, (s.without_const(),), {})
            return call_in_python(ctx, function, _WANTED, (s_Int,), {})


for _name, _function in FLOAT_METHODS_IN_PYTHON.items():

    @METHODS.register(_name, SomeFloat)
    def float_method(ctx: OpContext, s: SomeObject, *, function: Any = _function) -> SomeObject:
        return call_in_python(ctx, function, _WANTED, (s.without_const(),), {})
