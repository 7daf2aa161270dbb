"""funcy==2.0: functions on sequences and dicts."""

from funcy import chunks, distinct, flatten, group_by, keep, lcat, pairwise, partition, walk_values


def main():
    print(list(chunks(2, [1, 2, 3])), list(distinct([1, 2, 1])), list(pairwise([1, 2, 3])))
    print(dict(group_by(len, ["a", "bb", "cc"])), lcat([[1], [2]]), list(partition(2, [1, 2, 3])))
    print(walk_values(len, {"a": "xyz"}), list(keep([0, 1, None, 2])), list(flatten([1, [2, [3]]])))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
