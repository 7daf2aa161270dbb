"""Where the toolchain was when it failed, for its own errors and for ``--pdb``.

A pass that fails has the graph, block and operation that it works on in local variables; the
traceback of the exception has those.  An exception that is no refusal is a bug of the toolchain: it
is told as one, and all that is needed to find it goes to a file.
"""

from __future__ import annotations

import builtins
import contextlib
import os
import pdb
import platform
import shlex
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from rpython.backend_c.options import default_directory
from rpython.lltypesystem.text import print_lowlevel
from rpython.translator.ir.errors import TranslationError, VerifyError
from rpython.translator.ir.model import Block, FunctionGraph, SpaceOperation
from rpython.translator.ir.printer import is_high_level, print_graph
from rpython.translator.ir.records import dataclass
from rpython.translator.opt.runner import Pass
from rpython.translator.version import version

_MOST = 200_000
"""Characters of a graph, and of a program, in a report."""


@dataclass
class Context:
    """What was being worked on, as far as it is known."""

    graph: FunctionGraph | None = None
    block: Block | None = None
    operation: SpaceOperation | None = None
    running: Pass | None = None

    @classmethod
    def of(cls, raised: TracebackType | None) -> Context:
        """That of an exception, by its traceback."""
        found = cls()
        for frame, _ in reversed(list(traceback.walk_tb(raised))):
            for value in frame.f_locals.values():
                if isinstance(value, FunctionGraph):
                    found.graph = found.graph or value
                elif isinstance(value, Block):
                    found.block = found.block or value
                elif isinstance(value, SpaceOperation):
                    found.operation = found.operation or value
                elif isinstance(value, Pass):
                    found.running = found.running or value
        return found

    def __str__(self) -> str:
        parts = []
        if self.running is not None:
            parts.append(f"pass {self.running.name}")
        if self.graph is not None:
            parts.append(f"graph {self.graph.name}")
            blocks = list(self.graph.iterblocks())
            if self.block in blocks:
                parts.append(f"block {blocks.index(self.block)}")
        if self.operation is not None:
            parts.append(f"operation {self.operation.opname}")
        return ", ".join(parts)


def told(error: Exception, words: Sequence[str]) -> TranslationError:
    """What to say of an exception: of a refusal what it says; of anything else that it is a bug,
    and where all stands that is needed to find it.  ``words``: of the command line."""
    if isinstance(error, TranslationError) and not isinstance(error, VerifyError):
        return error
    result = error if isinstance(error, VerifyError) else _internal_error(error)
    result.hint = "this is a bug of rpython, please report it"
    with contextlib.suppress(OSError):  # a full disk
        result.hint += f" with what is in {_write_report(error, words)}"
    return result


def _internal_error(error: Exception) -> VerifyError:
    context = Context.of(error.__traceback__)
    text = traceback.format_exception_only(error)[-1].strip()
    span = None if context.operation is None else context.operation.span
    if span is not None and span.line <= 0:
        span = None
    return VerifyError(text, span, where=str(context))


def _write_report(error: Exception, words: Sequence[str]) -> Path:
    """Write it to a new file.  Raises OSError."""
    context = Context.of(error.__traceback__)
    pieces = [
        f"rpython3 {version()}, CPython {platform.python_version()}, {platform.platform()}",
        f"rpython {shlex.join(words)}",
        str(context),
        "".join(traceback.format_exception(error)),
    ]
    if context.graph is not None:
        pieces.append(_text_of(context.graph)[:_MOST])
    for path in map(Path, words):
        if path.suffix == ".py" and path.is_file():
            pieces.append(f"{path}:\n\n{path.read_text(errors='replace')[:_MOST]}")
    folder = default_directory()
    folder.mkdir(parents=True, exist_ok=True)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    handle, name = tempfile.mkstemp(".txt", f"internal-error-{stamp}-", folder)
    with os.fdopen(handle, "w") as file:
        file.write("\n\n".join(pieces))
    return Path(name)


def _text_of(graph: FunctionGraph) -> str:
    """The graph, also of one that is half rewritten."""
    try:
        return print_graph(graph) if is_high_level(graph) else print_lowlevel(graph)
    except (AssertionError, AttributeError, LookupError, TypeError) as error:
        return f"the graph cannot be printed: {error!r}"


def debug(error: Exception) -> None:
    """Let a person look at what was going on, in pdb: ``graph``, ``block``, ``operation`` and
    ``error`` are what they say in every frame that has no variables of these names."""
    context = Context.of(error.__traceback__)
    known = {
        "graph": context.graph, "block": context.block, "operation": context.operation,
        "error": error,
    }  # fmt: skip
    vars(builtins).update(known)
    print(f"[{context}] graph, block, operation, error: look at them, `up` and `down` go on")
    pdb.post_mortem(error.__traceback__)
