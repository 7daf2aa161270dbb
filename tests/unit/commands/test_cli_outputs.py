"""Where the command ``rpython`` writes, and where it does not."""

from __future__ import annotations

import os
import socket
import sys

import pytest

from rpython.translator.commandline.cli import main
from tests.support.commandline import TARGET

KINDS = {"pipe": os.mkfifo, "directory": os.mkdir, "link": lambda path: path.symlink_to(".")}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("how", [[], ["--shared"]])
def test_output_is_a_file(tmp_path, capsys, kind, how):
    path = tmp_path / "replacing.py"
    path.write_text(TARGET)
    out = tmp_path / "out"
    KINDS[kind](out)
    mode = out.stat().st_mode
    assert main(["build", *how, str(path), "-o", str(out)]) == 1
    shown = kind.replace("link", "directory")
    assert f"cannot write {out}: it is a {shown}, not a file" in capsys.readouterr().err
    assert out.stat().st_mode == mode
    sys.modules.pop("replacing")


def test_output_is_in_a_folder(tmp_path, capsys):
    path = tmp_path / "placing.py"
    path.write_text(TARGET)
    assert main(["build", str(path), "-o", str(tmp_path / "none" / "out")]) == 1
    assert f"there is no folder {tmp_path}/none" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_dump_goes_to_files(tmp_path, capsys):
    path = tmp_path / "dumping.py"
    path.write_text(TARGET)
    build = ["build", str(path), "-o", str(tmp_path / "out"), "--passes=fold_constants", "--dump"]
    os.mkfifo(tmp_path / "02-fold_constants.txt")
    for dump, message in (
        (tmp_path, f"cannot write {tmp_path}/02-fold_constants.txt: it is a pipe, not a file"),
        (path, f"cannot write {path}: File exists"),
    ):
        assert main([*build, str(dump)]) == 1
        assert message in capsys.readouterr().err
    sys.modules.pop("dumping")


def test_output_of_a_module_is_a_file(tmp_path, capsys):
    path = tmp_path / "replacing.py"
    path.write_text("def f(n: int) -> int:\n    return n\n")
    out = tmp_path / "replacing.so"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(out))
        assert main(["build", "--module", str(path), "-o", str(out)]) == 1
    assert f"cannot write {out}: it is a socket, not a file" in capsys.readouterr().err
    assert out.is_socket()
    sys.modules.pop("replacing")


def test_output_is_no_source(tmp_path, capsys):
    path = tmp_path / "overwritten.py"
    path.write_text(TARGET)
    assert main(["build", str(path), "-o", str(path)]) == 1
    assert f"the output {path} is a Python file that exists" in capsys.readouterr().err
    assert path.read_text() == TARGET
    sys.modules.pop("overwritten")
