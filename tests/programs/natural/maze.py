"""Generate and solve mazes."""
import random
from collections import deque


class LCG(random.Random):
    """A deterministic generator of our own."""

    def __init__(self, seed):
        super().__init__()
        self.state = seed

    def random(self):
        self.state = (self.state * 1103515245 + 12345) % 2 ** 31
        return self.state / 2 ** 31


DIRECTIONS = {"N": (0, -1), "S": (0, 1), "E": (1, 0), "W": (-1, 0)}
OPPOSITE = {"N": "S", "S": "N", "E": "W", "W": "E"}


class Maze:
    def __init__(self, width, height, rng):
        self.width, self.height = width, height
        self.open = {(x, y): set() for x in range(width) for y in range(height)}
        self.carve(rng)

    def neighbours(self, cell):
        x, y = cell
        for d, (dx, dy) in DIRECTIONS.items():
            other = x + dx, y + dy
            if other in self.open:
                yield d, other

    def carve(self, rng):
        stack = [(0, 0)]
        visited = {(0, 0)}
        while stack:
            cell = stack[-1]
            choices = [(d, c) for d, c in self.neighbours(cell) if c not in visited]
            if not choices:
                stack.pop()
                continue
            d, other = choices[int(rng.random() * len(choices))]
            self.open[cell].add(d)
            self.open[other].add(OPPOSITE[d])
            visited.add(other)
            stack.append(other)

    def solve(self, start=(0, 0), goal=None):
        goal = goal or (self.width - 1, self.height - 1)
        came_from = {start: None}
        queue = deque([start])
        while queue:
            cell = queue.popleft()
            if cell == goal:
                break
            for d, other in self.neighbours(cell):
                if d in self.open[cell] and other not in came_from:
                    came_from[other] = cell
                    queue.append(other)
        path = []
        cell = goal
        while cell is not None:
            path.append(cell)
            cell = came_from[cell]
        path.reverse()
        return path

    def dead_ends(self):
        return [c for c, doors in self.open.items() if len(doors) == 1]

    def render(self, path=()):
        path = set(path)
        lines = ["+" + "--+" * self.width]
        for y in range(self.height):
            middle, bottom = "|", "+"
            for x in range(self.width):
                body = "**" if (x, y) in path else "  "
                middle += body + (" " if "E" in self.open[x, y] else "|")
                bottom += ("  " if "S" in self.open[x, y] else "--") + "+"
            lines += [middle, bottom]
        return "\n".join(lines)


def directions(path):
    names = {v: k for k, v in DIRECTIONS.items()}
    steps = [names[b[0] - a[0], b[1] - a[1]] for a, b in zip(path, path[1:])]
    out = []
    for s in steps:
        if out and out[-1][1] == s:
            out[-1][0] += 1
        else:
            out.append([1, s])
    return " ".join(f"{n}{d}" if n > 1 else d for n, d in out)


def main():
    maze = Maze(10, 6, LCG(2024))
    path = maze.solve()
    print(maze.render())
    print(maze.render(path))
    print(len(path) - 1, "steps:", directions(path))
    print("dead ends:", len(maze.dead_ends()), "first", maze.dead_ends()[0])
    for seed in range(3):
        m = Maze(8, 8, LCG(seed))
        p = m.solve(goal=(7, 0))
        print(f"seed {seed}: {len(p):3d} cells, {sum(map(len, m.open.values())) // 2} doors")


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
