"""html.parser: the tags and the text of HTML."""

from html.parser import HTMLParser


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links = []
        self.text = []

    def handle_starttag(self, tag, attrs):
        if tag == "a":
            self.links.append(dict(attrs).get("href"))

    def handle_data(self, data):
        self.text.append(data)


def main():
    parser = Links()
    parser.feed("<p>See <a href='x.html' class=big>this &amp; that</a>, <br/>ok")
    parser.close()
    print(parser.links, parser.text)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
