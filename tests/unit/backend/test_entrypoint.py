"""Executables: argv, sys.argv, SystemExit, uncaught exceptions, as under CPython."""

from __future__ import annotations

import subprocess
import sys

import pytest

from rpython.backend_c.build import build_executable
from rpython.translator.executable import executable_translation
from rpython.translator.target import entry_point_of, load_module

SOURCE = '''
import os
import sys


class Leave(SystemExit):
    pass


class AppError(Exception):
    def __init__(self, code, what):
        super().__init__("not shown")
        self.code = code
        self.what = what

    def __str__(self):
        if self.code < 0:
            raise ValueError("bad code")
        return f"{self.what} ({self.code})"


class Worse(AppError):
    pass


class Plain(Exception):
    def __init__(self, a, b):
        self.a = a


def count(n: int) -> int:
    return len(sys.argv) + n


def entry_point(argv: list[str]) -> int:
    print(argv[1:])
    print(sys.argv[1:], sys.argv[0] == argv[0])
    what = argv[1] if len(argv) > 1 else ""
    if what == "number":
        sys.exit(5)
    if what == "big":
        sys.exit(256 + 3)
    if what == "text":
        sys.exit("text \\xe9")
    if what == "raised":
        raise SystemExit("other text")
    if what == "raised-number":
        raise SystemExit(4)
    if what == "none":
        raise SystemExit(None)
    if what == "subclass":
        raise Leave(7)
    if what == "bare-subclass":
        raise Leave()
    if what == "nothing":
        sys.exit()
    if what == "value-error":
        raise ValueError("uncaught \\ud800 \\xe9\\u20ac")
    if what == "key-error":
        raise KeyError("k")
    if what == "os-error":
        os.open("/nonexistent", 0)
    if what == "own-text":
        raise AppError(3, "three")
    if what == "inherited-text":
        raise Worse(4, "four")
    if what == "failing-text":
        raise AppError(-1, "minus one")
    if what == "arguments":
        raise Plain(1, "x")
    if what == "os-error-by-number":
        raise OSError(2, "none such", "file")
    if what == "assert":
        assert len(argv) > 5, (what, 1)
    if what == "pair":
        raise SystemExit(1, "a")
    if what == "true":
        raise SystemExit(True)
    if what == "maybe":
        sys.exit(None if len(argv) == 2 else len(argv))
    if what == "finally":
        try:
            sys.exit(6)
        finally:
            print("cleaning up")
    if what == "caught":
        try:
            sys.exit(3)
        except SystemExit:
            return 9
    return count(len(argv))


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
'''
ARGUMENTS = [
    [], ["number"], ["big"], ["text"], ["raised"], ["raised-number"], ["none"], ["subclass"],
    ["bare-subclass"], ["nothing"], ["value-error"], ["key-error"], ["os-error"], ["caught"],
    ["own-text"], ["inherited-text"], ["failing-text"], ["arguments"], ["os-error-by-number"],
    ["assert"], ["pair"], ["true"], ["maybe"], ["maybe", "x"], ["finally"],
    ["plain", "\xe9\u20ac", b"\xff\xc3"],
]  # fmt: skip


ARGUMENT_OF_THE_BUILD = "an-argument-of-the-build"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """The source and the executable made from it."""
    folder = tmp_path_factory.mktemp("entry")
    source, executable = folder / "not_staying.py", folder / "not_staying"
    source.write_text(SOURCE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [ARGUMENT_OF_THE_BUILD])
        translation = executable_translation(entry_point_of(load_module(source)))
        build_executable(translation.optimise(), executable)
    return source, executable


def run(command, arguments):
    """Exit status, standard output, last line of standard error."""
    done = subprocess.run([*command, *arguments], capture_output=True, check=False)
    errors = done.stderr.splitlines()
    return done.returncode, done.stdout, errors[-1:]


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=lambda a: str(a[0]) if a else "none")
def test_leaves_as_under_cpython(program, arguments):
    source, executable = program
    expected = run([sys.executable, "-X", "utf8", source], arguments)
    assert run([executable], arguments) == expected


def test_arguments_of_the_build_are_not_in_the_executable(program):
    _, executable = program
    assert ARGUMENT_OF_THE_BUILD.encode() not in executable.read_bytes()
