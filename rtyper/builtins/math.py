"""``math``, and numeric built-ins written in Python (``annotator.library_math``)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rpython.annotator.builtins.math import C_FUNCTIONS
from rpython.annotator.lattice.model import s_Float, s_Int
from rpython.annotator.library_math import (
    FLOAT_METHODS_IN_PYTHON,
    FUNCTIONS_IN_PYTHON,
    INT_METHODS_IN_PYTHON,
    OF_FLOATS,
    WIDE_METHODS_IN_PYTHON,
)
from rpython.annotator.library_numbers import float_to_text
from rpython.lltypesystem.lltype import Bool, Float, Signed
from rpython.rtyper.builtins.inpython import call_in_python
from rpython.rtyper.kinds.float import FloatRepr, operand
from rpython.rtyper.kinds.int import BoolRepr, IntegerRepr, holds
from rpython.rtyper.ll import ll_float, ll_format, ll_math
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import REPR_METHODS
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp

OVERFLOWING = (math.cosh, math.exp, math.exp2, math.expm1, math.sinh)
"""Functions of finite numbers that give an infinity when the result is too large; of the
others an infinity is a pole."""

EXTERNALS = {
    function: ll_math.external(function.__name__, count)
    for count, functions in C_FUNCTIONS.items()
    for function in functions
}


@BUILTINS.register(*C_FUNCTIONS[1])
def unary_function(hop: HighLevelOp) -> Value:
    function: Any = hop.host_function
    v_x = operand(hop, 0)
    v_result = hop.llops.call_pointer(EXTERNALS[function], [v_x])
    overflows = Constant(function in OVERFLOWING, Bool)
    return hop.gendirectcall(ll_math.ll_checked, v_x, v_result, overflows)


@BUILTINS.register(*C_FUNCTIONS[2])
def binary_function(hop: HighLevelOp) -> Value:
    function: Any = hop.host_function
    v_x, v_y = operand(hop, 0), operand(hop, 1)
    if function is math.pow:
        return hop.gendirectcall(ll_math.ll_pow, v_x, v_y)
    v_result = hop.llops.call_pointer(EXTERNALS[function], [v_x, v_y])
    return hop.gendirectcall(ll_math.ll_checked_of_two, v_x, v_y, v_result)


@BUILTINS.register(math.log)
def logarithm(hop: HighLevelOp) -> Value:
    logs = [hop.gendirectcall(ll_math.ll_log, operand(hop, i)) for i in range(hop.nb_args)]
    if len(logs) == 1:
        return logs[0]
    return hop.gendirectcall(ll_float.ll_float_truediv, *logs)


@BUILTINS.register(math.ldexp)
def load_exponent(hop: HighLevelOp) -> Value:
    return hop.gendirectcall(ll_math.ll_ldexp, operand(hop, 0), hop.inputarg(Signed, 1))


@BUILTINS.register(float_to_text)
def fixed_text(hop: HighLevelOp) -> Value:
    v_x, v_digits = hop.inputargs(Float, Signed)
    kind, flags = Constant(ord("f"), Signed), Constant(0, Signed)
    return hop.gendirectcall(ll_format.ll_format_float, v_x, kind, v_digits, flags)


for _host, _function in FUNCTIONS_IN_PYTHON.items():

    @BUILTINS.register(_host)
    def function_in_python(hop: HighLevelOp, function: Any = _function) -> Value:
        if function in OF_FLOATS:
            r_float = hop.rtyper.getrepr(s_Float)
            for i in range(hop.nb_args):
                hop.replace_arg(i, operand(hop, i), s_Float, r_float)
        return call_in_python(hop, function)


def _register(name: str, repr_class: Any, function: Any) -> None:
    @REPR_METHODS.register(name, repr_class)
    def method(hop: HighLevelOp) -> Value:
        r = hop.args_r[0]
        if isinstance(r, IntegerRepr) and not holds(Signed, *r.limits):
            return call_in_python(hop, WIDE_METHODS_IN_PYTHON[name])
        if isinstance(r, IntegerRepr) and not r.checks:
            hop.replace_arg(0, hop.inputarg(Signed, 0), s_Int, hop.rtyper.getrepr(s_Int))
        return call_in_python(hop, function)


for _name, _function in INT_METHODS_IN_PYTHON.items():
    for _class in (IntegerRepr, BoolRepr):
        _register(_name, _class, _function)
for _name, _function in FLOAT_METHODS_IN_PYTHON.items():
    _register(_name, FloatRepr, _function)
