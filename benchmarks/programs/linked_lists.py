"""Lists whose nodes change places: `linked_lists NODES STEPS`.

Of three steps, two move the first node of a list to another list; the third drops a node and makes
a new one.
"""

import sys


class Node:
    def __init__(self, value, next):
        self.value = value
        self.next = next


class Chance:
    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 1103515245 + 12345) & 0x7FFFFFFF
        return (self.state >> 8) % n


def change(heads, chance, steps):
    n = len(heads)
    for step in range(steps):
        a = chance.below(n)
        b = chance.below(n)
        node = heads[a]
        if node is None:
            continue
        heads[a] = node.next
        if step % 3 == 0:
            heads[b] = Node(step, heads[b])
        else:
            node.next = heads[b]
            heads[b] = node


def total(heads):
    result = 0
    for node in heads:
        while node is not None:
            result = (result * 31 + node.value) & 0xFFFFFFFF
            node = node.next
    return result


def entry_point(argv):
    nodes = int(argv[1])
    heads = [None] * (nodes // 8)
    for i in range(nodes):
        heads[i % len(heads)] = Node(i, heads[i % len(heads)])
    change(heads, Chance(1), int(argv[2]))
    print("total", total(heads))
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
