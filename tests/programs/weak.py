"""Objects that only weak references know: gone after a collection."""

import gc
import sys
import weakref

from rpython.rlib.objectmodel import keepalive_until_here


class Node:
    def __init__(self, number):
        self.number = number


def number_of(ref):
    node = ref()
    return -1 if node is None else node.number


def brought_back(rounds):
    """What a weak reference has given is kept while the collector looks for the dead: is it
    still the same later?"""
    nodes = [Node(i) for i in range(1200)]
    refs = [weakref.ref(node) for node in nodes]
    kept = [(node.number, node) for node in nodes[:40]]
    for i in range(rounds):
        if i % 100 == 0:
            nodes = nodes[:]  # large, and new
        nodes[i % 1200] = Node(i)
        refs[(i + 600) % 1200] = weakref.ref(nodes[(i + 600) % 1200])
        node = refs[i * 7 % 1200]()
        if node is not None:
            kept[i % 40] = (node.number, node)
    return [number for number, node in kept] == [node.number for number, node in kept]


def entry_point(argv):
    kept = [Node(i) for i in range(10)]
    refs = [weakref.ref(node) for node in kept]
    chain = [weakref.ref(Node(i)) for i in range(1000)]
    del kept[5:]
    gc.collect()
    print([number_of(ref) for ref in refs])
    print([number_of(ref) for ref in chain] == [-1] * 1000)
    for i in range(int(argv[1])):
        kept[i % 5].number += 1
        chain[i % 1000] = weakref.ref(Node(i))
    gc.collect()
    print([number_of(ref) for ref in refs], [number_of(ref) for ref in chain] == [-1] * 1000)
    keepalive_until_here(kept)
    print(brought_back(10 * int(argv[1])))
    try:
        print(hash(refs[9]))
    except TypeError as e:
        print(e)
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
