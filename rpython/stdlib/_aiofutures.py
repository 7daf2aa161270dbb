"""Futures and tasks of ``asyncio``.

A result is kept by a class of its own for each place of a program that makes futures, and a task's
for each kind of coroutine; the loop, and what waits for several, know the class above all of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from typing import Any

from rpython.stdlib._aioloop import Handle, Loop, Step, get_running_loop
from rpython.stdlib._registry import per_arguments, per_site, replaces

_PENDING, _CANCELLED, _FINISHED = range(3)


class _Done(Handle):
    """What is called when a future is done."""

    def __init__(self, function: Callable[[], object]) -> None:
        self._cancelled = False
        self._function = function

    def _call(self) -> None:
        self._function()


class AnyFuture:
    """Some future."""

    _rpython_keeps_members_ = True
    _rpython_shared_ = True
    _rpython_state_machine_ = True
    """``_result`` is read where there is one; it is of no kind where a program never sets it."""

    def _begin(self, loop: Loop) -> None:
        self._loop = loop
        self._state = _PENDING
        self._asyncio_future_blocking = False
        self._callbacks: list[Handle] = []
        self._error: BaseException | None = None
        self._cancel_message: str | None = None
        self._cancelled_error: asyncio.CancelledError | None = None

    def __repr__(self) -> str:
        raise NotImplementedError("repr() of a future or task")

    def get_loop(self) -> Loop:
        return self._loop

    def done(self) -> bool:
        return self._state != _PENDING

    def cancelled(self) -> bool:
        return self._state == _CANCELLED

    def cancel(self, msg: str | None = None) -> bool:
        return self._cancel(msg)

    def _cancel(self, msg: str | None) -> bool:
        if self._state != _PENDING:
            return False
        self._cancel_message = msg
        self._end(_CANCELLED)
        return True

    def _end(self, state: int) -> None:
        self._state = state
        ready = self._loop._ready
        for handle in self._callbacks:
            ready.append(handle)
        self._callbacks = []

    def _make_cancelled_error(self) -> asyncio.CancelledError:
        error = self._cancelled_error
        if error is not None:
            self._cancelled_error = None
            return error
        message = self._cancel_message
        if message is None:
            return asyncio.CancelledError()
        return asyncio.CancelledError(message)

    def exception(self) -> BaseException | None:
        if self._state == _CANCELLED:
            raise self._make_cancelled_error()
        if self._state == _PENDING:
            raise asyncio.InvalidStateError("Exception is not set.")
        return self._error

    @per_arguments
    def set_exception(self, exception: Any, /) -> None:
        self._check_pending()
        if isinstance(exception, type):
            self._set_error(exception())
        else:
            self._set_error(exception)

    def _set_error(self, error: BaseException) -> None:
        if isinstance(error, StopIteration):
            raise TypeError(
                "StopIteration interacts badly with generators and cannot be raised into a Future"
            )
        self._error = error
        self._end(_FINISHED)

    def _check_pending(self) -> None:
        if self._state != _PENDING:
            raise asyncio.InvalidStateError("invalid state")

    def _when_done(self, handle: Handle) -> None:
        """Let the loop call this when the future is done."""
        if self._state == _PENDING:
            self._callbacks.append(handle)
        else:
            self._loop._ready.append(handle)

    def _call_when_done(self, function: Callable[[], object]) -> Handle:
        """The same; the handle is for ``_forget``."""
        handle = _Done(function)
        self._when_done(handle)
        return handle

    def _forget(self, handle: Handle) -> None:
        if handle in self._callbacks:
            self._callbacks.remove(handle)

    def _raise_error(self) -> None:
        """Where there is no result."""
        if self._state == _CANCELLED:
            raise self._make_cancelled_error()
        if self._state == _PENDING:
            raise asyncio.InvalidStateError("Result is not set.")
        error = self._error
        if error is not None:
            raise error

    def _step(self) -> None:
        """Of a task: go on."""
        raise NotImplementedError


class Waiter(AnyFuture):
    """A future whose result is None."""

    def __init__(self) -> None:
        self._begin(get_running_loop())

    def _wake(self) -> None:
        if self._state == _PENDING:
            self._end(_FINISHED)

    def __await__(self) -> Generator[Any, None, None]:
        if self._state == _PENDING:
            self._asyncio_future_blocking = True
            yield self
        self._raise_error()


@replaces(asyncio.Future)
@per_site()
class Future(AnyFuture):
    def __init__(self, *, loop: Loop | None = None) -> None:
        self._begin(get_running_loop() if loop is None else loop)

    @staticmethod
    def of_host(cls: Any, x: Any) -> Any:
        raise NotImplementedError

    def result(self) -> Any:
        self._raise_error()
        return self._result

    def set_result(self, result: Any, /) -> None:
        self._check_pending()
        self._result = result
        self._end(_FINISHED)

    @per_arguments
    def add_done_callback(self, fn: Any, /) -> None:
        self._call_when_done(lambda: fn(self))

    def __await__(self) -> Generator[Any, None, Any]:
        if self._state == _PENDING:
            self._asyncio_future_blocking = True
            yield self
            if self._state == _PENDING:
                raise RuntimeError("await wasn't used with future")
        return self.result()

    def __iter__(self) -> Generator[Any, None, Any]:
        return self.__await__()


class _Names:
    """How many tasks got a name."""

    def __init__(self) -> None:
        self.count = 0


NAMES = _Names()


@replaces(asyncio.Task)
@per_site()
class Task(Future):
    def __init__(self, coro: Any, *, loop: Loop | None = None, name: str | None = None) -> None:
        self._begin(get_running_loop() if loop is None else loop)
        self._coro = coro
        self._must_cancel = False
        self._waits_for: AnyFuture | None = None
        self._to_throw: BaseException | None = None
        self._requests = 0
        if name is None:
            NAMES.count += 1
            name = f"Task-{NAMES.count}"
        self._name = name
        self._loop._tasks[self] = None
        self._loop._ready.append(Step(self))

    def get_coro(self) -> Any:
        return self._coro

    def get_name(self) -> str:
        return self._name

    def set_name(self, value: object, /) -> None:
        self._name = str(value)

    def cancelling(self) -> int:
        return self._requests

    def uncancel(self) -> int:
        if self._requests > 0:
            self._requests -= 1
        return self._requests

    def set_result(self, result: Any, /) -> None:
        raise RuntimeError("Task does not support set_result operation")

    def set_exception(self, exception: Any, /) -> None:
        raise RuntimeError("Task does not support set_exception operation")

    def cancel(self, msg: str | None = None) -> bool:
        if self._state != _PENDING:
            return False
        self._requests += 1
        waits_for = self._waits_for
        if waits_for is not None and waits_for.cancel(msg):
            return True
        self._must_cancel = True
        self._cancel_message = msg
        return True

    def _step(self) -> None:
        loop = self._loop
        loop._current = self
        self._waits_for = None
        error = self._to_throw
        self._to_throw = None
        if self._must_cancel:
            self._must_cancel = False
            if not isinstance(error, asyncio.CancelledError):
                error = self._make_cancelled_error()
        try:
            if error is not None:
                waits_for = self._coro.throw(error)
            else:
                waits_for = self._coro.__next__()
        except StopIteration:
            if self._must_cancel:
                self._must_cancel = False
                self._leave(_CANCELLED)
            else:
                self._result = self._coro._result()
                self._leave(_FINISHED)
        except asyncio.CancelledError as cancelled:
            self._cancelled_error = cancelled
            self._cancel_message = None
            self._leave(_CANCELLED)
        except (KeyboardInterrupt, SystemExit) as ending:
            self._error = ending
            self._leave(_FINISHED)
            raise
        except BaseException as raised:
            self._leave(_FINISHED)
            self._error = raised
        else:
            self._wait_for(waits_for)
        finally:
            loop._current = None

    def _leave(self, state: int) -> None:
        del self._loop._tasks[self]
        self._end(state)

    def _wait_for(self, waits_for: Any) -> None:
        if waits_for is None:
            self._loop._ready.append(Step(self))
        elif isinstance(waits_for, AnyFuture):
            if not waits_for._asyncio_future_blocking:
                self._fail(f"yield was used instead of yield from in task {self._name}")
            elif waits_for is self:
                self._fail(f"Task cannot await on itself: {self._name}")
            else:
                waits_for._asyncio_future_blocking = False
                waits_for._when_done(Step(self))
                self._waits_for = waits_for
                if self._must_cancel and waits_for.cancel(self._cancel_message):
                    self._must_cancel = False
        else:
            self._fail(f"Task got bad yield: {waits_for!r}")

    def _fail(self, message: str) -> None:
        """CPython's message has the ``repr`` of the task."""
        self._to_throw = NotImplementedError(message)
        self._loop._ready.append(Step(self))


@per_arguments
def make_task(loop: Loop, coro: Any, name: str | None) -> Any:
    return Task(coro, loop=loop, name=name)
