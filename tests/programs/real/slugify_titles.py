"""python-slugify==9.2.0 text-unidecode==1.3: titles as parts of addresses."""

from slugify import slugify


def main():
    for title in ("Hello, World!", "C'est déjà l'été.", "影師嗎", "  10 | 20 %  ", "a &amp; b"):
        print(slugify(title))
    print(slugify("jaja lol mememeoo a", max_length=9))
    print(slugify("the quick brown fox", stopwords=["the"], separator="_"))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
