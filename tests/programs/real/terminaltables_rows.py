"""terminaltables==3.1.10: tables of text."""

from terminaltables import AsciiTable


def main():
    table = AsciiTable([["name", "price"], ["apple", "1.5"], ["a\nb", "20"]], "Fruit")
    table.justify_columns[1] = "right"
    print(table.table)
    print(table.column_widths)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
