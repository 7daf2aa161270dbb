"""pyfiglet==1.0.2: letters made of letters."""

from pyfiglet import figlet_format


def main():
    print(figlet_format("Hello", font="slant"))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
