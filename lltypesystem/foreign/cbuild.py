"""RPython's ``ExternalCompilationInfo``: what the C compiler and the linker have to know.

    eci = ExternalCompilationInfo(
        includes=["math.h"],
        separate_module_sources=["int twice(int n) { return 2 * n; }"],
        libraries=["m"],
    )

C sources of the program's own are compiled into it; where the program runs untranslated, into a
library that is loaded (``csources``).
"""

from __future__ import annotations

import ctypes.util
import dataclasses
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import field, fields
from pathlib import Path
from typing import Any

from rpython.lltypesystem.foreign.cglue import include_lines, prelude
from rpython.lltypesystem.foreign.csources import host_library, written_source
from rpython.lltypesystem.foreign.external import Linking
from rpython.translator.ir.records import dataclass

_EXPORTS = """\
#ifndef RPY_EXTERN
#define RPY_EXPORTED __attribute__((visibility("default")))
#define RPY_EXTERN extern RPY_EXPORTED
#endif
"""


@dataclass(frozen=True)
class ExternalCompilationInfo:
    """All are sequences of texts.

    pre_include_bits, post_include_bits: C code before and after the ``includes``.
    libraries: names as for ``-l``; include_dirs, library_dirs: where else to look.
    separate_module_sources, separate_module_files: C code and C files to compile; the code may
        use what the bits and the includes declare.
    compile_extra, link_extra, link_files: arguments for the compiler and the linker.
    """

    pre_include_bits: Sequence[str] = ()
    includes: Sequence[str] = ()
    include_dirs: Sequence[str] = ()
    post_include_bits: Sequence[str] = ()
    libraries: Sequence[str] = ()
    library_dirs: Sequence[str] = ()
    separate_module_sources: Sequence[str] = ()
    separate_module_files: Sequence[str] = ()
    compile_extra: Sequence[str] = ()
    link_extra: Sequence[str] = ()
    link_files: Sequence[str] = ()
    testonly_libraries: Sequence[str] = field(default=(), compare=False)
    frameworks: Sequence[str] = field(default=(), compare=False)
    use_cpp_linker: bool = field(default=False, compare=False)
    platform: object = field(default=None, compare=False)

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, str):
                raise TypeError(f"{each.name} must be a list of str, not a str")
            if isinstance(value, Iterable):
                object.__setattr__(self, each.name, tuple(map(str, value)))

    def declares(self) -> bool:
        """Do the includes and bits say something about functions?"""
        return bool(self.includes or self.pre_include_bits or self.post_include_bits)

    def declarations(self) -> list[str]:
        """The lines of C with which each file starts."""
        return [*self.pre_include_bits, *include_lines(self.includes), *self.post_include_bits]

    def prelude(self) -> str:
        """How a file of wrappers starts."""
        return prelude(self.includes, self.pre_include_bits, self.post_include_bits)

    def source_files(self) -> tuple[str, ...]:
        """The C files to compile: the given ones, and one for each source."""
        start = "\n".join(["#define _GNU_SOURCE", _EXPORTS, *self.declarations(), ""])
        made = [str(written_source(start + text)) for text in self.separate_module_sources]
        return (*map(os.path.abspath, self.separate_module_files), *made)

    def files(self) -> list[str | None]:
        """The files to load for the libraries; None is the C library."""
        libraries = map(self._library_file, self.libraries)
        return [*self._own_library(), *libraries, None]

    def _own_library(self) -> list[str]:
        """The library of the sources, which the host loads, if there are some.  Raises
        VerificationError."""
        if self.separate_module_sources or self.separate_module_files:
            return [str(host_library(self.linking()))]
        return []

    def wrappers(self, code: str) -> Path:
        """A library of C code that calls what this declares.  Raises VerificationError."""
        linking = self.linking()
        extra = (*self._own_library(), *linking.link_extra)
        file = written_source("\n".join(["#define _GNU_SOURCE", *self.declarations(), code]))
        return host_library(dataclasses.replace(linking, sources=(str(file),), link_extra=extra))

    def convert_sources_to_files(self) -> ExternalCompilationInfo:
        """The same with a file for each source, which what is merged later does not change."""
        if not self.separate_module_sources:
            return self
        files = self.source_files()
        return dataclasses.replace(self, separate_module_sources=(), separate_module_files=files)

    def _library_file(self, name: str) -> str:
        file = name[1:] if name.startswith(":") else f"lib{name}.so"
        for place in self.library_dirs:
            if os.path.exists(os.path.join(place, file)):
                return os.path.abspath(os.path.join(place, file))
        return file if name.startswith(":") else ctypes.util.find_library(name) or file

    def linking(self) -> Linking:
        """The same for the compiler and the linker: it takes the files that are loaded here."""
        names = []
        for name in self.libraries:
            file = self._library_file(name)
            names.append(name if os.path.isabs(file) else f":{file}")
        return Linking(
            tuple(names), tuple(self.include_dirs), tuple(self.library_dirs),
            self.source_files(), tuple(self.compile_extra),
            (*self.link_files, *self.link_extra),
        )  # fmt: skip

    def merge(self, *others: ExternalCompilationInfo) -> ExternalCompilationInfo:
        """What this one and the others say together, each thing once."""
        together: dict[str, Any] = {}
        for each in fields(self):
            if isinstance(getattr(self, each.name), tuple):
                values = [value for info in (self, *others) for value in getattr(info, each.name)]
                together[each.name] = tuple(dict.fromkeys(values))
        return dataclasses.replace(self, **together)

    @classmethod
    def from_compiler_flags(cls, flags: str) -> ExternalCompilationInfo:
        """What ``-I``, ``-D`` and other arguments for the compiler say."""
        parts = _by_letter(flags, "ID")
        macros = [macro.partition("=") for macro in parts["D"]]
        return cls(
            pre_include_bits=[
                f"#define {name} {value if given else 1}" for name, given, value in macros
            ],
            include_dirs=parts["I"],
            compile_extra=parts[""],
        )

    @classmethod
    def from_linker_flags(cls, flags: str) -> ExternalCompilationInfo:
        """What ``-l``, ``-L`` and other arguments for the linker say."""
        parts = _by_letter(flags, "lL")
        return cls(libraries=parts["l"], library_dirs=parts["L"], link_extra=parts[""])

    @classmethod
    def from_config_tool(cls, tool: str, *arguments: str) -> ExternalCompilationInfo:
        """What a tool answers to ``--cflags`` and ``--libs``.  Raises ImportError when there is no
        such tool, or it fails."""
        if shutil.which(tool) is None:
            raise ImportError(f"cannot find {tool!r}")
        texts = []
        for question in ("--cflags", "--libs"):
            done = subprocess.run([tool, question, *arguments], capture_output=True, text=True)
            if done.returncode:
                raise ImportError(f"{tool} fails: {done.stderr.strip()}")
            texts.append(done.stdout)
        return cls.from_compiler_flags(texts[0]).merge(cls.from_linker_flags(texts[1]))

    @classmethod
    def from_pkg_config(cls, name: str) -> ExternalCompilationInfo:
        """The same of ``pkg-config`` about a package."""
        return cls.from_config_tool("pkg-config", name)


def _by_letter(flags: str, letters: str) -> dict[str, list[str]]:
    """The values of the options with these letters; "" has the other arguments."""
    found: dict[str, list[str]] = {letter: [] for letter in ("", *letters)}
    arguments = iter(shlex.split(flags))
    for argument in arguments:
        letter = argument[1:2]
        if argument.startswith("-") and letter and letter in letters:
            found[letter].append(argument[2:] or next(arguments, ""))
        else:
            found[""].append(argument)
    return found


NO_INFO = ExternalCompilationInfo()
