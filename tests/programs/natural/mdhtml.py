#!/usr/bin/env python
"""Convert a subset of Markdown to HTML with a table of contents."""
import argparse
import html
import re
import sys
from abc import abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterator, List, Match, Optional, Pattern, Tuple

DEMO = '''# Hello *world*

Some text with **bold**, `code <b>` and a [link](http://x.y/?a=1&b=2 "t").
Second line.

## List of things

- one
- two *em*
  - nested
- three

1. first
2. second

```python
print("<hi>")
```

> quoted **text**

| a | b |
|---|--:|
| 1 | 2 |
| x | `y` |

---
The end & more.
'''


@dataclass
class Node:
    children: List["Node"] = field(default_factory=list)

    @abstractmethod
    def render(self) -> str: ...

    def inner(self) -> str:
        return "".join(c.render() for c in self.children)


@dataclass
class Text(Node):
    text: str = ""

    def render(self) -> str:
        return inline(self.text)


@dataclass
class Element(Node):
    tag: str = "p"
    attrs: dict = field(default_factory=dict)

    def render(self) -> str:
        attrs = "".join(f' {k}="{html.escape(str(v))}"' for k, v in self.attrs.items())
        newline = "\n" if self.tag in {"ul", "ol", "table", "blockquote"} else ""
        return f"<{self.tag}{attrs}>{newline}{self.inner()}</{self.tag}>\n"


@dataclass
class Raw(Node):
    body: str = ""

    def render(self) -> str:
        return self.body


INLINE: List[Tuple[Pattern[str], str]] = [
    (re.compile(r"\*\*(.+?)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"\*(.+?)\*"), r"<em>\1</em>"),
    (re.compile(r'\[([^\]]+)\]\((\S+?)(?:\s+&quot;(.*?)&quot;)?\)'), r'<a href="\2">\1</a>'),
]


def inline(text: str) -> str:
    codes: List[str] = []

    def stash(m: Match) -> str:
        codes.append(f"<code>{html.escape(m.group(1))}</code>")
        return f"\0{len(codes) - 1}\0"

    text = re.sub(r"`([^`]+)`", stash, text)
    text = html.escape(text)
    for pattern, replacement in INLINE:
        text = pattern.sub(replacement, text)
    return re.sub("\0(\\d+)\0", lambda m: codes[int(m[1])], text)


def slug(title: str, seen: dict) -> str:
    base = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "section"
    n = seen.setdefault(base, 0)
    seen[base] += 1
    return f"{base}-{n}" if n else base


class Parser:
    def __init__(self, source: str):
        self.lines = source.splitlines()
        self.pos = 0
        self.toc: List[Tuple[int, str, str]] = []
        self._slugs: dict = {}

    def peek(self) -> Optional[str]:
        return self.lines[self.pos] if self.pos < len(self.lines) else None

    def take_while(self, pattern: str) -> Iterator[str]:
        while (line := self.peek()) is not None and re.match(pattern, line):
            self.pos += 1
            yield line

    def parse(self) -> List[Node]:
        out: List[Node] = []
        while (line := self.peek()) is not None:
            if not line.strip():
                self.pos += 1
            elif m := re.match(r"(#{1,6})\s+(.*)", line):
                self.pos += 1
                level, title = len(m[1]), m[2]
                anchor = slug(title, self._slugs)
                self.toc.append((level, title, anchor))
                out.append(Element([Text(text=title)], f"h{level}", {"id": anchor}))
            elif line.startswith("```"):
                out.append(self.fence(line[3:].strip()))
            elif re.match(r"\s*[-*]\s", line):
                out.append(self.listing("ul", r"(\s*)[-*]\s+(.*)"))
            elif re.match(r"\d+\.\s", line):
                out.append(self.listing("ol", r"(\s*)\d+\.\s+(.*)"))
            elif line.startswith(">"):
                body = [l.lstrip("> ") for l in self.take_while(">")]
                out.append(Element(Parser("\n".join(body)).parse(), "blockquote"))
            elif line.startswith("|"):
                out.append(self.table())
            elif re.fullmatch(r"-{3,}", line):
                self.pos += 1
                out.append(Raw(body="<hr/>\n"))
            else:
                text = " ".join(self.take_while(r"[^#>|`\-\s].*"))
                out.append(Element([Text(text=text)]))
        return out

    def fence(self, language: str) -> Node:
        self.pos += 1
        body = list(self.take_while(r"(?!```)"))
        self.pos += 1
        css = f' class="language-{language}"' if language else ""
        return Raw(body=f"<pre><code{css}>{html.escape(chr(10).join(body), quote=False)}</code></pre>\n")

    def listing(self, tag: str, pattern: str) -> Element:
        root = Element(tag=tag)
        stack = [(0, root)]
        for line in self.take_while(pattern):
            indent, text = re.match(pattern, line).groups()
            while len(indent) < stack[-1][0]:
                stack.pop()
            if len(indent) > stack[-1][0]:
                sub = Element(tag=tag)
                stack[-1][1].children.append(sub)
                stack.append((len(indent), sub))
            stack[-1][1].children.append(Element([Text(text=text)], tag="li"))
        return root

    def table(self) -> Element:
        rows = [[c.strip() for c in l.strip("| ").split("|")] for l in self.take_while(r"\|")]
        head, rule, *body = rows
        align = ["right" if r.endswith(":") else None for r in rule]
        table = Element(tag="table")
        for kind, cells in [("th", head), *(("td", r) for r in body)]:
            tr = Element(tag="tr")
            for a, c in zip(align, cells):
                tr.children.append(Element([Text(text=c)], kind, {"align": a} if a else {}))
            table.children.append(tr)
        return table


def main(argv: Optional[List[str]] = None) -> int:
    ap = argparse.ArgumentParser(description="Markdown to HTML")
    ap.add_argument("file", nargs="?", type=Path)
    ap.add_argument("--toc", action="store_true", default=True)
    ns = ap.parse_args(argv)
    source = ns.file.read_text(encoding="utf-8") if ns.file else DEMO
    parser = Parser(source)
    nodes = parser.parse()
    if ns.toc:
        for level, title, anchor in parser.toc:
            print(f"{'  ' * (level - 1)}* {title} (#{anchor})")
    sys.stdout.write("".join(n.render() for n in nodes))
    print(len(nodes), "blocks", {type(n).__name__ for n in nodes} == {"Raw", "Element"})
    return 0


if __name__ == "__main__":
    sys.exit(main())
