"""Allocates and forgets lists, dicts, strings, instances and cycles, and looks whether all of it
stays what it was: ``soak ROUNDS SIZE``.  The same output under CPython and translated."""

import gc
import sys

from rpython.rlib.objectmodel import compute_identity_hash


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
