"""Conway's game of life with patterns and simple statistics."""
from collections import Counter
from itertools import product

GLIDER = """
.O.
..O
OOO
"""
BLINKER = "OOO"
R_PENTOMINO = """
.OO
OO.
.O.
"""


class Life:
    def __init__(self, cells=(), rule="B3/S23"):
        self.cells = set(cells)
        self.generation = 0
        birth, survive = rule.split("/")
        self.birth = {int(c) for c in birth[1:]}
        self.survive = {int(c) for c in survive[1:]}

    @classmethod
    def from_pattern(cls, text, dx=0, dy=0, **kwargs):
        cells = {
            (x + dx, y + dy)
            for y, line in enumerate(text.strip().splitlines())
            for x, c in enumerate(line)
            if c == "O"
        }
        return cls(cells, **kwargs)

    def step(self):
        counts = Counter(
            (x + dx, y + dy)
            for x, y in self.cells
            for dx, dy in product((-1, 0, 1), repeat=2)
            if (dx, dy) != (0, 0)
        )
        self.cells = {
            cell
            for cell, n in counts.items()
            if n in (self.survive if cell in self.cells else self.birth)
        }
        self.generation += 1
        return self

    def bounds(self):
        xs = [x for x, _ in self.cells]
        ys = [y for _, y in self.cells]
        return min(xs), min(ys), max(xs), max(ys)

    def __str__(self):
        if not self.cells:
            return "(empty)"
        x0, y0, x1, y1 = self.bounds()
        return "\n".join(
            "".join("#" if (x, y) in self.cells else "." for x in range(x0, x1 + 1)) for y in range(y0, y1 + 1)
        )

    def normalized(self):
        if not self.cells:
            return frozenset()
        x0, y0, *_ = self.bounds()
        return frozenset((x - x0, y - y0) for x, y in self.cells)


def period(life, limit=50):
    seen = {life.normalized(): 0}
    for n in range(1, limit):
        life.step()
        state = life.normalized()
        if state in seen:
            return n - seen[state]
        seen[state] = n
    return None


def main():
    glider = Life.from_pattern(GLIDER)
    for _ in range(5):
        print(f"generation {glider.generation}: {len(glider.cells)} cells, corner {glider.bounds()[:2]}")
        print(glider)
        glider.step()
    for name, pattern in [("blinker", BLINKER), ("glider", GLIDER), ("r-pentomino", R_PENTOMINO)]:
        p = period(Life.from_pattern(pattern))
        print(f"{name}: period {p if p is not None else 'unknown'}")
    r = Life.from_pattern(R_PENTOMINO, dx=10, dy=10)
    history = []
    while r.generation < 60:
        history.append(len(r.cells))
        r.step()
    print(history)
    print("peak", max(history), "at", history.index(max(history)))
    seeds = Life.from_pattern("OO", rule="B2/S")
    print([len(seeds.step().cells) for _ in range(6)])
    print(Life())


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
