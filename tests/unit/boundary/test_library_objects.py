"""``rpython build --shared``: objects as handles, and codes for exceptions."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = '''\
from __future__ import annotations
import rpython

class Base:
    def __init__(self, name: str) -> None:
        self.name = name

class Counter(Base):
    def __init__(self, name: str, count: int) -> None:
        super().__init__(name)
        self.count = count
        self.next: Counter | None = None

class Other(Base):
    pass

@rpython.entrypoint
def counter_new(name: str, count: int) -> Counter:
    return Counter(name, count)

@rpython.entrypoint
def other_new(name: str) -> Other:
    return Other(name)

@rpython.entrypoint
def counter_add(c: Counter, by: int) -> int:
    c.count += by
    return c.count

@rpython.entrypoint
def counter_link(c: Counter, to: Counter | None) -> None:
    c.next = to

@rpython.entrypoint
def counter_next(c: Counter) -> Counter | None:
    return c.next

@rpython.entrypoint
def name_of(b: Base) -> str:
    return b.name

class Missing(Exception):
    pass

@rpython.entrypoint(errors="code")
def divide(a: int, b: int) -> int:
    return a // b

@rpython.entrypoint(errors="code")
def shout(text: str) -> str:
    if not text:
        raise Missing("no text")
    return text + "!"

@rpython.entrypoint(errors="code")
def find(name: str) -> Counter:
    if name == "x":
        raise KeyError(name)
    return Counter(name, 1)

@rpython.entrypoint(errors="code")
def check(result: int) -> None:
    if result < 0:
        raise ValueError("negative")
'''

HANDLES = r'''
#include <string.h>
#include <stdio.h>
#include "words.h"
int main(void)
{
    words_Counter *a = counter_new("a", -1, 1), *b = counter_new("b", -1, 2), *same;
    words_Other *o = other_new("o", -1);
    int i;
    printf("%ld %ld\n", counter_add(a, 5), counter_add(b, 7));
    counter_link(a, b);
    words_release(b);
    same = counter_next(a);
    printf("%ld %d\n", counter_add(same, 0), same == counter_next(a));
    printf("%d\n", counter_next(same) == NULL);
    words_release(same);
    words_release(same);
    words_release(same);
    printf("%s: %s\n", words_error(), words_error_message());
    counter_add(b, 1);
    printf("%s: %s\n", words_error(), words_error_message());
    counter_add(NULL, 1);
    printf("%s: %s\n", words_error(), words_error_message());
    counter_add((words_Counter *)o, 1);
    printf("%s: %s\n", words_error(), words_error_message());
    words_retain(a);
    words_release(a);
    for (i = 0; i < 300000; i++) {
        words_Counter *c = counter_new("temporary", -1, i);
        if (counter_add(c, 1) != i + 1)
            return 1;
        words_release(c);
    }
    char *name = name_of((words_Base *)a, NULL);
    printf("%ld %s\n", counter_add(a, 0), name);
    words_free(name);
    words_release(a);
    words_release(o);
    words_release(NULL);
    return words_teardown();
}
'''

CODES = r'''
#include <stdio.h>
#include <string.h>
#include "words.h"
int main(void)
{
    long q = 0, n = 0;
    char *s = NULL;
    words_Counter *c = NULL;
    int done = divide(7, 2, &q);
    printf("%d %ld\n", done == words_OK, q);
    done = divide(7, 0, &q);
    printf("%d %s\n", done == words_ZeroDivisionError, words_error_message());
    done = shout("abc", -1, &s, &n);
    printf("%d %s %ld\n", done, s, n);
    words_free(s);
    printf("%d\n", shout("", -1, &s, NULL) == words_Missing && s == NULL);
    printf("%d\n", find("x", 1, &c) == words_KeyError && c == NULL);
    printf("%d\n", find("y", 1, &c) == words_OK);
    printf("%ld\n", counter_add(c, 1));
    words_release(c);
    printf("%d %d\n", check(-1) == words_ValueError, check(1));
    return divide(1, 1, NULL);
}
'''

SAID = {
    HANDLES: """\
6 9
9 1
1
ValueError: the handle has been released
ValueError: the handle has been released
TypeError: NULL is not a Counter
TypeError: not the handle of a Counter
6 a
""",
    CODES: """\
1 3
1 integer division or modulo by zero
0 abc! 4
1
1
1
2
1 0
""",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("words")
    (place / "words.py").write_text(SOURCE)
    command = [sys.executable, "-m", "rpython", "build", "--shared", "words.py"]
    subprocess.run([*command, "-o", "libwords.so"], cwd=place, check=True)
    return place


@pytest.mark.parametrize(("compiler", "suffix"), [("gcc", "c"), ("g++", "cpp")])
@pytest.mark.parametrize("program", [HANDLES, CODES], ids=["handles", "codes"])
def test_programs(folder: Path, program: str, compiler: str, suffix: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"there is no {compiler}")
    (folder / f"main.{suffix}").write_text(program)
    command = [compiler, "-Wall", "-Wextra", "-Werror", f"main.{suffix}", "-o", "main"]
    subprocess.run([*command, "-L.", "-lwords", "-Wl,-rpath,."], cwd=folder, check=True)
    done = subprocess.run(["./main"], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout == SAID[program]
