"""The message of an exception: ``str()`` of what it is made with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotator.classdef import ClassDef
from annotator.model import K_BYTEARRAY, K_DICT, K_INSTANCE, K_LIST, SomeObject, SomeTuple
from annotator.parts import parts_of
from lltypesystem.rstr import STRPTR
from rtyper.ll.ll_text import NO_TEXT
from rtyper.text import TEXT, Operand, concatenate, literal, text, text_pieces
from translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rtyper.hop import HighLevelOp
    from rtyper.rtyper import RPythonTyper

_MUTABLE = K_INSTANCE | K_LIST | K_DICT | K_BYTEARRAY


def exception_message(hop: HighLevelOp, classdef: ClassDef, arg: int) -> Value | None:
    """``str`` of an exception of this class made with operand ``arg`` and those after it; None
    is the empty text.

    An argument whose text may change later, or has none here, gives a message that cannot
    be read: ``str`` of the exception raises.
    """
    operands = [hop.operand(i) for i in range(arg, hop.nb_args)]
    cls = classdef.cls
    if not operands:
        return None
    if any(not _keeps_its_text(hop.rtyper, s) for _, s, _ in operands):
        return Constant(NO_TEXT, STRPTR)
    if issubclass(cls, OSError) and len(operands) > 1:
        return _os_error_message(hop, operands)
    if issubclass(cls, UnicodeError) and cls.__str__ is not UnicodeError.__str__:
        return Constant(NO_TEXT, STRPTR)
    if len(operands) == 1:
        return text(hop, operands[0], issubclass(cls, KeyError))
    pieces: list[Value] = []
    for i, operand in enumerate(operands):
        pieces.append(literal(hop.rtyper, "(" if i == 0 else ", "))
        pieces += text_pieces(hop, operand, True)
    return concatenate(hop, [*pieces, literal(hop.rtyper, ")")])


def _os_error_message(hop: HighLevelOp, operands: list[Operand]) -> Value:
    """``OSError(errno, strerror[, filename])``."""
    if len(operands) > 3:
        return Constant(NO_TEXT, STRPTR)
    pieces: list[Value] = [literal(hop.rtyper, "[Errno ")]
    pieces += text_pieces(hop, operands[0], False)
    pieces.append(literal(hop.rtyper, "] "))
    pieces += text_pieces(hop, operands[1], False)
    if len(operands) == 3:
        pieces.append(literal(hop.rtyper, ": "))
        pieces += text_pieces(hop, operands[2], True)
    return concatenate(hop, pieces)


def _keeps_its_text(rtyper: RPythonTyper, s: SomeObject) -> bool:
    """Is the value immutable, with a text?"""
    for part in parts_of(s):
        if isinstance(part, SomeTuple):
            if not all(_keeps_its_text(rtyper, item) for item in part.items):
                return False
        elif (
            part.kinds & _MUTABLE
            or getattr(part, "may_be_bool", False)
            or TEXT.lookup("text", type(rtyper.getrepr(part))) is None
        ):
            return False
    return True
