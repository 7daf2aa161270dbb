"""What C declarations leave open (``...``), asked of the C compiler.

    #define BUFSIZ ...              its value
    enum e { A, B, ... };           the values of A and B
    struct s { int x; ...; };       where x is, and the size of the struct
    static const long LIMIT;        its value
    typedef int... id_t;            the integer type

A small program that includes the headers is compiled and prints the answers, which are kept
in a cache directory by the text of the program.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cffi import FFI, CDefError, VerificationError, model

from rpython.lltypesystem.foreign.cglue import UnsupportedCType, include_lines
from rpython.lltypesystem.foreign.csources import compiler_command, linker_flags
from rpython.lltypesystem.foreign.external import Linking
from rpython.translator.ir.diskcache import cache_directory

Answers = dict[str, int]


_UNKNOWN_INTEGER = re.compile(r"\btypedef\s+int\s*\.\.\.\s*(\w+)\s*;")


def with_integer_types(source: str, headers: Sequence[str], linking: Linking) -> str:
    """The declarations with ``typedef int... t;`` said exactly.  Raises as ``complete``."""
    names = _UNKNOWN_INTEGER.findall(source)
    if not names:
        return source
    _require_headers(headers)
    questions = {f"{name} size": f"sizeof({name})" for name in names}
    questions.update({f"{name} signed": f"({name})-1 < 0" for name in names})
    answers = _ask(questions, headers, linking)

    def exactly(match: re.Match[str]) -> str:
        name = match[1]
        sign = "" if answers[f"{name} signed"] else "u"
        return f"typedef {sign}int{8 * answers[f'{name} size']}_t {name};"

    return _UNKNOWN_INTEGER.sub(exactly, source)


def _require_headers(headers: Sequence[str]) -> None:
    if not headers:
        raise CDefError("declarations with '...' need headers=[...] to ask the C compiler")


def complete(
    ffi: FFI, headers: Sequence[str], linking: Linking
) -> tuple[dict[str, int], dict[str, Any]]:
    """The constants and the types of the functions that were declared to ``ffi``, whose
    types are completed with what the C compiler says.

    Raises CDefError when there are no headers to ask, VerificationError when the C compiler
    does not accept what is asked, UnsupportedCType for other declarations.
    """
    parser: Any = ffi._parser  # type: ignore[attr-defined]
    constants: dict[str, int] = dict(parser._int_constants)
    declarations = {key: tp for key, (tp, _) in parser._declarations.items()}
    questions: dict[str, str] = {}
    for key, tp in declarations.items():
        kind, _, name = key.partition(" ")
        if kind == "variable":
            raise UnsupportedCType(f"the global variable {name!r} is not supported")
        if kind in ("constant", "macro") and name not in constants:
            questions[name] = f"(long long)({name})"
        elif isinstance(tp, model.EnumType) and tp.partial:
            for name in tp.enumerators:
                questions[name] = f"(long long)({name})"
        elif isinstance(tp, model.StructOrUnion) and tp.partial:
            questions.update(_layout_questions(tp))
    if questions:
        _require_headers(headers)
        answers = _ask(questions, headers, linking)
        for name in questions:
            if " " not in name:
                constants[name] = answers[name]
        for tp in declarations.values():
            if isinstance(tp, model.EnumType) and tp.partial:
                tp.enumvalues = tuple(answers[name] for name in tp.enumerators)
                tp.partial_resolved = True
            elif isinstance(tp, model.StructOrUnion) and tp.partial:
                _set_layout(tp, answers)
    for tp in declarations.values():
        if isinstance(tp, model.EnumType):
            constants.update(zip(tp.enumerators, tp.enumvalues))
    names = {key: key.removeprefix("function ") for key in declarations if key[:9] == "function "}
    with ffi._lock:  # type: ignore[attr-defined]
        functions = {
            name: ffi._get_cached_btype(declarations[key])  # type: ignore[attr-defined]
            for key, name in names.items()
        }
    return constants, functions


def _layout_questions(tp: Any) -> dict[str, str]:
    c_name = tp.get_official_name()
    questions = {
        f"{c_name} size": f"sizeof({c_name})",
        f"{c_name} alignment": f"offsetof(struct {{ char c; {c_name} s; }}, s)",
    }
    for name in tp.fldnames:
        questions[f"{c_name} offset {name}"] = f"offsetof({c_name}, {name})"
        questions[f"{c_name} size {name}"] = f"sizeof((({c_name} *)0)->{name})"
    return questions


def _set_layout(tp: Any, answers: Answers) -> None:
    c_name = tp.get_official_name()
    tp.fixedlayout = (
        [answers[f"{c_name} offset {name}"] for name in tp.fldnames],
        [answers[f"{c_name} size {name}"] for name in tp.fldnames],
        answers[f"{c_name} size"],
        answers[f"{c_name} alignment"],
    )


def _ask(questions: dict[str, str], headers: Sequence[str], linking: Linking) -> Answers:
    """The values of C expressions, by the names of the questions."""
    lines = ["#define _GNU_SOURCE", "#include <stddef.h>", "#include <stdio.h>"]
    lines += include_lines(headers)
    lines += ["int main(void)", "{"]
    for expression in questions.values():
        lines.append(f'    printf("%lld\\n", (long long)({expression}));')
    lines += ["    return 0;", "}", ""]
    values = run_program("\n".join(lines), linking).split()
    return {name: int(value) for name, value in zip(questions, values, strict=True)}


def run_program(program: str, linking: Linking, link: bool = False) -> str:
    """What the C program prints; kept in the cache.  ``link``: with the libraries.  Raises
    VerificationError."""
    compiler = compiler_command()
    flags = [f"-I{directory}" for directory in linking.include_dirs]
    flags += linking.compile_extra
    if link:
        flags += [*linking.sources, *linker_flags(linking)]
    key = hashlib.sha256("\0".join([program, *compiler, *flags]).encode()).hexdigest()
    kept = cache_directory("cdef") / f"{key[:32]}.txt"
    if kept.exists():
        return kept.read_text(encoding="ascii")
    with tempfile.TemporaryDirectory(prefix="rpython-cdef-") as scratch:
        source, binary = Path(scratch, "probe.c"), Path(scratch, "probe")
        source.write_text(program, encoding="utf-8")
        command = [*compiler, "-w", str(source), *flags, "-o", str(binary)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        except OSError as error:
            raise VerificationError(
                f"declarations with '...' need a C compiler, see CC: {error}"
            ) from None
        if done.returncode != 0:
            raise VerificationError(f"the C compiler rejects the declarations:\n{done.stderr}")
        printed = subprocess.run([str(binary)], capture_output=True, text=True, check=True).stdout
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(f".{os.getpid()}")
        part.write_text(printed, encoding="ascii")
        os.replace(part, kept)
    return printed
