"""What reads a ``**kwargs`` parameter by keys that are not constants, or all of it: the annotator
knows each value for itself, and these make a dict of them.  They may, as the mapping never changes.

And what calls a function with ``**mapping`` where the mapping is a dict (``MappingCall``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rpython.stdlib._registry import FrozenKeywords, method_of, per_arguments
from rpython.stdlib._subclasses import plain_dict


@method_of(FrozenKeywords)
def items(keywords: Any, /) -> Any:
    return dict(**keywords).items()


@method_of(FrozenKeywords)
def keys(keywords: Any, /) -> Any:
    return dict(**keywords).keys()


@method_of(FrozenKeywords)
def values(keywords: Any, /) -> Any:
    return dict(**keywords).values()


@method_of(FrozenKeywords)
def copy(keywords: Any, /) -> Any:
    return dict(**keywords)


@per_arguments
def item(keywords: Any, key: Any) -> Any:
    return dict(**keywords)[key]


@per_arguments
def item_or(keywords: Any, key: Any, default: Any = None, /) -> Any:
    return dict(**keywords).get(key, default)


@per_arguments
def contains(keywords: Any, key: Any) -> bool:
    return key in dict(**keywords)


def positional_only_passed(name: str, params: Sequence[str], mapping: Any) -> str:
    """The message of the TypeError, or ''."""
    passed = [param for param in params if param in mapping]
    if not passed:
        return ""
    return (
        f"{name}() got some positional-only arguments passed as keyword arguments: "
        f"'{', '.join(passed)}'"
    )


def missing_arguments(name: str, what: str, params: Sequence[str], mapping: Any) -> str:
    """The message of the TypeError, or ''."""
    missing = [f"'{param}'" for param in params if param not in mapping]
    if not missing:
        return ""
    count, plural = len(missing), "" if len(missing) == 1 else "s"
    text = missing[0]
    if count == 2:
        text = f"{missing[0]} and {missing[1]}"
    elif count > 2:
        text = f"{', '.join(missing[:-1])}, and {missing[-1]}"
    return f"{name}() missing {count} required {what} argument{plural}: {text}"


@dataclass
class MappingCall:
    """A call with a dict that follows ``**``, of a function that takes ``params`` and ``kwonly``.

    ``name``, ``full_name``: what messages call the function, without and with its module.
    ``positional``: how many arguments are given by position, the last ``starred`` of them, if it is
    not None, by a tuple; ``keywords``: the names of those given by keyword.  ``posonly``: how many
    parameters can only be given by position.  ``defaults``: by name; ``factories``: what makes a
    default.  ``takes_any``: has it a ``**`` parameter?
    """

    name: str
    full_name: str
    params: tuple[str, ...]
    kwonly: tuple[str, ...]
    positional: int
    starred: int | None
    keywords: tuple[str, ...]
    posonly: int = 0
    defaults: dict[str, Any] = field(default_factory=dict)
    factories: dict[str, Any] = field(default_factory=dict)
    takes_any: bool = False
    makes_dict: bool = False
    """Is it ``dict``?"""

    def function(self) -> Any:
        """What makes the call: it is given the function, the arguments and the dict."""
        scope: dict[str, Any] = {
            "positional_only_passed": positional_only_passed,
            "missing_arguments": missing_arguments, "plain": plain_dict,
        }
        given = [f"p{i}" for i in range(self.positional - (self.starred or 0))]
        named = {key: f"k{i}" for i, key in enumerate(self.keywords)}
        star = [] if self.starred is None else ["star"]
        known = (*self.params[self.posonly :], *self.kwonly)
        args = [*given, *(f"*{name}" for name in star)]
        more = {}
        if self.takes_any and not self.makes_dict:
            more = {key: v for key, v in named.items() if key not in known}
        args += [f"{key}={v}" for key, v in named.items() if key not in more]
        for i, param in enumerate(self._open()):
            value = f"mapping[{param!r}]"
            if param in self.defaults or param in self.factories:
                factory = self.factories.get(param)
                scope[f"d{i}"] = self.defaults.get(param) if factory is None else factory
                made = "" if factory is None else "()"
                value = f"{value} if {param!r} in mapping else d{i}{made}"
            args.append(f"{param}={value}")
        taken = ", ".join(["f", *given, *named.values(), *star, "mapping"])
        lines = [f"def call({taken}):", *self._checks()]
        if self.makes_dict:
            lines += [f"    rest = f({', '.join(args)})", "    rest.update(mapping)"]
            lines.append("    return rest")
        else:
            if self.takes_any:
                items = ", ".join(f"{key!r}: {v}" for key, v in more.items())
                test = f"        if key not in {known}:" if known else "        if True:"
                lines += [f"    rest = {{{items}}}", "    for key in mapping:", test]
                lines.append("            rest[key] = mapping[key]")
                args.append("**rest")
            lines.append(f"    return f({', '.join(args)})")
        exec(compile("\n".join(lines), __file__, "exec"), scope)
        scope["call"]._rpython_passes_dict_ = True
        return per_arguments(scope["call"])

    def _open(self) -> list[str]:
        """The parameters that the dict may give."""
        behind = self.params[max(self.positional, self.posonly) :]
        return [param for param in (*behind, *self.kwonly) if param not in self.keywords]

    def _required(self, params: Sequence[str]) -> tuple[str, ...]:
        """Those of them that it has to give."""
        optional = {*self.defaults, *self.factories}
        return tuple(p for p in self._open() if p in params and p not in optional)

    def _checks(self) -> list[str]:
        """Raise what CPython raises, in its order."""
        name = f"{self.name}()"
        lines = [
            "    if not isinstance(mapping, dict):",
            f"        text = '{self.full_name}() argument after ** must be a mapping, not '",
            "        raise TypeError(text + type(mapping).__name__)",
            "    mapping = plain(mapping)",
        ]
        if self.keywords:
            lines += [
                "    for key in mapping:",
                f"        if key in {self.keywords}:",
                f"            raise TypeError(f\"{self.full_name}() got multiple values for keyword"
                " argument '{key}'\")",
            ]
        lines += [
            "    for key in mapping:",
            "        if not isinstance(key, str):",
            "            raise TypeError('keywords must be strings')",
        ]
        checks = []
        by_position = self.params[self.posonly : self.positional]
        if by_position:
            text = f"{name} got multiple values for argument '{{key}}'"
            checks.append(f"        if key in {by_position}:")
            checks.append(f'            raise TypeError(f"{text}")')
        if not self.takes_any:
            known = (*self.params[self.posonly :], *self.kwonly)
            text = f"{name} got an unexpected keyword argument '{{key}}'"
            only = self.params[: self.posonly]
            indent = "        "
            if known:
                checks.append(f"        if key not in {known}:")
                indent = "            "
            if only:
                call = f"positional_only_passed({self.name!r}, {list(only)}, mapping)"
                checks += [f"{indent}text = {call}", f"{indent}if text:"]
                checks.append(f"{indent}    raise TypeError(text)")
            checks.append(f'{indent}raise TypeError(f"{text}")')
        if checks:
            lines += ["    for key in mapping:", *checks]
        for what, params in (("positional", self.params), ("keyword-only", self.kwonly)):
            required = self._required(params)
            if required:
                call = f"missing_arguments({self.name!r}, {what!r}, {list(required)}, mapping)"
                lines += [f"    text = {call}", "    if text:", "        raise TypeError(text)"]
        return lines
