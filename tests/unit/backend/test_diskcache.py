"""What is kept on disk: whole files, within limits, and none of others."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rpython.translator.commandline.cli import main
from rpython.translator.ir.diskcache import DiskCache, cache_directory, prune


def test_what_is_written_is_read(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path / "kept", 1 << 20)
    assert cache.read("a") is None
    cache.write("a", b"one")
    cache.write("a", b"two")
    assert cache.read("a") == b"two"
    assert [path.name for path in cache.folder.glob(".*")] == []


def test_others_find_all_of_it_or_nothing(tmp_path: Path) -> None:
    texts = {bytes([n]) * 100_000 for n in range(8)}

    def use(text: bytes) -> bytes | None:
        cache = DiskCache(tmp_path / "kept", 1 << 30)
        cache.write("a", text)
        return cache.read("a")

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(use, sorted(texts))) <= texts


def test_what_is_damaged_is_dropped(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path / "kept", 1 << 20)
    cache.write("a", b"content")
    path = cache.folder / "a"
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert cache.read("a") is None
    assert not path.exists()


def test_the_limit_drops_what_was_unused_for_longest(tmp_path: Path) -> None:
    for age, name in enumerate(["new", "used", "kept", "old", "locked"]):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "file").write_bytes(b"x" * 1000)
        if name == "locked":
            (folder / ".lock").symlink_to("1")
        os.utime(folder, (1_000_000 - age, 1_000_000 - age))
    prune(tmp_path, 3500, "*", frozenset([tmp_path / "kept"]))
    assert {path.name for path in tmp_path.iterdir()} == {"looked", "new", "kept", "locked"}
    (tmp_path / "more").write_bytes(b"x" * 9000)
    prune(tmp_path, 0, "*")  # it has looked a moment ago
    assert (tmp_path / "more").exists()


def test_clean_of_parts(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    run, objects = cache_directory("run"), cache_directory("objects")
    builds = tmp_path / f"rpython3-{os.getuid()}"
    for folder in (run, objects, builds):
        folder.mkdir(parents=True)
    assert main(["clean", "builds", "run", "run", "helpers"]) == 0
    assert capsys.readouterr().out == f"{builds}: removed, 0.0 MB\n{run}: removed, 0.0 MB\n"
    assert [folder.exists() for folder in (run, objects, builds)] == [False, True, False]
    assert main(["clean", "helpers"]) == 0
    assert capsys.readouterr().out == "nothing is kept\n"
    with pytest.raises(SystemExit):
        main(["clean", "everything"])
    assert objects.exists()


def test_clean(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    kept = [tmp_path / "cache" / "rpython3", tmp_path / f"rpython3-{os.getuid()}"]
    for folder in kept:
        (folder / "inside").mkdir(parents=True)
        (folder / "inside" / "file").write_bytes(b"x" * (1 << 20))
    assert main(["clean"]) == 0
    assert capsys.readouterr().out == "".join(f"{path}: removed, 1.0 MB\n" for path in kept)
    assert not any(path.exists() for path in kept)
    assert main(["clean"]) == 0
