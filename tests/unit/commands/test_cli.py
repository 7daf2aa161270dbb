"""The command ``rpython`` as a user meets it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rpython.translator.commandline.cli import main
from tests.support.commandline import TARGET, rpython

WRONG = """
def pick(n):
    if n > 3:
        return 1
    return "one"

def entry_point(argv):
    pick(len(argv))
    return 0
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "target.py").write_text(TARGET)
    (tmp_path / "wrong.py").write_text(WRONG)
    return tmp_path


@pytest.mark.parametrize("command", [["build", "target.py"], ["target.py"]])
def test_build(folder, command):
    done = rpython(folder, *command)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) <= 5
    executable = folder / "target-c"
    for args in ([], ["1"], ["1", "2"], ["1", "2", "3"]):
        native = subprocess.run([executable, *args], capture_output=True, text=True, check=False)
        host = subprocess.run(
            [sys.executable, "target.py", *args],
            cwd=folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert native.returncode == host.returncode
        assert native.stdout == host.stdout
        assert native.stderr.splitlines()[-1:] == host.stderr.splitlines()[-1:]


def test_build_names_the_executable_as_the_target_says(folder):
    target = "def target(driver, args):\n    driver.exe_name = 'small-%(backend)s'\n"
    (folder / "named.py").write_text(f"{TARGET}\n{target}    return entry_point, None\n")
    done = rpython(folder, "build", "named.py")
    assert done.stdout.startswith("small-c: built in"), done.stderr
    assert subprocess.run([folder / "small-c", "1"], check=False).returncode == 2


def test_traceback_names_files_lines_and_functions(folder):
    rpython(folder, "build", "target.py", "-o", "out")
    failed = subprocess.run(
        [folder / "out", "1", "2", "3"], capture_output=True, text=True, check=False
    )
    assert failed.stderr == (
        "Traceback (most recent call last):\n"
        f'  File "{folder}/target.py", line 12, in entry_point\n'
        "    return inner(len(argv))\n"
        "           ^^^^^^^^^^^^^^^^\n"
        f'  File "{folder}/target.py", line 6, in inner\n'
        '    raise ValueError("too many")\n'
        "ValueError: too many\n"
    )


GENERATORS = """\
def numbers(n):
    for i in range(n):
        yield 10 // (2 - i)


def entry_point(argv):
    def total(n):
        return sum(v + len(argv) for v in numbers(n))

    print(total(2))
    source = numbers(1)
    for v in source:
        print(v)
    try:
        next(source)
    except StopIteration:
        print("end")
    print(total(5))
    return 0


if __name__ == "__main__":
    import sys

    sys.exit(entry_point(["x"]))
"""


def test_traceback_through_generators_and_closures(folder):
    """The same as under CPython, but for the text under the lines and the module's frame."""
    (folder / "source.py").write_text(GENERATORS)
    rpython(folder, "build", "source.py", "-o", "out")
    failed = subprocess.run([folder / "out"], capture_output=True, text=True, check=False)
    host = subprocess.run(
        [sys.executable, "source.py"], cwd=folder, capture_output=True, text=True, check=False
    )

    def frames(text):
        lines = [line.strip() for line in text.splitlines()]
        return [line.rpartition("/")[2] for line in lines if not set(line) <= {"^", "~"}]

    assert failed.stdout == host.stdout
    expected = [line for line in frames(host.stderr) if "<module>" not in line]
    expected = [line for line in expected if not line.startswith("sys.exit")]
    expected = [line.removeprefix('File "') for line in expected]
    assert [line.removeprefix('File "') for line in frames(failed.stderr)] == expected


def test_verbose_says_what_each_stage_took(folder):
    done = rpython(folder, "build", "target.py", "-v", "-o", "out", "--dump", "dumps")
    for stage in ("annotate", "rtype", "optimise", "compile", "link"):
        assert stage in done.stderr
    dumps = sorted(os.listdir(folder / "dumps"))
    assert any(name.endswith("-fold_constants.txt") for name in dumps)
    assert any(name.endswith("-keep_roots.txt") for name in dumps)


def test_run_builds_only_when_something_changed(folder):
    assert rpython(folder, "run", "target.py", "1").returncode == 2
    executables = sorted((folder / "cache" / "rpython3" / "run").iterdir())
    stamps = [path.stat().st_mtime_ns for path in executables]
    assert rpython(folder, "run", "target.py", "1").returncode == 2
    assert [path.stat().st_mtime_ns for path in executables] == stamps
    (folder / "target.py").write_text(TARGET.replace("return n\n", "return n + 40\n"))
    assert rpython(folder, "run", "target.py", "1").returncode == 42


def test_run_builds_anew_for_ints_of_another_size(folder):
    (folder / "power.py").write_text(
        "def entry_point(argv):\n    print(2 ** (len(argv) + 69))\n    return 0\n"
    )
    assert "OverflowError" in rpython(folder, "run", "power.py").stderr
    assert rpython(folder, "run", "--int=big", "power.py").stdout == f"{2**70}\n"
    assert "OverflowError" in rpython(folder, "run", "power.py").stderr


def test_refused_program(folder):
    for command in ("build", "check", "run"):
        done = rpython(folder, command, "--boxing=refuse", "wrong.py")
        assert done.returncode == 1
        assert done.stdout == ""
        assert "the result of pick would hold both" in done.stderr
        assert "wrong.py:4" in done.stderr
        assert "Traceback" not in done.stderr


def test_failed_build_leaves_the_old_output(folder):
    rpython(folder, "build", "target.py", "-o", "out")
    before = (folder / "out").read_bytes()
    assert rpython(folder, "build", "--boxing=refuse", "wrong.py", "-o", "out").returncode == 1
    assert (folder / "out").read_bytes() == before


def test_check(folder):
    done = rpython(folder, "check", "target.py")
    assert done.returncode == 0
    assert "no type errors" in done.stdout


@pytest.mark.parametrize("stage", ["flow", "annotated", "lowlevel", "optimised", "lowered", "c"])
def test_show(folder, stage):
    done = rpython(folder, "show", "target.py", "inner", "--stage", stage)
    assert done.returncode == 0, done.stderr
    assert "inner(" in done.stdout


def test_missing_things(folder):
    assert "no file" in rpython(folder, "build", "nowhere.py").stderr
    assert "no function 'nothing'" in rpython(folder, "show", "target.py", "nothing").stderr
    (folder / "empty.py").write_text("x = 1\n")
    done = rpython(folder, "build", "empty.py")
    assert done.returncode == 1
    assert "defines no entry point" in done.stderr


def test_rpython_style_target(folder):
    (folder / "old.py").write_text(
        "def entry_point(argv):\n    return 5\n\ndef target(driver, args):\n"
        "    return entry_point, None\n"
    )
    assert rpython(folder, "build", "old.py").returncode == 0
    assert subprocess.run([folder / "old-c"], check=False).returncode == 5


NOT_IMPORTED = [
    (
        "def f():\n    return unknown\nVALUE = f()\n",
        """\
translation error[R1001]: {path} cannot be imported
Traceback (most recent call last):
  File "{path}", line 3, in <module>
    VALUE = f()
  File "{path}", line 2, in f
    return unknown
NameError: name 'unknown' is not defined
""",
    ),
    (
        "import sys\nVALUE = sys.exit(3)\n",
        """\
translation error[R1001]: {path} cannot be imported
Traceback (most recent call last):
  File "{path}", line 2, in <module>
    VALUE = sys.exit(3)
SystemExit: 3
  hint: put what the file does as a program below: if __name__ == '__main__':
""",
    ),
    (
        "def f(:\n",
        """\
translation error[R1001]: {path} cannot be imported
  File "{path}", line 1
    def f(:
SyntaxError: invalid syntax
""",
    ),
]


def test_errors_up_to_a_number(tmp_path, capsys):
    path = tmp_path / "wrong.py"
    path.write_text(
        "def entry_point(argv):\n    print(1 + 'a')\n    print(2 + b'a')\n    return len(3)\n"
    )
    assert main(["check", str(path), "--max-errors=2"]) == 1
    first, second, end = capsys.readouterr().err.split("\n\n")
    assert "int and str" in first and "int and bytes" in second
    assert end.splitlines() == [
        "3 errors, 2 shown",
        "rpython: --errors=late lets the program run into 3 of these errors, as CPython does",
    ]


@pytest.mark.parametrize(("source", "message"), NOT_IMPORTED)
def test_target_that_cannot_be_imported(tmp_path, capsys, source, message):
    path = tmp_path / "unimportable.py"
    path.write_text(source)
    assert main(["check", str(path)]) == 1
    lines = capsys.readouterr().err.splitlines()
    shown = [line for line in lines if set(line) - set(" ~^")]  # marks depend on the version
    assert shown == message.format(path=path).splitlines()
    sys.modules.pop("unimportable")


ENTRY_FORMS = """
import functools


class App:
    def __init__(self, status):
        self.status = status

    def main(self, argv):
        return self.status + len(argv)

    def __call__(self, argv):
        return self.main(argv)


def start(status, argv):
    return App(status).main(argv)


app = App(40)
entry_point = {entry}
"""


@pytest.mark.parametrize(
    "entry", ["app", "app.main", "functools.partial(start, 40)", "functools.partial(App.main, app)"]
)
def test_entry_point_that_is_no_function(tmp_path, entry):
    (tmp_path / "form.py").write_text(ENTRY_FORMS.format(entry=entry))
    assert rpython(tmp_path, "run", "form.py", "x").returncode == 42


def test_target_that_takes_the_configuration(tmp_path):
    (tmp_path / "configured.py").write_text(
        "def target(driver, args, config):\n    assert config is driver.config\n"
        "    return (lambda argv: 42), None\n"
    )
    assert rpython(tmp_path, "run", "configured.py").returncode == 42


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("entry_point = 3\n", "the entry point of {path} is 3"),
        ("class A:\n    pass\n\nentry_point = A\n", "the entry point of {path} is the class A"),
        (
            "def target(driver, args, config, more):\n    pass\n",
            "target(driver, args, config, more) of {path} cannot be called",
        ),
        (
            "def f(n):\n    return n\n\ndef target():\n    return f, [int]\n",
            "target() of {path} gives argument types, [<class 'int'>]",
        ),
        ("def target(driver, args):\n    return 1 // 0\n", "target() of {path} fails"),
        (
            "def target(driver, args):\n    driver.config.translation.sandbox = True\n"
            "    return len\n",
            "the target sets translation.sandbox to True",
        ),
    ],
)
def test_target_that_is_refused(tmp_path, source, message):
    path = tmp_path / "odd.py"
    path.write_text(source)
    done = rpython(tmp_path, "check", "odd.py")
    lines = done.stderr.splitlines()
    place, _, what = lines[0].partition(": ")
    assert place in ("translation error[R1001]", "translation error[R1003]")
    assert (done.returncode, what) == (1, message.format(path=path))
    assert "translator" not in done.stderr


CONFIGURED = """
def entry_point(argv):
    print(SEEN)
    return 0


def target(driver, args):
    global SEEN
    translation = driver.config.translation
    SEEN = f"{translation.gc} {translation.jit} {translation.backendopt.inline}"
    translation.suggest(gc="boehm")
    translation.gc = "ref"
    driver.config.set(thread=True)
    translation.jit = True
    driver.exe_name = "configured-%(backend)s"
    return entry_point, None
"""


def test_target_reads_and_sets_options(tmp_path):
    (tmp_path / "configured.py").write_text(CONFIGURED)
    done = rpython(tmp_path, "--opt=1", "--gc=minimark", "--batch", "configured.py")
    assert done.returncode == 0, done.stderr
    assert done.stderr == "rpython: the target sets translation.jit, but there is no JIT\n"
    assert b"refcount" in (tmp_path / "configured-c").read_bytes()
    run = subprocess.run([tmp_path / "configured-c"], capture_output=True, check=False)
    assert run.stdout == b"incminimark False True\n"


ARGUMENTS = """
def entry_point(argv):
    print(GIVEN)
    return 0


def target(driver, args):
    global GIVEN
    GIVEN = " ".join(args)
    return entry_point, None
"""


def test_target_gets_the_arguments_behind_it(tmp_path):
    (tmp_path / "given.py").write_text(ARGUMENTS)
    words = ["--level", "3", "--opt=jit", "-o", "out", "name", "--", "-O1", "x.py"]
    done = rpython(tmp_path, "-O0", "given.py", *words)
    assert done.returncode == 0, done.stderr
    run = subprocess.run([tmp_path / "out"], capture_output=True, check=False)
    assert run.stdout == b"--level 3 --opt=jit name -O1 x.py\n"
    shown = rpython(tmp_path, "show", "given.py", "entry_point", "--stage", "lowlevel", "abc")
    assert "abc" in shown.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["check", "target.py", "--level"],
            "target.py has no target(driver, args) to take --level",
        ),
        (["check", "none.py", "-x", "y"], "target() of none.py does not take -x y"),
        (
            ["build", "--level", "target.py"],
            "rpython build: error: unrecognized arguments: --level",
        ),
        (["--shared", "target.py", "--x"], "rpython build: error: unrecognized arguments: --x"),
    ],
)
def test_arguments_that_nobody_takes(folder, words, message):
    (folder / "none.py").write_text("def target():\n    return len, None\n")
    done = rpython(folder, *words)
    assert done.returncode != 0
    assert message in done.stderr.replace(f"{folder}/", "")


def test_commands_load_what_they_need(folder):
    """One command's modules are not another's: starting is what short commands spend time on."""
    for words, unwanted in (
        (["--version"], ("rpython.annotator", "rpython.rtyper", "rpython.backend_c", "fissix")),
        (["port", "--diff", "target.py"], ("rpython.annotator", "rpython.backend_c")),
        (["check", "target.py"], ("rpython.backend_c", "fissix")),
    ):
        program = (
            f"import sys\nfrom rpython.translator.commandline.cli import main\ntry: main({words})\n"
            f"finally: print(sorted({set(unwanted)} & set(sys.modules)))"
        )
        command = [sys.executable, "-c", program]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.stdout.endswith("[]\n"), done.stdout + done.stderr


@pytest.mark.parametrize("option", ["-Ojit", "--opt=size", "--jit-backend=x86", "--annotate"])
def test_option_of_rpythons_that_is_refused(folder, option):
    done = rpython(folder, option, "target.py")
    assert done.returncode == 2
    assert done.stderr.startswith(f"translation error[R1004]: {option} is RPython's: ")
    assert len(done.stderr.splitlines()) == 1
