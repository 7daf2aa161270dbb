"""Programs three ways: CPython, the LLInterpreter, native code."""

from __future__ import annotations

import linecache
import os
import sys
import types
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import rpython
from rpython.translator.api import Interpretation, translation_of
from rpython.translator.ir.errors import AnnotatorError, TranslationError
from rpython.translator.options import Options

from .oracle import oracle
from .program import MIXED_KINDS

ARGUMENTS = ((0, 1), (3, -2), (7, 40))
Entry = Callable[[int, int, int], str]
"""Runs the program of a number with two arguments."""
LARGE = 1000
"""Bits of ints that are computed at translation time."""

LIMITS = (
    "two NaNs inside containers cannot be compared",
    "a negative number to a fractional power",
    "int ** negative int",
    "of no items is an int: write",
)
"""Messages of what is documented to raise where CPython goes on: what comes after may differ."""

TOO_LARGE = "does not fit in 64 bits"
"""In a refusal that is right: of a constant expression."""

OPEN_TEXTS = ("} is not in list", "maximum recursion depth exceeded", " object at 0x")
"""Text that differs from run to run or is left open: the order of a set, which function was
called last, an address."""


@dataclass(frozen=True, eq=False)
class Program:
    """A program and what CPython says for each of ``ARGUMENTS``: with ints of 64 bits, and
    with large ones, which it may say too."""

    source: str
    code: types.CodeType
    module: types.ModuleType
    expected: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        return self.module.__name__

    def plain(self, a: int, b: int) -> str:
        """What CPython says without the checks of the oracle, which change what its compiler
        makes of a program: 3.11.2 swaps the stores of ``a, a = f(), 5``."""
        try:
            return str(self.module.run(a, b))
        except Exception as error:
            return f"raised {type(error).__name__}: {error}"


class Difference(AssertionError):
    """A program that does not say the same everywhere, or was refused.  ``way``: which."""

    def __init__(self, program: Program, way: str, what: str) -> None:
        super().__init__(f"{program.name}, {way}{what}\n{program.source}")
        self.program = program
        self.way = way


def build_options(programs: Sequence[Program]) -> Options:
    """How to build these: with -O0 seven times of eight, because the C compiler takes as long as
    everything else at -O2, with which it is more likely to see what is wrong; graphs are verified
    once in four times, because that takes as long as optimising them."""
    chance = zlib.crc32(programs[0].source.encode())
    sanitizers = os.environ.get("RPYTHON_CASES_SANITIZE", "")
    return Options(
        optimise="-O0" if chance % 8 else "-O2",
        verify=chance >> 3 & 3 == 0,
        sanitize=tuple(filter(None, sanitizers.split(","))),
        gc=os.environ.get("RPYTHON_CASES_GC", Options().gc),
    )


def load(source: str, name: str) -> Program:
    """The program as a module whose source tools can see."""
    filename = f"/fuzz/{name}.py"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    module = types.ModuleType(name)
    module.__file__ = filename
    code = compile(source, filename, "exec")
    exec(code, module.__dict__)
    runs = oracle(source, filename), oracle(source, filename, LARGE)
    said = [(runs[0](*arguments), runs[1](*arguments)) for arguments in ARGUMENTS]
    return Program(source, code, module, tuple(said))


def check(program: Program, way: str, run: Callable[[int, int], str]) -> None:
    """Raises Difference."""
    for arguments, expected in zip(ARGUMENTS, program.expected):
        try:
            said = run(*arguments)
        except TranslationError:
            raise
        except Exception as error:
            said = f"raised {type(error).__name__}: {error}"
        if not _agrees(said, *expected) and said != program.plain(*arguments):
            where = _first_difference(expected[0], said)
            raise Difference(program, way, f", run{arguments}: {where}")


def _agrees(said: str, small: str, large: str) -> bool:
    """Is every line what CPython says, with ints of 64 bits or with large ones?  From the first
    line on where these two differ, it may be a mixture of both."""
    lines, small_lines, large_lines = (text.split("\n") for text in (said, small, large))
    for line, *both in zip(lines, small_lines, large_lines):
        if any(limit in line for limit in LIMITS):
            return True
        is_open = any(text in either for text in OPEN_TEXTS for either in (line, *both))
        if line not in both and not is_open:
            return False
        if both[0] != both[1]:
            return True
    return len(lines) == len(small_lines)


def _first_difference(expected: str, said: str) -> str:
    one, other = expected.split("\n"), said.split("\n")
    for i, line in enumerate(one):
        if i >= len(other) or other[i] != line:
            return f"line {i}: {other[i] if i < len(other) else 'nothing'!r}, not {line!r}"
    return f"more lines than {len(one)}"


def check_interpreted(program: Program) -> None:
    """Raises Difference."""
    try:
        interpretation = Interpretation.of(program.module.run, ARGUMENTS[0])
    except TranslationError as error:
        refused = _refused(program, [error])
        if refused is not None:
            raise refused from None
        return
    check(program, "interpreted", lambda a, b: interpretation.run((a, b)))


def check_batch(programs: Sequence[Program], native: bool) -> list[Difference]:
    """Check programs that are translated together, which is cheaper than one by one: they
    share the helpers.  The differences found, one per program at most.  Those that will be
    refused, as far as that is easy to see, are checked apart, and those with mixed kinds among
    themselves: the others would be annotated again and again with them."""
    apart = [p for p in programs if _has_large_constant(p.code)]
    mixed = [p for p in programs if MIXED_KINDS in p.source and p not in apart]
    others = [p for p in programs if p not in apart and p not in mixed]
    return [
        *_differences(apart, check_interpreted), *_check_together(mixed, native),
        *_check_together(others, native),
    ]  # fmt: skip


def _has_large_constant(code: types.CodeType) -> bool:
    """Is there an int beyond 64 bits among the constants?"""
    return any(
        _has_large_constant(const)
        if isinstance(const, types.CodeType)
        else isinstance(const, int) and not -(1 << 63) <= const < 1 << 63
        for const in code.co_consts
    )


def _check_together(programs: Sequence[Program], native: bool) -> list[Difference]:
    if not programs:
        return []
    entry = entry_of(programs)
    ways: dict[str, Entry] = {}
    try:
        if native:
            ways["native"] = compiled = rpython.compile(entry, options=build_options(programs))
            translation = compiled.translation
        else:
            translation = translation_of(entry)
        interpretation = Interpretation(translation)
    except TranslationError as error:
        failure = error
    else:
        ways["interpreted"] = lambda *args: interpretation.run(args)

        def check_one(program: Program) -> None:
            i = programs.index(program)
            for way, run in ways.items():
                check(program, way, partial(run, i))

        return _differences(programs, check_one)
    found = _refusals(programs, failure)
    others = [p for p in programs if p not in found]
    if len(others) < len(programs):
        told = [difference for difference in found.values() if difference is not None]
        return told + _check_together(others, native)
    if len(programs) == 1:
        return [_not_built(programs[0], failure)]
    half = len(programs) // 2
    return _check_together(programs[:half], native) + _check_together(programs[half:], native)


def _refusals(
    programs: Sequence[Program], failure: TranslationError
) -> dict[Program, Difference | None]:
    """The programs that the errors name, each with what is to be said of it."""
    found: dict[Program, Difference | None] = {}
    for program in programs:
        mine = [
            error
            for error in (failure, *failure.others)
            if error.span is not None and error.span.filename == program.module.__file__
        ]
        if mine:
            found[program] = _refused(program, mine)
    return found


def _refused(program: Program, errors: Sequence[TranslationError]) -> Difference | None:
    """What is to be said of a program with these errors in it: nothing if one is right.  Where
    kinds are mixed, an operation may be known to have operands that no kind of it takes."""
    if any(TOO_LARGE in str(error) for error in errors):
        return None
    if MIXED_KINDS in program.source and isinstance(errors[0], AnnotatorError):
        print(f"{program.name}: refused: {errors[0].message}", file=sys.stderr)
        return None
    return _not_built(program, errors[0])


def _not_built(program: Program, error: TranslationError) -> Difference:
    return Difference(program, "refused", f":\n{error.render()}")


def _differences(
    programs: Sequence[Program], check_one: Callable[[Program], None]
) -> list[Difference]:
    found = []
    for program in programs:
        try:
            check_one(program)
        except Difference as difference:
            found.append(difference)
    return found


def entry_of(programs: Sequence[Program]) -> Entry:
    """A function of a program's number and the two arguments."""
    lines = ["def entry(i: int, a: int, b: int) -> str:"]
    for i in range(len(programs)):
        lines += [f"    if i == {i}:", f"        return run{i}(a, b)"]
    lines.append('    return ""\n')
    text = "\n".join(lines)
    filename = f"/fuzz/{programs[0].module.__name__}_and_others.py"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    names = {f"run{i}": program.module.run for i, program in enumerate(programs)}
    exec(compile(text, filename, "exec"), names)
    entry: Entry = names["entry"]
    return entry
