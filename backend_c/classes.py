"""How an instance finds its class: by the type number in its header, or by a field.

The first field of every instance points to its class.  Where all instances of a type of structs
are of one class, as in programs that the rtyper makes, the header knows as much: the field needs
no memory, and the class is looked up by the number of the type::

    p->typeptr    ->    RPY_CLASS(p), which is rpy_classes[RPY_GC_TYPE(p)]

The types of instances then are numbered as their classes are, from one: the number of the class,
which is all that a call of a method or ``isinstance`` asks for, is in the header::

    class_number(p)    ->    RPY_CLASS_NUMBER(p), which is RPY_GC_TYPE(p) - 1
"""

from __future__ import annotations

from collections import defaultdict

from rpython.backend_c.collect import Contents
from rpython.backend_c.constants import ConstantWriter
from rpython.backend_c.types import CLASS_FIELD, TypeTable, is_class_field
from rpython.lltypesystem.operations.llop import Derives, makes_object, row_of
from rpython.lltypesystem.rclass import CLASSTYPE, OBJECT
from rpython.lltypesystem.simulated.casts import cast_pointer
from rpython.lltypesystem.simulated.containers import _struct
from rpython.lltypesystem.simulated.memory import _ptr, make_ptr
from rpython.lltypesystem.types import Ptr, Struct
from rpython.translator.ir.model import Constant, FunctionGraph, SpaceOperation, Value, Variable


def class_by_type(contents: Contents) -> dict[Struct, _ptr] | None:
    """For each type of instances, the class (CLASSTYPE) that all of them have; None when one
    type has several, or it is not known which, or there is no instance."""
    found: dict[Struct, _ptr] = {}

    def note(T: Struct, vtable: _ptr) -> bool:
        return found.setdefault(T, vtable) == vtable

    for entry in contents.data:
        obj = entry.container
        if isinstance(obj, _struct) and is_class_field(obj._TYPE, CLASS_FIELD):
            p = cast_pointer(Ptr(OBJECT), make_ptr(Ptr(obj._TYPE), obj))
            if not note(obj._TYPE, p.typeptr):
                return None
    for function in contents.functions:
        graph = function.graph
        origins: _Origins | None = None
        for _, op in graph.iterblockops():
            if not _names_class_field(op) or op.opname == "getfield":
                continue
            if op.opname != "setfield" or not isinstance(op.args[2], Constant):
                return None
            if origins is None:
                origins = _Origins(graph)
            types = origins.made_types(op.args[0])
            if types is None or not all(note(T, op.args[2].value) for T in types):
                return None
    return found or None


def class_table(types: TypeTable, constants: ConstantWriter) -> list[str]:
    """The definition of ``rpy_classes``, in the interface unit."""
    if types.class_by_type is None:
        return []
    pointer = types.ctype(CLASSTYPE)
    rows = [
        f"    [{types.tid(T)}] = ({pointer}){constants.pointer(vtable)},"
        for T, vtable in types.class_by_type.items()
    ]
    return [f"{pointer}const rpy_classes[] = {{", *rows, "};"]


def _names_class_field(op: SpaceOperation) -> bool:
    if len(op.args) < 2:
        return False
    pointer, field = op.args[0].concretetype, op.args[1]
    return (
        isinstance(field, Constant)
        and isinstance(pointer, Ptr)
        and is_class_field(pointer.TO, field.value)
    )


class _Origins:
    """Where the variables of a graph come from."""

    def __init__(self, graph: FunctionGraph) -> None:
        self._made_by = {op.result: op for _, op in graph.iterblockops()}
        self._passed: defaultdict[Value, list[Value]] = defaultdict(list)
        for link in graph.iterlinks():
            for arg, param in zip(link.args, link.target.inputargs):
                self._passed[param].append(arg)

    def made_types(self, v: Value) -> list[Struct] | None:
        """The types of the new objects that ``v`` may be; None: it may be something else."""
        result: list[Struct] = []
        seen: set[Value] = set()
        todo = [v]
        while todo:
            v = todo.pop()
            if v in seen:
                continue
            seen.add(v)
            op = self._made_by.get(v) if isinstance(v, Variable) else None
            if v in self._passed:
                todo += self._passed[v]
            elif op is not None and makes_object(op):
                assert isinstance(op.args[0], Constant)
                result.append(op.args[0].value)
            elif op is not None and row_of(op).derives is Derives.SAME:
                todo.append(op.args[0])
            else:
                return None
        return result
