"""Class-heavy inventory with observers, strategy, visitor and serialisation."""
from __future__ import annotations
import copy
import json
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field, fields, asdict
from decimal import Decimal, ROUND_HALF_UP
from enum import Enum, Flag, auto
from functools import total_ordering
from typing import Any, ClassVar, Optional


class Permission(Flag):
    READ = auto()
    WRITE = auto()
    ADMIN = READ | WRITE


class Status(Enum):
    ACTIVE = "active"
    DISCONTINUED = "discontinued"

    def __str__(self):
        return self.value.title()


class Validated:
    """Descriptor that checks values."""

    def __init__(self, *, minimum=None, kind=None):
        self.minimum = minimum
        self.kind = kind

    def __set_name__(self, owner, name):
        self.name = name
        self.private = "_" + name

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        return getattr(obj, self.private)

    def __set__(self, obj, value):
        if self.kind is not None and not isinstance(value, self.kind):
            raise TypeError(f"{self.name} must be {self.kind.__name__}, not {type(value).__name__}")
        if self.minimum is not None and value < self.minimum:
            raise ValueError(f"{self.name} must be >= {self.minimum}")
        setattr(obj, self.private, value)


@total_ordering
class Money:
    __slots__ = ("amount", "currency")

    def __init__(self, amount, currency="EUR"):
        self.amount = Decimal(str(amount)).quantize(Decimal("0.01"), ROUND_HALF_UP)
        self.currency = currency

    def _check(self, other):
        if self.currency != other.currency:
            raise ValueError(f"{self.currency} and {other.currency} do not mix")

    def __add__(self, other):
        if other == 0:
            return self
        self._check(other)
        return Money(self.amount + other.amount, self.currency)

    __radd__ = __add__

    def __mul__(self, n):
        return Money(self.amount * n, self.currency)

    def __eq__(self, other):
        return isinstance(other, Money) and (self.amount, self.currency) == (other.amount, other.currency)

    def __lt__(self, other):
        self._check(other)
        return self.amount < other.amount

    def __hash__(self):
        return hash((self.amount, self.currency))

    def __format__(self, spec):
        if spec == "short":
            return f"{self.amount:.0f}"
        return f"{self.amount:,} {self.currency}"

    def __repr__(self):
        return f"Money({str(self.amount)!r}, {self.currency!r})"


class Product:
    quantity = Validated(minimum=0, kind=int)
    name = Validated(kind=str)
    _registry: ClassVar[dict[str, type]] = {}
    kind = "product"

    def __init_subclass__(cls, kind: str, **kw):
        super().__init_subclass__(**kw)
        cls.kind = kind
        Product._registry[kind] = cls

    def __init__(self, name, price, quantity=0, status=Status.ACTIVE):
        self.name = name
        self.price = price
        self.quantity = quantity
        self.status = status

    @classmethod
    def create(cls, kind, *args, **kwargs):
        return cls._registry[kind](*args, **kwargs)

    @property
    def value(self):
        return self.price * self.quantity

    def accept(self, visitor):
        method = getattr(visitor, "visit_" + self.kind, visitor.visit_default)
        return method(self)

    def __str__(self):
        return f"{self.name} x{self.quantity} @ {self.price} [{self.status}]"


class Book(Product, kind="book"):
    def __init__(self, name, price, quantity=0, *, author):
        super().__init__(name, price, quantity)
        self.author = author


class Gadget(Product, kind="gadget"):
    warranty = 2


class Visitor(ABC):
    @abstractmethod
    def visit_default(self, p): ...


class Tax(Visitor):
    def visit_book(self, p):
        return p.value * Decimal("0.07")

    def visit_default(self, p):
        return p.value * Decimal("0.19")


class Warehouse(MutableMapping):
    def __init__(self):
        self._items: dict[str, Product] = {}
        self._listeners = defaultdict(list)
        self.permission = Permission.READ

    def __getitem__(self, key): return self._items[key]
    def __setitem__(self, key, value):
        if not self.permission & Permission.WRITE:
            raise PermissionError("read only")
        self._items[key] = value
        self._fire("added", key)

    def __delitem__(self, key):
        del self._items[key]
        self._fire("removed", key)

    def __iter__(self): return iter(self._items)
    def __len__(self): return len(self._items)

    def on(self, event, callback):
        self._listeners[event].append(callback)
        return self

    def _fire(self, event, *args):
        for callback in self._listeners[event]:
            callback(event, *args)


def main():
    log = []
    w = Warehouse().on("added", lambda e, k: log.append(f"+{k}")).on("removed", lambda e, k: log.append(f"-{k}"))
    try:
        w["x"] = None
    except PermissionError as e:
        print("denied:", e)
    w.permission |= Permission.WRITE
    w["b1"] = Product.create("book", "Dune", Money("9.99"), 10, author="Herbert")
    w["g1"] = Product.create("gadget", "Lamp", Money(24.5), quantity=3)
    w["g2"] = Gadget("Robot", Money(199), 1, Status.DISCONTINUED)
    for sku, p in sorted(w.items()):
        print(sku, p, f"tax {p.accept(Tax())}", sep=" | ")
    print(sum(p.value for p in w.values()), max(p.price for p in w.values()), f"{w['g1'].value:short}")
    for bad in [lambda: Gadget("x", Money(1), -1), lambda: Gadget(3, Money(1)), lambda: Money(1) + Money(1, "USD"), lambda: w["nope"]]:
        try:
            bad()
        except (ValueError, TypeError, KeyError) as e:
            print(type(e).__name__, e)
    other = copy.copy(w["b1"])
    other.quantity = 1
    print(other.quantity, w["b1"].quantity, other.author, w.pop("b1").name, "b1" in w, w.get("b1"), len(w))
    print(log, w.permission, Permission.ADMIN in (w.permission | Permission.WRITE), Status("active").name)
    print({Money(1), Money("1.00"), Money(2)} == {Money(2), Money(1)}, sorted([Money(3), Money(1)]), [f.name for f in fields(Line)])
    print(json.dumps(asdict(Line("a", [1, 2], {"k": None}))))


@dataclass
class Line:
    sku: str
    counts: list[int] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict, repr=False)


if __name__ == "__main__":
    main()
