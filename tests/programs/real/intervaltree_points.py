"""intervaltree==3.2.1 sortedcontainers==2.4.0: which intervals hold a point."""

from intervaltree import Interval, IntervalTree


def main():
    tree = IntervalTree()
    tree[1:5] = "a"
    tree.addi(3, 8, "b")
    tree.add(Interval(10, 12, "c"))
    print(sorted(tree[4]), sorted(tree[6:11]), len(tree), tree.begin(), tree.end())
    tree.chop(4, 6)
    tree.remove_overlap(11)
    print(sorted(tree), tree.overlaps(2), tree.is_empty())


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
