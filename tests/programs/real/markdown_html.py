"""Markdown==3.7: Markdown to HTML."""

import markdown

TEXT = "# Title\n\nSome *text* with **bold**, `code` and a [link](http://a.b).\n\n* one\n* two\n"


def main():
    print(markdown.markdown(TEXT))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
