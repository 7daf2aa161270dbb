"""Matching the arguments of a call with the parameters of a function.

The annotator and the rtyper both have to do it, one with annotations and one with
values, so the result says *where each parameter comes from* rather than what it is.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from rpython.annotator.lattice.model import SomeObject
from rpython.translator.flow.signature import Signature
from rpython.translator.ir.errors import AnnotatorError
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.span import Span

_USE_FACTORY: Any = vars(dataclasses)["_HAS_DEFAULT_FACTORY"]
"""The default of a parameter of a dataclass's ``__init__`` with a ``default_factory``."""


class ArgumentError(Exception):
    """The arguments do not fit; the text is CPython's."""


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


Given = FromArg | FromStar | FromMapping
"""Where an argument that the call gives comes from."""


@dataclass(frozen=True, slots=True)
class FromDefault:
    """The parameter is its default, a host value."""

    value: Any


@dataclass(frozen=True, slots=True)
class FromRest:
    """The parameter is ``*vararg``: a tuple of these."""

    items: tuple[Given, ...]


@dataclass(frozen=True, slots=True)
class FromKeywords:
    """The parameter is ``**kwarg``: these, by name."""

    names: tuple[str, ...]
    items: tuple[Given, ...]


Source = FromArg | FromStar | FromMapping | FromDefault | FromRest | FromKeywords


@dataclass(frozen=True, slots=True)
class CallKey:
    """What the graph of a function depends on besides its parameters' annotations.

    ``rest``: how many arguments ``*vararg`` gets; ``keywords``: the names that ``**kwarg`` gets;
    None: there is no such parameter.  ``args``: of a specialised function, the annotations of
    the arguments that matter (``annotator.program.specialise``).
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
            rest = len(source.items)
        elif isinstance(source, FromKeywords):
            keywords = source.names
    key = CallKey(rest, keywords, args, factories, place=place)
    return None if key == CallKey() else key


@dataclass(slots=True)
class Arguments:
    """The arguments of a call, stars taken apart."""

    positional: list[Given]
    keywords: dict[str, Given]


def split_arguments(
    name: str, shape: CallShape, star_length: int, mappings: dict[int, tuple[str, ...]]
) -> Arguments:
    """The arguments that a call gives.

    ``shape`` numbers the arguments: positional ones, keywords, star.  ``star_length`` is the
    length of the star argument (a tuple); ``mappings``: the keywords in each ``**`` argument, by
    its number.  Raises ArgumentError, about the function called ``name``.
    """
    positional: list[Given] = [FromArg(i) for i in range(shape.positional)]
    keywords: dict[str, Given] = {}
    for index, key in enumerate(shape.keywords, shape.positional):
        named: list[tuple[str, Given]] = [(key, FromArg(index))]
        if key == "**":
            named = [(k, FromMapping(index, i)) for i, k in enumerate(mappings[index])]
        for known, source in named:
            if known in keywords:
                raise ArgumentError(f"{name}() got multiple values for keyword argument '{known}'")
            keywords[known] = source
    if shape.star:
        star_index = shape.positional + len(shape.keywords)
        positional.extend(FromStar(star_index, i) for i in range(star_length))
    return Arguments(positional, keywords)


def match_arguments(name: str, signature: Signature, arguments: Arguments) -> list[Source]:
    """Where each parameter comes from, in inputarg order.  Raises ArgumentError."""
    defaults = dict(signature.kwdefaults)
    with_default = signature.argnames[len(signature.argnames) - len(signature.defaults) :]
    defaults.update(zip(with_default, signature.defaults))
    given, keywords = arguments.positional, dict(arguments.keywords)
    result: list[Source] = []
    missing: list[str] = []
    positional_only: list[str] = []
    for i, param in enumerate(signature.argnames):
        by_keyword = param in keywords and i >= signature.posonly
        if param in keywords and i < signature.posonly and signature.kwarg is None:
            positional_only.append(param)
        if i < len(given):
            if by_keyword:
                raise ArgumentError(f"{name}() got multiple values for argument '{param}'")
            result.append(given[i])
        elif by_keyword:
            result.append(keywords.pop(param))
        elif param in defaults:
            result.append(FromDefault(defaults[param]))
        else:
            missing.append(param)
    if positional_only:
        raise ArgumentError(
            f"{name}() got some positional-only arguments passed as keyword arguments: "
            f"'{', '.join(positional_only)}'"
        )
    if missing:
        raise ArgumentError(_missing(name, "positional", missing))
    for param in signature.kwonly:
        if param in keywords:
            result.append(keywords.pop(param))
        elif param in defaults:
            result.append(FromDefault(defaults[param]))
        else:
            missing.append(param)
    if missing:
        raise ArgumentError(_missing(name, "keyword-only", missing))
    extra = given[len(signature.argnames) :]
    if signature.vararg is not None:
        result.append(FromRest(tuple(extra)))
    elif extra:
        raise ArgumentError(_too_many(name, signature, len(given)))
    if signature.kwarg is not None:
        result.append(FromKeywords(tuple(keywords), tuple(keywords.values())))
    else:
        for key in keywords:
            raise ArgumentError(f"{name}() got an unexpected keyword argument '{key}'")
    return result


def _too_many(name: str, signature: Signature, given: int) -> str:
    wanted = len(signature.argnames)
    if signature.is_closure:
        wanted, given = wanted - 1, given - 1
    plural = "" if wanted == 1 else "s"
    verb = "was" if given == 1 else "were"
    takes = str(wanted)
    if signature.defaults:
        takes = f"from {wanted - len(signature.defaults)} to {wanted}"
        plural = "s"
    return f"{name}() takes {takes} positional argument{plural} but {given} {verb} given"


def _missing(name: str, what: str, params: list[str]) -> str:
    quoted = [f"'{param}'" for param in params]
    if len(quoted) > 1:
        comma = "," if len(quoted) > 2 else ""
        quoted[-2:] = [f"{quoted[-2]}{comma} and {quoted[-1]}"]
    plural = "" if len(params) == 1 else "s"
    return f"{name}() missing {len(params)} required {what} argument{plural}: {', '.join(quoted)}"
