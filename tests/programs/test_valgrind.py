"""Examples under valgrind: no invalid access, no decision by memory that was never written.

The collector's own memory is one block to valgrind; ``RPYTHON_GC_DEBUG`` is what checks that.
"""

import os
import shutil
from pathlib import Path

import pytest
from programs import build_example, run
from test_examples import RUNS, expected

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed"),
    pytest.mark.skipif(
        "RPYTHON_CASES_SANITIZE" in os.environ, reason="valgrind does not run with sanitizers"
    ),
]
SMOKE = [
    "richards", "deltablue", "lisp-tour", "lisp-stdin", "vm-sieve", "vm-crc", "vm-missing",
    "kettle-numbers", "kettle-shapes", "kettle-words", "kettle-wrong", "calculator-tour",
    "regex-digits", "regex-address", "regex-automaton",
]  # fmt: skip
CHOSEN = [each for each in RUNS if each.name in SMOKE]
# A nursery that is full every now and then.
SMALL = {"RPYTHON_GC_NURSERY": "64k"}


@pytest.mark.parametrize("example", CHOSEN, ids=[each.name for each in CHOSEN])
def test_no_errors(example, shared_directory: Path) -> None:
    program = build_example(example.program, shared_directory)
    command = ["valgrind", "-q", "--error-exitcode=99", program, *example.args]
    done = run(command, example.data, environment={**os.environ, **SMALL})
    assert done.output.decode() + done.errors == expected(example.name)
    assert done.status == example.status
