"""``xml.etree.ElementTree``: trees that are read and written.

Elements are in ``_xmlelements``, what reads them, through the C library expat, in ``_xmlreading``.

There are no comments, processing instructions and qualified names as objects.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree

from rpython.stdlib import _xmlreading
from rpython.stdlib._registry import per_arguments, per_values, refused, replaces
from rpython.stdlib._xmlelements import Element


class _Names:
    """The names of a tree with prefixes in place of their namespaces."""

    def __init__(self, default: str | None) -> None:
        self.default = default
        self.shown: dict[str, str] = {}
        self.prefixes: dict[str, str] = {}
        """By namespace."""
        if default:
            self.prefixes[default] = ""

    def add(self, name: str) -> None:
        if name in self.shown:
            return
        if name[:1] != "{":
            if self.default:
                raise ValueError("cannot use non-qualified names with default_namespace option")
            self.shown[name] = name
            return
        uri, tag = name[1:].rsplit("}", 1)
        if uri not in self.prefixes:
            prefix = _REGISTERED.get(uri, f"ns{len(self.prefixes)}")
            if prefix != "xml":
                self.prefixes[uri] = prefix
            self.shown[name] = f"{prefix}:{tag}"
            return
        prefix = self.prefixes[uri]
        self.shown[name] = f"{prefix}:{tag}" if prefix else tag


_REGISTERED: dict[str, str] = dict(ElementTree._namespace_map)  # type: ignore[attr-defined]


@replaces(ElementTree.register_namespace)
def register_namespace(prefix: str, uri: str) -> None:
    if prefix[:2] == "ns" and prefix[2:].isdecimal():
        raise ValueError("Prefix format reserved for internal use")
    for known, name in list(_REGISTERED.items()):
        if known == uri or name == prefix:
            del _REGISTERED[known]
    _REGISTERED[uri] = prefix


def _names_of(root: Element, default: str | None) -> _Names:
    names = _Names(default)
    for element in root.iter():
        names.add(element.tag)
        for key in element.attrib:
            names.add(key)
    return names


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _escaped_value(text: str) -> str:
    text = _escaped(text).replace('"', "&quot;")
    return text.replace("\r", "&#13;").replace("\n", "&#10;").replace("\t", "&#09;")


def _write_element(
    out: list[str], element: Element, names: _Names, declared: str, short: bool
) -> None:
    tag = names.shown[element.tag]
    out.append(f"<{tag}{declared}")
    for key, value in element.attrib.items():
        out.append(f' {names.shown[key]}="{_escaped_value(value)}"')
    if element.text or len(element) or not short:
        out.append(">")
        if element.text:
            out.append(_escaped(element.text))
        for child in element:
            _write_element(out, child, names, "", short)
        out.append(f"</{tag}>")
    else:
        out.append(" />")
    if element.tail:
        out.append(_escaped(element.tail))


def _written(
    root: Element, encoding: str, declared: str, declaration: bool | None, default: str | None,
    method: str | None, short: bool,
) -> str:  # fmt: skip
    """The text of the tree.  Raises ValueError."""
    out: list[str] = []
    if method == "text":
        out = list(root.itertext())
        if root.tail:
            out.append(root.tail)
        return "".join(out)
    if method not in (None, "", "xml"):
        if method in ("html", "c14n"):
            raise NotImplementedError(f"writing XML by the method {method}")
        raise ValueError(f"unknown method {method!r}")
    plain = encoding.lower() == "unicode" or declared.lower() in ("utf-8", "us-ascii")
    if declaration or (declaration is None and not plain):
        out.append(f"<?xml version='1.0' encoding='{declared}'?>\n")
    names = _names_of(root, default)
    spaces: list[str] = []
    for prefix, uri in sorted((prefix, uri) for uri, prefix in names.prefixes.items()):
        name = f":{prefix}" if prefix else ""
        spaces.append(f' xmlns{name}="{_escaped_value(uri)}"')
    _write_element(out, root, names, "".join(spaces), short)
    return "".join(out)


def _encoded(text: str, encoding: str) -> bytes:
    return text.encode(encoding, "xmlcharrefreplace") if text else b""  # without a mark in front


@replaces(ElementTree.tostring)
@per_values
def tostring(
    element: Element, encoding: str | None = None, method: str | None = None, *,
    xml_declaration: bool | None = None, default_namespace: str | None = None,
    short_empty_elements: bool = True,
) -> Any:  # fmt: skip
    wanted = encoding or "us-ascii"
    declared = "utf-8" if wanted.lower() == "unicode" else wanted
    text = _written(
        element, wanted, declared, xml_declaration, default_namespace, method,
        short_empty_elements,
    )  # fmt: skip
    if encoding == "unicode":
        return text
    else:
        return _encoded(text, wanted)


@replaces(ElementTree.dump)
@per_arguments
def dump(elem: Any) -> None:
    root = elem.getroot() if isinstance(elem, Tree) else elem
    text = _written(root, "unicode", "utf-8", None, None, None, True)
    print(text, end="" if root.tail and root.tail[-1] == "\n" else "\n")


@replaces(ElementTree.ElementTree)
class Tree:
    """A whole document."""

    def __init__(self, element: Element | None = None, file: Any = None) -> None:
        self._root: Element | None = element
        if file is not None:
            self.parse(file)

    def getroot(self) -> Any:
        return self._root

    def _setroot(self, element: Element) -> None:
        self._root = element

    @per_arguments
    def parse(self, source: Any) -> Any:
        self._root = _xmlreading.parsed(_contents(source))
        return self._root

    def _of(self) -> Element:
        assert self._root is not None
        return self._root

    def iter(self, tag: str | None = None) -> Iterator[Element]:
        return self._of().iter(tag)

    def find(self, path: str, namespaces: dict[str, str] | None = None) -> Element | None:
        return self._of().find(_below(path), namespaces)

    def findall(self, path: str, namespaces: dict[str, str] | None = None) -> list[Element]:
        return self._of().findall(_below(path), namespaces)

    def iterfind(self, path: str, namespaces: dict[str, str] | None = None) -> Iterator[Element]:
        return self._of().iterfind(_below(path), namespaces)

    def findtext(
        self, path: str, default: str | None = None, namespaces: dict[str, str] | None = None
    ) -> str | None:
        return self._of().findtext(_below(path), default, namespaces)

    @per_arguments
    def write(
        self, file_or_filename: Any, encoding: str | None = None,
        xml_declaration: bool | None = None, default_namespace: str | None = None,
        method: str | None = None, *, short_empty_elements: bool = True,
    ) -> None:  # fmt: skip
        wanted = encoding or "us-ascii"
        declared = "utf-8" if wanted.lower() == "unicode" else wanted
        text = _written(
            self._of(), wanted, declared, xml_declaration, default_namespace, method,
            short_empty_elements,
        )  # fmt: skip
        if isinstance(file_or_filename, str):
            with open(file_or_filename, "wb") as file:
                file.write(_encoded(text, declared))
        elif isinstance(file_or_filename, io.TextIOBase):
            if wanted.lower() != "unicode":
                raise TypeError("write() argument must be str, not bytes")
            file_or_filename.write(text)
        else:
            if wanted.lower() == "unicode":
                raise TypeError("a bytes-like object is required, not 'str'")
            file_or_filename.write(_encoded(text, wanted))


def _below(path: str) -> str:
    return "." + path if path[:1] == "/" else path


@per_arguments
def _contents(source: Any) -> Any:
    if isinstance(source, str):
        with open(source, "rb") as file:
            return file.read()
    else:
        return source.read()


@replaces(ElementTree.parse)
@per_arguments
def parse(source: Any) -> Tree:
    tree = Tree()
    tree.parse(source)
    return tree


@replaces(ElementTree.XML)
@per_arguments
def XML(text: Any) -> Element:
    return _xmlreading.parsed(text)


@replaces(ElementTree.fromstringlist)
@per_arguments
def fromstringlist(sequence: Any) -> Element:
    return _xmlreading.parsed("".join(sequence))


@replaces(ElementTree.iselement)
@per_arguments
def iselement(element: Any) -> bool:
    return isinstance(element, Element)


def _refuse(host: Callable[..., Any]) -> None:
    name = host.__name__
    replaces(host)(
        refused(
            f"xml.etree.ElementTree.{name} is not supported: use Element, parse and fromstring"
        )(lambda *args, **keywords: None)
    )


for _host in (
    ElementTree.Comment, ElementTree.ProcessingInstruction, ElementTree.iterparse,
    ElementTree.XMLParser, ElementTree.XMLPullParser, ElementTree.TreeBuilder, ElementTree.QName,
):  # fmt: skip
    _refuse(_host)
