"""simpleeval==1.0.8: arithmetic from text."""

from simpleeval import simple_eval


def main():
    for text in ("21 + 21", "2 * (3 + 4) ** 2", "'a' * 3", "a + b"):
        print(simple_eval(text, names={"a": 1, "b": 2}))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
