"""Classes at run time: vtables, their numbering, exception instances, casts.

Subclasses of one class are a range of numbers, so that isinstance is one subtraction and
one comparison:  ``x.typeptr.subclassrange_min - C.min < C.max - C.min`` (unsigned).
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from typing import TYPE_CHECKING

from rpython.annotator.program.classdef import ClassDef
from rpython.lltypesystem.lltype import (
    Bool,
    LowLevelType,
    Ptr,
    Signed,
    Unsigned,
    Void,
    _ptr,
    cast_pointer,
    malloc,
    nullptr,
)
from rpython.lltypesystem.rclass import CLASSTYPE, OBJECTPTR, TWIN, make_class_name, make_vtable
from rpython.lltypesystem.rstr import make_str
from rpython.lltypesystem.simulated.containers import MemoryFault
from rpython.rtyper.ll.ll_class import CLASS_VTABLE
from rpython.rtyper.ownexceptions import COPY
from rpython.stdlib._seen import CLASS_TEXT
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper

_TYPEPTR = Constant("typeptr", Void)
_NUMBER = Constant("subclassrange_min", Void)
_AFTER = Constant("subclassrange_max", Void)
TWINS = 4
"""How many instances there are of a prebuilt exception: one may be raised while others are being
handled."""


class ClassTable:
    """The run-time classes of one program."""

    def __init__(self, rtyper: RPythonTyper) -> None:
        self.rtyper = rtyper
        self._vtables: dict[ClassDef, _ptr] = {}
        self._numbers: defaultdict[str, list[ClassDef]] = defaultdict(list)
        self._range_constants: list[tuple[ClassDef, Constant, Constant]] = []
        self._prebuilt_exceptions: dict[tuple[ClassDef, str], _ptr] = {}
        self._numbered: tuple[int, int, int] | None = None
        """How many classes, vtables and tests there were when they were numbered."""

    def exception_type(self) -> LowLevelType:
        """The concretetype of exception instances on links: a pointer to any instance."""
        return OBJECTPTR

    def number_of_name(self, classdef: ClassDef) -> int:
        """How many classes had the same name before."""
        same = self._numbers[classdef.name]
        if classdef not in same:
            same.append(classdef)
        return same.index(classdef)

    def vtable(self, classdef: ClassDef) -> _ptr:
        """The vtable of a class (CLASSTYPE); its numbers are filled in by ``number``."""
        vtable = self._vtables.get(classdef)
        if vtable is None:
            exact = make_vtable(CLASS_VTABLE, classdef.name, 0, 0)
            exact.pyname = make_str(classdef.name)
            exact.full_name = make_class_name(self._full_name(classdef))
            vtable = self._vtables[classdef] = cast_pointer(CLASSTYPE, exact)
        return vtable

    def _full_name(self, classdef: ClassDef) -> str:
        """The name of an exception in tracebacks: with the module, unless that is the program's
        own; of others what ``repr`` of instances shows."""
        cls = classdef.cls
        module = cls.__module__
        own = module == self.rtyper.main_module
        if not issubclass(cls, BaseException):
            return f"{'__main__' if own else module}.{cls.__qualname__}"
        return cls.__qualname__ if own or module == "builtins" else f"{module}.{cls.__qualname__}"

    def class_text(self, cls: type) -> str:
        """``repr`` of a class; those of the program's own module are in ``__main__``."""
        shown: str = getattr(cls, CLASS_TEXT, None) or repr(cls)
        own = cls.__module__ == self.rtyper.main_module
        known = f"<class '{cls.__module__}."
        if own and shown.startswith(known):
            return f"<class '__main__.{shown[len(known) :]}"
        return shown

    def known_vtables(self) -> list[tuple[ClassDef, _ptr]]:
        return list(self._vtables.items())

    def number(self) -> None:
        """Give every class its number and every isinstance test its range, unless that is done."""
        classdefs = self.rtyper.annotator.constants.classdefs
        known = len(classdefs), len(self._vtables), len(self._range_constants)
        if known == self._numbered:
            return
        self._numbered = known
        bounds: dict[ClassDef, tuple[int, int]] = {}
        counter = 0
        roots = [cd for cd in classdefs if cd.base is None]
        stack: list[tuple[ClassDef, bool]] = [(root, False) for root in reversed(roots)]
        while stack:
            classdef, done = stack.pop()
            if done:
                bounds[classdef] = (bounds[classdef][0], counter)
                continue
            bounds[classdef] = (counter, counter)
            counter += 1
            stack.append((classdef, True))
            stack.extend((sub, False) for sub in reversed(classdef.subdefs))
        for classdef, vtable in self._vtables.items():
            vtable.subclassrange_min, vtable.subclassrange_max = bounds[classdef]
        for classdef, minimum, width in self._range_constants:
            low, high = bounds[classdef]
            minimum.value, width.value = low, high - low
        self.bounds = bounds

    def range_constants(self, classdef: ClassDef) -> tuple[Constant, Constant]:
        """The first number and the count of numbers of a class and its subclasses; the
        constants get their values when the classes are numbered."""
        self.rtyper.asked_about_program = True
        constants = (Constant(0, Signed), Constant(0, Unsigned))
        self._range_constants.append((classdef, *constants))
        return constants

    def isinstance_test(self, v_object: Value, classdef: ClassDef, llops: LowLevelOpList) -> Value:
        """Is the non-null instance of that class?  A Bool."""
        return self.subclass_test(self.typeptr(v_object, llops), classdef, llops)

    def subclass_test(self, v_class: Value, classdef: ClassDef, llops: LowLevelOpList) -> Value:
        """Is the class (CLASSTYPE) that one or below it?  A Bool."""
        minimum, width = self.range_constants(classdef)
        offset = self._offset(v_class, minimum, llops)
        unsigned = llops.genop("cast_int_to_uint", [offset], Unsigned)
        return llops.genop("uint_lt", [unsigned, width], Bool)

    def below_class(self, v_class: Value, v_above: Value, llops: LowLevelOpList) -> Value:
        """The same for a class that is known at run time only."""
        minimum = llops.genop("getfield", [v_above, _NUMBER], Signed)
        after = llops.genop("getfield", [v_above, _AFTER], Signed)
        number = llops.genop("getfield", [v_class, _NUMBER], Signed)
        numbers = [(number, minimum), (after, minimum)]
        offset, width = (
            llops.genop("cast_int_to_uint", [llops.genop("int_sub", list(pair), Signed)], Unsigned)
            for pair in numbers
        )
        return llops.genop("uint_lt", [offset, width], Bool)

    def is_solid(self, cls: type) -> bool:
        """Are all its instances of the class with its numbers, or below?  (A mixin's are not.)"""
        constants = self.rtyper.annotator.constants
        found = [top for root in constants.classdefs if root.base is None for top in root.tops(cls)]
        return all(top.cls is cls for top in found)

    def class_offset(self, v_object: Value, minimum: Constant, llops: LowLevelOpList) -> Value:
        """The number of the instance's class, counted from ``minimum``."""
        return self._offset(self.typeptr(v_object, llops), minimum, llops)

    def _offset(self, v_class: Value, minimum: Constant, llops: LowLevelOpList) -> Value:
        number = llops.genop("getfield", [v_class, _NUMBER], Signed)
        return llops.genop("int_sub", [number, minimum], Signed)

    def typeptr(self, v_object: Value, llops: LowLevelOpList) -> Value:
        v_base = self.upcast(v_object, llops)
        return llops.genop("getfield", [v_base, _TYPEPTR], CLASSTYPE)

    def upcast(self, v_object: Value, llops: LowLevelOpList) -> Value:
        """Any instance pointer as OBJECTPTR."""
        return self.cast(v_object, OBJECTPTR, llops)

    def downcast(self, v_object: Value, classdef: ClassDef, llops: LowLevelOpList) -> Value:
        """An OBJECTPTR as the pointer type of a class it is known to be of."""
        return self.cast(v_object, self.rtyper.instance_repr(classdef).lowleveltype, llops)

    def cast(self, v: Value, T: LowLevelType, llops: LowLevelOpList) -> Value:
        """``cast_pointer`` where the types differ; constants are cast here and now, but for those
        of other classes, for which the code is never reached."""
        if v.concretetype == T:
            return v
        if isinstance(v, Constant):
            assert isinstance(T, Ptr)
            with contextlib.suppress(MemoryFault):
                return Constant(cast_pointer(T, v.value) if v.value else nullptr(T.TO), T)
        return llops.genop("cast_pointer", [v], T)

    def prebuilt_exception(self, classdef: ClassDef, message: str) -> _ptr:
        """An immortal instance of a built-in exception class (OBJECTPTR)."""
        key = (classdef, message)
        instance = self._prebuilt_exceptions.get(key)
        if instance is None:
            twins = [self._make_exception(classdef, message) for _ in range(TWINS)]
            r_base = self.rtyper.instance_repr(classdef).exception_base()
            for p, q in zip(twins, [*twins[1:], twins[0]]):
                setattr(cast_pointer(r_base.lowleveltype, p), TWIN, q)
            instance = self._prebuilt_exceptions[key] = twins[0]
        return instance

    def prebuilt_exceptions(self) -> list[tuple[ClassDef, str, _ptr]]:
        """Those that ``prebuilt_exception`` gave: class, message, instance."""
        known = self._prebuilt_exceptions.items()
        return [(classdef, message, instance) for (classdef, message), instance in known]

    def _make_exception(self, classdef: ClassDef, message: str) -> _ptr:
        r = self.rtyper.instance_repr(classdef)
        exact = malloc(r.object_type, immortal=True)
        instance = cast_pointer(OBJECTPTR, exact)
        instance.typeptr = self.vtable(classdef)
        self.rtyper.fill_prebuilt_exception(r, exact, message)
        if self.rtyper.own_exceptions.are_made:
            base = cast_pointer(r.exception_base().lowleveltype, exact)
            setattr(base, COPY, self.rtyper.own_exceptions.copier(classdef))
        return instance
