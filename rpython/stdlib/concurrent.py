"""``concurrent.futures``: pools of threads.

A worker ends when there is nothing to do, so that none is left when the program ends.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from rpython.stdlib._registry import per_arguments, per_site, replaces

_PENDING, _RUNNING, _CANCELLED, _FINISHED = range(4)


@replaces(concurrent.futures.Future)
@per_site()
class Future:
    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._state = _PENDING
        self._error: BaseException | None = None
        self._callbacks: list[Callable[[], object]] = []

    def cancel(self) -> bool:
        with self._condition:
            if self._state in (_RUNNING, _FINISHED):
                return False
            self._state = _CANCELLED
            self._condition.notify_all()
        self._call_back()
        return True

    def cancelled(self) -> bool:
        return self._state == _CANCELLED

    def running(self) -> bool:
        return self._state == _RUNNING

    def done(self) -> bool:
        return self._state in (_CANCELLED, _FINISHED)

    @per_arguments
    def add_done_callback(self, fn: Any) -> None:
        with self._condition:
            if not self.done():
                self._callbacks.append(lambda: fn(self))
                return
        fn(self)

    def _call_back(self) -> None:
        for callback in self._callbacks:
            callback()

    def _wait(self, timeout: Any) -> None:
        with self._condition:
            if not self.done():
                self._condition.wait(timeout)
            if not self.done():
                raise TimeoutError
        if self._state == _CANCELLED:
            raise concurrent.futures.CancelledError

    @per_arguments
    def result(self, timeout: Any = None) -> Any:
        self._wait(timeout)
        if self._error is not None:
            raise self._error
        return self._result

    @per_arguments
    def exception(self, timeout: Any = None) -> BaseException | None:
        self._wait(timeout)
        return self._error

    @per_arguments
    def _run(self, function: Any, args: Any, keywords: Any) -> None:
        with self._condition:
            if self._state != _PENDING:
                return
            self._state = _RUNNING
        try:
            self._result = function(*args, **keywords)
        except BaseException as error:
            self._error = error
        with self._condition:
            self._state = _FINISHED
            self._condition.notify_all()
        self._call_back()


@replaces(concurrent.futures.ThreadPoolExecutor)
class ThreadPoolExecutor:
    def __init__(self, max_workers: int | None = None, thread_name_prefix: str = "") -> None:
        self._most = min(32, (os.cpu_count() or 1) + 4) if max_workers is None else max_workers
        if self._most <= 0:
            raise ValueError("max_workers must be greater than 0")
        self._lock = threading.Lock()
        self._waiting: list[Callable[[], None]] = []
        self._workers: list[threading.Thread] = []
        self._working = 0
        self._ended = False

    @per_arguments
    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        future = Future()
        self._add(lambda: future._run(fn, args, kwargs))
        return future

    def _add(self, work: Callable[[], None]) -> None:
        with self._lock:
            if self._ended:
                raise RuntimeError("cannot schedule new futures after shutdown")
            self._waiting.append(work)
            if self._working == self._most:
                return
            self._working += 1
            worker = threading.Thread(target=_work, args=(self,))
            self._workers.append(worker)
        worker.start()

    def _next(self) -> Callable[[], None] | None:
        with self._lock:
            if self._waiting:
                return self._waiting.pop(0)
            self._working -= 1
            return None

    @per_arguments
    def map(self, fn: Any, *iterables: Any, timeout: Any = None, chunksize: int = 1) -> Any:
        futures = [self.submit(fn, *args) for args in zip(*iterables)]
        return _results(futures, timeout)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if cancel_futures:
            raise NotImplementedError("shutdown(cancel_futures=True)")
        with self._lock:
            self._ended = True
        if wait:
            for worker in self._workers:
                worker.join()

    def __enter__(self) -> ThreadPoolExecutor:
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        self.shutdown()


def _work(pool: ThreadPoolExecutor) -> None:
    while True:
        work = pool._next()
        if work is None:
            return
        work()


@per_arguments
def _results(futures: Any, timeout: Any) -> Iterator[Any]:
    end = 0.0 if timeout is None else time.monotonic() + timeout
    for future in futures:
        yield future.result(None if timeout is None else max(end - time.monotonic(), 0.0))


@replaces(concurrent.futures.as_completed)
def as_completed(fs: Any, timeout: Any = None) -> Iterator[Any]:
    done: queue.SimpleQueue[Any] = queue.SimpleQueue()
    waiting = list(fs)
    for future in waiting:
        future.add_done_callback(done.put)
    end = 0.0 if timeout is None else time.monotonic() + timeout
    for number in range(len(waiting)):
        if timeout is None:
            yield done.get()
        else:
            try:
                yield done.get(timeout=max(end - time.monotonic(), 0.0))
            except queue.Empty:
                left = len(waiting) - number
                raise TimeoutError(f"{left} (of {len(waiting)}) futures unfinished") from None


class DoneAndNotDoneFutures(NamedTuple):
    done: Any
    not_done: Any


@replaces(concurrent.futures.wait)
@per_arguments
def wait(fs: Any, timeout: Any = None, return_when: str = "ALL_COMPLETED") -> Any:
    if return_when != "ALL_COMPLETED":
        raise NotImplementedError(f"wait(return_when={return_when!r})")
    waiting = list(fs)
    end = 0.0 if timeout is None else time.monotonic() + timeout
    for future in waiting:
        with contextlib.suppress(TimeoutError, concurrent.futures.CancelledError):
            future.exception(None if timeout is None else max(end - time.monotonic(), 0.0))
    done = {future for future in waiting if future.done()}
    return DoneAndNotDoneFutures(done, {future for future in waiting if not future.done()})
