"""What ``decimal`` computes: coefficients are of any size, whatever the ints of the program are."""

from __future__ import annotations

from rpython.rlib.rbigint import rbigint

ZERO = rbigint.fromint(0)
ONE = rbigint.fromint(1)
_TEN = rbigint.fromint(10)


def ten_to(power: int) -> rbigint:
    return _TEN.int_pow(power)


def digits_of(n: rbigint) -> int:
    """How many; 1 of zero."""
    if n.fits_int():
        small, count = n.toint(), 1
        while small >= 10:
            small //= 10
            count += 1
        return count
    return len(n.str())


def rounded_away(sign: int, rest: int, last: int, rounding: str) -> bool:
    """Is the coefficient that was cut off one more?  ``rest``: 0 where nothing was lost, 1 less
    than a half, 2 a half, 3 more; ``last``: its last digit."""
    if rest == 0:
        return False
    if rounding == "ROUND_HALF_EVEN":
        return rest == 3 or (rest == 2 and last % 2 == 1)
    if rounding == "ROUND_HALF_UP":
        return rest >= 2
    if rounding == "ROUND_HALF_DOWN":
        return rest == 3
    if rounding == "ROUND_UP":
        return True
    if rounding == "ROUND_DOWN":
        return False
    if rounding == "ROUND_CEILING":
        return sign == 0
    if rounding == "ROUND_FLOOR":
        return sign == 1
    if rounding == "ROUND_05UP":
        return last in (0, 5)
    raise TypeError(
        "valid values for rounding are:\n  [ROUND_CEILING, ROUND_FLOOR, ROUND_UP, ROUND_DOWN,\n"
        "   ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN,\n   ROUND_05UP]"
    )


def cut(n: rbigint, count: int, sign: int, rounding: str) -> rbigint:
    """Without the last digits."""
    unit = ten_to(count)
    kept, rest = n.divmod(unit)
    twice = rest.int_mul(2)
    what = 0 if rest.is_zero() else 1 if twice.lt(unit) else 2 if twice.eq(unit) else 3
    last = kept.int_mod_int_result(10)
    return kept.int_add(1) if rounded_away(sign, what, last, rounding) else kept


def quotient(a: rbigint, b: rbigint, precision: int, ideal: int) -> tuple[rbigint, int]:
    """``a / b`` with a digit more than are wanted, and its exponent; one that is exact has the
    ideal exponent, if it can."""
    shift = digits_of(b) - digits_of(a) + precision + 1
    exponent = ideal - shift
    if shift >= 0:
        result, rest = a.mul(ten_to(shift)).divmod(b)
    else:
        result, rest = a.divmod(b.mul(ten_to(-shift)))
    if not rest.is_zero():
        if result.int_mod_int_result(5) == 0:
            result = result.int_add(1)  # so that it is no half
        return result, exponent
    return without_zeros(result, exponent, ideal)


def without_zeros(n: rbigint, exponent: int, ideal: int) -> tuple[rbigint, int]:
    """Zeros at the end go as long as the exponent is less than that."""
    while exponent < ideal:
        shorter, last = n.int_divmod(10)
        if not last.is_zero():
            break
        n = shorter
        exponent += 1
    return n, exponent


def root(n: rbigint, exponent: int, precision: int) -> tuple[rbigint, int]:
    """The square root, with a digit more than are wanted."""
    wanted = precision + 1
    count = digits_of(n)
    half = exponent >> 1
    if exponent & 1:
        n = n.int_mul(10)
        length = (count >> 1) + 1
    else:
        length = count + 1 >> 1
    shift = wanted - length
    exact = True
    if shift >= 0:
        n = n.mul(ten_to(2 * shift))
    else:
        n, rest = n.divmod(ten_to(-2 * shift))
        exact = rest.is_zero()
    half -= shift
    found = n.isqrt()
    if exact and found.mul(found).eq(n):
        if shift >= 0:
            return found.floordiv(ten_to(shift)), half + shift
        return found.mul(ten_to(-shift)), half + shift
    if found.int_mod_int_result(5) == 0:
        found = found.int_add(1)
    return found, half


# -- hashes -------------------------------------------------------------------------------------

_MODULUS = rbigint.fromint(2**61 - 1)


def hash_of(n: rbigint, exponent: int, sign: int) -> int:
    """That of an int or a float that is equal."""
    if exponent >= 0:
        factor = _TEN.pow(rbigint.fromint(exponent), _MODULUS)
    else:
        inverse = _TEN.pow(_MODULUS.int_sub(2), _MODULUS)
        factor = inverse.pow(rbigint.fromint(-exponent), _MODULUS)
    result = n.mul(factor).mod(_MODULUS).toint()
    if sign:
        return -2 if result == 1 else -result
    return result


# -- text ---------------------------------------------------------------------------------------


class Parsed:
    """Of a text."""

    def __init__(self, sign: int, n: rbigint, exponent: int, special: str) -> None:
        self.sign, self.n, self.exponent, self.special = sign, n, exponent, special


def parsed(text: str) -> Parsed | None:
    """None of what is no number."""
    text = text.strip().replace("_", "")
    sign = 1 if text.startswith("-") else 0
    if text[:1] in ("+", "-"):
        text = text[1:]
    lower = text.lower()
    if lower in ("inf", "infinity"):
        return Parsed(sign, ZERO, 0, "F")
    if lower.startswith("nan") and (len(lower) == 3 or lower[3:].isdecimal()):
        return Parsed(sign, rbigint.fromdecimalstr("0" + lower[3:]), 0, "n")
    mantissa, mark, power = lower.partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = whole + fraction
    if not digits or not digits.isdecimal() or mantissa.count(".") > 1:
        return None
    exponent = 0
    if mark:
        unsigned = power[1:] if power[:1] in ("+", "-") else power
        if not unsigned.isdecimal() or len(unsigned) > 17:
            return None
        exponent = int(power)
    if not digits.isascii():
        digits = "".join([str(int(c)) for c in digits])
    return Parsed(sign, rbigint.fromdecimalstr(digits), exponent - len(fraction), "")


def shown(sign: int, digits: str, exponent: int, special: str) -> str:
    """``str`` of a number."""
    start = "-" if sign else ""
    if special:
        return start + ("Infinity" if special == "F" else "NaN" + (digits if digits != "0" else ""))
    left = exponent + len(digits)
    point = left if exponent <= 0 and left > -6 else 1
    return start + placed(digits, point) + ("" if left == point else f"E{left - point:+d}")


def placed(digits: str, point: int) -> str:
    """Digits with the point behind so many of them."""
    if point <= 0:
        return "0." + "0" * -point + digits
    if point >= len(digits):
        return digits + "0" * (point - len(digits))
    return digits[:point] + "." + digits[point:]


class Spec:
    """``[[fill]align][sign][z][#][0][width][,][.precision][type]``"""

    def __init__(self, text: str) -> None:
        self.fill, self.align, self.sign, self.comma, self.type = " ", ">", "-", "", ""
        self.width, self.precision = 0, -1
        at = 0
        if len(text) > 1 and text[1] in "<>=^":
            self.fill, self.align, at = text[0], text[1], 2
        elif text and text[0] in "<>=^":
            self.align, at = text[0], 1
        if at < len(text) and text[at] in "+- ":
            self.sign = text[at]
            at += 1
        if at < len(text) and text[at] == "0":
            if at == 0 or text[at - 1] not in "<>=^":
                self.fill, self.align = "0", "="
            at += 1
        start = at
        while at < len(text) and text[at].isdigit():
            at += 1
        if at > start:
            self.width = int(text[start:at])
        if at < len(text) and text[at] in ",_":
            self.comma = text[at]
            at += 1
        if at < len(text) and text[at] == ".":
            start = at + 1
            at = start
            while at < len(text) and text[at].isdigit():
                at += 1
            if at == start:
                raise ValueError("invalid format string")
            self.precision = int(text[start:at])
        if at < len(text) and text[at] in "eEfFgG%":
            self.type = text[at]
            at += 1
        if at < len(text) or self.comma == "_":
            raise ValueError("invalid format string")

    def filled(self, sign: int, body: str, grouped: bool = True) -> str:
        """Filled up to the width; ``grouped``: may commas stand in it?"""
        mark = "-" if sign else "" if self.sign == "-" else self.sign
        whole = 0
        while whole < len(body) and body[whole].isdigit():
            whole += 1
        number, rest = body[:whole], body[whole:]
        if self.comma and grouped:
            zeros = 0
            if self.fill == "0" and self.align == "=":
                zeros = self.width - len(mark) - len(rest)
            number = _with_commas(number, zeros)
        missing = self.width - len(mark) - len(number) - len(rest)
        if missing <= 0:
            return mark + number + rest
        if self.align == "=":
            return mark + self.fill * missing + number + rest
        if self.align == "<":
            return mark + number + rest + self.fill * missing
        left = missing // 2 if self.align == "^" else missing
        return self.fill * left + mark + number + rest + self.fill * (missing - left)


def _with_commas(number: str, room: int) -> str:
    """With zeros in front that fill the room."""
    while len(number) + (len(number) - 1) // 3 < room:
        number = "0" + number
    groups: list[str] = []
    at = len(number)
    while at > 3:
        groups.append(number[at - 3 : at])
        at -= 3
    groups.append(number[:at])
    groups.reverse()
    return ",".join(groups)


def laid_out(digits: str, exponent: int, asked: Spec) -> str:
    """The digits with their point, and the exponent if it is shown."""
    kind = asked.type.lower()
    left = exponent + len(digits)
    if kind == "e":
        point = 1 - asked.precision if digits == "0" and asked.precision >= 0 else 1
    elif kind in ("f", "%"):
        point = left
    else:
        point = left if exponent <= 0 and left > -6 else 1
    body = placed(digits, point)
    if left != point or kind == "e":
        body += f"{'e' if asked.type in ('e', 'g') else 'E'}{left - point:+d}"
    return body + "%" if kind == "%" else body
