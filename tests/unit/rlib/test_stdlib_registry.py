"""``rpython.stdlib``: what is loaded when, and that it runs untranslated, too."""

from __future__ import annotations

import bisect
import heapq
import importlib.util
import inspect
import io
import subprocess
import sys

import pytest

from rpython.annotator.program.desc import FunctionDesc
from rpython.stdlib import traceback
from rpython.stdlib._registry import TWINS, replacement_of, twin_of
from rpython.translator.ir.model import Constant

USES_NO_SOCKET = """
import socket, sys, rpython
assert rpython.interpret(lambda n: n + 1, [1]) == 2
print([name for name in ("heapq", "os", "socket") if f"rpython.stdlib.{name}" in sys.modules])
"""


def test_what_a_program_does_not_use_is_not_loaded() -> None:
    command = [sys.executable, "-c", USES_NO_SOCKET]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("host", [heapq.heappush, bisect.insort, bisect.bisect_left])
def test_a_twin_is_called_like_its_host(host: object) -> None:
    twin = twin_of(host)
    assert inspect.signature(twin) == inspect.signature(host)  # type: ignore[arg-type]
    assert twin is twin_of(host) and twin_of(twin) is None


def test_importing_a_twin_leaves_the_accelerator_in_place() -> None:
    twin_of(heapq.heappush)
    for accelerator in TWINS:
        assert sys.modules.get(accelerator, len) is not None


@pytest.mark.parametrize("n", [-1, 0, 1, 2, 5, 9])
def test_replacements_run_untranslated(n: int) -> None:
    items = [3, 1, 4, 1, 5, 9, 2, 6]
    for host in (heapq.nsmallest, heapq.nlargest):
        twin = replacement_of(host)
        assert twin is not host
        assert twin(n, iter(items)) == host(n, items) == twin(n, items)[: len(host(n, items))]
        assert twin(n, iter(items), lambda x: -x) == host(n, items, key=lambda x: -x)
    merge = replacement_of(heapq.merge)
    assert list(merge([1, 3], [2], [])) == [1, 2, 3]
    assert list(merge([3, 1], [2], reverse=True)) == [3, 2, 1]


def test_a_module_imported_again_is_replaced_too() -> None:
    spec = importlib.util.find_spec("heapq")
    assert spec is not None and spec.loader is not None
    again = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(again)
    assert again.merge is not heapq.merge
    assert replacement_of(again.merge) is replacement_of(heapq.merge)


def test_graphs_with_streams_are_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """``sys.stderr`` may be another object when the next program is translated."""
    for stream in (io.StringIO(), io.StringIO()):
        monkeypatch.setattr(sys, "stderr", stream)
        graph = FunctionDesc(traceback._print).graph()
        args = [arg for _, op in graph.iterblockops() for arg in op.args]
        assert any(isinstance(arg, Constant) and arg.value is stream for arg in args)
