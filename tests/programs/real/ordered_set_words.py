"""ordered-set==4.1.0: a set that remembers the order."""

from ordered_set import OrderedSet


def main():
    letters = OrderedSet("abracadabra")
    print(letters, len(letters), letters.index("r"), letters[2], "z" in letters)
    letters.add("x")
    letters.discard("b")
    print(letters | OrderedSet("shazam"), letters & {"a", "x"}, letters - {"a"}, letters[1:3])


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
