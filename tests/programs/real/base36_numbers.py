"""base36==0.1.1: numbers in 36 digits."""

import base36


def main():
    for number in (0, 35, 36, 19930503, -19930503):
        text = base36.dumps(number)
        print(number, text, base36.loads(text))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
