"""Threads that wait for each other: ``handover WHAT N`` prints microseconds for each of N times."""

import queue
import sys
import threading
import time


class Ball:
    """Goes to and fro between two threads."""

    def __init__(self) -> None:
        self.condition = threading.Condition()
        self.side = 0

    def play(self, side: int, times: int) -> None:
        for _ in range(times):
            with self.condition:
                while self.side != side:
                    self.condition.wait()
                self.side = 1 - side
                self.condition.notify()


class Counter:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.n = 0

    def count(self, times: int) -> None:
        for _ in range(times):
            with self.lock:
                self.n += 1


def echo(inbox: queue.Queue, outbox: queue.Queue) -> None:
    while True:
        n = inbox.get()
        outbox.put(n + 1)
        if n < 0:
            return


def queues(times: int) -> None:
    """A number through a queue to another thread, and back through another queue."""
    inbox: queue.Queue = queue.Queue()
    outbox: queue.Queue = queue.Queue()
    thread = threading.Thread(target=echo, args=(inbox, outbox))
    thread.start()
    for i in range(times):
        inbox.put(i)
        assert outbox.get() == i + 1
    inbox.put(-1)
    thread.join()


def condition(times: int) -> None:
    """A condition: notified by the other thread, and notifying it."""
    ball = Ball()
    thread = threading.Thread(target=ball.play, args=(1, times))
    thread.start()
    ball.play(0, times)
    thread.join()


def lock(times: int) -> None:
    """A lock that nobody else wants."""
    counter = Counter()
    counter.count(times)
    assert counter.n == times


def contended(times: int) -> None:
    """A lock that four threads want."""
    counter = Counter()
    threads = [threading.Thread(target=counter.count, args=(times // 4,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counter.n == times // 4 * 4


def start(times: int) -> None:
    """A thread that does nothing is started and joined."""
    counter = Counter()
    for _ in range(times):
        thread = threading.Thread(target=counter.count, args=(0,))
        thread.start()
        thread.join()


WHAT = {f.__name__: f for f in (queues, condition, lock, contended, start)}


def entry_point(argv: list[str]) -> int:
    times = int(argv[2])
    started = time.perf_counter()
    WHAT[argv[1]](times)
    print(f"{(time.perf_counter() - started) / times * 1e6:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
