"""Transfer rules for attributes of exceptions: ``e.args``, ``e.errno``, ...

Such an attribute exists once the program reads it; then every place that makes an
exception of the class gives it a value, which is what its arguments say::

    raise ValueError("bad", n)      args: (SomeString, SomeInteger)

All of them have to agree, as for any attribute.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.cells import Origin
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_BYTES,
    K_INT,
    K_NONE,
    K_STR,
    SomeChar,
    SomeClass,
    SomeInstance,
    SomeObject,
    SomeString,
    SomeTuple,
    s_Bool,
    s_Bytes,
    s_None,
    s_NonNeg,
    s_Str,
)
from rpython.annotator.lattice.union import Pairs, union
from rpython.annotator.program.classdef import Attribute, ClassDef
from rpython.annotator.program.constants import Constants
from rpython.annotator.program.excattrs import (
    CODEC_ERRORS,
    DEFAULTED,
    HOMES,
    OF_CODECS,
    OS_ERROR_CLASSES,
    REPR,
    WITHOUT_MESSAGE,
    Place,
    home_of,
    is_fact,
)
from rpython.annotator.program.exctexts import always_the_same, has_own_text, has_text_when_read
from rpython.annotator.rules.registry import FUNCTIONS, METHODS, UNARY
from rpython.translator.ir.home import Home
from rpython.translator.ir.intrinsics import exception_instance
from rpython.translator.ir.model import FunctionGraph

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator

s_Text = union(s_Str, s_None, Pairs())
OF_THE_SYSTEM: dict[str, SomeObject] = {
    "errno": s_NonNeg, "strerror": s_Str, "filename": s_Text, "filename2": s_Text,
}  # fmt: skip
"""What the errors have that the system gives, in any program: what is printed may not fit."""


def classes_made(
    constants: Constants, classdef: ClassDef, args_s: tuple[SomeObject, ...]
) -> list[ClassDef]:
    """The classes of which a call of an exception class may make an instance: several for
    ``OSError(errno, ...)``, OSError itself the last."""
    if classdef.cls is not OSError or not 2 <= len(args_s) <= 5:
        return [classdef]
    if not args_s[0].kinds & K_INT:
        return [classdef]
    if args_s[0].is_constant():
        return [constants.classdef(OS_ERROR_CLASSES.get(args_s[0].value, OSError))]
    classes = dict.fromkeys(OS_ERROR_CLASSES.values())
    return [*map(constants.classdef, classes), classdef]


def is_named(args_s: Sequence[SomeObject]) -> bool:
    """Has an OSError with these arguments the name of a file, or none given?"""
    return len(args_s) < 3 or args_s[2] != s_None


def set_attributes(
    ctx: OpContext, classdef: ClassDef, args_s: tuple[SomeObject, ...], where: dict[str, Place]
) -> None:
    """Give the attributes that the program reads what the arguments say."""
    register(ctx)
    flow_texts(ctx, classdef, args_s)
    for name, place in where.items():
        attribute = classdef.find_attribute(name)
        if attribute is None:
            continue
        if name == "args" and follows_program(ctx.graph, classdef, len(args_s)):
            continue
        s_value: SomeObject = s_None
        if isinstance(place, tuple):
            s_value = SomeTuple(tuple(_any_text(args_s[i].without_const()) for i in place))
        elif place is not None:
            s_value = args_s[place]
        ctx.write(attribute, s_value, f"set by making a {classdef.name} here")
        if name == "filename2" and place is not None and args_s[2].kinds & K_NONE:
            ctx.write(attribute, s_None, "there is none without a first one")


def _any_text(s: SomeObject) -> SomeObject:
    """What a text is among arguments: built-in operations give messages of any length."""
    return s_Str if isinstance(s, SomeChar) else s


def flow_texts(ctx: OpContext, classdef: ClassDef, args_s: tuple[SomeObject, ...]) -> None:
    """``str`` and ``repr`` of the exception, when they are read, show its arguments: flow the
    calls of their methods."""
    if ctx.in_helper or not all(map(has_text_when_read, args_s)):
        return
    if all(map(always_the_same, args_s)):
        return
    ctx.annotator.constants.classdef(BaseException).note_reader("super", ctx.position)
    asked = ctx.annotator.texts.of_super
    shown: list[Callable[[object], str]] = []
    if not has_own_text(classdef, "__str__", asked):
        system = issubclass(classdef.cls, OSError)
        if (len(args_s) == 1 and not issubclass(classdef.cls, KeyError)) or system:
            shown.append(str)
        if str not in shown or system:
            shown.append(repr)
    if classdef.find_attribute(REPR) is not None and not has_own_text(classdef, "__repr__", asked):
        shown.append(repr)
    for function in dict.fromkeys(shown):
        for number, s in enumerate(args_s):
            rule = FUNCTIONS.lookup(function)
            assert rule is not None
            ctx.annotator.texts.request(ctx, rule, s.without_const(), number)


def require_arguments(
    ctx: OpContext, classdef: ClassDef, args_s: tuple[SomeObject, ...], own_init: bool
) -> None:
    """Refuse what the arguments of a few classes mean there only, and other arguments for
    UnicodeDecodeError and the like than they take."""
    cls = classdef.cls
    if issubclass(cls, SyntaxError) and len(args_s) > 1:
        raise ctx.error(f"a {classdef.name} with a place is not supported", hint="give it a text")
    if cls is BlockingIOError and len(args_s) > 2 and args_s[2].kinds & (K_INT | K_BOOL):
        raise ctx.error("a BlockingIOError with the number of characters is not supported")
    if not issubclass(cls, (*CODEC_ERRORS, UnicodeTranslateError)):
        return
    if own_init or not issubclass(cls, CODEC_ERRORS):
        raise ctx.error(f"creating a {classdef.name} is not supported")
    data = K_BYTES if issubclass(cls, UnicodeDecodeError) else K_STR
    wanted = (K_STR, data, K_INT | K_BOOL, K_INT | K_BOOL, K_STR)
    fits = len(args_s) == len(wanted)
    if not fits or any(s.kinds & ~kinds for s, kinds in zip(args_s, wanted)):
        name = "bytes" if data == K_BYTES else "str"
        raise ctx.error(f"{classdef.name}() takes a str, {name}, two ints and a str")


def register(ctx: OpContext) -> None:
    """Flow the operation at hand again when such an attribute comes into being."""
    base = ctx.annotator.constants.classdef(BaseException)
    for name in HOMES:
        base.note_reader(name, ctx.position)


def follows_program(graph: FunctionGraph, classdef: ClassDef, count: int) -> bool:
    """Do the exceptions that the graph makes with so many arguments have ``args`` only where those
    are of the type that the program's own have?  The library's are like those of built-in
    operations, but for ``args`` of its own classes; errors of the system are the same
    everywhere."""
    if graph.home not in (Home.PRIVATE, Home.OVERLAY):
        return False
    attribute = classdef.find_attribute("args")
    if attribute is not None and attribute.homedef.cls.__module__ != "builtins":
        return False
    return not (issubclass(classdef.cls, OSError) and count > 1)


def raises_key_error(ctx: OpContext, s_key: SomeObject) -> None:
    """The operation may raise KeyError about this key, which it keeps where ``keeps_keys``; not in
    the library, whose dicts have every key that is looked up."""
    if ctx.graph.home is Home.PRIVATE:
        return
    constants = ctx.annotator.constants
    base = constants.classdef(BaseException)
    base.note_reader("args", ctx.position)
    attribute = constants.classdef(KeyError).find_attribute("args")
    if attribute is not None and keeps_keys(ctx.annotator, attribute):
        s_args = SomeTuple((s_key.without_const(),))
        ctx.write(attribute, s_args, "the key looked up here")


def keeps_keys(annotator: RPythonAnnotator, args: Attribute) -> bool:
    """Do these ``args`` of a KeyError hold the key that was looked up?  Where all exceptions'
    ``args`` are read, rather than a KeyError's, they do if these may be of several kinds."""
    return annotator.boxes or args.homedef.cls is KeyError


def read_fact(ctx: OpContext, s: SomeInstance, name: str) -> SomeObject:
    """``e.name``"""
    if name == "__context__":
        return ctx.read(context_attribute(ctx))
    constants = ctx.annotator.constants
    home = s.classdef if name == "args" else constants.classdef(home_of(s.classdef.cls, name))
    attribute = constants.attribute(home, name)
    if name in DEFAULTED:
        s_default = s_Bool if name == "__suppress_context__" else s_None
        ctx.write(attribute, s_default, f"{name} is None unless it is set")
    if name in OF_THE_SYSTEM:
        ctx.write(attribute, OF_THE_SYSTEM[name], "set by the operating system")
    if name in OF_CODECS:
        s_value = s_NonNeg if name in ("start", "end") else s_Str
        ctx.write(attribute, s_value, "set by encode() or decode()")
    return ctx.read(attribute)


def need_repr(ctx: OpContext) -> None:
    """The program uses ``repr`` of exceptions."""
    constants = ctx.annotator.constants
    attribute = constants.attribute(constants.classdef(BaseException), REPR)
    ctx.write(attribute, s_None, "")
    ctx.write(attribute, s_Str, "")


@METHODS.register("__str__ __repr__", SomeInstance)
def text_by_super(ctx: OpContext, s: SomeObject) -> SomeObject:
    """``super().__str__()`` of the built-in class."""
    if ctx.method_name == "__repr__":
        need_repr(ctx)
    if ctx.method_name not in ctx.annotator.texts.of_super:
        ctx.annotator.texts.of_super.add(ctx.method_name)
        base = ctx.annotator.constants.classdef(BaseException)
        ctx.annotator.reflow(base.method_readers.get("super", {}))
    return s_Str


def set_cause(ctx: OpContext, s: SomeInstance, s_cause: SomeObject) -> SomeObject:
    """``raise e from cause``"""
    register(ctx)
    if isinstance(s_cause, SomeClass):
        raise ctx.error("the cause is a class", hint="make an instance of it")
    require_exception(ctx, s_cause, "exception causes")
    attribute = ctx.annotator.constants.classdef(BaseException).find_attribute("__cause__")
    if attribute is not None:
        ctx.write(attribute, s_cause, "the cause given here", 2)
    return s_None


def set_context(ctx: OpContext, s_context: SomeObject) -> SomeObject:
    """``e.__context__ = context``"""
    require_exception(ctx, s_context, "exception contexts")
    ctx.write(context_attribute(ctx), s_context, "the context given here", 2)
    return s_None


def context_attribute(ctx: OpContext) -> Attribute:
    """``e.__context__``, which any exception may get where it is raised."""
    constants = ctx.annotator.constants
    base = constants.classdef(BaseException)
    attribute = constants.attribute(base, "__context__")
    ctx.write(attribute, s_None, "__context__ is None unless it is set")
    s_any = SomeInstance(base)
    ctx.write(attribute, s_any, "any exception may be handled where another is raised")
    return attribute


def require_exception(ctx: OpContext, s: SomeObject, what: str) -> None:
    """Refuse what is neither an exception nor None."""
    base = ctx.annotator.constants.classdef(BaseException)
    for part in (s.parts if hasattr(s, "parts") else (s,)):
        fits = isinstance(part, SomeInstance) and part.classdef.is_subclass_of(base)
        if part != s_None and not fits:
            raise ctx.error(f"{what} must derive from BaseException, not {part.describe()}")


def guess_arguments(attribute: Attribute) -> Origin | None:
    """What ``e.args`` is where only built-in operations raise such exceptions: a message, in most
    cases."""
    cls = attribute.homedef.cls
    if attribute.name != "args" or not is_fact(cls, "args") or issubclass(cls, KeyError):
        return None
    if issubclass(cls, WITHOUT_MESSAGE):
        return Origin(SomeTuple(()), "built-in operations raise it like that", None, None)
    if issubclass(cls, CODEC_ERRORS):
        s_subject = s_Bytes if issubclass(cls, UnicodeDecodeError) else s_Str
        s_args = SomeTuple((s_Str, s_subject, s_NonNeg, s_NonNeg, s_Str))
        return Origin(s_args, "encode() or decode() raises it like that", None, None)
    s_args = SomeTuple((SomeString(),))
    return Origin(s_args, "built-in operations raise it with a message", None, None)


@UNARY.register("exc_instance", SomeObject)
def raise_other(ctx: OpContext, s: SomeObject) -> SomeObject:
    raise ctx.error(f"exceptions must derive from BaseException, not {s.describe()}")


@FUNCTIONS.register(exception_instance)
def instance_to_throw(ctx: OpContext, s: SomeObject) -> SomeObject:
    rule = UNARY.lookup("exc_instance", type(s))
    assert rule is not None
    s_result: SomeObject = rule(ctx, s)
    return s_result


@METHODS.register("with_traceback", SomeInstance)
def with_traceback(ctx: OpContext, s: SomeObject, s_traceback: SomeObject) -> SomeObject:
    if s_traceback != s_None:
        raise ctx.error("tracebacks are not available", hint="pass None")
    return s
