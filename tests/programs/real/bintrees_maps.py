"""bintrees==2.2.0: balanced trees in Python."""

from bintrees import AVLTree, FastRBTree


def main():
    for tree in (AVLTree(), FastRBTree()):
        for number in (5, 3, 8, 1, 4, 9, 7):
            tree.insert(number, number * number)
        tree.remove(3)
        print(list(tree.items()), tree.min_item(), tree.max_item(), 4 in tree, tree.get(100, -1))
        print(list(tree.keys(reverse=True)), tree.succ_key(4), tree.prev_key(4), len(tree))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
