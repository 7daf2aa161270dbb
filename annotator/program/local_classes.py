"""The classes that replace ``threading.local`` and its subclasses in a program.

Such a class has the methods, one of *storages* beside it the attributes. Each thread makes itself
a storage when it first needs one, and calls ``__init__`` with the arguments with which the object
was made.
"""

from __future__ import annotations

import functools
import gc
import threading
from types import FunctionType
from typing import Any

from rpython.rlib import _locals

STORAGE_OF = "_rpython_storage_of_"
"""Of a class of thread-local objects: the function that gives the running thread's storage."""
STORAGE = "_rpython_storage_"
"""The class of its storages."""
INIT = "_rpython_init_"
"""Its ``__init__``, as the program has it, if that takes arguments."""


def init_of(cls: type) -> FunctionType | None:
    """The ``__init__`` of a host class of thread-local objects, its own or an inherited one."""
    for base in cls.__mro__:
        init = vars(base).get("__init__")
        if init is not None:
            return init if isinstance(init, FunctionType) else None
    return None


def local_class_like(
    name: str, bases: tuple[type, ...], names: dict[str, Any], init: FunctionType | None
) -> type:
    """A class of thread-local objects: it has the methods, that of their storages the values.
    ``init`` is called in each thread; the class may have inherited it."""
    methods = {key: value for key, value in names.items() if _belongs_to_object(key, value)}
    values = {key: value for key, value in names.items() if key not in methods}
    takes_arguments = init is not None and _takes_arguments(init)
    shown = "_thread._local" if bases == (_locals.Local,) and not names else name
    above = tuple(
        getattr(base, STORAGE, _locals.Storage)
        for base in bases if issubclass(base, _locals.Local)
    )  # fmt: skip
    storage = type(shown, above, {**values, "__module__": names.get("__module__", "_thread")})
    given = f"_given_to_{name}"
    if takes_arguments:
        methods["__init__"] = _local_init_with_arguments(init, storage, given)
        methods[given] = None
    elif init is not None:
        methods["__init__"] = _local_init(init, storage)
    again = _init_again(init, given) if takes_arguments else init
    methods["_make_storage"] = _storage_maker(storage, again)
    cls = type(name, bases, methods)
    setattr(cls, STORAGE_OF, staticmethod(_storage_getter(storage)))
    setattr(cls, STORAGE, storage)
    setattr(cls, INIT, staticmethod(init) if init is not None and takes_arguments else None)
    return cls


def _takes_arguments(init: FunctionType) -> bool:
    code = init.__code__
    return code.co_argcount + code.co_kwonlyargcount > 1 or bool(code.co_flags & 0x0C)


def _belongs_to_object(name: str, value: Any) -> bool:
    return name in ("__module__", "__qualname__", "__doc__") or hasattr(type(value), "__get__")


def _local_init(init: FunctionType, storage_class: Any) -> Any:
    """``__init__`` in the thread that makes the object."""

    def __init__(self: Any) -> None:
        if _locals.find(self) is None:
            _locals.keep(self, storage_class())
        init(self)

    __init__.__qualname__ = init.__qualname__
    return __init__


def _local_init_with_arguments(init: Any, storage_class: Any, given: str) -> Any:
    """The same, keeping the arguments for the other threads."""
    kept_class: Any = type("Given", (), {})

    def __init__(self: Any, *args: Any, **keywords: Any) -> None:
        if _locals.find(self) is None:
            _locals.keep(self, storage_class())
            kept = kept_class()
            kept.args = args
            kept.keywords = keywords
            setattr(self, given, kept)
        init(self, *args, **keywords)

    __init__.__qualname__ = init.__qualname__
    return __init__


def _init_again(init: Any, given: str) -> Any:
    """``__init__`` in another thread."""

    def init_again(local: Any) -> None:
        kept = getattr(local, given)
        init(local, *kept.args, **kept.keywords)

    return init_again


def _storage_maker(storage_class: Any, init: Any) -> Any:
    """The method that gives a thread its storage; ``init`` says what is in it, if anything."""

    def make_storage(self: Any) -> Any:
        made = storage_class()
        _locals.keep(self, made)
        if init is not None:
            init(self)
        return made

    return make_storage


def _storage_getter(storage_class: Any) -> Any:
    def storage_of(local: Any) -> Any:
        storage = _locals.find(local)
        if storage is None:
            storage = local._make_storage()
        assert isinstance(storage, storage_class)
        return storage

    return storage_of


def storage_getter(cls: type, name: str) -> Any:
    """The function that gives what has the attribute of a thread-local object; None where the
    object itself, or one of another class, has it."""
    getter = getattr(cls, STORAGE_OF, None)
    return None if getter is None or hasattr(cls, name) else getter


def prebuilt_local(cls: Any, x: threading.local) -> Any:
    """What a program has in place of an object that was made when its modules were imported: one
    of class ``cls``, with the same attributes in the main thread."""
    if getattr(cls, INIT) is not None:
        cls = _with_arguments(cls, x)
    made = cls.__new__(cls)
    values = vars(x)
    if values:
        storage = getattr(cls, STORAGE)()
        storage.__dict__.update(values)
        made._local_main = storage
    return made


def _with_arguments(cls: Any, x: threading.local) -> type:
    """A class for one object, which other threads set up with the arguments that it was made
    with: CPython keeps those where only its garbage collector sees them."""
    args: tuple[Any, ...] = ()
    keywords: dict[str, Any] = {}
    for part in gc.get_referents(x):
        if type(part) is tuple:
            args = part
        elif type(part) is dict and all(type(key) is str for key in part):
            keywords = part
    init = functools.partial(getattr(cls, INIT), **keywords)

    def init_again(local: Any) -> None:
        init(local, *args)

    names = {
        "__module__": cls.__module__, "__qualname__": cls.__qualname__,
        "_make_storage": _storage_maker(getattr(cls, STORAGE), init_again),
    }  # fmt: skip
    return type(cls.__name__, (cls,), names)
