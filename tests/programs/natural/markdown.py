"""A small Markdown to HTML converter."""
import html
import re
import textwrap

INLINE = [
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
    (re.compile(r"\*\*(.+?)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"\*(.+?)\*"), r"<em>\1</em>"),
    (re.compile(r"\[([^\]]+)\]\(([^)]+)\)"), r'<a href="\2">\1</a>'),
]
HEADING = re.compile(r"^(#{1,6})\s+(.*)$")
ITEM = re.compile(r"^[-*]\s+(.*)$")
NUMBERED = re.compile(r"^\d+\.\s+(.*)$")

SAMPLE = """\
# The *Title* of it

Some **bold** text with `code < here` and
a [link](http://example.org/?a=1&b=2).

## List

- first
- second *item*
- third

1. one
2. two

> quoted text
> goes on

```
def f(x):
    return x < 1
```

Last & least.
"""


def inline(text):
    text = html.escape(text, quote=False)
    for pattern, replacement in INLINE:
        text = pattern.sub(replacement, text)
    return text


def slugify(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


class Converter:
    def __init__(self):
        self.out = []
        self.paragraph = []
        self.list_tag = None
        self.headings = []

    def flush(self):
        if self.paragraph:
            self.out.append("<p>" + inline(" ".join(self.paragraph)) + "</p>")
            self.paragraph = []
        if self.list_tag:
            self.out.append(f"</{self.list_tag}>")
            self.list_tag = None

    def item(self, tag, text):
        if self.list_tag != tag:
            self.flush()
            self.out.append(f"<{tag}>")
            self.list_tag = tag
        self.out.append(f"  <li>{inline(text)}</li>")

    def convert(self, text):
        lines = iter(text.splitlines())
        for line in lines:
            if line.startswith("```"):
                self.flush()
                code = []
                for inner in lines:
                    if inner.startswith("```"):
                        break
                    code.append(html.escape(inner))
                self.out.append("<pre>" + "\n".join(code) + "</pre>")
            elif not line.strip():
                self.flush()
            elif m := HEADING.match(line):
                self.flush()
                level, title = len(m.group(1)), m.group(2)
                self.headings.append((level, title))
                self.out.append(f'<h{level} id="{slugify(title)}">{inline(title)}</h{level}>')
            elif m := ITEM.match(line):
                self.item("ul", m[1])
            elif m := NUMBERED.match(line):
                self.item("ol", m[1])
            elif line.startswith("> "):
                self.out.append(f"<blockquote>{inline(line[2:])}</blockquote>")
            else:
                self.paragraph.append(line.strip())
        self.flush()
        return "\n".join(self.out)


def main():
    conv = Converter()
    result = conv.convert(SAMPLE)
    print(result)
    print("--- contents")
    for level, title in conv.headings:
        print("  " * (level - 1) + title)
    words = re.findall(r"\w+", re.sub(r"<[^>]+>", " ", result))
    print(len(words), "words; longest:", max(words, key=len))
    print(textwrap.fill(" ".join(words), width=50, initial_indent="* ", subsequent_indent="  "))
    print(textwrap.shorten(" ".join(words), width=40, placeholder="..."))


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
