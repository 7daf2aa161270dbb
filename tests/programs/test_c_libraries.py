"""examples/deflate.py and examples/shelf.py, which call zlib and SQLite."""

import sys
import zlib
from pathlib import Path

import pytest
from programs import EXAMPLES, build_example, load_example, run

import rpython

deflate = load_example("deflate")
shelf = load_example("shelf")

DATA = {
    "empty": b"",
    "one byte": b"x",
    "text": (EXAMPLES / "deflate.py").read_bytes(),
    "run": b"a" * 100_000,
    "noise": bytes((i * i * 7919 >> 7) & 255 for i in range(20_000)),
}
BOOKS = "Middlemarch;1871\nEmma;1815\nЖизнь и судьба;1959\nUlysses;1922\n"
REPORTS = {
    "all": (BOOKS, "1"),
    "some": (BOOKS, "year < 1900"),
    "none": (BOOKS, "title = 'x'"),
    "not ascii": (BOOKS, "title LIKE 'Ж%'"),
    "no such column": (BOOKS, "yeer < 1900"),
    "syntax error": (BOOKS, ")"),
    "not unique": ("a;1\na;2\n", "1"),
}


def compress(data: bytes) -> bytes:
    packed: bytes = deflate.compress(data)
    return packed


def expand(data: bytes) -> bytes:
    try:
        expanded: bytes = deflate.expand(data)
    except deflate.ZlibError as error:
        return b"error: " + str(error).encode()
    return expanded


def checksum(data: bytes) -> int:
    return deflate.checksum(data)


@pytest.fixture(scope="module")
def native_deflate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_example("deflate", tmp_path_factory.mktemp("deflate"))


@pytest.fixture(scope="module")
def native_shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_example("shelf", tmp_path_factory.mktemp("shelf"))


@pytest.mark.parametrize("data", DATA.values(), ids=DATA)
def test_compresses_as_the_zlib_module(native_deflate: Path, data: bytes) -> None:
    packed = zlib.compress(data)
    sum_text = f"crc32 {zlib.crc32(data):08x} -> {zlib.crc32(packed):08x}\n"
    host = run([sys.executable, EXAMPLES / "deflate.py"], data)
    assert (host.status, host.output, host.errors) == (0, packed, sum_text)
    assert run([native_deflate], data) == host
    assert rpython.interpret(compress, [data]) == packed
    assert rpython.interpret(checksum, [data]) == zlib.crc32(data)


@pytest.mark.parametrize("data", DATA.values(), ids=DATA)
def test_expands_what_the_zlib_module_compressed(native_deflate: Path, data: bytes) -> None:
    packed = zlib.compress(data)
    host = run([sys.executable, EXAMPLES / "deflate.py", "-d"], packed)
    assert (host.status, host.output) == (0, data)
    assert run([native_deflate, "-d"], packed) == host
    assert rpython.interpret(expand, [packed]) == data


@pytest.mark.parametrize("packed", [b"", b"x", b"not zlib at all", zlib.compress(b"a" * 99)[:-3]])
def test_damaged_data_is_an_error(native_deflate: Path, packed: bytes) -> None:
    host = run([sys.executable, EXAMPLES / "deflate.py", "-d"], packed)
    assert host.status == 1
    assert run([native_deflate, "-d"], packed) == host
    message = host.errors.removeprefix("deflate: ").strip()
    assert rpython.interpret(expand, [packed]).decode() == f"error: {message}"


@pytest.mark.parametrize(("text", "condition"), REPORTS.values(), ids=REPORTS)
def test_a_table_in_memory(native_shelf: Path, text: str, condition: str) -> None:
    lines = shelf.report(text, condition)
    host = run([sys.executable, EXAMPLES / "shelf.py", condition], text.encode())
    assert host.output.decode() == "".join(line + "\n" for line in lines)
    assert host.errors == ""
    assert run([native_shelf, condition], text.encode()) == host
    assert rpython.interpret(shelf.report, [text, condition]) == lines


def test_the_reports_are_right() -> None:
    assert shelf.report(*REPORTS["some"]) == [
        "Emma (1815)", "Middlemarch (1871)", "books=4, first=1815",
    ]  # fmt: skip
    assert shelf.report(*REPORTS["no such column"]) == ["shelf: no such column: yeer"]
    assert shelf.report(*REPORTS["not unique"]) == ["shelf: UNIQUE constraint failed: book.title"]
