"""``stdio.py`` under CPython and natively."""

import os
import sys
from pathlib import Path

import pytest
from programs import ROOT, build_program, run

PROGRAM = ROOT / "tests" / "programs" / "stdio.py"


INPUTS = [b"", b"one\ntwo\xff\xe9three\nfour\n\nfive", b"x" * 70000 + b"\n"]


@pytest.mark.parametrize("count", [0, 20, 9000])
@pytest.mark.parametrize("data", INPUTS)
@pytest.mark.parametrize("command", ["cat | PROGRAM", "PROGRAM <DATA"])
def test_standard_files_share_their_buffers(
    count: int, data: bytes, command: str, shared_directory: Path, tmp_path: Path
) -> None:
    native = build_program(PROGRAM, shared_directory)
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    environment.pop("PYTHONUNBUFFERED", None)
    (tmp_path / "data").write_bytes(data)
    outcomes = []
    for name, program in (("host", f"{sys.executable} {PROGRAM}"), ("native", str(native))):
        line = command.replace("PROGRAM", f"{program} {tmp_path / name} {count}")
        line = line.replace("DATA", str(tmp_path / "data"))
        outcomes.append(run(["sh", "-c", line], data, environment))
        for left in ("dropped", "kept"):
            assert (tmp_path / f"{name}.{left}").read_text() == f"{left}\n"
    assert outcomes[0] == outcomes[1]
    assert outcomes[0].errors == "to stderr, at once"
    assert outcomes[0].output.endswith(b"the end, without a newline")
