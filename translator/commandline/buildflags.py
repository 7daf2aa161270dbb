"""The options of ``rpython build`` and ``rpython run`` that say how to build."""

from __future__ import annotations

import argparse
from pathlib import Path

from rpython.backend_c.compiler import TARGETS
from rpython.backend_c.gc import COLLECTORS
from rpython.backend_c.options import SANITIZERS, BuildOptions
from rpython.translator.options import Options


def add_build_options(parser: argparse.ArgumentParser) -> None:
    """The options of every command that builds."""
    parser.add_argument("-v", "--verbose", action="store_true", help="say what each stage took")
    parser.add_argument(
        "-O", dest="level", choices=["0", "1", "2", "3"],
        help="C optimisation level (default: 2, with --debug 0)",
    )  # fmt: skip
    parser.add_argument(
        "--debug", action="store_true", help="for gdb: every line of the source can be stepped to"
    )
    parser.add_argument(
        "--gc", choices=list(COLLECTORS), default=Options().gc,
        help="the collector of memory (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--sanitize", type=_sanitizers, default=(), metavar="A,B",
        help=f"check while the program runs: {', '.join(SANITIZERS)}",
    )  # fmt: skip
    parser.add_argument("--lto", action="store_true", help="optimise across C files when linking")
    parser.add_argument(
        "--passes", default="default", metavar="A,B",
        help="passes over low-level graphs, in their order (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--report", choices=["inlining", "checks", "source"],
        help="say what became of each call of the program; what each line still costs, and why;"
        " the same beside the source",
    )  # fmt: skip
    parser.add_argument(
        "--dump", type=Path, metavar="FOLDER", help="write the graphs after every pass there"
    )
    parser.set_defaults(
        pgo=None, bisect_passes=None, target_machine="", shared=False, module=False, stub=False
    )


def add_product_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``rpython build`` alone."""
    product = parser.add_mutually_exclusive_group()
    product.add_argument(
        "--shared", action="store_true",
        help="make a library of the functions decorated with @rpython.entrypoint, and its header",
    )  # fmt: skip
    product.add_argument(
        "--module", action="store_true",
        help="make a module that Python imports, beside TARGET.py (-o: its directory or name)",
    )  # fmt: skip
    parser.add_argument(
        "--stub", action="store_true",
        help="with --module: write its type stub, NAME.pyi, beside it",
    )  # fmt: skip
    parser.add_argument(
        "--pgo", metavar="COMMAND",
        help="build twice, the second time for what COMMAND does with the program: its"
        " arguments, or a line for the shell in which {} stands for the program",
    )  # fmt: skip
    parser.add_argument(
        "--bisect-passes", metavar="COMMAND",
        help="make nothing, but say which rewrite of which pass makes COMMAND fail, which is"
        " as for --pgo",
    )  # fmt: skip
    parser.add_argument(
        "--target", dest="target_machine", choices=TARGETS, default="", metavar="TARGET",
        help=f"build for another machine (needs ziglang from PyPI): {', '.join(TARGETS)}",
    )  # fmt: skip


def _sanitizers(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    for name in names:
        if name not in SANITIZERS:
            raise argparse.ArgumentTypeError(
                f"no sanitizer {name!r} (choose from {', '.join(SANITIZERS)})"
            )
    return names


def translation_options(given: argparse.Namespace) -> Options:
    """The options of the stages before the C compiler."""
    return Options(
        passes=given.passes, gc=given.gc, debug=given.debug, optimise=_level(given),
        boxing=given.boxing, ints=given.ints, errors=given.errors,
    )  # fmt: skip


def build_options(given: argparse.Namespace, translated: Options) -> BuildOptions:
    """The options of the C back end for what was translated so."""
    return BuildOptions(
        optimise=_level(given), debug=given.debug, gc=translated.gc, sanitize=given.sanitize,
        lto=given.lto, profile=given.pgo, target=given.target_machine, verify=translated.verify,
    )  # fmt: skip


def _level(given: argparse.Namespace) -> str:
    """The optimisation flag; gdb follows the lines of the source only without it."""
    return f"-O{given.level or ('0' if given.debug else '2')}"
