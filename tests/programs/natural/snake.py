"""Snake played by a script, drawn as text."""
import random
from collections import deque, namedtuple
from enum import Enum
import time
import sys

Point = namedtuple("Point", ["x", "y"])


class Dir(Enum):
    UP = (0, -1)
    DOWN = (0, 1)
    LEFT = (-1, 0)
    RIGHT = (1, 0)

    @property
    def dx(self):
        return self.value[0]

    @property
    def dy(self):
        return self.value[1]

    def __neg__(self):
        return Dir((-self.dx, -self.dy))


KEYS = dict(u=Dir.UP, d=Dir.DOWN, l=Dir.LEFT, r=Dir.RIGHT)


class GameOver(Exception):
    def __init__(self, reason, score):
        super().__init__(reason)
        self.score = score


class Snake:
    def __init__(self, head, length=3, direction=Dir.RIGHT):
        self.body = deque(Point(head.x - i * direction.dx, head.y - i * direction.dy) for i in range(length))
        self.direction = direction
        self.growing = 0

    @property
    def head(self):
        return self.body[0]

    def turn(self, d):
        if d != -self.direction:
            self.direction = d

    def step(self):
        d = self.direction
        self.body.appendleft(Point(self.head.x + d.dx, self.head.y + d.dy))
        if self.growing:
            self.growing -= 1
        else:
            self.body.pop()

    def __contains__(self, p):
        return p in self.body

    def __len__(self):
        return len(self.body)


class Game:
    def __init__(self, width=12, height=6, seed=None, walls=()):
        self.size = (width, height)
        self.rng = random.Random(seed)
        self.snake = Snake(Point(width // 2, height // 2))
        self.walls = frozenset(map(Point._make, walls))
        self.score = 0
        self.ticks = 0
        self.food = self.place_food()

    def free(self):
        w, h = self.size
        return {Point(x, y) for x in range(w) for y in range(h)} - set(self.snake.body) - self.walls

    def place_food(self):
        spots = sorted(self.free())
        if not spots:
            raise GameOver("board full", self.score)
        return self.rng.choice(spots)

    def tick(self, key=None):
        self.ticks += 1
        if key:
            self.snake.turn(KEYS[key])
        self.snake.step()
        head, w, h = self.snake.head, *self.size
        if not (0 <= head.x < w and 0 <= head.y < h) or head in self.walls:
            raise GameOver(f"hit the wall at {tuple(head)}", self.score)
        if list(self.snake.body).count(head) > 1:
            raise GameOver("bit itself", self.score)
        if head == self.food:
            self.score += 10
            self.snake.growing += 2
            self.food = self.place_food()

    def autopilot(self):
        head, food = self.snake.head, self.food
        wanted = []
        if food.x != head.x:
            wanted.append("r" if food.x > head.x else "l")
        if food.y != head.y:
            wanted.append("d" if food.y > head.y else "u")
        for key in wanted + list("udlr"):
            d = KEYS[key]
            nxt = head._replace(x=head.x + d.dx, y=head.y + d.dy)
            if d != -self.snake.direction and nxt in self.free():
                return key
        return None

    def render(self):
        w, h = self.size
        grid = [["."] * w for _ in range(h)]
        for p in self.walls:
            grid[p.y][p.x] = "#"
        grid[self.food.y][self.food.x] = "*"
        for i, p in enumerate(self.snake.body):
            grid[p.y][p.x] = "@" if i == 0 else "o"
        return "\n".join("".join(row) for row in grid)


def play(seed, limit=200, script=None):
    game = Game(seed=seed, walls=[(2, y) for y in range(1, 4)])
    keys = iter(script) if script is not None else None
    try:
        for _ in range(limit):
            game.tick(next(keys, None) if keys else game.autopilot())
    except GameOver as over:
        outcome = f"{over} (score {over.score})"
    else:
        outcome = f"alive with {game.score}"
    print(f"seed {seed}: {outcome}, {game.ticks} ticks, length {len(game.snake)}")
    return game


def main():
    start = time.perf_counter()
    games = [play(seed) for seed in range(4)]
    best = max(games, key=lambda g: (g.score, -g.ticks))
    print(best.render())
    play(9, script=["u", "l", "d"])
    play(9, script="uulll")
    g = play(3, 6, script=["d", None, "l"])
    print(repr(g.snake.head), g.snake.direction, Dir["UP"], g.food in g.free())
    assert time.perf_counter() - start < 60
    return 0


if __name__ == "__main__":
    sys.exit(main())
