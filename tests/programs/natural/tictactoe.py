"""Tic-tac-toe with perfect (minimax) players."""
from functools import lru_cache

LINES = [
    (0, 1, 2), (3, 4, 5), (6, 7, 8),
    (0, 3, 6), (1, 4, 7), (2, 5, 8),
    (0, 4, 8), (2, 4, 6),
]


class Board:
    def __init__(self, cells=" " * 9):
        self.cells = cells

    def moves(self):
        return [i for i, c in enumerate(self.cells) if c == " "]

    def play(self, i, player):
        if self.cells[i] != " ":
            raise ValueError(f"cell {i} is taken")
        return Board(self.cells[:i] + player + self.cells[i + 1:])

    def winner(self):
        for a, b, c in LINES:
            if self.cells[a] != " " and self.cells[a] == self.cells[b] == self.cells[c]:
                return self.cells[a]
        return None

    @property
    def full(self):
        return " " not in self.cells

    def __str__(self):
        rows = [" | ".join(self.cells[i:i + 3]) for i in (0, 3, 6)]
        return "\n---------\n".join(rows)


@lru_cache(maxsize=None)
def score(cells, player, to_move):
    board = Board(cells)
    w = board.winner()
    if w:
        return 1 if w == player else -1
    if board.full:
        return 0
    other = "O" if to_move == "X" else "X"
    scores = [score(board.play(m, to_move).cells, player, other) for m in board.moves()]
    return max(scores) if to_move == player else min(scores)


class Player:
    def __init__(self, mark):
        self.mark = mark

    @property
    def opponent(self):
        return "O" if self.mark == "X" else "X"

    def choose(self, board):
        raise NotImplementedError


class Perfect(Player):
    def choose(self, board):
        return max(board.moves(), key=lambda m: score(board.play(m, self.mark).cells, self.mark, self.opponent))


class First(Player):
    def choose(self, board):
        return board.moves()[0]


class Scripted(Player):
    def __init__(self, mark, moves):
        super().__init__(mark)
        self.script = iter(moves)

    def choose(self, board):
        return next(self.script)


def game(x, o, verbose=False):
    board = Board()
    players = [x, o]
    turn = 0
    while not board.winner() and not board.full:
        p = players[turn % 2]
        board = board.play(p.choose(board), p.mark)
        turn += 1
        if verbose:
            print(board, end="\n\n")
    return board.winner() or "draw"


def main():
    print("first vs first:", game(First("X"), First("O"), verbose=True))
    print("perfect vs first:", game(Perfect("X"), First("O")))
    print("perfect vs perfect:", game(Perfect("X"), Perfect("O")))
    results = {}
    for start in range(9):
        others = [m for m in range(9) if m != start]
        results[start] = score(Board().play(start, "X").cells, "X", "O")
    print(results)
    try:
        game(Scripted("X", [0, 1]), Scripted("O", [0]))
    except ValueError as e:
        print("illegal:", e)
    try:
        game(Scripted("X", [0]), Scripted("O", [1]))
    except StopIteration:
        print("ran out of moves")
    print(score.cache_info().currsize > 100)


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
