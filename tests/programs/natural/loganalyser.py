#!/usr/bin/env python3
"""Analyse web server logs: hits, errors, slow endpoints."""
from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Iterable, Iterator, NamedTuple, Optional

SAMPLE = """\
10.0.0.1 - - [12/Mar/2024:10:00:01 +0000] "GET /index.html HTTP/1.1" 200 1043 0.012
10.0.0.2 - bob [12/Mar/2024:10:00:05 +0000] "POST /api/login HTTP/1.1" 302 120 0.230
10.0.0.1 - - [12/Mar/2024:10:01:12 +0000] "GET /static/app.js HTTP/1.1" 304 0 0.002
10.0.0.3 - - [12/Mar/2024:10:01:40 +0000] "GET /api/items?id=7 HTTP/1.1" 500 532 1.504
this line is broken
10.0.0.2 - bob [12/Mar/2024:10:02:02 +0000] "DELETE /api/items/7 HTTP/1.1" 404 98 0.040
10.0.0.4 - - [12/Mar/2024:11:15:00 +0000] "GET /index.html HTTP/1.1" 200 1043 0.010
10.0.0.1 - - [12/Mar/2024:11:15:31 +0000] "GET /api/items?id=9 HTTP/1.1" 200 2210 0.310
"""

LINE = re.compile(
    r'(?P<ip>\S+) \S+ (?P<user>\S+) \[(?P<when>[^\]]+)\] '
    r'"(?P<method>[A-Z]+) (?P<path>\S+) [^"]*" (?P<status>\d{3}) (?P<size>\d+) (?P<took>[\d.]+)'
)


class Hit(NamedTuple):
    ip: str
    user: Optional[str]
    when: datetime
    method: str
    path: str
    status: int
    size: int
    took: float

    @property
    def endpoint(self) -> str:
        return self.path.split("?", 1)[0]

    @property
    def is_error(self) -> bool:
        return self.status >= 400


@dataclass
class EndpointStats:
    hits: int = 0
    errors: int = 0
    times: list[float] = field(default_factory=list)

    def add(self, hit: Hit) -> None:
        self.hits += 1
        self.errors += hit.is_error
        self.times.append(hit.took)

    @property
    def average(self) -> float:
        return sum(self.times) / len(self.times) if self.times else 0.0


def parse(lines: Iterable[str], bad: list[tuple[int, str]]) -> Iterator[Hit]:
    for number, line in enumerate(lines, start=1):
        m = LINE.match(line)
        if m is None:
            bad.append((number, line.strip()))
            continue
        d = m.groupdict()
        yield Hit(
            ip=d["ip"],
            user=None if d["user"] == "-" else d["user"],
            when=datetime.strptime(d["when"], "%d/%b/%Y:%H:%M:%S %z"),
            method=d["method"],
            path=d["path"],
            status=int(d["status"]),
            size=int(d["size"]),
            took=float(d["took"]),
        )


def sessions(hits: list[Hit], gap: timedelta = timedelta(minutes=30)) -> dict[str, int]:
    last: dict[str, datetime] = {}
    counts: dict[str, int] = defaultdict(int)
    for hit in sorted(hits, key=lambda h: h.when):
        if hit.ip not in last or hit.when - last[hit.ip] > gap:
            counts[hit.ip] += 1
        last[hit.ip] = hit.when
    return counts


def bar(n: int, total: int, width: int = 20) -> str:
    filled = round(n / total * width)
    return "#" * filled + "." * (width - filled)


def main(argv: list[str] | None = None) -> int:
    args = sys.argv[1:] if argv is None else argv
    if args:
        with open(args[0]) as f:
            lines = f.readlines()
    else:
        lines = SAMPLE.splitlines(keepends=True)
    bad: list[tuple[int, str]] = []
    hits = list(parse(lines, bad))
    print(f"{len(hits)} hits, {len(bad)} unparsable")
    for number, text in bad:
        print(f"  line {number}: {text!r}", file=sys.stderr)
    by_status = Counter(h.status // 100 for h in hits)
    for klass, n in sorted(by_status.items()):
        print(f"{klass}xx {bar(n, len(hits))} {n:>3} ({n / len(hits):.1%})")
    stats: defaultdict[str, EndpointStats] = defaultdict(EndpointStats)
    for hit in hits:
        stats[hit.endpoint].add(hit)
    print(f"{'endpoint':<18}{'hits':>6}{'errors':>8}{'avg ms':>10}")
    for endpoint, s in sorted(stats.items(), key=lambda kv: (-kv[1].average, kv[0])):
        print(f"{endpoint:<18}{s.hits:>6}{s.errors:>8}{s.average * 1000:>10.1f}")
    print("sessions:", dict(sorted(sessions(hits).items())))
    slowest = max(hits, key=lambda h: h.took)
    print("slowest:", slowest.method, slowest.path, slowest.when.isoformat(), slowest.user)
    print("users:", ", ".join(sorted({h.user for h in hits if h.user})))
    per_hour = Counter(h.when.strftime("%Y-%m-%d %H:00") for h in hits)
    for hour, n in per_hour.most_common():
        print(hour, n)
    print(hits[0]._replace(path="/x", user="eve"))
    return 0 if not bad else 1


if __name__ == "__main__":
    sys.exit(main())
