"""``urllib.parse``: what its source caches, or has a subclass of dict for."""

from __future__ import annotations

import urllib.parse
from typing import Any

from rpython.stdlib._registry import per_arguments, replaces

_split: Any = urllib.parse.urlsplit
replaces(_split)(_split.__wrapped__)

_ALWAYS_SAFE = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~"
_QUOTED = [f"%{byte:02X}" for byte in range(256)]


@replaces(urllib.parse.quote_from_bytes)
@per_arguments
def quote_from_bytes(bs: Any, safe: Any = "/") -> str:
    if isinstance(bs, str):
        raise TypeError("quote_from_bytes() expected bytes")
    return _quoted(bytes(bs), _safe(safe))


@per_arguments
def _safe(safe: Any) -> bytes:
    if isinstance(safe, str):
        return _ALWAYS_SAFE + safe.encode("ascii", "ignore")
    else:
        return _ALWAYS_SAFE + bytes([byte for byte in safe if byte < 128])


def _quoted(data: bytes, safe: bytes) -> str:
    return "".join([chr(byte) if byte in safe else _QUOTED[byte] for byte in data])


_HEX = "0123456789abcdefABCDEF"


def check_bracketed_host(hostname: str) -> None:
    """Raises ValueError."""
    if hostname.startswith("v"):
        version, _, rest = hostname[1:].partition(".")
        if not version or not rest or not all(c in _HEX for c in version) or "\n" in rest:
            raise ValueError("IPvFuture address is invalid")
    elif _is_address_4(hostname):
        raise ValueError("An IPv4 address cannot be in brackets")
    elif not _is_address_6(hostname):
        raise ValueError(f"{hostname!r} does not appear to be an IPv4 or IPv6 address")


def _is_address_4(text: str) -> bool:
    parts = text.split(".")
    return len(parts) == 4 and all(_is_byte(part) for part in parts)


def _is_byte(part: str) -> bool:
    if not part.isascii() or not part.isdigit() or len(part) > 3:
        return False
    return (part == "0" or part[0] != "0") and int(part) <= 255


def _is_address_6(text: str) -> bool:
    address, percent, scope = text.partition("%")
    if percent and (not scope or "%" in scope):
        return False
    parts = address.split(":")
    if "." in parts[-1]:
        if not _is_address_4(parts.pop()):
            return False
        parts += ["0", "0"]
    gaps = [i for i in range(1, len(parts) - 1) if not parts[i]]
    if not all(len(part) <= 4 and all(c in _HEX for c in part) for part in parts):
        return False
    if not gaps:
        return len(parts) == 8 and parts[0] != "" and parts[-1] != ""
    before, behind = gaps[0], len(parts) - gaps[0] - 1
    if not parts[0]:
        before -= 1
    if not parts[-1]:
        behind -= 1
    open_ended = (not parts[0] and before > 0) or (not parts[-1] and behind > 0)
    return len(gaps) == 1 and not open_ended and before + behind < 8


if hasattr(urllib.parse, "_check_bracketed_host"):  # not in the first releases of 3.11
    replaces(urllib.parse._check_bracketed_host)(check_bracketed_host)


def _port(self) -> int | None:  # type: ignore[no-untyped-def]
    text: str | None = self._hostinfo[1]
    if text is None:
        return None
    if not text.isdigit() or not text.isascii():
        raise ValueError(f"Port could not be cast to integer value as {text!r}")
    number = int(text)
    if not 0 <= number <= 65535:
        raise ValueError("Port out of range 0-65535")
    return number


_mixin: Any = urllib.parse._NetlocResultMixinBase
replaces(_mixin.port.fget)(_port)
