"""``rpython check TARGET.py``: infer types, translate nothing."""

from __future__ import annotations

import argparse
import sys

from rpython.translator.advice import advice
from rpython.translator.commands.targetwords import add_target, parse_with_target
from rpython.translator.executable import executable_translation
from rpython.translator.imports import program_imports
from rpython.translator.options import Options
from rpython.translator.target import import_target, target_of


def parse(parser: argparse.ArgumentParser, words: list[str]) -> argparse.Namespace:
    """The options of the command."""
    add_target(parser)
    return parse_with_target(parser, words)


def run(options: argparse.Namespace) -> int:
    """Print how many functions there are.  Raises TranslationError."""
    with program_imports(options.target):
        module = import_target(options.target)
        meaning = Options(boxing=options.boxing, ints=options.ints)
        target = target_of(module, options.arguments, meaning)
        translation = executable_translation(target.entry, target.options)
        translation.annotate()
        for text in advice(translation):
            print(text, file=sys.stderr)
    functions = sum(not graph.is_helper for graph in translation.annotator.graphs)
    print(f"{options.target}: {functions} functions, no type errors")
    return 0
