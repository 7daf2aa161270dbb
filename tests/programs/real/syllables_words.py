"""syllables==1.1.5: how many syllables words have."""

import syllables


def main():
    for word in ("estimate", "syllable", "a", "queue", "banana", "created", "rhythm"):
        print(word, syllables.estimate(word))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
