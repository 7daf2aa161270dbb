"""Discrete event simulation of a shop with several tills."""
import heapq
import itertools
import random
from dataclasses import dataclass, field
from typing import Any, Callable


@dataclass(order=True)
class Event:
    time: float
    seq: int
    action: Callable = field(compare=False)
    args: tuple = field(compare=False, default=())


class Simulation:
    def __init__(self):
        self.now = 0.0
        self._queue = []
        self._counter = itertools.count()

    def schedule(self, delay, action, *args):
        heapq.heappush(self._queue, Event(self.now + delay, next(self._counter), action, args))

    def run(self, until=float("inf")):
        steps = 0
        while self._queue and self._queue[0].time <= until:
            event = heapq.heappop(self._queue)
            self.now = event.time
            event.action(*event.args)
            steps += 1
        return steps


@dataclass
class Customer:
    name: str
    items: int
    arrived: float = 0.0
    served: float = 0.0

    @property
    def waited(self):
        return self.served - self.arrived


class Till:
    def __init__(self, sim, number, speed):
        self.sim = sim
        self.number = number
        self.speed = speed
        self.line = []
        self.busy = False
        self.done = []

    def join(self, customer):
        customer.arrived = self.sim.now
        self.line.append(customer)
        if not self.busy:
            self.next_customer()

    def next_customer(self):
        if not self.line:
            self.busy = False
            return
        self.busy = True
        customer = self.line.pop(0)
        customer.served = self.sim.now
        self.sim.schedule(customer.items * self.speed, self.finish, customer)

    def finish(self, customer):
        self.done.append(customer)
        print(f"{self.sim.now:6.1f}  till {self.number}: {customer.name} leaves after {customer.waited:.1f} wait")
        self.next_customer()


class Shop:
    def __init__(self, sim, tills, rng):
        self.sim = sim
        self.tills = tills
        self.rng = rng
        self.arrivals = 0

    def arrive(self):
        self.arrivals += 1
        customer = Customer(f"c{self.arrivals:02d}", 1 + (self.arrivals * 7) % 11)
        till = min(self.tills, key=lambda t: (len(t.line) + t.busy, t.number))
        till.join(customer)
        if self.arrivals < 12:
            self.sim.schedule(1.5 + (self.arrivals * 5 % 4) * 0.5, self.arrive)


def main():
    sim = Simulation()
    tills = [Till(sim, 1, 1.0), Till(sim, 2, 1.5)]
    shop = Shop(sim, tills, random.Random(42))
    sim.schedule(0, shop.arrive)
    steps = sim.run(until=30)
    print(f"-- {steps} steps until t={sim.now}")
    steps += sim.run()
    print(f"-- {steps} steps in all, t={sim.now}")
    everyone = [c for t in tills for c in t.done]
    print("served:", len(everyone))
    print("average wait: {:.2f}".format(sum(c.waited for c in everyone) / len(everyone)))
    worst = max(everyone, key=lambda c: c.waited)
    print("worst:", worst)
    for t in tills:
        print(t.number, [c.name for c in t.done])


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
