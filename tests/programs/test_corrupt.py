"""Damaged inputs of the examples: an error message and a status, or an answer, as under CPython;
never a signal."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from programs import EXAMPLES, ROOT, build_example

KETTLE = EXAMPLES / "kettle/programs"
SECONDS = 10.0
SIGNS = b"()[]{}<>+-.,*\"'\\;: \n019ax"


@dataclass(frozen=True)
class Damaged:
    """``inputs``: files or, for ``regex``, patterns.  ``count``: how many damaged ones of each."""

    program: str
    inputs: list[bytes]
    count: int
    as_argument: bool = False


def damage(data: bytes, rng: random.Random) -> bytes:
    """The input with one to four things done to it."""
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data) + 1)
        length = rng.choice((1, 1, 2, 5, 20))
        kind = rng.randrange(7)
        if kind == 0:
            data = data[:at] + data[at + length :]
        elif kind == 1:
            data = data[:at] + bytes(rng.choices(range(256), k=length)) + data[at:]
        elif kind == 2:
            data = data[:at] + bytes(rng.choices(SIGNS, k=length)) + data[at:]
        elif kind == 3:
            data = data[:at] + data[at : at + 10 * length] + data[at:]
        elif kind == 4:
            data = data[:at]
        elif kind == 5:
            data = data[:at] + rng.choice((b"99999999999999999999", b"-1", b"0")) + data[at:]
        else:
            other = rng.randrange(len(data) + 1)
            data = data[:at] + data[other : other + length] + data[at + length :]
    return data


def files(*paths: str) -> list[bytes]:
    return [(EXAMPLES / path).read_bytes() for path in paths]


DAMAGED = [
    Damaged("lisp", files("lisp/tour.lisp"), 20),
    Damaged("vm", files("vm/crc.asm", "vm/sieve.asm"), 10),
    Damaged("calculator", files("calculator/tour.calc"), 20),
    Damaged("brainfuck", files("brainfuck/squares.bf", "brainfuck/sierpinski.bf"), 10),
    Damaged("targetkettle", [path.read_bytes() for path in sorted(KETTLE.glob("*.kettle"))], 4),
    Damaged("regex", [rb"(a|b)*c?\d+[^x-z]{1,3}$", rb"^[a-z]+@[^ ]+\.(org|com)"], 10, True),
]
TEXT = b"aabbc123 hello\nfoo@bar.org\n\xc3\xa4bc\n"
Result = tuple[int, bytes, list[bytes]]


def outcome(command: list[str | Path | bytes]) -> Result | None:
    """Exit status, output, last line of the errors; None when it did not end."""
    try:
        done = subprocess.run(
            command, input=TEXT, capture_output=True, check=False, cwd=ROOT, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return None
    return done.returncode, done.stdout, done.stderr.splitlines()[-1:]


@pytest.mark.long
@pytest.mark.parametrize("damaged", DAMAGED, ids=lambda damaged: damaged.program)
def test_damaged_inputs(damaged: Damaged, tmp_path: Path) -> None:
    native = build_example(damaged.program, tmp_path)
    source = EXAMPLES / f"{damaged.program}.py"
    rng = random.Random(damaged.program)
    different = []
    for data in damaged.inputs:
        for number in range(damaged.count):
            spoilt = damage(data, rng)
            argument: str | Path | bytes = tmp_path / f"input{number}"
            if damaged.as_argument:
                argument = spoilt.replace(b"\0", b"")
            else:
                (tmp_path / f"input{number}").write_bytes(spoilt)
            host = outcome([sys.executable, "-X", "utf8", source, argument])
            found = outcome([native, argument])
            if found == host:
                continue
            if found is not None and host is not None and not may_differ(found, host):
                different.append((spoilt, found, host))
            assert found is None or found[0] >= 0, spoilt
    assert not different, different


def may_differ(found: Result, host: Result) -> bool:
    """An int of 64 bits, and a deeper stack; both may be errors that the program itself reports."""
    text = b"".join([found[1], *found[2], *host[2]])
    signs = (b"OverflowError", b"RecursionError", b"too large", b"recursion", b"too deep")
    return found[0] >= 0 and any(sign in text for sign in signs)
