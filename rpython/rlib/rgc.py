"""The garbage collector's interface."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any, TypeVar

from rpython.lltypesystem import lltype
from rpython.lltypesystem.annlowlevel import cast_gcref_to_instance as cast_gcref_to_instance
from rpython.lltypesystem.annlowlevel import cast_instance_to_gcref as cast_instance_to_gcref
from rpython.rlib.marks import means, means_first_argument
from rpython.rlib.objectmodel import specialize

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


def collect(*args: int) -> None:
    """A full collection, whatever the arguments."""
    gc.collect()


@means(True)
def collect_step() -> bool:
    """Does nothing; True: it is done."""
    return True


@means(None)
def enable() -> None:
    """Does nothing."""


@means(None)
def disable() -> None:
    """Does nothing."""


@means(True)
def isenabled() -> bool:
    """May collections happen?"""
    return True


@means(True)
def can_move(p: object) -> bool:
    """May the object move?  RPython says True where it is not sure."""
    return True


@means(False)
def pin(obj: object) -> bool:
    """Keep the object where it is: not possible here, the answer that programs expect."""
    return False


@means(None)
def unpin(obj: object) -> None:
    """Undo ``pin``."""


@means_first_argument
def move_out_of_nursery(obj: T) -> T:
    """The object itself, which may still move."""
    return obj


@means(None)
def add_memory_pressure(estimate: int, obj: object = None) -> None:
    """Memory outside of the collector's is in use."""


def set_max_heap_size(nbytes: int) -> None:
    """Raise MemoryError when objects need more than so many bytes, as with RPYTHON_GC_MAX; 0: no
    limit.  Under CPython it does nothing."""


def no_collect(func: F) -> F:
    """Decorator: nothing is collected while the function runs."""
    return func


def no_release_gil(func: F) -> F:
    """Decorator: there is no GIL."""
    return func


def must_be_light_finalizer(func: F) -> F:
    """Decorator for a ``__del__`` that does little; any may do anything here."""
    return func


@means(None)
def may_ignore_finalizer(obj: object) -> None:
    """The finalizer of the object has nothing to do any more.  It may be called all the same."""


class PrebuiltQueueMethod:
    """A method that is a function of each queue by itself: their objects are of other classes."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self.make = make

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, queue: Any, owner: type) -> Any:
        if queue is None:
            return self
        return vars(queue).setdefault(self.name, self.make(queue))


class Register:
    """``queue.register_finalizer``."""

    _rpython_builtin_ = True

    def __init__(self, queue: Any) -> None:
        self.queue = queue
        self.__name__ = "register_finalizer"

    def __call__(self, obj: Any) -> None:
        """What it does under CPython: the class of the object gets a ``__del__`` that puts
        registered instances in their queues."""
        cls, wanted = type(obj), self.queue.Class
        if not isinstance(obj, wanted):
            raise TypeError(f"a {cls.__name__} in a queue of {wanted.__name__} objects")
        if hasattr(cls, "__del__") and not is_hook(cls.__del__):
            raise TypeError(f"class {cls.__name__} has a __del__ of its own")
        if "__del__" not in cls.__dict__:
            cls.__del__ = _new_hook()
        cls.__del__.registered.setdefault(id(obj), []).append(self.queue)


def _make_next(queue: Any) -> Any:
    dead = dead_of(queue)

    def next_dead() -> Any:
        return dead.take()

    return next_dead


class FinalizerQueue:
    """Objects that the program wants to have back when nothing refers to them any more.

    A subclass names the class of the objects, and has an instance made before the program
    starts.  ``finalizer_trigger`` is called when objects have come to the queue, between two
    operations of the program; ``next_dead`` takes the next one, None if there is none.  An
    object that other registered ones refer to comes after they are gone.  Each registration is
    for once; under CPython an object cannot come back twice.
    """

    Class: Any = None

    def _freeze_(self) -> bool:
        return True

    def finalizer_trigger(self) -> None:
        """There is something in the queue."""

    register_finalizer = PrebuiltQueueMethod(Register)
    """``register_finalizer(obj)``: put the object in the queue when it is dead."""
    next_dead = PrebuiltQueueMethod(_make_next)
    """``next_dead()``: take the next dead object from the queue, None if there is none."""


def _new_dead_class() -> Any:
    class Dead:
        """The objects in one queue."""

        def __init__(self) -> None:
            self.items: list[Any] = []
            self.taken = 0

        def add(self, obj: Any) -> None:
            self.items.append(obj)

        def take(self) -> Any:
            if self.taken == len(self.items):
                self.items = []
                self.taken = 0
                return None
            obj = self.items[self.taken]
            self.items[self.taken] = None
            self.taken += 1
            return obj

    return Dead


def dead_of(queue: Any) -> Any:
    """What keeps the objects of a queue."""
    if "_dead" not in vars(queue):
        queue._dead = _new_dead_class()()
    return queue._dead


def _new_hook() -> Any:
    def __del__(self: Any) -> None:
        for queue in __del__.registered.pop(id(self), ()):  # type: ignore[attr-defined]
            dead_of(queue).add(self)
            queue.finalizer_trigger()

    __del__.registered = {}  # type: ignore[attr-defined]
    return __del__


def is_hook(function: Any) -> bool:
    """Is it a ``__del__`` that ``Register`` made?"""
    return hasattr(function, "registered")


# -- low-level arrays -------------------------------------------------------------------------


@specialize.ll()
def ll_arraycopy(source: Any, dest: Any, source_start: int, dest_start: int, length: int) -> None:
    """Copy items between low-level arrays; they may overlap only if those are two."""
    i = 0
    while i < length:
        dest[dest_start + i] = source[source_start + i]
        i += 1


@specialize.ll()
def ll_arraymove(array: Any, source_start: int, dest_start: int, length: int) -> None:
    """Move items within a low-level array."""
    if dest_start <= source_start:
        ll_arraycopy(array, array, source_start, dest_start, length)
        return
    i = length - 1
    while i >= 0:
        array[dest_start + i] = array[source_start + i]
        i -= 1


@specialize.ll()
def ll_arrayclear(p: Any) -> None:
    """Set every number of a low-level array to 0."""
    i = 0
    while i < len(p):
        p[i] = 0
        i += 1


@specialize.ll()
def ll_arrayfill(p: Any, value: Any) -> None:
    """Set every item of a low-level array to a value."""
    i = 0
    while i < len(p):
        p[i] = value
        i += 1


@specialize.ll()
def ll_shrink_array(p: Any, smallerlength: int) -> Any:
    """A copy of a ``GcArray`` with its first items only."""
    result = lltype.malloc(lltype.typeOf(p).TO, smallerlength)
    ll_arraycopy(p, result, 0, 0, smallerlength)
    return result


@means_first_argument
def resizable_list_supporting_raw_ptr(lst: T) -> T:
    """The list itself.  (Nothing gives a raw pointer to its items: they move.)"""
    return lst


# -- what is in the heap ----------------------------------------------------------------------
# Programs ask these and say "not supported" when they get what stands for "unknown".


def cast_gcref_to_int(gcref: Any) -> int:
    """A number for the object, until the next collection."""
    return lltype.cast_ptr_to_int(gcref)


@specialize.arg(0)
def try_cast_gcref_to_instance(Class: Any, gcref: Any) -> Any:
    """The instance of a class that a GCREF refers to; None when it is something else."""
    try:
        return cast_gcref_to_instance(Class, gcref)
    except (TypeError, lltype.MemoryFault):
        return None


@means(None)
def get_rpy_roots() -> Any:
    """Unknown."""
    return None


@means(None)
def get_rpy_referents(gcref: object) -> Any:
    """Unknown."""
    return None


@means(-1)
def get_rpy_memory_usage(gcref: object) -> int:
    """Unknown."""
    return -1


@means(-1)
def get_rpy_type_index(gcref: object) -> int:
    """Unknown."""
    return -1


@means(None)
def _heap_stats() -> Any:
    """Unknown."""
    return None


@means(False)
def dump_rpy_heap(fd: int) -> bool:
    """False: nothing was written.  (``RPYTHON_GC_STATS`` tells of the heap.)"""
    return False


(
    TOTAL_MEMORY, TOTAL_ALLOCATED_MEMORY, TOTAL_MEMORY_PRESSURE, PEAK_MEMORY,
    PEAK_ALLOCATED_MEMORY, TOTAL_ARENA_MEMORY, TOTAL_RAWMALLOCED_MEMORY, PEAK_ARENA_MEMORY,
    PEAK_RAWMALLOCED_MEMORY, NURSERY_SIZE, TOTAL_GC_TIME,
) = range(11)  # fmt: skip


@means(-1)
def get_stats(stat_no: int) -> int:
    """Unknown.  (``RPYTHON_GC_STATS`` tells at exit.)"""
    return -1
