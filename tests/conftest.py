"""Options and settings of the whole test suite."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

from rpython.translator.ir.diskcache import cache_directory

if TYPE_CHECKING:
    from xdist.scheduler import LoadFileScheduling

# Graphs and types stay for long, and most of a test's time is translation.
gc.set_threshold(400_000)

# Where Python is told to write no bytecode, each process that tests start compiles the whole
# toolchain, which takes longer than most of what it is started for.  What is written goes to one
# place: tests look at what is in the folders of programs.
sys.dont_write_bytecode = False
sys.pycache_prefix = sys.pycache_prefix or str(cache_directory("bytecode"))
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

# Tests interrupt the programs that they run.  Whoever is started in the background may have to
# ignore that, and so would they.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples each time: whether a change lands must not depend on luck.
hypothesis.settings.register_profile("default", deadline=None, max_examples=50, derandomize=True)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=2000)
hypothesis.settings.load_profile("default")


def pytest_sessionfinish() -> None:
    """Let pytest, which looks for garbage at the end, find none of what the tests have left."""
    gc.freeze()


@pytest.fixture
def few_objects() -> Iterator[None]:
    """Collections that the test asks for look at its own objects, not at all that are there."""
    gc.freeze()
    yield
    gc.unfreeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite",
        action="store_true",
        help="write what the cases of tests/cases produce into their expectations",
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling | None:
    """``-n`` alone: a process runs all tests of a file.  Cases of a file share programs, and tests
    of a module what its fixtures built."""
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import LoadFileScheduling  # a plugin that need not be there

    config.option.loadscopereorder = False
    return LoadFileScheduling(config, log)


_ORDER = ("programs", "docs", "stdlib", "fuzz", "unit", "laws", "cases")
"""Folders of tests: those whose files take longest come first."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With several processes: in an order in which all end at about the same time."""
    if hasattr(config, "workerinput"):
        places = {name: place for place, name in enumerate(_ORDER)}
        items.sort(key=lambda item: places.get(item.nodeid.split("/")[1], 0))
