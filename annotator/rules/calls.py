"""Transfer rules for calls: functions, classes, bound methods, built-ins."""

from __future__ import annotations

import builtins
import functools
import types
from collections.abc import Callable
from typing import Any

from rpython.annotator.builtins.taken import check_taken
from rpython.annotator.context import OpContext
from rpython.annotator.lattice import enumints, namedtuples
from rpython.annotator.lattice.builtinmethods import SomeBuiltinMethods
from rpython.annotator.lattice.cells import Node, Origin
from rpython.annotator.lattice.enumints import SomeEnumInt
from rpython.annotator.lattice.keywords import SomeKeywords
from rpython.annotator.lattice.model import (
    SomeBuiltinMethod,
    SomeClass,
    SomeClassMethod,
    SomeFunction,
    SomeHost,
    SomeInstance,
    SomeMethod,
    SomeObject,
    SomePBC,
    SomeUnion,
    s_Bottom,
    s_None,
)
from rpython.annotator.lattice.namedtuples import SomeNamedTuple
from rpython.annotator.lattice.parts import KIND_CLASSES, class_of_kind, is_callable
from rpython.annotator.overlay.making import maker_of
from rpython.annotator.program.argument import (
    ArgumentError,
    ArgumentMismatch,
    CallKey,
    FromArg,
    FromDefault,
    Source,
    call_key,
    match_arguments,
)
from rpython.annotator.program.classdef import BEGIN, ClassDef, Lookup
from rpython.annotator.program.declared import enforce, enforce_result
from rpython.annotator.program.desc import (
    ClassDesc,
    ClassMethodDesc,
    Desc,
    FunctionDesc,
    MethodDesc,
)
from rpython.annotator.program.enums import is_enum
from rpython.annotator.program.excattrs import places_when_made
from rpython.annotator.program.specialised_calls import memo, place_of_call, special_key
from rpython.annotator.program.unsupported import name_module_of
from rpython.annotator.program.variants import variant_apart, variant_key
from rpython.annotator.provenance import conflict_error
from rpython.annotator.rules.arguments import CallArguments as CallArguments
from rpython.annotator.rules.arguments import star_tuple
from rpython.annotator.rules.arguments import take_argument as take_argument
from rpython.annotator.rules.call_hints import (
    called_attribute,
    method_without_self,
    unknown_function,
)
from rpython.annotator.rules.exceptions import (
    classes_made,
    is_named,
    require_arguments,
    set_attributes,
)
from rpython.annotator.rules.instances import builtin_init, find_methods
from rpython.annotator.rules.lowlevel import helper_annotations, specialisation_key
from rpython.annotator.rules.mapping_calls import mapping_call
from rpython.annotator.rules.registry import FUNCTIONS, HOST_CALLS, METHOD_CALLS, METHODS, UNARY
from rpython.stdlib._registry import merged_keywords
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.home import Home
from rpython.translator.ir.intrinsics import (
    closure_function,
    keyword_arguments,
)
from rpython.translator.ir.model import Constant

Callee = tuple[str, SomeObject, Node | None]
"""Of one of several callables: what it is called, what it gives, and where that is from."""
CallOne = Callable[[OpContext, Desc, "CallArguments"], SomeObject]


@UNARY.register("simple_call", SomeObject)
def simple_call(ctx: OpContext, s_callee: SomeObject, *args_s: SomeObject) -> SomeObject:
    operands = tuple(range(1, len(args_s) + 1))
    return call(ctx, s_callee, CallArguments(CallShape(len(args_s)), args_s, operands))


@UNARY.register("call_args", SomeObject)
def call_args(
    ctx: OpContext, s_callee: SomeObject, s_shape: SomeObject, *args_s: SomeObject
) -> SomeObject:
    shape = ctx.op.args[1]
    assert isinstance(shape, Constant)
    operands = tuple(range(2, len(args_s) + 2))
    if shape.value.star:
        args_s = (*args_s[:-1], star_tuple(ctx, args_s[-1]))
    arguments = CallArguments(shape.value, args_s, operands)
    found = mapping_call(ctx, s_callee, arguments)
    if found is None:
        return call(ctx, s_callee, arguments)
    function, arguments = found
    ctx.annotator.notes.mapping_calls[ctx.op] = function
    return call(ctx, ctx.constant(function), arguments)


def call(ctx: OpContext, s_callee: SomeObject, arguments: CallArguments) -> SomeObject:
    """The result of calling any callable."""
    if isinstance(s_callee, SomeFunction):
        return _call_each(ctx, s_callee, _call_plain, arguments)
    if isinstance(s_callee, SomeMethod):
        return _call_each(ctx, s_callee, _call_method, arguments)
    if isinstance(s_callee, SomeClass):
        return _call_each(ctx, s_callee, _instantiate, arguments)
    if isinstance(s_callee, SomeBuiltinMethod):
        return _call_builtin_method(ctx, s_callee, arguments)
    if isinstance(s_callee, SomeClassMethod):
        return _call_each(ctx, s_callee, _call_class_method, arguments)
    if isinstance(s_callee, SomeHost):
        return _call_host(ctx, s_callee.value, arguments)
    if isinstance(s_callee, SomeInstance):
        s_method = find_methods(ctx, s_callee.classdef, "__call__", s_callee.members)
        if s_method is None:
            raise ctx.premature(f"{s_callee.describe()} is not callable: its class has no __call__")
        return call(ctx, s_method, arguments)
    if isinstance(s_callee, SomeBuiltinMethods):
        return _call_parts(ctx, s_callee.parts, arguments)
    if isinstance(s_callee, SomeUnion) and all(map(is_callable, s_callee.parts)):
        return _call_parts(ctx, s_callee.parts, arguments)
    message = f"{s_callee.describe()} is not callable (or calling it is not supported)"
    raise ctx.error(message, called_attribute(ctx))


def _call_parts(
    ctx: OpContext, parts: tuple[SomeObject, ...], arguments: CallArguments
) -> SomeObject:
    """Call a value of several kinds."""
    results: list[Callee] = []
    mismatch: ArgumentMismatch | None = None
    refusing = ctx.annotator.notes.refusing_callees[ctx.op] = {}
    for number, part in enumerate(parts):
        try:
            results.append((part.describe(), call(ctx, part, arguments), ctx.source))
        except ArgumentMismatch as error:
            mismatch = error  # raises TypeError at run time if others can be called
            if isinstance(part, SomeBuiltinMethod):
                refusing[number] = (TypeError, error.message)
    if mismatch is not None and not results and not arguments.shape.star:
        raise mismatch  # but who passes *args on may never do so with just these
    return _join_results(ctx, results)


@UNARY.register("exc_instance", SomeClass)
def raise_class(ctx: OpContext, s: SomeObject) -> SomeObject:
    """``raise C``: an instance made without arguments."""
    assert isinstance(s, SomeClass)
    for desc in s.descs:
        assert isinstance(desc, ClassDesc)
        if not issubclass(desc.classdef.cls, BaseException):
            raise ctx.error(f"exceptions must derive from BaseException, not {desc.name}")
    return call(ctx, s, CallArguments(CallShape(0), (), ()))


def _call_each(
    ctx: OpContext, s_callee: SomePBC, call_one: CallOne, arguments: CallArguments
) -> SomeObject:
    """Call each of several callables; the join of what they give."""
    results: list[Callee] = []
    mismatch: ArgumentMismatch | None = None
    for desc in s_callee.descs:
        try:
            results.append((desc.name, call_one(ctx, desc, arguments), ctx.source))
        except ArgumentMismatch as error:
            mismatch = error  # raises TypeError at run time if others can be called
    if mismatch is not None and not results:
        raise mismatch
    return _join_results(ctx, results)


def _join_results(ctx: OpContext, results: list[Callee]) -> SomeObject:
    """The join of what several callables give."""
    if len(results) == 1:
        return results[0][1]
    s_result: SomeObject = s_Bottom
    origins: dict[int, Origin] = {}
    for name, s, source in results:
        origin = Origin(s, f"returned by {name}", ctx.op.span, source)
        s_joined = ctx.join(s_result, s)
        if not ctx.annotator.representable(s_joined):
            place = "the result of this call"
            raise conflict_error(ctx.annotator, place, origins, s_result, origin)
        origins.setdefault(s.kinds, origin)
        s_result = s_joined
    return s_result


def _call_plain(ctx: OpContext, desc: Any, arguments: CallArguments) -> SomeObject:
    """Call a function of the host or a closure."""
    assert isinstance(desc, FunctionDesc)
    if desc.closure is not None:
        classdef = ctx.annotator.constants.classdef(desc.closure)
        arguments = arguments.prepend(SomeInstance(classdef))
    return call_desc(ctx, desc, arguments)


@FUNCTIONS.register(closure_function)
def function_of_closure(ctx: OpContext, s: SomeObject) -> SomeObject:
    """The function that an instance of a closure's class stands for."""
    assert isinstance(s, SomeInstance)
    constants = ctx.annotator.constants
    desc = constants.function_desc(vars(s.classdef.cls)["_rpython_function_"])
    return SomeFunction(constants.function_mask(desc), constants.descs)


def call_desc(ctx: OpContext, desc: Any, arguments: CallArguments) -> SomeObject:
    """Call a function.  Raises ArgumentMismatch where the arguments do not fit."""
    assert isinstance(desc, FunctionDesc)
    if arguments.shape.positional and arguments.args_s:
        desc = ctx.annotator.constants.bound_desc(desc, arguments.args_s[0])
    try:
        sources = match_arguments(desc.name, desc.signature, arguments.split(ctx, desc.name))
    except ArgumentError as error:
        hint = error.hint or method_without_self(desc, arguments)
        raise ArgumentMismatch(str(error), ctx.op.span, hint=hint) from None
    args_s = [take_argument(ctx, source, arguments) for source in sources]
    if not ctx.in_helper:
        args_s = enforce(ctx, desc, args_s)
        check_taken(ctx, desc, args_s)
    origins = [
        _origin(ctx, desc, i, source, s_arg, arguments)
        for i, (source, s_arg) in enumerate(zip(sources, args_s))
    ]
    if not ctx.in_helper or desc.expanded:
        if desc.specialisation is not None and desc.specialisation.memo:
            return memo(ctx, desc, tuple(args_s))
        key = call_key(sources, special_key(ctx, desc, args_s), place_of_call(ctx, desc))
        if desc.specialisation is None:
            boxes = ctx.annotator.boxes
            if ctx.annotator.refinement.is_apart(desc.func):
                ctx.annotator.calls_apart.add(ctx.position)
                above = functools.partial(ctx.annotator.callers.above, ctx.graph)
                key = variant_apart(desc, key, args_s, boxes, above)
            else:
                key = variant_key(desc, key, args_s, boxes)
        _limit_graphs(ctx, desc, key)
        return enforce_result(ctx, desc, ctx.call_function(desc, args_s, origins, key))
    # a low-level helper calling another
    helper_s = helper_annotations(tuple(args_s))
    s_known = ctx.annotator.helper_result(desc.func, helper_s)
    if s_known is not None:
        return s_known
    return ctx.call_function(desc, helper_s, origins, specialisation_key(helper_s))


_MOST_GRAPHS = 64
"""A function called with more different numbers of arguments is one that never stops."""


_MOST_SPECIALISED = 1000


def _limit_graphs(ctx: OpContext, desc: FunctionDesc, key: CallKey | None) -> None:
    if key is None or key in desc.graphs:
        return
    if key.args is not None:
        if len(desc.graphs) >= _MOST_SPECIALISED and desc.home is not Home.OVERLAY:
            raise ctx.error(
                f"{desc.name} would be specialised for more and more kinds of arguments"
            )
        return
    if key.variant >= _MOST_GRAPHS:
        raise ctx.error(
            f"{desc.name} would be called with more and more kinds of arguments",
            hint="each kind of argument has a graph of its own: use fewer",
        )
    if len(desc.graphs) >= _MOST_GRAPHS:
        what = "*args" if key.rest else "**keywords"
        raise ctx.error(
            f"the {what} of {desc.name} would take more and more arguments",
            hint="pass a list or a dict",
        )


def _origin(
    ctx: OpContext, desc: FunctionDesc, i: int, source: Source, s_arg: SomeObject,
    arguments: CallArguments,
) -> Origin:  # fmt: skip
    names = desc.signature.graph_args()
    what = f"passed as {names[i]!r} to {desc.name} here"
    operand = arguments.operands[source.index] if isinstance(source, FromArg) else None
    if isinstance(source, FromDefault):
        what = f"the default of {names[i]!r} of {desc.name}"
    origin = ctx.origin(s_arg, what, operand)
    return Origin(s_arg, origin.text, origin.span, origin.source)


def _call_method(ctx: OpContext, desc: Any, arguments: CallArguments) -> SomeObject:
    assert isinstance(desc, MethodDesc)
    return call_desc(ctx, desc.function, arguments.prepend(SomeInstance(desc.selfdef)))


def _call_class_method(ctx: OpContext, desc: Any, arguments: CallArguments) -> SomeObject:
    assert isinstance(desc, ClassMethodDesc)
    s_class = ctx.constant(desc.classdef.cls)
    return call_desc(ctx, desc.function, arguments.prepend(s_class))


def _instantiate(ctx: OpContext, desc: Any, arguments: CallArguments) -> SomeObject:
    assert isinstance(desc, ClassDesc)
    classdef = ctx.annotator.constants.made_at(ctx.op, desc.classdef)
    built_in = classdef.cls in KIND_CLASSES.values()
    if built_in and FUNCTIONS.lookup(classdef.cls) is None:
        raise ctx.error(f"calling {classdef.name} is not supported")
    maker = classdef.cls if built_in else maker_of(classdef)
    if maker is not None:
        return call_desc(ctx, ctx.annotator.constants.function_desc(maker), arguments)
    if is_enum(classdef.cls):
        if len(arguments.args_s) != 1 or arguments.shape.star:
            raise ctx.error(f"{classdef.name}() takes the value of a member")
        return look_up(ctx, classdef, ctx.annotator.constants.members.by_value, arguments.args_s[0])
    if classdef.abstract_methods():
        ctx.annotator.constants.classdef(TypeError)
        ctx.annotator.notes.abstract_calls[ctx.op] = classdef
        return s_Bottom  # raises TypeError at run time
    for made in classes_made(ctx.annotator.constants, classdef, arguments.args_s):
        ctx.annotator.instantiate(made)
    s_instance = SomeInstance(classdef)
    if classdef.find_function(BEGIN) is not None:
        call_with(ctx, ctx.annotator.constants.method_function(classdef, BEGIN), s_instance)
    init = find_init(classdef)
    if init is not None:
        function = ctx.annotator.constants.method_function(classdef, init)
        s_result = call_desc(ctx, function, arguments.prepend(s_instance))
        ctx.source = None
        if s_result.kinds == 0:
            return s_Bottom
        if s_result != s_None:
            raise ctx.error(f"__init__() of {classdef.name} should return None")
    elif issubclass(classdef.cls, BaseException):
        if arguments.plain(ctx, classdef.name).shape.keywords:
            message = f"{classdef.name}() takes no keyword arguments"
            raise ArgumentMismatch(message, ctx.op.span)
    elif arguments.plain(ctx, classdef.name).args_s:
        raise ArgumentMismatch(f"{classdef.name}() takes no arguments", ctx.op.span)
    if issubclass(classdef.cls, BaseException) and not ctx.in_helper:
        _make_exception(ctx, classdef, arguments.plain(ctx, classdef.name), init is not None)
    return s_instance


def _make_exception(
    ctx: OpContext, classdef: ClassDef, arguments: CallArguments, own_init: bool
) -> None:
    args_s = arguments.args_s[: arguments.shape.positional]
    if own_init and issubclass(classdef.cls, OSError):
        args_s = ()  # OSError.__init__ takes them
    where = places_when_made(classdef.cls, len(args_s), own_init, is_named(args_s))
    for made in classes_made(ctx.annotator.constants, classdef, args_s):
        set_attributes(ctx, made, args_s, where)
        require_arguments(ctx, made, args_s, own_init)


def look_up(
    ctx: OpContext, classdef: ClassDef, finder: Callable[[Any], Any], s_key: SomeObject
) -> SomeObject:
    """Look a member of an enum up, with a function of ``annotator.program.enums``."""
    function, more = finder(classdef.cls)
    desc = ctx.annotator.constants.function_desc(function, classdef)
    return call_with(ctx, desc, s_key.without_const(), *map(ctx.constant, more))


def call_with(ctx: OpContext, desc: FunctionDesc, *args_s: SomeObject) -> SomeObject:
    """Call a function for an operation whose operands these arguments need not be."""
    count = len(args_s)
    return call_desc(ctx, desc, CallArguments(CallShape(count), args_s, (None,) * count))


@UNARY.register("getitem", SomeClass)
def member_by_name(ctx: OpContext, s: SomeObject, s_key: SomeObject) -> SomeObject:
    """``Color["RED"]``; ``Stack[int]`` is ``Stack``."""
    if s.is_constant() and not is_enum(s.value) and hasattr(s.value, "__class_getitem__"):
        return s
    if not s.is_constant() or not is_enum(s.value):
        raise ctx.error(f"{s.describe()} does not support indexing")
    constants = ctx.annotator.constants
    return look_up(ctx, constants.classdef(s.value), constants.members.by_name, s_key)


def find_init(classdef: ClassDef) -> Lookup | None:
    """Where the ``__init__`` function of a class is found, None when it is a built-in's."""
    lookup = Lookup("__init__")
    return None if classdef.find_function(lookup) is None else lookup


def _builtin_inits() -> list[Any]:
    """``__init__`` of ``object`` and of every built-in exception class."""
    classes = [c for c in vars(builtins).values() if isinstance(c, type)]
    inits = [c.__init__ for c in classes if c is object or issubclass(c, BaseException)]
    return list({id(init): init for init in inits}.values())


BUILTIN_INITS = _builtin_inits()


@FUNCTIONS.register(*BUILTIN_INITS)
def call_builtin_init(ctx: OpContext, s_self: SomeObject, *args_s: SomeObject) -> SomeObject:
    """``Exception.__init__(self, ...)``."""
    if not isinstance(s_self, SomeInstance):
        raise ctx.error(f"__init__() of {s_self.describe()} is not supported")
    return builtin_init(ctx, s_self, *args_s)


@FUNCTIONS.register(merged_keywords)
def merge_keywords(ctx: OpContext, s_known: SomeObject, s_given: SomeObject) -> SomeObject:
    if not isinstance(s_known, SomeKeywords) or not isinstance(s_given, SomeKeywords):
        raise ctx.error(
            "a partial() with keywords, made or called with a dict as **keywords, is not supported",
            hint="name the keywords",
        )
    items = dict(zip(s_known.names, s_known.items))
    items.update(zip(s_given.names, s_given.items))
    return SomeKeywords(tuple(items), tuple(items.values()))


@FUNCTIONS.register(keyword_arguments)
def keep_keyword_arguments(ctx: OpContext, **keywords_s: SomeObject) -> SomeObject:
    names = tuple(name.removeprefix("s_") for name in keywords_s)
    return SomeKeywords(names, tuple(s.without_const() for s in keywords_s.values()))


def own_method(s_self: SomeObject, name: str) -> Any:
    """The function of a method that the class of a named tuple, or of a member of an enum, has of
    its own; None when there is none."""
    if isinstance(s_self, SomeNamedTuple):
        return namedtuples.class_value(s_self.cls, name)
    if isinstance(s_self, SomeEnumInt):
        return enumints.class_value(s_self.cls, name)
    return None


def _call_builtin_method(
    ctx: OpContext, s_method: SomeBuiltinMethod, arguments: CallArguments
) -> SomeObject:
    s_self = s_method.s_self
    function = own_method(s_self, s_method.name)
    if function is not None:
        desc = ctx.annotator.constants.function_desc(function)
        return call_desc(ctx, desc, arguments.prepend(s_self.without_const()))
    for special in METHOD_CALLS:
        s_result: SomeObject | None = special(ctx, s_method.name, s_self, arguments)
        if s_result is not None:
            return s_result
    rule = METHODS.lookup(s_method.name, type(s_self))
    assert rule is not None
    ctx.method_name = s_method.name
    arguments = arguments.plain(ctx, s_method.name)
    said = _refused_by_host(s_self, s_method.name, arguments.shape)
    if said is not None:
        raise ArgumentMismatch(said, ctx.op.span)
    return _call_rule(ctx, rule, (s_method.s_self, *arguments.args_s), arguments, s_method.name)


_VALUES: tuple[Any, ...] = (None, 0, "a", b"a", [], {}, 1.5)


@functools.cache
def _refused_by(cls: type, name: str, shape: CallShape) -> str | None:
    said = set()
    for value in _VALUES:
        keywords = dict.fromkeys(shape.keywords, value)
        try:
            getattr(cls(), name)(*[value] * shape.positional, **keywords)
        except TypeError as error:
            said.add(str(error))
        except (ValueError, LookupError, OverflowError):
            return None
        else:
            return None
    return said.pop() if len(said) == 1 else None


def _refused_by_host(s_self: SomeObject, name: str, shape: CallShape) -> str | None:
    """What CPython says where a method of a built-in class takes no call of that shape: the same
    whatever the arguments are."""
    cls = class_of_kind(s_self)
    if cls not in _WITH_METHODS or not hasattr(cls, name):
        return None
    return _refused_by(cls, name, shape)


_WITH_METHODS = (str, bytes, bytearray, list, tuple, dict, set, frozenset, int, float)


def _call_host(ctx: OpContext, function: Any, arguments: CallArguments) -> SomeObject:
    name = getattr(function, "__name__", repr(function))
    if arguments.star_length(ctx) is not None:
        arguments = arguments.plain(ctx, name)
    for special in HOST_CALLS:
        s_result: SomeObject | None = special(ctx, function, arguments)
        if s_result is not None:
            return s_result
    rule = FUNCTIONS.lookup(function)
    if rule is None:
        if isinstance(function, types.ModuleType):
            inside = f"write {name}.{name}(...)" if hasattr(function, name) else ""
            raise ctx.error(f"module {name} is not callable", inside)
        if isinstance(function, type) and is_enum(function):
            ctx.annotator.constants.classdef(function)  # which is refused
        raise name_module_of(ctx.error(*unknown_function(function, name)), function)
    arguments = arguments.plain(ctx, name)
    return _call_rule(ctx, rule, arguments.args_s, arguments, name)


def _call_rule(
    ctx: OpContext, rule: Any, args_s: tuple[SomeObject, ...], arguments: CallArguments, name: str
) -> SomeObject:
    """Call a rule whose parameters mirror the built-in's."""
    ctx.annotator.notes.chosen.pop(ctx.op, None)
    shape = arguments.shape
    count = len(args_s) - len(shape.keywords)
    keywords = dict(zip(shape.keywords, args_s[count:]))
    code = rule.__code__
    accepted = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    takes_keywords = bool(code.co_flags & 0x08)
    for key in keywords:
        if f"s_{key}" not in accepted and not takes_keywords:
            raise ctx.error(f"the argument {key!r} of {name} is not supported")
    required = code.co_argcount - 1 - len(rule.__defaults__ or ())
    takes_rest = bool(code.co_flags & 0x04)
    if count < required or (count > code.co_argcount - 1 and not takes_rest):
        raise ctx.error(f"{name}() called with {count} arguments, which is not supported")
    s_result: SomeObject = rule(ctx, *args_s[:count], **{f"s_{k}": s for k, s in keywords.items()})
    return s_result
