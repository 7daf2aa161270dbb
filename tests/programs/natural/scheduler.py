"""Cooperative scheduler with generators, and a dependency resolver."""
import heapq
from collections import OrderedDict, defaultdict, deque
from contextlib import contextmanager


class Sleep:
    def __init__(self, ticks):
        self.ticks = ticks


class Send:
    def __init__(self, channel, value):
        self.channel, self.value = channel, value


class Receive:
    def __init__(self, channel):
        self.channel = channel


class Scheduler:
    def __init__(self):
        self.ready = deque()
        self.sleeping = []
        self.channels = defaultdict(deque)
        self.receivers = defaultdict(deque)
        self.now = 0
        self.seq = 0

    def spawn(self, gen, name):
        self.ready.append((name, gen, None))

    def run(self):
        while self.ready or self.sleeping:
            if not self.ready:
                self.now, _, name, gen = heapq.heappop(self.sleeping)
                self.ready.append((name, gen, None))
            name, gen, value = self.ready.popleft()
            try:
                request = gen.send(value)
            except StopIteration as stop:
                print(f"[{self.now:>2}] {name} finished -> {stop.value}")
                continue
            self.handle(name, gen, request)
        waiting = [n for q in self.receivers.values() for n, _ in q]
        if waiting:
            print("deadlock:", waiting)

    def handle(self, name, gen, request):
        if isinstance(request, Sleep):
            self.seq += 1
            heapq.heappush(self.sleeping, (self.now + request.ticks, self.seq, name, gen))
        elif isinstance(request, Send):
            if self.receivers[request.channel]:
                other, waiting = self.receivers[request.channel].popleft()
                self.ready.append((other, waiting, request.value))
            else:
                self.channels[request.channel].append(request.value)
            self.ready.append((name, gen, None))
        elif isinstance(request, Receive):
            if self.channels[request.channel]:
                self.ready.append((name, gen, self.channels[request.channel].popleft()))
            else:
                self.receivers[request.channel].append((name, gen))
        else:
            self.ready.append((name, gen, None))


def producer(channel, items, pause):
    for item in items:
        yield Sleep(pause)
        yield Send(channel, item)
    yield Send(channel, None)
    return len(items)


def consumer(channel):
    total = 0
    while True:
        item = yield Receive(channel)
        if item is None:
            return total
        print("    got", item)
        total += item


def delegating():
    first = yield from consumer("b")
    yield
    return first * 100


class CycleError(Exception):
    pass


def resolve(deps):
    order = OrderedDict()
    visiting = []

    def visit(name):
        if name in order:
            return
        if name in visiting:
            raise CycleError(" -> ".join(visiting[visiting.index(name):] + [name]))
        visiting.append(name)
        for dep in sorted(deps.get(name, ())):
            visit(dep)
        visiting.pop()
        order[name] = len(order)

    for name in sorted(deps):
        visit(name)
    return order


@contextmanager
def banner(text):
    print(f"<<{text}")
    yield
    print(f">>{text}")


def main():
    with banner("tasks"):
        s = Scheduler()
        s.spawn(producer("a", [1, 2, 3], 2), "prod-a")
        s.spawn(consumer("a"), "cons-a")
        s.spawn(producer("b", [10, 20], 3), "prod-b")
        s.spawn(delegating(), "deleg")
        s.spawn(consumer("never"), "lonely")
        s.run()
    with banner("packages"):
        deps = {"app": {"web", "db"}, "web": {"http", "log"}, "db": {"log"}, "http": set()}
        order = resolve(deps)
        print(list(order), order["app"])
        last = next(reversed(order))
        print(last, order.popitem(last=False))
        deps["log"] = {"app"}
        try:
            resolve(deps)
        except CycleError as e:
            print("cycle:", e)


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
