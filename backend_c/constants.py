"""Prebuilt data -> static C data.

    pair = malloc(GcStruct("pair", ("a", Signed), ("next", Ptr(...)))); pair.next = pair

    static s_pair d_pair;
    static s_pair d_pair = { .gc = RPY_GC_PREBUILT(RPY_TID_s_pair), .f_next = (&d_pair) };

Every container is declared before any is defined, so cycles need no care.  Containers
inlined in others are part of those.  Variable-sized ones get a struct of their own size,
``struct sizedN_s_name``, with the layout of the type.
"""

from __future__ import annotations

from typing import Any

from rpython.backend_c.addresses import address_expression, offset_expression
from rpython.backend_c.collect import CData, CFunction, Contents
from rpython.backend_c.literals import char_items, initialiser, is_zero, literal
from rpython.backend_c.types import (
    UNION_BYTES,
    TypeTable,
    field_name,
    has_gc_header,
    is_plain_items,
    is_void,
)
from rpython.lltypesystem.layout import layout
from rpython.lltypesystem.primitives import Address, Char, LowLevelType, Offset
from rpython.lltypesystem.simulated.casts import is_bytes_view, is_field_pointer
from rpython.lltypesystem.simulated.containers import (
    UNINITIALISED,
    MemoryFault,
    _array,
    _func,
    _opaque,
    _struct,
)
from rpython.lltypesystem.simulated.memory import _ptr
from rpython.lltypesystem.types import Array, FixedSizeArray, Ptr, Struct
from rpython.translator.ir.errors import BuildError

_ITEMS_PER_LINE = 12
NO_FUNCTION = "rpy_no_function"
"""What is called where a table of functions has none: it stops the program."""


class Symbols:
    """What the code of one unit refers to, in the order met: the unit declares it."""

    def __init__(self) -> None:
        self.functions: dict[CFunction, None] = {}
        self.data: dict[CData, None] = {}
        self.externals: dict[str, _func] = {}
        self.headers: dict[str, None] = {}


class ConstantWriter:
    """Writes constants and prebuilt data for one unit; notes in ``symbols`` what they use."""

    def __init__(self, types: TypeTable, contents: Contents, symbols: Symbols) -> None:
        self.types = types
        self.contents = contents
        self.symbols = symbols
        self._layouts: dict[str, list[str]] = {}

    # -- expressions --

    def expression(self, value: Any, T: LowLevelType) -> str:
        """A C expression for the low-level value; constant where C asks for one."""
        if isinstance(T, Ptr):
            return self.pointer(value)
        if T is Address:
            return address_expression(value, self.pointer, self._place, _slot_path)
        if T is Offset:
            return offset_expression(self.types, value)
        return literal(value, T)

    def pointer(self, p: _ptr) -> str:
        obj = p._obj
        if obj is None:
            return "NULL"
        if isinstance(obj, _func):
            return f"(({self.types.ctype(p._TYPE)}){self.function_name(obj)})"
        if isinstance(obj, _opaque) and obj.about is not None:
            return f"((void *)(Unsigned){self.types.tid(obj.about)})"
        place = self._place(obj)
        exact = obj._parent is None and obj._TYPE == p._TYPE.TO and not _is_varsized(obj)
        if exact and not is_plain_items(obj._TYPE):
            return f"(&{place})"
        address = place if is_plain_items(obj._TYPE) else f"&{place}"
        return f"(({self.types.ctype(p._TYPE)}){address})"

    def function_name(self, func: _func) -> str:
        """The C name of a function; notes that the unit uses it."""
        if func.graph is not None:
            entry = self.contents.function(func.graph)
            self.symbols.functions[entry] = None
            return entry.name
        self.symbols.externals.setdefault(func.c_name, func)
        for header in func.includes:
            self.symbols.headers[header] = None
        name: str = func.c_name
        return name

    def _place(self, obj: Any) -> str:
        """The C lvalue of a container."""
        parent = obj._parentstructure()
        if parent is None:
            entry = self.contents.datum(obj)
            self.symbols.data[entry] = None
            return entry.name
        outer, key = self._place(parent), obj._parentkey
        if is_bytes_view(obj):
            start = outer if is_plain_items(parent._TYPE) else f"&{outer}"
            view = f"(({self.types.ctype(Ptr(obj._TYPE))})((char *){start} + {key[1]}))"
            return view if is_plain_items(obj._TYPE) else f"(*{view})"
        if isinstance(parent, _struct):
            path = outer + _slot_path(parent._TYPE, key)
            return f"(&{path})" if is_field_pointer(obj) else path
        items = outer if is_plain_items(parent._TYPE) else f"{outer}.items"
        if key == "items":  # direct_arrayitems
            return items
        if isinstance(key, tuple):  # direct_ptradd: ("shifted", n)
            return f"({items} + {key[1]})"
        return f"{items}[{key}]"

    # -- declarations and definitions --

    def declaration(self, entry: CData) -> str:
        """The declaration of a container, without storage class and semicolon."""
        obj, name = entry.container, entry.name
        const = "const " if is_constant(obj) else ""
        if isinstance(obj, _opaque):
            return f"{const}char {name}"
        T = obj._TYPE
        if is_plain_items(T):
            return const + self.types.declare_items(T.OF, name, max(len(obj.items), 1))
        if _is_varsized(obj):
            return f"{const}struct {self.layout_name(obj)} {name}"
        return f"{const}{self.types.name(T)} {name}"

    def layout_name(self, obj: Any) -> str:
        """The name of the struct that holds a variable-sized container of this length."""
        return f"sized{_varsize_length(obj)}_{self.types.name(obj._TYPE)}"

    def layout(self, obj: Any) -> list[str]:
        """The definition of that struct; [] for containers of fixed size."""
        T = obj._TYPE
        if isinstance(obj, _opaque) or is_plain_items(T) or not _is_varsized(obj):
            return []
        name = self.layout_name(obj)
        if name not in self._layouts:
            members = self.types.members(T, _varsize_length(obj))
            self._layouts[name] = [f"struct {name} {{ {' '.join(members)} }};"]
        return self._layouts[name]

    def definition(self, entry: CData) -> list[str]:
        """The lines that define a container with its initial contents."""
        declared = self.declaration(entry)
        if isinstance(entry.container, _opaque):
            return [f"{declared} = 0;"]
        shared = entry.container.__dict__.get("_shared")
        if shared is not None:
            shared.fill()
        try:
            text = self._container(entry.container, entry.container._TYPE, top=True)
        except MemoryFault as error:
            name = entry.container._TYPE._short_name()
            raise BuildError(f"prebuilt {name}, cast to another type: {error}") from None
        return f"{declared} = {text};".splitlines()

    def _container(self, obj: Any, T: LowLevelType, top: bool = False) -> str:
        if isinstance(T, Struct) and T._is_union:
            return self._union(obj, T)
        if isinstance(T, Struct):
            parts = self._struct_parts(obj, T, top)
            return "{ " + ", ".join(parts) + " }" if parts else "{ 0 }"
        items = self._items(obj)
        if is_plain_items(T):
            return items or "{ 0 }"
        assert isinstance(T, Array)
        parts = [self._header(obj)] if has_gc_header(T) else []
        if T._has_length():
            parts.append(f".length = {len(obj.items)}")
        if items:
            parts.append(f".items = {items}")
        return "{ " + ", ".join(parts) + " }"

    def _struct_parts(self, obj: Any, S: Struct, top: bool) -> list[str]:
        parts = [self._header(obj)] if top and has_gc_header(S) else []
        for name, F in self.types.fields(S):
            if name == S._parent_field:
                assert isinstance(F, Struct)
                inner = self._struct_parts(obj, F, top)
                text = "{ " + ", ".join(inner) + " }" if inner else ""
            elif isinstance(F, Struct | Array | FixedSizeArray):
                text = self._container(obj.__dict__[S._slots[name]], F)
                text = "" if text == "{ 0 }" else text
            else:
                text = self._value(_stored(obj, S._slots[name]), F)
            if text:
                parts.append(f".{field_name(name)} = {text}")
        return parts

    def _union(self, obj: Any, S: Struct) -> str:
        start, end = obj._at, obj._at + layout(S)[0]
        data = obj._shared.data[start:end]
        pointers = [(at, p) for at, p in obj._shared.pointers.items() if start <= at < end]
        if not pointers:
            texts = ", ".join(map(str, data.rstrip(b"\0")))
            return f"{{ .{UNION_BYTES} = {{ {texts} }} }}" if texts else "{ 0 }"
        (at, p), *more = pointers
        fields = [name for name, F in S._flds.items() if p._TYPE == F]
        if more or at != start or not fields or any(data):
            raise BuildError(f"prebuilt {S._short_name()} has pointers inside of its fields")
        return f"{{ .{field_name(fields[0])} = {self.pointer(p)} }}"

    def _header(self, obj: Any) -> str:
        tid = self.types.tid(obj._TYPE)
        if obj._identityhash is None:
            return f".gc = RPY_GC_PREBUILT({tid})"
        number = self.contents.identity_hashes.setdefault(
            obj._identityhash, len(self.contents.identity_hashes) + 1
        )
        return f".gc = RPY_GC_PREBUILT_HASHED({tid}, {number})"

    def _value(self, value: Any, T: LowLevelType) -> str:
        """The initialiser of one field or item; '' when it is zero."""
        if value is UNINITIALISED:
            return ""
        if isinstance(T, Ptr):
            return self.pointer(value) if value else ""
        if T is Address or T is Offset:
            return self.expression(value, T) if value != T._defl() else ""
        if isinstance(T, Struct | Array | FixedSizeArray):
            return self._container(value, T)
        return "" if is_zero(value, T) else initialiser(value, T)

    def _items(self, obj: Any) -> str:
        """The initialiser of an array's items; '' when all of them are zero."""
        OF = obj._TYPE.OF
        if is_void(OF):
            return ""
        items = obj.items if isinstance(obj.items, list) else list(obj.items)
        if OF is Char and UNINITIALISED not in items:
            return char_items(items) if any(c != "\0" for c in items) else ""
        texts = [self._value(item, OF) for item in items]
        if obj._TYPE._hints.get("called"):
            trap = f"({self.types.ctype(OF)}){NO_FUNCTION}"
            texts = [text or trap for text in texts]
        while texts and texts[-1] in ("", "{ 0 }"):
            texts.pop()
        if not texts:
            return ""
        texts = [text or "0" for text in texts]
        if len(texts) <= _ITEMS_PER_LINE:
            return "{ " + ", ".join(texts) + " }"
        lines = [
            "    " + ", ".join(texts[i : i + _ITEMS_PER_LINE]) + ","
            for i in range(0, len(texts), _ITEMS_PER_LINE)
        ]
        return "{\n" + "\n".join(lines) + "\n}"


def is_constant(obj: Any) -> bool:
    """Can the container never change once the program runs?"""
    T = obj._TYPE
    if isinstance(obj, _opaque):
        return True
    if T._gckind == "gc":
        return False  # the collector may write its header
    if isinstance(T, FixedSizeArray):
        return False
    return bool(T._hints.get("immutable", False)) and not any(
        isinstance(F, Struct | Array | FixedSizeArray) and not _is_immutable(F)
        for F in _parts(T)
    )


def _parts(T: LowLevelType) -> list[LowLevelType]:
    if isinstance(T, Struct):
        return list(T._flds.values())
    return [T.OF] if isinstance(T, Array | FixedSizeArray) else []


def _is_immutable(T: LowLevelType) -> bool:
    if isinstance(T, Struct | Array) and not T._hints.get("immutable", False):
        return False
    return all(
        _is_immutable(F) for F in _parts(T) if isinstance(F, Struct | Array | FixedSizeArray)
    )


def _stored(obj: Any, slot: str) -> Any:
    """What is in a field of prebuilt memory."""
    if "_shared" in obj.__dict__:
        return getattr(obj, slot)
    return obj.__dict__.get(slot, UNINITIALISED)


def _is_varsized(obj: Any) -> bool:
    """Does the container need a struct of its own length?"""
    T = obj._TYPE
    return isinstance(T, Struct | Array) and T._is_varsize() and not is_plain_items(T)


def _varsize_length(obj: Any) -> int:
    T = obj._TYPE
    while isinstance(T, Struct):
        assert T._arrayfld is not None
        obj = obj.__dict__[T._slots[T._arrayfld]]
        T = obj._TYPE
    assert isinstance(obj, _array)
    return len(obj.items)


def _slot_path(T: Struct, slot: str) -> str:
    """The C path from a struct of type ``T`` to the slot of one of its levels."""
    path = ""
    for S in T._ancestors():
        for name, other in S._slots.items():
            if other == slot and name != S._parent_field:
                return f"{path}.{field_name(name)}"
        if S._parent_field is not None:
            path += "." + field_name(S._parent_field)
    raise BuildError(f"{T._short_name()} has no slot {slot!r}")
