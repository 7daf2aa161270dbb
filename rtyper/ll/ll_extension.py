"""The values that an extension module keeps for Python: instances by handle, containers of the
running call by number.

``handles``: the instances that Python knows, by number; an instance has its own number in its
field ``module_handle``, 0 when Python does not know it.  They stay alive until Python is
done with them.

``refs``: the lists, dicts, sets and bytearrays that crossed in the call that runs, in the
order in which they did: one that crosses again is only named, by its number.
"""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.llmemory import GCREF
from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import (
    Bool,
    GcArray,
    GcStruct,
    Ptr,
    Signed,
    UniChar,
    Void,
    malloc,
    nullptr,
)
from rpython.lltypesystem.rclass import OBJECT, OBJECTPTR
from rpython.rtyper.ll.ll_marshal import (
    READER,
    WRITER,
    ll_read_str,
    ll_write_str,
    ll_write_word,
    ll_writer,
)
from rpython.rtyper.ll.ll_outsideview import MEMORY
from rpython.rtyper.ll.ll_str import ll_ord_at
from rpython.rtyper.ll.ll_text import IS_LATER

OBJECTS = GcArray(OBJECTPTR)
REFS = GcArray(GCREF)
NUMBERS = GcArray(Signed)
STATE = GcStruct(
    "extension",
    ("handles", Ptr(OBJECTS)), ("handles_used", Signed),
    ("free", Ptr(NUMBERS)), ("free_count", Signed),
    ("refs", Ptr(REFS)), ("count", Signed),
    ("slots", Ptr(NUMBERS)), ("begun", Bool),
    ("reader", Ptr(READER)), ("writer", Ptr(WRITER)), ("memory", Ptr(MEMORY)),
)  # fmt: skip
STATEPTR = Ptr(STATE)

WEAK_HANDLE = GcStruct(
    "weak_handle", ("target", OBJECTPTR), hints={"weak_fields": ("target",)}
)  # fmt: skip
WEAK_HANDLES = GcArray(Ptr(WEAK_HANDLE))

LARGE = 4096
"""A writer with more words is not kept for the next call."""
FEW = 8
"""So many refs are compared one by one; more are found by their identity hash."""


# -- instances --------------------------------------------------------------------------------


def ll_handle(state: Any, home: Any, instance: Any) -> int:
    """The number of an instance; ``home``: the same, with the field."""
    number = home.module_handle
    if number == 0 or state.handles[number] != instance:  # it was swept, and lives again
        number = ll_new_handle(state, instance)
        home.module_handle = number
    return number


def ll_new_handle(state: Any, instance: Any) -> int:
    if state.free_count > 0:
        state.free_count -= 1
        number = state.free[state.free_count]
    else:
        if not state.handles:
            state.handles = malloc(OBJECTS, 64)
            state.free = malloc(NUMBERS, 64)
            state.handles_used = 1
        number = state.handles_used
        if number == len(state.handles):
            handles = malloc(OBJECTS, 2 * number)
            llop.copy_array_items(Void, state.handles, handles, 0, 0, number)
            # as long: giving a number back never allocates
            free = malloc(NUMBERS, 2 * number)
            llop.copy_array_items(Void, state.free, free, 0, 0, state.free_count)
            state.handles = handles
            state.free = free
        state.handles_used = number + 1
    state.handles[number] = instance
    return number


def ll_handle_object(state: Any, number: int) -> Any:
    return state.handles[number]


def ll_handle_class(state: Any, number: int) -> int:
    """The number of the class of the instance."""
    return state.handles[number].typeptr.subclassrange_min


def ll_free_handle(state: Any, home: Any, number: int) -> None:
    home.module_handle = 0
    state.handles[number] = nullptr(OBJECT)
    state.free[state.free_count] = number
    state.free_count += 1


def ll_sweep_begin(state: Any, words: Any) -> Any:
    """Hold the instances of the ``words[0]`` handles that follow weakly only."""
    count = words[0]
    weak = malloc(WEAK_HANDLES, count)
    i = 0
    while i < count:
        weak[i] = malloc(WEAK_HANDLE)
        weak[i].target = state.handles[words[i + 1]]
        i += 1
    i = 0
    while i < count:
        state.handles[words[i + 1]] = nullptr(OBJECT)
        i += 1
    return weak


def ll_sweep_end(state: Any, words: Any, weak: Any) -> None:
    """Free the handles of those that a collection did not leave: their words become 0."""
    i = 0
    while i < len(weak):
        number = words[i + 1]
        target = weak[i].target
        if target:
            state.handles[number] = target
        else:
            words[i + 1] = 0
            state.free[state.free_count] = number
            state.free_count += 1
        i += 1


# -- members of enums -------------------------------------------------------------------------


def ll_member(members: Any, number: int) -> Any:
    return members[number]


def ll_member_number(members: Any, member: Any) -> int:
    number = 0
    while members[number] != member:
        number += 1
    return number


# -- text -------------------------------------------------------------------------------------


def ll_read_char(reader: Any) -> Any:
    """A str of one character, as a UniChar."""
    s = ll_read_str(reader)
    if s.length != 1:
        raise ValueError("a str of length 1 is needed")
    return llop.cast_int_to_unichar(UniChar, ll_ord_at(s, 0))


def ll_require_nonneg(number: int) -> None:
    """An attribute that is never negative comes from Python."""
    if number < 0:
        raise ValueError("the state of an object has a negative number where none can be")


# -- exceptions -------------------------------------------------------------------------------


def ll_error_words(text: Any) -> Any:
    """A writer for an exception, with its text; one that is made when it is read may change, and
    does not cross."""
    writer = ll_writer()
    if not text:
        ll_write_word(writer, 0)
    elif text.length == IS_LATER:
        ll_write_word(writer, 2)
    else:
        ll_write_word(writer, 1)
        ll_write_str(writer, text)
    return writer


# -- containers -------------------------------------------------------------------------------


def ll_begin(state: Any, words: Any) -> Any:
    """A call begins: nothing has crossed.  Returns the reader of its arguments."""
    state.begun = False
    state.count = 0
    return ll_reader_at(state, words)


def ll_reader_at(state: Any, words: Any) -> Any:
    """The reader, of these words."""
    if not state.reader:
        ll_prepare(state)
    reader = state.reader
    reader.words = words
    reader.position = 0
    return reader


def ll_prepare(state: Any) -> None:
    state.reader = malloc(READER)
    state.refs = malloc(REFS, FEW)
    state.writer = ll_writer()


def ll_fresh_writer(state: Any) -> Any:
    """The writer, for the result of a call that has begun with no containers."""
    if not state.reader:
        ll_prepare(state)
    ll_begun(state)
    return state.writer


def ll_begun(state: Any) -> None:
    """All arguments have crossed."""
    state.writer.length = 0
    state.begun = True


def ll_end(state: Any) -> None:
    """The values that crossed are not needed any more; what is small is used again."""
    if len(state.refs) > FEW:
        state.refs = malloc(REFS, FEW)
        state.slots = nullptr(NUMBERS)
    else:
        i = 0
        while i < state.count:
            state.refs[i] = nullptr(GCREF.TO)
            i += 1
    state.count = 0
    if len(state.writer.items) > LARGE:
        state.writer = ll_writer()


def ll_state_writer(state: Any) -> Any:
    if state.begun:
        return state.writer
    return nullptr(WRITER)


def ll_restart(state: Any) -> None:
    """Forget what was written."""
    state.writer.length = 0


def ll_ref(state: Any, index: int) -> Any:
    """What crossed with this number; null when that is the next number, of something new."""
    if index < state.count:
        return state.refs[index]
    return nullptr(GCREF.TO)


def ll_keep(state: Any, ref: Any) -> int:
    """Give what crosses a number."""
    index = state.count
    if index == len(state.refs):
        refs = malloc(REFS, 2 * index)
        llop.copy_array_items(Void, state.refs, refs, 0, 0, index)
        state.refs = refs
        state.slots = nullptr(NUMBERS)  # too small now
    state.refs[index] = ref
    state.count = index + 1
    if state.slots:
        ll_put_in_slot(state, index)
    return index


def ll_find(state: Any, ref: Any) -> int:
    """The number of what has crossed already, -1 when it has not."""
    if state.count <= FEW:
        i = 0
        while i < state.count:
            if state.refs[i] == ref:
                return i
            i += 1
        return -1
    if not state.slots:
        state.slots = malloc(NUMBERS, 2 * len(state.refs))
        i = 0
        while i < state.count:
            ll_put_in_slot(state, i)
            i += 1
    mask = len(state.slots) - 1
    slot = llop.gc_identityhash(Signed, ref) & mask
    while state.slots[slot] != 0:
        index = state.slots[slot] - 1
        if state.refs[index] == ref:
            return index
        slot = (slot + 1) & mask
    return -1


def ll_put_in_slot(state: Any, index: int) -> None:
    """Open addressing; a slot holds the number plus 1."""
    mask = len(state.slots) - 1
    slot = llop.gc_identityhash(Signed, state.refs[index]) & mask
    while state.slots[slot] != 0:
        slot = (slot + 1) & mask
    state.slots[slot] = index + 1
