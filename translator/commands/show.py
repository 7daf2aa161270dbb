"""``rpython show TARGET.py FUNCTION --stage S``: print the graph of one function."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from types import FunctionType, ModuleType

from rpython.translator.api import translation_of
from rpython.translator.commandline.parser import CommandParser
from rpython.translator.commands.targetwords import add_target, parse_with_target
from rpython.translator.driver import Translation
from rpython.translator.executable import executable_translation
from rpython.translator.imports import program_imports
from rpython.translator.ir.errors import TranslationError
from rpython.translator.showing import (
    STAGES,
    Look,
    graph_of,
    show_functions,
    show_graph,
    show_stages,
)
from rpython.translator.target import entry_point_of, function_of, import_target
from rpython.translator.view.forms import FORMATS, graph_as

EXAMPLES = (
    ("rpython show prog.py", "which functions there are"),
    ("rpython show prog.py gcd --stage flow", "the flow graph of gcd"),
    ("rpython show prog.py Box.grow --stage c", "the C of a method"),
    ("rpython show prog.py gcd --stage flow --stage c", "two stages side by side"),
    ("rpython show prog.py gcd --diff inline", "what was inlined in gcd"),
    ("rpython show prog.py gcd --format svg > gcd.svg", "a picture of the low-level graph"),
)
STATUSES: dict[str, str] = {}

_STAGE = "lowlevel"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    add_target(parser)
    parser.add_argument(
        "function", metavar="FUNCTION", nargs="?",
        help="its name; methods as CLASS.METHOD; without it the functions are listed",
    )  # fmt: skip
    parser.add_argument(
        "--stage", choices=STAGES, action="append",
        help=f"which one (default: {_STAGE}); several times: side by side",
    )  # fmt: skip
    parser.add_argument(
        "--after", metavar="PASS", default="",
        help="instead of a stage: how the graph is after this pass; PASS.2 is its second run",
    )  # fmt: skip
    parser.add_argument(
        "--diff", metavar="PASS", default="",
        help="instead of a stage: what this pass changes in the graph",
    )  # fmt: skip
    parser.add_argument(
        "--format", choices=FORMATS, default="text",
        help="text, a graph for Graphviz, a picture, or data (default: %(default)s)",
    )  # fmt: skip


def parse(parser: CommandParser, words: list[str]) -> argparse.Namespace:
    """What the words say."""
    options = parse_with_target(parser, words)
    given = [name for name in ("stage", "after", "diff") if getattr(options, name)]
    if len(given) > 1:
        parser.error(f"--{given[0]} and --{given[1]} exclude each other")
    if options.diff and options.format != "text":
        parser.error("--diff is text")
    options.stage = options.stage or [_STAGE]
    if len(options.stage) > 1 and options.format != "text":
        parser.error("several stages are text")
    return options


def run(options: argparse.Namespace) -> int:
    """Print the graph.  Raises TranslationError."""
    look = Look(options.stage[0], options.after, options.diff, options.format)
    with program_imports(options.target):
        module = import_target(options.target)
        if options.function is None:
            translation = executable_translation(entry_point_of(module, options.arguments))
            translation.annotate()
            print(show_functions(translation), end="")
            return 0
        function = function_of(module, options.function)
        if look == Look("flow", form=look.form) and function and len(options.stage) == 1:
            text = graph_as(graph_of(function), look.form)
        else:
            translation = _translation(module, function, options.arguments)
            if len(options.stage) > 1:
                text = show_stages(translation, options.function, options.stage)
            else:
                text = show_graph(translation, options.function, look)
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
