"""The examples built by the compiler of the ziglang package: for this machine, where there is
no other compiler, and for another one, run by qemu."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from programs import EXAMPLES, ROOT, run
from test_examples import RUNS, expected

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="needs ziglang"),
]
QEMU = shutil.which("qemu-aarch64")
PROGRAMS = ("richards", "deltablue", "lisp", "vm", "targetkettle", "regex")


def build(name: str, out: Path, *options: str, path: str | None = None) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "CC"}
    if path is not None:
        environment["PATH"] = path
    source = EXAMPLES / f"{name}.py"
    done = subprocess.run(
        [sys.executable, "-m", "rpython", "build", source, "-o", out, *options],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def check_runs(name: str, command: list[str | Path]) -> None:
    for example in RUNS:
        if example.program == name:
            done = run([*command, *example.args], example.data)
            assert done.output.decode() + done.errors == expected(example.name)
            assert done.status == example.status


def test_without_another_compiler(tmp_path: Path) -> None:
    build("lisp", tmp_path / "lisp", path=str(tmp_path))
    check_runs("lisp", [tmp_path / "lisp"])


@pytest.mark.skipif(QEMU is None, reason="needs qemu-aarch64 (qemu-user)")
@pytest.mark.parametrize("name", PROGRAMS)
def test_aarch64(name: str, tmp_path: Path) -> None:
    build(name, tmp_path / name, "--target=aarch64-linux-musl")
    check_runs(name, [str(QEMU), tmp_path / name])


CALLS = """
import os
import threading


def deep(n):
    return deep(n + 1) + 1


def work():
    try:
        deep(0)
    except RecursionError:
        print("too deep")


def entry_point(argv):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    pid = os.fork()
    if pid == 0:
        os._exit(7)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
"""


@pytest.mark.skipif(QEMU is None, reason="needs qemu-aarch64 (qemu-user)")
def test_threads_and_system_calls_of_another_target(tmp_path: Path) -> None:
    (tmp_path / "calls.py").write_text(CALLS)
    build(str(tmp_path / "calls"), tmp_path / "calls", "--target=aarch64-linux-musl")
    done = run([str(QEMU), tmp_path / "calls"])
    assert (done.output, done.status) == (b"too deep\n", 7)


def test_other_targets_build(tmp_path: Path) -> None:
    machines = {"aarch64-linux-gnu": 183, "riscv64-linux-musl": 243, "x86_64-linux-musl": 62}
    for target, machine in machines.items():
        build("vm", tmp_path / target, f"--target={target}")
        assert (tmp_path / target).read_bytes()[18:20] == machine.to_bytes(2, "little")
    check_runs("vm", [tmp_path / "x86_64-linux-musl"])
