"""Options and settings of the whole test suite."""

import gc
import signal

import hypothesis
import pytest

# Graphs and types stay for long, and most of a test's time is translation.
gc.set_threshold(50_000)

# Tests interrupt the programs that they run.  Whoever is started in the background may have to
# ignore that, and so would they.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples each time: whether a change lands must not depend on luck.
hypothesis.settings.register_profile("default", deadline=None, max_examples=50, derandomize=True)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=2000)
hypothesis.settings.load_profile("default")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite",
        action="store_true",
        help="write what the cases of tests/cases produce into their expectations",
    )
