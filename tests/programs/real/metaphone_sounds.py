"""Metaphone==0.6: how words sound."""

from metaphone import doublemetaphone


def main():
    for word in ("Thomas", "Schmidt", "Washington", "Knight", "michael", "church", "laugh"):
        print(word, doublemetaphone(word))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
