"""Rank poker hands."""
from collections import Counter
from enum import IntEnum
from functools import total_ordering
from random import Random
from typing import NamedTuple

RANKS = "23456789TJQKA"
SUITS = "♣♦♥♠"


class Category(IntEnum):
    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR = 7
    STRAIGHT_FLUSH = 8

    @property
    def title(self):
        return self.name.replace("_", " ").title()


class Card(NamedTuple):
    rank: int
    suit: str

    @classmethod
    def parse(cls, text):
        return cls(RANKS.index(text[0]) + 2, dict(zip("CDHS", SUITS))[text[1]])

    def __str__(self):
        return RANKS[self.rank - 2] + self.suit


@total_ordering
class Hand:
    def __init__(self, cards):
        self.cards = sorted(cards, reverse=True)
        if len(self.cards) != 5:
            raise ValueError("a hand has five cards")

    @classmethod
    def parse(cls, text):
        return cls(Card.parse(t) for t in text.split())

    @property
    def ranks(self):
        counts = Counter(c.rank for c in self.cards)
        return sorted(counts, key=lambda r: (counts[r], r), reverse=True)

    @property
    def category(self):
        shape = sorted(Counter(c.rank for c in self.cards).values(), reverse=True)
        flush = len({c.suit for c in self.cards}) == 1
        high = self.ranks
        straight = shape[0] == 1 and (high[0] - high[4] == 4 or high == [14, 5, 4, 3, 2])
        if straight and flush:
            return Category.STRAIGHT_FLUSH
        if shape == [4, 1]:
            return Category.FOUR
        if shape == [3, 2]:
            return Category.FULL_HOUSE
        if flush:
            return Category.FLUSH
        if straight:
            return Category.STRAIGHT
        return {(3, 1, 1): Category.THREE, (2, 2, 1): Category.TWO_PAIR, (2, 1, 1, 1): Category.PAIR}.get(
            tuple(shape), Category.HIGH_CARD
        )

    def key(self):
        return self.category, self.ranks

    def __eq__(self, other):
        return self.key() == other.key()

    def __lt__(self, other):
        return self.key() < other.key()

    def __str__(self):
        return " ".join(map(str, self.cards))


class Deck:
    def __init__(self, seed=None):
        self.cards = [Card(r, s) for r in range(2, 15) for s in SUITS]
        self.rng = Random(seed)

    def shuffle(self):
        self.rng.shuffle(self.cards)

    def deal(self, n):
        dealt, self.cards = self.cards[:n], self.cards[n:]
        return dealt


def main():
    hands = [
        Hand.parse(t)
        for t in (
            "2H 3D 5S 9C KD",
            "TH JH QH KH AH",
            "2S 2H 4D 4C KS",
            "3S 3H 3D JC JS",
            "AS 2D 3H 4C 5D",
            "9S 9H 9D 9C 2S",
            "4H 8H 9H KH 2H",
        )
    ]
    for hand in sorted(hands, reverse=True):
        print(f"{str(hand):<16}{hand.category.title}")
    best = max(hands)
    print("best:", best, "category", int(best.category))
    a, b = Hand.parse("KS KH 5D 6C 7S"), Hand.parse("KD KC 5H 6S 8S")
    print(a < b, a >= b, a != b, a == Hand.parse("KD KC 5H 6S 7C"))
    deck = Deck(seed=7)
    deck.shuffle()
    tally = Counter()
    while len(deck.cards) >= 5:
        tally[Hand(deck.deal(5)).category] += 1
    print(sum(tally.values()), "hands dealt,", len(deck.cards), "cards left")
    print(Category.FLUSH > Category.STRAIGHT, Category(7).name, list(Category)[-1].value)
    try:
        Hand.parse("2H 3D")
    except ValueError as e:
        print(e)


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
