"""The programs of the other ``test_rtyper`` modules, compiled."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import differential
import pytest
import test_rtyper_calls
import test_rtyper_class
import test_rtyper_exceptions
import test_rtyper_idioms
import test_rtyper_instance_text
import test_rtyper_instances
import test_rtyper_methods
import test_rtyper_objects
import test_rtyper_operators
import test_rtyper_prebuilt
from differential import outcome

import rpython
from rpython.translator.options import Options

MODULES = (
    test_rtyper_calls, test_rtyper_class, test_rtyper_exceptions, test_rtyper_idioms,
    test_rtyper_instance_text, test_rtyper_instances, test_rtyper_methods, test_rtyper_objects,
    test_rtyper_operators, test_rtyper_prebuilt,
)  # fmt: skip
"""Importing them fills ``differential.PROGRAMS``."""

NOT_NATIVE = {"test_attributes_of_what_leaves_the_program"}
"""Attributes of exceptions do not leave native code."""
PROGRAMS = [(f, calls) for f, calls in differential.PROGRAMS if f.__name__ not in NOT_NATIVE]
SANITIZERS = filter(None, os.environ.get("RPYTHON_CASES_SANITIZE", "").split(","))
OPTIONS = Options(sanitize=tuple(SANITIZERS))


@pytest.mark.long
@pytest.mark.parametrize(("f", "calls"), PROGRAMS, ids=[f.__name__ for f, _ in PROGRAMS])
def test_native(f: Callable[..., Any], calls: tuple[Any, ...]) -> None:
    argument_lists = [args if isinstance(args, tuple) else (args,) for args in calls]
    compiled = rpython.compile(f, [type(arg) for arg in argument_lists[0]], OPTIONS)
    for args in argument_lists:
        expected = outcome(f, args)
        actual = outcome(compiled, args)
        assert actual == expected, f"{f.__name__}{args}: {actual}, under CPython {expected}"
