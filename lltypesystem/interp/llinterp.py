"""The LLInterpreter: runs low-level graphs in Python.

Each graph is compiled once to a Python function (``interp.codegen``).  Low-level exceptions
are ``LLException``; errors of the toolchain or of the program's use of memory
(``MemoryFault``, ``UndefinedOperation``, ...) come out with graph, block and operation
in the message.
"""

from __future__ import annotations

import bisect
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from types import CodeType, FunctionType, TracebackType
from typing import Any, NoReturn, Protocol

from rpython.lltypesystem.foreign.threads import Gil
from rpython.lltypesystem.interp.checked import CheckedOps, EffectsError, within_bounds
from rpython.lltypesystem.interp.codegen import GraphCoder, Place
from rpython.lltypesystem.interp.handling import Handling, handles_exceptions
from rpython.lltypesystem.interp.heap import SimulatedHeap
from rpython.lltypesystem.operations.integers import PY_NAMES
from rpython.lltypesystem.operations.llop import UndefinedOperation
from rpython.lltypesystem.operations.memory import UNREACHABLE_REACHED, FatalError
from rpython.lltypesystem.primitives import Void
from rpython.lltypesystem.program import LoweredProgram
from rpython.lltypesystem.rclass import OBJECTPTR, read_class_name
from rpython.lltypesystem.simulated.casts import cast_pointer
from rpython.lltypesystem.simulated.containers import ArrayBoundsError, MemoryFault, _func
from rpython.lltypesystem.simulated.memory import _ptr, low_level_value, make_ptr
from rpython.translator.ir.model import FunctionGraph

RECURSION_LIMIT = 12_000
"""Host frames while a graph runs: programs recurse deeper than CPython's default."""


class LLException(Exception):
    """An exception raised by a low-level graph.  ``value``: the instance, an OBJECTPTR."""

    def __init__(self, value: _ptr) -> None:
        super().__init__(value)
        self.value = value

    def __str__(self) -> str:
        return f"low-level exception {self.class_name}"

    @property
    def class_name(self) -> str:
        """The name of the class of the instance."""
        return read_class_name(self.value.typeptr)


HOST_EXCEPTIONS = (OverflowError, MemoryError, RecursionError)
"""What operations may raise by themselves; mapped to prebuilt low-level instances."""


Exceptions = Mapping[type[BaseException], _ptr]


class PendingException:
    """The exception that is pending in lowered graphs: ``operations.lowered`` uses it."""

    def __init__(self, exceptions: Exceptions, handling: Handling) -> None:
        self._prebuilt = {cls.__name__: p for cls, p in exceptions.items()}
        self._handling = handling
        self._value: _ptr | None = None

    def set(self, value: _ptr) -> None:
        self._value = cast_pointer(OBJECTPTR, value)

    def set_raised(self, value: _ptr) -> None:
        self.set(value)
        self._handling.raised(value)

    def set_fresh(self, value: _ptr) -> None:
        self.set(value)
        self._handling.started(value)

    def set_prebuilt(self, name: str) -> None:
        self.set_fresh(self._prebuilt[name])

    def trace(self) -> None:
        """It has come to a function that tracebacks show."""
        if self._value is not None:
            self._handling.raised(self._value)

    def fetch(self) -> _ptr:
        value, self._value = self._value, None
        assert value is not None
        return value

    def matches(self, low: int, high: int) -> bool:
        assert self._value is not None
        return bool(low <= self._value.typeptr.subclassrange_min < high)


EXPLAINED = (
    MemoryFault,
    UndefinedOperation,
    EffectsError,
    ArithmeticError,
    AttributeError,
    LookupError,
    NameError,
    TypeError,
)
"""Errors of the program's use of memory and of the toolchain; they are raised again with
graph, block and operation in the message."""


class _CompiledGraph:
    """The Python function of one graph and what is needed to explain its tracebacks."""

    def __init__(self, graph: FunctionGraph, source: str, places: Mapping[int, Place]) -> None:
        self.graph = graph
        self.source = source
        self.lines = sorted(places)
        self.places = places
        self.function: Callable[..., Any]

    def get_source(self, name: str) -> str:
        """For ``linecache``, which finds this object as ``__loader__``."""
        return self.source

    def place(self, lineno: int) -> Place | None:
        """Block number and operation of a source line."""
        i = bisect.bisect_right(self.lines, lineno - 1)
        return self.places[self.lines[i - 1]] if i else None


class _HasExceptions(Protocol):
    @property
    def exceptions(self) -> Exceptions: ...


class LLInterpreter:
    """Runs low-level graphs.

    ``program``: what has ``exceptions``, such as a Program or an RPythonTyper, or these
    themselves (host class -> instance).  Of a LoweredProgram it runs the lowered graphs, wherever
    others are named.
    ``checked``: every operation is executed through its ``eval`` while memory is
    watched; reads, writes, exceptions and results that the operation's row does not
    declare raise ``EffectsError``.  ``heap``: where objects move or are counted, to prove the
    roots and barriers, or the counts, of a LoweredProgram.
    """

    def __init__(
        self, program: _HasExceptions | Exceptions | LoweredProgram, checked: bool = False,
        heap: SimulatedHeap | None = None,
    ) -> None:  # fmt: skip
        self._lowered: Mapping[FunctionGraph, FunctionGraph] = {}
        if isinstance(program, LoweredProgram):
            self._lowered = program.graphs
            program = program.program
        self.exceptions = program if isinstance(program, Mapping) else program.exceptions
        self.checked = checked
        self.heap = heap
        self._handling = Handling() if heap is None else Handling(heap.acquire, heap.release)
        self._pending = PendingException(self.exceptions, self._handling)
        self.gil: Gil | None = None
        """Whose turn it is, once the program has started a thread."""
        self._compiled: dict[FunctionGraph, _CompiledGraph] = {}
        self._callees: dict[Any, Callable[..., Any]] = {}

    # -- running --------------------------------------------------------------

    def eval_graph(self, graph: FunctionGraph, args: Sequence[Any] = ()) -> Any:
        """Call the function with this graph on host values of the right types (sized ints
        may be plain) and return the low-level result.

        Raises LLException, or, when something is wrong with the graph or its use of
        memory, another exception that says where.
        """
        params = graph.getargs()
        if len(args) != len(params):
            raise TypeError(f"{graph.name} takes {len(params)} arguments, {len(args)} given")
        values = [
            low_level_value(v.concretetype, arg, f"argument {v.name} of {graph.name}")
            for v, arg in zip(params, args, strict=True)
        ]
        function = self.function(graph)
        if self.heap is not None:
            values = [self.heap.arrived(value) for value in values]
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
        try:
            result = function(*values)
            return result if self.heap is None else self.heap.pointer(result)
        except LLException:
            raise
        except HOST_EXCEPTIONS as e:
            raise LLException(self.caught_instance(e)) from e
        except EXPLAINED as e:
            raise self._explain(e) from e
        finally:
            sys.setrecursionlimit(limit)

    def give_back(self, value: Any) -> None:
        """The caller needs a result, or the instance that was raised, no more."""
        if self.heap is not None:
            self.heap.release(value)

    def check_heap(self) -> None:
        """Once all results are given back.  Raises MemoryFault when the heap finds something wrong
        in what lives on."""
        if self.heap is not None:
            self.heap.check(self._handling.kept())

    def caught_instance(self, exc: BaseException) -> _ptr:
        """The low-level instance for what was caught; raises ``exc`` again when it is a
        host exception the program has no instance for."""
        if isinstance(exc, LLException):
            return exc.value
        for cls in type(exc).__mro__:
            instance = self.exceptions.get(cls)
            if instance is not None:
                self._handling.started(instance)
                return instance
        raise exc

    def _raise(self, value: _ptr) -> LLException:
        """What a function raises to leave with an exception."""
        self._handling.raised(value)
        return LLException(value)

    def _left(self, exc: BaseException) -> LLException:
        """What a function that handles exceptions is left by."""
        return exc if isinstance(exc, LLException) else LLException(self.caught_instance(exc))

    # -- threads --------------------------------------------------------------

    def call_in_thread(self, funcptr: _ptr, number: int) -> str:
        """Call a function of the program at the bottom of a thread; the name of the class of
        the exception that it raises, if any."""
        try:
            self.eval_graph(funcptr._obj.graph, [number])
        except LLException as error:
            name = error.class_name
            self.give_back(error.value)
            return name
        return ""

    def _safepoint(self) -> None:
        """A safe point: another thread may run."""
        if self.gil is not None:
            self.gil.step()

    # -- compiling ------------------------------------------------------------

    def source(self, graph: FunctionGraph) -> str:
        """The Python text a graph was compiled to."""
        self.function(graph)
        return self._compiled[graph].source

    def function(self, graph: FunctionGraph) -> Callable[..., Any]:
        """The Python function of a graph, on low-level values."""
        known = self._compiled.get(graph)
        if known is None:
            known = self._compiled[graph] = self._compile(self._lowered.get(graph, graph))
        return known.function

    def _compile(self, graph: FunctionGraph) -> _CompiledGraph:
        namespace: dict[str, Any] = {
            **PY_NAMES,
            "LLException": LLException if graph.stage == "lowered" else self._raise,
            "handling": self._handling,
            "catchable": (LLException, *HOST_EXCEPTIONS),
            "caught_instance": self.caught_instance,
            "callees": self._callees,
            "callee_of": self._callee,
            "make_ptr": make_ptr,
            "negative_index": _negative_index,
            "unreachable": _unreachable,
            "checked_op": CheckedOps(HOST_EXCEPTIONS).run,
            "safepoint": self._safepoint,
            "pending": self._pending,
            "remember": _ignore,
            "set_frame": _ignore,
            "acquire": _ignore,
            "release": _ignore,
        }
        called: dict[Any, str] = {}

        def function_name(obj: Any) -> str:
            if obj not in called:
                hint = "".join(c if c.isalnum() and c.isascii() else "_" for c in obj._name)
                called[obj] = f"g{len(called)}_{hint}"
                namespace[called[obj]] = self._binder(obj, namespace, called[obj])
            return called[obj]

        name = "".join(c if c.isalnum() and c.isascii() else "_" for c in graph.name)
        if self.heap is not None:
            namespace |= self.heap.names()
        on_heap = self.heap is not None
        coder = GraphCoder(graph, f"ll_{name}", namespace, function_name, self.checked, on_heap)
        compiled = _CompiledGraph(graph, coder.run(), coder.places)
        filename = f"llgraph:{len(self._compiled)}:{graph.name}"
        namespace["__name__"] = filename
        namespace["__loader__"] = compiled
        code = _code_of(compiled.source).replace(co_filename=filename)
        compiled.function = FunctionType(code, namespace)
        if self.checked or on_heap:
            pointer = _same if self.heap is None else self.heap.pointer
            compiled.function = within_bounds(compiled.function, graph, pointer)
        if handles_exceptions(graph):
            catchable = namespace["catchable"]
            compiled.function = self._handling.frame(compiled.function, catchable, self._left)
        return compiled

    def _binder(self, obj: Any, namespace: dict[str, Any], name: str) -> Callable[..., Any]:
        """What a callee is bound to before its first call, which binds it for good."""

        def bind(*args: Any) -> Any:
            function = namespace[name] = self._callee(obj)
            return function(*args)

        return bind

    def _callee(self, obj: Any) -> Callable[..., Any]:
        """The Python function of a function container."""
        known = self._callees.get(obj)
        if known is not None:
            return known
        if obj is None:
            raise MemoryFault("call of a null function pointer")
        assert isinstance(obj, _func)
        if obj.graph is not None:
            function = self.function(obj.graph)
        elif obj._callable is not None:
            function = _external(obj, self)
            if self.heap is not None:
                function = self.heap.outside(function)
        else:
            raise TypeError(f"{obj!r} has neither a graph nor a _callable")
        self._callees[obj] = function
        return function

    # -- explaining failures --------------------------------------------------

    def _whereabouts(self, tb: TracebackType | None) -> str:
        """Graph, block and operation of the innermost graph in a traceback."""
        place = ""
        while tb is not None:
            compiled = tb.tb_frame.f_globals.get("__loader__")
            if isinstance(compiled, _CompiledGraph):
                place = _describe_place(compiled, tb.tb_lineno)
            tb = tb.tb_next
        return place

    def _explain(self, error: Exception) -> Exception:
        """An exception of generated code or of an ``eval``, said in our terms."""
        where = self._whereabouts(error.__traceback__)
        if isinstance(error, MemoryFault):
            return type(error)(f"{error} [{where}]")
        if isinstance(error, AttributeError) and error.obj is None:
            return MemoryFault(f"null pointer dereferenced [{where}]")
        if isinstance(error, IndexError):
            return ArrayBoundsError(f"array index out of bounds [{where}]")
        return type(error)(f"{error} [{where}]")


@lru_cache(maxsize=4096)
def _code_of(source: str) -> CodeType:
    """The code of the one function in a text.  Helpers give the same text in many programs."""
    module = compile(source, "llgraph", "exec", dont_inherit=True)
    return next(const for const in module.co_consts if isinstance(const, CodeType))


def _describe_place(compiled: _CompiledGraph, lineno: int) -> str:
    text = f"graph {compiled.graph.name}"
    place = compiled.place(lineno)
    if place is None:
        return text
    block, op = place
    text += f", block b{block}"
    return text if op is None else f"{text}, {op.opname} at {op.span}"


def _same(value: Any) -> Any:
    return value


def _ignore(*args: Any) -> None:
    """Simulated objects do not move."""


def _unreachable() -> NoReturn:
    raise FatalError(UNREACHABLE_REACHED)


def _negative_index(index: int) -> int:
    raise ArrayBoundsError(f"index {index} out of bounds")


def _external(obj: Any, interpreter: LLInterpreter) -> Callable[..., Any]:
    """Calls a host function and checks what it returns."""
    function, RESULT, name = obj._callable, obj._TYPE.RESULT, obj._name
    if obj.interpreted:
        function = partial(function, interpreter)

    def call(*args: Any) -> Any:
        gil = interpreter.gil if obj.blocking else None
        if gil is None:
            result = function(*args)
        else:
            with gil.away():
                result = function(*args)
        if RESULT is Void:
            return None
        return low_level_value(RESULT, result, f"result of {name}")

    return call
