"""``datetime.strptime`` and ``time.strptime``.

CPython makes a regular expression of the format, and here the directives are tried as that would:
each may take fewer digits than it could, if what follows fits then.
"""

from __future__ import annotations

import re
from _strptime import TimeRE  # type: ignore[import-not-found]

from rpython.stdlib._calendar import DAYS, MONTHS, check_date, date_of, day_of_year, ordinal_of

_NUMBERS = {
    "d": (2, 1, 31), "f": (6, 0, 999999), "H": (2, 0, 23), "I": (2, 1, 12), "j": (3, 1, 366),
    "m": (2, 1, 12), "M": (2, 0, 59), "S": (2, 0, 61), "w": (1, 0, 6), "y": (2, 0, 99),
    "Y": (4, 0, 9999),
}  # fmt: skip
"""Most digits, least and largest number."""
_OF_ALL_DIGITS = "yY"
_AFTER_SPACE = "".join([c for c in _NUMBERS if re.fullmatch(TimeRE()[c], " 1")])
"""Where a space may be instead of the first of two digits: this differs by the host's version."""
_NAMES = {
    "a": [day[:3].lower() for day in DAYS], "A": [day.lower() for day in DAYS],
    "b": [month[:3].lower() for month in MONTHS], "B": [month.lower() for month in MONTHS],
    "p": ["am", "pm"],
}  # fmt: skip
_WHOLE = (("%c", "%a %b %d %H:%M:%S %Y"), ("%x", "%m/%d/%y"), ("%X", "%H:%M:%S"))
_MISSING = "GUuVWZ"


class Parsed:
    """What was found: numbers by directive, in order, and the zone in microseconds."""

    def __init__(self) -> None:
        self.found: dict[str, int] = {}
        self.has_zone = False
        self.zone = 0


def parse(data: str, format: str) -> Parsed:
    """Raises ValueError, and NotImplementedError where CPython could do more."""
    if any(c.isdecimal() and c > "\x7f" for c in data):
        raise NotImplementedError("strptime of digits that are not ASCII")
    directives = _directives(format)
    ends: list[int] = []
    if not _match(data, directives, 0, 0, ends):
        raise ValueError(f"time data {data!r} does not match format {format!r}")
    if ends[0] != len(data):
        raise ValueError(f"unconverted data remains: {data[ends[0] :]}")
    parsed = Parsed()
    ends.reverse()
    start = 0
    for directive, end in zip(directives, ends):
        _note(parsed, directive, data[start:end])
        start = end
    return parsed


Three = tuple[int, int, int]


def in_order(parsed: Parsed) -> tuple[Three, Three, tuple[int, int]]:
    """Year, month, day; hour, minute, second; day of the week and of the year.  Of two directives
    about the same the last one counts.  Raises ValueError where there is no such day."""
    found = parsed.found
    year, month, day, hour, weekday = -1, 1, 1, 0, -1
    for letter, number in found.items():
        if letter == "Y":
            year = number
        elif letter == "y":
            year = number + (1900 if number > 68 else 2000)
        elif letter == "m":
            month = number
        elif letter in "bB":
            month = number + 1
        elif letter == "d":
            day = number
        elif letter == "H":
            hour = number
        elif letter == "I":
            hour = number % 12 + 12 * found.get("p", 0)
        elif letter in "aA":
            weekday = number
        elif letter == "w":
            weekday = (number + 6) % 7
    known = year >= 0
    if not known:  # a leap year for the day that only these have
        year = 1904 if month == 2 and day == 29 else 1900
    if "j" in found:
        check_date(year, 1, 1)
        year, month, day = date_of(ordinal_of(year, 1, 1) + found["j"] - 1)
    check_date(year, month, day)
    if weekday < 0:
        weekday = (ordinal_of(year, month, day) + 6) % 7
    yearday = found.get("j", day_of_year(year, month, day))
    date = (year if known or year != 1904 else 1900, month, day)
    return date, (hour, found.get("M", 0), found.get("S", 0)), (weekday, yearday)


def _directives(format: str) -> list[str]:
    """Letters of directives behind a %, other characters, and one space for those in a row."""
    for short, long in _WHOLE:
        format = format.replace(short, long)
    result: list[str] = []
    seen = ""
    i = 0
    while i < len(format):
        c = format[i]
        i += 1
        if c.isspace():
            if not result or result[-1] != " ":
                result.append(" ")
        elif c != "%":
            result.append(c)
        elif i == len(format):
            raise ValueError(f"stray % in format '{format}'")
        else:
            letter = format[i]
            i += 1
            if letter == "%":
                result.append("%")
                continue
            if letter in _MISSING or letter in seen:
                again = " twice" if letter in seen else ""
                raise NotImplementedError(f"strptime with %{letter}{again}")
            if letter != "z" and letter not in _NUMBERS and letter not in _NAMES:
                raise ValueError(f"'{letter}' is a bad directive in format '{format}'")
            seen += letter
            result.append("%" + letter)
    return result


def _match(data: str, directives: list[str], number: int, start: int, ends: list[int]) -> bool:
    """Do those from ``number`` on fit from ``start`` on?  Then append where they end, the last
    one first."""
    if number == len(directives):
        if number == 0:
            ends.append(start)
        return True
    for end in _possible_ends(data, directives[number], start):
        if _match(data, directives, number + 1, end, ends):
            ends.append(end)
            return True
    return False


def _possible_ends(data: str, directive: str, start: int) -> list[int]:
    """Where the directive may end, the best first."""
    if directive == " ":
        end = start
        while end < len(data) and data[end].isspace():
            end += 1
        return list(range(end, start, -1))
    if len(directive) == 1:
        return [start + 1] if data[start : start + 1].lower() == directive.lower() else []
    letter = directive[1]
    if letter == "z":
        return _ends_of_zone(data, start)
    if letter in _NAMES:
        rest = data[start:].lower()
        return [start + len(name) for name in _NAMES[letter] if rest.startswith(name)]
    digits, least, most = _NUMBERS[letter]
    result: list[int] = []
    for count in range(digits, digits - 1 if letter in _OF_ALL_DIGITS else 0, -1):
        text = data[start : start + count]
        if count == 2 and letter in _AFTER_SPACE and text[:1] == " ":
            text = text[1:]
        elif len(text) != count:
            continue
        if text.isdigit() and least <= int(text) <= most:
            result.append(start + count)
    return result


def _ends_of_zone(data: str, start: int) -> list[int]:
    """``Z``, or ``+0130`` with or without seconds, colons, digits behind a point."""
    if data[start : start + 1] == "Z":
        return [start + 1]
    if data[start : start + 1] not in ("+", "-"):
        return []
    end = _behind_two_digits(data, start + 1, 99)
    end = _behind_two_digits(data, end + (data[end : end + 1] == ":"), 59)
    if end < 0:
        return []
    result = [end]
    end = _behind_two_digits(data, end + (data[end : end + 1] == ":"), 59)
    if end > 0:
        result.append(end)
        if data[end : end + 1] == ".":
            count = 1
            while count < 7 and data[end + count : end + count + 1].isdigit():
                count += 1
                result.append(end + count)
    result.reverse()
    return result


def _behind_two_digits(data: str, start: int, most: int) -> int:
    """-1 where they are none, or more than that."""
    text = data[start : start + 2] if start > 0 else ""
    return start + 2 if len(text) == 2 and text.isdigit() and int(text) <= most else -1


def _note(parsed: Parsed, directive: str, text: str) -> None:
    if len(directive) == 1:
        return
    letter = directive[1]
    if letter == "z":
        parsed.has_zone = True
        parsed.zone = _zone(text)
    elif letter in _NAMES:
        parsed.found[letter] = _NAMES[letter].index(text.lower())
    elif letter == "f":
        parsed.found[letter] = int((text + "00000")[:6])
    else:
        parsed.found[letter] = int(text)


def _zone(text: str) -> int:
    if text == "Z":
        return 0
    rest = text[1:]
    if rest[2] == ":":
        if len(rest) > 5 and rest[5] != ":":
            raise ValueError(f"Inconsistent use of : in {text}")
        rest = rest[:2] + rest[3:5] + rest[6:]
    elif ":" in rest:
        raise NotImplementedError(f"the zone {text}")
    seconds = (int(rest[:2]) * 60 + int(rest[2:4])) * 60 + int(rest[4:6] or "0")
    us = seconds * 10**6 + int((rest[7:] + "000000")[:6])
    return -us if text[0] == "-" else us
