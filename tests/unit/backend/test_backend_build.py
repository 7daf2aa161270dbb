"""Executables, tracebacks on stderr, the object cache, failures; the C runtime."""

from __future__ import annotations

import ctypes
import math
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpython.backend_c.build import RUNTIME, build_executable, build_shared
from rpython.backend_c.compiler import find_compiler
from rpython.backend_c.options import BuildOptions
from rpython.lltypesystem import rstr
from rpython.lltypesystem.foreign.external import CCHARP, llexternal, make_charp
from rpython.lltypesystem.lltype import Signed
from rpython.lltypesystem.program import Program
from rpython.lltypesystem.simulated.memory import _ptr
from rpython.translator.ir.errors import BuildError
from tests.support.lowlevel import World, test_options

EMPTY = """
    graph rpy_entry_point() -> Signed {
    b0():
        return 0
    }
"""


def external(name: str, args: list[Any], result: Any, header: str) -> _ptr:
    return llexternal(name, args, result, lambda *args: None, includes=[header])


def build(program: Program, tmp_path: Path, name: str = "prog", **options: Any) -> Path:
    return build_executable(program, tmp_path / name, test_options(tmp_path, **options)).path


def run(path: Path, *args: str, **kwds: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([path, *args], capture_output=True, text=True, timeout=30, **kwds)


def test_exit_status_and_arguments(tmp_path: Path) -> None:
    world = World()
    world.add("argc", external("rpy_argc", [], Signed, "rpy_args.h"))
    world.add("argv", external("rpy_argv", [Signed], CCHARP, "rpy_args.h"))
    program = world.program("""
        graph rpy_entry_point() -> Signed {
        b0():
            n: Signed = direct_call(@argc)
            last = int_sub(n, 1)
            s: *Array(Char, nolength) = direct_call(@argv, last)
            c: Char = getarrayitem(s, 0)
            k = cast_char_to_int(c)
            t = int_mul(n, 256)
            u = int_add(t, k)
            return u
        }
    """)
    path = build(program, tmp_path)
    assert run(path, "x", "abc").returncode == ord("a")


def test_output_is_flushed_and_status_is_cut(tmp_path: Path) -> None:
    world = World()
    world.add("write", external("rpy_os_write", [Signed, CCHARP, Signed], Signed, "rpy_os.h"))
    text = make_charp(b"hello\n")
    world.add("hello", text)
    program = world.program("""
        graph rpy_entry_point() -> Signed {
        b0():
            return -1
        }
        graph rpy_flush() -> Void {
        b0():
            n: Signed = direct_call(@write, 1, @hello, 6)
            return void
        }
    """)
    done = run(build(program, tmp_path))
    assert (done.returncode, done.stdout) == (255, "hello\n")


CRASHING = """\
graph check(n: Signed) -> Signed {
b0(n):
    zero = int_is_true(n)
    if zero goto b1() else return n
b1():
    keepalive(@an.ValueError)
    raise @an.ValueError
}
graph rpy_entry_point() -> Signed {
b0():
    stack_check()
    x: Signed = direct_call(@check, 3)
    return x
}
graph rpy_exception_text(e: *object) -> *rpy_bytes {
b0(e):
    return @message
}
"""


def test_uncaught_exception(tmp_path: Path) -> None:
    source = tmp_path / "crash.txt"
    source.write_text(CRASHING)
    world = World()
    world.env.types["rpy_bytes"] = rstr.BYTES
    world.add("message", rstr.make_bytes("bad n: é".encode()))
    program = world.program(CRASHING, str(source))
    done = run(build(program, tmp_path))
    assert done.returncode == 1
    assert done.stderr == (
        "Traceback (most recent call last):\n"
        f'  File "{source}", line 12, in rpy_entry_point\n'
        "    x: Signed = direct_call(@check, 3)\n"
        "    ^\n"
        f'  File "{source}", line 6, in check\n'
        "    keepalive(@an.ValueError)\n"
        "    ^\n"
        "ValueError: bad n: é\n"
    )
    source.unlink()
    del program.exports["rpy_exception_text"]
    done = run(build(program, tmp_path))
    assert done.stderr == (
        "Traceback (most recent call last):\n"
        f'  File "{source}", line 12, in rpy_entry_point\n'
        f'  File "{source}", line 6, in check\n'
        "ValueError\n"
    )


def test_flushing_does_not_lose_the_traceback(tmp_path: Path) -> None:
    world = World()
    program = world.program("""
        graph fails() -> Signed {
        b0():
            raise @an.KeyError
        }
        graph rpy_flush() -> Void {
        b0():
            try x: Signed = direct_call(@fails)
            return void
            except BaseException(@vt.BaseException) return void
        }
        graph rpy_entry_point() -> Signed {
        b0():
            keepalive(@an.IndexError)
            raise @an.IndexError
        }
    """)
    lines = run(build(program, tmp_path)).stderr.splitlines()
    assert lines[1].endswith(", in rpy_entry_point")
    assert lines[2:] == ["IndexError"]


def test_debug_build_knows_every_line(tmp_path: Path) -> None:
    result = build_executable(
        World().program(RECURSION), tmp_path / "prog", test_options(tmp_path, debug=True)
    )
    text = (result.directory / "program.c").read_text()
    # the test of rpy_exc belongs to the line of the call before it
    assert re.search(r" down\(n\);\n#line 5\n.*rpy_exc", text)


RECURSION = """
    graph down(n: Signed) -> Signed {
    b0(n):
        stack_check()
        r: Signed = direct_call(@down, n)
        s = int_add(r, n)
        return s
    }
    graph rpy_entry_point() -> Signed {
    b0():
        x: Signed = direct_call(@down, 3)
        return x
    }
"""


def test_recursion_error_is_shown_short(tmp_path: Path) -> None:
    path = build(World().program(RECURSION), tmp_path)
    lines = run(path).stderr.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert [line.rpartition(" ")[2] for line in lines[1:5]] == ["rpy_entry_point"] + ["down"] * 3
    assert lines[5].startswith("  [Previous line repeated ")
    assert int(lines[5].split()[3]) > 10_000
    assert lines[-1] == "RecursionError"
    assert len(lines) == 8
    unlimited = subprocess.run(
        f"ulimit -s unlimited && {path}", shell=True, capture_output=True, text=True
    )
    if unlimited.returncode == 1:  # else the hard limit is lower
        assert unlimited.stderr.endswith("RecursionError\n")


def test_heap_limit(tmp_path: Path) -> None:
    program = World().program("""
        graph rpy_entry_point() -> Signed {
        b0():
            goto b1()
        b1():
            a: *GcArray(Signed) = malloc_varsize(type GcArray(Signed), {'flavor': 'gc'}, 1000)
            goto b1()
        }
    """)
    path = build(program, tmp_path, gc="none")
    done = run(path, env={**os.environ, "RPYTHON_GC_MAX": "64M"})
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, "MemoryError")


def test_entry_point_of_an_executable_is_checked(tmp_path: Path) -> None:
    program = World().program("graph f(n: Signed) -> Signed {\nb0(n):\n return n\n}")
    with pytest.raises(BuildError, match="must take nothing and return Signed"):
        build(program, tmp_path)


# ------------------------------------------------------------------------ building


def uncached(tmp_path: Path, **options: Any) -> BuildOptions:
    """Options with which nothing was built before."""
    return test_options(tmp_path, cache=tmp_path / "objects", **options)


def test_second_build_compiles_nothing(tmp_path: Path) -> None:
    first = build_executable(
        World().program(RECURSION), tmp_path / "a", uncached(tmp_path, unit_size=1)
    )
    assert first.compiled == first.units
    second = build_executable(
        World().program(RECURSION), tmp_path / "b", uncached(tmp_path, unit_size=1)
    )
    assert (second.compiled, second.units) == (0, first.units)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    other_flags = build_executable(
        World().program(RECURSION), tmp_path / "a", uncached(tmp_path, optimise="-O0")
    )
    assert other_flags.compiled == other_flags.units


def test_bytes_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    script = (
        "from tests.support.lowlevel import World; from rpython.backend_c.build import *;"
        "import test_backend_build as t;"
        "program = World().program(t.RECURSION + t.EMPTY.replace('rpy_entry', 'other'));"
        "print(generate_shared(program, BuildOptions(unit_size=1)).files)"
    )
    outputs = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        environment["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), *sys.path])
        outputs.add(subprocess.check_output([sys.executable, "-c", script], env=environment))
    assert len(outputs) == 1


def test_unchanged_units_are_reused(tmp_path: Path) -> None:
    options = uncached(tmp_path, unit_size=1)
    build_executable(World().program(RECURSION), tmp_path / "a", options)
    changed = World().program(RECURSION.replace("@down, 3", "@down, 4"))
    result = build_executable(changed, tmp_path / "a", options)
    assert 0 < result.compiled < result.units


def test_failure_leaves_the_old_output(tmp_path: Path) -> None:
    path = build(World().program(EMPTY), tmp_path)
    before = path.read_bytes()
    world = World()
    world.add("bad", external("no_such_function_at_all", [], Signed, "no_such_header.h"))
    program = world.program("""
        graph rpy_entry_point() -> Signed {
        b0():
            n: Signed = direct_call(@bad)
            return n
        }
    """)
    with pytest.raises(BuildError, match="no_such_header"):
        build(program, tmp_path)
    assert path.read_bytes() == before
    with pytest.raises(BuildError, match="linking"):
        build(World().program(EMPTY), tmp_path, ldflags=("-lno_such_library_at_all",))
    assert path.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["c", "prog"]


def test_missing_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler-at-all -m64")
    assert find_compiler() == ["no-such-compiler-at-all", "-m64"]
    with pytest.raises(BuildError, match="cannot run the C compiler") as info:
        build(World().program(EMPTY), tmp_path)
    assert "CC" in info.value.hint


def test_build_directories_rotate(tmp_path: Path) -> None:
    for _ in range(5):
        build(World().program(EMPTY), tmp_path)
    directories = sorted(p.name for p in (tmp_path / "c" / "prog").iterdir() if not p.is_symlink())
    assert directories == ["build-1", "build-2", "build-3", "build-4"]


def test_progress_is_reported(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    build_shared(
        World().program(RECURSION),
        tmp_path / "lib.so",
        test_options(
            tmp_path, unit_size=1, cache=tmp_path / "objects",
            progress=lambda done, total: seen.append((done, total)),
        ),
    )  # fmt: skip
    assert seen
    assert seen[-1][0] == seen[-1][1] == len(seen)


def test_generated_c_has_no_warnings(tmp_path: Path) -> None:
    flags = ("-Wall", "-Wextra", "-Wno-unused", "-Wno-discarded-qualifiers", "-Werror")
    build(World().program(RECURSION), tmp_path, cflags=flags)


# ------------------------------------------------------------------------- runtime


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The float and operating-system parts of the runtime, everything visible."""
    path = tmp_path_factory.mktemp("runtime") / "runtime.so"
    rest = path.with_name("rest.c")
    rest.write_text("_Bool rpy_interrupt_pending(void) { return 0; }\n")
    sources = [str(RUNTIME / name) for name in ("rpy_float.c", "rpy_os.c")] + [str(rest)]
    flags = ["-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", "-DRPY_HIDDEN="]
    subprocess.run([*find_compiler(), *flags, *sources, "-lm", "-o", str(path)], check=True)
    library = ctypes.CDLL(str(path))
    library.rpy_float_repr.argtypes = [ctypes.c_double, ctypes.c_char_p]
    library.rpy_float_repr.restype = ctypes.c_long
    library.rpy_float_format.argtypes = [
        ctypes.c_double, ctypes.c_char, ctypes.c_long, ctypes.c_long, ctypes.c_char_p,
        ctypes.c_long,
    ]  # fmt: skip
    library.rpy_float_format.restype = ctypes.c_long
    library.rpy_strtod.argtypes = [ctypes.c_char_p, ctypes.c_long, ctypes.POINTER(ctypes.c_int)]
    library.rpy_strtod.restype = ctypes.c_double
    library.rpy_os_open.restype = ctypes.c_long
    library.rpy_errno.restype = ctypes.c_long
    library.rpy_time_monotonic.restype = ctypes.c_double
    return library


FLOATS = st.floats() | st.floats(-1e6, 1e6) | st.integers(-(10**18), 10**18).map(float)


def float_repr(runtime: ctypes.CDLL, x: float) -> str:
    buf = ctypes.create_string_buffer(40)
    length = runtime.rpy_float_repr(x, buf)
    assert length == len(buf.value) < 32
    return buf.value.decode()


def test_float_repr(runtime: ctypes.CDLL) -> None:
    @given(FLOATS)
    def check(x: float) -> None:
        assert float_repr(runtime, x) == repr(x)

    check()


def test_float_repr_at_powers_of_two_and_ten(runtime: ctypes.CDLL) -> None:
    numbers = [math.ldexp(1.0, e) for e in range(-1074, 1024)]
    numbers += [float(f"{digits}e{e}") for digits in (1, 9.5, 123) for e in range(-325, 309)]
    for x in numbers:
        for y in (x, math.nextafter(x, 0), -math.nextafter(x, math.inf)):
            assert float_repr(runtime, y) == repr(y)


def test_float_format(runtime: ctypes.CDLL) -> None:
    @given(
        FLOATS, st.sampled_from("eEfFgG%"), st.integers(0, 20),
        st.sampled_from(["", "+", " ", "#", "+#", " #"]),
    )  # fmt: skip
    def check(x: float, kind: str, precision: int, flags: str) -> None:
        bits = sum(bit for flag, bit in [("+", 1), (" ", 2), ("#", 4)] if flag in flags)
        meaning = format(x, f"{flags}.{precision}{kind}")
        for size in (400, 5):
            buf = ctypes.create_string_buffer(400)
            length = runtime.rpy_float_format(x, kind.encode(), precision, bits, buf, size)
            assert length == len(meaning)
            assert buf.value.decode() == meaning[: size - 1]

    check()


NUMBERS = [
    "1", "1.5", " 2 ", "\t3\n", "1_0", "1_", "_1", "1__0", "inf", "-Infinity", "nan", "+nan",
    "0x10", "", "  ", "1e5", "1e", ".", ".5", "5.", "nan(1)", "infx", "1e400", "-1e400", "1e-400",
    "1 2", "1_0.0_1", "1_.0", "1e1_0", "- 1", "--1", "9" * 300, "1\0", "0.1e", "e5", "+.5e-3",
]  # fmt: skip


@pytest.mark.parametrize("text", NUMBERS)
def test_strtod(runtime: ctypes.CDLL, text: str) -> None:
    ok = ctypes.c_int()
    data = text.encode()
    value = runtime.rpy_strtod(data, len(data), ctypes.byref(ok))
    assert bool(ok.value) == runtime.rpy_strtod_ok()
    try:
        meaning = float(data.decode("latin-1"))  # the caller deals with other digits
    except ValueError:
        assert not ok.value
    else:
        assert ok.value
        assert repr(value) == repr(meaning)


def test_os_calls(runtime: ctypes.CDLL, tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert runtime.rpy_os_open(bytes(path), ctypes.c_long(os.O_RDONLY), ctypes.c_long(0)) == -1
    assert runtime.rpy_errno() == 2
    flags = ctypes.c_long(os.O_RDWR | os.O_CREAT)
    fd = runtime.rpy_os_open(bytes(path), flags, ctypes.c_long(0o600))
    assert fd >= 0
    assert runtime.rpy_os_write(ctypes.c_long(fd), b"hello", ctypes.c_long(5)) == 5
    assert runtime.rpy_os_lseek(ctypes.c_long(fd), ctypes.c_long(1), ctypes.c_long(0)) == 1
    buf = ctypes.create_string_buffer(10)
    assert runtime.rpy_os_read(ctypes.c_long(fd), buf, ctypes.c_long(9)) == 4
    assert buf.value == b"ello"
    assert runtime.rpy_os_close(ctypes.c_long(fd)) == 0
    before = time.monotonic()
    assert before <= runtime.rpy_time_monotonic() <= time.monotonic()




def test_any_number_of_libraries_can_be_loaded(tmp_path: Path) -> None:
    """The loader has a few hundred bytes for the variables of all that say so."""
    path = build_shared(World().program(EMPTY), None, test_options(tmp_path)).path
    dynamic = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True)
    assert "STATIC_TLS" not in dynamic.stdout
