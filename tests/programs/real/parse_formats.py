"""parse==1.22.4: the opposite of str.format."""

import parse


def main():
    found = parse.parse("It's {}, I love it!", "It's spam, I love it!")
    print(found[0])
    print(parse.parse("{name} is {age:d}", "Ann is 42").named)
    print([r[0] for r in parse.findall(">{}<", "<p>the <b>bold</b> text</p>")])


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
