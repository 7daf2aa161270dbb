"""Calls of the operating system, as a table: how each is called, what it returns, how it fails.

A row is a function of ``os`` or ``time`` that is one call of the system::

    row(os.rename, "src:path dst:path", "none", "rename(a0, a1)")

or a small function of this module that the library in ``rpython.rlib._system`` is made of.
The annotator checks the arguments by the row, the rtyper makes the call.  Kinds of
parameters: ``fd`` and ``cint`` (a C int), ``int``, ``uid`` and ``gid`` (with -1), ``device``,
``path``, ``text``, ``data`` (bytes: a pointer ``a1`` and a length ``n1`` in C); results: ``none``,
``int``, ``bool``, ``float``, ``text`` (a str, None for a null pointer), ``data`` (bytes: see
``DATA_HEADER``).  A call with a result ``!``-marked fails by raising OSError, which names the
paths.
"""

from __future__ import annotations

import errno
import inspect
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rpython.lltypesystem.foreign.external import CCHARP, Glue, llexternal, make_charp, read_charp
from rpython.lltypesystem.primitives import Float, LowLevelType, Signed
from rpython.lltypesystem.simulated.memory import _ptr, nullptr
from rpython.translator.ir.records import dataclass

PRELUDE = r"""
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
extern char **environ;
extern _Bool rpy_interrupt_pending(void); /* of the runtime */
/* Texts that calls give stay valid until the thread's next call. */
static __thread char *rpy_text;
static __thread size_t rpy_room;
static __attribute__((unused)) char *rpy_need(size_t size)
{
    if (size > rpy_room) {
        rpy_room = 2 * size + 256;
        rpy_text = realloc(rpy_text, rpy_room);
        if (!rpy_text)
            abort();
    }
    return rpy_text;
}
static __attribute__((unused)) unsigned char *rpy_failed(void)
{
    sprintf(rpy_need(32), "!%d", errno);
    return (unsigned char *)rpy_text;
}
/* Texts one after the other, "\1\1" between them and "\1\2" for "\1": NULL at the end. */
static __attribute__((unused)) char **rpy_list(char *text)
{
    size_t count = 2, at = 0;
    for (char *p = text; *p; p++)
        count += *p == 1;
    char **list = calloc(count, sizeof *list), *out = text;
    if (!list || !*text)
        return list;
    list[at++] = text;
    for (char *p = text; *p; p++) {
        if (*p != 1)
            *out++ = *p;
        else if (*++p == 2)
            *out++ = 1;
        else {
            *out++ = 0;
            list[at++] = out;
        }
    }
    *out = 0;
    return list;
}
"""

_TYPES: dict[str, LowLevelType] = {
    "fd": Signed, "cint": Signed, "int": Signed, "uid": Signed, "gid": Signed, "device": Signed,
    "float": Float, "path": CCHARP, "text": CCHARP,
    "none": Signed, "bool": Signed, "data": CCHARP,
}  # fmt: skip
DATA_HEADER = 8
"""Data that a call gives begin with so many bytes that are its length, or ``-errno``."""
REQUIRED = None


@dataclass(frozen=True)
class Parameter:
    name: str
    kind: str
    default: int | None = REQUIRED


@dataclass(frozen=True)
class SystemCall:
    """A row of the table."""

    host: Any
    parameters: tuple[Parameter, ...]
    result: str
    fails: bool
    function: _ptr


SYSTEM_CALLS: dict[Any, SystemCall] = {}


def _parameter(text: str) -> Parameter:
    text, _, default = text.partition("=")
    name, _, kind = text.partition(":")
    return Parameter(name, kind, int(default, 0) if default else REQUIRED)


def _result_type(result: str) -> LowLevelType:
    return _TYPES[result]


def _from_system(kinds: Sequence[str], args: Sequence[Any]) -> Iterator[Any]:
    """The values of the parameters."""
    rest = iter(args)
    for kind in kinds:
        arg = next(rest)
        if kind == "data":
            yield read_charp(arg, next(rest))
        else:
            yield os.fsdecode(read_charp(arg)) if isinstance(arg, _ptr) else arg


def _with_header(number: int, data: bytes = b"") -> _ptr:
    return make_charp(number.to_bytes(DATA_HEADER, "little", signed=True) + data)


def _on_host(
    function: Callable[..., Any], kinds: Sequence[str], result: str
) -> Callable[..., Any]:
    """The meaning of an external: what ``function`` gives, 0 for None, or ``-errno``."""

    def run(*args: Any) -> Any:
        try:
            given = function(*_from_system(kinds, args))
        except OSError as error:
            number = -(error.errno or errno.EIO)
            return _with_header(number) if result == "data" else number
        if result == "data":
            return _with_header(len(given), given)
        if result == "text":
            if given is None:
                return nullptr(CCHARP.TO)
            return make_charp(given if isinstance(given, bytes) else os.fsencode(given))
        return given if result == "float" else int(given or 0)

    return run


def row(
    host: Any, parameters: str, result: str, c: str, meaning: Callable[..., Any] | None = None,
    headers: tuple[str, ...] = (), blocking: bool = False, prelude: str = PRELUDE,
) -> Any:  # fmt: skip
    """Add a row.

    c: the C expression of the arguments a0, a1...; or the name of a function of the runtime,
    declared in ``headers``, which gives ``-errno`` when it fails.
    blocking: may it take long, so that other threads should run?
    prelude: what the C code stands after; the rows of one prelude share a file.
    """
    described = tuple(map(_parameter, parameters.split()))
    fails = result.endswith("!")
    result = result.rstrip("!")
    kinds = [parameter.kind for parameter in described]
    args = [T for kind in kinds for T in ((CCHARP, Signed) if kind == "data" else (_TYPES[kind],))]
    T = _result_type(result)
    name, glue = c, None
    if not headers:
        name = "rpy_system_" + host.__name__.strip("_")
        glue = Glue(prelude, _definition(name, kinds, T, c, fails), portable=True)
    meaning = _on_host(meaning or host, kinds, result)
    function = llexternal(name, args, T, meaning, headers, glue, blocking=blocking)
    SYSTEM_CALLS[host] = SystemCall(host, described, result, fails, function)
    return host


def _definition(name: str, kinds: list[str], result: LowLevelType, c: str, fails: bool) -> str:
    """The C function for an expression, or for statements that end in ``return``."""
    # characters are unsigned in programs
    names: dict[LowLevelType, str] = {
        Signed: "long ", Float: "double ", CCHARP: "unsigned char *",
    }  # fmt: skip
    written, lines = [], []
    for i, kind in enumerate(kinds):
        T = _TYPES[kind]
        written.append(f"{names[T]}{'b' if T == CCHARP else 'a'}{i}")
        if T == CCHARP:
            lines.append(f"    char *a{i} = (char *)b{i};")
        if kind == "data":
            written.append(f"long n{i}")
    lines = [f"{names[result]}{name}({', '.join(written) or 'void'})", "{", *lines]
    if "return" in c:
        lines += [f"    {line}" for line in inspect.cleandoc(c).splitlines()]
    elif result == CCHARP:
        lines.append(f"    return (unsigned char *){c};")
    elif fails:
        lines += [f"    long result = (long){c};", "    return result < 0 ? -(long)errno : result;"]
    else:
        lines.append(f"    return {c};")
    return "\n".join([*lines, "}", ""])
