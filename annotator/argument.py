"""Matching the arguments of a call with the parameters of a function.

The annotator and the rtyper both have to do it, one with annotations and one with
values, so the result says *where each parameter comes from* rather than what it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from translator.flow.signature import Signature
from translator.ir.hlops import CallShape


class ArgumentError(Exception):
    """The arguments do not fit; the text is CPython's."""


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
class FromDefault:
    """The parameter is its default, a host value."""

    value: Any


@dataclass(frozen=True, slots=True)
class FromRest:
    """The parameter is ``*vararg``: a tuple of these."""

    items: tuple[FromArg | FromStar, ...]


Source = FromArg | FromStar | FromDefault | FromRest


def rest_length(sources: list[Source]) -> int | None:
    """How many arguments go into ``*vararg``; None when there is no such parameter."""
    for source in sources:
        if isinstance(source, FromRest):
            return len(source.items)
    return None


def match_arguments(
    name: str, signature: Signature, shape: CallShape, star_length: int
) -> list[Source]:
    """Where each parameter comes from, in inputarg order.

    ``shape`` numbers the arguments: positional ones, keywords, star.  ``star_length`` is
    the length of the star argument (a tuple).  Raises ArgumentError.
    """
    defaults = dict(signature.kwdefaults)
    with_default = signature.argnames[len(signature.argnames) - len(signature.defaults) :]
    defaults.update(zip(with_default, signature.defaults))
    given: list[FromArg | FromStar] = [FromArg(i) for i in range(shape.positional)]
    keyword_index = {key: shape.positional + i for i, key in enumerate(shape.keywords)}
    if shape.star:
        star_index = shape.positional + len(shape.keywords)
        given.extend(FromStar(star_index, i) for i in range(star_length))
    result: list[Source] = []
    missing: list[str] = []
    for i, param in enumerate(signature.argnames):
        by_keyword = param in keyword_index and i >= signature.posonly
        if i < len(given):
            if by_keyword:
                raise ArgumentError(f"{name}() got multiple values for argument '{param}'")
            result.append(given[i])
        elif by_keyword:
            result.append(FromArg(keyword_index.pop(param)))
        elif param in defaults:
            result.append(FromDefault(defaults[param]))
        else:
            missing.append(param)
    if missing:
        raise ArgumentError(_missing(name, "positional", missing))
    for param in signature.kwonly:
        if param in keyword_index:
            result.append(FromArg(keyword_index.pop(param)))
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
        wanted = len(signature.argnames)
        plural = "" if wanted == 1 else "s"
        verb = "was" if len(given) == 1 else "were"
        raise ArgumentError(
            f"{name}() takes {wanted} positional argument{plural} but {len(given)} {verb} given"
        )
    if signature.kwarg is not None:
        raise ArgumentError(f"{name}() takes **{signature.kwarg}, which is not supported")
    for key in keyword_index:
        raise ArgumentError(f"{name}() got an unexpected keyword argument '{key}'")
    return result


def _missing(name: str, what: str, params: list[str]) -> str:
    quoted = [f"'{param}'" for param in params]
    if len(quoted) > 1:
        comma = "," if len(quoted) > 2 else ""
        quoted[-2:] = [f"{quoted[-2]}{comma} and {quoted[-1]}"]
    plural = "" if len(params) == 1 else "s"
    return f"{name}() missing {len(params)} required {what} argument{plural}: {', '.join(quoted)}"
