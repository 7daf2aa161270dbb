"""Transfer rules for ``getattr``, ``hasattr`` and ``setattr`` with a name known at run time.

    v = getattr(x, name)              name: "do_" + a str
    v = reader(names)(x, name)        names: those of attributes of x that begin with "do_"

The function is chosen again whenever there is another class or attribute.
"""

from __future__ import annotations

import enum
import functools
import itertools
from typing import NamedTuple

from rpython.annotator.builtins.at_translation import only_class
from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import K_STR, SomeClass, SomeInstance, SomeObject
from rpython.annotator.overlay.named_attributes import (
    Names,
    asker,
    assigner,
    callee_reader,
    lister,
    reader,
    reader_or_default,
    truth_reader,
)
from rpython.annotator.program.classdef import ClassDef, is_slot, prebuilt_attributes, refused_name
from rpython.annotator.rules.applying import call_chosen
from rpython.annotator.rules.asked_attributes import asking_classes
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.translator.ir.hlops import Group, group_of
from rpython.translator.ir.home import Home
from rpython.translator.ir.model import Block, Constant, FunctionGraph, Value, Variable

COMPUTED = (property, functools.cached_property)
OTHER_WAYS = "keep the values in a dict, or test the name with if and elif"
_MOST_FORMS = 16


def read_named(
    ctx: OpContext, s: SomeObject, s_name: SomeObject, *default: SomeObject
) -> SomeObject:
    """``getattr(x, name)``, ``getattr(x, name, default)``."""
    names = _names(ctx, s, s_name, "getattr")
    assert isinstance(ctx.op.result, Variable)
    if default and _is_only_tested(ctx.op.result, ctx.block):
        return call_chosen(ctx, truth_reader(names), (s, s_name, *default), {})
    called = _is_only_called(ctx.op.result, ctx.graph, ctx.block, set())
    if names.asking:
        called = False
    if not called and isinstance(s, SomeInstance):
        names = _without_class_methods(names, s.classdef)
    if default:
        return call_chosen(ctx, reader_or_default(names), (s, s_name, *default), {})
    function = callee_reader(names) if called else reader(names)
    return call_chosen(ctx, function, (s, s_name), {})


def _without_class_methods(names: Names, classdef: ClassDef) -> Names:
    """The same where class methods, which do not go where other values are, are not read."""
    bound = {
        name for name in names.known for subdef in classdef.subtree()
        if isinstance((subdef.class_value(name) or (None, None))[1], classmethod)
    }  # fmt: skip
    if not bound or bound == set(names.known):
        return names
    known = tuple(name for name in names.known if name not in bound)
    return Names(known, names.computed, (*names.others, *sorted(bound)), names.asking)


def has_named(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    """``hasattr(x, name)``."""
    return call_chosen(ctx, asker(_names(ctx, s, s_name, "hasattr")), (s, s_name), {})


def read_computed(
    ctx: OpContext, s: SomeObject, s_name: SomeObject, name: str, s_default: SomeObject
) -> SomeObject:
    """``getattr(x, "name", default)`` of a property: its getter may raise AttributeError."""
    read = reader_or_default(Names((name,), (name,), ()))
    return call_chosen(ctx, read, (s, s_name, s_default), {})


def has_computed(ctx: OpContext, s: SomeObject, s_name: SomeObject, name: str) -> SomeObject:
    """``hasattr(x, "name")`` of a property."""
    return call_chosen(ctx, asker(Names((name,), (name,), ())), (s, s_name), {})


@FUNCTIONS.register(dir)
def names_of_class(ctx: OpContext, s: SomeObject) -> SomeObject:
    """``dir(C)``, ``dir(x.__class__)``."""
    if isinstance(s, SomeClass) and len(s.descs) == 1:
        cls = only_class(s)
        if not any(name.startswith("_rpython") for name in dir(cls)):  # else it is one of ours
            return call_chosen(ctx, lister(cls), (s,), {})
    raise ctx.error(
        f"dir() of {s.describe()} is not supported",
        hint="only of a class that is known at translation time",
    )


def set_named(
    ctx: OpContext, s: SomeInstance, s_name: SomeObject, s_value: SomeObject
) -> SomeObject:
    """``setattr(x, name, value)``: of an attribute that the program reads or assigns by name."""
    _require_names(ctx, s, s_name, "setattr")
    forms = forms_of(ctx.op.args[2], ctx.graph, ctx.block)
    s.classdef.note_class_reader(ctx.position)
    known: dict[str, None] = {}
    for classdef in (*s.classdef.mro(), *s.classdef.concrete(s.members)):
        classdef.note_reader("__dict__", ctx.position)
        known.update(dict.fromkeys(name for name in classdef.attrs if _is_settable(ctx, s, name)))
        for name, value in vars(classdef.cls).items():
            if isinstance(value, property) or is_slot(value):
                known[name] = None
    chosen = sorted(name for name in known if any(form.fits(name) for form in forms))
    return call_chosen(ctx, assigner(tuple(chosen)), (s, s_name, s_value), {})


def _is_settable(ctx: OpContext, s: SomeInstance, name: str) -> bool:
    """May all instances have the attribute?"""
    state = ctx.annotator.constants.state
    return not name.startswith("_rpython_") and all(
        not refused_name(classdef.cls, name) and state.assigned_near(classdef.cls, name) is None
        for classdef in s.classdef.concrete(s.members)
    )


def _names(ctx: OpContext, s: SomeObject, s_name: SomeObject, function: str) -> Names:
    """The attributes that the instance may have under the name.  Raises AnnotatorError."""
    _require_names(ctx, s, s_name, function)
    assert isinstance(s, SomeInstance)
    forms = forms_of(ctx.op.args[2], ctx.graph, ctx.block)
    s.classdef.note_class_reader(ctx.position)
    s.classdef.counted_at[ctx.position] = None
    known: dict[str, None] = {}
    others = dict.fromkeys(dir(object()))
    classdefs = s.classdef.concrete(s.members)
    for classdef in (*s.classdef.mro(), *classdefs):
        classdef.note_reader("__dict__", ctx.position)
        for name, attribute in classdef.attrs.items():
            attribute.readers[ctx.position] = None
            if attribute.s_value.kinds:
                known[name] = None
        for x in classdef.prebuilt:
            known.update(dict.fromkeys(prebuilt_attributes(x)))
    for classdef in classdefs:
        for name in dir(classdef.cls):
            (known if _is_readable(classdef, name) else others)[name] = None
    chosen = [name for name in known if any(form.fits(name) for form in forms)]
    rest = [name for name in others if name not in known and any(f.fits(name) for f in forms)]
    computed = [name for name in chosen if any(_is_computed(x, name) for x in classdefs)]
    asking = asking_classes(s.classdef)
    return Names(tuple(sorted(chosen)), tuple(sorted(computed)), tuple(sorted(rest)), asking)


def _require_names(ctx: OpContext, s: SomeObject, s_name: SomeObject, function: str) -> None:
    """Raise AnnotatorError where the name is no str, or attributes have other names."""
    if s_name.kinds != K_STR:
        raise ctx.error(f"the attribute name must be a str, not {s_name.describe()}")
    if not isinstance(s, SomeInstance) or not _has_own_names(s.classdef):
        raise ctx.error(
            f"{function}() of {s.describe()} with a name known at run time is not supported",
            hint=OTHER_WAYS,
        )


def _has_own_names(classdef: ClassDef) -> bool:
    """Have instances the attributes that they have in CPython, under the same names?"""
    if issubclass(classdef.cls, enum.Enum):
        return False
    return not any(above.home is Home.OVERLAY for above in classdef.mro())


def _is_readable(classdef: ClassDef, name: str) -> bool:
    """Has the class a value under the name, which programs can read?"""
    found = classdef.class_value(name)
    if found is None or found[0].__module__ == "builtins" or is_slot(found[1]):
        return False
    return not name.startswith("__") and type(found[1]).__module__ != "_abc"


def _is_computed(classdef: ClassDef, name: str) -> bool:
    found = classdef.class_value(name)
    return found is not None and isinstance(found[1], COMPUTED)


def _is_only_called(
    variable: Variable, graph: FunctionGraph, block: Block, seen: set[Variable]
) -> bool:
    """Is a call all that the function does with the value, wherever in it that goes?"""
    if block in (graph.returnblock, graph.exceptblock) or block.exitswitch is variable:
        return False
    if variable in seen:
        return True
    seen.add(variable)
    for op in block.operations:
        called = op.args[:1] if group_of(op.opname) is Group.CALL else []
        if variable in op.args[len(called) :]:
            return False
    return all(
        _is_only_called(link.target.inputargs[i], graph, link.target, seen)
        for link in block.exits for i, arg in enumerate(link.args) if arg is variable
    )  # fmt: skip


def _is_only_tested(variable: Variable, block: Block) -> bool:
    """Is whether it is true all that the function asks of the value, in that block?"""
    if any(arg is variable for link in block.exits for arg in link.args):
        return False
    using = [op for op in block.operations if variable in op.args]
    return all(group_of(op.opname) is Group.TRUTH for op in using)


# -- what is known of the name -------------------------------------------------------------------


class Form(NamedTuple):
    """A text of which the beginning and the end are known, or (``exact``) all."""

    before: str
    after: str
    exact: bool = False

    def fits(self, text: str) -> bool:
        if self.exact:
            return text == self.before
        room = len(text) >= len(self.before) + len(self.after)
        return room and text.startswith(self.before) and text.endswith(self.after)


_ANY = (Form("", ""),)


def forms_of(
    value: Value, graph: FunctionGraph, block: Block, seen: tuple[Value, ...] = ()
) -> tuple[Form, ...]:
    """The forms that a text may have, by the operations that make it; ``seen``: the variables that
    it is for."""
    if isinstance(value, Constant):
        return (Form(value.value, "", True),) if isinstance(value.value, str) else _ANY
    if value in seen:
        return _ANY
    seen = (*seen, value)
    op = next((op for op in block.operations if op.result is value), None)
    if op is not None:
        if op.opname not in ("add", "build_string"):
            return _ANY
        parts = [forms_of(arg, graph, block, seen) for arg in op.args]
        return _limited([_concatenated(choice) for choice in itertools.product(*parts)])
    if value not in block.inputargs or block is graph.startblock:
        return _ANY
    number = block.inputargs.index(value)
    found: list[Form] = []
    for source in graph.iterblocks():
        for link in source.exits:
            if link.target is block:
                found += forms_of(link.args[number], graph, source, seen)
    return _limited(found)


def _limited(forms: list[Form]) -> tuple[Form, ...]:
    return tuple(dict.fromkeys(forms)) if len(forms) <= _MOST_FORMS else _ANY


def _concatenated(parts: tuple[Form, ...]) -> Form:
    """One after the other."""
    exact = list(itertools.takewhile(lambda part: part.exact, parts))
    before = "".join(part.before for part in exact)
    if len(exact) == len(parts):
        return Form(before, "", True)
    before += parts[len(exact)].before
    ending = list(itertools.takewhile(lambda part: part.exact, reversed(parts)))
    after = "".join(part.before for part in reversed(ending))
    return Form(before, parts[-1 - len(ending)].after + after)
