import html
from urllib.parse import parse_qs, quote, unquote, urlencode, urljoin, urlparse, urlsplit

URLS = [
    "https://user:pw@example.com:8443/a/b.html;p?q=1&r=two%20words#frag",
    "/relative/path?x=1",
    "mailto:someone@example.org",
]


def link(url, text):
    return f'<a href="{html.escape(url)}">{html.escape(text)}</a>'


def main():
    for url in URLS:
        parts = urlparse(url)
        print(parts.scheme, parts.netloc, parts.path, parts.query, parts.fragment)
        print(parts.hostname, parts.port, parts.geturl() == url)
    print(parse_qs("a=1&b=2&a=3&c=%C3%A9+x"))
    print(urlencode({"name": "J. Doe", "city": "Zürich", "n": 5}))
    print(quote("a b/c?d=é"), unquote("a%20b%2Fc"))
    for target in ("../c", "d?x=1", "//other/x", "http://z/"):
        print(urljoin("http://host/a/b/file.html", target))
    print(link("/find?a=1&b=2", "Tom & <Jerry>"))
    print(html.unescape("&lt;p&gt; &amp; &eacute; &#8364; &#x41; &nosuch;"))
    print(urlsplit(URLS[1])._replace(path="/new").geturl())


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
