"""N queens, knights tour, subset sum, permutations: classic backtracking."""
import sys
import time
from itertools import combinations, permutations


def queens(n):
    def place(row, cols, diag1, diag2, board):
        if row == n:
            yield tuple(board)
            return
        for col in range(n):
            if col in cols or row + col in diag1 or row - col in diag2:
                continue
            yield from place(row + 1, cols | {col}, diag1 | {row + col}, diag2 | {row - col}, board + [col])

    yield from place(0, set(), set(), set(), [])


def draw(solution):
    n = len(solution)
    return "\n".join(" ".join("Q" if c == col else "." for c in range(n)) for col in solution)


def knights_tour(size, start=(0, 0)):
    jumps = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
    board = [[None] * size for _ in range(size)]

    def neighbours(x, y):
        for dx, dy in jumps:
            a, b = x + dx, y + dy
            if 0 <= a < size and 0 <= b < size and board[b][a] is None:
                yield a, b

    x, y = start
    board[y][x] = 1
    for step in range(2, size * size + 1):
        options = sorted(neighbours(x, y), key=lambda p: (len(list(neighbours(*p))), p))
        if not options:
            return None
        x, y = options[0]
        board[y][x] = step
    return board


def subset_sum(numbers, target):
    best = []
    for size in range(1, len(numbers) + 1):
        for combo in combinations(numbers, size):
            if sum(combo) == target:
                best.append(combo)
    return best


def send_more_money():
    words = ("SEND", "MORE", "MONEY")
    letters = sorted(set("".join(words)))
    for digits in permutations((9, 1, 0, 2, 5, 6, 7, 8), len(letters)):
        table = dict(zip(letters, digits))
        if 0 in (table[w[0]] for w in words):
            continue
        a, b, c = (int("".join(str(table[ch]) for ch in w)) for w in words)
        if a + b == c:
            return a, b, c


def change(amount, coins, memo={}):
    key = (amount, tuple(coins))
    if amount == 0:
        return 1
    if amount < 0 or not coins:
        return 0
    if key not in memo:
        memo[key] = change(amount - coins[0], coins, memo) + change(amount, coins[1:], memo)
    return memo[key]


def main():
    started = time.perf_counter()
    for n in range(1, 8):
        solutions = list(queens(n))
        print(f"{n} queens: {len(solutions):>3} solutions", solutions[0] if solutions else "-")
    print(draw(next(queens(8))))
    tour = knights_tour(6)
    for row in tour or []:
        print(" ".join(f"{v:2d}" for v in row))
    print(knights_tour(4) is None)
    print(subset_sum([3, 34, 4, 12, 5, 2], 9))
    print("{} + {} = {}".format(*send_more_money()))
    print(change(100, [50, 25, 10, 5, 1]), change(7, [5, 3]))
    elapsed = time.perf_counter() - started
    print("fast enough" if elapsed < 120 else "slow", file=sys.stdout)


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
