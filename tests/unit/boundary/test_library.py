"""``rpython build --shared``: libraries for C and C++."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

import rpython
from rpython.backend_c.build import BuildOptions, build_library
from rpython.backend_c.collect import Contents
from rpython.backend_c.compiler import find_compiler
from rpython.backend_c.library import Library, header_path, library_name, package_file
from rpython.lltypesystem.program import LibraryFunction
from rpython.rlib.entrypoint import entrypoint_highlevel, entrypoint_lowlevel, entrypoint_of
from rpython.translator.commandline.cli import main
from rpython.translator.ir.errors import BuildError, TranslationError
from rpython.translator.library import LibraryTranslation, entrypoints_of
from rpython.translator.lower.runner import lower
from tests.support.lowlevel import World, test_options

SOURCE = '''from __future__ import annotations

import sys
import threading

import rpython
from rpython.rlib.entrypoint import entrypoint_highlevel, entrypoint_lowlevel
from rpython.rtyper.lltypesystem import lltype, rffi

counts: dict[str, int] = {}


@rpython.entrypoint([str, int])
def repeat(text, times):
    """The text, so many times.

    Not shown.
    """
    if times < 0:
        raise ValueError(f"times is {times}, \\u20ac")
    return text * times


@rpython.entrypoint
def note(word: str) -> None:
    counts[word] = counts.get(word, 0) + 1
    print("noted", word)


@rpython.entrypoint
def tick(word: str) -> None:
    counts[word] = counts.get(word, 0) + 1


@rpython.entrypoint([str], c_name="count_of")
def count(word):
    return counts[word]


@rpython.entrypoint
def mean(items: list[float]) -> float:
    return sum(items, 0.0) / len(items)


@rpython.entrypoint()
def squares(n: int, default: bool) -> list[int]:
    """Evil */ text."""
    return [i * i for i in range(n)] if default else []


@rpython.entrypoint
def upper(data: bytes | None) -> bytes | None:
    return None if data is None else data.upper()


@rpython.entrypoint
def first(text: str) -> str:
    return text[0]


@rpython.entrypoint
def depth(n: int) -> int:
    return n if n > 10 ** 9 else 1 + depth(n + 1)


@entrypoint_highlevel("main", [lltype.Signed, rffi.CCHARP], c_name="fill")
def fill_buffer(n, p):
    for i in range(n):
        p[i] = "x"
    p[n] = "\\0"
    return p


@entrypoint_lowlevel("main", [rffi.UINT, lltype.Char])
def mix(a, c):
    return rffi.cast(rffi.UINT, rffi.cast(lltype.Signed, a) * 1000 + ord(c))


@rpython.entrypoint
def arguments() -> int:
    return len(sys.argv)


@rpython.entrypoint
def leave() -> None:
    sys.exit(3)


class Ended:
    def __del__(self):
        print("ended")


@rpython.entrypoint
def hold() -> None:
    held.append(Ended())


held: list[Ended] = []
arrived: list[int] = []


def arrive(n: int) -> None:
    for i in range(n):
        arrived.append(i)


@rpython.entrypoint
def start_threads(n: int) -> None:
    for i in range(n):
        threading.Thread(target=arrive, args=(1000,)).start()


@rpython.entrypoint
def count_arrived() -> int:
    return len(arrived)


def not_exported():
    return 1
'''
PROGRAM = r"""
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "words.h"

static void show_error(void)
{
    const char *name = words_error();
    printf("%s %s\n", name != NULL ? name : "fine;", words_error_message());
}

static void *other_thread(void *unused)
{
    show_error();
    depth(1);
    show_error();
    return unused;
}

static void *many_calls(void *word)
{
    for (int i = 0; i < 20000; i++)
        tick(word, -1);
    return NULL;
}

int main(void)
{
    long n = 99, *numbers;
    pthread_t threads[4];
    double values[] = { 1, 2, 6 };
    char buffer[10], *s;
    pthread_t thread;
    if (words_startup() != 0)
        return 1;
    s = repeat("h\xc3\xa9", -1, 3, &n);
    printf("%s %ld %d\n", s, n, (int)strlen(s));
    words_free(s);
    s = repeat("x\0y", 3, 2, &n);
    printf("%ld %d\n", n, s[n]);
    words_free(s);
    s = repeat("x", 1, -2, &n);
    printf("%d %ld\n%s", s == NULL, n, words_error_traceback());
    show_error();
    repeat("\xff", 1, 2, NULL);
    show_error();
    repeat(NULL, 1, 2, NULL);
    show_error();
    fflush(stdout);
    note("a", 1);
    note("a", -1);
    printf("%ld\n", count_of("a", 1));
    show_error();
    count_of("b", 1);
    show_error();
    printf("%g\n", mean(values, 3));
    mean(NULL, 0);
    show_error();
    mean(NULL, 1);
    show_error();
    numbers = squares(5, 1, &n);
    printf("%ld %ld\n", n, numbers[4]);
    words_free(numbers);
    numbers = squares(5, 0, &n);
    printf("%ld\n", n);
    words_free(numbers);
    s = upper("ab\0c", 4, &n);
    printf("%ld %s\n", n, s + 3);
    words_free(s);
    s = upper(NULL, 0, &n);
    printf("%d %ld\n", s == NULL, n);
    show_error();
    s = first("\xe2\x82\xac.", -1, &n);
    printf("%s %ld\n", s, n);
    words_free(s);
    printf("%s\n", fill(3, buffer));
    printf("%u\n", (unsigned)mix(4000000, 'a'));
    printf("%ld\n", arguments());
    leave();
    show_error();
    depth(1);
    show_error();
    pthread_create(&thread, NULL, other_thread, NULL);
    pthread_join(thread, NULL);
    show_error();
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, many_calls, i % 2 ? "x" : "y");
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("%ld %ld\n", count_of("x", 1), count_of("y", 1));
    start_threads(3);
    for (int i = 0; i < 10000 && count_arrived() < 3000; i++)
        usleep(1000); /* they run while nobody is in the library, too */
    printf("%ld\n", count_arrived());
    pthread_create(&thread, NULL, other_thread, NULL);
    pthread_join(thread, NULL);
    hold();
    fflush(stdout);
    return words_teardown();
}
"""
OUTPUT = """\
h\xe9h\xe9h\xe9 9 9
6 0
1 0
Traceback (most recent call last):
  File "{source}", line 20, in repeat
    raise ValueError(f"times is {{times}}, \\u20ac")
ValueError: times is -2, \u20ac
ValueError times is -2, \u20ac
UnicodeDecodeError 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte
TypeError NULL is not a str
noted a
noted a
2
fine;\x20
KeyError 'b'
3
ZeroDivisionError float division by zero
TypeError NULL is not a list
5 16
0
4 C
1 0
fine;\x20
\u20ac 3
xxx
4000000097
0
SystemExit 3
RecursionError maximum recursion depth exceeded
fine;\x20
RecursionError maximum recursion depth exceeded
RecursionError maximum recursion depth exceeded
40000 40000
3000
fine;\x20
RecursionError maximum recursion depth exceeded
ended
"""
CPLUSPLUS = """
#include "words.h"
int main() { return words_startup() + static_cast<int>(mix(0, 'b')); }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the library, its header and its source."""
    path = tmp_path_factory.mktemp("library")
    (path / "words.py").write_text(SOURCE)
    out = path / "libwords.so"
    assert main(["build", "--shared", "-O1", str(path / "words.py"), "-o", str(out)]) == 0
    return path


def run_with_library(folder: Path, command: list[str], name: str) -> subprocess.CompletedProcess:
    subprocess.run(
        [*command, "-Wall", "-Werror", name, "-L.", "-lwords", "-Wl,-rpath,.", "-lpthread",
         "-o", "use"],
        cwd=folder, check=True,
    )  # fmt: skip
    return subprocess.run(
        ["./use"], cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )


def test_c_program(folder: Path) -> None:
    (folder / "use.c").write_text(PROGRAM)
    done = run_with_library(folder, [*find_compiler(), "-std=gnu99"], "use.c")
    assert done.stdout == OUTPUT.format(source=folder / "words.py")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("c++") is None, reason="no C++ compiler")
def test_cplusplus_program(folder: Path) -> None:

    (folder / "use.cpp").write_text(CPLUSPLUS)
    assert run_with_library(folder, ["c++"], "use.cpp").returncode == ord("b")


@pytest.mark.skipif(shutil.which("pkg-config") is None, reason="pkg-config is not installed")
def test_pkg_config(folder: Path, tmp_path: Path) -> None:
    """It finds the library, which is found at run time, from anywhere."""
    environment = {**os.environ, "PKG_CONFIG_PATH": str(folder)}
    asked = ["pkg-config", "--cflags", "--libs", "words"]
    flags = subprocess.run(asked, env=environment, capture_output=True, text=True, check=True)
    (tmp_path / "use.c").write_text(CPLUSPLUS.replace("static_cast<int>(mix(0, 'b'))", "'b'"))
    compiler = [*find_compiler(), "use.c", *flags.stdout.split(), "-o", "use"]
    subprocess.run(compiler, cwd=tmp_path, check=True)
    assert subprocess.run(["./use"], cwd=tmp_path, check=False).returncode == ord("b")


def test_other_names_are_linked_by_path() -> None:
    assert package_file(Path("a/libfoo.so"))["foo.pc"].splitlines()[-1] == (
        "Libs: -L${pcfiledir} -lfoo -Wl,-rpath,${pcfiledir}"
    )
    text = package_file(Path("a/plugin.so"))["plugin.pc"]
    assert "Libs: ${pcfiledir}/plugin.so -Wl,-rpath,${pcfiledir}\n" in text


def test_header(folder: Path) -> None:
    text = (folder / "words.h").read_text()
    assert "/* repeat(text, times)\n * The text, so many times. */\n" in text
    assert "const char *text, long text_length, long times, long *result_length);" in text
    assert "long *squares(long n, bool default_, long *result_length);" in text
    assert "/* squares(n: int, default: bool) -> list[int]\n * Evil * / text. */" in text
    assert "char *fill(long n, char *p);" in text
    assert "Not shown" not in text


def test_nothing_else_is_visible(folder: Path) -> None:
    nm = shutil.which("nm")
    if nm is None:
        pytest.skip("nm is not installed")
    listed = subprocess.run(
        [nm, "-D", "--defined-only", folder / "libwords.so"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    names = {line.split()[-1] for line in listed.splitlines()}
    functions = {"repeat", "note", "count_of", "mean", "squares", "upper", "first", "depth", "fill"}
    functions |= {"tick", "mix", "arguments", "leave", "hold", "start_threads", "count_arrived"}
    functions.add("rpython_startup_code")
    assert functions == {name for name in names if not name.startswith("words_")}


def test_decorators() -> None:
    @rpython.entrypoint
    def plain(n: int) -> int:
        return n

    @rpython.entrypoint([int], c_name="other")
    def named(n):
        return plain(n)

    @entrypoint_highlevel("main", [float])
    def high(x):
        return x

    @entrypoint_lowlevel("main", [float], relax=True)
    def low(x):
        return x

    assert named(3) == 3
    entries = [entrypoint_of(f) for f in (plain, named, high, low)]
    assert [entry.argtypes for entry in entries] == [None, (int,), (float,), (float,)]
    assert [entry.c_name for entry in entries] == ["", "other", "", ""]
    assert [entry.lowlevel for entry in entries] == [False, False, False, True]
    assert entrypoint_of(test_decorators) is None


def module_with(*functions) -> ModuleType:
    module = ModuleType("made")
    module.__file__ = "made.py"
    for number, function in enumerate(functions):
        setattr(module, f"f{number}", function)
    return module


def test_entry_points_of_a_module() -> None:
    @rpython.entrypoint
    def once(n: int) -> int:
        return n

    module = module_with(once, once, test_decorators)
    assert [function for function, _ in entrypoints_of(module)] == [once]
    with pytest.raises(TranslationError, match=r"made.py has no function decorated with"):
        LibraryTranslation(module_with(test_decorators))


def test_what_cannot_cross() -> None:
    @rpython.entrypoint
    def takes_dict(given: dict[str, int]) -> int:
        return len(given)

    @rpython.entrypoint
    def gives_tuple(n: int) -> tuple[int, int]:
        return n, n

    for function, match in (
        (takes_dict, "the argument 'given' of takes_dict is .*, which C cannot have"),
        (gives_tuple, "the result of gives_tuple is .*, which C cannot have"),
    ):
        with pytest.raises(TranslationError, match=match) as info:
            LibraryTranslation(module_with(function)).translation.rtype()
        assert "list[int]" in info.value.hint

    @rpython.entrypoint([int], c_name="takes_dict")
    def same_name(n):
        return n

    first = rpython.entrypoint([int])(lambda n: n)
    second = rpython.entrypoint([int], c_name=first.__name__)(lambda n: n + 1)
    assert first.__name__ == "<lambda>"
    with pytest.raises(TranslationError, match="two entry points are called <lambda>"):
        LibraryTranslation(module_with(first, second)).translation.rtype()


def test_names_that_c_does_not_have() -> None:
    @rpython.entrypoint
    def unsigned(n: int) -> int:
        return n

    @rpython.entrypoint
    def unsigned_(n: int) -> int:
        return n

    translated = LibraryTranslation(module_with(unsigned))
    functions = translated.functions()
    with pytest.raises(BuildError, match="'unsigned' cannot be the name") as info:
        Library("lib", translated.translation.optimise(), functions)
    span = info.value.span
    assert span is not None and span.source_line().strip() == "@rpython.entrypoint"
    translated = LibraryTranslation(module_with(unsigned_))
    functions = translated.functions()
    library = Library("lib", translated.translation.optimise(), functions)
    assert "long unsigned_(long n);" in library.header()
    contents = Contents(lower(library.program, ["lower_exceptions"]))
    assert "rpy_export_unsigned_" in [f.name for f in contents.functions]


def test_names() -> None:
    assert library_name(Path("a/libfoo-bar.so.1")) == "foo_bar"
    assert library_name(Path("3d.so")) == "x3d"
    assert header_path(Path("a/libfoo.so")) == Path("a/foo.h")
    program = World().program("graph f(n: Signed) -> Signed {\nb0(n):\n return n\n}")
    for name in ("int", "class", "two words", "rpy_x", "\xe9", "lib_error", "_x"):
        function = LibraryFunction(name, program.entry, [("n", False)], False, ["f"])
        with pytest.raises(BuildError, match="cannot be the name of a function in C"):
            Library("lib", program, [function])
    for name in ("strlen", "sqrt", "write"):
        function = LibraryFunction(name, program.entry, [("n", False)], False, ["f"])
        with pytest.raises(BuildError, match="a function of the C library, which this one would"):
            Library("lib", program, [function])


def test_failed_build_leaves_library_and_header(tmp_path: Path) -> None:
    program = World().program("graph f(n: Signed) -> Signed {\nb0(n):\n return n\n}")
    out = tmp_path / "libgood.so"

    def build(name: str, options: BuildOptions) -> None:
        function = LibraryFunction(name, program.entry, [("n", False)], False, ["f(n)"])
        build_library(Library("good", program, [function]), out, options)

    build("one", test_options(tmp_path))
    before = {path: path.read_bytes() for path in (out, header_path(out))}
    with pytest.raises(BuildError, match="linking"):
        build("two", test_options(tmp_path, ldflags=("-lno_such_library_at_all",)))
    assert {path: path.read_bytes() for path in before} == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["c", "good.h", "good.pc", "libgood.so"]
