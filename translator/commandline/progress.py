"""Which stage a build is in, on a terminal: a bar of tqdm's, or nothing where tqdm is not
installed."""

from __future__ import annotations

import contextlib
import importlib
import sys
import time
from types import TracebackType
from typing import Any

from rpython.translator.commandline.colours import for_stream

_tqdm: Any = None
with contextlib.suppress(ImportError):
    _tqdm = importlib.import_module("tqdm").tqdm


class Progress:
    """A context in which ``begin(stage)`` shows one stage after the other on standard error."""

    def __init__(self, stages: int) -> None:
        self._bar: Any = None
        self._stage, self._began = "", 0.0
        if _tqdm is not None and sys.stderr.isatty():
            self._bar = _tqdm(
                total=stages, leave=False, bar_format="{bar:30} {desc}", file=sys.stderr
            )

    def begin(self, stage: str, about: str = "") -> None:
        """The stage of this name begins; ``about``: how much there is to do."""
        self._stage, self._began = stage, time.monotonic()
        if self._bar is not None:
            self._bar.update()
            self._bar.set_description_str(f"{stage} {about}")

    def part(self, done: int, total: int) -> None:
        """So many of the files of this stage are done."""
        if self._bar is not None:
            left = (time.monotonic() - self._began) * (total - done) / max(done, 1)
            text = f"{self._stage} {done} of {total} files"
            self._bar.set_description_str(text + (f", {left:.0f} s left" if left >= 1 else ""))

    def write(self, text: str) -> None:
        """Print a text on standard error, above the bar; a warning in colours, on a terminal."""
        text = for_stream(text, sys.stderr)
        if self._bar is not None:
            self._bar.write(text, file=sys.stderr)
        else:
            print(text, file=sys.stderr)

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.close()
