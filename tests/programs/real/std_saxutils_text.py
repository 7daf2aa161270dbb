"""xml.sax.saxutils: texts of XML."""

from xml.sax import saxutils


def main():
    print(
        saxutils.escape("a<b>&c"),
        saxutils.unescape("&lt;x&gt;&amp;"),
        saxutils.quoteattr('a "b" <c>'),
    )
    print(saxutils.escape("a-b", {"-": "&dash;"}))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
