"""Low-level types -> C types.

    Ptr(GcStruct("point", ("x", Signed)))   ->   s_point *

    typedef struct s_point s_point;
    struct s_point { rpy_gc_header gc; Signed f_x; };

Layout: a GC struct whose first field is a GC struct contains it and shares its header,
any other GC container starts with ``rpy_gc_header gc``.  Arrays are ``length`` and
``items[]``; a pointer to an array without length, or to a fixed-size array, is a
pointer to its first item, as in C.  Void fields and items have no memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from rpython.backend_c.names import NameScope, identifier
from rpython.lltypesystem.layout import layout
from rpython.lltypesystem.primitives import LowLevelType, Primitive, Void
from rpython.lltypesystem.rclass import CLASSTYPE, OBJECTPTR
from rpython.lltypesystem.simulated.memory import _ptr
from rpython.lltypesystem.types import (
    Array,
    FixedSizeArray,
    ForwardReference,
    FuncType,
    GcOpaqueType,
    OpaqueType,
    Ptr,
    Struct,
)


def is_plain_items(T: LowLevelType) -> bool:
    """Is a pointer to container ``T`` simply a pointer to its first item?"""
    if isinstance(T, FixedSizeArray):
        return True
    return isinstance(T, Array) and not T._has_length() and T._gckind == "raw"


def is_void(T: LowLevelType) -> bool:
    """Has a value of this type no existence at run time?"""
    return T is Void


def has_gc_header(T: LowLevelType) -> bool:
    """Does ``T`` itself start with a GC header (not one inherited from its first field)?"""
    if isinstance(T, Struct):
        return T._gckind == "gc" and T._parent_field is None
    return isinstance(T, Array) and T._gckind == "gc"


CLASS_FIELD = "typeptr"
NUMBER_FIELD = "subclassrange_min"


def is_class_field(T: LowLevelType, name: object) -> bool:
    """Is ``name`` the field of structs ``T`` that points to the class of an instance?"""
    return (
        isinstance(name, str)
        and name == CLASS_FIELD
        and isinstance(T, Struct)
        and OBJECTPTR.TO in T._ancestors()
    )


def keyword(T: LowLevelType) -> str:
    """``struct`` or ``union``."""
    return "union" if isinstance(T, Struct) and T._is_union else "struct"


UNION_BYTES = "bytes"
"""One more member of unions, for what prebuilt ones hold."""


def field_name(name: str) -> str:
    """The C name of a struct field."""
    return "f_" + name


def stride(OF: LowLevelType) -> int:
    """How many steps a C pointer to the first item takes to the next item of type ``OF``: a
    pointer to an array of arrays points to the first item of the innermost one."""
    return OF.length * stride(OF.OF) if isinstance(OF, FixedSizeArray) else 1


class TypeTable:
    """Names every low-level type in use and writes their C definitions."""

    def __init__(self, class_by_type: Mapping[Struct, _ptr] | None = None) -> None:
        """``class_by_type``: see backend_c/classes.py."""
        self.class_by_type = class_by_type
        self._scope = NameScope()
        self._names: dict[LowLevelType, str] = {}
        self._by_identity: dict[int, tuple[LowLevelType, str]] = {}
        self._fields: dict[int, tuple[Struct, list[tuple[str, LowLevelType]]]] = {}
        self._containers: list[Struct | Array] = []
        self._functions: list[tuple[FuncType, str]] = []
        self._tested: dict[str, LowLevelType] = {}

    # -- expressions --

    def ctype(self, T: LowLevelType) -> str:
        """The C type of a value of ``T`` (primitive or pointer); "void" for Void."""
        if isinstance(T, Primitive):
            return "void" if T is Void else T._name
        if not isinstance(T, Ptr):
            raise TypeError(f"{T} is not the type of a value")
        TO = T.TO
        if isinstance(TO, FuncType):
            return self.name(TO)
        return self.pointer_to(TO)

    def pointer_to(self, TO: LowLevelType) -> str:
        """The C type of pointers to the container ``TO``."""
        if isinstance(TO, OpaqueType | ForwardReference):
            return "void *"
        if is_plain_items(TO):
            assert isinstance(TO, Array | FixedSizeArray)
            return self.item_pointer(TO.OF)
        return f"{self.name(TO)} *"

    def item_pointer(self, OF: LowLevelType) -> str:
        """The C type of a pointer to an item (or field) of type ``OF``."""
        if OF is Void:
            return "void *"
        if isinstance(OF, Struct | Array | FixedSizeArray):
            return self.pointer_to(OF)
        return spaced(self.ctype(OF)) + "*"

    def declare(self, T: LowLevelType, name: str) -> str:
        """The C declaration of a local variable or parameter ``name`` of type ``T``."""
        return spaced(self.ctype(T)) + name

    def sizeof(self, TO: LowLevelType) -> str:
        """A C expression: the size of a container or item, a varsized tail excluded."""
        if TO is Void:
            return "0"
        if isinstance(TO, FixedSizeArray):
            return f"({TO.length} * {self.sizeof(TO.OF)})"
        if isinstance(TO, Struct | Array):
            return f"sizeof({self.name(TO)})"
        return f"sizeof({self.ctype(TO)})"

    def tid(self, TO: LowLevelType) -> str:
        """The macro of the type number in the GC header of a ``TO``."""
        return "RPY_TID_" + self.name(TO)

    def type_test(self, TO: LowLevelType) -> str:
        """The macro that tells whether a type number is that of a ``TO`` or of a type that
        extends it."""
        self._tested[self.name(TO)] = TO
        return "RPY_IS_" + self.name(TO)

    def class_of(self, instance: str) -> str:
        """A C expression: the class of an instance."""
        if self.class_by_type is not None:
            return f"RPY_CLASS({instance})"
        return f"(({self.ctype(OBJECTPTR)}){instance})->{field_name(CLASS_FIELD)}"

    def class_number(self, instance: str) -> str:
        """A C expression: the number of the class of an instance."""
        if self._class_numbers:
            return f"RPY_CLASS_NUMBER({instance})"
        return f"{self.class_of(instance)}->{field_name(NUMBER_FIELD)}"

    @cached_property
    def _class_numbers(self) -> dict[Struct, int]:
        """The numbers of the classes of types of instances, if those are all different."""
        found = {T: cls.subclassrange_min for T, cls in (self.class_by_type or {}).items()}
        return found if len(set(found.values())) == len(found) else {}

    def fields(self, T: Struct) -> list[tuple[str, LowLevelType]]:
        """The fields that exist at run time."""
        known = self._fields.get(id(T))
        if known is None:
            fields = [(name, F) for name, F in T._flds.items() if self.has_memory(T, name)]
            known = self._fields[id(T)] = (T, fields)  # keeps T alive
        return known[1]

    def has_memory(self, T: Struct, name: str) -> bool:
        """Does the field exist at run time?"""
        in_header = self.class_by_type is not None and is_class_field(T, name)
        return not in_header and not is_void(T._flds[name])

    # -- names --

    def name(self, T: LowLevelType) -> str:
        """The C name of a struct, an array with length or a function pointer type."""
        known = self._by_identity.get(id(T))
        if known is not None:
            return known[1]
        name = self._names.get(T)
        if name is None:
            name = self._register(T)
        self._by_identity[id(T)] = (T, name)  # keeps T alive, so that its id stays its own
        return name

    def _register(self, T: LowLevelType) -> str:
        if isinstance(T, FuncType):
            name = self._scope.new(self._describe_function(T), "fn_")
            self._names[T] = name
            self._functions.append((T, name))
        elif isinstance(T, Struct):
            name = self._names[T] = self._scope.new(T._name, "s_")
            self._containers.append(T)
        elif isinstance(T, Array):
            prefix = "gcarray_" if T._gckind == "gc" else "array_"
            name = self._names[T] = self._scope.new(self._describe(T.OF), prefix)
            self._containers.append(T)
        else:
            raise TypeError(f"no C type for {T!r}")
        return name

    def _describe(self, T: LowLevelType) -> str:
        if isinstance(T, Primitive):
            return T._name
        if isinstance(T, Struct):
            return T._name
        if isinstance(T, Ptr):
            TO = T.TO
            if isinstance(TO, Struct):
                return identifier(TO._name) + "_ptr"
            if isinstance(TO, FuncType):
                return "func"
            if isinstance(TO, Array):
                return "array_ptr"
        return "ptr"

    def _describe_function(self, T: FuncType) -> str:
        args = "_".join(self._describe(arg) for arg in T.ARGS if arg is not Void)
        return f"{args or 'none'}_to_{self._describe(T.RESULT)}"

    # -- definitions --

    def definitions(self) -> list[str]:
        """Every type named so far and all it is made of, as lines of C, in an order the
        compiler accepts."""
        if self.class_by_type is not None:
            self.ctype(CLASSTYPE)
        self._complete()
        lines = [f"typedef {keyword(T)} {self.name(T)} {self.name(T)};" for T in self._containers]
        lines.append("")
        if self._containers:
            numbered = {T: i for i, T in enumerate(self.object_types(), 1) if T is not None}
            lines += [f"#define {self.tid(T)} {i}" for T, i in numbered.items()]
            lines += [self._type_test(TO, numbered) for TO in self._tested.values()]
            lines.append("")
        if self.class_by_type is not None:
            lines += [
                f"extern RPY_HIDDEN {self.ctype(CLASSTYPE)}const rpy_classes[];",
                "#define RPY_CLASS(instance) (rpy_classes[RPY_GC_TYPE(instance)])",
                "#define RPY_CLASS_NUMBER(instance) ((Signed)RPY_GC_TYPE(instance) - 1)",
                "",
            ]
        # A function pointer type mentions structs only through pointers, but may mention
        # other function pointer types: definitions of those come first.
        defined: set[str] = set()
        for function, _ in self._functions:
            self._define_function(function, defined, lines)
        lines.append("")
        for container in self._containers:
            self._define_container(container, defined, lines)
        return lines

    def _type_test(self, TO: LowLevelType, numbered: Iterable[Struct | Array]) -> str:
        fitting = [
            f"(tid) == {self.tid(T)}" for T in numbered
            if T == TO or (isinstance(T, Struct) and any(TO == S for S in T._ancestors()))
        ]  # fmt: skip
        return f"#define {self.type_test(TO)}(tid) ({' || '.join(fitting)})"

    def object_types(self) -> list[Struct | Array | None]:
        """The types with a number in the GC header, which counts from 1; None: no type has the
        number.  Those of instances have that of their class, and one more."""
        types = [T for T in self._containers if T._gckind == "gc"]
        numbers = {T: self._class_numbers.get(T) for T in types if isinstance(T, Struct)}
        known = {number: T for T, number in numbers.items() if number is not None}
        others = [T for T in types if not isinstance(T, Struct) or numbers[T] is None]
        return [*map(known.get, range(max(known, default=-1) + 1)), *others]

    def _complete(self) -> None:
        """Name all the types that the named ones mention, to a fixpoint."""
        containers = functions = 0
        while containers < len(self._containers) or functions < len(self._functions):
            for T in self._containers[containers:]:
                containers += 1
                parts = T._flds.values() if isinstance(T, Struct) else [T.OF]
                for part in parts:
                    self.item_pointer(part)
            for F, _ in self._functions[functions:]:
                functions += 1
                for part in (*F.ARGS, F.RESULT):
                    self.ctype(part)

    def _define_function(self, T: FuncType, defined: set[str], lines: list[str]) -> None:
        name = self.name(T)
        if name in defined:
            return
        defined.add(name)
        for part in (*T.ARGS, T.RESULT):
            inner: Any = part
            while isinstance(inner, Ptr | FixedSizeArray) or is_plain_items(inner):
                inner = inner.TO if isinstance(inner, Ptr) else inner.OF
            if isinstance(inner, FuncType):
                self._define_function(inner, defined, lines)
        args = ", ".join(self.ctype(arg) for arg in T.ARGS if arg is not Void)
        lines.append(f"typedef {self.ctype(T.RESULT)} (*{name})({args or 'void'});")

    def _define_container(
        self, T: LowLevelType, defined: set[str], lines: list[str]
    ) -> None:
        while isinstance(T, FixedSizeArray) or is_plain_items(T):
            assert isinstance(T, FixedSizeArray | Array)
            T = T.OF
        if not isinstance(T, Struct | Array) or self.name(T) in defined:
            return
        defined.add(self.name(T))
        for part in T._flds.values() if isinstance(T, Struct) else [T.OF]:
            self._define_container(part, defined, lines)
        lines.append(f"{keyword(T)} {self.name(T)} {{")
        lines += ["    " + member for member in self.members(T)]
        lines.append("};")

    def members(self, T: Struct | Array, length: int | None = None) -> list[str]:
        """The member declarations of the C struct for ``T``; ``length``: of its variable
        part, left open when None."""
        if isinstance(T, Struct):
            result: list[str] = []
            for name, part in self.fields(T):
                size = length
                if is_plain_items(part) and not (any(result) or has_gc_header(T)):
                    # C wants a member before an open array: GNU C allows one without items
                    size = length or 0
                if name == T._arrayfld and size is not None:
                    result.append(self._sized_array(field_name(name), part, size))
                else:
                    result.append(self._member(field_name(name), part))
        else:
            result = ["Signed length;"] if T._has_length() else []
            open_end = "[]" if length is None else f"[{length}]"
            result.append(self._member("items", T.OF, open_end))
        if isinstance(T, Struct) and T._is_union:
            result.append(f"unsigned char {UNION_BYTES}[{layout(T)[0]}];")
        if has_gc_header(T):
            result.insert(0, "rpy_gc_header gc;")
        result = [member for member in result if member]
        return result or ["char unused;"]  # distinct objects need distinct addresses

    def _sized_array(self, name: str, T: LowLevelType, length: int) -> str:
        if is_plain_items(T):
            assert isinstance(T, Array)
            return self._member(name, T.OF, f"[{length}]")
        assert isinstance(T, Struct | Array)
        return f"struct {{ {' '.join(self.members(T, length))} }} {name};"

    def declare_items(self, OF: LowLevelType, name: str, length: int) -> str:
        """The C declaration of an array variable of ``length`` items."""
        return self._member(name, OF, f"[{length}]").rstrip(";") or f"char {name}[1]"

    def _member(self, name: str, T: LowLevelType, suffix: str = "") -> str:
        if T is Void:
            return ""
        if isinstance(T, FixedSizeArray):
            return self._member(name, T.OF, f"{suffix}[{T.length}]")
        if is_plain_items(T):
            assert isinstance(T, Array)
            return self._member(name, T.OF, f"{suffix}[]")
        if isinstance(T, Struct | Array):
            return f"{self.name(T)} {name}{suffix};"
        if isinstance(T, GcOpaqueType | OpaqueType):
            return f"void *{name}{suffix};"
        return f"{spaced(self.ctype(T))}{name}{suffix};"


def spaced(ctype: str) -> str:
    """The C type ready for a name to follow: ``long `` but ``long *``."""
    return ctype if ctype.endswith("*") else ctype + " "
