"""Executables with threads: how they end, what they print, signals; what the runtime promises
under a small nursery and with every collector."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.commandline import rpython_in

ROOT = Path(__file__).parents[3]
SOURCE = '''
import os
import sys
import threading
import time

def fails(n):
    if n == 0:
        raise ValueError("bad")
    fails(n - 1)

def leaves():
    sys.exit(3)

def late(text):
    time.sleep(0.05)
    print(text)

class Node:
    def __init__(self, left, right):
        self.left = left
        self.right = right

def tree(depth):
    if depth == 0:
        return Node(None, None)
    return Node(tree(depth - 1), tree(depth - 1))

def size(node):
    return 0 if node is None else 1 + size(node.left) + size(node.right)

class Shared:
    def __init__(self):
        self.words = {}
        self.lock = threading.Lock()
        self.sizes = 0

def allocate(shared, k, rounds):
    kept = tree(6)
    for i in range(rounds):
        n = size(tree(5))
        with shared.lock:
            shared.sizes += n
            shared.words["w" * (i % 9) + str(k)] = [str(i)] * 3
        pair = os.pipe()
        os.write(pair[1], str(i).encode())
        shared.words[str(k)] = [os.read(pair[0], 100).decode()]
        os.close(pair[0])
        os.close(pair[1])
    with shared.lock:
        shared.sizes += size(kept)

def churn(rounds):
    shared = Shared()
    threads = [threading.Thread(target=allocate, args=(shared, k, rounds)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    print(shared.sizes, len(shared.words), [shared.words[str(k)] for k in range(4)])

def write_lines(f, k):
    for i in range(400):
        f.write(("line " + str(k) + " " * 40 + str(i) + "\\n").encode())

def read_lines(f, found, lock):
    while True:
        line = f.readline()
        if not line:
            break
        with lock:
            found.append(line)

def files():
    """Threads write to one file, a pipe, and another reads from it."""
    reading, writing = os.pipe()
    source, target = os.fdopen(reading, "rb"), os.fdopen(writing, "wb")
    found, lock = [], threading.Lock()
    readers = [threading.Thread(target=read_lines, args=(source, found, lock)) for _ in range(1)]
    writers = [threading.Thread(target=write_lines, args=(target, k)) for k in range(3)]
    for t in readers + writers:
        t.start()
    for t in writers:
        t.join()
    target.close()
    for t in readers:
        t.join()
    print(len(found), sorted(found)[:2], sorted(found)[-1])

def forever():
    while True:
        time.sleep(1)

def count(box):
    while True:
        box.append(1)
        if len(box) > 100:
            box.clear()

def waits(what):
    threading.Thread(target=forever, daemon=True).start()
    threading.Thread(target=count, args=([1],), daemon=True).start()
    try:
        print("ready", flush=True)
        if what == "lock":
            lock = threading.Lock()
            lock.acquire()
            lock.acquire()
        else:
            threading.Event().wait()
    except KeyboardInterrupt:
        print("interrupted")

def entry_point(argv):
    what = argv[1]
    if what == "fails":
        threading.Thread(target=fails, args=(1,), name="one").start()
        t = threading.Thread(target=leaves)
        t.start()
        t.join()
        threading.Thread(target=late, args=("joined",)).start()
        print("end")
        return 5
    if what == "main fails":
        threading.Thread(target=late, args=("joined",)).start()
        raise KeyError("main")
    if what == "daemon":
        threading.Thread(target=forever, daemon=True).start()
        print(threading.active_count())
        return 0
    if what == "fork":
        threading.Thread(target=forever, daemon=True).start()
        pid = os.fork()
        if pid == 0:
            t = threading.Thread(target=late, args=("child",))
            t.start()
            t.join()
            print(threading.active_count(), flush=True)
            os._exit(7)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), threading.active_count())
        return 0
    if what == "files":
        files()
        return 0
    if what == "churn":
        churn(int(argv[2]))
        return 0
    waits(what)
    return 0

if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
'''


def build(directory: Path, *options: str) -> str:
    source = directory / "prog.py"
    source.write_text(SOURCE)
    out = str(directory / "prog")
    rpython_in(ROOT, "build", source, "-o", out, *options).check_returncode()
    return out


def run(*command: str, **variables: str) -> tuple[int, str, str]:
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=100, env={**os.environ, **variables}
    )
    return done.returncode, done.stdout, done.stderr


def by_cpython(directory: Path, *args: str) -> tuple[int, str, str]:
    return run(sys.executable, str(directory / "prog.py"), *args)


def interrupted(*command: str) -> tuple[int, str]:
    """What a program does about Ctrl-C once it has said that it is ready."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    try:
        out, _ = process.communicate(timeout=20)
    finally:
        process.kill()
    return process.returncode, out


def test_an_executable_with_threads(tmp_path: Path) -> None:
    prog = build(tmp_path, "-O1")
    status, out, err = run(prog, "fails")
    assert (status, out) == (5, "end\njoined\n")
    lines = err.splitlines()
    assert lines[:2] == ["Exception in thread one:", "Traceback (most recent call last):"]
    assert lines[-1] == "ValueError: bad"
    assert [line.rpartition(" ")[2] for line in lines if "File" in line] == ["fails", "fails"]
    theirs = by_cpython(tmp_path, "fails")
    assert theirs[:2] == (status, out)
    assert theirs[2].splitlines()[0] == lines[0]
    for args in (["daemon"], ["fork"], ["churn", "20"], ["files"]):
        assert run(prog, *args) == by_cpython(tmp_path, *args)
    status, out, err = run(prog, "main fails")
    assert (status, out, err.splitlines()[-1]) == (1, "joined\n", "KeyError: 'main'")
    expected = run(prog, "churn", "5")
    assert run(prog, "churn", "5", RPYTHON_GC_DEBUG="1") == expected
    assert run(prog, "churn", "5", RPYTHON_GC_DEBUG="2") == expected
    for what in ("lock", "event"):
        assert interrupted(prog, what) == (0, "interrupted\n")


def test_not_in_an_extension_module_because_cpython_has_a_lock_of_its_own(tmp_path: Path) -> None:
    source = tmp_path / "fast.py"
    source.write_text(
        "import threading\n\ndef go() -> None:\n    threading.Thread(target=print).start()\n"
    )
    done = rpython_in(ROOT, "build", "--module", source)
    assert done.returncode != 0
    assert "an extension module cannot start threads" in done.stderr


@pytest.mark.long
@pytest.mark.parametrize("gc", ["generational", "refcount", "none", "boehm"])
def test_many_threads_that_allocate(tmp_path: Path, gc: str) -> None:
    prog = build(tmp_path, f"--gc={gc}")
    expected = by_cpython(tmp_path, "churn", "500")
    for _ in range(5):
        assert run(prog, "churn", "500", RPYTHON_GC_NURSERY="64k") == expected
    expected = by_cpython(tmp_path, "churn", "40")
    assert run(prog, "churn", "40", RPYTHON_GC_DEBUG="1") == expected
