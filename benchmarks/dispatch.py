"""A loop that dispatches on opcodes by a chain of tests, with and without ``make_switches``.

Run from the repository: ``python -m benchmarks.dispatch [-O1]``.  The runs of both executables
alternate.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import best_seconds, build_native, report
from rpython.translator.opt.runner import DEFAULT

ROUNDS = 7
OPCODES = 24

PROGRAM = """
CODE = bytes([(i * i * 7 + i) % {opcodes} for i in range(997)])

def entry_point(argv):
    acc, steps = 1, 0
    for turn in range(300000):
        for op in CODE:
{chain}
        acc &= 0xFFFFFF
    print(acc)
    return 0
"""


def program() -> str:
    """An interpreter whose opcodes do different things."""
    lines = []
    for number in range(OPCODES):
        word = "if" if number == 0 else "elif"
        form = ("acc += {}", "acc ^= {}", "acc = acc * 3 & {}")[number % 3]
        effect = form.format(number * 77 + 1)
        lines += [f"            {word} op == {number}:", f"                {effect}"]
    return PROGRAM.format(opcodes=OPCODES, chain="\n".join(lines))


def main() -> None:
    without = ",".join(name for name in DEFAULT.split(",") if name != "make_switches")
    with tempfile.TemporaryDirectory() as directory:
        target = Path(directory, "dispatch.py")
        target.write_text(program())
        switches, tests = Path(directory, "switches"), Path(directory, "tests")
        build_native(target, switches, *sys.argv[1:])
        build_native(target, tests, f"--passes={without}", *sys.argv[1:])
        seconds = {switches: float("inf"), tests: float("inf")}
        for _ in range(ROUNDS):
            for executable in seconds:
                took = best_seconds([executable], subprocess.DEVNULL, 1)
                seconds[executable] = min(seconds[executable], took)
    report("a switch", seconds[switches], "tests, one after the other", seconds[tests])


if __name__ == "__main__":
    main()
