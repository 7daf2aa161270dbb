"""C identifiers: readable, unique, and the same on every run.

Names are made from the names people gave (functions, classes, variables) plus a number
where two would collide, in the order in which things are met; nothing depends on
``id()``, on hashing or on the time.
"""

from __future__ import annotations

import re

_NOT_IDENTIFIER = re.compile(r"[^A-Za-z0-9_]+")

_KEYWORDS = """
    auto break case char const continue default do double else enum extern float for goto
    if inline int long register restrict return short signed sizeof static struct switch
    typedef union unsigned void volatile while asm typeof _Bool _Complex _Imaginary
    _Alignas _Alignof _Atomic _Generic _Noreturn _Static_assert _Thread_local
    bool true false nullptr constexpr thread_local static_assert alignas alignof
"""
_MACROS = "main NULL errno stdin stdout stderr unix linux i386"

C_RESERVED = frozenset(_KEYWORDS.split() + _MACROS.split())
"""What no C variable can be called."""

_LONGEST = 60


def identifier(text: str) -> str:
    """``text`` reduced to the characters of a C identifier, at most 60 of them; never
    empty, never starting with a digit or an underscore (those belong to the C library)."""
    name = _NOT_IDENTIFIER.sub("_", text).strip("_")[:_LONGEST]
    if not name:
        return "x"
    return "x" + name if name[0].isdigit() else name


class NameScope:
    """Hands out names that differ from each other.

    ``new("i")`` gives ``i``, then ``i_2``, ``i_3`` ...; with ``always_number`` the first
    is ``i_1``, so that no name can be a keyword, a macro or a global.
    """

    def __init__(self, *, always_number: bool = False) -> None:
        self._used: set[str] = set()
        self._next: dict[str, int] = {}
        self._first_number = 1 if always_number else 2

    def new(self, wish: str, prefix: str = "") -> str:
        """A name not handed out before: ``prefix`` plus ``wish``, numbered if it must be."""
        base = prefix + identifier(wish)
        if self._first_number == 2 and base not in self._used and base not in C_RESERVED:
            self._used.add(base)
            return base
        number = self._next.get(base, self._first_number)
        while f"{base}_{number}" in self._used:
            number += 1
        self._next[base] = number + 1
        name = f"{base}_{number}"
        self._used.add(name)
        return name

    def reserve(self, name: str) -> None:
        """Make sure that ``new`` never returns ``name``.  Raises ValueError if it did."""
        if name in self._used:
            raise ValueError(f"the C name {name!r} is taken")
        self._used.add(name)


def c_string(text: str | bytes) -> str:
    """A C string literal with the bytes of ``text`` (str: as UTF-8)."""
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    return '"' + "".join(map(_C_CHARS.__getitem__, data)) + '"'


def _c_char(byte: int) -> str:
    if byte in b'"\\':
        return "\\" + chr(byte)
    if byte == 0x3F:  # '?': no trigraphs
        return "\\?"
    if 32 <= byte < 127:
        return chr(byte)
    return f"\\{byte:03o}"


_C_CHARS = [_c_char(byte) for byte in range(256)]
