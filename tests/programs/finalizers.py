"""Objects with ``__del__``: a line of output for each, once the program has collected, and at its
end for those that are left."""

import gc
import sys


class World:
    def __init__(self):
        self.back = []
        self.log = []
        self.table = {}


WORLD = World()


class Resource:
    def __init__(self, number):
        self.number = number
        self.other = None
        if number == 100:
            raise ValueError("no resource")

    def __del__(self):
        print("close", self.number)
        if self.number == 7:
            raise ValueError("seven")
        if self.number == 8:
            WORLD.back.append(self)


class Special(Resource):
    def __del__(self):
        print("special", [self.number, len(str(self.number))])
        super().__del__()


def chain(size):
    last = None
    for i in range(size):
        node = Resource(1000 + i)
        node.other = last
        last = node


class Logged:
    """Its finalizer stores pointers, which might bring others back to life."""

    def __init__(self, number, other):
        self.number = number
        self.other = other

    def __del__(self):
        WORLD.log.append(str(self.number))


def logged_chain(size):
    last = None
    for i in range(size):
        last = Logged(i, last)


def cycle():
    first, second = Resource(50), Special(51)
    first.other, second.other = second, first


def pair(number):
    first = Resource(number)
    first.other = Special(number + 1)


class Entry:
    """Its finalizer changes a dict: never while one operation looks through it."""

    def __init__(self, key):
        self.key = key

    def __del__(self):
        del WORLD.table[self.key]
        WORLD.log = [*WORLD.log[:3], self.key]


def use_table(size):
    for i in range(size):
        WORLD.table[str(i)] = [i]
        Entry(str(i))
        for key, value in list(WORLD.table.items()):
            assert key == str(value[0])
        assert sum([value[0] for value in list(WORLD.table.values())]) >= 0
    gc.collect()
    print(len(WORLD.table))


def fail(text):
    try:
        int(text)
    except ValueError:
        pair(20)
        gc.collect()
        raise


def make_bad():
    try:
        Resource(100)
    except ValueError as e:
        WORLD.log.append(str(e))


ALWAYS = Special(70)


def entry_point(argv):
    for number in (1, 6, 7):
        pair(number)
        gc.collect()
    print("back:", [resource.number for resource in WORLD.back])
    WORLD.back.clear()
    gc.collect()
    chain(int(argv[1]))
    gc.collect()
    logged_chain(int(argv[1]) * 10)
    gc.collect()
    cycle()
    gc.collect()
    make_bad()
    gc.collect()
    print(len(WORLD.log), WORLD.log[:3], WORLD.log[-1])
    use_table(int(argv[1]) * 5)
    try:
        fail("x")
    except ValueError as e:
        print(e)
    local = Special(60)
    ALWAYS.other = Special(61)
    print(local.number, ALWAYS.number)
    if len(argv) > 2:
        raise KeyError(argv[2])
    return 3


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
