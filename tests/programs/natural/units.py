"""Unit conversion and arithmetic on quantities."""
from __future__ import annotations

from dataclasses import dataclass
from functools import total_ordering

UNITS = {
    "m": ("length", 1), "km": ("length", 1000), "cm": ("length", 0.01), "mi": ("length", 1609.344),
    "s": ("time", 1), "min": ("time", 60), "h": ("time", 3600),
    "g": ("mass", 0.001), "kg": ("mass", 1), "lb": ("mass", 0.45359237),
}


class UnitError(TypeError):
    pass


@total_ordering
@dataclass(frozen=True, eq=False)
class Quantity:
    value: float
    unit: str

    def __post_init__(self):
        if self.unit not in UNITS:
            raise UnitError(f"unknown unit {self.unit!r}")

    @property
    def dimension(self):
        return UNITS[self.unit][0]

    @property
    def base(self):
        return self.value * UNITS[self.unit][1]

    def to(self, unit) -> Quantity:
        dimension, factor = UNITS[unit]
        if dimension != self.dimension:
            raise UnitError(f"cannot convert {self.dimension} to {dimension}")
        return Quantity(self.base / factor, unit)

    def _check(self, other):
        if not isinstance(other, Quantity):
            return NotImplemented
        if other.dimension != self.dimension:
            raise UnitError(f"incompatible: {self.unit} and {other.unit}")
        return other.to(self.unit)

    def __add__(self, other):
        converted = self._check(other)
        if converted is NotImplemented:
            return converted
        return Quantity(self.value + converted.value, self.unit)

    def __radd__(self, other):
        return self if other == 0 else NotImplemented

    def __sub__(self, other):
        return self + -1 * other

    def __mul__(self, k):
        return Quantity(self.value * k, self.unit)

    __rmul__ = __mul__

    def __truediv__(self, other):
        if isinstance(other, Quantity):
            return self.base / other.base
        return Quantity(self.value / other, self.unit)

    def __eq__(self, other):
        return isinstance(other, Quantity) and abs(self.base - other.base) < 1e-9 and self.dimension == other.dimension

    def __lt__(self, other):
        return self.base < other.base

    def __hash__(self):
        return hash((self.dimension, round(self.base, 6)))

    def __format__(self, spec):
        return f"{self.value:{spec or 'g'}} {self.unit}"

    def __str__(self):
        return format(self)

    @staticmethod
    def parse(text):
        number = ""
        for i, c in enumerate(text):
            if not (c.isdigit() or c in ".-"):
                return Quantity(float(number), text[i:].strip())
            number += c
        raise ValueError(f"no unit in {text!r}")


def main():
    trip = [Quantity.parse(t) for t in ("12.5km", "800 m", "3mi")]
    total = sum(trip)
    print(total, f"= {total.to('mi'):.3f}")
    print(max(trip), min(trip), sorted(trip)[1])
    print(Quantity(1, "h") == Quantity(3600, "s"), Quantity(1, "h") == Quantity(1, "kg"))
    print(Quantity(1, "km") / Quantity(1, "mi"), Quantity(10, "kg") / 4)
    print(f"{Quantity(1, 'lb').to('g'):.1f}", 2 * Quantity(1.5, "s"), Quantity(2, "h") - Quantity(45, "min"))
    print(len({Quantity(1, "m"), Quantity(100, "cm"), Quantity(1, "g")}))
    print(repr(Quantity(5, "m")), Quantity(5, "m") >= Quantity(4, "m"))
    tests = [
        lambda: Quantity(1, "m") + Quantity(1, "s"),
        lambda: Quantity(1, "parsec"),
        lambda: Quantity(1, "kg").to("cm"),
        lambda: Quantity.parse("42"),
        lambda: Quantity(1, "m") + 5,
    ]
    for t in tests:
        try:
            print(t())
        except UnitError as e:
            print("UnitError:", e)
        except (TypeError, ValueError) as e:
            print(type(e).__name__, e)
    q = Quantity(1, "m")
    try:
        q.value = 2
    except AttributeError as e:
        print(type(e).__name__, e)


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
