"""From host objects to annotations: constants, classes, functions, prebuilt data."""

from __future__ import annotations

import enum
import functools
import re
import sys
import types
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.addresses import SomeAddress, SomeOffset
from rpython.annotator.lattice.cells import DictDef, ListDef, Origin, Position
from rpython.annotator.lattice.enumints import SomeEnumInt, check_enum, is_int_enum
from rpython.annotator.lattice.keywords import SomeKeywords
from rpython.annotator.lattice.model import (
    K_BYTES,
    K_STR,
    Const,
    SomeBool,
    SomeBuiltinMethod,
    SomeByteArray,
    SomeBytes,
    SomeChar,
    SomeClass,
    SomeClassMethod,
    SomeDict,
    SomeFloat,
    SomeFunction,
    SomeHost,
    SomeInstance,
    SomeInteger,
    SomeList,
    SomeMethod,
    SomeObject,
    SomePtr,
    SomeRange,
    SomeString,
    SomeTuple,
    s_None,
    short,
)
from rpython.annotator.lattice.namedtuples import SomeNamedTuple, check_supported, is_named_tuple
from rpython.annotator.lattice.notimplemented import s_NotImplemented
from rpython.annotator.lattice.parts import KIND_CLASSES
from rpython.annotator.lattice.sets import SomeFrozenSet, SomeSet
from rpython.annotator.lattice.singlefloats import SomeSingleFloat
from rpython.annotator.program.classdef import Attribute, ClassDef, Lookup, has_slots
from rpython.annotator.program.desc import ClassDesc, ClassMethodDesc, FunctionDesc, MethodDesc
from rpython.annotator.program.enums import Members
from rpython.annotator.program.extregistry import asking, lookup
from rpython.annotator.program.hostclasses import (
    UnsupportedClass,
    host_base,
    is_descriptor,
    is_method,
)
from rpython.annotator.program.overlays import Overlays
from rpython.annotator.program.prebuilt import PrebuiltObjects
from rpython.annotator.program.unsupported import name_module_of, refuse_unsupported
from rpython.annotator.rules.registry import FUNCTIONS, METHODS
from rpython.lltypesystem.lltype import Address, LowLevelType, SymbolicValue, _ptr, typeOf
from rpython.lltypesystem.rarithmetic import base_int, r_singlefloat
from rpython.stdlib._registry import FrozenKeywords
from rpython.stdlib.builtins import calling
from rpython.translator.ir.errors import AnnotatorError
from rpython.translator.ir.home import home_of_function
from rpython.translator.ir.intrinsics import ProtocolMethod, UnpackingMethod
from rpython.translator.ir.span import Span

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator

INT_MIN, INT_MAX = -(1 << 63), (1 << 63) - 1


_WITH_METHODS = (list, dict, OrderedDict, set, frozenset, bytearray, str, bytes)
"""What methods of prebuilt objects may be of."""


class Constants:
    """Annotations of host objects, and the descs and classdefs made from them.

    Containers and instances are known by identity: the same host list always has the
    same definition.
    """

    def __init__(self, annotator: RPythonAnnotator, holds_locals: bool = False) -> None:
        self.annotator = annotator
        self.overlays = Overlays(annotator.big_ints)
        self._functions: dict[Any, FunctionDesc] = {}
        self._builtins: dict[int, tuple[Any, types.FunctionType]] = {}
        """Built-in functions, and what calls them."""
        self.holds_locals = holds_locals
        """Do local variables hold what nobody reads again (``scope_keep_alive.py``)?"""
        self._function_masks: dict[FunctionDesc, int] = {}
        self._classes: dict[type, ClassDef] = {}
        self._class_descs: dict[ClassDef, tuple[ClassDesc, int]] = {}
        self._methods: dict[
            tuple[Lookup, FunctionDesc, ClassDef, bool], tuple[MethodDesc, int]
        ] = {}
        self._class_methods: dict[tuple[str, FunctionDesc], tuple[ClassMethodDesc, int]] = {}
        self.members = Members()
        self._host_methods: dict[tuple[type, str], types.MethodType] = {}
        self._partials: dict[tuple[type, str], Any] = {}
        self._bound: dict[tuple[FunctionDesc, ClassDef], FunctionDesc] = {}
        self._containers: dict[int, tuple[Any, SomeObject]] = {}
        self.prebuilt = PrebuiltObjects(annotator)
        self.state = self.overlays.state
        self._flow_graphs = annotator.refinement.flow_graphs
        self.assigned = self._flow_graphs.assigned

    # -- annotations of constants -------------------------------------------------------

    def annotation_of(self, x: Any) -> SomeObject:
        """The annotation of a host object.  Raises AnnotatorError when it can have none."""
        entry = lookup(x)
        if entry is not None:
            with asking(entry, self.annotator.bookkeeper):
                return entry.compute_annotation()
        x = self.overlays.of(x)
        s = self._value(x)
        return self._object(x) if s is None else s

    def _value(self, x: Any) -> SomeObject | None:
        """Of numbers, texts, containers; None for others."""
        cls = type(x)
        if x is None:
            return s_None
        if x is NotImplemented:
            return s_NotImplemented
        if cls is bool:
            return SomeBool(Const(x))
        if cls is int:
            if not INT_MIN <= x <= INT_MAX:
                raise AnnotatorError(
                    f"the integer {x} does not fit in 64 bits",
                    hint="ask for ints of any size, with --int=big; or use r_uint(...), or rbigint",
                )
            return SomeInteger(const=Const(x))
        if cls is float:
            return SomeFloat(Const(x))
        if cls is r_singlefloat:
            return SomeSingleFloat(Const(x))
        if cls in (str, ProtocolMethod, UnpackingMethod):
            return (SomeChar if len(x) == 1 else SomeString)(Const(x))
        if cls is bytes:
            return SomeBytes(Const(x))
        if cls is tuple:
            return SomeTuple(tuple(self.annotation_of(item) for item in x), Const(x))
        if is_named_tuple(cls):
            check_supported(cls)
            return SomeNamedTuple(tuple(map(self.annotation_of, x)), cls, Const(x))
        if cls is range:
            return SomeRange(x.step, not x or min(x[0], x[-1]) >= 0, Const(x))
        if is_int_enum(cls):
            check_enum(cls)
            return SomeEnumInt(cls, Const(x))
        if isinstance(x, re.RegexFlag):
            return SomeInteger(may_be_bool=True, const=Const(int(x)))
        if isinstance(x, base_int):
            return SomeInteger(knowntype=cls, const=Const(x))
        if cls in (list, dict, OrderedDict, set, frozenset, bytearray):
            return self._container(x)
        if cls is FrozenKeywords:
            items = tuple(self.annotation_of(value) for value in x.items.values())
            return SomeKeywords(tuple(x.items), items)
        return None

    def _object(self, x: Any) -> SomeObject:
        """Of pointers, functions, classes, instances."""
        if isinstance(x, _ptr):
            return SomePtr(typeOf(x), Const(x))
        if isinstance(x, SymbolicValue):
            return (SomeAddress if x._TYPE is Address else SomeOffset)(Const(x))
        if isinstance(x, LowLevelType):
            return SomeHost(Const(x))
        if FUNCTIONS.lookup(x) is not None:
            return SomeHost(Const(x), self._among_others if _is_builtin(x) else None)
        if isinstance(x, types.FunctionType):
            if "_rpython_at_translation_" in vars(x):
                return SomeHost(Const(x))
            return SomeFunction(self.function_mask(self.function_desc(x)), self.descs, Const(x))
        if isinstance(x, types.MethodType):
            return self._bound_method(x)
        if isinstance(x, types.BuiltinMethodType) and type(x.__self__) in _WITH_METHODS:
            s_self = self.annotation_of(x.__self__)
            if METHODS.lookup(x.__name__, type(s_self)) is not None:
                return SomeBuiltinMethod(x.__name__, s_self)
        if isinstance(x, type):
            return self._class(x)
        if type(x).__module__ == "typing" or isinstance(x, types.GenericAlias):
            return SomeHost(Const(x))  # Iterable, list[int], a TypeVar
        if type(x).__module__ != "builtins" or isinstance(x, BaseException):
            return self._instance(x)
        return SomeHost(Const(x))

    @property
    def descs(self) -> Any:
        return self.annotator.descs

    def _container(self, x: Any) -> SomeObject:
        known = self._containers.get(id(x))
        if known is not None:
            return known[1]
        s_x: SomeObject
        if isinstance(x, list):
            s_x = SomeList(ListDef("item of a prebuilt list"), Const(x))
            # an executable fills sys.argv when it starts
            s_x.listdef.resized = x is sys.argv
        elif isinstance(x, dict):
            s_x = SomeDict(DictDef("a prebuilt dict", isinstance(x, OrderedDict)), Const(x))
        elif isinstance(x, set):
            s_x = SomeSet(DictDef("a prebuilt set"), Const(x))
        elif isinstance(x, frozenset):
            s_x = SomeFrozenSet(DictDef("a prebuilt frozenset"), Const(x))
        else:
            s_x = SomeByteArray(Const(x))
        self._containers[id(x)] = (x, s_x)
        self.prebuilt.see_container(s_x, x)
        return s_x

    def containers(self) -> list[SomeObject]:
        """The annotations of all prebuilt lists, dicts and sets of the program."""
        return [s_x for _, s_x in self._containers.values()]

    def known_container(self, x: Any) -> SomeObject | None:
        """The annotation of a host list, dict or bytearray, if the program uses it."""
        known = self._containers.get(id(x))
        return None if known is None else known[1]

    def _bound_method(self, x: types.MethodType) -> SomeObject:
        if isinstance(x.__self__, type):
            s_class = self.annotation_of(x.__self__)
            func = self.overlays.of(x.__func__)
            if not isinstance(s_class, SomeClass) or not isinstance(func, types.FunctionType):
                return SomeHost(Const(x))
            mask = self.class_method_mask(func, self.classdef(x.__self__))
            return SomeClassMethod(mask, self.descs, Const(x))
        s_self = self.annotation_of(x.__self__)
        if not isinstance(s_self, SomeInstance):
            return SomeHost(Const(x))
        lookup = Lookup(x.__func__.__name__)
        found = s_self.classdef.find_function(lookup)
        exact = found is None or found[1] is not x.__func__
        if exact:
            function = self.bound_desc(self.function_desc(x.__func__), s_self)
        else:
            function = self.method_function(s_self.classdef, lookup)
        mask = self.method_desc(lookup, function, s_self.classdef, exact)[1]
        return SomeMethod(mask, self.descs, Const(x))

    def _class(self, cls: type) -> SomeObject:
        if is_named_tuple(cls):
            return SomeHost(Const(cls), self._builtin_function)
        if cls is type(None):
            return SomeClass(self.class_mask(self.classdef(cls)), self.descs, Const(cls))
        if issubclass(cls, type) or (issubclass(cls, int) and issubclass(cls, enum.Enum)):
            return SomeHost(Const(cls))
        if cls.__module__ == "builtins" and not issubclass(cls, BaseException):
            return SomeHost(Const(cls))
        if issubclass(cls, base_int | LowLevelType) or FUNCTIONS.lookup(cls) is not None:
            return SomeHost(Const(cls))
        return SomeClass(self.class_mask(self.classdef(cls)), self.descs, Const(cls))

    def _instance(self, x: Any) -> SomeObject:
        if hasattr(type(x), "_rpython_builtin_"):
            return SomeHost(Const(x))
        if not hasattr(x, "__dict__") and not has_slots(type(x)):
            refuse_unsupported(type(x))
            return SomeHost(Const(x))
        classdef = self.classdef(type(x))
        self.prebuilt.see_instance(classdef, x)
        return SomeInstance(classdef, Const(x))

    # -- descs ---------------------------------------------------------------------------

    def function_desc(
        self, func: Any, user: ClassDef | None = None, other: object = None
    ) -> FunctionDesc:
        """The desc of a host function; each ``user`` and ``other`` has its own (see
        FunctionDesc)."""
        func = self.overlays.of(func)
        if not isinstance(func, types.FunctionType):
            func = self._builtins.setdefault(id(func), (func, calling(func)))[1]
        key = func if user is None and other is None else (func, user, other)
        desc = self._functions.get(key)
        if desc is None:
            holds = self.holds_locals and (
                home_of_function(func).is_program or "_rpython_holds_locals_" in func.__globals__
            )
            desc = self._functions[key] = FunctionDesc(func, user, other, holds, self._flow_graphs)
        return desc

    def _among_others(self, builtin: Any) -> SomeObject:
        """A built-in where other functions or classes are, too."""
        if builtin in KIND_CLASSES.values():
            return SomeClass(self.class_mask(self.classdef(builtin)), self.descs)
        return self._builtin_function(builtin)

    def _builtin_function(self, builtin: Any) -> SomeObject:
        """A built-in where other functions are, too."""
        return SomeFunction(self.function_mask(self.function_desc(builtin)), self.descs)

    def method_function(self, classdef: ClassDef, lookup: Lookup) -> FunctionDesc:
        """The function that a lookup finds on a class; it must find one.  Each class that
        mixes a function in has its own."""
        found = classdef.find_function(lookup)
        assert found is not None, f"{classdef.name} has no function {lookup.name}"
        return self._used_by(classdef, *found, lookup.other)

    def target(self, classdef: ClassDef, lookup: Lookup) -> FunctionDesc | None:
        """What a call of that method does on an instance of exactly that class; None when
        the class has no such method."""
        found = classdef.find_function(lookup)
        if found is not None:
            return self._used_by(classdef, *found, lookup.other)
        if lookup.name == "__init__" and lookup.after in classdef.cls.__mro__:
            return self.function_desc(_no_init, classdef)
        return None

    def _used_by(
        self, classdef: ClassDef, owner: type, func: Any, other: object = None
    ) -> FunctionDesc:
        user = classdef.entry(owner)
        own = user.cls is owner and func.__qualname__ == f"{owner.__qualname__}.{func.__name__}"
        return self.function_desc(func, None if own else user, other)

    def bound_desc(self, desc: FunctionDesc, s_self: SomeObject) -> FunctionDesc:
        """The function to call for ``f(self, ...)``: a mixin's has one for each class that
        mixes it in."""
        if desc.user is not None or not isinstance(s_self, SomeInstance):
            return desc
        classdef = s_self.classdef
        key = (desc, classdef)
        known = self._bound.get(key)
        if known is None:
            solid = {above.cls for above in classdef.mro()}
            known = desc
            owners = [
                cls for cls in classdef.cls.__mro__
                if any(value is desc.func for value in cls.__dict__.values())
            ]  # fmt: skip
            if owners and solid.isdisjoint(owners):
                known = self._used_by(classdef, owners[0], desc.func)
            self._bound[key] = known
        return known

    def host_method(self, method: types.MethodType) -> types.MethodType:
        """A classmethod of a host class: the same object each time."""
        key = (method.__self__, method.__name__)
        return self._host_methods.setdefault(key, method)  # type: ignore[arg-type]

    def host_attribute(self, cls: type, name: str) -> Any:
        """``cls.name``; the same object each time, where the host makes a partial to be read.
        Raises AttributeError."""
        value = getattr(cls, name)
        if isinstance(value, functools.partial):
            value = self._partials.setdefault((cls, name), value)
        return value

    def class_method_mask(self, func: Any, classdef: ClassDef) -> int:
        """A classmethod bound to a class."""
        function = self.function_desc(func, classdef)
        key = (func.__name__, function)
        known = self._class_methods.get(key)
        if known is None:
            desc = ClassMethodDesc(func.__name__, function, classdef)
            known = self._class_methods[key] = (desc, self.descs.add(desc))
        return known[1]

    def function_mask(self, desc: FunctionDesc) -> int:
        mask = self._function_masks.get(desc)
        if mask is None:
            mask = self._function_masks[desc] = self.descs.add(desc)
        return mask

    def class_mask(self, classdef: ClassDef) -> int:
        known = self._class_descs.get(classdef)
        if known is None:
            desc = ClassDesc(classdef)
            known = self._class_descs[classdef] = (desc, self.descs.add(desc))
        return known[1]

    def method_desc(
        self, lookup: Lookup, function: FunctionDesc, selfdef: ClassDef, exact: bool
    ) -> tuple[MethodDesc, int]:
        key = (lookup, function, selfdef, exact)
        known = self._methods.get(key)
        if known is None:
            desc = MethodDesc(lookup, function, selfdef, exact)
            known = self._methods[key] = (desc, self.descs.add(desc))
        return known

    # -- classes -------------------------------------------------------------------------

    def classdef(self, cls: type) -> ClassDef:
        """The definition of a host class; raises AnnotatorError for unsupported ones."""
        cls = self.overlays.of(cls)
        known = self._classes.get(cls)
        if known is not None:
            return known
        try:
            base = self._base(cls)
        except UnsupportedClass as error:
            refusal = AnnotatorError(str(error), hint=error.hint)
            refusal.about = cls
            raise name_module_of(refusal, cls) from None
        basedef = None if base is None else self.classdef(base)
        hidden = self.annotator.refinement.hidden_in(cls)
        classdef = self._classes[cls] = ClassDef(cls, basedef, hidden)
        self._inherit(classdef)
        return classdef

    def _base(self, cls: type) -> type | None:
        """``host_base``, which has to be a class in the program, too.  Raises UnsupportedClass."""
        base = host_base(cls)
        if base is not None and not isinstance(self.overlays.of(base), type):
            raise UnsupportedClass(
                f"class {cls.__name__} extends {base.__module__}.{base.__name__}, which is not "
                "supported: translated programs have a function in place of that class",
                f"keep the {base.__name__} in an attribute",
            )
        return base

    def made_at(self, op: object, classdef: ClassDef) -> ClassDef:
        """What a call of the class at that operation makes: in most cases an instance of it."""
        cls = self.overlays.sites.made_at(op, classdef.cls)
        return classdef if cls is classdef.cls else self.classdef(cls)

    def caught(self, cls: type, position: Position | None = None) -> list[ClassDef]:
        """The most general classes whose instances ``except cls`` catches; ``position`` is
        flowed again when there are more."""
        classdef = self.classdef(cls)
        if position is not None:
            classdef.note_reader("except", position)
        root = classdef.root()
        return [classdef, *(top for top in root.tops(cls) if top is not classdef)]

    @property
    def classdefs(self) -> list[ClassDef]:
        """Every class of the program, bases before subclasses."""
        return list(self._classes.values())

    def _inherit(self, classdef: ClassDef) -> None:
        """A new class adds its values to attributes known above, and its methods to calls."""
        solid = {above.cls for above in classdef.mro()}
        for cls in classdef.cls.__mro__:
            if cls in self._classes and cls not in solid:
                self.annotator.reflow(self._classes[cls].method_readers.get("except", {}))
        if classdef.base is None:
            return
        for basedef in classdef.base.mro():
            self.annotator.reflow(basedef.method_readers.get("__class__", {}))
            for attribute in list(basedef.attrs.values()):
                own = classdef.own_class_value(attribute.name)
                if own is None:
                    continue
                if is_descriptor(own[1]) and attribute.s_value.kinds == 0:
                    # read but never assigned: it was a method all along
                    del basedef.attrs[attribute.name]
                    self.annotator.attribute_reads.forget(attribute)
                    self.annotator.reflow(attribute.readers)
                else:
                    self._merge_class_value(attribute, *own)
            for name, readers in basedef.method_readers.items():
                own = classdef.own_class_value(name)
                if own is not None and own[0].__module__ != "builtins":
                    self.annotator.reflow(readers)

    def attribute(self, classdef: ClassDef, name: str, read_at: Span | None = None) -> Attribute:
        """The cell of an instance attribute, moved up to ``classdef`` if need be.  ``read_at``:
        where it is read, if it is."""
        found = classdef.find_attribute(name)
        if found is not None:
            return found
        attribute = classdef.attrs[name] = Attribute(classdef, name, read_at)
        for basedef in classdef.mro():
            # where a method of this name was found, it has to be looked up again
            self.annotator.reflow(basedef.method_readers.get(name, {}))
            self.annotator.reflow(basedef.method_readers.get("__dict__", {}))
        inherited = classdef.class_value(name)
        if inherited is not None:
            self._merge_class_value(attribute, *inherited)
        for subdef in list(classdef.subtree()):
            if subdef is not classdef:
                below = subdef.attrs.pop(name, None)
                if below is not None:
                    self._move_up(attribute, below)
                self._add_class_value(attribute, subdef)
            for x in subdef.prebuilt:
                self.prebuilt.add_attribute(attribute, x)
        return attribute

    def _move_up(self, attribute: Attribute, below: Attribute) -> None:
        annotator = self.annotator
        attribute.readers.update(below.readers)
        attribute.written |= below.written
        attribute.read_at = attribute.read_at or below.read_at
        annotator.attribute_reads.forget(below)
        if attribute.read_at is not None:
            annotator.attribute_reads.add(attribute)
        for origin in list(below.origins.values()):
            annotator.merge_cell(attribute, origin.s_value, origin)
        annotator.merge_cell(attribute, below.s_value, Origin(below.s_value, "", None, below))
        annotator.reflow(below.readers)

    def _add_class_value(self, attribute: Attribute, classdef: ClassDef) -> None:
        own = classdef.own_class_value(attribute.name)
        if own is not None:
            self._merge_class_value(attribute, *own)

    def _merge_class_value(self, attribute: Attribute, cls: type, value: Any) -> None:
        ignored = (
            types.MemberDescriptorType, types.GetSetDescriptorType, functools.cached_property,
        )  # fmt: skip
        if isinstance(value, ignored):
            return
        name = attribute.name
        if is_method(value):
            raise AnnotatorError(
                f"{name!r} is an attribute of {attribute.homedef.name} and a method of "
                f"{cls.__name__}",
                hint="rename one of them",
            )
        if is_descriptor(value):
            what = type(value).__name__
            raise AnnotatorError(
                f"{name!r} of class {cls.__name__} is a {what}, which is not supported here"
            )
        s_value = self.annotation_of(value)
        if not s_value.kinds & (K_STR | K_BYTES):  # a template, if no other value joins it
            s_value = s_value.without_const()
        text = f"class {cls.__name__} sets {attribute.name} = {short(value)}"
        self.annotator.merge_cell(attribute, s_value, Origin(s_value, text, None, None))


def _no_init(self: object) -> None:
    """``object.__init__``, where ``super().__init__`` is that in some classes only."""


def _is_builtin(x: Any) -> bool:
    """Is it a function or a class of CPython's that can be called?"""
    return callable(x) and isinstance(getattr(x, "__qualname__", None), str)
