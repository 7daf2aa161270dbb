"""sortedcontainers==2.4.0: a SortedList of ints, and one by a key."""

from sortedcontainers import SortedKeyList, SortedList


def main():
    numbers = SortedList([5, 3, 8, 1, 9, 2])
    numbers.add(4)
    numbers.update([7, 6, 0])
    numbers.remove(5)
    numbers.discard(100)
    print(list(numbers), len(numbers), numbers[0], numbers[-1], 3 in numbers)
    print(numbers.bisect_left(6), numbers.bisect_right(6), numbers.index(7), numbers.count(2))
    print(list(numbers.irange(2, 6)), list(numbers.islice(2, 5)), numbers.pop(), numbers.pop(0))
    print(list(reversed(numbers)), numbers)
    words = SortedKeyList(["pear", "fig", "banana", "kiwi"], key=len)
    words.add("plum")
    print(list(words), words.bisect_key_left(4))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
