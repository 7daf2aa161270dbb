import sys
from graphlib import CycleError, TopologicalSorter

RULES = """
app: main.o util.o
main.o: main.c util.h
util.o: util.c util.h
"""


def parse(text):
    graph = {}
    for line in text.strip().splitlines():
        target, _, deps = line.partition(":")
        graph[target] = deps.split()
    return graph


def main():
    graph = parse(RULES)
    order = list(TopologicalSorter(graph).static_order())
    for target, deps in graph.items():
        for dep in deps:
            assert order.index(dep) < order.index(target)
    print(len(order), order[-1])
    ts = TopologicalSorter()
    ts.add("c", "a", "b")
    ts.add("b", "a")
    ts.prepare()
    while ts.is_active():
        ready = ts.get_ready()
        print("ready:", sorted(ready))
        ts.done(*ready)
    try:
        list(TopologicalSorter({"x": ["y"], "y": ["x"]}).static_order())
    except CycleError as e:
        print("cycle:", e.args[0], len(e.args[1]))
    return 0


def entry_point(argv):
    return main()


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
