"""Matching the arguments of a call with the parameters of a function.

The annotator and the rtyper both have to do it, one with annotations and one with
values, so the result says *where each parameter comes from* rather than what it is.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from rpython.annotator.lattice.model import SomeObject
from rpython.stdlib._keywords import missing_arguments, positional_only_passed
from rpython.translator.flow.signature import Signature
from rpython.translator.ir.errors import AnnotatorError, did_you_mean
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span

_USE_FACTORY: Any = vars(dataclasses)["_HAS_DEFAULT_FACTORY"]
"""The default of a parameter of a dataclass's ``__init__`` with a ``default_factory``."""


class ArgumentError(Exception):
    """The arguments do not fit; the text is CPython's."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class ArgumentMismatch(AnnotatorError):
    """The same, located: refused unless other functions may be called in its place."""


@dataclass(frozen=True, slots=True)
class FromArg:
    """The parameter is the call's argument number ``index``."""

    index: int


@dataclass(frozen=True, slots=True)
class FromStar:
    """The parameter is item ``item`` of the ``*`` argument, number ``index``."""

    index: int
    item: int


@dataclass(frozen=True, slots=True)
class FromMapping:
    """The parameter is item ``item`` of the ``**`` argument, number ``index``."""

    index: int
    item: int


@dataclass(frozen=True, slots=True)
class FromItem:
    """The parameter is item ``item`` of the ``*`` argument, number ``index``, a tuple whose length
    is not known; where it has fewer, ``default``, or else TypeError."""

    index: int
    item: int
    default: FromDefault | None


Given = FromArg | FromStar | FromMapping
"""Where an argument that the call gives comes from."""


@dataclass(frozen=True, slots=True)
class FromDefault:
    """The parameter is its default, a host value."""

    value: Any


@dataclass(frozen=True, slots=True)
class FromRest:
    """The parameter is ``*vararg``: a tuple of these, and of the items from ``star`` on where the
    ``*`` argument has a length that is not known."""

    items: tuple[Given, ...]
    star: FromItem | None = None


@dataclass(frozen=True, slots=True)
class FromKeywords:
    """The parameter is ``**kwarg``: these, by name; what is named ``**`` is a dict of all."""

    names: tuple[str, ...]
    items: tuple[Given, ...]

    @property
    def is_dict(self) -> bool:
        return self.names == ("**",)


Source = FromArg | FromStar | FromItem | FromMapping | FromDefault | FromRest | FromKeywords


ANY = -1


@dataclass(frozen=True, slots=True)
class CallKey:
    """What the graph of a function depends on besides its parameters' annotations.

    ``rest``: how many arguments ``*vararg`` gets, ANY where nobody knows; ``keywords``: the names
    that ``**kwarg`` gets, ``**`` for a dict of all; None: there is no such parameter.  ``args``: of
    a specialised function, the annotations of the arguments that matter
    (``annotator.program.specialise``).
    """

    rest: int | None = None
    keywords: tuple[str, ...] | None = None
    args: tuple[SomeObject | None, ...] | None = None
    factories: tuple[int, ...] = ()
    """The parameters that the caller leaves to a ``default_factory`` of a dataclass."""
    variant: int = 0
    """Its number among the graphs for arguments that cannot share one (``variants.py``)."""
    place: Span | None = None
    """Of a function with ``specialize.call_location``: where it is called."""


def call_key(
    sources: list[Source], args: tuple[SomeObject | None, ...] | None, place: Span | None = None
) -> CallKey | None:
    """The key of the graph for these arguments; None when there is only one graph.

    ``args`` and ``place``: as in CallKey.
    """
    rest = keywords = None
    factories = tuple(
        i for i, source in enumerate(sources)
        if isinstance(source, FromDefault) and source.value is _USE_FACTORY
    )  # fmt: skip
    for source in sources:
        if isinstance(source, FromRest):
            rest = len(source.items) if source.star is None else ANY
        elif isinstance(source, FromKeywords):
            keywords = source.names
    key = CallKey(rest, keywords, args, factories, place=place)
    return None if key == CallKey() else key


@dataclass(slots=True)
class Arguments:
    """The arguments of a call, stars taken apart."""

    positional: list[Given]
    keywords: dict[str, Given]
    star: int | None = None
    """The number of the ``*`` argument, if its length is not known."""


def split_arguments(
    name: str,
    shape: CallShape,
    star_length: int | None,
    mappings: Mapping[int, tuple[str, ...] | None],
) -> Arguments:
    """The arguments that a call gives.

    ``shape`` numbers the arguments: positional ones, keywords, star.  ``star_length`` is the
    length of the star argument (a tuple), None where it is not known; ``mappings``: the keywords
    in each ``**`` argument, by its number, None for a dict, which goes to the ``**`` parameter.
    Raises ArgumentError, about the function called ``name``.
    """
    positional: list[Given] = [FromArg(i) for i in range(shape.positional)]
    keywords: dict[str, Given] = {}
    for index, key in enumerate(shape.keywords, shape.positional):
        named: list[tuple[str, Given]] = [(key, FromArg(index))]
        if key == "**" and (names := mappings[index]) is not None:
            named = [(k, FromMapping(index, i)) for i, k in enumerate(names)]
        for known, source in named:
            if known in keywords:
                raise ArgumentError(f"{name}() got multiple values for keyword argument '{known}'")
            keywords[known] = source
    if not shape.star:
        return Arguments(positional, keywords)
    star_index = shape.positional + len(shape.keywords)
    if star_length is None:
        return Arguments(positional, keywords, star_index)
    positional.extend(FromStar(star_index, i) for i in range(star_length))
    return Arguments(positional, keywords)


def match_arguments(name: str, signature: Signature, arguments: Arguments) -> list[Source]:
    """Where each parameter comes from, in inputarg order.  Raises ArgumentError."""
    defaults = signature.defaults_by_name()
    given, keywords = arguments.positional, dict(arguments.keywords)
    result: list[Source] = []
    missing: list[str] = []
    star = arguments.star
    _check_keywords(name, signature, arguments)
    extra = given[len(signature.argnames) :]
    if extra and signature.vararg is None:
        raise ArgumentError(_too_many(name, signature, len(given)))
    for i, param in enumerate(signature.argnames):
        by_keyword = param in keywords and i >= signature.posonly
        if i < len(given):
            result.append(given[i])
        elif by_keyword:
            result.append(keywords.pop(param))
            star = None  # whatever is behind this one is not from there
        elif star is not None:
            default = FromDefault(defaults[param]) if param in defaults else None
            result.append(FromItem(star, i - len(given), default))
        elif param in defaults:
            result.append(FromDefault(defaults[param]))
        else:
            missing.append(param)
    if missing:
        raise ArgumentError(missing_arguments(name, "positional", missing, ()))
    for param in signature.kwonly:
        if param in keywords:
            result.append(keywords.pop(param))
        elif param in defaults:
            result.append(FromDefault(defaults[param]))
        else:
            missing.append(param)
    if missing:
        raise ArgumentError(missing_arguments(name, "keyword-only", missing, ()))
    if signature.vararg is not None:
        more = None
        if star is not None:
            more = FromItem(star, max(len(signature.argnames) - len(given), 0), None)
        result.append(FromRest(tuple(extra), more))
    if signature.kwarg is not None:
        result.append(FromKeywords(tuple(keywords), tuple(keywords.values())))
    return result


def _check_keywords(name: str, signature: Signature, arguments: Arguments) -> None:
    """Raise ArgumentError for a keyword that no parameter takes, or one that has a value already:
    CPython looks for these first, and counts positional arguments then."""
    by_name = signature.argnames[signature.posonly :]
    open_ones = signature.argnames[max(len(arguments.positional), signature.posonly) :]
    for key in arguments.keywords:
        if key in by_name:
            if signature.argnames.index(key) < len(arguments.positional):
                raise ArgumentError(f"{name}() got multiple values for argument '{key}'")
        elif key not in signature.kwonly and signature.kwarg is None:
            before = signature.argnames[: signature.posonly]
            passed = [param for param in before if param in arguments.keywords]
            if passed:
                raise ArgumentError(positional_only_passed(name, passed, passed))
            raise ArgumentError(
                f"{name}() got an unexpected keyword argument '{key}'",
                did_you_mean(key, sorted({*open_ones, *signature.kwonly} - {*arguments.keywords})),
            )


@dataclass(frozen=True, slots=True)
class StarMatch:
    """What a call does whose ``*`` argument, of unknown length, has too few or too many items."""

    missing: tuple[str, ...]
    """The message of the TypeError for 0, 1, 2, ... items, if there are too few."""
    most: int | None
    """How many items there may be; None: any number."""
    too_many: tuple[str, str]
    """The message for more, around the number of arguments given; one part alone is all of it."""
    others: int
    """How many arguments that number counts besides the items."""


def match_star(
    name: str, signature: Signature, arguments: Arguments, sources: list[Source]
) -> StarMatch:
    """How many items the ``*`` argument, of unknown length, must have."""
    given = len(arguments.positional)
    items = [source for source in sources if isinstance(source, FromItem)]
    required = [signature.argnames[given + i.item] for i in items if i.default is None]
    missing = tuple(
        missing_arguments(name, "positional", required[have:], ()) for have in range(len(required))
    )
    most: int | None = len(items)
    too_many = _too_many_around(name, signature)
    if any(isinstance(source, FromRest) and source.star for source in sources):
        most = None
    elif given + len(items) < len(signature.argnames):
        param = signature.argnames[given + len(items)]
        too_many = f"{name}() got multiple values for argument '{param}'", ""
    return StarMatch(missing, most, too_many, given - signature.is_closure)


def _too_many(name: str, signature: Signature, given: int) -> str:
    before, after = _too_many_around(name, signature)
    given -= signature.is_closure
    return f"{before}{given}{' was given' if given == 1 else after}"


def _too_many_around(name: str, signature: Signature) -> tuple[str, str]:
    """The message, before and behind how many arguments were given."""
    wanted = len(signature.argnames)
    if signature.is_closure:
        wanted -= 1
    plural = "" if wanted == 1 else "s"
    takes = str(wanted)
    if signature.defaults:
        takes = f"from {wanted - len(signature.defaults)} to {wanted}"
        plural = "s"
    return f"{name}() takes {takes} positional argument{plural} but ", " were given"
