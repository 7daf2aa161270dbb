"""Event-sourced accounts with a message bus."""
from __future__ import annotations
import itertools
from abc import ABC, abstractmethod
from collections import defaultdict, deque
from dataclasses import dataclass, field, replace
from typing import Callable, ClassVar, Generic, Protocol, Type, TypeVar, Union

T = TypeVar("T")


@dataclass(frozen=True)
class Event:
    sequence: int = field(default_factory=itertools.count(1).__next__, compare=False)


@dataclass(frozen=True)
class Opened(Event):
    owner: str = ""


@dataclass(frozen=True)
class Deposited(Event):
    owner: str = ""
    amount: int = 0


@dataclass(frozen=True)
class Withdrawn(Event):
    owner: str = ""
    amount: int = 0
    fee: float = 0.25


class Handler(Protocol):
    def __call__(self, event: Event) -> None: ...


class Bus:
    def __init__(self) -> None:
        self._handlers: dict[type, list[Callable]] = defaultdict(list)
        self._queue: deque[Event] = deque()
        self.delivered = 0

    def on(self, kind):
        def register(fn):
            self._handlers[kind].append(fn)
            return fn
        return register

    def publish(self, event: Event) -> None:
        self._queue.append(event)

    def run(self) -> None:
        while self._queue:
            event = self._queue.popleft()
            for cls in type(event).__mro__:
                for fn in self._handlers.get(cls, ()):
                    fn(event)
                    self.delivered += 1


class Repository(Generic[T]):
    def __init__(self) -> None:
        self._items: dict[str, T] = {}

    def get(self, key: str) -> T:
        return self._items[key]

    def put(self, key: str, item: T) -> None:
        self._items[key] = item

    def __iter__(self):
        return iter(self._items.values())

    def __len__(self) -> int:
        return len(self._items)


class Projection(ABC):
    registry: ClassVar[list[Type["Projection"]]] = []

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        Projection.registry.append(cls)

    @abstractmethod
    def apply(self, event: Event) -> None:
        ...

    @abstractmethod
    def summary(self) -> str:
        ...


class Balances(Projection):
    def __init__(self):
        self.accounts: Repository[float] = Repository()

    def apply(self, event):
        match event:
            case Opened(owner=who):
                self.accounts.put(who, 0)
            case Deposited(owner=who, amount=n):
                self.accounts.put(who, self.accounts.get(who) + n)
            case Withdrawn(owner=who, amount=n, fee=fee):
                self.accounts.put(who, self.accounts.get(who) - n - fee)

    def summary(self):
        return f"{len(self.accounts)} accounts, total {sum(self.accounts):.2f}"


class Audit(Projection):
    def __init__(self):
        self.counts = {}

    def apply(self, event):
        name = type(event).__name__
        self.counts[name] = self.counts.get(name, 0) + 1

    def summary(self):
        return ", ".join(f"{k}={v}" for k, v in sorted(self.counts.items()))


def main() -> None:
    bus = Bus()
    projections = [cls() for cls in Projection.registry]
    for p in projections:
        bus.on(Event)(p.apply)

    large: list[Union[Deposited, Withdrawn]] = []

    @bus.on(Deposited)
    @bus.on(Withdrawn)
    def watch(event):
        if event.amount > 90:
            large.append(event)

    bus.publish(Opened(owner="ann"))
    bus.publish(Opened(owner="bob"))
    first = Deposited(owner="ann", amount=100)
    bus.publish(first)
    bus.publish(Withdrawn(owner="ann", amount=30))
    bus.publish(replace(first, owner="bob", amount=95))
    bus.run()
    for p in projections:
        print(f"{p.__class__.__name__}: {p.summary()}")
    for e in large:
        print(e)
    print(bus.delivered, first == Deposited(owner="ann", amount=100))
    try:
        first.amount = 5
    except AttributeError as e:
        print(type(e).__name__, e)
    print(sorted({Opened(owner="z"), Opened(owner="z")}, key=lambda e: e.owner)[0].owner)


if __name__ == "__main__":
    main()
