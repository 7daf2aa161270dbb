"""anytree==2.13.0: a tree of nodes, shown and searched."""

from anytree import Node, PreOrderIter, RenderTree, find


def main():
    root = Node("udo")
    marc = Node("marc", parent=root)
    Node("lian", parent=marc)
    dan = Node("dan", parent=root)
    Node("jet", parent=dan)
    for before, _, node in RenderTree(root):
        print(f"{before}{node.name}")
    print([node.name for node in PreOrderIter(root)], dan.children, marc.depth, root.height)
    print(find(root, lambda node: node.name == "lian").path)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
