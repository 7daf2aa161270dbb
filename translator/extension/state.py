"""What copy and pickle need: the attributes of an object as a tuple, and an object from those.

    class Point:                        rpx_state_N(point) -> (x, y)
        x: int                          rpx_restore_N(x, y) -> a Point whose __init__ did not run
        y: int

A class has that where its attributes are all set and all cross, and none is or has a list, dict,
set or bytearray: two objects that share one would not share the copy.  A class that says itself how
it is copied is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import SomeInteger, SomeObject
from rpython.annotator.program.classdef import Attribute, ClassDef
from rpython.annotator.program.definite_assignment import always_set
from rpython.backend_c.extension import CONTAINERS, AbiType, Entry, Parameter
from rpython.translator.extension.abi_types import AbiTypes, DoesNotCross
from rpython.translator.extension.iteration import is_generator
from rpython.translator.extension.known import Known
from rpython.translator.extension.widening import widened
from rpython.translator.ir.records import dataclass

_OWN_WAYS = (
    "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__copy__", "__deepcopy__",
    "__getnewargs__", "__getnewargs_ex__", "__del__",
)  # fmt: skip
_NOT_COPIED = (*CONTAINERS, "OPAQUE", "BUFFER")


@dataclass(eq=False)
class State:
    """Of one class: the entries that read and make its objects."""

    classdef: ClassDef
    names: tuple[str, ...]
    read: Entry
    restore: Entry


def find_states(
    annotator: RPythonAnnotator, classes: Iterable[Known], types: AbiTypes
) -> list[State]:
    """Of all classes whose objects can be copied."""
    found: list[State] = []
    for known in classes:
        attributes = _attributes(annotator, known, types)
        if attributes is None:
            continue
        for classdef in (known.classdef, known.extended):
            if classdef is not None:
                found.append(_state(classdef, len(found), attributes, types))
    return found


def _attributes(
    annotator: RPythonAnnotator, known: Known, types: AbiTypes
) -> dict[str, AbiType] | None:
    """The attributes of the objects, None where they cannot be copied."""
    cls = known.cls
    if is_generator(cls) or known.classdef.abstract_methods() or not known.classdef.instantiated:
        return None
    if any(name in vars(base) for base in cls.__mro__[:-1] for name in _OWN_WAYS):
        return None
    found: dict[str, AbiType] = {}
    for classdef in known.classdef.mro():
        for name, attribute in classdef.attrs.items():
            if not attribute.s_value.kinds:
                continue
            T = _type(annotator, attribute, types)
            if T is None or name in found:
                return None
            found[name] = T
    return found


def _type(annotator: RPythonAnnotator, attribute: Attribute, types: AbiTypes) -> AbiType | None:
    s = attribute.s_value
    if s.is_constant() or not _is_wide(s) or not always_set(annotator, attribute):
        return None
    try:
        T = types.of(s)
    except DoesNotCross:
        return None
    return None if T.has(*_NOT_COPIED) else T


def _is_wide(s: SomeObject) -> bool:
    """Can every value of its type be there?  Of an int it can be checked whether it is negative."""
    return isinstance(s, SomeInteger) or widened(s) == s


def _state(
    classdef: ClassDef, number: int, attributes: dict[str, AbiType], types: AbiTypes
) -> State:
    name = classdef.cls.__name__
    shape = AbiType("TUPLE", "tuple", list(attributes.values()))
    made = AbiType("INSTANCE", name, number=types.numbers[classdef])
    parameters = [Parameter(each, T) for each, T in attributes.items()]
    count = len(parameters)
    read = Entry(
        f"rpx_state_{number}", "__reduce__", f"{name}.__reduce__", "", [], 0, 0, shape,
        direct=False, has_self=True,
    )  # fmt: skip
    restore = Entry(
        f"rpx_restore_{number}", "__setstate__", f"{name}.__setstate__", "", parameters, 0, count,
        made, direct=False, has_self=True, is_init=True,
    )  # fmt: skip
    return State(classdef, tuple(attributes), read, restore)
