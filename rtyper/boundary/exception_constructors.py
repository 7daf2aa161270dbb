"""With which arguments an exception of an extension module was constructed, so that Python can
construct it again.

    raise Missing(word, 3)          form = 2, which is ("made", (str, int))
                                    arguments = (word, 3)

A form says what the arguments are: of those whose type does not cross there is only the type.
Form 0 is an exception with its message as the only argument, or with none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from rpython.annotator.lattice.model import SomeObject, SomeString, SomeTuple
from rpython.annotator.program.classdef import ClassDef
from rpython.annotator.program.excattrs import Place, places
from rpython.annotator.rules.exceptions import is_named
from rpython.lltypesystem.llmemory import GCREF
from rpython.lltypesystem.lltype import Signed, _ptr, cast_opaque_ptr, nullptr
from rpython.rtyper.kinds.instance import InstanceRepr, void
from rpython.rtyper.kinds.tuple import TupleRepr
from rpython.rtyper.text import Operand
from rpython.translator.ir.model import Constant, Value
from rpython.translator.ir.records import dataclass

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper

FORM, ARGUMENTS = "form", "arguments"
FIELDS = ((FORM, Signed), (ARGUMENTS, GCREF))
"""Of all exceptions."""

_MESSAGE_IS_NOT_ALL = (
    KeyError, OSError, UnicodeError, SystemExit, AttributeError, NameError, OverflowError,
)  # fmt: skip
"""Built-in operations raise them with more than a message."""
_PLAIN = (int, float, bool, str, bytes, type(None))


class ArgumentType(Protocol):
    """What the table of the module has for a type; ``crosses``: do its values?"""

    @property
    def crosses(self) -> bool: ...


@dataclass(frozen=True)
class Form:
    """``how``: "made" with the arguments; only "allocated" with them, and initialised by the
    program; by the "system", with errno and two paths, or by a "codec", with what it worked
    on and two places; or the one argument is the exception itself, of "python".  ``values``:
    the tuple of those arguments that cross."""

    how: str
    types: tuple[ArgumentType, ...]
    values: TupleRepr | None


class ExceptionConstructors:
    """The forms of one program, numbered from 1."""

    def __init__(self, type_of: Callable[[SomeObject], ArgumentType]) -> None:
        self.type_of = type_of
        self.known: list[Form] = []

    def keep(
        self, hop: HighLevelOp, r: InstanceRepr, v_instance: Value, operands: Sequence[Operand],
        where: Mapping[str, Place],
    ) -> None:  # fmt: skip
        """Store the arguments that an exception is made with; ``where``: the attributes that
        this sets."""
        cls = r.classdef.cls
        made = where == places(cls, len(operands), is_named([s for _, s, _ in operands]))
        if not operands or (_is_message(operands) and not _has_other_text(r.classdef)):
            self._store(hop.llops, r, v_instance, Constant(0, Signed), None)
        else:
            self.keep_as(hop, r, v_instance, "made" if made else "allocated", operands)

    def keep_as(
        self, hop: HighLevelOp, r: InstanceRepr, v_instance: Value, how: str,
        operands: Sequence[Operand],
    ) -> None:  # fmt: skip
        """The same, of an exception that a built-in operation raises."""
        types = tuple(self.type_of(s) for _, s, _ in operands)
        crossing = [operand for operand, T in zip(operands, types) if T.crosses]
        r_tuple, v_tuple = None, None
        if crossing:
            r_any: Any = hop.rtyper.getrepr(
                SomeTuple(tuple(s.without_const() for _, s, _ in crossing))
            )
            r_tuple, v_tuple = r_any, r_any.build(hop.llops, crossing)
        v_form = Constant(self.number(Form(how, types, r_tuple)), Signed)
        self._store(hop.llops, r, v_instance, v_form, v_tuple)

    def number(self, form: Form) -> int:
        """The number of the form, from 1."""
        if form not in self.known:
            self.known.append(form)
        return self.known.index(form) + 1

    @staticmethod
    def _store(
        llops: LowLevelOpList, r: InstanceRepr, v_instance: Value, v_form: Value,
        v_tuple: Value | None,
    ) -> None:  # fmt: skip
        v_base = llops.rtyper.classes.cast(v_instance, r.exception_base().lowleveltype, llops)
        llops.genop("setfield", [v_base, void(FORM), v_form])
        v_ref: Value = Constant(nullptr(GCREF.TO), GCREF)
        if v_tuple is not None:
            v_ref = llops.genop("cast_opaque_ptr", [v_tuple], GCREF)
        llops.genop("setfield", [v_base, void(ARGUMENTS), v_ref])

    def fill_prebuilt(self, rtyper: RPythonTyper, base: _ptr, x: BaseException) -> None:
        """Store the arguments of an exception that exists before the program runs; ``base``: it
        as a BaseException."""
        args = x.args
        if isinstance(x, OSError) and x.filename is not None:
            more = () if x.filename2 is None else (None, x.filename2)
            args = (*args, x.filename, *more)
        annotations = [rtyper.annotator.constants.annotation_of(arg) for arg in args]
        types = tuple(
            self.type_of(s.without_const() if _is_plain(arg) else SomeObject())
            for arg, s in zip(args, annotations)
        )
        plain = [(arg, s) for arg, s in zip(args, annotations) if _is_plain(arg)]
        r_tuple: Any = None
        if plain:
            r_tuple = rtyper.getrepr(SomeTuple(tuple(s.without_const() for _, s in plain)))
            value = r_tuple.convert_const(tuple(arg for arg, _ in plain))
            base.arguments = cast_opaque_ptr(GCREF, value)
        base.form = self.number(Form("made", types, r_tuple)) if args else 0


def _is_message(operands: Sequence[Operand]) -> bool:
    """Is it one argument, a str?  It is the message then."""
    return len(operands) == 1 and isinstance(operands[0][1], SomeString)


def _has_other_text(classdef: ClassDef) -> bool:
    """May the text of such exceptions be something else than their message?"""
    if issubclass(classdef.cls, _MESSAGE_IS_NOT_ALL):
        return True
    return any(
        "__str__" in vars(cls) and cls.__module__ != "builtins"
        for each in classdef.subtree() for cls in each.cls.__mro__
    )  # fmt: skip


def _is_plain(value: Any) -> bool:
    if type(value) is tuple:
        return all(map(_is_plain, value))
    return type(value) in _PLAIN
