"""What a module has for Python: which of its names become attributes of the extension module,
and how its functions take their arguments.

With ``__all__``, those names, and ``__version__`` and the like; else all that do not begin with
an underscore: functions and classes defined in the module, and constants.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import inspect
import math
import sys
import textwrap
import typing
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from rpython.annotator.provenance import place_in_source
from rpython.backend_c.headers import extension_suffix
from rpython.translator.extension.buffertypes import evaluated_hints
from rpython.translator.flow.signature import Signature, signature
from rpython.translator.hints.reading import assigned_in_methods, evaluated
from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span

_CACHED: Any = type(functools.lru_cache(len))
_OF_MODULES = frozenset(
    "__all__ __annotations__ __builtins__ __cached__ __doc__ __file__ __loader__ __name__ "
    "__package__ __path__ __spec__".split()
)
PROGRAM_NAMES = frozenset(["entry_point", "target"])
"""What a module that is a program, too, defines; not for Python unless it has type hints."""


@dataclass(frozen=True)
class Exports:
    """The public names of a module; ``constants``: as Python expressions."""

    name: str
    doc: str | None
    functions: dict[str, Any]
    classes: dict[str, type]
    exceptions: dict[str, type[BaseException]]
    constants: dict[str, str]


def exports_of(module: ModuleType) -> Exports:
    """What the module has for Python.  Raises TranslationError where ``__all__`` names what
    cannot be exported, or nothing is left."""
    listed = getattr(module, "__all__", None)
    names = [name for name in vars(module) if not name.startswith("_") or _is_fact(name)]
    public = Exports(module.__name__, module.__doc__, {}, {}, {}, {})
    for name in names if listed is None else [*filter(_is_fact, names), *listed]:
        if not hasattr(module, name):
            raise TranslationError(f"__all__ names {name!r}, which the module does not define")
        asked = listed is not None and name in listed
        found = _add(public, module, name, asked)
        if not found:
            _check_home(module, name)
        if not found and asked:
            value = getattr(module, name)
            raise TranslationError(
                f"__all__ names {name!r}, which is {value!r:.60}",
                hint="functions, classes and constants (numbers, text, tuples) can be exported",
            )
    if not (public.functions or public.classes or public.exceptions):
        raise TranslationError(
            f"{module.__file__} has no function and no class for Python",
            hint="define a function whose name does not begin with an underscore",
        )
    return public


def is_cached(value: Any) -> bool:
    """Is it what ``functools.lru_cache`` has made of a function?"""
    return isinstance(value, _CACHED) and isinstance(value.__wrapped__, FunctionType)


def _check_home(module: ModuleType, name: str) -> None:
    """Raise TranslationError for a function or class that the module defines, and that says it is
    another module's (``Index.__module__ = "words"``, a decorator without ``functools.wraps``)."""
    value = getattr(module, name)
    home = getattr(value, "__module__", None)
    if name.startswith("__") or name not in _defined(module):
        return
    if not isinstance(value, (FunctionType, type)):
        raise TranslationError(
            f"{name} is a {type(value).__name__}, made by a decorator: it would be missing in the"
            " native module",
            hint=f"name it _{name}, and write a function that calls it",
        )
    if home != module.__name__:
        raise TranslationError(
            f"{name} is defined in {module.__name__}, but its __module__ is {home!r}: it would be"
            " missing in the native module",
            hint=f"leave {name}.__module__ alone (functools.wraps in decorators does), or name it"
            f" _{name}",
        )


def _defined(module: ModuleType) -> set[str]:
    """The names of the functions and classes that the module's source defines at top level."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError):
        return set()
    found: set[str] = set()
    todo: list[ast.AST] = list(tree.body)
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.stmt):
            todo += ast.iter_child_nodes(node)
        elif isinstance(node, (ast.ExceptHandler, ast.match_case)):
            todo += node.body
    return found


def _is_fact(name: str) -> bool:
    """Is it something like ``__version__``?"""
    return name.startswith("__") and name.endswith("__") and name not in _OF_MODULES


def _add(public: Exports, module: ModuleType, name: str, asked: bool) -> bool:
    value: Any = getattr(module, name)
    plain = not _is_fact(name)
    if plain and (isinstance(value, FunctionType) or is_cached(value)):
        if value.__module__ != module.__name__ and not asked:
            return False
        if name in PROGRAM_NAMES and not asked and not fully_hinted(value):
            return False
        public.functions[name] = value
    elif plain and isinstance(value, type):
        if value.__module__ != module.__name__ or not _is_plain(value):
            return False
        if issubclass(value, BaseException):
            public.exceptions[name] = value
        else:
            public.classes[name] = value
    else:
        text = literal(value)
        if text is None:
            return False
        public.constants[name] = text
    return True


def _is_plain(cls: type) -> bool:
    """Is it a class as others?  Not an enum, a named tuple, a protocol, ..."""
    plain = type(cls) is type or type(cls).__module__ == "abc"
    return plain and not issubclass(cls, tuple) and not getattr(cls, "_is_protocol", False)


def literal(value: Any) -> str | None:
    """A Python expression for an immutable value; None for what is something else."""
    if type(value) is float and not math.isfinite(value):
        return f'float("{value}")'
    if value is None or type(value) in (int, float, bool, str, bytes):
        return repr(value)
    if type(value) is tuple:
        items = [literal(item) for item in value]
        if None not in items:
            return "(" + "".join(f"{item}, " for item in items) + ")"
    if type(value) is frozenset:
        inside = literal(tuple(sorted(value, key=repr)))
        return None if inside is None else f"frozenset({inside})"
    return None


def module_path(target: Path, out: Path | None) -> Path:
    """Where the extension module of a target goes: ``out``, or in that directory; None: beside
    the target.  Raises TranslationError when Python would not find it under its name."""
    if not target.stem.replace("-", "_").isidentifier():
        raise TranslationError(f"{target.stem!r} is no name of a module", hint="rename the file")
    name = target.stem + extension_suffix()
    if out is None:
        return target.parent / name
    if out.is_dir():
        return out / name
    if out.name.partition(".")[0] != target.stem or out.suffix != ".so":
        raise TranslationError(
            f"Python would not import {out.name} as {target.stem}",
            hint=f"call it {name}, or {target.stem}.abi3.so, which Python 3.11 and later load",
        )
    return out


# -- functions --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Parameters:
    """The parameters of a function, without the first ``bound`` ones: names, type hints (None
    where there is none) and defaults by name.  ``star``: is the one behind the positional ones
    ``*args``, a tuple?  ``stars``: is the last one ``**kwargs``, a dict?"""

    names: tuple[str, ...]
    positional_only: int
    positional: int
    hints: tuple[Any, ...]
    defaults: dict[str, Any]
    star: bool = False
    stars: bool = False

    @property
    def unhinted(self) -> list[str]:
        return [name for name, hint in zip(self.names, self.hints) if hint is None]


def parameters_of(func: FunctionType, shown_as: str, bound: int = 0) -> Parameters:
    """The parameters of a function.  Raises TranslationError where ``self`` is not among the
    positional ones."""
    found: Signature = signature(func)
    if len(found.argnames) < bound:
        raise TranslationError(
            f"{shown_as} takes *{found.vararg} and no self", place(func),
            hint=f"name the first argument, or rename it to _{func.__name__}",
        )  # fmt: skip
    if found.vararg is not None and found.kwarg is not None:
        raise TranslationError(
            f"{shown_as} takes *{found.vararg} and **{found.kwarg}, which calls from Python cannot"
            " give both", place(func), hint=f"drop one, or rename it to _{func.__name__}",
        )  # fmt: skip
    hints = hints_of(func)
    star = [] if found.vararg is None else [found.vararg]
    stars = [] if found.kwarg is None else [found.kwarg]
    generic: tuple[Any, Any] = tuple, dict
    hints |= {name: generic[0][hints[name], ...] for name in star if name in hints}
    hints |= {name: generic[1][str, hints[name]] for name in stars if name in hints}
    names = (*found.argnames, *star, *found.kwonly, *stars)[bound:]
    given = found.argnames[len(found.argnames) - len(found.defaults) :]
    defaults = {**dict(zip(given, found.defaults)), **found.kwdefaults}
    return Parameters(
        names,
        max(found.posonly - bound, 0),
        len(found.argnames) - bound,
        tuple(hints.get(name) for name in names),
        {name: value for name, value in defaults.items() if name in names},
        bool(star), bool(stars),
    )  # fmt: skip


def without_factories(parameters: Parameters, cls: type) -> Parameters:
    """Those of a data class's generated ``__init__`` that calls from Python give: not fields with
    a ``default_factory``, after which they are given by name."""
    made = {
        field.name for field in dataclasses.fields(cls)
        if field.default_factory is not dataclasses.MISSING
    }  # fmt: skip
    kept = [i for i, name in enumerate(parameters.names) if name not in made]
    before = next((i for i, name in enumerate(parameters.names) if name in made), len(kept))
    return Parameters(
        tuple(parameters.names[i] for i in kept),
        parameters.positional_only,
        min(parameters.positional, before),
        tuple(parameters.hints[i] for i in kept),
        {name: value for name, value in parameters.defaults.items() if name not in made},
    )


def hints_of(func: FunctionType) -> dict[str, Any]:
    """The type hints; None (the type) as NoneType.  Raises TranslationError."""
    try:
        return _type_hints(func)
    except (NameError, TypeError, AttributeError, SyntaxError) as error:
        raise TranslationError(
            f"{func.__qualname__}: a type hint cannot be read: {error}", place(func)
        ) from None


def _type_hints(func: FunctionType) -> dict[str, Any]:
    try:
        return typing.get_type_hints(func)
    except TypeError:
        return evaluated_hints(func.__annotations__, func.__globals__)


def attribute_hints(cls: type) -> dict[str, Any]:
    """The type hints of instance attributes: in the class, and where a method of it assigns them
    (``self.x: int = 0``); those that cannot be read are left out."""
    found: dict[str, Any] = {}
    texts = dict(vars(cls).get("__annotations__", {}))
    with contextlib.suppress(OSError, TypeError, SyntaxError):
        tree = ast.parse(textwrap.dedent(inspect.getsource(cls)))
        for name, node in assigned_in_methods(tree).items():
            texts.setdefault(name, ast.unparse(node))
    names = vars(sys.modules[cls.__module__]) if cls.__module__ in sys.modules else {}
    for name, text in texts.items():
        with contextlib.suppress(NameError, TypeError, AttributeError, SyntaxError):
            found[name] = evaluated(text, names)
    return found


def fully_hinted(func: FunctionType) -> bool:
    hints = func.__annotations__
    code = func.__code__
    count = code.co_argcount + code.co_kwonlyargcount
    return all(name in hints for name in code.co_varnames[:count])


def require_hints(func: FunctionType, shown_as: str, parameters: Parameters) -> None:
    """Raise TranslationError when the type of a parameter is not known."""
    if parameters.unhinted:
        raise TranslationError(
            f"{shown_as}: the type of argument {parameters.unhinted[0]!r} is not known",
            place(func),
            hint=f"write type hints, or name it _{func.__name__}, or list in __all__ what is"
            " for Python",
        )


def place(func: FunctionType) -> Span:
    """Where the function is."""
    code = func.__code__
    span = Span(code.co_filename, code.co_firstlineno, function=func.__qualname__)
    return place_in_source(func, span)


def text_signature(name: str, parameters: Parameters, bound: str = "") -> str:
    """The first line of a docstring, from which ``inspect.signature`` reads."""
    items = [bound] if bound else []
    for i, parameter in enumerate(parameters.names):
        item = parameter
        if parameters.star and i == parameters.positional:
            item = f"*{parameter}"
        elif parameters.stars and i == len(parameters.names) - 1:
            item = f"**{parameter}"
        elif i == parameters.positional and not parameters.star:
            items.append("*")
        if parameter in parameters.defaults:
            item += f"={parameters.defaults[parameter]!r}"
        items.append(item)
        if i + 1 == parameters.positional_only:
            items.append("/")
    return f"{name}({', '.join(items)})"


def docstring(
    func: Any, name: str, parameters: Parameters, bound: str = "", doc: str | None = None
) -> str:
    """A docstring with the signature in front, as those of functions written in C."""
    doc = func.__doc__ if doc is None else doc
    values = parameters.defaults.values()
    if any(isinstance(value, float) and not math.isfinite(value) for value in values):
        return doc or ""  # inspect cannot read those
    return f"{text_signature(name, parameters, bound)}\n--\n\n{doc or ''}"
