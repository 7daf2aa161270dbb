"""What tests assert (``unittest``), and what failures say."""

from __future__ import annotations

import difflib
import os.path
import re
import unittest
from typing import Any

from rpython.stdlib._registry import at_translation, per_arguments, per_values
from rpython.stdlib.pprint import pformat

_LONG = 80
_PLACEHOLDER = 12
_SHORTEST = 5
_LONGEST_DIFFERENCE = _LONG - (3 * _SHORTEST + 2 * _PLACEHOLDER)


def _shortened(text: str, begin: int, end: int) -> str:
    skipped = len(text) - begin - end
    if skipped <= _PLACEHOLDER:
        return text
    return f"{text[:begin]}[{skipped} chars]{text[len(text) - end :]}"


def two_texts(a: str, b: str) -> tuple[str, str]:
    """Both without what makes them longer than a line, if they are."""
    longest = max(len(a), len(b))
    if longest <= _LONG:
        return a, b
    prefix = os.path.commonprefix([a, b])  # noqa: RUF071
    rest_a, rest_b = a[len(prefix) :], b[len(prefix) :]
    common = _LONG - (longest - len(prefix) + _SHORTEST + _PLACEHOLDER)
    if common > _SHORTEST:
        prefix = _shortened(prefix, _SHORTEST, common)
        return prefix + rest_a, prefix + rest_b
    prefix = _shortened(prefix, _SHORTEST, _SHORTEST)
    return (
        prefix + _shortened(rest_a, _LONGEST_DIFFERENCE, _SHORTEST),
        prefix + _shortened(rest_b, _LONGEST_DIFFERENCE, _SHORTEST),
    )


def _differ(a: str, b: str) -> str:
    first, second = two_texts(a, b)
    return f"{first} != {second}"



@per_arguments
def _of_shape(a: Any, b: Any) -> str:
    """The lines in which both differ."""
    old, new = pformat(a).splitlines(), pformat(b).splitlines()
    return "\n" + "\n".join(difflib.ndiff(old, new))


class Assertions:
    """The methods of test cases that assert something."""

    longMessage = True
    maxDiff: int | None = 640

    def _fail(self, msg: str | None, message: str) -> AssertionError:
        if msg is None:
            return AssertionError(message)
        return AssertionError(f"{message} : {msg}" if self.longMessage else msg)

    def _with_difference(self, message: str, difference: str) -> str:
        if self.maxDiff is None or len(difference) <= self.maxDiff:
            return message + difference
        return message + (
            f"\nDiff is {len(difference)} characters long. Set self.maxDiff to None to see it."
        )

    def fail(self, msg: str | None = None) -> None:
        if msg is None:
            raise AssertionError(None)
        raise AssertionError(msg)

    @per_arguments
    def assertTrue(self, expr: Any, msg: str | None = None) -> None:
        if not expr:
            raise self._fail(msg, f"{expr!r} is not true")

    @per_arguments
    def assertFalse(self, expr: Any, msg: str | None = None) -> None:
        if expr:
            raise self._fail(msg, f"{expr!r} is not false")

    @per_arguments
    def assertEqual(self, first: Any, second: Any, msg: str | None = None) -> None:
        if not first == second:
            raise self._fail(msg, self._unequal(first, second))

    @per_arguments
    def _unequal(self, a: Any, b: Any) -> str:
        if isinstance(a, str) and isinstance(b, str):
            return self._text_difference(a, b)
        if isinstance(a, list) and isinstance(b, list):
            return self._sequence_difference("list", a, b)
        if isinstance(a, tuple) and isinstance(b, tuple):
            if not hasattr(a, "_fields") and not hasattr(b, "_fields"):
                return self._sequence_difference("tuple", a, b)
        elif isinstance(a, dict) and isinstance(b, dict):
            return self._with_difference(_differ(repr(a), repr(b)), _of_shape(a, b))
        elif isinstance(a, set) and isinstance(b, set):  # noqa: SIM114  of one kind
            return _set_difference(a, b)
        elif isinstance(a, frozenset) and isinstance(b, frozenset):
            return _set_difference(a, b)
        return _differ(repr(a), repr(b))

    def _text_difference(self, a: str, b: str) -> str:
        if len(a) > 65536 or len(b) > 65536:
            return _differ(repr(a), repr(b))
        old, new = a.splitlines(True), b.splitlines(True)
        if len(old) == 1 and a.strip("\r\n") == a:
            old, new = [a + "\n"], [b + "\n"]
        return self._with_difference(
            _differ(repr(a), repr(b)), "\n" + "".join(difflib.ndiff(old, new))
        )

    @per_arguments
    def _sequence_difference(self, name: str, a: Any, b: Any) -> str:
        text = f"{name.capitalize()}s differ: {_differ(repr(a), repr(b))}\n"
        old, new = [repr(item) for item in a], [repr(item) for item in b]
        same = [x == y for x, y in zip(a, b)]
        for i in range(len(same)):
            if not same[i]:
                first, second = two_texts(old[i], new[i])
                text += f"\nFirst differing element {i}:\n{first}\n{second}\n"
                break
        if len(old) > len(new):
            text += f"\nFirst {name} contains {len(old) - len(new)} additional elements.\n"
            text += f"First extra element {len(new)}:\n{old[len(new)]}\n"
        elif len(old) < len(new):
            text += f"\nSecond {name} contains {len(new) - len(old)} additional elements.\n"
            text += f"First extra element {len(old)}:\n{new[len(old)]}\n"
        return self._with_difference(text, _of_shape(a, b))

    @per_arguments
    def assertNotEqual(self, first: Any, second: Any, msg: str | None = None) -> None:
        if not first != second:
            raise self._fail(msg, f"{first!r} == {second!r}")

    @per_arguments
    def assertListEqual(self, list1: Any, list2: Any, msg: str | None = None) -> None:
        if not list1 == list2:
            raise self._fail(msg, self._sequence_difference("list", list1, list2))

    @per_arguments
    def assertTupleEqual(self, tuple1: Any, tuple2: Any, msg: str | None = None) -> None:
        if not tuple1 == tuple2:
            raise self._fail(msg, self._sequence_difference("tuple", tuple1, tuple2))

    @per_arguments
    def assertSetEqual(self, set1: Any, set2: Any, msg: str | None = None) -> None:
        if set1 != set2:
            raise self._fail(msg, _set_difference(set1, set2))

    @per_arguments
    def assertDictEqual(self, d1: Any, d2: Any, msg: str | None = None) -> None:
        if d1 != d2:
            text = self._with_difference(_differ(repr(d1), repr(d2)), _of_shape(d1, d2))
            raise self._fail(msg, text)

    def assertMultiLineEqual(self, first: str, second: str, msg: str | None = None) -> None:
        if first != second:
            raise self._fail(msg, self._text_difference(first, second))

    @per_arguments
    def assertCountEqual(self, first: Any, second: Any, msg: str | None = None) -> None:
        ours, theirs = list(first), list(second)
        lines = [
            f"First has {ours.count(x)}, Second has {theirs.count(x)}:  {x!r}"
            for i, x in enumerate(ours)
            if x not in ours[:i] and ours.count(x) != theirs.count(x)
        ]
        lines += [
            f"First has 0, Second has {theirs.count(x)}:  {x!r}"
            for i, x in enumerate(theirs)
            if x not in theirs[:i] and x not in ours
        ]
        if lines:
            text = self._with_difference("Element counts were not equal:\n", "\n".join(lines))
            raise self._fail(msg, text)

    @per_arguments
    def assertIn(self, member: Any, container: Any, msg: str | None = None) -> None:
        if member not in container:
            raise self._fail(msg, f"{member!r} not found in {container!r}")

    @per_arguments
    def assertNotIn(self, member: Any, container: Any, msg: str | None = None) -> None:
        if member in container:
            raise self._fail(msg, f"{member!r} unexpectedly found in {container!r}")

    @per_arguments
    def assertIs(self, expr1: Any, expr2: Any, msg: str | None = None) -> None:
        if expr1 is not expr2:
            raise self._fail(msg, f"{expr1!r} is not {expr2!r}")

    @per_arguments
    def assertIsNot(self, expr1: Any, expr2: Any, msg: str | None = None) -> None:
        if expr1 is expr2:
            raise self._fail(msg, f"unexpectedly identical: {expr1!r}")

    @per_arguments
    def assertIsNone(self, obj: Any, msg: str | None = None) -> None:
        if obj is not None:
            raise self._fail(msg, f"{obj!r} is not None")

    @per_arguments
    def assertIsNotNone(self, obj: Any, msg: str | None = None) -> None:
        if obj is None:
            raise self._fail(msg, "unexpectedly None")

    @per_values
    def assertIsInstance(self, obj: Any, cls: Any, msg: str | None = None) -> None:
        if not isinstance(obj, cls):
            raise self._fail(msg, f"{obj!r} is not an instance of {cls!r}")

    @per_values
    def assertNotIsInstance(self, obj: Any, cls: Any, msg: str | None = None) -> None:
        if isinstance(obj, cls):
            raise self._fail(msg, f"{obj!r} is an instance of {cls!r}")

    @per_arguments
    def assertLess(self, a: Any, b: Any, msg: str | None = None) -> None:
        if not a < b:
            raise self._fail(msg, f"{a!r} not less than {b!r}")

    @per_arguments
    def assertLessEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        if not a <= b:
            raise self._fail(msg, f"{a!r} not less than or equal to {b!r}")

    @per_arguments
    def assertGreater(self, a: Any, b: Any, msg: str | None = None) -> None:
        if not a > b:
            raise self._fail(msg, f"{a!r} not greater than {b!r}")

    @per_arguments
    def assertGreaterEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        if not a >= b:
            raise self._fail(msg, f"{a!r} not greater than or equal to {b!r}")

    @per_values
    def assertAlmostEqual(
        self, first: Any, second: Any, places: Any = None, msg: str | None = None,
        delta: Any = None,
    ) -> None:  # fmt: skip
        if first == second:
            return
        if delta is not None and places is not None:
            raise TypeError("specify delta or places not both")
        difference = abs(first - second)
        if delta is not None:
            if not difference <= delta:
                text = f"within {delta!r} delta ({difference!r} difference)"
                raise self._fail(msg, f"{first!r} != {second!r} {text}")
        else:
            digits = 7 if places is None else places
            if round(difference, digits) != 0:
                text = f"within {digits!r} places ({difference!r} difference)"
                raise self._fail(msg, f"{first!r} != {second!r} {text}")

    @per_values
    def assertNotAlmostEqual(
        self, first: Any, second: Any, places: Any = None, msg: str | None = None,
        delta: Any = None,
    ) -> None:  # fmt: skip
        if delta is not None and places is not None:
            raise TypeError("specify delta or places not both")
        difference = abs(first - second)
        if delta is not None:
            if first == second or not difference > delta:
                text = f"within {delta!r} delta ({difference!r} difference)"
                raise self._fail(msg, f"{first!r} == {second!r} {text}")
        else:
            digits = 7 if places is None else places
            if first == second or round(difference, digits) == 0:
                raise self._fail(msg, f"{first!r} == {second!r} within {digits!r} places")

    @per_values
    def assertRegex(self, text: str, expected_regex: Any, msg: str | None = None) -> None:
        if not re.search(expected_regex, text):
            pattern = _pattern(expected_regex)
            raise self._fail(msg, f"Regex didn't match: {pattern!r} not found in {text!r}")

    @per_values
    def assertNotRegex(self, text: str, unexpected_regex: Any, msg: str | None = None) -> None:
        match = re.search(unexpected_regex, text)
        if match:
            found = text[match.start() : match.end()]
            pattern = _pattern(unexpected_regex)
            message = f"Regex matched: {found!r} matches {pattern!r} in {text!r}"
            raise self._fail(msg, message)

    @per_values
    def assertRaises(self, expected_exception: Any, *args: Any, **kwargs: Any) -> Any:
        manager = _raises(expected_exception)()
        if len(args) == 0:
            manager.message = kwargs.get("msg")
            return manager
        else:
            manager.by = _name_of(args[0])
            with manager:
                args[0](*args[1:], **kwargs)

    @per_values
    def assertRaisesRegex(
        self, expected_exception: Any, expected_regex: Any, *args: Any, **kwargs: Any
    ) -> Any:
        manager = _raises(expected_exception, expected_regex)()
        if len(args) == 0:
            manager.message = kwargs.get("msg")
            return manager
        else:
            manager.by = _name_of(args[0])
            with manager:
                args[0](*args[1:], **kwargs)


@per_arguments
def _set_difference(a: Any, b: Any) -> str:
    lines: list[str] = []
    first, second = a.difference(b), b.difference(a)
    if first:
        lines.append("Items in the first set but not the second:")
        lines += [repr(item) for item in first]
    if second:
        lines.append("Items in the second set but not the first:")
        lines += [repr(item) for item in second]
    return "\n".join(lines)


@per_values
def _pattern(regex: Any) -> str:
    return regex if isinstance(regex, str) else str(regex.pattern)


@per_arguments
def _name_of(function: Any) -> str:
    return str(function.__name__)


@at_translation("expected regex", what="what assertRaises expects")
def _raises(expected: Any, regex: Any = None) -> type:
    """The class of what ``assertRaises(expected)`` gives."""
    name = str(expected) if isinstance(expected, tuple) else expected.__name__

    class AssertRaises:
        def __init__(self) -> None:
            self.by = ""
            self.message: str | None = None

        def __enter__(self) -> Any:
            return self

        def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> bool:
            if error is None:
                text = f"{name} not raised by {self.by}" if self.by else f"{name} not raised"
                if self.message is not None:
                    text = f"{text} : {self.message}"
                raise AssertionError(text)
            if not isinstance(error, expected):
                return False
            self.exception = error.with_traceback(None)
            if regex is not None and not re.search(regex, str(error)):
                text = f'"{_pattern(regex)}" does not match "{error}"'
                if self.message is not None:
                    text = f"{text} : {self.message}"
                raise AssertionError(text)
            return True

    AssertRaises.__module__ = unittest.__name__
    return AssertRaises
