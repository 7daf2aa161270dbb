"""Programs in Aheui, a language whose code is laid out in two dimensions.

A program here is a list of operations and loops; ``layout`` makes the text of it.  The code runs
to the right along one row.  A loop of depth d goes back d rows below and is left d rows above::

                  o-o        zero: up, one to the right, down again
    -o-[body]-?-  | |
     |        |              not zero: down, left, up again
     o--------o

An operation without enough values turns round in Aheui: programs made here have enough.
"""

import random
from dataclasses import dataclass, field

DIV, ADD, MUL, MOD, POP, PUSH, DUP, SELECT, MOVE, NONE, COMPARE = range(2, 13)
TEST, SUB, SWAP, HALT = 14, 16, 17, 18
RIGHT, LEFT, UP, DOWN = 0, 4, 8, 13
NUMBER, CHARACTER = 21, 27
QUEUE, PORT = 21, 27
FINAL_OF = {0: 0, 2: 1, 3: 7, 4: 2, 5: 5, 6: 18, 7: 9, 8: 15, 9: 10}
"""The final consonant that has so many strokes."""

Step = tuple[int, int]


@dataclass
class Loop:
    """Runs its body, takes a value, and runs again unless it is zero."""

    body: "list[Step | Loop]"

    def depth(self) -> int:
        return 1 + max((s.depth() for s in self.body if isinstance(s, Loop)), default=0)


Code = list[Step | Loop]


def number(n: int) -> Code:
    """Operations that push ``n``, not negative."""
    if n in FINAL_OF:
        return [(PUSH, FINAL_OF[n])]
    if n == 1:
        return [*number(3), *number(2), (SUB, 0)]
    high, low = divmod(n, 9)
    code = [*number(high), *number(9), (MUL, 0)]
    return [*code, *number(low), (ADD, 0)] if low else code


def text(line: str) -> Code:
    """Operations that print characters."""
    return [step for c in line for step in [*number(ord(c)), (POP, CHARACTER)]]


PRINT: Code = [(POP, NUMBER), *text("\n")]


def layout(code: Code) -> str:
    """The text of a program."""
    cells: dict[tuple[int, int], str] = {}
    place(cells, [*code, (HALT, 0)], place(cells, [(NONE, 0)], 0))
    top = min(row for row, _ in cells)
    lines = []
    for row in range(top, max(row for row, _ in cells) + 1):
        columns = [column for r, column in cells if r == row]
        lines.append("".join(cells.get((row, i), " ") for i in range(max(columns) + 1)))
    return "\n".join(lines)


def place(cells: dict[tuple[int, int], str], code: Code, column: int) -> int:
    """Put code on row 0; the result is the first column behind it."""
    for step in code:
        if not isinstance(step, Loop):
            cells[0, column] = syllable(step[0], RIGHT, step[1])
            column += 1
            continue
        depth = step.depth()
        start = column
        cells[0, start] = syllable(NONE, RIGHT)
        cells[depth, start] = syllable(NONE, UP)
        end = place(cells, step.body, start + 1)
        cells[0, end] = syllable(TEST, DOWN)
        cells[depth, end] = syllable(NONE, LEFT)
        cells[-depth, end] = syllable(NONE, RIGHT)
        cells[-depth, end + 1] = syllable(NONE, DOWN)
        cells[0, end + 1] = syllable(NONE, RIGHT)
        column = end + 2
    return column


def syllable(operation: int, direction: int, final: int = 0) -> str:
    return chr(0xAC00 + operation * 588 + direction * 28 + final)


def counted(storage: int, times: int, body: Code) -> Code:
    """``body`` so often; the counter is in a storage of its own, selected for the body."""
    one = number(1)
    count: Code = [(SELECT, storage), *one, (SUB, 0), (DUP, 0)]
    return [(SELECT, storage), *number(times), Loop([*body, *count]), (POP, 0)]


# -- programs ---------------------------------------------------------------------------------


def factorials(n: int) -> str:
    """The factorials up to n."""
    body: Code = [
        (SELECT, 2), *number(1), (ADD, 0), (DUP, 0), (MOVE, 3),
        (SELECT, 3), (MUL, 0), (DUP, 0), *PRINT,
    ]  # fmt: skip
    return layout([(SELECT, 2), *number(0), (SELECT, 3), *number(1), *counted(1, n, body)])


def fibonacci(n: int) -> str:
    """n numbers, from a queue."""
    body: Code = [
        (SELECT, QUEUE), (DUP, 0), (POP, 0), (DUP, 0), (MOVE, 2), (MOVE, 3),
        (DUP, 0), (MOVE, 3), (SELECT, 3), (DUP, 0), *PRINT, (ADD, 0), (MOVE, QUEUE),
        (SELECT, 2), (POP, 0),
    ]  # fmt: skip
    return layout([(SELECT, QUEUE), *number(0), *number(1), *counted(1, n, body)])


def divisors(n: int) -> str:
    """How many divisors each of the numbers 2 to n + 1 has."""
    divide: Code = [
        # storage 4: the divisor; storage 2: the number; storage 5: how many divide it
        (SELECT, 2), (DUP, 0), (MOVE, 6), (SELECT, 4), *number(1), (ADD, 0), (DUP, 0), (MOVE, 6),
        (SELECT, 6), (MOD, 0), *number(0), (SWAP, 0), (COMPARE, 0), (MOVE, 5),
        (SELECT, 5), (ADD, 0),
    ]  # fmt: skip
    more: Code = [
        (SELECT, 4), (DUP, 0), (MOVE, 6), (SELECT, 2), (DUP, 0), (MOVE, 6), (SELECT, 6), (SUB, 0),
    ]  # fmt: skip
    body: Code = [
        (SELECT, 2), *number(1), (ADD, 0), (SELECT, 4), *number(0), (SELECT, 5), *number(0),
        Loop([*divide, *more]), (SELECT, 4), (POP, 0), (SELECT, 2), (DUP, 0), *text(" "), *PRINT,
        (SELECT, 5), *PRINT,
    ]  # fmt: skip
    return layout([(SELECT, 2), *number(1), *counted(1, n, body)])


def sums() -> str:
    """Reads how many numbers there are, and the numbers; prints each sum; copies the rest."""
    body: Code = [(SELECT, 2), (PUSH, NUMBER), (ADD, 0), (DUP, 0), *PRINT]
    count: Code = [(SELECT, 1), *number(1), (SUB, 0), (DUP, 0)]
    copy: Code = [
        (DUP, 0), (POP, CHARACTER), (PUSH, CHARACTER), (DUP, 0), *number(1), (ADD, 0),
    ]  # fmt: skip
    start: Code = [(SELECT, 2), *number(0), (SELECT, 1), (PUSH, NUMBER)]
    return layout([*start, Loop([*body, *count]), (SELECT, 3), (PUSH, CHARACTER), Loop(copy)])


# -- random programs --------------------------------------------------------------------------


@dataclass
class Sizes:
    """How many values each storage has where the code being made runs."""

    selected: int = 0
    of: dict[int, int] = field(default_factory=dict)

    def change(self, by: int) -> None:
        self.of[self.selected] = self.size() + by

    def size(self) -> int:
        return self.of.get(self.selected, 0)


STORAGES = (0, 4, 7, 16, QUEUE, PORT)


def random_program(seed: int) -> str:
    """A program that ends, the same one for a seed."""
    rng = random.Random(seed)
    sizes = Sizes()
    code: Code = []
    for _ in range(rng.randrange(2, 6)):
        code += random_code(rng, sizes, rng.randrange(5, 40), looping=False)
        code += random_loop(rng, sizes, 1)
    for storage in STORAGES:
        code += [(SELECT, storage), *PRINT * sizes.of.get(storage, 0)]
    return layout(code)


def random_loop(rng: random.Random, sizes: Sizes, depth: int) -> Code:
    before = Sizes(sizes.selected, dict(sizes.of))
    start = rng.choice(STORAGES)
    sizes.selected = start
    inner = random_code(rng, sizes, rng.randrange(3, 25), looping=True)
    body: Code = [(SELECT, start), *inner]
    if depth < 3 and rng.random() < 0.5:
        body += random_loop(rng, sizes, depth + 1)
    for storage in STORAGES:
        sizes.selected = storage
        missing = before.of.get(storage, 0) - sizes.size()
        if missing:
            body.append((SELECT, storage))
            body += number(rng.randrange(10)) * missing if missing > 0 else [(POP, 0)] * -missing
            sizes.change(missing)
    sizes.selected = 8 + depth
    return counted(8 + depth, rng.randrange(1, 7), body)


def divisor(rng: random.Random) -> Code:
    """A number, zero now and then."""
    return number(0 if rng.random() < 0.02 else rng.randrange(1, 20))


def random_code(rng: random.Random, sizes: Sizes, length: int, looping: bool) -> Code:
    code: Code = []
    if sizes.selected not in STORAGES:
        sizes.selected = rng.choice(STORAGES)
        code.append((SELECT, sizes.selected))
    for _ in range(length):
        kind = rng.random()
        if kind < 0.25 or sizes.size() == 0:
            code += number(rng.choice([rng.randrange(12), rng.randrange(500)]))
            sizes.change(1)
        elif kind < 0.35:
            sizes.selected = rng.choice(STORAGES)
            code.append((SELECT, sizes.selected))
        elif kind < 0.5:
            code.append((DUP, 0))
            sizes.change(1)
        elif kind < 0.6:
            target = rng.choice(STORAGES)
            code.append((MOVE, target))
            sizes.change(-1)
            sizes.of[target] = sizes.of.get(target, 0) + 1
        elif kind < 0.7:
            code += PRINT
            sizes.change(-1)
        elif kind < 0.78:
            code += [*divisor(rng), (rng.choice([DIV, MOD]), 0)]
        elif sizes.size() >= 2:
            # squares of squares in a loop would not fit in memory
            operation = rng.choice([ADD, SUB, SUB if looping else MUL, SWAP, COMPARE])
            code.append((operation, 0))
            sizes.change(0 if operation == SWAP else -1)
    return code
