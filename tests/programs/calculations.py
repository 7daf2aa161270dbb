"""Inputs for examples/calculator.py: statements that make sense, and such that do not."""

import random

NAMES = ["a", "b", "rate", "größe", "x1", "ans", "pi", "iffy"]
FUNCTIONS = [("f", 1), ("g", 2), ("h", 0), ("sqrt", 1), ("abs", 1), ("min", 3), ("gcd", 2),
    ("floor", 1), ("exp", 1), ("ln", 1), ("truncate", 1), ("acos", 1)]  # fmt: skip
NUMBERS = "0 1 2 3 4 5 7 10 12 0.5 .125 3. 2.5e3 0xFF 1E-7 ٣ 000012 4294967296 1e200".split()
LARGE = "9223372036854775807 9223372036854775808 4611686018427387904 1e308 1e309".split()
OPERATORS = ["+", "-", "*", "/", "//", "%", "^"]
COMPARISONS = ["==", "!=", "<", "<=", ">", ">="]
AWKWARD = ["$", "(", ")", ",", "=", "\n ", "\n", "\t", "é", "1e", "..", "\0", "\r", "\U0001d4b3",
    " if ", "\u00a0", "\u2028", "²", "then", "\x85", "#", "\x1c", "'", "\\", "~", "_"]  # fmt: skip


def number(chance: random.Random, depth: int) -> str:
    """An expression that is a number, if all goes well."""
    kind = chance.randrange(9) if depth else chance.randrange(2)
    if kind == 0:
        return chance.choice(NUMBERS if chance.randrange(16) else LARGE)
    if kind == 1:
        return chance.choice(NAMES)
    if kind == 2:
        return f"({number(chance, depth - 1)})"
    if kind == 3:
        return f"-{number(chance, depth - 1)}"
    if kind == 4:
        name, count = chance.choice(FUNCTIONS)
        count += chance.randrange(20) == 0
        return f"{name}({', '.join(number(chance, depth - 1) for _ in range(count))})"
    if kind == 5:
        parts = truth(chance, depth - 1), number(chance, depth - 1), number(chance, depth - 1)
        return "(if {} then {} else {})".format(*parts)
    space = chance.choice(["", " ", "  ", "\n    "])
    operator = chance.choice(OPERATORS)
    return f"{number(chance, depth - 1)}{space}{operator}{space}{number(chance, depth - 1)}"


def truth(chance: random.Random, depth: int) -> str:
    kind = chance.randrange(5) if depth else 0
    if kind == 0:
        return chance.choice(["true", "false"])
    if kind == 1:
        return f"not {truth(chance, depth - 1)}"
    if kind == 2:
        operator = chance.choice(["and", "or"])
        return f"{truth(chance, depth - 1)} {operator} {truth(chance, depth - 1)}"
    return f"{number(chance, depth - 1)} {chance.choice(COMPARISONS)} {number(chance, depth - 1)}"


def statement(chance: random.Random) -> str:
    kind = chance.randrange(8)
    if kind == 0:
        name, count = chance.choice(FUNCTIONS[:4])
        params = ", ".join(chance.sample(NAMES, count))
        return f"def {name}({params}) = {number(chance, 3)}"
    if kind <= 2:
        return f"{chance.choice(NAMES)} = {number(chance, 4)}"
    if kind == 3:
        return truth(chance, 4)
    return number(chance, 5)


def corrupt(chance: random.Random, text: str) -> str:
    """A text with something left out, doubled, or put in."""
    for _ in range(chance.randrange(1, 3)):
        at = chance.randrange(len(text) + 1)
        end = at + chance.randrange(4)
        text = text[:at] + chance.choice(["", text[at:end] * 2, *AWKWARD]) + text[end:]
    return text


def script(seed: int) -> str:
    """A few statements; an odd seed has corrupt ones among them."""
    chance = random.Random(seed)
    lines = [statement(chance) for _ in range(12)]
    if seed % 2:
        lines = [corrupt(chance, line) if chance.randrange(2) else line for line in lines]
    return "\n".join(lines) + "\n"
