"""pyperformance==1.11.0/generators pyperf==2.8.1: a tree walked by generators."""

from run_benchmark import tree


def main():
    print(list(tree(range(20))))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
