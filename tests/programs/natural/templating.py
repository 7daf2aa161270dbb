"""A mini template engine."""
import re
from typing import Any, Callable


class TemplateError(Exception):
    def __init__(self, message, lineno=None):
        super().__init__(message)
        self.lineno = lineno


FILTERS: dict[str, Callable[[Any], Any]] = {
    "upper": str.upper,
    "title": str.title,
    "length": len,
    "join": ", ".join,
    "sort": sorted,
    "money": lambda x: f"${x:,.2f}",
}


class Node:
    def render(self, context):
        raise NotImplementedError


class Text(Node):
    def __init__(self, text):
        self.text = text

    def render(self, context):
        return self.text


class Expr(Node):
    def __init__(self, source):
        self.path, *self.filters = [p.strip() for p in source.split("|")]

    def evaluate(self, context):
        value = context
        for part in self.path.split("."):
            try:
                value = value[int(part)] if isinstance(value, list) else value[part]
            except (KeyError, IndexError):
                raise TemplateError(f"undefined: {self.path}") from None
        for name in self.filters:
            if name not in FILTERS:
                raise TemplateError(f"no filter named {name!r}")
            value = FILTERS[name](value)
        return value

    def render(self, context):
        return str(self.evaluate(context))


class Block(Node):
    def __init__(self):
        self.children = []

    def render(self, context):
        return "".join(child.render(context) for child in self.children)


class For(Block):
    def __init__(self, var, expr):
        super().__init__()
        self.var = var
        self.expr = expr

    def render(self, context):
        out = []
        items = self.expr.evaluate(context)
        for i, item in enumerate(items):
            inner = {**context, self.var: item, "index": i + 1, "last": i == len(items) - 1}
            out.append(super().render(inner))
        return "".join(out)


class If(Block):
    def __init__(self, expr, negate):
        super().__init__()
        self.expr = expr
        self.negate = negate

    def render(self, context):
        if bool(self.expr.evaluate(context)) != self.negate:
            return super().render(context)
        return ""


class Template:
    TOKEN = re.compile(r"(\{\{.*?\}\}|\{%.*?%\})", re.S)

    def __init__(self, source):
        self.root = Block()
        stack = [self.root]
        line = 1
        for token in self.TOKEN.split(source):
            if token.startswith("{{"):
                stack[-1].children.append(Expr(token[2:-2]))
            elif token.startswith("{%"):
                words = token[2:-2].split()
                if words[0] == "for":
                    _, var, _, expr = words
                    block = For(var, Expr(expr))
                elif words[0] == "if":
                    block = If(Expr(words[-1]), negate="not" in words)
                elif words[0].startswith("end"):
                    if len(stack) == 1:
                        raise TemplateError("nothing to end", line)
                    stack.pop()
                    continue
                else:
                    raise TemplateError(f"unknown tag {words[0]!r}", line)
                stack[-1].children.append(block)
                stack.append(block)
            elif token:
                stack[-1].children.append(Text(token))
            line += token.count("\n")
        if len(stack) > 1:
            raise TemplateError(f"{len(stack) - 1} unclosed block(s)", line)

    def render(self, **context):
        return self.root.render(context)


INVOICE = """\
Dear {{ customer.name | title }},
{% for item in items %}{{ index }}. {{ item.name | upper }}: {{ item.price | money }}{% if item.note %} ({{ item.note }}){% end %}{% if not last %};{% end %}
{% endfor %}{{ items | length }} items, tags {{ tags | sort | join }}. First: {{ items.0.name }}
"""


def main():
    t = Template(INVOICE)
    print(
        t.render(
            customer={"name": "ada lovelace", "id": 7},
            items=[
                {"name": "pen", "price": 1.5, "note": ""},
                {"name": "engine", "price": 12345, "note": "fragile"},
            ],
            tags=["vip", "early"],
        )
    )
    for source in ("{{ missing }}", "{{ x | shout }}", "{% while x %}", "{% if x %}\n\nhello", "a\nb {% end %}"):
        try:
            print(Template(source).render(x=1))
        except TemplateError as e:
            where = f" (line {e.lineno})" if e.lineno else ""
            print(f"error: {e}{where}")


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
