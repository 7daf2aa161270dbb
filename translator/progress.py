"""Which stage a build is in, on a terminal: a bar of tqdm's, or nothing where tqdm is not
installed."""

from __future__ import annotations

import contextlib
import importlib
import sys
from types import TracebackType
from typing import Any

from rpython.translator.colours import for_stream

_tqdm: Any = None
with contextlib.suppress(ImportError):
    _tqdm = importlib.import_module("tqdm").tqdm


class Progress:
    """A context in which ``begin(stage)`` shows one stage after the other on standard error."""

    def __init__(self, stages: int) -> None:
        self._bar: Any = None
        if _tqdm is not None and sys.stderr.isatty():
            self._bar = _tqdm(
                total=stages, leave=False, bar_format="{desc:<12}{bar:30}", file=sys.stderr
            )

    def begin(self, stage: str) -> None:
        """The stage of this name begins."""
        if self._bar is not None:
            self._bar.set_description_str(stage)
            self._bar.update()

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
