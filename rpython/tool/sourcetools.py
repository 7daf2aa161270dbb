"""Functions made of texts, and functions under other names, while a program is imported."""

from __future__ import annotations

import itertools
import keyword
import linecache
import re
from collections.abc import Callable, Mapping
from types import CodeType, FunctionType
from typing import Any

_NUMBERS = itertools.count()


def func_with_new_name(
    func: FunctionType, newname: str, globals: dict[str, Any] | None = None
) -> FunctionType:
    """A copy of the function, called ``newname``; ``globals``: another dictionary for its global
    variables."""
    space = func.__globals__ if globals is None else globals
    code = func.__code__.replace(co_name=newname, co_qualname=newname)
    copy = FunctionType(code, space, newname, func.__defaults__, func.__closure__)
    copy.__kwdefaults__, copy.__module__, copy.__doc__ = (
        func.__kwdefaults__, func.__module__, func.__doc__
    )  # fmt: skip
    copy.__annotations__ = dict(func.__annotations__)
    vars(copy).update(vars(func))
    return copy


def func_renamer(newname: str) -> Callable[[FunctionType], FunctionType]:
    """A decorator: ``func_with_new_name``."""
    return lambda func: func_with_new_name(func, newname)


def compile2(
    source: str, filename: str | None = None, mode: str = "exec", flags: int = 0,
    dont_inherit: bool = True,
) -> CodeType:  # fmt: skip
    """``compile``, for which messages and tracebacks can show the source.  Raises SyntaxError."""
    text = str(source)
    name = filename or f"<source {next(_NUMBERS)}>"
    lines = text.splitlines(keepends=True)
    linecache.cache[name] = (len(text), None, lines, name)
    code: CodeType = compile(text, name, mode, flags, dont_inherit)
    return code


def compile_template(source: str, resultname: str, names: Mapping[str, Any] | None = None) -> Any:
    """What the statements bind to ``resultname``; ``names``: the global variables they see.  (The
    original takes those of its caller; here they are given.)  Raises SyntaxError."""
    space = {"__name__": "rpython.template", **(names or {})}
    exec(compile2(source), space)
    return space[resultname]


def rpython_wrapper(
    f: FunctionType, template: str, templateargs: Mapping[str, object] | None = None,
    **globaldict: Any,
) -> FunctionType:  # fmt: skip
    """A function with ``f``'s parameters, of a text in which ``{name}``, ``{arguments}`` and
    ``{original}`` are its name, its parameters and ``f`` itself; ``globaldict``: the other names
    that the text uses."""
    code = f.__code__
    arguments = ", ".join(code.co_varnames[: code.co_argcount])
    original = f"_original_{f.__name__}"
    text = template.format(
        name=f.__name__, arguments=arguments, original=original, **(templateargs or {})
    )
    space = {"__name__": f.__module__, original: f, **globaldict}
    exec(compile2(text), space)
    wrapper: FunctionType = space[f.__name__]
    wrapper.__defaults__, wrapper.__module__ = f.__defaults__, f.__module__
    return wrapper


def valid_identifier(stuff: object) -> str:
    """A text that can be a name, made of any other."""
    name = re.sub(r"\W", "_", str(stuff), flags=re.ASCII)
    return f"_{name}" if not name or name[0].isdigit() or keyword.iskeyword(name) else name


def has_varargs(func: Any) -> bool:
    """Does the function take ``*args``?"""
    return bool(func.__code__.co_flags & 0x04)


def nice_repr_for_func(fn: Any, name: str | None = None) -> str:
    """``(module:line)name``, for lists of functions."""
    shown = name or getattr(fn, "__name__", repr(fn))
    code = getattr(fn, "__code__", None)
    line = code.co_firstlineno if code is not None else "?"
    return f"({getattr(fn, '__module__', '?')}:{line}){shown}"
