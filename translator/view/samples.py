"""Samples of a native program: who was running, or who allocated memory, and who had called them.

    samples, status = sampled(["prog", "1000"], executable, "time")

The program writes them (``backend_c/runtime/rpy_sampler.c``); here they get names::

    Symbols(executable, places).stack(samples[0].addresses)
    ->  [main in runtime, entry_point at prog.py:30, step at prog.py:12, minor_collection in ...]
"""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from rpython.backend_c.linedirectives import NumberedPlaces
from rpython.translator.ir.errors import BuildError
from rpython.translator.ir.home import Home, home_of_file
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span

Event = Literal["time", "allocation"]

_WORD = struct.Struct("<Q")
_HEADER = struct.Struct("<QQ")
COLLECTOR = "collector"
_FILES_OF_COLLECTOR = "rpy_gc_"


@dataclass(frozen=True, slots=True)
class Sample:
    """``weight``: microseconds of CPU time, or bytes.  ``addresses``: the innermost first."""

    weight: int
    addresses: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """A function that runs.  ``span``: where it is, unless it is written in C.  ``home``: whose
    it is; of those in C COLLECTOR, "runtime" or "C library"."""

    function: str
    span: Span | None
    home: Home | str

    @property
    def is_program(self) -> bool:
        return self.home is Home.PROGRAM


def sampled(arguments: Sequence[str], executable: Path, event: Event) -> tuple[list[Sample], int]:
    """Run a program that was built to be sampled.  Returns its samples and its exit status,
    negative: the signal that ended it.  Ctrl-C is the program's meanwhile."""
    with tempfile.NamedTemporaryFile(prefix="rpython-samples-") as file:
        environment = {**os.environ, "RPY_SAMPLES": file.name, "RPY_SAMPLED_EVENT": event}
        before = signal.getsignal(signal.SIGINT)
        program = subprocess.Popen(arguments, executable=executable, env=environment)
        try:
            signal.signal(signal.SIGINT, lambda number, frame: None)
            status = program.wait()
        finally:
            signal.signal(signal.SIGINT, before)
        return list(read_samples(Path(file.name).read_bytes())), status


def read_samples(data: bytes) -> Iterator[Sample]:
    """The samples of a file; one that was not written to its end is left out."""
    at = 0
    while at + _HEADER.size <= len(data):
        weight, count = _HEADER.unpack_from(data, at)
        at += _HEADER.size
        end = at + count * _WORD.size
        if end > len(data):
            return
        yield Sample(weight, struct.unpack_from(f"<{count}Q", data, at))
        at = end


class Symbols:
    """What the addresses of an executable stand for.  Raises BuildError where there is no
    ``addr2line``, which comes with the linker."""

    def __init__(self, executable: Path, places: NumberedPlaces) -> None:
        self._executable = executable
        self._places = places
        self._frames: dict[int, list[Frame]] = {}

    def look_up(self, samples: Iterable[Sample]) -> None:
        """Ask about all addresses of these at once."""
        found = {place for sample in samples for place in _places_of(sample.addresses)}
        addresses = sorted(found - self._frames.keys())
        text = "\n".join(map(hex, addresses))
        command = ["addr2line", "-e", str(self._executable), "-f", "-i", "-a"]
        try:
            output = subprocess.run(command, input=text, capture_output=True, text=True).stdout
        except OSError as error:
            raise BuildError(
                f"cannot run addr2line: {error.strerror}", hint="install binutils"
            ) from error
        here: list[Frame] = []
        lines = iter(output.splitlines())
        for line in lines:
            if line.startswith("0x"):
                here = self._frames[int(line, 16)] = []
            else:  # the innermost function first
                here[:0] = reversed(list(self._frames_of(line, next(lines, "??:0"))))

    def _frames_of(self, function: str, where: str) -> Iterator[Frame]:
        """A C function, with what is inlined in it, at that file and line."""
        file, _, number = where.partition(" ")[0].rpartition(":")
        name = os.path.basename(file)
        if name == NumberedPlaces.FILE and number.isdecimal():
            for span in self._places.span(int(number)).frames():
                if span.line > 0:
                    yield Frame(span.function, span, home_of_file(span.filename))
        elif function == "??":
            yield Frame("C library", None, "C library")
        else:
            collector = name.startswith(_FILES_OF_COLLECTOR)
            yield Frame(function, None, COLLECTOR if collector else "runtime")

    def stack(self, addresses: Sequence[int]) -> list[Frame]:
        """The frames of a sample, the outermost first."""
        return [frame for place in reversed(_places_of(addresses)) for frame in self._frames[place]]


def _places_of(addresses: Sequence[int]) -> list[int]:
    """Where the functions are: a caller at its call, which is before where it will go on."""
    return [*addresses[:1], *(address - 1 for address in addresses[1:])]
