"""One low-level operation -> C.

    v1 = int_add(v0, 1)         ->  v1 = (Signed)((Unsigned)v0 + (Unsigned)1L);
    v2 = int_add_ovf(v0, v1)    ->  condition RPY_ADD_OVF(v0, v1, &v2)
    v3 = getfield(p, 'next')    ->  v3 = p->f_next;

Most operations are their row's template.  The structural ones, whose code depends on the
layout of types, have a method here, named as their row says (``LLOp.writer``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rpython.backend_c import gc
from rpython.backend_c.constants import ConstantWriter
from rpython.backend_c.names import c_string
from rpython.backend_c.types import (
    TypeTable,
    field_name,
    is_class_field,
    is_plain_items,
    is_void,
    stride,
)
from rpython.lltypesystem.operations.llop import LLOp
from rpython.lltypesystem.primitives import LowLevelType
from rpython.lltypesystem.types import Array, FixedSizeArray, FuncType, Ptr, Struct
from rpython.translator.ir.errors import BuildError
from rpython.translator.ir.model import Constant, SpaceOperation, Value, Variable
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span
from rpython.translator.lower.pointers import is_weak

LOCK_HEADER = "rpy_gil.h"


@dataclass(frozen=True, slots=True)
class OpCode:
    """The C code of one operation.

    ``statement``: to execute first, '' for none.  ``condition``: when not '', a C expression that
    is true when the operation has failed; of what else may fail, an exception is pending then.
    ``after``: to execute when it has not.
    """

    statement: str
    condition: str = ""
    after: str = ""


class OpWriter:
    """Writes the operations of one function.  ``local(variable)`` gives the C name of a
    variable, ``is_used(variable)`` says whether anybody reads it."""

    def __init__(
        self,
        types: TypeTable,
        constants: ConstantWriter,
        local: Callable[[Variable], str],
        is_used: Callable[[Variable], bool],
        where: Callable[[Span], str],
    ) -> None:
        """``where``: the address of a place for tracebacks."""
        self.types = types
        self.constants = constants
        self.local = local
        self.is_used = is_used
        self.where = where
        self.handles_exceptions = False
        """Has the function asked how many exceptions are being handled?"""
        self.has_frame = False
        """Has it a frame on the shadow stack?"""
        self.finds_frame = False
        """Does it look for that later than where it begins?"""

    def value(self, v: Value) -> str:
        """A primary C expression."""
        if isinstance(v, Variable):
            return self.local(v)
        return self.constants.expression(v.value, v.concretetype)

    def base(self, pointer: Value) -> str:
        """The value as what C can follow.  Null needs its type for that: it is followed only in
        code that nothing reaches, such as the loop over a set that is always empty."""
        text = self.value(pointer)
        return f"(({self.types.ctype(pointer.concretetype)})NULL)" if text == "NULL" else text

    def write(self, op: SpaceOperation) -> OpCode:
        row = op.opdef
        assert isinstance(row, LLOp)
        if row.c is None:
            write: Callable[[SpaceOperation], OpCode] = getattr(self, row.writer)
            return write(op)
        if not row.can_raise and is_void(op.result.concretetype) and row.result is None:
            return OpCode("")  # same_as on Void and the like
        args = ["" if is_void(a.concretetype) else self.value(a) for a in op.args]
        R = op.result.concretetype
        result = "" if is_void(R) else self.local(op.result)
        text = row.c.format(*args, r=result, R=self.types.ctype(R))
        if row.can_raise:
            return OpCode("", text)
        return self._assign(op, text)

    def _assign(self, op: SpaceOperation, expression: str) -> OpCode:
        if is_void(op.result.concretetype):
            return OpCode(f"{expression};")
        return OpCode(f"{self.local(op.result)} = {expression};")

    # -- places --

    def place(self, args: Sequence[Value]) -> tuple[str, Any]:
        """The C lvalue that ``args[0]`` and the offsets after it lead to, and its type."""
        pointer = args[0].concretetype
        assert isinstance(pointer, Ptr)
        T: Any = pointer.TO
        text = self.base(args[0])
        if len(args) == 1:
            return (text if is_plain_items(T) else f"(*{text})"), T
        arrow = "" if is_plain_items(T) else "->"
        pointer_to_items = is_plain_items(T)
        for offset in args[1:]:
            if pointer_to_items and stride(T.OF) > 1:
                text, T = _item(text, T.OF, self.value(offset)), T.OF
                continue
            pointer_to_items = False
            if isinstance(T, Struct):
                assert isinstance(offset, Constant)
                path, T = _field_path(T, offset.value)
                text += (arrow or ".") + path
            else:
                assert isinstance(T, Array | FixedSizeArray)
                items = "" if is_plain_items(T) else f"{arrow or '.'}items"
                text += f"{items}[{self.value(offset)}]"
                T = T.OF
            arrow = ""
        return text, T

    def _class_in_header(self, op: SpaceOperation) -> bool:
        """Is the field of the operation one that is not there, the class of an instance?"""
        pointer = op.args[0].concretetype
        assert isinstance(pointer, Ptr)
        return (
            self.types.class_by_type is not None
            and len(op.args) > 1
            and isinstance(op.args[1], Constant)
            and is_class_field(pointer.TO, op.args[1].value)
        )

    def read_place(self, op: SpaceOperation) -> OpCode:
        if is_void(op.result.concretetype):
            return OpCode("")
        if self._class_in_header(op):
            return self._assign(op, self.types.class_of(self.value(op.args[0])))
        text, _ = self.place(op.args)
        return self._assign(op, f"RPY_GC_GET_WEAK({text})" if is_weak(op) else text)

    def write_place(self, op: SpaceOperation) -> OpCode:
        value = op.args[-1]
        if is_void(value.concretetype) or self._class_in_header(op):
            return OpCode("")
        text, _ = self.place(op.args[:-1])
        store = f"{text} = {self.value(value)};"
        if is_weak(op):
            store = f"RPY_GC_SET_WEAK({text}, {self.value(value)});"
        return OpCode(store)

    def class_number(self, op: SpaceOperation) -> OpCode:
        return self._assign(op, self.types.class_number(self.value(op.args[0])))

    def interior_pointer(self, op: SpaceOperation) -> OpCode:
        text, T = self.place(op.args)
        address = text if is_plain_items(T) else f"&{text}"
        return self._assign(op, f"({self.types.pointer_to(T)}){address}")

    def direct_fieldptr(self, op: SpaceOperation) -> OpCode:
        text, _ = self.place(op.args)
        return self._assign(op, f"&{text}")

    def direct_arrayitems(self, op: SpaceOperation) -> OpCode:
        return self._assign(op, self._items(op.args[0]))

    def direct_ptradd(self, op: SpaceOperation) -> OpCode:
        items, count = op.args
        assert isinstance(items.concretetype, Ptr)
        OF = items.concretetype.TO.OF
        return self._assign(op, _item(self.base(items), OF, self.value(count)))

    def gc_is_instance(self, op: SpaceOperation) -> OpCode:
        p, T = op.args
        assert isinstance(T, Constant)
        test = self.types.type_test(T.value)
        return self._assign(op, f"{test}(RPY_GC_TYPE({self.value(p)}))")

    def array_size(self, op: SpaceOperation) -> OpCode:
        text, T = self.place(op.args)
        if isinstance(T, FixedSizeArray):
            return self._assign(op, f"{T.length}L")
        if len(op.args) == 1:
            return self._assign(op, f"{self.base(op.args[0])}->length")
        return self._assign(op, f"{text}.length")

    def copy_array_items(self, op: SpaceOperation) -> OpCode:
        src, dst, srcstart, dststart, length = op.args
        sources, targets = self._items(src), self._items(dst)
        assert isinstance(src.concretetype, Ptr)
        OF = src.concretetype.TO.OF
        if is_void(OF):
            return OpCode("")
        to, source = f"{targets} + {self.value(dststart)}", f"{sources} + {self.value(srcstart)}"
        size = f"(Unsigned){self.value(length)} * {self.types.sizeof(OF)}"
        return OpCode(f"__builtin_memmove({to}, {source}, {size});")

    def copy_array_bytes(self, op: SpaceOperation) -> OpCode:
        src, dst, srcstart, dststart, count = op.args
        to = f"{self._items(dst)} + {self.value(dststart)}"
        source = f"{self._items(src)} + {self.value(srcstart)}"
        return OpCode(f"__builtin_memcpy({to}, {source}, (Unsigned){self.value(count)});")

    def _items(self, array: Value) -> str:
        assert isinstance(array.concretetype, Ptr)
        text = self.base(array)
        return text if is_plain_items(array.concretetype.TO) else f"{text}->items"

    # -- allocation --

    def malloc(self, op: SpaceOperation) -> OpCode:
        T, flavor, zero = _malloc_operands(op)
        result = self.local(op.result)
        text = gc.malloc_fixed(self.types, T, flavor, zero, _SUFFIX.get(op.opname, ""))
        return OpCode(f"{result} = {text};", f"{result} == NULL")

    def malloc_varsize(self, op: SpaceOperation) -> OpCode:
        T, flavor, zero = _malloc_operands(op)
        result, length = self.local(op.result), self.value(op.args[2])
        suffix = _SUFFIX.get(op.opname, "")
        text = gc.malloc_varsize(self.types, T, flavor, zero, length, suffix)
        place = gc.length_place(T, result)
        after = f"{place} = {length};" if place else ""
        return OpCode(f"{result} = {text};", f"{result} == NULL", after)

    def free(self, op: SpaceOperation) -> OpCode:
        return OpCode(f"RPY_RAW_FREE({self.value(op.args[0])});")

    # -- memory by address --

    def raw_malloc(self, op: SpaceOperation) -> OpCode:
        size, flags = op.args
        assert isinstance(flags, Constant)
        result = self.local(op.result)
        text = f"rpy_raw_malloc({self.value(size)}, {int(flags.value.get('zero', False))})"
        return OpCode(f"{result} = {text};", f"{result} == NULL")

    def raw_store(self, op: SpaceOperation) -> OpCode:
        T, address, index, value = op.args
        assert isinstance(T, Constant)
        place = f"(({self.types.item_pointer(T.value)}){self.value(address)})[{self.value(index)}]"
        return OpCode(f"{place} = {self.value(value)};")

    # -- calls --

    def direct_call(self, op: SpaceOperation) -> OpCode:
        target = op.args[0]
        assert isinstance(target, Constant)
        func = target.value._obj
        name = self.constants.function_name(func)
        external = func.graph is None
        arguments = self._arguments(op.args[1:], external)
        call = f"{name}({arguments})"
        if external and isinstance(op.result.concretetype, Ptr):
            call = f"({self.types.ctype(op.result.concretetype)}){call}"
        return self._call(op, call)

    def indirect_call(self, op: SpaceOperation) -> OpCode:
        target = self.value(op.args[0])
        return self._call(op, f"{target}({self._arguments(op.args[1:-1], False)})")

    def _arguments(self, args: Sequence[Value], external: bool) -> str:
        texts = []
        for arg in args:
            if is_void(arg.concretetype):
                continue
            text = self.value(arg)
            if external and isinstance(arg.concretetype, Ptr):
                if not isinstance(arg.concretetype.TO, FuncType):
                    text = f"(void *){text}"  # whatever pointer type the header wants
            texts.append(text)
        return ", ".join(texts)

    def _call(self, op: SpaceOperation, call: str) -> OpCode:
        if is_void(op.result.concretetype) or not self.is_used(op.result):
            return OpCode(f"{call};")
        return OpCode(f"{self.local(op.result)} = {call};")

    # -- the machine --

    def stack_probe(self, op: SpaceOperation) -> OpCode:
        return OpCode("", "RPY_STACK_IS_LOW()")

    def stack_overflow(self, op: SpaceOperation) -> OpCode:
        return OpCode("rpy_stack_low(RPY_FRAME());")

    def safepoint_probe(self, op: SpaceOperation) -> OpCode:
        return OpCode("", "RPY_BREAK_ASKED()")

    def safepoint_slow(self, op: SpaceOperation) -> OpCode:
        return OpCode("rpy_break();")

    def gil_release(self, op: SpaceOperation) -> OpCode:
        self.constants.symbols.headers[LOCK_HEADER] = None
        return OpCode("rpy_lock_release();")

    def gil_take(self, op: SpaceOperation) -> OpCode:
        return OpCode("rpy_lock_take();")

    # -- counts of references --

    def gc_incref(self, op: SpaceOperation) -> OpCode:
        return OpCode(f"RPY_GC_ACQUIRE({self.value(op.args[0])});")

    def gc_decref(self, op: SpaceOperation) -> OpCode:
        return OpCode(f"RPY_GC_RELEASE({self.value(op.args[0])});")

    def gc_note_raised(self, op: SpaceOperation) -> OpCode:
        return OpCode(f"RPY_GC_RAISED({self.value(op.args[0])});")

    def gc_exchange(self, op: SpaceOperation) -> OpCode:
        place, _ = self.place(op.args[:-1])
        return OpCode(f"{self.local(op.result)} = {place}; {place} = {self.value(op.args[-1])};")

    def gc_store_weak(self, op: SpaceOperation) -> OpCode:
        place, _ = self.place(op.args[1:-1])
        base, value = self.value(op.args[0]), self.value(op.args[-1])
        return OpCode(f"RPY_GC_STORE_WEAK({base}, {place}, {value});")

    def gc_copy_items(self, op: SpaceOperation) -> OpCode:
        src, dst, srcstart, dststart, length = op.args
        to = f"(void **)({self._items(dst)} + {self.value(dststart)})"
        source = f"(void **)({self._items(src)} + {self.value(srcstart)})"
        return OpCode(f"rpy_gc_copy_items({to}, {source}, {self.value(length)});")

    # -- what a collector that moves objects is told --

    def gc_write_barrier(self, op: SpaceOperation) -> OpCode:
        target, value = map(self.value, op.args)
        return OpCode(f"RPY_GC_WRITE({target}, {value});")

    def gc_slot_barrier(self, op: SpaceOperation) -> OpCode:
        target, value = map(self.value, op.args[:2])
        place, _ = self.place(op.args[2:])
        return OpCode(f"RPY_GC_WRITE_SLOT({target}, &{place}, {value});")

    def gc_wrote_items(self, op: SpaceOperation) -> OpCode:
        target, dst, dststart, src, srcstart, length = op.args
        to = f"{self._items(dst)} + {self.value(dststart)}"
        source = f"{self._items(src)} + {self.value(srcstart)}"
        operands = f"{self.value(target)}, {to}, {source}, {self.value(length)}"
        return OpCode(f"RPY_GC_WROTE_ITEMS({operands});")

    def gc_save_root(self, op: SpaceOperation) -> OpCode:
        return OpCode(f"{self._slot(op)} = {self.value(op.args[1])};")

    def gc_save_inner(self, op: SpaceOperation) -> OpCode:
        pointer = self._slot(op, 1)
        return OpCode(f"{self._slot(op)} = RPY_GC_INTERIOR; {pointer} = {self.value(op.args[1])};")

    def gc_clear_root(self, op: SpaceOperation) -> OpCode:
        return OpCode(f"{self._slot(op)} = NULL;")

    def gc_load_root(self, op: SpaceOperation) -> OpCode:
        return self._assign(op, f"({self.types.ctype(op.result.concretetype)}){self._slot(op)}")

    def gc_load_inner(self, op: SpaceOperation) -> OpCode:
        return self._assign(op, f"({self.types.ctype(op.result.concretetype)}){self._slot(op, 1)}")

    def _slot(self, op: SpaceOperation, further: int = 0) -> str:
        self.has_frame = True
        return f"rpy_frame[{_constant(op.args[0]) + further}]"

    def gc_find_frame(self, op: SpaceOperation) -> OpCode:
        self.has_frame = self.finds_frame = True
        return OpCode("rpy_frame = rpy_gc_roots;")

    def gc_set_frame(self, op: SpaceOperation) -> OpCode:
        self.has_frame = True
        size = _constant(op.args[0])
        return OpCode(f"rpy_gc_roots = rpy_frame{f' + {size}' if size else ''};")

    # -- exceptions --

    def raise_prebuilt(self, op: SpaceOperation) -> OpCode:
        return OpCode(f"rpy_raise_{_constant(op.args[0])}();")

    def raise_fresh(self, op: SpaceOperation) -> OpCode:
        return self._raise(op, "rpy_raise_fresh((void *){0});")

    def raise_instance(self, op: SpaceOperation) -> OpCode:
        return self._raise(op, "rpy_raise({0});")

    def raise_again(self, op: SpaceOperation) -> OpCode:
        return self._raise(op, f"rpy_reraise((void *){{0}}, {self.where(op.span)});")

    def raised_here(self, op: SpaceOperation) -> OpCode:
        exception = self.value(op.args[0])
        text = f"rpy_raised_here((void *){exception}, {self.where(op.span)});"
        return OpCode(text)

    def _raise(self, op: SpaceOperation, template: str) -> OpCode:
        return OpCode(template.format(self.value(op.args[0])))

    def exc_trace(self, op: SpaceOperation) -> OpCode:
        return OpCode(f"rpy_traceback_add({self.where(op.span)});")

    def exc_fetch(self, op: SpaceOperation) -> OpCode:
        return self._assign(op, f"({self.types.ctype(op.result.concretetype)})rpy_exc_fetch()")

    def exc_matches(self, op: SpaceOperation) -> OpCode:
        name, low, high = map(_constant, op.args)
        number = self.types.class_number("rpy_exc")
        test = f"{number} == {low}"
        if high != low + 1:
            test = f"{number} >= {low} && {number} < {high}"
        return self._assign(op, f"({test}) /* {name} */")

    def exc_promise(self, op: SpaceOperation) -> OpCode:
        return OpCode("RPY_HAS_EXCEPTION();" if _constant(op.args[0]) else "RPY_NO_EXCEPTION();")

    def handler_unwind(self, op: SpaceOperation) -> OpCode:
        self.handles_exceptions = True
        return OpCode("if (rpy_handled > rpy_height) rpy_handler_leave(rpy_height);")

    def handler_enter(self, op: SpaceOperation) -> OpCode:
        self.handles_exceptions = True
        exception, height = map(self.value, op.args)
        return OpCode(f"rpy_handler_enter((void *){exception}, rpy_height + {height});")

    def handler_leave(self, op: SpaceOperation) -> OpCode:
        self.handles_exceptions = True
        return OpCode(f"rpy_handler_leave(rpy_height + {self.value(op.args[0])});")

    def exception_context(self, op: SpaceOperation) -> OpCode:
        exception = self.value(op.args[0])
        return self._assign(
            op,
            f"({self.types.ctype(op.result.concretetype)})"
            f"rpy_exception_context((void *){exception})",
        )

    def set_context(self, op: SpaceOperation) -> OpCode:
        exception, context = map(self.value, op.args)
        return OpCode(f"rpy_set_context((void *){exception}, (void *){context});")

    def set_cause(self, op: SpaceOperation) -> OpCode:
        exception, cause = map(self.value, op.args)
        return OpCode(f"rpy_set_cause((void *){exception}, (void *){cause});")

    def about_traceback(self, op: SpaceOperation) -> OpCode:
        return OpCode(f"rpy_{op.opname}((void *){self.value(op.args[0])});")

    def debug_fatalerror(self, op: SpaceOperation) -> OpCode:
        message = op.args[0]
        assert isinstance(message, Constant)
        return OpCode(f"rpy_fatal_error({c_string(message.value)});")


_SUFFIX = {"collecting_malloc": "_SLOW", "collecting_malloc_varsize": "_SLOW"}
"""Of the macro that allocates."""


def _malloc_operands(op: SpaceOperation) -> tuple[Any, str, bool]:
    T, flags = op.args[:2]
    assert isinstance(T, Constant)
    assert isinstance(flags, Constant)
    return T.value, flags.value.get("flavor", "gc"), bool(flags.value.get("zero", False))


def _constant(v: Value) -> Any:
    assert isinstance(v, Constant)
    return v.value


def _item(items: str, OF: LowLevelType, index: str) -> str:
    """A C expression: the pointer to an item, ``items`` being that to the first."""
    return f"({items} + {index} * {stride(OF)})" if stride(OF) > 1 else f"({items} + {index})"


def _field_path(T: Struct, name: str) -> tuple[str, LowLevelType]:
    """The C path of a field, which a parent may declare, and its type."""
    path = ""
    for S in T._ancestors():
        if name in S._flds:
            return path + field_name(name), S._flds[name]
        if S._parent_field is not None:
            path += field_name(S._parent_field) + "."
    raise BuildError(f"{T._short_name()} has no field {name!r}")
