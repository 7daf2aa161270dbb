"""When objects die that local variables hold, though nobody reads these again."""

import gc
import sys
import weakref


class Node:
    def __init__(self, number):
        self.number = number


class Loud:
    def __init__(self, number):
        self.number = number

    def __del__(self):
        dead.append(self.number)


dead: list[int] = []
log: list[int] = []
kept = weakref.WeakValueDictionary()


def told():
    """Which have died since?  Those that die together do so in any order."""
    gc.collect()
    dead.sort()
    log.extend(dead)
    log.append(0)
    del dead[:]


def of_dictionary(n):
    node = Node(n)
    kept["node"] = node
    told()
    log.append(kept["node"].number)


def rebound(n):
    x = Loud(n)
    told()
    x = Loud(n + 1)
    told()
    del x
    told()


def of_several_kinds(n):
    if n > 3:
        x = Loud(n)
    else:
        x = Loud(n + 10)
    told()
    x = "text"
    told()
    if n > 5:
        y = Loud(n + 20)
    told()


def in_loop(n):
    for i in range(1, n):
        x = Loud(i)
        if i % 2:
            y = [Loud(100 + i)]
        told()
    told()


def leaves(n, x):
    told()
    try:
        y = Loud(200)
        told()
        if n > 2:
            return 1
        raise ValueError
    except ValueError:
        return 2
    finally:
        told()


def left(n):
    x = Loud(300)
    leaves(n, x)
    told()


def in_containers(n):
    xs = [Loud(n)]
    d = {"key": (Loud(n + 1), n)}
    pair = Node(n), Loud(n + 2)
    ref = weakref.ref(pair[0])
    told()
    if ref() is None:
        log.append(-1)
    del xs[:]
    told()
    d.clear()
    told()
    pair = None
    told()
    if ref() is None:
        log.append(-2)


def endless(n):
    x = Loud(n)
    i = 0
    while True:
        i += 1
        told()
        if i > 3:
            raise KeyError(i)


def caught(n):
    try:
        endless(n)
    except KeyError:
        pass
    told()


def as_argument(n):
    ref = weakref.ref(Node(n))
    told()
    log.append(looks(Node(n + 1)))
    log.append(int(ref() is None))


def looks(node):
    ref = weakref.ref(node)
    told()
    found = ref()
    return -1 if found is None else found.number


def captured(n):
    x = Loud(n)

    def inner():
        return x.number

    def counts():
        nonlocal n
        n += 1
        return n

    log.append(inner() + counts())
    told()
    log.append(n)


TESTS = [
    of_dictionary, rebound, of_several_kinds, in_loop, left, in_containers, caught, as_argument,
    captured,
]  # fmt: skip


def entry_point(argv):
    for n in range(2, int(argv[1])):
        for test in TESTS:
            test(n)
            told()
            print(n, log)
            del log[:]
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
