"""Throughput of the services in examples: native code beside CPython, taking turns.

    python benchmarks/services.py [ROUNDS [REQUESTS]]

Needs ``ab`` (apache2-utils) and ``redis-benchmark`` (redis-tools).  Each round starts each service
both ways and asks it for that many requests, 8 at a time; the figures are requests per second, the
median of the rounds, and the ratio native / CPython.
"""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
_CLIENTS = 8


def output_of(*words: object) -> str:
    command = [str(word) for word in words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def build(program: str, directory: Path) -> Path:
    executable = directory / program
    command = [sys.executable, "-m", "rpython", "build", EXAMPLES / f"{program}.py"]
    output_of(*command, "-o", executable, "-O2")
    return executable


def ab(port: int, requests: int) -> float:
    found = output_of(
        "ab", "-q", "-k", "-n", requests, "-c", _CLIENTS, f"http://127.0.0.1:{port}/index.html"
    )
    match = re.search(r"Requests per second: +([\d.]+)", found)
    assert match is not None and "Failed requests:        0" in found, found
    return float(match[1])


def redis(test: str) -> Callable[[int, int], float]:
    def measure(port: int, requests: int) -> float:
        found = output_of(
            "redis-benchmark", "-p", port, "-n", requests, "-c", _CLIENTS, "-t", test, "--csv"
        )
        return float(found.splitlines()[-1].split(",")[1].strip('"'))

    return measure


def rate(command: list[object], measure: Callable[[int, int], float], requests: int) -> float:
    """Of a service that is started for it."""
    words = [str(word) for word in command]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline().removeprefix("port "))
        try:
            return measure(port, requests)
        finally:
            process.kill()


def main() -> None:
    given = [int(word) for word in sys.argv[1:3]]
    rounds = given[0] if given else 3
    requests = given[1] if len(given) > 1 else 5000
    services: list[tuple[str, str, Callable[[int, int], float]]] = [
        ("httpasyncio", "files on asyncio", ab),
        ("httpthreads", "files, threads", ab),
        *(("keyvalue", f"keys: {test}", redis(test)) for test in ("set", "get", "lrange_100")),
    ]
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        (directory / "index.html").write_text("<p>hello</p>\n" * 50)
        built = {program: build(program, directory) for program, _, _ in services}
        for program, shown, measure in services:
            more: list[object] = [directory] if program.startswith("http") else []
            more += [0, 100 * requests]
            rates: dict[str, list[float]] = {"cpython": [], "native": []}
            for _ in range(rounds):
                source = [sys.executable, EXAMPLES / f"{program}.py"]
                rates["cpython"].append(rate([*source, *more], measure, requests))
                rates["native"].append(rate([built[program], *more], measure, requests))
            slow, fast = (statistics.median(rates[way]) for way in ("cpython", "native"))
            print(f"{shown:20} {slow:9.0f}/s {fast:9.0f}/s  {fast / slow:5.2f}", flush=True)


if __name__ == "__main__":
    main()
