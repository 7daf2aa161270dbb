"""``rpython.rlib.rrandom`` against ``random``."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from rpython.rlib.rrandom import Random


def words(n: int) -> list[int]:
    """The 32-bit parts of a number, the lowest first, as ``random.seed`` takes it apart."""
    parts = [n & 0xFFFFFFFF]
    while n := n >> 32:
        parts.append(n & 0xFFFFFFFF)
    return parts


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1 << 200))
def test_gives_the_numbers_of_random(seed: int) -> None:
    ours, python = Random(), random.Random(seed)
    ours.init_by_array(words(seed))
    for _ in range(400):
        assert ours.genrand32() == python.getrandbits(32)
        assert ours.random() == python.random()


def test_other_places_after_a_jump() -> None:
    ours, other = Random(1), Random(1)
    ours.jumpahead(10)
    assert [ours.genrand32() for _ in range(50)] != [other.genrand32() for _ in range(50)]
    other = Random(1)
    other.jumpahead(10)
    ours = Random(1)
    ours.jumpahead(10)
    assert [ours.genrand32() for _ in range(50)] == [other.genrand32() for _ in range(50)]
