"""html2text==2025.4.15: HTML to Markdown."""

import html2text


def main():
    print(html2text.html2text("<h1>Title</h1><p>Some <b>bold</b> and <a href=\"http://x.y\">link</a>.</p><ul><li>one<li>two</ul>"))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
