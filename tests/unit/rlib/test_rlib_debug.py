"""The log that PYPYLOG asks for."""

import gc
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rpython
from rpython.rlib import _debuglog, debug


class A:
    pass


def program(n: int) -> tuple[bool, int, bool, bool]:
    debug.debug_print("outside", n)
    start = debug.debug_start("gc-minor", timestamp=True)
    debug.debug_print("hello", n, 2.5, None, True, b"x", (n, "é"))
    inside = debug.have_debug_prints()
    debug.debug_start("jit")
    debug.debug_print("in jit")
    stop = debug.debug_stop("jit")
    debug.debug_stop("gc-minor")
    debug.debug_print()
    if n < 0:
        debug.debug_print(A(), [A()], A)
    return start > 42, stop, inside, debug.debug_offset() > 0


@pytest.fixture(autouse=True)
def own_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the process looks at PYPYLOG once; translating writes to it, too."""
    monkeypatch.setattr(_debuglog, "_HOST_LOG", _debuglog._Log())


def under_cpython(monkeypatch: pytest.MonkeyPatch) -> Any:
    return program(3)


def interpreted(monkeypatch: pytest.MonkeyPatch) -> Any:
    return rpython.interpret(program, [3])


def compiled(monkeypatch: pytest.MonkeyPatch) -> Any:
    return rpython.compile(program, [int])(3)


GC = ["{gc-minor", "hello 3 2.5 None True b'x' (3, 'é')"]
JIT = ["{jit", "in jit", "jit}"]


@pytest.mark.parametrize("run", [under_cpython, interpreted, compiled])
@pytest.mark.parametrize(
    ("prefix", "expected", "inside"),
    [
        (":", ["outside 3", *GC, *JIT, "gc-minor}", ""], True),
        ("jit:", ["outside 3", *JIT, ""], False),
        ("x,gc:", ["outside 3", *GC, "gc-minor}", ""], True),
        ("", ["{gc-minor", "{jit", "jit}", "gc-minor}"], False),
    ],
)
def test_log(
    run: Callable[[pytest.MonkeyPatch], Any], prefix: str, expected: list[str], inside: bool,
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    log = tmp_path / "log"
    monkeypatch.setenv("PYPYLOG", f"{prefix}{log}")
    assert run(monkeypatch) == (True, 42, inside, True)
    lines = log.read_text().splitlines()
    assert [re.sub(r"^\[[0-9a-f]+\] ", "", line) for line in lines] == expected


def test_no_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYPYLOG", raising=False)
    assert under_cpython(monkeypatch) == (True, 42, False, False)
    assert interpreted(monkeypatch) == (True, 42, False, False)


def test_translation_has_sections(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PYPYLOG", f"translation:{tmp_path / 'log'}")
    rpython.show(name_length, [str])
    begun = re.findall(r"^\[\w+\] \{(.*)$", (tmp_path / "log").read_text(), re.MULTILINE)
    ended = re.findall(r"^\[\w+\] (.*)\}$", (tmp_path / "log").read_text(), re.MULTILINE)
    assert begun[0] == "translation-annotate" and "translation-rtype" in begun
    assert sorted(begun) == sorted(ended)


def name_length(name: str) -> int:
    return len(name)


def collecting(n: int) -> int:
    debug.debug_start("mine")
    kept = [[i] for i in range(n)]
    gc.collect()
    debug.debug_stop("mine")
    return len(kept)


@pytest.mark.parametrize(
    ("prefix", "wanted", "unwanted"),
    [
        ("gc:", {"{gc-minor", "gc-collect-step}"}, {"{mine"}),
        ("gc-collect,mine:", {"{mine", "{gc-collect-step", "mine}"}, {"{gc-minor"}),
        ("", {"{mine", "{gc-minor", "gc-collect-step}"}, set()),
    ],
)
def test_the_collector_has_sections(
    prefix: str, wanted: set[str], unwanted: set[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("PYPYLOG", f"{prefix}{tmp_path}/log%d.%d")
    assert rpython.compile(collecting, [int])(1000) == 1000
    log = tmp_path / f"log{os.getpid()}.{os.getpid()}"
    lines = log.read_text().splitlines()
    marks = {re.sub(r"^\[[0-9a-f]+\] ", "", line) for line in lines if line.startswith("[")}
    assert wanted <= marks
    assert not unwanted & marks
    has_prints = any(re.match(r"[a-z]+ now, \d+ bytes in old objects", line) for line in lines)
    assert has_prints == bool(prefix)
