"""Programs that allocate: with the collector at work as often as it can be."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from programs import ROOT, build_program

from tests.support.commandline import rpython_in

SOAK = ROOT / "tests" / "programs" / "soak.py"
WEAK = ROOT / "tests" / "programs" / "weak.py"
HOLDING = ROOT / "tests" / "programs" / "holding.py"
LONG_LISTS = ROOT / "tests" / "programs" / "long_lists.py"
FINALIZERS = ROOT / "tests" / "programs" / "finalizers.py"


def soak(
    command: list[str | Path], rounds: int, size: int, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command, str(rounds), str(size)],
        env={**os.environ, **environment}, capture_output=True, text=True, cwd=ROOT, check=False,
    )  # fmt: skip


def check(native: Path, rounds: int, size: int, **environment: str) -> None:
    host = soak([sys.executable, SOAK], rounds, size)
    translated = soak([native], rounds, size, **environment)
    assert host.returncode == 0 and host.stdout
    assert (translated.returncode, translated.stdout) == (0, host.stdout), translated.stderr


def test_soak(shared_directory: Path) -> None:
    check(build_program(SOAK, shared_directory), 1001, 100)


def test_soak_in_a_small_nursery(shared_directory: Path) -> None:
    check(build_program(SOAK, shared_directory), 1001, 100, RPYTHON_GC_NURSERY="64k")


@pytest.mark.parametrize("mode", ["1", "2"])
def test_soak_collecting_always(shared_directory: Path, mode: str) -> None:
    """Everything at each allocation; or a minor collection and a small step of a major one."""
    environment = {"RPYTHON_GC_DEBUG": mode, "RPYTHON_GC_NURSERY": "32k"}
    check(build_program(SOAK, shared_directory), 12, 24, **environment)


@pytest.mark.parametrize(("mode", "rounds"), [("0", "200000"), ("1", "100"), ("2", "100")])
def test_weak_references(shared_directory: Path, mode: str, rounds: str) -> None:
    native = build_program(WEAK, shared_directory)
    host = subprocess.run([sys.executable, WEAK, rounds], capture_output=True, check=True)
    environment = {**os.environ, "RPYTHON_GC_DEBUG": mode, "RPYTHON_GC_NURSERY": "64k"}
    done = subprocess.run([native, rounds], env=environment, capture_output=True, check=True)
    assert done.stdout == host.stdout


@pytest.mark.parametrize(
    ("mode", "nursery", "size", "rounds"),
    [("0", "64k", 20000, 80), ("1", "32k", 600, 4), ("2", "32k", 600, 100)],
)
def test_long_lists_change(
    shared_directory: Path, mode: str, nursery: str, size: int, rounds: int
) -> None:
    """What is stored in a part of a list that marking has passed, or that is passed over it."""
    native = build_program(LONG_LISTS, shared_directory)
    command = [str(size), str(rounds)]
    host = subprocess.run([sys.executable, LONG_LISTS, *command], capture_output=True, check=True)
    environment = {**os.environ, "RPYTHON_GC_DEBUG": mode, "RPYTHON_GC_NURSERY": nursery}
    done = subprocess.run([native, *command], env=environment, capture_output=True, check=True)
    assert done.stdout == host.stdout


@pytest.mark.skipif(
    os.environ.get("RPYTHON_CASES_GC") in ("boehm", "none"), reason="needs an exact collector"
)
@pytest.mark.parametrize("mode", ["0", "1", "2"])
def test_local_variables_hold(shared_directory: Path, mode: str) -> None:
    native = build_program(HOLDING, shared_directory)
    host = subprocess.run([sys.executable, HOLDING, "8"], capture_output=True, check=True)
    environment = {**os.environ, "RPYTHON_GC_DEBUG": mode}
    done = subprocess.run([native, "8"], env=environment, capture_output=True, check=True)
    assert done.stdout == host.stdout


def run_finalizers(command: list[str | Path], *args: str, **environment: str) -> tuple[int, str]:
    done = subprocess.run(
        [*command, *args], env={**os.environ, "RPYTHON_GC_NURSERY": "64k", **environment},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr.count("Exception ignored in: <function Special.__del__") == 1
    assert done.stderr.count("ValueError: seven") >= 1
    return done.returncode, done.stdout


@pytest.mark.skipif(
    os.environ.get("RPYTHON_CASES_GC") in ("refcount", "none"),
    reason="needs a collector that finds cycles",
)
@pytest.mark.parametrize("mode", ["0", "1", "2"])
def test_finalizers(shared_directory: Path, mode: str) -> None:
    native = build_program(FINALIZERS, shared_directory)
    host = run_finalizers([sys.executable, FINALIZERS], "20")
    assert run_finalizers([native], "20", RPYTHON_GC_DEBUG=mode) == host
    host = run_finalizers([sys.executable, FINALIZERS], "3", "end")
    assert host[0] == 1
    assert run_finalizers([native], "3", "end", RPYTHON_GC_DEBUG=mode) == host


def _skip_without_library(collector: str) -> None:
    if collector == "boehm" and not Path("/usr/include/gc.h").exists():
        pytest.skip("libgc is not installed")


@pytest.mark.long
@pytest.mark.parametrize("collector", ["refcount", "boehm", "none"])
def test_finalizers_of_other_collectors(tmp_path: Path, collector: str) -> None:
    """They call each once, some of them at the end."""
    _skip_without_library(collector)
    native = tmp_path / "finalizers"
    rpython_in(ROOT, "build", FINALIZERS, "-o", native, "--gc", collector).check_returncode()
    _, host = run_finalizers([sys.executable, FINALIZERS], "20")
    status, output = run_finalizers([native], "20")
    assert status == 3
    told = [sorted(re.findall("(?:close|special) .*", text)) for text in (host, output)]
    assert told[0] == told[1]


ONLY_FINALIZERS_WRITE = {
    "method": '''
class Resource:
    def __del__(self):
        print("closed")


def entry_point(argv):
    kept = [Resource()]
    return len(kept) - 1
''',
    "queue": '''
from rpython.rlib import rgc


class Resource:
    pass


class Closing(rgc.FinalizerQueue):
    Class = Resource

    def finalizer_trigger(self):
        print("closed")


CLOSING = Closing()


def entry_point(argv):
    CLOSING.register_finalizer(Resource())
    rgc.collect()
    return 0
''',
}
"""Programs whose output comes from finalizers alone, by what those are."""


@pytest.mark.parametrize("kind", ONLY_FINALIZERS_WRITE)
def test_output_of_finalizers_alone(tmp_path: Path, kind: str) -> None:
    source = tmp_path / f"only_{kind}.py"
    source.write_text(ONLY_FINALIZERS_WRITE[kind])
    done = subprocess.run([build_program(source, tmp_path)], capture_output=True, check=True)
    assert done.stdout == b"closed\n"


LIMITED = '''
from rpython.rlib import rgc


class Node:
    def __init__(self, other):
        self.other = other


def chain(size):
    node = None
    try:
        for _ in range(size):
            node = Node(node)
    except MemoryError:
        return 0
    count = 0
    while node is not None:
        node = node.other
        count += 1
    return count


def large(size):
    try:
        return len([0] * size)
    except MemoryError:
        return 0


def entry_point(argv):
    print(chain(10), chain(2000000), large(4000000))
    rgc.set_max_heap_size(16 << 20)
    print(chain(10), chain(2000000), chain(1000), large(4000000))
    rgc.set_max_heap_size(0)
    print(chain(2000000), large(4000000))
    return 0
'''


@pytest.mark.parametrize("collector", ["generational", "refcount"])
def test_heap_limited_by_the_program(tmp_path: Path, collector: str) -> None:
    source = tmp_path / "limited.py"
    source.write_text(LIMITED)
    native = tmp_path / "limited"
    rpython_in(ROOT, "build", source, "-o", native, "--gc", collector).check_returncode()
    done = subprocess.run([native], capture_output=True, text=True, check=True)
    before, limited, after = done.stdout.splitlines()
    assert before == "10 2000000 4000000" and after == "2000000 4000000"
    if collector == "generational":  # the other keeps the memory of small objects for their size
        assert limited == "10 0 1000 0"
    assert limited.endswith(" 0")


@pytest.mark.parametrize("collector", ["boehm", "none"])
def test_other_collectors(tmp_path: Path, collector: str) -> None:
    _skip_without_library(collector)
    native = tmp_path / "soak"
    rpython_in(ROOT, "build", SOAK, "-o", native, "--gc", collector).check_returncode()
    check(native, 501, 100)


def test_counting_references(tmp_path: Path) -> None:
    """All counts are right, each time they are looked at and at the end."""
    native = tmp_path / "soak"
    rpython_in(ROOT, "build", SOAK, "-o", native, "--gc", "refcount", "-O1").check_returncode()
    check(native, 101, 50, RPYTHON_GC_DEBUG="2")
    small = soak([native], 501, 100, RPYTHON_GC_MAX="100k")
    assert (small.returncode, small.stderr.splitlines()[-1]) == (1, "MemoryError")


CASES = ROOT / "tests" / "cases"


@pytest.mark.long
@pytest.mark.parametrize("directory", sorted(p.name for p in CASES.iterdir() if p.is_dir()))
def test_cases_counting_references(directory: str) -> None:
    """Every case once more, with the counts checked after each call."""
    environment = {**os.environ, "RPYTHON_CASES_GC": "refcount", "RPYTHON_GC_DEBUG": "1"}
    command = [sys.executable, "-m", "pytest", "-q", CASES / directory]
    done = subprocess.run(
        command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 5), done.stdout + done.stderr


@pytest.mark.skipif("RPYTHON_CASES_GC" in os.environ, reason="what others tell is different")
def test_statistics(shared_directory: Path) -> None:
    native = build_program(SOAK, shared_directory)
    errors = soak([native], 501, 100, RPYTHON_GC_STATS="1", RPYTHON_GC_NURSERY="64k").stderr
    found = re.match(r"gc: (\d+) minor and (\d+) major collections, \d+ bytes copied, ", errors)
    assert found is not None
    assert int(found[1]) > 20 and int(found[2]) > 1
    found = re.search(r"pauses p50 ([\d.]+) ms, p99 ([\d.]+) ms, longest pause ([\d.]+) ms", errors)
    assert found is not None
    assert 0 < float(found[1]) <= float(found[2]) <= float(found[3])


def test_limit(shared_directory: Path) -> None:
    native = build_program(SOAK, shared_directory)
    enough = soak([native], 501, 100, RPYTHON_GC_MAX="2M", RPYTHON_GC_NURSERY="64k")
    assert enough.returncode == 0, enough.stderr
    small = soak([native], 501, 100, RPYTHON_GC_MAX="100k", RPYTHON_GC_NURSERY="64k")
    assert small.returncode == 1
    assert small.stderr.endswith("MemoryError\n")


@pytest.mark.long
def test_memory_stays_constant(shared_directory: Path) -> None:
    """Five minutes, or as long as SOAK_ROUNDS says: no more memory than after a tenth of it."""
    native = build_program(SOAK, shared_directory)
    rounds = int(os.environ.get("SOAK_ROUNDS", "130000000"))
    early = peak(soak([native], rounds // 10, 100, RPYTHON_GC_STATS="1").stderr)
    late = peak(soak([native], rounds, 100, RPYTHON_GC_STATS="1").stderr)
    assert late < 1.2 * early


def peak(errors: str) -> int:
    """The peak of memory in kilobytes that the statistics tell."""
    found = re.search(r"peak memory (\d+) kB", errors)
    assert found is not None
    return int(found[1])
