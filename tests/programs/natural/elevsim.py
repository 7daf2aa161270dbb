"""Simulation of a supermarket with generators as processes."""
import heapq
import math
import random
from dataclasses import dataclass, field
from statistics import mean, pstdev
from typing import Generator, Optional


class Interrupt(Exception):
    pass


@dataclass(order=True)
class Scheduled:
    time: float
    seq: int
    process: "Process" = field(compare=False)
    value: object = field(compare=False, default=None)


class Process:
    def __init__(self, env, generator, name):
        self.env = env
        self.generator = generator
        self.name = name
        self.alive = True
        self.result = None

    def step(self, value):
        try:
            command = self.generator.send(value)
        except StopIteration as stop:
            self.alive = False
            self.result = stop.value
            return
        command(self)

    def interrupt(self, why):
        try:
            command = self.generator.throw(Interrupt(why))
        except (StopIteration, Interrupt) as e:
            self.alive = False
        else:
            command(self)


class Environment:
    def __init__(self):
        self.now = 0
        self._heap = []
        self._seq = 0
        self.log = []

    def schedule(self, process, delay=0, value=None):
        self._seq += 1
        heapq.heappush(self._heap, Scheduled(self.now + delay, self._seq, process, value))

    def process(self, generator, name="?"):
        p = Process(self, generator, name)
        self.schedule(p)
        return p

    def timeout(self, delay, value=None):
        return lambda process: self.schedule(process, delay, value)

    def run(self, until=math.inf):
        while self._heap and self._heap[0].time <= until:
            event = heapq.heappop(self._heap)
            self.now = event.time
            if event.process.alive:
                event.process.step(event.value)
        if until != math.inf:
            self.now = until

    def trace(self, text):
        self.log.append(f"{self.now:7.2f} {text}")


class Resource:
    def __init__(self, env, capacity=1):
        self.env, self.capacity = env, capacity
        self.users = 0
        self.queue = []

    def acquire(self):
        def command(process):
            if self.users < self.capacity:
                self.users += 1
                self.env.schedule(process)
            else:
                self.queue.append(process)
        return command

    def release(self):
        self.users -= 1
        if self.queue:
            self.users += 1
            self.env.schedule(self.queue.pop(0))


@dataclass
class Stats:
    waits: list = field(default_factory=list)
    served: int = 0
    longest: Optional[str] = None

    def record(self, name, wait):
        self.served += 1
        if not self.waits or wait > max(self.waits):
            self.longest = name
        self.waits.append(wait)


def customer(env, name, tills, stats, rng) -> Generator:
    env.trace(f"{name} arrives")
    arrived = env.now
    yield tills.acquire()
    wait = env.now - arrived
    stats.record(name, wait)
    try:
        items = rng.randint(1, 12)
        got = yield env.timeout(items * 0.5, items)
        env.trace(f"{name} leaves with {got} items after waiting {wait:.2f}")
        return got
    finally:
        tills.release()


def source(env, tills, stats, rng, count):
    people = []
    for i in range(count):
        people.append(env.process(customer(env, f"c{i:02}", tills, stats, rng), f"c{i:02}"))
        yield env.timeout(rng.expovariate(1 / 1.5))
    return people


def main(seed=7):
    rng = random.Random(seed)
    env = Environment()
    tills = Resource(env, capacity=2)
    stats = Stats()
    src = env.process(source(env, tills, stats, rng, 12), "source")
    env.run()
    print("\n".join(env.log))
    print(f"served {stats.served}, mean wait {mean(stats.waits):.3f} +- {pstdev(stats.waits):.3f}, longest {stats.longest}")
    print("sold", sum(p.result for p in src.result), "until", round(env.now, 3))
    env2 = Environment()
    t2 = Resource(env2)
    p = env2.process(customer(env2, "zed", t2, stats, rng), "zed")
    env2.run(until=0.1)
    p.interrupt("closing")
    print(p.alive, p.result, t2.users, env2.now)


if __name__ == "__main__":
    main()
