"""Strings that grow, are forgotten and begin again: `strings KEPT STEPS`."""

import sys


class Chance:
    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 1103515245 + 12345) & 0x7FFFFFFF
        return (self.state >> 8) % n


def entry_point(argv):
    texts = ["a text to begin with"] * int(argv[1])
    chance = Chance(1)
    total = 0
    for step in range(int(argv[2])):
        i = chance.below(len(texts))
        text = texts[i] + ", " + str(step)
        total += len(text)
        if len(text) > 200:
            text = text[len(text) - 20 :]
        texts[i] = text
    print("total", total)
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
