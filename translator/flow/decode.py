"""Choose the decoder of the running CPython."""

from __future__ import annotations

import os
import sys
import types

from rpython.translator.flow import decode_311, decode_312, decode_313, decode_314
from rpython.translator.flow.closures import closure_info, convert_cells, held_variables
from rpython.translator.flow.decode_common import Decoder
from rpython.translator.flow.instructions import Program
from rpython.translator.ir.errors import FlowError

_RULES = {(3, 11): decode_311.RULES, (3, 12): decode_312.RULES, (3, 13): decode_313.RULES}
_UNTRIED = {(3, 14): decode_314.RULES}
"""Versions on which nothing but the corpus of flow graphs has run.  What else has changed in them
may mean that a program does something else than under them."""


def decode(func: types.FunctionType, version: tuple[int, int] = sys.version_info[:2]) -> Program:
    """The version-free instructions of ``func``.  Raises FlowError when this CPython has
    no decoder, or an untried one that nobody has asked for (``RPYTHON_UNTRIED=1``)."""
    rules = _RULES.get(version)
    if rules is None and os.environ.get("RPYTHON_UNTRIED"):
        rules = _UNTRIED.get(version)
    if rules is None:
        known = ", ".join(f"{major}.{minor}" for major, minor in sorted(_RULES))
        hint = f"run the translation under one of CPython {known}"
        if version in _UNTRIED:
            hint += "; with RPYTHON_UNTRIED=1 in the environment this one is tried"
        raise FlowError(f"no bytecode decoder for CPython {version[0]}.{version[1]}", hint=hint)
    info = closure_info(func)
    captured = held_variables(func) if info is None else info.captured
    return convert_cells(Decoder(func, rules).decode(func.__code__, captured), func)


def makes_functions(code: types.CodeType) -> bool:
    """Does the code make functions, or generators, other than comprehensions?"""
    return any(
        not decode_311.is_spliced(const) or makes_functions(const)
        for const in code.co_consts if isinstance(const, types.CodeType)
    )
