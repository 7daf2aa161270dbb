"""Typed low-level helpers on disk, for the processes to come: a file for each.

The name of a file is the hash of all that its content depends on: the helper and the types of its
arguments, what is in the files of the toolchain that it is made by, the host, the passes.  So it
serves all copies of that toolchain on a machine.  In the file stands, pickled::

    name, signature, blocks (links know their targets by number), what it returns, exceptions

Types are there by structure, and by name what a module of the toolchain has: functions, classes,
rows of operations, prebuilt texts.  A helper that refers to anything else is not kept.
"""

from __future__ import annotations

import hashlib
import importlib
import io
import os
import pickle
import sys
import time
from collections.abc import Callable, Collection
from functools import cache, lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any

from rpython.annotator.lattice.model import SomeHost
from rpython.lltypesystem.lltype import LowLevelType, Ptr, _ptr, frozendict, nullptr
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.rtyper.symbols import Symbol
from rpython.translator.ir.diskcache import DiskCache, cache_directory
from rpython.translator.ir.model import Block, FunctionGraph, Link
from rpython.translator.ir.opdef import OpDef
from rpython.translator.ir.sourcefiles import source_files
from rpython.translator.ir.span import Span

_LOADED, _LOADING = time.time_ns(), 5 * 10**9
"""When this module was loaded, and how long before that others may have been, in nanoseconds."""
_LIMIT = 64 << 20
"""Bytes of helpers to keep."""
_PACKAGE = __name__.partition(".")[0]
_ROOT = f"{Path(sys.modules[_PACKAGE].__file__ or '').parent}{os.sep}"
"""Where the files of the toolchain are."""
_BEHIND = ("backend_c", "commands", "extension", "lower", "port", "view")
"""Folders of files that no helper depends on: what they do comes later, or is no translation."""
_APART = ("__pycache__",)
"""Folders without source files."""
TYPE_PARTS = {
    "_name", "_hints", "_adtmeths", "_is_union", "_flds", "_names", "_arrayfld", "_parent_field",
    "_depth", "_slots", "_rtti", "OF", "length", "ARGS", "RESULT", "tag",
}  # fmt: skip
"""The attributes of types that say what they are; others are memoised."""


UNREADABLE = (
    pickle.UnpicklingError, AttributeError, EOFError, ImportError, LookupError, TypeError,
    ValueError,
)  # fmt: skip
"""What reading a file that another program has put there may raise."""


class NotKept(Exception):
    """What cannot be said in a file."""


class HelperFiles:
    """The files of helpers, for programs that are optimised by the passes of these names.

    ``name_of``: says which unknown of the library (``helperlibrary``) an object is, as types and
    numbers, or None; ``unknown``: the inverse.
    """

    def __init__(
        self,
        passes: tuple[str, ...],
        name_of: Callable[[Any], tuple[Any, ...] | None],
        unknown: Callable[..., Any],
    ) -> None:
        self._cache = DiskCache(cache_directory("helpers"), _LIMIT)
        self._world = (toolchain(), passes)
        self._name_of = name_of
        self._unknown = unknown

    def read(self, key: tuple[Any, ...]) -> tuple[FunctionGraph | None, Any] | None:
        """What was written for a helper: its graph and the rest; None: nothing."""
        name = self._file_name(key)
        data = None if name is None else self._cache.read(name)
        if data is None or name is None:
            return None
        try:
            graph, rest = _Unpickler(io.BytesIO(data), self._unknown).load()
        except UNREADABLE:
            self._cache.drop(name)
            return None
        return graph and _whole(*graph), rest

    def write(self, key: tuple[Any, ...], graph: FunctionGraph | None, rest: Any) -> None:
        """Write what is known of a helper, if it can be said in a file."""
        name = self._file_name(key)
        if name is None:
            return
        buffer = io.BytesIO()
        blocks = [] if graph is None else _all_blocks(graph)
        numbers = {block: number for number, block in enumerate(blocks)}
        parts = None if graph is None else (_frame(graph), blocks)
        try:
            _Pickler(buffer, self._name_of, numbers).dump((parts, rest))
        except (NotKept, pickle.PicklingError, TypeError, AttributeError):
            return
        self._cache.write(name, buffer.getvalue())

    def _file_name(self, key: tuple[Any, ...]) -> str | None:
        is_program, function, parts = key
        if self._world[0] is None:
            return None
        try:
            said = [self._say(part) for part in parts]
        except NotKept:
            return None
        text = repr((self._world, is_program, function.__module__, function.__name__, said))
        return hashlib.sha256(text.encode()).hexdigest()[:40]

    def _say(self, part: Any) -> str:
        """An argument in words that are the same in all processes.  Raises NotKept."""
        if isinstance(part, SomeHost):
            return f"<{self._say(part.value)}>"
        if isinstance(part, LowLevelType):
            return type_in_words(part)
        name = self._name_of(part)
        if name is None:
            raise NotKept
        return str([self._say(p) if isinstance(p, LowLevelType) else p for p in name])


def _all_blocks(graph: FunctionGraph) -> list[Block]:
    """The blocks of a graph: the first, those at the ends, the others."""
    ends = (graph.startblock, graph.returnblock, graph.exceptblock)
    return list(dict.fromkeys([*ends, *graph.iterblocks()]))


def _frame(graph: FunctionGraph) -> tuple[Any, ...]:
    return (
        graph.name, graph.func, graph.span, graph.is_helper, graph.stage, graph.result_bounds
    )  # fmt: skip


def _whole(frame: tuple[Any, ...], blocks: list[Block]) -> FunctionGraph:
    """A graph whose links know their targets by number."""
    name, func, span, is_helper, stage, result_bounds = frame
    graph = FunctionGraph(name, blocks[0], None, func, span)
    graph.returnblock, graph.exceptblock = blocks[1:3]
    graph.is_helper, graph.stage, graph.result_bounds = is_helper, stage, result_bounds
    for block in blocks:
        for link in block.exits:
            number: Any = link.target
            link.target, link.prevblock = blocks[number], block
    return graph


# -- names -----------------------------------------------------------------------------------------


@cache
def toolchain(whole: bool = False) -> str | None:
    """What distinguishes this toolchain and its host from others, as far as helpers depend on it,
    or the ``whole`` of it; None: its files have changed since this process began, so they may not
    be what it has loaded."""
    apart = _APART if whole else (*_APART, *_BEHIND)
    files = list(source_files(_ROOT, apart))
    if any(changed > _LOADED - _LOADING for _, _, changed in files):
        return None
    host = (sys.version, sys.platform, os.uname().machine)
    cache = DiskCache(cache_directory("helpers"), _LIMIT)
    name = hashlib.sha256(repr((files, host)).encode()).hexdigest()
    known = cache.read(name)
    if known is None:
        known = content_of(_ROOT, repr(host), apart).encode()
        cache.write(name, known)
    return known.decode()


def content_of(folder: str, more: str, apart: Collection[str] = (*_APART, *_BEHIND)) -> str:
    """The hash of ``more`` and of the source files in a folder of the toolchain, wherever that is:
    of their paths below it and of their content; without those in folders named ``apart``."""
    state = hashlib.sha256(more.encode())
    for path, size, _ in source_files(folder, apart):
        state.update(f"\n{os.path.relpath(path, folder)} {size}\n".encode())
        state.update(Path(path).read_bytes())
    return state.hexdigest()


@cache
def type_in_words(T: LowLevelType) -> str:
    """The structure of a type, by which types compare, in words that are the same in all
    processes.  Raises NotKept."""
    return _type_in_words(T, {})


def _type_in_words(T: LowLevelType, above: dict[LowLevelType, int]) -> str:
    if T in above:
        return f"#{above[T]}"
    inside = {**above, T: len(above)}
    own = () if isinstance(T, Ptr) else T._shallow()
    said = [*map(_in_words, own), *(_type_in_words(part, inside) for part in T._children())]
    return f"{type(T).__name__}({' '.join(said)})"


def _in_words(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{' '.join(f'{key}={_in_words(v)}' for key, v in value.items())}}}"
    if isinstance(value, tuple):
        return f"({' '.join(map(_in_words, value))})"
    if isinstance(value, FunctionType):
        return f"{value.__module__}.{value.__qualname__}"
    if value is None or isinstance(value, (bool, int, str)):
        return repr(value)
    raise NotKept


# -- writing ---------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _names_of_globals(modules: int) -> dict[int, tuple[str, str]]:
    """Where the memory and the types that modules of the toolchain have stand, by identity;
    ``modules``: how many there are."""
    found: dict[int, tuple[str, str]] = {}
    for module_name, module in sorted(sys.modules.items()):
        if module_name.partition(".")[0] == _PACKAGE:
            for name, value in vars(module).items():
                if isinstance(value, _ptr) and value._obj is not None:
                    found.setdefault(id(value._obj), (module_name, name))
                elif isinstance(value, LowLevelType):
                    found.setdefault(id(value), (module_name, name))
    return found


def _name_of_global(value: Any) -> tuple[str, str] | None:
    return _names_of_globals(len(sys.modules)).get(id(value))


def _global(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name)


def _row(name: str) -> OpDef:
    return LLOPS[name]


class _Pickler(pickle.Pickler):
    """``numbers``: those of the blocks."""

    def __init__(
        self, file: io.BytesIO, name_of: Callable[[Any], Any], numbers: dict[Block, int]
    ) -> None:
        super().__init__(file, protocol=5)
        self._name_of = name_of
        self._numbers = numbers

    def persistent_id(self, obj: Any) -> Any:
        """The name of an unknown, of which the library has one each."""
        return self._name_of(obj)

    def reducer_override(self, obj: Any) -> Any:
        """How objects that are not simply their attributes are made again.  Raises NotKept."""
        if isinstance(obj, Link):
            state = {name: getattr(obj, name) for name in Link.__slots__}
            state.update(target=self._numbers[obj.target], prevblock=None)
            return Link.__new__, (Link,), (None, state)
        if isinstance(obj, OpDef):
            return _row, (obj.name,)
        if isinstance(obj, Span):
            return _reduced_span(obj)
        if isinstance(obj, Symbol):
            return Symbol, (obj.find, obj.args)
        if isinstance(obj, frozendict):
            return frozendict, (dict(obj),)
        if isinstance(obj, LowLevelType):
            return _reduced_type(obj)
        if isinstance(obj, _ptr):
            return _reduced_pointer(obj)
        return NotImplemented


def _reduced_span(span: Span) -> Any:
    filename, *rest = (getattr(span, name) for name in Span.__slots__)
    if filename.startswith(_ROOT):
        return _span_here, (filename.removeprefix(_ROOT), *rest)
    return Span, (filename, *rest)


def _span_here(inside: str, *rest: Any) -> Span:
    return Span(_filename_here(_ROOT, inside), *rest)


@cache
def _filename_here(root: str, inside: str) -> str:
    return root + inside


def _reduced_type(T: LowLevelType) -> Any:
    name = _name_of_global(T)
    if name is not None:
        return _global, name
    if isinstance(T, Ptr):
        return Ptr, (T.TO,)
    if T._is_forward:
        raise NotKept
    state = {name: value for name, value in T.__dict__.items() if name in TYPE_PARTS}
    return object.__new__, (type(T),), state


def _reduced_pointer(pointer: _ptr) -> Any:
    if pointer._obj is None:
        return nullptr, (pointer._TYPE.TO,)
    name = _name_of_global(pointer._obj)
    if name is None:
        raise NotKept
    return _global, name


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, unknown: Callable[..., Any]) -> None:
        super().__init__(file)
        self._unknown = unknown

    def persistent_load(self, pid: Any) -> Any:
        """The unknown of that name."""
        return self._unknown(*pid)
