"""What a transfer rule may use: the operation at hand and the annotator behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rpython.annotator.conversions import Conversion, InstanceRefused, of_operand, of_value
from rpython.annotator.lattice.cells import Cell, DictDef, ListDef, Node, Origin, Position
from rpython.annotator.lattice.model import (
    K_INSTANCE,
    K_NONE,
    SomeDict,
    SomeList,
    SomeObject,
    s_None,
)
from rpython.annotator.lattice.parts import takes_box
from rpython.annotator.lattice.sets import SomeAnySet
from rpython.annotator.program.classdef import Attribute
from rpython.annotator.program.desc import FunctionDesc
from rpython.annotator.program.exctexts import explain_shown
from rpython.annotator.program.special_methods import Missing
from rpython.annotator.rules.nonerefused import NoneRefused, OperandRefused
from rpython.translator.ir.errors import AnnotatorError, Conflict, TranslationError
from rpython.translator.ir.hlops import HLOPS
from rpython.translator.ir.model import Block, Constant, FunctionGraph, SpaceOperation, Variable

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator


class Premature(AnnotatorError):
    """An operation that nothing known so far supports.  It gives no value; the error is raised
    when all is known and it still has none."""


class OpContext:
    """One operation being annotated."""

    __slots__ = (
        "annotator", "block", "comparing", "graph", "index", "method_name", "op", "shows_addresses",
        "source",
    )  # fmt: skip

    def __init__(
        self, annotator: RPythonAnnotator, graph: FunctionGraph, block: Block, op: SpaceOperation,
        index: int,
    ) -> None:  # fmt: skip
        self.annotator = annotator
        self.graph = graph
        self.block = block
        self.op = op
        self.index = index
        """The number in the block of the operation, or of the one that it is a part of."""
        self.method_name = ""
        """The name of the built-in method being called, for rules that serve several."""
        self.source: Node | None = None
        """The cell or variable that the result was read from, for explanations."""
        self.comparing: frozenset[object] = frozenset()
        """The comparisons that this one is a part of (``annotator.rules.comparing``)."""

        self.shows_addresses = False
        """May texts be those of instances that have an address only?"""

    def showing_addresses(self) -> OpContext:
        """The same operation, for texts that may show addresses."""
        shown = OpContext(self.annotator, self.graph, self.block, self.op, self.index)
        shown.shows_addresses = True
        return shown

    def suboperation(self, opname: str, *args_s: SomeObject) -> OpContext:
        """An operation on other values that this one makes."""
        args = []
        for s_arg in args_s:
            variable = Variable("operand")
            variable.annotation = s_arg
            args.append(variable)
        op = SpaceOperation(HLOPS[opname], args, Variable("result"), self.op.span)
        inner = OpContext(self.annotator, self.graph, self.block, op, self.index)
        inner.comparing = self.comparing
        return inner

    @property
    def position(self) -> Position:
        return (self.graph, self.block, self.index)

    @property
    def is_member(self) -> bool:
        """Is it an operation that the program does not have, but of some kinds of operands of one
        that it has (``annotator.rules.members``)?"""
        return self.op is not self.block.operations[self.index]

    @property
    def in_helper(self) -> bool:
        """Is this in a low-level helper, rather than in user code?"""
        return self.graph.is_helper

    def catches(self, exception: type[Exception]) -> bool:
        """Does an ``except`` clause around the operation name the exception, or Exception?"""
        if not self.block.canraise or self.op is not self.block.raising_op:
            return False
        return any(link.exitcase in (exception, Exception) for link in self.block.exits[1:])

    def arguments(self) -> list[SomeObject]:
        return [self.annotator.binding(arg) for arg in self.op.args]

    def error(self, message: str, hint: str = "", about: object = None) -> AnnotatorError:
        """An error at this operation, to be raised by the rule; ``about``: see TranslationError."""
        error = AnnotatorError(message, self.op.span, hint=hint)
        error.about = about
        return error

    def conflict(self, message: str, hint: str = "") -> Conflict:
        """An error about kinds of values that meet here: if they may be in boxes, they are."""
        return Conflict(message, self.op.span, hint=hint)

    def refusal(
        self, s: SomeObject, kinds: int, message: str, missing: Missing | None = None,
        hint: str = "", conversion: Conversion | None = None,
    ) -> AnnotatorError:  # fmt: skip
        """An error about operand ``s``, which has to be of one of ``kinds``.  In user code None
        raises TypeError at run time, and an instance is converted, if that is all that ``s`` must
        not be.  ``missing``: what is raised for an instance that cannot be converted;
        ``conversion``: how, by the operation and ``kinds`` if it is not said."""
        extra = s.kinds & ~kinds
        if self.in_helper or extra & ~(K_NONE | K_INSTANCE):
            return self.error(message, hint)
        error: OperandRefused
        if extra & K_INSTANCE:
            if takes_box(s):
                return self.error(message, hint)  # the instances among them are looked at apart
            conversion = of_value(s, kinds) or conversion or of_operand(self, kinds, missing)
            if conversion is None:
                return self.error(message, hint)
            error = InstanceRefused(message, self.op.span, hint=hint)
            error.conversion = conversion
        if extra & K_NONE:
            error = NoneRefused(message, self.op.span, hint=hint)
        error.s_operand = s
        return error

    def premature(self, message: str, hint: str = "") -> Premature:
        """An error that what is found later may lift, if this operation is flowed again then."""
        return Premature(message, self.op.span, hint=hint)

    def constant(self, value: Any) -> SomeObject:
        return self.annotator.constants.annotation_of(value)

    def join(self, a: SomeObject, b: SomeObject) -> SomeObject:
        return self.annotator.join(a, b)

    def waits_for_items(self) -> bool:
        """Nothing is known of the items that the operation looks at: may that still change?  If
        so it is flowed again at the end, when there is nothing else to flow."""
        return self.annotator.waiting.add(self.op, self.position)

    # -- cells ------------------------------------------------------------------------------

    def read(self, cell: Cell) -> SomeObject:
        """What the cell holds so far; this operation is flowed again when that grows."""
        cell.readers[self.position] = None
        self.source = cell
        if isinstance(cell, Attribute):
            cell.read_at = cell.read_at or self.op.span
            self.annotator.attribute_reads.add(cell)
        return cell.s_value

    def write(self, cell: Cell, s_value: SomeObject, what: str, arg: int | None = None) -> None:
        """Let the cell hold ``s_value``; ``arg`` is the operand number it comes from."""
        self.annotator.merge_cell(cell, s_value.without_const(), self.origin(s_value, what, arg))

    def origin(self, s_value: SomeObject, what: str, arg: int | None = None) -> Origin:
        source: Node | None = None
        if arg is not None and arg < len(self.op.args):
            operand = self.op.args[arg]
            source = None if isinstance(operand, Constant) else operand
        return Origin(s_value.without_const(), what, self.op.span, source)

    def new_list(
        self, s_item: SomeObject, what: str = "put in the list here", resized: bool = False
    ) -> SomeList:
        """The annotation of the list made by this operation (the same one each time it is
        flowed)."""
        key = ("list", self.op)
        listdef = self.annotator.notes.made_here.get(key)
        if listdef is None:
            listdef = self.annotator.notes.made_here[key] = ListDef()
        assert isinstance(listdef, ListDef)
        if resized:
            self.resize(listdef)
        self.write(listdef.find().item, s_item, what)
        return SomeList(listdef)

    def resize(self, listdef: ListDef) -> None:
        """Some operation changes the length of these lists."""
        listdef.find().resized = True

    def change(self, listdef: ListDef) -> None:
        """The operation changes items of these lists, or their order."""
        root = listdef.find()
        root.changed = root.changed or self.op.span

    def grow(self, listdef: ListDef) -> None:
        """The operation changes the length of these lists, which the program sees."""
        self.resize(listdef)
        root = listdef.find()
        if not self._constructs():
            root.grown = root.grown or self.op.span
            self.change(root)

    def _constructs(self) -> bool:
        """Is the operation, a call of a method, an instruction that builds a list (of a
        comprehension, or of ``[*a, *b]``)?  The method and the call are at one place then."""
        called = self.op.args[0]
        made = self.annotator.result_of.get(called) if isinstance(called, Variable) else None
        return made is not None and made[0].opname == "getattr" and made[0].span == self.op.span

    def new_dict(self, ordered: bool = False) -> SomeDict:
        key = ("dict", self.op)
        dictdef = self.annotator.notes.made_here.get(key)
        if dictdef is None:
            dictdef = self.annotator.notes.made_here[key] = DictDef(ordered=ordered)
        assert isinstance(dictdef, DictDef)
        return SomeDict(dictdef)

    def new_set(self, cls: type[SomeAnySet]) -> SomeAnySet:
        """The annotation of the set or frozenset made by this operation."""
        key = ("set", self.op)
        dictdef = self.annotator.notes.made_here.get(key)
        if dictdef is None:
            dictdef = self.annotator.notes.made_here[key] = DictDef("a set")
            dictdef.key.label = "item of a set"
        assert isinstance(dictdef, DictDef)
        self.write(dictdef.find().value, s_None, "a set")
        return cls(dictdef)

    # -- calls ------------------------------------------------------------------------------

    def call_function(
        self, desc: FunctionDesc, args_s: Sequence[SomeObject], origins: Sequence[Origin],
        key: object = None,
    ) -> SomeObject:  # fmt: skip
        """Call a function with one annotation per parameter."""
        try:
            graph = desc.graph(key, self.op.span)
        except TranslationError as error:
            if not self.shows_addresses:
                raise
            explain_shown(error, self.op.span)
            graph = desc.graphs[key] = self.annotator.texts.graph_without_body(desc, error)
        if self.shows_addresses:
            self.annotator.texts.shown_by.setdefault(graph, self.op.span)
        self.source = graph.getreturnvar()
        arguments = list(zip(args_s, origins, strict=True))
        return self.annotator.call_graph(
            graph, desc, arguments, self.position, self.shows_addresses
        )
