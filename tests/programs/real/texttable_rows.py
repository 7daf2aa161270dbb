"""texttable==1.7.0: tables of text."""

from texttable import Texttable


def main():
    table = Texttable()
    table.set_cols_align(["l", "r", "c"])
    table.add_rows([["Name", "Age", "Nick"], ["Xavier", 32, "Xav'"], ["Baptiste", 1, "Baby"]])
    print(table.draw())


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
