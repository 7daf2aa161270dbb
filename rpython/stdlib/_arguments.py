"""Arguments that a program declares to ``argparse``: a class for each declaration, whose methods
know the attribute's name, and what its values are made by, as constants.

    parser.add_argument("-n", "--top", type=int)      namespace.top = int(text)
"""

from __future__ import annotations

import argparse
from typing import Any

from rpython.stdlib._registry import Refused, at_translation, per_values, refused, replaces

_ACTIONS = (
    "store", "store_const", "store_true", "store_false", "append", "append_const", "count", "help",
    "version",
)  # fmt: skip
_WITHOUT_VALUE = _ACTIONS[1:4] + _ACTIONS[5:]
_CONSTANTS = {"store_true": True, "store_false": False}

NO_VALUE, ONE, OPTIONAL, ANY, SOME, EXACTLY = range(6)
"""How many texts an argument takes."""
_COUNTS: dict[Any, int] = {None: ONE, "?": OPTIONAL, "*": ANY, "+": SOME}


ANY_IS_REQUIRED = argparse.ArgumentParser().add_argument("x", nargs="*").required
"""Does a host name a positional argument that may be nothing among those that are missing?"""


class Unset:
    """In place of a default that is not given."""


UNSET = Unset()


class ArgumentProblem(Exception):
    """What is wrong with what the user wrote; ``str()`` has the name of the argument in front."""


@replaces(argparse.Namespace)
class Namespace:
    """Those of each parser are of a class of their own."""

    @refused("the text of a Namespace is not supported: print its attributes one by one")
    def __repr__(self) -> str:
        return ""

    @refused("comparing a Namespace is not supported: compare its attributes one by one")
    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = None  # type: ignore[assignment]


class Declared:
    """What is declared of an argument, but for what depends on the kind of its value."""

    names: tuple[str, ...] = ()
    dest = ""
    takes = ONE
    count = 1
    """Where it takes exactly so many."""
    required = False
    action = "store"
    metavars: tuple[str, ...] = ()
    """Empty without a ``metavar``."""
    type_name = ""

    def __init__(self, help: str | None) -> None:
        self.help = "" if help is None else help
        self.choices_shown: list[str] = []
        self.choices_said: list[str] = []
        self.has_choices = False

    def name(self) -> str:
        """As in messages."""
        if self.names:
            return "/".join(self.names)
        return self.metavars[0] if self.metavars else self.dest

    def problem(self, message: str) -> ArgumentProblem:
        return ArgumentProblem(f"argument {self.name()}: {message}")

    def default_text(self) -> str:
        return "None"

    def has_late_default(self) -> bool:
        """Is the default a text, which is converted if nothing else is given?"""
        return False


@at_translation("parser")
def declared_class(parser: type) -> type:
    """What the classes of all arguments of that parser extend."""
    if "_rpython_declared_" not in vars(parser):
        names = ("_Namespace", "_Declared")
        space, declared = (type(n, (b,), {}) for n, b in zip(names, (Namespace, Declared)))
        parser._rpython_declared_ = declared  # type: ignore[attr-defined]
        declared.space = space  # type: ignore[attr-defined]
        space.__module__, space.__name__ = "argparse", "Namespace"
    return parser._rpython_declared_  # type: ignore[attr-defined,no-any-return]


@at_translation("parser")
def namespace_class(parser: type) -> type:
    """That of what the parser gives."""
    found: type = declared_class(parser).space  # type: ignore[attr-defined]
    return found


@at_translation("parser")
def group_class(parser: type) -> type:
    """Of what adds arguments to one of the parser's sections."""
    if "_rpython_group_" not in vars(parser):

        class Group:
            def __init__(self, parser: Any, section: int) -> None:
                self._parser = parser
                self._section = section

            @per_values
            def add_argument(
                self, *names: str, action: str = "store", nargs: Any = None, const: Any = None,
                default: Any = UNSET, type: Any = None, choices: Any = None,
                required: Any = None, help: str | None = None, metavar: Any = None,
                dest: Any = None, version: str | None = None,
            ) -> None:  # fmt: skip
                self._parser._declare(
                    self._section, action, nargs, const, default, type, choices, required, help,
                    metavar, dest, version, *names,
                )  # fmt: skip

        parser._rpython_group_ = Group  # type: ignore[attr-defined]
    return parser._rpython_group_  # type: ignore[attr-defined,no-any-return]


def _destination(names: tuple[str, ...], dest: str | None) -> tuple[bool, str]:
    """Is it an option?  The name of the attribute.  Raises Refused."""
    if len(names) == 0 or (len(names) == 1 and not names[0].startswith("-")):
        if names and dest is not None:
            raise Refused("dest supplied twice for positional argument")
        return False, names[0] if names else dest or ""
    for name in names:
        if not name.startswith("-"):
            raise Refused(f"invalid option string {name!r}: must start with a character '-'")
    if dest is None:
        dest = next((n for n in names if n.startswith("--")), names[0]).lstrip("-")
        dest = dest.replace("-", "_")
        if not dest:
            raise Refused(f"dest= is required for options like {names[-1]!r}")
    return True, dest


def _members(
    action: str, nargs: Any, required: Any, metavar: Any, option: bool, unset: bool, all: bool
) -> dict[str, Any]:
    """Raises Refused."""
    if action not in _ACTIONS:
        raise Refused(f"the action {action!r} of add_argument is not supported")
    if action in _WITHOUT_VALUE:
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
        if action not in ("store", "append"):
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


@at_translation(
    "default const choices help parser action nargs required metavar dest type unset all *names",
    "parser action nargs required metavar dest type unset all *names",
    what="all that add_argument() gets but default, const, choices and help",
)
def declare(
    *names: str, parser: Any, action: str, nargs: Any, required: Any, metavar: Any, dest: Any,
    type: Any, unset: bool, all: bool,
) -> Any:  # fmt: skip
    """What makes the argument, of a class of its own, from what is left.

    Args:
        parser: the class of the parser.
        unset: is no default given?
        all: are all values allowed, for there are no choices?
    """
    option, dest = _destination(names, dest)
    members = _members(action, nargs, required, metavar, option, unset, all)
    takes, constant = members["takes"], action in _CONSTANTS
    given = _CONSTANTS.get(action)
    base: Any = declared_class(parser)

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

        def has_late_default(self) -> bool:
            return isinstance(self.default, str)

        def set_default(self, namespace: Any) -> None:
            """Unless it is late."""
            if not isinstance(self.default, str):
                setattr(namespace, dest, self.default)

        def set_late_default(self, namespace: Any) -> None:
            if isinstance(self.default, str):
                setattr(namespace, dest, self._converted(self.default))

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
                missing = self.const if option else self.default
                if isinstance(missing, str):
                    return self._checked(self._converted(missing))
                return missing
            if takes == ANY and not option and not unset:
                if not texts and self.default is not None:
                    return self.default
            values = [self._converted(text) for text in texts]
            for value in values:
                self._checked(value)
            return values

        def take(self, namespace: Any, texts: list[str]) -> None:
            """The argument is there, with these texts."""
            if action == "store":
                setattr(namespace, dest, self._value(texts))
            elif action == "append" or action == "append_const":
                items = getattr(namespace, dest)
                items = [] if items is None else items[:]
                items.append(self._value(texts) if action == "append" else self.const)
                setattr(namespace, dest, items)
            elif action == "count":
                count = getattr(namespace, dest)
                count = 1 if count is None else count + 1
                setattr(namespace, dest, count)
            elif action != "help" and action != "version":
                setattr(namespace, dest, self.const)

    members["names"], members["dest"] = names if option else (), dest
    members["type_name"] = getattr(type, "__name__", repr(type))
    if action in ("help", "version"):
        for name in ("set_default", "set_late_default"):
            members[name] = _nothing
    for name, value in members.items():
        setattr(Argument, name, value)

    def declared(default: Any, const: Any, choices: Any, help: str | None) -> Any:
        return Argument(default, const, choices, help)

    return declared


def _nothing(self: Any, namespace: Any) -> None:
    """Such an argument has no attribute."""


def _said_by_host() -> Any:
    """``repr`` or ``str``, by which the host writes the choices in a message."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument("x", choices="ab")
    try:
        parser.parse_args(["c"])
    except argparse.ArgumentError as error:
        return repr if "'a'" in str(error) else str


said = _said_by_host()
