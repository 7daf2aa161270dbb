"""pygtrie==2.5.0: a trie of words."""

import pygtrie


def main():
    trie = pygtrie.CharTrie()
    for number, word in enumerate(["tea", "ten", "to", "in", "inn"]):
        trie[word] = number
    print(trie["ten"], "te" in trie, trie.has_subtrie("te"), sorted(trie.items("te")))
    print(trie.longest_prefix("inner"), len(trie))
    del trie["tea"]
    print(sorted(trie.keys()))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
