"""suffix-trees==0.3.0: a suffix tree."""

from suffix_trees import STree


def main():
    tree = STree.STree("abcdefghab")
    print(tree.find("def"), sorted(tree.find_all("ab")), tree.find("xyz"))
    print(STree.STree(["abeceda", "abecednik", "abeabecedabeabeced"]).lcs())


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
