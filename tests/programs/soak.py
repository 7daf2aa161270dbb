"""Allocates and forgets lists, dicts, strings, instances, cycles, objects with finalizers and
entries of weak dictionaries, and looks whether all of it stays what it was: ``soak ROUNDS
SIZE``.  The same output under CPython and translated."""

import gc
import sys

from rpython.rlib.objectmodel import compute_identity_hash
from rpython.rlib.rweakref import RWeakKeyDictionary, RWeakValueDictionary


class Node:
    """A node of a ring."""

    def __init__(self, number):
        self.number = number
        self.next = None


class Tree:
    def __init__(self, left, right):
        self.left = left
        self.right = right

    def size(self):
        if self.left is None or self.right is None:
            return 1
        return 1 + self.left.size() + self.right.size()


class World:
    """What lives long, and points to what is young."""

    def __init__(self):
        self.rings = []
        self.table = {}
        self.texts = []
        self.hashes = {}
        self.pairs = []
        self.shared = None
        self.handles = []
        self.opened = 0
        self.closed = 0
        self.errors = 0
        self.log = []
        self.by_name = RWeakValueDictionary(str, Node)
        self.names = RWeakKeyDictionary(Node, Name)


class Name:
    def __init__(self, text):
        self.text = text


class Handle:
    """Has something to close, before those below it; some come back once."""

    def __init__(self, number, below):
        self.number = number
        self.below = below
        self.is_open = True
        WORLD.opened += 1

    def __del__(self):
        if not self.is_open or (self.below is not None and not self.below.is_open):
            WORLD.errors += 1
        self.is_open = False
        WORLD.closed += 1
        if self.number % 50 == 0:
            WORLD.handles.append(self)
        elif self.number % 7 == 0:
            WORLD.log.append([str(self.number)])
            WORLD.log = WORLD.log[-5:]


class Loop(Handle):
    """Refers to itself."""

    def __init__(self, number):
        super().__init__(number, None)
        self.me = self


def use_handles(number):
    world = WORLD
    world.handles.append(Handle(3 * number, Handle(3 * number + 1, None)))
    Loop(3 * number + 2)
    if len(world.handles) > 12:
        world.handles = world.handles[6:]


def use_weak_dictionaries(number, node):
    world = WORLD
    world.by_name.set(str(number % 100), node)
    world.names.set(node, Name(str(number)))
    found = world.by_name.get(str((number * 7) % 100))
    if found is not None:
        assert found.number % 100 == (number * 7) % 100
        name = world.names.get(found)
        assert name is not None and name.text == str(found.number)


def make_ring(size):
    first = Node(0)
    last = first
    for i in range(1, size):
        last.next = Node(i)
        last = last.next
    last.next = first
    return first


def ring_sum(node):
    total = node.number
    current = node.next
    while current is not node:
        total += current.number
        current = current.next
    return total


def make_tree(depth):
    if depth == 0:
        return Tree(None, None)
    return Tree(make_tree(depth - 1), make_tree(depth - 1))


def deep(n, text):
    """Many frames that hold an object each."""
    mine = [n, len(text)]
    if n == 0:
        return 0
    below = deep(n - 1, text + "x")
    return below + mine[0] + mine[1]


def raising(n):
    held = [str(n)]
    if n % 3 == 0:
        raise KeyError("k" + held[0])
    return len(held[0])


def numbers(n):
    for i in range(n):
        yield [i, i * i]


def catch(n):
    total = 0
    for i in range(n):
        kept = (i, str(i))
        try:
            total += raising(i)
        except KeyError as e:
            total += len(str(e)) + kept[0]
        finally:
            total += len(kept[1])
    return total


WORLD = World()


def run_round(number, size):
    world = WORLD
    ring = make_ring(size)
    world.rings.append(ring)
    if len(world.rings) > 8:
        del world.rings[0]
    key = number % 17
    world.table[f"key {key}"] = [str(number + i) for i in range(size // 4)]
    world.texts.append("text " * (number % 5) + str(number))
    if len(world.texts) > 20:
        world.texts = world.texts[10:]
    node = Node(number)
    world.hashes[node] = compute_identity_hash(node)
    if len(world.hashes) > 30:
        world.hashes = {}
    use_handles(number)
    use_weak_dictionaries(number, node)
    world.pairs.append((number, (str(number), [number])))
    world.pairs = world.pairs[-10:]
    world.shared = ring
    adders = [lambda x, i=i: x + i + number for i in range(5)]
    total = sum([f(1) for f in adders])
    total += sum([pair[0] for pair in numbers(size // 8)])
    total += make_tree(4).size() + deep(size // 10 + 1, "") + catch(12)
    return total


def check(number):
    world = WORLD
    total = 0
    for ring in world.rings:
        total += ring_sum(ring)
    for key, texts in sorted(world.table.items()):
        total += len(key) + len(",".join(texts))
    for text in world.texts:
        total += len(text)
    for node, value in world.hashes.items():
        assert compute_identity_hash(node) == value
        total += node.number
    for first, (text, items) in world.pairs:
        assert int(text) == first == items[0]
    assert world.shared is world.rings[-1]
    assert world.errors == 0 and world.closed <= world.opened
    return total


def entry_point(argv):
    rounds = int(argv[1])
    size = int(argv[2])
    total = 0
    for number in range(rounds):
        total = (total + run_round(number, size)) % 1000003
        if number % 50 == 0:
            total = (total + check(number)) % 1000003
        if number % 500 == 0:
            gc.collect()
            print(number, total)
    print(check(rounds), total)
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
