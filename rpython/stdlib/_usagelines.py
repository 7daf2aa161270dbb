"""The line of usage that parsers of ``argparse`` write, and how it is broken."""

from __future__ import annotations

import argparse

from rpython.stdlib._declared import ANY, COMMAND, EXACTLY, NO_VALUE, OPTIONAL, SOME, Declared

_IN_PARTS = hasattr(argparse.HelpFormatter, "_get_actions_usage_parts")
"""Does the host break a line only between arguments, never between an option and its value?"""


class Exclusive:
    """Numbers of arguments of which one may be there."""

    def __init__(self, required: bool) -> None:
        self.required = required
        self.numbers: list[int] = []


def _drops_parentheses() -> bool:
    """Does the host leave out all parentheses that have no ``|`` between them?"""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("-x", metavar="(s)")
    return "(s)" not in parser.format_usage()


_DROPS = _drops_parentheses()


def values_of(argument: Declared, prefix: str) -> str:
    """What the argument takes, ``[FILE ...]``; prefix: in front, if there is something."""
    takes = argument.takes
    if takes == NO_VALUE:
        return ""
    first = second = argument.dest.upper() if argument.names else argument.dest
    if argument.metavars:
        first, second = argument.metavars[0], argument.metavars[-1]
    elif argument.has_choices:
        first = second = "{" + ",".join(argument.choices_shown) + "}"
    if takes == OPTIONAL:
        return f"{prefix}[{first}]"
    if takes == ANY:
        two = f"{prefix}[{first} [{second} ...]]"
        return two if len(argument.metavars) == 2 else f"{prefix}[{first} ...]"
    if takes == SOME:
        return f"{prefix}{first} [{second} ...]"
    if takes == COMMAND:
        return f"{prefix}{first} ..."
    if takes == EXACTLY and len(argument.metavars) != argument.count:
        return prefix + " ".join([first] * argument.count)
    if takes == EXACTLY:
        return prefix + " ".join(argument.metavars)
    return prefix + first


def _part(argument: Declared, grouped: bool) -> str:
    """What stands there for an argument; grouped: in a mutually exclusive group."""
    if not argument.names:
        part = values_of(argument, "")
        if grouped and part.startswith("[") and part.endswith("]"):
            return part[1:-1]
        return part
    part = argument.names[0] + values_of(argument, " ")
    return part if argument.required or grouped else f"[{part}]"


class _Place:
    """Where a group is among the arguments."""

    def __init__(self, start: int, end: int, required: bool) -> None:
        self.start = start
        self.end = end
        self.required = required


def _places(numbers: list[int], groups: list[Exclusive]) -> list[_Place]:
    """Those of the groups whose arguments stand together.  Raises ValueError."""
    places: list[_Place] = []
    for group in groups:
        if not group.numbers:
            raise ValueError("empty group")
        if group.numbers[0] not in numbers:
            continue
        start = numbers.index(group.numbers[0])
        end = start + len(group.numbers)
        if numbers[start:end] == group.numbers:
            places.append(_Place(start, end, group.required))
    return places


def _is_hidden(argument: Declared) -> bool:
    return argument.help == argparse.SUPPRESS


def _parts(arguments: list[Declared], numbers: list[int], groups: list[Exclusive]) -> list[str]:
    """What is not broken, as hosts find it that write these parts; '' for hidden ones."""
    places: list[_Place] = []
    grouped: set[int] = set()
    for place in _places(numbers, groups):
        if [i for i in numbers[place.start : place.end] if not _is_hidden(arguments[i])]:
            places.append(place)
            grouped.update(numbers[place.start : place.end])
    parts: list[str] = []
    for number in numbers:
        hidden = _is_hidden(arguments[number])
        parts.append("" if hidden else _part(arguments[number], number in grouped))
    for place in places[::-1]:
        shown = [part for part in parts[place.start : place.end] if part]
        if not place.required or len(shown) > 1:
            shown[0] = ("(" if place.required else "[") + shown[0]
            shown[-1] += ")" if place.required else "]"
        last = place.start + len(shown) - 1
        for i in range(place.start, last):
            parts[i] = shown[i - place.start] + " |"
        parts[last] = shown[-1]
        for i in range(last + 1, place.end):
            parts[i] = ""
    return [part for part in parts if part]


def _text(arguments: list[Declared], numbers: list[int], groups: list[Exclusive]) -> str:
    """The whole, as hosts write it that break it afterwards."""
    places = _places(numbers, groups)
    grouped: set[int] = set()
    before: dict[int, str] = {}
    for place in places:
        inside = numbers[place.start : place.end]
        grouped.update(inside)
        shown = [i for i in inside if not _is_hidden(arguments[i])]
        if not place.required or len(shown) > 1 or _DROPS:
            opening, closing = ("(", ")") if place.required else ("[", "]")
            at_start = before.get(place.start, "")
            before[place.start] = f"{at_start} {opening}" if at_start else opening
            before[place.end] = before.get(place.end, "") + closing
        for i in range(place.start + 1, place.end):
            before[i] = "|"
    parts: list[str] = []
    for i, number in enumerate(numbers):
        if _is_hidden(arguments[number]):
            if before.get(i, "") == "|":
                del before[i]
            elif before.get(i + 1, "") == "|":
                del before[i + 1]
    for i, number in enumerate(numbers):
        if i in before:
            parts.append(before[i])
        if not _is_hidden(arguments[number]):
            parts.append(_part(arguments[number], number in grouped))
    if len(numbers) in before:
        parts.append(before[len(numbers)])
    return _tidied(" ".join(parts))


def _tidied(text: str) -> str:
    """Without the spaces inside brackets, and without brackets around nothing."""
    text = text.replace("( ", "(").replace("[ ", "[").replace(" )", ")").replace(" ]", "]")
    pieces: list[str] = []
    at = 0
    while at < len(text):
        end = at + 1
        if text[at] in "[(":
            while end < len(text) and text[end] == " ":
                end += 1
            if end < len(text) and text[end] in "])":
                at = end + 1
                continue
        pieces.append(text[at])
        at += 1
    tidied = "".join(pieces)
    return (_without_parentheses(tidied) if _DROPS else tidied).strip()


def _without_parentheses(text: str) -> str:
    """Without those that have no ``|`` between them."""
    pieces: list[str] = []
    at = 0
    while True:
        start = text.find("(", at)
        if start < 0:
            pieces.append(text[at:])
            return "".join(pieces)
        pieces.append(text[at:start])
        bar = text.find("|", start)
        end = text.rfind(")", start, bar if bar >= 0 else len(text))
        if end < 0:
            pieces.append("(")
            at = start + 1
        else:
            pieces.append(text[start + 1 : end])
            at = end + 1


def _split(text: str) -> list[str]:
    """What is not broken: words, and what brackets close that are followed by a space."""
    parts: list[str] = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        closing = ")" if text[at] == "(" else "]" if text[at] == "[" else ""
        end = _closed(text, at, closing) if closing else -1
        if end < 0:
            end = at
            while end < len(text) and not text[end].isspace():
                end += 1
        parts.append(text[at:end])
        at = end
    if " ".join(parts) != text:
        raise AssertionError
    return parts


def _closed(text: str, start: int, closing: str) -> int:
    """Behind the first such bracket at the end of a word; -1 if there is none."""
    at = text.find(closing, start)
    while at >= 0:
        if at + 1 == len(text) or text[at + 1].isspace():
            return at + 1
        at = text.find(closing, at + 1)
    return -1


def _unbroken(arguments: list[Declared], numbers: list[int], groups: list[Exclusive]) -> list[str]:
    if _IN_PARTS:
        return _parts(arguments, numbers, groups)
    return _split(_text(arguments, numbers, groups))


def usage_text(
    prog: str, arguments: list[Declared], numbers: list[int], groups: list[Exclusive], width: int,
    prefix: str,
) -> str:  # fmt: skip
    """The line without the prefix, or lines; numbers: of the arguments that it has."""
    if not numbers:
        return prog
    if _IN_PARTS:
        whole = " ".join(_parts(arguments, numbers, groups))
    else:
        whole = _text(arguments, numbers, groups)
    line = f"{prog} {whole}" if prog and whole else prog + whole
    if len(prefix) + len(line) <= width:
        return line
    options = _unbroken(arguments, [i for i in numbers if arguments[i].names], groups)
    others = _unbroken(arguments, [i for i in numbers if not arguments[i].names], groups)
    return "\n".join(_wrapped(prog, options, others, width, prefix))


def _wrapped(
    prog: str, options: list[str], others: list[str], width: int, prefix: str
) -> list[str]:  # fmt: skip
    if len(prefix) + len(prog) <= 0.75 * width:
        indent = " " * (len(prefix) + len(prog) + 1)
        if options:
            first = _lines([prog, *options], indent, len(prefix), width)
            return first + _lines(others, indent, -1, width)
        if others:
            return _lines([prog, *others], indent, len(prefix), width)
        return [prog]
    indent = " " * len(prefix)
    lines = _lines(options + others, indent, -1, width)
    if len(lines) > 1:
        lines = _lines(options, indent, -1, width) + _lines(others, indent, -1, width)
    return [prog, *lines]


def _lines(parts: list[str], indent: str, before: int, width: int) -> list[str]:
    """before: the length of what is in front of the first line, which is not indented then; -1 if
    that is as the others are."""
    lines: list[str] = []
    line: list[str] = []
    length = (before if before >= 0 else len(indent)) - 1
    for part in parts:
        if length + 1 + len(part) > width and line:
            lines.append(indent + " ".join(line))
            line = []
            length = len(indent) - 1
        line.append(part)
        length += len(part) + 1
    if line:
        lines.append(indent + " ".join(line))
    if before >= 0:
        lines[0] = lines[0][len(indent) :]
    return lines
