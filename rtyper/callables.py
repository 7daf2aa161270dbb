"""Calls: one target directly, several through a table of function pointers.

A function as a value is a number: its dense index plus one (0 is None).  A call through a
variable loads the pointer from a table made for that call; a virtual method call indexes
its table with the number of the instance's class.  The targets of one table have one
signature, that of the call; where a target's own differs (other argument types, defaults),
a small *thunk* graph converts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeInstance, SomeObject, s_Bottom
from rpython.annotator.lattice.vartuples import SomeVarTuple
from rpython.annotator.program.argument import (
    ArgumentError,
    FromArg,
    FromDefault,
    FromItem,
    FromKeywords,
    FromMapping,
    FromRest,
    FromStar,
    Given,
    Source,
    match_arguments,
    match_star,
)
from rpython.annotator.program.classdef import ClassDef, Lookup
from rpython.annotator.program.desc import FunctionDesc
from rpython.annotator.rules.lowlevel import helper_annotations, specialisation_key
from rpython.lltypesystem.lltype import (
    Array,
    Bool,
    FuncType,
    Ptr,
    Signed,
    Void,
    _ptr,
    functionptr,
    malloc,
    nullptr,
)
from rpython.rtyper.matching import Operand as Operand
from rpython.rtyper.matching import (
    annotation_passed,
    match_operands,
    require_items,
    rest_of_star,
    split_operands,
)
from rpython.rtyper.oplist import LowLevelOpList
from rpython.rtyper.rmodel import Repr
from rpython.stdlib.builtins import apply
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.intrinsics import ComputedDefault
from rpython.translator.ir.model import Block, Constant, FunctionGraph, Value
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span

if TYPE_CHECKING:
    from rpython.rtyper.rtyper import RPythonTyper


@dataclass(frozen=True, slots=True)
class Group:
    """What a bound method is besides its instance: what is looked up on the classes below
    ``root``, or ``exact``, a function bound past that lookup."""

    lookup: Lookup
    root: ClassDef
    exact: FunctionDesc | None


@dataclass(slots=True)
class Table:
    """A call table to be written at the end: ``pointers`` by number (function indices, or
    classes whose numbers count from ``base``'s)."""

    constant: Constant
    pointers: dict[Any, _ptr]
    base: ClassDef | None


@dataclass(frozen=True, slots=True)
class ThunkFrame:
    """What ``LowLevelOpList`` needs to know about the graph of a thunk."""

    graph: FunctionGraph
    llgraph: FunctionGraph

    def caught_classes(self) -> list[type[BaseException]]:
        return []

    def stop_iteration_target(self) -> None:
        return None


class CallTables:
    """Emits calls; keeps the tables of one program."""

    def __init__(self, rtyper: RPythonTyper) -> None:
        self.rtyper = rtyper
        self.constants = rtyper.annotator.constants
        self._tables: dict[object, Table] = {}
        self._groups: dict[Group, int] = {}
        self._function_classes: dict[FunctionDesc, type] = {}

    def group_number(self, group: Group) -> int:
        """The number of a group of methods in bound methods of several groups."""
        return self._groups.setdefault(group, len(self._groups))

    # -- direct calls ------------------------------------------------------------------------

    def call_desc(
        self,
        llops: LowLevelOpList,
        desc: FunctionDesc,
        shape: CallShape,
        operands: Sequence[Operand],
        r_result: Repr,
        *,
        by_helper: bool = False,
    ) -> Value:
        """Call a known function, if it is ``by_helper`` as one low-level helper calls another; the
        result as a value of ``r_result``."""
        desc = self._bound(desc, shape, operands)
        if not by_helper and desc.specialisation is not None and desc.specialisation.memo:
            return self._memo(llops, desc, shape, operands, r_result)
        try:
            sources, call_key = match_operands(self.constants, desc, shape, operands, llops.span)
        except ArgumentError as error:  # the annotator has found another one to call
            return raise_mismatch(llops, str(error), r_result)
        if by_helper and not desc.expanded:
            return self._call_helper(llops, desc, sources, operands, r_result)
        if shape.star and isinstance(operands[-1].s, SomeVarTuple):
            arguments = split_operands(desc.name, shape, operands)
            match = match_star(desc.name, desc.signature, arguments, sources)
            require_items(llops, match, operands[-1])
        graph = desc.graph(call_key)
        args = []
        for source, v_param in zip(sources, graph.getargs(), strict=True):
            args.append(self._pass(llops, source, operands, self.rtyper.bindingrepr(v_param)))
        v_result: Value | None = None
        if desc.expanded:
            v_result = self.rtyper.expanded(llops, graph, args)
        if v_result is None:
            v_result = llops.call_pointer(self.rtyper.graph_pointer(graph), args)
        r_returned = self.rtyper.bindingrepr(graph.getreturnvar())
        return llops.convertvar(v_result, r_returned, r_result)

    def apply(self, llops: LowLevelOpList, callee: Operand, args: Sequence[Operand]) -> Operand:
        """The call that ``annotator.rules.applying.call_inside`` has annotated."""
        s_result = self.result_applied(callee.s, [arg.s for arg in args])
        r_result = self.rtyper.getrepr(s_result)
        if any(arg.s.kinds == 0 for arg in args):
            return Operand(llops.dummy(r_result.lowleveltype), s_result, r_result)
        desc, operands = self.constants.function_desc(apply), [callee, *args]
        v = self.call_desc(llops, desc, CallShape(len(operands)), operands, r_result)
        return Operand(v, s_result, r_result)

    def result_applied(self, s_callee: SomeObject, args_s: Sequence[SomeObject]) -> SomeObject:
        """What that call gives; bottom when it is never made."""
        if any(s.kinds == 0 for s in args_s):
            return s_Bottom
        desc, given_s = self.constants.function_desc(apply), [s_callee, *args_s]
        shape = CallShape(len(given_s))
        operands = [Operand(Constant(None, Void), s, self.rtyper.getrepr(s)) for s in given_s]
        key = match_operands(self.constants, desc, shape, operands, None)[1]
        return self.rtyper.annotator.binding(desc.graph(key).getreturnvar()).without_const()

    def _call_helper(
        self, llops: LowLevelOpList, desc: FunctionDesc, sources: Sequence[Source],
        operands: Sequence[Operand], r_result: Repr,
    ) -> Value:  # fmt: skip
        """The call of one low-level helper by another."""
        rtyper = self.rtyper
        args_s = helper_annotations(tuple(operand.s for operand in operands))
        args = [
            self._pass(llops, source, operands, rtyper.getrepr(s))
            for source, s in zip(sources, args_s, strict=True)
        ]
        found = rtyper.shared_helper(desc.func, args_s)
        if found is not None:
            s_returned = found.helper.s_result
        else:
            returned = desc.graph(specialisation_key(args_s)).getreturnvar()
            s_returned = rtyper.annotator.binding(returned)
        v_result = llops.call_pointer(rtyper.helper_pointer(desc.func, args_s), args)
        return llops.convertvar(v_result, rtyper.getrepr(s_returned), r_result)

    def _memo(
        self,
        llops: LowLevelOpList,
        desc: FunctionDesc,
        shape: CallShape,
        operands: Sequence[Operand],
        r_result: Repr,
    ) -> Value:
        """The result that is known now, for each value of an argument that is no constant."""
        split = split_operands(desc.name, shape, operands)
        sources = match_arguments(desc.name, desc.signature, split)
        args_s = [annotation_passed(self.constants, source, operands) for source in sources]
        values = {}
        for i in self.rtyper.memos.choices(args_s):
            r = self.rtyper.getrepr(args_s[i])
            values[i] = (self._pass(llops, sources[i], operands, r), r)
        return self.rtyper.memos.call(llops, desc, args_s, values, r_result)

    def _bound(
        self, desc: FunctionDesc, shape: CallShape, operands: Sequence[Operand]
    ) -> FunctionDesc:
        if not shape.positional:
            return desc
        return self.rtyper.annotator.constants.bound_desc(desc, operands[0].s)

    def _item(
        self, llops: LowLevelOpList, source: FromItem, operands: Sequence[Operand], r: Repr
    ) -> Value:
        """Item of a tuple of unknown length, as ``r``, or the default."""
        star = operands[source.index]
        r_star: Any = star.r
        v_number = Constant(source.item, Signed)

        def get() -> Value:
            v_item = r_star.getitem(llops, star.v, v_number)
            return llops.convertvar(v_item, r_star.r_item, r)

        if source.default is None:
            return get()
        done = llops.new_join(r.lowleveltype)
        v_length = r_star.length(llops, star.v)
        there, missing = llops.branch(llops.genop("int_lt", [v_number, v_length], Bool))
        llops.at(there)
        llops.goto(done, get())
        llops.at(missing)
        llops.goto(done, self._pass(llops, source.default, operands, r))
        llops.at(done)
        return done.inputargs[0]

    def _pass(
        self, llops: LowLevelOpList, source: Source, operands: Sequence[Operand], r: Repr
    ) -> Value:
        """The value of one parameter, as ``r``."""
        if isinstance(source, FromDefault):
            if isinstance(source.value, ComputedDefault):
                r_closure: Any = operands[0].r
                v_default, r_default = r_closure.read_field(
                    llops, operands[0].v, source.value.attribute
                )
                return llops.convertvar(v_default, r_default, r)
            return r.inputconst(source.value)
        if isinstance(source, (FromArg, FromStar, FromMapping)):
            operand = self._operand(llops, source, operands)
            if operand.s.is_constant():
                return r.inputconst(operand.s.value)
            return llops.convertvar(operand.v, operand.r, r)
        if isinstance(source, FromItem):
            return self._item(llops, source, operands, r)
        if isinstance(source, FromKeywords) and source.is_dict:
            return self._pass(llops, source.items[0], operands, r)
        items = [self._operand(llops, item, operands) for item in source.items]
        if isinstance(source, FromRest) and source.star is not None:
            return rest_of_star(llops, items, source.star, operands[source.star.index], r)
        r_tuple: Any = r.r_items if isinstance(source, FromKeywords) else r  # type: ignore[attr-defined]
        v_tuple: Value = r_tuple.build(llops, [(i.v, i.s, i.r) for i in items])
        return v_tuple

    def positional(
        self, llops: LowLevelOpList, shape: CallShape, operands: Sequence[Operand]
    ) -> list[Operand]:
        """The positional arguments of a call, those from ``*tuple`` too."""
        plain, result = self.plain(llops, shape, operands)
        return result[: plain.positional]

    def plain(
        self, llops: LowLevelOpList, shape: CallShape, operands: Sequence[Operand]
    ) -> tuple[CallShape, list[Operand]]:
        """The same call without stars."""
        if not shape.star and "**" not in shape.keywords:
            return shape, list(operands)
        split = split_operands("", shape, operands)
        sources = [*split.positional, *split.keywords.values()]
        result = [self._operand(llops, source, operands) for source in sources]
        return CallShape(len(split.positional), tuple(split.keywords)), result

    def plain_call(
        self, llops: LowLevelOpList, shape: CallShape,
        operands: Sequence[tuple[Value, SomeObject, Repr]],
    ) -> tuple[CallShape, list[tuple[Value, SomeObject, Repr]]]:  # fmt: skip
        """The same for operands as triples."""
        shape, plain = self.plain(llops, shape, [Operand(*triple) for triple in operands])
        return shape, [(operand.v, operand.s, operand.r) for operand in plain]

    def _operand(
        self, llops: LowLevelOpList, source: Given, operands: Sequence[Operand]
    ) -> Operand:
        operand = operands[source.index]
        if isinstance(source, FromArg):
            return operand
        s_star: Any = operand.s
        r_star: Any = operand.r.r_items if isinstance(source, FromMapping) else operand.r  # type: ignore[attr-defined]
        s_item = s_star.items[source.item]
        v_item = r_star.getitem(llops, operand.v, source.item)
        return Operand(v_item, s_item, r_star.items_r[source.item])

    # -- calls of one of several functions -------------------------------------------------------

    def call_indexed(
        self,
        llops: LowLevelOpList,
        descs: Sequence[FunctionDesc],
        v_index: Value,
        shape: CallShape,
        operands: Sequence[Operand],
        r_result: Repr,
    ) -> Value:
        """Call the function that the number ``v_index`` stands for."""
        special = _special(descs, operands, llops.span)
        key = ("functions", tuple(descs), shape, _reprs(operands), r_result, special)
        table = self._tables.get(key)
        if table is None:
            T = FuncType([op.r.lowleveltype for op in operands], r_result.lowleveltype)
            pointers = {
                desc.index + 1: self._thunk(T, desc, shape, operands, r_result, llops.span)
                for desc in descs
            }
            table = self._tables[key] = _new_table(T, pointers, None)
        return self._call_through(llops, table, v_index, operands)

    def class_of_function(self, desc: FunctionDesc, base: type) -> type:
        """The class of the instance that stands for a plain function among closures, whose
        classes extend ``base``."""
        cls = self._function_classes.get(desc)
        if cls is None:
            cls = self._function_classes[desc] = type("function", (base,), {})
        return cls

    def call_closure(
        self,
        llops: LowLevelOpList,
        descs: Sequence[FunctionDesc],
        shape: CallShape,
        operands: Sequence[Operand],
        r_result: Repr,
    ) -> Value:
        """Call the function that operand 0, an instance, stands for: one of ``descs``."""
        special = _special(descs, operands, llops.span)
        key = ("closures", tuple(descs), shape, _reprs(operands), r_result, special)
        s_base: Any = operands[0].s
        base: ClassDef = s_base.classdef
        table = self._tables.get(key)
        if table is None:
            T = FuncType([op.r.lowleveltype for op in operands], r_result.lowleveltype)
            pointers = {}
            for desc in descs:
                cls = desc.closure or self.class_of_function(desc, base.cls)
                classdef = self.rtyper.annotator.constants.classdef(cls)
                pointers[classdef] = self._closure_thunk(
                    T, desc, classdef, shape, operands, r_result, llops.span
                )
            table = self._tables[key] = _new_table(T, pointers, base)
        classes = self.rtyper.classes
        minimum, _ = classes.range_constants(base)
        v_number = classes.class_offset(operands[0].v, minimum, llops)
        return self._call_through(llops, table, v_number, operands)

    def _closure_thunk(
        self,
        T: FuncType,
        desc: FunctionDesc,
        classdef: ClassDef,
        shape: CallShape,
        operands: Sequence[Operand],
        r_result: Repr,
        place: Span | None,
    ) -> _ptr:
        """A pointer of type ``T`` that calls ``desc``, with its instance if it is a closure, for
        calls at ``place``."""
        llgraph = self.rtyper.new_graph(f"{desc.func.__name__}_thunk", T)
        frame: Any = ThunkFrame(next(iter(desc.graphs.values())), llgraph)
        llgraph.span = frame.graph.span
        llops = LowLevelOpList(self.rtyper, frame)
        llops.span = desc.place(place)
        llops.at(llgraph.startblock)
        passed = [_passed(desc, v, op) for v, op in zip(llgraph.getargs(), operands)]
        if desc.closure is None:
            del passed[0]
            shape = CallShape(shape.positional - 1, shape.keywords, shape.star)
        else:
            r: Repr = self.rtyper.instance_repr(classdef)
            v_exact = llops.convertvar(passed[0].v, passed[0].r, r)
            passed[0] = Operand(v_exact, SomeInstance(classdef), r)
        v_result = self.call_desc(llops, desc, shape, passed, r_result)
        llops.goto(llgraph.returnblock, v_result)
        return functionptr(T, llgraph.name, graph=llgraph)

    def call_virtual(
        self,
        llops: LowLevelOpList,
        base: ClassDef,
        receivers: Mapping[ClassDef, ClassDef],
        lookup: Lookup,
        shape: CallShape,
        operands: Sequence[Operand],
        r_result: Repr,
    ) -> Value:
        """Call the method that ``lookup`` finds on operand 0, an instance of ``base`` or a
        subclass: one of those that have ``receivers``, the classes that ``self`` is taken to
        be of."""
        found = [self.rtyper.annotator.constants.target(cd, lookup) for cd in receivers]
        special = _special([desc for desc in found if desc is not None], operands, llops.span)
        classes = tuple(receivers.items())
        key = ("method", classes, lookup, shape, _reprs(operands), r_result, special)
        table = self._tables.get(key)
        if table is None:
            T = FuncType([op.r.lowleveltype for op in operands], r_result.lowleveltype)
            pointers = {}
            for classdef, selfdef in receivers.items():
                desc = self.rtyper.annotator.constants.target(classdef, lookup)
                if desc is None:
                    continue
                received = _received(selfdef, operands)
                if self._is_called(desc, shape, received, llops.span):
                    pointers[classdef] = self._thunk(T, desc, shape, received, r_result, llops.span)
            assert pointers, f"no {lookup.name}() is called at {llops.span}"
            table = self._tables[key] = _new_table(T, pointers, base)
        offsets = self.rtyper.classes
        minimum, _ = offsets.range_constants(base)
        v_number = offsets.class_offset(operands[0].v, minimum, llops)
        return self._call_through(llops, table, v_number, operands)

    def call_method(
        self,
        llops: LowLevelOpList,
        base: ClassDef,
        receivers: Mapping[ClassDef, ClassDef],
        lookup: Lookup,
        shape: CallShape,
        operands: Sequence[Operand],
        r_result: Repr,
    ) -> Value:
        """The same, directly where one function is called for all classes."""
        functions: dict[FunctionDesc, None] = {}
        for classdef in receivers:
            desc = self.rtyper.annotator.constants.target(classdef, lookup)
            if desc is not None:
                functions[desc] = None
        desc = next(iter(functions))
        selfdefs = set(receivers.values())
        if len(functions) > 1 or (desc.specialisation is not None and len(selfdefs) > 1):
            return self.call_virtual(llops, base, receivers, lookup, shape, operands, r_result)
        if len(selfdefs) == 1:
            operands = _received(selfdefs.pop(), operands)
        return self.call_desc(llops, desc, shape, operands, r_result)

    def _call_through(
        self, llops: LowLevelOpList, table: Table, v_index: Value, operands: Sequence[Operand]
    ) -> Value:
        T = table.constant.concretetype.TO.OF
        v_pointer = llops.genop("getarrayitem", [table.constant, v_index], T)
        graphs = list(dict.fromkeys(p._obj.graph for p in table.pointers.values()))
        args = [v_pointer, *(op.v for op in operands), Constant(graphs, Void)]
        return llops.genop("indirect_call", args, T.TO.RESULT)

    def _thunk(
        self,
        T: FuncType,
        desc: FunctionDesc,
        shape: CallShape,
        operands: Sequence[Operand],
        r_result: Repr,
        place: Span | None,
    ) -> _ptr:
        """A pointer of type ``T`` that calls ``desc`` with converted arguments, for calls at
        ``place``."""
        desc = self._bound(desc, shape, operands)
        try:
            graph = desc.graph(match_operands(self.constants, desc, shape, operands, place)[1])
        except ArgumentError as error:
            return self._raising_thunk(T, desc, str(error), r_result)
        params_r = [self.rtyper.bindingrepr(v) for v in graph.getargs()]
        stars = (desc.signature.vararg, desc.signature.kwarg)
        plain = shape == CallShape(len(params_r)) and stars == (None, None)
        r_returned = self.rtyper.bindingrepr(graph.getreturnvar())
        same = [op.r for op in operands] == params_r and r_returned is r_result
        if plain and same:
            return self.rtyper.graph_pointer(graph)
        llgraph = self.rtyper.new_graph(f"{graph.name}_thunk", T)
        llgraph.span = graph.span
        frame: Any = ThunkFrame(graph, llgraph)
        llops = LowLevelOpList(self.rtyper, frame)
        llops.span = desc.place(place)
        llops.at(llgraph.startblock)
        passed = [_passed(desc, v, op) for v, op in zip(llgraph.getargs(), operands)]
        v_result = self.call_desc(llops, desc, shape, passed, r_result)
        llops.goto(llgraph.returnblock, v_result)
        return functionptr(T, llgraph.name, graph=llgraph)

    def _is_called(
        self, desc: FunctionDesc, shape: CallShape, operands: Sequence[Operand],
        place: Span | None,
    ) -> bool:  # fmt: skip
        """Has the annotator seen a call there with such arguments?  (If they do not fit: yes.)"""
        try:
            return match_operands(self.constants, desc, shape, operands, place)[1] in desc.graphs
        except ArgumentError:
            return True
        except KeyError:
            return False

    def _raising_thunk(
        self, T: FuncType, desc: FunctionDesc, message: str, r_result: Repr
    ) -> _ptr:
        """A pointer of type ``T`` that raises TypeError: the arguments do not fit."""
        llgraph = self.rtyper.new_graph(f"{desc.func.__name__}_mismatch", T)
        frame: Any = ThunkFrame(llgraph, llgraph)
        llops = LowLevelOpList(self.rtyper, frame)
        llops.at(llgraph.startblock)
        llops.goto(llgraph.returnblock, raise_mismatch(llops, message, r_result))
        return functionptr(T, llgraph.name, graph=llgraph)

    # -- the end ---------------------------------------------------------------------------------

    def write_tables(self) -> None:
        """Fill the tables; the classes are numbered now.  A table of methods has a place for each
        class: where the annotator saw no call there is no function, which stops the program."""
        bounds = self.rtyper.classes.bounds
        for table in self._tables.values():
            A = table.constant.concretetype.TO
            entries: dict[int, _ptr] = {}
            length = 0
            if table.base is None:
                entries = dict(table.pointers)
            else:
                low, high = bounds[table.base]
                length = high - low
                entries = {bounds[cd][0] - low: p for cd, p in table.pointers.items()}
            array = malloc(A, max(length, max(entries, default=0) + 1), immortal=True)
            for i in range(len(array)):
                array[i] = entries.get(i, nullptr(A.OF.TO))
            table.constant.value = array


def raise_mismatch(llops: LowLevelOpList, message: str, r_result: Repr) -> Value:
    """Raise TypeError, in place of a call that gives a value of ``r_result``."""
    llops.raise_constant(TypeError, message)
    llops.at(Block([]))
    return llops.dummy(r_result.lowleveltype)


def _received(selfdef: ClassDef, operands: Sequence[Operand]) -> Sequence[Operand]:
    """The operands of a call as the annotator has them for a method: it has chosen a graph for
    ``selfdef``, not for the class that the call is about."""
    return [Operand(operands[0].v, SomeInstance(selfdef), operands[0].r), *operands[1:]]


def _special(
    descs: Sequence[FunctionDesc], operands: Sequence[Operand], place: Span | None
) -> tuple[object, ...] | None:
    """What else the targets of a call there depend on, where one is specialised."""
    if all(desc.specialisation is None for desc in descs):
        return None
    places = [desc.place(place) for desc in descs]
    return (*places, *(operand.s for operand in operands))


def _passed(desc: FunctionDesc, v: Value, operand: Operand) -> Operand:
    """The operand, given to a thunk as ``v``."""
    s = operand.s if desc.specialisation is not None else operand.s.without_const()
    return Operand(v, s, operand.r)


def _reprs(operands: Sequence[Operand]) -> tuple[Repr, ...]:
    return tuple(op.r for op in operands)


def _new_table(T: FuncType, pointers: dict[Any, _ptr], base: ClassDef | None) -> Table:
    A = Array(Ptr(T), hints={"immutable": True, "called": True})
    return Table(Constant(None, Ptr(A)), pointers, base)

