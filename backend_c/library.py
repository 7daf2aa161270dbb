"""The interface of a shared library: its header for C and C++, and the functions that it exports.

    /* repeat(times: int, text: str) -> str */
    char *repeat(long times, const char *text, long text_length, long *result_length);

is a function of ``library.c`` that calls the program's ``rpy_export_repeat`` with what
belongs around a call from C.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from rpython.backend_c.clibrary import is_c_library_name
from rpython.backend_c.library_types import LibraryTypes, declared, spaced
from rpython.backend_c.names import C_RESERVED
from rpython.lltypesystem.primitives import LowLevelType
from rpython.lltypesystem.program import LibraryFunction, Program
from rpython.translator.ir.errors import BuildError
from rpython.translator.ir.records import dataclass

LIBRARY_FILE = "library.c"
EXPORTS_FILE = "library.map"

_CPLUSPLUS = frozenset(
    """
    and and_eq asm bitand bitor catch class compl concept const_cast consteval constinit
    co_await co_return co_yield decltype delete dynamic_cast explicit export friend mutable
    namespace new noexcept not not_eq operator or or_eq private protected public
    reinterpret_cast requires static_cast template this throw try typeid typename using virtual
    wchar_t xor xor_eq char8_t char16_t char32_t
    """.split()
)
_TAKEN = C_RESERVED | _CPLUSPLUS

_OWN = {
    "startup": ("int", "void", "Make the library ready; may be left out, or called twice.  0."),
    "teardown": (
        "int", "void",
        "Call the finalizers that are left, write out what files hold; 1 when that fails.",
    ),
    "error": (
        "const char *", "void",
        "The class of the exception that this thread's last call raised; NULL: it succeeded.",
    ),
    "error_message": ("const char *", "void", "What str() of that exception gives, in UTF-8."),
    "error_traceback": ("const char *", "void", "What Python prints for it, several lines."),
    "free": ("void", "void *result", "Release a text or an array that a function returned."),
}  # fmt: skip

_OF_HANDLES = {
    "retain": ("void", "void *handle", "Have the object of a handle once more."),
    "release": (
        "void", "void *handle",
        "Have it once less: once for each time that a function returned it, or it was retained.",
    ),
}  # fmt: skip
_COUNTING = """\
int rpy_entered = rpy_library_enter();
    if (handle != NULL)
        rpy_handle_{}((long)handle);
    rpy_library_leave(rpy_entered);"""

_INTRODUCTION = """\
 * A str is UTF-8, a bytes any characters; both are passed with their length, or -1 when a zero
 * ends them, and returned as new memory with a zero behind it, to be released with
 * {name}_free().  Its length is stored in *result_length unless that is NULL.  NULL is None.
 *
 * After an exception a function returns 0 or NULL, and {name}_error() is not NULL.
"""


@dataclass(frozen=True)
class Library:
    """A library to build: the program, its functions for C, and a name, the prefix of what
    every library has.  Raises BuildError for names that C does not allow."""

    name: str
    program: Program
    functions: Sequence[LibraryFunction]

    def __post_init__(self) -> None:
        own = {f"{self.name}_{each}" for each in (*self._own(), "OK", *self._errors())}
        own |= {*self._classes(), *self._declared_types()}
        for function in self.functions:
            name = function.c_name
            wrong = not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name) or name.startswith("rpy_")
            if wrong or name in _TAKEN or name in own:
                raise BuildError(
                    f"{name!r} cannot be the name of a function in C",
                    function.graph.span,
                    hint='give it another: @rpython.entrypoint(..., c_name="...")',
                )
            if is_c_library_name(name):
                raise BuildError(
                    f"{name!r} is a function of the C library, which this one would replace",
                    function.graph.span,
                    hint='give it another name: @rpython.entrypoint(..., c_name="...")',
                )

    def header(self) -> str:
        """The text of the header."""
        guard = f"{self.name.upper()}_H"
        lines = [
            f"/* {self.name}: made by rpython3.",
            " *",
            *_INTRODUCTION.format(name=self.name).splitlines(),
            " */",
            f"#ifndef {guard}",
            f"#define {guard}",
            "",
            "#include <stdbool.h>",
            "#include <stdint.h>",
            "",
            "#ifdef __cplusplus",
            'extern "C" {',
            "#endif",
        ]
        for cls in self._classes():
            lines += ["", f"typedef struct {cls} {cls};"]
        if self._errors():
            lines += ["", "/* What functions return that give codes. */", "enum {"]
            names = ["OK", *self._errors()]
            lines += [f"    {self.name}_{each} = {i}," for i, each in enumerate(names)]
            lines.append("};")
        lines += self._types.definitions()
        for function in self.functions:
            lines += ["", *_comment(function.about), f"{self._prototype(function)};"]
        lines += ["", "/* ---- what every library has ---- */"]
        for name, (result, parameters, about) in self._own().items():
            head = f"{spaced(result)}{self.name}_{name}({parameters});"
            lines += ["", f"/* {about} */", head]
        lines += ["", "#ifdef __cplusplus", "}", "#endif", "#endif"]
        return "\n".join(lines) + "\n"

    def code(self, header: str) -> str:
        """The text of the functions, in a file that includes the header."""
        lines = [
            f"/* {self.name} for C: generated by rpython3 */",
            "#include <stdlib.h>",
            f'#include "{header}"',
            '#include "rpy_library.h"',
            *self._error_code(),
        ]
        for function in self.functions:
            lines += ["", *self._definition(function)]
        calls = {name: f"return rpy_library_{name}();" for name in _OWN}
        calls["free"] = "free(result);"
        calls |= {name: _COUNTING.format(name) for name in _OF_HANDLES}
        if self._classes():
            lines += [f"extern void rpy_handle_{name}(long handle);" for name in _OF_HANDLES]
        for name, (result, parameters, _) in self._own().items():
            head = f"RPY_EXPORTED {spaced(result)}{self.name}_{name}({parameters})"
            lines += ["", head, "{", f"    {calls[name]}", "}"]
        for own in ("flush", "finalize"):
            given = f"rpy_{own}" in self.program.exports
            lines += [
                "",
                *([f"extern void rpy_{own}(void);"] if given else []),
                f"void rpy_library_{own}(void)",
                "{",
                *([f"    rpy_{own}();"] if given else []),
                "}",
            ]
        lines += [
            "",
            "/* As RPython calls it. */",
            "RPY_EXPORTED void rpython_startup_code(void)",
            "{",
            "    rpy_library_startup();",
            "}",
        ]
        return "\n".join(lines) + "\n"

    def exports(self) -> str:
        """The linker's list of what others can see."""
        names = [function.c_name for function in self.functions]
        names += [f"{self.name}_{each}" for each in self._own()]
        names.append("rpython_startup_code")
        return "{ global: " + " ".join(f"{name};" for name in names) + " local: *; };\n"

    def _classes(self) -> list[str]:
        """What C calls the classes of handles."""
        names = [name for function in self.functions for name in function.handles.values()]
        return [f"{self.name}_{name}" for name in dict.fromkeys(names)]

    @cached_property
    def _types(self) -> LibraryTypes:
        names = {f"{self.name}_{each}" for each in (*self._own(), "OK", *self._errors())}
        return LibraryTypes(self.name, _TAKEN, frozenset({*names, *self._classes()}))

    def _declared_types(self) -> list[str]:
        """The structs of all functions."""
        for function in self.functions:
            self._prototype(function)
        return list(self._types.structs.values())

    def _own(self) -> dict[str, tuple[str, str, str]]:
        return _OWN | (_OF_HANDLES if self._classes() else {})

    def _type(self, function: LibraryFunction, index: int, plain: str) -> str:
        """The C type of a parameter, or of the result (-1)."""
        cls = function.handles.get(index)
        return plain if cls is None else f"{self.name}_{cls} *"

    def _parameters(self, function: LibraryFunction) -> list[tuple[str, str]]:
        """The C type and the name of each parameter."""
        names: list[str] = []
        for wish, _ in function.parameters:
            name = wish if wish.isascii() else f"argument{len(names)}"
            while name in _TAKEN or name in names:
                name += "_"
            names.append(name)
        given = zip(function.graph.getargs(), function.parameters, strict=True)
        types = [
            self._value_type(function, name, v.concretetype)
            if i in function.by_value
            else self._type(function, i, self._types.of(v.concretetype, readonly))
            for i, (v, (name, readonly)) in enumerate(given)
        ]
        return list(zip(types, names))

    def _value_type(self, function: LibraryFunction, name: str, T: LowLevelType) -> str:
        """The C type of a struct that is passed by value.  Raises BuildError."""
        ctype = self._types.value(T)
        if ctype is None:
            raise BuildError(
                f"the argument {name!r} of {function.c_name} is a struct with members that the"
                " header cannot declare",
                function.graph.span,
                hint="take a pointer to it",
            )
        return ctype

    def _prototype(self, function: LibraryFunction) -> str:
        parameters = [declared(ctype, name) for ctype, name in self._parameters(function)]
        result = self._result(function)
        if function.errors:
            place = [] if result == "void" else [f"{spaced(result)}*{self._place(function)}"]
            parameters[len(parameters) - int(function.sized) :] = [
                *place, *parameters[len(parameters) - int(function.sized) :]
            ]  # fmt: skip
            result = "int"
        return f"{spaced(result)}{function.c_name}({', '.join(parameters) or 'void'})"

    def _error_code(self) -> list[str]:
        """The C function that gives the code of what the last call raised; 0: nothing."""
        if not self._errors():
            return []
        names = ", ".join(f'"{name}"' for name in self._errors())
        return [
            "#include <string.h>",
            "",
            "static int error_code(void)",
            "{",
            f"    static const char *const names[] = {{ {names}, NULL }};",
            "    const char *raised = rpy_library_error();",
            "    int i = 0;",
            "    if (raised == NULL)",
            "        return 0;",
            "    while (names[i] != NULL && strcmp(names[i], raised) != 0)",
            "        i++;",
            "    return i + 1;",
            "}",
        ]

    def _place(self, function: LibraryFunction) -> str:
        """The name of the parameter through which a function with codes gives its result."""
        names = [name for _, name in self._parameters(function)]
        place = "result"
        while place in names:
            place += "_"
        return place

    def _errors(self) -> list[str]:
        """The classes of exceptions that have codes, from 1."""
        return list(next((f.errors for f in self.functions if f.errors), ()))

    def _result(self, function: LibraryFunction) -> str:
        T = function.graph.getreturnvar().concretetype
        return self._type(function, -1, self._types.of_result(T))

    def _passed(self, function: LibraryFunction) -> tuple[list[str], list[str]]:
        """The types by which the program's function takes its arguments, and these: it has names of
        its own for structs and functions."""
        types, passed = [], []
        for i, (ctype, name) in enumerate(self._parameters(function)):
            if i in function.handles:
                ctype, name = "long", f"(long){name}"
            elif i in function.by_value:
                ctype, name = "void *", f"&{name}"
            elif "(*)" in ctype or ctype.removesuffix(" *") in self._types.structs.values():
                ctype, name = "void *", f"(void *){name}"
            types.append(ctype)
            passed.append(name)
        return types, passed

    def _definition(self, function: LibraryFunction) -> list[str]:
        """The function: what the program's graph returns, with the rest around it."""
        parameters = self._parameters(function)
        result = self._result(function)
        symbol = next(
            name for name, graph in self.program.exports.items() if graph is function.graph
        )
        types, passed = self._passed(function)
        own_result = "long" if -1 in function.handles else result
        call = f"{symbol}({', '.join(passed)});"
        if own_result != result:
            call = f"({result}){call}"
        lines = [
            f"extern {spaced(own_result)}{symbol}({', '.join(types) or 'void'});",
            f"RPY_EXPORTED {self._prototype(function)}",
            "{",
        ]
        if result != "void":
            lines.append(f"    {spaced(result)}rpy_result;")
        lines.append("    int rpy_entered;")
        if function.sized:
            size = parameters[-1][1]
            lines += [f"    if ({size} != NULL)", f"        *{size} = 0;"]
        lines += [
            "    rpy_entered = rpy_library_enter();",
            f"    {call}" if result == "void" else f"    rpy_result = {call}",
            "    rpy_library_leave(rpy_entered);",
        ]
        if function.errors:
            if result != "void":
                place = self._place(function)
                lines += [f"    if ({place} != NULL)", f"        *{place} = rpy_result;"]
            lines.append("    return error_code();")
        elif result != "void":
            lines.append("    return rpy_result;")
        return [*lines, "}"]


def library_name(out: Path) -> str:
    """The name of a library, for use in C: ``foo`` for ``libfoo.so``."""
    name = re.sub("[^A-Za-z0-9]+", "_", out.name.partition(".")[0].removeprefix("lib")).strip("_")
    return f"x{name}" if not name or name[0].isdigit() else name


def header_path(out: Path) -> Path:
    """Where the header of a library goes: ``foo.h`` beside ``libfoo.so``."""
    return out.with_name(f"{out.name.partition('.')[0].removeprefix('lib') or 'library'}.h")


def package_file(out: Path) -> dict[str, str]:
    """The file by which pkg-config finds a library, by its name: ``foo.pc`` beside ``libfoo.so``.
    The library is found where that file is."""
    header = header_path(out)
    found = out.name.startswith("lib") and out.suffix == ".so"
    link = f"-L${{pcfiledir}} -l{header.stem}" if found else f"${{pcfiledir}}/{out.name}"
    lines = (
        f"Name: {header.stem}", f"Description: {header.stem}, made by rpython3", "Version: 0",
        "Cflags: -I${pcfiledir}", f"Libs: {link} -Wl,-rpath,${{pcfiledir}}",
    )  # fmt: skip
    return {f"{header.stem}.pc": "\n".join(lines) + "\n"}


def _comment(lines: Sequence[str]) -> list[str]:
    """A comment of these lines."""
    text = "\n * ".join(line.replace("*/", "* /") for line in lines)
    return [line.rstrip() for line in f"/* {text} */".splitlines()]
