"""Warehouse inventory with observers, stock rules and a JSON snapshot."""
import json
from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, replace


@dataclass(frozen=True)
class Item:
    sku: str
    name: str
    price: float
    quantity: int = 0
    perishable: bool = False

    @property
    def value(self):
        return self.price * self.quantity


class OutOfStock(Exception):
    pass


class Observer(ABC):
    @abstractmethod
    def notify(self, event, item, **details):
        ...


class Logger(Observer):
    def __init__(self):
        self.lines = []

    def notify(self, event, item, **details):
        extra = " ".join(f"{k}={v}" for k, v in sorted(details.items()))
        self.lines.append(f"{event:<8} {item.sku} {extra}".rstrip())


class Reorder(Observer):
    def __init__(self, threshold=5):
        self.threshold = threshold
        self.wanted = {}

    def notify(self, event, item, **details):
        if item.quantity < self.threshold:
            self.wanted[item.sku] = self.threshold * 2 - item.quantity
        else:
            self.wanted.pop(item.sku, None)


class Warehouse:
    def __init__(self, *observers):
        self._items = {}
        self._observers = list(observers)

    def _emit(self, event, item, **details):
        for o in self._observers:
            o.notify(event, item, **details)

    def add(self, item):
        self._items[item.sku] = item
        self._emit("add", item, quantity=item.quantity)

    def change(self, sku, delta):
        item = self._items[sku]
        if item.quantity + delta < 0:
            raise OutOfStock(f"{item.name}: wanted {-delta}, have {item.quantity}")
        item = replace(item, quantity=item.quantity + delta)
        self._items[sku] = item
        self._emit("receive" if delta > 0 else "ship", item, delta=delta, left=item.quantity)

    def __iter__(self):
        yield from sorted(self._items.values(), key=lambda i: i.sku)

    @property
    def total_value(self):
        return sum(item.value for item in self)

    def to_json(self):
        return json.dumps([asdict(i) for i in self], indent=1)

    @classmethod
    def from_json(cls, text):
        w = cls()
        for record in json.loads(text):
            w.add(Item(**record))
        return w


def main():
    log, reorder = Logger(), Reorder(threshold=4)
    w = Warehouse(log, reorder)
    w.add(Item("B-2", "Bolt", 0.25, 500))
    w.add(Item("A-1", "Anvil", 99.5, 4))
    w.add(Item("M-7", "Milk", 1.2, 10, perishable=True))
    w.change("A-1", -1)
    w.change("M-7", -8)
    w.change("B-2", 100)
    try:
        w.change("A-1", -10)
    except OutOfStock as e:
        print("out of stock:", e)
    print(f"total value {w.total_value:,.2f}")
    print("\n".join(log.lines))
    print("reorder:", reorder.wanted)
    w.change("A-1", 7)
    print("reorder:", reorder.wanted)
    text = w.to_json()
    print(text)
    again = Warehouse.from_json(text)
    print(list(again) == list(w), again.total_value == w.total_value)
    print([i for i in w if i.perishable])
    try:
        Observer()
    except TypeError:
        print("Observer is abstract")


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
