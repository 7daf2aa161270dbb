"""csv: which dialect is it?"""

import csv
import io

TEXT = "name;age\nann;12\nbob;13\n"


def main():
    dialect = csv.Sniffer().sniff(TEXT)
    print(dialect.delimiter, list(csv.reader(io.StringIO(TEXT), dialect)))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
