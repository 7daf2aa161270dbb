"""examples/brainfuck.py on its programs."""

from pathlib import Path

import pytest
from programs import EXAMPLES, Outcome, load_example, run

import rpython

EXAMPLE = "brainfuck"
brainfuck = load_example(EXAMPLE)

Command = list[str | Path]

PROGRAMS = EXAMPLES / "brainfuck"
NAMES = sorted(path.stem for path in PROGRAMS.glob("*.bf"))


def given_input(name: str) -> bytes:
    file = PROGRAMS / f"{name}.input"
    return file.read_bytes() if file.exists() else b""


def expected(name: str) -> str:
    return (PROGRAMS / f"{name}.expected").read_text()


def is_prime(n: int) -> bool:
    return n >= 2 and all(n % divisor for divisor in range(2, n))


def test_expectations() -> None:
    assert NAMES == ["primes", "sierpinski", "squares"]
    assert expected("squares") == "".join(f"{n * n}\n" for n in range(101))
    assert expected("primes") == "".join(f"{n}\n" for n in range(101) if is_prime(n))
    assert expected("sierpinski") == "".join(
        " " * (31 - y) + "".join("  " if x & (y - x) else " *" for x in range(y + 1)) + "\n"
        for y in range(32)
    )


@pytest.mark.parametrize("name", NAMES)
def test_command(command: Command, name: str) -> None:
    outcome = run([*command, PROGRAMS / f"{name}.bf"], given_input(name))
    assert outcome == Outcome(0, expected(name).encode(), "")


@pytest.mark.parametrize("limit", [1, 2, 3, 255])
def test_primes(command: Command, limit: int) -> None:
    primes = "".join(f"{n}\n" for n in range(limit + 1) if is_prime(n))
    for end in ["\n", ""]:
        outcome = run([*command, PROGRAMS / "primes.bf"], f"{limit}{end}".encode())
        assert outcome == Outcome(0, primes.encode(), "")


ERRORS = {
    "+[\n [-]\n[": "'[' without ']': line 3 column 1",
    "+\n ]": "']' without '[': line 2 column 2",
    "+.<": "the pointer leaves the tape: cell -1",
    "+[>+]": "the pointer leaves the tape: cell 30000",
    "+[-<+>]": "the pointer leaves the tape: cell -1",
}


@pytest.mark.parametrize("source", ERRORS)
def test_command_refuses(command: Command, source: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.bf"
    file.write_text(source)
    outcome = run([*command, file])
    written = b"\1" if "." in source else b""
    assert outcome == Outcome(1, written, f"brainfuck.py: {file}: {ERRORS[source]}\n")


def test_command_without_program(command: Command) -> None:
    outcome = run(command)
    assert outcome == Outcome(2, b"", "brainfuck.py: usage: brainfuck.py PROGRAM.bf\n")
    outcome = run([*command, "/missing.bf"])
    assert outcome == Outcome(1, b"", "brainfuck.py: cannot read /missing.bf\n")


def test_all_bytes(command: Command, tmp_path: Path) -> None:
    echo = tmp_path / "echo.bf"
    echo.write_text(",[.,]")
    data = bytes(range(1, 256)) * 40
    assert run([*command, echo], data) == Outcome(0, data, "")


SMALL_PROGRAMS = [
    ("++++++++[>++++++++<-]>+.+.+.", b""),
    (",[.,]", b"echo\xff\x80"),
    (",>,<[>[->+>+<<]>>[-<<+>>]<<<-]>>.", b"\x06\x07"),  # multiplication
    ("-.[-]>-[-].", b""),
    ("[.]comment+.", b""),
]


def run_or_message(source: str, data: bytes) -> str:
    try:
        result: str = brainfuck.run(source, data)
        return result
    except brainfuck.BrainfuckError as error:
        message: str = error.message
        return message


def run_all(sources: list[str], inputs: list[bytes]) -> list[str]:
    """What is interpreted below, once for all programs."""
    return [run_or_message(sources[i], inputs[i]) for i in range(len(sources))]


def test_interpret() -> None:
    programs = SMALL_PROGRAMS + [(source, b"") for source in ERRORS]
    sources = [source for source, _ in programs]
    inputs = [data for _, data in programs]
    assert rpython.interpret(run_all, [sources, inputs]) == run_all(sources, inputs)
