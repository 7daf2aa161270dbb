"""stringcase==1.2.0: names in other cases."""

import stringcase


def main():
    for name in ("foo_bar_baz", "FooBarBaz", "foo-bar"):
        print(stringcase.camelcase(name), stringcase.snakecase(name), stringcase.spinalcase(name))
        print(stringcase.titlecase(name), stringcase.constcase(name), stringcase.trimcase(name))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
