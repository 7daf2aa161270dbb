"""Text analysis: sentences, readability, n-grams, anagrams, a concordance."""
import re
import textwrap
import unicodedata
from bisect import bisect_left, insort
from collections import Counter, defaultdict, deque
from itertools import chain, zip_longest

TEXT = """The quick brown fox jumps over the lazy dog. The dog sleeps; the fox does not!
Is the café open? "No," said the naïve waiter, "it closed at 5.30 p.m. yesterday."
Listen to the silent night. Elbow and below are anagrams, as are night and thing.
"""


def sentences(text):
    for s in re.split(r"(?<=[.!?])[\"']?\s+(?=[A-Z\"])", text.strip()):
        yield " ".join(s.split())


def words(text):
    return [w.lower() for w in re.findall(r"[^\W\d_]+(?:'[a-z]+)?", text)]


def syllables(word):
    groups = re.findall(r"[aeiouy]+", strip_accents(word))
    n = len(groups)
    if word.endswith("e") and n > 1 and not word.endswith("le"):
        n -= 1
    return max(1, n)


def strip_accents(text):
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def ngrams(items, n):
    window = deque(maxlen=n)
    for item in items:
        window.append(item)
        if len(window) == n:
            yield tuple(window)


def anagrams(vocabulary):
    groups = defaultdict(set)
    for w in vocabulary:
        groups["".join(sorted(w))].add(w)
    return sorted(sorted(g) for g in groups.values() if len(g) > 1)


class Concordance:
    def __init__(self, text):
        self.index = {}
        self.keys = []
        for lineno, line in enumerate(text.splitlines(), 1):
            for w in words(line):
                if w not in self.index:
                    insort(self.keys, w)
                    self.index[w] = []
                self.index[w].append(lineno)

    def __getitem__(self, word):
        return self.index[word]

    def __missing__(self, word):
        return []

    def starting(self, prefix):
        i = bisect_left(self.keys, prefix)
        while i < len(self.keys) and self.keys[i].startswith(prefix):
            yield self.keys[i]
            i += 1


def columns(items, n):
    rows = -(-len(items) // n)
    cols = [items[i * rows:(i + 1) * rows] for i in range(n)]
    for row in zip_longest(*cols, fillvalue=""):
        yield "".join(f"{cell:<12}" for cell in row).rstrip()


def main():
    sents = list(sentences(TEXT))
    for i, s in enumerate(sents):
        print(i, s)
    ws = words(TEXT)
    counts = Counter(ws)
    syl = sum(map(syllables, ws))
    score = 206.835 - 1.015 * len(ws) / len(sents) - 84.6 * syl / len(ws)
    print(f"{len(ws)} words, {syl} syllables, reading ease {score:.1f}")
    print(counts.most_common(3))
    print(Counter(ngrams(ws, 2)).most_common(2))
    print(anagrams(set(ws)))
    conc = Concordance(TEXT)
    print(list(conc.starting("th")), conc["the"], conc["fox"])
    for line in columns(sorted(w for w in counts if len(w) > 4), 3):
        print(line)
    print(textwrap.fill(TEXT, width=60))
    print(strip_accents("café naïve"), "straße".upper(), "İ".lower() != "i")
    lengths = Counter(map(len, ws))
    for n in sorted(lengths):
        print(f"{n:2} {'*' * lengths[n]}")
    print(" ".join(w[::-1] for w in ws[:5]).swapcase().title())
    flat = list(chain.from_iterable(w.split("e") for w in ws[:4]))
    print(flat, len(TEXT.encode("utf-8")) - len(TEXT))


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
