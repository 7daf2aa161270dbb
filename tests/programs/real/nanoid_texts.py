"""nanoid==2.0.0: random texts as identifiers."""

import nanoid


def main():
    text = nanoid.generate()
    print(len(text), len(nanoid.generate("ab", 12)), set(nanoid.generate("ab", 12)) <= {"a", "b"})
    print(len(nanoid.non_secure_generate(size=7)))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
