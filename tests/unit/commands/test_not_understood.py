"""A command line that is not understood: what is said of it, and exit status 2."""

import pytest

from rpython.translator.commandline.cli import main


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "check --opt=2 x.py",
            "unrecognized arguments: --opt=2 (-O is an option of rpython build, run, profile)",
        ),
        (
            "check --gc incminimark x.py",
            "unrecognized arguments: --gc=incminimark"
            " (--gc is an option of rpython build, run, profile)",
        ),
        (
            "show -o out x.py f",
            "unrecognized arguments: -o (-o is an option of rpython build, profile, explore)",
        ),
        (
            "check --max-error=3 x.py",
            "unrecognized arguments: --max-error=3 (did you mean '--max-errors'?)",
        ),
        ("run --lot x.py", "unrecognized arguments: --lot (did you mean '--lto'?)"),
        ("new --modul x", "unrecognized arguments: --modul (did you mean '--module'?)"),
        ("new a b", "unrecognized arguments: b"),
        ("check --qqq x.py", "unrecognized arguments: --qqq"),
    ],
)
def test_options(line: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit:
        main(line.split())
    assert exit.value.code == 2
    command = line.partition(" ")[0]
    assert capsys.readouterr().err.splitlines()[-1] == f"rpython {command}: error: {message}"


def test_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit:
        main([])
    assert exit.value.code == 2
    assert "rpython new words" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("word", "said"),
    [("help", "'--help'?"), ("version", "'--version'?"), ("--view", "rpython explore TARGET.py")],
)
def test_words(word: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([word, "x.py"]) == 2
    assert said in capsys.readouterr().err
