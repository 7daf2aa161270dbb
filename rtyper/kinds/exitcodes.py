"""What exceptions hold that exist before the program runs, and the exit codes of SystemExit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import K_BOOL, K_INT, K_NONE
from rpython.annotator.lattice.parts import without_none
from rpython.annotator.program.excattrs import has_fixed_text
from rpython.lltypesystem.lltype import Signed, _ptr, nullptr
from rpython.lltypesystem.rstr import STR, make_str
from rpython.rtyper.callables import Operand
from rpython.rtyper.ll.ll_exit import EXIT_WITH_TEXT
from rpython.rtyper.ll.ll_text import NO_TEXT
from rpython.rtyper.rmodel import NullableRepr
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp

EXIT_CODE = "exit_code"
"""The field of SystemExit instances with the exit status."""


def prebuilt_message(x: BaseException) -> _ptr:
    """The message of an exception that exists before the program runs."""
    if not has_fixed_text(x):
        return NO_TEXT
    builtin: Any = next(cls for cls in type(x).__mro__ if cls.__module__ == "builtins")
    message = builtin.__str__(x)
    return make_str(message) if message else nullptr(STR)


def prebuilt_exit_code(code: object) -> int:
    """The exit code of SystemExit with this ``code``."""
    if code is None:
        return 0
    if not isinstance(code, int):
        return EXIT_WITH_TEXT
    return int(code) if EXIT_WITH_TEXT < code < -EXIT_WITH_TEXT else -1


def exit_code(hop: HighLevelOp, operands: list[Operand]) -> Value:
    """The exit code that SystemExit with these arguments has."""
    if len(operands) > 1:
        return Constant(EXIT_WITH_TEXT, Signed)
    (operand,) = operands
    kinds = operand.s.kinds
    if kinds == K_NONE:
        return Constant(0, Signed)
    if kinds in (K_INT, K_BOOL):
        r_signed = hop.rtyper.primitive_repr(Signed)
        if operand.s.is_constant():
            return r_signed.inputconst(operand.s.value)
        return hop.llops.convertvar(operand.v, operand.r, r_signed)
    if not isinstance(operand.r, NullableRepr):
        return Constant(EXIT_WITH_TEXT, Signed)
    llops = hop.llops
    done = llops.new_join(Signed)
    null, other = llops.branch(operand.r.is_null(operand.v, llops))
    llops.at(null)
    llops.goto(done, Constant(0, Signed))
    llops.at(other)
    inner = Operand(operand.v, without_none(operand.s), operand.r.inner)
    llops.goto(done, exit_code(hop, [inner]))
    llops.at(done)
    return done.inputargs[0]
