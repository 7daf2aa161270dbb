"""What one program has in place of objects of the host (``rpython.stdlib``), of C memory, and of
classes of which each place that makes instances has a copy."""

from __future__ import annotations

import types
import weakref
from collections.abc import Callable
from typing import Any

from rpython.annotator.lattice.streams import standard_stream
from rpython.annotator.overlay.references import RefClasses
from rpython.annotator.overlay.threads import STARTED, ThreadClasses
from rpython.annotator.program.prebuilt_cdata import PrebuiltData
from rpython.annotator.program.site_classes import SiteClasses
from rpython.annotator.program.state import ProgramState
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.lltypesystem.foreign.cvalues import ffi
from rpython.rlib import _system
from rpython.rlib.objectmodel import Symbolic
from rpython.stdlib._bigints import is_wide, of_host
from rpython.stdlib._registry import (
    AtTranslation,
    Refused,
    converter_of,
    replacement_of,
    twin_of,
)
from rpython.stdlib.contextlib import makes_managers, manager_maker
from rpython.stdlib.functools import generic_function, is_generic
from rpython.stdlib.threading import LOCKS
from rpython.translator.flow.globals import ModuleGlobals
from rpython.translator.ir.errors import AnnotatorError

_PLAIN = (int, float, bool, str, bytes, types.NoneType)
"""What is never replaced."""
_METHODS = (types.MethodType, types.BuiltinMethodType, types.MethodWrapperType)


class Overlays:
    """The objects; the same one for the same host object each time."""

    def __init__(self, big_ints: bool = False) -> None:
        self.big_ints = big_ints
        self.references = RefClasses()
        self.threads = ThreadClasses(self.of)
        self.sites = SiteClasses()
        self.state = ProgramState()
        self.shared = False
        """Is the program part of a process that others change, too?"""
        self._converters: dict[type, Callable[[Any], Any]] = {
            ModuleGlobals: self.state.of_module, ffi.CData: PrebuiltData().overlay,
            Symbolic: lambda x: x.known(), weakref.ref: self.references.overlay,
            types.FunctionType: _function,
            **dict.fromkeys(_METHODS, self._bound),
            **dict.fromkeys((type, *STARTED, *LOCKS), self.threads.overlay),
        }  # fmt: skip
        """What makes the object that stands for one of the class or of a subclass."""
        self._known: dict[int, tuple[Any, Any]] = {}
        self._made: dict[Any, Any] = {}

    def of(self, x: Any) -> Any:
        """What the program has in place of the object, itself in most cases.  Raises
        AnnotatorError."""
        if type(x) in _PLAIN:
            return self._big(x) if self.big_ints and is_wide(x) else x
        known = self._known.get(id(x))
        if known is None:
            try:
                known = self._known[id(x)] = (x, self._find(x))
            except Refused as error:
                raise AnnotatorError(str(error)) from None
        return known[1]

    def _big(self, x: int) -> Any:
        return self._made.setdefault((int, x), of_host(x))

    def knows(self, x: Any) -> bool:
        """Does the program refer to the object?"""
        return id(x) in self._known

    def made(self, marked: AtTranslation, values: dict[str, Any]) -> Any:
        """What a function gives that is called when the program is translated
        (``at_translation``), for these arguments.  Raises Refused."""
        arguments = [(name, type(value), value) for name, value in values.items()]
        key = (marked.make, tuple(arguments))
        if key not in self._made:
            star = [v for name, value in values.items() if name[0] == "*" for v in value]
            named = {name: value for name, value in values.items() if name[0] != "*"}
            self._made[key] = marked.make(*star, **named)
        return self._made[key]

    def _find(self, x: Any) -> Any:
        stream = standard_stream(x)
        if stream is not None:
            return stream
        x = replacement_of(x)
        convert = converter_of(x)
        if convert is not None:
            return convert(x)
        for base in type(x).__mro__[:-1]:
            if base in self._converters:
                x = self._converters[base](x)
                break
        x = self.sites.overlay(x)
        if x is _system.environ and self.shared:
            return _system.shared_environ
        return x if FUNCTIONS.lookup(x) is not None else twin_of(x) or x

    def _bound(self, x: Any) -> Any:
        """A method of an object in whose place there is another."""
        if x.__self__ is None or isinstance(x.__self__, types.ModuleType):
            return x
        of = self.of(x.__self__)
        return x if of is x.__self__ else getattr(of, x.__name__, x)


def _function(function: Any) -> Any:
    """The function that checks the arguments of this one, if one does, or does what
    ``contextmanager`` or ``singledispatch`` made it for."""
    if is_generic(function):
        return generic_function(function)
    if makes_managers(function):
        return manager_maker(function)
    return vars(function).get("_rpython_function_checked_", function)
