"""``rpython build --shared``: structs by value and by pointer, and callbacks, from C and C++."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = """\
from __future__ import annotations

import rpython
from rpython.rlib.entrypoint import entrypoint_lowlevel
from rpython.rtyper.lltypesystem import lltype, rffi

POINT = rffi.CStruct("point", ("x", rffi.LONG), ("y", rffi.DOUBLE), ("class", rffi.INT))
POINTP = lltype.Ptr(POINT)
NAME = rffi.CFixedArray(lltype.Char, 8)
LINE = rffi.CStruct("line", ("start", POINT), ("end", POINTP), ("name", NAME))
CALL = rffi.CCallback([lltype.Signed, rffi.VOIDP], lltype.Signed)


@entrypoint_lowlevel("main", [POINTP, lltype.Signed])
def shift(p, by):
    p.c_x += by
    p.c_y *= 2.0
    return p.c_x


@entrypoint_lowlevel("main", [lltype.Signed, POINT, lltype.Ptr(LINE)])
def measure(n, p, line):
    p.c_x += n
    ends = line.c_start.c_x + line.c_end.c_x
    return p.c_x + ends + rffi.cast(lltype.Signed, p.c_class) + ord(line.c_name[1])


@entrypoint_lowlevel("main", [lltype.Ptr(LINE)])
def end_of(line):
    return line.c_end


@rpython.entrypoint([str, POINT])
def described(name, p):
    return f"{name} {p.c_x} {p.c_y}"


@rpython.entrypoint([lltype.Signed, CALL, rffi.VOIDP], errors="code")
def each(n, f, data):
    total = 0
    for i in range(n):
        total += f(i, data)
    if total > 100:
        raise ValueError("too much")
    return total
"""
PROGRAM = r"""
#include <stdio.h>
#include <string.h>

#include "shapes.h"

static long twice(long i, char *data)
{
    shapes_point p = { 1, 1, 0 };
    return 2 * i + data[0] + shift(&p, 0);
}

int main(void)
{
    shapes_point p = { 3, 1.5, 4 }, q = { 100, 0, 0 };
    shapes_line line = { p, &q, "abc" };
    char one[] = { 1 }, *text;
    long total = 0;
    int code;
    printf("%ld", shift(&p, 5));
    printf(" %ld %g\n", p.x, p.y);
    printf("%ld", measure(7, p, &line));
    printf(" %ld %d %d\n", p.x, end_of(&line) == &q, (int)strlen(line.name));
    text = described("p", -1, p, NULL);
    puts(text);
    shapes_free(text);
    code = each(4, twice, one, &total);
    printf("%d %ld\n", code == shapes_OK, total);
    code = each(40, twice, one, &total);
    printf("%d %s\n", code == shapes_ValueError, shapes_error_message());
    return shapes_teardown();
}
"""
SAID = """\
8 8 3
220 8 1 3
p 8 3.0
1 20
1 too much
"""
OPAQUE = """\
import rpython
from rpython.rtyper.lltypesystem import lltype, rffi

INNER = lltype.Struct("inner", ("first", lltype.Signed), hints={"union": True})
OUTER = rffi.CStruct("outer", ("inner", INNER))


@rpython.entrypoint([OUTER])
def first(outer):
    return outer.c_inner.first
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("shapes")
    (place / "shapes.py").write_text(SOURCE)
    command = [sys.executable, "-m", "rpython", "build", "--shared", "shapes.py"]
    subprocess.run([*command, "-o", "libshapes.so"], cwd=place, check=True)
    return place


@pytest.mark.parametrize(("compiler", "suffix"), [("gcc", "c"), ("g++", "cpp")])
def test_programs(folder: Path, compiler: str, suffix: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"there is no {compiler}")
    (folder / f"main.{suffix}").write_text(PROGRAM)
    command = [compiler, "-Wall", "-Wextra", "-Werror", f"main.{suffix}", "-o", "main"]
    subprocess.run([*command, "-L.", "-lshapes", "-Wl,-rpath,."], cwd=folder, check=True)
    done = subprocess.run(["./main"], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout == SAID


def test_header(folder: Path) -> None:
    text = (folder / "shapes.h").read_text()
    assert "struct shapes_point {\n    long x;\n    double y;\n    int32_t class_;\n};" in text
    assert "    shapes_point start;\n    shapes_point *end;\n    char name[8];\n" in text
    assert "long measure(long n, shapes_point p, shapes_line *line);" in text
    assert "shapes_point *end_of(shapes_line *line);" in text
    assert "int each(long n, long (*f)(long, char *), char *data, long *result);" in text


def test_not_by_value_because_the_header_cannot_declare_it(tmp_path: Path) -> None:
    (tmp_path / "opaque.py").write_text(OPAQUE)
    command = [sys.executable, "-m", "rpython", "build", "--shared", "opaque.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "the argument 'outer' of first is a struct with members that the header" in done.stderr
    assert "[R1007]" in done.stderr and "hint: take a pointer to it" in done.stderr
