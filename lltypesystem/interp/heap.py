"""What a simulated heap of the LLInterpreter is: the calls that generated code makes of it.

``interp.moving`` has the heap whose objects move, ``interp.counting`` the one that counts
references.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rpython.lltypesystem.operations.llop import LLOp
from rpython.translator.ir.model import SpaceOperation


class SimulatedHeap:
    """A heap in which lowered graphs run to prove what they say of it.  By default pointers are
    what they are, and nothing is checked."""

    def names(self) -> dict[str, Callable[..., Any]]:
        """For the namespace of generated code."""
        return {
            "checked_op": self.run, "live": self.live, "pointer": self.pointer,
            "arrived": self.arrived, "called": self.called, "probe": self.probe,
            "remember": self.remember, "set_frame": self.set_frame, "acquire": self.acquire,
            "release": self.release,
        }  # fmt: skip

    # -- operations

    def run(self, op: SpaceOperation, *args: Any) -> Any:
        """The result of an operation that the row can evaluate."""
        row = op.opdef
        assert isinstance(row, LLOp)
        assert row.eval is not None
        return row.eval(op.result.concretetype, *args) if row.typed else row.eval(*args)

    def called(self, op: SpaceOperation, result: Any) -> Any:
        """The result of a call, after it."""
        return result

    def probe(self, op: SpaceOperation) -> None:
        """In front of a probe.  Raises what that raises when there is something to do."""

    def outside(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function that knows nothing of this, as generated code calls it."""
        return function

    # -- pointers

    def live(self, value: Any) -> Any:
        """The same value, which is no old address."""
        return value

    def pointer(self, value: Any) -> Any:
        """The pointer that a variable holds; other values are what they are."""
        return value

    def arrived(self, value: Any) -> Any:
        """What a variable is to hold that gets this value now."""
        return value

    def check(self, kept: Iterable[Any] = ()) -> int:
        """How many objects live, if that is known; ``kept``: references that are not in memory.
        Raises MemoryFault when something is wrong;
        only after the program's end, when no variable holds an object."""
        return 0

    # -- what lowered graphs say

    def set_frame(self, frame: dict[int, Any], size: int) -> None:
        """Slots of the shadow stack from ``size`` on belong to functions that are called."""

    def remember(self, value: Any) -> None:
        """The write barrier."""

    def acquire(self, value: Any) -> None:
        """One reference more."""

    def release(self, value: Any) -> None:
        """One reference less."""
