import textwrap
from string import Template

TEXT = """The quick brown fox jumps over the lazy dog, again and again, until the
sun sets behind the hills and everybody-goes-home to sleep."""

LETTER = Template("Dear $name,\nyour balance is $$${amount} as of $date.")


def box(text, width=40):
    lines = textwrap.wrap(text, width - 4)
    rule = "+" + "-" * (width - 2) + "+"
    body = [f"| {line:<{width - 4}} |" for line in lines]
    return "\n".join([rule, *body, rule])


def main():
    print(textwrap.fill(TEXT, width=30))
    print(box(TEXT))
    print(textwrap.indent("a\nb\n\nc", "  > "))
    print(textwrap.shorten(TEXT, width=40, placeholder="..."))
    print(textwrap.fill(TEXT, 50, initial_indent="* ", subsequent_indent="  "))
    print(LETTER.substitute(name="Ann", amount="12.50", date="today"))
    print(LETTER.safe_substitute(name="Bob"))
    try:
        LETTER.substitute({"name": "Eve"})
    except KeyError as e:
        print("missing", e)
    wrapper = textwrap.TextWrapper(width=25, break_long_words=False)
    print(wrapper.wrap("a verylongwordthatdoesnotfitinthewidth here"))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
