"""The annotation lattice: what is known about a value.

Orientation, said once: **bottom** is ``SomeImpossibleValue`` ("no value reaches here"), **top** is
``SomeObject`` ("nothing is known", always refused).  A join moves up.

Every annotation has a bitset ``kinds``.  A plain annotation has one bit; ``SomeUnion``
has several and one part per bit, so that join and subset tests start as integer
operations.  Beside the kind rides a *specialisation*: ``const``, the known host value, or None.

Annotations are immutable values.  What a list, dict or attribute may hold lives in a *cell*
(``annotator.lattice.cells``); ``union`` never changes a cell but reports the pairs of definitions
that have to become one.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from rpython.annotator.lattice.describing import describe_item
from rpython.annotator.lattice.hostconst import Const as Const
from rpython.annotator.lattice.hostconst import short as short
from rpython.lltypesystem.rarithmetic import base_int

if TYPE_CHECKING:
    from rpython.annotator.lattice.cells import DictDef, ListDef
    from rpython.annotator.program.classdef import ClassDef
    from rpython.annotator.program.desc import Desc, DescTable

    Members = frozenset[ClassDef] | None

(
    K_NONE, K_BOOL, K_INT, K_FLOAT, K_STR, K_BYTES, K_BYTEARRAY, K_TUPLE, K_LIST, K_DICT,
    K_DICTVIEW, K_RANGE, K_ITERATOR, K_SLICE, K_INSTANCE, K_FUNCTION, K_CLASS, K_METHOD,
    K_BUILTIN_METHOD, K_SUPER, K_HOST, K_PTR, K_LLCHAR, K_KEYWORDS, K_CLASSMETHOD, K_NOTIMPLEMENTED,
    K_SET, K_FROZENSET, K_MEMORYVIEW, K_SINGLEFLOAT, K_ADDRESS, K_OFFSET, K_ACCESS,
    K_LIST_BUILDER, K_NUMBERVIEW,
) = (1 << _i for _i in range(35))  # fmt: skip

KIND_NAMES = {
    K_NONE: "None", K_BOOL: "bool", K_INT: "int", K_FLOAT: "float", K_STR: "str",
    K_BYTES: "bytes", K_BYTEARRAY: "bytearray", K_TUPLE: "tuple", K_LIST: "list",
    K_DICT: "dict", K_DICTVIEW: "dict view", K_RANGE: "range", K_ITERATOR: "iterator",
    K_SLICE: "slice", K_INSTANCE: "instance", K_FUNCTION: "function", K_CLASS: "class",
    K_METHOD: "bound method", K_BUILTIN_METHOD: "built-in method", K_SUPER: "super()",
    K_HOST: "host object", K_PTR: "low-level pointer", K_LLCHAR: "low-level char",
    K_KEYWORDS: "keyword arguments", K_CLASSMETHOD: "classmethod", K_OFFSET: "offset",
    K_NOTIMPLEMENTED: "NotImplemented", K_SET: "set", K_FROZENSET: "frozenset", K_ACCESS: "memory",
    K_MEMORYVIEW: "memoryview", K_SINGLEFLOAT: "r_singlefloat", K_ADDRESS: "address",
    K_LIST_BUILDER: "list under construction", K_NUMBERVIEW: "memoryview of numbers",
}  # fmt: skip
ALL_KINDS = (1 << len(KIND_NAMES)) - 1


class SomeObject:
    """Top.  Also the base class of all annotations."""

    __slots__ = ("const",)
    kinds: ClassVar[int] = ALL_KINDS

    def __init__(self, const: Const | None = None) -> None:
        self.const = const

    def key(self) -> tuple[Any, ...]:
        """What distinguishes this annotation from others of its class, ``const`` included."""
        return (self.const,)

    def __eq__(self, other: object) -> bool:
        return self is other or (type(self) is type(other) and self.key() == other.key())

    def __hash__(self) -> int:
        return hash((type(self), self.key()))

    def is_constant(self) -> bool:
        return self.const is not None

    def is_unknown(self) -> bool:
        """Is it top: the value of an operation that is refused, or what depends on that?"""
        return type(self) is SomeObject

    @property
    def value(self) -> Any:
        """The known value; only when ``is_constant()``."""
        assert self.const is not None
        return self.const.value

    def without_const(self) -> SomeObject:
        """The same knowledge minus the specialisation."""
        return type(self)() if self.const is not None else self

    def describe(self) -> str:
        """How error messages name it."""
        return "a value of unknown kind"

    def _details(self) -> str:
        return ""

    def __repr__(self) -> str:
        details = self._details()
        if self.const is not None:
            details += (", " if details else "") + f"const={short(self.const.value)}"
        return f"{type(self).__name__}({details})"


class SomeImpossibleValue(SomeObject):
    """Bottom: no value ever reaches here."""

    __slots__ = ()
    kinds = 0

    def describe(self) -> str:
        return "no value"


class SomeNone(SomeObject):
    __slots__ = ()
    kinds = K_NONE

    def __init__(self) -> None:
        self.const = _NONE

    def without_const(self) -> SomeObject:
        return self

    def describe(self) -> str:
        return "None"

    def __repr__(self) -> str:
        return "SomeNone()"


_NONE = Const(None)


class SomeInteger(SomeObject):
    """``knowntype`` is ``int`` or a sized class of rarithmetic.  ``nonneg``: known >= 0.
    ``may_be_bool``: some of the values are Python bools, so printing is refused.
    ``mixed``: some are of another type than ``knowntype`` under CPython: ints >= 0 among
    ``r_uint``, or ``r_int64`` among ints.  Arithmetic that may tell them apart raises
    OverflowError where their answers differ."""

    __slots__ = ("knowntype", "may_be_bool", "mixed", "nonneg")
    kinds = K_INT

    def __init__(
        self,
        nonneg: bool = False,
        knowntype: type = int,
        may_be_bool: bool = False,
        const: Const | None = None,
        mixed: bool = False,
    ) -> None:
        if const is not None:
            nonneg = const.value >= 0
        elif issubclass(knowntype, base_int) and not knowntype.SIGNED:
            nonneg = True
        self.nonneg = nonneg
        self.knowntype = knowntype
        self.may_be_bool, self.const, self.mixed = may_be_bool, const, mixed

    def key(self) -> tuple[Any, ...]:
        return (self.nonneg, self.knowntype, self.may_be_bool, self.mixed, self.const)

    def without_const(self) -> SomeObject:
        return SomeInteger(self.nonneg, self.knowntype, self.may_be_bool, None, self.mixed)

    def of_any_sign(self) -> SomeInteger:
        """The same integers, as far as their types go."""
        return SomeInteger(False, self.knowntype, self.may_be_bool, None, self.mixed)

    def describe(self) -> str:
        return "int" if self.knowntype is int else self.knowntype.__name__

    def _details(self) -> str:
        parts = [] if self.knowntype is int else [f"knowntype={self.knowntype.__name__}"]
        if self.nonneg and self.const is None:
            parts.append("nonneg=True")
        if self.may_be_bool:
            parts.append("may_be_bool=True")
        if self.mixed:
            parts.append("mixed=True")
        return ", ".join(parts)


class SomeBool(SomeObject):
    __slots__ = ()
    kinds = K_BOOL

    def describe(self) -> str:
        return "bool"


class SomeFloat(SomeObject):
    __slots__ = ()
    kinds = K_FLOAT

    def describe(self) -> str:
        return "float"


class SomeString(SomeObject):
    """A ``str``.  ``modes``: where it is one of several constants that are all modes of
    ``open()``, those."""

    __slots__ = ("modes",)
    kinds = K_STR

    def __init__(self, const: Const | None = None, modes: frozenset[str] | None = None) -> None:
        self.const, self.modes = const, modes

    def key(self) -> tuple[Any, ...]:
        return (self.const, self.modes)

    def without_const(self) -> SomeObject:
        return self if self.const is None and self.modes is None else type(self)()

    def describe(self) -> str:
        return "str"


class SomeChar(SomeString):
    """A ``str`` of length one."""

    __slots__ = ()


class SomeBytes(SomeObject):
    __slots__ = ()
    kinds = K_BYTES

    def describe(self) -> str:
        return "bytes"


class SomeByteArray(SomeObject):
    __slots__ = ()
    kinds = K_BYTEARRAY

    def describe(self) -> str:
        return "bytearray"


class SomeMemoryView(SomeObject):
    """A ``memoryview`` of bytes."""

    __slots__ = ()
    kinds = K_MEMORYVIEW

    def describe(self) -> str:
        return "memoryview"


class SomeTuple(SomeObject):
    __slots__ = ("items",)
    kinds = K_TUPLE

    def __init__(self, items: tuple[SomeObject, ...], const: Const | None = None) -> None:
        self.items, self.const = items, const

    def key(self) -> tuple[Any, ...]:
        return (self.items, self.const)

    def without_const(self) -> SomeObject:
        return SomeTuple(tuple(s.without_const() for s in self.items))

    def describe(self) -> str:
        return "tuple (" + ", ".join(s.describe() for s in self.items) + ")"

    def _details(self) -> str:
        return ", ".join(map(repr, self.items))


class SomeList(SomeObject):
    """A list; what it holds and how it is used is in ``listdef``."""

    __slots__ = ("listdef",)
    kinds = K_LIST

    def __init__(self, listdef: ListDef, const: Const | None = None) -> None:
        self.listdef, self.const = listdef, const

    def key(self) -> tuple[Any, ...]:
        return (id(self.listdef.find()), self.const)

    def without_const(self) -> SomeObject:
        return SomeList(self.listdef)

    def describe(self) -> str:
        root = self.listdef.find()
        return f"list of {describe_item(root, root.item.s_value)}"

    def _details(self) -> str:
        return repr(self.listdef.find())


class SomeDict(SomeObject):
    __slots__ = ("dictdef",)
    kinds = K_DICT

    def __init__(self, dictdef: DictDef, const: Const | None = None) -> None:
        self.dictdef, self.const = dictdef, const

    def key(self) -> tuple[Any, ...]:
        return (id(self.dictdef.find()), self.const)

    def without_const(self) -> SomeObject:
        return SomeDict(self.dictdef)

    def describe(self) -> str:
        root = self.dictdef.find()
        key, value = (describe_item(root, cell.s_value) for cell in (root.key, root.value))
        return f"{root.name} of {key} to {value}"

    def _details(self) -> str:
        return repr(self.dictdef.find())


class SomeDictView(SomeObject):
    """``d.keys()``, ``d.values()`` or ``d.items()`` (``which`` names it)."""

    __slots__ = ("dictdef", "which")
    kinds = K_DICTVIEW

    def __init__(self, dictdef: DictDef, which: str) -> None:
        self.dictdef = dictdef
        self.which, self.const = which, None

    def key(self) -> tuple[Any, ...]:
        return (id(self.dictdef.find()), self.which)

    def describe(self) -> str:
        return f"dict {self.which}() view"

    def _details(self) -> str:
        return self.which


class SomeRange(SomeObject):
    """A ``range``; ``step`` is its step when known at translation time, else None."""

    __slots__ = ("nonneg", "step")
    kinds = K_RANGE

    def __init__(self, step: int | None, nonneg: bool, const: Const | None = None) -> None:
        self.step = step
        self.nonneg, self.const = nonneg, const

    def key(self) -> tuple[Any, ...]:
        return (self.step, self.nonneg, self.const)

    def without_const(self) -> SomeObject:
        return SomeRange(self.step, self.nonneg)

    def describe(self) -> str:
        return "range"

    def _details(self) -> str:
        return f"step={self.step}"


class SomeIterator(SomeObject):
    """An iterator over ``sources`` (annotations of containers).  ``variant``: '' for plain
    ``iter(x)``, else 'zip', 'zip strict', 'reversed', 'map', 'filter', 'enumerate', 'enumerate
    signed' when the numbers may start below 0, or one of ``pieces.PIECES``, of a str.

    The sources of a 'map' or 'filter' are the callable, the iterables, and lists whose items
    are what the callable is given (tuples) and what it gives."""

    __slots__ = ("sources", "variant")
    kinds = K_ITERATOR

    def __init__(self, sources: tuple[SomeObject, ...], variant: str = "") -> None:
        self.sources = sources
        self.variant, self.const = variant, None

    def key(self) -> tuple[Any, ...]:
        return (self.sources, self.variant)

    def describe(self) -> str:
        return self.variant.partition(" ")[0] or f"iterator over {self.sources[0].describe()}"

    def _details(self) -> str:
        return self.describe()


class SomeSlice(SomeObject):
    """``start:stop:step``; each an annotation (int or None)."""

    __slots__ = ("parts",)
    kinds = K_SLICE

    def __init__(self, parts: tuple[SomeObject, ...], const: Const | None = None) -> None:
        self.parts, self.const = parts, const

    def key(self) -> tuple[Any, ...]:
        return (self.parts, self.const)

    def without_const(self) -> SomeObject:
        return SomeSlice(self.parts)

    def describe(self) -> str:
        return "slice"

    def _details(self) -> str:
        return ", ".join(map(repr, self.parts))


class SomeInstance(SomeObject):
    """An instance of ``classdef``'s class or of a subclass of it (only of ``members``, where
    that is kept track of)."""

    __slots__ = ("classdef", "members")
    kinds = K_INSTANCE

    def __init__(
        self, classdef: ClassDef, const: Const | None = None, members: Members = None
    ) -> None:
        self.classdef, self.const, self.members = classdef, const, members

    def key(self) -> tuple[Any, ...]:
        return (id(self.classdef), self.const, self.members)

    def without_const(self) -> SomeObject:
        return SomeInstance(self.classdef, None, self.members)

    def describe(self) -> str:
        return f"instance of {self.classdef.name}"

    def _details(self) -> str:
        return self.classdef.name


class SomePBC(SomeObject):
    """One of several functions, classes or bound methods: base class.  ``mask`` is a bitset
    over the dense indices of ``table``."""

    __slots__ = ("mask", "table")

    def __init__(self, mask: int, table: DescTable, const: Const | None = None) -> None:
        self.mask, self.table, self.const = mask, table, const

    def key(self) -> tuple[Any, ...]:
        return (self.mask, self.const)

    def without_const(self) -> SomeObject:
        return type(self)(self.mask, self.table)

    @property
    def descs(self) -> list[Desc]:
        """The members, in order of discovery."""
        return self.table.members(self.mask)

    def describe(self) -> str:
        return f"{KIND_NAMES[self.kinds]} " + " or ".join(d.name for d in self.descs)

    def _details(self) -> str:
        return ", ".join(d.name for d in self.descs)


class SomeFunction(SomePBC):
    __slots__ = ()
    kinds = K_FUNCTION


class SomeClass(SomePBC):
    __slots__ = ()
    kinds = K_CLASS


class SomeMethod(SomePBC):
    __slots__ = ()
    kinds = K_METHOD


class SomeClassMethod(SomePBC):
    """A classmethod bound to one of several classes."""

    __slots__ = ()
    kinds = K_CLASSMETHOD


class SomeBuiltinMethod(SomeObject):
    """A method of a built-in kind, not yet called: ``lst.append``."""

    __slots__ = ("name", "s_self")
    kinds = K_BUILTIN_METHOD

    def __init__(self, name: str, s_self: SomeObject) -> None:
        self.name, self.s_self, self.const = name, s_self, None

    def key(self) -> tuple[Any, ...]:
        return (self.name, self.s_self)

    def describe(self) -> str:
        return f"method {self.name!r} of {self.s_self.describe()}"

    def _details(self) -> str:
        return f"{self.name!r}, {self.s_self!r}"


class SomeHost(SomeObject):
    """A host object that only translation-time rules understand: a built-in function or type, a
    module, a low-level type.  Always constant.  ``as_function`` gives what it is where other
    functions are, too, if it can be called."""

    __slots__ = ("as_function",)
    kinds = K_HOST

    def __init__(self, const: Const | None, as_function: Callable[[Any], SomeObject] | None = None):
        self.const, self.as_function = const, as_function

    def without_const(self) -> SomeObject:
        return self

    def describe(self) -> str:
        if self.const and isinstance(self.value, ModuleType):
            return f"module {self.value.__name__}"
        return f"the host object {short(self.value)}" if self.const else "host object"


class SomePtr(SomeObject):
    """A low-level pointer of type ``ll_ptrtype`` (in low-level helpers)."""

    __slots__ = ("ll_ptrtype",)
    kinds = K_PTR

    def __init__(self, ll_ptrtype: Any, const: Const | None = None) -> None:
        self.ll_ptrtype, self.const = ll_ptrtype, const

    def key(self) -> tuple[Any, ...]:
        return (self.ll_ptrtype, self.const)

    def without_const(self) -> SomeObject:
        return SomePtr(self.ll_ptrtype)

    def describe(self) -> str:
        return f"low-level {self.ll_ptrtype}"

    def _details(self) -> str:
        return str(self.ll_ptrtype)


class SomeLLChar(SomeObject):
    """A low-level ``Char``: 8 bits (in low-level helpers)."""

    __slots__ = ()
    kinds = K_LLCHAR

    def describe(self) -> str:
        return "low-level Char"


class SomeUnion(SomeObject):
    """A value of several kinds, with one part per kind, in order of the kind bits."""

    __slots__ = ("_kinds", "parts")

    def __init__(self, parts: tuple[SomeObject, ...]) -> None:
        self.parts, self.const = parts, None
        bits = 0
        for part in parts:
            bits |= part.kinds
        self._kinds = bits

    @property
    def kinds(self) -> int:  # type: ignore[override]
        return self._kinds

    def key(self) -> tuple[Any, ...]:
        return (self.parts,)

    def without_const(self) -> SomeObject:
        return SomeUnion(tuple(s.without_const() for s in self.parts))

    def describe(self) -> str:
        return " or ".join(s.describe() for s in self.parts)

    def _details(self) -> str:
        return ", ".join(map(repr, self.parts))


s_Bottom = SomeImpossibleValue()
s_Top = SomeObject()
s_None = SomeNone()
s_Bool = SomeBool()
s_Int = SomeInteger()
s_NonNeg = SomeInteger(nonneg=True)
s_Float = SomeFloat()
s_Str = SomeString()
s_Char = SomeChar()
s_Bytes = SomeBytes()
s_ByteArray = SomeByteArray()
