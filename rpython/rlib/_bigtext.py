"""Natural numbers of any size to text and back, for ``rbigint``.

Text of n digits is converted by halves: two numbers of n/2 digits, and one division or
multiplication by a power of the base (Knuth, The Art of Computer Programming 2, 4.4).
"""

from __future__ import annotations

from rpython.rlib import _bigdigits
from rpython.rlib.rarithmetic import intmask

DECIMAL = "0123456789"
ALPHANUMERIC = "0123456789abcdefghijklmnopqrstuvwxyz"
_SPACES = " \t\n\r\v\f"  # not the others that str.strip() removes
_LINEAR_LEVEL = 2


def chunk_width(base: int) -> int:
    """How many digits in that base always fit into one big digit."""
    width = 0
    limit = _bigdigits.BASE
    while limit >= base:
        limit //= base
        width += 1
    return width


def bits_per_digit(base: int) -> int:
    """``b`` if the base is ``2**b`` and digits do not straddle big digits, else 0."""
    bits = base.bit_length() - 1
    if base == 1 << bits and _bigdigits.SHIFT % bits == 0:
        return bits
    return 0


def to_text(a: list[int], digits: str) -> str:
    """``a`` written with these digits, as many as the base; raises ValueError for one or none."""
    base = len(digits)
    if base < 2:
        raise ValueError("a number is written with two digits at least")
    if not a:
        return digits[0]
    bits = bits_per_digit(base)
    if bits != 0:
        return _to_text_of_bits(a, digits, bits)
    width = chunk_width(base)
    powers = [[base**width]]
    while _bigdigits.compare(powers[-1], a) <= 0:
        powers.append(_bigdigits.multiply(powers[-1], powers[-1]))
    text = _fixed_width(a, digits, width, powers, len(powers) - 1)
    start = 0
    while text[start] == digits[0]:
        start += 1
    return text[start:]


def _to_text_of_bits(a: list[int], digits: str, bits: int) -> str:
    parts: list[str] = []
    mask = len(digits) - 1
    i = len(a) - 1
    while i >= 0:
        shift = _bigdigits.SHIFT - bits
        if i == len(a) - 1:
            shift = (a[i].bit_length() - 1) // bits * bits
        while shift >= 0:
            parts.append(digits[(a[i] >> shift) & mask])
            shift -= bits
        i -= 1
    return "".join(parts)


def _fixed_width(a: list[int], digits: str, width: int, powers: list[list[int]], level: int) -> str:
    """``a``, less than ``powers[level]``, in exactly ``width * 2**level`` digits."""
    if not a:
        return digits[0] * (width << level)
    if level > _LINEAR_LEVEL:
        quotient, rest = _bigdigits.divide(a, powers[level - 1])
        high = _fixed_width(quotient, digits, width, powers, level - 1)
        return high + _fixed_width(rest, digits, width, powers, level - 1)
    parts: list[str] = []
    for _ in range(1 << level):
        a, chunk = _bigdigits.divide_digit(a, powers[0][0])
        parts.append(_chunk_text(chunk, digits, width))
    parts.reverse()
    return "".join(parts)


def _chunk_text(chunk: int, digits: str, width: int) -> str:
    if digits == DECIMAL:
        return str(chunk).zfill(width)
    base = len(digits)
    parts: list[str] = []
    for _ in range(width):
        parts.append(digits[chunk % base])
        chunk //= base
    parts.reverse()
    return "".join(parts)


def from_digits(values: list[int], base: int) -> list[int]:
    """The number whose digits in that base, the most significant first, these are."""
    bits = bits_per_digit(base)
    if bits != 0:
        return _from_digits_of_bits(values, bits)
    width = chunk_width(base)
    chunks: list[int] = []
    end = len(values)
    while end > 0:
        start = max(0, end - width)
        chunk = 0
        for i in range(start, end):
            chunk = intmask(chunk * base + values[i])
        chunks.append(chunk)
        end = start
    powers = [[base**width]]
    while 1 << len(powers) < len(chunks):
        powers.append(_bigdigits.multiply(powers[-1], powers[-1]))
    return _from_chunks(chunks, 0, len(powers), powers)


def _from_digits_of_bits(values: list[int], bits: int) -> list[int]:
    per_digit = _bigdigits.SHIFT // bits
    out = [0] * (len(values) // per_digit + 1)
    place = 0
    i = len(values) - 1
    while i >= 0:
        out[place // per_digit] |= values[i] << (place % per_digit * bits)
        place += 1
        i -= 1
    return _bigdigits.trim(out)


def _from_chunks(chunks: list[int], start: int, level: int, powers: list[list[int]]) -> list[int]:
    """The number of ``2**level`` chunks from ``start``, the least significant first."""
    if start >= len(chunks):
        return []
    if level <= _LINEAR_LEVEL + 1:
        number: list[int] = []
        i = min(start + (1 << level), len(chunks)) - 1
        while i >= start:
            number = _bigdigits.multiply_digit(number, powers[0][0], chunks[i])
            i -= 1
        return _bigdigits.trim(number)
    low = _from_chunks(chunks, start, level - 1, powers)
    high = _from_chunks(chunks, start + (1 << (level - 1)), level - 1, powers)
    return _bigdigits.add(_bigdigits.multiply(high, powers[level - 1]), low)


def digit_value(char: str) -> int:
    """0 to 35, or 99 for what is no digit in any base."""
    if "0" <= char <= "9":
        return ord(char) - 48
    if "a" <= char <= "z":
        return ord(char) - 87
    if "A" <= char <= "Z":
        return ord(char) - 55
    return 99


def parse_decimal(text: str) -> tuple[bool, list[int]]:
    """(is it negative, the magnitude) of decimal digits behind an optional sign, and of nothing
    else.  Raises ValueError."""
    negative = text.startswith("-")
    body = text[1:] if negative or text.startswith("+") else text
    values: list[int] = []
    for char in body:
        if "0" <= char <= "9":
            values.append(ord(char) - 48)
    if not values or len(values) < len(body):
        raise ValueError("invalid literal for int() with base 10: " + repr(text))
    return negative, from_digits(values, 10)


def parse(text: str, base: int, allow_underscores: bool) -> tuple[bool, list[int]]:
    """(is it negative, the magnitude) of text as Python's ``int(text, base)`` takes it.

    A final ``l`` or ``L`` is ignored where it is no digit of the base, as RPython has it.
    Raises ValueError, with Python's messages.
    """
    if base != 0 and not 2 <= base <= 36:
        raise ValueError("int() base must be >= 2 and <= 36, or 0")
    body = text.strip(_SPACES)
    asked = base
    if base < 22 and (body.endswith("l") or body.endswith("L")):
        body = body[:-1]
    negative = body.startswith("-")
    if negative or body.startswith("+"):
        body = body[1:]
    prefix = body[:2].lower()
    if prefix == "0x" and base in (0, 16):
        base = 16
    elif prefix == "0o" and base in (0, 8):
        base = 8
    elif prefix == "0b" and base in (0, 2):
        base = 2
    else:
        prefix = ""
    if prefix:
        body = body[2:]
        if allow_underscores and body.startswith("_"):
            body = body[1:]
    decimal_zero = base == 0 and body.startswith("0")
    if base == 0:
        base = 10
    values: list[int] = []
    previous = "_"
    valid = True
    for char in body:
        if char == "_":
            valid = valid and allow_underscores and previous != "_"
        else:
            value = digit_value(char)
            valid = valid and value < base and not (decimal_zero and value != 0)
            values.append(value)
        previous = char
    if not valid or previous == "_":
        raise ValueError("invalid literal for int() with base " + str(asked) + ": " + repr(text))
    return negative, from_digits(values, base)
