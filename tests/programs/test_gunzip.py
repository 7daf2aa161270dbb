"""examples/gunzip.py against gzip and zlib."""

import glob
import os
import random
import struct
import subprocess
import zlib
from pathlib import Path

import pytest
from programs import EXAMPLES, Outcome, build_example, load_example, run

import rpython

EXAMPLE = "gunzip"
gunzip = load_example(EXAMPLE)

Command = list[str | Path]


def deflate(data: bytes, level: int = 6, strategy: int = zlib.Z_DEFAULT_STRATEGY) -> bytes:
    """A gzip file made by zlib."""
    compressor = zlib.compressobj(level, zlib.DEFLATED, 31, 9, strategy)
    return compressor.compress(data) + compressor.flush()


def with_header(flags: int, fields: bytes, data: bytes = b"contents\n") -> bytes:
    """A gzip file with optional header fields; its header checksum is right if asked for."""
    header = b"\x1f\x8b\x08" + bytes([flags]) + b"\1\2\3\4\0\3" + fields
    if flags & gunzip.FHCRC:
        header += struct.pack("<H", zlib.crc32(header) & 0xFFFF)
    return header + deflate(data)[10:]


RANDOM = random.Random(20)
SKEWED = bytes(min(255, int(RANDOM.expovariate(0.05))) for _ in range(120_000))
NOISE = RANDOM.randbytes(70_000)
TEXT = (EXAMPLES / "inflate.py").read_bytes() * 12  # more than the window

CONTENTS = {
    "empty": b"",
    "one byte": b"a",
    "text": TEXT,
    "noise": NOISE,
    "skewed": SKEWED,  # codes longer than the primary table's
    "run": b"a" * 300_000,
    "far matches": NOISE[:32_768] * 2 + NOISE[:100],
}

VALID = {
    f"{name}, {how}": (deflate(data, level, strategy), data)
    for name, data in CONTENTS.items()
    for how, level, strategy in [
        ("stored", 0, zlib.Z_DEFAULT_STRATEGY),
        ("fixed", 6, zlib.Z_FIXED),
        ("dynamic", 6, zlib.Z_DEFAULT_STRATEGY),
        ("huffman only", 6, zlib.Z_HUFFMAN_ONLY),
    ]
} | {
    "two members": (deflate(b"one\n") + deflate(b"two\n"), b"one\ntwo\n"),
    "an empty member in between": (deflate(b"one\n") + deflate(b"") + deflate(b"3"), b"one\n3"),
    "zeros at the end": (deflate(b"one\n") + b"\0" * 700, b"one\n"),
    "FEXTRA": (with_header(4, b"\5\0abcde"), b"contents\n"),
    "FNAME": (with_header(8, b"name\0"), b"contents\n"),
    "FCOMMENT": (with_header(16, b"a comment\0"), b"contents\n"),
    "FHCRC": (with_header(2, b""), b"contents\n"),
    "all flags": (with_header(31, b"\2\0xyname\0comment\0"), b"contents\n"),
}  # fmt: skip

INTERPRETED = ["empty, fixed", "one byte, stored", "two members", "all flags", "zeros at the end"]

SMALL = deflate(b"hello, hello, hello\n")
FORMAT_VIOLATED = "invalid compressed data--format violated"
END = "unexpected end of file"


def block(bits: str) -> bytes:
    """A gzip member whose deflate stream is these bits, in the order they are read."""
    padded = bits + "0" * (-len(bits) % 8)
    data = bytes(int(padded[i : i + 8][::-1], 2) for i in range(0, len(padded), 8))
    return SMALL[:10] + data + b"\0" * 64


INVALID = {
    "empty": (b"", END),
    "half a magic number": (b"\x1f", END),
    "text": (b"hello\n", "not in gzip format"),
    "method": (SMALL[:2] + b"\7" + SMALL[3:], "unknown method 7 -- not supported"),
    "reserved flag": (SMALL[:3] + b"\x20" + SMALL[4:], "reserved flags 32 -- not supported"),
    "header checksum": (with_header(2, b"")[:10] + b"\0\0" + SMALL[10:], "header checksum error"),
    "crc": (SMALL[:-8] + b"\0\0\0\0" + SMALL[-4:], "invalid compressed data--crc error"),
    "length": (SMALL[:-4] + b"\1\0\0\0", "invalid compressed data--length error"),
    "header only": (SMALL[:10], END),
    "no trailer": (SMALL[:-8], END),
    "half a trailer": (SMALL[:-3], END),
    "second member cut": (SMALL + SMALL[:-1], END),
    "block type 3": (block("1" "11"), FORMAT_VIOLATED),
    "stored length": (block("1" "00" "00000" + "1" * 32), FORMAT_VIOLATED),
    "distance too far": (block("1" "10" "0000001" "00000"), FORMAT_VIOLATED),
    "length symbol 286": (block("1" "10" "11000110"), FORMAT_VIOLATED),
    "distance symbol 30": (block("1" "10" "00110000" "0000001" "11110"), FORMAT_VIOLATED),
    "over-subscribed code lengths":
        (block("1" "01" "00000" "00000" "0000" + "100" * 4), FORMAT_VIOLATED),
    "incomplete code lengths":
        (block("1" "01" "00000" "00000" "0000" + "010" + "000" * 3), FORMAT_VIOLATED),
    "repeat without a length before":
        (block("1" "01" "00000" "00000" "0000" "100" "100" "000" "000" "0"), FORMAT_VIOLATED),
}  # fmt: skip


def decompressed(data: bytes) -> bytes | str:
    try:
        return gunzip.decompress(data)
    except gunzip.GzipError as error:
        return error.message


@pytest.mark.parametrize("name", VALID)
def test_decompress(name: str) -> None:
    compressed, contents = VALID[name]
    assert decompressed(compressed) == contents


@pytest.mark.parametrize("name", INVALID)
def test_decompress_refuses(name: str) -> None:
    compressed, message = INVALID[name]
    assert decompressed(compressed) == message
    assert run(["gzip", "-dc"], compressed).status == 1


def test_command_on_standard_input(command: Command) -> None:
    for name, (compressed, contents) in VALID.items():
        assert run(command, compressed) == Outcome(0, contents, ""), name


def test_command_errors(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "x.gz"
    for name, (compressed, message) in INVALID.items():
        file.write_bytes(compressed)
        outcome = run([*command, file])
        assert outcome.status == 1, name
        assert outcome.errors == f"gunzip.py: {file}: {message}\n", name


def test_command_writes_what_it_can_of_a_truncated_file(command: Command) -> None:
    compressed = deflate(TEXT)
    for size in [11, 60, 1000, len(compressed) - 9, len(compressed) - 1]:
        outcome = run([*command, "-"], compressed[:size])
        assert (outcome.status, outcome.errors) == (1, f"gunzip.py: stdin: {END}\n")
        assert TEXT.startswith(outcome.output)
    assert outcome.output == TEXT


def test_command_several_files(command: Command, tmp_path: Path) -> None:
    good, bad, garbage = (tmp_path / name for name in ["good.gz", "bad.gz", "garbage.gz"])
    good.write_bytes(deflate(b"good\n"))
    bad.write_bytes(b"not gzip")
    garbage.write_bytes(deflate(b"then garbage\n") + b"garbage")
    ignored = f"gunzip.py: {garbage}: decompression OK, trailing garbage ignored\n"
    assert run([*command, good, garbage]) == Outcome(2, b"good\nthen garbage\n", ignored)
    outcome = run([*command, garbage, bad, tmp_path / "missing", good])
    assert (outcome.status, outcome.output) == (1, b"then garbage\ngood\n")
    assert outcome.errors == (
        ignored
        + f"gunzip.py: {bad}: not in gzip format\n"
        + f"gunzip.py: {tmp_path}/missing: cannot open file\n"
    )


def installed_files(largest: int) -> list[str]:
    """Compressed changelogs of this machine."""
    found = sorted(glob.glob("/usr/share/doc/*/changelog*.gz"))
    return [name for name in found if os.path.getsize(name) <= largest]


def test_command_on_installed_files(command: Command) -> None:
    is_native = len(command) == 1
    files = installed_files(largest=10_000_000 if is_native else 40_000)
    if not is_native:
        files = files[:: 1 + len(files) // 40]
    if not files:
        pytest.skip("no /usr/share/doc/*/changelog*.gz on this machine")
    ours = run([*command, *files])
    theirs = run(["gzip", "-dc", *files])
    assert (ours.status, ours.errors) == (0, "")
    assert ours.output == theirs.output


def decompress_or_message(data: bytes) -> bytes:
    try:
        result: bytes = gunzip.decompress(data)
        return result
    except gunzip.GzipError as error:
        message: str = error.message
        return message.encode("utf-8")


def decompress_all(files: list[bytes]) -> list[bytes]:
    """What is interpreted below, once for all files."""
    return [decompress_or_message(data) for data in files]


def test_interpret() -> None:
    files = [VALID[name][0] for name in INTERPRETED] + [data for data, _ in INVALID.values()]
    files.append(deflate(SKEWED[:600]))
    assert rpython.interpret(decompress_all, [files]) == decompress_all(files)


@pytest.mark.long
def test_native_on_a_large_file(shared_directory: Path, tmp_path: Path) -> None:
    """More than 50 MB of text, binary data and noise."""
    large = tmp_path / "large"
    source = random.Random(7)
    pieces = [path.read_bytes() for path in sorted(Path(os.__file__).parent.glob("*.py"))]
    with open(large, "wb") as file:
        while file.tell() < 60_000_000:
            file.write(source.choice(pieces))
            if source.random() < 0.02:
                file.write(source.randbytes(100_000))
    for level in ["-1", "-6", "-9"]:
        with open(tmp_path / "large.gz", "wb") as compressed:
            subprocess.run(["gzip", level, "-c", large], stdout=compressed, check=True)
        outcome = run([build_example(EXAMPLE, shared_directory), tmp_path / "large.gz"])
        assert (outcome.status, outcome.errors) == (0, "")
        assert outcome.output == large.read_bytes()
