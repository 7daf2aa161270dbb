"""tabulate==0.10.0: tables of text."""

from tabulate import tabulate


def main():
    rows = [["Sun", 696000, 1989100000.5], ["Earth", 6371, 5973.6], ["Moon", 1737, 73.5]]
    print(tabulate(rows, headers=["Planet", "R (km)", "mass"]))
    print(tabulate(rows, tablefmt="grid"))
    print(tabulate({"Name": ["Alice", "Bob"], "Age": [24, 19]}, headers="keys"))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
