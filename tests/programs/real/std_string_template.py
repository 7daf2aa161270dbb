"""string: templates, and formats known when the program runs."""

import string


def main():
    template = string.Template("$who likes ${what}, $$5")
    print(template.substitute(who="tim", what="kung pao"), template.safe_substitute(who="x"))
    print(string.capwords("hello big world"), string.Formatter().format("{0}-{a}", 1, a="b"))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
