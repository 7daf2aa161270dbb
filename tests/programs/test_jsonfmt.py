"""examples/jsonfmt.py against python -m json.tool --no-ensure-ascii."""

import io
import json
import json.tool
import random
import sys
import sysconfig
from pathlib import Path

import pytest
from programs import ROOT, Outcome, load_example, run

import rpython

EXAMPLE = "jsonfmt"
jsonfmt = load_example(EXAMPLE)

Command = list[str | Path]

JSON_TOOL: Command = [sys.executable, "-X", "utf8", "-m", "json.tool", "--no-ensure-ascii"]

TEXTS = [
    # values
    "null", " true\n", "false", "0", "-0", "-12", "1.0", "-0.0", "1E5", "1e-7", "0.1e1", "1e16",
    "123456789.123456789", "5e-324", "1.7976931348623157e308", "1E400", "-1e400", "2.50",
    "123456789012345678901234567890", "NaN", "[Infinity, -Infinity]", '""', "[]", "{}", " [ ] ",
    '{"a": [1, 2.5, {"b": [[], {}]}], "c": "d"}', '{"a": 1, "b": 2, "a": 3}', '{"": {"": []}}',
    # strings
    '"\\u0000\\u001f\\b\\f\\n\\r\\t\\/\\"\\\\"',
    '"\x7f\u2028é€😀"', '"\\u00e9\\u20AC\\ud83d\\ude00"',
    '["\\ud83d\\ude00 ", "\\ud83d\\u0041"]', '{"\\u006bey": "\\uD83D\\uDE00!"}',
    # errors
    "", "  \n", "[", "{", "]", ",", "nul", "nulls", "-", "-NaN", "01", "1.", "1.5e", "+1", ".5",
    "[1,]", "[1 2]", "[1}", "[,1]", "[1,\n2,\n x]", '{"a"', '{"a":', '{"a":1', '{"a":1,', "{1:2}",
    '{"a" 1}', '{"a":1 "b":2}', '"', '"abc', '"\\', '"\\u', '"\\u12', '"\\u12x4"', '"\\x"',
    '"\\ud83d\\ude0"', '"\\ud83d\\uzzzz"', '"a\nb"', '"a\tb"', "\ufeff1", "1\r\n\r\r x", "\f1",
    # surrogates without their partner
    '"\\ud83d"', '["\\ud83d\\ud83d"]', '{"a": ["x\\udc00y"]}',
]  # fmt: skip


def json_tool(data: bytes) -> bytes | str:
    """What json.tool writes for `data`, or its error message."""
    text = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8").read()
    try:
        value = json.loads(text)
        return (json.dumps(value, indent=4, ensure_ascii=False) + "\n").encode()
    except ValueError as error:
        return str(error)


def ours(data: bytes) -> bytes | str:
    try:
        result: bytes = jsonfmt.format_bytes(data)
        return result
    except jsonfmt.JsonError as error:
        message: str = error.message
        return message


def assert_same(data: bytes) -> None:
    """The example gives the answer of json.tool for `data`."""
    result = ours(data)
    expected = json_tool(data)
    if isinstance(expected, bytes):
        assert result == expected, data
        return
    assert isinstance(result, str), data
    if "surrogates not allowed" in expected:  # json.tool counts within one piece of output
        assert "surrogates not allowed" in result, data
    elif expected.startswith("Illegal trailing comma"):  # so called from CPython 3.13 on
        assert result.startswith("Expecting "), data
    else:
        assert result == expected, data


def test_format() -> None:
    for text in TEXTS:
        assert_same(text.encode())


def test_format_damaged() -> None:
    """Random edits of a valid text get the same answer."""
    value = {"a": [1, 2.5, -3e10, True, None, "xሴ\n😀"], "b": {"c": {}, "d": [], "e": '\\"/'}}
    valid = json.dumps(value, indent=1)
    source = random.Random(3)
    for _ in range(3000):
        chars = list(valid)
        for _ in range(source.randrange(1, 3)):
            i = source.randrange(len(chars))
            replacement = source.choice([*'[]{}",:0123.eE-+\\u nN\x01\r\n', ""])
            chars[i : i + source.randrange(2)] = [replacement]
        assert_same("".join(chars).encode())


def assert_like_json_tool(outcome: Outcome, arguments: Command, data: bytes) -> None:
    expected = run([*JSON_TOOL, *arguments], data)
    assert (outcome.status, outcome.errors) == (expected.status, expected.errors), data
    if outcome.status == 0:
        assert outcome.output == expected.output, data


def test_command_on_standard_input(command: Command) -> None:
    for text in TEXTS[::3]:
        data = text.encode()
        outcome = run(command, data)
        expected = ours(data)
        if isinstance(expected, bytes):
            assert outcome == Outcome(0, expected, ""), text
        else:
            assert outcome == Outcome(1, b"", expected + "\n"), text


@pytest.mark.parametrize(
    "text",
    ['{"b": [1, 2.50, "é\\u20ac"], "a": {}}', "[1,\n 2 3]", '["\\ud83d\\ud83d", 1]', "1e999"],
)
def test_command_is_like_json_tool(command: Command, text: str, tmp_path: Path) -> None:
    data = text.encode()
    assert_like_json_tool(run(command, data), [], data)
    file = tmp_path / "x.json"
    file.write_bytes(data)
    assert_like_json_tool(run([*command, file]), [file], b"")


def test_command_other_errors(command: Command) -> None:
    assert run([*command, "/missing"]) == Outcome(2, b"", "jsonfmt.py: cannot read /missing\n")
    assert run([*command, "1", "2"]) == Outcome(2, b"", "usage: jsonfmt.py [FILE]\n")
    assert run(command, b"\xff") == Outcome(1, b"", "the input is not UTF-8\n")


def test_command_on_deep_nesting(command: Command) -> None:
    """What is too deep is an error, and not a crash."""
    deep = run(command, b"[" * 10_000_000)
    assert deep == Outcome(1, b"", "nested too deeply\n")
    data = b"[" * 100 + b"]" * 100
    assert run(command, data) == Outcome(0, json_tool(data), "")


def installed_files() -> list[Path]:
    """JSON files of this machine."""
    roots = [ROOT, Path(sysconfig.get_path("stdlib")), Path("/usr/share"), Path("/usr/lib")]
    found = {path for root in roots for path in root.rglob("*.json") if path.is_file()}
    return sorted(path for path in found if path.stat().st_size < 200_000)


def test_command_on_installed_files(command: Command) -> None:
    files = installed_files()
    if not files:
        pytest.skip("no JSON files on this machine")
    for file in files[:: 1 + len(files) // 60]:
        try:
            expected = json_tool(file.read_bytes())
        except UnicodeDecodeError:
            continue
        outcome = run([*command, file])
        if isinstance(expected, bytes):
            assert outcome == Outcome(0, expected, ""), file
        else:
            assert outcome == Outcome(1, b"", expected + "\n"), file


def format_or_message(text: str) -> str:
    try:
        result: str = jsonfmt.format_text(text)
        return result
    except jsonfmt.JsonError as error:
        message: str = error.message
        return message


def format_all(texts: list[str]) -> list[str]:
    """What is interpreted below, once for all texts."""
    return [format_or_message(text) for text in texts]


def test_interpret() -> None:
    assert rpython.interpret(format_all, [TEXTS]) == format_all(TEXTS)
