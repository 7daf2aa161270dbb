"""The locale of the process: ``setlocale`` of C, and what depends on it.

    setlocale(LC_ALL, "")
    point, separator, grouping = numeric_formatting()

Texts are str of bytes (characters up to U+00FF), as RPython's are.  Numbers that the program
writes and reads are as Python has them, whatever the locale.
"""

from __future__ import annotations

import locale as _host
from typing import Any

from rpython.lltypesystem.foreign.cdef import cdef

_c: Any = cdef(
    """
    struct lconv {
        char *decimal_point, *thousands_sep, *grouping;
        char *int_curr_symbol, *currency_symbol;
        char *mon_decimal_point, *mon_thousands_sep, *mon_grouping;
        char *positive_sign, *negative_sign;
        char int_frac_digits, frac_digits;
        char p_cs_precedes, p_sep_by_space, n_cs_precedes, n_sep_by_space;
        char p_sign_posn, n_sign_posn;
        char int_p_cs_precedes, int_p_sep_by_space, int_n_cs_precedes, int_n_sep_by_space;
        char int_p_sign_posn, int_n_sign_posn;
    };
    struct lconv *localeconv(void);
    char *setlocale(int category, const char *locale);
    char *nl_langinfo(int item);
    int isalpha(int c);
    int isupper(int c);
    int islower(int c);
    int isalnum(int c);
    int toupper(int c);
    int tolower(int c);
    """
)

LC_CTYPE, LC_NUMERIC, LC_TIME, LC_COLLATE, LC_MONETARY, LC_MESSAGES, LC_ALL = (
    _host.LC_CTYPE, _host.LC_NUMERIC, _host.LC_TIME, _host.LC_COLLATE, _host.LC_MONETARY,
    _host.LC_MESSAGES, _host.LC_ALL,
)  # fmt: skip
CHAR_MAX = _host.CHAR_MAX
CODESET, RADIXCHAR, THOUSEP = _host.CODESET, _host.RADIXCHAR, _host.THOUSEP
D_T_FMT, D_FMT, T_FMT, T_FMT_AMPM = _host.D_T_FMT, _host.D_FMT, _host.T_FMT, _host.T_FMT_AMPM
YESEXPR, NOEXPR, CRNCYSTR = _host.YESEXPR, _host.NOEXPR, _host.CRNCYSTR
DAY_1, DAY_2, DAY_3, DAY_4, DAY_5, DAY_6, DAY_7 = (
    _host.DAY_1, _host.DAY_2, _host.DAY_3, _host.DAY_4, _host.DAY_5, _host.DAY_6, _host.DAY_7
)  # fmt: skip
MON_1, MON_2, MON_3, MON_4, MON_5, MON_6 = (
    _host.MON_1, _host.MON_2, _host.MON_3, _host.MON_4, _host.MON_5, _host.MON_6
)  # fmt: skip
MON_7, MON_8, MON_9, MON_10, MON_11, MON_12 = (
    _host.MON_7, _host.MON_8, _host.MON_9, _host.MON_10, _host.MON_11, _host.MON_12
)  # fmt: skip


class LocaleError(Exception):
    """There is no such locale; ``message`` says so."""

    def __init__(self, message: str) -> None:
        self.message = message

    def __str__(self) -> str:
        return self.message


def _text(p: Any) -> str:
    return str(_c.string(p).decode("latin-1"))


def setlocale(category: int, locale: str | None) -> str:
    """Change a category (``LC_...``) to that locale, "" for the environment's; None leaves it.  The
    name of what it is then.  Raises LocaleError."""
    if locale is None:
        found = _c.setlocale(category, _c.NULL)
    else:
        found = _c.setlocale(category, locale.encode("latin-1"))
    if found == _c.NULL:
        raise LocaleError("unsupported locale setting")
    return _text(found)


def numeric_formatting() -> tuple[str, str, str]:
    """Decimal point, separator of thousands, and their grouping: a text of sizes, from the
    right."""
    conv = _c.localeconv()
    return _text(conv.decimal_point), _text(conv.thousands_sep), _text(conv.grouping)


def localeconv() -> Any:
    """C's ``struct lconv``; the next call changes it."""
    return _c.localeconv()


def nl_langinfo(key: int) -> str:
    """A text of the locale: ``CODESET``, ``D_FMT``, ``DAY_1``, ..."""
    return _text(_c.nl_langinfo(key))


def isalpha(c: int) -> bool:
    """Is the character with that number, at most 255, a letter in the locale?"""
    return bool(_c.isalpha(c) != 0)


def isupper(c: int) -> bool:
    return bool(_c.isupper(c) != 0)


def islower(c: int) -> bool:
    return bool(_c.islower(c) != 0)


def isalnum(c: int) -> bool:
    return bool(_c.isalnum(c) != 0)


def toupper(c: int) -> int:
    return int(_c.toupper(c))


def tolower(c: int) -> int:
    return int(_c.tolower(c))
