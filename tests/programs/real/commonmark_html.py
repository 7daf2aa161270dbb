"""commonmark==0.9.2: Markdown to HTML."""

import commonmark


def main():
    text = "# Title\n\nSome *text* with `code` and [a link](http://x.y).\n\n- one\n- two\n"
    print(commonmark.commonmark(text))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
