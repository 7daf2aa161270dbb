"""``ExternalCompilationInfo`` and what the host does with C sources."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import rpython
from rpython.lltypesystem import rffi, rffi_platform
from rpython.lltypesystem.foreign.cbuild import ExternalCompilationInfo
from rpython.lltypesystem.foreign.csources import compiler_command
from rpython.translator.ir.errors import BuildError


def test_flags_are_taken_apart() -> None:
    info = ExternalCompilationInfo.from_compiler_flags("-I/a -I /b -DX='1 2' -DY -O1").merge(
        ExternalCompilationInfo.from_linker_flags("-L/x -lfoo -Wl,-z -l bar")
    )
    assert info.include_dirs == ("/a", "/b")
    assert info.pre_include_bits == ("#define X 1 2", "#define Y 1")
    assert info.compile_extra == ("-O1",)
    assert (info.libraries, info.library_dirs) == (("foo", "bar"), ("/x",))
    assert info.link_extra == ("-Wl,-z",)


def test_merging_keeps_each_thing_once() -> None:
    a = ExternalCompilationInfo(includes=["a.h", "b.h"], libraries=["m"])
    b = ExternalCompilationInfo(includes=["b.h", "c.h"], libraries=["m"])
    assert a.merge(b) == ExternalCompilationInfo(includes=["a.h", "b.h", "c.h"], libraries=["m"])
    assert hash(a.merge(b)) == hash(a.merge(b, a))


def test_a_text_is_no_list() -> None:
    with pytest.raises(TypeError, match="includes must be a list"):
        ExternalCompilationInfo(includes="a.h")


def test_a_tool_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "pkg-config"
    tool.write_text(
        '#!/bin/sh\n[ "$2" = thing ] || { echo "no $2" >&2; exit 1; }\n'
        '[ "$1" = --cflags ] && echo -I/thing || echo -L/place -lthing\n'
    )
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    info = ExternalCompilationInfo.from_pkg_config("thing")
    assert (info.include_dirs, info.libraries) == (("/thing",), ("thing",))
    with pytest.raises(ImportError, match="no other"):
        ExternalCompilationInfo.from_pkg_config("other")
    with pytest.raises(ImportError, match="cannot find"):
        ExternalCompilationInfo.from_config_tool("no-such-tool")


def test_a_static_library(tmp_path: Path) -> None:
    (tmp_path / "five.c").write_text("int five(void) { return 5; }\n")
    made = [str(tmp_path / "five.o"), str(tmp_path / "libfive.a")]
    compile_it = [*compiler_command(), "-fPIC", "-c", str(tmp_path / "five.c"), "-o", made[0]]
    subprocess.run(compile_it, check=True)
    subprocess.run(["ar", "rc", made[1], made[0]], check=True)
    info = ExternalCompilationInfo(link_files=[made[1]])
    five = rffi.llexternal("five", [], rffi.INT, compilation_info=info)
    assert int(five()) == 5


def test_a_source_that_is_no_c() -> None:
    info = ExternalCompilationInfo(separate_module_sources=["int f(void) { return nothing; }"])
    function = rffi.llexternal("f", [], rffi.INT, compilation_info=info)
    with pytest.raises(rffi_platform.CompilationError, match="nothing"):
        function()


def test_a_function_that_is_nowhere() -> None:
    function = rffi.llexternal("rpython_no_such_function", [], rffi.INT)
    with pytest.raises(AttributeError, match="no library has the function"):
        function()


def test_questions_in_the_older_form() -> None:
    timeval = rffi_platform.getstruct(
        "struct timeval", "#include <sys/time.h>", [("tv_sec", rffi.LONG)]
    )
    assert timeval._flds["c_tv_sec"] == rffi.LONG
    assert rffi_platform.getconstantinteger("EOF", "#include <stdio.h>") == -1
    assert rffi_platform.getdefined("EOF", "#include <stdio.h>")
    assert not rffi_platform.getdefined("NO_SUCH_MACRO", "#include <stdio.h>")
    assert rffi_platform.has("malloc", "#include <stdlib.h>")
    assert rffi_platform.memory_alignment() == 8


def test_libraries_are_looked_for() -> None:
    class CConfig:
        m = rffi_platform.Library("m")
        other = rffi_platform.Library("rpython_no_such_library")

    assert rffi_platform.configure(CConfig) == {"m": True, "other": False}


def test_a_pointer_from_a_function_that_is_not_declared() -> None:
    info = ExternalCompilationInfo(
        includes=["stdlib.h"],
        separate_module_sources=["void *place(int n) { return calloc(1, n); }"],
    )
    place = rffi.llexternal("place", [rffi.INT], rffi.VOIDP, compilation_info=info)

    def f() -> bool:
        return bool(place(4))

    with pytest.raises(BuildError, match="the headers do not declare place"):
        rpython.compile(f, [])
