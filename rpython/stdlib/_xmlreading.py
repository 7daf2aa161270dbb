"""XML read by the C library expat.

The functions that expat calls get the number of the reader, by which they find it.
"""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from rpython.lltypesystem.foreign.cdef import cdef
from rpython.stdlib._registry import per_arguments
from rpython.stdlib._xmlelements import Element

_expat: Any = cdef(
    """
    void *XML_ParserCreateNS(const char *encoding, char separator);
    void XML_ParserFree(void *parser);
    void XML_SetUserData(void *parser, void *data);
    void XML_SetElementHandler(void *parser, void (*start)(void *, const char *, const char **),
                               void (*end)(void *, const char *));
    void XML_SetCharacterDataHandler(void *parser, void (*text)(void *, const char *, int));
    void XML_SetSkippedEntityHandler(void *parser, void (*skip)(void *, const char *, int));
    int XML_Parse(void *parser, const char *s, int len, int final);
    int XML_GetErrorCode(void *parser);
    const char *XML_ErrorString(int code);
    unsigned long XML_GetCurrentLineNumber(void *parser);
    unsigned long XML_GetCurrentColumnNumber(void *parser);
    """,
    libraries=["expat"],
)
_UNDEFINED_ENTITY = 11
_UNKNOWN_ENCODING = 18


class _Reader:
    """The tree as far as it is read.  ``skipped``: an entity that nothing defines."""

    def __init__(self) -> None:
        self.open: list[Element] = []
        self.root: Element | None = None
        self.last: Element | None = None
        self.closed = False
        """Is the last element at its end?"""
        self.pieces: list[str] = []
        self.skipped = ""

    def flush(self) -> None:
        """What has been read of text is that of the last element, or follows it."""
        if self.pieces and self.last is not None:
            text = "".join(self.pieces)
            if self.closed:
                self.last.tail = text
            else:
                self.last.text = text
        self.pieces = []

    def start(self, element: Element) -> None:
        self.flush()
        if self.open:
            self.open[-1].append(element)
        else:
            self.root = element
        self.open.append(element)
        self.last = element
        self.closed = False

    def end(self) -> None:
        self.flush()
        self.last = self.open.pop()
        self.closed = True


_readers: dict[int, _Reader] = {}
"""Those at work, by their numbers."""


def _reader(data: Any) -> _Reader:
    return _readers[int(_expat.cast("long", data))]


def _text(characters: Any) -> str:
    return _expat.string(characters).decode("utf-8")  # type: ignore[no-any-return]


def _name(characters: Any) -> str:
    name = _text(characters)
    return "{" + name if "}" in name else name


@_expat.callback("void(void *, const char *, const char **)")  # type: ignore[untyped-decorator]
def _start(data: Any, name: Any, values: Any) -> None:
    element = Element(_name(name))
    i = 0
    while values[i] != _expat.NULL:
        element.attrib[_name(values[i])] = _text(values[i + 1])
        i += 2
    _reader(data).start(element)


@_expat.callback("void(void *, const char *)")  # type: ignore[untyped-decorator]
def _end(data: Any, name: Any) -> None:
    _reader(data).end()


@_expat.callback("void(void *, const char *, int)")  # type: ignore[untyped-decorator]
def _characters(data: Any, text: Any, size: int) -> None:
    _reader(data).pieces.append(bytes(_expat.unpack(text, size)).decode("utf-8"))


@_expat.callback("void(void *, const char *, int)")  # type: ignore[untyped-decorator]
def _skip(data: Any, name: Any, is_parameter: int) -> None:
    reader = _reader(data)
    if not is_parameter and not reader.skipped:
        reader.skipped = _text(name)


@per_arguments
def parsed(text: Any) -> Element:
    """The root.  Raises ParseError."""
    if isinstance(text, str):
        return _parsed(text.encode("utf-8"), b"utf-8")
    else:
        return _parsed(bytes(text), b"")


def _parsed(data: bytes, encoding: bytes) -> Element:
    number = 1
    while number in _readers:
        number += 1
    reader = _readers[number] = _Reader()
    parser = _expat.XML_ParserCreateNS(encoding if encoding else _expat.NULL, b"}")
    try:
        _expat.XML_SetUserData(parser, _expat.cast("void *", number))
        _expat.XML_SetElementHandler(parser, _start, _end)
        _expat.XML_SetCharacterDataHandler(parser, _characters)
        _expat.XML_SetSkippedEntityHandler(parser, _skip)
        done = _expat.XML_Parse(parser, data, len(data), 1)
        code = _expat.XML_GetErrorCode(parser)
        line = _expat.XML_GetCurrentLineNumber(parser)
        column = _expat.XML_GetCurrentColumnNumber(parser)
    finally:
        _expat.XML_ParserFree(parser)
        del _readers[number]
    if reader.skipped:
        raise NotImplementedError(f"the entity {reader.skipped}, which nothing here defines")
    if done:
        assert reader.root is not None
        return reader.root
    if code == _UNKNOWN_ENCODING:
        raise NotImplementedError("XML in an encoding that expat does not know")
    what = _text(_expat.XML_ErrorString(code))
    error = ElementTree.ParseError(f"{what}: line {line}, column {column}")
    error.code = code
    error.position = line, column
    raise error
