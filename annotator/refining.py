"""When a program is refused, annotate it again with separate graphs for the calls that may be the
reason.

A call shares the graph of an earlier one whose parameters can hold its arguments
(``variants.py``).  Whether they can is not always known when a call is flowed: the items of a
list may arrive later, and None goes with all other kinds::

    seen = []
    size(seen)          # a list of nothing so far
    size([1])           # shares the graph: the two lists become one
    seen.append("x")    # a list of int and str

So sharing is a guess.  An annotator notes where calls made two definitions one, and where
arguments met that are not alike.  When it refuses the program, it walks back from what it refuses
to the functions that had a part in it, and the whole program is annotated again, with calls of
those functions *apart*: they share a graph only where their arguments have the same definitions.
That is repeated while new functions are found.  What is refused in the end does not depend on the
order of flowing, and a program in which no guess was wrong pays nothing.  (Counterexample-guided
abstraction refinement: Clarke, Grumberg, Jha, Lu, Veith, CAV 2000.)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Literal, TypeVar

from rpython.annotator.lattice.cells import Cell, Node
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_BYTES,
    K_STR,
    SomeDict,
    SomeDictView,
    SomeInstance,
    SomeInteger,
    SomeIterator,
    SomeList,
    SomeObject,
)
from rpython.annotator.lattice.parts import parts_of
from rpython.annotator.lattice.sets import SomeAnySet
from rpython.annotator.lattice.vartuples import tuple_items
from rpython.annotator.program.classdef import ClassDef, is_state_machine
from rpython.annotator.program.flow_graphs import FlowGraphs
from rpython.annotator.program.site_classes import is_per_site
from rpython.translator.ir.errors import Conflict, TranslationError, all_of
from rpython.translator.ir.model import Constant, Value, Variable

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator

T = TypeVar("T")
Boxing = Literal["refuse", "warn", "allow"]
Ints = Literal["64", "big"]
LateErrors = Literal["refuse", "late"]

_MOST_ROUNDS = 7
_MOST_NODES = 2000


class Refinement:
    """The functions whose calls are apart, in all annotators of one program.

    Functions are known by their code: those of the library are made anew for each annotator.
    """

    def __init__(
        self, boxing: Boxing | None = None, ints: Ints = "64", errors: LateErrors | None = None
    ) -> None:  # fmt: skip
        self.boxes = False
        """Is this the attempt in which values of several kinds may be in one place?"""
        self.met: tuple[TranslationError, ...] = ()
        """Where they met, in the one before."""
        self.boxing = boxing
        self.ints = ints
        self.errors = errors
        self._apart: set[CodeType] = set()
        self._suspects: set[CodeType] = set()
        self._rounds = 0
        self._hidden: dict[str, set[str]] = {}
        self._hides_more = False
        self.flow_graphs = FlowGraphs()

    @property
    def may_box(self) -> bool:
        """May there be an attempt with boxes?"""
        return self.boxing != "refuse" and not self.boxes

    def is_apart(self, func: FunctionType) -> bool:
        """Do calls of the function only share a graph where it makes no difference?"""
        return bool(self._apart) and func.__code__ in self._apart

    def suspect(self, functions: Iterable[FunctionType]) -> None:
        """Calls of these shared a graph, and the program is refused."""
        self._suspects.update(func.__code__ for func in functions)

    def may_help(self) -> bool:
        """Is there anything new to try?"""
        return self._hides_more or (
            bool(self._suspects - self._apart) and self._rounds < _MOST_ROUNDS
        )

    def hide(self, cls: type, name: str) -> None:
        """Instances of the class, or of those below it, have an attribute in place of the method of
        that name, of which the annotator at hand did not know."""
        self._hides_more = True
        self._hidden.setdefault(_full_name(cls), set()).add(name)

    def hidden_in(self, cls: type) -> frozenset[str]:
        """The names of such methods in a class that extends no other."""
        return frozenset(self._hidden.get(_full_name(cls), ()))

    def refine(self) -> bool:
        """Take the suspects apart; was there anything new to try?"""
        helps = self.may_help()
        self._rounds += not self._hides_more
        self._hides_more = False
        self._apart |= self._suspects
        self._suspects.clear()
        return helps


def refined(
    attempt: Callable[[Refinement], T], boxing: Boxing | None = None, ints: Ints = "64",
    errors: LateErrors | None = None,
) -> T:  # fmt: skip
    """The result of ``attempt``, which annotates a program from the start, at the first refinement
    for which that works; where kinds of values still meet, with boxes for them.  So a program that
    needs none has none.  Raises TranslationError: the last one."""
    refinement = Refinement(boxing, ints, errors)
    while True:
        try:
            result = attempt(refinement)
        except TranslationError as error:
            if not refinement.refine():
                met = tuple(e for e in all_of(error) if isinstance(e, Conflict))
                if not met or not refinement.may_box:
                    raise
                refinement.boxes = True
                refinement.met = tuple(e.with_traceback(None) for e in met)
            refinement.flow_graphs.begin_again()
        else:
            refinement.flow_graphs.end()
            return result


def _full_name(cls: type) -> str:
    """What tells a class from others also where it is made anew for each annotator."""
    return f"{cls.__module__}.{cls.__qualname__}"


def shared_before(
    annotator: RPythonAnnotator, nodes: Iterable[Value | Cell], of_kinds: bool = False
) -> set[FunctionType]:
    """The functions with a graph for several calls that had a part in what these nodes hold.

    ``of_kinds``: it is about kinds that meet.  A text is of no other kind in graphs of their own::

        texts = [x < y, show(x)]     whatever calls of ``show`` share

    Nor is an instance of a class that none extends, or that is called here.  But there may be
    none: what it was read from may be empty in truth, and was taken for one with what is not.
    Behind it only functions count that had a part in that."""
    found: set[FunctionType] = set()
    seen: dict[tuple[Node, bool], None] = {}
    waiting = deque((node, False) for node in nodes if isinstance(node, (Variable, Cell)))
    while waiting and len(seen) < _MOST_NODES:
        node, plain = waiting.popleft()
        if isinstance(node, Variable) and of_kinds:
            plain = plain or _is_plain(annotator.binding(node)) or _is_made(annotator, node)
        if (node, plain) in seen or (node, False) in seen:
            continue
        seen[node, plain] = None
        if isinstance(node, Cell):
            found |= node.filled_by if plain else node.shared_by
        elif node in annotator.shared_parameters and not plain:
            found.add(annotator.shared_parameters[node])
        waiting += [(source, plain) for source in _sources(annotator, node)]
    return found


def _is_plain(s: SomeObject) -> bool:
    """Is it a value that holds nothing of its own, of a kind that is the same however little meets
    in it?  (What instances hold is the same for all of their class.)"""
    if isinstance(s, SomeInteger):
        return not s.may_be_bool and not s.mixed
    if isinstance(s, SomeInstance):
        return not s.classdef.subdefs and _is_known_by_name(s.classdef)
    return s.kinds in (K_BOOL, K_STR, K_BYTES)


def _is_made(annotator: RPythonAnnotator, variable: Variable) -> bool:
    """Is it an instance that a call of its class makes, of whatever arguments?"""
    s = annotator.binding(variable)
    if not isinstance(s, SomeInstance) or variable not in annotator.result_of:
        return False
    callee = annotator.result_of[variable][0].args[0]
    return (
        isinstance(callee, Constant) and callee.value is s.classdef.cls
        and _is_known_by_name(s.classdef)
    )  # fmt: skip


def _is_known_by_name(classdef: ClassDef) -> bool:
    """Is it one class, wherever the program makes instances of it?"""
    return not is_state_machine(classdef) and not is_per_site(classdef)


def _sources(annotator: RPythonAnnotator, node: Node) -> Iterator[Node]:
    """What determines the annotation of a node."""
    if isinstance(node, Cell):
        origins = node.origins.values()
    else:
        origins = annotator.origins.get(node, {}).values()
        if node in annotator.result_of:
            op, source = annotator.result_of[node]
            yield from (arg for arg in op.args if isinstance(arg, Variable))
            if source is not None:
                yield source
        yield from _cells(annotator.binding(node))
    yield from (origin.source for origin in origins if origin.source is not None)


def _cells(s: SomeObject) -> list[Cell]:
    """What the containers hold that such values are, or consist of."""
    found: list[Cell] = []
    for part in parts_of(s):
        if isinstance(part, SomeList):
            found.append(part.listdef.find().item)
        elif isinstance(part, (SomeDict, SomeDictView, SomeAnySet)):
            definition = part.dictdef.find()
            found += [definition.key, definition.value]
        else:
            inside = part.sources if isinstance(part, SomeIterator) else tuple_items(part) or ()
            found += [cell for s_item in inside for cell in _cells(s_item)]
    return found
