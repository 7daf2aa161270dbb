"""Python code that runs inside of an extension module; it stands alone, since the module has its
text only.

The exceptions that native code raises are made here, and what classes of exceptions have
besides their names.
"""

from __future__ import annotations
import __future__

import ast
import enum
import importlib
import os
import re
from collections.abc import Callable
from typing import Any, NoReturn

_CODEC = re.compile(r"'(.*?)' codec can't .*? in position \d+(?:-\d+)?: (.*)", re.DOTALL)
_NAMES = {
    AttributeError: re.compile(r".* object has no attribute '(\w+)'", re.DOTALL),
    NameError: re.compile(r"(?:cannot access local variable|name) '(\w+)' .*"),
}
TEXT = "__native_text__"


class NativeValue:
    """Stands for an argument of an exception that is of a type that does not cross: whatever is
    done with it raises TypeError, but ``str``, where its text is known."""

    __slots__ = ("_text", "_what")

    def __init__(self, what: str, text: str | None) -> None:
        object.__setattr__(self, "_what", what)
        object.__setattr__(self, "_text", text)

    def _refuse(self, *args: Any) -> NoReturn:
        raise TypeError(
            f"an argument of the exception is {object.__getattribute__(self, '_what')},"
            " which Python code cannot have"
        )

    def __str__(self) -> str:
        text: str | None = object.__getattribute__(self, "_text")
        return object.__getattribute__(self, "_refuse")() if text is None else text

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            return NativeValue
        return object.__getattribute__(self, "_refuse")()

    __repr__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __bool__ = __len__ = __iter__ = __getitem__ = __contains__ = __call__ = _refuse
    __add__ = __radd__ = __mul__ = __mod__ = __int__ = __float__ = __index__ = _refuse
    __setattr__ = __format__ = __reduce__ = __reduce_ex__ = _refuse
    __hash__ = _refuse


def make_error(
    cls: type[BaseException], how: str, args: tuple[Any, ...], text: str | None
) -> BaseException:
    """An exception of a class that does more with its arguments than keep them; ``how``: see
    ``rtyper.boundary.exception_constructors``, and "message": made by a built-in operation.  No
    ``__init__`` of the program runs."""
    if how == "message" and issubclass(cls, KeyError) and text is not None:
        args = (ast.literal_eval(text),)
    elif how == "message" and text is not None and text.startswith("(34, "):
        args = ast.literal_eval(text)  # OverflowError of a power
    elif how == "system":
        number, path, other = args
        paths = () if path is None else (path,) if other is None else (path, None, other)
        args = (number, os.strerror(number), *paths)
    elif how == "codec":
        match = _CODEC.fullmatch(text or "")
        assert match is not None, text
        args = (match[1], *args, match[2])
    error = cls.__new__(cls, *args)
    if how != "allocated":
        builtin = next(c for c in cls.__mro__ if c.__module__ == "builtins")
        builtin.__init__(error, *args)  # type: ignore[misc]
    if how == "message":
        for base, pattern in _NAMES.items():
            match = pattern.fullmatch(text or "") if isinstance(error, base) else None
            if match is not None:
                error.name = match[1]  # type: ignore[attr-defined]
    return error


def members(
    module: str,
    name: str,
    doc: str | None,
    constants: dict[str, Any],
    refused: dict[str, str],
    unreadable: dict[str, str],
    has_text: bool,
) -> dict[str, Any]:
    """What a class of exceptions has: values, methods that raise TypeError with a message,
    attributes that raise AttributeError with one, and (``has_text``) the text that
    native code has computed."""
    result: dict[str, Any] = {"__module__": module, "__doc__": doc, **constants}
    for each, message in refused.items():
        result[each] = _refusal(message)
    for each, message in unreadable.items():
        result[each] = property(_refusal(message, AttributeError))
    if has_text:
        result.update(_members_with_text(name))
    return result


def _refusal(message: str, cls: type[Exception] = TypeError) -> Any:
    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        raise cls(message)

    return refuse


def _members_with_text(class_name: str, own_text: Any = None) -> dict[str, Any]:
    def text(self: BaseException) -> str:
        found = vars(self).get(TEXT)
        if found is None and own_text is not None:
            return str(own_text(self))
        if found is None:
            raise TypeError(f"{class_name}.__str__() can be called by native code only")
        return str(found)

    def set_attribute(self: BaseException, name: str, value: Any) -> None:
        if TEXT in vars(self) and not (name.startswith("__") and name.endswith("__")):
            raise AttributeError(
                f"{name!r} cannot be assigned: the text of this {class_name} was made by native"
                " code, which would not notice"
            )
        BaseException.__setattr__(self, name, value)

    def set_state(self: BaseException, state: dict[str, Any]) -> None:
        vars(self).update(state)

    return {"__str__": text, "__setattr__": set_attribute, "__setstate__": set_state}


# -- classes whose source runs here ---------------------------------------------------------------

_VISIBLE: dict[str, Any] = {}
"""What their sources see."""


def module(name: str) -> Any:
    return importlib.import_module(name)


def attribute(where: str, name: str) -> Any:
    """A function or class of another module."""
    found: Any = importlib.import_module(where)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def host_classes(file: str, members_of_module: dict[str, Any], data: str) -> tuple[Any, ...]:
    """For each class of ``backend_c.extension.Extension.hosted`` the class, and for enums the
    members and (where they are ints) a dict of them by value."""
    names, classes = eval(data)
    _VISIBLE.update(members_of_module)
    _VISIBLE["__file__"] = file
    hosted: list[Any] = []
    for where, name, source, exported in classes:
        _find_names(names, hosted)
        cls = attribute(where, name) if source is None else _run_class(name, source, {})
        if source is not None and issubclass(cls, enum.Enum):
            _seal(cls)
        hosted.append(cls)
        if exported:
            members_of_module[name] = cls
    _find_names(names, hosted)
    return tuple([(cls, *_members_of(cls)) for cls in hosted])


def _find_names(names: dict[str, Any], hosted: list[Any]) -> None:
    """Those whose classes are there."""
    for name in list(names):
        try:
            _VISIBLE[name] = names[name](hosted)
        except IndexError:
            continue
        del names[name]


class _SealedEnum(enum.EnumMeta):
    """The metaclass of enums that native code has, too."""

    def __setattr__(cls, name: str, value: Any) -> NoReturn:
        raise TypeError(f"cannot set {name!r} attribute of {cls!r}: it is native code")

    def __delattr__(cls, name: str) -> NoReturn:
        raise TypeError(f"cannot delete {name!r} attribute of {cls!r}: it is native code")


def _seal(cls: Any) -> None:
    """Neither the enum nor its members change any more."""

    def set_attribute(self: enum.Enum, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"cannot set {name!r} of {self!r}: it is native code")

    type.__setattr__(cls, "__setattr__", set_attribute)
    if type(cls) is enum.EnumMeta:
        cls.__class__ = _SealedEnum


def _members_of(cls: Any) -> tuple[Any, Any]:
    if not issubclass(cls, enum.Enum):
        return None, None
    by_value = {int(member): member for member in cls} if issubclass(cls, int) else None
    return tuple(cls), by_value


def _run_class(name: str, source: str, instead: dict[str, Any]) -> Any:
    """The class that the text makes; ``instead``: its base class and its metaclass, if they are
    others than the text says."""
    tree = ast.parse(source)
    node: Any = tree.body[0]
    if instead:
        node.bases = [ast.Name("__native_base__", ast.Load())]
        node.keywords = [ast.keyword("metaclass", ast.Name("__native_meta__", ast.Load()))]
        ast.fix_missing_locations(tree)
    flags = __future__.annotations.compiler_flag
    code = compile(tree, _VISIBLE["__file__"], "exec", flags, dont_inherit=True)
    _VISIBLE.update(instead)
    exec(code, _VISIBLE)
    return _VISIBLE[name]


class Unreadable:
    """An attribute that native code has, of a type that does not cross; Python code may have its
    own."""

    def __init__(self, name: str, message: str) -> None:
        self.name = name
        self.message = message

    def __get__(self, instance: Any, owner: Any) -> Any:
        if instance is None or self.name not in vars(instance):
            raise AttributeError(self.message)
        return vars(instance)[self.name]

    def __set__(self, instance: Any, value: Any) -> None:
        vars(instance)[self.name] = value


def exception_class(
    module: str,
    meta: Any,
    base: Any,
    source: str | None,
    name: str,
    doc: str | None,
    constants: dict[str, Any],
    refused: dict[str, str],
    unreadable: dict[str, str],
    has_text: bool,
) -> Any:
    """A class of exceptions: of its source text, or without what only native code can do."""
    if source is None:
        found = members(module, name, doc, constants, refused, unreadable, has_text)
        cls = meta(name, (base,), found)
    else:
        cls = _run_class(name, source, {"__native_base__": base, "__native_meta__": meta})
        for each, message in unreadable.items():
            setattr(cls, each, Unreadable(each, message))
        if has_text:
            for each, value in _members_with_text(name, cls.__str__).items():
                setattr(cls, each, value)
    _VISIBLE[name] = cls
    return cls


def watch_assignments(cls: Any, first: bool, check: Callable[[Any, str], None]) -> None:
    """Have ``check`` called before an attribute of an exception is assigned or deleted.  ``first``:
    is its base class no class of the module?  Else that has it called."""
    for special in ("__setattr__", "__delattr__"):
        if first or special in vars(cls):
            setattr(cls, special, _checking(getattr(cls, special), check))


def _checking(plain: Any, check: Callable[[Any, str], None]) -> Any:
    def change(self: BaseException, name: str, *value: Any) -> None:
        check(self, name)
        plain(self, name, *value)

    return change


def finish(members_of_module: dict[str, Any]) -> None:
    """Methods see the functions and classes of the module."""
    for name, value in members_of_module.items():
        _VISIBLE.setdefault(name, value)
