"""Explaining a conflict: where each of two kinds of value came from (promise P5)."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.cells import Cell, Node, Origin, Position
from rpython.annotator.lattice.model import (
    K_BUILTIN_METHOD,
    K_BYTES,
    K_FLOAT,
    K_INSTANCE,
    K_INT,
    K_NOTIMPLEMENTED,
    K_STR,
    K_TUPLE,
    SomeInstance,
    SomeInteger,
    SomeObject,
)
from rpython.annotator.lattice.parts import nests, parts_of
from rpython.annotator.program.classdef import Attribute, is_generator
from rpython.annotator.program.excattrs import is_fact
from rpython.annotator.program.unsupported import is_unsupported, name_module
from rpython.translator.ir.errors import (
    AnnotatorError,
    Conflict,
    Note,
    TranslationError,
    did_you_mean,
)
from rpython.translator.ir.hlops import Group, group_of, plain_name
from rpython.translator.ir.home import Home, home_of_file, home_of_function
from rpython.translator.ir.model import FunctionGraph, SpaceOperation, Variable
from rpython.translator.ir.span import Span

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator

_LONGEST_CHAIN = 8


def conflict_error(
    annotator: RPythonAnnotator,
    place: str,
    origins: dict[int, Origin],
    s_old: SomeObject,
    new: Origin,
) -> Conflict:
    """The error for a place that would hold two kinds of value.

    ``origins``: the place's, by kind; ``new``: what brought the second kind.
    """
    s_new = new.s_value
    old = next((o for bit, o in origins.items() if bit & s_old.kinds), None)
    notes: list[Note] = []
    if old is not None:
        notes.append(Note(f"{s_old.describe()}:"))
        notes.extend(chain(annotator, old, s_old.kinds))
    notes.append(Note(f"{s_new.describe()}:"))
    new_chain = chain(annotator, new, s_new.kinds)
    notes.extend(new_chain)
    spans = [note.span for note in new_chain if note.span is not None]
    message = f"{place} would hold both {s_old.describe()} and {s_new.describe()}"
    hint = _hint(s_old, s_new)
    if (s_old.kinds | s_new.kinds) == K_INT | K_FLOAT and any(
        _is_quotient(annotator, origin) for origin in (old, new)
    ):
        hint = "/ gives a float: use // for an int"
    return Conflict(message, spans[0] if spans else new.span, notes, hint)


def _is_quotient(annotator: RPythonAnnotator, origin: Origin | None) -> bool:
    """Does the story of a float begin with ``/``?"""
    if origin is None or origin.source is None:
        return False
    made = made_by(annotator, origin.source, K_FLOAT)
    return any(plain_name(op.opname) == "truediv" for op in made)


def _hint(a: SomeObject, b: SomeObject) -> str:
    kinds = a.kinds | b.kinds
    sized = [s for s in (a, b) if isinstance(s, SomeInteger) and s.knowntype is not int]
    if sized and kinds == K_INT | K_FLOAT:
        return f"convert one of them: float(...) or {sized[0].describe()}(...)"
    if sized and kinds == K_INT:
        return f"make the other one {sized[0].describe()}, too: {sized[0].describe()}(...)"
    if kinds == K_STR | K_BYTES:
        return "make bytes of the str with .encode(), or a str of the bytes with .decode('latin-1')"
    if kinds & K_NOTIMPLEMENTED:
        return "return False (or raise) instead of NotImplemented"
    if kinds == K_INT | K_FLOAT:
        return "write the int as a float (0.0 instead of 0), or convert with float(...)"
    if a.kinds == b.kinds == K_BUILTIN_METHOD:
        return "write lambdas: lambda x: items.append(x) instead of items.append"
    if any(isinstance(s, SomeInstance) and is_generator(s.classdef) for s in (a, b)):
        return "make a list of what the generator gives: list(...)"
    if a.kinds == b.kinds == K_INSTANCE:
        return "give their classes a common base class, or make both of one class"
    if a.kinds == b.kinds == K_TUPLE:
        return "make both of the same length and kinds, or use a class with an attribute for each"
    if a.kinds == b.kinds:
        return "make the two values alike"
    return "a variable holds one kind of value: use two variables, or convert one of them"


def kinds_story(annotator: RPythonAnnotator, node: Node, s_value: SomeObject) -> list[Note]:
    """Where each kind of the value of ``node`` came from."""
    notes: list[Note] = []
    for part in parts_of(s_value):
        notes.append(Note(f"{part.describe()}:"))
        notes.extend(chain(annotator, origin_of(annotator, node, part.kinds), part.kinds))
    return notes


def chain(annotator: RPythonAnnotator, origin: Origin | None, kinds: int) -> list[Note]:
    """The steps that brought a value of these kinds, latest first."""
    notes: list[Note] = []
    seen: set[int] = set()
    while origin is not None and len(notes) < _LONGEST_CHAIN:
        if origin.text:
            note = Note(f"  {origin.text}", origin.span)
            if not notes or notes[-1].span != note.span:
                notes.append(note)
        node = origin.source
        if node is None or id(node) in seen:
            break
        seen.add(id(node))
        origin = origin_of(annotator, node, kinds)
    return notes


def root_of(annotator: RPythonAnnotator, node: Node, kinds: int) -> Node | Origin:
    """Where a value of these kinds came from in the beginning, or the last thing that is known."""
    seen: set[int] = set()
    while True:
        seen.add(id(node))
        origin = origin_of(annotator, node, kinds)
        if origin is None or origin.span is None:
            return node
        if origin.source is None or id(origin.source) in seen:
            return origin
        node = origin.source


def made_by(annotator: RPythonAnnotator, node: Node, kinds: int) -> Iterator[SpaceOperation]:
    """The operations that gave the value of these kinds, and those it was given by them."""
    seen: set[int] = set()
    at: Node | None = node
    while at is not None and id(at) not in seen:
        seen.add(id(at))
        if not isinstance(at, Cell) and at in annotator.result_of:
            op, source = annotator.result_of[at]
            at = source or _float_operand(annotator, op, kinds)
            yield op
        else:
            origin = origin_of(annotator, at, kinds)
            at = None if origin is None else origin.source


def origin_of(annotator: RPythonAnnotator, node: Node, kinds: int) -> Origin | None:
    if isinstance(node, Cell):
        return _pick(node.origins, kinds)
    origins = annotator.origins.get(node)
    if origins:
        return _pick(origins, kinds)
    if node in annotator.result_of:
        op, source = annotator.result_of[node]
        if isinstance(source, Cell) and not source.s_value.kinds & kinds:
            source = None  # a list made here, say, rather than an item read
        what = _describe_result(node, source)
        source = source or _float_operand(annotator, op, kinds)
        return Origin(annotator.binding(node), what, op.span, source)
    return None


def _float_operand(annotator: RPythonAnnotator, op: SpaceOperation, kinds: int) -> Node | None:
    """The operand that makes a float of the result of arithmetic."""
    if kinds != K_FLOAT or group_of(op.opname) not in (Group.ARITHMETIC, Group.IN_PLACE):
        return None
    operands = (arg for arg in op.args if isinstance(arg, Variable))
    return next((arg for arg in operands if annotator.binding(arg).kinds == K_FLOAT), None)


def remember(origins: dict[int, Origin], origin: Origin) -> None:
    """Note where a value came from, for each of its kinds that is new."""
    for part in parts_of(origin.s_value):
        origins.setdefault(part.kinds, origin)


def _pick(origins: dict[int, Origin], kinds: int) -> Origin | None:
    for bit, origin in origins.items():
        if bit & kinds:
            return origin
    return next(iter(origins.values()), None)


def _describe_result(variable: Variable, source: Node | None) -> str:
    if isinstance(source, Cell):
        return f"read from {source.label}"
    if isinstance(source, Variable):
        return "returned by the call"
    return "computed here"


def cell_conflict_error(annotator: RPythonAnnotator, cell: Cell, new: Origin) -> Conflict:
    """The error for what is stored in two kinds."""
    error = conflict_error(annotator, cell.label, cell.origins, cell.s_value, new)
    if isinstance(cell, Attribute) and cell.name == "args" and is_fact(cell.homedef.cls, "args"):
        error.notes = [*error.notes, Note("args is read here", cell.read_at)]
        error.hint = (
            f"e.args has one type for {cell.homedef.name} and the classes below it: give the "
            "exceptions attributes of their own, or catch a narrower class there"
        )
    elif isinstance(cell, Attribute) and cell.joined_at is not None and cell.homedef.subdefs:
        error.span = cell.joined_at
        error.hint = (
            f"the object is known as {_with_article(cell.homedef.name)} here, so that "
            f"{cell.name!r} is one attribute of all its subclasses: test for the subclass with "
            "isinstance() first, or use two names"
        )
    return error


def _with_article(name: str) -> str:
    return f"an {name}" if name[0] in "AEIOUaeiou" else f"a {name}"


def unset_attribute_error(attribute: Attribute) -> AnnotatorError:
    """The error for an attribute that is read but that nothing ever sets."""
    classdef = attribute.homedef
    if attribute.unset[0] is NameError:
        return AnnotatorError(
            f"the global name {attribute.name!r} is not defined", attribute.read_at,
            hint="functions say that it is global, but none that is called assigns it",
        )
    below = {name for cd in classdef.subtree() for name in cd.attrs}
    above = {name for cd in classdef.mro() for name in (*cd.attrs, *cd.cls.__dict__)}
    above.update(*(vars(base) for base in classdef.cls.__mro__[:-1]))
    name, is_written = attribute.name, classdef.is_written
    shown = (known for known in below | above if is_public(known) or not is_public(name))
    hint = did_you_mean(name, sorted(known for known in shown if not is_special(known)))
    if is_special(name):
        hint = f"define {name} in class {classdef.name}" if is_written else ""
    elif not hint and is_written:
        hint = f"assign self.{name} in __init__"
        if all(_is_called(position) for position in attribute.readers):
            hint = f"define {name}(self, ...) in class {classdef.name}"
    if hasattr(classdef.cls, "_rpython_ctype_"):
        cls: Any = classdef.cls
        return AnnotatorError(
            f"cdata {cls._c_name!r} has no field {attribute.name!r}",
            attribute.read_at,
            hint="a variable that also holds lib.NULL has no fields: use lib.cast('T *', lib.NULL)",
        )
    why = ": nothing assigns it" if is_written else " (or it is not supported)"
    message = f"{classdef.name} object has no attribute {name!r}{why}"
    return AnnotatorError(message, attribute.read_at, hint=hint)


def _is_called(position: Position) -> bool:
    """Is what the operation there gives called by the next one that uses it?"""
    _, block, index = position
    read = block.operations[index].result
    user = next((op for op in block.operations[index + 1 :] if read in op.args), None)
    return user is not None and user.opname in ("simple_call", "call_args") and user.args[0] is read


def is_public(name: str) -> bool:
    return not name.startswith("_")


def is_special(name: str) -> bool:
    """Is it a name like ``__len__``?"""
    return name.startswith("__") and name.endswith("__")



def place_in_source(func: Any, span: Span) -> Span:
    """Where to look for what is wrong at ``span`` of a function: for a method that ``dataclass``
    has written, which is in no file, that is where its class begins."""
    if span.filename != "<string>" or func is None:
        return span
    found: Any = sys.modules.get(func.__module__)
    names = func.__qualname__.split(".")[:-1]
    for name in names:
        found = getattr(found, name, None)
    if not names:
        return span  # a function made by exec()
    try:
        line = inspect.getsourcelines(found)[1]
        return Span(inspect.getfile(found), line, function=span.function)
    except (TypeError, OSError):
        return span


def blame_program(
    callers: Mapping[FunctionGraph, Mapping[Position, Span | None]], graph: FunctionGraph,
    span: Span, error: TranslationError,
) -> None:  # fmt: skip
    """Show what is refused in a library, while an operation of ``graph`` at ``span`` is flowed,
    where the program uses that."""
    there = error.span
    if there is None or home_of_file(there.filename).is_program:
        return
    at: Span | None = span
    seen, used = {graph}, graph
    while at is not None and not home_of_file(at.filename).is_program:
        used = graph
        calls = callers.get(graph, {}).items()
        found = ((above, place) for (above, _, _), place in calls if above not in seen)
        graph, at = next(found, (graph, None))
        seen.add(graph)
    if at is None:
        return
    error.span = at
    module = str(getattr(used.func, "__module__", ""))
    if is_unsupported(module):
        name_module(error, module)
    elif home_of_file(there.filename) is not Home.OVERLAY and error.about != f"_{module}":
        if home_of_function(used.func) is Home.STANDARD:
            name = f"{module}.{used.func.__qualname__}" if used.func is not None else module
            name = name.removeprefix("_")
            error.message = f"`{name}` is not supported like this: {error.message}"
            error.hint = ""
        error.notes.insert(0, Note(f"in {there.function}, which this leads to", there))


def refuse_endless(s_old: SomeObject, s_joined: SomeObject, origin: Origin) -> None:
    """Raises AnnotatorError for a place in which a tuple goes that holds what was there before:
    its type would have no end."""
    if nests(s_old) and nests(s_joined):
        raise AnnotatorError(
            "a tuple that holds what was in the same place before would have a type without end",
            origin.span,
            hint="use a class, with an attribute for each item",
        )
