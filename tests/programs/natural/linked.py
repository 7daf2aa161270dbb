"""Linked lists, stacks, a binary search tree and a trie, all iterable."""
from collections.abc import Iterable, Iterator, MutableMapping
from typing import Generic, Optional, TypeVar

T = TypeVar("T")


class LinkedList(Generic[T]):
    class _Node:
        __slots__ = "value", "next"

        def __init__(self, value, next=None):
            self.value = value
            self.next = next

    def __init__(self, items: Iterable[T] = ()):
        self._head = self._tail = None
        self._size = 0
        for item in items:
            self.append(item)

    def append(self, value):
        node = self._Node(value)
        if self._tail is None:
            self._head = self._tail = node
        else:
            self._tail.next = node
            self._tail = node
        self._size += 1

    def reverse(self):
        prev, node = None, self._head
        self._tail = self._head
        while node:
            node.next, prev, node = prev, node, node.next
        self._head = prev

    def __iter__(self) -> Iterator[T]:
        node = self._head
        while node is not None:
            yield node.value
            node = node.next

    def __len__(self):
        return self._size

    def __getitem__(self, index):
        if index < 0:
            index += self._size
        for i, value in enumerate(self):
            if i == index:
                return value
        raise IndexError("list index out of range")

    def __repr__(self):
        return f"LinkedList({list(self)!r})"


class TreeNode:
    def __init__(self, key, value):
        self.key, self.value = key, value
        self.left: Optional["TreeNode"] = None
        self.right: Optional["TreeNode"] = None


class TreeMap(MutableMapping):
    def __init__(self, *args, **kwargs):
        self.root = None
        self.n = 0
        self.update(*args, **kwargs)

    def _find(self, key):
        node, parent = self.root, None
        while node is not None and node.key != key:
            node, parent = (node.left if key < node.key else node.right), node
        return node, parent

    def __getitem__(self, key):
        node, _ = self._find(key)
        if node is None:
            raise KeyError(key)
        return node.value

    def __setitem__(self, key, value):
        node, parent = self._find(key)
        if node is not None:
            node.value = value
            return
        self.n += 1
        new = TreeNode(key, value)
        if parent is None:
            self.root = new
        elif key < parent.key:
            parent.left = new
        else:
            parent.right = new

    def __delitem__(self, key):
        items = [(k, v) for k, v in self.items() if k != key]
        if len(items) == self.n:
            raise KeyError(key)
        self.root, self.n = None, 0
        for k, v in items:
            self[k] = v

    def __len__(self):
        return self.n

    def __iter__(self):
        def walk(node):
            if node:
                yield from walk(node.left)
                yield node.key
                yield from walk(node.right)
        return walk(self.root)

    def depth(self):
        def measure(node):
            return 0 if node is None else 1 + max(measure(node.left), measure(node.right))
        return measure(self.root)


class Trie:
    def __init__(self, *words):
        self.children = {}
        self.terminal = False
        for w in words:
            self.insert(w)

    def insert(self, word):
        node = self
        for c in word:
            node = node.children.setdefault(c, Trie())
        node.terminal = True

    def words(self, prefix=""):
        if self.terminal:
            yield prefix
        for c, child in sorted(self.children.items()):
            yield from child.words(prefix + c)

    def complete(self, prefix):
        node = self
        for c in prefix:
            if c not in node.children:
                return []
            node = node.children[c]
        return list(node.words(prefix))


def main():
    items = LinkedList("hello")
    items.append("!")
    print(items, len(items), items[0], items[-1], "l" in items)
    items.reverse()
    print("".join(items))
    try:
        items[10]
    except IndexError as e:
        print("IndexError:", e)
    tree = TreeMap(zip("mcxaezq", range(7)), w=99)
    print(list(tree), tree["e"], tree.get("nope", -1), tree.depth())
    tree["e"] *= 10
    del tree["c"]
    print(dict(tree), len(tree), "c" in tree, tree.pop("m"))
    try:
        del tree["zzz"]
    except KeyError as e:
        print("KeyError:", e)
    trie = Trie("car", "card", "care", "cat", "dog")
    print(trie.complete("car"), trie.complete("x"), sum(1 for _ in trie.words()))


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
