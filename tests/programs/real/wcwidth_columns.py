"""wcwidth==0.2.13: how many columns characters take."""

from wcwidth import wcswidth, wcwidth


def main():
    for text in ("hello", "コンニチハ", "é", "a\u0301b", "\x07", "한글"):
        print(text.encode(), wcswidth(text), [wcwidth(char) for char in text])


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
