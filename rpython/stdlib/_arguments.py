"""Arguments that a program declares to ``argparse``: a class for each declaration, whose methods
know the attribute's name, and what its values are made by, as constants.

    parser.add_argument("-n", "--top", type=int)      namespace.top = int(text)
"""

from __future__ import annotations

import argparse
from typing import Any

from rpython.stdlib._attributes import reserve_attribute
from rpython.stdlib._declared import (
    ANY,
    EXACTLY,
    NO_VALUE,
    ONE,
    OPTIONAL,
    OTHER,
    SOME,
    family,
)
from rpython.stdlib._registry import Refused, at_translation, per_arguments

_ACTIONS = (
    "store", "store_const", "store_true", "store_false", "append", "append_const", "extend",
    "count", "help", "version",
)  # fmt: skip
_WITH_VALUE = ("store", "append", "extend")
_APPENDING = ("append", "append_const", "extend")
_CONSTANTS = {"store_true": True, "store_false": False}
_COUNTS: dict[Any, int] = {None: ONE, "?": OPTIONAL, "*": ANY, "+": SOME}


ANY_IS_REQUIRED = argparse.ArgumentParser().add_argument("x", nargs="*").required
"""Does a host name a positional argument that may be nothing among those that are missing?"""


def _destination(names: tuple[str, ...], dest: str | None) -> tuple[bool, str]:
    """Is it an option?  The name of the attribute.  Raises Refused."""
    if len(names) == 0 or (len(names) == 1 and not names[0].startswith("-")):
        if names and dest is not None:
            raise Refused("dest supplied twice for positional argument")
        return False, _attribute(names[0] if names else dest or "")
    for name in names:
        if not name.startswith("-"):
            raise Refused(f"invalid option string {name!r}: must start with a character '-'")
    if dest is None:
        dest = next((n for n in names if n.startswith("--")), names[0]).lstrip("-")
        dest = dest.replace("-", "_")
        if not dest:
            raise Refused(f"dest= is required for options like {names[-1]!r}")
    return True, _attribute(dest)


def _attribute(dest: str) -> str:
    if not dest.isidentifier():
        raise Refused(f"an argument whose attribute would be called {dest!r} is not supported")
    return dest


def _members(
    action: str, nargs: Any, required: Any, metavar: Any, option: bool, unset: bool, all: bool
) -> dict[str, Any]:
    """Raises Refused."""
    if action not in _ACTIONS:
        raise Refused(f"the action {action!r} of add_argument is not supported")
    if action not in _WITH_VALUE:
        if nargs is not None:
            raise Refused(f"nargs with the action {action!r}")
        takes = NO_VALUE
    elif isinstance(nargs, int) and not isinstance(nargs, bool):
        if nargs < 1:
            raise Refused(f"nargs for {action} actions must be != 0")
        takes = EXACTLY
    elif nargs in _COUNTS:
        takes = _COUNTS[nargs]
    else:
        raise Refused(f"nargs={nargs!r} of add_argument is not supported")
    if not option:
        if action not in _WITH_VALUE:
            raise Refused(f"a positional argument with the action {action!r} is not supported")
        if required is not None:
            raise Refused("'required' is an invalid argument for positionals")
        required = takes != OPTIONAL and (takes != ANY or (unset and ANY_IS_REQUIRED))
    metavars = metavar if isinstance(metavar, tuple) else () if metavar is None else (metavar,)
    length = nargs if takes == EXACTLY else 2 if takes == SOME else 1
    if takes == ANY and not option and not all:
        raise Refused("choices of a positional argument with nargs='*' are not supported")
    if isinstance(metavar, tuple) and len(metavar) not in {length, 2 if takes == ANY else length}:
        raise Refused("length of metavar tuple does not match nargs")
    return {
        "takes": takes, "count": nargs if takes == EXACTLY else 1, "required": bool(required),
        "action": action, "metavars": metavars,
    }  # fmt: skip


@per_arguments
def _is_same_object(value: Any, default: Any) -> bool:
    """Is a value that was read the very default in CPython, which has small ints and the
    empty text once?  Of other texts that is open."""
    if value is None or default is None:
        return value is None and default is None
    if isinstance(value, bool) or isinstance(default, bool):
        return isinstance(value, bool) and isinstance(default, bool) and value == default
    if isinstance(value, int):
        return isinstance(default, int) and value == default and -5 <= value <= 256
    if isinstance(value, float):
        return False
    if isinstance(value, str):
        if not isinstance(default, str) or value != default:
            return False
        if not value:
            return True
        raise NotImplementedError(f"the default {default!r} given in a mutually exclusive group")
    return value is default


@at_translation(
    "default const choices help parser action nargs required metavar dest type unset all exclusive"
    " *names",
    "parser action nargs required metavar dest type unset all exclusive *names",
    what="all that add_argument() gets but default, const, choices and help",
)
def declare(
    *names: str, parser: Any, action: str, nargs: Any, required: Any, metavar: Any, dest: Any,
    type: Any, unset: bool, all: bool, exclusive: bool,
) -> Any:  # fmt: skip
    """What makes the argument, of a class of its own, from what is left.

    Args:
        parser: the class of the parser.
        unset: is no default given?
        all: are all values allowed, for there are no choices?
        exclusive: is it in a mutually exclusive group?
    """
    option, dest = _destination(names, dest)
    members = _members(action, nargs, required, metavar, option, unset, all)
    takes, constant = members["takes"], action in _CONSTANTS
    given = _CONSTANTS.get(action)
    base: Any = family(parser).with_dest(dest)

    class Argument(base):  # type: ignore[misc]
        def __init__(self, default: Any, const: Any, choices: Any, help: str | None) -> None:
            base.__init__(self, help)
            if not unset:
                self.default = default
            else:
                self.default = (not given) if constant else None
            self.const = given if constant else const
            if not all:
                self.choices = choices
                self.has_choices = True
                self.choices_shown = [str(choice) for choice in choices]
                self.choices_said = [said(choice) for choice in choices]

        def default_text(self) -> str:
            return str(self.default)

        def is_suppressed(self) -> bool:
            return isinstance(self.default, str) and self.default == argparse.SUPPRESS

        def has_late_default(self) -> bool:
            return isinstance(self.default, str) and self.default != argparse.SUPPRESS

        def set_default(self, namespace: Any) -> None:
            reserve_attribute(namespace, dest)
            if not isinstance(self.default, str):
                setattr(namespace, dest, self.default)

        def set_late_default(self, namespace: Any) -> None:
            if isinstance(self.default, str):
                setattr(namespace, dest, self._converted(self.default))

        def would_convert(self, namespace: Any) -> bool:
            if type is None or not isinstance(self.default, str):
                return False
            found = getattr(namespace, dest)
            return isinstance(found, str) and found == self.default

        def _converted(self, text: str) -> Any:
            if type is None:
                return text
            try:
                return type(text)
            except argparse.ArgumentTypeError as error:
                raise self.problem(str(error)) from None
            except (TypeError, ValueError):
                raise self.problem(f"invalid {self.type_name} value: {text!r}") from None

        def _checked(self, value: Any) -> Any:
            if not all and value not in self.choices:
                among = ", ".join(self.choices_said)
                raise self.problem(f"invalid choice: {value!r} (choose from {among})")
            return value

        def _value(self, texts: list[str]) -> Any:
            """What the texts stand for."""
            if takes == ONE:
                return self._checked(self._converted(texts[0]))
            if takes == OPTIONAL:
                if texts:
                    return self._checked(self._converted(texts[0]))
                return self._without_text()
            if takes == ANY and not option:
                if not texts and self.default is not None:
                    return self._only_default()
            values = [self._converted(text) for text in texts]
            for value in values:
                self._checked(value)
            return values

        def _without_text(self) -> Any:
            missing = self.const if option else self._only_default()
            if isinstance(missing, str):
                self.reading_gave_default = not option and type is None
                return self._checked(self._converted(missing))
            return missing

        def _only_default(self) -> Any:
            if isinstance(self.default, str) and self.default == argparse.SUPPRESS:
                raise NotImplementedError("a positional argument with the default SUPPRESS")
            self.reading_gave_default = True
            return self.default

        def read(self, texts: list[str]) -> None:
            self.reading_gave_default = False
            if action in _WITH_VALUE:
                self.value = self._value(texts)
                if exclusive and option:
                    self.reading_gave_default = _is_same_object(self.value, self.default)

        def store(self, namespace: Any, owner: dict[str, int]) -> list[str]:
            owner[dest] = OTHER
            if action == "store":
                setattr(namespace, dest, self.value)
            elif action in _APPENDING:
                items = getattr(namespace, dest, None)
                items = [] if items is None else items[:]
                if action == "extend":
                    items.extend(self.value)
                else:
                    items.append(self.value if action == "append" else self.const)
                setattr(namespace, dest, items)
            elif action == "count":
                count = getattr(namespace, dest, None)
                count = 1 if count is None else count + 1
                setattr(namespace, dest, count)
            else:
                setattr(namespace, dest, self.const)
            return []

        def copy(self, source: Any, target: Any) -> list[str]:
            if not hasattr(source, dest):
                return []
            setattr(target, dest, getattr(source, dest))
            return [dest]

    members["names"] = names if option else ()
    members["type_name"] = getattr(type, "__name__", repr(type))
    if action in ("help", "version"):
        members["gives"] = False
        members |= {k: v for k, v in vars(_Silent).items() if not k.startswith("__")}
    for name, value in members.items():
        setattr(Argument, name, value)

    def declared(default: Any, const: Any, choices: Any, help: str | None) -> Any:
        return Argument(default, const, choices, help)

    return declared


class _Silent:
    """What ``--help`` and ``--version`` do: they have no attribute."""

    def is_suppressed(self) -> bool:
        return True

    def set_default(self, namespace: Any) -> None:
        pass

    def set_late_default(self, namespace: Any) -> None:
        pass

    def store(self, namespace: Any, owner: dict[str, int]) -> list[str]:
        return []

    def copy(self, source: Any, target: Any) -> list[str]:
        return []


def _said_by_host() -> Any:
    """``repr`` or ``str``, by which the host writes the choices in a message."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument("x", choices="ab")
    try:
        parser.parse_args(["c"])
    except argparse.ArgumentError as error:
        return repr if "'a'" in str(error) else str


said = _said_by_host()
