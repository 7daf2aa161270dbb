"""A small word-count command line tool."""
import argparse
import re
import string
import sys
from collections import Counter, defaultdict

TEXT = """
It was the best of times, it was the worst of times, it was the age of wisdom,
it was the age of foolishness, it was the epoch of belief, it was the epoch of
incredulity, it was the season of Light, it was the season of Darkness, it was
the spring of hope, it was the winter of despair. We had everything before us,
we had nothing before us -- we were all going direct to Heaven, we were all
going direct the other way.
"""

STOPWORDS = frozenset("the of it was we a an and to in all".split())


def tokenize(text, lower=True):
    for match in re.finditer(r"[A-Za-z']+", text):
        word = match.group()
        yield word.lower() if lower else word


def build_parser():
    parser = argparse.ArgumentParser(prog="wordfreq", description="Count words in a text.")
    parser.add_argument("-n", "--top", type=int, default=10, help="how many words to show")
    parser.add_argument("--stop", action="store_true", help="skip stop words")
    parser.add_argument("--min-length", type=int, default=1, metavar="N")
    parser.add_argument("--sort", choices=["count", "alpha"], default="count")
    parser.add_argument("--bar", action="store_true", help="draw bars")
    return parser


def by_length(words):
    groups = defaultdict(set)
    for w in words:
        groups[len(w)].add(w)
    return groups


def report(args):
    words = [
        w
        for w in tokenize(TEXT)
        if len(w) >= args.min_length and not (args.stop and w in STOPWORDS)
    ]
    counts = Counter(words)
    if args.sort == "count":
        rows = sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))
    else:
        rows = sorted(counts.items())
    rows = rows[: args.top]
    total = sum(counts.values())
    print(f"{total} words, {len(counts)} distinct")
    for word, n in rows:
        line = f"{word:<14}{n:>4} {n / total:6.1%}"
        if args.bar:
            line += " " + "#" * n
        print(line)
    return counts


def main():
    parser = build_parser()
    report(parser.parse_args(["-n", "5"]))
    print()
    counts = report(parser.parse_args(["--stop", "--top", "6", "--bar", "--min-length", "4"]))
    print()
    report(parser.parse_args(["--sort=alpha", "-n3"]))
    print()
    for length, group in sorted(by_length(counts).items(), reverse=True)[:4]:
        print(length, ", ".join(sorted(group)))
    letters = Counter(c for c in TEXT.lower() if c in string.ascii_lowercase)
    print("most common letters:", letters.most_common(5))
    print("missing letters:", "".join(sorted(set(string.ascii_lowercase) - set(letters))))
    print("capitalised:", sorted({w for w in tokenize(TEXT, lower=False) if w[0].isupper()}))


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
