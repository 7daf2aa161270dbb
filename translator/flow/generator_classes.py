"""The classes that generator functions and coroutines are turned into: templates in plain Python.

A generator's class has copies of these methods, so that the types of different generators have
nothing to do with each other; a coroutine's are the same, but for what ``coroutine`` below has of
its own, and for texts that say "coroutine" where these say "generator".  A coroutine is its own
``__await__``, and ``await x`` is ``yield from x.__await__()``.
"""

from __future__ import annotations

import types
from dataclasses import replace
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_ITERABLE_COROUTINE
from typing import TYPE_CHECKING, Any

from rpython.translator.ir.intrinsics import close_iterator, exception_instance, throw_through
from rpython.translator.ir.span import Span

if TYPE_CHECKING:
    from rpython.translator.flow.generators import StateMachine

RUNNING, FINISHED, ASKED_AGAIN = -1, -2, -3
"""Values of ``resume`` other than the number of a yield."""


class iterator:
    """The base of the classes that generator functions are turned into: an iterator in C."""

    resume = 0
    _rpython_keeps_members_ = True
    _rpython_state_machine_ = True
    """Its attributes are set before they are read: by construction."""

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        resume = self.resume
        if resume == FINISHED:
            raise StopIteration
        return self._run(resume)

    def _run(self, resume: int) -> Any:
        """Replaced in each class by the graph of the body."""
        raise NotImplementedError

    def _no_result(self) -> Any:
        return None


class generator(iterator):
    """A generator of the program."""

    _rpython_keeps_members_ = True
    _rpython_of_builtin_ = types.GeneratorType

    def __next__(self) -> Any:
        return self._advance()

    def _next_and_send(self) -> Any:
        """``__next__`` of generators that look at what is sent: None, but for what another
        generator sends through ``yield from``."""
        later = self.later
        self.sent: Any = later
        if later is not None:
            self.later = None
        return self._advance()

    later: Any

    def _send_later(self, value: Any) -> None:
        self.later = value

    def _ignore_later(self, value: Any) -> None:
        """The same of generators that do not look at what is sent."""

    def send(self, value: Any) -> Any:
        if self.resume == 0 and value is not None:
            raise TypeError("can't send non-None value to a just-started generator")
        self.sent = value
        return self._advance()

    def _advance(self) -> Any:
        resume = self.resume
        if resume < 0:
            self._refuse(resume)
        self.resume = RUNNING
        try:
            return self._run(resume)
        except StopIteration as stopped:
            if self.resume == FINISHED:
                raise
            self.resume = FINISHED
            raise RuntimeError("generator raised StopIteration") from stopped
        except BaseException:
            self.resume = FINISHED
            raise

    def _refuse(self, resume: int) -> None:
        """It does not wait for an item to be asked for."""
        if resume == RUNNING:
            raise ValueError("generator already executing")
        self.resume = ASKED_AGAIN
        raise StopIteration

    def _result(self) -> Any:
        """What the generator returned: the value of ``yield from``."""
        if self.resume == ASKED_AGAIN:
            raise RuntimeError("the value of a generator that had finished before is not known")
        return self.result  # type: ignore[attr-defined]

    def close(self) -> None:
        if self.resume == RUNNING:
            raise ValueError("generator already executing")
        self.resume = FINISHED

    def throw(self, error: Any) -> Any:
        if self.resume == RUNNING:
            raise ValueError("generator already executing")
        self.resume = FINISHED
        raise error

    def _throw_later(self, error: BaseException) -> bool:
        """Something is thrown into another generator, which waits in ``yield from`` for this one.
        Is it raised by the ``__next__`` that follows?"""
        self.resume = FINISHED
        raise error


class catching(generator):
    """Where those differ whose code sees what is thrown into them: it is raised where they
    wait."""

    thrown: BaseException | None = None

    def close(self) -> None:
        resume = self.resume
        if resume == RUNNING:
            raise ValueError("generator already executing")
        if resume <= 0:
            self.resume = FINISHED
            return
        self.thrown = GeneratorExit()
        try:
            self.__next__()
        except (GeneratorExit, StopIteration):
            return
        raise RuntimeError("generator ignored GeneratorExit")

    def throw(self, error: Any) -> Any:
        resume = self.resume
        if resume == RUNNING:
            raise ValueError("generator already executing")
        if resume <= 0:
            self._end(resume)
            raise error
        self.thrown = exception_instance(error)
        return self.__next__()  # nothing is sent

    def _end(self, resume: int) -> None:
        """It is thrown into before it begins, or when it has finished."""
        self.resume = FINISHED

    def _throw_later(self, error: BaseException) -> bool:
        self.thrown = error
        return True

    def _raise_thrown(self) -> None:
        thrown = self.thrown
        if thrown is not None:
            self.thrown = None
            raise thrown

    def _raise_thrown_through(self, iterator: Any) -> None:
        """The same in ``yield from iterator``."""
        thrown = self.thrown
        if thrown is not None:
            self.thrown = None
            if isinstance(thrown, GeneratorExit):
                close_iterator(iterator)
            elif throw_through(iterator, thrown):
                return
            raise thrown

    def __del__(self) -> None:
        if self.resume > 0:
            self.close()


class coroutine(catching):
    """What coroutines have of their own; all of them see what is thrown into them."""

    def __iter__(self) -> Any:
        raise TypeError("'coroutine' object is not iterable")

    def __await__(self) -> Any:
        if self.resume > 0:
            raise RuntimeError("coroutine is being awaited already")
        return self

    def _refuse(self, resume: int) -> None:
        if resume == RUNNING:
            raise ValueError("coroutine already executing")
        raise RuntimeError("cannot reuse already awaited coroutine")

    def _end(self, resume: int) -> None:
        if resume == FINISHED:
            raise RuntimeError("cannot reuse already awaited coroutine")
        self.resume = FINISHED


class async_machine(catching):
    """The code of an asynchronous generator, which ``rpython.stdlib._asyncgens`` drives."""


class any_coroutine(iterator):
    """The base of the classes of coroutines."""

    _rpython_keeps_members_ = True
    _rpython_of_builtin_ = types.CoroutineType


class awaitable_generator(generator):
    """What ``types.coroutine`` adds to a generator."""

    def __await__(self) -> Any:
        return self


_OF_ALL = ("_advance", "_refuse", "send", "close", "throw", "_throw_later")
_CATCHING = ("close", "throw", "_end", "_throw_later", "_raise_thrown", "_raise_thrown_through")


def make_class(func: types.FunctionType, machine: StateMachine, span: Span) -> type:
    """A class of its own for the generators, or coroutines, of this function."""
    body = machine.graph
    base = _base(func, machine.in_c)
    of_coroutine = base is coroutine
    templates = _templates(base, machine)
    namespace: dict[str, Any] = {"__module__": func.__module__, "__qualname__": span.function}
    if of_coroutine:
        namespace["_rpython_returns_"] = machine.returns
    if base is async_machine and machine.cleans_up:
        namespace["_rpython_cleans_up_"] = True
    if "_raise_thrown" in templates:
        namespace["thrown"] = None
    if machine.in_c:
        namespace["sent"] = None
    else:
        kind = types.CoroutineType if of_coroutine else types.GeneratorType
        namespace["_rpython_of_builtin_"] = kind
        if machine.uses_sent:
            namespace["later"] = None
    for name, template in templates.items():
        namespace[name] = _copy(template, name, span, _WORDS.get(base, "generator"))
    run = _copy(iterator._run, "body", span)  # what ``rpython show`` calls it
    run._rpython_graph_ = body  # type: ignore[attr-defined]
    body.func = run
    namespace["_run"] = run
    shared = any_coroutine if of_coroutine else iterator if base is iterator else generator
    return type("coroutine" if of_coroutine else shared.__name__, (shared,), namespace)


def _base(func: types.FunctionType, in_c: bool) -> type[iterator]:
    flags = func.__code__.co_flags
    if flags & CO_COROUTINE:
        return coroutine
    if flags & CO_ASYNC_GENERATOR:
        return async_machine
    if flags & CO_ITERABLE_COROUTINE:
        return awaitable_generator
    return iterator if in_c else generator


def _templates(base: type[iterator], machine: StateMachine) -> dict[str, Any]:
    """The methods of the class."""
    templates: dict[str, Any] = {"__iter__": iterator.__iter__}
    if base is iterator:
        templates["__next__"] = iterator.__next__
    else:
        templates.update((name, vars(generator)[name]) for name in _OF_ALL)
        # the method for every item: one call less where nothing is sent
        plain, sending = generator._advance, generator._next_and_send
        templates["__next__"] = sending if machine.uses_sent else plain
        later, ignored = generator._send_later, generator._ignore_later
        templates["_send_later"] = later if machine.uses_sent else ignored
        if machine.catches or base is coroutine:
            templates.update((name, vars(catching)[name]) for name in _CATCHING)
    if machine.cleans_up and base is not async_machine:
        templates["__del__"] = catching.__del__
    templates["_result"] = generator._result if machine.has_result else iterator._no_result
    own = {coroutine, awaitable_generator} & {base}
    for cls in own:  # after those above, which they replace
        templates.update((k, v) for k, v in vars(cls).items() if isinstance(v, types.FunctionType))
    return templates


def _copy(
    template: Any, name: str, span: Span, word: str = "generator"
) -> types.FunctionType:
    """A function of its own with the same code; ``span`` is where its graph says it is, ``word``
    what its texts call the object."""
    code = template.__code__
    if word != "generator":
        consts = (_about(const, word) for const in code.co_consts)
        code = code.replace(co_consts=tuple(consts))
    copy = types.FunctionType(code, template.__globals__, name)
    copy.__qualname__ = f"{span.function}.{name}"
    copy._rpython_span_ = replace(span, hidden=True)  # type: ignore[attr-defined]
    return copy


_WORDS: dict[type[iterator], str] = {coroutine: "coroutine", async_machine: "async generator"}


def _about(const: object, word: str) -> object:
    return const.replace("generator", word) if isinstance(const, str) else const
