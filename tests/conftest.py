"""Options and settings of the whole test suite."""

import hypothesis
import pytest

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
