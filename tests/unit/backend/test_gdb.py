"""``rpython build --debug`` and the script for gdb beside the executable."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from rpython.translator.commandline.cli import main

pytestmark = pytest.mark.skipif(shutil.which("gdb") is None, reason="gdb is not installed")

SOURCE = '''
class Shape:
    def __init__(self, name):
        self.name = name
        self.size = 1


class Square(Shape):
    def __init__(self, name, side):
        Shape.__init__(self, name)
        self.side = side
        self.next = self


def total(shapes, names, seen):
    result = 0.0
    for shape in shapes:
        result += 1.5
        names[shape.name] = shape.size
        seen.add(shape.size)
    pair = (len(shapes), "caf\\xe9")
    wide = "\\u20ac" + pair[1]
    data = b"ab\\x00" + bytes([len(shapes)])
    maybe = None if len(shapes) > 1 else len(shapes)
    one = 1 if maybe is None else None
    numbers = [i * i for i in range(len(shapes) + 2)]
    letters = bytearray(data)
    return check(result, pair, wide, data, maybe, one, numbers, letters)


def check(result, pair, wide, data, maybe, one, numbers, letters):
    ok = result > 0.0 and pair[0] > 0
    numbers.append(len(wide) + len(data) + len(letters))
    ok = ok and maybe != one
    print(ok)
    return result + 1.0


def entry_point(argv):
    shapes = [Shape("dot"), Square("big", 3.0)]
    print(total(shapes, {"zero": 0}, {0}))
    return 0
'''
COMMANDS = """
source prog-gdb.py
set style enabled off
break shapes.py:17
run
py-locals
next
next
step
next
delete
break f_check
continue
bt 2
up
py-locals
py-bt
down
next
next
set print elements 3
print numbers
print wide
print letters
print ok
finish
tbreak shapes.py:42
continue
next
"""


def test_debugging(tmp_path: Path) -> None:
    (tmp_path / "shapes.py").write_text(SOURCE)
    out = tmp_path / "prog"
    assert main(["build", "--debug", str(tmp_path / "shapes.py"), "-o", str(out)]) == 0
    (tmp_path / "commands").write_text(COMMANDS)
    done = subprocess.run(
        ["gdb", "-batch", "-nx", "-x", "commands", "./prog"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    shown = done.stdout
    lines = shown.splitlines()
    square = "<Square name='big', size=1, side=3.0, next=...>"
    shapes = f"shapes = [<Shape name='dot', size=1>, {square}]"
    # every step is a line of the source; the helper that `step` could get into is passed over
    source = SOURCE.splitlines()
    at = lines.index(f"17\t{source[16]}")
    steps = [line for line in lines[at + 1 :] if line[:2].isdigit() and "\t" in line][:4]
    assert steps == [f"{n}\t{source[n - 1]}" for n in (18, 19, 20, 17)], shown + done.stderr
    assert lines[at + 1 : at + 4] == [shapes, "names = {'zero': 0}", "seen = {0}"]
    # all kinds of values
    assert (
        "f_check (result=3, pair=(2, 'caf\xe9'), wide='\u20accaf\xe9', data=b'ab\\x00\\x02',"
        " maybe=None, one=1, numbers=[0, 1, 4, 9], letters=bytearray(b'ab\\x00\\x02'))"
    ) in shown
    for text in (
        shapes, "names = {'zero': 0, 'dot': 1, 'big': 1}", "seen = {0, 1}", "result = 3.0",
        "pair = (2, 'caf\xe9')", "maybe = None",
    ):  # fmt: skip
        assert text in lines
    frames = [line.strip() for line in lines if line.startswith("  File")]
    assert [frame.rpartition(" ")[2] for frame in frames] == ["entry_point", "total", "check"]
    assert frames[1] == f'File "{tmp_path}/shapes.py", line 28, in total'
    # long values end in dots
    for text in ("[0, 1, 4, ...]", "'\u20acca'...", "bytearray(b'ab\\x00'...)", "True"):
        assert any(line.startswith("$") and line.endswith(f"= {text}") for line in lines), shown
    assert any(line.endswith("= 4") for line in lines)
    # a `return` that computes nothing is a line, too
    assert "42\t    return 0" in lines
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "commands", "prog", "prog-gdb.py", "shapes.py",
    ]  # fmt: skip
