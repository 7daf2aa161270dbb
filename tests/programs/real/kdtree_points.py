"""kdtree==0.16: the nearest of points."""

import kdtree


def main():
    tree = kdtree.create([(2, 3), (5, 4), (9, 6), (4, 7), (8, 1), (7, 2)])
    node, distance = tree.search_nn((9, 2))
    print(node.data, distance, [n.data for n in tree.inorder()], tree.height())


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
