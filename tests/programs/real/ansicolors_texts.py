"""ansicolors==1.1.8: colours of terminals."""

import colors


def main():
    text = colors.color("red", fg="red", style="bold+underline")
    print(repr(text), colors.ansilen(text), colors.strip_color(text))
    print(repr(colors.color("x", fg=120, bg="#ff0000")), repr(colors.green("g", bg="blue")))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
