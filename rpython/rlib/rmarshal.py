"""Values of known types as text: the format of Python's ``marshal``.

    dump = get_marshaller([(int, str)])
    load = get_unmarshaller([(int, str)])
    buf = []
    dump(buf, [(1, "a")])
    load("".join(buf)) == [(1, "a")]

Types are ``int``, ``float``, ``bool``, ``str``, ``None``; ``[T]``, ``(T, U)``, ``{K: V}``;
``str | None``; and those that ``add_dumper`` and ``add_loader`` were told.  Functions are made
while the program is imported.  Text is a str of bytes (characters up to U+00FF), a string of
Python 2's marshal, and Python 3's ``bytes``.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from types import UnionType
from typing import Any

from rpython.rlib.rfloat import formatd, rstring_to_float
from rpython.rlib.unroll import unrolling_iterable

TYPE_NONE, TYPE_FALSE, TYPE_TRUE = "N", "F", "T"
TYPE_INT, TYPE_INT64, TYPE_FLOAT, TYPE_STRING = "i", "I", "f", "s"
TYPE_TUPLE, TYPE_LIST, TYPE_DICT, TYPE_END = "(", "[", "{", "0"

Dumper = Callable[[list[str], Any], None]


class CannotMarshal(Exception):
    """There is no dumper for a type."""


class CannotUnmarshall(Exception):
    """There is no loader for a type."""


class Loader:
    """A text that is read from the start.  What it should not have raises ValueError."""

    def __init__(self, buf: str) -> None:
        self.buf = buf
        self.pos = 0

    def check_finished(self) -> None:
        if self.pos != len(self.buf):
            raise ValueError("not all data consumed")

    def read(self, size: int) -> str:
        """The next characters."""
        start = self.pos
        if size < 0 or size > len(self.buf) - start:
            raise ValueError("not enough data")
        self.pos = start + size
        return self.buf[start : start + size]

    def peek(self) -> str:
        """The next character, which stays."""
        if self.pos >= len(self.buf):
            raise ValueError("not enough data")
        return self.buf[self.pos]

    def expect(self, kind: str, name: str) -> None:
        """Read the character that says what comes."""
        if self.read(1) != kind:
            raise ValueError("expected " + name)

    def long(self) -> int:
        """A number of four bytes."""
        return int(struct.unpack("<i", self.read(4).encode("latin-1"))[0])


def _long(number: int) -> str:
    return struct.pack("<i", number).decode("latin-1")


# -- values that have no parts ----------------------------------------------------------------


def dump_none(buf: list[str], x: None) -> None:
    buf.append(TYPE_NONE)


def load_none(loader: Loader) -> None:
    loader.expect(TYPE_NONE, "a None")


def dump_bool(buf: list[str], x: bool) -> None:
    buf.append(TYPE_TRUE if x else TYPE_FALSE)


def load_bool(loader: Loader) -> bool:
    kind = loader.read(1)
    if kind != TYPE_TRUE and kind != TYPE_FALSE:
        raise ValueError("expected a bool")
    return kind == TYPE_TRUE


def dump_int(buf: list[str], x: int) -> None:
    if -(1 << 31) <= x < 1 << 31:
        buf.append(TYPE_INT + _long(x))
    else:
        buf.append(TYPE_INT64 + struct.pack("<q", x).decode("latin-1"))


def load_int(loader: Loader) -> int:
    kind = loader.read(1)
    if kind == TYPE_INT64:
        return int(struct.unpack("<q", loader.read(8).encode("latin-1"))[0])
    if kind != TYPE_INT:
        raise ValueError("expected an int")
    return loader.long()


def dump_float(buf: list[str], x: float) -> None:
    text = formatd(x, "g", 17)
    buf.append(TYPE_FLOAT + chr(len(text)) + text)


def load_float(loader: Loader) -> float:
    loader.expect(TYPE_FLOAT, "a float")
    return rstring_to_float(loader.read(ord(loader.read(1))))


def dump_string(buf: list[str], x: str) -> None:
    buf.append(TYPE_STRING + _long(len(x)))
    buf.append(x)


def load_string(loader: Loader) -> str:
    loader.expect(TYPE_STRING, "a string")
    return loader.read(loader.long())


def dump_string_or_none(buf: list[str], x: str | None) -> None:
    if x is None:
        dump_none(buf, None)
    else:
        dump_string(buf, x)


def load_string_or_none(loader: Loader) -> str | None:
    if loader.peek() == TYPE_NONE:
        load_none(loader)
        return None
    return load_string(loader)


# -- values of parts --------------------------------------------------------------------------


def _list_dumper(item: Any) -> Dumper:
    dump_item = get_marshaller(item)

    def dump_list(buf: list[str], x: list[Any]) -> None:
        buf.append(TYPE_LIST + _long(len(x)))
        for each in x:
            dump_item(buf, each)

    return dump_list


def _list_loader(item: Any) -> Any:
    load_item = get_loader(item)

    def load_list(loader: Loader) -> list[Any]:
        loader.expect(TYPE_LIST, "a list")
        return [load_item(loader) for _ in range(loader.long())]

    return load_list


def _dict_dumper(key: Any, value: Any) -> Dumper:
    dump_key, dump_value = get_marshaller(key), get_marshaller(value)

    def dump_dict(buf: list[str], x: dict[Any, Any]) -> None:
        buf.append(TYPE_DICT)
        for key, value in x.items():
            dump_key(buf, key)
            dump_value(buf, value)
        buf.append(TYPE_END)

    return dump_dict


def _dict_loader(key: Any, value: Any) -> Any:
    load_key, load_value = get_loader(key), get_loader(value)

    def load_dict(loader: Loader) -> dict[Any, Any]:
        loader.expect(TYPE_DICT, "a dict")
        result = {}
        while loader.peek() != TYPE_END:
            name = load_key(loader)
            result[name] = load_value(loader)
        loader.read(1)
        return result

    return load_dict


def _tuple_dumper(items: tuple[Any, ...]) -> Dumper:
    dumpers = unrolling_iterable(list(enumerate(map(get_marshaller, items))))

    def dump_tuple(buf: list[str], x: Any) -> None:
        buf.append(TYPE_TUPLE + _long(len(items)))
        for i, dump in dumpers:
            dump(buf, x[i])

    return dump_tuple


def _tuple_loader(items: tuple[Any, ...]) -> Any:
    loaders = unrolling_iterable(list(map(get_loader, items)))
    length = len(items)

    def load_tuple(loader: Loader) -> Any:
        loader.expect(TYPE_TUPLE, "a tuple")
        if loader.long() != length:
            raise ValueError("wrong tuple length")
        result: Any = ()
        for load in loaders:
            result += (load(loader),)
        return result

    return load_tuple


# -- types ------------------------------------------------------------------------------------


_DUMPERS: dict[Any, Dumper] = {
    int: dump_int, float: dump_float, bool: dump_bool, str: dump_string, None: dump_none,
    str | None: dump_string_or_none,
}  # fmt: skip
_LOADERS: dict[Any, Any] = {
    int: load_int, float: load_float, bool: load_bool, str: load_string, None: load_none,
    str | None: load_string_or_none,
}  # fmt: skip


def add_dumper(type: Any, dumper: Dumper) -> None:
    """``dumper(buf, x)`` appends to ``buf`` what stands for a value of that type."""
    _DUMPERS[type] = dumper


def add_loader(type: Any, loader: Any) -> None:
    """``loader(loader)`` reads a value of that type."""
    _LOADERS[type] = loader


def get_marshaller(type: Any) -> Dumper:
    """``dump(buf, x)`` for values of that type, where ``buf`` is a list of texts.  Raises
    CannotMarshal."""
    if isinstance(type, list):
        return _list_dumper(*type)
    if isinstance(type, dict):
        return _dict_dumper(*_only_item(type))
    if isinstance(type, tuple):
        return _tuple_dumper(type)
    if type not in _DUMPERS:
        raise CannotMarshal(_shown(type))
    return _DUMPERS[type]


def get_loader(type: Any) -> Any:
    """``load(loader)`` for values of that type.  Raises CannotUnmarshall."""
    if isinstance(type, list):
        return _list_loader(*type)
    if isinstance(type, dict):
        return _dict_loader(*_only_item(type))
    if isinstance(type, tuple):
        return _tuple_loader(type)
    if type not in _LOADERS:
        raise CannotUnmarshall(_shown(type))
    return _LOADERS[type]


def get_unmarshaller(type: Any) -> Any:
    """``load(text)`` for values of that type; raises ValueError for any other text.  Raises
    CannotUnmarshall."""
    load = get_loader(type)

    def unmarshal(buf: str) -> Any:
        loader = Loader(buf)
        result = load(loader)
        loader.check_finished()
        return result

    return unmarshal


def _only_item(type: dict[Any, Any]) -> tuple[Any, Any]:
    ((key, value),) = type.items()
    return key, value


def _shown(type: Any) -> str:
    return str(type) if isinstance(type, UnionType) else getattr(type, "__name__", repr(type))
