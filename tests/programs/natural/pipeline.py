"""Generator pipelines and decorators for processing log lines."""
import contextlib
import functools
import re
from collections import Counter, namedtuple
from itertools import groupby, islice, tee

LOG = """\
2024-05-01 10:00:01 INFO auth user=alice action=login ms=12
2024-05-01 10:00:03 WARN db slow query ms=950
2024-05-01 10:00:04 INFO auth user=bob action=login ms=15
this line is broken
2024-05-01 10:01:00 ERROR db connection lost code=500
2024-05-01 10:01:02 INFO web path=/index ms=31
2024-05-01 10:01:02 INFO web path=/about ms=29
2024-05-01 10:02:10 ERROR web path=/crash code=500 ms=3
2024-05-01 10:02:11 INFO auth user=alice action=logout ms=9
"""

Entry = namedtuple("Entry", ["time", "level", "source", "fields"])
PATTERN = re.compile(r"(?P<date>\S+) (?P<time>\S+) (?P<level>INFO|WARN|ERROR) (?P<source>\w+) (?P<rest>.*)")


def coroutine(func):
    @functools.wraps(func)
    def start(*args, **kwargs):
        gen = func(*args, **kwargs)
        next(gen)
        return gen
    return start


def parse(lines, errors):
    for n, line in enumerate(lines, 1):
        m = PATTERN.match(line)
        if not m:
            errors.append((n, line))
            continue
        fields = dict(re.findall(r"(\w+)=(\S+)", m["rest"]))
        yield Entry(m["time"], m["level"], m["source"], fields)


def only(level, entries):
    return (e for e in entries if e.level == level)


@coroutine
def averager():
    total = 0.0
    count = 0
    average = None
    while True:
        value = yield average
        total += value
        count += 1
        average = total / count


def sliding(iterable, size):
    its = tee(iterable, size)
    for i, it in enumerate(its):
        next(islice(it, i, i), None)
    return zip(*its)


@contextlib.contextmanager
def section(title, char="-"):
    print(f" {title} ".center(40, char))
    try:
        yield title.upper()
    finally:
        print(char * 40)


def trace(label):
    def decorate(func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            result = func(*args, **kwargs)
            shown = ", ".join([repr(a) for a in args] + [f"{k}={v!r}" for k, v in kwargs.items()])
            print(f"[{label}] {func.__name__}({shown}) -> {result!r}")
            return result
        return wrapper
    return decorate


@trace("calc")
def scale(x, factor=2, offset=0):
    return x * factor + offset


def main():
    errors = []
    entries = list(parse(LOG.splitlines(), errors))
    with section("levels"):
        for level, n in Counter(e.level for e in entries).most_common():
            print(f"{level:<6}{n}")
    with section("errors", char="=") as name:
        print(name)
        for e in only("ERROR", entries):
            print(e.time, e.source, e.fields.get("code", "?"))
        print("unparsed:", errors)
    with section("by minute"):
        for minute, group in groupby(entries, key=lambda e: e.time[:5]):
            group = list(group)
            print(minute, len(group), sorted({e.source for e in group}))
    avg = averager()
    for e in entries:
        if "ms" in e.fields:
            latest = avg.send(float(e.fields["ms"]))
    print(f"average {latest:.2f} ms")
    avg.close()
    print(list(sliding([1, 2, 3, 4, 5], 3)))
    scale(3)
    scale(3, factor=10)
    scale(1.5, offset=-1)
    print(entries[0])
    print(entries[0]._replace(level="DEBUG").level, entries[1]._asdict()["fields"])


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
