"""urllib.robotparser: who may read what."""

import urllib.robotparser


def main():
    p = urllib.robotparser.RobotFileParser()
    p.parse("User-agent: *\nDisallow: /x\nCrawl-delay: 3".splitlines())
    print(p.can_fetch("a", "/x/y"), p.can_fetch("a", "/z"), p.crawl_delay("a"))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
