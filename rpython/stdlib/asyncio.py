"""``asyncio`` on an event loop of our own: see ``_aioloop.py`` and ``_aiofutures.py``.

Locks, queues, timeouts and groups of tasks are translated from CPython's own source, on these.
"""

from __future__ import annotations

import asyncio
import sys
import types
from types import CoroutineType
from typing import Any

from rpython.stdlib import _aiostreams  # noqa: F401 (it registers what it replaces)
from rpython.stdlib._aiofutures import AnyFuture, Future, Waiter, make_task
from rpython.stdlib._aioloop import RUNNING, Loop, get_running_loop, report
from rpython.stdlib._aiosource import from_source
from rpython.stdlib._aiowaiting import ensure_future
from rpython.stdlib._asyncgens import require_ended
from rpython.stdlib._registry import per_arguments, per_call, per_site, refused, replaces


@replaces(asyncio.SelectorEventLoop, asyncio.BaseEventLoop, asyncio.AbstractEventLoop)
class EventLoop(Loop):
    @per_call
    def create_future(self) -> Any:
        return Future(loop=self)

    @per_arguments
    def create_task(self, coro: Any, *, name: str | None = None) -> Any:
        self._check_closed()
        return make_task(self, coro, name)

    @per_arguments
    def run_until_complete(self, future: Any) -> Any:
        self._check_closed()
        task = ensure_future(future, loop=self)
        stop = task._call_when_done(self.stop)
        try:
            self.run_forever()
        finally:
            task._forget(stop)
        if not task.done():
            raise RuntimeError("Event loop stopped before Future completed.")
        return task.result()

    def call_exception_handler(self, context: Any) -> None:
        sys.stderr.write(f"{context['message']}\n")

    def _cancel_all(self) -> None:
        """At the end of ``asyncio.run``."""
        left = list(self._tasks.keys())
        if not left:
            return
        for task in left:
            task.cancel()
        waits = _All(self, len(left))
        for task in left:
            task._call_when_done(waits.one_less)
        self.run_forever()
        for task in left:
            if not task.cancelled():
                error = task.exception()
                if error is not None:
                    report("unhandled exception during asyncio.run() shutdown", error)


class _All:
    """Stops the loop when as many tasks are done."""

    def __init__(self, loop: EventLoop, count: int) -> None:
        self._loop = loop
        self._count = count

    def one_less(self) -> None:
        self._count -= 1
        if self._count == 0:
            self._loop.stop()


@replaces(asyncio.run)
@per_arguments
def run(main: Any, *, debug: bool | None = None) -> Any:
    if RUNNING.loop() is not None:
        raise RuntimeError("asyncio.run() cannot be called from a running event loop")
    loop = EventLoop()
    try:
        return loop.run_until_complete(make_task(loop, main, None))
    finally:
        loop._cancel_all()
        loop.close()
        require_ended()


@replaces(asyncio.create_task)
@per_arguments
def create_task(coro: Any, *, name: str | None = None) -> Any:
    return make_task(get_running_loop(), coro, name)


@types.coroutine
def _next_iteration() -> Any:
    yield


@replaces(asyncio.sleep)
@per_arguments
async def sleep(delay: Any, result: Any = None) -> Any:
    if delay <= 0:
        await _next_iteration()
        return result
    loop = get_running_loop()
    waiter = Waiter()
    handle = loop.call_later(delay, waiter._wake)
    try:
        await waiter
        return result
    finally:
        handle.cancel()


@replaces(asyncio.iscoroutine)
@per_arguments
def iscoroutine(obj: Any) -> bool:
    return isinstance(obj, CoroutineType)


@replaces(asyncio.isfuture)
@per_arguments
def isfuture(obj: Any) -> bool:
    return isinstance(obj, AnyFuture)


@replaces(asyncio.get_event_loop)
def get_event_loop() -> Any:
    loop = RUNNING.loop()
    if loop is None:
        raise NotImplementedError("asyncio.get_event_loop() where no loop runs")
    return loop


@replaces(asyncio.all_tasks)
def all_tasks(loop: Any = None) -> Any:
    return set(get_running_loop()._tasks.keys())


def _refuse(*functions: Any) -> None:
    for host in functions:
        def helper(*args: Any, **keywords: Any) -> None:
            """Nothing calls it."""

        replaces(host)(refused(f"asyncio.{host.__name__} is not supported")(helper))


_refuse(
    asyncio.Runner, asyncio.new_event_loop, asyncio.set_event_loop, asyncio.to_thread,
    asyncio.run_coroutine_threadsafe, asyncio.create_subprocess_exec,
    asyncio.create_subprocess_shell, asyncio.open_unix_connection, asyncio.start_unix_server,
    asyncio.iscoroutinefunction, asyncio.wrap_future,
)  # fmt: skip


@replaces(asyncio.current_task)
def current_task(loop: Any = None) -> Any:
    return get_running_loop()._current


class _NoGroup(Exception):
    """Stands for ExceptionGroup in CPython's source: no exception is one."""

    exceptions: list[BaseException] = []


def _exception_group(message: str, errors: list[BaseException]) -> BaseException:
    """What a group of tasks raises where CPython raises an exception group."""
    error = NotImplementedError(f"an exception group: {message}")
    error.__cause__ = errors[0]
    return error


Lock = from_source(asyncio.Lock)
Event = from_source(asyncio.Event)
Condition = from_source(asyncio.Condition)
Semaphore = from_source(asyncio.Semaphore)
BoundedSemaphore = from_source(asyncio.BoundedSemaphore, Semaphore)
Queue = per_site()(from_source(asyncio.Queue))
LifoQueue = per_site()(from_source(asyncio.LifoQueue, Queue))
PriorityQueue = per_site()(from_source(asyncio.PriorityQueue, Queue))
Timeout = from_source(asyncio.Timeout, ExceptionGroup=_NoGroup)
TaskGroup = from_source(asyncio.TaskGroup, BaseExceptionGroup=_exception_group)
