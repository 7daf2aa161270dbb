"""Normal forms of texts (Unicode Standard Annex 15)."""

from __future__ import annotations

from rpython.rlib.unicodedata.tables import HANGUL_COUNT, HANGUL_FIRST, pair_key, table

LEAD_FIRST, VOWEL_FIRST, TRAIL_FIRST = 0x1100, 0x1161, 0x11A7
LEADS, VOWELS, TRAILS = 19, 21, 28
"""Hangul syllables are made of a leading consonant, a vowel and a trailing one, or none."""


def is_hangul_syllable(code: int) -> bool:
    return HANGUL_FIRST <= code < HANGUL_FIRST + HANGUL_COUNT


def hangul_parts(code: int) -> list[int]:
    """The two or three letters of a syllable."""
    index = code - HANGUL_FIRST
    parts = [
        LEAD_FIRST + index // (VOWELS * TRAILS), VOWEL_FIRST + index // TRAILS % VOWELS,
    ]  # fmt: skip
    if index % TRAILS:
        parts.append(TRAIL_FIRST + index % TRAILS)
    return parts


def compose_pair(first: int, second: int) -> int:
    """The one character that both make, -1 for none."""
    if LEAD_FIRST <= first < LEAD_FIRST + LEADS and VOWEL_FIRST <= second < VOWEL_FIRST + VOWELS:
        vowel = (first - LEAD_FIRST) * VOWELS + second - VOWEL_FIRST
        return HANGUL_FIRST + vowel * TRAILS
    if (
        is_hangul_syllable(first)
        and (first - HANGUL_FIRST) % TRAILS == 0
        and TRAIL_FIRST < second < TRAIL_FIRST + TRAILS
    ):
        return first + second - TRAIL_FIRST
    pairs: dict[int, int] = table("composition")
    return pairs.get(pair_key(first, second), -1)


def decompose(text: str, compatibility: bool) -> list[int]:
    """The code points of the decomposed text, in canonical order."""
    codes: list[int] = []
    for char in text:
        code = ord(char)
        if code < 0xA0:
            codes.append(code)
        elif is_hangul_syllable(code):
            codes += hangul_parts(code)
        else:
            parts = full_decomposition(code, compatibility)
            if parts:
                codes += [ord(part) for part in parts]
            else:
                codes.append(code)
    _order(codes)
    return codes


def full_decomposition(code: int, compatibility: bool) -> str:
    """What a character is decomposed to in the end; "" for itself.  Not of Hangul."""
    found: dict[int, str] = table("NFKD") if compatibility else table("NFD")
    return found.get(code, "")


def _order(codes: list[int]) -> None:
    """Sort what combines with one character by its class, else in order (insertion sort)."""
    classes = table("combining")
    for i in range(1, len(codes)):
        code = codes[i]
        combining = classes.get(code)
        if combining == 0:
            continue
        place = i
        while place > 0 and classes.get(codes[place - 1]) > combining:
            codes[place] = codes[place - 1]
            place -= 1
        codes[place] = code


def compose(codes: list[int]) -> list[int]:
    """The code points with pairs replaced by the characters that they make."""
    classes = table("combining")
    result: list[int] = []
    starter = -1
    last_class = 0
    for code in codes:
        combining = classes.get(code)
        adjacent = starter == len(result) - 1
        if starter >= 0 and (adjacent or last_class < combining):
            made = compose_pair(result[starter], code)
            if made >= 0:
                result[starter] = made
                continue
        if combining == 0:
            starter = len(result)
        last_class = combining
        result.append(code)
    return result


def normalized(form: str, text: str) -> str:
    """The text in the form NFC, NFD, NFKC or NFKD.  Raises ValueError for another one."""
    if form == "NFC" or form == "NFD":
        codes = decompose(text, False)
    elif form == "NFKC" or form == "NFKD":
        codes = decompose(text, True)
    else:
        raise ValueError("invalid normalization form")
    if form == "NFC" or form == "NFKC":
        codes = compose(codes)
    return "".join([chr(code) for code in codes])
