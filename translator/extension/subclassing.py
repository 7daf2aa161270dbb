"""What classes that extend a native one in Python can have.

    class Shape:                                class Sub(Shape):             # in Python
        def area(self): ...                         def area(self): ...       # TypeError
        def describe(self):                         def describe(self): ...   # fine
            return f"{self.area():.1f}"             def extra(self): ...      # fine

Native code does not see the methods of ``Sub``, so none of them may have a name that native code
looks up on such an object; the annotator knows these.  What only Python calls can be overridden,
and so can what ``overrides`` has native code see.

What ``dataclass`` generates asks of which class the objects are; where only Python calls it,
``Entry.generated`` has that done for the subclass (``rpy_module_subclass.c``).
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from rpython.annotator.program.classdef import VERY_CLASS, ClassDef
from rpython.translator.extension import wrappers
from rpython.translator.extension.iteration import is_generator
from rpython.translator.extension.known import Known
from rpython.translator.extension.subclassside import PLAIN
from rpython.translator.extension.views import is_view_class
from rpython.translator.extension.wrappers import COMPARISONS

_TEXTS = frozenset({"__repr__", "__str__", "__format__"})
_NOT_SEEN = ("__del__", "__init_subclass__", "__new__")
"""What runs, or ran, only for the classes that native code knows."""
_LIBRARY = ("builtins", "abc", "typing")


def why_final(known: Known) -> str | None:
    """Why the class cannot be extended in Python; None: it can."""
    cls, classdef = known.cls, known.classdef
    if is_generator(cls) or is_view_class(cls):
        return "it is native code"
    if not set(classdef.abstract_methods()) <= known.overridable:
        return (
            "it has abstract methods, and native code would not call those of the subclass (see"
            " rpython.overridable)"
        )
    for name in unseen_methods(cls):
        return f"it has a method {name}"
    names = native_readers(classdef)
    if VERY_CLASS in names:
        return "native code asks of which class its objects are"
    if _TEXTS & names and not any(above.defines("__repr__") for above in classdef.mro()):
        return "native code shows objects of it, with the name of their class"
    return None


def unseen_methods(cls: type) -> list[str]:
    """What keeps native code from knowing all that happens to objects of a class of Python."""
    own = [base for base in cls.__mro__ if base.__module__ not in _LIBRARY]
    return [name for name in _NOT_SEEN if any(name in vars(base) for base in own)]


def fixed_names(known: Known) -> frozenset[str]:
    """The names that nothing in a subclass may have, besides special ones that are not in
    ``PLAIN``."""
    names = native_readers(known.classdef)
    for classdef in known.classdef.mro():
        names |= set(classdef.attrs)
    if _TEXTS & names:
        names |= _TEXTS
    members = {name for cls in known.cls.__mro__[:-1] for name in vars(cls)}
    special = {name for name in members if name.startswith("__") and name.endswith("__")}
    return frozenset((names | (special - PLAIN)) - known.overridable)


def native_readers(classdef: ClassDef) -> set[str]:
    """The names that native code looks up on objects of the class or of subclasses; what is there
    for calls from Python only (``wrappers``) does not count, since Python has looked already."""
    found: dict[str, set[Any]] = {}
    for above in classdef.mro():
        for name, readers in above.method_readers.items():
            functions = found.setdefault(name, set())
            functions |= {graph.func for graph, _, _ in readers}
    own = {func for func in found.get(VERY_CLASS, ()) if _is_for_python(func, found)}
    return {name for name, functions in found.items() if any(map(_is_native, functions - own))}


def _is_native(func: Any) -> bool:
    return getattr(func, "__module__", "") != wrappers.__name__


def _is_for_python(func: Any, found: dict[str, set[Any]]) -> bool:
    """Is it a method that ``dataclass`` has generated, which native code does not call?"""
    if not isinstance(func, FunctionType) or func.__code__.co_filename != "<string>":
        return False
    name = func.__name__
    if name != "__repr__" and name not in COMPARISONS:
        return False
    asked = _TEXTS if name == "__repr__" else {*COMPARISONS, "__hash__"}
    return not any(_is_native(each) for asker in asked for each in found.get(asker, ()))


def subclassing(known: Known) -> str:
    """For the table, as a Python expression: why there are no subclasses, or the fixed names."""
    reason = why_final(known)
    if reason is not None:
        return repr(reason)
    names = ", ".join(map(repr, sorted(fixed_names(known))))
    return f"frozenset({{{names}}})" if names else "frozenset()"


def has_weak_references(known: Known) -> bool:
    """Can weak references refer to its objects in Python?  (``__slots__`` may say no.)"""
    return known.cls.__weakrefoffset__ != 0 and not is_view_class(known.cls)
