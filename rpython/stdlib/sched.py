"""``sched``: what is due at a time.  An event keeps a call; what it is called with is not read."""

from __future__ import annotations

import heapq
import sched
import time as clock
from collections.abc import Callable
from typing import Any

from rpython.stdlib._registry import per_arguments, per_site, replaces


class Event:
    """What ``enter`` gives, in the order of time, priority and entering."""

    def __init__(self, time: Any, priority: Any, sequence: int, call: Callable[[], Any]) -> None:
        self.time = time
        self.priority = priority
        self.sequence = sequence
        self.call = call

    def __lt__(self, other: Event) -> bool:
        if self.time != other.time:
            return bool(self.time < other.time)
        if self.priority != other.priority:
            return bool(self.priority < other.priority)
        return self.sequence < other.sequence


@replaces(sched.scheduler)
@per_site()
class scheduler:
    """Events in their order, run when they are due."""

    def __init__(self, timefunc: Any = clock.monotonic, delayfunc: Any = clock.sleep) -> None:
        self.timefunc = timefunc
        self.delayfunc = delayfunc
        self._events: list[Event] = []
        self._count = 0

    @per_arguments
    def enterabs(
        self, time: Any, priority: Any, action: Any, argument: Any = (), kwargs: Any = ()
    ) -> Event:
        if len(kwargs):
            raise NotImplementedError("events with keyword arguments")
        event = Event(time, priority, self._count, lambda: action(*argument))
        self._count += 1
        heapq.heappush(self._events, event)
        return event

    @per_arguments
    def enter(
        self, delay: Any, priority: Any, action: Any, argument: Any = (), kwargs: Any = ()
    ) -> Event:
        return self.enterabs(self.timefunc() + delay, priority, action, argument, kwargs)

    def cancel(self, event: Event) -> None:
        for i, other in enumerate(self._events):
            if other is event:
                del self._events[i]
                heapq.heapify(self._events)
                return
        raise ValueError("list.remove(x): x not in list")

    def empty(self) -> bool:
        return len(self._events) == 0

    @property
    def queue(self) -> list[Event]:
        return sorted(self._events)

    @per_arguments
    def run(self, blocking: bool = True) -> Any:
        while len(self._events):
            event = self._events[0]
            now = self.timefunc()
            if event.time > now:
                if not blocking:
                    return event.time - now
                self.delayfunc(event.time - now)
            else:
                heapq.heappop(self._events)
                event.call()
                self.delayfunc(0)
        return None
