"""Richards: the kernel of a small operating system, simulated.

Martin Richards' benchmark.  Six tasks (one idle, one worker, two handlers, two devices)
pass packets around under a scheduler; how often a packet was queued and a task was held
says whether it ran as it should.

    richards.py [ROUNDS]
"""

from __future__ import annotations

import sys

IDLE, WORKER, HANDLER_A, HANDLER_B, DEVICE_A, DEVICE_B = range(1, 7)
DEVICE_PACKET, WORK_PACKET = range(2)
IDLE_COUNT = 10000
QUEUED, HELD = 23246, 9297
DATA_SIZE = 4


class Packet:
    """A message between tasks; packets form queues through ``link``."""

    def __init__(self, link: Packet | None, ident: int, kind: int):
        self.link = link
        self.ident = ident
        self.kind = kind
        self.datum = 0
        self.data = [0] * DATA_SIZE

    def append_to(self, queue: Packet | None) -> Packet:
        """Put this packet at the end of a queue; the queue."""
        self.link = None
        if queue is None:
            return self
        last = queue
        while last.link is not None:
            last = last.link
        last.link = self
        return queue


class Task:
    """A task and its state; what it does is in ``step`` of its subclasses."""

    def __init__(
        self, scheduler: Scheduler, ident: int, priority: int, work: Packet | None, waiting: bool
    ):
        self.scheduler = scheduler
        self.ident = ident
        self.priority = priority
        self.queue = work
        self.packet_pending = work is not None
        self.waiting = waiting
        self.held = False
        self.next = scheduler.tasks
        scheduler.tasks = self
        scheduler.table[ident] = self

    def step(self, packet: Packet | None) -> Task | None:
        """Do a piece of work; the task to run next."""
        raise NotImplementedError

    @property
    def suspended(self) -> bool:
        return self.held or (self.waiting and not self.packet_pending)

    def add_packet(self, packet: Packet, current: Task) -> Task:
        """Receive a packet; the task to run next."""
        if self.queue is None:
            self.queue = packet
            self.packet_pending = True
            if self.priority > current.priority:
                return self
        else:
            packet.append_to(self.queue)
        return current

    def run(self) -> Task | None:
        packet = None
        if self.waiting and self.packet_pending:
            packet = self.queue
            assert packet is not None
            self.queue = packet.link
            self.waiting = False
            self.packet_pending = self.queue is not None
        return self.step(packet)

    # -- what a task may ask of the scheduler

    def wait(self) -> Task:
        self.waiting = True
        return self

    def hold(self) -> Task | None:
        self.scheduler.hold_count += 1
        self.held = True
        return self.next

    def release(self, ident: int) -> Task:
        task = self.scheduler.find(ident)
        task.held = False
        return task if task.priority > self.priority else self

    def send(self, packet: Packet) -> Task:
        task = self.scheduler.find(packet.ident)
        self.scheduler.queue_count += 1
        packet.link = None
        packet.ident = self.ident
        return task.add_packet(packet, self)


class IdleTask(Task):
    """Lets the devices go, one or the other, by the bits of a shift register."""

    def __init__(self, scheduler: Scheduler):
        super().__init__(scheduler, IDLE, 0, None, False)
        self.control = 1
        self.count = IDLE_COUNT

    def step(self, packet: Packet | None) -> Task | None:
        self.count -= 1
        if self.count == 0:
            return self.hold()
        if self.control & 1 == 0:
            self.control //= 2
            return self.release(DEVICE_A)
        self.control = self.control // 2 ^ 0xD008
        return self.release(DEVICE_B)


class WorkerTask(Task):
    """Fills packets with letters and sends them to the handlers in turn."""

    def __init__(self, scheduler: Scheduler, work: Packet):
        super().__init__(scheduler, WORKER, 1000, work, True)
        self.destination = HANDLER_A
        self.count = 0

    def step(self, packet: Packet | None) -> Task | None:
        if packet is None:
            return self.wait()
        self.destination = HANDLER_B if self.destination == HANDLER_A else HANDLER_A
        packet.ident = self.destination
        packet.datum = 0
        for i in range(DATA_SIZE):
            self.count = self.count % 26 + 1
            packet.data[i] = ord("A") + self.count - 1
        return self.send(packet)


class HandlerTask(Task):
    """Takes work from the worker and hands it, letter by letter, to a device."""

    def __init__(self, scheduler: Scheduler, ident: int, priority: int, work: Packet):
        super().__init__(scheduler, ident, priority, work, True)
        self.work: Packet | None = None
        self.devices: Packet | None = None

    def step(self, packet: Packet | None) -> Task | None:
        if packet is not None:
            if packet.kind == WORK_PACKET:
                self.work = packet.append_to(self.work)
            else:
                self.devices = packet.append_to(self.devices)
        work = self.work
        if work is not None:
            done = work.datum
            if done >= DATA_SIZE:
                self.work = work.link
                return self.send(work)
            device = self.devices
            if device is not None:
                self.devices = device.link
                device.datum = work.data[done]
                work.datum = done + 1
                return self.send(device)
        return self.wait()


class DeviceTask(Task):
    """Keeps a packet for a while and sends it back."""

    def __init__(self, scheduler: Scheduler, ident: int, priority: int):
        super().__init__(scheduler, ident, priority, None, True)
        self.pending: Packet | None = None

    def step(self, packet: Packet | None) -> Task | None:
        if packet is None:
            packet = self.pending
            if packet is None:
                return self.wait()
            self.pending = None
            return self.send(packet)
        self.pending = packet
        if self.scheduler.trace:
            self.scheduler.output.append(chr(packet.datum))
        return self.hold()


class Scheduler:
    """Runs the task of highest priority that can run, until none can."""

    def __init__(self, trace: bool = False):
        self.tasks: Task | None = None
        self.table: list[Task | None] = [None] * 10
        self.hold_count = 0
        self.queue_count = 0
        self.trace = trace
        self.output: list[str] = []

    def find(self, ident: int) -> Task:
        task = self.table[ident]
        if task is None:
            raise ValueError(f"no task {ident}")
        return task

    def schedule(self) -> None:
        task = self.tasks
        while task is not None:
            task = task.next if task.suspended else task.run()


def packets(ident: int, kind: int, count: int) -> Packet:
    """A queue of new packets."""
    queue = Packet(None, ident, kind)
    for _ in range(count - 1):
        queue = Packet(queue, ident, kind)
    return queue


def simulate(trace: bool = False) -> Scheduler:
    """Run the whole system once."""
    scheduler = Scheduler(trace)
    IdleTask(scheduler)
    WorkerTask(scheduler, packets(0, WORK_PACKET, 2))
    HandlerTask(scheduler, HANDLER_A, 2000, packets(DEVICE_A, DEVICE_PACKET, 3))
    HandlerTask(scheduler, HANDLER_B, 3000, packets(DEVICE_B, DEVICE_PACKET, 3))
    DeviceTask(scheduler, DEVICE_A, 4000)
    DeviceTask(scheduler, DEVICE_B, 5000)
    scheduler.schedule()
    return scheduler


def entry_point(argv: list[str]) -> int:
    rounds = int(argv[1]) if len(argv) > 1 else 1
    for _ in range(rounds):
        done = simulate()
        if (done.queue_count, done.hold_count) != (QUEUED, HELD):
            print(f"wrong: {done.queue_count} queued, {done.hold_count} held")
            return 1
    print("".join(simulate(trace=True).output)[:78])
    print(f"{rounds} rounds: {QUEUED} packets queued, {HELD} tasks held in each")
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
