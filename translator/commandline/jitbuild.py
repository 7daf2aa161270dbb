"""``python -m rpython.translator.commandline.jitbuild [OPTIONS] SOURCE``: build a module for
``rpython.jitimport``, in a process of its own."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from rpython.jitimport import module_cache
from rpython.translator.commandline.cli import parse
from rpython.translator.commands.build import build_kept
from rpython.translator.imports import module_imports
from rpython.translator.ir.errors import TranslationError


def main(words: Sequence[str]) -> int:
    """Build it, and note what it was made of."""
    source = Path(words[-1])
    cache = module_cache(source, words[:-1])
    _, options = parse(["build", "--module", *words])
    try:
        build_kept(options, cache, module_imports(source))
    except TranslationError as error:
        print(error.render_all(), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
