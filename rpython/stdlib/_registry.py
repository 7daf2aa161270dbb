"""What translated programs have in place of functions, classes and objects of the standard library.

A file of this package is about the module of the same name, and is imported when a program first
refers to something of that module::

    @replaces(unicodedata.category)
    def category(chr): ...

What is written in C and not replaced is taken from the module's own source, as it is where C is
missing (PEP 399): ``heapq.heappush`` is what ``heapq.py`` defines under that name.  Anything else
is translated from its installed source.
"""

from __future__ import annotations

import functools
import importlib.util
import inspect
import sys
import types
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

from rpython.stdlib._seen import HOST, named_like, note_hosts

T = TypeVar("T")
F = TypeVar("F", bound=Any)

Buffer: TypeAlias = Any
BytesLike: TypeAlias = Any
Int: TypeAlias = Any
"""Of any size."""
Number: TypeAlias = Any
PartOfResult: TypeAlias = Any
"""Bytes that become a part of the result."""
Table: TypeAlias = Any
"""What ``str.translate`` takes."""
_SEVERAL = {"Any", "Buffer", "BytesLike", "Int", "Number", "Table"}
"""Annotations that mean several kinds."""

PER_SITE = "_rpython_per_site_"
"""Of such a class: the built-in class that the replaced one extends."""

COPY_FOR_SITE = "_rpython_copy_for_site_"
"""The mark of a copy of such a class, for one place."""

_REPLACED: dict[Any, tuple[Any, Any]] = {}
"""(the object of the standard library, what replaces it) by ``_key`` of the object; complete for a
module when its file is imported."""

_BY_CODE: dict[tuple[str, types.CodeType], Any] = {}
"""The same for functions, by their module and code: that of a module imported again is equal."""

_CALLS: dict[int, tuple[Any, types.FunctionType]] = {}
"""The same for built-in functions about which there are rules, too: see ``called_for``."""

_METHODS: dict[tuple[type, str], types.FunctionType] = {}
"""The function for a method of a built-in class."""

METHODS_IN_PLACE: dict[type, type] = {}
"""The class that has the methods in place of those of a class of the standard library that classes
of programs extend."""

_CONVERTERS: dict[type, Callable[[Any], Any]] = {}
"""What makes the object that a program has in place of one of the class."""

FILES = frozenset(
    path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_")
)
"""The modules that have a file here."""

_LIBRARY = Path(types.__file__).resolve().parent

_PARTS = {
    "genericpath": "posixpath", "pathlib._local": "pathlib", "posix": "os", "_thread": "threading",
    "_weakrefset": "weakref",
    "rpython.rlib.rsre.rsre_re": "re", "rpython.rlib.rstruct.runpack": "struct",
}  # fmt: skip
"""Modules by which others are implemented, whose functions say that they are from there; besides
those with an underscore in front."""

TWINS = {
    "_bisect": "bisect", "_functools": "functools", "_heapq": "heapq", "_operator": "operator",
    "_stat": "stat", "_statistics": "statistics",
}  # fmt: skip
"""Accelerators, in C, and the modules that define the same in Python."""

SOURCE = ("calendar", "colorsys", "glob", "graphlib", "html", "string")
"""Modules of which something is translated from the installed source, and nothing is replaced."""

BUILT_IN = (
    "abc", "contextlib", "dataclasses", "enum", "errno", "math", "queue", "re", "signal",
    "struct", "threading", "traceback", "typing", "weakref",
)  # fmt: skip
"""Modules that the annotator knows functions and classes of."""


_PARTS_OF_PACKAGES = {
    "asyncio": ("asyncio", *(
        f"asyncio.{part}" for part in (
            "base_events", "events", "exceptions", "futures", "locks", "mixins", "queues",
            "runners", "streams", "taskgroups", "tasks", "threads", "timeouts", "subprocess",
        )
    )),
    "concurrent": ("concurrent.futures", "concurrent.futures._base", "concurrent.futures.thread"),
    "html": ("html", "html.entities"),
    "logging": ("logging",),
    "unittest": ("unittest", *(
        f"unittest.{part}" for part in ("case", "loader", "main", "result", "runner", "suite")
    )),
    "urllib": ("urllib.parse",),
    "xml": ("xml.etree.ElementTree",),
}  # fmt: skip
"""Packages of which there are these modules only, what programs know one by in front."""


@functools.cache
def _packages() -> frozenset[str]:
    return frozenset({*FILES, *TWINS.values(), *SOURCE, *BUILT_IN} - {"builtins", "posixpath"})


@functools.cache
def available() -> tuple[str, ...]:
    """The modules that programs can use, at least in part."""
    return tuple(sorted(public_name(package) for package in _packages()))


def public_name(package: str) -> str:
    """Of the module that the file about a package is about."""
    return _PARTS_OF_PACKAGES.get(package, (package,))[0]


def is_available(module: str) -> bool:
    """Can programs use something of it?"""
    package = module.partition(".")[0].removeprefix("_")
    if package in _PARTS_OF_PACKAGES:
        return module in _PARTS_OF_PACKAGES[package]
    return package in _packages()


def _key(x: Any) -> Any:
    """Its id; a class method in C is a new object whenever it is read."""
    if isinstance(x, types.BuiltinFunctionType) and isinstance(x.__self__, type):
        return id(x.__self__), x.__name__
    return id(x)


def replaces(*hosts: Any) -> Callable[[T], T]:
    """Decorator: this is what translated programs have in place of the hosts.

    The annotations of a function say which kinds of arguments calls may have.  Where a parameter
    may be of several, there is a graph for every kind of argument; a generator shares one where
    it can.
    """

    def mark(replacement: T) -> T:
        for host in hosts:
            assert _key(host) not in _REPLACED, f"two replacements of {host}"
            _REPLACED[_key(host)] = (host, replacement)
            if isinstance(host, types.FunctionType):
                _BY_CODE[host.__module__, host.__code__] = replacement
            if isinstance(host, type) and isinstance(replacement, type):
                if HOST not in vars(replacement):
                    setattr(replacement, HOST, host)
                    named_like(host)(replacement)
        if isinstance(replacement, types.FunctionType):
            _read_hints(replacement)
            note_hosts(replacement, *hosts)
        return replacement

    return mark


def _read_hints(function: types.FunctionType) -> None:
    hints = {name: str(hint) for name, hint in function.__annotations__.items()}
    hints.pop("return", None)
    several = any("|" in hint or hint in _SEVERAL for hint in hints.values())
    vars(function)["_rpython_hints_"] = hints
    if several and not inspect.isgeneratorfunction(function):
        vars(function)["_rpython_per_arguments_"] = True


def called_for(*hosts: Any) -> Callable[[F], F]:
    """Decorator: translated programs call this in place of those built-in functions, where the
    call is not known to be of something else by its arguments (``round(x)`` is a method of an
    instance).  Annotations as for ``replaces``."""

    def mark(function: F) -> F:
        _read_hints(function)
        note_hosts(function, *hosts)
        for host in hosts:
            _CALLS[id(host)] = (host, function)
        return function

    return mark


def method_of(*owners: type, name: str = "") -> Callable[[F], F]:
    """Decorator: this is the method of that name (else the function's) of built-in classes, with
    the instance as its first parameter.  Annotations as for ``replaces``."""

    def mark(function: F) -> F:
        _read_hints(function)
        for owner in owners:
            assert (owner, name or function.__name__) not in _METHODS, f"two methods {name}"
            _METHODS[owner, name or function.__name__] = function
        return function

    return mark


def methods_in_place_of(cls: type) -> Callable[[T], T]:
    """Decorator: instances of classes of programs that extend ``cls``, which adds nothing else to
    them, have the methods of this class, and nothing of ``cls``."""

    def mark(methods: T) -> T:
        assert isinstance(methods, type)
        METHODS_IN_PLACE[cls] = methods
        return methods

    return mark


def calls() -> list[tuple[Any, types.FunctionType]]:
    """Built-in functions and what is called for them."""
    return list(_CALLS.values())


def methods() -> list[tuple[type, str, types.FunctionType]]:
    """Classes, names of their methods, and the functions that these are."""
    return [(owner, name, function) for (owner, name), function in _METHODS.items()]


class Refused(Exception):
    """An object or a call that programs cannot have; the text says why."""


class AtTranslation(NamedTuple):
    """What ``at_translation`` says of a function."""

    make: Callable[..., Any]
    parameters: tuple[str, ...]
    constants: tuple[str, ...]
    what: str
    hint: str
    otherwise: types.FunctionType | None
    only_class: bool


def at_translation(
    parameters: str, constants: str = "", what: str = "", hint: str = "", otherwise: Any = None,
    only_class: bool = False,
) -> Callable[[F], F]:
    """Decorator of a function that is called when the program is translated, with those arguments
    that have to be constants.  Where these are all, a call in the program is what that gives;
    otherwise the program calls what it gives, with the other arguments.

    Args:
        parameters: those of the replaced function, in order; ``*name`` for all others, and last
            ``**name`` for all other keywords, of which the function gets the names, as ``name``.
        constants: those which are constants, all by default.
        what, hint: how messages call these, and what they say to do.
        otherwise: what the program calls where one of these is no constant; without it, the
            program is refused.
        only_class: does the class of an instance do for a constant, where it can be one only?
    Raises (the function): Refused.
    """

    def mark(make: F) -> F:
        names = tuple(parameters.split())
        constant = tuple(constants.split()) or names
        marked = AtTranslation(make, names, constant, what, hint, otherwise, only_class)
        vars(make)["_rpython_at_translation_"] = marked
        return make

    return mark


def converts(*classes: type) -> Callable[[F], F]:
    """Decorator: the function gives what the program has in place of an object of exactly that
    class, which is there when the program is translated.  It may raise Refused."""

    def mark(convert: F) -> F:
        for cls in classes:
            _CONVERTERS[cls] = convert
        return convert

    return mark


def converter_of(x: Any) -> Callable[[Any], Any] | None:
    """What makes the object that stands for this one, None if it stands for itself."""
    cls = type(x)
    if cls not in _CONVERTERS:
        _load(file_of(cls))
    return _CONVERTERS.get(cls)


def _load(name: str) -> bool:
    """Import the file about that module; was it there, and not imported yet?"""
    if name not in FILES or f"{__package__}.{name}" in sys.modules or not _is_host(name):
        return False
    importlib.import_module(f"{__package__}.{name}")
    return True


def _is_host(name: str) -> bool:
    """Is the module of that name the host's, and no file of the program?"""
    file = getattr(sys.modules.get(name), "__file__", None)
    if file is None:
        return True
    path = Path(file).resolve()
    return _LIBRARY in path.parents and "site-packages" not in path.parts


class FrozenKeywords:
    """Keyword arguments known when the program is translated."""

    def __init__(self, items: dict[str, Any]) -> None:
        self.items = dict(items)


def merged_keywords(known: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """``{**known, **given}`` of two ``**`` parameters; the annotator has a rule for it."""
    return {**known, **given}


def per_arguments(function: F) -> F:
    """Decorator: the function has a graph for every kind of arguments."""
    vars(function)["_rpython_per_arguments_"] = True
    return function


def grows(function: F) -> F:
    """Decorator: the ints in the function are of any size where those of the program are."""
    vars(function)["_rpython_grows_"] = True
    return function


def per_values(function: T) -> T:
    """Decorator: the function has a graph for every value of arguments that are constants."""
    function._rpython_per_arguments_ = True  # type: ignore[attr-defined]
    function._rpython_per_values_ = True  # type: ignore[attr-defined]
    return function


def per_call(function: T) -> T:
    """Decorator: the function has a graph for every place of the program that calls it, about which
    ``place_of_call`` tells."""
    function._rpython_per_call_ = True  # type: ignore[attr-defined]
    return per_values(function)


def place_of_call() -> tuple[str, int, str]:
    """In a function that is ``per_call``: the file, the line and the function where the program
    calls it; the line is 0 where that is not known, as it is when a built-in function calls it."""
    return "", 0, ""


def expanded(function: T) -> T:
    """Decorator: what the function does is a part of its caller, as if that were written there:
    there is a copy of it for each call, and no frame."""
    function._rpython_per_arguments_ = True  # type: ignore[attr-defined]
    function._rpython_expanded_ = True  # type: ignore[attr-defined]
    return function


def iterator_in_c(function: T) -> T:
    """Decorator of a generator function: what it makes stands for an iterator that CPython has in
    C, which an exception does not end, which may be asked for an item while it finds one, and
    which has none of the methods of generators."""
    function._rpython_iterator_in_c_ = True  # type: ignore[attr-defined]
    return function


def savepoint() -> None:
    """In an ``iterator_in_c``: its next call goes on from here, if something is raised before the
    next item."""


vars(savepoint)["_rpython_savepoint_"] = True


def refused(why: str) -> Callable[[T], T]:
    """Decorator: programs that call the function are refused, with this text."""

    def mark(function: T) -> T:
        function._rpython_refused_ = why  # type: ignore[attr-defined]
        return function

    return mark


def replace_each(replacements: dict[Any, Any]) -> None:
    """The same for functions that other modules define."""
    for host, replacement in replacements.items():
        replaces(host)(replacement)


def per_site(extends: type = object) -> Callable[[T], T]:
    """Decorator: each place of a program that makes instances of the class has a copy of it, in
    whose methods ``__class__`` is the copy; so what one instance holds need not be like what
    another does.  ``of_host(copy, x)`` of the class makes an instance like ``x``, with which the
    program starts.

    Args:
        extends: the built-in class that the replaced one extends.
    """

    def mark(cls: T) -> T:
        setattr(cls, PER_SITE, extends)
        cls._rpython_keeps_members_ = True  # type: ignore[attr-defined]
        return extensible(cls)

    return mark


_EXTENDED: dict[type, type] = {}
"""What classes of programs extend in place of a built-in class, when its file is imported."""
_EXTENDED_IN: dict[Any, str] = {
    **dict.fromkeys((list, dict, OrderedDict, set), "_subclasses"),
    **dict.fromkeys((str, int, float, tuple), "_subvalues"),
}
"""The files."""


def extended_as(host: type) -> Callable[[T], T]:
    """Decorator: classes of programs extend this one in place of the built-in class ``host``; each
    that names it among its bases has a copy (``per_site``)."""

    def mark(cls: T) -> T:
        assert isinstance(cls, type)
        _EXTENDED[host] = cls
        return per_site(extends=host)(cls)

    return mark


def base_in_place_of(base: type) -> type:
    """What a class of the program extends in place of that one: itself in most cases."""
    if base in _EXTENDED_IN and base not in _EXTENDED:
        importlib.import_module(f"{__package__}.{_EXTENDED_IN[base]}")
    return _EXTENDED.get(base) or replacement_of(base)


def classes_below(cls: type) -> Iterator[type]:
    """All classes that extend ``cls`` at present, whoever has made them."""
    subclasses: list[type] = type.__subclasses__(cls)
    for subclass in subclasses:
        yield subclass
        yield from classes_below(subclass)


def extensible(cls: T) -> T:
    """Decorator: programs may extend the replaced class."""
    cls._rpython_extensible_ = True  # type: ignore[attr-defined]
    return cls


def may_be_extended(cls: type) -> bool:
    """Has the program something in place of the class that classes of its own may extend?"""
    replacement = base_in_place_of(cls)
    return replacement is not cls and hasattr(replacement, "_rpython_extensible_")


def replacement_of(x: Any) -> Any:
    """What a translated program has in place of it: itself in most cases."""
    found = _REPLACED.get(_key(x))
    if found is None and _load(file_of(x)):
        found = _REPLACED.get(_key(x))
    if found is None and isinstance(x, types.FunctionType):
        return _BY_CODE.get((x.__module__, x.__code__), x)
    return x if found is None else found[1]


def replaced() -> list[Any]:
    """What the files that are imported replace."""
    return [host for host, _ in _REPLACED.values()]


def file_of(x: Any) -> str:
    """The name of the public module that has it, or of its package, if that has a file here."""
    home = home_of(x)
    package = home.partition(".")[0]
    name = _PARTS.get(home, home.removeprefix("_"))
    return package if name not in FILES and package in FILES else name


def home_of(x: Any) -> str:
    """The name of the module that a function or class, or else the class of an object, is from."""
    if isinstance(x, types.BuiltinFunctionType) and isinstance(x.__self__, type):
        x = x.__self__
    own = isinstance(x, type | types.FunctionType | types.BuiltinFunctionType)
    of = x if own else type(x)
    return "cmath" if of is complex else str(of.__module__)


def twin_of(x: Any) -> Any:
    """The function in Python that is the same as one in C, or None."""
    if not isinstance(x, types.BuiltinFunctionType) or x.__module__ not in TWINS:
        return None
    return _twin(x)


@functools.cache
def _twin(x: Any) -> types.FunctionType | None:
    found = getattr(_module_without(TWINS[x.__module__], x.__module__), x.__name__, None)
    return _called_like(x, found) if isinstance(found, types.FunctionType) else None


@functools.cache
def _module_without(name: str, accelerator: str) -> types.ModuleType:
    """The module as its source defines it where the accelerator is missing."""
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with _missing(accelerator):
        spec.loader.exec_module(module)
    return module


@contextmanager
def _missing(name: str) -> Iterator[None]:
    known = sys.modules.get(name)
    sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[name]
        if known is not None:
            sys.modules[name] = known


def _called_like(host: Any, function: types.FunctionType) -> types.FunctionType:
    """A copy of the function that is called as the host is: with parameters that are positional
    only where those of the host are, and a graph for every kind of argument."""
    try:
        kinds = [p.kind for p in inspect.signature(host).parameters.values()]
        count = kinds.count(inspect.Parameter.POSITIONAL_ONLY)
    except ValueError:  # it takes no keyword arguments
        count = function.__code__.co_argcount
    code = function.__code__.replace(co_posonlyargcount=count)
    copy = types.FunctionType(code, function.__globals__, function.__name__)
    for name in ("__defaults__", "__kwdefaults__", "__module__", "__qualname__"):
        setattr(copy, name, getattr(function, name))
    vars(copy).update(_rpython_per_arguments_=True, _rpython_twin_=True)
    note_hosts(copy, host)
    return copy
