"""Hints to RPython's JIT generator.  There is no JIT here: all are accepted, work under CPython
and mean nothing in a translated program.  A call of a hint becomes no code at all: it is its
argument, or a constant.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from rpython.rlib.marks import checked_by, means, means_first_argument
from rpython.rlib.objectmodel import we_are_translated

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

PARAMETERS = {
    "threshold": 1039,
    "function_threshold": 1619,
    "trace_eagerness": 200,
    "decay": 40,
    "trace_limit": 6000,
    "inlining": 1,
    "loop_longevity": 1000,
    "retrace_limit": 0,
    "max_retrace_guards": 15,
    "max_unroll_loops": 0,
    "max_unroll_recursion": 7,
    "disable_unrolling": 200,
    "pureop_historylength": 16,
    "vec": 0,
    "vec_all": 0,
    "vec_cost": 0,
    "enable_opts": "all",
}
"""The names that ``set_param`` knows.  The values are RPython's; nothing depends on them."""

PARAMETER_DOCS = {
    "threshold": "how often a loop runs before it is compiled",
    "function_threshold": "how often a function is called before it is compiled from its start",
    "trace_eagerness": "how often a guard fails before its other way is compiled",
    "decay": "how quickly the counts of loops shrink with time",
    "trace_limit": "how many operations a trace may have",
    "inlining": "whether calls are traced into (1) or not (0)",
    "loop_longevity": "how many collections a loop outlives that is not run",
    "retrace_limit": "how often a loop may be traced again",
    "max_retrace_guards": "how many more guards a loop traced again may have",
    "max_unroll_loops": "how often an inner loop may be unrolled",
    "max_unroll_recursion": "how many levels of recursion may be unrolled",
    "disable_unrolling": "how long a trace may be to be unrolled",
    "pureop_historylength": "how many pure operations are remembered",
    "vec": "whether loops marked for it are vectorised (1) or not (0)",
    "vec_all": "whether all loops are vectorised (1) or not (0)",
    "vec_cost": "how many operations vectorising has to save",
    "enable_opts": "which optimisations run, separated by colons, or all",
}
"""What each parameter means to RPython's JIT generator, for help texts."""


class JitHintError(Exception):
    """Inconsistency in the hints."""


class AssertGreenFailed(Exception):
    """Never raised: ``assert_green`` is a hint."""


# -- decorators


def elidable(func: F) -> F:
    """The same arguments give the same result, and calling it has no effect to be seen."""
    func._elidable_function_ = True  # type: ignore[attr-defined]
    return func


def purefunction(func: F) -> F:
    """The old name of ``elidable``."""
    return elidable(func)


def elidable_promote(promote_args: str = "all") -> Callable[[F], F]:
    """``elidable``, with the arguments ``promote_args`` (numbers, separated by commas)
    promoted."""
    return elidable


def dont_look_inside(func: F) -> F:
    """Tracing does not enter the function."""
    func._jit_look_inside_ = False  # type: ignore[attr-defined]
    return func


def look_inside(func: F) -> F:
    """Tracing enters the function."""
    func._jit_look_inside_ = True  # type: ignore[attr-defined]
    return func


def look_inside_iff(predicate: Callable[..., bool]) -> Callable[[F], F]:
    """Tracing enters the function if ``predicate`` of its arguments is true.  ``predicate`` is
    never called here."""

    def mark(func: F) -> F:
        func._look_inside_iff_predicate_ = predicate  # type: ignore[attr-defined]
        return func

    return mark


def unroll_safe(func: F) -> F:
    """Loops in the function may be unrolled while tracing."""
    func._jit_unroll_safe_ = True  # type: ignore[attr-defined]
    return func


def unroll_if(predicate: Callable[..., bool]) -> Callable[[F], F]:
    """``unroll_safe`` if ``predicate`` of the arguments is true.  ``predicate`` is never called
    here."""

    def mark(func: F) -> F:
        func._jit_unroll_if_ = predicate  # type: ignore[attr-defined]
        return func

    return mark


def loop_invariant(func: F) -> F:
    """A function without arguments whose result stays the same within a loop."""
    dont_look_inside(func)
    func._jit_loop_invariant_ = True  # type: ignore[attr-defined]
    return func


def not_in_trace(func: F) -> F:
    """A function that is not called from traces."""
    func._jit_not_in_trace_ = True  # type: ignore[attr-defined]
    return func


def jit_callback(name: str) -> Callable[[F], F]:
    """For functions that C calls: traces may begin there, under that name."""

    def mark(func: F) -> F:
        return func

    return mark


def oopspec(spec: str) -> Callable[[F], F]:
    """The JIT knows the operation that the function is."""

    def mark(func: F) -> F:
        func.oopspec = spec  # type: ignore[attr-defined]
        return func

    return mark


# -- hints in an expression


@means_first_argument
def promote(x: T) -> T:
    """``x``, a constant of the trace from here on."""
    return x


@means_first_argument
def promote_string(x: T) -> T:
    """The same for a str."""
    return x


@means_first_argument
def promote_unicode(x: T) -> T:
    """The same for a str."""
    return x


@means_first_argument
def hint(x: T, **kwds: Any) -> T:
    """``x``, with hints given as keywords (``promote=True``, ``access_directly=True``, ...)."""
    return x


@means(False)
def we_are_jitted() -> bool:
    """Is this code running in a trace?"""
    return False


@means(False)
def isconstant(value: object) -> bool:
    """Does the trace know the value?"""
    return False


@means(False)
def isvirtual(value: object) -> bool:
    """Is the value an object that the trace has not allocated?"""
    return False


@means(False)
def loop_unrolling_heuristic(lst: object, size: int, cutoff: int = 2) -> bool:
    """Should a loop over the list be unrolled while tracing?"""
    return False


@means(None)
def assert_green(value: object) -> None:
    """The value must be a constant of the trace."""


@means(None)
def record_exact_class(value: object, cls: type) -> None:
    """The trace may rely on the class of the value."""


@means(None)
def record_known_result(result: object, func: object, *args: object) -> None:
    """The trace may rely on what the function would return."""


@means(-1)
def current_trace_length() -> int:
    """How many operations the trace has so far; -1: there is none."""
    return -1


@means(None)
def jit_debug(string: str, arg1: int = 0, arg2: int = 0, arg3: int = 0, arg4: int = 0) -> None:
    """Puts a note into the trace."""


# -- calls under a condition


def _per_arguments(func: F) -> F:
    """Decorator: the function has a graph for every kind of argument."""
    func._rpython_per_arguments_ = True  # type: ignore[attr-defined]
    return func


@_per_arguments
def conditional_call(condition: bool, function: Callable[..., Any], *args: Any) -> None:
    """Call the function if the condition holds; what it returns is not of interest."""
    if condition:
        function(*args)


@_per_arguments
def conditional_call_elidable(value: Any, function: Callable[..., Any], *args: Any) -> Any:
    """``value``, or what the function returns if that is None or 0."""
    if isinstance(value, int):
        return function(*args) if value == 0 else value
    return function(*args) if value is None else value


# -- virtual references


class InvalidVirtualRef(Exception):
    """The reference is used for the first time after ``virtual_ref_finish``."""


class VirtualRef:
    """A reference to an instance; calling it gives that."""

    virtual = False

    def __init__(self, x: Any) -> None:
        self._x = x
        self._used = False
        self._finished = False

    def __call__(self) -> Any:
        if self._finished and not self._used:
            raise InvalidVirtualRef
        self._used = True
        return self._x


def virtual_ref(x: Any) -> VirtualRef:
    """A reference to an instance that need not be allocated until it is used."""
    assert x is not None
    return VirtualRef(x)


def non_virtual_ref(x: Any) -> VirtualRef:
    """A plain reference."""
    return VirtualRef(x)


def virtual_ref_finish(vref: VirtualRef, x: Any) -> None:
    """The end of the time in which the reference may be used first."""
    vref._finished = True


vref_None = VirtualRef(None)


# -- parameters


@means(None)
def set_param(driver: object, name: str, value: object) -> None:
    """Set a parameter of the JIT."""


@means(None)
def set_param_to_default(driver: object, name: str) -> None:
    """Set a parameter of the JIT back to its default."""


@means(None)
def set_user_param(driver: object, text: str) -> None:
    """Set parameters from a command line: ``"threshold=3,inlining=0"``."""


# -- drivers


def _fixed(names: Sequence[str] | None) -> list[str]:
    return [] if names is None else list(names)


def _check_merge_point(driver: JitDriver, given: tuple[str, ...]) -> str:
    return driver.problem_with(given)


class JitDriver:
    """Says where the loop of an interpreter is, and what its state consists of.

    ``greens``: the names of the variables that tell where in the interpreted program the
    interpreter is; ``reds``: the others, or "auto".  Both calls take all of them as keyword
    arguments (no reds when those are "auto").  A subclass may have them as attributes instead.
    Make it at import time.
    """

    _rpython_at_import_ = True
    greens: list[str] = []
    reds: list[str] = []
    virtualizables: list[str] = []
    name = "jitdriver"
    inline_jit_merge_point = False

    def __init__(
        self,
        greens: Sequence[str] | None = None,
        reds: Sequence[str] | str | None = None,
        virtualizables: Sequence[str] | None = None,
        get_jitcell_at: Any = None,
        set_jitcell_at: Any = None,
        get_printable_location: Any = None,
        confirm_enter_jit: Any = None,
        can_never_inline: Any = None,
        should_unroll_one_iteration: Any = None,
        name: str = "jitdriver",
        check_untranslated: bool = True,
        vectorize: bool = False,
        get_unique_id: Any = None,
        is_recursive: bool = False,
        get_location: Any = None,
    ) -> None:
        self.greens = _fixed(self.greens if greens is None else greens)
        self.name = name
        self.autoreds = reds == "auto"
        self.reds = [] if isinstance(reds, str) else _fixed(self.reds if reds is None else reds)
        self.numreds = None if self.autoreds else len(self.reds)
        self.virtualizables = _fixed(
            self.virtualizables if virtualizables is None else virtualizables
        )
        for variable in self.virtualizables:
            if variable not in self.reds:
                raise ValueError(f"the virtualizable {variable!r} is not one of the reds")
        if len({*self.greens, *self.reds}) < len(self.greens) + len(self.reds):
            raise ValueError("a variable is green or red, and named once")
        if any(variable.startswith("_") for variable in self.greens + self.reds):
            raise ValueError("names of green and red variables do not start with '_'")
        self.get_printable_location = get_printable_location
        self.get_location = get_location
        self.confirm_enter_jit = confirm_enter_jit
        self.can_never_inline = can_never_inline
        self.should_unroll_one_iteration = should_unroll_one_iteration
        self.get_unique_id = get_unique_id
        self.check_untranslated = check_untranslated
        self.vec = vectorize
        self.is_recursive = is_recursive

    def _freeze_(self) -> bool:
        return True

    def problem_with(self, given: Sequence[str]) -> str:
        """What is wrong with the keywords of a call of the methods below; nothing: ''."""
        if not self.check_untranslated:
            return ""
        wanted = {*self.greens, *self.reds}
        missing = sorted(wanted - set(given))
        unknown = sorted(set(given) - wanted)
        texts = [f"{', '.join(missing)} missing"] if missing else []
        texts += [f"{', '.join(unknown)} unknown"] if unknown else []
        if texts:
            return f"the driver's variables are {', '.join(self.greens + self.reds)}: " + (
                ", ".join(texts)
            )
        return ""

    def _check(self, given: Sequence[str]) -> None:
        problem = self.problem_with(given)
        if problem:
            raise TypeError(problem)

    @means(None)
    @checked_by(_check_merge_point)
    def jit_merge_point(_self, **livevars: Any) -> None:
        """The head of the interpreter's loop."""
        if not we_are_translated():
            _self._check(tuple(livevars))

    @means(None)
    @checked_by(_check_merge_point)
    def can_enter_jit(_self, **livevars: Any) -> None:
        """The end of a loop of the interpreted program."""
        if not we_are_translated():
            _self._check(tuple(livevars))

    @means(None)
    def loop_header(self) -> None:
        """The place where a trace may begin, apart from the merge point."""

    def inline(self, call_jit_merge_point: Callable[..., Any]) -> Callable[[F], F]:
        """Decorator for a method that contains the merge point."""

        def mark(func: F) -> F:
            return func

        return mark

    def clone(self) -> JitDriver:
        """A driver with the same variables."""
        return JitDriver(
            greens=self.greens,
            reds="auto" if self.autoreds else self.reds,
            virtualizables=self.virtualizables,
            name=self.name,
        )


class Counters:
    """The numbers of what a tracing JIT counts."""

    counters = (
        "TRACING BACKEND OPS HEAPCACHED_OPS RECORDED_OPS GUARDS OPT_OPS OPT_GUARDS "
        "OPT_GUARDS_SHARED OPT_FORCINGS OPT_VECTORIZE_TRY OPT_VECTORIZED ABORT_TOO_LONG "
        "ABORT_BRIDGE ABORT_BAD_LOOP ABORT_ESCAPE ABORT_FORCE_QUASIIMMUT ABORT_SEGMENTED_TRACE "
        "FORCE_VIRTUALIZABLES NVIRTUALS NVHOLES NVREUSED TOTAL_COMPILED_LOOPS "
        "TOTAL_COMPILED_BRIDGES TOTAL_FREED_LOOPS TOTAL_FREED_BRIDGES"
    )
    counter_names: list[str] = counters.split()
    ncounters = len(counter_names)


for _number, _name in enumerate(Counters.counter_names):
    setattr(Counters, _name, _number)


class JitHookInterface:
    """What RPython calls while tracing; override the methods.  Nothing calls them here."""

    def on_abort(
        self, reason: int, jitdriver: Any, greenkey: Any, greenkey_repr: str, logops: Any,
        operations: Any,
    ) -> None:  # fmt: skip
        """A trace was given up."""

    def before_compile(self, debug_info: Any) -> None:
        """A loop is about to be compiled."""

    def after_compile(self, debug_info: Any) -> None:
        """A loop was compiled."""

    def before_compile_bridge(self, debug_info: Any) -> None:
        """A bridge is about to be compiled."""

    def after_compile_bridge(self, debug_info: Any) -> None:
        """A bridge was compiled."""
