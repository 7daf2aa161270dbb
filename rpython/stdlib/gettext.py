"""``gettext`` where there are no catalogs of messages: each message stands for itself.

A program that runs where there is a catalog, for its domain and the language of the environment,
raises NotImplementedError.
"""

from __future__ import annotations

import errno
import gettext
import os
from typing import Any

from rpython.stdlib._registry import Refused, converts, refused, replaces

_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
_DEFAULT: str = gettext._default_localedir  # type: ignore[attr-defined]


class _Domains:
    """What ``textdomain`` and ``bindtextdomain`` have said."""

    def __init__(self) -> None:
        self.current = gettext.textdomain()
        self.directories: dict[str, str] = dict(gettext._localedirs)  # type: ignore[attr-defined]
        self.without: dict[str, bool] = {}
        """Domains of which it is known that there is no catalog."""

    def directory(self, domain: str) -> str:
        return self.directories.get(domain, _DEFAULT)

    def look(self, domain: str) -> None:
        """Raises NotImplementedError if there is a catalog."""
        if domain not in self.without:
            _require_none(domain, self.directory(domain), [])
            self.without[domain] = True


_domains = _Domains()


def _languages() -> list[str]:
    for variable in _VARIABLES:
        value = os.environ.get(variable)
        if value:
            return value.split(":")
    return []


def _require_none(domain: str, directory: str, languages: list[str]) -> None:
    """Raises NotImplementedError if there is a catalog of one of the languages, in any country."""
    if len(languages) == 0:
        languages = _languages()
    for language in languages:
        if language == "C":
            return
        start = language.replace(".", "_").replace("@", "_").split("_")[0].lower()
        if start != "" and os.path.isdir(directory):
            for name in os.listdir(directory):
                path = os.path.join(directory, name, "LC_MESSAGES", f"{domain}.mo")
                if name.lower().startswith(start) and os.path.exists(path):
                    raise NotImplementedError(f"the catalog {path}")


@replaces(gettext.textdomain)
def textdomain(domain: str | None = None) -> str:
    if domain is not None:
        _domains.current = domain
    return _domains.current


@replaces(gettext.bindtextdomain)
def bindtextdomain(domain: str, localedir: str | None = None) -> str:
    if localedir is not None:
        _domains.directories[domain] = localedir
        _domains.without.clear()
    return _domains.directory(domain)


def _plural(msgid1: str, msgid2: str, n: int) -> str:
    return msgid1 if n == 1 else msgid2


@replaces(gettext.gettext)
def translated(message: str) -> str:
    _domains.look(_domains.current)
    return message


@replaces(gettext.dgettext)
def dgettext(domain: str, message: str) -> str:
    _domains.look(domain)
    return message


@replaces(gettext.ngettext)
def ngettext(msgid1: str, msgid2: str, n: int) -> str:
    _domains.look(_domains.current)
    return _plural(msgid1, msgid2, n)


@replaces(gettext.dngettext)
def dngettext(domain: str, msgid1: str, msgid2: str, n: int) -> str:
    _domains.look(domain)
    return _plural(msgid1, msgid2, n)


@replaces(gettext.pgettext)
def pgettext(context: str, message: str) -> str:
    _domains.look(_domains.current)
    return message


@replaces(gettext.npgettext)
def npgettext(context: str, msgid1: str, msgid2: str, n: int) -> str:
    _domains.look(_domains.current)
    return _plural(msgid1, msgid2, n)


@replaces(gettext.NullTranslations)
class NullTranslations:
    """Without a catalog, and without another one to fall back on."""

    def gettext(self, message: str) -> str:
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return _plural(msgid1, msgid2, n)

    def pgettext(self, context: str, message: str) -> str:
        return message

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return _plural(msgid1, msgid2, n)

    def info(self) -> dict[str, str]:
        return {}

    def charset(self) -> str | None:
        return None


@converts(gettext.NullTranslations)
def translations_for(x: Any) -> NullTranslations:
    """Raises Refused."""
    if x._fallback is not None:
        raise Refused("translations with others to fall back on are not supported")
    return NullTranslations()


@replaces(gettext.translation)
def translation(
    domain: str, localedir: str | None = None, languages: Any = None, class_: Any = None,
    fallback: bool = False,
) -> NullTranslations:  # fmt: skip
    _require_none(
        domain, _DEFAULT if localedir is None else localedir,
        [] if languages is None else list(languages),
    )  # fmt: skip
    if fallback:
        return NullTranslations()
    raise FileNotFoundError(errno.ENOENT, "No translation file found for domain", domain)


for _name in ("find", "install", "GNUTranslations"):
    replaces(getattr(gettext, _name))(
        refused(f"gettext.{_name} is not supported: there are no catalogs")(lambda *args: None)
    )
