"""Host values as the words that ``rtyper.boundary.marshal`` reads and writes in native code.

The format is described in ``rtyper.ll.ll_marshal``.  Arguments are copied into it and
results out of it: what a function does to a list that it was given stays unseen.
"""

from __future__ import annotations

import struct
from collections import OrderedDict
from typing import Any

from rpython.annotator.lattice.model import (
    K_NONE,
    SomeBool,
    SomeByteArray,
    SomeBytes,
    SomeDict,
    SomeFloat,
    SomeInteger,
    SomeList,
    SomeObject,
    SomeString,
    SomeTuple,
    SomeUnion,
)
from rpython.annotator.lattice.namedtuples import SomeNamedTuple
from rpython.annotator.lattice.parts import class_of_kind, without_none
from rpython.annotator.lattice.sets import SomeAnySet, SomeSet
from rpython.annotator.lattice.singlefloats import SomeSingleFloat
from rpython.annotator.lattice.vartuples import SomeVarTuple
from rpython.lltypesystem.rarithmetic import base_int, r_singlefloat

_WORD = struct.Struct("<q")
_FLOAT = struct.Struct("<d")
_BIAS = 1 << 63


def check(s: SomeObject, value: Any) -> None:
    """Raise TypeError, ValueError or OverflowError unless ``value`` can be an argument annotated
    ``s``."""
    Packer().pack(s, value)


class Packer:
    """Writes the words of the arguments of one call, ``out``."""

    def __init__(self) -> None:
        self.out = bytearray()
        self._seen: dict[int, Any] = {}

    def pack(self, s: SomeObject, value: Any) -> None:
        """Append the words of an argument annotated ``s``.  Raises TypeError for a value of
        another type, subclasses included, OverflowError for an int outside 64 bits, ValueError for
        a list, dict, set or bytearray that was there before: native code would have two."""
        out = self.out
        if s.kinds & K_NONE and s.kinds != K_NONE:
            out += _WORD.pack(value is not None)
            if value is None:
                return
            s = without_none(s)
        if isinstance(s, SomeUnion):
            number = _part_of(s, value)
            out += _WORD.pack(number)
            s = s.parts[number]
        if isinstance(s, SomeInteger):
            _pack_int(s, value, out)
        elif isinstance(s, SomeBool):
            _require(value, bool)
            out += _WORD.pack(value)
        elif isinstance(s, SomeFloat):
            _require(value, float)
            out += _FLOAT.pack(value)
        elif isinstance(s, SomeSingleFloat):
            _require(value, r_singlefloat)
            out += _FLOAT.pack(float(value))
        elif isinstance(s, SomeString):
            _require(value, str)
            pack_str(value, out)
        elif isinstance(s, SomeBytes):
            _require(value, bytes)
            _pack_bytes(value, out)
        elif isinstance(s, SomeByteArray):
            self._require_once(value, bytearray)
            _pack_bytes(value, out)
        elif isinstance(s, SomeTuple):
            cls = s.cls if isinstance(s, SomeNamedTuple) else tuple
            _require(value, cls, len(value) == len(s.items) if type(value) is cls else False)
            for s_item, item in zip(s.items, value):
                self.pack(s_item, item)
        else:
            self._pack_container(s, value)

    def _pack_container(self, s: SomeObject, value: Any) -> None:
        out = self.out
        if isinstance(s, SomeVarTuple):
            _require(value, tuple)
            out += _WORD.pack(len(value))
            for item in value:
                self.pack(s.s_item, item)
        elif isinstance(s, SomeList):
            self._require_once(value, list)
            out += _WORD.pack(len(value))
            s_item = s.listdef.find().item.s_value
            for item in value:
                self.pack(s_item, item)
        elif isinstance(s, SomeDict):
            self._require_once(value, dict)
            out += _WORD.pack(len(value))
            for key, item in value.items():
                self.pack(s.dictdef.find().key.s_value, key)
                self.pack(s.dictdef.find().value.s_value, item)
        elif isinstance(s, SomeAnySet):
            if isinstance(s, SomeSet):
                self._require_once(value, set)
            else:
                _require(value, frozenset)
            out += _WORD.pack(len(value))
            for item in value:
                self.pack(s.dictdef.find().key.s_value, item)
        else:
            _require(value, type(None))

    def _require_once(self, value: Any, cls: type) -> None:
        _require(value, cls)
        if id(value) in self._seen:
            raise ValueError(
                f"the same {cls.__name__} is in the arguments twice, of which native code would "
                "make two"
            )
        self._seen[id(value)] = value


def _part_of(s: SomeUnion, value: Any) -> int:
    """The number of the part that the value is of."""
    for number, part in enumerate(s.parts):
        if class_of_kind(part) is type(value):
            return number
    raise TypeError(f"expected {s.describe()}, got {value!r:.60}")


def _require(value: Any, cls: type, fits: bool = True) -> None:
    if type(value) is not cls or not fits:
        which = f", a {type(value).__name__}" if isinstance(value, cls) and fits else ""
        raise TypeError(f"expected {cls.__name__}, got {value!r:.60}{which}")


def _size(s: SomeInteger) -> int:
    """Bytes of an int, whole words."""
    return max(getattr(s.knowntype, "BITS", 64), 64) // 8


def _pack_int(s: SomeInteger, value: Any, out: bytearray) -> None:
    if not isinstance(value, base_int):  # those compute as the int that they are
        _require(value, int)
    number = int(value)
    if s.knowntype is int and not -_BIAS <= number < _BIAS:
        raise OverflowError(f"{number} does not fit in 64 bits")
    size = _size(s)
    out += (number & (1 << 8 * size) - 1).to_bytes(size, "little")


def pack_str(value: str, out: bytearray) -> None:
    wide = bool(value) and max(value) > "\xff"
    out += _WORD.pack(len(value)) + _WORD.pack(wide)
    out += value.encode("utf-32-le", "surrogatepass") if wide else value.encode("latin-1")
    _fill_word(out)


def _pack_bytes(value: bytes | bytearray, out: bytearray) -> None:
    out += _WORD.pack(len(value))
    out += value
    _fill_word(out)


def _fill_word(out: bytearray) -> None:
    out += bytes(-len(out) % 8)


class Unpacker:
    """Reads the words of a result."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0

    def word(self) -> int:
        """The next word, as a signed number."""
        (number,) = _WORD.unpack_from(self.data, self.position)
        self.position += 8
        result: int = number
        return result

    def take(self, size: int) -> bytes:
        """So many bytes; goes on at the next word."""
        start = self.position
        self.position += size + -size % 8
        return self.data[start : start + size]

    def str(self) -> str:
        length = self.word()
        if self.word():
            return self.take(4 * length).decode("utf-32-le", "surrogatepass")
        return self.take(length).decode("latin-1")

    def real(self) -> float:
        result: float = _FLOAT.unpack(_WORD.pack(self.word()))[0]
        return result

    def value(self, s: SomeObject) -> Any:
        """A result annotated ``s``."""
        if s.kinds & K_NONE and s.kinds != K_NONE:
            if not self.word():
                return None
            s = without_none(s)
        if isinstance(s, SomeUnion):
            s = s.parts[self.word()]
        if isinstance(s, SomeInteger):
            return s.knowntype(int.from_bytes(self.take(_size(s)), "little", signed=True))
        if isinstance(s, SomeBool):
            return bool(self.word())
        if isinstance(s, SomeFloat):
            return self.real()
        if isinstance(s, SomeSingleFloat):
            return r_singlefloat(self.real())
        if isinstance(s, SomeString):
            return self.str()
        if isinstance(s, SomeBytes):
            return self.take(self.word())
        if isinstance(s, SomeByteArray):
            return bytearray(self.take(self.word()))
        if isinstance(s, SomeTuple):
            items = [self.value(s_item) for s_item in s.items]
            return s.cls._make(items) if isinstance(s, SomeNamedTuple) else tuple(items)
        if isinstance(s, SomeVarTuple):
            return tuple([self.value(s.s_item) for _ in range(self.word())])
        if isinstance(s, SomeList):
            s_item = s.listdef.find().item.s_value
            return [self.value(s_item) for _ in range(self.word())]
        if isinstance(s, (SomeDict, SomeAnySet)):
            root = s.dictdef.find()
            count = self.word()
            if isinstance(s, SomeDict):
                pair = SomeTuple((root.key.s_value, root.value.s_value))
                host_dict = OrderedDict if root.ordered else dict
                return host_dict(self.value(pair) for _ in range(count))
            host = set if isinstance(s, SomeSet) else frozenset
            return host(self.value(root.key.s_value) for _ in range(count))
        return None
