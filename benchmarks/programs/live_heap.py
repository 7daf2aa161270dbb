"""Much that lives, and some of it replaced again and again: `live_heap MEGABYTES STEPS`.

A table of records of three objects, about a hundred bytes each; a step makes a record anew.
"""

import sys

RECORD = 96


class Leaf:
    def __init__(self, value):
        self.value = value


class Record:
    def __init__(self, key):
        self.key = key
        self.left = Leaf(key + 1)
        self.right = Leaf(key + 2)


class Chance:
    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 1103515245 + 12345) & 0x7FFFFFFF
        return (self.state >> 8) % n


def replace(table, chance, steps):
    for step in range(steps):
        table[(chance.below(1 << 20) * 997 + step) % len(table)] = Record(step)


def total(table):
    result = 0
    for record in table:
        result += record.key ^ record.left.value ^ record.right.value
    return result


def entry_point(argv):
    table = [Record(i) for i in range((int(argv[1]) << 20) // RECORD)]
    replace(table, Chance(1), int(argv[2]))
    print("total", total(table))
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
