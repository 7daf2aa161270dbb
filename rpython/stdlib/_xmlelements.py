"""Elements of XML, and the paths that find some (``xml.etree.ElementTree``, which has them in C).

root.findall("./book[@id='7']/title")
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from xml.etree import ElementPath, ElementTree

from rpython.stdlib._registry import per_arguments, replaces


@replaces(ElementTree.Element)
class Element:
    """An element, its attributes and its children.  The text of all of them is a str or None, the
    tag a str."""

    def __init__(self, tag: str, attrib: Any = (), **extra: Any) -> None:
        self.tag = tag
        self.attrib: dict[str, str] = dict(attrib)
        for name in extra:
            self.attrib[name] = extra[name]
        self.text: str | None = None
        self.tail: str | None = None
        self._children: list[Element] = []

    def __repr__(self) -> str:
        return f"<Element {self.tag!r} at {id(self):#x}>"

    def makeelement(self, tag: str, attrib: dict[str, str]) -> Element:
        return Element(tag, attrib)

    def __len__(self) -> int:
        return len(self._children)

    @per_arguments
    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._children[index]
        if not -len(self._children) <= index < len(self._children):
            raise IndexError("child index out of range")
        return self._children[index]

    def __setitem__(self, index: int, element: Element) -> None:
        if not -len(self._children) <= index < len(self._children):
            raise IndexError("child assignment index out of range")
        self._children[index] = element

    def __delitem__(self, index: int) -> None:
        if not -len(self._children) <= index < len(self._children):
            raise IndexError("child assignment index out of range")
        del self._children[index]

    def __iter__(self) -> Iterator[Element]:
        i = 0
        while i < len(self._children):
            yield self._children[i]
            i += 1

    def append(self, subelement: Element) -> None:
        self._children.append(subelement)

    def extend(self, elements: Any) -> None:
        for element in elements:
            self._children.append(element)

    def insert(self, index: int, subelement: Element) -> None:
        self._children.insert(index, subelement)

    def remove(self, subelement: Element) -> None:
        for i, child in enumerate(self._children):
            if child is subelement:
                del self._children[i]
                return
        raise ValueError("list.remove(x): x not in list")

    def clear(self) -> None:
        self.attrib.clear()
        self._children = []
        self.text = self.tail = None

    def get(self, key: str, default: Any = None) -> Any:
        return self.attrib.get(key, default)

    def set(self, key: str, value: str) -> None:
        self.attrib[key] = value

    def keys(self) -> Any:
        return self.attrib.keys()

    def items(self) -> Any:
        return self.attrib.items()

    def iter(self, tag: str | None = None) -> Iterator[Element]:
        if tag is None or tag == "*" or self.tag == tag:
            yield self
        for child in self:
            yield from child.iter(tag)

    def itertext(self) -> Iterator[str]:
        if self.text:
            yield self.text
        for child in self:
            yield from child.itertext()
            if child.tail:
                yield child.tail

    def find(self, path: str, namespaces: dict[str, str] | None = None) -> Element | None:
        found = self.findall(path, namespaces)
        return found[0] if found else None

    def findall(self, path: str, namespaces: dict[str, str] | None = None) -> list[Element]:
        if namespaces is None and not _is_path(path):
            return [child for child in self if child.tag == path]
        return found_by(self, path, namespaces)

    def iterfind(self, path: str, namespaces: dict[str, str] | None = None) -> Iterator[Element]:
        return iter(found_by(self, path, namespaces))

    def findtext(
        self, path: str, default: str | None = None, namespaces: dict[str, str] | None = None
    ) -> str | None:
        found = self.find(path, namespaces)
        if found is None:
            return default
        return found.text or ""

    def __copy__(self) -> Element:
        made = Element(self.tag, self.attrib)
        made.text, made.tail = self.text, self.tail
        made._children = list(self._children)
        return made


@replaces(ElementTree.SubElement)
def SubElement(parent: Element, tag: str, attrib: Any = (), **extra: Any) -> Element:
    element = Element(tag, attrib, **extra)
    parent.append(element)
    return element


# -- paths ----------------------------------------------------------------------------------------


def _is_path(path: str) -> bool:
    """Is it more than a tag?  (``x:tag`` is one.)"""
    if path.startswith(("{}", "{*}")) and len(path) > 2:
        return True
    outside = True
    for char in path:
        if char == "{":
            outside = False
        elif char == "}":
            outside = True
        elif outside and char in "/*[@.":
            return True
    return False


def found_by(element: Element, path: str, namespaces: dict[str, str] | None) -> list[Element]:
    """The elements at that path below the element.  Raises SyntaxError."""
    if path[-1:] == "/":
        path += "*"
    if path[:1] == "/":
        raise SyntaxError("cannot use absolute path on element")
    tokens = ElementPath.xpath_tokenizer(path, namespaces)
    found = [element]
    token = next(tokens, None)
    while token is not None:
        kind, tag = token
        if kind == "[":
            found = _chosen(_predicate(tokens), found, element)
        elif kind == "//":
            token = next(tokens, None)
            if token is None:
                raise TypeError("'NoneType' object is not callable")
            kind, tag = token
            if kind not in ("*", ""):
                raise SyntaxError("invalid descendant")
            found = _descendants(found, kind or tag)
        elif kind == "..":
            found = _parents(found, element)
        elif kind in ("*", ""):
            wanted = kind or tag
            found = [child for above in found for child in above if _has_tag(child, wanted)]
        elif kind != ".":
            raise KeyError(kind)
        token = next(tokens, None)
        if token is not None and token[0] == "/":
            token = next(tokens, None)
            if token is None:
                break
    return found


def _has_tag(element: Element, wanted: str) -> bool:
    tag = element.tag
    if wanted in ("*", "{*}*"):
        return True
    if wanted == "{}*":
        return tag[0] != "{"
    if wanted[:3] == "{*}":
        return tag == wanted[3:] or tag.endswith(wanted[2:])
    if wanted[-2:] == "}*":
        return tag.startswith(wanted[:-1])
    return tag == (wanted[2:] if wanted[:2] == "{}" else wanted)


def _descendants(found: list[Element], wanted: str) -> list[Element]:
    return [
        below for above in found for below in above.iter()
        if below is not above and _has_tag(below, wanted)
    ]  # fmt: skip


def _parents(found: list[Element], root: Element) -> list[Element]:
    parents: list[Element] = []
    for element in found:
        parent = _parent(element, root)
        if parent is not None and not any(parent is other for other in parents):
            parents.append(parent)
    return parents


def _parent(element: Element, root: Element) -> Element | None:
    last = None
    for above in root.iter():
        if any(child is element for child in above):
            last = above
    return last


class _Predicate(NamedTuple):
    """What is between brackets: its form, and a text for each piece of that."""

    shape: str
    values: list[str]


def _predicate(tokens: Iterator[tuple[str, str]]) -> _Predicate:
    shape = ""
    values: list[str] = []
    while True:
        token = next(tokens, None)
        if token is None:
            raise TypeError("'NoneType' object is not callable")
        kind, tag = token
        if kind == "]":
            return _Predicate(shape, values)
        if kind != "" and kind[:1] in "'\"":
            shape += "'"
            values.append(kind[1:-1])
        elif kind != "" or tag != "":  # else it is space
            shape += kind or "-"
            values.append(tag)


def _chosen(predicate: _Predicate, found: list[Element], root: Element) -> list[Element]:
    """What is left of the elements.  Raises SyntaxError."""
    shape, values = predicate
    number = shape == "-" and _is_number(values[0])
    if shape == "@-":
        return [e for e in found if e.get(values[1]) is not None]
    if shape in ("@-='", "@-!='"):
        return [e for e in found if _compares(e.get(values[1]), values[-1], "!" in shape)]
    if shape == "-" and not number:
        return [e for e in found if e.find(values[0]) is not None]
    if shape in (".='", ".!='"):
        equal = "!" not in shape
        return [e for e in found if ("".join(e.itertext()) == values[-1]) is equal]
    if shape in ("-='", "-!='") and not _is_number(values[0]):
        return [e for e in found if _any_child_compares(e, values[0], values[-1], "!" in shape)]
    if number:
        index = int(values[0]) - 1
        if index < 0:
            raise SyntaxError("XPath position >= 1 expected")
        return _at_index(found, root, index)
    if shape in ("-()", "-()-"):
        if values[0] != "last":
            raise SyntaxError("unsupported function")
        return _at_index(found, root, _from_last(shape, values))
    raise SyntaxError("invalid predicate")


def _from_last(shape: str, values: list[str]) -> int:
    if shape == "-()":
        return -1
    if not _is_number(values[2]):
        raise SyntaxError("unsupported expression")
    index = int(values[2]) - 1
    if index > -2:
        raise SyntaxError("XPath offset from last() must be negative")
    return index


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


def _compares(value: str | None, wanted: str, differs: bool) -> bool:
    return value is not None and (value != wanted if differs else value == wanted)


def _any_child_compares(element: Element, tag: str, wanted: str, differs: bool) -> bool:
    for child in element.findall(tag):
        if _compares("".join(child.itertext()), wanted, differs):
            return True
    return False


def _at_index(found: list[Element], root: Element, index: int) -> list[Element]:
    """Those that are the child at that index among those of their parent with the same tag."""
    chosen = []
    for element in found:
        parent = _parent(element, root)
        if parent is not None:
            alike = [child for child in parent if child.tag == element.tag]
            if -len(alike) <= index < len(alike) and alike[index] is element:
                chosen.append(element)
    return chosen
