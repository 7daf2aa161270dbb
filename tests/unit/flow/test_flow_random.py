"""Flow graphs of random programs do what CPython does."""

import linecache
from functools import partial
from typing import Any

import pytest

from rpython.translator.flow.build import build_flow
from rpython.translator.ir.verifier import verify
from tests.support.flowinterp import run_graph
from tests.support.flowprograms import Writer

ENOUGH = 20
"""Programs in one test."""


def outcome(main: Any, n: int) -> str | None:
    """What a call gives and logs; None when it takes too long."""
    log: list[int] = []
    try:
        result = repr(main(n, log))
    except RecursionError:
        return None
    except AssertionError as error:
        if "too many blocks" not in str(error):
            raise
        return None
    except Exception as error:
        result = f"{type(error).__name__}: {error}"
    # inside a list comprehension 3.11 calls a variable of the function around it free
    local, free = "UnboundLocalError: cannot access local", "NameError: cannot access free"
    result = result.replace(local, free)
    return f"{result.removesuffix(' in enclosing scope')} {log}"


@pytest.mark.parametrize("start", range(0, 160, ENOUGH))
def test_random_programs(start: int) -> None:
    for seed in range(start, start + ENOUGH):
        source = Writer(seed).program()
        filename = f"<program {seed}>"
        linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
        names: dict[str, Any] = {}
        exec(compile(source, filename, "exec"), names)
        graph = build_flow(names["main"])
        verify(graph, "build_flow")
        for n in range(3):
            expected = outcome(names["main"], n)
            found = outcome(partial(run_graph, graph), n)
            if expected is not None and found is not None:
                assert found == expected, f"program {seed}, n = {n}:\n{source}"
