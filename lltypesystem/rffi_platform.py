"""RPython's ``rffi_platform``: what the C compiler says about the headers of a library.

    class CConfig:
        _compilation_info_ = ExternalCompilationInfo(includes=["time.h"])
        clock_t = SimpleType("clock_t")
        CLOCKS_PER_SEC = ConstantInteger("CLOCKS_PER_SEC")
        tm = Struct("struct tm", [("tm_year", rffi.INT), ("tm_mon", rffi.INT)])

    globals().update(configure(CConfig))

Everything is asked when the program is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cffi import VerificationError

from rpython.lltypesystem.foreign.cbuild import NO_INFO, ExternalCompilationInfo
from rpython.lltypesystem.foreign.cprobe import run_program
from rpython.lltypesystem.primitives import (
    Char,
    Float,
    Int8,
    Int16,
    Int32,
    LowLevelType,
    Signed,
    SingleFloat,
    UInt8,
    UInt16,
    UInt32,
    Unsigned,
)
from rpython.lltypesystem.rffi import CFixedArray
from rpython.lltypesystem.types import Struct as StructType

Answers = Mapping[str, str]
_INTEGERS: dict[tuple[int, bool], LowLevelType] = {
    (1, True): Int8, (2, True): Int16, (4, True): Int32, (8, True): Signed,
    (1, False): UInt8, (2, False): UInt16, (4, False): UInt32, (8, False): Unsigned,
}  # fmt: skip

CompilationError = VerificationError


class Entry:
    """Something to find out.  ``lines``: C statements that print lines ``KEY VALUE``."""

    def lines(self, key: str) -> list[str]:
        raise NotImplementedError

    def answer(self, key: str, found: Answers) -> Any:
        """What ``configure`` gives for it; ``found``: what was printed, by key."""
        raise NotImplementedError


def _print(key: str, value: str) -> str:
    return f'printf("{key} %lld\\n", (long long)({value}));'


def _if_defined(macro: str, statement: str) -> list[str]:
    return [f"#ifdef {macro}", statement, "#endif"]


class ConstantInteger(Entry):
    """The value of a constant expression."""

    def __init__(self, name: str) -> None:
        self.name = name

    def lines(self, key: str) -> list[str]:
        return [_print(key, self.name)]

    def answer(self, key: str, found: Answers) -> int:
        return int(found[key])


class DefinedConstantInteger(ConstantInteger):
    """The value of a macro, None if it is not defined."""

    def __init__(self, macro: str) -> None:
        super().__init__(macro)

    def lines(self, key: str) -> list[str]:
        return _if_defined(self.name, _print(key, self.name))

    def answer(self, key: str, found: Answers) -> Any:
        return int(found[key]) if key in found else None


class Defined(DefinedConstantInteger):
    """Is the macro defined?"""

    def lines(self, key: str) -> list[str]:
        return _if_defined(self.name, _print(key, "1"))

    def answer(self, key: str, found: Answers) -> bool:
        return key in found


class ConstantString(ConstantInteger):
    """The value of an expression that is a text of C, without line ends."""

    def lines(self, key: str) -> list[str]:
        return [f'printf("{key} %s\\n", ({self.name}));']

    def answer(self, key: str, found: Answers) -> Any:
        return found[key]


class DefinedConstantString(ConstantString):
    """The same of a macro, None if it is not defined."""

    def lines(self, key: str) -> list[str]:
        return _if_defined(self.name, super().lines(key)[0])

    def answer(self, key: str, found: Answers) -> Any:
        return found.get(key)


class SizeOf(ConstantInteger):
    """The size of a type, in bytes."""

    def lines(self, key: str) -> list[str]:
        return [_print(key, f"sizeof({self.name})")]


class SimpleType(Entry):
    """The low-level type of a type of numbers.  ``ctype_hint``: of a floating-point type, Float.
    ``ifdef``: a macro without which there is none, and the answer is None."""

    def __init__(
        self, name: str, ctype_hint: LowLevelType = Signed, ifdef: str | None = None
    ) -> None:
        self.name = name
        self.floating = ctype_hint in (Float, SingleFloat)
        self.ifdef = ifdef

    def lines(self, key: str) -> list[str]:
        asked = [
            _print(f"{key}.size", f"sizeof({self.name})"),
            _print(f"{key}.signed", f"({self.name})-1 < 0"),
        ]
        return asked if self.ifdef is None else _if_defined(self.ifdef, "\n".join(asked))

    def answer(self, key: str, found: Answers) -> Any:
        if f"{key}.size" not in found:
            return None
        size = int(found[f"{key}.size"])
        if self.floating:
            return Float if size == 8 else SingleFloat
        return _INTEGERS[size, found[f"{key}.signed"] == "1"]


class Struct(Entry):
    """A struct with the fields asked for, ``c_NAME``, where C has them; the rest is padding.
    Integers get the type that the field has in C; the type of a field may be a question, too."""

    def __init__(
        self, name: str, interesting_fields: Sequence[tuple[str, LowLevelType | Entry]],
        ifdef: str | None = None,
    ) -> None:  # fmt: skip
        self.name = name
        self.fields = list(interesting_fields)
        self.ifdef = ifdef

    def lines(self, key: str) -> list[str]:
        asked = [_print(f"{key}.size", f"sizeof({self.name})")]
        for name, T in self.fields:
            field = f"(({self.name} *)0)->{name}"
            asked.append(_print(f"{key}.{name}.offset", f"offsetof({self.name}, {name})"))
            asked.append(_print(f"{key}.{name}.size", f"sizeof({field})"))
            if isinstance(T, Entry):
                asked += T.lines(f"{key}.{name}")
            elif T in _INTEGERS.values():
                signed = f"(__typeof__({field}))-1 < 0"
                asked.append(_print(f"{key}.{name}.signed", signed))
        return asked if self.ifdef is None else _if_defined(self.ifdef, "\n".join(asked))

    def answer(self, key: str, found: Answers) -> Any:
        if f"{key}.size" not in found:
            return None

        def ask(what: str) -> int:
            return int(found[f"{key}.{what}"])

        laid_out: list[tuple[str, LowLevelType]] = []
        end = 0
        for name, T in sorted(self.fields, key=lambda field: ask(f"{field[0]}.offset")):
            offset, size = ask(f"{name}.offset"), ask(f"{name}.size")
            if offset > end:
                laid_out.append((f"c__pad{len(laid_out)}", CFixedArray(Char, offset - end)))
            if isinstance(T, Entry):
                T = T.answer(f"{key}.{name}", found)
            elif T in _INTEGERS.values():
                T = _INTEGERS[size, ask(f"{name}.signed") == 1]
            laid_out.append((f"c_{name}", T))
            end = offset + size
        if ask("size") > end:
            laid_out.append((f"c__pad{len(laid_out)}", CFixedArray(Char, ask("size") - end)))
        hints = {"c_name": self.name.removeprefix("struct "), "external": "C"}
        return StructType(self.name.removeprefix("struct "), *laid_out, hints=hints)


class Has(Entry):
    """Is there something of that name?  (A program that uses it compiles and links.)"""

    def __init__(self, name: str) -> None:
        self.name = name

    def lines(self, key: str) -> list[str]:
        return [f"(void)({self.name});"]


class Works(Entry):
    """Can the headers be included and the libraries linked?"""

    def lines(self, key: str) -> list[str]:
        return []


class Library(Entry):
    """Can a program be linked with the library of that name?"""

    def __init__(self, name: str) -> None:
        self.name = name

    def lines(self, key: str) -> list[str]:
        return []


def configure(CConfig: Any, ignore_errors: bool = False) -> dict[str, Any]:
    """The answers for the entries of the class, by name; ``_compilation_info_`` says which
    headers.  Raises CompilationError when the C compiler rejects a question."""
    entries = {
        name: entry for name, entry in vars(CConfig).items() if isinstance(entry, Entry)
    }
    return configure_entries(entries, getattr(CConfig, "_compilation_info_", NO_INFO))


def configure_entries(
    entries: Mapping[str, Entry], info: ExternalCompilationInfo
) -> dict[str, Any]:
    """The answers for entries by name."""
    asked = {name: entry for name, entry in entries.items() if not _is_test(entry)}
    statements = [line for name, entry in asked.items() for line in entry.lines(name)]
    found: dict[str, str] = {}
    if statements:
        for line in _run(statements, info).splitlines():
            key, _, value = line.partition(" ")
            found[key] = value
    return {
        name: entry.answer(name, found) if name in asked else _compiles(entry, name, info)
        for name, entry in entries.items()
    }


def _is_test(entry: Entry) -> bool:
    return isinstance(entry, Has | Works | Library)


def _run(statements: Sequence[str], info: ExternalCompilationInfo, link: bool = False) -> str:
    lines = ["#define _GNU_SOURCE", "#include <stddef.h>", "#include <stdio.h>"]
    lines += [*info.declarations(), "int main(void)", "{", *statements]
    lines += ["    return 0;", "}", ""]
    return run_program("\n".join(lines), info.linking(), link)


def _compiles(entry: Entry, key: str, info: ExternalCompilationInfo) -> bool:
    if isinstance(entry, Library):
        info = info.merge(ExternalCompilationInfo(libraries=[entry.name]))
    try:
        _run(entry.lines(key), info, link=True)
    except CompilationError:
        return False
    return True


# -- one question


def _one(entry: Callable[..., Entry]) -> Any:
    def ask(
        name: str, *args: Any, compilation_info: ExternalCompilationInfo = NO_INFO, **keywords: Any
    ) -> Any:
        if args and isinstance(args[0], str):  # RPython's older form: C code that includes headers
            compilation_info = _with_code(compilation_info, args[0])
            args = args[1:]
        return configure_entries({"it": entry(name, *args, **keywords)}, compilation_info)["it"]

    return ask


def _with_code(info: ExternalCompilationInfo, code: str) -> ExternalCompilationInfo:
    return info.merge(ExternalCompilationInfo(post_include_bits=[code]))


getstruct, getsimpletype, getconstantinteger = _one(Struct), _one(SimpleType), _one(ConstantInteger)
getdefined, getdefineinteger = _one(Defined), _one(DefinedConstantInteger)
getsizeof, _has = _one(SizeOf), _one(Has)


def has(name: str, include_string: str = "", info: ExternalCompilationInfo = NO_INFO) -> bool:
    """Is there something of that name?  ``include_string``: lines that include its header."""
    return bool(_has(name, compilation_info=_with_code(info, include_string)))


def sizeof(name: str, info: ExternalCompilationInfo = NO_INFO) -> int:
    """The size of a type, in bytes."""
    return int(getsizeof(name, compilation_info=info))


def verify_eci(info: ExternalCompilationInfo) -> None:
    """Raises CompilationError unless the headers and the libraries are there."""
    _run([], info, link=True)


def memory_alignment() -> int:
    """How C aligns pointers and doubles."""
    return max(
        int(getconstantinteger(f"offsetof(struct {{ char c; {T} x; }}, x)"))
        for T in ("double", "void *")
    )
