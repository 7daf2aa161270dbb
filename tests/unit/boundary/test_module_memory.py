"""The cases of extension modules with the collector at work at every allocation, and under
AddressSanitizer and UndefinedBehaviorSanitizer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
EVERY_ALLOCATION = {"RPYTHON_GC_DEBUG": "1", "RPYTHON_GC_NURSERY": "32k"}
SANITIZED = {
    "RPYTHON_CASES_SANITIZE": "address,undefined",
    "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
    "GLIBC_TUNABLES": "glibc.rtld.optional_static_tls=100000",
}


def library(name: str) -> str:
    """The path of a library of the C compiler, "" if it has none."""
    done = subprocess.run(
        ["cc", f"-print-file-name={name}"], capture_output=True, text=True, check=True
    )
    path = done.stdout.strip()
    return path if os.path.isabs(path) else ""


@pytest.mark.long
@pytest.mark.parametrize(
    "environment",
    [EVERY_ALLOCATION, {**EVERY_ALLOCATION, "RPYTHON_CASES_GC": "refcount"}, SANITIZED],
    ids=["every allocation", "refcount", "sanitized"],
)
def test_cases(environment: dict[str, str]) -> None:
    if environment is SANITIZED:
        preload = library("libasan.so")
        if not preload:
            pytest.skip("there is no libasan.so")
        environment = {**environment, "LD_PRELOAD": preload}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/cases/modules"],
        cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
