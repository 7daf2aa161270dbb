"""Code nobody wrote for us: every function of some standard modules is either built into
a graph that verifies or refused with a place."""

import argparse
import configparser
import difflib
import heapq
import json.decoder
import json.encoder
import shlex
import textwrap
import types
import zipfile

import pytest

from rpython.translator.flow.build import build_flow
from rpython.translator.ir.errors import FlowError
from rpython.translator.ir.verifier import verify

MODULES = [argparse, configparser, difflib, heapq, json.decoder, json.encoder, shlex, textwrap,
           zipfile]  # fmt: skip


def functions_of(module: types.ModuleType) -> list[types.FunctionType]:
    holders = [module, *(value for value in vars(module).values() if isinstance(value, type))]
    return [
        value
        for holder in holders
        for value in vars(holder).values()
        if isinstance(value, types.FunctionType) and value.__module__ == module.__name__
    ]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_function(module: types.ModuleType) -> None:
    built = 0
    refused = []
    for function in functions_of(module):
        try:
            graph = build_flow(function)
        except FlowError as refusal:
            refused.append(refusal)
        else:
            verify(graph, "build_flow")
            built += 1
    assert built
    assert all(refusal.span is not None for refusal in refused)
