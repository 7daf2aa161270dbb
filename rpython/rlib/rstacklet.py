"""Stacklets: functions that are left in the middle and continued later, each on a stack of its own.

    def count(h, arg):                    runs at once, h: who is waiting
        h = thread.switch(h)              leave, until somebody switches here again
        return h                          end, and go on there

    thread = StackletThread()
    h = thread.new(count)                 comes back with what continues count
    h = thread.switch(h)                  empty: count has ended

A stack is one of the system's threads, of which only one is not waiting.  So the collectors find
what is on it, and exceptions, handlers and the check for deep recursion are its own.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from rpython.rlib.rthread import Lock, RThreadError, start_new_thread


class StackletError(Exception):
    """A handle that was used before or is no stack's."""


_ANY_ERROR = BaseException
"""There is nobody above a stack who could catch what its function raises."""


class _Destroyed(BaseException):
    """Ends a stacklet that is destroyed while it waits."""


class _Stack:
    """Where a stacklet runs, or the program itself."""

    def __init__(self) -> None:
        self.turn: Lock | None = None
        """Held while the stack waits for its turn, and while it runs; made when it first waits,
        as a prebuilt stack has no lock."""
        self.destroyer: _Stack | None = None

    def expect_turn(self) -> Lock:
        """To be called before anybody can give the turn back."""
        turn = self.turn
        if turn is None:
            turn = self.turn = Lock()
            turn.acquire(True)
        return turn

    def resume(self) -> None:
        """Give the turn to a stack that waits."""
        turn = self.turn
        assert turn is not None
        turn.release()

    def wait(self, turn: Lock) -> None:
        """Until somebody switches here.  Raises _Destroyed."""
        turn.acquire(True)
        if self.destroyer is not None:
            raise _Destroyed


class Handle:
    """A stack that waits, to be switched to once."""

    def __init__(self, stack: _Stack | None) -> None:
        self.stack = stack

    def take(self) -> _Stack:
        """The stack.  Raises StackletError."""
        stack = self.stack
        if stack is None:
            raise StackletError("the handle was used before, or is empty")
        self.stack = None
        return stack


_EMPTY = Handle(None)

Runner = Callable[[Handle, int], Handle]


class _Stacklet(_Stack):
    """The stack of a function."""

    def __init__(
        self, thread: StackletThread, run: Runner, arg: int, caller: Handle
    ) -> None:
        _Stack.__init__(self)
        self.thread = thread
        self.run = run
        self.arg = arg
        self.caller = caller

    def start(self) -> None:
        """What the system's thread does."""
        try:
            following = self.run(self.caller, self.arg).take()
            self.thread.arrived = _EMPTY
            self.thread.current = following
        except _Destroyed:
            assert self.destroyer is not None
            following = self.destroyer
        except _ANY_ERROR as error:
            os.write(2, f"fatal error: exception in a stacklet: {error}\n".encode())
            os._exit(134)
        following.resume()


class StackletThread:
    """The stacklets of a thread, which alone uses this object."""

    def __init__(self, _argument_ignored_for_backward_compatibility: None = None) -> None:
        self.main = _Stack()
        self.current: _Stack = self.main
        self.arrived = _EMPTY

    def new(self, callback: Runner, arg: int = 0) -> Handle:
        """Call ``callback(h, arg)`` on a stack of its own, which must return the handle of what
        continues at its end.  The handle of what has switched back here.  Raises MemoryError
        when there is no room for another stack."""
        me = self.current
        turn = me.expect_turn()
        made = _Stacklet(self, callback, arg, Handle(me))
        self.current = made
        try:
            start_new_thread(made.start, ())
        except RThreadError:
            self.current = me
            raise MemoryError from None
        me.wait(turn)
        return self.arrived

    def switch(self, stacklet: Handle) -> Handle:
        """Continue there, which uses the handle up; when somebody switches back, the handle of
        who did, or the empty one of a stacklet that ended.  Raises StackletError."""
        me = self.current
        if me.destroyer is not None:
            raise _Destroyed
        following = stacklet.take()
        self.arrived = Handle(me)
        self.current = following
        turn = me.expect_turn()
        following.resume()
        me.wait(turn)
        return self.arrived

    def destroy(self, stacklet: Handle) -> None:
        """End a stacklet where it waits: an exception leaves its ``switch``, which it must not
        catch.  Raises StackletError for handles that are used up and that of the program."""
        me = self.current
        if stacklet.stack is self.main:
            raise StackletError("the program's own stack cannot be destroyed")
        doomed = stacklet.take()
        doomed.destroyer = me
        self.current = doomed
        turn = me.expect_turn()
        doomed.resume()
        turn.acquire(True)
        self.current = me

    @staticmethod
    def is_empty_handle(stacklet: Handle | None) -> bool:
        """Is it that of a stacklet that ended?"""
        return stacklet is _EMPTY

    @staticmethod
    def get_null_handle() -> Handle | None:
        """For variables that have no handle yet."""
        return None
