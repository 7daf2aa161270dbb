"""Drives snowballstemmer (PyPI): ``stems.py`` reads words, prints their stems.

English, Italian and Turkish are not among them: their stemmers pass a set of letters here and
a str there to one method, which is refused.
"""

from __future__ import annotations

import sys

from snowballstemmer.basestemmer import BaseStemmer
from snowballstemmer.danish_stemmer import DanishStemmer
from snowballstemmer.dutch_stemmer import DutchStemmer
from snowballstemmer.finnish_stemmer import FinnishStemmer
from snowballstemmer.french_stemmer import FrenchStemmer
from snowballstemmer.german_stemmer import GermanStemmer
from snowballstemmer.greek_stemmer import GreekStemmer
from snowballstemmer.hungarian_stemmer import HungarianStemmer
from snowballstemmer.porter_stemmer import PorterStemmer
from snowballstemmer.portuguese_stemmer import PortugueseStemmer
from snowballstemmer.romanian_stemmer import RomanianStemmer
from snowballstemmer.russian_stemmer import RussianStemmer
from snowballstemmer.spanish_stemmer import SpanishStemmer


def entry_point(argv: list[str]) -> int:
    stemmers: list[BaseStemmer] = [
        DanishStemmer(), DutchStemmer(), FinnishStemmer(), FrenchStemmer(), GermanStemmer(),
        GreekStemmer(), HungarianStemmer(), PorterStemmer(), PortugueseStemmer(),
        RomanianStemmer(), RussianStemmer(), SpanishStemmer(),
    ]  # fmt: skip
    for line in sys.stdin:
        for word in line.split():
            print(word, " ".join([stemmer.stemWord(word) for stemmer in stemmers]))
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
