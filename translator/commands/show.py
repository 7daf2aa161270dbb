"""``rpython show TARGET.py FUNCTION --stage S``: print the graph of one function."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from types import FunctionType, ModuleType

from rpython.translator.api import translation_of
from rpython.translator.commands.targetwords import add_target, parse_with_target
from rpython.translator.driver import Translation
from rpython.translator.executable import executable_translation
from rpython.translator.imports import program_imports
from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.printer import print_graph
from rpython.translator.showing import STAGES, graph_of, show_graph
from rpython.translator.target import entry_point_of, function_of, import_target

EXAMPLES = (
    ("rpython show prog.py gcd --stage flow", "the flow graph of gcd"),
    ("rpython show prog.py Box.grow --stage c", "the C of a method"),
)
STATUSES: dict[str, str] = {}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    add_target(parser)
    parser.add_argument("function", metavar="FUNCTION", help="its name; methods as CLASS.METHOD")
    parser.add_argument(
        "--stage", choices=STAGES, default="lowlevel",
        help="which one (default: %(default)s)",
    )  # fmt: skip


def parse(parser: argparse.ArgumentParser, words: list[str]) -> argparse.Namespace:
    """What the words say."""
    return parse_with_target(parser, words)


def run(options: argparse.Namespace) -> int:
    """Print the graph.  Raises TranslationError."""
    with program_imports(options.target):
        module = import_target(options.target)
        function = function_of(module, options.function)
        if options.stage == "flow" and function is not None:
            text = print_graph(graph_of(function))
        else:
            translation = _translation(module, function, options.arguments)
            text = show_graph(translation, options.function, options.stage)
    print(text, end="")
    return 0


def _translation(
    module: ModuleType, function: FunctionType | None, args: Sequence[str]
) -> Translation:
    """What is looked at: the program of the module's entry point, whose target is given ``args``,
    or, when it has none, ``function`` with its type hints.  Raises TranslationError."""
    try:
        entry = entry_point_of(module, args)
    except TranslationError:
        if function is None:
            raise
        return translation_of(function)
    return executable_translation(entry)
