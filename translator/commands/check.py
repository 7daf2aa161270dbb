"""``rpython check TARGET.py``: infer types, translate nothing.

Of several targets each is checked by a process of its own, since modules of different programs may
have the same name.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import get_args

from rpython.annotator.lattice.model import K_BOOL, K_INT, K_NONE
from rpython.annotator.lattice.parts import parts_of
from rpython.annotator.provenance import kinds_story
from rpython.translator.commandline.colours import for_stream
from rpython.translator.commandline.findings import Finding, Format, as_text, finding
from rpython.translator.commandline.parser import CommandParser
from rpython.translator.commands.targetwords import (
    add_target,
    meaning_of,
    parse_with_target,
    program_of,
)
from rpython.translator.driver import Translation
from rpython.translator.ir.errors import AnnotatorError, TranslationError, all_of
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.mainblock import is_guard
from rpython.translator.options import Options
from rpython.translator.scripts import names_bound
from rpython.translator.warnings.advice import advice, warnings_about
from rpython.translator.warnings.failing import errors_behind

_ENTRY_POINTS = {"entry_point", "target"}
"""What a file of a folder defines, at its top level, that is a target."""


EXAMPLES = (
    ("rpython check prog.py", "what is wrong, or how many functions there are"),
    ("rpython check apps/ tools/port.py", "each program of a folder, and one more"),
    ("rpython check --format sarif apps/", "for code hosts and editors"),
    ("rpython check --watch prog.py", "after each change of a file"),
)
STATUSES = {"1": "there is an error in one of the programs, or a file could not be read"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.description = (
        f"{parser.description}.  Further files that end with .py and folders, of which those are "
        "checked that define an entry point, are targets, too."
    )
    add_target(parser)
    parser.add_argument(
        "--format", choices=get_args(Format), default="text",
        help="what is printed of errors and warnings (default: %(default)s); json and sarif"
        " are printed on standard output, and are all that is printed there",
    )  # fmt: skip
    parser.add_argument(
        "--watch", action="store_true",
        help="check again whenever a Python file beside or below a target has changed",
    )  # fmt: skip


def parse(parser: CommandParser, words: list[str]) -> argparse.Namespace:
    """What the words say."""
    options = parse_with_target(parser, words)
    more = 0
    while more < len(options.arguments) and _is_target(options.arguments[more]):
        more += 1
    options.more = list(map(Path, options.arguments[:more]))
    options.arguments = options.arguments[more:]
    return options


def _is_target(word: str) -> bool:
    return word.endswith(".py") or os.path.isdir(word)


def run(options: argparse.Namespace) -> int:
    """Print what is wrong, or how many functions there are.  Raises TranslationError: what is
    wrong with the only target, as text."""
    if options.watch:
        return _watch([options.target, *options.more], options)
    targets = list(_files([options.target, *options.more]))
    if len(targets) > 1:
        return _check_each(targets, options)
    if options.format == "text":
        translation = annotated(targets[0], options.arguments, meaning_of(options))
        texts = list(advice(translation))
        praise = _praise(targets[0], translation)
        texts += [warning.render() for warning in errors_behind(translation.annotator)]
        for text in texts:
            print(for_stream(text, sys.stderr), file=sys.stderr)
        print(praise)
        return 0
    found = _findings(targets[0], options)
    print(as_text(found, options.format))
    return _status(found)


def annotated(target: Path, arguments: Sequence[str], options: Options) -> Translation:
    """The program of a file with its types, of which nothing is refused.  Raises
    TranslationError."""
    translation = program_of(target, arguments, options)
    _check_status(translation.annotate(), translation)
    return translation


def _check_status(graph: FunctionGraph, translation: Translation) -> None:
    """What the rtyper refuses, too: an entry point that returns something else than its status."""
    annotator = translation.annotator
    v_result = graph.getreturnvar()
    s_result = annotator.binding(v_result)
    if s_result.kinds & ~(K_INT | K_BOOL | K_NONE) and not annotator.big_ints:
        parts = parts_of(s_result)
        notes = [] if len(parts) > _MOST_KINDS else kinds_story(annotator, v_result, s_result)
        kinds = " or ".join(part.describe().partition(" of ")[0] for part in parts)
        raise AnnotatorError(
            f"the entry point must return an int, the exit status, not {kinds}",
            graph.span, notes,
            hint="print the value, and return 0",
        )  # fmt: skip


_MOST_KINDS = 3
"""Of more kinds nobody wants to read where each comes from."""


def _praise(target: Path, translation: Translation) -> str:
    functions = sum(not graph.is_helper for graph in translation.annotator.graphs)
    return f"{target}: {functions} functions, no type errors"


def _findings(target: Path, options: argparse.Namespace) -> list[Finding]:
    """The first errors, or the warnings about what has none."""
    try:
        translation = annotated(target, options.arguments, meaning_of(options))
    except TranslationError as error:
        if options.pdb:
            raise
        found = list(map(finding, all_of(error)[: options.max_errors]))
        for one in found:
            one["file"] = one["file"] or str(target)  # what has no line is about the whole file
        return found
    annotator = translation.annotator
    return list(map(finding, [*warnings_about(annotator), *errors_behind(annotator)]))


def _status(found: list[Finding]) -> int:
    return int(any(one["severity"] == "error" for one in found))


# -- several targets ----------------------------------------------------------------------------


def _files(targets: list[Path]) -> Iterator[Path]:
    """The files among the targets, and those in folders that say what a program does.  Raises
    TranslationError for a folder without one."""
    for target in targets:
        if not target.is_dir():
            yield target
            continue
        found = [
            path for path in sorted(target.rglob("*.py"))
            if not _is_hidden(path.relative_to(target)) and _has_entry_point(path)
        ]  # fmt: skip
        if not found:
            wanted = "entry_point, target or a block for __main__"
            raise TranslationError(f"no file in {target} has {wanted}")
        yield from found


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _has_entry_point(path: Path) -> bool:
    """Does it define one?  A file that is no Python is a target, too: to be told so."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return True
    if tree.body and is_guard(tree.body[-1]):
        return True
    return not _ENTRY_POINTS.isdisjoint(names_bound(tree.body))


def _check_each(targets: list[Path], options: argparse.Namespace) -> int:
    """Check each target in a process of its own, some at the same time; what they print comes in
    the order of the targets."""
    def check(target: Path) -> subprocess.CompletedProcess[str]:
        command = _command([target], options, "text" if options.format == "text" else "json")
        return subprocess.run(command, capture_output=True, text=True, check=False)

    status = 0
    found: list[Finding] = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in pool.map(check, targets):
            status = max(status, done.returncode)
            sys.stderr.write(done.stderr)
            if options.format == "text":
                sys.stdout.write(done.stdout)
            elif done.stdout:
                found += json.loads(done.stdout)
    if options.format != "text":
        print(as_text(found, options.format))
    return status


def _command(targets: list[Path], options: argparse.Namespace, form: str) -> list[str]:
    """The command line that checks the targets with these options."""
    words = [f"--int={options.ints}", f"--max-errors={options.max_errors}", f"--format={form}"]
    words += [f"--boxing={options.boxing}"] if options.boxing else []
    words += [f"--errors={options.errors}"] if options.errors else []
    program = [sys.executable, "-m", "rpython", "check"]
    return [*program, *words, *map(str, targets), "--", *options.arguments]


# -- again and again ----------------------------------------------------------------------------

_PAUSE = 0.3
"""Seconds between two looks at the files."""


def _watch(targets: list[Path], options: argparse.Namespace) -> int:
    """Check the targets, and again whenever a Python file beside or below one has changed, until
    Ctrl-C.  Each time is a process of its own: nothing is left of modules that were imported."""
    while True:
        seen = _times(targets)
        subprocess.run(_command(targets, options, options.format), check=False)
        print("rpython: waiting for a change; Ctrl-C ends", file=sys.stderr, flush=True)
        while _times(targets) == seen:
            time.sleep(_PAUSE)


def _times(targets: list[Path]) -> dict[Path, int]:
    """When each Python file beside the targets, and in folders below, was changed."""
    times = {}
    for folder in {target if target.is_dir() else target.resolve().parent for target in targets}:
        for path in folder.rglob("*.py"):
            if not _is_hidden(path.relative_to(folder)):
                try:
                    times[path] = path.stat().st_mtime_ns
                except OSError:
                    continue  # it has just been removed
    return times
