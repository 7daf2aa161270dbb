"""Solve sudoku puzzles with constraint propagation and backtracking."""
import itertools
from typing import Dict, List, Optional

DIGITS = "123456789"
ROWS = "ABCDEFGHI"
COLS = DIGITS


def cross(a, b):
    return [x + y for x in a for y in b]


SQUARES = cross(ROWS, COLS)
UNITLIST = (
    [cross(ROWS, c) for c in COLS]
    + [cross(r, COLS) for r in ROWS]
    + [cross(rs, cs) for rs in ("ABC", "DEF", "GHI") for cs in ("123", "456", "789")]
)
UNITS = {s: [u for u in UNITLIST if s in u] for s in SQUARES}
PEERS = {s: set(itertools.chain.from_iterable(UNITS[s])) - {s} for s in SQUARES}

PUZZLES = {
    "easy": "003020600900305001001806400008102900700000008006708200002609500800203009005010300",
    "medium": "200080300060070084030500209000105408000000000402706000301007040720040060004010003",
    "hard": "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
}


class Contradiction(Exception):
    pass


class Grid:
    def __init__(self, values: Optional[Dict[str, str]] = None):
        self.values = values or {s: DIGITS for s in SQUARES}

    @classmethod
    def parse(cls, text):
        chars = [c for c in text if c in DIGITS or c in "0."]
        if len(chars) != 81:
            raise ValueError(f"expected 81 cells, got {len(chars)}")
        grid = cls()
        for square, char in zip(SQUARES, chars):
            if char in DIGITS:
                grid.assign(square, char)
        return grid

    def copy(self):
        return Grid(dict(self.values))

    def assign(self, square, digit):
        for other in self.values[square].replace(digit, ""):
            self.eliminate(square, other)

    def eliminate(self, square, digit):
        if digit not in self.values[square]:
            return
        self.values[square] = self.values[square].replace(digit, "")
        remaining = self.values[square]
        if not remaining:
            raise Contradiction(square)
        if len(remaining) == 1:
            for peer in sorted(PEERS[square]):
                self.eliminate(peer, remaining)
        for unit in UNITS[square]:
            places = [s for s in unit if digit in self.values[s]]
            if not places:
                raise Contradiction(f"no place for {digit}")
            if len(places) == 1:
                self.assign(places[0], digit)

    def solved(self):
        return all(len(v) == 1 for v in self.values.values())

    def __str__(self):
        width = 1 + max(len(self.values[s]) for s in SQUARES)
        line = "+".join(["-" * (width * 3)] * 3)
        out: List[str] = []
        for r in ROWS:
            out.append("".join(self.values[r + c].center(width) + ("|" if c in "36" else "") for c in COLS).rstrip())
            if r in "CF":
                out.append(line)
        return "\n".join(out)


def search(grid, stats):
    stats["nodes"] += 1
    if grid.solved():
        return grid
    count, square = min((len(v), s) for s, v in grid.values.items() if len(v) > 1)
    for digit in grid.values[square]:
        attempt = grid.copy()
        try:
            attempt.assign(square, digit)
        except Contradiction:
            stats["dead_ends"] += 1
            continue
        result = search(attempt, stats)
        if result is not None:
            return result
    return None


def main():
    for name, text in PUZZLES.items():
        stats = {"nodes": 0, "dead_ends": 0}
        solution = search(Grid.parse(text), stats)
        print(f"== {name} (nodes={stats['nodes']}, dead ends={stats['dead_ends']})")
        print(solution)
        print()
    try:
        Grid.parse("123")
    except ValueError as e:
        print("error:", e)


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
