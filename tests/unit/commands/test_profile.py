"""``rpython profile``, and what it makes of samples."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path

import pytest

from rpython.backend_c.linedirectives import NumberedPlaces
from rpython.translator.ir.home import Home
from rpython.translator.ir.span import Span
from rpython.translator.view.profile import Profile
from rpython.translator.view.samples import Frame, Sample, Symbols, read_samples
from tests.support.commandline import rpython

PROGRAM = """\
import os
import signal
import sys
import threading


class Counter:
    def __init__(self):
        self.count = 0

    def add(self, n):
        self.count = (self.count * 31 + n) % 1000003


def hot(rounds):
    counter = Counter()
    for i in range(rounds):
        counter.add(i)  # hot
    return counter.count


def keep(rounds):
    kept = [""]
    for i in range(rounds):
        kept.append(str(i) * 8)  # keeps
    return len(kept)


def entry_point(argv):
    what = argv[1]
    if what == "time":
        print(hot(30000000) != 7, keep(1000))
    elif what == "thread":
        thread = threading.Thread(target=hot, args=(30000000,))
        thread.start()
        thread.join()
    elif what == "memory":
        print(keep(300000))
    elif what == "environment":
        print([name for name in os.environ if name.startswith("RPY_SAMPLE")])
        return 3
    elif what == "signal":
        os.kill(os.getpid(), signal.SIGTERM)
    return 0
"""

ROW = re.compile(r" *([0-9.]+)% *([0-9.]+)%  (.*)")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("profile")
    (folder / "prog.py").write_text(PROGRAM)
    return folder


def first_rows(text: str) -> tuple[tuple[float, float, str], tuple[float, float, str]]:
    """The first row of the lines, and that of the functions."""
    rows = []
    for table in text.split("\n\n")[1:]:
        found = ROW.match(table.splitlines()[1])
        assert found, text
        rows.append((float(found[1]), float(found[2]), found[3]))
    return rows[0], rows[1]


@pytest.mark.parametrize("what", ["time", "thread"])
def test_time(folder: Path, what: str) -> None:
    done = rpython(folder, "profile", "--lines", "3", "prog.py", what)
    assert (done.returncode, done.stdout) == (0, "True 1001\n" if what == "time" else "")
    assert "s of CPU time" in done.stderr
    line, function = first_rows(done.stderr)
    # the method is inlined, and still the one that takes the time
    assert line[2].startswith("prog.py:12 in Counter.add:  self.count = "), done.stderr
    assert function[2] == "Counter.add  (prog.py)"
    assert line[0] > 50 and line[1] >= line[0]
    hot = next(row for row in done.stderr.splitlines() if "hot  (prog.py)" in row)
    found = ROW.match(hot)
    assert found and float(found[2]) > 80


def test_allocation(folder: Path) -> None:
    done = rpython(folder, "profile", "--allocation", "prog.py", "memory")
    assert (done.returncode, done.stdout) == (0, "300001\n")
    line, function = first_rows(done.stderr)
    assert line[2] == "prog.py:25 in keep:  kept.append(str(i) * 8)  # keeps", done.stderr
    assert function[2] == "keep  (prog.py)"
    assert line[0] > 80
    megabytes = re.match(r"([0-9.]+) MB allocated", done.stderr)
    assert megabytes and 15 < float(megabytes[1]) < 60


def test_the_program_does_what_it_does(folder: Path) -> None:
    done = rpython(folder, "profile", "prog.py", "environment")
    assert (done.returncode, done.stdout) == (3, "[]\n")
    assert done.stderr == "no samples: too little happened\n"
    done = rpython(folder, "profile", "prog.py", "signal")
    assert done.returncode == 128 + 15
    assert done.stderr.endswith("ended by SIGTERM\n")


def test_html(folder: Path) -> None:
    done = rpython(folder, "profile", "-o", "out.html", "prog.py", "time")
    assert done.returncode == 0
    page = (folder / "out.html").read_text()
    found = re.search('<script type="application/json" id="data">(.*)</script>', page)
    assert found
    data = json.loads(found[1])
    node, path = data["tree"], []
    while node["children"]:
        node = node["children"][0]
        path.append(node["name"])
    assert path[-3:] == ["entry_point", "hot", "Counter.add"]
    (file,) = data["files"]
    assert file["name"] == "prog.py"
    shown = {number: own for number, _, own, _ in file["lines"]}
    assert max(shown, key=lambda number: shown[number]) == 12


def test_refusals(folder: Path) -> None:
    done = rpython(folder, "profile", "--allocation", "--gc=refcount", "prog.py")
    assert done.returncode == 2
    assert "--allocation needs --gc=generational" in done.stderr
    done = rpython(folder, "profile", "--html", ".", "prog.py", "time")
    assert done.returncode == 1
    assert "it is a directory, not a file" in done.stderr


def test_a_sample_that_is_cut_off_is_left_out() -> None:
    words = (1000, 2, 5, 6, 2000, 1, 7)
    data = struct.pack("<7Q", *words)
    whole = [Sample(1000, (5, 6)), Sample(2000, (7,))]
    assert list(read_samples(data)) == whole
    for size in range(len(data)):
        assert list(read_samples(data[:size])) == whole[: size >= 32]


class Fake(Symbols):
    """Addresses are lines of ``f``; those beyond 100 are of the collector."""

    def __init__(self) -> None:
        super().__init__(Path("none"), NumberedPlaces())

    def look_up(self, samples: object) -> None:
        pass

    def stack(self, addresses: tuple[int, ...] | object) -> list[Frame]:
        assert isinstance(addresses, tuple)
        return [
            Frame("collect", None, "collector")
            if address > 100
            else Frame("f", Span("f.py", address, function="f"), Home.PROGRAM)
            for address in reversed(addresses)
        ]


def test_a_recursion_counts_once() -> None:
    samples = [Sample(3, (1, 2, 1, 2)), Sample(1, (101, 2))]
    profile = Profile.of(samples, Fake(), "time")
    totals = {line: (each.own, each.total) for (_, line, _), each in profile.lines.items()}
    assert totals == {1: (3, 3), 2: (1, 4)}
    ((own,),) = ([each.own for each in profile.functions.values()],)
    assert own == profile.weight == 4
    assert profile.below == {"program": 3, "collector": 1}
    assert profile.lines["f.py", 2, "f"].below == {"collector": 1}


def test_places_lead_back_to_spans() -> None:
    places = NumberedPlaces()
    outer = Span("a.py", 3, function="g")
    spans = [Span("a.py", 1, function="f", inlined_at=outer), outer]
    named = [places.place(span) for span in [*spans, *spans]]
    assert named == [(places.FILE, 1), (places.FILE, 2)] * 2
    assert [places.span(line) for _, line in named[:2]] == spans
