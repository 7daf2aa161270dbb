"""Running other programs so that an interrupted build leaves none of them behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path


class Processes:
    """The programs that a build runs, from several threads; ``stop`` ends them all."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[str]] = set()
        self._stopped = False
        self._lock = threading.Lock()

    def run(self, command: Sequence[str], folder: Path | None = None) -> tuple[int, str]:
        """Run a command (in ``folder``): its exit status and what it wrote.  Raises OSError
        when it cannot be started."""
        with self._lock:
            if self._stopped:
                return -signal.SIGTERM, "stopped"
            # a session of its own: an interrupt from the terminal is for us to pass on
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, errors="replace", cwd=folder,
                start_new_session=True,
            )  # fmt: skip
            self._running.add(process)
        try:
            output, _ = process.communicate()
        except BaseException:
            self.stop()
            process.wait()
            raise
        finally:
            with self._lock:
                self._running.discard(process)
        return process.returncode, output.strip()

    def stop(self) -> None:
        """End what runs, and what that has started in its turn; nothing can be run any more."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                if process.poll() is None:
                    with contextlib.suppress(ProcessLookupError):
                        os.killpg(process.pid, signal.SIGTERM)
