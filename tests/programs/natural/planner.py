"""Dependency planner: topological sorting, critical path, Gantt chart."""
import csv
import heapq
import io
import statistics
from collections import ChainMap, Counter, defaultdict, namedtuple
from datetime import date, timedelta
from functools import lru_cache, partial, wraps
from itertools import accumulate, groupby, islice, takewhile, zip_longest
from operator import attrgetter, itemgetter
from string import Template
import time

CSV = """name,days,team,needs
design,3,ux,
backend,5,dev,design
frontend,4.5,dev,design
tests,2,qa,backend;frontend
docs,1,ux,frontend
release,0.5,ops,tests;docs
"""

Task = namedtuple("Task", "name days team needs")
Task.__new__.__defaults__ = ((),)
calls = Counter()


def counted(fn):
    @wraps(fn)
    def wrapper(*args, **kwargs):
        calls[fn.__name__] += 1
        return fn(*args, **kwargs)
    return wrapper


class CycleError(Exception):
    def __init__(self, path):
        self.path = list(path)
        super().__init__(" -> ".join(self.path))


def load(text):
    tasks = {}
    for row in csv.DictReader(io.StringIO(text)):
        needs = tuple(n for n in row["needs"].split(";") if n)
        days = float(row["days"])
        tasks[row["name"]] = Task(row["name"], int(days) if days.is_integer() else days, row["team"], needs)
    return tasks


def check_cycles(tasks):
    state = {}

    def visit(name, path=()):
        if state.get(name) == "done":
            return
        if name in path:
            raise CycleError(path[path.index(name):] + (name,))
        for need in tasks[name].needs:
            visit(need, path + (name,))
        state[name] = "done"

    for name in tasks:
        visit(name)


def topological(tasks):
    waiting = {t.name: len(t.needs) for t in tasks.values()}
    users = defaultdict(set)
    for t in tasks.values():
        for n in t.needs:
            users[n].add(t.name)
    ready = [name for name, n in waiting.items() if n == 0]
    heapq.heapify(ready)
    while ready:
        name = heapq.heappop(ready)
        yield tasks[name]
        for user in sorted(users[name]):
            waiting[user] -= 1
            if not waiting[user]:
                heapq.heappush(ready, user)


def schedule(tasks):
    @lru_cache(maxsize=None)
    def finish(name):
        t = tasks[name]
        return max(map(finish, t.needs), default=0) + t.days

    ends = {name: finish(name) for name in tasks}
    info = finish.cache_info()
    print("cache:", info.hits, info.misses)
    return {name: (end - tasks[name].days, end) for name, end in ends.items()}


@counted
def gantt(tasks, times, scale=2, *, fill="="):
    for name, (start, end) in sorted(times.items(), key=lambda kv: (kv[1][0], kv[0])):
        print(f"{name:>9} |" + " " * int(start * scale) + fill * int((end - start) * scale) + f"| {end}")


def main():
    tasks = load(CSV)
    check_cycles(tasks)
    order = list(topological(tasks))
    print(*map(attrgetter("name"), order), sep=" < ")
    times = schedule(tasks)
    gantt(tasks, times)
    gantt(tasks, dict(islice(times.items(), 2)), fill="*")
    total = max(map(itemgetter(1), times.values()))
    start = date(2024, 1, 29)
    print(Template("starts $a, ends $b after $n days").substitute(a=start, b=start + timedelta(days=total), n=total))
    by_team = sorted(tasks.values(), key=attrgetter("team"))
    for team, group in groupby(by_team, key=attrgetter("team")):
        group = list(group)
        print(team, [t.name for t in group], sum(t.days for t in group))
    durations = [t.days for t in order]
    print("mean %.3f median %s stdev %.3f" % (statistics.mean(durations), statistics.median(durations), statistics.stdev(durations)))
    print(list(accumulate(durations)), list(takewhile(lambda d: d > 1, durations)))
    print(list(zip_longest("ab", [1, 2, 3], fillvalue="-")))
    settings = ChainMap({"color": "red"}, {"color": "blue", "size": 3})
    print(settings["color"], settings["size"], sorted(settings))
    square = partial(pow, exp=2)
    print([square(d) for d in durations], dict(calls), gantt.__name__)
    tasks["design"] = tasks["design"]._replace(needs=("release",))
    try:
        check_cycles(tasks)
    except CycleError as e:
        print("cycle:", e, len(e.path))
    out = io.StringIO()
    w = csv.writer(out)
    w.writerow(["task", "start", "end"])
    w.writerows((n, *t) for n, t in times.items())
    print(out.getvalue().replace("\r\n", "\n"), end="")


if __name__ == "__main__":
    main()
