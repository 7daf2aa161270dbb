"""Random programs say the same under CPython, interpreted and natively.

By default a few; ``-m long`` tries 10,000, in 400 batches.
"""

from __future__ import annotations

import pytest

from .__main__ import BATCH, random_source
from .oracle import oracle
from .reduce import reduced
from .runner import check_batch, load

LONG = 10_000


def try_batch(first: int, count: int) -> None:
    numbers = range(first, first + count)
    batch = [load(random_source(number), f"program{number}") for number in numbers]
    differences = check_batch(batch, native=True)
    assert not differences, "\n".join(map(str, differences))


def test_some_programs() -> None:
    try_batch(LONG, 4)


def test_reduced() -> None:
    """What is left is needed, and compiles."""
    source = "a = 1\nif a:\n    b = 2\nelse:\n    b = 3\nc = b\nd = 4\n"
    asked: list[str] = []

    def differs(text: str) -> bool:
        asked.append(text)
        compile(text, "asked", "exec")
        return "b = 2" in text and "d = 4" in text

    assert reduced(source, differs) == "if a:\n    b = 2\nd = 4\n"
    assert source not in asked


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, LONG, BATCH))
def test_many_programs(first: int) -> None:
    try_batch(first, BATCH)


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("a * 2 ** 62", "OverflowError"), ("a << 70", "OverflowError"),
        ("-(-2 ** 63) + a", "OverflowError"),
        ("abs(-2 ** 63 + a - a)", "OverflowError"),
        ("sum([2 ** 62, 2 ** 62, -a])", "OverflowError"),
        ("divmod(-2 ** 63 + a - a, -1)[1]", "OverflowError"),
        ("2 ** 62 + a", str(2**62 + 3)),
    ],
)  # fmt: skip
def test_oracle(expression: str, said: str) -> None:
    """CPython with ints of 64 bits."""
    source = f"def run(a, b):\n    try:\n        return str({expression})\n"
    source += "    except OverflowError:\n        return 'OverflowError'\n"
    assert oracle(source, "oracle.py")(3, 0) == said
