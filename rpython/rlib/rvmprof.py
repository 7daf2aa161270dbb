"""The marks of the vmprof profiler.

There is no sampling here: native programs have symbols, and any profiler of the system (`perf`)
reads them.  A function that runs a program's frames keeps its mark as its name there:

    @vmprof_execute_frame("lang", lambda frame: frame.code)
    def run(frame): ...                                         # lang_run
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

from rpython.rlib.objectmodel import dont_inline

F = TypeVar("F", bound=Callable[..., Any])


class VMProfError(Exception):
    """The profiler cannot do what it is asked for; the text in ``msg``."""

    def __init__(self, msg: str) -> None:
        self.msg = msg

    def __str__(self) -> str:
        return self.msg


class VMProfPlatformUnsupported(VMProfError):
    """It cannot do it on this platform, whatever is asked."""


def vmprof_execute_frame(
    name: str,
    get_code_fn: Callable[..., Any],
    result_class: type | None = None,
    use_weaklist: bool = True,
) -> Callable[[F], F]:
    """Decorator for the function that runs frames; ``name`` starts its native name."""

    def mark(func: F) -> F:
        assert isinstance(func, FunctionType)
        func.__name__ = f"{name}_{func.__name__}"
        return dont_inline(func)

    return mark


def register_code_object_class(
    CodeClass: type, full_name_func: Callable[[Any], str], use_weaklist: bool = True
) -> None:
    """The class of the program's code objects: nobody asks for their names."""


def register_code(code: Any, full_name_func: Callable[[Any], str]) -> None:
    """A code object: nobody asks for its name."""


def get_unique_id(code: Any) -> int:
    """The number of a code object in the profile: 0, none was given."""
    return 0


def enable(fileno: int, interval: float, memory: int = 0, native: int = 0) -> None:
    """Raises VMProfPlatformUnsupported."""
    raise VMProfPlatformUnsupported("there is no sampling: use a profiler of the system")


def disable() -> None:
    """Raises VMProfError: sampling was never enabled."""
    raise VMProfError("vmprof is not enabled")


def is_enabled() -> bool:
    """False."""
    return False


def stop_sampling() -> int:
    """The descriptor that is written to: -1, there is none."""
    return -1


def start_sampling() -> None:
    """Does nothing: sampling was not stopped."""
