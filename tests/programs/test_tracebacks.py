"""Programs that end in other ways than by returning from their entry point: uncaught exceptions,
SIGINT, closed streams, SystemExit, deep recursion.  Reported as under CPython, and with its status.
"""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from failing import WAYS
from interrupting import INTERRUPTED
from leaving import LEAVING
from piping import PIPED
from recursing import DEEP
from texts import TEXTS

from rpython.backend_c.build import build_executable
from rpython.translator.executable import executable_translation
from rpython.translator.target import entry_point_of, load_module

SOURCE = Path(__file__).with_name("failing.py")
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
Command = list[str | Path]
Outcome = tuple[int, str, str]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    executable = tmp_path_factory.mktemp("failing") / "failing"
    translation = executable_translation(entry_point_of(load_module(SOURCE)))
    build_executable(translation.optimise(), executable)
    return executable


def outcome(command: Command) -> Outcome:
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=ENVIRONMENT)
    return done.returncode, done.stdout, done.stderr


MARKS = re.compile(r"^ *[~^]+\n", re.MULTILINE)
FRAME = re.compile(r'  File "[^"]*", line \d+, in <(module|listcomp)>\n    .*\n( *[~^]+\n)?')


def without_module(text: str, marks: bool = sys.version_info[:2] == (3, 11)) -> str:
    """A report of CPython without the module's frame and those of comprehensions, which native
    programs do not have, and without the marks of other versions."""
    text = FRAME.sub("", text)
    return text if marks else MARKS.sub("", text)


def plain(found: Outcome, marks: bool = sys.version_info[:2] == (3, 11)) -> Outcome:
    return (*found[:2], without_module(found[2], marks))


def reports(program: Path, name: str, marks: bool) -> tuple[Outcome, Outcome]:
    """How the program ends, natively and under CPython."""
    native, host = outcome([program, name]), outcome([sys.executable, SOURCE, name])
    return plain(native, marks), plain(host, marks)


@pytest.mark.parametrize("name", [*WAYS, *LEAVING, *TEXTS])
def test_report(program: Path, name: str) -> None:
    marks = sys.version_info[:2] == (3, 11) and name != "comprehension"  # a function there
    native, host = reports(program, name, marks)
    assert native == host


def interrupted(command: Command) -> tuple[int, str, list[str]]:
    """The outcome when SIGINT comes after the first line of output; of the report what does not
    depend on when it came."""
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=ENVIRONMENT,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.1)  # in which it gets to where it stays
        process.send_signal(signal.SIGINT)
        status = process.wait(timeout=20)
        output, errors = process.stdout.read(), without_module(process.stderr.read())
    lines = [line for line in errors.splitlines() if not line.startswith(" ")]
    return status, output, lines


@pytest.mark.parametrize("name", INTERRUPTED)
def test_interrupted(program: Path, name: str) -> None:
    assert interrupted([program, name]) == interrupted([sys.executable, SOURCE, name])


def test_interrupt_is_ignored_in_the_background(program: Path) -> None:
    script = f"trap '' INT; {program} interrupted_sleep & sleep 0.3; kill -INT $!; kill $!; wait $!"
    assert outcome(["sh", "-c", script])[0] == 128 + signal.SIGTERM


STREAMS = {
    "closed output": ">&-", "closed input": "<&-", "closed errors": "2>&-", "full": "> /dev/full",
    "empty input": "< /dev/null",
}  # fmt: skip
DIFFERENT = {("writes_errors", "closed errors")}
"""``sys.stderr`` is not None natively."""


@pytest.mark.parametrize("name", PIPED)
def test_streams(program: Path, name: str) -> None:
    native, host = f"{program} {name}", f"{sys.executable} {SOURCE} {name}"
    for what, redirection in STREAMS.items():
        if (name, what) in DIFFERENT:
            continue
        found = outcome(["sh", "-c", f"{native} {redirection}"])
        status, output, errors = outcome(["sh", "-c", f"{host} {redirection}"])
        assert plain(found) == plain((status, output, errors)), what


@pytest.mark.parametrize("name", PIPED)
def test_nobody_reads(program: Path, name: str) -> None:
    def run(command: Command) -> tuple[int, str]:
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=writing, stderr=subprocess.PIPE, text=True,
            check=False, env=ENVIRONMENT,
        )  # fmt: skip
        os.close(writing)
        return done.returncode, without_module(done.stderr)

    assert run([program, name]) == run([sys.executable, SOURCE, name])


@pytest.mark.parametrize("name", DEEP)
def test_deep_recursion_can_be_caught(program: Path, name: str) -> None:
    for kilobytes in (192, 8192):
        size = kilobytes * 1024
        done = subprocess.run(
            [program, name], capture_output=True, text=True, check=False,
            preexec_fn=lambda size=size: resource.setrlimit(resource.RLIMIT_STACK, (size, size)),
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (0, "too deep\ntoo deep\nTrue\n"), kilobytes


def test_notes_are_reported(tmp_path: Path) -> None:
    source = SOURCE.with_name("noting.py")
    translation = executable_translation(entry_point_of(load_module(source)))
    build_executable(translation.optimise(), tmp_path / "noting")
    for number in "0123":
        expected = plain(outcome([sys.executable, source, number]))
        assert plain(outcome([tmp_path / "noting", number])) == expected
