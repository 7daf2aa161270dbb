"""``rpython.cdef`` on the host, and what the C back end makes of it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from cffi import FFI, CDefError, VerificationError

import rpython
from rpython.backend_c.build import build_shared, generate_shared
from rpython.backend_c.options import BuildOptions
from rpython.lltypesystem.foreign.cdef import CFunction
from rpython.lltypesystem.foreign.cglue import UnsupportedCType

LIBRARY = rpython.cdef(
    "int abs(int); double cbrt(double); size_t strlen(const char *);", libraries=["m"]
)


@LIBRARY.callback("int(int, int)", error=7)
def difference(a: int, b: int) -> int:
    return a - b


def use_everything(n: int) -> int:
    a = LIBRARY.new("int[]", [n, -n])
    a[0] = difference(a[0], LIBRARY.abs(a[1]))
    return a[0] + len(a) + int(LIBRARY.cbrt(27.0)) + LIBRARY.strlen(b"four")


def test_values_are_those_of_cffi() -> None:
    assert isinstance(LIBRARY.abs, CFunction)
    assert LIBRARY.abs(-3) == 3
    assert isinstance(LIBRARY.new("int *"), FFI.CData)
    assert LIBRARY.NULL == FFI().NULL
    assert LIBRARY.new is LIBRARY.new, "one object, however often it is read"
    with pytest.raises(AttributeError, match="the C declarations have no 'labs'"):
        LIBRARY.labs(1)


def test_what_is_declared_wrongly() -> None:
    with pytest.raises(CDefError):
        rpython.cdef("int abs(int")
    with pytest.raises(CDefError, match="need headers"):
        rpython.cdef("#define EOF ...")
    with pytest.raises(CDefError, match="need headers"):
        rpython.cdef("typedef int... number;")
    with pytest.raises(VerificationError, match="NO_SUCH_NAME"):
        rpython.cdef("#define NO_SUCH_NAME ...", headers=["stdio.h"])
    with pytest.raises(UnsupportedCType, match="global variable 'optind'"):
        rpython.cdef("extern int optind;")


def test_the_compiler_is_asked_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    source = "#define EOF ...\nstruct tm { int tm_year; ...; };"
    first = rpython.cdef(source, headers=["stdio.h", "time.h"])
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(subprocess, "run", None)
    again = rpython.cdef(source, headers=["stdio.h", "time.h"])
    assert again.EOF == first.EOF == -1
    assert again.sizeof("struct tm") == first.sizeof("struct tm") == 56


def test_without_a_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("CC", str(tmp_path / "no-compiler"))
    with pytest.raises(VerificationError, match="need a C compiler, see CC"):
        rpython.cdef("#define EOF ...", headers=["stdio.h"])


def test_libraries_and_headers_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "twice.h").write_text("#define TWO 2\nint twice(int);\n")
    (tmp_path / "twice.c").write_text('#include "twice.h"\nint twice(int n) { return TWO * n; }\n')
    subprocess.run(
        ["cc", "-shared", "-fPIC", "twice.c", "-o", "libtwice.so"], cwd=tmp_path, check=True
    )
    library = rpython.cdef(
        "#define TWO ...\nint twice(int);", libraries=["twice"], headers=['"twice.h"'],
        include_dirs=[str(tmp_path)], library_dirs=[str(tmp_path)],
    )  # fmt: skip

    def f(n: int) -> int:
        return library.twice(n) + library.TWO

    assert f(4) == 10
    assert rpython.interpret(f, [4]) == 10
    assert rpython.compile(f)(4) == 10


def test_in_several_units(tmp_path: Path) -> None:
    assert use_everything(5) == 9
    native = rpython.compile(use_everything)
    assert native(5) == 9
    program = native.translation.optimise()
    options = BuildOptions(unit_size=20, directory=tmp_path)
    sources = generate_shared(program, options)
    assert len(sources.files) > 4
    assert generate_shared(program, options).files == sources.files
    glue = sources.files["glue_1.c"]
    assert "result = (signed int)abs((signed int)a0);" in glue
    assert "if (raised) result = (signed int)(7);" in glue
    built = build_shared(program, tmp_path / "units.so", options)
    ffi = FFI()
    ffi.cdef("long rpy_call(long);")
    library = ffi.dlopen(str(built.path))
    assert library.rpy_call(5) == 9  # type: ignore[attr-defined]
