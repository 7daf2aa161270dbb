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
    try:
        print(hash(refs[9]))
    except TypeError as e:
        print(e)
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
