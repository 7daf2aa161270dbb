"""What waits for several futures, or for one with a limit: ``asyncio.gather``, ``wait``, ..."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from types import CoroutineType
from typing import Any

from rpython.stdlib._aiofutures import AnyFuture, Future, Waiter, make_task
from rpython.stdlib._aioloop import Loop, get_running_loop
from rpython.stdlib._registry import per_arguments, per_site, per_values, replaces


@replaces(asyncio.ensure_future)
@per_arguments
def ensure_future(coro_or_future: Any, *, loop: Any = None) -> Any:
    if isinstance(coro_or_future, AnyFuture):
        return coro_or_future
    on = get_running_loop() if loop is None else loop
    if isinstance(coro_or_future, CoroutineType):
        return make_task(on, coro_or_future, None)
    return make_task(on, _awaiting(coro_or_future), None)


@per_arguments
async def _awaiting(awaitable: Any) -> Any:
    return await awaitable


# -- gather -----------------------------------------------------------------------------------


class _Gathering(Future):
    _rpython_keeps_members_ = True

    def __init__(self, loop: Loop, children: list[Any]) -> None:
        self._begin(loop)
        self._children = children
        self._cancel_requested = False
        self._left = 0

    def _watch(self) -> None:
        if not self._children:
            self.set_result([])
        known: dict[AnyFuture, None] = {}
        for child in self._children:
            if child not in known:
                known[child] = None
                self._left += 1
                child._call_when_done(lambda child=child: self._one_done(child))

    def cancel(self, msg: str | None = None) -> bool:
        if self.done():
            return False
        cancelled = False
        for child in self._children:
            if child.cancel(msg):
                cancelled = True
        if cancelled:
            self._cancel_requested = True
        return cancelled

    def _fails_with(self, child: AnyFuture) -> bool:
        """Is there an error that ends it before the others are done?"""
        if child.cancelled():
            self._set_error(child._make_cancelled_error())
            return True
        error = child._error
        if error is not None:
            self._set_error(error)
            return True
        return False

    def _one_done(self, child: AnyFuture) -> None:
        self._left -= 1
        if self.done() or self._fails_with(child) or self._left:
            return
        results = [self._outcome(child) for child in self._children]
        if self._cancel_requested:
            self._set_error(child._make_cancelled_error())
        else:
            self.set_result(results)

    def _outcome(self, child: Any) -> Any:
        return child.result()


@per_site()
class _GatheringResults(_Gathering):
    pass


@per_site()
class _GatheringAll(_Gathering):
    """It gives the errors among the results."""

    def _fails_with(self, child: AnyFuture) -> bool:
        return False

    def _outcome(self, child: Any) -> Any:
        if child.cancelled():
            message = child._cancel_message
            return asyncio.CancelledError("" if message is None else message)
        error = child._error
        if error is not None:
            return error
        return child.result()


@replaces(asyncio.gather)
@per_values
def gather(*coros_or_futures: Any, return_exceptions: bool = False) -> Any:
    loop = get_running_loop()
    children = [ensure_future(one) for one in coros_or_futures]
    if return_exceptions:
        every = _GatheringAll(loop, children)
        every._watch()
        return every
    outer = _GatheringResults(loop, children)
    outer._watch()
    return outer


# -- one future -------------------------------------------------------------------------------


async def _cancel_and_wait(future: AnyFuture) -> None:
    waiter = Waiter()
    handle = future._call_when_done(waiter._wake)
    try:
        future.cancel()
        await waiter
    finally:
        future._forget(handle)


@per_arguments
async def _at_once(fut: Any) -> Any:
    """``wait_for`` without time."""
    task = ensure_future(fut)
    if task.done():
        return task.result()
    await _cancel_and_wait(task)
    try:
        return task.result()
    except asyncio.CancelledError as error:
        raise TimeoutError from error


@per_arguments
async def _wait_for_task(fut: Any, timeout: Any) -> Any:
    """``wait_for`` until 3.11: a coroutine becomes a task of its own."""
    if timeout is None:
        return await fut
    if timeout <= 0:
        return await _at_once(fut)
    waiter = Waiter()
    timer = get_running_loop().call_later(timeout, waiter._wake)
    task = ensure_future(fut)
    handle = task._call_when_done(waiter._wake)
    try:
        try:
            await waiter
        except asyncio.CancelledError:
            if task.done():
                return task.result()
            task._forget(handle)
            await _cancel_and_wait(task)
            raise
        if task.done():
            return task.result()
        task._forget(handle)
        await _cancel_and_wait(task)
        try:
            return task.result()
        except asyncio.CancelledError as error:
            raise TimeoutError from error
    finally:
        timer.cancel()


@per_arguments
async def _wait_for_inside(fut: Any, timeout: Any) -> Any:
    """The same from 3.12 on: it runs in the task that waits."""
    if timeout is not None and timeout <= 0:
        return await _at_once(fut)
    async with asyncio.timeout(timeout):
        return await fut


replaces(asyncio.wait_for)(_wait_for_inside if sys.version_info >= (3, 12) else _wait_for_task)


@per_site()
class _Shielding(Future):
    def _take(self, inner: Any) -> None:
        """What the inner future has come to."""
        if self.cancelled():
            return
        if inner.cancelled():
            self.cancel()
            return
        error = inner._error
        if error is not None:
            self._set_error(error)
        else:
            self.set_result(inner.result())


@replaces(asyncio.shield)
@per_arguments
def shield(arg: Any) -> Any:
    inner = ensure_future(arg)
    outer = _Shielding(loop=inner._loop)
    if inner.done():
        return inner
    handle = inner._call_when_done(lambda: outer._take(inner))
    outer._call_when_done(lambda: inner._forget(handle))
    return outer


# -- wait and as_completed --------------------------------------------------------------------


class _Some:
    """A waiter that is woken when enough futures are done."""

    def __init__(self, count: int, first: bool, first_error: bool) -> None:
        self.waiter = Waiter()
        self._left = count
        self._first = first
        self._first_error = first_error

    def one_done(self, future: AnyFuture) -> None:
        self._left -= 1
        failed = future._error is not None and not future.cancelled()
        if self._left <= 0 or self._first or (self._first_error and failed):
            self.waiter._wake()


@replaces(asyncio.wait)
@per_arguments
async def wait(fs: Any, *, timeout: Any = None, return_when: str = "ALL_COMPLETED") -> Any:
    futures = set(fs)
    if not futures:
        raise ValueError("Set of Tasks/Futures is empty.")
    if return_when not in ("FIRST_COMPLETED", "FIRST_EXCEPTION", "ALL_COMPLETED"):
        raise ValueError(f"Invalid return_when value: {return_when}")
    some = _Some(
        len(futures), return_when == "FIRST_COMPLETED", return_when == "FIRST_EXCEPTION"
    )
    loop = get_running_loop()
    timer = None if timeout is None else loop.call_later(timeout, some.waiter._wake)
    handles = [
        (future, future._call_when_done(lambda future=future: some.one_done(future)))
        for future in futures
    ]
    try:
        await some.waiter
    finally:
        if timer is not None:
            timer.cancel()
        for future, handle in handles:
            future._forget(handle)
    done = {future for future in futures if future.done()}
    return done, {future for future in futures if not future.done()}


@replaces(asyncio.as_completed)
@per_arguments
def as_completed(fs: Any, *, timeout: Any = None) -> Iterator[Any]:
    if timeout is not None:
        raise NotImplementedError("as_completed(timeout=...)")
    todo = [ensure_future(one) for one in fs]
    done: asyncio.Queue[Any] = asyncio.Queue()
    for future in todo:
        future._call_when_done(lambda future=future: done.put_nowait(future))
    for _ in todo:
        yield _next_done(done)


@per_arguments
async def _next_done(done: Any) -> Any:
    future = await done.get()
    return future.result()
