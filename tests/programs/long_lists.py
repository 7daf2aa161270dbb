"""Long lists and large dicts that change while a collector looks at them: `long_lists N ROUNDS`.

Each item knows what it should be, so that one which was freed too early is seen.
"""

import sys


class Item:
    def __init__(self, key):
        self.key = key
        self.twin = Leaf(key)


class Leaf:
    def __init__(self, key):
        self.key = key


class Chance:
    def __init__(self, seed):
        self.state = seed
        self.allocated = Leaf(seed)

    def below(self, n):
        self.state = (self.state * 1103515245 + 12345) & 0x7FFFFFFF
        return (self.state >> 8) % n


def change(items, spare, table, chance):
    """One change of them; most move items without making any."""
    chance.allocated = Leaf(0)  # whatever allocates may start, or continue, a collection
    n = len(items)
    kind = chance.below(40)
    i, j = chance.below(n), chance.below(n)
    if kind == 0:
        items[i] = Item(chance.below(1 << 20))
    elif kind == 1:
        table[i] = items[j]
        table[j] = Item(j)
    elif kind == 2 and i in table:
        items[j] = table.pop(i)
    elif kind == 3:
        if i > j:
            i, j = j, i
        items[i:j] = items[i:j][::-1]
    elif kind == 4:
        middle = items[i : i + 20]
        del items[i : i + 20]
        items.extend(middle)
    elif kind < 10:
        items.append(items.pop(i))
    elif kind < 15:
        items.insert(i, items.pop(j))
    elif kind < 25:
        k = j % len(spare)
        items[i], spare[k] = spare[k], items[i]
    else:
        items[i], items[j] = items[j], items[i]


def total(items, spare, table):
    result = 0
    for part in (items, spare, list(table.values())):
        for item in part:
            if item.key != item.twin.key:
                raise ValueError(f"{item.key} has become {item.twin.key}")
            result = (result * 31 + item.key) & 0xFFFFFFFF
    return result


def entry_point(argv):
    n, rounds = int(argv[1]), int(argv[2])
    items = [Item(i) for i in range(n)]
    spare = [Item(i) for i in range(n // 2)]
    table = {i: items[i] for i in range(0, n, 9)}
    chance = Chance(n)
    for _ in range(rounds):
        for _ in range(50):
            change(items, spare, table, chance)
        print(total(items, spare, table))
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
