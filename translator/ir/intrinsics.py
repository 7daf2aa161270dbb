"""Host functions and objects that occur in graphs but in no program."""

from __future__ import annotations

import abc
from typing import Any

from rpython.translator.ir.records import dataclass


class ProtocolMethod(str):
    """The name of a method that a statement or ``await`` looks up: what lacks it gets an error that
    does not name it."""

    __slots__ = ()

    @property
    def lacking(self) -> tuple[str, str]:
        """What the TypeError says before and after the name of the class that lacks it."""
        return _LACKING[self]

    @property
    def hint(self) -> str:
        """What to do about a value that lacks it."""
        return _HINTS.get(self, "")


class PatternSequence(abc.ABC):  # noqa: B024  classes say so by a flag
    """The classes that sequence patterns of ``match`` match: list, tuple, range, deque, array,
    those that extend ``collections.abc.Sequence``, ...; str, bytes and bytearray are not."""

    @classmethod
    def __subclasshook__(cls, other: type) -> bool:
        return bool(other.__flags__ & 1 << 5)  # Py_TPFLAGS_SEQUENCE


class PatternMapping(abc.ABC):  # noqa: B024
    """The same for mapping patterns."""

    @classmethod
    def __subclasshook__(cls, other: type) -> bool:
        return bool(other.__flags__ & 1 << 6)  # Py_TPFLAGS_MAPPING


_NO_CONTEXT = "' object does not support the context manager protocol"
_NO_ASYNC_CONTEXT = "' object does not support the asynchronous context manager protocol"
_LACKING = {
    "__enter__": ("'", _NO_CONTEXT),
    "__exit__": ("'", f"{_NO_CONTEXT} (missed __exit__ method)"),
    "__aenter__": ("'", _NO_ASYNC_CONTEXT),
    "__aexit__": ("'", f"{_NO_ASYNC_CONTEXT} (missed __aexit__ method)"),
    "__await__": ("object ", " can't be used in 'await' expression"),
    "__aiter__": ("'async for' requires an object with __aiter__ method, got ", ""),
    "__anext__": ("'async for' requires an iterator with __anext__ method, got ", ""),
}
_HINTS = {
    "__aenter__": "leave async out, or define __aenter__ and __aexit__",
    "__await__": "await coroutines, tasks and futures; what gives its value at once needs no await",
    "__aiter__": "leave async out, or define __aiter__ and __anext__",
}


class UnpackingMethod(str):
    """The name of a method by which a display, or the arguments of a call, take the items of what
    has stars in front: ``extend`` for ``[*xs]``, ``update`` for ``{**d}``."""

    __slots__ = ()

    @property
    def none_error(self) -> str:
        """What CPython says of None there."""
        if self == "extend":
            return "Value after * must be an iterable, not NoneType"
        return "'NoneType' object is not a mapping"


@dataclass(frozen=True, slots=True)
class ComputedDefault:
    """The default of a closure's parameter that its instances hold, in this attribute."""

    attribute: str


def generator_result(iterator: Any) -> Any:
    """The value of ``yield from iterator``, which is exhausted: what the generator returned,
    None for other iterators."""
    return iterator._result() if hasattr(iterator, "_rpython_state_machine_") else None


def send_through(iterator: Any, value: Any) -> None:
    """Where ``yield from iterator`` is resumed by ``send`` with a value that is not None: the
    ``next`` that follows sends it on."""
    iterator._send_later(value)


def close_iterator(iterator: Any) -> None:
    """A generator that waits in ``yield from iterator`` is closed."""
    if hasattr(iterator, "close"):
        iterator.close()


def throw_through(iterator: Any, error: BaseException) -> bool:
    """Something is thrown into a generator that waits in ``yield from iterator``: does the
    ``next`` that follows raise it in there?  Iterators without ``throw`` do not."""
    return hasattr(iterator, "throw") and iterator._throw_later(error)


def words_of(split: Any) -> Any:
    """``iter(s.split())`` of a str, given the method: it finds each word when it is asked for."""
    return iter(split())


def lines_of(splitlines: Any) -> Any:
    """The same of ``iter(s.splitlines())``."""
    return iter(splitlines())


HostError = tuple[type[Exception], str] | None
"""What CPython raises, class and text, if anything."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the flow-graph builder refuses something.  ``raised``: what CPython raises there, class
    and text; None where it would give a value, or nobody knows."""

    _rpython_builtin_ = True  # the annotator treats it as a host object
    message: str
    hint: str = ""
    notes: tuple[str, ...] = ()
    raised: HostError = None


@dataclass(frozen=True, slots=True, eq=False)
class ClassStatement:
    """A class statement in a function: the class of the host that it makes, and whether such
    classes are alike each time: there is nothing in them that could change, or was captured."""

    _rpython_builtin_ = True
    cls: type
    alike: bool


def is_made_again(made: bool, statement: ClassStatement) -> bool:
    """``made``: has the statement been executed before?  False, too, where the program cannot tell
    that it has another class then."""
    return made


def refused(refusal: Refusal) -> Any:
    """What the flow-graph builder refuses, in a graph that is annotated all the same to find what
    else is wrong: nothing is known of the value."""
    raise NotImplementedError(refusal.message)


def exception_instance(error: Any) -> BaseException:
    """What ``raise error`` raises: an exception, or one made by calling its class."""
    made: BaseException = error() if isinstance(error, type) else error
    return made


def closure_function(closure: Any) -> Any:
    """The function that an instance of a closure's class stands for."""
    raise NotImplementedError("only graphs make closures")


_FROZEN: dict[int, object] = {}
"""The objects of programs that are found to be frozen, by id."""


def freeze(value: object) -> None:
    """From now on the object is frozen: nothing assigns its attributes when the program runs."""
    _FROZEN[id(value)] = value


def is_frozen(value: object) -> bool:
    """Has the instance a method ``_freeze_`` that says that its attributes never change, or is that
    found out?"""
    method = getattr(type(value), "_freeze_", None)
    return id(value) in _FROZEN if method is None else method(value) is True


def safepoint() -> None:
    """A point where a signal may raise KeyboardInterrupt, or another thread may run, in native
    code.  CPython has its own."""


def keep_in_scope(*values: object) -> None:
    """Local variables that nobody reads any more hold these values until here.  CPython's frames
    do; weak references and finalizers tell (``translator.flow.scope_keep_alive``)."""


def handler_enter(exception: BaseException, height: int) -> None:
    """The exception is being handled from here on, while ``height`` others are in the same
    function.  What is raised meanwhile has it as its context; CPython knows by itself."""


def handler_leave(height: int) -> None:
    """Only ``height`` exceptions are being handled in this function any more."""


def keyword_arguments(**keywords: object) -> dict[str, object]:
    """Keyword arguments, for a call later: ``Thread(kwargs={...})``."""
    return keywords


def print_traceback(exception: BaseException) -> None:
    """Print the traceback of the exception, if it has one."""


def raised_here(exception: BaseException) -> None:
    """An existing exception is raised, or one is that is caught in the same function."""


def async_item(value: Any) -> Any:
    """An item that an asynchronous generator yields, among what it hands out of what it awaits."""
    raise NotImplementedError("only graphs yield asynchronously")


def async_generator(machine: Any) -> Any:
    """The asynchronous generator whose code is the state machine."""
    raise NotImplementedError("only graphs make asynchronous generators")
