"""Long calls of extension modules: other threads run Python meanwhile, signals end them, and no two
threads are in native code of a module at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from test_extension import build_native, load_source

from rpython.translator.extension.program import translate_module
from rpython.translator.ir.errors import TranslationError

SOURCE = """
import rpython

def loop(n: int) -> int:
    x = 1
    for i in range(n):
        x = (x * 1103515245 + 12345) % 2147483648
    return x

def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)

def changed(xs: list[int], n: int) -> int:
    for i in range(n):
        for k in range(len(xs)):
            xs[k] ^= i
    return sum(xs)

@rpython.nogil
def apart(n: int) -> int:
    return loop(n)

@rpython.nogil
def failing(n: int) -> int:
    return 10 // n

class Counter:
    def __init__(self) -> None:
        self.n = 0
        self.seen: list[int] = []

    def add(self, count: int) -> None:
        for _ in range(count):
            before = self.n
            self.seen.append(before)
            self.n = before + 1

    @rpython.nogil
    def add_apart(self, count: int) -> None:
        self.add(count)
"""
BEFORE = """
import os, signal, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)
import slow
def later(action, seconds=0.2):
    def wait():
        time.sleep(seconds)
        action()
    threading.Thread(target=wait).start()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("threads") / "slow.py"
    path.write_text(SOURCE)
    build_native(path, path.parent)
    return path.parent


def run(folder: Path, program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", BEFORE + program], cwd=folder, capture_output=True, text=True,
        timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("call", [
    "slow.loop(10**12)", "slow.fib(80)", "slow.changed([1, 2], 10**12)", "slow.apart(10**12)",
])  # fmt: skip
def test_a_thread_sends_a_signal(folder: Path, call: str) -> None:
    program = f"""
later(lambda: os.kill(os.getpid(), signal.SIGINT))
try:
    {call}
except KeyboardInterrupt:
    print("interrupted")
"""
    assert run(folder, program) == "interrupted"


def test_any_signal(folder: Path) -> None:
    program = """
def handler(number, frame):
    raise LookupError(number)
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.2)
try:
    slow.loop(10**12)
except LookupError as error:
    print(error.args == (signal.SIGALRM,))
"""
    assert run(folder, program) == "True"


@pytest.mark.parametrize("call", ["slow.loop(10**8)", "slow.apart(10**8)"])
def test_other_threads_run(folder: Path, call: str) -> None:
    program = f"""
count, stop = 0, False
def work():
    global count
    while not stop:
        count += 1
        time.sleep(0.001)
thread = threading.Thread(target=work)
thread.start()
{call}
print(count > 10)
stop = True
thread.join()
"""
    assert run(folder, program) == "True"


def test_calls_of_one_module_take_turns(folder: Path) -> None:
    program = """
counter = slow.Counter()
many = [threading.Thread(target=getattr(counter, name), args=(300000,))
        for name in ("add", "add_apart", "add")]
for thread in many:
    thread.start()
seen = [counter.n for _ in range(100)]
for thread in many:
    thread.join()
print(counter.n, all(n % 300000 == 0 for n in seen))
"""
    assert run(folder, program) == "900000 True"


def test_calls_with_containers_take_turns(folder: Path) -> None:
    program = """
results = []
def work():
    xs = [1, 2, 3]
    slow.changed(xs, 10**7)
    results.append(xs)
many = [threading.Thread(target=work) for _ in range(3)]
for thread in many:
    thread.start()
for thread in many:
    thread.join()
print(len(results), results[0] == results[1] == results[2])
"""
    assert run(folder, program) == "3 True"


def test_what_two_threads_change_is_not_lost(folder: Path) -> None:
    program = """
xs = [1, 2, 3]
later(lambda: xs.append(4))
try:
    slow.changed(xs, 5 * 10**7)
except RuntimeError as error:
    print(error, xs)
"""
    assert run(folder, program) == (
        "changed(): argument 'xs' was changed by Python code while native code had a copy of it"
        " [1, 2, 3, 4]"
    )


def test_objects_die_while_another_thread_is_inside(folder: Path) -> None:
    program = """
stop = False
def work():
    while not stop:
        kept = [slow.Counter() for _ in range(50)]
thread = threading.Thread(target=work)
thread.start()
counters = [slow.Counter() for _ in range(1000)]
for n in range(5):
    del counters[::2]
    counters += [slow.Counter() for _ in range(500)]
    slow.loop(10**7)
    assert all(counter.n == 0 for counter in counters)
stop = True
thread.join()
print("done")
"""
    assert run(folder, program) == "done"


def test_forks(folder: Path) -> None:
    program = """
import warnings
warnings.simplefilter("error")  # CPython 3.12 warns those who fork with several threads
slow.loop(10**7)
for _ in range(3):
    child = os.fork()
    if child == 0:
        slow.loop(10**7)
        os._exit(7)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), end=" ")
    slow.loop(10**7)
"""
    assert run(folder, program) == "7 7 7"


def test_exceptions_of_calls_without_the_lock(folder: Path) -> None:
    assert run(folder, """
try:
    slow.failing(0)
except ZeroDivisionError as error:
    print(error)
""") == "integer division or modulo by zero"  # fmt: skip


def test_without_the_lock_nothing_is_printed(tmp_path: Path) -> None:
    path = tmp_path / "prints.py"
    path.write_text("import rpython\n@rpython.nogil\ndef f() -> None: print(1)\n")
    module = load_source(path, "prints")
    with pytest.raises(TranslationError, match="standard output in f"):
        translate_module(module)
