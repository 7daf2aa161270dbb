"""bottle==0.13.4: HTML by its template engine."""

from bottle import template


def main():
    print(template("Hello {{name}}!\n% for i in range(n):\n* {{i}}\n% end\n", name="<W>", n=3))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
