"""Exceptions at run time: their message and their attributes.

    raise ValueError("bad", n)      message = "('bad', 5)"; where the program reads them,
                                    args = ("bad", 5), and the text that repr adds

The message is ``str`` of the exception; null is the empty text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import (
    K_NONE,
    Const,
    SomeBool,
    SomeObject,
    SomeTuple,
    s_Bytes,
    s_Int,
    s_None,
    s_Str,
)
from rpython.annotator.lattice.parts import without_none
from rpython.annotator.lattice.union import contains
from rpython.annotator.program.classdef import ClassDef
from rpython.annotator.program.excattrs import (
    CODEC_ARGUMENTS,
    CODEC_ERRORS,
    REPR,
    Place,
    calls_builtin_init,
    places,
)
from rpython.annotator.program.exctexts import always_the_same, has_own_text, has_text_when_read
from rpython.annotator.rules.exceptions import follows_program, keeps_keys
from rpython.lltypesystem.lltype import Bool, _ptr, cast_pointer, nullptr
from rpython.lltypesystem.rclass import OBJECT, OBJECTPTR
from rpython.lltypesystem.rstr import STR, STRPTR, make_str
from rpython.rtyper.kinds.instance import InstanceRepr, void
from rpython.rtyper.kinds.str import CharRepr, StringRepr
from rpython.rtyper.kinds.tuple import TupleRepr
from rpython.rtyper.kinds.vartuple import VarTupleRepr
from rpython.rtyper.lazy_messages import Emit
from rpython.rtyper.ll.ll_codec_error import ll_decode_error_text, ll_encode_error_text
from rpython.rtyper.ll.ll_text import NO_TEXT
from rpython.rtyper.rmodel import NullableRepr
from rpython.rtyper.text import Operand, concatenate, literal, text, text_pieces
from rpython.translator.ir.home import Home
from rpython.translator.ir.model import Block, Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


def initialise(
    hop: HighLevelOp, r: InstanceRepr, v_instance: Value, operands: Sequence[Operand],
    where: Mapping[str, Place],
) -> None:  # fmt: skip
    """Set the message of an exception, instance of ``r``'s class made with these arguments,
    and its attributes, found ``where`` in them."""
    v_message = exception_message(hop, r.classdef, operands)
    if v_message is None:
        v_message = Constant(nullptr(STR), STRPTR)
    v_base = hop.rtyper.classes.cast(v_instance, r.exception_base().lowleveltype, hop.llops)
    hop.genop("setfield", [v_base, void("message"), v_message])
    if hop.rtyper.exception_constructors is not None:
        hop.rtyper.exception_constructors.keep(hop, r, v_instance, operands, where)
    graph = hop.llops.graphtyper.graph
    unsure = _may_have_no_name(r.classdef.cls, operands)
    for name, place in where.items():
        if name == "args" and follows_program(graph, r.classdef, len(operands)):
            _set_fitting_args(hop, r, v_instance, operands)
        elif name in ("args", "filename2") and unsure:
            _set_if_named(hop, r, v_instance, name, operands, place)
        else:
            set_field(hop, r, v_instance, name, _placed(hop, operands, place))
    if r.classdef.find_attribute(REPR) is not None and "args" in where:
        shown = operands if unsure else [operands[i] for i in where["args"]]  # type: ignore[union-attr]
        v_repr = v_message  # the text of the tuple args, if there are several
        if _emit_for_str(r.classdef.cls, operands) is not _listed or isinstance(v_repr, Constant):
            v_repr = _repr_of_arguments(hop, r.classdef, shown, unsure)
        set_field(hop, r, v_instance, REPR, (v_repr, s_Str, hop.rtyper.getrepr(s_Str)))


def _may_have_no_name(cls: type[BaseException], operands: Sequence[Operand]) -> bool:
    """Is the third argument of an OSError the name of a file or None?  In the first case, ``args``
    are only two."""
    if not issubclass(cls, OSError) or not 3 <= len(operands) <= 5:
        return False
    _, s, r = operands[2]
    return isinstance(r, NullableRepr) and not s.is_constant()


def _set_if_named(
    hop: HighLevelOp, r: InstanceRepr, v_instance: Value, name: str, operands: Sequence[Operand],
    place: Place,
) -> None:  # fmt: skip
    """Set an attribute of an OSError that has the name of a file.  One without has None as
    ``filename2``; its ``args`` are more, of another type: not there."""
    if not is_read(r, name):
        return
    llops = hop.llops
    v, _, r_name = operands[2]
    done = Block([])
    null, other = llops.branch(r_name.is_null(v, llops))  # type: ignore[attr-defined]
    llops.at(null)
    if name != "args":
        set_field(hop, r, v_instance, name, _placed(hop, operands, None))
    llops.goto(done)
    llops.at(other)
    set_field(hop, r, v_instance, name, _placed(hop, operands, place))
    llops.goto(done)
    llops.at(done)


def _placed(hop: HighLevelOp, operands: Sequence[Operand], place: Place) -> Operand:
    """The value that an attribute gets."""
    rtyper = hop.rtyper
    if place is None:
        return void(None), s_None, rtyper.getrepr(s_None)
    if isinstance(place, int):
        return operands[place]
    items = [operands[i] for i in place]
    s_tuple = SomeTuple(tuple(s.without_const() for _, s, _ in items))
    r_tuple: Any = rtyper.getrepr(s_tuple)
    return r_tuple.build(hop.llops, items), s_tuple, r_tuple


def set_field(
    hop: HighLevelOp, r: InstanceRepr, v_instance: Value, name: str, operand: Operand
) -> None:
    """Set an attribute of an exception, if the program reads it."""
    r_home = _home(r, name)
    if r_home is None:
        return
    r_field = r_home.fields[name][1]
    v, s, r_value = operand
    if s.is_constant():
        v = r_field.inputconst(s.value)
    else:
        v = hop.llops.convertvar(v, r_value, r_field)
    v_home = hop.rtyper.classes.cast(v_instance, r_home.lowleveltype, hop.llops)
    hop.genop("setfield", [v_home, void(f"inst_{name}"), v])
    if name in r_home.unset_flags:
        hop.genop("setfield", [v_home, void(f"has_{name}"), Constant(True, Bool)])


def _home(r: InstanceRepr, name: str) -> InstanceRepr | None:
    """The Repr of the class that has the attribute, None when the program does not read it."""
    if r.classdef.find_attribute(name) is None:
        return None
    r_home = r.home(name)
    return r_home if name in r_home.fields else None


def raise_about_key(hop: HighLevelOp, key: Operand) -> bool:
    """Raise KeyError with its ``args``, if the program or its host reads those of a KeyError, or
    with a key whose text may change; ends the block then."""
    rtyper, llops = hop.rtyper, hop.llops
    if llops.graphtyper.graph.home is Home.PRIVATE:
        return False
    classdef = rtyper.annotator.constants.classdef(KeyError)
    attribute = classdef.find_attribute("args")
    r: InstanceRepr = rtyper.instance_repr(classdef)
    kept = attribute is not None and keeps_keys(rtyper.annotator, attribute)
    in_program = kept and is_read(r, "args")
    may_change = not always_the_same(key[1]) and has_text_when_read(key[1])
    if not (in_program or may_change or rtyper.exception_constructors is not None):
        return False
    v_instance = r.new_instance(llops)
    initialise(hop, r, v_instance, [key], places(KeyError, 1))
    v_exception = rtyper.classes.upcast(v_instance, llops)
    llops.call_pointer(rtyper.raise_instance_function(), [v_exception])
    llops.unreachable()
    return True


def set_cause(hop: HighLevelOp, r: InstanceRepr) -> None:
    """``raise e from cause``: the operands are e, "__cause__" and the cause."""
    v_instance = hop.inputarg(r, 0)
    set_field(hop, r, v_instance, "__cause__", hop.operand(2))
    if hop.rtyper.is_program:
        v_cause: Value = Constant(nullptr(OBJECT), OBJECTPTR)
        if hop.args_s[2].kinds != K_NONE:
            v_cause = hop.rtyper.classes.upcast(hop.args_v[2], hop.llops)
        hop.genop("set_cause", [hop.rtyper.classes.upcast(v_instance, hop.llops), v_cause])
    s_true = SomeBool(Const(True))
    set_field(
        hop, r, v_instance, "__suppress_context__",
        (Constant(True, Bool), s_true, hop.rtyper.getrepr(s_true)),
    )  # fmt: skip


def is_read(r: InstanceRepr, name: str) -> bool:
    """Does the program read this attribute of such exceptions?"""
    return _home(r, name) is not None


def set_message(hop: HighLevelOp, r: InstanceRepr, v_instance: Value, v_message: Value) -> None:
    """Initialise an exception that a built-in operation raises with a message."""
    rtyper = hop.rtyper
    v_base = rtyper.classes.cast(v_instance, r.exception_base().lowleveltype, hop.llops)
    hop.genop("setfield", [v_base, void("message"), v_message])
    cls = r.classdef.cls
    r_str = rtyper.getrepr(s_Str)
    if takes_message(r):
        s_tuple = SomeTuple((s_Str,))
        r_tuple: Any = rtyper.getrepr(s_tuple)
        v_tuple = r_tuple.build(hop.llops, [(v_message, s_Str, r_str)])
        set_field(hop, r, v_instance, "args", (v_tuple, s_tuple, r_tuple))
    if _home(r, REPR) is not None:
        v_repr: Value = Constant(NO_TEXT, STRPTR)
        if not issubclass(cls, (OSError, UnicodeError)):
            emit = _in_brackets if issubclass(cls, KeyError) else _listed
            v_repr = rtyper.texts.build(hop, emit, [(v_message, s_Str, r_str)], True)
        set_field(hop, r, v_instance, REPR, (v_repr, s_Str, r_str))


def set_arguments(
    hop: HighLevelOp, r: InstanceRepr, v_instance: Value, operands: Sequence[Operand]
) -> None:
    """Set ``args`` and the text of ``repr`` of an exception that a built-in operation raises with
    these arguments, as far as the program reads them."""
    _set_fitting_args(hop, r, v_instance, operands)
    if _home(r, REPR) is not None:
        v_repr = _repr_of_arguments(hop, r.classdef, operands)
        set_field(hop, r, v_instance, REPR, (v_repr, s_Str, hop.rtyper.getrepr(s_Str)))


def _set_fitting_args(
    hop: HighLevelOp, r: InstanceRepr, v_instance: Value, operands: Sequence[Operand]
) -> None:
    """Set ``args`` if the program reads them, and as a tuple of these types."""
    r_home = _home(r, "args")
    if r_home is not None:
        r_args = r_home.fields["args"][1]
        types = [r_value.lowleveltype for _, _, r_value in operands]
        if isinstance(r_args, VarTupleRepr):
            fits = all(contains(r_args.s_item, s.without_const()) for _, s, _ in operands)
        else:
            items_r = r_args.items_r if isinstance(r_args, TupleRepr) else None
            fits = items_r is not None and [r.lowleveltype for r in items_r] == types
        if fits:
            set_field(hop, r, v_instance, "args", _placed(hop, operands, tuple(range(len(types)))))


def takes_message(r: InstanceRepr) -> bool:
    """Is ``args`` read, and can it be a message alone?"""
    r_home = _home(r, "args")
    if r_home is None or issubclass(r.classdef.cls, (KeyError, OSError, UnicodeError)):
        return False
    r_args = r_home.fields["args"][1]
    if isinstance(r_args, VarTupleRepr):
        return contains(r_args.s_item, s_Str)
    return isinstance(r_args, TupleRepr) and [type(item) for item in r_args.items_r] == [StringRepr]


def _takes_nothing(r: InstanceRepr) -> bool:
    r_home = _home(r, "args")
    r_args = None if r_home is None else r_home.fields["args"][1]
    if isinstance(r_args, VarTupleRepr):
        return True
    return isinstance(r_args, TupleRepr) and not r_args.items_r


def fill_prebuilt(r: InstanceRepr, exact: _ptr, message: str) -> None:
    """Give a prebuilt exception its message and what goes with it."""
    base = cast_pointer(r.exception_base().lowleveltype, exact)
    base.message = make_str(message) if message else nullptr(STR)
    values: dict[str, Any] = {}
    if takes_message(r) and message:
        values["args"] = (message,)
    elif not message and _takes_nothing(r):
        values["args"] = ()
    if message:
        values[REPR] = f"({message})" if issubclass(r.classdef.cls, KeyError) else f"({message!r})"
    for name, value in values.items():
        r_home = _home(r, name)
        if r_home is not None:
            home = cast_pointer(r_home.lowleveltype, exact)
            setattr(home, f"inst_{name}", r_home.fields[name][1].convert_const(value))
            if name in r_home.unset_flags:
                setattr(home, f"has_{name}", True)


# -- texts ------------------------------------------------------------------------------------


def exception_message(
    hop: HighLevelOp, classdef: ClassDef, operands: Sequence[Operand]
) -> Value | None:
    """``str`` of an exception of this class made with these arguments; None is the empty text."""
    cls = classdef.cls
    if issubclass(cls, SyntaxError) and not (operands and calls_builtin_init(cls)):
        return literal(hop.rtyper, "None")
    if not operands:
        return None
    emit = _emit_for_str(cls, operands)
    return _made_when_read(hop, classdef, "__str__", emit, operands)


def _emit_for_str(cls: type[BaseException], operands: Sequence[Operand]) -> Emit:
    """What makes ``str`` of an exception with these arguments."""
    if issubclass(cls, OSError) and 2 <= len(operands) <= 5:
        return _os_error_text
    if issubclass(cls, CODEC_ERRORS) and len(operands) == len(CODEC_ARGUMENTS):
        return _decode_error_text if issubclass(cls, UnicodeDecodeError) else _encode_error_text
    if len(operands) == 1:
        return _quoted if issubclass(cls, KeyError) else _plain
    return _listed


def _repr_of_arguments(
    hop: HighLevelOp, classdef: ClassDef, operands: Sequence[Operand], unsure: bool = False
) -> Value:
    if not operands:
        return literal(hop.rtyper, "()")
    emit = _listed_or_two if unsure else _listed
    return _made_when_read(hop, classdef, "__repr__", emit, operands)


def _made_when_read(
    hop: HighLevelOp, classdef: ClassDef, method: str, emit: Emit, operands: Sequence[Operand]
) -> Value:
    """What ``emit`` makes of the operands, or NO_TEXT.  ``method``: what may be defined by a
    class of the program in place of using this text."""
    fixed = all(always_the_same(s) for _, s, _ in operands)
    if not fixed and has_own_text(classdef, method, hop.rtyper.annotator.texts.of_super):
        return Constant(NO_TEXT, STRPTR)
    if not all(has_text_when_read(s) for _, s, _ in operands):
        return Constant(NO_TEXT, STRPTR)
    if emit is _plain and isinstance(operands[0][2], StringRepr | CharRepr):
        return _plain(hop, operands)  # is there already
    inside = "(...)" if emit is _listed and len(operands) > 1 and not fixed else ""
    return hop.rtyper.texts.build(hop, emit, operands, fixed, inside)


def _plain(hop: HighLevelOp, operands: Sequence[Operand]) -> Value:
    return text(hop, operands[0], False)


def _quoted(hop: HighLevelOp, operands: Sequence[Operand]) -> Value:
    return text(hop, operands[0], True)


def _in_brackets(hop: HighLevelOp, operands: Sequence[Operand]) -> Value:
    pieces = text_pieces(hop, operands[0], False)
    brackets = literal(hop.rtyper, "("), literal(hop.rtyper, ")")
    return concatenate(hop, [brackets[0], *pieces, brackets[1]])


def _listed(hop: HighLevelOp, operands: Sequence[Operand]) -> Value:
    """``(repr, repr, ...)``"""
    pieces: list[Value] = []
    for i, operand in enumerate(operands):
        pieces.append(literal(hop.rtyper, "(" if i == 0 else ", "))
        pieces += text_pieces(hop, operand, True)
    return concatenate(hop, [*pieces, literal(hop.rtyper, ")")])


def _listed_or_two(hop: HighLevelOp, operands: Sequence[Operand]) -> Value:
    """The first two, if the third is not None."""
    llops = hop.llops
    v, _, r_name = operands[2]
    done = llops.new_join(STRPTR)
    null, other = llops.branch(r_name.is_null(v, llops))  # type: ignore[attr-defined]
    llops.at(null)
    llops.goto(done, _listed(hop, operands))
    llops.at(other)
    llops.goto(done, _listed(hop, operands[:2]))
    llops.at(done)
    return done.inputargs[0]


def _os_error_text(hop: HighLevelOp, operands: Sequence[Operand]) -> Value:
    """``OSError(errno, strerror[, filename[, winerror, filename2]])``"""
    pieces: list[Value] = [literal(hop.rtyper, "[Errno ")]
    pieces += text_pieces(hop, operands[0], False)
    pieces.append(literal(hop.rtyper, "] "))
    pieces += text_pieces(hop, operands[1], False)
    names = [(": ", operands[2])] if len(operands) > 2 else []
    names += [(" -> ", operands[4])] if len(operands) > 4 else []
    return _with_names(hop, pieces, names)


def _with_names(
    hop: HighLevelOp, pieces: list[Value], names: list[tuple[str, Operand]]
) -> Value:
    """The pieces and the names of files up to one that is None, as one text."""
    if not names or names[0][1][1] == s_None:
        return concatenate(hop, pieces)
    (mark, (v, s, r)), *more = names
    llops = hop.llops
    done = None
    if isinstance(r, NullableRepr) and not s.is_constant():
        done = llops.new_join(STRPTR)
        null, other = llops.branch(r.is_null(v, llops))
        llops.at(null)
        llops.goto(done, concatenate(hop, pieces))
        llops.at(other)
        s, r = without_none(s), r.inner
    shown = text_pieces(hop, (v, s, r), True)
    v_text = _with_names(hop, [*pieces, literal(hop.rtyper, mark), *shown], more)
    if done is None:
        return v_text
    llops.goto(done, v_text)
    llops.at(done)
    return done.inputargs[0]


def _decode_error_text(hop: HighLevelOp, operands: Sequence[Operand]) -> Value:
    """``UnicodeDecodeError(encoding, object, start, end, reason)``."""
    return _codec_error_text(hop, operands, s_Bytes, ll_decode_error_text)


def _encode_error_text(hop: HighLevelOp, operands: Sequence[Operand]) -> Value:
    """``UnicodeEncodeError(encoding, object, start, end, reason)``."""
    return _codec_error_text(hop, operands, s_Str, ll_encode_error_text)


def _codec_error_text(
    hop: HighLevelOp, operands: Sequence[Operand], s_object: SomeObject,
    helper: Callable[..., Any],
) -> Value:  # fmt: skip
    values: list[Value] = []
    for (v, s, r), s_wanted in zip(operands, (s_Str, s_object, s_Int, s_Int, s_Str)):
        r_wanted = hop.rtyper.getrepr(s_wanted)
        if s.is_constant():
            values.append(r_wanted.inputconst(s.value))
        else:
            values.append(hop.llops.convertvar(v, r, r_wanted))
    return hop.gendirectcall(helper, *values)
